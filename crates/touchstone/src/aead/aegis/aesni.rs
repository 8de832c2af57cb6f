//! AEGIS with AES-NI: a register for each block of the state.
#![allow(unsafe_code)]

use inout::InOutBuf;

use super::{Block, TwoBlocks, Word};
use crate::cpu;
use crate::simd::U8x16;

/// A block in a register. Only the functions below use this type, in functions that enable AES-NI.
#[derive(Clone, Copy)]
struct Register(U8x16);

impl Word for Register {
    #[inline(always)]
    fn load(block: &Block) -> Self {
        Self(U8x16::load(block))
    }

    #[inline(always)]
    fn store(self) -> Block {
        let mut block = [0; 16];
        self.0.store(&mut block);
        block
    }

    #[inline(always)]
    fn xor(self, other: Self) -> Self {
        // SAFETY: every processor of this target has SSE2.
        Self(unsafe { self.0.xor(other.0) })
    }

    #[inline(always)]
    fn and(self, other: Self) -> Self {
        // SAFETY: every processor of this target has SSE2.
        Self(unsafe { self.0.and(other.0) })
    }

    #[inline(always)]
    fn step<const BLOCKS: usize>(state: &mut [Self; BLOCKS]) {
        let last = state[BLOCKS - 1];
        for i in (1..BLOCKS).rev() {
            // SAFETY: the functions below have a token, which proves AES-NI.
            state[i] = Self(unsafe { state[i - 1].0.aes_enc(state[i].0) });
        }
        // SAFETY: as above.
        state[0] = Self(unsafe { last.0.aes_enc(state[0].0) });
    }
}

/// Writes a function that calls the generic one with AES-NI enabled.
macro_rules! enabled {
    ($($name:ident($($argument:ident: $Type:ty),*) $(-> $Result:ty)?;)*) => {$(
        pub(super) fn $name<const BLOCKS: usize, const RATE: usize>(
            _: cpu::Aes,
            $($argument: $Type),*
        ) $(-> $Result)? {
            #[target_feature(enable = "aes,ssse3,sse4.1")]
            fn enabled<const BLOCKS: usize, const RATE: usize>(
                $($argument: $Type),*
            ) $(-> $Result)? {
                super::$name::<Register, BLOCKS, RATE>($($argument),*)
            }
            // SAFETY: the token proves the features.
            unsafe { enabled::<BLOCKS, RATE>($($argument),*) }
        }
    )*};
}

enabled! {
    start(key: &TwoBlocks, nonce: &TwoBlocks) -> [Block; BLOCKS];
    absorb(blocks: &mut [Block; BLOCKS], messages: &[[Block; RATE]]);
    apply(
        blocks: &mut [Block; BLOCKS],
        data: InOutBuf<'_, '_, [Block; RATE]>,
        backwards: bool
    );
    tag(blocks: &[Block; BLOCKS], lengths: &Block) -> Block;
}
