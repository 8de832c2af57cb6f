//! DES for up to sixteen blocks and for serial modes. The latency of the rounds limits these
//! calls, not the number of instructions.
//!
//! A register has eight blocks, one in each number of 64 bits. It is the same half of each block,
//! as a matrix of bits: column *d* has the inputs of S-box *d*, and each of the first six rows has
//! one bit for each S-box. A row is a byte. A round looks up the S-boxes in pairs:
//!
//! 1. `vgf2p8affineqb` transposes: each byte of the result is the column of an S-box. Which column
//!    it is, a constant says for each byte. So this instruction makes the indices and copies them.
//! 2. `vpermi2b` looks up each byte in a table of 128 bytes, the S-boxes of a pair. Bit 6 of the
//!    index selects the S-box. It comes from a row that never changes.
//! 3. Three-input XORs add the four pairs to the other half.
//!
//! An entry of a table has in each column the bit that goes to this column's S-box, or 0, so a
//! looked-up byte can be a row as it is. But there are eight S-boxes and only six rows. Each S-box
//! gets bits of six S-boxes, never of the other two. So a row may be the XOR of several S-boxes'
//! bytes ([`ROWS`]), if for each column the six bits can be computed from the six rows. The tables
//! take their inputs in this form.
//!
//! The chain of a round is `vgf2p8affineqb` (3 cycles on Zen 5), `vpermi2b` (5), two XORs (2 each):
//! 12 cycles. As two of the four pairs start later, 13.4 are measured. The change of the key is
//! XORed beside this chain.
//!
//! Intel's processors take `vpermi2b` apart into three micro-operations, and a mask adds two cycles to
//! a permutation. There `vpermb` looks up one S-box at a time ([`round_by_one`]), in 3 cycles. A round
//! takes some 18 cycles: only one port shuffles, and starts one of the eight lookups in each cycle. All bytes
//! are looked up, and a byte that is no row of the S-box must become 0. Its index is 0, so the entry for
//! index 0 is 0: the round keys, and so the halves, contain a [constant](ZEROS), and the tables take the
//! constant away again.
//!
//! The right half contains the key of its round, and the left half the key of the round before.
//! So before a pass the left half contains the pass's last key, and the right half its first key.
//! After the pass the halves contain the same two keys again. Round keys have the same form as
//! halves.
//!
//! Serial modes XOR the message to the halves: IP of a message and the inverse of IP of the result
//! are outside of the chain. At the border of two passes, the first round needs only the half that
//! the last round does not change, so both rounds run at the same time.

use core::arch::asm;

use inout::InOutBuf;

use super::NATURAL;
use super::lookup::{halves, joined};
use crate::block::des::order::{CBC, CFB, OFB, Order, Passes};
use crate::block::des::places::{PLACES, source};
use crate::block::des::table::s;
use crate::block::des::{Block, Keys};
use crate::machinery::operation::{CBC_DECRYPT, CTR};
use crate::simd::U64x8;

/// The number of blocks in a register.
const LANES: usize = 8;

/// The largest number of blocks of a call.
pub(super) const MOST: usize = 2 * LANES;

/// For each row of a half, a mask of the S-boxes whose bytes are XORed in this row. Row *i* is
/// byte 7 − *i* and becomes bit *i* of the indices. The two S-boxes that give nothing to an S-box
/// are 0 and 2, 2 and 7, 7 and 4, 4 and 6, 6 and 0, or two of 1, 3 and 5. Colour the S-boxes such
/// that two of such a pair never have the same colour: 0, 1, 7 have the first, 2, 3, 4 the second,
/// 5, 6 the third. Then the rows are 0, 1, 2, 3, 5 and 6, with 7 added to those of the first and
/// third colour and 4 added to those of the second and third: a code that corrects the loss of
/// any two symbols of different colours.
const ROWS: [u8; 6] = [
    1 << 0 | 1 << 7,
    1 << 1 | 1 << 7,
    1 << 2 | 1 << 4,
    1 << 3 | 1 << 4,
    1 << 5 | 1 << 4 | 1 << 7,
    1 << 6 | 1 << 4 | 1 << 7,
];

/// The S-boxes that are looked up together. No row has both.
const PAIRS: [[usize; 2]; 4] = [[7, 2], [4, 0], [1, 3], [5, 6]];

