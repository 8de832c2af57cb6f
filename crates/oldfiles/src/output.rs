//! Where plaintext goes: the caller's [`Output`], behind a counter that enforces the cap.

use std::io::{self, Read};

use zeroize::Zeroizing;

use crate::error::Error;
use crate::report::Written;
use crate::settings::Limits;

/// Bytes that are read, decrypted and written at once.
pub(crate) const PIECE: usize = 64 << 10;

/// What an entry is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// The plaintext of a format that holds one stream.
    Stream,
    /// A file of an archive.
    File,
    /// A folder of an archive.
    Folder,
}

/// A stream, a file or a folder that is about to be written.
#[derive(Debug, Clone)]
pub struct Entry {
    /// What it is.
    pub kind: Kind,
    /// For files and folders, a relative path with `/` between its parts, none of which is `..`
    /// or empty. For streams, a file name that the format records, without any path.
    pub name: Option<String>,
    /// Bytes of plaintext, if the format records them. The real number may differ if the header
    /// is not authenticated.
    pub size: Option<u64>,
    /// Seconds since 1970, if the format records them.
    pub modified: Option<i64>,
    /// The permission bits of a Unix file, if the format records them.
    pub mode: Option<u32>,
}

impl Entry {
    pub(crate) fn stream() -> Self {
        Self {
            kind: Kind::Stream,
            name: None,
            size: None,
            modified: None,
            mode: None,
        }
    }
}

/// The caller's side of [`open`](crate::open). If `open` returns an error, what the output has
/// received is incomplete, and the caller should discard it.
pub trait Output {
    /// Starts an entry.
    ///
    /// # Errors
    ///
    /// Any error ends the call of `open`, as [`Error::Write`].
    fn begin(&mut self, entry: &Entry) -> io::Result<()>;

    /// Takes the next bytes of the entry.
    ///
    /// # Errors
    ///
    /// As in [`begin`](Self::begin).
    fn write(&mut self, bytes: &[u8]) -> io::Result<()>;

    /// Ends the entry.
    ///
    /// # Errors
    ///
    /// As in [`begin`](Self::begin).
    fn end(&mut self) -> io::Result<()>;
}

/// An output that keeps everything in memory.
#[derive(Debug, Default)]
pub struct Memory {
    /// The entries and their bytes.
    pub entries: Vec<(Entry, Vec<u8>)>,
}

impl Output for Memory {
    fn begin(&mut self, entry: &Entry) -> io::Result<()> {
        self.entries.push((entry.clone(), Vec::new()));
        Ok(())
    }

    fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        if let Some((_, data)) = self.entries.last_mut() {
            data.extend_from_slice(bytes);
        }
        Ok(())
    }

    fn end(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// An output that keeps nothing, for a pass that only checks.
#[derive(Debug, Clone, Copy)]
pub struct Nowhere;

impl Output for Nowhere {
    fn begin(&mut self, _: &Entry) -> io::Result<()> {
        Ok(())
    }

    fn write(&mut self, _: &[u8]) -> io::Result<()> {
        Ok(())
    }

    fn end(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// The caller's output, with a count of entries and bytes.
pub(crate) struct Sink<'a> {
    output: &'a mut dyn Output,
    limits: &'a Limits,
    total: u64,
    written: Vec<Written>,
}

impl<'a> Sink<'a> {
    pub(crate) fn new(output: &'a mut dyn Output, limits: &'a Limits) -> Self {
        Self {
            output,
            limits,
            total: 0,
            written: Vec::new(),
        }
    }

    pub(crate) fn into_written(self) -> Vec<Written> {
        self.written
    }

    pub(crate) fn begin(&mut self, entry: &Entry) -> Result<(), Error> {
        if self.written.len() as u64 >= self.limits.entries {
            return Err(Error::Limit {
                what: "entries",
                asked: None,
                limit: self.limits.entries,
            });
        }
        self.output.begin(entry).map_err(Error::Write)?;
        self.written.push(Written {
            name: entry.name.clone(),
            size: 0,
        });
        Ok(())
    }

    pub(crate) fn write(&mut self, bytes: &[u8]) -> Result<(), Error> {
        self.total = self.total.saturating_add(bytes.len() as u64);
        if self.total > self.limits.plaintext {
            return Err(Error::Limit {
                what: "plaintext",
                asked: None,
                limit: self.limits.plaintext,
            });
        }
        self.output.write(bytes).map_err(Error::Write)?;
        if let Some(written) = self.written.last_mut() {
            written.size += bytes.len() as u64;
        }
        Ok(())
    }

    pub(crate) fn end(&mut self) -> Result<(), Error> {
        self.output.end().map_err(Error::Write)
    }

    /// Writes all that the reader has, and returns the number of bytes.
    pub(crate) fn copy(&mut self, reader: &mut dyn Read) -> Result<u64, Error> {
        let mut piece = Zeroizing::new(vec![0; PIECE]);
        let mut copied = 0;
        loop {
            match read_some(reader, &mut piece)? {
                0 => return Ok(copied),
                length => {
                    self.write(&piece[..length])?;
                    copied += length as u64;
                }
            }
        }
    }

    /// One entry from one reader.
    pub(crate) fn whole(&mut self, entry: &Entry, reader: &mut dyn Read) -> Result<u64, Error> {
        self.begin(entry)?;
        let copied = self.copy(reader)?;
        self.end()?;
        Ok(copied)
    }
}

/// Reads at least one byte unless the reader is at its end.
pub(crate) fn read_some(reader: &mut dyn Read, buffer: &mut [u8]) -> io::Result<usize> {
    loop {
        match reader.read(buffer) {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            other => return other,
        }
    }
}

/// Fills the buffer unless the reader ends, and returns the number of bytes.
pub(crate) fn read_full(reader: &mut dyn Read, buffer: &mut [u8]) -> io::Result<usize> {
    let mut filled = 0;
    while filled < buffer.len() {
        match read_some(reader, &mut buffer[filled..])? {
            0 => break,
            length => filled += length,
        }
    }
    Ok(filled)
}

/// Reads to the end and discards everything.
pub(crate) fn drain(reader: &mut dyn Read) -> Result<u64, Error> {
    let mut piece = Zeroizing::new(vec![0; PIECE]);
    let mut total = 0;
    loop {
        match read_some(reader, &mut piece)? {
            0 => return Ok(total),
            length => total += length as u64,
        }
    }
}
