//! RC5 with AVX-512: 64 blocks at once, with four registers for each half of a block. The code
//! is the portable form, compiled for wider registers.
#![allow(unsafe_code)]

use super::Keys;
use crate::machinery::groups::wider;

wider! {
    encrypt(Avx512, "avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi,avx512vbmi2", keys: &Keys) = 64 lanes from 9 by encrypt, else portable_encrypt;
    decrypt(Avx512, "avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi,avx512vbmi2", keys: &Keys) = 64 lanes from 9 by decrypt, else portable_decrypt;
}
