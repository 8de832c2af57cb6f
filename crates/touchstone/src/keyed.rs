//! What every algorithm with a key has in common.

use core::fmt;

use crate::{InvalidKeyLength, Kernel};

/// An algorithm that is set up with a key.
pub trait Keyed: Sized {
    /// The ways in which this algorithm can be computed here.
    type Kernel: Kernel;

    /// Lengths of the keys that it takes.
    const KEY_LENGTHS: KeyLengths;

    /// Sets a key up, for the fastest kernel that this machine has.
    fn new(key: &[u8]) -> Result<Self, InvalidKeyLength> {
        Self::with_kernel(Self::Kernel::best(), key)
    }

    /// Sets a key up for one kernel; for tests and measurements.
    #[doc(hidden)]
    fn with_kernel(kernel: Self::Kernel, key: &[u8]) -> Result<Self, InvalidKeyLength>;

    /// Sets another key up in the place of this one, as [`new`](Self::new) does; a
    /// parameter beyond the key has its usual value then. For who changes keys
    /// often: nothing is moved. An error leaves everything as it is.
    #[inline]
    fn rekey(&mut self, key: &[u8]) -> Result<(), InvalidKeyLength> {
        *self = Self::with_kernel(self.kernel(), key)?;
        Ok(())
    }

    /// The kernel that serves.
    fn kernel(&self) -> Self::Kernel;
}

/// An algorithm with a parameter beyond the key, to which [`Keyed::new`] gives
/// its usual value: RC2's effective bits, RC5's rounds, the S-boxes of GOST
/// 28147-89.
///
/// A parameter is a type of its own that has right values only, so here as there
/// nothing but the length of the key can be wrong.
pub trait KeyedWith: Keyed {
    /// What is to be chosen.
    type Parameter: Clone;

    /// Sets a key up, for the fastest kernel that this machine has.
    fn new_with(parameter: Self::Parameter, key: &[u8]) -> Result<Self, InvalidKeyLength> {
        Self::with_kernel_and(Self::Kernel::best(), parameter, key)
    }

    /// Sets a key up for one kernel; for tests and measurements.
    #[doc(hidden)]
    fn with_kernel_and(
        kernel: Self::Kernel,
        parameter: Self::Parameter,
        key: &[u8],
    ) -> Result<Self, InvalidKeyLength>;
}

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
