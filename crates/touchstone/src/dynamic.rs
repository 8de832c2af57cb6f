//! Algorithms by name, for programs that choose an algorithm at run time.
//!
//! | type | names | a file |
//! |---|---|---|
//! | [`Cipher`] | `aes-256-cbc`, `serpent-128-xts`, `chacha20` | `cipher.rs` |
//! | [`Aead`] | `aes-256-gcm`, `twofish-256-eax` | `aead.rs` |
//! | [`struct@Hash`] | `sha-256`, `shake128`, `cshake128` | `hash.rs` |
//! | [`Mac`] | `aes-128-cmac`, `hmac-sha-256`, `poly1305` | `mac.rs` |
//! | [`NonceMac`] | `aes-128-gmac`, `umac-64` | `nonce_mac.rs` |
//! | [`KeyWrap`] | `aes-256-kw`, `camellia-128-kwp` | `wrap.rs` |
//! | [`derive()`] | `hkdf-sha-256`, `pbkdf2-hmac-sha-1`, `kdf2-sha-256`, `sp800-108-counter-hmac-sha-256` | `derive.rs` |
//! | [`Drbg`] | `ctr-drbg-aes-256`, `hash-drbg-sha-256`, `hmac-drbg-sha-512` | `drbg.rs` |
//! | [`tuple_hash`], [`parallel_hash`] | `tuplehash128`, `parallelhashxof256` | `sp800_185.rs` |
//!
//! Each object calls its algorithm through one indirect call. The names come from the lists of
//! the families (`block_ciphers!`, `tweakable_ciphers!` with the tweak zero, `streams!`,
//! `hashes!`, `long_hashes!`, `xofs!`). So each algorithm in a list has a name here, in the C
//! interface, and in every test that finds algorithms by their names.
//!
//! ```
//! use touchstone::dynamic::{Cipher, Direction, Hash, names};
//!
//! let key = [7; 32];
//! let mut cbc = Cipher::new("aes-256-cbc", Direction::Encrypt, &key)?;
//! cbc.set_iv(&[9; 16])?;
//! let mut message = *b"two blocks of sixteen bytes each";
//! cbc.apply(&mut message)?;
//!
//! let mut digest = [0; 32];
//! Hash::new("sha-256")?.digest(&message, &mut digest)?;
//! assert!(names().any(|name| name == "twofish-256-ctr"));
//! # Ok::<(), touchstone::dynamic::Error>(())
//! ```

use core::fmt;

use alloc::string::String;

use crate::error::{AeadError, DataError, Mismatch};
use crate::kdf::KdfError;
use crate::key_length::InvalidKeyLength;
use crate::random::drbg::DrbgError;
use crate::stream::InvalidNonceLength;
use crate::wipe;
use depth::Depth;

mod aead;
mod block;
mod cipher;
mod depth;
mod derive;
mod drbg;
mod hash;
mod mac;
mod nonce_mac;
mod sp800_185;
mod wrap;

pub use aead::{Aead, AeadAlgorithm, Announced, Decryptor, Encryptor};
pub use cipher::{Cipher, CipherAlgorithm, Direction, Message, Pieces};
pub use derive::{Derivation, Kdf, derivations, derive};
pub use drbg::{Drbg, DrbgAlgorithm};
pub use hash::Hash;
pub use mac::{Mac, MacAlgorithm};
pub use nonce_mac::{NonceMac, NonceMacAlgorithm};
pub use sp800_185::{parallel_hash, tuple_hash};
pub use wrap::{KeyWrap, Unwrapper, Wrapper};

/// The function that sets up the key of a new object of one algorithm.
struct Start<T>(fn(&Options<'_>, &[u8]) -> Result<T, Error>);

impl<T> Start<T> {
    /// Sets up the key. Never inlined, so that the frames of the function lie below the caller's, which
    /// then overwrites them.
    #[inline(never)]
    fn with(&self, options: &Options<'_>, key: &[u8]) -> Result<T, Error> {
        (self.0)(options, key)
    }
}

/// Calls code that derives a key or takes many messages, and then overwrites the stack, deeper
/// than after one message: such code moves schedules and states about.
#[inline(always)]
fn clean_deep<T>(call: impl FnOnce() -> T) -> T {
    wipe::after(wipe::DEEP, call)
}

/// Returns the names of all algorithms, family by family.
pub fn names() -> impl Iterator<Item = String> {
    Cipher::names()
        .chain(Aead::names())
        .chain(Hash::names().map(String::from))
        .chain(Mac::names())
        .chain(NonceMac::names())
        .chain(KeyWrap::names())
        .chain(derivations())
        .chain(Drbg::names().map(String::from))
}

/// Returns the ids of the block ciphers. The name of a cipher is an id and a mode, such as
/// `aes-128-cbc`.
pub fn block_ciphers() -> impl Iterator<Item = &'static str> {
    block::rows().map(|row| row.id)
}

/// Returns the names of the stream ciphers. [`Cipher`] accepts these names without a mode.
pub fn stream_ciphers() -> impl Iterator<Item = &'static str> {
    cipher::stream_names()
}

