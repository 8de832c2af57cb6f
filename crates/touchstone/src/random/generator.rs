//! The generator that the system seeds. The module [`random`](super) describes how it works.

use core::fmt;

use zeroize::ZeroizeOnDrop;

use super::fork;
use crate::debug::debug;
use crate::stream::chacha::ChaCha20;
use crate::wipe::wipe;

/// The error if the system gave no random bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SystemError;

impl fmt::Display for SystemError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the system gave no random bytes")
    }
}

impl core::error::Error for SystemError {}

/// A generator of secret bytes. [The module](super) describes how it works.
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

#[cfg(feature = "rand_core")]
super::rand_core_traits!([] Generator, SystemError, |this, output| this.fill(output));
