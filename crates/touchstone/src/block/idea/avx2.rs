//! IDEA with AVX2: 32 blocks at once, with two registers for each word of a block. The code is
//! the portable form, compiled for wider registers.
#![allow(unsafe_code)]

use super::Keys;
use crate::machinery::groups::wider;

wider! {
    cipher(Avx2, "avx2", keys: &Keys) = 32 lanes from 20 by cipher, else portable;
}
