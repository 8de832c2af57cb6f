//! IDEA with AVX-512: 64 blocks at once, with two registers for each word of a block.
//! This is the portable form, compiled for wider registers.
#![allow(unsafe_code)]

use super::Keys;
use crate::machinery::groups::wider;

wider! {
    cipher(Avx512, "avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi,avx512vbmi2", keys: &Keys) = 64 lanes from 20 by cipher, else portable;
}
