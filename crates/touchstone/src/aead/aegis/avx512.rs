//! AEGIS with VAES and AVX-512: a register holds one block of each of four states. The forms of
//! AEGIS with fewer states use the registers of [`vaes256`](super::vaes256) and
//! [`aesni`](super::aesni). With AVX-512, one instruction computes three terms of their
//! keystream.
#![allow(unsafe_code)]

use super::Block;
use super::word::Word;
use crate::debug::debug;
use crate::simd::U8x64;

/// One block of each of four states. Only the functions of the kernels, which enable AVX-512
/// and VAES, use this type.
#[derive(Clone, Copy)]
pub struct Register(U8x64);

debug!([] Register, "Register");

impl Word<[Block; 4]> for Register {
    #[inline(always)]
    fn load(group: &[Block; 4]) -> Self {
        // SAFETY: the kernels that use this type have a token, which proves AVX-512 and VAES.
        Self(unsafe { U8x64::load_blocks(group) })
    }

    #[inline(always)]
    fn store(self) -> [Block; 4] {
        let mut group = [[0; 16]; 4];
        // SAFETY: the kernels that use this type have a token, which proves AVX-512 and VAES.
        unsafe { self.0.store_blocks(&mut group) };
        group
    }

    #[inline(always)]
    fn xor(self, other: Self) -> Self {
        // SAFETY: the kernels that use this type have a token, which proves AVX-512 and VAES.
        Self(unsafe { self.0.xor(other.0) })
    }

    #[inline(always)]
    fn and(self, other: Self) -> Self {
        // SAFETY: the kernels that use this type have a token, which proves AVX-512 and VAES.
        Self(unsafe { self.0.and(other.0) })
    }

    #[inline(always)]
    fn step<const BLOCKS: usize>(state: &mut [Self; BLOCKS]) {
        let last = state[BLOCKS - 1].0;
        for place in (1..BLOCKS).rev() {
            // SAFETY: the kernels that use this type have a token, which proves AVX-512 and
            // VAES.
            state[place].0 = unsafe { state[place - 1].0.aes_enc(state[place].0) };
        }
        // SAFETY: the kernels that use this type have a token, which proves AVX-512 and VAES.
        state[0].0 = unsafe { last.aes_enc(state[0].0) };
    }
}
