//! SM3: digests of 32 bytes, blocks of 64; China's standard.
//!
//! | kernel | needs | messages at once | technique |
//! |---|---|---|---|
//! | `avx512` | AVX-512 | 1; 16 in a call for many | the schedule in vector registers, beside the rounds; one message in each lane |
//! | `avx2` | AVX2 | 1; 8 in a call for many | the same |
//! | `portable` | – | 1 | as in the standard |
//!
//! - [SM3] GB/T 32905-2016 and ISO/IEC 10118-3:2018, dedicated hash function 17; in English as
//!   draft-sca-cfrg-sm3-02, 2018
//!
//! [SM3]: https://datatracker.ietf.org/doc/html/draft-sca-cfrg-sm3-02

use super::iterated::{Compression, Padding, iterated_hashes};
use super::lanes::{lane_kernels, lanes};
use crate::Digest;
use crate::machinery::each::each;
use crate::machinery::unknown::unknown;

#[cfg(target_arch = "x86_64")]
mod avx2_and_avx512;

lane_kernels! {
    /// The kernels that compute SM3.
}

/// The compression function of SM3.
#[derive(Clone)]
pub(crate) struct Sm3Compression;

impl Compression for Sm3Compression {
    type Kernel = Kernel;
    type Block = [u8; 64];
    type Chain = [u32; 8];
    const ZERO: [u32; 8] = [0; 8];
    const PADDING: Padding = Padding::sha(8);

    #[inline]
    fn compress(kernel: Kernel, chain: &mut [u32; 8], blocks: &[[u8; 64]]) {
        match kernel {
            #[cfg(target_arch = "x86_64")]
            Kernel::Avx512(token) => avx2_and_avx512::avx512(token, chain, blocks),
            #[cfg(target_arch = "x86_64")]
            Kernel::Avx2(token) => avx2_and_avx512::avx2(token, chain, blocks),
            Kernel::Portable => compress(chain, blocks),
        }
    }

    #[inline]
    fn compress_several(kernel: Kernel, chains: &mut [[u32; 8]], blocks: &[[u8; 64]]) -> usize {
        abreast(kernel, chains, blocks)
    }
}

iterated_hashes! {
    Sm3Compression; many;
    /// SM3, [SM3](self) §5.
    Sm3 32 START, digest;
}

/// The first chaining value, [SM3] §4.1.
const START: [u32; 8] = [
    0x7380166f, 0x4914b2b9, 0x172442d7, 0xda8a0600, 0xa96f30bc, 0x163138aa, 0xe38dee4d, 0xb0fb0e4e,
];

/// The constants of [SM3] §4.2, rotated by j for step j as in §5.3.3.
const T: [u32; 64] = {
    let mut t = [0; 64];
    let mut j = 0;
    while j < 64 {
        let constant: u32 = if j < 16 { 0x79cc4519 } else { 0x7a879d8a };
        t[j] = constant.rotate_left(j as u32);
        j += 1;
    }
    t
};

/// Compresses every block, [SM3] §5.3. The schedule keeps its last 16 words.
fn compress(chain: &mut [u32; 8], blocks: &[[u8; 64]]) {
    let t = unknown(&T);
    for block in blocks {
        let mut w = [0u32; 16];
        for (w, bytes) in w.iter_mut().zip(block.as_chunks().0) {
            *w = u32::from_be_bytes(*bytes);
        }
        let mut state = *chain;
        /// Sixteen steps; the first sixteen have functions of their own.
        macro_rules! steps {
            ($turn:expr, $first:literal) => {
                each!(J < 16 => {
                    let difference = w[J] ^ w[(J + 4) % 16];
                    state = step::<$first>(state, t[16 * $turn + J], w[J], difference);
                    // The word that is needed 16 steps later, §5.3.2. Step j reads word j
                    // + 4, so the new word j is not read before step j + 12.
                    let x = w[J] ^ w[(J + 7) % 16] ^ w[(J + 13) % 16].rotate_left(15);
                    let p1 = x ^ x.rotate_left(15) ^ x.rotate_left(23);
                    w[J] = p1 ^ w[(J + 3) % 16].rotate_left(7) ^ w[(J + 10) % 16];
                });
            };
        }
        steps!(0, true);
        for turn in 1..4 {
            steps!(turn, false);
        }
        for (sum, x) in chain.iter_mut().zip(state) {
            *sum ^= x;
        }
    }
}

