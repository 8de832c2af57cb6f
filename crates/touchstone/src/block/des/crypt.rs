//! DES as crypt(3) uses it. A salt exchanges inputs of the S-boxes, and the cipher encrypts its
//! own output many times. The initial permutation IP and its inverse are done only once.
//!
//! Bit *i* of the 24-bit salt exchanges input *i* of the 48 inputs of all S-boxes with
//! input *i* + 24 ([FIPS46](super) "E bit-selection table"). With a salt of zero the
//! result is DES.
//!
//! [`Crypt`] computes one block at a time, uses tables, and is not constant-time.
//! [`crypt_many`] and [`crypt_many_salts`] compute many keys at once and are constant-time.
//! They use the kernels of [`Des`](super::Des) with one key in each lane.

use super::salts::Salts;
use super::table::{self, Tables};
use super::{Block, Kernel};
use crate::buffer::same_number;
use crate::debug::debug;
use crate::wipe::wipe;
use crate::{DataError, Kernel as _};
use zeroize::ZeroizeOnDrop;

/// DES of crypt(3) with a salt and a number of iterations, on single blocks. This form uses
/// tables in memory and is **not constant-time** ([`table`]).
#[derive(Clone)]
pub struct Crypt {
    keys: [u64; 16],
    salt: u32,
    mask: u64,
    tables: Tables,
}

debug!([] Crypt, "DesCrypt");

impl Crypt {
    /// Sets up a key and a salt. The parity bits of the key are ignored. Of `salt`, only the
    /// lowest 24 bits are used.
    #[must_use]
    #[inline]
    pub fn new(key: &[u8; 8], salt: u32) -> Self {
        let salt = salt & 0xff_ffff;
        let mask = table::salt_mask(salt);
        Self {
            keys: Kernel::best().schedule(key),
            salt,
            mask,
            tables: salted_tables(mask),
        }
    }

    /// Replaces the key and keeps the salt.
    #[inline]
    pub fn set_key(&mut self, key: &[u8; 8]) {
        self.keys = Kernel::best().schedule(key);
    }

    /// Replaces the salt and keeps the key. The call takes no time if the new salt equals the
    /// old salt.
    #[inline]
    pub fn set_salt(&mut self, salt: u32) {
        let salt = salt & 0xff_ffff;
        if salt != self.salt {
            self.salt = salt;
            self.mask = table::salt_mask(salt);
            self.tables = salted_tables(self.mask);
        }
    }

    /// Encrypts a block `count` times: each encryption takes the result of the encryption
    /// before.
    pub fn encrypt(&self, block: &mut [u8; 8], count: u32) {
        let keys = core::iter::once(&self.keys);
        table::cipher(&self.tables, self.mask, keys, count, false, block);
    }

    /// Decrypts a block `count` times: each decryption takes the result of the decryption
    /// before.
    pub fn decrypt(&self, block: &mut [u8; 8], count: u32) {
        let keys = core::iter::once(&self.keys);
        table::cipher(&self.tables, self.mask, keys, count, true, block);
    }
}

impl Drop for Crypt {
    fn drop(&mut self) {
        wipe(&mut self.keys, 0);
    }
}

impl ZeroizeOnDrop for Crypt {}

/// Encrypts the zero block `count` times with each key, with one salt for all keys. The
/// result for `keys[i]` is in `out[i]`.
///
/// The traditional crypt(3) uses a count of 25. Its key is the first eight characters of the
/// password, each character shifted left by one bit.
pub fn crypt_many(
    keys: &[[u8; 8]],
    salt: u32,
    count: u32,
    out: &mut [[u8; 8]],
) -> Result<(), DataError> {
    crypt_many_with(Kernel::best(), keys, salt, count, out)
}

/// Encrypts the zero block `count` times with each key, with a salt for each key: `salts[i]`
/// belongs to `keys[i]`. The result for `keys[i]` is in `out[i]`. [`crypt_many`] is the form
/// with one salt for all keys.
pub fn crypt_many_salts(
    keys: &[[u8; 8]],
    salts: &[u32],
    count: u32,
    out: &mut [[u8; 8]],
) -> Result<(), DataError> {
    crypt_many_salts_with(Kernel::best(), keys, salts, count, out)
}

/// Computes [`crypt_many`] with the given kernel, for tests and measurements.
#[doc(hidden)]
pub fn crypt_many_with(
    kernel: Kernel,
    keys: &[[u8; 8]],
    salt: u32,
    count: u32,
    out: &mut [[u8; 8]],
) -> Result<(), DataError> {
    same_number(keys.len(), out.len())?;
    kernel.crypt(keys, Salts::One(salt), count, out);
    Ok(())
}

/// Computes [`crypt_many_salts`] with the given kernel, for tests and measurements.
#[doc(hidden)]
pub fn crypt_many_salts_with(
    kernel: Kernel,
    keys: &[[u8; 8]],
    salts: &[u32],
    count: u32,
    out: &mut [[u8; 8]],
) -> Result<(), DataError> {
    same_number(keys.len(), salts.len())?;
    same_number(keys.len(), out.len())?;
    kernel.crypt(keys, Salts::Each(salts), count, out);
    Ok(())
}

/// Computes the S-box tables for a salt, from the salt's mask.
#[inline]
fn salted_tables(mask: u64) -> Tables {
    #[cfg(target_arch = "x86_64")]
    if let Some(token) = crate::cpu::Avx2::detect() {
        return super::avx2::salted_tables(token, mask);
    }
    table::salt_each(mask)
}

impl Kernel {
    fn crypt(self, keys: &[Block], salts: Salts<'_>, count: u32, out: &mut [Block]) {
        match self {
            #[cfg(target_arch = "x86_64")]
            Self::Avx512(token) => super::avx512::crypt(token, keys, salts, count, out),
            #[cfg(target_arch = "x86_64")]
            Self::Avx2(token) => super::avx2::crypt(token, keys, salts, count, out),
            Self::Portable => super::portable::crypt(keys, salts, count, out),
        }
    }
}
