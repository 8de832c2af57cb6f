//! Passphrases by Argon2id, and keyfiles.

use touchstone::hash::Sha512;
use touchstone::kdf::argon2::{self, Variant, argon2};
use touchstone::wipe;
use zeroize::Zeroizing;

use crate::error::{Error, Result};
use crate::file_key::{FileKey, WRAPPED};
use crate::random::Randomness;

/// The length of a salt in bytes.
const SALT: usize = 32;
/// The length of a passphrase's stanza in bytes: passes, memory, lanes, whether a keyfile is
/// needed, salt, wrapped key.
const STANZA: usize = 4 + 4 + 4 + 1 + SALT + WRAPPED;

/// A passphrase: bytes, as typed, without a line end. They are wiped.
#[derive(Clone)]
pub struct Passphrase(Zeroizing<Vec<u8>>);

impl std::fmt::Debug for Passphrase {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Passphrase")
    }
}

impl Passphrase {
    /// Makes a passphrase.
    pub fn new(bytes: impl Into<Vec<u8>>) -> Self {
        Self(Zeroizing::new(bytes.into()))
    }

    /// Returns the bytes.
    pub fn bytes(&self) -> &[u8] {
        &self.0
    }
}

/// The SHA-512 of a keyfile's content.
#[derive(Clone)]
pub struct Keyfile(Zeroizing<[u8; 64]>);

impl std::fmt::Debug for Keyfile {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Keyfile")
    }
}

impl Keyfile {
    /// Reads a keyfile.
    ///
    /// # Errors
    ///
    /// [`Error::Io`]; [`Error::Key`] if the file is empty.
    pub fn read(content: &mut dyn std::io::Read) -> Result<Self> {
        let mut hash = Sha512::default();
        let mut piece = Zeroizing::new(vec![0; 1 << 16]);
        let mut empty = true;
        loop {
            match content.read(&mut piece) {
                Ok(0) => break,
                Ok(length) => {
                    hash.update(&piece[..length]);
                    empty = false;
                }
                Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error.into()),
            }
        }
        if empty {
            return Err(Error::Key("the keyfile is empty".into()));
        }
        let mut this = Self(Zeroizing::new([0; 64]));
        this.0.copy_from_slice(hash.finalize().as_ref());
        Ok(this)
    }

    pub(super) fn wrap(&self, key: &FileKey, random: &mut dyn Randomness) -> Result<Vec<u8>> {
        let mut body = vec![0; SALT];
        random.fill(&mut body)?;
        let wrapped = key.wrap(&self.secret(&body)[..], b"keyfile", &body);
        body.extend_from_slice(&wrapped);
        Ok(body)
    }

    pub(super) fn unwrap(&self, body: &[u8]) -> Option<FileKey> {
        let (salt, wrapped) = body.split_at_checked(SALT)?;
        let wrapped = wrapped.try_into().ok()?;
        FileKey::unwrap(wrapped, &self.secret(salt)[..], b"keyfile", salt)
    }

    /// The keyfile's hash and the salt, hashed again, so that each wrapping has a secret of its
    /// own.
    fn secret(&self, salt: &[u8]) -> Zeroizing<[u8; 64]> {
        let mut secret = Zeroizing::new([0; 64]);
        crate::suite::expand(&self.0[..], salt, &mut secret[..]);
        secret
    }
}

/// The costs of Argon2id, RFC 9106.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Costs {
    /// Passes over the memory.
    pub passes: u32,
    /// The memory in KiB.
    pub memory: u32,
    /// The lanes.
    pub lanes: u32,
}

impl Default for Costs {
    /// 256 MiB and 3 passes: about a second on a processor of 2023
    /// (`strongbox keygen --calibrate` measures).
    fn default() -> Self {
        Self {
            passes: 3,
            memory: 256 << 10,
            lanes: 1,
        }
    }
}

impl std::fmt::Display for Costs {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self {
            passes,
            memory,
            lanes,
        } = self;
        write!(f, "memory={memory},passes={passes},lanes={lanes}")
    }
}

