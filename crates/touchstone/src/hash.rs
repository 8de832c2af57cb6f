//! Hash functions, and the traits that they implement.
//!
//! | hash | digest in bytes | source |
//! |---|---|---|
//! | [`Md5`] (**broken**) | 16 | [`md5`] |
//! | [`Sha1`] (**broken**) | 20 | [`sha1`] |
//! | [`Sha224`] [`Sha256`] | 28, 32 | [`sha256`] |
//! | [`Sha384`] [`Sha512`] [`Sha512_224`] [`Sha512_256`] | 48, 64, 28, 32 | [`sha512`] |
//! | [`Sha3_224`] … [`Sha3_512`] | 28, 32, 48, 64 | [`sha3`] |
//! | [`Shake128`] [`Shake256`] | any number, by [`Xof`] | [`sha3`] |
//! | [`Md2`] [`Md4`] (**broken**) | 16 | [`md2`] [`md4`] |
//! | [`Sm3`] | 32 | [`sm3`] |
//! | [`Ripemd128`] [`Ripemd160`] [`Ripemd256`] [`Ripemd320`] | 16, 20, 32, 40 | [`ripemd`] |
//! | [`Tiger`] [`Tiger2`] | 24 | [`tiger`] |
//! | [`Whirlpool`] | 64 | [`whirlpool`] |
//! | [`Streebog256`] [`Streebog512`] | 32, 64 | [`streebog`] |
//! | [`Gost94`] [`Gost94CryptoPro`] (**outdated**) | 32 | [`gost94`] |
//! | [`Skein256`] [`Skein512`] [`Skein1024`] | any number | [`skein`] |
//! | [`Blake2b`] [`Blake2s`] [`Blake2bp`] [`Blake2sp`] | 1 to 64, 1 to 32 | [`blake2`] |
//! | [`Blake3`] | 32, or any number | [`blake3`] |
//! | [`AsconHash256`] [`AsconXof128`] | 32, or any number | [`ascon`] |
//! | [`CShake128`] [`TupleHash128`] [`ParallelHash128`], and with 256 | any number | [`cshake`] |
//! | [`TurboShake128`] [`TurboShake256`] [`KangarooTwelve`] [`KangarooTwelve256`] | any number | [`turboshake`] |
//!
//! ```
//! use touchstone::hash::{Sha256, Shake128};
//!
//! let digest = Sha256::digest(b"Attack at dawn");
//!
//! let mut hash = Sha256::new();
//! hash.update(b"Attack ");
//! hash.update(b"at dawn");
//! assert_eq!(hash.finalize(), digest);
//!
//! let mut output = [0; 100];
//! Shake128::squeeze_into(b"Attack at dawn", &mut output);
//! ```
//!
//! # How a hash is built here
//!
//! | core | file | parts that a hash adds |
//! |---|---|---|
//! | iterated | `iterated.rs` | a compression function, and its padding or its own last step |
//! | separate last block | `last_block.rs` | two compression functions: the second is for the last block |
//! | sponge | `sponge.rs` | a permutation, a rate, a suffix |

use crate::buffer::same_number;
use crate::digest::DigestBytes;
use crate::{DataError, Kernel};

#[cfg(feature = "ascon")]
pub mod ascon;
mod at_once;
#[cfg(feature = "blake2")]
pub mod blake2;
#[cfg(feature = "blake3")]
pub mod blake3;
#[cfg(feature = "sha3")]
pub mod cshake;
#[cfg(feature = "gost94")]
pub mod gost94;
mod iterated;
pub(crate) mod keccak;
mod lanes;
pub(crate) mod last_block;
mod many;
#[cfg(feature = "md")]
pub mod md2;
#[cfg(feature = "md")]
pub mod md4;
#[cfg(feature = "md")]
pub mod md5;
#[cfg(feature = "ripemd")]
pub mod ripemd;
#[cfg(feature = "sha1")]
pub mod sha1;
#[cfg(feature = "sha2")]
pub mod sha256;
#[cfg(feature = "sha3")]
pub mod sha3;
#[cfg(feature = "sha2")]
pub mod sha512;
#[cfg(feature = "skein")]
pub mod skein;
#[cfg(feature = "sm3")]
pub mod sm3;
mod sponge;
#[cfg(feature = "streebog")]
pub mod streebog;
#[cfg(feature = "tiger")]
pub mod tiger;
#[cfg(feature = "sha3")]
pub mod turboshake;
#[cfg(feature = "whirlpool")]
pub mod whirlpool;

