//! The S-boxes of ARIA's kernels with AES-NI. The code of the rounds is in [`gfni`](super::gfni).
//!
//! S₁ is the S-box of AES, and S₂ is another affine map of the same inversion. So the last round of
//! AES with a zero key is S₁, its inverse is that of S₁, and S₂ takes another affine map, by two byte
//! shuffles. ShiftRows permutes the bytes of each half of a plane, which are bytes of different
//! blocks. This needs no undoing as long as the permutation is the same in all planes. After an
//! inverse S-box it is the inverse permutation, and one byte shuffle applies ShiftRows twice. All
//! planes are in order again after a multiple of four rounds.
//!
//! A round has 16 AES instructions for 16 blocks, and 24 byte shuffles, and the same for 32 blocks with
//! VAES. With AES-NI, planes of 32 bytes take twice as many AES instructions, and for each plane two
//! instructions that divide and join its halves.

use super::{INVERSE_MAPS, MAPS};
use crate::machinery::field::{Nibbles, multiples, nibbles};

/// The map that makes S₂ of S₁, and its inverse.
pub(super) const SECOND: [Nibbles; 2] = {
    let mut tables = [[0; 256]; 2];
    let mut x = 0;
    while x < 256 {
        tables[0][x] = MAPS[1][INVERSE_MAPS[0][x] as usize];
        tables[1][x] = MAPS[0][INVERSE_MAPS[1][x] as usize];
        x += 1;
    }
    [nibbles(&tables[0]), nibbles(&tables[1])]
};

/// ShiftRows twice.
pub(super) const TWICE: [u8; 16] = multiples(9);

macro_rules! forward {
    (0, $x:expr) => {
        last_round!(forwards $x)
    };
    (1, $x:expr) => {
        last_round!(forwards $x).mapped(&SECOND[0])
    };
}

macro_rules! backward {
    (2, $x:expr) => {
        last_round!(backwards $x).shuffle(Bytes::splat(U8x16::load(&TWICE)))
    };
    (3, $x:expr) => {
        backward!(2, $x.mapped(&SECOND[1]))
    };
}

/// Encrypts or decrypts as [`cipher`](super::gfni::cipher) does, and puts all planes in order.
macro_rules! ordered {
    ($keys:ident, $p:ident) => {
        cipher!($keys, $p);
        // After 14 rounds, ShiftRows is left twice.
        if $keys.rounds().len() % 4 != 1 {
            for plane in &mut $p {
                *plane = plane.shuffle(Bytes::splat(U8x16::load(&TWICE)));
            }
        }
    };
}

pub(super) use {backward, forward, ordered};