impl std::str::FromStr for Costs {
    type Err = String;

    /// Reads `memory=KIB,passes=N,lanes=N`, each part at most once.
    fn from_str(text: &str) -> std::result::Result<Self, String> {
        let mut this = Self::default();
        for part in text.split(',') {
            let wrong = || format!("`{part}` is not memory=KIB, passes=N or lanes=N");
            let (name, value) = part.split_once('=').ok_or_else(wrong)?;
            let value = value.parse().map_err(|_| wrong())?;
            match name {
                "memory" => this.memory = value,
                "passes" => this.passes = value,
                "lanes" => this.lanes = value,
                _ => return Err(wrong()),
            }
        }
        if this.passes == 0 || this.lanes == 0 || this.lanes > 255 || this.memory < 8 * this.lanes {
            return Err("Argon2 needs a pass, 1 to 255 lanes, and 8 KiB for each lane".into());
        }
        Ok(this)
    }
}

/// The largest costs that a reader spends on a file before it knows whether the file is genuine.
#[derive(Debug, Clone, Copy)]
pub struct Limits {
    /// Memory in KiB.
    pub memory: u64,
    /// Memory in KiB times passes, of all stanzas together that the reader tries.
    pub work: u64,
}

impl Default for Limits {
    /// 2 GiB of memory, and 16 GiB of memory times passes.
    fn default() -> Self {
        Self {
            memory: 2 << 20,
            work: 16 << 20,
        }
    }
}

impl Limits {
    /// Takes the costs of one derivation from what is left.
    fn spend(&mut self, costs: Costs) -> Result<()> {
        let memory = u64::from(costs.memory);
        if memory > self.memory {
            return Err(Error::Limit {
                what: "the memory of Argon2 in KiB",
                asked: memory,
                limit: self.memory,
                option: "--kdf-memory",
            });
        }
        let work = memory * u64::from(costs.passes);
        if work > self.work {
            return Err(Error::Limit {
                what: "the memory of Argon2 in KiB, times its passes,",
                asked: work,
                limit: self.work,
                option: "--kdf-work",
            });
        }
        self.work -= work;
        Ok(())
    }
}

/// Derives the secret that wraps the file key.
fn secret(
    phrase: &Passphrase,
    keyfile: Option<&Keyfile>,
    costs: Costs,
    salt: &[u8],
) -> Result<Zeroizing<[u8; 64]>> {
    let argon2_costs = argon2::Costs {
        passes: costs.passes,
        memory: costs.memory,
        lanes: costs.lanes,
        secret: keyfile.map_or(&[], |keyfile| &keyfile.0[..]),
        data: b"",
    };
    let mut secret = Zeroizing::new([0; 64]);
    let derived = wipe::after(wipe::DEEP, || {
        argon2(Variant::Id, &phrase.0, salt, &argon2_costs, &mut secret[..])
    });
    match derived {
        Ok(()) => Ok(secret),
        Err(touchstone::kdf::KdfError::Memory) => Err(Error::Io(std::io::Error::new(
            std::io::ErrorKind::OutOfMemory,
            format!("there are no {} KiB of memory for Argon2", costs.memory),
        ))),
        Err(_) => Err(Error::Header("Argon2 does not allow these costs")),
    }
}

pub(super) fn wrap(
    key: &FileKey,
    phrase: &Passphrase,
    keyfile: Option<&Keyfile>,
    costs: Costs,
    random: &mut dyn Randomness,
) -> Result<Vec<u8>> {
    let mut body = Vec::with_capacity(STANZA);
    for cost in [costs.passes, costs.memory, costs.lanes] {
        body.extend_from_slice(&cost.to_be_bytes());
    }
    body.push(u8::from(keyfile.is_some()));
    let mut salt = [0; SALT];
    random.fill(&mut salt)?;
    body.extend_from_slice(&salt);
    let secret = secret(phrase, keyfile, costs, &salt)?;
    let wrapped = key.wrap(&secret[..], b"passphrase", &body);
    body.extend_from_slice(&wrapped);
    Ok(body)
}

