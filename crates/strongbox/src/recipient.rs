//! For whom a file is sealed, and the keys that open it. A recipient writes a stanza with the
//! wrapped file key into the header; an identity unwraps the file key of a stanza.

use crate::error::{Error, Result};
use crate::file_key::FileKey;
use crate::header::{Stanza, kind};
use crate::random::Randomness;

mod curve;
pub(crate) mod hybrid;
pub(crate) mod passphrase;

pub use passphrase::{Costs, Keyfile, Limits, Passphrase};

/// Someone who can open the file.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub enum Recipient {
    /// Whoever knows a passphrase, and has a keyfile if one is given.
    Passphrase(Passphrase, Option<Keyfile>, Costs),
    /// Whoever has a keyfile.
    Keyfile(Keyfile),
    /// A public key for X25519 and ML-KEM-768 together, as the KEM X-Wing has it.
    Hybrid(Box<[u8; hybrid::PUBLIC]>),
    /// A public key for X25519, as age has. A quantum computer could open the file.
    X25519([u8; 32]),
    /// A public SSH key of Ed25519. A quantum computer could open the file.
    Ssh([u8; 32]),
}

/// A secret that opens files.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub enum Identity {
    /// A passphrase, with the keyfile if the file needs one.
    Passphrase(Passphrase, Option<Keyfile>),
    /// A keyfile.
    Keyfile(Keyfile),
    /// The secret of a [`Recipient::Hybrid`], of a [`Recipient::X25519`] or of a
    /// [`Recipient::Ssh`].
    Key(SecretKey),
}

/// A secret key of 32 bytes.
#[derive(Clone)]
pub struct SecretKey {
    pub(crate) kind: KeyKind,
    pub(crate) seed: zeroize::Zeroizing<[u8; 32]>,
}

/// What a [`SecretKey`] is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum KeyKind {
    /// X25519 and ML-KEM-768, from one seed.
    Hybrid,
    /// X25519.
    X25519,
    /// Ed25519, as SSH keys have.
    Ssh,
}

impl std::fmt::Debug for SecretKey {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "SecretKey({:?})", self.kind)
    }
}

impl SecretKey {
    /// Makes a key from its 32 bytes.
    pub fn new(kind: KeyKind, seed: [u8; 32]) -> Self {
        Self {
            kind,
            seed: zeroize::Zeroizing::new(seed),
        }
    }

    /// Makes a new key.
    ///
    /// # Errors
    ///
    /// [`Error::Io`] if there are no random bytes.
    pub fn random(kind: KeyKind, randomness: &mut dyn Randomness) -> Result<Self> {
        let mut this = Self::new(kind, [0; 32]);
        randomness.fill(&mut this.seed[..])?;
        Ok(this)
    }

    /// Returns the recipient to whom this key belongs.
    pub fn recipient(&self) -> Recipient {
        match self.kind {
            KeyKind::Hybrid => Recipient::Hybrid(hybrid::public(&self.seed)),
            KeyKind::X25519 => Recipient::X25519(curve::public(&self.seed)),
            KeyKind::Ssh => Recipient::Ssh(curve::ssh_public(&self.seed)),
        }
    }
}

impl Recipient {
    /// Wraps the file key.
    ///
    /// # Errors
    ///
    /// [`Error::Key`] for a public key that is none, [`Error::Usage`] for costs that Argon2 does
    /// not allow, [`Error::Io`] if there are no random bytes.
    pub(crate) fn stanza(&self, key: &FileKey, random: &mut dyn Randomness) -> Result<Stanza> {
        let (kind, body) = match self {
            Self::Passphrase(phrase, keyfile, costs) => {
                let body = passphrase::wrap(key, phrase, keyfile.as_ref(), *costs, random)?;
                (kind::PASSPHRASE, body)
            }
            Self::Keyfile(keyfile) => (kind::KEYFILE, keyfile.wrap(key, random)?),
            Self::Hybrid(public) => (kind::HYBRID, hybrid::wrap(key, public, random)?),
            Self::X25519(public) => (kind::X25519, curve::wrap(key, public, random)?),
            Self::Ssh(public) => (kind::SSH, curve::wrap_ssh(key, public, random)?),
        };
        Ok(Stanza { kind, body })
    }
}

