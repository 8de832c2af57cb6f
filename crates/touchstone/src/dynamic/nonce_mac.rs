//! Message authentication codes that need a nonce with each message.

use alloc::boxed::Box;
use alloc::format;
use alloc::string::String;

use super::block::{self, Forwards, Rekey, Row as Cipher};
use super::mac::{LONGEST_TAG, MOVES};
use super::{Depth, Error, Options, Start, depth};
use crate::aead::Gmac;
use crate::aead::gcm::check_tag;
#[cfg(feature = "aes")]
use crate::block::Aes128Encrypt;
use crate::constant_time::equal;
use crate::ghash;
use crate::mac::{CipherPoly1305, InvalidNonce, NonceMac as Typed, SHORTEST_TAG, Umac, Vmac};
use crate::wipe;
use crate::{DigestBytes, KeyLengths, Keyed};

/// A MAC that uses one particular cipher.
struct Row {
    id: &'static str,
    keys: KeyLengths,
    nonces: KeyLengths,
    output: usize,
    best: fn() -> &'static str,
    start: Start<Box<dyn Authenticate>>,
}

macro_rules! rows {
    ($($(#[$cfg:meta])* $id:literal = $Mac:ty, nonces $nonces:expr;)*) => {
        static ROWS: &[Row] = &[$($(#[$cfg])* Row {
            id: $id,
            keys: <$Mac as Keyed>::KEY_LENGTHS,
            nonces: $nonces,
            output: <<$Mac as Typed>::Output as DigestBytes>::SIZE,
            best: block::best::<<$Mac as Keyed>::Kernel>,
            start: Start(|options, key| {
                wipe::after_moves::<$Mac, _>(MOVES, || -> Result<Box<dyn Authenticate>, Error> {
                    Ok(Box::new(<$Mac as Keyed>::with_kernel(block::kernel(options)?, key)?))
                })
            }),
        }),*];
    };
}

rows! {
    #[cfg(feature = "aes")]
    "poly1305-aes" = CipherPoly1305<Aes128Encrypt>, nonces KeyLengths::exactly(16);
    #[cfg(feature = "aes")]
    "umac-32" = Umac<Aes128Encrypt, 4>, nonces KeyLengths::every(1, 1, 16);
    #[cfg(feature = "aes")]
    "umac-64" = Umac<Aes128Encrypt, 8>, nonces KeyLengths::every(1, 1, 16);
    #[cfg(feature = "aes")]
    "umac-96" = Umac<Aes128Encrypt, 12>, nonces KeyLengths::every(1, 1, 16);
    #[cfg(feature = "aes")]
    "umac-128" = Umac<Aes128Encrypt, 16>, nonces KeyLengths::every(1, 1, 16);
    #[cfg(feature = "aes")]
    "vmac-64" = Vmac<Aes128Encrypt, 8>, nonces KeyLengths::every(1, 1, 16);
    #[cfg(feature = "aes")]
    "vmac-128" = Vmac<Aes128Encrypt, 16>, nonces KeyLengths::every(1, 1, 16);
}

/// The block ciphers that GMAC takes.
fn gmac_rows() -> impl Iterator<Item = &'static block::Row> {
    block::rows().filter(|row| cfg!(feature = "gcm") && row.block == 16)
}

#[derive(Clone, Copy)]
enum Found {
    Gmac(&'static block::Row),
    Own(&'static Row),
}

fn find(name: &str) -> Result<Found, Error> {
    let gmac = || gmac_rows().find(|row| name.strip_suffix("-gmac") == Some(row.id));
    let own = ROWS.iter().find(|row| row.id == name).map(Found::Own);
    own.or_else(|| gmac().map(Found::Gmac)).ok_or(Error::Name)
}

impl Found {
    fn output(self) -> usize {
        match self {
            Self::Gmac(_) => 16,
            Self::Own(row) => row.output,
        }
    }
}

/// An algorithm that was found by its name and has no key yet.
#[derive(Clone, Copy)]
pub struct NonceMacAlgorithm(Found);

impl NonceMacAlgorithm {
    /// The key lengths in bytes.
    pub fn key_lengths(self) -> KeyLengths {
        match self.0 {
            Found::Gmac(row) => row.keys,
            Found::Own(row) => row.keys,
        }
    }

    /// The nonce lengths in bytes. An algorithm may refuse some nonces of a right length:
    /// VMAC refuses nonces of 16 bytes whose first bit is 1.
    pub fn nonce_lengths(self) -> KeyLengths {
        match self.0 {
            Found::Gmac(_) => KeyLengths::every(1, 1, usize::MAX),
            Found::Own(row) => row.nonces,
        }
    }

    /// The length of the full tag in bytes.
    pub fn longest_tag(self) -> usize {
        self.0.output()
    }

    /// Whether tags may have this length in bytes.
    pub fn has_tag(self, length: usize) -> bool {
        match self.0 {
            Found::Gmac(_) => check_tag(length).is_ok(),
            Found::Own(row) => (SHORTEST_TAG..=row.output).contains(&length),
        }
    }

    /// Sets up a key, with full tags.
    ///
    /// # Errors
    ///
    /// [`Error::KeyLength`], [`Error::Parameter`], [`Error::Kernel`].
    pub fn with(self, key: &[u8], options: &Options<'_>) -> Result<NonceMac, Error> {
        if options.parameter.is_some() {
            return Err(Error::Parameter);
        }
        let Self(found) = self;
        let depth = match found {
            Found::Gmac(row) => row.depth("gmac", false, options),
            Found::Own(row) => Depth::of(row.id),
        };
        let state: Box<dyn Authenticate> = match found {
            Found::Own(row) => depth.clean_new(row.start.with(options, key))?,
            Found::Gmac(row) => depth.clean_new(galois(row, options, key))?,
        };
        Ok(NonceMac {
            state,
            found,
            depth,
            tag: found.output(),
        })
    }
}

impl core::fmt::Debug for NonceMacAlgorithm {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        let name = match self.0 {
            Found::Gmac(row) => (row.id, "gmac"),
            Found::Own(row) => (row.id, ""),
        };
        f.debug_tuple("NonceMacAlgorithm").field(&name).finish()
    }
}

/// A MAC that needs a nonce, with a key, and a message in progress. **Never use a nonce
/// twice under one key.** The program fixes the length of tags when it makes the object;
/// a message must never choose it.
pub struct NonceMac {
    state: Box<dyn Authenticate>,
    found: Found,
    depth: Depth,
    tag: usize,
}

impl NonceMac {
    /// The names of all algorithms of this type.
    pub fn names() -> impl Iterator<Item = String> {
        gmac_rows()
            .map(|row| format!("{}-gmac", row.id))
            .chain(ROWS.iter().map(|row| String::from(row.id)))
    }

    /// Finds an algorithm by its name, without a key.
    ///
    /// # Errors
    ///
    /// [`Error::Name`].
    pub fn find(name: &str) -> Result<NonceMacAlgorithm, Error> {
        find(name).map(NonceMacAlgorithm)
    }

    /// The name of the kernel of the block cipher on this machine.
    ///
    /// # Errors
    ///
    /// [`Error::Name`].
    pub fn kernel(name: &str) -> Result<&'static str, Error> {
        Ok(match find(name)? {
            Found::Gmac(row) => (row.best)(),
            Found::Own(row) => (row.best)(),
        })
    }

    /// Sets up a key for the MAC with this name, with full tags.
    ///
    /// # Errors
    ///
    /// [`Error::Name`], [`Error::KeyLength`].
    pub fn new(name: &str, key: &[u8]) -> Result<Self, Error> {
        Self::with(name, key, &Options::default())
    }

    /// [`new`](Self::new) with options.
    ///
    /// # Errors
    ///
    /// The errors of [`new`](Self::new), [`Error::Parameter`], [`Error::Kernel`].
    pub fn with(name: &str, key: &[u8], options: &Options<'_>) -> Result<Self, Error> {
        Self::find(name)?.with(key, options)
    }

    /// Truncates tags to their first `length` bytes, at least 4.
    ///
    /// # Errors
    ///
    /// [`Error::TagLength`] if `length` is less than 4, or more than the length of the
    /// full tag, or a length that GMAC does not allow.
    pub fn with_tag(mut self, length: usize) -> Result<Self, Error> {
        if !NonceMacAlgorithm(self.found).has_tag(length) {
            return Err(Error::TagLength);
        }
        self.tag = length;
        Ok(self)
    }

    /// The length of the tags in bytes.
    pub fn tag(&self) -> usize {
        self.tag
    }

    /// Replaces this key by another one, with the same kernel. The message in progress is
    /// discarded.
    ///
    /// # Errors
    ///
    /// [`Error::KeyLength`]; then the key is unchanged.
    #[inline]
    pub fn rekey(&mut self, key: &[u8]) -> Result<(), Error> {
        let set = self.state.rekey(key);
        if set.is_ok() {
            self.state.reset();
        }
        self.depth.clean_rekey(set)
    }

    /// Adds the next piece of the message.
    pub fn update(&mut self, data: &[u8]) {
        self.state.update(data);
        self.depth.clean_piece(());
    }

    /// Ends the message and writes its tag. The next message then starts with the same
    /// key.
    ///
    /// # Errors
    ///
    /// [`Error::NonceLength`]; [`Error::TagLength`] for a tag of another length than
    /// [`tag`](Self::tag); [`Error::MessageLength`].
    pub fn finalize(&mut self, nonce: &[u8], tag: &mut [u8]) -> Result<(), Error> {
        if tag.len() != self.tag {
            return Err(Error::TagLength);
        }
        self.depth.clean_piece(self.state.end(nonce, tag))
    }

    /// Ends the message and checks that `tag` is its tag.
    ///
    /// # Errors
    ///
    /// [`Error::Forged`] if it is not; the errors of [`finalize`](Self::finalize).
    pub fn verify(&mut self, nonce: &[u8], tag: &[u8]) -> Result<(), Error> {
        if tag.len() != self.tag {
            return Err(Error::TagLength);
        }
        // The comparison holds parts of the right tag.
        let genuine = wipe::after(self.depth.after_piece(), || -> Result<_, Error> {
            let mut made = [0; LONGEST_TAG];
            let made = &mut made[..tag.len()];
            self.state.end(nonce, made)?;
            Ok(equal(made, tag))
        })?;
        if genuine { Ok(()) } else { Err(Error::Forged) }
    }

    /// Writes the tag of a whole message by one indirect call. The message in progress
    /// does not affect it.
    ///
    /// # Errors
    ///
    /// The errors of [`finalize`](Self::finalize).
    #[inline]
    pub fn mac(&self, nonce: &[u8], message: &[u8], tag: &mut [u8]) -> Result<(), Error> {
        if tag.len() != self.tag {
            return Err(Error::TagLength);
        }
        let result = self.state.whole(nonce, message, tag);
        let usual_nonce = nonce.len() == 12 || !matches!(self.found, Found::Gmac(_));
        let length = depth::with_aad(usual_nonce, 0, message.len());
        self.depth.clean(length, result)
    }

    /// Discards the message in progress.
    pub fn reset(&mut self) {
        self.state.reset();
        self.depth.clean_piece(());
    }
}

impl core::fmt::Debug for NonceMac {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("NonceMac").finish_non_exhaustive()
    }
}

