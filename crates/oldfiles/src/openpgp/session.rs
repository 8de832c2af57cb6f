//! From the passphrase to the session key: string-to-key, [RFC9580](super) §3.7, and the packets
//! that hold an encrypted session key, §5.3.

use touchstone::dynamic::{Aead, Cipher, Derivation, Direction, derive};
use touchstone::hash::Sha256;
use touchstone::kdf::argon2::{Costs, Variant, argon2};
use touchstone::kdf::hkdf;
use zeroize::Zeroizing;

use super::algorithm::{self, BlockCipher, IDEA, MD5, Mode, cipher, find_cipher, hash};
use super::packet::tag;
use crate::error::Error;
use crate::settings::Limits;

const TAG: usize = 16;

/// The key of the encrypted data.
pub(super) struct SessionKey {
    pub(super) cipher: BlockCipher,
    pub(super) key: Zeroizing<Vec<u8>>,
}

/// How a passphrase becomes a key.
#[derive(Debug, Clone, PartialEq, Eq)]
enum StringToKey {
    Hashed {
        hash: &'static str,
        salt: Vec<u8>,
        /// Bytes to hash, or 0 for passphrase and salt once.
        bytes: u32,
    },
    Argon2 {
        salt: Vec<u8>,
        passes: u8,
        lanes: u8,
        /// The memory is 2^exponent KiB.
        exponent: u8,
    },
}

impl StringToKey {
    /// Reads a specifier, and returns the bytes that follow it.
    fn parse(bytes: &[u8]) -> Result<(Self, &[u8]), Error> {
        let cut = || Error::malformed("OpenPGP: a string-to-key specifier that is too short");
        let (&kind, rest) = bytes.split_first().ok_or_else(cut)?;
        if kind == 4 {
            let (salt, rest) = rest.split_at_checked(16).ok_or_else(cut)?;
            let (&[passes, lanes, exponent], rest) =
                rest.split_first_chunk::<3>().ok_or_else(cut)?;
            let salt = salt.to_vec();
            let argon2 = Self::Argon2 {
                salt,
                passes,
                lanes,
                exponent,
            };
            return Ok((argon2, rest));
        }
        let (&number, rest) = rest.split_first().ok_or_else(cut)?;
        let salted = match kind {
            0 => 0,
            1 | 3 => 8,
            other => {
                return Err(Error::unsupported(format!(
                    "OpenPGP's string-to-key specifier {other}"
                )));
            }
        };
        let hash = hash(number)?;
        let (salt, rest) = rest.split_at_checked(salted).ok_or_else(cut)?;
        let salt = salt.to_vec();
        if kind != 3 {
            return Ok((
                Self::Hashed {
                    hash,
                    salt,
                    bytes: 0,
                },
                rest,
            ));
        }
        let (&count, rest) = rest.split_first().ok_or_else(cut)?;
        // §3.7.1.3; at most 65 million.
        let bytes = (16 + u32::from(count & 15)) << (u32::from(count >> 4) + 6);
        Ok((Self::Hashed { hash, salt, bytes }, rest))
    }

    fn derive(
        &self,
        passphrase: &[u8],
        length: usize,
        limits: &Limits,
    ) -> Result<Zeroizing<Vec<u8>>, Error> {
        let mut key = Zeroizing::new(vec![0; length]);
        match self {
            Self::Hashed { hash, salt, bytes } => {
                let from = Derivation {
                    secret: passphrase,
                    salt,
                    iterations: *bytes,
                    ..Derivation::default()
                };
                derive(&format!("s2k-{hash}"), &from, &mut key)?;
            }
            Self::Argon2 {
                salt,
                passes,
                lanes,
                exponent,
            } => {
                let memory = 1024u64
                    .checked_shl(u32::from(*exponent))
                    .unwrap_or(u64::MAX);
                if *exponent > 31 || memory > limits.memory {
                    return Err(Error::Limit {
                        what: "memory",
                        asked: Some(memory),
                        limit: limits.memory,
                    });
                }
                let costs = Costs {
                    passes: u32::from(*passes),
                    memory: 1 << exponent,
                    lanes: u32::from(*lanes),
                    secret: b"",
                    data: b"",
                };
                argon2(Variant::Id, passphrase, salt, &costs, &mut key)?;
            }
        }
        Ok(key)
    }

    fn describe(&self) -> String {
        match self {
            Self::Hashed { hash, salt, .. } if salt.is_empty() => format!("s2k-{hash}"),
            Self::Hashed { hash, bytes: 0, .. } => format!("s2k-{hash} with a salt"),
            Self::Hashed { hash, bytes, .. } => {
                format!("s2k-{hash} with a salt, {bytes} bytes hashed")
            }
            Self::Argon2 {
                passes,
                lanes,
                exponent,
                ..
            } => format!("argon2id, {passes} passes, 2^{exponent} KiB, {lanes} lanes"),
        }
    }
}

/// A session key that a passphrase unlocks.
#[derive(Debug)]
pub(super) struct Locked {
    s2k: StringToKey,
    cipher: BlockCipher,
    kind: Kind,
}

