//! Finding the parameters of an `openssl enc` file: by the padding of the last block, and then by
//! how the first bytes look.

use std::io::Read;

use zeroize::Zeroizing;

use super::ciphers::{Choice, Decryption, find as find_cipher};
use super::{derive, describe, padding};
use crate::encoding::Encoding;
use crate::error::Error;
use crate::output::{PIECE, read_full};
use crate::secrets;
use crate::settings::{Derivation, Limits, Parameters};

/// The ciphers that are tried if the caller names none: the ones that guides and defaults use.
/// Only modes with padding can be tried.
const USUAL_CIPHERS: &[&str] = &[
    "aes-256-cbc",
    "aes-128-cbc",
    "aes-192-cbc",
    "des-ede3-cbc",
    "bf-cbc",
    "camellia-256-cbc",
    "cast5-cbc",
    "des-cbc",
    "rc2-cbc",
];
/// Bytes from the start of the file that are looked at.
const HEAD: usize = 512;
/// Two blocks from the end: in CBC the last block depends on the one before.
const TAIL: usize = 32;

/// The derivations that are tried if the caller names none. Those of the second list take longer,
/// and are tried only if none of the first gives text or a known format.
fn usual_derivations() -> [Vec<Derivation>; 2] {
    let old = |digest: &str| Derivation::BytesToKey {
        digest: digest.to_owned(),
    };
    let new = |digest: &str, iterations| Derivation::Pbkdf2 {
        digest: digest.to_owned(),
        iterations,
    };
    [
        vec![
            new("sha256", 10_000),
            old("sha256"),
            old("md5"),
            old("sha1"),
            old("sha512"),
            new("sha512", 10_000),
            new("sha256", 1_000),
        ],
        vec![
            new("sha256", 100_000),
            new("sha512", 100_000),
            new("sha256", 600_000),
        ],
    ]
}

/// The parts of the ciphertext that decide.
pub(super) struct Probe {
    length: u64,
    head: Vec<u8>,
    tail: Vec<u8>,
}

impl Probe {
    /// Reads to the end.
    pub(super) fn read(reader: &mut dyn Read) -> Result<Self, Error> {
        let mut head = vec![0; HEAD];
        let length = read_full(reader, &mut head)?;
        head.truncate(length);
        let mut probe = Self {
            length: length as u64,
            tail: head.clone(),
            head,
        };
        let mut piece = vec![0; PIECE];
        loop {
            let length = read_full(reader, &mut piece)?;
            if length == 0 {
                break;
            }
            probe.length += length as u64;
            probe.tail.extend_from_slice(&piece[..length]);
            probe.tail.drain(..probe.tail.len().saturating_sub(TAIL));
        }
        probe.tail.drain(..probe.tail.len().saturating_sub(TAIL));
        Ok(probe)
    }
}

/// Parameters that fit.
pub(super) struct Candidate {
    pub(super) cipher: String,
    pub(super) choice: Choice,
    pub(super) derivation: Derivation,
    pub(super) encoding: Option<Encoding>,
    material: Zeroizing<Vec<u8>>,
    /// Bytes of padding: each byte more makes an accident 256 times less likely.
    padding: usize,
    plausible: bool,
}

impl Candidate {
    pub(super) fn describe(&self) -> String {
        let cipher = format!("{}, {}", self.cipher, describe(&self.derivation));
        match self.encoding {
            Some(encoding) => format!("{cipher}, passphrase in {encoding}"),
            None => cipher,
        }
    }

    pub(super) fn start(&self) -> Result<Decryption, Error> {
        let (key, iv) = self.material.split_at(self.choice.key);
        self.choice.start(key, iv)
    }

    /// Checks the padding and looks at the first bytes; false if the candidate does not fit.
    fn fits(&mut self, probe: &Probe, padded: bool) -> Result<bool, Error> {
        let Some(block) = self.choice.padded else {
            return Ok(true);
        };
        let empty = probe.length == 0 && padded;
        if empty || !probe.length.is_multiple_of(block as u64) {
            return Err(Error::Truncated {
                part: "encrypted data",
            });
        }
        if padded {
            let (before, last) = probe.tail.split_at(probe.tail.len().saturating_sub(block));
            let (key, iv) = self.material.split_at(self.choice.key);
            // In CBC the block before is the IV of the last block.
            let iv = match before.len().checked_sub(block) {
                Some(start) if self.choice.iv > 0 => &before[start..],
                _ => iv,
            };
            let mut last = Zeroizing::new(last.to_vec());
            self.choice.start(key, iv)?.apply(&mut last)?;
            match padding(&last, block) {
                Some(count) => self.padding = count,
                None => return Ok(false),
            }
        }
        let whole = probe.head.len() / block * block;
        let mut head = Zeroizing::new(probe.head[..whole].to_vec());
        self.start()?.apply(&mut head)?;
        if probe.length == whole as u64 {
            head.truncate(whole - self.padding);
        }
        self.plausible = plausible(&head);
        Ok(true)
    }
}

