//! AES with VAES on 256-bit registers, for machines without AVX-512: two blocks in each
//! register, eight registers at once ([`parallel`](super::parallel), [`groups256`](super::groups256)).
#![allow(unsafe_code)]

use super::aesni;
pub(super) use super::groups256::{cbc_decrypt, cfb_decrypt, ctr, ctr_le32, decrypt, encrypt};
use super::parallel::parallel;
use crate::cpu::Vaes256;

parallel!(
    Vaes256, U8x32, 2 blocks, 8 registers, "avx2,aes,vaes", less by aesni, tweaks by even_powers
);
