//! The generator `salsar` of W. Ehrhardt's units for Pascal, for simulations that must give the
//! same numbers again. The generator is Salsa20, usually with 8 rounds, with a key of 16 bytes,
//! in buffers of 128 bytes. **Not for secrets**: a search can find a seed of 32 bits.
//!
//! The source is W. Ehrhardt: unit `salsar`, 2018. The answers in the tests are recorded from
//! runs of the unit.

use crate::debug::debug;
use crate::stream::salsa20::{Salsa, SalsaStream};
use crate::wipe::wipe;
use crate::{Keyed, StreamKey};

/// The generator with `ROUNDS` rounds: 8, 12 or 20.
///
/// ```
/// use touchstone::random::salsar::Salsar;
///
/// let mut generator = Salsar::<8>::new(1);
/// assert_eq!(generator.next_u32(), 0x913a_4b56);
/// ```
#[derive(Clone)]
pub struct Salsar<const ROUNDS: usize> {
    stream: SalsaStream<ROUNDS>,
    buffer: [u8; BUFFER],
    used: usize,
}

debug!([const ROUNDS: usize] Salsar<ROUNDS>, "Salsar");

/// The length of the buffer in bytes: two blocks of Salsa20.
const BUFFER: usize = 128;

impl<const ROUNDS: usize> Salsar<ROUNDS> {
    /// Makes a generator from a seed, as `salsar_init` does. The seed is the first of six
    /// words, and each further word is 69069 times the word before, plus 1.
    pub fn new(seed: u32) -> Self {
        let mut words = [seed; 6];
        for i in 1..words.len() {
            words[i] = words[i - 1].wrapping_mul(69069).wrapping_add(1);
        }
        Self::from_words(&words)
    }

    /// Makes a generator from six words, as `salsar_inita` does. Four words are the key, and
    /// two words are the nonce.
    pub fn from_words(words: &[u32; 6]) -> Self {
        let mut bytes = [0; 24];
        for (bytes, word) in bytes.as_chunks_mut().0.iter_mut().zip(words) {
            *bytes = word.to_le_bytes();
        }
        let (key, nonce) = bytes.split_at(16);
        let (Ok(key), Ok(nonce)) = (Salsa::<ROUNDS>::from_slice(key), nonce.try_into()) else {
            unreachable!("Salsa20 takes keys of 16 bytes and nonces of 8")
        };
        Self {
            stream: StreamKey::stream(&key, nonce),
            buffer: [0; BUFFER],
            used: BUFFER,
        }
    }

    /// Returns the next word of the buffer, as `salsar_dword` does.
    pub fn next_u32(&mut self) -> u32 {
        if self.used == BUFFER {
            self.stream.keystream(&mut self.buffer);
            self.used = 0;
        }
        let (words, _) = self.buffer[self.used..].as_chunks();
        self.used += 4;
        u32::from_le_bytes(words[0])
    }

    /// Returns 31 bits as a number that is not negative, as `salsar_long` does.
    pub fn next_long(&mut self) -> i32 {
        (self.next_u32() >> 1) as i32
    }

    /// Returns 16 bits, the upper half of the next word, as `salsar_word` does.
    pub fn next_u16(&mut self) -> u16 {
        (self.next_u32() >> 16) as u16
    }

    /// Returns a number of at least 0 and less than 1, made from 32 bits, as `salsar_double`
    /// does.
    pub fn next_double(&mut self) -> f64 {
        let number = i64::from(self.next_u32() as i32) + (1 << 31);
        number as f64 / 4_294_967_296.0
    }

    /// Returns a number of at least 0 and less than 1, made from 53 bits, as `salsar_double53`
    /// does.
    pub fn next_double53(&mut self) -> f64 {
        let a = u64::from(self.next_u32() >> 5);
        let b = u64::from(self.next_u32() >> 6);
        (a << 26 | b) as f64 / 9_007_199_254_740_992.0
    }

    /// Fills `output` with bytes of new blocks, as `salsar_read` does. Drops the remaining
    /// bytes of the buffer and the remaining bytes of the last new block.
    pub fn fill(&mut self, output: &mut [u8]) {
        self.used = BUFFER;
        self.stream.keystream(output);
        let mut dropped = [0; 64];
        self.stream
            .keystream(&mut dropped[..output.len().wrapping_neg() % 64]);
    }
}

impl<const ROUNDS: usize> Drop for Salsar<ROUNDS> {
    fn drop(&mut self) {
        wipe(&mut self.buffer, 0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Compares the generator with answers that are recorded from runs of the unit.
    #[test]
    fn answers_of_the_unit() {
        let mut eight = Salsar::<8>::new(1);
        let words = [(); 4].map(|()| eight.next_u32());
        assert_eq!(words, [0x913a_4b56, 0x1731_e1c9, 0x0dc3_ce76, 0x0caf_29b1]);
        let mut twelve = Salsar::<12>::new(1);
        assert_eq!(
            [twelve.next_u32(), twelve.next_u32()],
            [0x0c3a_8cbc, 0xf66b_6526]
        );
        let mut twenty = Salsar::<20>::new(1);
        assert_eq!(
            [twenty.next_u32(), twenty.next_u32()],
            [0x1d45_11de, 0xf071_c448]
        );

        let mut by_words = Salsar::<8>::from_words(&[1, 2, 3, 4, 5, 6]);
        let words = [(); 4].map(|()| by_words.next_u32());
        assert_eq!(words, [0xb8f8_580a, 0x5a43_a55e, 0x5da7_8985, 0xcc59_abb1]);
        let mut bytes = [0; 10];
        by_words.fill(&mut bytes);
        assert_eq!(
            bytes,
            [0x28, 0x94, 0xb5, 0x1a, 0x6e, 0x1f, 0xf8, 0xd0, 0x39, 0xa1]
        );
        assert_eq!(by_words.next_u32(), 0xc822_71fd);
    }

    /// Checks that the other forms of a number are made from the same words.
    #[test]
    fn forms_of_a_number() {
        let with = |word: u32| {
            let mut generator = Salsar::<8>::new(0);
            generator.buffer = [0xff; BUFFER];
            generator.buffer[..4].copy_from_slice(&word.to_le_bytes());
            generator.used = 0;
            generator
        };
        assert_eq!(with(0xffff_ffff).next_long(), i32::MAX);
        assert_eq!(with(0x1234_5678).next_u16(), 0x1234);
        assert_eq!(with(0x8000_0000).next_double(), 0.0);
        assert_eq!(with(0).next_double(), 0.5);
        assert_eq!(
            with(1 << 31).next_double53(),
            0.5 + (2f64.powi(26) - 1.0) / 2f64.powi(53)
        );
    }
}
