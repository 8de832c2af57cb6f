//! SHA-1: digests of 20 bytes, blocks of 64 bytes. **Broken**: collisions with a chosen prefix
//! have been published. Use SHA-1 only for old files and protocols, and in HMAC.
//!
//! | kernel | needs | messages at once | technique |
//! |---|---|---|---|
//! | `sha-ni-avx512` | SHA-NI, AVX-512 | 1; 16 in a call for many | SHA-NI; one message in each lane |
//! | `sha-ni` | SHA-NI | 1, and 2 interleaved for many | SHA-NI |
//! | `avx2` | AVX2 | 1; 8 in a call for many | one message in each lane |
//! | `portable` | – | 1 | as in the standard |
//!
//! - [FIPS180] Secure Hash Standard (SHS), NIST FIPS 180-4, 2015
//!
//! [FIPS180]: https://doi.org/10.6028/NIST.FIPS.180-4

use super::iterated::{Begun, Compression, Padding, bit_lengths, iterated_hashes};
#[cfg(target_arch = "x86_64")]
use super::lanes::Width;
use super::lanes::lanes;
use super::many;
use super::md5;
use crate::Digest;
#[cfg(target_arch = "x86_64")]
use crate::cpu;
use crate::kernel::kernels;

kernels! {
    /// The kernels: implementations of SHA-1 for different CPU features.
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

#[cfg(target_arch = "x86_64")]
mod shani;

/// The compression function of SHA-1.
#[derive(Clone)]
pub(crate) struct Sha1Compression;

impl Compression for Sha1Compression {
    type Kernel = Kernel;
    type Block = [u8; 64];
    type Chain = [u32; 5];
    const ZERO: [u32; 5] = [0; 5];
    const PADDING: Padding = Padding::sha(8);

    #[inline]
    fn compress(kernel: Kernel, chain: &mut [u32; 5], blocks: &[[u8; 64]]) {
        match kernel {
            #[cfg(target_arch = "x86_64")]
            Kernel::ShaNiAvx512(token) => shani::compress(token.into(), chain, blocks),
            #[cfg(target_arch = "x86_64")]
            Kernel::ShaNi(token) => shani::compress(token, chain, blocks),
            #[cfg(target_arch = "x86_64")]
            Kernel::Avx2(_) => compress(chain, blocks),
            Kernel::Portable => compress(chain, blocks),
        }
    }

    #[inline]
    fn compress_several(kernel: Kernel, chains: &mut [[u32; 5]], blocks: &[[u8; 64]]) -> usize {
        match kernel {
            #[cfg(target_arch = "x86_64")]
            Kernel::ShaNiAvx512(token) if chains.len() < FEW => pairs(token.into(), chains, blocks),
            #[cfg(target_arch = "x86_64")]
            Kernel::ShaNi(token) => pairs(token, chains, blocks),
            _ => abreast(kernel, chains, blocks),
        }
    }
}

/// Compresses one block for each chaining value by SHA-NI, two at once; returns how many are done.
#[cfg(target_arch = "x86_64")]
fn pairs(token: cpu::Sha, chains: &mut [[u32; 5]], blocks: &[[u8; 64]]) -> usize {
    many::abreast::<Sha1Compression, 2>(chains, blocks, 2, |chains, blocks| {
        shani::compress_2(token, chains, blocks, 1);
    })
}

/// Hashes many messages. `done` receives the index and the last chaining value of each message.
fn many_messages<'m>(
    kernel: Kernel,
    begun: impl Iterator<Item = Begun<'m, Sha1Compression>>,
    #[allow(unused_mut, reason = "on x86-64 alone, two calls borrow it")] mut done: impl FnMut(
        usize,
        &[u32; 5],
    ),
) {
    #[cfg(target_arch = "x86_64")]
    if let Kernel::ShaNi(token) = kernel {
        let two = |chains: &mut [_; 2], blocks: [&[_]; 2], n| {
            shani::compress_2(token, chains, blocks, n);
        };
        let mut lanes = many::Lane::lanes();
        many::through(&mut lanes, begun, two, &mut done);
        return many::finish(kernel, many::unfinished(&mut lanes), &mut done);
    }
    many(kernel, begun, done);
}

