//! AEGIS with AES-NI: each register holds one block of one state.
#![allow(unsafe_code)]

use super::Block;
use super::word::Word;
use crate::debug::debug;
use crate::simd::U8x16;

/// One block of each state, with one register for each state. Only the functions of the
/// kernels, which enable AES-NI, use this type.
#[derive(Clone, Copy)]
pub struct Registers<const STATES: usize>([U8x16; STATES]);

debug!([const STATES: usize] Registers<STATES>, "Registers");

impl<const STATES: usize> Word<[Block; STATES]> for Registers<STATES> {
    #[inline(always)]
    fn load(group: &[Block; STATES]) -> Self {
        Self(core::array::from_fn(|i| U8x16::load(&group[i])))
    }

    #[inline(always)]
    fn store(self) -> [Block; STATES] {
        let mut group = [[0; 16]; STATES];
        for i in 0..STATES {
            self.0[i].store(&mut group[i]);
        }
        group
    }

    #[inline(always)]
    fn xor(mut self, other: Self) -> Self {
        for i in 0..STATES {
            // SAFETY: every processor of this target has SSE2.
            self.0[i] = unsafe { self.0[i].xor(other.0[i]) };
        }
        self
    }

    #[inline(always)]
    fn and(mut self, other: Self) -> Self {
        for i in 0..STATES {
            // SAFETY: every processor of this target has SSE2.
            self.0[i] = unsafe { self.0[i].and(other.0[i]) };
        }
        self
    }

    #[inline(always)]
    fn step<const BLOCKS: usize>(state: &mut [Self; BLOCKS]) {
        for i in 0..STATES {
            let last = state[BLOCKS - 1].0[i];
            for place in (1..BLOCKS).rev() {
                // SAFETY: the kernels that use this type have a token, which proves AES-NI.
                state[place].0[i] = unsafe { state[place - 1].0[i].aes_enc(state[place].0[i]) };
            }
            // SAFETY: the kernels that use this type have a token, which proves AES-NI.
            state[0].0[i] = unsafe { last.aes_enc(state[0].0[i]) };
        }
    }
}
