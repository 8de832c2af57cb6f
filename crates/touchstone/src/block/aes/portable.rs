//! AES for every machine: four blocks at once, bitsliced.
//!
//! A bit plane is a 64-bit word; plane *i* has bit *i* of all 64 bytes of the four blocks. The
//! byte in row *r* and column *c* of block *b* ([FIPS197] §3.4) has its bit at bit 16*r* +
//! 4*c* + *b* of each plane. So ShiftRows rotates 16-bit parts of a plane, and MixColumns
//! rotates whole planes:
//!
//! ```text
//!  bit  63            48 47            32 31            16 15             0
//!       |     row 3     |     row 2     |     row 1     |     row 0     |
//!                                                       |c3  |c2  |c1  |c0  |
//!                                                                  b3 … b0
//! ```
//!
//! The S-box is the circuit of [BP]. The inverse S-box is the same circuit between two inverted
//! affine maps. A round key is the same for all four blocks, so a plane of a round key has the
//! same bit four times. Only one of the four bits is stored, and four planes of a round key
//! share one word.

use inout::InOutBuf;

use super::{Block, RoundKeys, rounds};
use crate::buffer;

type Planes = [u64; 8];

#[inline(never)]
pub(super) fn encrypt<const KEY: usize>(keys: &RoundKeys, blocks: InOutBuf<'_, '_, Block>) {
    each_four(blocks, |planes| {
        let last = const { rounds(KEY) };
        add_round_key(planes, keys[0]);
        for &key in &keys[1..last] {
            sub_bytes(planes);
            shift_rows(planes);
            mix_columns(planes);
            add_round_key(planes, key);
        }
        sub_bytes(planes);
        shift_rows(planes);
        add_round_key(planes, keys[last]);
    });
}

#[inline(never)]
pub(super) fn decrypt<const KEY: usize>(keys: &RoundKeys, blocks: InOutBuf<'_, '_, Block>) {
    each_four(blocks, |planes| {
        let last = const { rounds(KEY) };
        add_round_key(planes, keys[last]);
        for &key in keys[1..last].iter().rev() {
            inv_shift_rows(planes);
            inv_sub_bytes(planes);
            add_round_key(planes, key);
            inv_mix_columns(planes);
        }
        inv_shift_rows(planes);
        inv_sub_bytes(planes);
        add_round_key(planes, keys[0]);
    });
}

#[inline(never)]
pub(super) fn expand<const KEY: usize>(key: &[u8], keys: &mut RoundKeys) {
    let w = super::expand(key, sub_word);
    for (key, w) in keys[..=const { rounds(KEY) }]
        .iter_mut()
        .zip(w.chunks_exact(4))
    {
        let mut block = [0; 16];
        for (bytes, word) in block.chunks_exact_mut(4).zip(w) {
            bytes.copy_from_slice(&word.to_le_bytes());
        }
        *key = pack(&slice(&[block; 4]));
    }
}

/// Computes one round without a round key on each of four blocks.
#[cfg(feature = "aegis")]
#[inline(never)]
pub(super) fn round(blocks: &mut [Block; 4]) {
    let mut planes = slice(blocks);
    sub_bytes(&mut planes);
    shift_rows(&mut planes);
    mix_columns(&mut planes);
    *blocks = unslice(&planes);
}

#[inline(always)]
fn each_four(blocks: InOutBuf<'_, '_, Block>, work: impl Fn(&mut Planes)) {
    let (fours, mut rest) = buffer::chunks(blocks);
    for mut four in fours {
        let mut planes = slice(four.get_in());
        work(&mut planes);
        *four.get_out() = unslice(&planes);
    }
    if !rest.is_empty() {
        let n = rest.len();
        let mut four = [[0; 16]; 4];
        four[..n].copy_from_slice(rest.get_in());
        let mut planes = slice(&four);
        work(&mut planes);
        rest.get_out().copy_from_slice(&unslice(&planes)[..n]);
    }
}

/// Converts blocks to planes. First the columns *p* and *p* + 2 of block *b* are stored in word
/// 4*p* + *b*, in alternate bytes. Then [`transpose`] exchanges words and bits, which moves
/// each bit to its plane.
#[inline(always)]
fn slice(blocks: &[Block; 4]) -> Planes {
    let mut q = [0; 8];
    for (b, block) in blocks.iter().enumerate() {
        let column = |c: usize| {
            spread(u32::from_le_bytes([
                block[4 * c],
                block[4 * c + 1],
                block[4 * c + 2],
                block[4 * c + 3],
            ]))
        };
        q[b] = column(0) | column(2) << 8;
        q[4 + b] = column(1) | column(3) << 8;
    }
    transpose(&mut q);
    q
}

