//! The entries of a ZIP archive, from its central directory.

use std::io::{Read, Seek, SeekFrom};

use zip::ZipArchive;
use zip::result::ZipError;

use crate::error::Error;
use crate::output::Kind;
use crate::settings::Limits;

/// How an entry is encrypted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Encryption {
    None,
    Traditional,
    Aes {
        /// 1 or 2: AE-1 also has a CRC-32 of the plaintext.
        version: u16,
        /// Bytes of the key.
        key: usize,
    },
}

impl Encryption {
    pub(super) fn describe(self) -> String {
        match self {
            Self::None => "none".to_owned(),
            Self::Traditional => "traditional (PKWARE)".to_owned(),
            Self::Aes { version, key } => {
                format!("aes-{}-ctr with hmac-sha-1, AE-{version}", 8 * key)
            }
        }
    }
}

/// An entry.
#[derive(Debug)]
pub(super) struct Item {
    pub(super) name: String,
    pub(super) kind: Kind,
    /// The place of the entry's data, and its length there.
    pub(super) start: u64,
    pub(super) stored: u64,
    pub(super) size: u64,
    pub(super) crc: u32,
    /// The compression method, [APPNOTE](super) §4.4.5.
    pub(super) method: u16,
    pub(super) encryption: Encryption,
    /// The high byte of the time, which some programs use as the check of the passphrase.
    pub(super) time_check: Option<u8>,
    pub(super) mode: Option<u32>,
}

/// The name of a method that this crate does not have.
pub(super) fn method_name(method: u16) -> String {
    match method {
        9 => "Deflate64".to_owned(),
        14 => "LZMA".to_owned(),
        93 => "Zstandard".to_owned(),
        95 => "xz".to_owned(),
        98 => "PPMd".to_owned(),
        other => format!("{other}"),
    }
}

fn refused(error: ZipError) -> Error {
    match error {
        ZipError::Io(error) => match error.kind() {
            std::io::ErrorKind::UnexpectedEof => Error::Truncated {
                part: "central directory",
            },
            _ => error.into(),
        },
        ZipError::UnsupportedArchive(what) => {
            Error::unsupported(format!("this ZIP archive ({what})"))
        }
        other => Error::malformed(format!("ZIP archive: {other}")),
    }
}

/// The extra field of WinZip's AES: version, strength, method; [AE](super) §II.C.
fn aes_field(extra: &[u8]) -> Option<(u16, u8, u16)> {
    let mut rest = extra;
    while let Some((head, after)) = rest.split_first_chunk::<4>() {
        let id = u16::from_le_bytes([head[0], head[1]]);
        let length = usize::from(u16::from_le_bytes([head[2], head[3]]));
        let (field, after) = after.split_at_checked(length)?;
        if id == 0x9901 {
            let [v0, v1, b'A', b'E', strength, m0, m1] = *field else {
                return None;
            };
            let version = u16::from_le_bytes([v0, v1]);
            return Some((version, strength, u16::from_le_bytes([m0, m1])));
        }
        rest = after;
    }
    None
}

/// Reads the central directory.
pub(super) fn read<R: Read + Seek>(input: &mut R, limits: &Limits) -> Result<Vec<Item>, Error> {
    let end = input.seek(SeekFrom::End(0))?;
    input.seek(SeekFrom::Start(0))?;
    let mut archive = ZipArchive::new(&mut *input).map_err(refused)?;
    if archive.len() as u64 > limits.entries {
        return Err(Error::Limit {
            what: "entries",
            asked: Some(archive.len() as u64),
            limit: limits.entries,
        });
    }
    let mut items = Vec::new();
    for index in 0..archive.len() {
        let file = archive.by_index_raw(index).map_err(refused)?;
        if file.is_symlink() {
            return Err(Error::unsupported(format!(
                "the symbolic link {:?} in the archive",
                file.name()
            )));
        }
        #[allow(deprecated, reason = "the number is what the format stores")]
        let method = file.compression().to_u16();
        let (encryption, method) = match aes_field(file.extra_data().unwrap_or_default()) {
            Some((version, strength, method)) if file.encrypted() => {
                let key = match (version, strength) {
                    (1 | 2, 1) => 16,
                    (1 | 2, 2) => 24,
                    (1 | 2, 3) => 32,
                    _ => return Err(Error::unsupported("this version of AES in ZIP")),
                };
                (Encryption::Aes { version, key }, method)
            }
            _ if file.encrypted() => (Encryption::Traditional, method),
            _ => (Encryption::None, method),
        };
        let start = file.data_start().unwrap_or(u64::MAX);
        let stored = file.compressed_size();
        if start.checked_add(stored).is_none_or(|last| last > end) {
            return Err(Error::Truncated {
                part: "data of a file in the archive",
            });
        }
        items.push(Item {
            name: file.name().to_owned(),
            kind: if file.is_dir() {
                Kind::Folder
            } else {
                Kind::File
            },
            start,
            stored,
            size: file.size(),
            crc: file.crc32(),
            method,
            encryption: if file.is_dir() {
                Encryption::None
            } else {
                encryption
            },
            time_check: file
                .last_modified()
                .map(|time| (time.timepart() >> 8) as u8),
            mode: file.unix_mode().map(|mode| mode & 0o777),
        });
    }
    Ok(items)
}
