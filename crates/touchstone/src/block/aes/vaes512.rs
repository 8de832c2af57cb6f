//! AES by VAES on 512-bit registers: four blocks each, eight in flight, which
//! is the latency of `vaesenc` times the two that Zen 5 starts a cycle
//! ([`parallel`](super::parallel)).
#![allow(unsafe_code)]

use super::aesni;
use super::parallel::parallel;
use crate::cpu::Avx512;

parallel!(
    Avx512, U8x64, 4 blocks, 8 registers,
    "avx512f,avx512bw,avx512vl,aes,vaes,vpclmulqdq", less by aesni
);
