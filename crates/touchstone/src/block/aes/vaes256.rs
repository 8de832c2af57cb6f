//! AES with VAES on 256-bit registers, for machines without AVX-512: two blocks in each
//! register, eight registers at once ([`parallel`](super::parallel)).
#![allow(unsafe_code)]

use super::aesni;
use super::parallel::parallel;
use crate::cpu::Vaes256;

parallel!(Vaes256, U8x32, 2 blocks, 8 registers, "avx2,aes,vaes", less by aesni);