#[inline(always)]
fn unslice(planes: &Planes) -> [Block; 4] {
    let mut q = *planes;
    transpose(&mut q);
    let mut blocks = [[0; 16]; 4];
    for (b, block) in blocks.iter_mut().enumerate() {
        let columns = [q[b], q[4 + b], q[b] >> 8, q[4 + b] >> 8];
        for (bytes, column) in block.chunks_exact_mut(4).zip(columns) {
            bytes.copy_from_slice(&gather(column).to_le_bytes());
        }
    }
    blocks
}

/// Spreads the four bytes of `x` to the even bytes of a word.
#[inline(always)]
fn spread(x: u32) -> u64 {
    let x = u64::from(x);
    let x = (x | x << 16) & 0x0000_ffff_0000_ffff;
    (x | x << 8) & 0x00ff_00ff_00ff_00ff
}

/// Collects the even bytes of a word. This function is the inverse of [`spread`].
#[inline(always)]
fn gather(x: u64) -> u32 {
    let x = x & 0x00ff_00ff_00ff_00ff;
    let x = (x | x >> 8) & 0x0000_ffff_0000_ffff;
    (x | x >> 16) as u32
}

/// Exchanges the index of a word with the index of a bit within its byte, in all eight bytes of
/// the words. The function is its own inverse.
#[inline(always)]
fn transpose(q: &mut Planes) {
    const STEPS: [(usize, u64); 3] = [
        (1, 0x5555_5555_5555_5555),
        (2, 0x3333_3333_3333_3333),
        (4, 0x0f0f_0f0f_0f0f_0f0f),
    ];
    for (step, mask) in STEPS {
        for low in (0..8).filter(|i| i & step == 0) {
            let swap = (q[low] >> step ^ q[low + step]) & mask;
            q[low + step] ^= swap;
            q[low] ^= swap << step;
        }
    }
}

/// The bits that one of the four blocks has in a plane: one bit in four.
const ONE_BLOCK: u64 = 0x1111_1111_1111_1111;

fn pack(planes: &Planes) -> u128 {
    let half = |planes: &[u64]| {
        let bits = planes.iter().enumerate();
        bits.fold(0, |word, (i, plane)| word | plane & ONE_BLOCK << i)
    };
    u128::from(half(&planes[4..])) << 64 | u128::from(half(&planes[..4]))
}

#[inline(always)]
fn add_round_key(planes: &mut Planes, key: u128) {
    for (i, plane) in planes.iter_mut().enumerate() {
        let half = (key >> (64 * (i / 4))) as u64;
        let bits = half >> (i % 4) & ONE_BLOCK;
        *plane ^= (bits << 4).wrapping_sub(bits);
    }
}

/// Computes ShiftRows, [FIPS197] §5.1.2: rotates row *r* by *r* columns of four bits each.
#[inline(always)]
fn shift_rows(planes: &mut Planes) {
    for x in planes {
        *x = *x & 0x0000_0000_0000_ffff
            | (*x >> 4) & 0x0000_0000_0fff_0000
            | (*x << 12) & 0x0000_0000_f000_0000
            | (*x >> 8) & 0x0000_00ff_0000_0000
            | (*x << 8) & 0x0000_ff00_0000_0000
            | (*x >> 12) & 0x000f_0000_0000_0000
            | (*x << 4) & 0xfff0_0000_0000_0000;
    }
}

#[inline(always)]
fn inv_shift_rows(planes: &mut Planes) {
    for x in planes {
        *x = *x & 0x0000_0000_0000_ffff
            | (*x << 4) & 0x0000_0000_fff0_0000
            | (*x >> 12) & 0x0000_0000_000f_0000
            | (*x >> 8) & 0x0000_00ff_0000_0000
            | (*x << 8) & 0x0000_ff00_0000_0000
            | (*x << 12) & 0xf000_0000_0000_0000
            | (*x >> 4) & 0x0fff_0000_0000_0000;
    }
}

/// Multiplies every byte by x in the field GF(2⁸), [FIPS197] §4.3.
#[inline(always)]
fn xtimes(p: &Planes) -> Planes {
    [
        p[7],
        p[0] ^ p[7],
        p[1],
        p[2] ^ p[7],
        p[3] ^ p[7],
        p[4],
        p[5],
        p[6],
    ]
}

