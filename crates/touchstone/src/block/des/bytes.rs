//! DES with AVX2 for a few blocks and for serial modes. The latency of the rounds limits these
//! calls, not the number of instructions.
//!
//! A half of one block is a register with one byte for each of its 32 bits: all ones or all zeros,
//! XORed with the bit's constant of [`MARKS`]. A round computes each byte of the other half from the
//! six inputs of its S-box:
//!
//! 1. `vpshufb` copies to each byte one of the inputs, and `vperm2i128` before it exchanges the two
//!    parts of the register. Two neighbours of every four bits are in the same part, so each S-box
//!    has three of its six inputs in each part. So three shuffles of the half and three of the
//!    exchanged half make all inputs of all bytes.
//! 2. Three of the inputs choose one of eight constants, with `vpblendvb`. Such a byte has the
//!    S-box's output for each value of the other three inputs.
//! 3. The AND of these three is one bit of each byte, because their marks differ.
//! 4. A comparison with zero makes all ones or all zeros of this bit. As the bytes are in the order
//!    of the output of P already, P takes no instruction.
//!
//! The chain of a round is the exchange (3 cycles on Zen 3) and six instructions of one cycle. The
//! three inputs that need no exchange are ready before.
//!
//! The right half contains the key of its round, and the left half the key of the round before, as
//! the E that copies middle inputs of S-boxes would XOR it. The first and the last input of an S-box
//! are copies of bits with the key of another S-box's middle input. Bits 7 and 6 of the bytes of a
//! round key, which [`with_outer`] adds, change them.

use inout::InOutBuf;

use super::order::{CBC, CFB, OFB, Order, Passes};
use super::table::s;
use super::{Block, E, P};
use crate::machinery::operation::{CBC_DECRYPT, CTR};
use crate::machinery::unknown::unknown;
use crate::simd::{U8x32, U64x4};

/// The largest number of blocks that are computed side by side.
const LANES: usize = 4;

/// Returns the byte of a register that has `bit` of a half. The order is such that the bytes of
/// both halves alternate in a block: [FIPS46](super) "inverse initial permutation".
const fn place(bit: usize) -> usize {
    let (byte, row) = (7 - bit % 8, bit / 8);
    byte / 2 % 2 * 16 + byte / 4 * 8 + byte % 2 * 4 + 3 - row
}

/// Returns the bit of a half that byte `at` of a register has.
const fn bit_at(at: usize) -> usize {
    let mut bit = 0;
    while place(bit) != at {
        bit += 1;
    }
    bit
}

/// Returns the constant that is XORed to the byte of `bit`. The marks of the three inputs in the
/// first column of [`ROLES`] differ, and none has the highest bit, with which blends choose.
const fn mark(bit: usize) -> u8 {
    [0x0f, 0x33, 0x0f, 0x55][bit % 4]
}

/// For each part of a register, the inputs of S-boxes that the shuffles of a half and of an exchanged
/// half copy. The first two of the half and the first of the exchanged half choose bits of a byte,
/// the others choose constants.
const ROLES: [[usize; 6]; 2] = [[3, 4, 0, 2, 1, 5], [1, 2, 5, 4, 3, 0]];

/// The number of inputs that choose bits of a byte, and their positions in [`ROLES`].
const BITS: [usize; 3] = [0, 1, 3];
/// The positions in [`ROLES`] of the inputs that choose constants.
const CHOOSE: [usize; 3] = [2, 4, 5];

#[repr(C, align(32))]
struct Constants {
    /// For each role, the byte that a shuffle copies.
    from: [[u8; 32]; 6],
    /// For each value of the inputs that choose constants, the complement of the outputs.
    outputs: [[u8; 32]; 8],
    /// The S-box of each byte.
    boxes: [u8; 32],
    /// The S-box that has each bit as a middle input, and the bit of its round key.
    keys: [u8; 32],
    key_bits: [u8; 32],
    /// The byte and the bit of a block that become each bit of a half.
    blocks: [u8; 32],
    block_bits: [[u8; 32]; 2],
    marks: [u8; 32],
    /// How far the bits for the inputs in the same part and in the other part are from the highest bit.
    shifts: [[u64; 4]; 2],
}

