//! SHA-256 and SHA-224: digests of 32 and 28 bytes, blocks of 64.
//!
//! | kernel | needs | messages at once | technique |
//! |---|---|---|---|
//! | `sha-ni-avx512` | SHA-NI and AVX-512 | 1; 16 or 32 in a call for many | SHA-NI; one message in each lane |
//! | `sha-ni` | SHA-NI | 1, and 2 interleaved for many | SHA-NI |
//! | `avx2` | AVX2 | 1; 8 in a call for many | one message in each lane |
//! | `portable` | – | 1 | as in the standard |
//!
//! - [FIPS180] Secure Hash Standard (SHS), NIST FIPS 180-4, 2015
//!
//! [FIPS180]: https://doi.org/10.6028/NIST.FIPS.180-4

use crate::Digest;
pub(crate) use crate::block::shacal2::K;
#[cfg(target_arch = "x86_64")]
use crate::cpu;
use crate::kernel::kernels;
use crate::machinery::each::each;
use crate::roots::SQUARE_ROOTS;

use super::iterated::{Begun, Compression, Padding, bit_lengths, iterated_hashes};
#[cfg(target_arch = "x86_64")]
use super::lanes::Width;
use super::lanes::lanes;
use super::many;

#[cfg(target_arch = "x86_64")]
mod shani;

/// The compression function of SHA-224 and SHA-256.
#[derive(Clone)]
pub(crate) struct Sha2Of32;

impl Compression for Sha2Of32 {
    type Kernel = Kernel;
    type Block = [u8; 64];
    type Chain = [u32; 8];
    const ZERO: [u32; 8] = [0; 8];
    const PADDING: Padding = Padding::sha(8);

    #[inline]
    fn compress(kernel: Kernel, chain: &mut [u32; 8], blocks: &[[u8; 64]]) {
        kernel.compress(chain, blocks);
    }

    #[inline]
    fn compress_several(kernel: Kernel, chains: &mut [[u32; 8]], blocks: &[[u8; 64]]) -> usize {
        match kernel {
            #[cfg(target_arch = "x86_64")]
            Kernel::ShaNiAvx512(token) => {
                let few = chains.len() % 16;
                let in_lanes = chains.len() - if few < FEW { few } else { 0 };
                let done = abreast(kernel, &mut chains[..in_lanes], &blocks[..in_lanes]);
                done + pairs(token.into(), &mut chains[done..], &blocks[done..])
            }
            #[cfg(target_arch = "x86_64")]
            Kernel::ShaNi(token) => pairs(token, chains, blocks),
            _ => abreast(kernel, chains, blocks),
        }
    }
}

/// Compresses one block for each chaining value by SHA-NI, two at once; returns how many are done.
#[cfg(target_arch = "x86_64")]
fn pairs(token: cpu::Sha, chains: &mut [[u32; 8]], blocks: &[[u8; 64]]) -> usize {
    many::abreast::<Sha2Of32, 2>(chains, blocks, 2, |chains, blocks| {
        shani::compress_2(token, chains, blocks, 1);
    })
}

/// The number of messages from which on sixteen lanes are faster than SHA-NI.
#[cfg(target_arch = "x86_64")]
const FEW: usize = 12;

iterated_hashes! {
    Sha2Of32; many_messages;
    /// SHA-256, [FIPS180](self) §6.2.
    Sha256 32 START_256, digest;
    /// SHA-224, [FIPS180](self) §6.3: SHA-256 with another first chaining value, truncated to
    /// 28 bytes.
    Sha224 28 START_224, digest;
}

bit_lengths! {
    Sha224 28 digest;
    Sha256 32 digest;
}

/// The first chaining value of SHA-256, [FIPS180] §5.3.3: the first 32 bits of the fractional
/// parts of the square roots of the first eight primes.
const START_256: [u32; 8] = {
    let mut start = [0; 8];
    let mut i = 0;
    while i < 8 {
        start[i] = (SQUARE_ROOTS[i] >> 32) as u32;
        i += 1;
    }
    start
};

/// The first chaining value of SHA-224, [FIPS180] §5.3.2: the second 32 bits of the fractional
/// parts of the square roots of the ninth to sixteenth primes.
const START_224: [u32; 8] = {
    let mut start = [0; 8];
    let mut i = 0;
    while i < 8 {
        start[i] = SQUARE_ROOTS[8 + i] as u32;
        i += 1;
    }
    start
};

