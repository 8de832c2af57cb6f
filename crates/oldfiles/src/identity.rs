//! The keys of age: native X25519, the hybrid with ML-KEM-768, and Ed25519 keys of SSH.

pub(crate) mod bech32;
pub(crate) mod hybrid;
pub(crate) mod ssh;

use std::fmt;

use curve25519_dalek::montgomery::MontgomeryPoint;
use touchstone::random::Generator;
use zeroize::Zeroizing;

use crate::error::Error;

use ssh::SshKey;

/// Human-readable parts of bech32.
const X25519_PUBLIC: &str = "age";
const X25519_SECRET: &str = "age-secret-key-";
const HYBRID_PUBLIC: &str = "age1pq";
const HYBRID_SECRET: &str = "age-secret-key-pq-";

/// X25519, RFC 7748 §5; `None` if the result is zero, as §6.1 says.
pub(crate) fn x25519(secret: &[u8; 32], public: &[u8; 32]) -> Option<Zeroizing<[u8; 32]>> {
    let shared = Zeroizing::new(MontgomeryPoint(*public).mul_clamped(*secret).0);
    (!touchstone::constant_time_eq(&*shared, &[0; 32])).then_some(shared)
}

/// The public key of an X25519 secret.
pub(crate) fn x25519_public(secret: &[u8; 32]) -> [u8; 32] {
    MontgomeryPoint::mul_base_clamped(*secret).0
}

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
        let (kind, bytes) = bech32::decode(text)
            .ok_or_else(|| Error::setting("this is no secret key of age (AGE-SECRET-KEY-1…)"))?;
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
    /// keys that age files cannot use here (RSA, ECDSA, plugins).
    pub fn parse_file(text: &str, passphrase: Option<&[u8]>) -> Result<Vec<Self>, Error> {
        if text.trim_start().starts_with(ssh::BEGIN) {
            return Ok(vec![Self(Secret::Ssh(SshKey::parse(text, passphrase)?))]);
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
            Secret::Ssh(_) => return None,
        };
        let lower = Zeroizing::new(bech32::encode(kind, &**key));
        Some(Zeroizing::new(lower.to_ascii_uppercase()))
    }

    /// The public key, for which files are encrypted.
    pub fn recipient(&self) -> Recipient {
        Recipient(match &self.0 {
            Secret::X25519(key) => Public::X25519(x25519_public(key)),
            Secret::Hybrid(seed) => Public::Hybrid(hybrid::public(seed)),
            Secret::Ssh(key) => Public::Ssh(*key.public()),
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
}

impl Recipient {
    /// Reads `age1…`, `age1pq1…` or `ssh-ed25519 …`.
    ///
    /// # Errors
    ///
    /// [`Error::Setting`] if the text is none, [`Error::Unsupported`] for RSA keys of SSH and for
    /// plugins.
    pub fn parse(text: &str) -> Result<Self, Error> {
        let text = text.trim();
        if text.starts_with("ssh-rsa ") {
            return Err(Error::unsupported("an ssh-rsa recipient"));
        }
        if text.starts_with("ssh-") || text.starts_with("ecdsa-") {
            return Ok(Self(Public::Ssh(ssh::parse_public(text)?)));
        }
        let (kind, bytes) = bech32::decode(text).ok_or_else(|| {
            Error::setting("this is no recipient of age (age1…, age1pq1…, ssh-ed25519 …)")
        })?;
        let wrong = || Error::setting("this recipient of age has a wrong length");
        match kind.as_str() {
            X25519_PUBLIC => {
                let key = bytes.as_slice().try_into().map_err(|_| wrong())?;
                Ok(Self(Public::X25519(key)))
            }
            HYBRID_PUBLIC if hybrid::is_public(&bytes) => Ok(Self(Public::Hybrid(bytes.to_vec()))),
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

    /// RFC 7748 §6.1.
    #[test]
    fn x25519_of_the_rfc() {
        let hex = |text: &str| -> [u8; 32] {
            std::array::from_fn(|i| u8::from_str_radix(&text[2 * i..2 * i + 2], 16).expect("hex"))
        };
        let alice = hex("8520f0098930a754748b7ddcb43ef75a0dbf3a0d26381af4eba4a98eaa9b4e6a");
        let bob = hex("5dab087e624a8a4b79e17f8b83800ee66f3bb1292618b6fd1c2f8b27ff88e0eb");
        let shared = hex("4a5d9d5ba4ce2de1728e3bf480350f25e07e21c947d19e3376f09b3c1e161742");
        assert_eq!(x25519(&bob, &alice).as_deref(), Some(&shared));
        assert_eq!(
            x25519_public(&bob),
            hex("de9edb7d7b7dc1b4d35b61c2ece435373f8343c85b78674dadfc7e146f882b4f")
        );
        assert_eq!(x25519(&bob, &[0; 32]), None);
    }
}