/// Computes MixColumns, [FIPS197] §5.1.3. Let a be a row of the state, and b, c and d the rows
/// after it. The new row 2a + 3b + c + d equals 2(a + b) + b + (c + d), and c + d is the value
/// of a + b for the row two further on.
#[inline(always)]
fn mix_columns(planes: &mut Planes) {
    let mut sum = *planes;
    for x in &mut sum {
        *x ^= x.rotate_right(16);
    }
    let double = xtimes(&sum);
    for ((x, sum), double) in planes.iter_mut().zip(sum).zip(double) {
        *x = double ^ x.rotate_right(16) ^ sum.rotate_right(32);
    }
}

/// Computes InvMixColumns, [FIPS197] §5.3.3. In a column of the bytes a, b, c, d this function
/// adds 4(a + c) to a and c, and 4(b + d) to b and d, and then does MixColumns.
#[inline(always)]
fn inv_mix_columns(planes: &mut Planes) {
    let mut sum = *planes;
    for x in &mut sum {
        *x ^= x.rotate_right(32);
    }
    for (x, four) in planes.iter_mut().zip(xtimes(&xtimes(&sum))) {
        *x ^= four;
    }
    mix_columns(planes);
}

/// Computes the inverse of the affine map in [FIPS197] §5.1.1, as §5.3.2 needs it.
#[inline(always)]
fn inv_affine(p: &mut Planes) {
    let x = *p;
    for (i, plane) in p.iter_mut().enumerate() {
        *plane = x[(i + 2) % 8] ^ x[(i + 5) % 8] ^ x[(i + 7) % 8];
    }
    p[0] = !p[0];
    p[2] = !p[2];
}

/// Computes the inverse S-box. The S-box S is the inversion in the field and then an affine map
/// A. So the inverse of S is A⁻¹, then S, then A⁻¹ again.
#[inline(always)]
fn inv_sub_bytes(p: &mut Planes) {
    inv_affine(p);
    sub_bytes(p);
    inv_affine(p);
}

fn sub_word(word: u32) -> u32 {
    let mut block = [0; 16];
    block[..4].copy_from_slice(&word.to_le_bytes());
    let mut planes = slice(&[block; 4]);
    sub_bytes(&mut planes);
    let [block, ..] = unslice(&planes);
    u32::from_le_bytes([block[0], block[1], block[2], block[3]])
}

