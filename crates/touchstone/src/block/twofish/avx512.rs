//! Twofish by AVX-512 and GFNI: 64 blocks, word-sliced for the sums and
//! rotations, byte-sliced for g ([`sliced`](crate::block::sliced)).
//!
//! ```text
//!   words:   x[m][w], m < 4    word w of blocks 16m to 16m + 15
//!   planes:  p[b]              byte b of one word of all 64 blocks
//! ```
//!
//! - A **keyed S-box** is a table of 256 for 64 lanes: two lookups of 128 and a
//!   choice, wherever the key puts it.
//! - The **MDS matrix** has two numbers that are not 1; products by them are
//!   affine maps of bits, for GFNI.
//! - **ROL(R₁, 8)** is a renaming of planes.
//!
//! A round has 16 lookups, 16 affine maps and 8 masks, which share two ports,
//! and some 100 other instructions: predicted 32 cycles for 64 blocks where four
//! start in each, but the chain through it is as long, and its phases each want
//! the same ports. So two sets of 64 blocks take turns, round by round, in
//! registers and on the stack; measured 60 cycles for each.
//!
//! Key set-up works alike: the S-boxes of all bytes, then h of the numbers 0 to 39
//! in as many lanes. Only the tables for single blocks are new.
#![allow(unsafe_code)]

use super::{Keys, MDS, Q, STEPS, fold, multiply};
use crate::block::sliced::sliced;
use crate::cpu::Avx512;

sliced!(
    Avx512, Keys, U8x64 as U32x16,
    4 blocks a register, 8 groups, "avx512f,avx512bw,avx512vl,avx512vbmi,gfni"
);

/// Multiplication by a number as a matrix, for [`Bytes::affine`].
const fn product(by: u8) -> u64 {
    let mut matrix = 0;
    let mut column = 0;
    while column < 8 {
        let value = multiply(by, 1 << column);
        let mut row = 0;
        while row < 8 {
            if (value >> row) & 1 == 1 {
                matrix |= 1 << (8 * (7 - row) + column);
            }
            row += 1;
        }
        column += 1;
    }
    matrix
}

/// The two numbers of the MDS matrix.
const EF: u64 = product(MDS[0][1]);
const B5: u64 = product(MDS[0][2]);

/// The MDS matrix on planes.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi,gfni")]
fn mds([y0, y1, y2, y3]: [Bytes; 4]) -> [Bytes; 4] {
    let (e0, f0) = (y0.affine(EF), y0.affine(B5));
    let (e1, f1) = (y1.affine(EF), y1.affine(B5));
    let (e2, f2) = (y2.affine(EF), y2.affine(B5));
    let (e3, f3) = (y3.affine(EF), y3.affine(B5));
    [
        y0.xor(e1).xor3(f2, f3),
        f0.xor(e1).xor3(e2, y3),
        e0.xor(f1).xor3(y2, e3),
        e0.xor(y1).xor3(e2, f3),
    ]
}

/// g on the words of 64 blocks, of which plane 0 goes through s₀, if `TURN` is 0,
/// and else, as if rotated by 8 bits, through s₁.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi,gfni")]
fn g<const TURN: usize>(keys: &Keys, words: [Lanes; 4]) -> [Lanes; 4] {
    let mut planes = Bytes::to_planes(words);
    if TURN == 1 {
        let [a, b, c, d] = planes;
        planes = [d, a, b, c];
    }
    let y = [
        planes[0].lookup(&keys.boxes[0]),
        planes[1].lookup(&keys.boxes[1]),
        planes[2].lookup(&keys.boxes[2]),
        planes[3].lookup(&keys.boxes[3]),
    ];
    Bytes::to_words(mds(y))
}