/// The number of messages from which on sixteen lanes are faster than SHA-NI.
#[cfg(target_arch = "x86_64")]
const FEW: usize = 9;

iterated_hashes! {
    Sha1Compression; many_messages;
    /// SHA-1, [FIPS180](self) §6.1. **Broken.**
    Sha1 20 START, digest;
}

bit_lengths! {
    Sha1 20 digest;
}

/// The first chaining value, [FIPS180] §5.3.1: the four words of MD4 and MD5, and one more
/// word.
pub(super) const START: [u32; 5] = {
    let [a, b, c, d] = md5::START;
    [a, b, c, d, 0xc3d2e1f0]
};

/// The constants of the rounds, [FIPS180] §4.2.1: 2³⁰ times √2, √3, √5 and √10, rounded down.
const K: [u32; 4] = [0x5a827999, 0x6ed9eba1, 0x8f1bbcdc, 0xca62c1d6];

/// Compresses every block, [FIPS180] §6.1.2. The code stores only the last 16 words of the
/// message schedule, as in §6.1.3.
fn compress(chain: &mut [u32; 5], blocks: &[[u8; 64]]) {
    for block in blocks {
        let mut w = [0u32; 16];
        for (w, bytes) in w.iter_mut().zip(block.as_chunks().0) {
            *w = u32::from_be_bytes(*bytes);
        }
        let [mut a, mut b, mut c, mut d, mut e] = *chain;
        /// Computes twenty rounds. The arguments are the number of the group of twenty, and the
        /// group's function.
        macro_rules! rounds {
            ($number:literal, $f:expr) => {
                for t in 20 * $number..20 * $number + 20 {
                    if t >= 16 {
                        let x = w[(t + 13) % 16] ^ w[(t + 8) % 16] ^ w[(t + 2) % 16] ^ w[t % 16];
                        w[t % 16] = x.rotate_left(1);
                    }
                    let sum = a
                        .rotate_left(5)
                        .wrapping_add($f)
                        .wrapping_add(e)
                        .wrapping_add(K[$number])
                        .wrapping_add(w[t % 16]);
                    (e, d, c, b, a) = (d, c, b.rotate_left(30), a, sum);
                }
            };
        }
        rounds!(0, d ^ (b & (c ^ d)));
        rounds!(1, b ^ c ^ d);
        rounds!(2, (b & c) | (d & (b | c)));
        rounds!(3, b ^ c ^ d);
        for (sum, x) in chain.iter_mut().zip([a, b, c, d, e]) {
            *sum = sum.wrapping_add(x);
        }
    }
}

#[inline]
fn digest(chain: &[u32; 5]) -> Digest<20> {
    let mut output = [0; 20];
    for (bytes, word) in output.as_chunks_mut().0.iter_mut().zip(chain) {
        *bytes = word.to_be_bytes();
    }
    output.into()
}

lanes!(Sha1Compression, 5 u32, words_be, |h, w| {
    let [mut a, mut b, mut c, mut d, mut e] = h;
    /// Computes four rounds. The arguments are the first round, the number of the group of
    /// twenty, and the group's function.
    macro_rules! rounds {
        ($first:literal, $number:literal, $f:expr) => {
            for t in $first..$first + 4 {
                if t >= 16 {
                    let x = w[(t + 13) % 16].xor3(w[(t + 8) % 16], w[(t + 2) % 16]);
                    w[t % 16] = x.xor(w[t % 16]).rotate_left_by(1);
                }
                let sum = a
                    .rotate_left_by(5)
                    .add($f)
                    .add(e)
                    .add(Word::splat(K[$number]))
                    .add(w[t % 16]);
                (e, d, c, b, a) = (d, c, b.rotate_left_by(30), a, sum);
            }
        };
    }
    macro_rules! twenty {
        ($number:literal, $f:expr, $($first:literal)*) => { $(rounds!($first, $number, $f);)* };
    }
    twenty!(0, b.choose(c, d), 0 4 8 12 16);
    twenty!(1, b.xor3(c, d), 20 24 28 32 36);
    twenty!(2, b.majority(c, d), 40 44 48 52 56);
    twenty!(3, b.xor3(c, d), 60 64 68 72 76);
    [h[0].add(a), h[1].add(b), h[2].add(c), h[3].add(d), h[4].add(e)]
}, twice false);
