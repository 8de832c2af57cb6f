//! The operations of a kernel on a group of AES blocks.

use super::Block;
use crate::block::aes;
use crate::cipher::Block as _;

/// A group of blocks in the form in which a kernel computes.
#[doc(hidden)]
pub trait Word<G>: Copy {
    fn load(group: &G) -> Self;
    fn store(self) -> G;
    fn xor(self, other: Self) -> Self;
    fn and(self, other: Self) -> Self;
    /// Computes one step of the state: each group becomes the AES round of the group before it,
    /// XOR itself. The group before the first group is the last group.
    fn step<const BLOCKS: usize>(state: &mut [Self; BLOCKS]);
}

/// The portable kernel computes with the bytes of the blocks.
impl<const STATES: usize> Word<Self> for [Block; STATES] {
    #[inline(always)]
    fn load(group: &Self) -> Self {
        *group
    }

    #[inline(always)]
    fn store(self) -> Self {
        self
    }

    #[inline(always)]
    fn xor(mut self, other: Self) -> Self {
        for i in 0..STATES {
            self[i] = self[i].xor(other[i]);
        }
        self
    }

    #[inline(always)]
    fn and(mut self, other: Self) -> Self {
        for i in 0..STATES {
            let product = u128::from_ne_bytes(self[i]) & u128::from_ne_bytes(other[i]);
            self[i] = product.to_ne_bytes();
        }
        self
    }

    #[inline(always)]
    fn step<const BLOCKS: usize>(state: &mut [Self; BLOCKS]) {
        for i in 0..STATES {
            let mut rounds = [[0; 16]; 8];
            for place in 0..BLOCKS {
                rounds[place] = state[place][i];
            }
            for four in rounds.as_chunks_mut().0 {
                aes::round_of_four(four);
            }
            for place in 0..BLOCKS {
                let before = rounds[(place + BLOCKS - 1) % BLOCKS];
                state[place][i] = state[place][i].xor(before);
            }
        }
    }
}
