//! RC5 with AVX2: 32 blocks at once, with four registers for each half of a block. The code is
//! the portable form, compiled for wider registers.
#![allow(unsafe_code)]

use super::Keys;
use crate::machinery::groups::wider;

wider! {
    encrypt(Avx2, "avx2", keys: &Keys) = 32 lanes from 16 by encrypt, else portable_encrypt;
    decrypt(Avx2, "avx2", keys: &Keys) = 32 lanes from 16 by decrypt, else portable_decrypt;
}