#[cfg(feature = "ascon")]
pub use ascon::{AsconHash256, AsconXof128};
#[cfg(feature = "blake2")]
pub use blake2::{
    Blake2Xb, Blake2Xs, Blake2b, Blake2b160, Blake2b256, Blake2b384, Blake2b512, Blake2bp,
    Blake2bp512, Blake2s, Blake2s128, Blake2s160, Blake2s224, Blake2s256, Blake2sp, Blake2sp256,
};
#[cfg(feature = "blake3")]
pub use blake3::Blake3;
#[cfg(feature = "sha3")]
pub use cshake::{
    CShake128, CShake256, ParallelHash128, ParallelHash256, TupleHash128, TupleHash256,
};
#[cfg(feature = "gost94")]
pub use gost94::{Gost94, Gost94CryptoPro};
#[cfg(feature = "md")]
pub use md2::Md2;
#[cfg(feature = "md")]
pub use md4::Md4;
#[cfg(feature = "md")]
pub use md5::Md5;
#[cfg(feature = "ripemd")]
pub use ripemd::{Ripemd128, Ripemd160, Ripemd256, Ripemd320};
#[cfg(feature = "sha1")]
pub use sha1::Sha1;
#[cfg(feature = "sha3")]
pub use sha3::{Keccak224, Keccak256, Keccak384, Keccak512};
#[cfg(feature = "sha3")]
pub use sha3::{Sha3_224, Sha3_256, Sha3_384, Sha3_512, Shake128, Shake256};
#[cfg(feature = "sha2")]
pub use sha256::{Sha224, Sha256};
#[cfg(feature = "sha2")]
pub use sha512::{Sha384, Sha512, Sha512_224, Sha512_256};
#[cfg(feature = "skein")]
pub use skein::{
    Skein256, Skein256_256, Skein256_512, Skein512, Skein512_224, Skein512_256, Skein512_384,
    Skein512_512, Skein1024, Skein1024_256, Skein1024_512, Skein1024_1024,
};
#[cfg(feature = "sm3")]
pub use sm3::Sm3;
#[cfg(feature = "streebog")]
pub use streebog::{Streebog256, Streebog512};
#[cfg(feature = "tiger")]
pub use tiger::{Tiger, Tiger2};
#[cfg(feature = "sha3")]
pub use turboshake::{KangarooTwelve, KangarooTwelve256, TurboShake128, TurboShake256};
#[cfg(feature = "whirlpool")]
pub use whirlpool::Whirlpool;