/// Compresses every block, [FIPS180] §6.2.2.
fn compress(hash: &mut [u32; 8], blocks: &[[u8; 64]]) {
    for block in blocks {
        let mut w = [0; 16];
        for (w, bytes) in w.iter_mut().zip(block.as_chunks().0) {
            *w = u32::from_be_bytes(*bytes);
        }
        let [mut a, mut b, mut c, mut d, mut e, mut f, mut g, mut h] = *hash;
        for (t, k) in K.iter().enumerate() {
            if t >= 16 {
                // The functions σ₁ and σ₀ of §4.1.2. The code stores only the last 16 words of
                // the message schedule.
                let (w2, w15) = (w[(t - 2) % 16], w[(t - 15) % 16]);
                let s1 = w2.rotate_right(17) ^ w2.rotate_right(19) ^ w2 >> 10;
                let s0 = w15.rotate_right(7) ^ w15.rotate_right(18) ^ w15 >> 3;
                w[t % 16] = w[t % 16]
                    .wrapping_add(s1)
                    .wrapping_add(w[(t - 7) % 16])
                    .wrapping_add(s0);
            }
            let sum1 = e.rotate_right(6) ^ e.rotate_right(11) ^ e.rotate_right(25);
            let ch = g ^ (e & (f ^ g));
            let t1 = h
                .wrapping_add(sum1)
                .wrapping_add(ch)
                .wrapping_add(*k)
                .wrapping_add(w[t % 16]);
            let sum0 = a.rotate_right(2) ^ a.rotate_right(13) ^ a.rotate_right(22);
            let maj = (a & b) | (c & (a | b));
            (h, g, f, e) = (g, f, e, d.wrapping_add(t1));
            (d, c, b, a) = (c, b, a, t1.wrapping_add(sum0).wrapping_add(maj));
        }
        for (sum, x) in hash.iter_mut().zip([a, b, c, d, e, f, g, h]) {
            *sum = sum.wrapping_add(x);
        }
    }
}

kernels! {
    /// The kernels: implementations of SHA-256 for different CPU features.
    enum Kernel {
        #[cfg(target_arch = "x86_64")]
        "sha-ni-avx512" = ShaNiAvx512(cpu::ShaAvx512),
        #[cfg(target_arch = "x86_64")]
        "sha-ni" = ShaNi(cpu::Sha),
        #[cfg(target_arch = "x86_64")]
        "avx2" = Avx2(cpu::Avx2),
    }
}

#[cfg(target_arch = "x86_64")]
impl Kernel {
    #[inline]
    fn lanes(self) -> Option<Width> {
        match self {
            Self::ShaNiAvx512(token) => Some(Width::Wide(token.into())),
            // SHA-NI hashes two messages faster than AVX2 hashes eight.
            Self::ShaNi(_) => None,
            Self::Avx2(token) => Some(Width::Narrow(token)),
            Self::Portable => None,
        }
    }
}

impl Kernel {
    #[inline]
    fn compress(self, hash: &mut [u32; 8], blocks: &[[u8; 64]]) {
        match self {
            #[cfg(target_arch = "x86_64")]
            Self::ShaNiAvx512(token) => shani::compress(token.into(), hash, blocks),
            #[cfg(target_arch = "x86_64")]
            Self::ShaNi(token) => shani::compress(token, hash, blocks),
            _ => compress(hash, blocks),
        }
    }
}

