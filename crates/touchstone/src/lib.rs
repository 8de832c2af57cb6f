//! Cryptography for old and new data: from DES to AES, and from MD5 to SHA-3. Each
//! algorithm has a portable form that works on every machine. Kernels for special
//! instructions change its speed and never its results.
//!
//! ```
//! use touchstone::block::Aes128;
//! use touchstone::mode::Ctr;
//! use touchstone::FixedKey;
//!
//! let cipher = Aes128::new(b"sixteen byte key");
//! let mut message = *b"Attack at dawn, from the west.";
//! Ctr::new(&cipher, b"never used twice").apply(&mut message);
//! assert_ne!(&message, b"Attack at dawn, from the west.");
//!
//! Ctr::new(&cipher, b"never used twice").apply(&mut message);
//! assert_eq!(&message, b"Attack at dawn, from the west.");
//! ```
//!
//! Hashing one message, or many messages at once, which is faster than one by one:
//!
//! ```
//! use touchstone::hash::Sha256;
//!
//! let digest = Sha256::digest(b"abc");
//! assert_eq!(digest[..4], [0xba, 0x78, 0x16, 0xbf]);
//!
//! let mut digests = [digest; 2];
//! Sha256::hash_many(&[b"abc", b"a longer message"], &mut digests)?;
//! assert_eq!(digests[0], digest);
//! # Ok::<(), touchstone::DataError>(())
//! ```
//!
//! # Modules
//!
//! | module | content |
//! |---|---|
//! | [`aead`] | authenticated encryption |
//! | [`block`] | block ciphers, and the traits that they implement |
//! | [`mode`] | modes of operation, which make a cipher for messages from a block cipher |
//! | [`hash`] | hash functions |
//! | [`mac`] | message authentication codes |
//!
//! # Rules of the whole library
//!
//! - **In place or from one buffer to another, never with a copy.** Every function that
//!   transforms data has three forms: `encrypt(&mut data)`, `encrypt_into(&input, &mut
//!   output)`, and `encrypt_inout(buffer)` for code that is generic over both.
//! - **Many at once.** Ciphers take many blocks in one call. Serial modes and hashes also
//!   take [many messages](HashFunction::hash_many) in one call. In these, one message
//!   waits for the latency of each step, and only further messages can fill the waiting
//!   time.
//! - **Errors are typed, and an error leaves the output unchanged.** No input makes the
//!   library panic.
//! - **Secrets are wiped** when their owner is dropped.
//! - **Kernels are chosen once**, when a key is set up. [`Keyed::kernel`] and
//!   [`HashFunction::kernel`] give the name of the kernel in use.
//!
//! # Features
//!
//! The crate needs neither `std` nor `alloc`.
//!
//! | feature | default | content |
//! |---|---|---|
//! | `aes` `anubis` `aria` `blowfish` `camellia` `cast5` `des` `gost28147` `idea` `kuznyechik` `rc2` `rc5` `seed` `serpent` `shacal2` `sm4` `tea` `threefish` `twofish` | yes | a family of block ciphers |
//! | `ascon` `blake2` `blake3` `gost94` `md` `ripemd` `sha1` `sha2` `sha3` `skein` `sm3` `streebog` `tiger` `whirlpool` | yes | a family of hash functions; `sha3` has KMAC too |
//! | `chacha` `hc` `panama` `rabbit` `rc4` `salsa20` `sosemanuk` | yes | a family of stream ciphers; `sosemanuk` brings `serpent` |
//! | `alloc` | no | functions that need a heap |
//! | `dynamic` | no | algorithms by name; enables `alloc` |
//! | `rustcrypto` | no | the traits of RustCrypto's crates, see `touchstone::rustcrypto` |
//! | `cipher-04` | no | the traits of `cipher` 0.4 for block ciphers; enables `rustcrypto` |
#![no_std]
#![deny(unsafe_code)]
#![warn(missing_debug_implementations)]
#![allow(
    clippy::needless_range_loop,
    reason = "lanes of several arrays are walked by index"
)]
#![cfg_attr(
    not(feature = "default"),
    allow(
        dead_code,
        unused_imports,
        unused_macros,
        unreachable_pub,
        reason = "families share code, and without some of them parts of it have no user"
    )
)]
#![cfg_attr(docsrs, feature(doc_cfg))]

#[cfg(feature = "alloc")]
extern crate alloc;

pub mod aead;
pub mod block;
#[cfg(feature = "dynamic")]
pub mod dynamic;
pub mod hash;
pub mod kdf;
pub mod mac;
pub mod mode;
pub mod padding;
pub mod stream;

mod buffer;
mod byte_array;
mod cipher;
mod constant_time;
mod cpu;
mod debug;
mod digest;
mod error;
pub mod fuse;
mod ghash;
#[doc(hidden)]
pub mod hidden;
mod kernel;
mod key_length;
mod keyed;
mod machinery;
mod roots;
#[cfg(feature = "rustcrypto")]
pub mod rustcrypto;
#[cfg(target_arch = "x86_64")]
mod simd;
mod wipe;

pub use aead::Aead;
pub use byte_array::ByteArray;
pub use cipher::{BlockCipher, BlockDecrypt, BlockEncrypt};
pub use constant_time::equal as constant_time_eq;
pub use digest::{Digest, DigestBytes, Tag};
pub use error::{AeadError, DataError, InvalidPadding, Mismatch};
pub use fuse::{FusedDecrypt, FusedEncrypt, Unfused};
pub use hash::{HashFunction, Xof, XofReader, XofSeek};
pub use inout::{InOut, InOutBuf};
#[doc(hidden)]
pub use kernel::Kernel;
pub use key_length::{InvalidKeyLength, KeyLengths};
pub use keyed::{FixedKey, Keyed, KeyedWith};
pub use mac::{InvalidNonce, Mac, NonceMac, OneTimeMac};
pub use stream::{InvalidNonceLength, StreamCipher, StreamKey, StreamSeek};
