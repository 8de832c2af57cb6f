//! Key lengths, and the error for a key of a wrong length.

use core::fmt;

/// The error for a key whose length the algorithm does not accept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct InvalidKeyLength {
    /// The length of the refused key in bytes.
    pub given: usize,
    /// The key lengths that the algorithm accepts.
    pub wanted: KeyLengths,
}

impl fmt::Display for InvalidKeyLength {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a key of {} bytes, not {}", self.given, self.wanted)
    }
}

impl core::error::Error for InvalidKeyLength {}

/// Key lengths in bytes: from `min` to `max` in steps of `step`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct KeyLengths {
    /// The length of the shortest key.
    pub min: usize,
    /// The length of the longest key.
    pub max: usize,
    /// The difference between one length and the next length.
    pub step: usize,
}

impl KeyLengths {
    /// Returns the lengths of an algorithm that accepts only this length.
    pub const fn exactly(length: usize) -> Self {
        Self::every(1, length, length)
    }

    /// Returns the lengths from `min` to `max` in steps of `step` bytes.
    pub const fn every(step: usize, min: usize, max: usize) -> Self {
        Self { min, max, step }
    }

    /// Returns the lengths of two keys together. Both keys have the same length.
    pub(crate) const fn twice(self) -> Self {
        Self::every(2 * self.step, 2 * self.min, 2 * self.max)
    }

    /// Returns whether the algorithm accepts keys of this length.
    pub const fn contains(&self, length: usize) -> bool {
        length >= self.min && length <= self.max && (length - self.min).is_multiple_of(self.step)
    }

    /// Returns the key as an array, or an error if the key does not have the algorithm's only
    /// length. The key set-up of an algorithm with one length starts with this call.
    pub(crate) fn array<const N: usize>(self, key: &[u8]) -> Result<&[u8; N], InvalidKeyLength> {
        key.try_into().map_err(|_| InvalidKeyLength {
            given: key.len(),
            wanted: self,
        })
    }

    /// Returns an error if a key does not have one of these lengths. The key set-up of an
    /// algorithm with several lengths starts with this call.
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
