//! Keys as text: what `keygen` writes, and what users paste.
//!
//! | text | key |
//! |---|---|
//! | `age1pq1…`, `AGE-SECRET-KEY-PQ-1…` | X25519 and ML-KEM-768, as age 1.3 writes them |
//! | `age1…`, `AGE-SECRET-KEY-1…` | X25519, as age writes them |
//! | `ssh-ed25519 AAAA…`, `-----BEGIN OPENSSH PRIVATE KEY-----` | Ed25519, as ssh-keygen(1) writes them |
//! | `sbsign1…`, `STRONGBOX-SIGN-KEY-1…` | Ed25519 for signatures |
//!
//! The forms of age are Bech32 (BIP 173) without a limit of the length, as in
//! <https://c2sp.org/age>.

use oldfiles::keys::bech32::{decode, encode, encode_secret};
use oldfiles::keys::ssh::{self, SshKey};
use oldfiles::keys::ssh_rsa;
use zeroize::Zeroizing;

use crate::error::{Error, Result};
use crate::recipient::{KeyKind, Recipient, SecretKey};
use crate::sign::{SenderKey, SigningKey};

const HYBRID: &str = "age1pq";
const HYBRID_SECRET: &str = "age-secret-key-pq-";
const X25519: &str = "age";
const X25519_SECRET: &str = "age-secret-key-";
const SENDER: &str = "sbsign";
const SENDER_SECRET: &str = "strongbox-sign-key-";

fn array<const N: usize>(bytes: &[u8]) -> Result<[u8; N]> {
    let wrong = |_| Error::Key(format!("the key has {} bytes instead of {N}", bytes.len()));
    bytes.try_into().map_err(wrong)
}

/// Reads a recipient.
///
/// # Errors
///
/// [`Error::Key`].
pub fn parse_recipient(text: &str) -> Result<Recipient> {
    let text = text.trim();
    if text.split_ascii_whitespace().next() == Some(ssh_rsa::RSA) {
        let text = "keys of the kind ssh-rsa are for age files alone: use `seal --format age`";
        return Err(Error::Key(text.into()));
    }
    if text.starts_with("ssh-") || text.starts_with("ecdsa-") || text.starts_with("sk-") {
        return Ok(Recipient::Ssh(ssh::parse_public(text)?));
    }
    let (prefix, bytes) = decode(text)?;
    match prefix.as_str() {
        HYBRID => Ok(Recipient::Hybrid(Box::new(array(&bytes)?))),
        X25519 => Ok(Recipient::X25519(array(&bytes)?)),
        SENDER => Err(Error::Key(format!("{text} is for signatures (--from)"))),
        _ if prefix.contains("secret") => {
            let text = "this is a secret key: only its owner may have it. Its public key is the \
                        recipient (`strongbox keygen --public FILE` prints it)";
            Err(Error::Key(text.into()))
        }
        _ => Err(Error::Key(format!("no recipients begin with {prefix}1"))),
    }
}

/// Writes a recipient; `None` for those that have no text, passphrases and keyfiles.
pub fn recipient(recipient: &Recipient) -> Option<String> {
    match recipient {
        Recipient::Hybrid(public) => Some(encode(HYBRID, &public[..])),
        Recipient::X25519(public) => Some(encode(X25519, public)),
        Recipient::Ssh(public) => Some(ssh::public_text(public)),
        _ => None,
    }
}

/// Writes a secret key. SSH keys are written by ssh-keygen(1) alone.
pub fn secret(key: &SecretKey) -> Option<Zeroizing<String>> {
    match key.kind {
        KeyKind::Hybrid => Some(encode_secret(HYBRID_SECRET, &key.seed[..])),
        KeyKind::X25519 => Some(encode_secret(X25519_SECRET, &key.seed[..])),
        KeyKind::Ssh => None,
    }
}

/// Writes a sender's public key.
pub fn sender(key: &SenderKey) -> String {
    encode(SENDER, &key.0)
}

/// Reads a sender's public key.
///
/// # Errors
///
/// [`Error::Key`].
pub fn parse_sender(text: &str) -> Result<SenderKey> {
    let (prefix, bytes) = decode(text.trim())?;
    if prefix != SENDER {
        return Err(Error::Key(format!(
            "senders' keys begin with {SENDER}1, not {prefix}1"
        )));
    }
    Ok(SenderKey(array(&bytes)?))
}

/// Writes a sender's secret key.
pub fn signing_key(key: &SigningKey) -> Zeroizing<String> {
    encode_secret(SENDER_SECRET, &key.0[..])
}

/// The secret keys in a file: one on each line, and lines that begin with `#`; or an SSH key.
#[derive(Debug, Default)]
pub struct Keys {
    /// Keys that open files.
    pub secrets: Vec<SecretKey>,
    /// Keys that sign files.
    pub senders: Vec<SigningKey>,
}

