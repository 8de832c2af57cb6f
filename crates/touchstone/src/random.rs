//! Generators of random bytes.
//!
//! | generator | bytes | use |
//! |---|---|---|
//! | [`Generator`] | seeded by the system, different after a fork | keys, nonces, everything secret |
//! | [`Seeded`] | follow from a seed, from any position | tests, simulations, data that can be made again |
//! | [`Salsar`](salsar::Salsar) | follow from a seed, as in W. Ehrhardt's unit of this name | old simulations |
//!
//! ```
//! use touchstone::random::Generator;
//!
//! let mut generator = Generator::new()?;
//! let (mut key, mut nonce) = ([0; 32], [0; 12]);
//! generator.fill(&mut key)?;
//! generator.fill(&mut nonce)?;
//! # assert_ne!(key, [0; 32]);
//! # Ok::<(), touchstone::random::SystemError>(())
//! ```
//!
//! [`Generator`] is ChaCha20 with fast key erasure, [FKE]: each run of the cipher makes the
//! next key before any output, and `fill` wipes the output in the buffer that it returns. So an
//! attacker who reads the memory of a program cannot compute earlier output. The generator
//! takes new bytes from the system after each MiB of output, and after a fork, so parent and
//! child never give the same output. If a whole machine is copied (a snapshot that is started
//! twice), both copies give the same output until they have taken new bytes. A program that
//! knows of such a copy should call [`Generator::reseed`].
//!
//! - [FKE] D. Bernstein: Fast-key-erasure random-number generators, 2017
//!
//! [FKE]: https://blog.cr.yp.to/20170723-random.html

use core::fmt;

use zeroize::ZeroizeOnDrop;

use crate::debug::debug;
use crate::stream::StreamSeek;
use crate::stream::chacha::{ChaCha20, ChaChaStream};
use crate::wipe::wipe;

mod fork;
#[cfg(feature = "salsa20")]
pub mod salsar;

/// The error if the system gave no random bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SystemError;

impl fmt::Display for SystemError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the system gave no random bytes")
    }
}

impl core::error::Error for SystemError {}

/// A generator of secret bytes. [The module](self) describes how it works.
pub struct Generator {
    key: [u8; 32],
    /// Output that was computed in advance. The first `used` bytes have been returned and
    /// wiped.
    buffer: [u8; BUFFER],
    used: usize,
    /// The number of bytes of output until the generator needs new bytes from the system.
    left: usize,
    /// The value of the fork counter when this generator last took new bytes from the system.
    generation: u64,
}

debug!([] Generator, "Generator");

/// The length of the buffer in bytes. A key and the buffer together are eight blocks of
/// ChaCha20.
const BUFFER: usize = 512 - 32;

/// The number of bytes of output between two seeds from the system.
const PERIOD: usize = 1 << 20;

impl Generator {
    /// Makes a generator with a seed from the system.
    ///
    /// # Errors
    ///
    /// [`SystemError`] if the system gives no random bytes.
    pub fn new() -> Result<Self, SystemError> {
        let mut this = Self {
            key: [0; 32],
            buffer: [0; BUFFER],
            used: BUFFER,
            left: 0,
            generation: 0,
        };
        this.reseed()?;
        Ok(this)
    }

    /// Takes new bytes from the system. `fill` calls this method itself when new bytes are
    /// necessary.
    ///
    /// # Errors
    ///
    /// [`SystemError`] if the system gives no random bytes; then the state is unchanged.
    pub fn reseed(&mut self) -> Result<(), SystemError> {
        let generation = fork::generation();
        let mut seed = [0; 32];
        getrandom::fill(&mut seed).map_err(|_| SystemError)?;
        // The new key is the old key XOR the seed, so a bad seed makes the key no weaker.
        for (key, seed) in self.key.iter_mut().zip(&seed) {
            *key ^= seed;
        }
        wipe(&mut seed, 0);
        wipe(&mut self.buffer, 0);
        self.used = BUFFER;
        self.left = PERIOD;
        self.generation = generation;
        Ok(())
    }

    /// Fills `output` with random bytes.
    ///
    /// # Errors
    ///
    /// [`SystemError`], if new bytes are necessary and the system gives none; then the output
    /// is unchanged.
    pub fn fill(&mut self, output: &mut [u8]) -> Result<(), SystemError> {
        if self.left == 0 || self.generation != fork::generation() {
            self.reseed()?;
        }
        self.left = self.left.saturating_sub(output.len());
        let (held, rest) = output.split_at_mut(output.len().min(BUFFER - self.used));
        self.take(held);
        if rest.len() >= BUFFER {
            self.run(rest);
        } else if !rest.is_empty() {
            let mut buffer = [0; BUFFER];
            self.run(&mut buffer);
            self.buffer = buffer;
            wipe(&mut buffer, 0);
            self.used = 0;
            self.take(rest);
        }
        Ok(())
    }