/// Whether bytes are text, or begin as files of common formats do.
fn plausible(bytes: &[u8]) -> bool {
    const MAGICS: &[&[u8]] = &[
        b"\x1f\x8b\x08",
        b"PK\x03\x04",
        b"BZh",
        b"\xfd7zXZ\0",
        b"7z\xbc\xaf\x27\x1c",
        b"\x28\xb5\x2f\xfd",
        b"\x89PNG",
        b"\xff\xd8\xff",
        b"GIF8",
        b"%PDF-",
        b"\x7fELF",
        b"SQLite format 3\0",
    ];
    // A character that the end of the bytes has cut is no mistake.
    let text = match std::str::from_utf8(bytes) {
        Ok(text) => text,
        Err(error) if error.error_len().is_none() => {
            std::str::from_utf8(&bytes[..error.valid_up_to()]).unwrap_or_default()
        }
        Err(_) => "",
    };
    let printable = |c: char| !c.is_control() || c.is_ascii_whitespace();
    let is_text = !text.is_empty() && text.chars().all(printable);
    let tar = bytes.get(257..262) == Some(b"ustar");
    is_text || tar || MAGICS.iter().any(|magic| bytes.starts_with(magic))
}

/// The best parameters, and the others that fit.
pub(super) fn find(
    probe: &Probe,
    parameters: &Parameters,
    phrases: &[secrets::Candidate],
    salt: &[u8],
    limits: &Limits,
) -> Result<(Candidate, Vec<Candidate>), Error> {
    let ciphers: Vec<&str> = match &parameters.cipher {
        Some(cipher) => vec![cipher],
        None => USUAL_CIPHERS.to_vec(),
    };
    let derivations = match &parameters.derivation {
        Some(derivation) => [vec![derivation.clone()], Vec::new()],
        None => usual_derivations(),
    };
    let ciphers: Result<Vec<(&str, Choice)>, Error> = ciphers
        .into_iter()
        .map(|name| Ok((name, find_cipher(name)?)))
        .collect();
    let ciphers = ciphers?;
    let number: usize = derivations.iter().map(Vec::len).sum();
    let guessed = ciphers.len() * number * phrases.len() > 1;
    let padded = |(_, choice): &(&str, Choice)| choice.padded.is_some();
    if guessed && (parameters.no_padding || !ciphers.iter().all(padded)) {
        return Err(Error::setting(
            "without padding nothing tells a right guess from a wrong one; name the cipher and \
             the key derivation, and give one passphrase, as bytes",
        ));
    }
    let mut trial = Trial {
        probe,
        ciphers,
        padded: !parameters.no_padding,
        fitting: Vec::new(),
        error: Error::WrongSecretOrDamaged,
    };
    for round in &derivations {
        for phrase in phrases {
            for derivation in round {
                trial.run(derivation, phrase, salt, limits)?;
            }
        }
        if trial.fitting.iter().any(|one| one.plausible) {
            break;
        }
    }
    let mut fitting = trial.fitting;
    // The sort keeps the order of equals, which is the order of likelihood.
    fitting.sort_by_key(|one| std::cmp::Reverse((one.plausible, one.padding)));
    let mut fitting = fitting.into_iter();
    match fitting.next() {
        Some(best) => Ok((best, fitting.collect())),
        None => Err(trial.error),
    }
}

/// The trial of all ciphers with one derivation after the other.
struct Trial<'a> {
    probe: &'a Probe,
    ciphers: Vec<(&'a str, Choice)>,
    padded: bool,
    fitting: Vec<Candidate>,
    error: Error,
}

impl Trial<'_> {
    fn run(
        &mut self,
        derivation: &Derivation,
        phrase: &secrets::Candidate,
        salt: &[u8],
        limits: &Limits,
    ) -> Result<(), Error> {
        // A shorter key is the beginning of a longer one, so the longest is derived once.
        let lengths = self
            .ciphers
            .iter()
            .map(|(_, choice)| choice.key + choice.iv);
        let longest = lengths.max().unwrap_or(0);
        let all = derive(derivation, &phrase.bytes, salt, longest, limits)?;
        for &(cipher, choice) in &self.ciphers {
            let mut candidate = Candidate {
                cipher: cipher.to_owned(),
                material: Zeroizing::new(all[..choice.key + choice.iv].to_vec()),
                choice,
                derivation: derivation.clone(),
                encoding: phrase.encoding,
                padding: 0,
                plausible: false,
            };
            match candidate.fits(self.probe, self.padded) {
                Ok(true) => self.fitting.push(candidate),
                Ok(false) => {}
                Err(truncated @ Error::Truncated { .. }) => self.error = truncated,
                Err(other) => return Err(other),
            }
        }
        Ok(())
    }
}
