//! [`Digest`]: the result of a hash function, or the tag of a MAC or an AEAD. A digest has a
//! fixed length, and comparisons of digests take constant time.

use core::fmt;
use core::ops::Deref;

use crate::constant_time::equal;
use crate::error::Mismatch;

/// A digest or a tag of `N` bytes.
///
/// `==` takes the same time for all contents, also in a comparison with a plain array. So an
/// attacker learns nothing from the time of a comparison.
///
/// ```
/// use touchstone::hash::{HashFunction, Sha256};
///
/// let digest = Sha256::digest(b"abc");
/// assert_eq!(digest[..4], [0xba, 0x78, 0x16, 0xbf]);
/// assert_eq!(digest, Sha256::digest(b"abc"));
/// let bytes: [u8; 32] = digest.into();
/// assert_eq!(digest, bytes);
/// ```
#[derive(Clone, Copy)]
#[repr(transparent)]
pub struct Digest<const N: usize>([u8; N]);

/// The tag of a MAC or an AEAD, which is the same type as a [`Digest`].
pub type Tag<const N: usize> = Digest<N>;

/// The trait of a [`Digest`] of any length, for code that is generic over hash functions or
/// MACs.
pub trait DigestBytes:
    Copy + Eq + fmt::Debug + AsRef<[u8]> + AsMut<[u8]> + Send + Sync + sealed::Sealed + 'static
{
    /// The length of the digest in bytes.
    const SIZE: usize;
    /// The digest of zeros.
    const ZERO: Self;
}

mod sealed {
    pub trait Sealed {}
}

impl<const N: usize> sealed::Sealed for Digest<N> {}

impl<const N: usize> DigestBytes for Digest<N> {
    const SIZE: usize = N;
    const ZERO: Self = Self([0; N]);
}

impl<const N: usize> Digest<N> {
    /// Returns the bytes of the digest.
    pub const fn into_bytes(self) -> [u8; N] {
        self.0
    }

    /// Views digests as arrays, for code that writes them as blocks.
    #[allow(unsafe_code)]
    pub(crate) fn arrays_mut(digests: &mut [Self]) -> &mut [[u8; N]] {
        let (start, count) = (digests.as_mut_ptr(), digests.len());
        // SAFETY: `Digest` is a transparent wrapper of the array, so the memory contains as
        // many arrays. `digests` is borrowed for as long as the result lives.
        unsafe { core::slice::from_raw_parts_mut(start.cast(), count) }
    }
}

impl<const N: usize> From<[u8; N]> for Digest<N> {
    #[inline]
    fn from(bytes: [u8; N]) -> Self {
        Self(bytes)
    }
}

impl<const N: usize> From<Digest<N>> for [u8; N] {
    #[inline]
    fn from(digest: Digest<N>) -> Self {
        digest.0
    }
}

/// Converts exactly `N` bytes. Any other length gives a [`Mismatch`].
impl<const N: usize> TryFrom<&[u8]> for Digest<N> {
    type Error = Mismatch;

    fn try_from(bytes: &[u8]) -> Result<Self, Mismatch> {
        bytes.try_into().map(Self).map_err(|_| Mismatch)
    }
}

impl<const N: usize> Deref for Digest<N> {
    type Target = [u8; N];

    #[inline]
    fn deref(&self) -> &[u8; N] {
        &self.0
    }
}

impl<const N: usize> AsRef<[u8]> for Digest<N> {
    #[inline]
    fn as_ref(&self) -> &[u8] {
        &self.0
    }
}

impl<const N: usize> AsMut<[u8]> for Digest<N> {
    #[inline]
    fn as_mut(&mut self) -> &mut [u8] {
        &mut self.0
    }
}

impl<const N: usize> PartialEq for Digest<N> {
    #[inline]
    fn eq(&self, other: &Self) -> bool {
        equal(&self.0, &other.0)
    }
}

impl<const N: usize> Eq for Digest<N> {}

impl<const N: usize> PartialEq<[u8; N]> for Digest<N> {
    #[inline]
    fn eq(&self, other: &[u8; N]) -> bool {
        equal(&self.0, other)
    }
}

/// Prints the digest as hexadecimal digits.
impl<const N: usize> fmt::Debug for Digest<N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// Prints the digest as two lower-case hexadecimal digits for each byte.
impl<const N: usize> fmt::Display for Digest<N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl<const N: usize> zeroize::Zeroize for Digest<N> {
    fn zeroize(&mut self) {
        crate::wipe::wipe(&mut self.0, 0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_difference_in_any_byte_is_seen() {
        let whole: [u8; 37] = core::array::from_fn(|i| i as u8);
        for i in 0..37 {
            let mut other = whole;
            other[i] ^= 0x80;
            assert!(Digest(whole) != Digest(other));
            assert!(Digest(whole) != other);
        }
        assert!(Digest(whole) == whole);
        assert!(!equal(&whole, &whole[..36]));
    }
}