/// For each S-box, an input for which all outputs are 0.
const ZERO: [usize; 8] = {
    let mut zero = [0; 8];
    let mut d = 0;
    while d < 8 {
        while s(d, zero[d]) != 0 {
            zero[d] += 1;
        }
        d += 1;
    }
    zero
};

/// [`ZERO`] in the order of [`Keys`]. The kernel's round keys contain this constant.
const ZEROS: u64 = {
    let mut zeros = 0;
    let mut d = 0;
    while d < 8 {
        zeros |= (ZERO[d] as u64) << (8 * d);
        d += 1;
    }
    zeros
};

/// The column of an S-box in a row.
const fn column(d: usize) -> u8 {
    0x80 >> d
}

/// The row of the halves that selects the S-box of a pair: row 6.
const SELECT: u64 = {
    let mut select = 0;
    let mut p = 0;
    while p < 4 {
        select |= column(PAIRS[p][1]);
        p += 1;
    }
    (select as u64) << 8
};

/// For each S-box, its column in each byte that is a row of this S-box, and 0 in the other bytes.
const INDICES_OF: [u64; 8] = {
    let mut indices = [0; 8];
    let mut at = 0;
    while at < 8 * 6 {
        let (d, row) = (at / 6, at % 6);
        if ROWS[row] >> d & 1 == 1 {
            indices[d] |= (column(d) as u64) << (8 * (7 - row));
        }
        at += 1;
    }
    indices
};

/// For each pair, the column that each byte of the indices is, and a mask of the bytes that the
/// pair changes.
const INDICES: [(u64, u64); 4] = {
    let mut indices = [(0, 0); 4];
    let mut p = 0;
    while p < 4 {
        let [one, other] = [INDICES_OF[PAIRS[p][0]], INDICES_OF[PAIRS[p][1]]];
        indices[p].0 = one | other;
        let mut byte = 0;
        while byte < 8 {
            let [one, other] = [one >> (8 * byte) & 0xff, other >> (8 * byte) & 0xff];
            assert!(one == 0 || other == 0);
            if one | other != 0 {
                indices[p].1 |= 0x0101_0101_0101_0101 << byte;
            }
            byte += 1;
        }
        p += 1;
    }
    indices
};

/// Returns a mask of the S-boxes that give bits to S-box `d`.
const fn givers(d: usize) -> u8 {
    let mut givers = 0;
    let mut i = 0;
    while i < 6 {
        givers |= 1 << (source(d, i) / 4);
        i += 1;
    }
    givers
}

/// Returns which rows must be XORed for input `i` of S-box `d`.
const fn wanted(d: usize, i: usize) -> u8 {
    let mut rows = 1;
    while rows < 64 {
        let mut sum = 0;
        let mut row = 0;
        while row < 6 {
            if rows >> row & 1 == 1 {
                sum ^= ROWS[row] & givers(d);
            }
            row += 1;
        }
        if sum == 1 << (source(d, i) / 4) {
            return rows;
        }
        rows += 1;
    }
    panic!("the rows do not determine the input")
}

/// Returns the matrix with which `vgf2p8affineqb` makes the column of S-box `d` from its inputs,
/// which are at the bits `from`.
const fn into_column(d: usize, from: [usize; 6]) -> u64 {
    let mut matrix = 0;
    let mut at = 0;
    while at < 36 {
        let (row, i) = (at / 6, at % 6);
        if ROWS[row] >> (source(d, i) / 4) & 1 == 1 {
            // The highest byte of the number is the row of the matrix that computes bit 0.
            matrix |= 1 << (8 * (7 - row) + from[i]);
        }
        at += 1;
    }
    matrix
}

/// Returns the matrix that makes input `inputs[i]` of S-box `d` from its column, and puts it at
/// bit `to[i]`.
const fn from_column<const N: usize>(d: usize, inputs: [usize; N], to: [usize; N]) -> u64 {
    let mut matrix = 0;
    let mut i = 0;
    while i < N {
        matrix |= (wanted(d, inputs[i]) as u64) << (8 * (7 - to[i]));
        i += 1;
    }
    matrix
}

/// For each S-box, the matrices from the inputs in the order of [`halves`] and of round keys, and
/// to four bits of the left and the right half in a byte, as [`joined`] takes them.
static INTO: [u64; 8] = matrices!(|d| into_column(d, [0, 1, 2, 3, 4, 5]));
static KEYS_INTO: [u64; 8] = matrices!(|d| into_column(d, NATURAL));
static OUT: [[u64; 8]; 2] = [
    matrices!(|d| middle(d, d % 2)),
    matrices!(|d| middle(d, 1 - d % 2)),
];

