//! The keys of age: native X25519, the hybrid with ML-KEM-768, and the keys of SSH.

use std::fmt;

use touchstone::random::Generator;
use zeroize::Zeroizing;

use crate::error::Error;
use crate::keys::ssh::{self, Private, SshKey};
use crate::keys::{bech32, curve, rsa, ssh_rsa, x_wing};

/// Human-readable parts of bech32.
const X25519_PUBLIC: &str = "age";
const X25519_SECRET: &str = "age-secret-key-";
const HYBRID_PUBLIC: &str = "age1pq";
const HYBRID_SECRET: &str = "age-secret-key-pq-";

/// Random bytes for a new secret.
pub(crate) fn random<const N: usize>() -> Result<Zeroizing<[u8; N]>, Error> {
    let mut bytes = Zeroizing::new([0; N]);
    Generator::new()?.fill(&mut *bytes)?;
    Ok(bytes)
}

/// A secret key.
#[derive(Clone)]
pub struct Identity(pub(crate) Secret);

#[derive(Clone)]
pub(crate) enum Secret {
    X25519(Zeroizing<[u8; 32]>),
    /// The seed of both parts.
    Hybrid(Zeroizing<[u8; 32]>),
    Ssh(SshKey),
    SshRsa(rsa::PrivateKey),
}

impl Identity {
    /// Makes a new X25519 key.
    ///
    /// # Errors
    ///
    /// [`Error::Read`] if the system gives no random bytes.
    pub fn generate() -> Result<Self, Error> {
        Ok(Self(Secret::X25519(random()?)))
    }

    /// Makes a new hybrid key of X25519 and ML-KEM-768.
    ///
    /// # Errors
    ///
    /// [`Error::Read`] if the system gives no random bytes.
    pub fn generate_hybrid() -> Result<Self, Error> {
        Ok(Self(Secret::Hybrid(random()?)))
    }

    /// Reads one key of the form `AGE-SECRET-KEY-1…` or `AGE-SECRET-KEY-PQ-1…`.
    ///
    /// # Errors
    ///
    /// [`Error::Setting`] if the text is none, [`Error::Unsupported`] for plugins.
    pub fn parse(text: &str) -> Result<Self, Error> {
        if text.to_ascii_lowercase().starts_with("age-plugin-") {
            return Err(Error::unsupported("an identity of an age plugin"));
        }
        let (kind, bytes) = bech32::decode(text)?;
        let wrong = || Error::setting("this secret key of age has a wrong length");
        let key = Zeroizing::new(<[u8; 32]>::try_from(bytes.as_slice()).map_err(|_| wrong())?);
        match kind.as_str() {
            X25519_SECRET => Ok(Self(Secret::X25519(key))),
            HYBRID_SECRET => Ok(Self(Secret::Hybrid(key))),
            _ => Err(Error::setting(format!(
                "a key of the kind \"{kind}\" opens no age file"
            ))),
        }
    }

    /// Reads a file of keys: a key on each line, with comments that begin with `#`, or a private
    /// key of OpenSSH, which `passphrase` opens if it is encrypted.
    ///
    /// # Errors
    ///
    /// [`Error::Setting`] for text that is no key, [`Error::SecretMissing`] and
    /// [`Error::WrongSecret`] for an encrypted key of OpenSSH, [`Error::Unsupported`] for kinds of
    /// keys that age files cannot use (ECDSA, plugins).
    pub fn parse_file(text: &str, passphrase: Option<&[u8]>) -> Result<Vec<Self>, Error> {
        if text.trim_start().starts_with(ssh::BEGIN) {
            let file = Private::parse(text, passphrase)?;
            let secret = match file.kind() {
                ssh_rsa::RSA => Secret::SshRsa(ssh_rsa::private(&file)?),
                _ => Secret::Ssh(SshKey::of(&file)?),
            };
            return Ok(vec![Self(secret)]);
        }
        if text.trim_start().starts_with("-----BEGIN") {
            return Err(Error::unsupported(
                "a private key in PEM; convert it by ssh-keygen -p -f FILE (OpenSSH's own form)",
            ));
        }
        let lines = text.lines().map(str::trim);
        let keys: Result<Vec<_>, _> = lines
            .filter(|line| !line.is_empty() && !line.starts_with('#'))
            .map(Self::parse)
            .collect();
        let keys = keys?;
        if keys.is_empty() {
            return Err(Error::setting("the file of keys contains no key"));
        }
        Ok(keys)
    }

