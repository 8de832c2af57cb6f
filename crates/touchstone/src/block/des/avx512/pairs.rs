//! DES for up to eight blocks and for serial modes. The latency of the rounds limits these
//! calls, not the number of instructions.
//!
//! A register has four blocks, one in each lane of 128 bits. Both numbers of a lane are the same
//! half of the block, with the bits at the positions of [`lookup`](super::lookup): byte *d* has
//! the inputs of S-box *d*. A round looks up the S-boxes in pairs, 2*p* and 2*p* + 1:
//!
//! 1. `vpshufb` copies byte 2*p* to all bytes of a lane's first number, and byte 2*p* + 1 to all
//!    bytes of the second.
//! 2. `vpermi2b` looks up both in a table of 128 bytes. Bit 6 of the index selects the S-box. It
//!    is 1 in all odd bytes of round keys and stays 1 in the halves, because S-boxes give 0 there.
//! 3. Each bit of a half comes from one S-box. So three selections make one register of the four
//!    pairs' outputs. In the first number the bits of the even S-boxes are right, in the second
//!    those of the odd S-boxes. An exchange of the two numbers brings them together.
//!
//! The chain of a round is `vpshufb`, `vpermi2b`, two selections, the exchange and an XOR: 15
//! cycles on Zen 5, which takes 2 for each but 5 for `vpermi2b`. One more is lost because two
//! pairs start a cycle later; 17 to 18 are measured. The other half, with the change of its key,
//! is XORed beside this chain.
//!
//! The right half contains the key of its round, and the left half the key of the round before.
//! So before a pass the left half contains the pass's last key, and the right half its first key.
//! After the pass the halves contain the same two keys again.
//!
//! IP and E together are a selection of bits, and so is the inverse of IP. The instruction
//! `vpshufbitqmb` selects 64 bits of one number. Serial modes XOR the message to the halves: IP
//! of a message and the inverse of IP of the result are outside of the chain. At the border of
//! two passes, the first round needs only the half that the last round does not change, so both
//! rounds run at the same time.

use core::arch::asm;

use inout::InOutBuf;

use super::lookup::{BOXES, GIVEN, PLACES};
use crate::block::des::{Block, E};
use crate::machinery::operation::{CBC_DECRYPT, CTR};
use crate::simd::U64x8;

/// The largest number of blocks of a call.
pub(super) const MOST: usize = 8;

/// Serial modes.
pub(in super::super) const CBC: u8 = 0;
pub(in super::super) const CFB: u8 = 1;
pub(in super::super) const OFB: u8 = 2;

/// The bits of a half.
const HALF: u64 = 0x3f3f_3f3f_3f3f_3f3f;

/// For the left and the right half, the number of the block's bit that IP and E move to each bit
/// of the half.
const INTO: [[Block; 8]; 2] = {
    let mut into = [[[0; 8]; 8]; 2];
    let mut at = 0;
    while at < 2 * 48 {
        let (side, d, i) = (at / 48, at / 6 % 8, at % 6);
        into[side][d][PLACES[d][i]] = place(side, E[6 * d + i]);
        at += 1;
    }
    into
};

/// For each bit of a block, the number of the bit of a half to which IP moves it. The bits with
/// even numbers come from the left half, the other bits from the right half.
const OUT: [Block; 8] = {
    let mut out = [[0; 8]; 8];
    let mut at = 0;
    while at < 2 * 32 {
        let (side, bit) = (at / 32, at % 32);
        let to = place(side, bit) as usize;
        out[to / 8][to % 8] = (8 * (bit / 4) + PLACES[bit / 4][1 + bit % 4]) as u8;
        at += 1;
    }
    out
};

/// Returns the number of the block's bit that IP moves to `bit` of the left half (0) or of the
/// right half (1).
const fn place(side: usize, bit: usize) -> u8 {
    (8 * (7 - bit % 8) + 6 - 2 * (bit / 8) + side) as u8
}

/// For each S-box of a pair, which bits of a half the S-boxes at the same place of the pairs
/// from `from` up to `to` give.
const fn given(from: usize, to: usize) -> [u64; 2] {
    let mut given = [0; 2];
    let mut p = from;
    while p < to {
        given[0] |= GIVEN[2 * p];
        given[1] |= GIVEN[2 * p + 1];
        p += 1;
    }
    given
}

/// Computes IP and E: the halves of a block, left and right.
#[inline]
#[target_feature(enable = "avx512f,avx512bitalg")]
fn into(block: u64) -> [u64; 2] {
    let block = U64x8::splat(block);
    [block.bits_at(&INTO[0], HALF), block.bits_at(&INTO[1], HALF)]
}

/// Computes the inverse of IP for halves that are in all places of a register.
#[inline]
#[target_feature(enable = "avx512f,avx512bitalg")]
fn out(left: U64x8, right: U64x8) -> u64 {
    left.bits_at(&OUT, 0x5555_5555_5555_5555) | right.bits_at(&OUT, 0xaaaa_aaaa_aaaa_aaaa)
}