/// The list of hash functions. This macro calls the macro that is its argument, with a row `id
/// = Type;` for each function. Tests, the dynamic interface and the traits of other crates use
/// this list.
#[doc(hidden)]
#[macro_export]
macro_rules! __hashes {
    ($with:ident!) => {
        $with! {
            #[cfg(feature = "md")]
            "md5" = Md5;
            #[cfg(feature = "sha1")]
            "sha-1" = Sha1;
            #[cfg(feature = "sha2")]
            "sha-224" = Sha224;
            #[cfg(feature = "sha2")]
            "sha-256" = Sha256;
            #[cfg(feature = "sha2")]
            "sha-384" = Sha384;
            #[cfg(feature = "sha2")]
            "sha-512" = Sha512;
            #[cfg(feature = "sha2")]
            "sha-512-224" = Sha512_224;
            #[cfg(feature = "sha2")]
            "sha-512-256" = Sha512_256;
            #[cfg(feature = "sha3")]
            "sha3-224" = Sha3_224;
            #[cfg(feature = "sha3")]
            "sha3-256" = Sha3_256;
            #[cfg(feature = "sha3")]
            "sha3-384" = Sha3_384;
            #[cfg(feature = "sha3")]
            "sha3-512" = Sha3_512;
            #[cfg(feature = "sha3")]
            "keccak-224" = Keccak224;
            #[cfg(feature = "sha3")]
            "keccak-256" = Keccak256;
            #[cfg(feature = "sha3")]
            "keccak-384" = Keccak384;
            #[cfg(feature = "sha3")]
            "keccak-512" = Keccak512;
            #[cfg(feature = "blake3")]
            "blake3" = Blake3;
            #[cfg(feature = "blake2")]
            "blake2b" = Blake2b512;
            #[cfg(feature = "blake2")]
            "blake2b-160" = Blake2b160;
            #[cfg(feature = "blake2")]
            "blake2b-256" = Blake2b256;
            #[cfg(feature = "blake2")]
            "blake2b-384" = Blake2b384;
            #[cfg(feature = "blake2")]
            "blake2s" = Blake2s256;
            #[cfg(feature = "blake2")]
            "blake2s-128" = Blake2s128;
            #[cfg(feature = "blake2")]
            "blake2s-160" = Blake2s160;
            #[cfg(feature = "blake2")]
            "blake2s-224" = Blake2s224;
            #[cfg(feature = "skein")]
            "skein-256" = Skein256_256;
            #[cfg(feature = "skein")]
            "skein-512-224" = Skein512_224;
            #[cfg(feature = "skein")]
            "skein-512-256" = Skein512_256;
            #[cfg(feature = "skein")]
            "skein-512-384" = Skein512_384;
            #[cfg(feature = "skein")]
            "skein-512" = Skein512_512;
            #[cfg(feature = "skein")]
            "skein-1024-256" = Skein1024_256;
            #[cfg(feature = "skein")]
            "skein-1024-512" = Skein1024_512;
            #[cfg(feature = "skein")]
            "skein-1024" = Skein1024_1024;
            #[cfg(feature = "gost94")]
            "gost94-cryptopro" = Gost94CryptoPro;
            #[cfg(feature = "gost94")]
            "gost94" = Gost94;
            #[cfg(feature = "streebog")]
            "streebog-512" = Streebog512;
            #[cfg(feature = "streebog")]
            "streebog-256" = Streebog256;
            #[cfg(feature = "whirlpool")]
            "whirlpool" = Whirlpool;
            #[cfg(feature = "tiger")]
            "tiger2" = Tiger2;
            #[cfg(feature = "tiger")]
            "tiger" = Tiger;
            #[cfg(feature = "ripemd")]
            "ripemd-320" = Ripemd320;
            #[cfg(feature = "ripemd")]
            "ripemd-256" = Ripemd256;
            #[cfg(feature = "ripemd")]
            "ripemd-160" = Ripemd160;
            #[cfg(feature = "ripemd")]
            "ripemd-128" = Ripemd128;
            #[cfg(feature = "sm3")]
            "sm3" = Sm3;
            #[cfg(feature = "md")]
            "md4" = Md4;
            #[cfg(feature = "md")]
            "md2" = Md2;
        }
    };
}
#[doc(hidden)]
pub use crate::__hashes as hashes;

/// The list of hash functions that HMAC does not use. The rows have the form that
/// [`__hashes`](crate::__hashes) describes. Most have digests that are longer than their blocks, but
/// FIPS 198-1 §2.3 requires a block that is at least as long as the digest. BLAKE2bp and BLAKE2sp
/// have a key of their own, and HMAC would run through the whole tree twice.
#[doc(hidden)]
#[macro_export]
macro_rules! __long_hashes {
    ($with:ident!) => {
        $with! {
            #[cfg(feature = "skein")]
            "skein-256-512" = Skein256_512;
            #[cfg(feature = "blake2")]
            "blake2bp" = Blake2bp512;
            #[cfg(feature = "blake2")]
            "blake2sp" = Blake2sp256;
            #[cfg(feature = "ascon")]
            "ascon-hash256" = AsconHash256;
        }
    };
}
#[doc(hidden)]
pub use crate::__long_hashes as long_hashes;

/// The list of extendable-output functions. The rows have the form that
/// [`__hashes`](crate::__hashes) describes.
#[doc(hidden)]
#[macro_export]
macro_rules! __xofs {
    ($with:ident!) => {
        $with! {
            #[cfg(feature = "sha3")]
            "shake128" = Shake128;
            #[cfg(feature = "sha3")]
            "shake256" = Shake256;
            #[cfg(feature = "sha3")]
            "turboshake128" = TurboShake128;
            #[cfg(feature = "sha3")]
            "turboshake256" = TurboShake256;
            #[cfg(feature = "blake2")]
            "blake2xb" = Blake2Xb;
            #[cfg(feature = "blake2")]
            "blake2xs" = Blake2Xs;
            #[cfg(feature = "ascon")]
            "ascon-xof128" = AsconXof128;
        }
    };
}
#[doc(hidden)]
pub use crate::__xofs as xofs;

/// A hash function with a digest of fixed length. A hash function hashes a message in pieces or
/// in one piece, or many messages at once.
pub trait HashFunction: Clone + Default {
    /// The type of the kernels: implementations of this algorithm for different CPU features.
    #[doc(hidden)]
    type Kernel: Kernel;

