//! Rabbit: a stream cipher of eSTREAM's portfolio by M. Boesgaard and others, [RFC4503].
//!
//! Keys have 16 bytes. Nonces have 8 bytes, or there is none: then the key has a single
//! keystream. Bytes have the order of eSTREAM; the RFC writes each number in the opposite
//! order. Constant-time on processors with constant-time multiplication. The only kernel
//! is portable, because each step depends on the step before.
//!
//! - [RFC4503] A Description of the Rabbit Stream Cipher Algorithm, RFC 4503, 2006
//!
//! [RFC4503]: https://www.rfc-editor.org/rfc/rfc4503

use inout::InOutBuf;
use zeroize::ZeroizeOnDrop;

use super::keystream::{Keystream, Source};
use super::{InvalidNonceLength, StreamKey, keystream_type};
use crate::cipher::Block as _;
use crate::debug::debug;
use crate::kernel::kernels;
use crate::wipe::wipe;
use crate::{FixedKey, InvalidKeyLength, Kernel as _, KeyLengths, Keyed};

kernels! {
    /// The kernels that compute Rabbit.
    enum Kernel {}
}

/// Length of a block of the keystream in bytes.
const BLOCK: usize = 16;

/// A key of Rabbit.
#[derive(Clone)]
pub struct Rabbit(State);

debug!([] Rabbit, "Rabbit");

/// The keystream for one nonce, or for a key without a nonce.
#[derive(Clone)]
pub struct RabbitStream(Keystream<State, [u8; BLOCK]>);

#[derive(Clone)]
struct State {
    x: [u32; 8],
    /// The counters. `carry` goes from the last counter to the first.
    c: [u32; 8],
    carry: u32,
}

/// The constants that are added to the counters, [RFC4503] §2.5.
const A: [u32; 3] = [0x4d34_d34d, 0xd34d_34d3, 0x34d3_4d34];

impl State {
    /// The key set-up, [RFC4503] §2.3.
    fn new(key: &[u8; 16]) -> Self {
        let mut k: [u32; 8] =
            core::array::from_fn(|i| u32::from(u16::from_le_bytes([key[2 * i], key[2 * i + 1]])));
        let pair = |high: usize, low: usize| k[high % 8] << 16 | k[low % 8];
        let even = |j: usize| j.is_multiple_of(2);
        let mut this = Self {
            x: core::array::from_fn(|j| {
                if even(j) {
                    pair(j + 1, j)
                } else {
                    pair(j + 5, j + 4)
                }
            }),
            c: core::array::from_fn(|j| {
                if even(j) {
                    pair(j + 4, j + 5)
                } else {
                    pair(j, j + 1)
                }
            }),
            carry: 0,
        };
        wipe(&mut k, 0);
        for _ in 0..4 {
            this.step();
        }
        for j in 0..8 {
            this.c[j] ^= this.x[(j + 4) % 8];
        }
        this
    }

    /// The set-up for a nonce, [RFC4503] §2.4.
    fn with_nonce(mut self, nonce: &[u8; 8]) -> Self {
        let (halves, _) = nonce.as_chunks();
        let low = u32::from_le_bytes(halves[0]);
        let high = u32::from_le_bytes(halves[1]);
        let mixed = [
            low,
            high & 0xffff_0000 | low >> 16,
            high,
            high << 16 | low & 0xffff,
        ];
        for j in 0..8 {
            self.c[j] ^= mixed[j % 4];
        }
        for _ in 0..4 {
            self.step();
        }
        self
    }

    /// One step: first the counters, then the state, [RFC4503] §2.5 and §2.6.
    #[inline(always)]
    fn step(&mut self) {
        let mut g = [0; 8];
        for j in 0..8 {
            // The carry is a number, because compilers may make a branch from a `bool`.
            let wide = u64::from(self.c[j]) + u64::from(A[j % 3]) + u64::from(self.carry);
            let sum = wide as u32;
            self.c[j] = sum;
            self.carry = (wide >> 32) as u32;
            let square = u64::from(self.x[j].wrapping_add(sum)).pow(2);
            g[j] = square as u32 ^ (square >> 32) as u32;
        }
        for j in 0..8 {
            let (a, b) = (g[(j + 7) % 8], g[(j + 6) % 8]);
            let sum = if j.is_multiple_of(2) {
                a.rotate_left(16).wrapping_add(b.rotate_left(16))
            } else {
                a.rotate_left(8).wrapping_add(b)
            };
            self.x[j] = g[j].wrapping_add(sum);
        }
    }
}

impl Rabbit {
    /// Sets a key up.
    pub fn new(key: &[u8; 16]) -> Self {
        Self(State::new(key))
    }

    /// The keystream for a nonce.
    pub fn stream(&self, nonce: &[u8; 8]) -> RabbitStream {
        RabbitStream(Keystream::new(self.0.clone().with_nonce(nonce)))
    }

    /// The only keystream of a key that is used without nonces.
    pub fn stream_without_nonce(&self) -> RabbitStream {
        RabbitStream(Keystream::new(self.0.clone()))
    }
}

impl FixedKey for Rabbit {
    type Key = [u8; 16];
}

impl Keyed for Rabbit {
    type Kernel = Kernel;
    const KEY_LENGTHS: KeyLengths = KeyLengths::exactly(16);

    fn with_kernel(_: Kernel, key: &[u8]) -> Result<Self, InvalidKeyLength> {
        Self::KEY_LENGTHS.array(key).map(Self::new)
    }

    fn kernel_in_use(&self) -> Kernel {
        Kernel::best()
    }
}

impl StreamKey for Rabbit {
    type Stream = RabbitStream;
    type Nonce = [u8; 8];
    /// 8 bytes, or 0 for the keystream without a nonce.
    const NONCE_LENGTHS: KeyLengths = KeyLengths::every(8, 0, 8);

    #[inline]
    fn stream(&self, nonce: &Self::Nonce) -> Self::Stream {
        self.stream(nonce)
    }

    fn stream_from_slice(&self, nonce: &[u8]) -> Result<RabbitStream, InvalidNonceLength> {
        if nonce.is_empty() {
            return Ok(self.stream_without_nonce());
        }
        match nonce.try_into() {
            Ok(nonce) => Ok(self.stream(nonce)),
            Err(_) => Err(InvalidNonceLength {
                given: nonce.len(),
                wanted: Self::NONCE_LENGTHS,
            }),
        }
    }
}

impl Source<[u8; BLOCK]> for State {
    fn apply_blocks(&mut self, blocks: InOutBuf<'_, '_, [u8; BLOCK]>) {
        for mut block in blocks {
            self.step();
            // The output, [RFC4503] §2.7.
            let x = &self.x;
            let words = [
                x[0] ^ x[5] >> 16 ^ x[3] << 16,
                x[2] ^ x[7] >> 16 ^ x[5] << 16,
                x[4] ^ x[1] >> 16 ^ x[7] << 16,
                x[6] ^ x[3] >> 16 ^ x[1] << 16,
            ];
            let mut keystream = [0; BLOCK];
            for (bytes, word) in keystream.as_chunks_mut().0.iter_mut().zip(words) {
                *bytes = word.to_le_bytes();
            }
            *block.get_out() = block.get_in().xor(keystream);
        }
    }
}

keystream_type!("RabbitStream", [] RabbitStream);

impl Drop for State {
    fn drop(&mut self) {
        wipe(&mut self.x, 0);
        wipe(&mut self.c, 0);
        wipe(core::slice::from_mut(&mut self.carry), 0);
    }
}

impl ZeroizeOnDrop for Rabbit {}