/// Returns the file key of the first stanza that one of the identities opens.
///
/// # Errors
///
/// [`Error::WrongPassphrase`] if there was a stanza for a passphrase and a passphrase;
/// [`Error::NoKey`] if no identity is of the kind that the file needs; [`Error::Limit`] for costs
/// above the limits.
pub(crate) fn unwrap(
    stanzas: &[Stanza],
    identities: &[Identity],
    limits: &Limits,
) -> Result<FileKey> {
    let mut tried_passphrase = false;
    let mut limits = *limits;
    for identity in identities {
        for stanza in stanzas {
            let body = &stanza.body;
            let key = match (identity, stanza.kind) {
                (Identity::Passphrase(phrase, keyfile), kind::PASSPHRASE) => {
                    tried_passphrase = true;
                    passphrase::unwrap(body, phrase, keyfile.as_ref(), &mut limits)?
                }
                (Identity::Keyfile(keyfile), kind::KEYFILE) => {
                    tried_passphrase = true;
                    keyfile.unwrap(body)
                }
                (Identity::Key(secret), kind) => match (secret.kind, kind) {
                    (KeyKind::Hybrid, kind::HYBRID) => hybrid::unwrap(body, &secret.seed),
                    (KeyKind::X25519, kind::X25519) => curve::unwrap(body, &secret.seed),
                    (KeyKind::Ssh, kind::SSH) => curve::unwrap_ssh(body, &secret.seed),
                    _ => None,
                },
                _ => None,
            };
            if let Some(key) = key {
                return Ok(key);
            }
        }
    }
    Err(if tried_passphrase {
        Error::WrongPassphrase
    } else {
        Error::NoKey(describe(stanzas))
    })
}

/// Says for whom a file is: `a passphrase, 2 keys (X25519 and ML-KEM-768)`.
pub(crate) fn describe(stanzas: &[Stanza]) -> String {
    let kinds: [(u8, &str, &str); 5] = [
        (kind::PASSPHRASE, "a passphrase", "passphrases"),
        (kind::KEYFILE, "a keyfile", "keyfiles"),
        (
            kind::HYBRID,
            "a key of X25519 and ML-KEM-768",
            "keys of X25519 and ML-KEM-768",
        ),
        (kind::X25519, "a key of X25519", "keys of X25519"),
        (kind::SSH, "an SSH key of Ed25519", "SSH keys of Ed25519"),
    ];
    let mut parts = Vec::new();
    for (kind, one, many) in kinds {
        match stanzas.iter().filter(|stanza| stanza.kind == kind).count() {
            0 => {}
            1 => parts.push(one.to_owned()),
            count => parts.push(format!("{count} {many}")),
        }
    }
    let known = |stanza: &&Stanza| kinds.iter().any(|(kind, ..)| *kind == stanza.kind);
    let unknown = stanzas.len() - stanzas.iter().filter(known).count();
    if unknown > 0 {
        parts.push(format!(
            "{unknown} of a kind that this version does not know"
        ));
    }
    if parts.is_empty() {
        return "nobody".to_owned();
    }
    parts.join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::System;

    #[test]
    fn every_kind_of_key_opens_its_stanza_alone() {
        let mut random = System::new().unwrap();
        let kinds = [KeyKind::Hybrid, KeyKind::X25519, KeyKind::Ssh];
        let secrets = kinds.map(|kind| SecretKey::random(kind, &mut random).unwrap());
        let key = FileKey::new([8; 32]);
        for (place, secret) in secrets.iter().enumerate() {
            let mut stanza = secret.recipient().stanza(&key, &mut random).unwrap();
            let open = |stanza: &Stanza, secret: &SecretKey| {
                let identities = [Identity::Key(secret.clone())];
                unwrap(
                    std::slice::from_ref(stanza),
                    &identities,
                    &Limits::default(),
                )
            };
            assert_eq!(
                *open(&stanza, secret).unwrap().derive::<8>(b""),
                *key.derive::<8>(b"")
            );
            let other = SecretKey::random(kinds[place], &mut random).unwrap();
            assert!(matches!(open(&stanza, &other), Err(Error::NoKey(_))));
            for byte in 0..stanza.body.len() {
                stanza.body[byte] ^= 1;
                assert!(
                    open(&stanza, secret).is_err(),
                    "byte {byte} of {:?}",
                    kinds[place]
                );
                stanza.body[byte] ^= 1;
            }
            stanza.body.pop();
            assert!(open(&stanza, secret).is_err());
        }
    }
}