/// Returns the name of the kernel that computes this algorithm on this machine. The algorithm
/// may belong to any family.
///
/// # Errors
///
/// [`Error::Name`] if there is no such algorithm.
pub fn kernel(name: &str) -> Result<&'static str, Error> {
    Cipher::kernel(name)
        .or_else(|_| Aead::kernel(name))
        .or_else(|_| Hash::kernel(name))
        .or_else(|_| Mac::kernel(name))
        .or_else(|_| NonceMac::kernel(name))
        .or_else(|_| KeyWrap::new(name).map(|wrap| wrap.kernel()))
        .or_else(|_| Kdf::find(name).map(Kdf::kernel))
        .or_else(|_| Drbg::find(name).map(DrbgAlgorithm::kernel))
}

/// The settings of an algorithm besides name, key and nonce.
#[derive(Debug, Clone, Copy, Default)]
pub struct Options<'a> {
    /// The name of the kernel to use; for tests and measurements. `None` means the best kernel.
    pub kernel: Option<&'a str>,
    /// The name and the value of a parameter: `effective-bits` of RC2, `rounds` of RC5 and
    /// XTEA, or `counter` of CTR. The values of `counter` are 0 (big-endian), 1
    /// (little-endian), 2 (big-endian in the last half of the block) and 3 (little-endian in
    /// the first half of the block).
    pub parameter: Option<(&'a str, u64)>,
}

/// An error of a call by name. After [`Forged`](Self::Forged) the output is wiped. After all
/// other errors the output is unchanged.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Error {
    /// There is no algorithm with this name.
    Name,
    /// The algorithm has no such kernel, or this machine cannot run it.
    Kernel,
    /// The algorithm has no such parameter, or does not allow this value.
    Parameter,
    /// The algorithm does not accept keys of this length.
    KeyLength,
    /// The algorithm does not accept nonces or initialization vectors of this length.
    NonceLength,
    /// The algorithm does not allow tags of this length, or allows them only in a call with
    /// `insecure` in its name.
    TagLength,
    /// The algorithm does not accept messages of this length.
    MessageLength,
    /// The output has another length than the result.
    OutputLength,
    /// The call came too early, because a nonce is missing. Or the call came too late:
    /// associated data came after data, a key that is for only one message has already been
    /// used, or a generator needs new entropy.
    Order,
    /// The message, its tag or its MAC is not genuine.
    Forged,
    /// The system gave no random bytes.
    System,
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Name => "no algorithm of this kind has this name",
            Self::Kernel => "the algorithm has no such kernel on this machine",
            Self::Parameter => "the algorithm has no such parameter or value",
            Self::KeyLength => "the algorithm takes no key of this length",
            Self::NonceLength => "the algorithm takes no nonce of this length",
            Self::TagLength => "the algorithm makes no tag of this length",
            Self::MessageLength => "the algorithm takes no message of this length",
            Self::OutputLength => "the output has not the length of the result",
            Self::Order => "the calls come in a wrong order",
            Self::Forged => "the message is not genuine",
            Self::System => "the system gave no random bytes",
        })
    }
}

impl core::error::Error for Error {}

impl From<InvalidKeyLength> for Error {
    fn from(_: InvalidKeyLength) -> Self {
        Self::KeyLength
    }
}

impl From<InvalidNonceLength> for Error {
    fn from(_: InvalidNonceLength) -> Self {
        Self::NonceLength
    }
}

impl From<Mismatch> for Error {
    fn from(_: Mismatch) -> Self {
        Self::Forged
    }
}

impl From<DataError> for Error {
    fn from(error: DataError) -> Self {
        match error {
            DataError::OutputLength { .. } | DataError::TooLittleRoom { .. } => Self::OutputLength,
            _ => Self::MessageLength,
        }
    }
}

impl From<AeadError> for Error {
    fn from(error: AeadError) -> Self {
        match error {
            AeadError::Forged => Self::Forged,
            AeadError::NonceLength { .. } => Self::NonceLength,
            AeadError::TagLength { .. } => Self::TagLength,
            AeadError::MessageLength => Self::MessageLength,
            AeadError::Order => Self::Order,
            AeadError::Data(error) => error.into(),
        }
    }
}

impl From<KdfError> for Error {
    fn from(error: KdfError) -> Self {
        match error {
            KdfError::OutputLength { .. } => Self::OutputLength,
            KdfError::NoIterations | KdfError::Costs | KdfError::Memory => Self::Parameter,
            KdfError::KeyLength(_) => Self::KeyLength,
        }
    }
}

impl From<DrbgError> for Error {
    fn from(error: DrbgError) -> Self {
        match error {
            DrbgError::EntropyLength { .. } => Self::KeyLength,
            DrbgError::NonceLength { .. } => Self::NonceLength,
            DrbgError::InputLength => Self::MessageLength,
            DrbgError::OutputLength { .. } => Self::OutputLength,
            DrbgError::ReseedNeeded => Self::Order,
            DrbgError::System => Self::System,
        }
    }
}
