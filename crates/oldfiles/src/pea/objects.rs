//! The objects of a PEA stream: files and folders, one after the other.

use std::io::{self, Read};

use flate2::bufread::ZlibDecoder;
use zeroize::Zeroizing;

use super::Header;
use crate::encoding::Encoding;
use crate::error::Error;
use crate::name::Shortener;
use crate::output::{Entry, Kind, Sink, drain, read_full};

/// Bytes of a compressed block's plaintext; only the last block of a file has fewer.
const BLOCK: usize = 1 << 20;
const END: &[u8; 4] = b"EOA\0";

fn cut() -> impl Fn(io::Error) -> Error {
    Error::reading("archive")
}

fn malformed(what: &str) -> Error {
    Error::malformed(format!("PEA: {what}"))
}

fn bytes<const N: usize>(reader: &mut dyn Read) -> Result<[u8; N], Error> {
    let mut bytes = [0; N];
    reader.read_exact(&mut bytes).map_err(cut())?;
    Ok(bytes)
}

/// Writes all objects. The reader ends with the stream.
pub(super) fn write(
    reader: &mut dyn Read,
    header: &Header,
    sink: &mut Sink<'_>,
) -> Result<(), Error> {
    if header.stream.is_cascade() {
        // Up to 128 random bytes hide the exact length of the archive.
        let [count] = bytes(reader)?;
        let mut random = vec![0; usize::from(count)];
        reader.read_exact(&mut random).map_err(cut())?;
    }
    if header.compressed && u32::from_le_bytes(bytes(reader)?) != BLOCK as u32 {
        return Err(malformed("another length of compressed blocks than 1 MiB"));
    }
    let mut names = Shortener::default();
    loop {
        let length = usize::from(u16::from_le_bytes(bytes(reader)?));
        if length == 0 {
            if bytes(reader)? != *END {
                return Err(malformed("an unknown mark between objects"));
            }
            // Nothing may follow, and the reader checks the tag at its end.
            return match drain(reader)? {
                0 => Ok(()),
                _ => Err(malformed("bytes follow the last object")),
            };
        }
        let mut name = vec![0; length];
        reader.read_exact(&mut name).map_err(cut())?;
        // The names are in the code page of the author's Windows, or in UTF-8.
        let name = String::from_utf8(name)
            .unwrap_or_else(|error| Encoding::decode_cp1252(error.as_bytes()));
        // The time in the encoding of the author's system, and DOS attributes.
        bytes::<8>(reader)?;
        let folder = name.ends_with(['/', '\\']);
        let entry = Entry {
            kind: if folder { Kind::Folder } else { Kind::File },
            name: Some(names.shorten(&name)?),
            size: None,
            modified: None,
            mode: None,
        };
        if folder {
            sink.begin(&entry)?;
        } else {
            let size = u64::from_le_bytes(bytes(reader)?);
            let size_known = Entry {
                size: Some(size),
                ..entry
            };
            sink.begin(&size_known)?;
            if header.compressed {
                blocks(reader, size, sink)?;
            } else {
                let copied = sink.copy(&mut reader.take(size))?;
                if copied != size {
                    return Err(Error::Truncated { part: "archive" });
                }
            }
        }
        sink.end()?;
        // The object's own check; the tag of the stream covers more.
        let mut check = vec![0; header.object];
        reader.read_exact(&mut check).map_err(cut())?;
    }
}

/// The blocks of a compressed file. The number after each block is the length of the next one,
/// and after the last block the length of its plaintext.
fn blocks(reader: &mut dyn Read, size: u64, sink: &mut Sink<'_>) -> Result<(), Error> {
    if size == 0 {
        return Ok(());
    }
    let mut left = size;
    let mut length = u32::from_le_bytes(bytes(reader)?) as usize;
    loop {
        let plain_length = usize::try_from(left).unwrap_or(BLOCK).min(BLOCK);
        if length > plain_length {
            return Err(malformed("a compressed block longer than its plaintext"));
        }
        let mut stored = Zeroizing::new(vec![0; length]);
        reader.read_exact(&mut stored).map_err(cut())?;
        if length == plain_length {
            sink.write(&stored)?;
        } else {
            let mut plain = Zeroizing::new(vec![0; plain_length]);
            let mut decoder = ZlibDecoder::new(&stored[..]);
            let wrong = |_| malformed("a compressed block is wrong");
            let inflated = read_full(&mut decoder, &mut plain).map_err(wrong)?;
            if inflated != plain_length || read_full(&mut decoder, &mut [0]).map_err(wrong)? != 0 {
                return Err(malformed("a compressed block of a wrong length"));
            }
            sink.write(&plain)?;
        }
        left -= plain_length as u64;
        length = u32::from_le_bytes(bytes(reader)?) as usize;
        if left == 0 {
            return if length == plain_length {
                Ok(())
            } else {
                Err(malformed("a file whose last block has another length"))
            };
        }
    }
}
