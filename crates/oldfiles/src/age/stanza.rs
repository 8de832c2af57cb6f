//! How each kind of recipient wraps the file's key, [AGE](super) "Recipient stanzas".

use base64ct::{Base64Unpadded, Encoding};
use touchstone::aead::ChaCha20Poly1305;
use touchstone::hash::Sha256;
use touchstone::kdf::{hkdf, scrypt};
use touchstone::prelude::*;
use zeroize::Zeroizing;

use super::header::{FileKey, Stanza, decode};
use super::hpke;
use crate::error::Error;
use crate::identity::{Identity, Public, Recipient, Secret, random};
use crate::keys::{curve, ssh, ssh_rsa, x_wing};
use crate::secrets::Secrets;
use crate::settings::Limits;

const X25519: &str = "X25519";
const SCRYPT: &str = "scrypt";
const HYBRID: &str = "mlkem768x25519";
const SSH_ED25519: &str = "ssh-ed25519";
const SSH_RSA: &str = ssh_rsa::RSA;

const X25519_LABEL: &[u8] = b"age-encryption.org/v1/X25519";
const SCRYPT_LABEL: &[u8] = b"age-encryption.org/v1/scrypt";
const HYBRID_LABEL: &[u8] = b"age-encryption.org/mlkem768x25519";
const SSH_LABEL: &[u8] = b"age-encryption.org/v1/ssh-ed25519";
const SSH_RSA_LABEL: &[u8] = b"age-encryption.org/v1/ssh-rsa";

/// Bytes of a wrapped key: the key and a tag.
const WRAPPED: usize = 32;
const SALT: usize = 16;
/// scrypt's r; p is 1.
const BLOCK: u32 = 8;

type Key = Zeroizing<[u8; 32]>;

fn malformed(what: &str) -> Error {
    Error::malformed(format!("age header: {what}"))
}

impl Stanza {
    /// The kind of the recipient, for people.
    pub(super) fn describe(&self) -> String {
        match (self.kind.as_str(), &self.arguments[..]) {
            (SCRYPT, [_, factor]) => format!("a passphrase (scrypt, N = 2^{factor})"),
            (SSH_ED25519, [tag, _]) => format!("{SSH_ED25519}, tag {tag}"),
            (SSH_RSA, [tag]) => format!("{SSH_RSA}, tag {tag}"),
            (X25519 | HYBRID, _) => self.kind.clone(),
            _ => format!("{} (unknown)", self.kind),
        }
    }

    fn new(kind: &str, arguments: Vec<String>, body: Vec<u8>) -> Self {
        Self {
            kind: kind.to_owned(),
            arguments,
            body,
        }
    }

    /// Checks the shape that all kinds of this crate but [`SSH_RSA`] have.
    fn arguments<const N: usize>(&self) -> Result<&[String; N], Error> {
        if self.body.len() != WRAPPED {
            return Err(malformed("a wrapped key of a wrong length"));
        }
        self.count()
    }

    /// Checks the number of arguments. The length of the wrapped key is that of the modulus with
    /// [`SSH_RSA`].
    fn count<const N: usize>(&self) -> Result<&[String; N], Error> {
        let arguments = self.arguments.as_slice().try_into();
        arguments.map_err(|_| malformed("a wrong number of arguments of a recipient"))
    }
}

/// An ephemeral public key.
fn share(text: &str) -> Result<[u8; 32], Error> {
    let bytes = decode(text)?;
    let key = bytes.as_slice().try_into();
    key.map_err(|_| malformed("an ephemeral key of a wrong length"))
}

fn low_order() -> Error {
    malformed("an ephemeral key of low order")
}

fn wrap_key(key: &Key, nonce: &[u8; 12], file_key: &FileKey) -> Result<Vec<u8>, Error> {
    let mut body = vec![0; WRAPPED];
    ChaCha20Poly1305::new(key)
        .seal_into(nonce, b"", &**file_key, &mut body)
        .map_err(|_| malformed("a key that cannot be wrapped"))?;
    Ok(body)
}

fn unwrap_key(key: &Key, nonce: &[u8; 12], body: &[u8]) -> Option<FileKey> {
    let mut file_key = Zeroizing::new([0; 16]);
    let cipher = ChaCha20Poly1305::new(key);
    cipher.open_into(nonce, b"", body, &mut *file_key).ok()?;
    Some(file_key)
}

/// HKDF from a shared secret, with both public keys as the salt.
fn wrapping(
    shared: &[u8; 32],
    share: &[u8; 32],
    public: &[u8; 32],
    label: &[u8],
) -> Result<Key, Error> {
    let salt = [*share, *public].concat();
    let mut key = Zeroizing::new([0; 32]);
    hkdf::<Sha256>(shared, &salt, label, &mut *key)?;
    Ok(key)
}

