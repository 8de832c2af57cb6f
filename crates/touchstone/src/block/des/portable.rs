//! DES for every machine: 64 blocks at once, bitsliced in 64-bit words
//! ([`bitslice`](super::bitslice)).

use super::binary::{COMPLEMENTED, boxes};
use super::bitslice::{bit_steps, bitslice, crypt, lane_keys, rounds};
use super::salts::Salts;
use super::{SINGLY, single};
use crate::wipe;

/// A bit plane of 64 lanes, with the methods of the wider lane types.
#[derive(Clone, Copy)]
struct Word(u64);

impl Word {
    #[inline(always)]
    fn zero() -> Self {
        Self(0)
    }

    #[inline(always)]
    fn splat(number: u64) -> Self {
        Self(number)
    }

    #[inline(always)]
    fn has_bit(self, bit: u32) -> Self {
        Self((self.0 >> bit & 1).wrapping_neg())
    }

    #[inline(always)]
    fn splat_u32(number: u32) -> Self {
        // `number` is zero or all ones, so the sign extension fills all 64 bits with the same
        // value.
        Self(i64::from(number as i32) as u64)
    }

    #[inline(always)]
    fn load(block: &[[u8; 8]; 1]) -> Self {
        Self(u64::from_le_bytes(block[0]))
    }

    #[inline(always)]
    fn store(self, block: &mut [[u8; 8]; 1]) {
        block[0] = self.0.to_le_bytes();
    }

    #[inline(always)]
    fn and(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    #[inline(always)]
    fn and_not(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }

    #[inline(always)]
    fn or(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    #[inline(always)]
    fn xor(self, other: Self) -> Self {
        Self(self.0 ^ other.0)
    }

    /// Returns (self ⊕ other) ∧ mask.
    #[inline(always)]
    fn differ(self, other: Self, mask: Self) -> Self {
        Self((self.0 ^ other.0) & mask.0)
    }

    #[inline(always)]
    fn xor_both(self, a: Self, b: Self) -> Self {
        Self(self.0 ^ a.0 ^ b.0)
    }

    #[inline(always)]
    fn select(self, yes: Self, no: Self) -> Self {
        Self((yes.0 ^ no.0) & self.0 ^ no.0)
    }

    #[inline(always)]
    fn exchange<const BITS: i32>(self, other: Self) -> (Self, Self) {
        let even = u64::MAX / ((1 << BITS) + 1);
        let swap = (self.0 >> BITS ^ other.0) & even;
        (Self(self.0 ^ swap << BITS), Self(other.0 ^ swap))
    }
}

bit_steps!(Word);
bitslice!(Word, 1 words; step exchange_bits, exchange_bits, Bit);
rounds!(Word);
lane_keys!(Word);
crypt!(Word);

/// Splits the blocks of a call into two parts: first the blocks that fill or nearly fill
/// groups, then the few last blocks, which are computed one after the other.
fn split<'i, 'o>(
    blocks: InOutBuf<'i, 'o, Block>,
) -> (InOutBuf<'i, 'o, Block>, InOutBuf<'i, 'o, Block>) {
    let rest = blocks.len() % LANES;
    let few = if rest <= SINGLY { rest } else { 0 };
    let groups = blocks.len() - few;
    blocks.split_at(groups)
}

pub(super) fn cipher<const WHAT: u8, const PASSES: usize>(
    keys: &Keys<PASSES>,
    backwards: bool,
    state: &mut Block,
    blocks: InOutBuf<'_, '_, Block>,
) {
    let (groups, rest) = split(blocks);
    if !groups.is_empty() {
        wipe::after_moves::<Kept<PASSES>, _>(2, || {
            each_group::<WHAT, PASSES>(keys, backwards, state, groups);
        });
    }
    single::cipher::<WHAT, PASSES>(keys, backwards, state, rest);
}

pub(super) fn crypt(keys: &[Block], salts: Salts<'_>, count: u32, output: &mut [Block]) {
    each_key(keys, salts, count, output);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::block::des::tests::{input, output};

    #[test]
    fn the_circuits_are_the_s_boxes() {
        let mut outputs = [[0; 4]; 8];
        macro_rules! input {
            ($s:literal, $i:literal) => {
                Word(input($i) ^ u64::from(complements(&COMPLEMENTED, $s, $i)).wrapping_neg())
            };
        }
        macro_rules! add {
            ($s:literal, $i:literal, $y:ident) => {
                outputs[$s][$i] = $y.0;
            };
        }
        boxes!(input, add);
        for (from, given) in outputs.into_iter().enumerate() {
            assert_eq!(given, core::array::from_fn(|i| output(from, i)));
        }
    }
}
