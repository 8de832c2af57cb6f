//! Decompression that stops at the end of its stream and leaves what follows to the caller.

use std::io::{self, BufReader, Read};

use flate2::bufread::{DeflateDecoder, ZlibDecoder};

use crate::error::Error;

/// A compressed stream inside plaintext.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Compression {
    /// None.
    Stored,
    /// DEFLATE, RFC 1951.
    Deflate,
    /// zlib, RFC 1950.
    Zlib,
    /// bzip2.
    Bzip2,
}

impl Compression {
    /// A reader of what the compressed bytes contain.
    pub(crate) fn reader<'a>(self, compressed: Box<dyn Read + 'a>) -> Box<dyn Read + 'a> {
        let buffered = BufReader::new(compressed);
        match self {
            Self::Stored => Box::new(buffered),
            Self::Deflate => Box::new(Inflating(DeflateDecoder::new(buffered))),
            Self::Zlib => Box::new(Inflating(ZlibDecoder::new(buffered))),
            Self::Bzip2 => Box::new(Inflating(bzip2::bufread::BzDecoder::new(buffered))),
        }
    }
}

/// Gives the decoders' errors the form of this crate's errors.
struct Inflating<D>(D);

impl<D: Read> Read for Inflating<D> {
    fn read(&mut self, output: &mut [u8]) -> io::Result<usize> {
        self.0.read(output).map_err(|error| {
            // An error of the layer below passes through.
            if error.get_ref().is_some_and(|inner| inner.is::<Error>()) {
                return error;
            }
            match error.kind() {
                io::ErrorKind::InvalidInput | io::ErrorKind::InvalidData | io::ErrorKind::Other => {
                    Error::malformed("the compressed data is wrong").into()
                }
                io::ErrorKind::UnexpectedEof => {
                    Error::malformed("the compressed data ends too early").into()
                }
                _ => error,
            }
        })
    }
}