const fn middle(d: usize, upper: usize) -> u64 {
    let u = 4 * upper;
    from_column(d, [1, 2, 3, 4], [u, u + 1, u + 2, u + 3])
}

/// For each S-box, the matrices that move the six bits of a round key from the form that the
/// kernel keeps to their positions in [`Keys`] and in [`PLACES`].
pub(super) static KEYS_NATURAL: [u64; 8] =
    matrices!(|d| from_column(d, [0, 1, 2, 3, 4, 5], NATURAL));
pub(super) static KEYS_PLACED: [u64; 8] =
    matrices!(|d| from_column(d, [0, 1, 2, 3, 4, 5], PLACES[d]));

/// The S-boxes of each pair as tables from a column to a row.
static TABLES: Tables = Tables({
    let mut tables = [[[[0; 8]; 8]; 2]; 4];
    let mut at = 0;
    while at < 512 {
        let (p, which, x) = (at / 128, at / 64 % 2, at % 64);
        let from = PAIRS[p][which];
        let mut index = 0;
        let mut row = 0;
        while row < 6 {
            let mut i = 0;
            while i < 6 {
                let takes = ROWS[row] as usize >> (source(from, i) / 4) & 1;
                index ^= (x >> (5 - i) & takes) << row;
                i += 1;
            }
            row += 1;
        }
        let y = s(from, x ^ ZERO[from]);
        let mut edge = 0;
        while edge < 48 {
            let (d, output) = (edge / 6, source(edge / 6, edge % 6));
            if output / 4 == from && y >> (3 - output % 4) & 1 == 1 {
                tables[p][which][index / 8][index % 8] |= column(d);
            }
            edge += 1;
        }
        at += 1;
    }
    tables
});

/// A table of 64 bytes for each S-box of each pair.
#[repr(align(64))]
struct Tables([[[Block; 8]; 2]; 4]);

/// Makes rows from eight numbers with a byte for each S-box.
#[inline]
#[target_feature(enable = "avx512f,avx512vbmi,gfni")]
fn rows_of(x: U64x8, matrices: &[u64; 8]) -> U64x8 {
    // From one number for each block to one number for each S-box, and back.
    let turned = x.exchange_numbers().affine(U64x8::load_u64(matrices));
    turned.exchange_numbers().turn_bits_back()
}

/// Makes eight numbers with a byte for each S-box of rows. The result has one number for each
/// S-box, with one byte for each block.
#[inline]
#[target_feature(enable = "avx512f,avx512vbmi,gfni")]
fn of_rows(x: U64x8, matrices: &[u64; 8]) -> U64x8 {
    let turned = x.turn_bits_back().exchange_numbers();
    turned.affine(U64x8::load_u64(matrices))
}

/// Computes IP and E: the halves of eight blocks, left and right, without the row that selects.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi,gfni")]
fn into(blocks: U64x8) -> [U64x8; 2] {
    let [left, right] = halves(blocks);
    [rows_of(left, &INTO), rows_of(right, &INTO)]
}

/// Computes the inverse of IP.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vbmi,avx512vbmi2,gfni")]
fn out(left: U64x8, right: U64x8) -> U64x8 {
    let x = of_rows(left, &OUT[0]).xor(of_rows(right, &OUT[1]));
    joined(x.exchange_numbers())
}

/// Returns round keys, given in the order of [`Keys`], in the form of halves.
#[inline]
#[target_feature(enable = "avx512f,avx512vbmi,gfni")]
pub(super) fn placed(mut keys: [u64; 16]) -> [u64; 16] {
    let (eights, _) = keys.as_chunks_mut();
    for eight in eights {
        let keys = U64x8::load_u64(eight).xor(U64x8::splat(ZEROS));
        rows_of(keys, &KEYS_INTO).store_u64(eight);
    }
    keys
}

/// Returns round keys with their bits where the matrices of [`from_column`] put them.
#[inline]
#[target_feature(enable = "avx512f,avx512vbmi,gfni")]
pub(super) fn put_back<const PASSES: usize>(
    keys: &Keys<PASSES>,
    matrices: &[u64; 8],
) -> Keys<PASSES> {
    let mut keys = *keys;
    let (eights, _) = keys.as_flattened_mut().as_chunks_mut();
    let zeros = rows_of(U64x8::splat(ZEROS), &KEYS_INTO);
    for eight in eights {
        let bits = of_rows(U64x8::load_u64(eight).xor(zeros), matrices);
        bits.exchange_numbers().store_u64(eight);
    }
    keys
}