/// The additional scalar of keys of SSH.
fn tweak(public: &[u8; 32]) -> Result<Key, Error> {
    let mut tweak = Zeroizing::new([0; 32]);
    hkdf::<Sha256>(b"", &ssh::wire(public), SSH_LABEL, &mut *tweak)?;
    Ok(tweak)
}

/// Finds the secret that unwraps the file's key. Returns the key, and what opened the file.
pub(super) fn unwrap(
    stanzas: &[Stanza],
    secrets: &Secrets,
    limits: &Limits,
) -> Result<(FileKey, String), Error> {
    let passphrase = stanzas.iter().find(|stanza| stanza.kind == SCRYPT);
    if let Some(stanza) = passphrase {
        // Otherwise a stranger could offer a passphrase of his beside the author's recipients.
        if stanzas.len() != 1 {
            return Err(malformed("a passphrase beside other recipients"));
        }
        return unwrap_scrypt(stanza, secrets, limits);
    }
    for stanza in stanzas {
        // Malformed stanzas are refused, even if another one fits.
        match stanza.kind.as_str() {
            X25519 => {
                let [text] = stanza.arguments()?;
                share(text)?;
            }
            HYBRID => {
                let [text] = stanza.arguments()?;
                if decode(text)?.len() != x_wing::CIPHERTEXT {
                    return Err(malformed("an encapsulated key of a wrong length"));
                }
            }
            SSH_ED25519 => {
                let [_, text] = stanza.arguments()?;
                share(text)?;
            }
            SSH_RSA => {
                let [_] = stanza.count()?;
            }
            _ => {}
        }
    }
    for identity in &secrets.identities {
        for stanza in stanzas {
            if let Some(key) = unwrap_one(stanza, identity)? {
                return Ok((key, stanza.kind.clone()));
            }
        }
    }
    let known = |kind: &str| matches!(kind, X25519 | HYBRID | SSH_ED25519 | SSH_RSA);
    if secrets.identities.is_empty() || !stanzas.iter().any(|stanza| known(&stanza.kind)) {
        let kinds: Vec<String> = stanzas.iter().map(Stanza::describe).collect();
        return Err(Error::SecretMissing {
            needs: format!("the secret key of a recipient: {}", kinds.join("; ")),
        });
    }
    Err(Error::WrongSecret)
}

fn unwrap_one(stanza: &Stanza, identity: &Identity) -> Result<Option<FileKey>, Error> {
    match (stanza.kind.as_str(), &identity.0) {
        (X25519, Secret::X25519(secret)) => {
            let [text] = stanza.arguments()?;
            let share = share(text)?;
            let shared = curve::shared(secret, &share).ok_or_else(low_order)?;
            let key = wrapping(&shared, &share, &curve::public(secret), X25519_LABEL)?;
            Ok(unwrap_key(&key, &[0; 12], &stanza.body))
        }
        (HYBRID, Secret::Hybrid(seed)) => {
            let [text] = stanza.arguments()?;
            let shared = x_wing::decapsulate(seed, &decode(text)?).ok_or_else(low_order)?;
            let (key, nonce) = hpke::schedule(&shared, HYBRID_LABEL)?;
            Ok(unwrap_key(&key, &nonce, &stanza.body))
        }
        (SSH_ED25519, Secret::Ssh(secret)) => {
            let [tag, text] = stanza.arguments()?;
            if *tag != ssh::tag(&ssh::wire(secret.public())) {
                return Ok(None);
            }
            let share = share(text)?;
            let public = ssh::montgomery(secret.public()).ok_or_else(low_order)?;
            let shared = curve::shared(&secret.scalar(), &share).ok_or_else(low_order)?;
            let shared = curve::shared(&*tweak(secret.public())?, &shared).ok_or_else(low_order)?;
            let key = wrapping(&shared, &share, &public, SSH_LABEL)?;
            Ok(unwrap_key(&key, &[0; 12], &stanza.body))
        }
        (SSH_RSA, Secret::SshRsa(secret)) => {
            let [tag] = stanza.count()?;
            if *tag != ssh::tag(&ssh_rsa::wire(secret.public())) {
                return Ok(None);
            }
            let mut file_key = FileKey::new([0; 16]);
            let opened = secret.decrypt(&stanza.body, SSH_RSA_LABEL, &mut *file_key);
            Ok(opened.then_some(file_key))
        }
        _ => Ok(None),
    }
}