/// Computes the S-box on all bytes, [FIPS197] §5.1.1, with the circuit of [BP]. A linear layer
/// makes the sums `y`, the inversion in GF(((2²)²)²) makes the products `z`, and a second
/// linear layer makes the outputs. The signals have the names of [BP]; x0 and s0 are the
/// highest bits.
#[inline(always)]
#[rustfmt::skip]
fn sub_bytes(p: &mut Planes) {
    let [x7, x6, x5, x4, x3, x2, x1, x0] = *p;

    let y14 = x3 ^ x5;   let y13 = x0 ^ x6;   let y9 = x0 ^ x3;    let y8 = x0 ^ x5;
    let t0 = x1 ^ x2;    let y1 = t0 ^ x7;    let y4 = y1 ^ x3;    let y12 = y13 ^ y14;
    let y2 = y1 ^ x0;    let y5 = y1 ^ x6;    let y3 = y5 ^ y8;    let t1 = x4 ^ y12;
    let y15 = t1 ^ x5;   let y20 = t1 ^ x1;   let y6 = y15 ^ x7;   let y10 = y15 ^ t0;
    let y11 = y20 ^ y9;  let y7 = x7 ^ y11;   let y17 = y10 ^ y11; let y19 = y10 ^ y8;
    let y16 = t0 ^ y11;  let y21 = y13 ^ y16; let y18 = x0 ^ y16;

    let t2 = y12 & y15;  let t3 = y3 & y6;    let t4 = t3 ^ t2;    let t5 = y4 & x7;
    let t6 = t5 ^ t2;    let t7 = y13 & y16;  let t8 = y5 & y1;    let t9 = t8 ^ t7;
    let t10 = y2 & y7;   let t11 = t10 ^ t7;  let t12 = y9 & y11;  let t13 = y14 & y17;
    let t14 = t13 ^ t12; let t15 = y8 & y10;  let t16 = t15 ^ t12; let t17 = t4 ^ t14;
    let t18 = t6 ^ t16;  let t19 = t9 ^ t14;  let t20 = t11 ^ t16; let t21 = t17 ^ y20;
    let t22 = t18 ^ y19; let t23 = t19 ^ y21; let t24 = t20 ^ y18; let t25 = t21 ^ t22;
    let t26 = t21 & t23; let t27 = t24 ^ t26; let t28 = t25 & t27; let t29 = t28 ^ t22;
    let t30 = t23 ^ t24; let t31 = t22 ^ t26; let t32 = t31 & t30; let t33 = t32 ^ t24;
    let t34 = t23 ^ t33; let t35 = t27 ^ t33; let t36 = t24 & t35; let t37 = t36 ^ t34;
    let t38 = t27 ^ t36; let t39 = t29 & t38; let t40 = t25 ^ t39; let t41 = t40 ^ t37;
    let t42 = t29 ^ t33; let t43 = t29 ^ t40; let t44 = t33 ^ t37; let t45 = t42 ^ t41;

    let z0 = t44 & y15;  let z1 = t37 & y6;   let z2 = t33 & x7;   let z3 = t43 & y16;
    let z4 = t40 & y1;   let z5 = t29 & y7;   let z6 = t42 & y11;  let z7 = t45 & y17;
    let z8 = t41 & y10;  let z9 = t44 & y12;  let z10 = t37 & y3;  let z11 = t33 & y4;
    let z12 = t43 & y13; let z13 = t40 & y5;  let z14 = t29 & y2;  let z15 = t42 & y9;
    let z16 = t45 & y14; let z17 = t41 & y8;

    let t46 = z15 ^ z16; let t47 = z10 ^ z11; let t48 = z5 ^ z13;  let t49 = z9 ^ z10;
    let t50 = z2 ^ z12;  let t51 = z2 ^ z5;   let t52 = z7 ^ z8;   let t53 = z0 ^ z3;
    let t54 = z6 ^ z7;   let t55 = z16 ^ z17; let t56 = z12 ^ t48; let t57 = t50 ^ t53;
    let t58 = z4 ^ t46;  let t59 = z3 ^ t54;  let t60 = t46 ^ t57; let t61 = z14 ^ t57;
    let t62 = t52 ^ t58; let t63 = t49 ^ t58; let t64 = z4 ^ t59;  let t65 = t61 ^ t62;
    let t66 = z1 ^ t63;  let t67 = t64 ^ t65;

    let s0 = t59 ^ t63;  let s6 = !(t56 ^ t62); let s7 = !(t48 ^ t60); let s3 = t53 ^ t66;
    let s4 = t51 ^ t66;  let s5 = t47 ^ t65;    let s1 = !(t64 ^ s3);  let s2 = !(t55 ^ t67);

    *p = [s7, s6, s5, s4, s3, s2, s1, s0];
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the S-box of a byte as the text of [FIPS197] §5.1.1 defines it: the 254th power
    /// of the byte, which is its inverse, and then the affine map.
    fn s_box(x: u8) -> u8 {
        let times = |mut a: u8, b: u8| {
            let mut product = 0;
            for i in 0..8 {
                product ^= a * (b >> i & 1);
                a = (a << 1) ^ ((a >> 7) * 0x1b);
            }
            product
        };
        let inverse = (0..254).fold(1, |power, _| times(power, x));
        (1..5).fold(inverse, |sum, n| sum ^ inverse.rotate_left(n)) ^ 0x63
    }

    #[test]
    fn the_circuit_is_the_s_box() {
        for x in 0..=255u8 {
            let mut planes = slice(&[[x; 16]; 4]);
            sub_bytes(&mut planes);
            assert_eq!(unslice(&planes), [[s_box(x); 16]; 4]);
            inv_sub_bytes(&mut planes);
            assert_eq!(unslice(&planes), [[x; 16]; 4]);
        }
    }

    #[test]
    fn layers_invert_each_other() {
        let blocks: [Block; 4] =
            core::array::from_fn(|b| core::array::from_fn(|i| (b * 16 + i) as u8 ^ 0x5a));
        let mut planes = slice(&blocks);
        assert_eq!(unslice(&planes), blocks);
        shift_rows(&mut planes);
        // After ShiftRows, the byte at row 1, column 0 is at row 1, column 1.
        assert_eq!(unslice(&planes)[2][1], blocks[2][5]);
        mix_columns(&mut planes);
        inv_mix_columns(&mut planes);
        inv_shift_rows(&mut planes);
        assert_eq!(unslice(&planes), blocks);
    }
}
