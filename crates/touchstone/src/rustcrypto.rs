//! The traits of the RustCrypto project. A program that uses RustCrypto's crates only has
//! to change its imports.
//!
//! | trait crate | types of this crate that implement its traits |
//! |---|---|
//! | `cipher` 0.5 | every block cipher but Threefish, whose key comes with a tweak; [`mode`](crate::mode)s; the streams of [`Keystream`] |
//! | `cipher` 0.4, with the feature `cipher-04` | every block cipher but Threefish |
//! | `digest` 0.11 | every hash function and extendable-output function of [`hash`](crate::hash); MACs that need no nonce |
//! | `aead` 0.6 | every mode of [`aead`](crate::aead), over any block cipher; [`WithLengths`](crate::aead::WithLengths) |
//! | `universal-hash` 0.6 | [`Poly1305`](crate::mac::Poly1305) |
//! | `kdf` 0.1 | the functions of [`kdf`](crate::kdf), each by a type in [`rustcrypto::kdf`](kdf) |
//!
//! The constructions of RustCrypto accept these types too: `hmac::Hmac<Sha256>`,
//! `hkdf::Hkdf<Sha256>`, `cbc::Encryptor<Aes256>`, `cmac::Cmac<Aes128>`. The modes of this
//! crate are faster than RustCrypto's modes if a kernel computes mode and cipher together.
//!
//! ```
//! use cipher::{KeyIvInit, StreamCipher};
//! use touchstone::rustcrypto::ChaCha20;
//!
//! let mut message = *b"Attack at dawn";
//! ChaCha20::new(&[0x42; 32].into(), &[7; 12].into()).apply_keystream(&mut message);
//! ```

use cipher::InvalidLength;
use cipher::array::{Array, AssocArraySize};

use crate::{InOutBuf, Kernel, Keyed};

mod aead;
#[macro_use]
mod block;
#[cfg(feature = "cipher-04")]
mod cipher_04;
mod digest;
pub mod kdf;
mod mac;
mod mode;
mod stream;

pub use digest::{HashCore, OutputReader};
pub use stream::{Keystream, keystreams::*};

/// The type with which the crates of the traits write the number of bytes `N`.
type Size<const N: usize> = <[u8; N] as AssocArraySize>::Size;

/// Sets up a key whose type guarantees a length that the algorithm accepts.
fn with_key<K: Keyed>(key: &[u8]) -> K {
    match with_slice(key) {
        Ok(keyed) => keyed,
        Err(InvalidLength) => unreachable!("the type of the key has its length"),
    }
}

/// Sets up a key of any length that the algorithm accepts.
#[inline]
fn with_slice<K: Keyed>(key: &[u8]) -> Result<K, InvalidLength> {
    K::with_kernel(Kernel::best(), key).map_err(|_| InvalidLength)
}

/// Converts a buffer of blocks to a buffer of bytes.
#[allow(unsafe_code)]
fn bytes<'i, 'o, S: cipher::array::ArraySize>(
    blocks: InOutBuf<'i, 'o, Array<u8, S>>,
) -> InOutBuf<'i, 'o, u8> {
    let length = blocks.len() * S::USIZE;
    let (input, output) = blocks.into_raw();
    // SAFETY: `Array<u8, S>` is a transparent wrapper of an array of `S::USIZE` bytes, so
    // both pointers are valid for `length` bytes, for the same lifetimes.
    unsafe { InOutBuf::from_raw(input.cast(), output.cast(), length) }
}

/// Compiles and runs the examples of the page about changing a program to this library.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/migrating.md")]
mod migrating {}