    /// Copies bytes of the buffer to `output` and wipes them in the buffer.
    fn take(&mut self, output: &mut [u8]) {
        let held = &mut self.buffer[self.used..][..output.len()];
        output.copy_from_slice(held);
        wipe(held, 0);
        self.used += output.len();
    }

    /// Runs the cipher, which makes first the next key and then output.
    fn run(&mut self, output: &mut [u8]) {
        // The nonce is always zero, because each key is used once.
        let mut stream = ChaCha20::new(&self.key).stream_original(&[0; 8]);
        stream.keystream(&mut self.key);
        stream.keystream(output);
    }
}

impl Drop for Generator {
    fn drop(&mut self) {
        wipe(&mut self.key, 0);
        wipe(&mut self.buffer, 0);
    }
}

impl ZeroizeOnDrop for Generator {}

/// A generator whose bytes follow from a seed, from any position: the keystream of ChaCha20
/// with the seed as its key, a nonce of eight zero bytes and a counter of 64 bits. The
/// generator stores its seed, so an attacker who reads its memory can compute all its output.
///
/// ```
/// use touchstone::random::Seeded;
///
/// let mut generator = Seeded::new(&[7; 32]);
/// let mut bytes = [0; 100];
/// generator.fill(&mut bytes);
/// generator.seek(90);
/// let mut end = [0; 10];
/// generator.fill(&mut end);
/// assert_eq!(end, bytes[90..]);
/// ```
#[derive(Clone)]
pub struct Seeded {
    /// The keystream after the buffer.
    stream: ChaChaStream<20>,
    /// Output that was computed in advance. The first `used` bytes have been returned.
    buffer: [u8; AHEAD],
    used: usize,
}

debug!([] Seeded, "Seeded");

/// The length of the buffer of [`Seeded`] in bytes: four blocks of ChaCha20, which the kernels
/// compute in little more time than one.
const AHEAD: usize = 256;

impl Seeded {
    /// Makes a generator with this seed, at the first byte of its output.
    pub fn new(seed: &[u8; 32]) -> Self {
        Self {
            stream: ChaCha20::new(seed).stream_original(&[0; 8]),
            buffer: [0; AHEAD],
            used: AHEAD,
        }
    }

    /// Fills `output` with the next bytes of the output.
    pub fn fill(&mut self, output: &mut [u8]) {
        let (held, rest) = output.split_at_mut(output.len().min(AHEAD - self.used));
        self.take(held);
        if rest.len() >= AHEAD {
            self.stream.keystream(rest);
        } else if !rest.is_empty() {
            self.stream.keystream(&mut self.buffer);
            self.used = 0;
            self.take(rest);
        }
    }

    /// Copies bytes of the buffer to `output`.
    fn take(&mut self, output: &mut [u8]) {
        output.copy_from_slice(&self.buffer[self.used..][..output.len()]);
        self.used += output.len();
    }

    /// Sets the position of the next byte of output, counted in bytes from 0.
    pub fn seek(&mut self, byte: u64) {
        self.stream.seek(byte);
        self.used = AHEAD;
    }
}

impl Drop for Seeded {
    fn drop(&mut self) {
        wipe(&mut self.buffer, 0);
    }
}

impl ZeroizeOnDrop for Seeded {}

/// Implements the traits of `rand_core`.
#[cfg(feature = "rand_core")]
macro_rules! rand_core_traits {
    ($Generator:ident, $Error:ty, |$this:ident, $output:ident| $fill:expr) => {
        impl rand_core::TryRng for $Generator {
            type Error = $Error;

            fn try_next_u32(&mut self) -> Result<u32, $Error> {
                let mut bytes = [0; 4];
                self.try_fill_bytes(&mut bytes)?;
                Ok(u32::from_le_bytes(bytes))
            }

            fn try_next_u64(&mut self) -> Result<u64, $Error> {
                let mut bytes = [0; 8];
                self.try_fill_bytes(&mut bytes)?;
                Ok(u64::from_le_bytes(bytes))
            }

            fn try_fill_bytes(&mut self, $output: &mut [u8]) -> Result<(), $Error> {
                let $this = self;
                $fill
            }
        }

        impl rand_core::TryCryptoRng for $Generator {}
    };
}

#[cfg(feature = "rand_core")]
rand_core_traits!(Generator, SystemError, |this, output| this.fill(output));
#[cfg(feature = "rand_core")]
rand_core_traits!(Seeded, core::convert::Infallible, |this, output| {
    this.fill(output);
    Ok(())
});

#[cfg(feature = "rand_core")]
impl rand_core::SeedableRng for Seeded {
    type Seed = [u8; 32];

    fn from_seed(seed: [u8; 32]) -> Self {
        Self::new(&seed)
    }
}