/// A MAC with a key, and a message in progress. Tags are truncated to the length of the
/// slice to which they are written; this length is already checked.
trait Authenticate: Send {
    fn rekey(&mut self, key: &[u8]) -> Result<(), Error>;
    fn update(&mut self, data: &[u8]);
    /// Ends the message and starts the next one.
    fn end(&mut self, nonce: &[u8], tag: &mut [u8]) -> Result<(), Error>;
    fn reset(&mut self);
    /// Computes the tag of a whole message. The message in progress does not affect it.
    fn whole(&self, nonce: &[u8], message: &[u8], tag: &mut [u8]) -> Result<(), Error>;
}

impl From<InvalidNonce> for Error {
    fn from(_: InvalidNonce) -> Self {
        Self::NonceLength
    }
}

impl<M: Typed + Send> Authenticate for M {
    fn rekey(&mut self, key: &[u8]) -> Result<(), Error> {
        wipe::after_moves::<Self, _>(MOVES, || Ok(Keyed::rekey(self, key)?))
    }

    fn update(&mut self, data: &[u8]) {
        Typed::update(self, data);
    }

    fn end(&mut self, nonce: &[u8], tag: &mut [u8]) -> Result<(), Error> {
        let whole = self.finalize(&nonce.try_into()?);
        tag.copy_from_slice(&whole.as_ref()[..tag.len()]);
        Ok(())
    }