/// Hashes many messages. `done` receives the index and the last chaining value of each message.
fn many_messages<'m>(
    kernel: Kernel,
    #[allow(unused_mut, reason = "on x86-64 alone, calls borrow it")] mut waiting: impl Iterator<
        Item = Begun<'m, Sha2Of32>,
    >,
    #[allow(unused_mut, reason = "on x86-64 alone, calls borrow it")] mut done: impl FnMut(
        usize,
        &[u32; 8],
    ),
) {
    #[cfg(target_arch = "x86_64")]
    {
        let two = |token| {
            move |chains: &mut [_; 2], blocks: [&[_]; 2], n| {
                shani::compress_2(token, chains, blocks, n);
            }
        };
        // Lanes cost time even if there are too few messages to fill them.
        let most = waiting.size_hint().1.unwrap_or(usize::MAX);
        let mut pair = many::Lane::lanes();
        match kernel {
            Kernel::ShaNiAvx512(token) if most >= 16 => {
                let avx512: cpu::Avx512 = token.into();
                let twice = |chains: &mut [_; 32], blocks: [&[_]; 32], n| {
                    lanes::twice::compress(avx512, chains, blocks, n);
                };
                let sixteen = |chains: &mut [_; 16], blocks: [&[_]; 16], n| {
                    lanes::avx512::compress(avx512, chains, blocks, n);
                };
                let mut lanes = many::Lane::lanes();
                if most >= 32 && !avx512.adds_quickly() {
                    let mut doubled = many::Lane::lanes();
                    many::through(&mut doubled, waiting.by_ref(), twice, &mut done);
                    many::through(
                        &mut lanes,
                        many::unfinished(&mut doubled),
                        sixteen,
                        &mut done,
                    );
                } else {
                    many::through(&mut lanes, waiting.by_ref(), sixteen, &mut done);
                }
                let left = many::unfinished(&mut lanes);
                many::through(&mut pair, left, two(token.into()), &mut done);
            }
            Kernel::ShaNiAvx512(token) => {
                many::through(&mut pair, waiting.by_ref(), two(token.into()), &mut done);
            }
            Kernel::ShaNi(token) => {
                many::through(&mut pair, waiting.by_ref(), two(token), &mut done);
            }
            _ => return many(kernel, waiting, done),
        }
        many::finish(kernel, many::unfinished(&mut pair), &mut done);
    }
    #[cfg(not(target_arch = "x86_64"))]
    many(kernel, waiting, done);
}

lanes!(Sha2Of32, 8 u32, words_be, |state, w| {
    let [mut a, mut b, mut c, mut d, mut e, mut f, mut g, mut h] = state;
    for (turn, k) in K.as_chunks::<16>().0.iter().enumerate() {
        macro_rules! step {
            ($j:ident) => {
                if turn != 0 {
                    let (w2, w15) = (w[($j + 14) % 16], w[($j + 1) % 16]);
                    let s1 = w2.rotate_left_by(32 - 17);
                    let s1 = s1.xor3(w2.rotate_left_by(32 - 19), w2.shift_right::<10>());
                    let s0 = w15.rotate_left_by(32 - 7);
                    let s0 = s0.xor3(w15.rotate_left_by(32 - 18), w15.shift_right::<3>());
                    w[$j] = w[$j].add(w[($j + 9) % 16]).add(s0.add(s1));
                }
                let sum1 = e.rotate_left_by(32 - 6);
                let sum1 = sum1.xor3(e.rotate_left_by(32 - 11), e.rotate_left_by(32 - 25));
                let t1 = h.add(w[$j]).add(Word::splat(k[$j])).add(e.choose(f, g)).add(sum1);
                let sum0 = a.rotate_left_by(32 - 2);
                let sum0 = sum0.xor3(a.rotate_left_by(32 - 13), a.rotate_left_by(32 - 22));
                (h, g, f, e) = (g, f, e, d.add(t1));
                (d, c, b, a) = (c, b, a, t1.add(sum0.add(a.majority(b, c))));
            };
        }
        // As in SHA-512: only one register of AVX-512 for each word leaves the words in registers.
        if const { size_of::<Word>() == 64 } {
            each!(J < 16 => step!(J));
        } else {
            for j in 0..16 {
                step!(j);
            }
        }
    }
    let mut sum = state;
    for (sum, x) in sum.iter_mut().zip([a, b, c, d, e, f, g, h]) {
        *sum = sum.add(x);
    }
    sum
});

#[inline]
fn digest<const OUTPUT: usize>(hash: &[u32; 8]) -> Digest<OUTPUT> {
    let mut output = [0; OUTPUT];
    for (bytes, word) in output.chunks_exact_mut(4).zip(hash) {
        bytes.copy_from_slice(&word.to_be_bytes());
    }
    output.into()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Compares the first and the last entry of each table with [FIPS180] §4.2.2 and §5.3.3.
    #[test]
    fn constants_are_those_of_the_standard() {
        assert_eq!((K[0], K[63]), (0x428a2f98, 0xc67178f2));
        assert_eq!((START_256[0], START_256[7]), (0x6a09e667, 0x5be0cd19));
        assert_eq!((START_224[0], START_224[7]), (0xc1059ed8, 0xbefa4fa4));
    }
}