static CONSTANTS: Constants = {
    let mut c = Constants {
        from: [[0; 32]; 6],
        outputs: [[0; 32]; 8],
        boxes: [0; 32],
        keys: [0; 32],
        key_bits: [0; 32],
        blocks: [0; 32],
        block_bits: [[0; 32]; 2],
        marks: [0; 32],
        shifts: [[0, 0, 1, 1], [1, 1, 0, 0]],
    };
    let mut at = 0;
    while at < 32 {
        let bit = bit_at(at);
        let output = P[bit] - 1;
        let (from, roles) = (output / 4, ROLES[at / 16]);
        let mut r = 0;
        while r < 6 {
            let place = place(E[6 * from + roles[r]]);
            assert!((place / 16 == at / 16) == (r < 3));
            c.from[r][at] = (place % 16) as u8;
            r += 1;
        }
        let mut i = 0;
        while i < 64 {
            let (choice, eighth) = (i / 8, i % 8);
            let mut x = 0;
            let mut k = 0;
            while k < 3 {
                let input = roles[BITS[k]];
                // A byte of ones has a bit of 1 where the mark has 0.
                let one = mark(E[6 * from + input]) >> eighth & 1 ^ 1;
                x |= (one as usize) << (5 - input);
                x |= (choice >> k & 1) << (5 - roles[CHOOSE[k]]);
                k += 1;
            }
            c.outputs[choice][at] |= (s(from, x) >> (3 - output % 4) & 1 ^ 1) << eighth;
            i += 1;
        }
        c.boxes[at] = from as u8;
        c.keys[at] = (bit / 4) as u8;
        c.key_bits[at] = 1 << (4 - bit % 4);
        c.blocks[at] = (7 - bit % 8) as u8;
        c.block_bits[0][at] = 1 << (6 - bit / 8 * 2);
        c.block_bits[1][at] = 2 << (6 - bit / 8 * 2);
        c.marks[at] = mark(bit);
        at += 1;
    }
    c
};

/// Adds to a round key, in the bits 7 and 6 of each byte, what must be XORed to the first and to the
/// last input of the S-box: the input's bit of the key, and the bit with which the half contains it.
#[inline(always)]
pub(super) fn with_outer(key: u64) -> u64 {
    let first = (key ^ key.rotate_left(12)) & 0x2020_2020_2020_2020;
    let last = (key ^ key.rotate_right(12)) & 0x0101_0101_0101_0101;
    key | first << 2 | last << 6
}

/// Makes a byte of ones or of zeros for each bit.
#[inline]
#[target_feature(enable = "avx2")]
fn spread(number: u64, from: &[u8; 32], bits: &[u8; 32]) -> U8x32 {
    let bits = U8x32::load(bits);
    let bytes = U8x32::from(U64x4::splat(number)).shuffle(U8x32::load(from));
    bytes.and(bits).equal(bits)
}

type Halves<const N: usize> = [[U8x32; N]; 2];

/// Computes IP: the halves, left and right, without the marks.
#[inline]
#[target_feature(enable = "avx2")]
fn into(block: u64) -> [U8x32; 2] {
    let c = &CONSTANTS;
    [
        spread(block, &c.blocks, &c.block_bits[0]),
        spread(block, &c.blocks, &c.block_bits[1]),
    ]
}

/// Makes a half of the middle inputs' bits of a round key.
#[inline]
#[target_feature(enable = "avx2")]
fn key_half(key: u64) -> U8x32 {
    spread(key, &CONSTANTS.keys, &CONSTANTS.key_bits)
}

#[inline]
#[target_feature(enable = "avx2")]
fn key_halves([left, right]: [u64; 2]) -> [U8x32; 2] {
    [key_half(left), key_half(right)]
}