/// Computes a round: `left` ⊕ both `keys` ⊕ f(`right`), for a `right` that contains the key. It is
/// assembly, because the compiler's order of the instructions takes more time.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi,gfni")]
fn round(mut left: U64x8, keys: [U64x8; 2], right: U64x8) -> U64x8 {
    let table = |p: usize, which: usize| U64x8::load(&TABLES.0[p][which]).0;
    let columns = |p: usize| U64x8::splat(INDICES[p].0).0;
    // SAFETY: the code changes only the registers that it names.
    unsafe {
        asm!(
            "vgf2p8affineqb {y0}, {columns0}, {x}, 0",
            "vgf2p8affineqb {y1}, {columns1}, {x}, 0",
            "vpermi2b {y0} {{{rows0}}} {{z}}, {s0}, {s1}",
            "vpermi2b {y1} {{{rows1}}} {{z}}, {s2}, {s3}",
            "vgf2p8affineqb {y2}, {columns2}, {x}, 0",
            "vgf2p8affineqb {y3}, {columns3}, {x}, 0",
            "vpermi2b {y2} {{{rows2}}} {{z}}, {s4}, {s5}",
            "vpermi2b {y3} {{{rows3}}} {{z}}, {s6}, {s7}",
            "vpternlogq {left}, {had}, {gets}, 0x96",
            "vpternlogq {left}, {y0}, {y1}, 0x96",
            "vpternlogq {left}, {y2}, {y3}, 0x96",
            left = inout(zmm_reg) left.0,
            had = in(zmm_reg) keys[0].0,
            gets = in(zmm_reg) keys[1].0,
            x = in(zmm_reg) right.0,
            y0 = out(zmm_reg) _,
            y1 = out(zmm_reg) _,
            y2 = out(zmm_reg) _,
            y3 = out(zmm_reg) _,
            columns0 = in(zmm_reg) columns(0),
            columns1 = in(zmm_reg) columns(1),
            columns2 = in(zmm_reg) columns(2),
            columns3 = in(zmm_reg) columns(3),
            rows0 = in(kreg) INDICES[0].1,
            rows1 = in(kreg) INDICES[1].1,
            rows2 = in(kreg) INDICES[2].1,
            rows3 = in(kreg) INDICES[3].1,
            s0 = in(zmm_reg) table(0, 0),
            s1 = in(zmm_reg) table(0, 1),
            s2 = in(zmm_reg) table(1, 0),
            s3 = in(zmm_reg) table(1, 1),
            s4 = in(zmm_reg) table(2, 0),
            s5 = in(zmm_reg) table(2, 1),
            s6 = in(zmm_reg) table(3, 0),
            s7 = in(zmm_reg) table(3, 1),
            options(pure, nomem, nostack, preserves_flags)
        );
    }
    left
}