/// F, [TWOFISH](super) §4.1, on word `$w` and the one after it. A macro, as a
/// function is not always inlined, and its call costs a round as much as its work.
macro_rules! f {
    ($keys:ident, $round:expr, $x:ident[$w:literal]) => {{
        let t0 = g::<0>($keys, [$x[0][$w], $x[1][$w], $x[2][$w], $x[3][$w]]);
        let t1 = g::<1>(
            $keys,
            [$x[0][$w + 1], $x[1][$w + 1], $x[2][$w + 1], $x[3][$w + 1]],
        );
        let k0 = Lanes::splat($keys.words[2 * ($round) + 8]);
        let k1 = Lanes::splat($keys.words[2 * ($round) + 9]);
        let (mut f0, mut f1) = (t0, t1);
        for m in 0..4 {
            let sum = t0[m].add(t1[m]);
            f0[m] = sum.add(k0);
            f1[m] = sum.add(t1[m].add(k1));
        }
        (f0, f1)
    }};
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi,gfni")]
fn whiten(x: &mut [[Lanes; 4]; 4], words: &[u32]) {
    for w in 0..4 {
        let key = Lanes::splat(words[w]);
        for m in 0..4 {
            x[m][w] = x[m][w].xor(key);
        }
    }
}

/// `N` groups as one set of four or two, for there are planes for four in any
/// case.
macro_rules! padded {
    ($name:ident by $sets:ident) => {
        #[inline]
        #[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi,gfni")]
        fn $name<const N: usize>(keys: &Keys, data: &mut [[Lanes; 4]; N]) {
            if let [a, b] = data.as_chunks_mut::<4>().0 {
                let mut sets = [*a, *b];
                $sets::<2>(keys, &mut sets);
                [*a, *b] = sets;
                return;
            }
            let mut x = [[[Lanes::splat(0); 4]; 4]];
            for i in 0..N {
                x[0][i] = data[i];
            }
            $sets::<1>(keys, &mut x);
            for i in 0..N {
                data[i] = x[0][i];
            }
        }
    };
}
padded!(forwards by forwards_in_sets);
padded!(backwards by backwards_in_sets);

#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi,gfni")]
fn forwards_in_sets<const SETS: usize>(keys: &Keys, sets: &mut [[[Lanes; 4]; 4]; SETS]) {
    for x in &mut *sets {
        whiten(x, &keys.words[..4]);
    }
    for pair in 0..8 {
        for x in &mut *sets {
            let (f0, f1) = f!(keys, 2 * pair, x[0]);
            for m in 0..4 {
                x[m][2] = x[m][2].xor(f0[m]).rotate_left::<31>();
                x[m][3] = x[m][3].rotate_left::<1>().xor(f1[m]);
            }
        }
        for x in &mut *sets {
            let (f0, f1) = f!(keys, 2 * pair + 1, x[2]);
            for m in 0..4 {
                x[m][0] = x[m][0].xor(f0[m]).rotate_left::<31>();
                x[m][1] = x[m][1].rotate_left::<1>().xor(f1[m]);
            }
        }
    }
    for x in sets {
        for m in 0..4 {
            let [a, b, c, d] = x[m];
            x[m] = [c, d, a, b];
        }
        whiten(x, &keys.words[4..8]);
    }
}

#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi,gfni")]
fn backwards_in_sets<const SETS: usize>(keys: &Keys, sets: &mut [[[Lanes; 4]; 4]; SETS]) {
    for x in &mut *sets {
        whiten(x, &keys.words[4..8]);
        for m in 0..4 {
            let [c, d, a, b] = x[m];
            x[m] = [a, b, c, d];
        }
    }
    for pair in (0..8).rev() {
        for x in &mut *sets {
            let (f0, f1) = f!(keys, 2 * pair + 1, x[2]);
            for m in 0..4 {
                x[m][0] = x[m][0].rotate_left::<1>().xor(f0[m]);
                x[m][1] = x[m][1].xor(f1[m]).rotate_left::<31>();
            }
        }
        for x in &mut *sets {
            let (f0, f1) = f!(keys, 2 * pair, x[0]);
            for m in 0..4 {
                x[m][2] = x[m][2].rotate_left::<1>().xor(f0[m]);
                x[m][3] = x[m][3].xor(f1[m]).rotate_left::<31>();
            }
        }
    }
    for x in sets {
        whiten(x, &keys.words[..4]);
    }
}

pub(super) fn expand(_: Avx512, key: &[u8], keys: &mut Keys) {
    // SAFETY: the token proves the features.
    unsafe {
        match key.len() {
            16 => expand_to::<2>(key, keys),
            24 => expand_to::<3>(key, keys),
            _ => expand_to::<4>(key, keys),
        }
    }
}

/// `K` is the length of the key in units of eight bytes.
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi,gfni")]
fn expand_to<const K: usize>(key: &[u8], keys: &mut Keys) {
    let s = fold(key);
    let eights = key.as_chunks::<8>().0;

    // h on lane i of the number 2i with the even words of the key, and on lane
    // 32 + i of 2i + 1 with the odd ones.
    let mut numbers = [0; 64];
    for i in 0..32 {
        numbers[i] = 2 * i as u8;
        numbers[32 + i] = 2 * i as u8 + 1;
    }
    let numbers = Bytes::load(&numbers);
    let mut planes = [numbers; 4];
    for byte in 0..4 {
        let mut y = numbers;
        for step in 0..K {
            let list = &eights[K - 1 - step];
            let (even, odd) = (Bytes::splat_u8(list[byte]), Bytes::splat_u8(list[4 + byte]));
            let q = &Q[STEPS[byte][4 - K + step]];
            y = y.lookup(q).xor(even.low_high(odd));
        }
        planes[byte] = y.lookup(&Q[STEPS[byte][4]]);
    }
    // Lane 16l + 4m + d comes to lane 4l + d of m: a is in the lower halves.
    let mut words = Bytes::to_words(mds(planes));
    let mut first = words;
    for m in 0..4 {
        let (a, b) = (words[m], words[m].high_half().rotate_left::<8>());
        let sum = a.add(b);
        (first[m], words[m]) = (sum, sum.add(b).rotate_left::<9>());
    }
    let (mut k0, mut k1) = ([[0; 16]; 4], [[0; 16]; 4]);
    for m in 0..4 {
        first[m].store(&mut k0[m]);
        words[m].store(&mut k1[m]);
    }
    for i in 0..20 {
        let (m, lane) = (i / 4 % 4, 4 * (i / 16) + i % 4);
        keys.words[2 * i] = k0[m][lane];
        keys.words[2 * i + 1] = k1[m][lane];
    }
    wipe(&mut k0, [0; 16]);
    wipe(&mut k1, [0; 16]);

    for byte in 0..4 {
        let boxes = keys.boxes[byte].as_chunks_mut::<64>().0;
        let tables = keys.tables[byte].as_chunks_mut::<16>().0;
        for quarter in 0..4 {
            // The first q of all bytes is its table.
            let q = Q[STEPS[byte][4 - K]].as_chunks::<64>().0;
            let mut y = Bytes::load(&q[quarter]);
            for step in 0..K {
                let with = Bytes::splat_u8((s[K - 1 - step] >> (8 * byte)) as u8);
                y = y.xor(with).lookup(&Q[STEPS[byte][5 - K + step]]);
            }
            y.store(&mut boxes[quarter]);

            // Turned, so that the words come in order.
            let y = y.turn_u32();
            let (e, f) = (y.affine(EF), y.affine(B5));
            let words = Bytes::to_words(match byte {
                0 => [y, f, e, e],
                1 => [e, e, f, y],
                2 => [f, e, y, e],
                _ => [f, y, e, f],
            });
            for m in 0..4 {
                words[m].store(&mut tables[4 * quarter + m]);
            }
        }
    }
}
