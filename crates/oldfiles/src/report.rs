//! What [`open`](crate::open) tells about a file that it has opened.

use std::fmt;

use crate::format::Format;

/// How far the data is known to be what its author encrypted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Authentication {
    /// A MAC over all of the data was checked.
    Yes,
    /// Some entries of the archive are authenticated, and others are not.
    Partly,
    /// Only a checksum without a key was checked, which shows accidents and no forgery.
    Checksum,
    /// Nothing was checked.
    No,
}

/// Something that the user should know although the file was opened.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Warning {
    /// An FCA file in HMAC mode. A file of the twin programs with Twofish or Serpent has the same
    /// header, and passes the same check with the wrong cipher, which gives garbage.
    CipherNotRecorded,
    /// The header is not authenticated, so its flags may have been changed.
    HeaderNotAuthenticated,
    /// The passphrase opened the file only in this encoding.
    Encoding(&'static str),
    /// The passphrase was cut to this many bytes, as the original programs do.
    PassphraseCut(usize),
    /// The parameters of an `openssl enc` file were guessed. Those named here fit.
    Guessed(Vec<String>),
    /// The data has no authentication.
    NotAuthenticated,
    /// The cipher of these entries can be broken from some known plaintext.
    WeakCipher(&'static str),
    /// The message has signatures, which nobody checked.
    SignaturesNotChecked,
    /// The names of the files in an archive are not encrypted or not authenticated.
    NamesNotAuthenticated,
    /// The key derivation is so fast that short passphrases can be found by trial.
    FastKeyDerivation(String),
}

impl fmt::Display for Warning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::CipherNotRecorded => f.write_str(
                "the file does not record its cipher: a file of the twin program with Twofish or \
                 Serpent passes the same check; if the result is garbage, choose that cipher",
            ),
            Self::HeaderNotAuthenticated => {
                f.write_str("the header is not authenticated; its flags may have been changed")
            }
            Self::Encoding(name) => {
                write!(f, "the passphrase opens the file in the encoding {name}")
            }
            Self::PassphraseCut(length) => {
                write!(f, "only the first {length} bytes of the passphrase count")
            }
            Self::Guessed(fitting) => write!(
                f,
                "the parameters are a guess from the padding; fitting: {}",
                fitting.join("; ")
            ),
            Self::NotAuthenticated => {
                f.write_str("nothing authenticates the data; it may have been changed")
            }
            Self::WeakCipher(name) => {
                write!(f, "{name} can be broken from a few known bytes")
            }
            Self::SignaturesNotChecked => {
                f.write_str("the message is signed, and the signatures were not checked")
            }
            Self::NamesNotAuthenticated => {
                f.write_str("the names, dates and modes of the files are not authenticated")
            }
            Self::FastKeyDerivation(which) => write!(
                f,
                "the key derivation {which} is so fast that short passphrases can be found by trial"
            ),
        }
    }
}

/// A file or folder that was written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Written {
    /// The name, if the format has one.
    pub name: Option<String>,
    /// Bytes of plaintext.
    pub size: u64,
}

/// What was opened.
#[derive(Debug, Clone)]
pub struct Report {
    /// The format.
    pub format: Format,
    /// The cipher and its mode, by the library's names, such as `aes-128-eax`.
    pub cipher: String,
    /// The key derivation with its costs.
    pub kdf: String,
    /// All files and folders, in the order of the archive.
    pub written: Vec<Written>,
    /// Whether the data is known to be genuine.
    pub authentication: Authentication,
    /// What the user should know.
    pub warnings: Vec<Warning>,
}

impl Report {
    pub(crate) fn new(format: Format) -> Self {
        Self {
            format,
            cipher: String::new(),
            kdf: String::new(),
            written: Vec::new(),
            authentication: Authentication::Yes,
            warnings: Vec::new(),
        }
    }

    pub(crate) fn warn(&mut self, warning: Warning) {
        if !self.warnings.contains(&warning) {
            self.warnings.push(warning);
        }
    }

    /// Bytes of plaintext in all.
    pub fn size(&self) -> u64 {
        self.written.iter().map(|written| written.size).sum()
    }
}

/// What a file tells without any secret.
#[derive(Debug, Clone)]
pub struct Summary {
    /// The format.
    pub format: Format,
    /// Names and values, in the order in which a person wants to read them.
    pub facts: Vec<(&'static str, String)>,
}

impl Summary {
    pub(crate) fn new(format: Format) -> Self {
        Self {
            format,
            facts: Vec::new(),
        }
    }

    pub(crate) fn fact(&mut self, name: &'static str, value: impl fmt::Display) {
        self.facts.push((name, value.to_string()));
    }
}
