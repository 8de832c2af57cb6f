//! Key wrap: authenticated encryption of keys, without a nonce.

use alloc::format;
use alloc::string::String;

use super::block::{self, Backwards, Forwards, Row};
use super::{Depth, Error, Options};
use crate::KeyLengths;
use crate::mode::KeyWrap as Mode;
use crate::wipe;

/// The block ciphers that key wrap takes.
fn rows() -> impl Iterator<Item = &'static Row> {
    block::rows().filter(|row| cfg!(feature = "key-wrap") && row.block == 16)
}

/// Key wrap with a block cipher of 16-byte blocks, with padding (`-kwp`) or without
/// (`-kw`).
#[derive(Clone, Copy)]
pub struct KeyWrap {
    row: &'static Row,
    padded: bool,
}

impl KeyWrap {
    /// The names of all algorithms of this type.
    pub fn names() -> impl Iterator<Item = String> {
        rows().flat_map(|row| ["kw", "kwp"].map(|mode| format!("{}-{mode}", row.id)))
    }

    /// The key wrap with this name.
    ///
    /// # Errors
    ///
    /// [`Error::Name`].
    pub fn new(name: &str) -> Result<Self, Error> {
        let padded = name.ends_with("-kwp");
        let id = name.strip_suffix(if padded { "-kwp" } else { "-kw" });
        rows()
            .find(|row| id == Some(row.id))
            .map(|row| Self { row, padded })
            .ok_or(Error::Name)
    }

    /// The key lengths in bytes.
    pub fn key_lengths(&self) -> KeyLengths {
        self.row.keys
    }

    /// The name of the kernel that computes this key wrap on this machine.
    pub fn kernel(&self) -> &'static str {
        (self.row.best)()
    }

    /// Wraps a secret under a key. `output` must be 8 bytes longer than the secret, which
    /// `-kwp` first pads to a multiple of 8 bytes.
    ///
    /// # Errors
    ///
    /// [`Error::KeyLength`], [`Error::MessageLength`], [`Error::OutputLength`].
    pub fn wrap(&self, key: &[u8], secret: &[u8], output: &mut [u8]) -> Result<(), Error> {
        self.wrapper(key)?.wrap(secret, output)
    }

    /// Unwraps a secret from [`wrap`](Self::wrap) and returns its length in bytes.
    ///
    /// # Errors
    ///
    /// [`Error::Forged`], [`Error::KeyLength`], [`Error::MessageLength`], [`Error::OutputLength`].
    pub fn unwrap(&self, key: &[u8], wrapped: &[u8], output: &mut [u8]) -> Result<usize, Error> {
        self.unwrapper(key)?.unwrap(wrapped, output)
    }

    /// A key that wraps many secrets.
    ///
    /// # Errors
    ///
    /// [`Error::KeyLength`].
    pub fn wrapper(&self, key: &[u8]) -> Result<Wrapper, Error> {
        let source = self.row.sixteen()?;
        let depth = self.row.depth("kw", false, &Options::default());
        Ok(Wrapper {
            cipher: depth.clean_new(wipe::apart(|| source.forwards(&Options::default(), key)))?,
            depth,
            padded: self.padded,
        })
    }

    /// A key that unwraps many secrets.
    ///
    /// # Errors
    ///
    /// [`Error::KeyLength`].
    pub fn unwrapper(&self, key: &[u8]) -> Result<Unwrapper, Error> {
        let source = self.row.sixteen()?;
        let depth = self.row.depth("kw", false, &Options::default());
        Ok(Unwrapper {
            cipher: depth.clean_new(wipe::apart(|| source.backwards(&Options::default(), key)))?,
            depth,
            padded: self.padded,
        })
    }
}

/// Wraps secrets under a key.
pub struct Wrapper {
    cipher: Forwards<[u8; 16]>,
    depth: Depth,
    padded: bool,
}

impl Wrapper {
    /// Replaces this key by another one.
    ///
    /// # Errors
    ///
    /// [`Error::KeyLength`]; then the key is unchanged.
    pub fn rekey(&mut self, key: &[u8]) -> Result<(), Error> {
        self.depth.clean_rekey(self.cipher.rekey(key))
    }

    /// Wraps a secret, as [`KeyWrap::wrap`] does.
    ///
    /// # Errors
    ///
    /// [`Error::MessageLength`], [`Error::OutputLength`].
    pub fn wrap(&self, secret: &[u8], output: &mut [u8]) -> Result<(), Error> {
        wipe::after(self.depth.after_piece(), || {
            let mode = Mode::new(&self.cipher);
            if self.padded {
                mode.wrap_padded_into(secret, output)?;
            } else {
                mode.wrap_into(secret, output)?;
            }
            Ok(())
        })
    }
}

/// Unwraps secrets under a key.
pub struct Unwrapper {
    cipher: Backwards<[u8; 16]>,
    depth: Depth,
    padded: bool,
}

impl Unwrapper {
    /// Replaces this key by another one.
    ///
    /// # Errors
    ///
    /// [`Error::KeyLength`]; then the key is unchanged.
    pub fn rekey(&mut self, key: &[u8]) -> Result<(), Error> {
        self.depth.clean_rekey(self.cipher.rekey(key))
    }

    /// Unwraps a secret, as [`KeyWrap::unwrap`] does, and returns its length in bytes.
    ///
    /// # Errors
    ///
    /// [`Error::Forged`], [`Error::MessageLength`], [`Error::OutputLength`].
    pub fn unwrap(&self, wrapped: &[u8], output: &mut [u8]) -> Result<usize, Error> {
        wipe::after(self.depth.after_piece(), || {
            let mode = Mode::new(&self.cipher);
            Ok(if self.padded {
                mode.unwrap_padded_into(wrapped, output)?
            } else {
                mode.unwrap_into(wrapped, output)?;
                output.len()
            })
        })
    }
}

impl core::fmt::Debug for Wrapper {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Wrapper").finish_non_exhaustive()
    }
}

impl core::fmt::Debug for Unwrapper {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Unwrapper").finish_non_exhaustive()
    }
}

impl core::fmt::Debug for KeyWrap {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        let Self { row, padded } = self;
        let name = (row.id, if *padded { "kwp" } else { "kw" });
        f.debug_tuple("KeyWrap").field(&name).finish()
    }
}
