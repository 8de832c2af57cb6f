//! Twofish with AVX2: planes of 32 blocks ([`avx2_and_avx512`](super::avx2_and_avx512)).
//!
//! - An **S-box** that depends on the key is a table of 256 entries: 16 shuffles of 16
//!   entries each. [`Bytes::lookup`] XORs the results that are needed. With 7 subtractions, 14
//!   XORs, a mask and a selection, which counts as three operations, these are 41 operations.
//! - **Products** by the two numbers of the MDS matrix are 4 shuffles of nibbles. Together with
//!   the instructions that split the bytes they are 9 operations.
//!
//! Thus an S-box and its products take 50 operations for every key length. An alternative is to
//! compute q₀ and q₁ by nibbles (halves of bytes) as they are defined. The key is then in the
//! tables of nibbles, and the products are in the last table. This alternative would take 46,
//! 58 and 70 operations for the three key lengths. The key set-up uses this alternative,
//! because a single q takes only 18 operations.
//!
//! A round has 8 S-boxes with products, 40 shuffles between words and planes, 24 XORs of the
//! matrix and 48 operations on words: 512 operations for 32 blocks. The predicted time is 5.3
//! cycles a byte if three operations start in a cycle, and 4 cycles a byte if four start. But
//! 200 operations are shuffles. There are two ports for shuffles; processors before Ice Lake
//! have one port, and need at least 6.3 cycles a byte. The measured time is 6.3 cycles a byte
//! on Emerald Rapids, because other operations use the ports for shuffles too. Two interleaved
//! sets of blocks are 3 % faster than one set.
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

/// Tables that compute q₀ and q₁ by nibbles (halves of bytes), [TWOFISH](super) §4.3.5. Each
/// step has a table for the lower nibble and a table for the upper nibble. The XOR of the two
/// entries has both nibbles for the next step: between the steps these are a ⊕ b (lower nibble)
/// and a ⊕ ROR₄(b, 1) ⊕ 8a (upper nibble).
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

/// Returns the products of the lower nibble and of the upper nibble of a byte and the factor
/// `by`.
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

/// The products of nibbles and the two numbers of the MDS matrix that are not 1.
static EF: [[u8; 16]; 2] = halves(MDS[0][1]);
static B5: [[u8; 16]; 2] = halves(MDS[0][2]);

/// Returns the XOR of the table entries for the lower nibbles and for the upper nibbles.
#[inline]
#[target_feature(enable = "avx2")]
fn sum([low, high]: [Bytes; 2], table: &[[u8; 16]; 2]) -> Bytes {
    let (a, b) = (U8x16::load(&table[0]), U8x16::load(&table[1]));
    let (a, b) = (Bytes::splat(a), Bytes::splat(b));
    a.shuffle(low).xor(b.shuffle(high))
}

/// Returns the products of bytes and the two numbers of the MDS matrix that are not 1.
#[inline]
#[target_feature(enable = "avx2")]
fn products(y: Bytes) -> [Bytes; 2] {
    let nibbles = y.nibbles();
    [sum(nibbles, &EF), sum(nibbles, &B5)]
}

/// Computes the key schedule. `K` is the length of the key in units of eight bytes.
#[target_feature(enable = "avx2")]
fn expand_to<const K: usize>(key: &[u8], keys: &mut Keys) {
    // Lane *i* of the first register has the number 2i, for the even words of the key. Lane *i*
    // of the second register has the number 2i + 1, for the odd words. The function h is
    // applied to the numbers of both registers.
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
