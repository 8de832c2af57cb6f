//! The ciphers of W. Ehrhardt's three twin programs.

use std::fmt;

/// The cipher of an FCA file. The programs for Twofish and Serpent write the same header as the
/// one for AES, so a file does not record its cipher.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum FcaCipher {
    /// AES: the programs FCA, FCA256 and FZCA.
    #[default]
    Aes,
    /// Twofish: the units `fcryptt` and `fctf256`.
    Twofish,
    /// Serpent: the units `fcrypts` and `fcsp256`.
    Serpent,
}

impl FcaCipher {
    /// The name of the cipher in the library, without the length of the key.
    pub fn name(self) -> &'static str {
        match self {
            Self::Aes => "aes",
            Self::Twofish => "twofish",
            Self::Serpent => "serpent",
        }
    }
}

impl fmt::Display for FcaCipher {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
