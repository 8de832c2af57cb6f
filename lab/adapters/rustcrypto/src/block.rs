//! The table of block ciphers, one line for each. Every module that uses block ciphers reads
//! it.

/// Calls `$then!` with the table. A row is
///
/// ```text
/// group: id, crate, key bytes, encrypting type, decrypting type, both, keying;
/// ```
/// The groups differ in the modes that the crates allow: `aes` allows key wrap and all
/// nonce and tag lengths, `modern` allows authenticated modes, `b16` and `b8` allow the
/// modes for blocks of 16 and 8 bytes, and `wide` only the modes for any block.
macro_rules! block_ciphers {
    ($then:ident) => {
        $then! {
            aes: "aes-128", "aes", 16..=16, aes::Aes128Enc, aes::Aes128Dec, aes::Aes128, Plain;
            aes: "aes-192", "aes", 24..=24, aes::Aes192Enc, aes::Aes192Dec, aes::Aes192, Plain;
            aes: "aes-256", "aes", 32..=32, aes::Aes256Enc, aes::Aes256Dec, aes::Aes256, Plain;
            modern: "aria-128", "aria", 16..=16, aria::Aria128, aria::Aria128, aria::Aria128, Plain;
            modern: "aria-192", "aria", 24..=24, aria::Aria192, aria::Aria192, aria::Aria192, Plain;
            modern: "aria-256", "aria", 32..=32, aria::Aria256, aria::Aria256, aria::Aria256, Plain;
            modern: "camellia-128", "camellia", 16..=16, camellia::Camellia128, camellia::Camellia128, camellia::Camellia128, Plain;
            modern: "camellia-192", "camellia", 24..=24, camellia::Camellia192, camellia::Camellia192, camellia::Camellia192, Plain;
            modern: "camellia-256", "camellia", 32..=32, camellia::Camellia256, camellia::Camellia256, camellia::Camellia256, Plain;
            modern: "kuznyechik", "kuznyechik", 32..=32, kuznyechik::KuznyechikEnc, kuznyechik::KuznyechikDec, kuznyechik::Kuznyechik, Plain;
            modern: "serpent-128", "serpent", 16..=16, serpent::Serpent, serpent::Serpent, serpent::Serpent, Plain;
            modern: "serpent-192", "serpent", 24..=24, serpent::Serpent, serpent::Serpent, serpent::Serpent, Plain;
            modern: "serpent-256", "serpent", 32..=32, serpent::Serpent, serpent::Serpent, serpent::Serpent, Plain;
            modern: "sm4", "sm4", 16..=16, sm4::Sm4, sm4::Sm4, sm4::Sm4, Plain;
            modern: "twofish-128", "twofish", 16..=16, twofish::Twofish, twofish::Twofish, twofish::Twofish, Plain;
            modern: "twofish-192", "twofish", 24..=24, twofish::Twofish, twofish::Twofish, twofish::Twofish, Plain;
            modern: "twofish-256", "twofish", 32..=32, twofish::Twofish, twofish::Twofish, twofish::Twofish, Plain;
            b16: "belt", "belt-block", 32..=32, belt_block::BeltBlock, belt_block::BeltBlock, belt_block::BeltBlock, Plain;
            b16: "cast6", "cast6", 16..=32, cast6::Cast6, cast6::Cast6, cast6::Cast6, Plain;
            b8: "blowfish", "blowfish", 4..=56, blowfish::Blowfish, blowfish::Blowfish, blowfish::Blowfish, Plain;
            b8: "cast5", "cast5", 5..=16, cast5::Cast5, cast5::Cast5, cast5::Cast5, Plain;
            b8: "des", "des", 8..=8, des::Des, des::Des, des::Des, Plain;
            b8: "des-ede2", "des", 16..=16, des::TdesEde2, des::TdesEde2, des::TdesEde2, Plain;
            b8: "des-ede3", "des", 24..=24, des::TdesEde3, des::TdesEde3, des::TdesEde3, Plain;
            b8: "idea", "idea", 16..=16, idea::Idea, idea::Idea, idea::Idea, Plain;
            b8: "magma", "magma", 32..=32, magma::Magma, magma::Magma, magma::Magma, Plain;
            b8: "rc2", "rc2", 1..=128, rc2::Rc2, rc2::Rc2, rc2::Rc2, EffectiveBits;
            b8: "rc5-32-12", "rc5", 16..=16, crate::block::Rc5, crate::block::Rc5, crate::block::Rc5, Plain;
            b8: "xtea", "xtea", 16..=16, xtea::Xtea, xtea::Xtea, xtea::Xtea, Plain;
            wide: "threefish-256", "threefish", 32..=32, threefish::Threefish256, threefish::Threefish256, threefish::Threefish256, Plain;
            wide: "threefish-512", "threefish", 64..=64, threefish::Threefish512, threefish::Threefish512, threefish::Threefish512, Plain;
            wide: "threefish-1024", "threefish", 128..=128, threefish::Threefish1024, threefish::Threefish1024, threefish::Threefish1024, Plain;
        }
    };
}
pub(crate) use block_ciphers;

use touchstone_worker::{Failure, Work};

use crate::keying::{EffectiveBits, Plain};

/// RC5-32/12/16. The crate fixes the key's length in the type.
pub(crate) type Rc5 = rc5::RC5<u32, cipher::consts::U12, cipher::consts::U16>;

macro_rules! rows {
    ($($group:ident: $id:literal, $krate:literal, $keys:expr, $enc:ty, $dec:ty, $both:ty, $keying:ident;)*) => {
        /// Rows: every block cipher, and its crate.
        pub(crate) const ROWS: &[(&str, &str)] = &[$(($id, $krate)),*];

        /// Returns whether a cipher accepts a key of this length in bytes under its id.
        pub(crate) fn takes_key(primitive: &str, bytes: usize) -> bool {
            match primitive {
                $($id => ($keys).contains(&bytes),)*
                _ => false,
            }
        }
    };
}
block_ciphers!(rows);

/// Makes the keying that a row names from the work's parameters.
pub(crate) trait FromWork: Sized {
    fn from_work(work: &Work) -> Self;
}

impl FromWork for Plain {
    fn from_work(_: &Work) -> Self {
        Self
    }
}

impl FromWork for EffectiveBits {
    fn from_work(work: &Work) -> Self {
        let own = work.key.len() as u64 * 8;
        Self(work.cost("effective-bits").unwrap_or(own) as usize)
    }
}

/// Refuses parameters that no row of the table has.
pub(crate) fn check(work: &Work, key_bytes: usize) -> Result<(), Failure> {
    if !takes_key(&work.primitive, key_bytes) {
        return Err(Failure::length("a key", work.key.len()));
    }
    let own_rounds = match work.primitive.as_str() {
        "rc5-32-12" => Some(12),
        "xtea" => Some(32),
        _ => None,
    };
    if work
        .cost("rounds")
        .is_some_and(|rounds| own_rounds != Some(rounds))
    {
        return Err(Failure::unsupported("another number of rounds"));
    }
    Ok(())
}
