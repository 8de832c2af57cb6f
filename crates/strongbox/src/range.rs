//! A part of the content, without the rest.

use std::io::{self, Write};

use zeroize::Zeroizing;

use crate::error::{Error, Result};
use crate::explain;
use crate::open::{OpenOptions, too_much};
use crate::payload::{BATCH, CHUNK};
use crate::unlock::{ReadAt, Unlocked};

impl Unlocked {
    /// Writes `length` bytes of the content from `start` on, or fewer if the content ends before.
    /// Only the chunks with these bytes are read, and the end of the file. Of a compressed
    /// content everything before is read too. A signature is not verified, because it covers the
    /// whole file. Returns the number of bytes.
    ///
    /// # Errors
    ///
    /// The errors of [`open_to`](Self::open_to).
    pub fn open_range(
        &self,
        input: &(impl ReadAt + ?Sized),
        start: u64,
        length: u64,
        output: &mut (dyn Write + Send),
        options: &OpenOptions,
    ) -> Result<u64> {
        if self.header.flags.zstd {
            return self.range_of_compressed(input, start, length, output, options);
        }
        let (end, sealed) = explain::end(self, input)?;
        let content = if self.header.flags.padded {
            self.content_length(input, end.length)?
        } else {
            end.length
        };
        let stop = start.saturating_add(length).min(content);
        let mut place = start;
        while place < stop {
            let first = place / CHUNK as u64;
            let last = ((stop - 1) / CHUNK as u64).min(first + BATCH as u64 - 1);
            let plain = self.chunks(input, first, last, sealed)?;
            let from = (place - first * CHUNK as u64) as usize;
            let to = ((stop - first * CHUNK as u64) as usize).min(plain.len());
            output.write_all(&plain[from..to])?;
            place += (to - from) as u64;
        }
        output.flush()?;
        Ok(stop.saturating_sub(start))
    }

    /// Opens the chunks from `first` to `last`.
    fn chunks(
        &self,
        input: &(impl ReadAt + ?Sized),
        first: u64,
        last: u64,
        sealed: u64,
    ) -> Result<Zeroizing<Vec<u8>>> {
        let whole = self.payload.sealed_chunk() as u64;
        let stop = ((last + 1) * whole).min(sealed);
        let mut bytes = vec![0; (stop - first * whole) as usize];
        input.read_exact_at(&mut bytes, self.first_chunk() + first * whole)?;
        let mut plain = Zeroizing::new(Vec::new());
        match self.payload.open(first, &bytes, stop == sealed, &mut plain) {
            Ok(()) => Ok(plain),
            Err(bad) => {
                let from = (bad.0 - first) as usize * whole as usize;
                let chunk = bytes[from..]
                    .chunks(whole as usize)
                    .next()
                    .unwrap_or_default();
                Err(explain::chunk(self, bad.0, chunk, sealed / whole + 1))
            }
        }
    }

    /// Finds the end of a padded content: the last byte that is not zero is the mark.
    fn content_length(&self, input: &(impl ReadAt + ?Sized), length: u64) -> Result<u64> {
        let sealed = self.payload.sealed_length(length);
        for index in (0..=length / CHUNK as u64).rev() {
            let plain = self.chunks(input, index, index, sealed)?;
            if let Some(place) = plain.iter().rposition(|&byte| byte != 0) {
                return Ok(index * CHUNK as u64 + place as u64);
            }
        }
        let text = "the content has no padding, although the header says so";
        Err(Error::Io(io::Error::new(io::ErrorKind::InvalidData, text)))
    }

    fn range_of_compressed(
        &self,
        input: &(impl ReadAt + ?Sized),
        start: u64,
        length: u64,
        output: &mut (dyn Write + Send),
        options: &OpenOptions,
    ) -> Result<u64> {
        let mut window = Window {
            output,
            skip: start,
            left: length,
            written: 0,
        };
        let opened = self.open_to(input, &mut window, options, &mut |_| Ok(()));
        let (written, full) = (window.written, window.left == 0);
        match opened {
            Ok(_) => {}
            // The window ends the work when it is full.
            Err(Error::Io(error)) if full && error.kind() == io::ErrorKind::WriteZero => {}
            Err(Error::Io(error)) => return Err(too_much(error, options)),
            Err(error) => return Err(error),
        }
        Ok(written)
    }
}

/// Passes a part of the bytes on.
struct Window<'a> {
    output: &'a mut (dyn Write + Send),
    skip: u64,
    left: u64,
    written: u64,
}

impl Write for Window<'_> {
    fn write(&mut self, buffer: &[u8]) -> io::Result<usize> {
        let skipped = self.skip.min(buffer.len() as u64);
        self.skip -= skipped;
        let rest = &buffer[skipped as usize..];
        if !rest.is_empty() && self.left == 0 {
            return Err(io::ErrorKind::WriteZero.into());
        }
        let length = self.left.min(rest.len() as u64);
        self.output.write_all(&rest[..length as usize])?;
        self.left -= length;
        self.written += length;
        Ok(buffer.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.output.flush()
    }
}
