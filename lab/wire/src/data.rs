//! Byte strings on the wire.

use std::fmt;

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

use crate::MOST_BYTES;

/// A byte string in a message of the protocol, at most [`MOST_BYTES`] long.
///
/// Long inputs whose content does not matter are *painted*: byte *i* is *i* mod
/// 251. So every worker can make the same bytes from the length alone. 251 is
/// odd, so bytes at a distance of a power of two differ.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Data {
    /// The bytes of the string.
    Bytes(Vec<u8>),
    /// The number of painted bytes.
    Painted(usize),
}

impl Default for Data {
    fn default() -> Self {
        Self::Bytes(Vec::new())
    }
}

impl Data {
    /// Returns the bytes themselves.
    pub fn to_vec(&self) -> Vec<u8> {
        match self {
            Self::Bytes(bytes) => bytes.clone(),
            Self::Painted(len) => (0..*len).map(|i| (i % 251) as u8).collect(),
        }
    }

    /// Returns the length in bytes.
    pub fn len(&self) -> usize {
        match self {
            Self::Bytes(bytes) => bytes.len(),
            Self::Painted(len) => *len,
        }
    }

    /// Returns whether there are no bytes.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

impl fmt::Display for Data {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Bytes(bytes) => f.write_str(&to_hex(bytes)),
            Self::Painted(len) => write!(f, "painted:{len}"),
        }
    }
}

impl std::str::FromStr for Data {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let too_long = || format!("more than {MOST_BYTES} bytes");
        if let Some(len) = text.strip_prefix("painted:") {
            let len: u64 = len
                .parse()
                .map_err(|_| "not a number of painted bytes".to_owned())?;
            return match usize::try_from(len) {
                Ok(len) if len <= MOST_BYTES => Ok(Self::Painted(len)),
                _ => Err(too_long()),
            };
        }
        if text.len() > 2 * MOST_BYTES {
            return Err(too_long());
        }
        from_hex(text)
            .map(Self::Bytes)
            .ok_or_else(|| "neither hex digits nor painted:N".to_owned())
    }
}

impl Serialize for Data {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Data {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?
            .parse()
            .map_err(de::Error::custom)
    }
}

/// Returns bytes as lower-case hex digits.
pub fn to_hex(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    let mut text = String::with_capacity(bytes.len() * 2);
    for byte in bytes {
        text.push(DIGITS[usize::from(byte >> 4)] as char);
        text.push(DIGITS[usize::from(byte & 15)] as char);
    }
    text
}

/// Returns the bytes from hex of either case; `None` for an odd length or another character.
pub fn from_hex(text: &str) -> Option<Vec<u8>> {
    let digit = |c: u8| (c as char).to_digit(16).map(|d| d as u8);
    let text = text.as_bytes();
    if !text.len().is_multiple_of(2) {
        return None;
    }
    text.chunks_exact(2)
        .map(|pair| Some(digit(pair[0])? << 4 | digit(pair[1])?))
        .collect()
}

/// FNV-1a, 64 bits: the fingerprint by which the lab compares long outputs
/// without sending them. It finds mistakes, but an attacker can make two outputs
/// with the same fingerprint (Fowler, Noll, Vo,
/// <https://www.rfc-editor.org/rfc/rfc9923>).
pub fn fnv1a(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, &byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hex_round_trips_and_refuses_the_rest() {
        let all: Vec<u8> = (0..=255).collect();
        assert_eq!(from_hex(&to_hex(&all)).as_deref(), Some(&all[..]));
        assert_eq!(from_hex("0G"), None);
        assert_eq!(from_hex("123"), None);
        assert_eq!(from_hex("é1"), None);
    }

    #[test]
    fn painted_data_is_made_from_its_length() {
        let bytes = Data::Painted(600).to_vec();
        assert_eq!(
            (bytes[0], bytes[250], bytes[251], bytes[599]),
            (0, 250, 0, 97)
        );
        assert_eq!("painted:600".parse(), Ok(Data::Painted(600)));
    }

    #[test]
    fn a_length_is_checked_before_memory_is_taken() {
        for text in [
            "painted:18446744073709551615",
            "painted:99999999999",
            "painted:99999999999999999999999",
            "painted:-1",
            "painted:",
        ] {
            assert!(text.parse::<Data>().is_err(), "{text}");
        }
        let most = format!("painted:{MOST_BYTES}").parse::<Data>();
        assert_eq!(most, Ok(Data::Painted(MOST_BYTES)));
    }

    #[test]
    fn fnv1a_matches_its_published_values() {
        // RFC 9923, appendix C (also the FNV authors' test suite).
        assert_eq!(fnv1a(b""), 0xcbf2_9ce4_8422_2325);
        assert_eq!(fnv1a(b"a"), 0xaf63_dc4c_8601_ec8c);
        assert_eq!(fnv1a(b"foobar"), 0x8594_4171_f739_67e8);
    }
}
