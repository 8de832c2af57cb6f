//! Sosemanuk: a stream cipher of eSTREAM's portfolio by C. Berbain and others. It
//! combines parts of SNOW 2.0 and of Serpent.
//!
//! Keys have 1 to 32 bytes (the paper requires 16 or more), nonces 16 bytes.
//! Constant-time: products in the field of 2³² elements are computed without tables, four
//! at once.
//!
//! | kernel | needs | technique |
//! |---|---|---|
//! | `avx512` | AVX-512 with GFNI | the products are matrices of bits times bytes |
//! | `avx2` | AVX2 | the products are lookups of two bits of a byte in registers |
//! | `portable` | – | the products are sums of words, one for each bit |
//!
//! - [SOSEMANUK] C. Berbain et al.: Sosemanuk, a fast software-oriented stream cipher,
//!   eSTREAM, 2005
//!
//! [SOSEMANUK]: https://www.ecrypt.eu.org/stream/sosemanukpf.html

use inout::InOutBuf;
use zeroize::ZeroizeOnDrop;

use super::keystream::{Keystream, Source};
use super::{StreamKey, keystream_type};
use crate::block::serpent::Serpent24;
use crate::cipher::Block as _;
#[cfg(target_arch = "x86_64")]
use crate::cpu;
use crate::debug::debug;
use crate::kernel::kernels;
use crate::machinery::field::product;
use crate::wipe::wipe;
use crate::{InvalidKeyLength, KeyLengths, Keyed};

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;

kernels! {
    /// The kernels that compute Sosemanuk.
    enum Kernel {
        #[cfg(target_arch = "x86_64")]
        "avx512" = Avx512(cpu::Avx512),
        #[cfg(target_arch = "x86_64")]
        "avx2" = Avx2(cpu::Avx2),
    }
}

/// Length of a block of the keystream in bytes. A block is 20 steps, after which each
/// word of the register is in its own place again.
const BLOCK: usize = 80;

/// A key of Sosemanuk.
#[derive(Clone)]
pub struct Sosemanuk {
    kernel: Kernel,
    key: Serpent24,
}

debug!([] Sosemanuk, "Sosemanuk");

/// The keystream of one nonce.
#[derive(Clone)]
pub struct SosemanukStream(Keystream<State, [u8; BLOCK]>);

#[derive(Clone)]
struct State {
    kernel: Kernel,
    /// The linear register: s₁ to s₁₀ before the first step.
    s: [u32; 10],
    /// The memory of the finite state machine.
    r: [u32; 2],
}

impl Sosemanuk {
    /// The keystream for a nonce.
    pub fn stream(&self, nonce: &[u8; 16]) -> SosemanukStream {
        // The words of Serpent's state after 12, 18 and 24 rounds, [SOSEMANUK] §3.2.
        let [a, b, c] = self.key.states(nonce);
        SosemanukStream(Keystream::new(State {
            kernel: self.kernel,
            s: [c[3], c[2], c[1], c[0], b[1], b[3], a[3], a[2], a[1], a[0]],
            r: [b[0], b[2]],
        }))
    }
}

impl Keyed for Sosemanuk {
    type Kernel = Kernel;
    const KEY_LENGTHS: KeyLengths = KeyLengths::every(1, 1, 32);

    fn with_kernel(kernel: Kernel, key: &[u8]) -> Result<Self, InvalidKeyLength> {
        Self::KEY_LENGTHS.check(key)?;
        Ok(Self {
            kernel,
            key: Serpent24::new(key),
        })
    }

    fn kernel_in_use(&self) -> Kernel {
        self.kernel
    }
}

impl StreamKey for Sosemanuk {
    type Stream = SosemanukStream;
    type Nonce = [u8; 16];

    #[inline]
    fn stream(&self, nonce: &Self::Nonce) -> Self::Stream {
        self.stream(nonce)
    }
}

/// The modulus of the field of 2⁸ elements, [SOSEMANUK] §2.2. Its root is β: x⁸ + x⁷ + x⁵
/// + x³ + 1.
const BETA: u16 = 0x1a9;

/// A word whose bytes are `x` times powers of β. The exponents are given from the most
/// significant byte on.
const fn powers(x: u8, exponents: [u32; 4]) -> u32 {
    let mut word = 0;
    let mut i = 0;
    while i < 4 {
        let power = crate::machinery::field::power(2, exponents[i], BETA);
        word = word << 8 | product(x, power, BETA) as u32;
        i += 1;
    }
    word
}

