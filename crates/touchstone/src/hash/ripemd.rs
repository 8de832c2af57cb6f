//! RIPEMD-128, -160, -256 and -320: digests of 16, 20, 32 and 40 bytes, blocks of 64.
//! Each block goes through two independent lines of steps. RIPEMD-128 and -160 add the
//! results of the two lines. RIPEMD-256 and -320 exchange a word between the lines after
//! each round and keep both results, which makes the digest longer but the hash not
//! stronger.
//!
//! RIPEMD-160 is sound but short: a collision takes 2⁸⁰ compressions. [PAGE] says that
//! RIPEMD-256 is as strong as RIPEMD-128, whose collisions take 2⁶⁴.
//!
//! | kernel | needs | messages at once | technique |
//! |---|---|---|---|
//! | `avx512` | AVX-512 | 1, and 16 for many of RIPEMD-160 | one message in each lane |
//! | `avx2` | AVX2 | 1, and 8 for many of RIPEMD-160 | one message in each lane |
//! | `portable` | – | 1 | as in the paper |
//!
//! - [RIPEMD] H. Dobbertin, A. Bosselaers, B. Preneel: RIPEMD-160: A Strengthened Version
//!   of RIPEMD, FSE 1996
//! - [PAGE] A. Bosselaers: The hash function RIPEMD-160, with pseudocode of all four
//!
//! [RIPEMD]: https://doi.org/10.1007/3-540-60865-6_44
//! [PAGE]: https://homes.esat.kuleuven.be/~bosselae/ripemd160.html

use super::iterated::{Compression, Padding, iterated_hashes, one_by_one};
use super::lanes::{lane_kernels, lanes};
use super::sha1;
use crate::Digest;
use crate::machinery::each::each;
use crate::machinery::unknown::unknown;

lane_kernels! {
    /// The kernels that compute RIPEMD.
}

