//! TEA and XTEA with AVX-512: 64 blocks at once, with four registers for each half of a block.
//! The code is the portable form, compiled for wider registers.
#![allow(unsafe_code)]

use super::{Key, XKey};
use crate::machinery::groups::wider;

wider! {
    tea_encrypt(Avx512, "avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi,avx512vbmi2", keys: &Key) = 64 lanes from 5 by tea_encrypt, else portable::tea_encrypt;
    tea_decrypt(Avx512, "avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi,avx512vbmi2", keys: &Key) = 64 lanes from 5 by tea_decrypt, else portable::tea_decrypt;
    xtea_encrypt(Avx512, "avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi,avx512vbmi2", keys: XKey<'_>) = 64 lanes from 9 by xtea_encrypt, else portable::xtea_encrypt;
    xtea_decrypt(Avx512, "avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi,avx512vbmi2", keys: XKey<'_>) = 64 lanes from 9 by xtea_decrypt, else portable::xtea_decrypt;
}
