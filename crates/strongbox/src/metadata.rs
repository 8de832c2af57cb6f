//! The encrypted metadata: name, time of the last change, and mode of the file.

use crate::error::{Error, Result};
use crate::file_key::FileKey;
use crate::payload::context;
use crate::suite::{Keys, Suite};

/// The metadata's plaintext is a multiple of this many bytes, so that its length tells little of
/// the name's.
const UNIT: usize = 64;
/// The longest name in bytes.
const LONGEST_NAME: usize = 4096;

/// What is known of the file beside its content.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Metadata {
    /// The file's name, without a folder.
    pub name: Option<Vec<u8>>,
    /// Seconds and nanoseconds since 1970.
    pub modified: Option<(i64, u32)>,
    /// The permission bits, as in chmod(2).
    pub mode: Option<u32>,
}

const NAME: u8 = 1;
const MODIFIED: u8 = 2;
const MODE: u8 = 3;

impl Metadata {
    fn encode(&self) -> Result<Vec<u8>> {
        let mut bytes = Vec::new();
        let mut field = |kind: u8, body: &[u8]| {
            let length = u16::try_from(body.len()).expect("names are short");
            bytes.push(kind);
            bytes.extend_from_slice(&length.to_be_bytes());
            bytes.extend_from_slice(body);
        };
        if let Some(name) = &self.name {
            if name.len() > LONGEST_NAME {
                return Err(Error::Usage("the file's name is too long".into()));
            }
            field(NAME, name);
        }
        if let Some((seconds, nanoseconds)) = self.modified {
            let body = [&seconds.to_be_bytes()[..], &nanoseconds.to_be_bytes()].concat();
            field(MODIFIED, &body);
        }
        if let Some(mode) = self.mode {
            field(MODE, &mode.to_be_bytes());
        }
        bytes.resize(bytes.len().next_multiple_of(UNIT), 0);
        Ok(bytes)
    }

    fn decode(bytes: &[u8]) -> Option<Self> {
        let mut this = Self::default();
        let mut rest = bytes;
        while let [kind, high, low, after @ ..] = rest {
            if *kind == 0 {
                break;
            }
            let length = usize::from(u16::from_be_bytes([*high, *low]));
            let (body, after) = after.split_at_checked(length)?;
            match *kind {
                NAME => this.name = Some(body.to_vec()),
                MODIFIED => {
                    let (seconds, nanoseconds) = body.split_first_chunk()?;
                    let nanoseconds = u32::from_be_bytes(nanoseconds.try_into().ok()?);
                    this.modified = Some((i64::from_be_bytes(*seconds), nanoseconds));
                }
                MODE => this.mode = Some(u32::from_be_bytes(body.try_into().ok()?)),
                _ => {}
            }
            rest = after;
        }
        Some(this)
    }

    /// Seals the metadata; nothing if there are none.
    pub(crate) fn seal(&self, suite: &Suite, core: [u8; 4], key: &FileKey) -> Result<Vec<u8>> {
        let plain = self.encode()?;
        if plain.is_empty() {
            return Ok(plain);
        }
        let mut sealed = vec![0; plain.len() + suite.overhead()];
        keys(suite, core, key).seal(0, &plain, &mut sealed);
        Ok(sealed)
    }

    /// Opens metadata.
    ///
    /// # Errors
    ///
    /// [`Error::Metadata`].
    pub(crate) fn open(suite: &Suite, core: [u8; 4], key: &FileKey, sealed: &[u8]) -> Result<Self> {
        if sealed.is_empty() {
            return Ok(Self::default());
        }
        let mut plain = vec![0; sealed.len().saturating_sub(16)];
        let length = keys(suite, core, key).open(0, sealed, &mut plain);
        Self::decode(&plain[..length.ok_or(Error::Metadata)?]).ok_or(Error::Metadata)
    }

    /// Returns the name if it is a plain file name: nothing that leaves the folder, no control
    /// characters.
    pub fn safe_name(&self) -> Option<&str> {
        let name = std::str::from_utf8(self.name.as_deref()?).ok()?;
        let plain = !matches!(name, "" | "." | "..")
            && name.len() <= 255
            && !name
                .chars()
                .any(|c| c == '/' || c == '\\' || c.is_control());
        plain.then_some(name)
    }
}

fn keys(suite: &Suite, core: [u8; 4], key: &FileKey) -> Keys {
    let input = key.derive_long(b"metadata", suite.key_length());
    Keys::derive(suite, &input, &[0; 24], &context(core))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::header::{Flags, Header};

    fn core(suite: &'static Suite) -> [u8; 4] {
        Header::new(suite, Flags::default(), Vec::new(), Vec::new()).core()
    }

    #[test]
    fn metadata_survive_and_changes_are_noticed() {
        let suite = Suite::by_id(8).unwrap();
        let key = FileKey::new([2; 32]);
        let metadata = Metadata {
            name: Some(b"letter.txt".to_vec()),
            modified: Some((-5, 123)),
            mode: Some(0o640),
        };
        let mut sealed = metadata.seal(suite, core(suite), &key).unwrap();
        assert_eq!(sealed.len(), 64 + 32);
        let open = |sealed: &[u8]| Metadata::open(suite, core(suite), &key, sealed);
        assert_eq!(open(&sealed).unwrap(), metadata);
        sealed[0] ^= 1;
        assert!(matches!(open(&sealed), Err(Error::Metadata)));
        for length in 1..sealed.len() {
            assert!(open(&sealed[..length]).is_err());
        }
        let none = Metadata::default();
        assert!(none.seal(suite, core(suite), &key).unwrap().is_empty());
        assert_eq!(open(&[]).unwrap(), none);
    }

    #[test]
    fn names_cannot_leave_the_folder() {
        let safe = |name: &[u8]| {
            let name = Some(name.to_vec());
            Metadata {
                name,
                ..Metadata::default()
            }
            .safe_name()
            .is_some()
        };
        assert!(safe(b"a b.txt"));
        assert!(safe("é".as_bytes()));
        for name in [
            &b""[..],
            b".",
            b"..",
            b"a/b",
            b"/a",
            b"a\\b",
            b"a\nb",
            b"\xff",
            b"\x1b[2J",
        ] {
            assert!(!safe(name), "{name:?}");
        }
    }
}