/// Computes a round like [`round`], with lookups of one S-box each.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vbmi,gfni")]
fn round_by_one(mut left: U64x8, keys: [U64x8; 2], right: U64x8) -> U64x8 {
    let table = |p: usize, which: usize| U64x8::load(&TABLES.0[p][which]).0;
    let columns = |p: usize, which: usize| U64x8::splat(INDICES_OF[PAIRS[p][which]]).0;
    // SAFETY: the code changes only the registers that it names.
    unsafe {
        asm!(
            "vgf2p8affineqb {y0}, {c0}, {x}, 0",
            "vpternlogq {left}, {had}, {gets}, 0x96",
            "vgf2p8affineqb {y1}, {c1}, {x}, 0",
            "vgf2p8affineqb {y2}, {c2}, {x}, 0",
            "vgf2p8affineqb {y3}, {c3}, {x}, 0",
            "vpermb {y0}, {y0}, {s0}",
            "vgf2p8affineqb {y4}, {c4}, {x}, 0",
            "vpermb {y1}, {y1}, {s1}",
            "vgf2p8affineqb {y5}, {c5}, {x}, 0",
            "vpermb {y2}, {y2}, {s2}",
            "vgf2p8affineqb {y6}, {c6}, {x}, 0",
            "vpermb {y3}, {y3}, {s3}",
            "vgf2p8affineqb {y7}, {c7}, {x}, 0",
            "vpermb {y4}, {y4}, {s4}",
            "vpermb {y5}, {y5}, {s5}",
            "vpermb {y6}, {y6}, {s6}",
            "vpternlogq {left}, {y0}, {y1}, 0x96",
            "vpermb {y7}, {y7}, {s7}",
            "vpternlogq {left}, {y2}, {y3}, 0x96",
            "vpternlogq {left}, {y4}, {y5}, 0x96",
            "vpternlogq {left}, {y6}, {y7}, 0x96",
            left = inout(zmm_reg) left.0,
            had = in(zmm_reg) keys[0].0,
            gets = in(zmm_reg) keys[1].0,
            x = in(zmm_reg) right.0,
            y0 = out(zmm_reg) _,
            y1 = out(zmm_reg) _,
            y2 = out(zmm_reg) _,
            y3 = out(zmm_reg) _,
            y4 = out(zmm_reg) _,
            y5 = out(zmm_reg) _,
            y6 = out(zmm_reg) _,
            y7 = out(zmm_reg) _,
            c0 = in(zmm_reg) columns(0, 0),
            c1 = in(zmm_reg) columns(1, 0),
            c2 = in(zmm_reg) columns(2, 0),
            c3 = in(zmm_reg) columns(3, 0),
            c4 = in(zmm_reg) columns(0, 1),
            c5 = in(zmm_reg) columns(1, 1),
            c6 = in(zmm_reg) columns(2, 1),
            c7 = in(zmm_reg) columns(3, 1),
            s0 = in(zmm_reg) table(0, 0),
            s1 = in(zmm_reg) table(1, 0),
            s2 = in(zmm_reg) table(2, 0),
            s3 = in(zmm_reg) table(3, 0),
            s4 = in(zmm_reg) table(0, 1),
            s5 = in(zmm_reg) table(1, 1),
            s6 = in(zmm_reg) table(2, 1),
            s7 = in(zmm_reg) table(3, 1),
            options(pure, nomem, nostack, preserves_flags)
        );
    }
    left
}

/// The halves of eight blocks in each register, left and right.
type Halves<const SETS: usize> = [[U64x8; SETS]; 2];

impl<const BACKWARDS: bool> Order<'_, BACKWARDS> {
    /// Computes the inverse of IP of halves that contain the last keys.
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vbmi,avx512vbmi2,gfni")]
    fn out(&self, [right, left]: [U64x8; 2]) -> U64x8 {
        let [last, first] = splats(self.ends(self.0.len().wrapping_sub(1)));
        out(left.xor(first), right.xor(last))
    }

    /// Computes the rounds of all passes. Before each pass the halves change places. Then
    /// `change` is XORed to them before the first pass. `IN_PAIRS` says how S-boxes are looked up.
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512vbmi,gfni")]
    fn rounds<const IN_PAIRS: bool, const SETS: usize>(
        &self,
        [mut left, mut right]: Halves<SETS>,
        mut change: [U64x8; 2],
    ) -> Halves<SETS> {
        let mut at = 0;
        while let Some(pass) = self.pass(at) {
            let [to_left, to_right] = change;
            for s in 0..SETS {
                (left[s], right[s]) = (right[s].xor(to_left), left[s].xor(to_right));
            }
            for i in (0..16).step_by(2) {
                let keys =
                    |i: usize| [i + 15, i + 1].map(|round| U64x8::splat(Self::key(pass, round)));
                let one = |left, keys, right| {
                    if IN_PAIRS {
                        round(left, keys, right)
                    } else {
                        round_by_one(left, keys, right)
                    }
                };
                for s in 0..SETS {
                    left[s] = one(left[s], keys(i), right[s]);
                }
                for s in 0..SETS {
                    right[s] = one(right[s], keys(i + 1), left[s]);
                }
            }
            change = splats(self.between(at, at + 1));
            at += 1;
        }
        [left, right]
    }
}

#[inline]
#[target_feature(enable = "avx512f")]
fn splats([a, b]: [u64; 2]) -> [U64x8; 2] {
    [U64x8::splat(a), U64x8::splat(b)]
}

#[inline]
#[target_feature(enable = "avx512f")]
fn xor_both([a, b]: [U64x8; 2], [c, d]: [U64x8; 2]) -> [U64x8; 2] {
    [a.xor(c), b.xor(d)]
}

/// Computes up to eight blocks for each of `SETS` registers.
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vbmi,avx512vbmi2,gfni")]
pub(super) fn few<
    const IN_PAIRS: bool,
    const WHAT: u8,
    const BACKWARDS: bool,
    const SETS: usize,