    /// The type of the digest: a [`Digest`](crate::Digest) of the function's length.
    type Output: DigestBytes;

    /// The length in bytes of the blocks in which messages are processed. For a sponge this is
    /// the rate. HMAC uses this length as its block length.
    const BLOCK: usize;

    /// Starts the hash of a message.
    #[inline]
    fn new() -> Self {
        Self::with_kernel(Self::Kernel::best())
    }

    /// Starts a message with the given kernel; for tests and measurements.
    #[doc(hidden)]
    fn with_kernel(kernel: Self::Kernel) -> Self;

    /// Returns the kernel that processes this message.
    #[doc(hidden)]
    fn kernel_in_use(&self) -> Self::Kernel;

    /// Returns the name of the kernel that processes this message, such as `"sha-ni"` or
    /// `"portable"`.
    fn kernel(&self) -> &'static str {
        self.kernel_in_use().name()
    }

    /// Replaces two messages by the messages whose first blocks these are.
    #[doc(hidden)]
    #[inline]
    fn begin_again(hashes: [&mut Self; 2], blocks: [&[u8]; 2]) {
        for (hash, block) in hashes.into_iter().zip(blocks) {
            *hash = Self::with_kernel(hash.kernel_in_use());
            hash.update(block);
        }
    }

    /// Adds the next piece of the message.
    fn update(&mut self, data: &[u8]);

    /// Ends the message and returns the digest.
    fn finalize(self) -> Self::Output;

    /// Returns the digest of a whole message.
    #[inline]
    fn digest(message: &[u8]) -> Self::Output {
        Self::digest_with(Self::Kernel::best(), message)
    }

    /// Computes [`digest`](Self::digest) with the given kernel; for tests and measurements.
    #[doc(hidden)]
    fn digest_with(kernel: Self::Kernel, message: &[u8]) -> Self::Output {
        let mut hash = Self::with_kernel(kernel);
        hash.update(message);
        hash.finalize()
    }

    /// Hashes many messages of any lengths: `digests[i]` becomes the digest of
    /// `messages[i]`.
    ///
    /// The steps of one message depend on each other, but different messages are
    /// independent and can be computed at once. If the hash has kernels for this,
    /// `hash_many` is several times as fast as one message after the other.
    ///
    /// # Errors
    ///
    /// [`DataError::OutputLength`] if the numbers of messages and digests differ.
    fn hash_many(messages: &[&[u8]], digests: &mut [Self::Output]) -> Result<(), DataError> {
        Self::hash_many_with(Self::Kernel::best(), messages, digests)
    }

    /// Computes [`hash_many`](Self::hash_many) with the given kernel; for tests and
    /// measurements.
    #[doc(hidden)]
    fn hash_many_with(
        kernel: Self::Kernel,
        messages: &[&[u8]],
        digests: &mut [Self::Output],
    ) -> Result<(), DataError> {
        same_number(messages.len(), digests.len())?;
        for (message, digest) in messages.iter().zip(digests) {
            *digest = Self::digest_with(kernel, message);
        }
        Ok(())
    }

    /// Ends many messages. Message `i` consists of the pieces that `starts[i]` has processed
    /// and of `ends[i]`. If there is only one start, all messages begin with it. HMAC uses this
    /// method, because the first block of its messages depends only on the key.
    #[doc(hidden)]
    fn finish_many(
        starts: &[Self],
        ends: &[&[u8]],
        digests: &mut [Self::Output],
    ) -> Result<(), DataError> {
        same_number(ends.len(), digests.len())?;
        for ((start, end), digest) in starts.iter().cycle().zip(ends).zip(digests) {
            *digest = Self::finish_after(start, end);
        }
        Ok(())
    }

    /// Returns the digest of the pieces that `start` has processed and of `end`.
    #[doc(hidden)]
    #[inline]
    fn finish_after(start: &Self, end: &[u8]) -> Self::Output {
        let mut hash = start.clone();
        hash.update(end);
        hash.finalize()
    }

    /// Replaces each `u` by its HMAC, `iterations` times, and XORs every HMAC to `sum`. The starts
    /// are the inner and the outer hash after the key's blocks. The last `u` are not stored.
    ///
    /// Returns `false` and does nothing if the function has no faster way than single HMACs.
    #[doc(hidden)]
    fn iterate_hmac(
        _starts: [&Self; 2],
        _iterations: u32,
        _u: &[Self::Output],
        _sum: &mut [Self::Output],
    ) -> bool {
        false
    }

    /// Replaces `v` by its HMAC for each piece of `output`, and copies it there. The starts are the
    /// inner and the outer hash after the key's blocks. HMAC_DRBG uses this method.
    ///
    /// Returns `false` and does nothing if the function has no faster way than single HMACs.
    #[doc(hidden)]
    fn chain_hmac(_starts: [&Self; 2], _v: &mut Self::Output, _output: &mut [u8]) -> bool {
        false
    }

    /// Fills `output` with the digests of a number of 8 bytes or more, of the number plus 1, plus 2
    /// and so on; the most significant byte of a number is first. Hash_DRBG uses this method.
    ///
    /// Returns `false` and does nothing if the function has no faster way than single digests.
    #[doc(hidden)]
    fn count(_kernel: Self::Kernel, _number: &[u8], _output: &mut [u8]) -> bool {
        false
    }
}

