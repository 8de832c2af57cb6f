//! AEGIS with VAES on 256-bit registers. A register holds one block of each of two states.
#![allow(unsafe_code)]

use super::Block;
use super::word::Word;
use crate::debug::debug;
use crate::simd::U8x32;

/// One block of each state. Only the functions of the kernels, which enable AVX2 and VAES, use
/// this type.
#[derive(Clone, Copy)]
pub struct Registers<const PAIRS: usize>([U8x32; PAIRS]);

debug!([const PAIRS: usize] Registers<PAIRS>, "Registers");

macro_rules! words {
    ($($states:literal = 2 * $pairs:literal;)*) => {$(
        impl Word<[Block; $states]> for Registers<$pairs> {
            #[inline(always)]
            fn load(group: &[Block; $states]) -> Self {
                let (pairs, _) = group.as_chunks();
                // SAFETY: the kernels that use this type have a token, which proves AVX2.
                let mut registers = [unsafe { U8x32::load_blocks(&pairs[0]) }; $pairs];
                for (register, pair) in registers.iter_mut().zip(pairs) {
                    // SAFETY: the kernels that use this type have a token, which proves AVX2.
                    *register = unsafe { U8x32::load_blocks(pair) };
                }
                Self(registers)
            }

            #[inline(always)]
            fn store(self) -> [Block; $states] {
                let mut group = [[0; 16]; $states];
                for (register, pair) in self.0.into_iter().zip(group.as_chunks_mut().0) {
                    // SAFETY: the kernels that use this type have a token, which proves AVX2.
                    unsafe { register.store_blocks(pair) };
                }
                group
            }

            #[inline(always)]
            fn xor(mut self, other: Self) -> Self {
                for i in 0..$pairs {
                    // SAFETY: the kernels that use this type have a token, which proves AVX2.
                    self.0[i] = unsafe { self.0[i].xor(other.0[i]) };
                }
                self
            }

            #[inline(always)]
            fn and(mut self, other: Self) -> Self {
                for i in 0..$pairs {
                    // SAFETY: the kernels that use this type have a token, which proves AVX2.
                    self.0[i] = unsafe { self.0[i].and(other.0[i]) };
                }
                self
            }

            #[inline(always)]
            fn step<const BLOCKS: usize>(state: &mut [Self; BLOCKS]) {
                for i in 0..$pairs {
                    let last = state[BLOCKS - 1].0[i];
                    for place in (1..BLOCKS).rev() {
                        let (from, to) = (state[place - 1].0[i], state[place].0[i]);
                        // SAFETY: the kernels that use this type have a token, which proves
                        // VAES too.
                        state[place].0[i] = unsafe { from.aes_enc(to) };
                    }
                    // SAFETY: the kernels that use this type have a token, which proves VAES
                    // too.
                    state[0].0[i] = unsafe { last.aes_enc(state[0].0[i]) };
                }
            }
        }
    )*};
}

words! {
    2 = 2 * 1;
    4 = 2 * 2;
}