/// A linear map from bytes to words, as one word for each bit of the byte.
const fn map_of_bits(exponents: [u32; 4]) -> [u32; 8] {
    let mut map = [0; 8];
    let mut bit = 0;
    while bit < 8 {
        map[bit] = powers(1 << bit, exponents);
        bit += 1;
    }
    map
}

/// The part that the highest byte of a number adds to the product of this number and α,
/// [SOSEMANUK] §2.2. α is a root of x⁴ + β²³x³ + β²⁴⁵x² + β⁴⁸x + β²³⁹.
const TIMES_ALPHA: [u32; 8] = map_of_bits([23, 245, 48, 239]);

/// The part that the lowest byte of a number adds to this number divided by α.
const OVER_ALPHA: [u32; 8] = map_of_bits([16, 39, 6, 64]);

/// α · `a` + α⁻¹ · `b`, for four pairs.
#[inline(always)]
fn feedback(a: [u32; 4], b: [u32; 4]) -> [u32; 4] {
    let mut sum: [u32; 4] = core::array::from_fn(|i| a[i] << 8 ^ b[i] >> 8);
    for bit in 0..8 {
        for i in 0..4 {
            let high = ((a[i] << (7 - bit)) as i32 >> 31) as u32;
            let low = ((b[i] << (31 - bit)) as i32 >> 31) as u32;
            sum[i] ^= high & TIMES_ALPHA[bit] ^ low & OVER_ALPHA[bit];
        }
    }
    sum
}

/// The outputs of the finite state machine in four steps, [SOSEMANUK] §2.4, from the ten words of
/// the register, the first three of the four new words, and the machine's memory.
#[inline(always)]
fn outputs_of_four(s: &[u32; 13], r: &mut [u32; 2]) -> [u32; 4] {
    let [mut r1, mut r2] = *r;
    let mut f = [0; 4];
    for t in 0..4 {
        let choice = (r1 & 1).wrapping_neg() & s[8 + t];
        let next = r2.wrapping_add(s[1 + t] ^ choice);
        r2 = r1.wrapping_mul(0x5465_5307).rotate_left(7);
        r1 = next;
        f[t] = s[9 + t].wrapping_add(r1) ^ r2;
    }
    *r = [r1, r2];
    f
}

impl State {
    /// Four steps, [SOSEMANUK] §2.5: sixteen bytes of keystream.
    #[inline(always)]
    fn four(&mut self) -> [u32; 4] {
        // The register and the four new words.
        let mut s = [0; 14];
        s[..10].copy_from_slice(&self.s);
        let added = feedback([s[0], s[1], s[2], s[3]], [s[3], s[4], s[5], s[6]]);
        for t in 0..4 {
            s[10 + t] = s[9 + t] ^ added[t];
        }
        self.s.copy_from_slice(&s[4..]);
        let f = outputs_of_four(s.first_chunk().expect("14 words"), &mut self.r);
        let f = Serpent24::s2(f);
        core::array::from_fn(|t| f[t] ^ s[t])
    }
}

impl Source<[u8; BLOCK]> for State {
    fn apply_blocks(&mut self, blocks: InOutBuf<'_, '_, [u8; BLOCK]>) {
        match self.kernel {
            #[cfg(target_arch = "x86_64")]
            Kernel::Avx512(token) => return avx512::apply(token, self, blocks),
            #[cfg(target_arch = "x86_64")]
            Kernel::Avx2(token) => return avx2::apply(token, self, blocks),
            Kernel::Portable => {}
        }
        for mut block in blocks {
            let mut keystream = [0; BLOCK];
            for sixteen in keystream.as_chunks_mut::<16>().0 {
                let words = self.four();
                for (bytes, word) in sixteen.as_chunks_mut().0.iter_mut().zip(words) {
                    *bytes = word.to_le_bytes();
                }
            }
            let (input, _) = block.get_in().as_chunks::<16>();
            let mut output = [0; BLOCK];
            let sums = output.as_chunks_mut::<16>().0.iter_mut();
            for ((output, input), key) in sums.zip(input).zip(keystream.as_chunks::<16>().0) {
                *output = input.xor(*key);
            }
            *block.get_out() = output;
            wipe(&mut keystream, 0);
        }
    }
}

keystream_type!("SosemanukStream", [] SosemanukStream);

impl Drop for State {
    fn drop(&mut self) {
        wipe(&mut self.s, 0);
        wipe(&mut self.r, 0);
    }
}

impl ZeroizeOnDrop for Sosemanuk {}
