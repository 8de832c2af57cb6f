//! The encodings of passphrases. Programs for DOS and Windows took the bytes that the console
//! gave them, so a passphrase with umlauts or Cyrillic letters has other bytes on each system.

use std::fmt;

use zeroize::Zeroizing;

use crate::code_pages;

/// An encoding of text as bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Encoding {
    /// UTF-8: Unix, and age, OpenPGP and newer programs everywhere.
    Utf8,
    /// ISO 8859-1: older Unix.
    Latin1,
    /// Windows in Western Europe and America.
    Cp1252,
    /// DOS and the Windows console in Western Europe.
    Cp850,
    /// DOS and the Windows console in the United States.
    Cp437,
    /// Windows with Cyrillic letters.
    Cp1251,
    /// DOS and the Windows console with Cyrillic letters.
    Cp866,
}

impl Encoding {
    /// All encodings, in the order in which they are tried.
    pub const ALL: [Self; 7] = [
        Self::Utf8,
        Self::Latin1,
        Self::Cp1252,
        Self::Cp850,
        Self::Cp437,
        Self::Cp1251,
        Self::Cp866,
    ];

    /// The name, as users type it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Utf8 => "utf-8",
            Self::Latin1 => "latin-1",
            Self::Cp1252 => "cp1252",
            Self::Cp850 => "cp850",
            Self::Cp437 => "cp437",
            Self::Cp1251 => "cp1251",
            Self::Cp866 => "cp866",
        }
    }

    /// The encoding with this name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL
            .into_iter()
            .find(|encoding| encoding.name().eq_ignore_ascii_case(name))
    }

    /// The text of bytes in CP1252; bytes without a character become NUL.
    pub(crate) fn decode_cp1252(bytes: &[u8]) -> String {
        let high: Vec<char> = code_pages::CP1252.chars().collect();
        let character = |byte: &u8| match byte.checked_sub(0x80) {
            None => char::from(*byte),
            Some(place) => high.get(usize::from(place)).copied().unwrap_or('\0'),
        };
        bytes.iter().map(character).collect()
    }

    /// The bytes of a text, or `None` if the encoding lacks one of its characters.
    pub fn encode(self, text: &str) -> Option<Zeroizing<Vec<u8>>> {
        let page = match self {
            Self::Utf8 => return Some(Zeroizing::new(text.as_bytes().to_vec())),
            Self::Latin1 => None,
            Self::Cp1252 => Some(code_pages::CP1252),
            Self::Cp850 => Some(code_pages::CP850),
            Self::Cp437 => Some(code_pages::CP437),
            Self::Cp1251 => Some(code_pages::CP1251),
            Self::Cp866 => Some(code_pages::CP866),
        };
        // Enough room from the start, so that no copy is left behind in freed memory.
        let mut bytes = Zeroizing::new(Vec::with_capacity(text.len()));
        for character in text.chars() {
            bytes.push(match page {
                _ if character.is_ascii() => character as u8,
                None => u8::try_from(u32::from(character)).ok()?,
                Some(page) => {
                    0x80 + u8::try_from(page.chars().position(|c| c == character)?).ok()?
                }
            });
        }
        Some(bytes)
    }
}

impl fmt::Display for Encoding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn code_pages_have_128_characters() {
        for page in [
            code_pages::CP437,
            code_pages::CP850,
            code_pages::CP866,
            code_pages::CP1251,
            code_pages::CP1252,
        ] {
            assert_eq!(page.chars().count(), 128);
        }
    }

    /// The bytes are those that Python's codecs of the same names give.
    #[test]
    fn umlauts_and_cyrillic() {
        let bytes = |encoding: Encoding, text| encoding.encode(text).map(|bytes| bytes.to_vec());
        assert_eq!(bytes(Encoding::Latin1, "päss"), Some(b"p\xe4ss".to_vec()));
        assert_eq!(bytes(Encoding::Cp437, "ä€"), None);
        assert_eq!(bytes(Encoding::Cp1252, "ä€"), Some(b"\xe4\x80".to_vec()));
        assert_eq!(bytes(Encoding::Cp850, "äø"), Some(b"\x84\x9b".to_vec()));
        assert_eq!(bytes(Encoding::Cp437, "ä■"), Some(b"\x84\xfe".to_vec()));
        assert_eq!(bytes(Encoding::Cp866, "Жя"), Some(b"\x86\xef".to_vec()));
        assert_eq!(bytes(Encoding::Cp1251, "Жя"), Some(b"\xc6\xff".to_vec()));
        assert_eq!(bytes(Encoding::Latin1, "Ж"), None);
        assert_eq!(Encoding::decode_cp1252(b"p\xe4\x80\x81"), "pä€\0");
        // NUL stands for missing characters in the tables, and is ASCII itself.
        assert_eq!(bytes(Encoding::Cp1252, "\0"), Some(b"\0".to_vec()));
    }
}
