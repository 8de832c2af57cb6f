//! Message authentication codes that take a nonce with each message.

use alloc::boxed::Box;
use alloc::format;
use alloc::string::String;

use super::block::{self, Forwards, Rekey};
use super::mac::LONGEST_TAG;
use super::{Error, Options};
use crate::aead::Gmac;
use crate::aead::gcm::check_tag;
#[cfg(feature = "aes")]
use crate::block::Aes128Encrypt;
use crate::constant_time::equal;
use crate::ghash;
use crate::mac::{InvalidNonce, NonceMac as Typed, SHORTEST_TAG, Umac, Vmac};
use crate::wipe::wipe;
use crate::{DigestBytes, KeyLengths, Keyed};

/// Sets a key up.
type Start = fn(&Options<'_>, &[u8]) -> Result<Box<dyn Authenticate>, Error>;

/// A MAC over one cipher.
struct Row {
    id: &'static str,
    keys: KeyLengths,
    nonces: KeyLengths,
    output: usize,
    best: fn() -> &'static str,
    start: Start,
}

macro_rules! rows {
    ($($(#[$cfg:meta])* $id:literal = $Mac:ty;)*) => {
        static ROWS: &[Row] = &[$($(#[$cfg])* Row {
            id: $id,
            keys: <$Mac as Keyed>::KEY_LENGTHS,
            nonces: KeyLengths::every(1, 1, 16),
            output: <<$Mac as Typed>::Output as DigestBytes>::SIZE,
            best: block::best::<<$Mac as Keyed>::Kernel>,
            start: |options, key| {
                Ok(Box::new(<$Mac as Keyed>::with_kernel(block::kernel(options)?, key)?))
            },
        }),*];
    };
}

rows! {
    #[cfg(feature = "aes")]
    "umac-32" = Umac<Aes128Encrypt, 4>;
    #[cfg(feature = "aes")]
    "umac-64" = Umac<Aes128Encrypt, 8>;
    #[cfg(feature = "aes")]
    "umac-96" = Umac<Aes128Encrypt, 12>;
    #[cfg(feature = "aes")]
    "umac-128" = Umac<Aes128Encrypt, 16>;
    #[cfg(feature = "aes")]
    "vmac-64" = Vmac<Aes128Encrypt, 8>;
    #[cfg(feature = "aes")]
    "vmac-128" = Vmac<Aes128Encrypt, 16>;
}

#[derive(Clone, Copy)]
enum Found {
    Gmac(&'static block::Row),
    Own(&'static Row),
}

fn find(name: &str) -> Result<Found, Error> {
    let gmac = || block::split(name, "gmac").filter(|row| row.block == 16);
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

/// What a name stands for, before there is a key.
#[derive(Clone, Copy)]
pub struct NonceMacAlgorithm(Found);

impl NonceMacAlgorithm {
    /// Lengths of the keys in bytes.
    pub fn key_lengths(self) -> KeyLengths {
        match self.0 {
            Found::Gmac(row) => row.keys,
            Found::Own(row) => row.keys,
        }
    }

    /// Lengths of the nonces in bytes. UMAC and VMAC read a nonce as a number, and refuse some of
    /// 16 bytes.
    pub fn nonce_lengths(self) -> KeyLengths {
        match self.0 {
            Found::Gmac(_) => KeyLengths::every(1, 1, usize::MAX),
            Found::Own(row) => row.nonces,
        }
    }

    /// Length of the whole tag in bytes.
    pub fn longest_tag(self) -> usize {
        self.0.output()
    }

    /// The MAC with a key and the whole tag.
    ///
    /// # Errors
    ///
    /// [`Error::KeyLength`], [`Error::Parameter`], [`Error::Kernel`].
    pub fn with(self, key: &[u8], options: &Options<'_>) -> Result<NonceMac, Error> {
        if options.parameter.is_some() {
            return Err(Error::Parameter);
        }
        let Self(found) = self;
        let state: Box<dyn Authenticate> = match found {
            Found::Own(row) => (row.start)(options, key)?,
            Found::Gmac(row) => Box::new(Galois {
                gmac: Gmac::with_cipher(row.sixteen()?.forwards(options, key)?),
                hash: ghash::Stream::new(),
                length: 0,
            }),
        };
        Ok(NonceMac {
            state,
            found,
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

/// A MAC that takes a nonce, with a key, and a message under way. **No nonce may serve twice
/// under one key.** The length of its tags is fixed when it is made, never by a message.
pub struct NonceMac {
    state: Box<dyn Authenticate>,
    found: Found,
    tag: usize,
}

impl NonceMac {
    /// All names.
    pub fn names() -> impl Iterator<Item = String> {
        let sixteen = block::ROWS.iter().filter(|row| row.block == 16);
        sixteen
            .map(|row| format!("{}-gmac", row.id))
            .chain(ROWS.iter().map(|row| String::from(row.id)))
    }

    /// Looks a name up, for a key that comes later.
    ///
    /// # Errors
    ///
    /// [`Error::Name`].
    pub fn find(name: &str) -> Result<NonceMacAlgorithm, Error> {
        find(name).map(NonceMacAlgorithm)
    }

    /// The kernel of the block cipher on this machine.
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

    /// The MAC of this name, with a key and the whole tag.
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
    /// Those of [`new`](Self::new), [`Error::Parameter`], [`Error::Kernel`].
    pub fn with(name: &str, key: &[u8], options: &Options<'_>) -> Result<Self, Error> {
        Self::find(name)?.with(key, options)
    }

    /// Cuts tags to their first bytes, at least 4.
    ///
    /// # Errors
    ///
    /// [`Error::TagLength`] for less, for more than the whole tag, and for what GMAC has not.
    pub fn with_tag(mut self, length: usize) -> Result<Self, Error> {
        let known = match self.found {
            Found::Gmac(_) => check_tag(length).is_ok(),
            Found::Own(row) => (SHORTEST_TAG..=row.output).contains(&length),
        };
        if !known {
            return Err(Error::TagLength);
        }
        self.tag = length;
        Ok(self)
    }

    /// Length of the tags in bytes.
    pub fn tag(&self) -> usize {
        self.tag
    }

    /// Sets another key up in the place of this one, for the same kernel. The message under way
    /// is forgotten.
    ///
    /// # Errors
    ///
    /// [`Error::KeyLength`]; the key stays as it is then.
    pub fn rekey(&mut self, key: &[u8]) -> Result<(), Error> {
        self.state.rekey(key)?;
        self.state.reset();
        Ok(())
    }

    /// Takes the next piece of the message.
    pub fn update(&mut self, data: &[u8]) {
        self.state.update(data);
    }

    /// Ends the message, writes its tag, and starts the next one with the same key.
    ///
    /// # Errors
    ///
    /// [`Error::NonceLength`]; [`Error::TagLength`] for a tag of another length than
    /// [`tag`](Self::tag); [`Error::MessageLength`].
    pub fn finalize(&mut self, nonce: &[u8], tag: &mut [u8]) -> Result<(), Error> {
        if tag.len() != self.tag {
            return Err(Error::TagLength);
        }
        self.state.end(nonce, tag)
    }

    /// Ends the message, and checks that it has this tag.
    ///
    /// # Errors
    ///
    /// [`Error::Forged`] if it has another; those of [`finalize`](Self::finalize).
    pub fn verify(&mut self, nonce: &[u8], tag: &[u8]) -> Result<(), Error> {
        if tag.len() != self.tag {
            return Err(Error::TagLength);
        }
        let mut made = [0; LONGEST_TAG];
        let made = &mut made[..tag.len()];
        self.state.end(nonce, made)?;
        let genuine = equal(made, tag);
        wipe(made, 0);
        if genuine { Ok(()) } else { Err(Error::Forged) }
    }

    /// The tag of a whole message, by one indirect call, whatever pieces have been taken.
    ///
    /// # Errors
    ///
    /// Those of [`finalize`](Self::finalize).
    #[inline]
    pub fn mac(&self, nonce: &[u8], message: &[u8], tag: &mut [u8]) -> Result<(), Error> {
        if tag.len() != self.tag {
            return Err(Error::TagLength);
        }
        self.state.whole(nonce, message, tag)
    }

    /// Forgets the message under way.
    pub fn reset(&mut self) {
        self.state.reset();
    }
}

impl core::fmt::Debug for NonceMac {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("NonceMac").finish_non_exhaustive()
    }
}

/// A MAC with a key, and a message under way. A tag is the beginning of the whole tag, as long
/// as the slice that it is written to, which has been checked.
trait Authenticate: Send {
    fn rekey(&mut self, key: &[u8]) -> Result<(), Error>;
    fn update(&mut self, data: &[u8]);
    /// Ends the message, and starts the next one.
    fn end(&mut self, nonce: &[u8], tag: &mut [u8]) -> Result<(), Error>;
    fn reset(&mut self);
    /// A whole message, whatever pieces have been taken.
    fn whole(&self, nonce: &[u8], message: &[u8], tag: &mut [u8]) -> Result<(), Error>;
}

impl From<InvalidNonce> for Error {
    fn from(_: InvalidNonce) -> Self {
        Self::NonceLength
    }
}

impl<M: Typed + Send> Authenticate for M {
    fn rekey(&mut self, key: &[u8]) -> Result<(), Error> {
        Ok(Keyed::rekey(self, key)?)
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

/// GMAC, and the hash of a message under way.
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
        // Too long a message is refused at its end.
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
