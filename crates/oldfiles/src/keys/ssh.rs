//! The files of OpenSSH's private keys, [OPENSSH], and the keys of Ed25519.
//!
//! - [OPENSSH] the file `PROTOCOL.key` of OpenSSH: openssh-key-v1
//!
//! [OPENSSH]: https://cvsweb.openbsd.org/src/usr.bin/ssh/PROTOCOL.key

use base64ct::{Base64, Base64Unpadded, Encoding};
use curve25519_dalek::edwards::CompressedEdwardsY;
use touchstone::dynamic::{Cipher, Direction};
use touchstone::hash::{Sha256, Sha512};
use touchstone::kdf::bcrypt_pbkdf;
use touchstone::wipe;
use zeroize::Zeroizing;

use crate::error::Error;

/// The first line of a private key.
pub const BEGIN: &str = "-----BEGIN OPENSSH PRIVATE KEY-----";
const END: &str = "-----END OPENSSH PRIVATE KEY-----";
const MAGIC: &[u8] = b"openssh-key-v1\0";
const ED25519: &str = "ssh-ed25519";
/// OpenSSH's default is 24 rounds; 10000 take about a minute.
const MOST_ROUNDS: u32 = 10_000;

/// The ciphers of encrypted private keys: OpenSSH's name, the library's name, bytes of the key.
/// All IVs have 16 bytes.
const CIPHERS: &[(&str, &str, usize)] = &[
    ("aes128-cbc", "aes-128-cbc", 16),
    ("aes128-ctr", "aes-128-ctr", 16),
    ("aes192-cbc", "aes-192-cbc", 24),
    ("aes192-ctr", "aes-192-ctr", 24),
    ("aes256-cbc", "aes-256-cbc", 32),
    ("aes256-ctr", "aes-256-ctr", 32),
];

/// A private key of Ed25519.
#[derive(Clone)]
pub struct SshKey {
    seed: Zeroizing<[u8; 32]>,
    public: [u8; 32],
}

/// Strings in the form of RFC 4251 §5.
pub(super) fn strings(parts: &[&[u8]]) -> Vec<u8> {
    let mut bytes = Vec::new();
    for part in parts {
        bytes.extend((part.len() as u32).to_be_bytes());
        bytes.extend(*part);
    }
    bytes
}

/// The form of a public key on the wire, RFC 8709 §4.
pub fn wire(public: &[u8; 32]) -> Vec<u8> {
    strings(&[ED25519.as_bytes(), public])
}

/// The first bytes of the hash of a public key in its form on the wire, in base64, by which a
/// stanza names the key.
pub fn tag(wire: &[u8]) -> String {
    Base64Unpadded::encode_string(&Sha256::digest(wire)[..4])
}

/// The point of the public key on Curve25519; `None` if it is no point.
pub fn montgomery(public: &[u8; 32]) -> Option<[u8; 32]> {
    let point = CompressedEdwardsY(*public).decompress()?;
    Some(point.to_montgomery().0)
}

/// Reads the line of a public key.
///
/// # Errors
///
/// [`Error::Unsupported`] for other kinds of keys, [`Error::Setting`] for damaged ones.
pub fn parse_public(line: &str) -> Result<[u8; 32], Error> {
    let bytes = public_bytes(line, ED25519)?;
    let wrong = || no_public(ED25519);
    let public = bytes.last_chunk::<32>().ok_or_else(wrong)?;
    if bytes != wire(public) || montgomery(public).is_none() {
        return Err(wrong());
    }
    Ok(*public)
}

/// The bytes in the line of a public key of this kind.
pub(super) fn public_bytes(line: &str, wanted: &str) -> Result<Vec<u8>, Error> {
    let mut words = line.split_ascii_whitespace();
    let kind = words.next().unwrap_or_default();
    if kind != wanted {
        return Err(Error::unsupported(format!(
            "a recipient of the kind {kind}"
        )));
    }
    Base64::decode_vec(words.next().unwrap_or_default()).map_err(|_| no_public(wanted))
}

pub(super) fn no_public(kind: &str) -> Error {
    Error::setting(format!("this is no public key of the kind {kind}"))
}

/// Writes the line of a public key.
pub fn public_text(public: &[u8; 32]) -> String {
    format!("{ED25519} {}", Base64::encode_string(&wire(public)))
}

/// Reads fields one after the other.
pub(super) struct Fields<'a>(pub(super) &'a [u8]);

impl<'a> Fields<'a> {
    fn take(&mut self, length: usize) -> Option<&'a [u8]> {
        let (taken, rest) = self.0.split_at_checked(length)?;
        self.0 = rest;
        Some(taken)
    }

    fn number(&mut self) -> Option<u32> {
        Some(u32::from_be_bytes(self.take(4)?.try_into().ok()?))
    }

    pub(super) fn string(&mut self) -> Option<&'a [u8]> {
        let length = usize::try_from(self.number()?).ok()?;
        self.take(length)
    }
}

/// The parts of a private key file that matter here.
struct File<'a> {
    cipher: &'a [u8],
    kdf: &'a [u8],
    kdf_options: &'a [u8],
    private: &'a [u8],
}

impl<'a> File<'a> {
    fn parse(bytes: &'a [u8]) -> Option<Self> {
        let mut fields = Fields(bytes.strip_prefix(MAGIC)?);
        let (cipher, kdf, kdf_options) = (fields.string()?, fields.string()?, fields.string()?);
        if fields.number()? != 1 {
            return None;
        }
        fields.string()?;
        Some(Self {
            cipher,
            kdf,
            kdf_options,
            private: fields.string()?,
        })
    }