    fn reset(&mut self) {
        Typed::reset(self);
    }

    fn whole(&self, nonce: &[u8], message: &[u8], tag: &mut [u8]) -> Result<(), Error> {
        let whole = self.mac(&nonce.try_into()?, message);
        tag.copy_from_slice(&whole.as_ref()[..tag.len()]);
        Ok(())
    }
}

/// Sets up a key of GMAC.
#[inline(never)]
fn galois(row: &Cipher, options: &Options<'_>, key: &[u8]) -> Result<Box<dyn Authenticate>, Error> {
    Ok(Box::new(Galois {
        gmac: Gmac::with_cipher(row.sixteen()?.forwards(options, key)?),
        hash: ghash::Stream::new(),
        length: 0,
    }))
}

/// GMAC, and the hash of a message in progress.
struct Galois {
    gmac: Gmac<Forwards<[u8; 16]>>,
    hash: ghash::Stream,
    length: u64,
}

impl Authenticate for Galois {
    fn rekey(&mut self, key: &[u8]) -> Result<(), Error> {
        self.gmac.rekey_by(|cipher| cipher.rekey(key))
    }

    fn update(&mut self, data: &[u8]) {
        // A message that is too long is refused when it ends.
        self.length = self.length.saturating_add(data.len() as u64);
        self.gmac.gcm().absorb_aad(&mut self.hash, data);
    }

    fn end(&mut self, nonce: &[u8], tag: &mut [u8]) -> Result<(), Error> {
        let hash = self.hash.clone();
        let whole = self.gmac.gcm().tag_of_aad(nonce, hash, self.length)?;
        self.reset();
        tag.copy_from_slice(&whole[..tag.len()]);
        Ok(())
    }

    fn reset(&mut self) {
        self.hash = ghash::Stream::new();
        self.length = 0;
    }

    fn whole(&self, nonce: &[u8], message: &[u8], tag: &mut [u8]) -> Result<(), Error> {
        Ok(self.gmac.mac_into(nonce, message, tag)?)
    }
}
