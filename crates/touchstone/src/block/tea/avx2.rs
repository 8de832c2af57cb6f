//! TEA and XTEA with AVX2: 32 blocks at once, with four registers for each half of a block. The
//! code is the portable form, compiled for wider registers.
#![allow(unsafe_code)]

use super::{Key, XKey};
use crate::machinery::groups::wider;

wider! {
    tea_encrypt(Avx2, "avx2", keys: &Key) = 32 lanes from 5 by tea_encrypt, else portable::tea_encrypt;
    tea_decrypt(Avx2, "avx2", keys: &Key) = 32 lanes from 5 by tea_decrypt, else portable::tea_decrypt;
    xtea_encrypt(Avx2, "avx2", keys: XKey<'_>) = 32 lanes from 9 by xtea_encrypt, else portable::xtea_encrypt;
    xtea_decrypt(Avx2, "avx2", keys: XKey<'_>) = 32 lanes from 9 by xtea_decrypt, else portable::xtea_decrypt;
}