    /// The private part, decrypted.
    fn private(&self, passphrase: Option<&[u8]>) -> Result<Zeroizing<Vec<u8>>, Error> {
        let mut private = Zeroizing::new(self.private.to_vec());
        if self.cipher == b"none" {
            return Ok(private);
        }
        let name = String::from_utf8_lossy(self.cipher);
        let row = CIPHERS.iter().find(|row| row.0 == name);
        let (_, cipher, length) = *row
            .filter(|_| self.kdf == b"bcrypt")
            .ok_or_else(|| Error::unsupported(format!("a private key of SSH with {name:?}")))?;
        let passphrase = passphrase.filter(|phrase| !phrase.is_empty());
        let passphrase = passphrase.ok_or_else(|| Error::SecretMissing {
            needs: "the passphrase of the private key of SSH".to_owned(),
        })?;
        let mut options = Fields(self.kdf_options);
        let salt = options.string().ok_or_else(malformed)?;
        let rounds = options.number().ok_or_else(malformed)?;
        if rounds > MOST_ROUNDS {
            return Err(Error::Limit {
                what: "rounds of bcrypt",
                asked: Some(u64::from(rounds)),
                limit: u64::from(MOST_ROUNDS),
            });
        }
        let mut key = Zeroizing::new(vec![0; length + 16]);
        wipe::after(wipe::DEEP, || {
            bcrypt_pbkdf(passphrase, salt, rounds, &mut key)
        })?;
        let mut decryption = Cipher::new(cipher, Direction::Decrypt, &key[..length])?;
        decryption.set_iv(&key[length..])?;
        decryption.apply(&mut private)?;
        Ok(private)
    }
}

pub(super) fn malformed() -> Error {
    Error::setting("the private key of SSH is malformed")
}

/// A private key file whose passphrase was right.
pub struct Private {
    kind: String,
    /// The fields of the key, which its kind decides.
    fields: Zeroizing<Vec<u8>>,
}

impl Private {
    /// Reads a private key file.
    ///
    /// # Errors
    ///
    /// [`Error::SecretMissing`] if the key is encrypted and there is no passphrase,
    /// [`Error::WrongSecret`], [`Error::Limit`] for too many rounds of bcrypt,
    /// [`Error::Unsupported`] for other ciphers, [`Error::Setting`] for damaged files.
    pub fn parse(text: &str, passphrase: Option<&[u8]>) -> Result<Self, Error> {
        let body = text
            .trim()
            .strip_prefix(BEGIN)
            .and_then(|text| text.strip_suffix(END));
        let mut base64 = Zeroizing::new(String::with_capacity(text.len()));
        base64.extend(body.ok_or_else(malformed)?.split_ascii_whitespace());
        let bytes = Zeroizing::new(Base64::decode_vec(&base64).map_err(|_| malformed())?);
        let file = File::parse(&bytes).ok_or_else(malformed)?;
        let private = file.private(passphrase)?;
        let mut fields = Fields(&private);
        let checks = (fields.number(), fields.number());
        if checks.0.is_none() || checks.0 != checks.1 {
            let encrypted = file.cipher != b"none";
            return Err(if encrypted {
                Error::WrongSecret
            } else {
                malformed()
            });
        }
        let kind = fields.string().ok_or_else(malformed)?;
        Ok(Self {
            kind: String::from_utf8_lossy(kind).into_owned(),
            fields: Zeroizing::new(fields.0.to_vec()),
        })
    }

    /// The kind of the key, such as `ssh-ed25519`.
    pub fn kind(&self) -> &str {
        &self.kind
    }

    /// The fields of a key of this kind.
    pub(super) fn fields(&self, kind: &str) -> Result<Fields<'_>, Error> {
        if self.kind != kind {
            return Err(Error::unsupported(format!(
                "a private key of the kind {:?}",
                self.kind
            )));
        }
        Ok(Fields(&self.fields))
    }
}

impl SshKey {
    /// Reads a private key.
    ///
    /// # Errors
    ///
    /// The errors of [`Private::parse`], and [`Error::Unsupported`] for other kinds of keys.
    pub fn parse(text: &str, passphrase: Option<&[u8]>) -> Result<Self, Error> {
        Self::of(&Private::parse(text, passphrase)?)
    }

    /// The key of a private key file.
    ///
    /// # Errors
    ///
    /// [`Error::Unsupported`] for other kinds of keys, [`Error::Setting`] for damaged ones.
    pub fn of(private: &Private) -> Result<Self, Error> {
        let mut fields = private.fields(ED25519)?;
        let public = fields.string().ok_or_else(malformed)?;
        let public: [u8; 32] = public.try_into().map_err(|_| malformed())?;
        let both = fields.string().ok_or_else(malformed)?;
        let (seed, again) = both.split_first_chunk::<32>().ok_or_else(malformed)?;
        if again != public || montgomery(&public).is_none() {
            return Err(malformed());
        }
        Ok(Self {
            seed: Zeroizing::new(*seed),
            public,
        })
    }

    /// Returns the seed, from which the key follows.
    pub fn seed(&self) -> &[u8; 32] {
        &self.seed
    }

    /// Returns the public key.
    pub fn public(&self) -> &[u8; 32] {
        &self.public
    }

    /// The secret scalar, RFC 8032 §5.1.5; multiplication clamps it.
    pub fn scalar(&self) -> Zeroizing<[u8; 32]> {
        let digest = Zeroizing::new(Sha512::digest(&*self.seed));
        let mut scalar = Zeroizing::new([0; 32]);
        scalar.copy_from_slice(&digest[..32]);
        scalar
    }
}
