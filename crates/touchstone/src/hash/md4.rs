//! MD4: digests of 16 bytes, blocks of 64 bytes. **Broken**: collisions can be found without a
//! computer. Use MD4 only for old files and protocols (NTLM).
//!
//! | kernel | needs | messages at once | technique |
//! |---|---|---|---|
//! | `avx512` | AVX-512 | 1; 16 in a call for many | one message in each lane |
//! | `avx2` | AVX2 | 1; 8 in a call for many | one message in each lane |
//! | `portable` | – | 1 | as in the standard |
//!
//! - [RFC1320] R. Rivest: The MD4 Message-Digest Algorithm, RFC 1320, 1992
//!
//! [RFC1320]: https://www.rfc-editor.org/rfc/rfc1320

use super::iterated::{Padding, iterated_hashes};
use super::lanes::{lane_compression, lane_kernels, lanes};
use super::md5::{START, digest};
use crate::machinery::each::each;
use crate::machinery::unknown::{apart, unknown_in_sums};

lane_kernels! {
    /// The kernels: implementations of MD4 for different CPU features.
}

lane_compression! {
    /// The compression function of MD4.
    Md4Compression, 4 words, Padding::MD4
}

iterated_hashes! {
    Md4Compression; many;
    /// MD4, [RFC1320](self) §3. **Broken.**
    Md4 16 START, digest;
}

/// The rotation distances, [RFC1320] §3.4. Four distances repeat within each round.
const S: [[u32; 4]; 3] = [[3, 7, 11, 19], [3, 5, 9, 13], [3, 9, 11, 15]];

/// The message word of each step, [RFC1320] §3.4.
const WORD: [[usize; 16]; 3] = [
    [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15],
    [0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15],
    [0, 8, 4, 12, 2, 10, 6, 14, 1, 9, 5, 13, 3, 11, 7, 15],
];

/// The constants of the rounds, [RFC1320] §3.4: zero, and 2³⁰ times √2 and √3.
const K: [u32; 3] = [0, 0x5a827999, 0x6ed9eba1];

/// Compresses every block, [RFC1320] §3.4.
fn compress(chain: &mut [u32; 4], blocks: &[[u8; 64]]) {
    let k = unknown_in_sums(&K);
    for block in blocks {
        let mut x = [0; 16];
        for (x, bytes) in x.iter_mut().zip(block.as_chunks().0) {
            *x = u32::from_le_bytes(*bytes);
        }
        let [mut a, mut b, mut c, mut d] = *chain;
        /// Computes one round of 16 steps. The arguments are the parts of the round's function.
        /// Only the last part contains b, the newest word.
        macro_rules! round {
            ($round:literal, $($part:expr),+) => {
                each!(I < 16 => {
                    let sum = a.wrapping_add(apart(x[WORD[$round][I]].wrapping_add(k[$round])));
                    $(let sum = sum.wrapping_add($part);)+
                    (a, d, c, b) = (d, c, b, sum.rotate_left(S[$round][I % 4]));
                });
            };
        }
        round!(0, d ^ (b & (c ^ d)));
        // The function of the second round has two parts. No bit is set in both parts, so their
        // sum equals their OR.
        round!(1, c & d, b & (c ^ d));
        round!(2, b ^ (c ^ d));
        for (sum, x) in chain.iter_mut().zip([a, b, c, d]) {
            *sum = sum.wrapping_add(x);
        }
    }
}

lanes!(Md4Compression, 4 u32, words_le, |h, x| {
    let [mut a, mut b, mut c, mut d] = h;
    /// Computes one round of 16 steps. The last argument is the round's function.
    macro_rules! round {
        ($round:literal, $f:expr) => {
            each!(I < 16 => {
                let sum = a.add($f).add(x[WORD[$round][I]]).add(Word::splat(K[$round]));
                (a, d, c, b) = (d, c, b, sum.rotate_left_by(S[$round][I % 4]));
            });
        };
    }
    round!(0, b.choose(c, d));
    round!(1, b.majority(c, d));
    round!(2, b.xor3(c, d));
    [h[0].add(a), h[1].add(b), h[2].add(c), h[3].add(d)]
});
