//! MD5: digests of 16 bytes, blocks of 64. **Broken**: collisions take seconds, also
//! with a chosen prefix. Use it only for old files and protocols.
//!
//! | kernel | needs | messages at once | technique |
//! |---|---|---|---|
//! | `avx512` | AVX-512 | 1; 16 in a call for many | one message in each lane |
//! | `avx2` | AVX2 | 1; 8 in a call for many | one message in each lane |
//! | `portable` | – | 1 | as in the standard |
//!
//! - [RFC1321] R. Rivest: The MD5 Message-Digest Algorithm, RFC 1321, 1992
//!
//! [RFC1321]: https://www.rfc-editor.org/rfc/rfc1321

use super::iterated::{Padding, iterated_hashes};
use super::lanes::{lane_compression, lane_kernels, lanes};
use crate::Digest;
use crate::machinery::each::each;
use crate::machinery::unknown::{apart, unknown_in_sums};

#[doc(hidden)]
pub mod rounds;

lane_kernels! {
    /// The kernels that compute MD5.
}

lane_compression! {
    /// The compression function of MD5.
    Md5Compression, 4 words, Padding::MD4
}

iterated_hashes! {
    Md5Compression; many;
    /// MD5, [RFC1321](self) §3. **Broken.**
    Md5 16 START, digest;
}

/// The first chaining value, [RFC1321] §3.3: the bytes 01 23 … ef and then the same in
/// reverse, as little-endian words.
pub(crate) const START: [u32; 4] = [0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476];

/// The constants of the steps, [RFC1321] §3.4: ⌊2³²·|sin i|⌋ for i from 1 to 64.
#[rustfmt::skip]
const T: [u32; 64] = [
    0xd76aa478, 0xe8c7b756, 0x242070db, 0xc1bdceee, 0xf57c0faf, 0x4787c62a, 0xa8304613, 0xfd469501,
    0x698098d8, 0x8b44f7af, 0xffff5bb1, 0x895cd7be, 0x6b901122, 0xfd987193, 0xa679438e, 0x49b40821,
    0xf61e2562, 0xc040b340, 0x265e5a51, 0xe9b6c7aa, 0xd62f105d, 0x02441453, 0xd8a1e681, 0xe7d3fbc8,
    0x21e1cde6, 0xc33707d6, 0xf4d50d87, 0x455a14ed, 0xa9e3e905, 0xfcefa3f8, 0x676f02d9, 0x8d2a4c8a,
    0xfffa3942, 0x8771f681, 0x6d9d6122, 0xfde5380c, 0xa4beea44, 0x4bdecfa9, 0xf6bb4b60, 0xbebfbc70,
    0x289b7ec6, 0xeaa127fa, 0xd4ef3085, 0x04881d05, 0xd9d4d039, 0xe6db99e5, 0x1fa27cf8, 0xc4ac5665,
    0xf4292244, 0x432aff97, 0xab9423a7, 0xfc93a039, 0x655b59c3, 0x8f0ccc92, 0xffeff47d, 0x85845dd1,
    0x6fa87e4f, 0xfe2ce6e0, 0xa3014314, 0x4e0811a1, 0xf7537e82, 0xbd3af235, 0x2ad7d2bb, 0xeb86d391,
];

/// The rotation distances, [RFC1321] §3.4. Four distances repeat within each round.
const S: [[u32; 4]; 4] = [
    [7, 12, 17, 22],
    [5, 9, 14, 20],
    [4, 11, 16, 23],
    [6, 10, 15, 21],
];

/// Compresses every block, [RFC1321] §3.4.
fn compress(chain: &mut [u32; 4], blocks: &[[u8; 64]]) {
    let t = unknown_in_sums(&T);
    for block in blocks {
        let mut x = [0; 16];
        for (x, bytes) in x.iter_mut().zip(block.as_chunks().0) {
            *x = u32::from_le_bytes(*bytes);
        }
        let [mut a, mut b, mut c, mut d] = *chain;
        /// One round of 16 steps: the message word `k` of step `i`, and the parts of the
        /// round's function. Only the last part contains b, the newest word.
        macro_rules! round {
            ($round:literal, |$i:ident| $k:expr, $($part:expr),+) => {
                each!($i < 16 => {
                    let sum = a.wrapping_add(apart(x[$k % 16].wrapping_add(t[16 * $round + $i])));
                    $(let sum = sum.wrapping_add($part);)+
                    let next = b.wrapping_add(sum.rotate_left(S[$round][$i % 4]));
                    (a, d, c, b) = (d, c, b, next);
                });
            };
        }
        round!(0, |I| I, d ^ (b & (c ^ d)));
        // No bit is set in both parts, so that their sum is their disjunction.
        round!(1, |I| 5 * I + 1, c & !d, b & d);
        round!(2, |I| 3 * I + 5, b ^ (c ^ d));
        round!(3, |I| 7 * I, c ^ (b | !d));
        for (sum, x) in chain.iter_mut().zip([a, b, c, d]) {
            *sum = sum.wrapping_add(x);
        }
    }
}

/// The digest: the words of the chaining value, least significant byte first.
#[inline]
pub(crate) fn digest(chain: &[u32; 4]) -> Digest<16> {
    let mut output = [0; 16];
    for (bytes, word) in output.as_chunks_mut().0.iter_mut().zip(chain) {
        *bytes = word.to_le_bytes();
    }
    output.into()
}

lanes!(Md5Compression, 4 u32, words_le, |h, x| {
    let [mut a, mut b, mut c, mut d] = h;
    /// One round of 16 steps: the message word `k` of step `i`, and the round's function.
    macro_rules! round {
        ($round:literal, |$i:ident| $k:expr, $f:expr) => {
            each!($i < 16 => {
                let sum = a.add($f).add(x[$k % 16]).add(Word::splat(T[16 * $round + $i]));
                let next = b.add(sum.rotate_left_by(S[$round][$i % 4]));
                (a, d, c, b) = (d, c, b, next);
            });
        };
    }
    round!(0, |I| I, b.choose(c, d));
    round!(1, |I| 5 * I + 1, d.choose(b, c));
    round!(2, |I| 3 * I + 5, b.xor3(c, d));
    round!(3, |I| 7 * I, c.xor_or_not(b, d));
    [h[0].add(a), h[1].add(b), h[2].add(c), h[3].add(d)]
});
