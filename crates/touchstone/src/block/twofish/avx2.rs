//! Twofish by AVX2: planes of 32 blocks ([`avx2_and_avx512`](super::avx2_and_avx512)).
//!
//! - A **keyed S-box** is a table of 256: 16 shuffles of 16 entries each, of which
//!   [`Bytes::lookup`] adds up what is wanted; 7 subtractions, 14 sums, a mask and
//!   a choice, which is three operations, make it 41.
//! - **Products** by the two numbers of the MDS matrix are 4 shuffles of nibbles, 9
//!   operations with splitting the bytes.
//!
//! To follow the definition through q₀ and q₁ by nibbles instead, the key in their
//! tables, and with the products in the last of them, would be 46, 58 and 70
//! operations for the three lengths of keys: this is 50 for all of them. Key set-up
//! goes that way, for q alone is 18.
//!
//! A round has 8 of both, 40 shuffles between words and planes, 24 sums of the
//! matrix and 48 operations on words: 512 for 32 blocks. Predicted 5.3 cycles a byte
//! where three start in each, and 4 where four do; 200 of them are shuffles, for
//! which there are two ports, or one before Ice Lake: 6.3. Measured 6.3 on Emerald
//! Rapids, as what is not a shuffle takes the shuffles' ports, too. Two sets in turns
//! are 3 % faster than one.
#![allow(unsafe_code)]

use super::avx2_and_avx512::{f, lanes};
use super::{FIELD, Keys, MDS, Q, STEPS, T, fold};
use crate::cpu::Avx2;
use crate::machinery::field::product;
use crate::machinery::sliced::sliced;
use crate::simd::U8x16;

sliced!(Avx2, Keys, U8x32 as U32x8, 2 blocks a register, 8 groups, "avx2");
lanes!(Avx2, "avx2");

#[inline]
#[target_feature(enable = "avx2")]
fn forwards<const N: usize>(keys: &Keys, data: &mut [[Lanes; 4]; N]) {
    padded::<false, N>(keys, data);
}

#[inline]
#[target_feature(enable = "avx2")]
fn backwards<const N: usize>(keys: &Keys, data: &mut [[Lanes; 4]; N]) {
    padded::<true, N>(keys, data);
}

/// q₀ and q₁ by nibbles, [TWOFISH](super) §4.3.5: tables of the lower and the
/// upper one, whose sums have in one byte what its three steps need next. Between
/// them are the nibbles a ⊕ b (below) and a ⊕ ROR₄(b, 1) ⊕ 8a (above).
static NIBBLES: [[[[u8; 16]; 2]; 3]; 2] = {
    let mut steps = [[[[0; 16]; 2]; 3]; 2];
    let mut which = 0;
    while which < 2 {
        let [t0, t1, t2, t3] = T[which];
        let mut x = 0;
        while x < 16 {
            steps[which][0][0][x] = from_b(x as u8);
            steps[which][0][1][x] = from_a(x as u8);
            steps[which][1][0][x] = from_a(t0[x]);
            steps[which][1][1][x] = from_b(t1[x]);
            steps[which][2][0][x] = t2[x];
            steps[which][2][1][x] = t3[x] << 4;
            x += 1;
        }
        which += 1;
    }
    steps
};

const fn from_a(a: u8) -> u8 {
    (a ^ (a << 3) & 15) << 4 | a
}

const fn from_b(b: u8) -> u8 {
    ((b >> 1) | (b << 3) & 15) << 4 | b
}

#[inline]
#[target_feature(enable = "avx2")]
fn q(which: usize, mut y: Bytes) -> Bytes {
    for tables in &NIBBLES[which] {
        y = sum(y.nibbles(), tables);
    }
    y
}

/// Products of the lower halves of bytes, and of the upper.
const fn halves(by: u8) -> [[u8; 16]; 2] {
    let mut products = [[0; 16]; 2];
    let mut nibble = 0;
    while nibble < 16 {
        products[0][nibble] = product(nibble as u8, by, FIELD);
        products[1][nibble] = product((nibble as u8) << 4, by, FIELD);
        nibble += 1;
    }
    products
}

/// The two numbers of the MDS matrix.
static EF: [[u8; 16]; 2] = halves(MDS[0][1]);
static B5: [[u8; 16]; 2] = halves(MDS[0][2]);

/// The sum of the entries that the lower nibbles name and the upper ones.
#[inline]
#[target_feature(enable = "avx2")]
fn sum([low, high]: [Bytes; 2], table: &[[u8; 16]; 2]) -> Bytes {
    let (a, b) = (U8x16::load(&table[0]), U8x16::load(&table[1]));
    let (a, b) = (Bytes::splat(a), Bytes::splat(b));
    a.shuffle(low).xor(b.shuffle(high))
}

/// Products by the two numbers.
#[inline]
#[target_feature(enable = "avx2")]
fn products(y: Bytes) -> [Bytes; 2] {
    let nibbles = y.nibbles();
    [sum(nibbles, &EF), sum(nibbles, &B5)]
}

/// `K` is the length of the key in units of eight bytes.
#[target_feature(enable = "avx2")]
fn expand_to<const K: usize>(key: &[u8], keys: &mut Keys) {
    // h of 2i with the even words of the key, and of 2i + 1 with the odd ones.
    let mut numbers = [[0; WIDTH]; 2];
    for i in 0..20 {
        numbers[0][i] = 2 * i as u8;
        numbers[1][i] = 2 * i as u8 + 1;
    }
    let mut lists = [[[Bytes::zero(); 4]; K]; 2];
    let eights = key.as_chunks::<8>().0;
    for i in 0..K {
        for byte in 0..4 {
            lists[0][i][byte] = Bytes::splat_u8(eights[i][byte]);
            lists[1][i][byte] = Bytes::splat_u8(eights[i][4 + byte]);
        }
    }
    let a = h(Bytes::load(&numbers[0]).turn_u32(), &lists[0]);
    let b = h(Bytes::load(&numbers[1]).turn_u32(), &lists[1]);
    let (mut k0, mut k1) = ([[0; 8]; 3], [[0; 8]; 3]);
    for m in 0..3 {
        let b = b[m].rotate_left::<8>();
        let sum = a[m].add(b);
        sum.store(&mut k0[m]);
        sum.add(b).rotate_left::<9>().store(&mut k1[m]);
    }
    for i in 0..20 {
        keys.words[2 * i] = k0[i / 8][i % 8];
        keys.words[2 * i + 1] = k1[i / 8][i % 8];
    }
    wipe(&mut k0, [0; 8]);
    wipe(&mut k1, [0; 8]);

    tabulate::<K>(fold(key), keys);
    for table in &mut keys.boxes {
        Bytes::in_steps(table);
    }
}