macro_rules! compressions {
    ($($(#[$meta:meta])* $Compression:ident $words:literal $compress:ident $($abreast:ident)?;)*) => {$(
        $(#[$meta])*
        #[derive(Clone)]
        pub(crate) struct $Compression;

        impl Compression for $Compression {
            type Kernel = Kernel;
            type Block = [u8; 64];
            type Chain = [u32; $words];
            const ZERO: [u32; $words] = [0; $words];
            const PADDING: Padding = Padding::MD4;

            #[inline]
            fn compress(kernel: Kernel, chain: &mut [u32; $words], blocks: &[[u8; 64]]) {
                // The lanes need many messages; a single message uses the portable form.
                let _ = kernel;
                for block in blocks {
                    $compress(chain, &words(block));
                }
            }
            $(
                #[inline]
                fn compress_several(
                    kernel: Kernel,
                    chains: &mut [[u32; $words]],
                    blocks: &[[u8; 64]],
                ) -> usize {
                    $abreast(kernel, chains, blocks)
                }
            )?
        }
    )*};
}

compressions! {
    /// The compression function of RIPEMD-128.
    Two128 4 compress_128;
    /// The compression function of RIPEMD-160.
    Two160 5 compress_160 abreast;
    /// The compression function of RIPEMD-256.
    Two256 8 compress_256;
    /// The compression function of RIPEMD-320.
    Two320 10 compress_320;
}

iterated_hashes! {
    Two128; one_by_one::<Two128>;
    /// RIPEMD-128, [PAGE](self). Its digest is too short to be safe against a search for
    /// collisions.
    Ripemd128 16 START_128, digest;
}
iterated_hashes! {
    Two160; many;
    /// RIPEMD-160, [RIPEMD](self) appendix A.
    Ripemd160 20 START_160, digest;
}
iterated_hashes! {
    Two256; one_by_one::<Two256>;
    /// RIPEMD-256, [PAGE](self): as strong as RIPEMD-128.
    Ripemd256 32 START_256, digest;
}
iterated_hashes! {
    Two320; one_by_one::<Two320>;
    /// RIPEMD-320, [PAGE](self): as strong as RIPEMD-160.
    Ripemd320 40 START_320, digest;
}

/// The first chaining value, [RIPEMD] appendix A, which is SHA-1's.
const START_160: [u32; 5] = sha1::START;
const START_128: [u32; 4] = {
    let [a, b, c, d, _] = START_160;
    [a, b, c, d]
};
/// The second line starts with the hexadecimal digits of the first line in other orders,
/// [PAGE].
const START_256: [u32; 8] = {
    let [a, b, c, d, _] = START_160;
    [a, b, c, d, 0x76543210, 0xfedcba98, 0x89abcdef, 0x01234567]
};
const START_320: [u32; 10] = {
    let [a, b, c, d, e] = START_160;
    [
        a, b, c, d, e, 0x76543210, 0xfedcba98, 0x89abcdef, 0x01234567, 0x3c2d1e0f,
    ]
};

/// The message word of each step, [RIPEMD] appendix A, in the first and the second line.
/// RIPEMD-128 and -256 use the first four rounds of 16 steps.
pub(super) const WORD: [[[u8; 16]; 5]; 2] = [
    [
        [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15],
        [7, 4, 13, 1, 10, 6, 15, 3, 12, 0, 9, 5, 2, 14, 11, 8],
        [3, 10, 14, 4, 9, 15, 8, 1, 2, 7, 0, 6, 13, 11, 5, 12],
        [1, 9, 11, 10, 0, 8, 12, 4, 13, 3, 7, 15, 14, 5, 6, 2],
        [4, 0, 5, 9, 7, 12, 2, 10, 14, 1, 3, 8, 11, 6, 15, 13],
    ],
    [
        [5, 14, 7, 0, 9, 2, 11, 4, 13, 6, 15, 8, 1, 10, 3, 12],
        [6, 11, 3, 7, 0, 13, 5, 10, 14, 15, 8, 12, 4, 9, 1, 2],
        [15, 5, 1, 3, 7, 14, 6, 9, 11, 8, 12, 2, 10, 0, 4, 13],
        [8, 6, 4, 1, 3, 11, 15, 0, 5, 12, 2, 13, 9, 7, 10, 14],
        [12, 15, 10, 4, 1, 5, 8, 7, 6, 2, 13, 14, 0, 3, 9, 11],
    ],
];

/// The rotation distance of each step, [RIPEMD] appendix A.
pub(super) const BITS: [[[u8; 16]; 5]; 2] = [
    [
        [11, 14, 15, 12, 5, 8, 7, 9, 11, 13, 14, 15, 6, 7, 9, 8],
        [7, 6, 8, 13, 11, 9, 7, 15, 7, 12, 15, 9, 11, 7, 13, 12],
        [11, 13, 6, 7, 14, 9, 13, 15, 14, 8, 13, 6, 5, 12, 7, 5],
        [11, 12, 14, 15, 14, 15, 9, 8, 9, 14, 5, 6, 8, 6, 5, 12],
        [9, 15, 5, 11, 6, 8, 13, 12, 5, 12, 13, 14, 11, 8, 5, 6],
    ],
    [
        [8, 9, 9, 11, 13, 15, 15, 5, 7, 7, 8, 11, 14, 14, 12, 6],
        [9, 13, 15, 7, 12, 8, 9, 11, 7, 7, 12, 7, 6, 15, 13, 11],
        [9, 7, 15, 11, 8, 6, 6, 14, 12, 13, 5, 14, 13, 13, 7, 5],
        [15, 5, 8, 11, 14, 14, 6, 14, 6, 9, 12, 9, 12, 5, 15, 8],
        [8, 5, 12, 9, 12, 5, 14, 6, 8, 13, 6, 5, 15, 13, 11, 11],
    ],
];

/// The constants, [RIPEMD] appendix A: 2³⁰ times √2, √3, √5 and √7, and 2³⁰ times the
/// cube roots of the same numbers.
pub(super) const K: [[u32; 5]; 2] = [
    [0, 0x5a827999, 0x6ed9eba1, 0x8f1bbcdc, 0xa953fd4e],
    [0x50a28be6, 0x5c4dd124, 0x6d703ef3, 0x7a6d76e9, 0],
];

fn words(block: &[u8; 64]) -> [u32; 16] {
    let mut x = [0; 16];
    for (x, bytes) in x.iter_mut().zip(block.as_chunks().0) {
        *x = u32::from_le_bytes(*bytes);
    }
    x
}

/// The five functions, by number, [RIPEMD] appendix A, each added to `$sum`. A function
/// whose two parts have no bit in common is added in two parts; then the path from b, the
/// newest word, to the sum is as short as possible.
macro_rules! add_function {
    (0, $sum:expr, $b:ident, $c:ident, $d:ident) => {
        $sum.wrapping_add($b ^ ($c ^ $d))
    };
    (1, $sum:expr, $b:ident, $c:ident, $d:ident) => {
        $sum.wrapping_add($d ^ ($b & ($c ^ $d)))
    };
    (2, $sum:expr, $b:ident, $c:ident, $d:ident) => {
        $sum.wrapping_add(($b | !$c) ^ $d)
    };
    (3, $sum:expr, $b:ident, $c:ident, $d:ident) => {
        $sum.wrapping_add($c & !$d).wrapping_add($b & $d)
    };
    (4, $sum:expr, $b:ident, $c:ident, $d:ident) => {
        $sum.wrapping_add($b ^ ($c | !$d))
    };
}

/// Sixteen steps of both lines, of four words each. `$round` is the number of the round;
/// then follow for each line its words, its function and its constant. The steps of the
/// lines alternate, because they do not wait for each other.
macro_rules! round_4 {
    ($x:ident, $round:literal, $p:ident $f:tt $k:expr, $q:ident $g:tt $l:expr) => {
        each!(I < 16 => {
            step_4!($x, $round, I, 0, $p, $f, $k);
            step_4!($x, $round, I, 1, $q, $g, $l);
        });
    };
}

/// A step of a line of four words.
macro_rules! step_4 {
    ($x:ident, $round:literal, $i:ident, $line:literal, $w:ident, $f:tt, $k:expr) => {
        let [a, b, c, d] = $w;
        let sum = a
            .wrapping_add($x[WORD[$line][$round][$i] as usize])
            .wrapping_add($k);
        let sum = add_function!($f, sum, b, c, d);
        $w = [d, sum.rotate_left(BITS[$line][$round][$i] as u32), b, c];
    };
}

/// [`round_4`] of lines of five words.
macro_rules! round_5 {
    ($x:ident, $k:ident, $round:literal, $p:ident $f:tt, $q:ident $g:tt) => {
        each!(I < 16 => {
            step_5!($x, $round, I, 0, $p, $f, $k[0][$round]);
            step_5!($x, $round, I, 1, $q, $g, $k[1][$round]);
        });
    };
}

/// A step of a line of five words.
macro_rules! step_5 {
    ($x:ident, $round:literal, $i:ident, $line:literal, $w:ident, $f:tt, $k:expr) => {
        let [a, b, c, d, e] = $w;
        let sum = a
            .wrapping_add($x[WORD[$line][$round][$i] as usize])
            .wrapping_add($k);
        let sum = add_function!($f, sum, b, c, d);
        let next = sum
            .rotate_left(BITS[$line][$round][$i] as u32)
            .wrapping_add(e);
        $w = [e, next, b, c.rotate_left(10), d];
    };
}

/// [PAGE]: there is one round less, and the last round of the second line adds zero, as that of
/// RIPEMD-160 does.
fn compress_128(chain: &mut [u32; 4], x: &[u32; 16]) {
    let k = unknown(&K);
    let (mut p, mut q) = (*chain, *chain);
    round_4!(x, 0, p 0 k[0][0], q 3 k[1][0]);
    round_4!(x, 1, p 1 k[0][1], q 2 k[1][1]);
    round_4!(x, 2, p 2 k[0][2], q 1 k[1][2]);
    round_4!(x, 3, p 3 k[0][3], q 0 k[1][4]);
    let h = *chain;
    for i in 0..4 {
        chain[i] = h[(i + 1) % 4]
            .wrapping_add(p[(i + 2) % 4])
            .wrapping_add(q[(i + 3) % 4]);
    }
}

fn compress_160(chain: &mut [u32; 5], x: &[u32; 16]) {
    let k = unknown(&K);
    let (mut p, mut q) = (*chain, *chain);
    round_5!(x, k, 0, p 0, q 4);
    round_5!(x, k, 1, p 1, q 3);
    round_5!(x, k, 2, p 2, q 2);
    round_5!(x, k, 3, p 3, q 1);
    round_5!(x, k, 4, p 4, q 0);
    let h = *chain;
    for i in 0..5 {
        chain[i] = h[(i + 1) % 5]
            .wrapping_add(p[(i + 2) % 5])
            .wrapping_add(q[(i + 3) % 5]);
    }
}

/// [PAGE]: after each round the lines exchange one word, beginning with a.
fn compress_256(chain: &mut [u32; 8], x: &[u32; 16]) {
    let k = unknown(&K);
    let [a, b, c, d, e, f, g, h] = *chain;
    let (mut p, mut q) = ([a, b, c, d], [e, f, g, h]);
    round_4!(x, 0, p 0 k[0][0], q 3 k[1][0]);
    (p[0], q[0]) = (q[0], p[0]);
    round_4!(x, 1, p 1 k[0][1], q 2 k[1][1]);
    (p[1], q[1]) = (q[1], p[1]);
    round_4!(x, 2, p 2 k[0][2], q 1 k[1][2]);
    (p[2], q[2]) = (q[2], p[2]);
    round_4!(x, 3, p 3 k[0][3], q 0 k[1][4]);
    (p[3], q[3]) = (q[3], p[3]);
    for (sum, x) in chain.iter_mut().zip(p.iter().chain(&q)) {
        *sum = sum.wrapping_add(*x);
    }
}

/// [PAGE]: after each round the lines exchange one word: b, d, a, c, e.
fn compress_320(chain: &mut [u32; 10], x: &[u32; 16]) {
    let k = unknown(&K);
    let [a, b, c, d, e, f, g, h, i, j] = *chain;
    let (mut p, mut q) = ([a, b, c, d, e], [f, g, h, i, j]);
    round_5!(x, k, 0, p 0, q 4);
    (p[1], q[1]) = (q[1], p[1]);
    round_5!(x, k, 1, p 1, q 3);
    (p[3], q[3]) = (q[3], p[3]);
    round_5!(x, k, 2, p 2, q 2);
    (p[0], q[0]) = (q[0], p[0]);
    round_5!(x, k, 3, p 3, q 1);
    (p[2], q[2]) = (q[2], p[2]);
    round_5!(x, k, 4, p 4, q 0);
    (p[4], q[4]) = (q[4], p[4]);
    for (sum, x) in chain.iter_mut().zip(p.iter().chain(&q)) {
        *sum = sum.wrapping_add(*x);
    }
}

/// The digest: the words of the chaining value, least significant byte first.
#[inline]
fn digest<const WORDS: usize, const OUTPUT: usize>(chain: &[u32; WORDS]) -> Digest<OUTPUT> {
    const { assert!(OUTPUT == 4 * WORDS) };
    let mut output = [0; OUTPUT];
    for (bytes, word) in output.as_chunks_mut().0.iter_mut().zip(chain) {
        *bytes = word.to_le_bytes();
    }
    output.into()
}

lanes!(Two160, 5 u32, words_le, |h, x| {
    let (mut p, mut q) = (h, h);
    /// A round: its line of words, its number, the line's number, and the function of b,
    /// c and d.
    macro_rules! round {
        ($w:ident, $round:literal, $line:literal, |$b:ident, $c:ident, $d:ident| $f:expr) => {{
            let [mut a, mut $b, mut $c, mut $d, mut e] = $w;
            each!(I < 16 => {
                let sum = a
                    .add($f)
                    .add(x[WORD[$line][$round][I] as usize])
                    .add(Word::splat(K[$line][$round]));
                let next = sum.rotate_left_by(BITS[$line][$round][I] as u32).add(e);
                (a, e, $d, $c, $b) = (e, $d, $c.rotate_left_by(10), $b, next);
            });
            $w = [a, $b, $c, $d, e];
        }};
    }
    round!(p, 0, 0, |b, c, d| b.xor3(c, d));
    round!(q, 0, 1, |b, c, d| b.xor_or_not(c, d));
    round!(p, 1, 0, |b, c, d| b.choose(c, d));
    round!(q, 1, 1, |b, c, d| d.choose(b, c));
    round!(p, 2, 0, |b, c, d| d.xor_or_not(b, c));
    round!(q, 2, 1, |b, c, d| d.xor_or_not(b, c));
    round!(p, 3, 0, |b, c, d| d.choose(b, c));
    round!(q, 3, 1, |b, c, d| b.choose(c, d));
    round!(p, 4, 0, |b, c, d| b.xor_or_not(c, d));
    round!(q, 4, 1, |b, c, d| b.xor3(c, d));
    [
        h[1].add(p[2]).add(q[3]),
        h[2].add(p[3]).add(q[4]),
        h[3].add(p[4]).add(q[0]),
        h[4].add(p[0]).add(q[1]),
        h[0].add(p[1]).add(q[2]),
    ]
});
