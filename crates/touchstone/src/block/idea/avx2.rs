//! IDEA by AVX2: 32 blocks at once, two registers a word: the portable form, compiled for
//! wider registers.
#![allow(unsafe_code)]

use super::Keys;
use crate::machinery::groups::wider;

wider! {
    cipher(Avx2, "avx2", keys: &Keys) = 32 lanes from 20 by cipher, else portable;
}
