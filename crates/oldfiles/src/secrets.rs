//! The secrets of the caller: passphrases, keys of age and SSH, a keyfile of PEA.

use std::fmt;

use zeroize::Zeroizing;

use crate::encoding::Encoding;
use crate::identity::Identity;

/// A passphrase.
#[derive(Clone)]
pub enum Passphrase {
    /// Text, which formats without a rule for its encoding try in several encodings.
    Text(Zeroizing<String>),
    /// Bytes, taken as they are.
    Bytes(Zeroizing<Vec<u8>>),
}

/// A passphrase in one encoding.
pub(crate) struct Candidate {
    pub(crate) bytes: Zeroizing<Vec<u8>>,
    /// The encoding, unless the passphrase is the same in all of them.
    pub(crate) encoding: Option<Encoding>,
    /// Whether bytes at its end were cut off.
    pub(crate) cut: bool,
}

impl Passphrase {
    /// A passphrase that is text.
    pub fn text(text: &str) -> Self {
        Self::Text(Zeroizing::new(text.to_owned()))
    }

    /// A passphrase that is bytes.
    pub fn bytes(bytes: &[u8]) -> Self {
        Self::Bytes(Zeroizing::new(bytes.to_vec()))
    }

    /// The bytes in UTF-8, for formats that prescribe it.
    pub(crate) fn utf8(&self) -> &[u8] {
        match self {
            Self::Text(text) => text.as_bytes(),
            Self::Bytes(bytes) => bytes,
        }
    }

    /// The different bytes that this passphrase has in the encodings, each cut to `longest`.
    fn candidates(&self, encodings: &[Encoding], longest: usize) -> Vec<Candidate> {
        let candidate = |mut bytes: Zeroizing<Vec<u8>>, encoding| {
            let cut = bytes.len() > longest;
            bytes.truncate(longest);
            Candidate {
                bytes,
                encoding,
                cut,
            }
        };
        match self {
            Self::Text(text) if !text.is_ascii() => {
                let mut all: Vec<Candidate> = Vec::new();
                for encoding in encodings {
                    if let Some(bytes) = encoding.encode(text) {
                        let new = candidate(bytes, Some(*encoding));
                        if all.iter().all(|other| other.bytes != new.bytes) {
                            all.push(new);
                        }
                    }
                }
                all
            }
            _ => vec![candidate(Zeroizing::new(self.utf8().to_vec()), None)],
        }
    }
}

impl fmt::Debug for Passphrase {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Passphrase")
    }
}

/// All secrets that may open a file. The right one is found by trial.
#[derive(Debug, Clone, Default)]
pub struct Secrets {
    /// Passphrases.
    pub passphrases: Vec<Passphrase>,
    /// Secret keys of age and SSH.
    pub identities: Vec<Identity>,
    /// The content of a keyfile, which PEA adds to the passphrase.
    pub keyfile: Option<Zeroizing<Vec<u8>>>,
}

impl Secrets {
    /// One passphrase, as text.
    pub fn passphrase(text: &str) -> Self {
        Self {
            passphrases: vec![Passphrase::text(text)],
            ..Self::default()
        }
    }

    /// All passphrases in all encodings.
    pub(crate) fn candidates(&self, encodings: &[Encoding], longest: usize) -> Vec<Candidate> {
        self.passphrases
            .iter()
            .flat_map(|passphrase| passphrase.candidates(encodings, longest))
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn candidates_differ() {
        let of = |text, longest| Passphrase::text(text).candidates(&Encoding::ALL, longest);
        assert_eq!(of("test1234", 255).len(), 1);
        // UTF-8, Latin-1 (the same as CP1252), CP850 (the same as CP437); no Cyrillic page has
        // the letter.
        let umlaut = of("ä", 255);
        let names: Vec<_> = umlaut.iter().filter_map(|one| one.encoding).collect();
        assert_eq!(names, [Encoding::Utf8, Encoding::Latin1, Encoding::Cp850]);
        let long = of(&"x".repeat(300), 255);
        assert!(long[0].cut && long[0].bytes.len() == 255);
    }
}