#[inline]
#[target_feature(enable = "avx2")]
fn xor_both([a, b]: [U8x32; 2], [c, d]: [U8x32; 2]) -> [U8x32; 2] {
    [a.xor(c), b.xor(d)]
}

/// Computes a round of each block: XORs both of the `other` keys and f(`right`) to `left`, for a
/// `right` that contains `key`.
#[inline]
#[target_feature(enable = "avx2")]
fn round<const N: usize>(
    left: &mut [U8x32; N],
    right: &[U8x32; N],
    key: u64,
    other: [u64; 2],
    copies: &[U8x32; 6],
) {
    // A compiler that knew the constants would replace the blends, and one that loaded them only once
    // would copy them to the stack.
    let c = unknown(&CONSTANTS);
    let outer = U8x32::from(U64x4::splat(key)).shuffle(U8x32::load(&c.boxes));
    // In each byte, the bit of the input in its own part, and of the input in the other part.
    let same = outer.shift_numbers_left(c.shifts[0]);
    let across = outer.shift_numbers_left(c.shifts[1]);
    let change = spread(other[0] ^ other[1], &c.keys, &c.key_bits);
    for b in 0..N {
        let exchanged = right[b].exchange_halves();
        let from = |role: usize| {
            let half = if role < 3 { right[b] } else { exchanged };
            half.shuffle(copies[role])
        };
        let bit = from(0).and(from(1)).and(from(3));
        let choose = [from(2).xor(same), from(4), from(5).xor(across)];
        let mut outputs = [U8x32::zero(); 8];
        for (output, constant) in outputs.iter_mut().zip(&c.outputs) {
            *output = U8x32::load(constant);
        }
        for (step, choose) in choose.into_iter().enumerate() {
            for i in 0..4 >> step {
                outputs[i] = choose.by_sign(outputs[2 * i + 1], outputs[2 * i]);
            }
        }
        let f = outputs[0].and(bit).equal(U8x32::zero());
        left[b] = left[b].xor(change).xor(f);
    }
}

impl<const BACKWARDS: bool> Order<'_, BACKWARDS> {
    /// Computes the inverse of IP of halves that contain the last keys.
    #[inline]
    #[target_feature(enable = "avx2")]
    fn joined(&self, [right, left]: [U8x32; 2]) -> u64 {
        let [last, first] = key_halves(self.ends(self.0.len().wrapping_sub(1)));
        let (left, right) = (left.xor(first), right.xor(last));
        let low = left.pair_u8(right).signs();
        let high = left.pair_high_u8(right).signs();
        u64::from(low) | u64::from(high) << 32
    }

    /// Computes the rounds of all passes. Before each pass the halves change places. Then
    /// `change` is XORed to them before the first pass.
    #[inline]
    #[target_feature(enable = "avx2")]
    fn byte_rounds<const N: usize>(
        &self,
        [mut left, mut right]: Halves<N>,
        mut change: [U8x32; 2],
    ) -> Halves<N> {
        let mut copies = [U8x32::zero(); 6];
        for (copy, from) in copies.iter_mut().zip(&unknown(&CONSTANTS).from) {
            *copy = U8x32::load(from);
        }
        let mut at = 0;
        while let Some(pass) = self.pass(at) {
            let [to_left, to_right] = change;
            for b in 0..N {
                (left[b], right[b]) = (right[b].xor(to_left), left[b].xor(to_right));
            }
            for i in (0..16).step_by(2) {
                let [before, one, two, after] =
                    [i + 15, i, i + 1, i + 2].map(|round| Self::key(pass, round));
                round(&mut left, &right, one, [before, two], &copies);
                round(&mut right, &left, two, [one, after], &copies);
            }
            change = key_halves(self.between(at, at + 1));
            at += 1;
        }
        [left, right]
    }
}