    /// The text of the key, which [`parse`](Self::parse) reads; `None` for keys of SSH.
    pub fn secret_text(&self) -> Option<Zeroizing<String>> {
        let (kind, key) = match &self.0 {
            Secret::X25519(key) => (X25519_SECRET, key),
            Secret::Hybrid(key) => (HYBRID_SECRET, key),
            Secret::Ssh(_) | Secret::SshRsa(_) => return None,
        };
        Some(bech32::encode_secret(kind, &**key))
    }

    /// The public key, for which files are encrypted.
    pub fn recipient(&self) -> Recipient {
        Recipient(match &self.0 {
            Secret::X25519(key) => Public::X25519(curve::public(key)),
            Secret::Hybrid(seed) => Public::Hybrid(x_wing::public(seed).to_vec()),
            Secret::Ssh(key) => Public::Ssh(*key.public()),
            Secret::SshRsa(key) => Public::SshRsa(key.public().clone()),
        })
    }
}

impl fmt::Debug for Identity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Identity")
    }
}

/// A public key, for which a file is encrypted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Recipient(pub(crate) Public);

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Public {
    X25519([u8; 32]),
    Hybrid(Vec<u8>),
    /// An Ed25519 key.
    Ssh([u8; 32]),
    SshRsa(rsa::PublicKey),
}

impl Recipient {
    /// Reads `age1…`, `age1pq1…`, `ssh-ed25519 …` or `ssh-rsa …`.
    ///
    /// # Errors
    ///
    /// [`Error::Setting`] if the text is none, and for RSA keys of less than 2048 or more than 8192
    /// bits; [`Error::Unsupported`] for other keys of SSH and for plugins.
    pub fn parse(text: &str) -> Result<Self, Error> {
        let text = text.trim();
        if text.split_ascii_whitespace().next() == Some(ssh_rsa::RSA) {
            return Ok(Self(Public::SshRsa(ssh_rsa::parse_public(text)?)));
        }
        if text.starts_with("ssh-") || text.starts_with("ecdsa-") {
            return Ok(Self(Public::Ssh(ssh::parse_public(text)?)));
        }
        let (kind, bytes) = bech32::decode(text)?;
        let wrong = || Error::setting("this recipient of age has a wrong length");
        match kind.as_str() {
            X25519_PUBLIC => {
                let key = bytes.as_slice().try_into().map_err(|_| wrong())?;
                Ok(Self(Public::X25519(key)))
            }
            HYBRID_PUBLIC if x_wing::is_public(&bytes) => Ok(Self(Public::Hybrid(bytes.to_vec()))),
            HYBRID_PUBLIC => Err(wrong()),
            _ => Err(Error::unsupported(format!(
                "a recipient of the kind \"{kind}\" (a plugin?)"
            ))),
        }
    }
}

impl fmt::Display for Recipient {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Public::X25519(key) => f.write_str(&bech32::encode(X25519_PUBLIC, key)),
            Public::Hybrid(key) => f.write_str(&bech32::encode(HYBRID_PUBLIC, key)),
            Public::Ssh(key) => f.write_str(&ssh::public_text(key)),
            Public::SshRsa(key) => f.write_str(&ssh_rsa::public_text(key)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_read_again() {
        for identity in [Identity::generate(), Identity::generate_hybrid()] {
            let identity = identity.expect("random bytes");
            let text = identity.secret_text().expect("a native key");
            let again = Identity::parse(&text).expect("its own text");
            assert_eq!(again.recipient(), identity.recipient());
            let public = identity.recipient().to_string();
            assert_eq!(
                Recipient::parse(&public).expect("its text"),
                identity.recipient()
            );
            let file = format!("# comment\n\n{}\n", *text);
            assert_eq!(
                Identity::parse_file(&file, None).map(|all| all.len()).ok(),
                Some(1)
            );
            assert!(Identity::parse(&public).is_err());
            assert!(Recipient::parse(&text).is_err());
        }
    }
}
