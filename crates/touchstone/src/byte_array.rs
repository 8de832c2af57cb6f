//! [`ByteArray`]: keys, nonces and blocks whose length is part of their type.

use inout::InOutBuf;

use crate::buffer;

/// An array of bytes: a key, a nonce or a block of a fixed length.
pub trait ByteArray:
    Copy
    + AsRef<[u8]>
    + AsMut<[u8]>
    + for<'a> TryFrom<&'a [u8]>
    + Send
    + Sync
    + sealed::Sealed
    + 'static
{
    /// The length of the array in bytes.
    const LENGTH: usize;
    /// The array of zeros.
    const ZEROS: Self;

    /// Splits a buffer into the whole arrays and the bytes after them.
    #[doc(hidden)]
    fn chunks<'i, 'o>(
        bytes: InOutBuf<'i, 'o, u8>,
    ) -> (InOutBuf<'i, 'o, Self>, InOutBuf<'i, 'o, u8>);

    /// Returns an array of random bytes: a key, a nonce or an initialization vector.
    #[cfg(feature = "rand_core")]
    fn random<R: rand_core::CryptoRng + ?Sized>(rng: &mut R) -> Self {
        let mut bytes = Self::ZEROS;
        rng.fill_bytes(bytes.as_mut());
        bytes
    }
}

/// The key of an algorithm that can be used in pairs. For example, XTS needs two keys of its
/// block cipher, one after the other.
#[doc(hidden)]
pub trait Doubled: ByteArray {
    /// The type of an array that is twice as long.
    type Twice: ByteArray;
}

mod sealed {
    pub trait Sealed {}
}

impl<const N: usize> sealed::Sealed for [u8; N] {}

impl<const N: usize> ByteArray for [u8; N] {
    const LENGTH: usize = N;
    const ZEROS: Self = [0; N];

    #[inline(always)]
    fn chunks<'i, 'o>(
        bytes: InOutBuf<'i, 'o, u8>,
    ) -> (InOutBuf<'i, 'o, Self>, InOutBuf<'i, 'o, u8>) {
        buffer::chunks(bytes)
    }
}

macro_rules! doubled {
    ($($size:literal)*) => {$(
        impl Doubled for [u8; $size] {
            type Twice = [u8; 2 * $size];
        }
    )*};
}

doubled!(8 16 24 32 64 128);