#[derive(Debug)]
enum Kind {
    /// The passphrase's key is the session key.
    Direct,
    /// Version 4: the session key is encrypted by CFB.
    Cfb(Vec<u8>),
    /// Versions 5 and 6: by an AEAD.
    Aead {
        version: u8,
        mode: Mode,
        nonce: Vec<u8>,
        /// The encrypted key and its tag.
        sealed: Vec<u8>,
    },
}

impl Locked {
    /// Messages of PGP 2: IDEA, and MD5 of the passphrase.
    pub(super) fn pgp2() -> Self {
        Self {
            s2k: StringToKey::Hashed {
                hash: hash(MD5).unwrap_or("md5"),
                salt: Vec::new(),
                bytes: 0,
            },
            cipher: find_cipher(IDEA).unwrap_or(BlockCipher {
                number: IDEA,
                name: "idea",
                key: 16,
                block: 8,
            }),
            kind: Kind::Direct,
        }
    }

    /// Reads the body of a packet.
    pub(super) fn parse(body: &[u8]) -> Result<Self, Error> {
        let cut = || Error::malformed("OpenPGP: a packet of a passphrase that is too short");
        let (&version, rest) = body.split_first().ok_or_else(cut)?;
        match version {
            4 => {
                let (&number, rest) = rest.split_first().ok_or_else(cut)?;
                let (s2k, rest) = StringToKey::parse(rest)?;
                Ok(Self {
                    s2k,
                    cipher: cipher(number)?,
                    kind: if rest.is_empty() {
                        Kind::Direct
                    } else {
                        Kind::Cfb(rest.to_vec())
                    },
                })
            }
            5 | 6 => {
                // Version 6 also has the lengths of what follows.
                let rest = if version == 6 {
                    rest.get(1..).ok_or_else(cut)?
                } else {
                    rest
                };
                let (&[number, aead], rest) = rest.split_first_chunk::<2>().ok_or_else(cut)?;
                let rest = if version == 6 {
                    rest.get(1..).ok_or_else(cut)?
                } else {
                    rest
                };
                let (s2k, rest) = StringToKey::parse(rest)?;
                let cipher = cipher(number)?;
                let mode = algorithm::aead(cipher, aead)?;
                let (nonce, sealed) = rest.split_at_checked(mode.nonce).ok_or_else(cut)?;
                if sealed.len() <= TAG {
                    return Err(cut());
                }
                Ok(Self {
                    s2k,
                    cipher,
                    kind: Kind::Aead {
                        version,
                        mode,
                        nonce: nonce.to_vec(),
                        sealed: sealed.to_vec(),
                    },
                })
            }
            other => Err(Error::unsupported(format!(
                "version {other} of OpenPGP's packet of a passphrase"
            ))),
        }
    }

    pub(super) fn describe(&self) -> String {
        self.s2k.describe()
    }

    /// The session key, or `None` if this passphrase cannot be right.
    pub(super) fn unlock(
        &self,
        passphrase: &[u8],
        limits: &Limits,
    ) -> Result<Option<SessionKey>, Error> {
        let key = self.s2k.derive(passphrase, self.cipher.key, limits)?;
        match &self.kind {
            Kind::Direct => Ok(Some(SessionKey {
                cipher: self.cipher,
                key,
            })),
            Kind::Cfb(sealed) => {
                let name = format!("{}-cfb", self.cipher.name);
                let mut cfb = Cipher::new(&name, Direction::Decrypt, &key)?;
                cfb.set_iv(&vec![0; self.cipher.block])?;
                let mut plain = Zeroizing::new(sealed.clone());
                cfb.apply(&mut plain)?;
                Ok(plain.split_first().and_then(|(&number, key)| {
                    let cipher = find_cipher(number).filter(|cipher| cipher.key == key.len())?;
                    Some(SessionKey {
                        cipher,
                        key: Zeroizing::new(key.to_vec()),
                    })
                }))
            }
            Kind::Aead {
                version,
                mode,
                nonce,
                sealed,
            } => {
                let about = [
                    0xc0 | tag::PASSPHRASE,
                    *version,
                    self.cipher.number,
                    mode.number,
                ];
                let mut wrapping = Zeroizing::new(vec![0; self.cipher.key]);
                if *version == 6 {
                    hkdf::<Sha256>(&key, b"", &about, &mut wrapping)?;
                } else {
                    wrapping.copy_from_slice(&key);
                }
                let name = format!("{}-{}", self.cipher.name, mode.name);
                let aead = Aead::new(&name, &wrapping)?;
                let (data, tag) = sealed.split_at(sealed.len() - TAG);
                let mut plain = Zeroizing::new(data.to_vec());
                let opened = aead.decrypt_inout(nonce, &about, plain.as_mut_slice().into(), tag);
                // The data's own packet names its cipher; `chunks` checks the length.
                Ok(opened.is_ok().then_some(SessionKey {
                    cipher: self.cipher,
                    key: plain,
                }))
            }
        }
    }
}
