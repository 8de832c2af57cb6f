//! OpenSSH's private keys of Ed25519, with and without a passphrase, [KEYS].
//!
//! - [KEYS] OpenSSH, PROTOCOL.key: the format `openssh-key-v1`
//!
//! [KEYS]: https://cvsweb.openbsd.org/src/usr.bin/ssh/PROTOCOL.key

use base64ct::{Base64, Encoding};
use touchstone::block::Aes256;
use touchstone::kdf::bcrypt_pbkdf;
use touchstone::mode::Ctr;
use zeroize::Zeroizing;

use crate::error::{Error, Result};
use crate::recipient::passphrase::Passphrase;
use crate::recipient::{KeyKind, SecretKey};

/// The largest number of rounds of bcrypt_pbkdf that is accepted: some minutes of work.
const MOST_ROUNDS: u32 = 10_000;

fn wrong(what: &str) -> Error {
    Error::Key(format!("the SSH key cannot be read: {what}"))
}

/// Splits a string with a length of four bytes from the beginning.
fn string<'a>(bytes: &mut &'a [u8]) -> Result<&'a [u8]> {
    let cut = || wrong("it is cut short");
    let (length, rest) = bytes.split_first_chunk::<4>().ok_or_else(cut)?;
    let length = u32::from_be_bytes(*length) as usize;
    let (string, rest) = rest.split_at_checked(length).ok_or_else(cut)?;
    *bytes = rest;
    Ok(string)
}

fn number(bytes: &mut &[u8]) -> Result<u32> {
    let (number, rest) = bytes
        .split_first_chunk::<4>()
        .ok_or_else(|| wrong("it is cut short"))?;
    *bytes = rest;
    Ok(u32::from_be_bytes(*number))
}

/// Reads a private key; `ask` is called for the passphrase if the key has one.
///
/// # Errors
///
/// [`Error::Key`], [`Error::WrongPassphrase`], errors of `ask`.
pub(crate) fn parse(text: &str, ask: &mut dyn FnMut() -> Result<Passphrase>) -> Result<SecretKey> {
    let body = text
        .trim()
        .strip_prefix("-----BEGIN OPENSSH PRIVATE KEY-----")
        .and_then(|text| text.strip_suffix("-----END OPENSSH PRIVATE KEY-----"))
        .ok_or_else(|| wrong("only keys that begin with BEGIN OPENSSH PRIVATE KEY can"))?;
    let body: Zeroizing<String> =
        Zeroizing::new(body.chars().filter(|c| !c.is_ascii_whitespace()).collect());
    let bytes = Base64::decode_vec(&body).map_err(|_| wrong("it is no Base64"))?;
    let bytes = Zeroizing::new(bytes);
    let mut rest = bytes
        .strip_prefix(b"openssh-key-v1\0")
        .ok_or_else(|| wrong("it has another format"))?;
    let (cipher, kdf, mut options) = (string(&mut rest)?, string(&mut rest)?, string(&mut rest)?);
    if number(&mut rest)? != 1 {
        return Err(wrong("it holds several keys"));
    }
    string(&mut rest)?;
    let mut secret = Zeroizing::new(string(&mut rest)?.to_vec());
    match (cipher, kdf) {
        (b"none", b"none") => {}
        (b"aes256-ctr", b"bcrypt") => {
            let (salt, rounds) = (string(&mut options)?, number(&mut options)?);
            if rounds > MOST_ROUNDS {
                return Err(wrong(
                    "its passphrase takes more than 10000 rounds of bcrypt",
                ));
            }
            let phrase = ask()?;
            let mut key = Zeroizing::new([0; 48]);
            bcrypt_pbkdf(phrase.bytes(), salt, rounds, &mut key[..])
                .map_err(|_| wrong("its passphrase has an impossible salt"))?;
            let (key, counter) = key.split_first_chunk::<32>().expect("48 bytes");
            let counter = counter.try_into().expect("16 bytes");
            Ctr::new(Aes256::new(key), counter).apply(&mut secret);
        }
        _ => {
            return Err(wrong(
                "it is encrypted by another cipher than aes256-ctr; ssh-keygen -p -Z aes256-ctr \
                 changes this",
            ));
        }
    }
    let mut rest = &secret[..];
    if number(&mut rest)? != number(&mut rest)? {
        return Err(Error::WrongPassphrase);
    }
    let kind = string(&mut rest)?;
    if kind != b"ssh-ed25519" {
        return Err(wrong("it is no key of Ed25519"));
    }
    string(&mut rest)?;
    let pair = string(&mut rest)?;
    let seed = pair.first_chunk::<32>().filter(|_| pair.len() == 64);
    let seed = seed.ok_or_else(|| wrong("its secret has a wrong length"))?;
    Ok(SecretKey::new(KeyKind::Ssh, *seed))
}
