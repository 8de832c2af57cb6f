//! Base64 with line breaks anywhere, as OpenSSL and OpenPGP write and read it.

use std::io::{self, Read};

use base64ct::{Base64, Encoding};

use crate::error::Error;
use crate::output::{PIECE, read_some};

/// Decodes base64 until it ends: at the end of the input, after padding, or before a character
/// that ends it.
pub(crate) struct Reader<R> {
    input: R,
    /// Characters that end the text if they follow whole groups.
    ends: &'static [u8],
    /// Characters that wait for a group of four to be complete.
    text: Vec<u8>,
    bytes: Vec<u8>,
    used: usize,
    finished: bool,
}

impl<R: Read> Reader<R> {
    /// Reads until the input ends, or one of `ends` follows whole groups.
    pub(crate) fn new(input: R, ends: &'static [u8]) -> Self {
        Self {
            input,
            ends,
            text: Vec::new(),
            bytes: Vec::new(),
            used: 0,
            finished: false,
        }
    }

    fn refill(&mut self) -> Result<(), Error> {
        let mut piece = vec![0; PIECE];
        let length = read_some(&mut self.input, &mut piece)?;
        if length == 0 {
            self.finished = true;
        }
        for &character in &piece[..length] {
            if self.ends.contains(&character) && self.text.len().is_multiple_of(4) {
                self.finished = true;
                break;
            }
            if !character.is_ascii_whitespace() {
                self.text.push(character);
            }
        }
        // After padding only the end may follow.
        let padding = self.text.iter().position(|&c| c == b'=');
        let whole = match padding {
            Some(first) if self.text.len() > first + 1 || self.finished => {
                let end = first.next_multiple_of(4);
                let rest = self.text.get(end..).unwrap_or_default();
                if self.ends.is_empty() && !rest.is_empty() {
                    return Err(Error::malformed("base64: characters follow its end"));
                }
                self.finished = true;
                end
            }
            Some(first) => first / 4 * 4,
            None => self.text.len() / 4 * 4,
        };
        if self.finished && padding.is_none() && self.text.len() != whole {
            return Err(Error::Truncated { part: "base64" });
        }
        let text = self
            .text
            .get(..whole)
            .ok_or(Error::Truncated { part: "base64" })?;
        let text = std::str::from_utf8(text).map_err(|_| wrong())?;
        self.bytes = Base64::decode_vec(text).map_err(|_| wrong())?;
        self.used = 0;
        self.text.drain(..whole);
        Ok(())
    }
}

fn wrong() -> Error {
    Error::malformed("base64: a wrong character")
}

impl<R: Read> Read for Reader<R> {
    fn read(&mut self, output: &mut [u8]) -> io::Result<usize> {
        while self.used == self.bytes.len() && !self.finished {
            self.refill()?;
        }
        let length = output.len().min(self.bytes.len() - self.used);
        output[..length].copy_from_slice(&self.bytes[self.used..self.used + length]);
        self.used += length;
        Ok(length)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decode(text: &str, ends: &'static [u8]) -> Result<Vec<u8>, Error> {
        let mut bytes = Vec::new();
        Reader::new(text.as_bytes(), ends).read_to_end(&mut bytes)?;
        Ok(bytes)
    }

    #[test]
    fn lines_padding_and_ends() {
        assert_eq!(decode("", b"").ok(), Some(vec![]));
        assert_eq!(decode("aGVs\nbG8=\n", b"").ok(), Some(b"hello".to_vec()));
        assert_eq!(decode("aG Vs\r\nbG8h", b"").ok(), Some(b"hello!".to_vec()));
        assert_eq!(
            decode("aGVsbG8=\n=abcd\n---", b"=-").ok(),
            Some(b"hello".to_vec())
        );
        assert_eq!(decode("aGVs\n-----END", b"=-").ok(), Some(b"hel".to_vec()));
        assert!(matches!(decode("aGVsb", b""), Err(Error::Truncated { .. })));
        assert!(decode("aGVsbG8=x", b"").is_err());
        assert!(decode("a!Vs", b"").is_err());
        assert!(decode("aGVsbG8", b"").is_err());
        assert!(decode("aGVsbG=", b"").is_err());
    }

    #[test]
    fn long_text_in_pieces() {
        let plain: Vec<u8> = (0..200_000u32).map(|i| (i * 7 >> 3) as u8).collect();
        let text = Base64::encode_string(&plain);
        let lines: Vec<&str> = text
            .as_bytes()
            .chunks(64)
            .map(|c| std::str::from_utf8(c).unwrap_or(""))
            .collect();
        assert_eq!(decode(&lines.join("\n"), b"").ok(), Some(plain));
    }
}