/// Writes a number plus `more` to `sum`, which is as long. The most significant byte is first, and
/// the sum wraps around.
#[inline]
pub(crate) fn add_number(number: &[u8], more: u64, sum: &mut [u8]) {
    let (mut words, mut sums) = (number.rchunks_exact(8), sum.rchunks_exact_mut(8));
    let mut carry = more;
    for (sum, word) in (&mut sums).zip(&mut words) {
        let word = u64::from_be_bytes(core::array::from_fn(|i| word[i]));
        let (new, over) = word.overflowing_add(carry);
        sum.copy_from_slice(&new.to_be_bytes());
        carry = u64::from(over);
    }
    let rest = words.remainder().iter().rev();
    for (sum, byte) in sums.into_remainder().iter_mut().rev().zip(rest) {
        let (new, over) = byte.overflowing_add(carry as u8);
        *sum = new;
        carry = u64::from(over);
    }
}

/// Messages of which each depends on the digest of the one before, for crypt(3).
#[doc(hidden)]
pub trait Sequence<O> {
    /// The message that is to be hashed, with its padding: whole blocks. Before the first call of
    /// [`next`](Self::next), no block means that the sequence has no message.
    fn message(&self) -> &[u8];

    /// Receives the digest of this message. Returns whether there is another message.
    fn next(&mut self, digest: &O) -> bool;
}

/// A hash function that hashes several sequences of messages at once, for crypt(3).
#[doc(hidden)]
pub trait InTurn: HashFunction {
    /// Hashes the messages of each sequence.
    fn in_turn<S: Sequence<Self::Output>>(kernel: Self::Kernel, sequences: &mut [S]);

    /// The end of a message with its padding, and the number of bytes of this end: what is after
    /// the last whole block of the message.
    fn pad(message: &[u8]) -> ([u8; 256], usize);
}

/// A hash function whose output is as long as the caller wants, which FIPS 202 calls an
/// extendable-output function. The function first absorbs a message and then squeezes output.
pub trait Xof: Clone + Default {
    /// The type of the kernels: implementations of this algorithm for different CPU features.
    #[doc(hidden)]
    type Kernel: Kernel;

    /// The type of the reader, which gives output.
    type Reader: XofReader;

    /// The length in bytes of the blocks in which messages are processed.
    const BLOCK: usize;

    /// Starts a message with the given kernel; for tests and measurements.
    #[doc(hidden)]
    fn with_kernel(kernel: Self::Kernel) -> Self;

    /// Adds the next piece of the message.
    fn update(&mut self, data: &[u8]);

    /// Ends the message and returns a reader, which gives output in pieces of any length.
    fn finalize_xof(self) -> Self::Reader;

    /// Fills `output` with the output for a whole message.
    fn squeeze_into(message: &[u8], output: &mut [u8]) {
        Self::default().squeeze_after(message, output);
    }

    /// Fills `output` with the output for the pieces so far and for `end`.
    #[doc(hidden)]
    #[inline]
    fn squeeze_after(&self, end: &[u8], output: &mut [u8]) {
        let mut xof = self.clone();
        xof.update(end);
        xof.finalize_xof().squeeze(output);
    }
}

/// A reader of the output of an [`Xof`].
pub trait XofReader {
    /// Fills `output` with the next bytes of the output.
    fn squeeze(&mut self, output: &mut [u8]);
}

/// A reader of the output of an [`Xof`] that can read from any position.
pub trait XofSeek: XofReader {
    /// Sets the position from which the next byte of output is read, counted in bytes from 0.
    fn seek(&mut self, byte: u64);
}

