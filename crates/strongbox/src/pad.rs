//! Padding by Padmé, [PURBS] §5: the length of a padded content tells only O(log log) bits of the
//! content's, and the content grows by 12 % at most.
//!
//! - [PURBS] K. Nikitin, L. Barman, W. Lueks, M. Underwood, J.-P. Hubaux, B. Ford: Reducing
//!   Metadata Leakage from Encrypted Files and Communication with PURBs, PoPETs 2019(4)
//!
//! [PURBS]: https://doi.org/10.2478/popets-2019-0056

use std::io::{self, Read, Write};

/// Returns the padded length: at most so many bits are set that the length's logarithm has.
pub fn padme(length: u64) -> u64 {
    if length < 2 {
        return length;
    }
    let exponent = length.ilog2();
    let bits = exponent.ilog2() + 1;
    let mask = (1u64 << (exponent - bits.min(exponent))) - 1;
    length.saturating_add(mask) & !mask
}

/// The byte between content and zeros, as in ISO/IEC 7816-4.
const MARK: u8 = 0x80;

/// Reads a content, then the mark, then zeros up to the padded length.
pub(crate) struct Padded<R> {
    inner: R,
    length: u64,
    /// After the content: the bytes that are left.
    left: Option<u64>,
    marked: bool,
}

impl<R: Read> Padded<R> {
    pub(crate) fn new(inner: R) -> Self {
        Self {
            inner,
            length: 0,
            left: None,
            marked: false,
        }
    }
}

impl<R: Read> Read for Padded<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if buffer.is_empty() {
            return Ok(0);
        }
        if self.left.is_none() {
            let length = self.inner.read(buffer)?;
            self.length += length as u64;
            if length > 0 {
                return Ok(length);
            }
            self.left = Some(padme(self.length + 1) - self.length);
        }
        let left = self.left.unwrap_or(0);
        let length = buffer
            .len()
            .min(usize::try_from(left).unwrap_or(usize::MAX));
        buffer[..length].fill(0);
        if length > 0 && !self.marked {
            buffer[0] = MARK;
            self.marked = true;
        }
        self.left = Some(left - length as u64);
        Ok(length)
    }
}

/// Writes a padded content without its padding. Zeros after a mark are counted and not stored.
pub(crate) struct Unpad<W> {
    pub(crate) inner: W,
    /// The zeros since the last mark, if nothing else has come since.
    zeros: Option<u64>,
}

impl<W: Write> Unpad<W> {
    pub(crate) fn new(inner: W) -> Self {
        Self { inner, zeros: None }
    }

    /// Ends the content.
    ///
    /// # Errors
    ///
    /// An error if there was no padding.
    pub(crate) fn finish(self) -> io::Result<W> {
        if self.zeros.is_none() {
            return Err(io::Error::new(
                io::ErrorKind::InvalidData,
                "the content has no padding, although the header says so",
            ));
        }
        Ok(self.inner)
    }

    /// Writes the mark and the zeros that turned out to be content.
    fn release(&mut self) -> io::Result<()> {
        if let Some(mut zeros) = self.zeros.take() {
            self.inner.write_all(&[MARK])?;
            let block = [0; 4096];
            while zeros > 0 {
                let length = zeros.min(block.len() as u64);
                self.inner.write_all(&block[..length as usize])?;
                zeros -= length;
            }
        }
        Ok(())
    }
}

impl<W: Write> Write for Unpad<W> {
    fn write(&mut self, buffer: &[u8]) -> io::Result<usize> {
        // What could be padding: a mark and zeros at the end of the buffer.
        let end = buffer.iter().rposition(|&byte| byte != 0);
        match end {
            None => match &mut self.zeros {
                Some(zeros) => *zeros += buffer.len() as u64,
                None => self.inner.write_all(buffer)?,
            },
            Some(end) => {
                self.release()?;
                if buffer[end] == MARK {
                    self.inner.write_all(&buffer[..end])?;
                    self.zeros = Some((buffer.len() - end - 1) as u64);
                } else {
                    self.inner.write_all(buffer)?;
                }
            }
        }
        Ok(buffer.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.inner.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_are_those_of_the_paper() {
        // §5.1: at most 12 %, falling with the length; small lengths keep all bits that matter.
        for (length, padded) in [
            (0, 0),
            (1, 1),
            (9, 10),
            (100, 104),
            (1000, 1024),
            (9999, 10240),
        ] {
            assert_eq!(padme(length), padded, "{length}");
        }
        for length in (1..100_000).chain((0..60).map(|n| (1 << n) + 1)) {
            let padded = padme(length);
            assert!(
                padded >= length && padded - length <= length * 12 / 100 + 1,
                "{length}"
            );
            assert_eq!(padme(padded), padded);
        }
    }

    #[test]
    fn unpadding_gives_the_content_for_any_cuts() {
        let contents: [&[u8]; 7] = [
            b"",
            b"a",
            &[0; 300],
            &[MARK; 9],
            b"\x80\0\0",
            b"\0\0\x80",
            b"ab\x80\0\0c\0",
        ];
        for content in contents {
            let mut padded = Vec::new();
            Padded::new(content).read_to_end(&mut padded).unwrap();
            assert_eq!(padded.len() as u64, padme(content.len() as u64 + 1));
            for size in [1, 2, 3, 1000] {
                let mut unpad = Unpad::new(Vec::new());
                for piece in padded.chunks(size) {
                    unpad.write_all(piece).unwrap();
                }
                assert_eq!(unpad.finish().unwrap(), content);
            }
        }
        let mut unpad = Unpad::new(Vec::new());
        unpad.write_all(b"none").unwrap();
        assert!(unpad.finish().is_err());
    }
}
