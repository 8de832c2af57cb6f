//! Lengths of keys, and the error for a key of another length.

use core::fmt;

/// A key of a length that the algorithm does not take.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct InvalidKeyLength {
    /// Length of the refused key in bytes.
    pub given: usize,
    /// Lengths that would have been right.
    pub wanted: KeyLengths,
}

impl fmt::Display for InvalidKeyLength {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a key of {} bytes, not {}", self.given, self.wanted)
    }
}

impl core::error::Error for InvalidKeyLength {}

/// Key lengths in bytes: from `min` to `max` by `step`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct KeyLengths {
    /// The shortest key.
    pub min: usize,
    /// The longest key.
    pub max: usize,
    /// What lies between one length and the next.
    pub step: usize,
}

impl KeyLengths {
    /// This length and no other.
    pub const fn exactly(length: usize) -> Self {
        Self::every(1, length, length)
    }

    /// Every `step` bytes from `min` to `max`.
    pub const fn every(step: usize, min: usize, max: usize) -> Self {
        Self { min, max, step }
    }

    /// Lengths of two keys of one length, one after the other.
    pub(crate) const fn twice(self) -> Self {
        Self::every(2 * self.step, 2 * self.min, 2 * self.max)
    }

    /// Whether a key may have this length.
    pub const fn contains(&self, length: usize) -> bool {
        length >= self.min && length <= self.max && (length - self.min).is_multiple_of(self.step)
    }

    /// The key as an array, if that is its one length; the first line of a key
    /// set-up.
    pub(crate) fn array<const N: usize>(self, key: &[u8]) -> Result<&[u8; N], InvalidKeyLength> {
        key.try_into().map_err(|_| InvalidKeyLength {
            given: key.len(),
            wanted: self,
        })
    }

    /// Whether a key has one of these lengths; the first line of every other key
    /// set-up.
    pub const fn check(self, key: &[u8]) -> Result<(), InvalidKeyLength> {
        if self.contains(key.len()) {
            Ok(())
        } else {
            Err(InvalidKeyLength {
                given: key.len(),
                wanted: self,
            })
        }
    }
}

impl fmt::Display for KeyLengths {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { min, max, step } = self;
        match (max - min, step) {
            (0, _) => write!(f, "{min}"),
            (_, 1) => write!(f, "{min} to {max}"),
            _ => write!(f, "{min} to {max} by {step}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::KeyLengths;

    #[test]
    fn lengths_go_by_their_step() {
        let lengths = KeyLengths::every(8, 16, 32);
        let taken = [0, 15, 16, 17, 24, 31, 32, 40].map(|n| lengths.contains(n));
        assert_eq!(taken, [false, false, true, false, true, false, true, false]);
        assert!(KeyLengths::exactly(16).contains(16));
        assert!(!KeyLengths::exactly(16).contains(32));
    }
}
