//! RC2 by AVX2: 32 blocks at once, two registers a word: the portable form, compiled for
//! wider registers.
#![allow(unsafe_code)]

use super::Keys;
use crate::machinery::groups::wider;

wider! {
    encrypt(Avx2, "avx2", keys: &Keys) = 32 lanes from 20 by encrypt, else portable_encrypt;
    decrypt(Avx2, "avx2", keys: &Keys) = 32 lanes from 20 by decrypt, else portable_decrypt;
}
