//! CAST-256 by tables: four blocks side by side, or one.

use inout::InOutBuf;

use super::{Block, Keys, Quad};
use crate::block::cast5::add_f;
use crate::machinery::four_words::{big, big_bytes};
use crate::machinery::groups::and_singles;

/// Computes a forward quad-round of `N` blocks, [RFC2612](super) §2.2.
#[inline(always)]
fn quad<const FEW: bool, const N: usize>(x: &mut [[u32; 4]; N], keys: &Quad) {
    for x in &mut *x {
        x[2] = add_f::<1, FEW>(keys[0], x[3], x[2]);
    }
    for x in &mut *x {
        x[1] = add_f::<2, FEW>(keys[1], x[2], x[1]);
    }
    for x in &mut *x {
        x[0] = add_f::<3, FEW>(keys[2], x[1], x[0]);
    }
    for x in &mut *x {
        x[3] = add_f::<1, FEW>(keys[3], x[0], x[3]);
    }
}

/// Computes a reverse quad-round, the inverse of [`quad`].
#[inline(always)]
fn quad_backwards<const FEW: bool, const N: usize>(x: &mut [[u32; 4]; N], keys: &Quad) {
    for x in &mut *x {
        x[3] = add_f::<1, FEW>(keys[3], x[0], x[3]);
    }
    for x in &mut *x {
        x[0] = add_f::<3, FEW>(keys[2], x[1], x[0]);
    }
    for x in &mut *x {
        x[1] = add_f::<2, FEW>(keys[1], x[2], x[1]);
    }
    for x in &mut *x {
        x[2] = add_f::<1, FEW>(keys[0], x[3], x[2]);
    }
}

/// Encrypts or decrypts `N` blocks. Decryption is encryption with the quad-rounds' keys in reverse
/// order.
#[inline(always)]
fn cipher<const BACKWARDS: bool, const FEW: bool, const N: usize>(
    keys: &Keys,
    mut x: [[u32; 4]; N],
) -> [[u32; 4]; N] {
    let keys = |i: usize| &keys[if BACKWARDS { 11 - i } else { i }];
    for i in 0..6 {
        quad::<FEW, N>(&mut x, keys(i));
    }
    for i in 6..12 {
        quad_backwards::<FEW, N>(&mut x, keys(i));
    }
    x
}

#[inline(always)]
pub(super) fn blocks<const BACKWARDS: bool>(keys: &Keys, blocks: InOutBuf<'_, '_, Block>) {
    and_singles(
        blocks,
        |four: [Block; 4]| {
            cipher::<BACKWARDS, false, 4>(keys, four.each_ref().map(big)).map(big_bytes)
        },
        |block| one::<BACKWARDS>(keys, block),
    );
}

#[inline(always)]
pub(super) fn one<const BACKWARDS: bool>(keys: &Keys, block: Block) -> Block {
    big_bytes(cipher::<BACKWARDS, true, 1>(keys, [big(&block)])[0])
}
