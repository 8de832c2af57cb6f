//! SHA-1: digests of 20 bytes, blocks of 64. **Broken**: collisions with a chosen prefix
//! have been published. For old files and protocols, and in HMAC, alone.
//!
//! | kernel | needs | messages at once | technique |
//! |---|---|---|---|
//! | `portable` | – | 1 | as the standard has it |
//!
//! - [FIPS180] Secure Hash Standard (SHS), NIST FIPS 180-4, 2015
//!
//! [FIPS180]: https://doi.org/10.6028/NIST.FIPS.180-4

use super::iterated::{Compression, Padding, bit_lengths, iterated_hashes, one_by_one};
use super::md5;
use crate::Digest;
use crate::kernel::kernels;

kernels! {
    /// How SHA-1 is computed.
    enum Kernel {}
}

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
            Kernel::Portable => compress(chain, blocks),
        }
    }
}

iterated_hashes! {
    Sha1Compression; one_by_one::<Sha1Compression>;
    /// SHA-1, [FIPS180](self) §6.1. **Broken.**
    Sha1 20 START, digest;
}

bit_lengths! {
    Sha1Compression;
    Sha1 20 digest;
}

/// [FIPS180] §5.3.1: the start of MD4 and MD5, and one word more.
pub(super) const START: [u32; 5] = {
    let [a, b, c, d] = md5::START;
    [a, b, c, d, 0xc3d2e1f0]
};

/// [FIPS180] §4.2.1: 2³⁰·√2, √3, √5 and √10, cut to integers.
const K: [u32; 4] = [0x5a827999, 0x6ed9eba1, 0x8f1bbcdc, 0xca62c1d6];

/// [FIPS180] §6.1.2 on every block. The schedule keeps its last 16 words, as §6.1.3 has it.
fn compress(chain: &mut [u32; 5], blocks: &[[u8; 64]]) {
    for block in blocks {
        let mut w = [0u32; 16];
        for (w, bytes) in w.iter_mut().zip(block.as_chunks().0) {
            *w = u32::from_be_bytes(*bytes);
        }
        let [mut a, mut b, mut c, mut d, mut e] = *chain;
        /// Twenty rounds: their number, and their function.
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
