//! DES on single blocks, constant-time on every machine. The portable kernel uses this code for
//! serial modes and for short calls, which would leave most lanes of a bitsliced kernel empty.
//!
//! Each half is stored as eight bytes with four bits in each byte ([`table`](super::table)).
//! After the expansion E, each byte has the six inputs of one S-box. The code looks up all
//! S-boxes at once and reads the whole tables, so that no address depends on a secret. There
//! are 32 words of eight bytes, one word for each value of the last five inputs. Byte *d* of a
//! word belongs to S-box *d*. The lower half of this byte has the four outputs for a first
//! input of 0, the upper half the outputs for a first input of 1. Each of the last five inputs
//! becomes a mask that fills the S-box's byte. These masks select one of the 32 words. The
//! order of the output bits in a byte is chosen such that P takes only ten rotations.
//! rotations.

use inout::InOutBuf;

use super::table::{block, expand, halves, s};
use super::{Block, Keys, P};
use crate::machinery::operation::{CBC_DECRYPT, CTR};

/// For each output of each S-box, the bit of the S-box's byte that stores this output. A search
/// found these positions.
const PLACES: [[usize; 4]; 8] = [
    [3, 2, 1, 0],
    [3, 0, 1, 2],
    [1, 0, 2, 3],
    [2, 0, 1, 3],
    [0, 1, 3, 2],
    [0, 3, 1, 2],
    [0, 1, 3, 2],
    [3, 0, 2, 1],
];

/// The tables of all S-boxes: two words for each value of inputs 1 to 4. The first word has the
/// outputs of the S-boxes for input 5 = 0. The second word is the XOR of these outputs and the
/// outputs for input 5 = 1.
static BOXES: [[u64; 2]; 16] = {
    let mut boxes = [[0; 2]; 16];
    let mut at = 0;
    while at < 64 * 8 * 4 {
        let (x, from, output) = (at / 32, at / 4 % 8, at % 4);
        if s(from, x) >> (3 - output) & 1 == 1 {
            let bit = 1 << (8 * from + 4 * (x / 32) + PLACES[from][output]);
            boxes[x % 32 / 2][1] ^= bit;
            if x % 2 == 0 {
                boxes[x % 32 / 2][0] ^= bit;
            }
        }
        at += 1;
    }
    boxes
};

/// The permutation P as ten rotations: the number of bits of each rotation, and the mask of the
/// bits that it moves.
const ROTATIONS: [(u32, u64); 10] = {
    let mut masks = [0; 64];
    let mut i = 0;
    while i < 32 {
        let from = P[i] - 1;
        let from = 8 * (from / 4) + PLACES[from / 4][from % 4];
        let to = 8 * (i / 4) + 3 - i % 4;
        masks[(64 + to - from) % 64] |= 1 << from;
        i += 1;
    }
    let mut rotations = [(0, 0); 10];
    let (mut found, mut by) = (0, 0);
    while by < 64 {
        if masks[by] != 0 {
            rotations[found] = (by as u32, masks[by]);
            found += 1;
        }
        by += 1;
    }
    rotations
};

/// Computes the round function f of one block: [FIPS46](super) "The cipher function f".
#[inline(always)]
fn f(half: u64, key: u64) -> u64 {
    let inputs = expand(half) ^ key;
    // `spread` returns a byte of ones for each S-box in which `input` is 1.
    let spread = |input: u32| {
        let bits = inputs >> (5 - input) & 0x0101_0101_0101_0101;
        (bits << 8).wrapping_sub(bits)
    };
    let mut x = [0; 16];
    let last = spread(5);
    for (x, [zero, difference]) in x.iter_mut().zip(&BOXES) {
        *x = zero ^ last & difference;
    }
    for (input, count) in [(4, 8), (3, 4), (2, 2), (1, 1)] {
        let select = spread(input);
        for i in 0..count {
            x[i] = x[2 * i] ^ select & (x[2 * i] ^ x[2 * i + 1]);
        }
    }
    let output = x[0] ^ spread(0) & (x[0] ^ x[0] >> 4);
    let rotations = ROTATIONS.iter();
    rotations.fold(0, |sum, &(by, mask)| sum | (output & mask).rotate_left(by))
}

/// Encrypts or decrypts one block.
fn one<const PASSES: usize>(keys: &Keys<PASSES>, backwards: bool, data: Block) -> Block {
    let [mut left, mut right] = halves(&data);
    for pass in 0..PASSES {
        for round in (0..16).step_by(2) {
            let (keys, one, two) = if backwards {
                (&keys[PASSES - 1 - pass], 15 - round, 14 - round)
            } else {
                (&keys[pass], round, round + 1)
            };
            left ^= f(right, keys[one]);
            right ^= f(left, keys[two]);
        }
        (left, right) = (right, left);
    }
    block([left, right])
}

pub(super) fn cipher<const WHAT: u8, const PASSES: usize>(
    keys: &Keys<PASSES>,
    backwards: bool,
    state: &mut Block,
    blocks: InOutBuf<'_, '_, Block>,
) {
    use crate::cipher::Block as _;
    for mut block in blocks {
        let data = *block.get_in();
        *block.get_out() = match WHAT {
            CTR => {
                let key = one(keys, backwards, *state);
                *state = state.plus(1);
                data.xor(key)
            }
            CBC_DECRYPT => {
                let before = core::mem::replace(state, data);
                one(keys, backwards, data).xor(before)
            }
            _ => one(keys, backwards, data),
        };
    }
}