/// One step, [SM3] §5.3.3, with a word of the schedule and the difference of this word and
/// the fourth after it. The functions FF and GG of §4.3 differ in the first sixteen steps.
#[inline(always)]
fn step<const FIRST: bool>(
    [a, b, c, d, e, f, g, h]: [u32; 8],
    constant: u32,
    word: u32,
    difference: u32,
) -> [u32; 8] {
    // The majority in two parts, which have no bit in common. Only the second part contains a, the
    // newest word.
    let (ff, gg) = if FIRST {
        ([0, a ^ (b ^ c)], e ^ (f ^ g))
    } else {
        ([b & c, a & (b ^ c)], g ^ (e & (f ^ g)))
    };
    let rotated = a.rotate_left(12);
    let ss1 = rotated
        .wrapping_add(constant)
        .wrapping_add(e)
        .rotate_left(7);
    let tt1 = d
        .wrapping_add(difference)
        .wrapping_add(ff[0])
        .wrapping_add(ff[1])
        .wrapping_add(ss1 ^ rotated);
    let tt2 = h.wrapping_add(word).wrapping_add(gg).wrapping_add(ss1);
    let p0 = tt2 ^ tt2.rotate_left(9) ^ tt2.rotate_left(17);
    [tt1, a, b.rotate_left(9), c, p0, e, f.rotate_left(19), g]
}

#[inline]
fn digest(chain: &[u32; 8]) -> Digest<32> {
    let mut output = [0; 32];
    for (bytes, word) in output.as_chunks_mut().0.iter_mut().zip(chain) {
        *bytes = word.to_be_bytes();
    }
    output.into()
}

lanes!(Sm3Compression, 8 u32, words_be, |state, w| {
    let [mut a, mut b, mut c, mut d, mut e, mut f, mut g, mut h] = state;
    /// Sixteen steps with the functions FF and GG of §4.3.
    macro_rules! steps {
        ($turn:literal, $ff:expr, $gg:expr) => {
            for j in 0..16 {
                let rotated = a.rotate_left_by(12);
                let ss1 = rotated.add(e).add(Word::splat(T[16 * $turn + j])).rotate_left_by(7);
                let tt1 = $ff.add(d).add(ss1.xor(rotated)).add(w[j].xor(w[(j + 4) % 16]));
                let tt2 = $gg.add(h).add(ss1).add(w[j]);
                (d, c, b, a) = (c, b.rotate_left_by(9), a, tt1);
                let p0 = tt2.xor3(tt2.rotate_left_by(9), tt2.rotate_left_by(17));
                (h, g, f, e) = (g, f.rotate_left_by(19), e, p0);
                let x = w[j].xor3(w[(j + 7) % 16], w[(j + 13) % 16].rotate_left_by(15));
                let p1 = x.xor3(x.rotate_left_by(15), x.rotate_left_by(23));
                w[j] = p1.xor3(w[(j + 3) % 16].rotate_left_by(7), w[(j + 10) % 16]);
            }
        };
    }
    steps!(0, a.xor3(b, c), e.xor3(f, g));
    steps!(1, a.majority(b, c), e.choose(f, g));
    steps!(2, a.majority(b, c), e.choose(f, g));
    steps!(3, a.majority(b, c), e.choose(f, g));
    let mut sum = state;
    for (sum, x) in sum.iter_mut().zip([a, b, c, d, e, f, g, h]) {
        *sum = sum.xor(x);
    }
    sum
});