/// Computes a round: `left` ⊕ both `keys` ⊕ f(`right`), for a `right` that contains the key. It is
/// assembly, because the compiler's order of the instructions takes a cycle more.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi")]
fn round(mut left: U64x8, keys: [U64x8; 2], right: U64x8) -> U64x8 {
    let copies = |even: u64| {
        let all = u64::from_ne_bytes([1; 8]);
        U64x8::splat_pair([even * all, (even + 1) * all]).0
    };
    let table = |s: usize| U64x8::load(&BOXES.0[s]).0;
    let select = |given| U64x8::splat_pair(given).0;
    let [even, odd] = const { given(0, 4) };
    // SAFETY: the code changes only the registers that it names.
    unsafe {
        asm!(
            "vpshufb {y0}, {x}, {copies0}",
            "vpshufb {y1}, {x}, {copies1}",
            "vpshufb {y3}, {x}, {copies3}",
            "vpermi2b {y0}, {s1}, {s2}",
            "vpshufb {y2}, {x}, {copies2}",
            "vpermi2b {y1}, {s3}, {s4}",
            "vpermi2b {y2}, {s5}, {s6}",
            "vpternlogq {left}, {had}, {gets}, 0x96",
            "vpermi2b {y3}, {s7}, {s8}",
            "vpternlogq {y1}, {y0}, {first}, 0xd8",
            "vpternlogq {y3}, {y2}, {third}, 0xd8",
            "vpternlogq {y3}, {y1}, {both}, 0xd8",
            "vpshufd {y0}, {y3}, 0x4e",
            // left ⊕ y · mask, twice.
            "vpternlogq {left}, {y3}, {even}, 0x78",
            "vpternlogq {left}, {y0}, {odd}, 0x78",
            left = inout(zmm_reg) left.0,
            had = in(zmm_reg) keys[0].0,
            gets = in(zmm_reg) keys[1].0,
            x = in(zmm_reg) right.0,
            y0 = out(zmm_reg) _,
            y1 = out(zmm_reg) _,
            y2 = out(zmm_reg) _,
            y3 = out(zmm_reg) _,
            copies0 = in(zmm_reg) copies(0),
            copies1 = in(zmm_reg) copies(2),
            copies2 = in(zmm_reg) copies(4),
            copies3 = in(zmm_reg) copies(6),
            s1 = in(zmm_reg) table(0),
            s2 = in(zmm_reg) table(1),
            s3 = in(zmm_reg) table(2),
            s4 = in(zmm_reg) table(3),
            s5 = in(zmm_reg) table(4),
            s6 = in(zmm_reg) table(5),
            s7 = in(zmm_reg) table(6),
            s8 = in(zmm_reg) table(7),
            first = in(zmm_reg) select(const { given(0, 1) }),
            third = in(zmm_reg) select(const { given(2, 3) }),
            both = in(zmm_reg) select(const { given(0, 2) }),
            even = in(zmm_reg) select([even, odd]),
            odd = in(zmm_reg) select([odd, even]),
            options(pure, nomem, nostack, preserves_flags)
        );
    }
    left
}

/// The halves of four blocks in each register, left and right.
type Halves<const SETS: usize> = [[U64x8; SETS]; 2];

/// The round keys of the passes of a cipher. The number of passes is no const parameter, so that
/// the loop over the passes stays a loop.
type Passes = [[u64; 16]];

/// The order of use of round keys.
struct Order<'k, const BACKWARDS: bool>(&'k Passes);

impl<const BACKWARDS: bool> Order<'_, BACKWARDS> {
    #[inline(always)]
    fn pass(&self, at: usize) -> Option<&[u64; 16]> {
        if BACKWARDS {
            self.0.get(self.0.len().wrapping_sub(1 + at))
        } else {
            self.0.get(at)
        }
    }

    /// Returns the key of a round. After the last round of a pass follows its first round.
    #[inline(always)]
    fn key(pass: &[u64; 16], round: usize) -> u64 {
        let round = round % 16;
        pass[if BACKWARDS { 15 - round } else { round }]
    }

    /// Returns the keys that the left and the right half contain before and after a pass.
    #[inline(always)]
    fn ends(&self, at: usize) -> [u64; 2] {
        let ends = |pass| [Self::key(pass, 15), Self::key(pass, 0)];
        self.pass(at).map_or([0; 2], ends)
    }

    /// Returns what must be XORed to the halves after pass `before` and before pass `after`.
    #[inline(always)]
    fn between(&self, before: usize, after: usize) -> [u64; 2] {
        let [left, right] = self.ends(before);
        xor([right, left], self.ends(after))
    }

    /// Returns what must be XORed to the halves between two blocks.
    #[inline(always)]
    fn again(&self) -> [u64; 2] {
        self.between(self.0.len().wrapping_sub(1), 0)
    }

    /// Returns what the inverse of IP makes of the keys that the last halves contain.
    #[inline]
    #[target_feature(enable = "avx512f,avx512bitalg")]
    fn in_output(&self) -> u64 {
        let [left, right] = self.ends(self.0.len().wrapping_sub(1));
        out(U64x8::splat(right), U64x8::splat(left))
    }

    /// Computes the rounds of all passes. Before each pass the halves change places. Then
    /// `change` is XORed to them before the first pass.
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512vbmi")]
    fn rounds<const SETS: usize>(
        &self,
        [mut left, mut right]: Halves<SETS>,
        mut change: [u64; 2],
    ) -> Halves<SETS> {
        let mut at = 0;
        while let Some(pass) = self.pass(at) {
            let [to_left, to_right] = change.map(|number| U64x8::splat(number));
            for s in 0..SETS {
                (left[s], right[s]) = (right[s].xor(to_left), left[s].xor(to_right));
            }
            for i in (0..16).step_by(2) {
                let keys =
                    |i: usize| [i + 15, i + 1].map(|round| U64x8::splat(Self::key(pass, round)));
                for s in 0..SETS {
                    left[s] = round(left[s], keys(i), right[s]);
                }
                for s in 0..SETS {
                    right[s] = round(right[s], keys(i + 1), left[s]);
                }
            }
            change = self.between(at, at + 1);
            at += 1;
        }
        [left, right]
    }
}

