//! Key derivation.

use alloc::string::String;

use super::{Error, block};
use crate::hash::*;
use crate::kdf::{hkdf, pbkdf2};
use crate::mac::Hmac;

/// The inputs of a key derivation.
#[derive(Debug, Clone, Copy, Default)]
pub struct Derivation<'a> {
    /// The password or the key material.
    pub secret: &'a [u8],
    /// The salt.
    pub salt: &'a [u8],
    /// The purpose of the key, if the function takes one.
    pub info: &'a [u8],
    /// The number of iterations, if the function takes one.
    pub iterations: u32,
}

/// A key derivation function by name.
struct Row {
    id: &'static str,
    best: fn() -> &'static str,
    derive: fn(&Derivation<'_>, &mut [u8]) -> Result<(), Error>,
}

macro_rules! rows {
    ($($(#[$cfg:meta])* $id:literal = $Hash:ty;)*) => {
        static ROWS: &[Row] = &[$(
            $(#[$cfg])*
            Row {
                id: concat!("hkdf-", $id),
                best: block::best::<<$Hash as HashFunction>::Kernel>,
                derive: |from, key| {
                    if from.iterations != 0 {
                        return Err(Error::Parameter);
                    }
                    Ok(hkdf::<$Hash>(from.secret, from.salt, from.info, key)?)
                },
            },
            $(#[$cfg])*
            Row {
                id: concat!("pbkdf2-hmac-", $id),
                best: block::best::<<$Hash as HashFunction>::Kernel>,
                derive: |from, key| {
                    if !from.info.is_empty() {
                        return Err(Error::Parameter);
                    }
                    Ok(pbkdf2::<Hmac<$Hash>>(from.secret, from.salt, from.iterations, key)?)
                },
            },
        )*];
    };
}

crate::hash::hashes!(rows!);

/// The names of all key derivation functions.
pub fn derivations() -> impl Iterator<Item = String> {
    ROWS.iter().map(|row| String::from(row.id))
}

/// Fills `key` with the key derivation function of this name.
///
/// # Errors
///
/// [`Error::Name`] if there is no such function; [`Error::Parameter`] for iterations or a
/// purpose that the function does not take, or for 0 iterations if it needs them;
/// [`Error::OutputLength`] if `key` is longer than the function allows.
pub fn derive(name: &str, from: &Derivation<'_>, key: &mut [u8]) -> Result<(), Error> {
    Kdf::find(name)?.derive(from, key)
}

/// A key derivation function, looked up once for many calls.
#[derive(Clone, Copy)]
pub struct Kdf(&'static Row);

impl Kdf {
    /// Looks a name up.
    ///
    /// # Errors
    ///
    /// [`Error::Name`].
    pub fn find(name: &str) -> Result<Self, Error> {
        let row = ROWS.iter().find(|row| row.id == name);
        row.map(Self).ok_or(Error::Name)
    }

    /// The kernel of the hash function on this machine.
    pub fn kernel(self) -> &'static str {
        (self.0.best)()
    }

    /// Fills `key`.
    ///
    /// # Errors
    ///
    /// [`Error::Parameter`] for iterations or a purpose that the function does not take, or no
    /// iterations where it needs them; [`Error::OutputLength`] for more bytes than it makes.
    pub fn derive(self, from: &Derivation<'_>, key: &mut [u8]) -> Result<(), Error> {
        (self.0.derive)(from, key)
    }
}

impl core::fmt::Debug for Kdf {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_tuple("Kdf").field(&self.0.id).finish()
    }
}