/// Returns the costs in a passphrase's stanza, and whether it needs a keyfile.
pub(crate) fn costs(body: &[u8]) -> Option<(Costs, bool)> {
    if body.len() != STANZA || body[12] > 1 {
        return None;
    }
    let number = |place: usize| {
        body[place..place + 4]
            .try_into()
            .map(u32::from_be_bytes)
            .ok()
    };
    let costs = Costs {
        passes: number(0)?,
        memory: number(4)?,
        lanes: number(8)?,
    };
    Some((costs, body[12] == 1))
}

pub(super) fn unwrap(
    body: &[u8],
    phrase: &Passphrase,
    keyfile: Option<&Keyfile>,
    limits: &mut Limits,
) -> Result<Option<FileKey>> {
    let Some((costs, needs_keyfile)) = costs(body) else {
        return Err(Error::Header(
            "a passphrase's record has an impossible length",
        ));
    };
    let keyfile = match (needs_keyfile, keyfile) {
        (true, None) => return Ok(None),
        (true, keyfile) => keyfile,
        (false, _) => None,
    };
    limits.spend(costs)?;
    let (bound, wrapped) = body.split_at(STANZA - WRAPPED);
    let secret = secret(phrase, keyfile, costs, &bound[bound.len() - SALT..])?;
    let wrapped = wrapped.try_into().expect("the length was checked");
    Ok(FileKey::unwrap(wrapped, &secret[..], b"passphrase", bound))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::System;

    const CHEAP: Costs = Costs {
        passes: 1,
        memory: 64,
        lanes: 1,
    };

    #[test]
    fn passphrase_and_keyfile_are_both_needed() {
        let mut random = System::new().unwrap();
        let keyfile = Keyfile::read(&mut &b"content"[..]).unwrap();
        let other = Keyfile::read(&mut &b"Content"[..]).unwrap();
        let (right, wrong) = (Passphrase::new(*b"right"), Passphrase::new(*b"wrong"));
        let key = FileKey::new([1; 32]);
        let with = wrap(&key, &right, Some(&keyfile), CHEAP, &mut random).unwrap();
        let without = wrap(&key, &right, None, CHEAP, &mut random).unwrap();
        let opens = |body: &[u8], phrase, keyfile| {
            unwrap(body, phrase, keyfile, &mut Limits::default())
                .unwrap()
                .is_some()
        };
        assert!(opens(&with, &right, Some(&keyfile)));
        assert!(!opens(&with, &right, Some(&other)));
        assert!(!opens(&with, &right, None));
        assert!(!opens(&with, &wrong, Some(&keyfile)));
        assert!(opens(&without, &right, None));
        assert!(opens(&without, &right, Some(&keyfile)));
        assert!(!opens(&without, &wrong, None));
    }

    #[test]
    fn costs_above_the_limits_are_not_spent() {
        let mut random = System::new().unwrap();
        let phrase = Passphrase::new(*b"right");
        let body = wrap(&FileKey::new([1; 32]), &phrase, None, CHEAP, &mut random).unwrap();
        for (place, option) in [(0, "--kdf-work"), (4, "--kdf-memory")] {
            let mut hostile = body.clone();
            hostile[place..place + 4].fill(0xff);
            match unwrap(&hostile, &phrase, None, &mut Limits::default()) {
                Err(Error::Limit { option: said, .. }) => assert_eq!(said, option),
                other => panic!("{:?}", other.is_ok()),
            }
        }
        // Many stanzas with allowed costs are not allowed together.
        let mut limits = Limits {
            memory: 64,
            work: 150,
        };
        assert!(unwrap(&body, &phrase, None, &mut limits).is_ok());
        assert!(unwrap(&body, &phrase, None, &mut limits).is_ok());
        let third = unwrap(&body, &phrase, None, &mut limits);
        assert!(matches!(third, Err(Error::Limit { .. })));
    }
}
