//! RSA keys of OpenSSH: the public line, RFC 4253 §6.6, and the fields of the private file,
//! [OPENSSH](super::ssh).

use base64ct::{Base64, Encoding};

use super::rsa::{PrivateKey, PublicKey};
use super::ssh::{self, Fields, Private, malformed};
use crate::error::Error;

/// The name of the kind.
pub const RSA: &str = "ssh-rsa";

/// A positive number in the form of RFC 4251 §5: a byte 0 goes before a number whose highest bit
/// is set, which would be negative otherwise.
fn integer(number: &[u8]) -> Vec<u8> {
    let negative = number.first().is_some_and(|byte| byte & 0x80 != 0);
    let sign = if negative { &[0][..] } else { &[] };
    [sign, number].concat()
}

/// The form of a public key on the wire, RFC 4253 §6.6.
pub fn wire(public: &PublicKey) -> Vec<u8> {
    let (exponent, modulus) = (integer(public.exponent()), integer(public.modulus()));
    ssh::strings(&[RSA.as_bytes(), &exponent, &modulus])
}

/// Reads the line of a public key.
///
/// # Errors
///
/// [`Error::Unsupported`] for other kinds of keys, [`Error::Setting`] for damaged ones, and those
/// that [`PublicKey::new`] refuses.
pub fn parse_public(line: &str) -> Result<PublicKey, Error> {
    let bytes = ssh::public_bytes(line, RSA)?;
    let mut fields = Fields(&bytes);
    let parts = (fields.string(), fields.string(), fields.string());
    let (Some(_), Some(exponent), Some(modulus)) = parts else {
        return Err(ssh::no_public(RSA));
    };
    let public = PublicKey::new(modulus, exponent)?;
    // The tag of a stanza is the hash of these bytes, so each key has one form.
    if wire(&public) != bytes {
        return Err(ssh::no_public(RSA));
    }
    Ok(public)
}

/// Writes the line of a public key.
pub fn public_text(public: &PublicKey) -> String {
    format!("{RSA} {}", Base64::encode_string(&wire(public)))
}

/// The key of a private key file.
///
/// # Errors
///
/// [`Error::Unsupported`] for other kinds of keys, [`Error::Setting`] for damaged ones, and those
/// that [`PublicKey::new`] refuses.
pub fn private(file: &Private) -> Result<PrivateKey, Error> {
    let mut fields = file.fields(RSA)?;
    // Three numbers of the Chinese remainder theorem follow.
    let mut next = || fields.string().ok_or_else(malformed);
    let (modulus, public, exponent) = (next()?, next()?, next()?);
    for _ in 0..3 {
        next()?;
    }
    PrivateKey::new(PublicKey::new(modulus, public)?, exponent)
}