/// Computes up to `N` blocks. It is a function of its own for each `N`, so that few blocks leave
/// little on the stack.
#[inline(never)]
#[target_feature(enable = "avx2")]
fn side_by_side<const WHAT: u8, const BACKWARDS: bool, const N: usize>(
    keys: &Passes,
    state: &mut Block,
    mut blocks: InOutBuf<'_, '_, Block>,
) {
    use crate::cipher::Block as _;
    let order = Order::<BACKWARDS>(keys);
    let marks = U8x32::load(&CONSTANTS.marks);
    let n = blocks.len().min(N);
    let mut started = [[marks; N]; 2];
    for b in 0..n {
        let block = if WHAT == CTR {
            let block = *state;
            *state = state.plus(1);
            block
        } else {
            blocks.get_in()[b]
        };
        let [left, right] = into(u64::from_le_bytes(block));
        // The halves change places before the first pass.
        started[0][b] = right.xor(marks);
        started[1][b] = left.xor(marks);
    }
    let [right, left] = order.byte_rounds(started, key_halves(order.ends(0)));
    for b in 0..n {
        let result = order.joined([right[b], left[b]]).to_le_bytes();
        let input = blocks.get_in()[b];
        blocks.get_out()[b] = match WHAT {
            CTR => result.xor(input),
            CBC_DECRYPT => result.xor(core::mem::replace(state, input)),
            _ => result,
        };
    }
}

/// Computes a few blocks.
#[target_feature(enable = "avx2")]
pub(super) fn few<const WHAT: u8, const BACKWARDS: bool>(
    keys: &Passes,
    state: &mut Block,
    mut blocks: InOutBuf<'_, '_, Block>,
) {
    while !blocks.is_empty() {
        let n = blocks.len().min(LANES);
        let (group, rest) = blocks.split_at(n);
        match n {
            1 => side_by_side::<WHAT, BACKWARDS, 1>(keys, state, group),
            2 => side_by_side::<WHAT, BACKWARDS, 2>(keys, state, group),
            _ => side_by_side::<WHAT, BACKWARDS, LANES>(keys, state, group),
        }
        blocks = rest;
    }
}

/// Encrypts in the serial mode `MODE`, one block after the other.
#[target_feature(enable = "avx2")]
pub(super) fn serial<const MODE: u8>(
    keys: &Passes,
    chain: &mut Block,
    blocks: InOutBuf<'_, '_, Block>,
) {
    let order = Order::<false>(keys);
    let again = key_halves(order.again());
    let mut change = into(u64::from_le_bytes(*chain));
    change = xor_both(change, key_halves(order.ends(0)));
    let mut halves = [[U8x32::load(&CONSTANTS.marks)]; 2];
    for mut block in blocks {
        let data = u64::from_le_bytes(*block.get_in());
        let message = into(data);
        if MODE == CBC {
            change = xor_both(change, message);
        }
        halves = order.byte_rounds(halves, change);
        change = again;
        if MODE == CFB {
            change = xor_both(change, message);
        }
        let result = order.joined(halves.map(|[half]| half));
        let output = if MODE == CBC { result } else { result ^ data };
        *block.get_out() = output.to_le_bytes();
        *chain = (if MODE == OFB { result } else { output }).to_le_bytes();
    }
}

/// Computes CBC-MAC: CBC of which only the last block is stored.
#[target_feature(enable = "avx2")]
pub(super) fn absorb(keys: &Passes, chain: &mut Block, blocks: &[Block]) {
    if blocks.is_empty() {
        return;
    }
    let order = Order::<false>(keys);
    let again = key_halves(order.again());
    let mut change = into(u64::from_le_bytes(*chain));
    change = xor_both(change, key_halves(order.ends(0)));
    let mut halves = [[U8x32::load(&CONSTANTS.marks)]; 2];
    for block in blocks {
        let message = into(u64::from_le_bytes(*block));
        halves = order.byte_rounds(halves, xor_both(change, message));
        change = again;
    }
    *chain = order.joined(halves.map(|[half]| half)).to_le_bytes();
}