>(
    keys: &Passes,
    state: &mut Block,
    mut blocks: InOutBuf<'_, '_, Block>,
) {
    let order = Order::<BACKWARDS>(keys);
    let n = blocks.len().min(LANES * SETS);
    // The blocks of a set are in the last places of its register.
    let set = |s: usize| (LANES * s).min(n)..(LANES * (s + 1)).min(n);
    let first = u64::from_be_bytes(*state);
    let select = U64x8::splat(SELECT);
    let mut started = [[U64x8::zero(); SETS]; 2];
    for s in 0..SETS {
        let block = if WHAT == CTR {
            let before = (LANES - set(s).len()) as u64;
            let at = first.wrapping_add((LANES * s) as u64).wrapping_sub(before);
            U64x8::splat(at).counting().swap_bytes()
        } else {
            U64x8::load_last(&blocks.get_in()[set(s)])
        };
        let [left, right] = into(block);
        // The halves change places before the first pass.
        started[0][s] = right.xor(select);
        started[1][s] = left.xor(select);
    }
    let [right, left] = order.rounds::<IN_PAIRS, _>(started, splats(order.ends(0)));
    let before = u64::from_le_bytes(*state);
    match WHAT {
        CTR => *state = first.wrapping_add(n as u64).to_be_bytes(),
        CBC_DECRYPT if n > 0 => *state = blocks.get_in()[n - 1],
        _ => {}
    }
    // The loop starts at the last set. When CBC decrypts in place, a block of plaintext
    // overwrites a block of ciphertext that the next block still needs.
    for s in (0..SETS).rev() {
        let mut result = order.out([right[s], left[s]]);
        let input = blocks.get_in();
        if WHAT == CTR {
            result = result.xor(U64x8::load_last(&input[set(s)]));
        } else if WHAT == CBC_DECRYPT {
            let from = set(s).start.saturating_sub(1);
            let mut other = U64x8::load_last(&input[from..set(s).end.saturating_sub(1)]);
            if s == 0 {
                other = other.with_splat_in(0x80 >> (n.min(LANES).saturating_sub(1)), before);
            }
            result = result.xor(other);
        }
        result.store_last(&mut blocks.get_out()[set(s)]);
    }
}

/// Encrypts in the serial mode `MODE`, one block after the other.
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vbmi,avx512vbmi2,gfni")]
pub(super) fn serial<const IN_PAIRS: bool, const MODE: u8>(
    keys: &Passes,
    chain: &mut Block,
    blocks: InOutBuf<'_, '_, Block>,
) {
    let order = Order::<false>(keys);
    let again = splats(order.again());
    let mut change = into(U64x8::splat(u64::from_le_bytes(*chain)));
    change = xor_both(change, splats(order.ends(0)));
    let mut halves = [[U64x8::splat(SELECT)]; 2];
    for mut block in blocks {
        let data = u64::from_le_bytes(*block.get_in());
        let message = into(U64x8::splat(data));
        if MODE == CBC {
            change = xor_both(change, message);
        }
        halves = order.rounds::<IN_PAIRS, _>(halves, change);
        change = again;
        if MODE == CFB {
            change = xor_both(change, message);
        }
        let result = order.out(halves.map(|[half]| half)).first();
        let output = if MODE == CBC { result } else { result ^ data };
        *block.get_out() = output.to_le_bytes();
        *chain = (if MODE == OFB { result } else { output }).to_le_bytes();
    }
}

/// Computes CBC-MAC: CBC of which only the last block is stored.
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vbmi,avx512vbmi2,gfni")]
pub(super) fn absorb<const IN_PAIRS: bool>(keys: &Passes, chain: &mut Block, blocks: &[Block]) {
    if blocks.is_empty() {
        return;
    }
    let order = Order::<false>(keys);
    let again = splats(order.again());
    let mut change = into(U64x8::splat(u64::from_le_bytes(*chain)));
    change = xor_both(change, splats(order.ends(0)));
    let mut halves = [[U64x8::splat(SELECT)]; 2];
    for block in blocks {
        let message = into(U64x8::splat(u64::from_le_bytes(*block)));
        halves = order.rounds::<IN_PAIRS, _>(halves, xor_both(change, message));
        change = again;
    }
    *chain = order.out(halves.map(|[half]| half)).first().to_le_bytes();
}
