//! The content inside the payload: compressed by zstd first, padded then. Readers undo both.

use std::io::{self, Read, Write};

use zstd::stream::raw::{Decoder, InBuffer, Operation, OutBuffer};

use crate::error::Result;
use crate::header::Flags;
use crate::pad::{Padded, Unpad};

/// Returns the payload's plaintext for a content.
///
/// # Errors
///
/// An error if zstd cannot start.
pub(crate) fn prepare<'a>(
    content: &'a mut dyn Read,
    zstd: Option<i32>,
    padded: bool,
    threads: usize,
) -> Result<Box<dyn Read + 'a>> {
    let compressed: Box<dyn Read + 'a> = match zstd {
        None => Box::new(content),
        Some(level) => {
            let mut encoder = zstd::stream::read::Encoder::new(content, level)?;
            // With threads of zstd the result depends on the jobs' size and not on the number of
            // threads; without them it would be another one.
            encoder.multithread(u32::try_from(threads.max(1)).unwrap_or(1))?;
            Box::new(encoder)
        }
    };
    Ok(if padded {
        Box::new(Padded::new(compressed))
    } else {
        compressed
    })
}

/// Writes the content of a payload's plaintext.
pub(crate) enum Restore<'a> {
    Plain(Inflate<'a>),
    Padded(Unpad<Inflate<'a>>),
}

impl<'a> Restore<'a> {
    /// Makes a writer that accepts so many bytes of content at most.
    ///
    /// # Errors
    ///
    /// An error if zstd cannot start.
    pub(crate) fn new(output: Box<dyn Write + Send + 'a>, flags: Flags, most: u64) -> Result<Self> {
        let output = Limited { output, left: most };
        let inflate = if flags.zstd {
            Inflate::Zstd {
                decoder: Decoder::new()?,
                buffer: zeroize::Zeroizing::new(vec![0; 128 << 10]),
                ended: true,
                output,
            }
        } else {
            Inflate::Plain(output)
        };
        Ok(if flags.padded {
            Self::Padded(Unpad::new(inflate))
        } else {
            Self::Plain(inflate)
        })
    }

    /// Ends the content.
    ///
    /// # Errors
    ///
    /// An error if padding or compressed data are incomplete, or the output cannot be flushed.
    pub(crate) fn finish(self) -> io::Result<()> {
        let inflate = match self {
            Self::Plain(inflate) => inflate,
            Self::Padded(unpad) => unpad.finish()?,
        };
        match inflate {
            Inflate::Plain(mut output) => output.output.flush(),
            Inflate::Zstd { ended: false, .. } => Err(io::Error::new(
                io::ErrorKind::InvalidData,
                "the compressed content is incomplete",
            )),
            Inflate::Zstd { mut output, .. } => output.output.flush(),
        }
    }
}

impl Write for Restore<'_> {
    fn write(&mut self, buffer: &[u8]) -> io::Result<usize> {
        match self {
            Self::Plain(inflate) => inflate.write(buffer),
            Self::Padded(unpad) => unpad.write(buffer),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Decompresses, or not.
pub(crate) enum Inflate<'a> {
    Plain(Limited<'a>),
    Zstd {
        decoder: Decoder<'static>,
        buffer: zeroize::Zeroizing<Vec<u8>>,
        /// Whether a frame has ended and no other has begun.
        ended: bool,
        output: Limited<'a>,
    },
}

impl Write for Inflate<'_> {
    fn write(&mut self, data: &[u8]) -> io::Result<usize> {
        let (decoder, buffer, ended, output) = match self {
            Self::Plain(output) => return output.write(data),
            Self::Zstd {
                decoder,
                buffer,
                ended,
                output,
            } => (decoder, buffer, ended, output),
        };
        if data.is_empty() {
            return Ok(0);
        }
        let mut input = InBuffer::around(data);
        loop {
            let mut out = OutBuffer::around(&mut buffer[..]);
            let hint = decoder.run(&mut input, &mut out)?;
            let made = out.pos();
            output.write_all(&buffer[..made])?;
            *ended = hint == 0;
            let empty = input.pos() == data.len();
            if empty && (*ended || made < buffer.len()) {
                return Ok(data.len());
            }
            if *ended {
                decoder.reinit()?;
            }
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// A writer that refuses more bytes than are left.
pub(crate) struct Limited<'a> {
    output: Box<dyn Write + Send + 'a>,
    left: u64,
}

impl Write for Limited<'_> {
    fn write(&mut self, buffer: &[u8]) -> io::Result<usize> {
        if buffer.len() as u64 > self.left {
            return Err(io::Error::other(TooMuch));
        }
        let length = self.output.write(buffer)?;
        self.left -= length as u64;
        Ok(length)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.output.flush()
    }
}

/// The content is longer than the caller allows.
#[derive(Debug)]
pub(crate) struct TooMuch;

impl std::fmt::Display for TooMuch {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("the content is too long")
    }
}

impl std::error::Error for TooMuch {}

#[cfg(test)]
mod tests {
    use super::*;

    fn round(content: &[u8], zstd: Option<i32>, padded: bool, threads: usize) -> Vec<u8> {
        let mut plain = Vec::new();
        let mut input = content;
        prepare(&mut input, zstd, padded, threads)
            .unwrap()
            .read_to_end(&mut plain)
            .unwrap();
        let flags = Flags {
            zstd: zstd.is_some(),
            padded,
            ..Flags::default()
        };
        for piece in [1, 1000, usize::MAX] {
            let mut output = Vec::new();
            let mut restore =
                Restore::new(Box::new(&mut output), flags, content.len() as u64).unwrap();
            for part in plain.chunks(piece.min(plain.len().max(1))) {
                restore.write_all(part).unwrap();
            }
            restore.finish().unwrap();
            assert_eq!(output, content);
        }
        plain
    }

    #[test]
    fn contents_survive_and_threads_change_nothing() {
        let text = b"so much of the same ".repeat(5000);
        for content in [&b""[..], b"a", &text] {
            for zstd in [None, Some(3)] {
                for padded in [false, true] {
                    assert_eq!(
                        round(content, zstd, padded, 1),
                        round(content, zstd, padded, 4)
                    );
                }
            }
        }
        assert!(round(&text, Some(3), false, 1).len() < 1000);
    }

    #[test]
    fn too_much_and_too_little_are_errors() {
        let content = vec![0; 1 << 20];
        let mut plain = Vec::new();
        prepare(&mut &content[..], Some(3), false, 1)
            .unwrap()
            .read_to_end(&mut plain)
            .unwrap();
        let flags = Flags {
            zstd: true,
            ..Flags::default()
        };
        let mut output = Vec::new();
        let mut restore = Restore::new(Box::new(&mut output), flags, (1 << 20) - 1).unwrap();
        assert!(restore.write_all(&plain).is_err());
        drop(restore);
        let mut output = Vec::new();
        let mut restore = Restore::new(Box::new(&mut output), flags, u64::MAX).unwrap();
        restore.write_all(&plain[..plain.len() - 1]).unwrap();
        assert!(restore.finish().is_err());
    }
}