/// Reads a private SSH key. `ask` is called for the passphrase if the key has one.
fn parse_ssh(text: &str, ask: &mut dyn FnMut() -> Result<crate::Passphrase>) -> Result<SecretKey> {
    let key = match SshKey::parse(text, None) {
        Err(oldfiles::Error::SecretMissing { .. }) => SshKey::parse(text, Some(ask()?.bytes())),
        other => other,
    }?;
    Ok(SecretKey::new(KeyKind::Ssh, *key.seed()))
}

/// Reads a file of secret keys.
///
/// # Errors
///
/// [`Error::Key`] with the number of the line; [`Error::WrongPassphrase`] and the errors of `ask`
/// for SSH keys with a passphrase.
pub fn parse_keys(text: &str, ask: &mut dyn FnMut() -> Result<crate::Passphrase>) -> Result<Keys> {
    let mut keys = Keys::default();
    if text.trim_start().starts_with("-----BEGIN") {
        keys.secrets.push(parse_ssh(text, ask)?);
        return Ok(keys);
    }
    for (number, line) in text.lines().enumerate() {
        let line = line.trim();
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let at = |error: Error| Error::Key(format!("line {}: {error}", number + 1));
        let (prefix, bytes) = decode(line).map_err(|error| at(error.into()))?;
        match prefix.as_str() {
            HYBRID_SECRET => {
                let seed = array(&bytes).map_err(at)?;
                keys.secrets.push(SecretKey::new(KeyKind::Hybrid, seed));
            }
            X25519_SECRET => {
                let seed = array(&bytes).map_err(at)?;
                keys.secrets.push(SecretKey::new(KeyKind::X25519, seed));
            }
            SENDER_SECRET => keys
                .senders
                .push(SigningKey::new(array(&bytes).map_err(at)?)),
            _ => {
                return Err(at(Error::Key(format!(
                    "no secret keys begin with {prefix}1"
                ))));
            }
        }
    }
    if keys.secrets.is_empty() && keys.senders.is_empty() {
        return Err(Error::Key("there is no secret key".into()));
    }
    Ok(keys)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn keys(text: &str) -> Result<Keys> {
        parse_keys(text, &mut || panic!("no passphrase is needed"))
    }

    /// The examples of <https://c2sp.org/age>, *The X25519 recipient type*.
    #[test]
    fn ages_example_is_read_and_written() {
        let identity = "AGE-SECRET-KEY-1GFPYYSJZGFPYYSJZGFPYYSJZGFPYYSJZGFPYYSJZGFPYYSJZGFPQ4EGAEX";
        let public = "age1zvkyg2lqzraa2lnjvqej32nkuu0ues2s82hzrye869xeexvn73equnujwj";
        let secret = &keys(identity).unwrap().secrets[0];
        assert_eq!(super::secret(secret).unwrap().as_str(), identity);
        assert_eq!(recipient(&secret.recipient()).unwrap(), public);
        assert!(matches!(parse_recipient(public), Ok(Recipient::X25519(_))));
        assert!(parse_recipient(identity).is_err());
        assert!(parse_recipient(&public.replace("age1z", "age1q")).is_err());
    }

    #[test]
    fn every_key_survives_as_text() {
        let secret = SecretKey::new(KeyKind::Hybrid, [7; 32]);
        let text = super::secret(&secret).unwrap();
        let read = keys(&format!("# a comment\n\n{}\n", *text)).unwrap();
        assert_eq!(read.secrets[0].seed, secret.seed);
        let public = recipient(&secret.recipient()).unwrap();
        assert!(public.starts_with("age1pq1"));
        let read = parse_recipient(&public).unwrap();
        assert_eq!(recipient(&read).unwrap(), public);
        let signing = SigningKey::new([8; 32]);
        let read = keys(&signing_key(&signing)).unwrap();
        assert_eq!(read.senders[0].sender(), signing.sender());
        let text = sender(&signing.sender());
        assert_eq!(parse_sender(&text).unwrap(), signing.sender());
        assert!(parse_recipient(&text).is_err());
        let ssh = SecretKey::new(KeyKind::Ssh, [9; 32]).recipient();
        let text = recipient(&ssh).unwrap();
        assert_eq!(recipient(&parse_recipient(&text).unwrap()).unwrap(), text);
    }

    #[test]
    fn bad_texts_are_errors() {
        for text in [
            "",
            "age1",
            "ssh-rsa AAAA",
            "ssh-ed25519",
            "ssh-ed25519 AAAA",
            "é",
            "age1é",
        ] {
            assert!(parse_recipient(text).is_err(), "{text}");
            assert!(parse_sender(text).is_err(), "{text}");
            assert!(keys(text).is_err(), "{text}");
        }
    }
}
