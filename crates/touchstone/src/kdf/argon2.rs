//! Argon2, [RFC9106], by the crate `argon2` of RustCrypto (feature `argon2`). Argon2 fills
//! memory and reads this memory again. The order in which it reads differs between the
//! variants. In the variant `d` the order depends on the password. In the variant `i` the order
//! depends only on the position. The variant `id` first reads in the order of `i`, and then in
//! the order of `d`.
//!
//! - [RFC9106] Argon2 Memory-Hard Function for Password Hashing and Proof-of-Work Applications,
//!   RFC 9106, 2021
//!
//! [RFC9106]: https://www.rfc-editor.org/rfc/rfc9106

use argon2::{Algorithm, Argon2, AssociatedData, Block, ParamsBuilder, Version};

use super::KdfError;
use crate::wipe::wipe;

/// The variant of Argon2, which determines the order in which the memory is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs, reason = "the module says what each is")]
pub enum Variant {
    D,
    I,
    Id,
}

/// The inputs of Argon2 besides password and salt, [RFC9106](self) §3.1.
#[derive(Debug, Clone, Copy)]
pub struct Costs<'a> {
    /// The number of passes over the memory, 1 or more.
    pub passes: u32,
    /// The size of the memory in KiB, at least 8 KiB for each lane.
    pub memory: u32,
    /// The number of lanes. This implementation fills the lanes one after the other.
    pub lanes: u32,
    /// A secret that is not part of the password. The secret may be empty.
    pub secret: &'a [u8],
    /// Associated data, at most 32 bytes.
    pub data: &'a [u8],
}

/// Fills `key` from a password and a salt by Argon2, [RFC9106](self) §3.
///
/// ```
/// use touchstone::kdf::argon2::{Costs, Variant, argon2};
///
/// let costs = Costs { passes: 2, memory: 64, lanes: 1, secret: b"", data: b"" };
/// let mut key = [0; 32];
/// argon2(Variant::Id, b"correct horse", b"salt of this user", &costs, &mut key)?;
/// # Ok::<(), touchstone::kdf::KdfError>(())
/// ```
///
/// # Errors
///
/// [`KdfError::OutputLength`] for less than 4 bytes of output; [`KdfError::Memory`] if the
/// memory cannot be allocated; [`KdfError::Costs`] for costs that Argon2 does not allow, and
/// for a salt of less than 8 bytes.
pub fn argon2(
    variant: Variant,
    password: &[u8],
    salt: &[u8],
    costs: &Costs<'_>,
    key: &mut [u8],
) -> Result<(), KdfError> {
    if key.len() < 4 || u32::try_from(key.len()).is_err() {
        return Err(KdfError::OutputLength { given: key.len() });
    }
    let parameters = ParamsBuilder::new()
        .t_cost(costs.passes)
        .m_cost(costs.memory)
        .p_cost(costs.lanes)
        .data(AssociatedData::new(costs.data).map_err(|_| KdfError::Costs)?)
        .output_len(key.len())
        .build()
        .map_err(|_| KdfError::Costs)?;
    let mut memory = alloc::vec::Vec::new();
    let blocks = parameters.block_count();
    memory
        .try_reserve_exact(blocks)
        .map_err(|_| KdfError::Memory)?;
    memory.resize(blocks, Block::default());
    let algorithm = match variant {
        Variant::D => Algorithm::Argon2d,
        Variant::I => Algorithm::Argon2i,
        Variant::Id => Algorithm::Argon2id,
    };
    let argon2 = Argon2::new_with_secret(costs.secret, algorithm, Version::V0x13, parameters)
        .map_err(|_| KdfError::Costs)?;
    let done = argon2.hash_password_into_with_memory(password, salt, key, &mut memory);
    wipe(&mut memory, Block::default());
    done.map_err(|_| KdfError::Costs)
}