/// Writes the parts that all types of hash functions have besides [`HashFunction`]: the same
/// methods, which programs can call without an import of the trait, `Default`, `Debug` and
/// wiping.
macro_rules! hash_type {
    ($Hash:ident $(<$N:ident>)?) => {
        impl$(<const $N: usize>)? $Hash$(<$N>)? {
            /// Starts the hash of a message.
            #[inline]
            pub fn new() -> Self {
                $crate::hash::HashFunction::new()
            }
            /// Adds the next piece of the message.
            #[inline]
            pub fn update(&mut self, data: &[u8]) {
                $crate::hash::HashFunction::update(self, data);
            }
            /// Ends the message and returns the digest.
            #[inline]
            pub fn finalize(self) -> <Self as $crate::hash::HashFunction>::Output {
                $crate::hash::HashFunction::finalize(self)
            }
            /// Returns the digest of a whole message.
            #[inline]
            pub fn digest(message: &[u8]) -> <Self as $crate::hash::HashFunction>::Output {
                <Self as $crate::hash::HashFunction>::digest_with(
                    <<Self as $crate::hash::HashFunction>::Kernel as $crate::Kernel>::best(),
                    message,
                )
            }
            /// Computes the digests of many messages
            /// ([`HashFunction::hash_many`]($crate::hash::HashFunction::hash_many)).
            pub fn hash_many(
                messages: &[&[u8]],
                digests: &mut [<Self as $crate::hash::HashFunction>::Output],
            ) -> Result<(), $crate::DataError> {
                <Self as $crate::hash::HashFunction>::hash_many(messages, digests)
            }
        }
        impl$(<const $N: usize>)? Default for $Hash$(<$N>)? {
            #[inline]
            fn default() -> Self {
                $crate::hash::HashFunction::new()
            }
        }
        $crate::hash::state_type!($Hash$(<$N>)?);
    };
}
pub(crate) use hash_type;

/// Writes the methods of an [`Xof`], which programs can call without an import of the trait,
/// its `Default`, and the parts of its reader (`reader_type!`).
macro_rules! xof_type {
    ($Xof:ident, $Reader:ident) => {
        impl $Xof {
            /// Starts the hash of a message.
            #[inline]
            pub fn new() -> Self {
                Self::default()
            }
            /// Adds the next piece of the message.
            #[inline]
            pub fn update(&mut self, data: &[u8]) {
                $crate::hash::Xof::update(self, data);
            }
            /// Ends the message and returns a reader, which gives output in pieces of any
            /// length.
            #[inline]
            pub fn finalize_xof(self) -> $Reader {
                $crate::hash::Xof::finalize_xof(self)
            }
            /// Fills `output` with the output for a whole message.
            pub fn squeeze_into(message: &[u8], output: &mut [u8]) {
                <Self as $crate::hash::Xof>::squeeze_into(message, output);
            }
        }
        impl Default for $Xof {
            fn default() -> Self {
                <Self as $crate::hash::Xof>::with_kernel($crate::Kernel::best())
            }
        }
        $crate::hash::reader_type!($Reader);
    };
}
pub(crate) use xof_type;

/// Writes the parts that a reader of output has besides [`XofReader`].
macro_rules! reader_type {
    ($Reader:ident) => {
        impl $Reader {
            /// Fills `output` with the next bytes of the output.
            #[inline]
            pub fn squeeze(&mut self, output: &mut [u8]) {
                $crate::hash::XofReader::squeeze(self, output);
            }
        }
        /// Prints only the name, because the output may be secret.
        impl core::fmt::Debug for $Reader {
            fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                f.debug_struct(stringify!($Reader)).finish_non_exhaustive()
            }
        }
        impl zeroize::ZeroizeOnDrop for $Reader {}
    };
}
pub(crate) use reader_type;

/// Writes the parts of all types that contain a message: `Debug` without the message, and
/// the implementation of `ZeroizeOnDrop`.
macro_rules! state_type {
    ($State:ident $(<$N:ident>)?) => {
        /// Prints only the name, because the message may be secret.
        impl$(<const $N: usize>)? core::fmt::Debug for $State$(<$N>)? {
            fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                f.debug_struct(stringify!($State)).finish_non_exhaustive()
            }
        }
        impl$(<const $N: usize>)? zeroize::ZeroizeOnDrop for $State$(<$N>)? {}
    };
}
pub(crate) use state_type;
