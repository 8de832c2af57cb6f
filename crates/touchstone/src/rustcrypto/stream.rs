//! The traits `StreamCipher`, `StreamCipherSeek`, `KeyIvInit` and `KeyInit` of `cipher` 0.5,
//! for the stream ciphers in the list [`streams!`](crate::stream::streams).

use core::fmt;

use cipher::array::AssocArraySize;
use cipher::{
    InvalidLength, Iv, IvSizeUser, Key, KeyInit, KeyIvInit, KeySizeUser, OverflowError, SeekNum,
    StreamCipherError, StreamCipherSeek,
};

use super::{Size, with_key, with_slice};
use crate::{InOutBuf, StreamCipher, StreamKey, StreamSeek};

/// The keystream of a stream cipher, with the traits of `cipher`. `C` is the cipher from
/// [`stream`](crate::stream). `KEY` and `NONCE` are the lengths in bytes that `new` accepts.
/// `new_from_slices` accepts every length that the cipher allows.
///
/// A keystream whose counter overflows starts again, as everywhere in this crate. The counter
/// of ChaCha20 with nonces of 12 bytes overflows after 256 GiB.
pub struct Keystream<C: StreamKey, const KEY: usize, const NONCE: usize> {
    stream: C::Stream,
    /// The number of keystream bytes that have been used.
    position: u64,
}

/// The keystream of each stream cipher, with its longest key and its longest nonce.
pub(super) mod keystreams {
    use super::Keystream;
    use crate::stream as ciphers;
    use crate::{Keyed, StreamKey};

    macro_rules! names {
        ($($(#[$cfg:meta])* $id:literal = $Cipher:ident $(, $seek:ident)?;)*) => {$(
            $(#[$cfg])*
            #[doc = concat!("The keystream of [`", stringify!($Cipher), "`](ciphers::",
                stringify!($Cipher), ").")]
            pub type $Cipher = Keystream<
                ciphers::$Cipher,
                { <ciphers::$Cipher as Keyed>::KEY_LENGTHS.max },
                { <ciphers::$Cipher as StreamKey>::NONCE_LENGTHS.max },
            >;
        )*};
    }

    crate::stream::streams!(names!);

    /// The keystream of [`ChaCha20`](ciphers::ChaCha20) with nonces of 8 bytes, as in the
    /// original design of ChaCha20.
    #[cfg(feature = "chacha")]
    pub type ChaCha20Legacy = Keystream<ciphers::ChaCha20, 32, 8>;
}

impl<C: StreamKey, const KEY: usize, const NONCE: usize> Keystream<C, KEY, NONCE> {
    fn start(cipher: &C, nonce: &[u8]) -> Result<Self, InvalidLength> {
        match cipher.stream_from_slice(nonce) {
            Ok(stream) => Ok(Self {
                stream,
                position: 0,
            }),
            Err(_) => Err(InvalidLength),
        }
    }
}

impl<C: StreamKey, const KEY: usize, const NONCE: usize> KeySizeUser for Keystream<C, KEY, NONCE>
where
    [u8; KEY]: AssocArraySize,
{
    type KeySize = Size<KEY>;
}

impl<C: StreamKey, const KEY: usize, const NONCE: usize> IvSizeUser for Keystream<C, KEY, NONCE>
where
    [u8; NONCE]: AssocArraySize,
{
    type IvSize = Size<NONCE>;
}

impl<C: StreamKey, const KEY: usize, const NONCE: usize> KeyIvInit for Keystream<C, KEY, NONCE>
where
    [u8; KEY]: AssocArraySize,
    [u8; NONCE]: AssocArraySize,
{
    fn new(key: &Key<Self>, nonce: &Iv<Self>) -> Self {
        const { assert!(C::KEY_LENGTHS.contains(KEY) && C::NONCE_LENGTHS.contains(NONCE)) };
        match Self::start(&with_key(key), nonce) {
            Ok(stream) => stream,
            Err(InvalidLength) => unreachable!("the type of the nonce has its length"),
        }
    }

    fn new_from_slices(key: &[u8], nonce: &[u8]) -> Result<Self, InvalidLength> {
        Self::start(&with_slice(key)?, nonce)
    }
}

/// Sets up keys of ciphers without a nonce.
impl<C: StreamKey, const KEY: usize> KeyInit for Keystream<C, KEY, 0>
where
    [u8; KEY]: AssocArraySize,
{
    fn new(key: &Key<Self>) -> Self {
        KeyIvInit::new(key, &Iv::<Self>::default())
    }

    fn new_from_slice(key: &[u8]) -> Result<Self, InvalidLength> {
        Self::new_from_slices(key, &[])
    }
}

impl<C: StreamKey, const KEY: usize, const NONCE: usize> cipher::StreamCipher
    for Keystream<C, KEY, NONCE>
{
    #[inline]
    fn check_remaining(&self, _: usize) -> Result<(), StreamCipherError> {
        Ok(())
    }

    #[inline]
    fn unchecked_apply_keystream_inout(&mut self, data: InOutBuf<'_, '_, u8>) {
        self.position = self.position.wrapping_add(data.len() as u64);
        self.stream.apply_inout(data);
    }

    #[inline]
    fn unchecked_write_keystream(&mut self, data: &mut [u8]) {
        self.position = self.position.wrapping_add(data.len() as u64);
        self.stream.keystream(data);
    }
}

/// Positions are counted in bytes, up to 2⁶⁴.
impl<C: StreamKey<Stream: StreamSeek>, const KEY: usize, const NONCE: usize> StreamCipherSeek
    for Keystream<C, KEY, NONCE>
{
    fn try_current_pos<N: SeekNum>(&self) -> Result<N, OverflowError> {
        // The code passes the position in units of blocks of one byte. The last block has been
        // used up.
        N::from_block_byte(u128::from(self.position), 1, 1)
    }

    fn try_seek<N: SeekNum>(&mut self, position: N) -> Result<(), StreamCipherError> {
        let (position, _) = position.into_block_byte::<u128>(1)?;
        let position = u64::try_from(position).map_err(|_| StreamCipherError)?;
        self.stream.seek(position);
        self.position = position;
        Ok(())
    }
}

impl<C: StreamKey<Stream: Clone>, const KEY: usize, const NONCE: usize> Clone
    for Keystream<C, KEY, NONCE>
{
    fn clone(&self) -> Self {
        Self {
            stream: self.stream.clone(),
            position: self.position,
        }
    }
}

/// Prints only the name, because the keystream is secret.
impl<C: StreamKey, const KEY: usize, const NONCE: usize> fmt::Debug for Keystream<C, KEY, NONCE> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Keystream").finish_non_exhaustive()
    }
}

impl<C: StreamKey<Stream: zeroize::ZeroizeOnDrop>, const KEY: usize, const NONCE: usize>
    zeroize::ZeroizeOnDrop for Keystream<C, KEY, NONCE>
{
}
