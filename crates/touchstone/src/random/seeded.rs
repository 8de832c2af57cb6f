//! A generator whose bytes follow from a seed, and that can move to any byte.

use zeroize::ZeroizeOnDrop;

use crate::debug::debug;
use crate::stream::StreamSeek;
use crate::stream::chacha::{ChaCha20, ChaChaStream};
use crate::wipe::wipe;

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

#[cfg(feature = "rand_core")]
super::rand_core_traits!([] Seeded, core::convert::Infallible, |this, output| {
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