#[inline(always)]
fn xor([a, b]: [u64; 2], [c, d]: [u64; 2]) -> [u64; 2] {
    [a ^ c, b ^ d]
}

/// Computes up to four blocks for each of `SETS` registers.
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi,avx512bitalg")]
pub(super) fn few<const WHAT: u8, const BACKWARDS: bool, const SETS: usize>(
    keys: &Passes,
    state: &mut Block,
    mut blocks: InOutBuf<'_, '_, Block>,
) {
    let order = Order::<BACKWARDS>(keys);
    let n = blocks.len().min(4 * SETS);
    let first = u64::from_be_bytes(*state);
    let mut halves = [[U64x8::zero(); SETS]; 2];
    for at in 0..4 * SETS {
        if at >= n {
            break;
        }
        let block = if WHAT == CTR {
            first.wrapping_add(at as u64).swap_bytes()
        } else {
            u64::from_le_bytes(blocks.get_in()[at])
        };
        let places = 3 << (2 * (at % 4));
        let [left, right] = into(block);
        // The halves change places before the first pass.
        halves[0][at / 4] = halves[0][at / 4].with_splat_in(places, right);
        halves[1][at / 4] = halves[1][at / 4].with_splat_in(places, left);
    }
    let [right, left] = order.rounds(halves, order.ends(0));
    let keys = order.in_output();
    let before = u64::from_le_bytes(*state);
    match WHAT {
        CTR => *state = first.wrapping_add(n as u64).to_be_bytes(),
        CBC_DECRYPT => *state = blocks.get_in()[n - 1],
        _ => {}
    }
    // The loop starts at the last block. When CBC decrypts in place, a block of plaintext
    // overwrites a block of ciphertext that the next block still needs.
    for at in (0..4 * SETS).rev() {
        if at >= n {
            continue;
        }
        let number = 2 * (at % 4);
        let output = out(
            left[at / 4].splat_of(number),
            right[at / 4].splat_of(number),
        ) ^ keys;
        let other = match WHAT {
            CTR => u64::from_le_bytes(blocks.get_in()[at]),
            CBC_DECRYPT if at == 0 => before,
            CBC_DECRYPT => u64::from_le_bytes(blocks.get_in()[at - 1]),
            _ => 0,
        };
        blocks.get_out()[at] = (output ^ other).to_le_bytes();
    }
}

/// Encrypts in the serial mode `MODE`, one block after the other.
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi,avx512bitalg")]
pub(super) fn serial<const MODE: u8>(
    keys: &Passes,
    chain: &mut Block,
    blocks: InOutBuf<'_, '_, Block>,
) {
    let order = Order::<false>(keys);
    let (again, keys) = (order.again(), order.in_output());
    let mut change = xor(into(u64::from_le_bytes(*chain)), order.ends(0));
    let mut halves = [[U64x8::zero()]; 2];
    for mut block in blocks {
        let data = u64::from_le_bytes(*block.get_in());
        let message = into(data);
        if MODE == CBC {
            change = xor(change, message);
        }
        halves = order.rounds(halves, change);
        change = again;
        if MODE == CFB {
            change = xor(change, message);
        }
        let [[right], [left]] = halves;
        let result = out(left, right) ^ keys;
        let output = if MODE == CBC { result } else { result ^ data };
        *block.get_out() = output.to_le_bytes();
        *chain = (if MODE == OFB { result } else { output }).to_le_bytes();
    }
}

/// Computes CBC-MAC: CBC of which only the last block is stored.
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi,avx512bitalg")]
pub(super) fn absorb(keys: &Passes, chain: &mut Block, blocks: &[Block]) {
    if blocks.is_empty() {
        return;
    }
    let order = Order::<false>(keys);
    let mut change = xor(into(u64::from_le_bytes(*chain)), order.ends(0));
    let mut halves = [[U64x8::zero()]; 2];
    for block in blocks {
        change = xor(change, into(u64::from_le_bytes(*block)));
        halves = order.rounds(halves, change);
        change = order.again();
    }
    let [[right], [left]] = halves;
    *chain = (out(left, right) ^ order.in_output()).to_le_bytes();
}