fn scrypt_key(phrase: &[u8], salt: &[u8], factor: u32) -> Result<Key, Error> {
    let mut key = Zeroizing::new([0; 32]);
    let salt = [SCRYPT_LABEL, salt].concat();
    scrypt(phrase, &salt, 1 << factor, BLOCK, 1, &mut *key)?;
    Ok(key)
}

fn check_memory(factor: u32, limits: &Limits) -> Result<(), Error> {
    let memory = 128 * u64::from(BLOCK) << factor.min(40);
    if memory > limits.memory || factor >= 32 {
        return Err(Error::Limit {
            what: "memory",
            asked: Some(memory),
            limit: limits.memory,
        });
    }
    Ok(())
}

fn unwrap_scrypt(
    stanza: &Stanza,
    secrets: &Secrets,
    limits: &Limits,
) -> Result<(FileKey, String), Error> {
    let [salt, factor] = stanza.arguments()?;
    let salt = decode(salt)?;
    let digits = factor.bytes().all(|c| c.is_ascii_digit()) && !factor.starts_with('0');
    let factor: u32 = factor
        .parse()
        .ok()
        .filter(|_| digits)
        .ok_or_else(|| malformed("a wrong work factor"))?;
    if salt.len() != SALT {
        return Err(malformed("a salt of a wrong length"));
    }
    check_memory(factor, limits)?;
    if secrets.passphrases.is_empty() {
        return Err(Error::SecretMissing {
            needs: "a passphrase".to_owned(),
        });
    }
    for passphrase in &secrets.passphrases {
        let key = scrypt_key(passphrase.utf8(), &salt, factor)?;
        if let Some(file_key) = unwrap_key(&key, &[0; 12], &stanza.body) {
            return Ok((file_key, format!("scrypt, N = 2^{factor}")));
        }
    }
    Err(Error::WrongSecret)
}

/// Wraps a new file's key for a recipient.
pub(super) fn wrap(recipient: &Recipient, file_key: &FileKey) -> Result<Stanza, Error> {
    let bad = || Error::setting("the recipient is a point of low order");
    let text = Base64Unpadded::encode_string;
    match &recipient.0 {
        Public::X25519(public) => {
            let ephemeral = random::<32>()?;
            let share = curve::public(&ephemeral);
            let shared = curve::shared(&ephemeral, public).ok_or_else(bad)?;
            let key = wrapping(&shared, &share, public, X25519_LABEL)?;
            let body = wrap_key(&key, &[0; 12], file_key)?;
            Ok(Stanza::new(X25519, vec![text(&share)], body))
        }
        Public::Hybrid(public) => {
            let (encapsulated, shared) = x_wing::encapsulate_by(public, &*random()?)?;
            let (key, nonce) = hpke::schedule(&shared, HYBRID_LABEL)?;
            let body = wrap_key(&key, &nonce, file_key)?;
            Ok(Stanza::new(HYBRID, vec![text(&encapsulated)], body))
        }
        Public::Ssh(edwards) => {
            let public = ssh::montgomery(edwards).ok_or_else(bad)?;
            let ephemeral = random::<32>()?;
            let share = curve::public(&ephemeral);
            let shared = curve::shared(&ephemeral, &public).ok_or_else(bad)?;
            let shared = curve::shared(&*tweak(edwards)?, &shared).ok_or_else(bad)?;
            let key = wrapping(&shared, &share, &public, SSH_LABEL)?;
            let body = wrap_key(&key, &[0; 12], file_key)?;
            let arguments = vec![ssh::tag(&ssh::wire(edwards)), text(&share)];
            Ok(Stanza::new(SSH_ED25519, arguments, body))
        }
        Public::SshRsa(public) => {
            let body = public.encrypt(&**file_key, SSH_RSA_LABEL, &*random()?);
            let arguments = vec![ssh::tag(&ssh_rsa::wire(public))];
            Ok(Stanza::new(SSH_RSA, arguments, body))
        }
    }
}

/// Wraps a new file's key with a passphrase.
pub(super) fn wrap_scrypt(
    passphrase: &[u8],
    factor: u32,
    file_key: &FileKey,
) -> Result<Stanza, Error> {
    if !(1..=30).contains(&factor) {
        return Err(Error::setting("age's work factor is 1 to 30"));
    }
    let salt = random::<SALT>()?;
    let key = scrypt_key(passphrase, &*salt, factor)?;
    let body = wrap_key(&key, &[0; 12], file_key)?;
    let arguments = vec![Base64Unpadded::encode_string(&*salt), factor.to_string()];
    Ok(Stanza::new(SCRYPT, arguments, body))
}
