//! Ciphers, hash functions, MACs, authenticated encryption and key derivation, from DES to
//! AES and from MD2 to BLAKE3. Each algorithm has a portable form; many have kernels for
//! the instructions of a processor, which change the speed and never the results.
//!
//! ```
//! use touchstone::{block::Aes128, mode::Ctr, prelude::*};
//!
//! let mut message = *b"Attack at dawn, from the west.";
//! Ctr::new(Aes128::new(b"sixteen byte key"), b"never used twice").apply(&mut message);
//! # assert_ne!(&message, b"Attack at dawn, from the west.");
//! ```
//!
//! # Ten tasks
//!
//! **Seal and open a message** with a key and a nonce that is used once: nobody can read the
//! message or change it. Nobody can change the header either, which is not encrypted. `seal`
//! and `open` return vectors and need the feature `alloc`; `encrypt` and `decrypt` work in
//! place.
//!
#![cfg_attr(feature = "alloc", doc = "```")]
#![cfg_attr(not(feature = "alloc"), doc = "```ignore")]
//! # use touchstone::prelude::*;
//! # let (key, nonce) = ([7; 32], [1; 12]);
//! use touchstone::aead::Aes256Gcm;
//!
//! let gcm = Aes256Gcm::new(&key);
//! let sealed = gcm.seal(&nonce, b"header", b"Attack at dawn")?;
//! let opened = gcm.open(&nonce, b"header", &sealed)?;
//! assert_eq!(opened, b"Attack at dawn");
//! # Ok::<(), touchstone::AeadError>(())
//! ```
//!
//! **Encrypt a file in pieces**, and decrypt it. A program must not use any of the plaintext
//! before `verify` has returned `Ok`.
//!
//! ```
//! # use touchstone::{aead::Aes256Gcm, prelude::*};
//! # let (gcm, nonce, mut file) = (Aes256Gcm::new(&[7; 32]), [1; 12], [9; 100_000]);
//! let mut encryptor = gcm.encryptor(&nonce)?;
//! file.chunks_mut(65536).try_for_each(|piece| encryptor.encrypt(piece))?;
//! let tag = encryptor.finish()?;
//! let mut decryptor = gcm.decryptor(&nonce)?;
//! file.chunks_mut(65536).try_for_each(|piece| decryptor.decrypt_unverified(piece))?;
//! decryptor.verify(&tag)?;
//! # assert_eq!(file, [9; 100_000]);
//! # Ok::<(), touchstone::AeadError>(())
//! ```
//!
//! **Decrypt at any place** of a message in counter mode:
//!
//! ```
//! # use touchstone::{block::Aes128, mode::Ctr, prelude::*};
//! # let (key, first_counter, mut message) = ([7; 16], [1; 16], [9; 5000]);
//! let mut ctr = Ctr::new(Aes128::new(&key), &first_counter);
//! ctr.apply(&mut message);
//! ctr.seek(4321);
//! ctr.apply(&mut message[4321..4400]);
//! # assert_eq!(message[4321..4400], [9; 79]);
//! ```
//!
//! **CBC with padding**, in a buffer with room for the padding:
//!
//! ```
//! # use touchstone::{block::Aes128, prelude::*};
//! # let (aes, iv, mut buffer) = (Aes128::new(&[7; 16]), [1; 16], [9; 32]);
//! use touchstone::mode::{CbcDecrypt, CbcEncrypt, padding::Pkcs7};
//!
//! let ciphertext = CbcEncrypt::new(&aes, &iv).encrypt_padded::<Pkcs7>(&mut buffer, 21)?;
//! let message = CbcDecrypt::new(&aes, &iv).decrypt_padded::<Pkcs7>(ciphertext)?;
//! assert_eq!(message.len(), 21);
//! # Ok::<(), Box<dyn core::error::Error>>(())
//! ```
//!
//! **Hash** a message, in one piece or in several:
//!
//! ```
//! # use touchstone::prelude::*;
//! use touchstone::hash::Sha256;
//!
//! let digest = Sha256::digest(b"Attack at dawn");
//! let mut hash = Sha256::default();
//! hash.update(b"Attack ");
//! hash.update(b"at dawn");
//! assert_eq!(hash.finalize(), digest);
//! ```
//!
//! **Hash with a key**, which makes a message authentication code, **and verify it**, in
//! constant time:
//!
//! ```
//! # use touchstone::prelude::*;
//! use touchstone::{hash::Sha256, mac::Hmac};
//!
//! let hmac = Hmac::<Sha256>::new(b"a key of any length");
//! let tag = hmac.mac(b"Attack at dawn");
//! assert!(hmac.verify(b"Attack at dawn", &tag).is_ok());
//! assert!(hmac.verify(b"Attack at dusk", &tag).is_err());
//! ```
//!
//! **Derive a key** by HKDF from a secret that is already hard to guess:
//!
//! ```
//! use touchstone::{hash::Sha256, kdf::hkdf};
//!
//! let shared_secret = [0x42; 32];
//! let mut key = [0; 16];
//! hkdf::<Sha256>(&shared_secret, b"salt", b"client writes", &mut key)?;
//! # Ok::<(), touchstone::kdf::KdfError>(())
//! ```
//!
//! **Hash a password, and verify it**: use the crate `touchstone-password`, whose front page
//! shows both.
//!
//! **Generate a key and a nonce** with a generator of the crate `rand`: enable the feature
//! `rand_core`, and call [`ByteArray::random`](ByteArray), `generate_key` or `generate_nonce`.
//!
//! # Modules
//!
//! | module | content |
//! |---|---|
//! | [`aead`] | authenticated encryption |
//! | [`block`] | block ciphers, and the traits that they implement |
//! | [`mode`] | modes of operation, which make a cipher for messages from a block cipher |
//! | [`hash`] | hash functions |
//! | [`stream`] | stream ciphers |
//! | [`mac`] | message authentication codes |
//! | [`kdf`] | key derivation |
//! | [`random`] | generators of random bytes; some need the feature `random` |
//! | `checksum` | CRC-24, CRC-32, CRC-64, Adler-32 (feature `checksum`) |
//! | [`prelude`] | the traits, for one import |
//!
//! # Rules of the whole library
//!
//! - **In place or from one buffer to another, never with a copy.** Every function that
//!   transforms data has three forms: `encrypt(&mut data)`, `encrypt_into(&input, &mut
//!   output)`, and `encrypt_inout(buffer)` for code that is generic over both.
//! - **Many at once.** Ciphers take many blocks in one call. Serial modes and hash functions
//!   also take [many messages](HashFunction::hash_many) in one call. Each step of one message
//!   waits for the result of the step before. With several messages, the processor computes one
//!   message while another message waits.
//! - **Errors are typed, and an error leaves the output unchanged.** No input makes the
//!   library panic.
//! - **Secrets are wiped** when their owner is dropped. Calls of the module `dynamic` also
//!   overwrite what they have left on the stack and in registers; for calls of the other modules,
//!   whose values the compiler moves about, [`wipe::after`] does it.
//! - **Kernels are chosen once**, when a key is set up. [`Keyed::kernel`] and
//!   [`HashFunction::kernel`] give the name of the kernel in use.
//!
//! # Features
//!
//! The crate needs neither `std` nor `alloc`.
//!
//! | feature | default | content |
//! |---|---|---|
//! | `aes` `anubis` `aria` `blowfish` `camellia` `cast5` `cast6` `des` `gost28147` `idea` `kalyna` `kasumi` `kuznyechik` `mars` `misty1` `noekeon` `rc2` `rc5` `rc6` `safer` `seed` `serpent` `shacal2` `skipjack` `sm4` `tea` `threefish` `twofish` | yes | a family of block ciphers |
//! | `ascon` `blake2` `blake3` `gost94` `md` `ripemd` `sha1` `sha2` `sha3` `skein` `sm3` `streebog` `tiger` `whirlpool` | yes | a family of hash functions; `sha3` has KMAC too, and `ascon` has Ascon-AEAD128 |
//! | `chacha` `hc` `panama` `rabbit` `rc4` `salsa20` `sosemanuk` `turing` | yes | a family of stream ciphers; `chacha` has ChaCha20-Poly1305 too, `salsa20` has XSalsa20-Poly1305, and `sosemanuk` brings `serpent` |
//! | `aegis` | yes | AEGIS, in six forms; brings `aes` |
//! | `modes`, or of it `block-macs` `cbc` `ccm` `cfb` `ctr` `eax` `ecb` `gcm` `gcm-siv` `key-wrap` `ocb` `ofb` `siv` `xts` | yes | the modes that block ciphers have by name; types have all modes without these features |
//! | `alloc` | no | functions that need a heap |
//! | `dynamic` | no | algorithms by name; enables `alloc` |
//! | `random` | no | generators of random bytes that the system seeds; brings `getrandom` and `libc` |
//! | `threads` | no | BLAKE3 by several threads; needs `std` |
//! | `checksum` | no | CRC-24, CRC-32, CRC-64 and Adler-32; brings `crc-fast` and `simd-adler32`, which need `std` |
//! | `argon2` | no | Argon2; enables `alloc` and `blake2` |
//! | `rand_core` | no | random keys and nonces from generators of `rand_core` 0.10 |
//! | `rustcrypto` | no | the traits of the `aead` 0.6, `cipher` 0.5 and `digest` 0.11 crates |
#![no_std]
#![deny(unsafe_code)]
#![warn(missing_debug_implementations)]
#![allow(
    clippy::needless_range_loop,
    reason = "lanes of several arrays are walked by index"
)]
#![cfg_attr(
    not(all(feature = "argon2", feature = "default")),
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
#[cfg(any(test, feature = "threads"))]
extern crate std;

pub mod aead;
pub mod block;
#[cfg(feature = "checksum")]
pub mod checksum;
#[cfg(feature = "dynamic")]
// A build with only some modes does not use the code of the other modes.
#[cfg_attr(
    not(feature = "modes"),
    allow(dead_code, unreachable_code, unused_imports, unused_variables)
)]
pub mod dynamic;
pub mod hash;
pub mod kdf;
pub mod mac;
pub mod mode;
pub mod padding;
pub mod prelude;
pub mod random;
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
mod held_block;
#[doc(hidden)]
pub mod hidden;
mod kernel;
mod key_length;
mod keyed;
mod machinery;
// The compiler computes these constants in a second, also where nothing uses them.
#[cfg(any(feature = "shacal2", feature = "blake2"))]
mod roots;
#[cfg(feature = "rustcrypto")]
pub mod rustcrypto;
#[cfg(target_arch = "x86_64")]
mod simd;
pub mod wipe;

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
pub use padding::Padding;
pub use stream::{InvalidNonceLength, StreamCipher, StreamKey, StreamSeek};
