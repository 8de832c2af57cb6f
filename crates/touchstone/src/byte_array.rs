//! [`ByteArray`]: keys, nonces and blocks whose length is part of their type.

/// An array of bytes: a key or a nonce of a fixed length, or a block.
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
    /// Length in bytes.
    const LENGTH: usize;
    /// All bytes zero.
    const ZEROS: Self;
}

/// A key of an algorithm that needs two of them, one after the other: the key of XTS is
/// two keys of its block cipher.
#[doc(hidden)]
pub trait Doubled: ByteArray {
    /// An array twice as long.
    type Twice: ByteArray;
}

mod sealed {
    pub trait Sealed {}
}

impl<const N: usize> sealed::Sealed for [u8; N] {}

impl<const N: usize> ByteArray for [u8; N] {
    const LENGTH: usize = N;
    const ZEROS: Self = [0; N];
}

macro_rules! doubled {
    ($($size:literal)*) => {$(
        impl Doubled for [u8; $size] {
            type Twice = [u8; 2 * $size];
        }
    )*};
}

doubled!(8 16 24 32 64 128);
