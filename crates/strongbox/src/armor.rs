//! A strongbox as text, for mail and for terminals: Base64 (RFC 4648 §4) in lines of 64
//! characters between two marks.

use std::io::{self, BufRead, Read, Write};

use base64ct::{Base64, Encoding};

/// The first line.
pub const BEGIN: &str = "-----BEGIN STRONGBOX-----";
/// The last line.
pub const END: &str = "-----END STRONGBOX-----";
/// Bytes in a line of 64 characters.
const LINE: usize = 48;

/// Writes bytes as text. [`finish`](Self::finish) must be called at the end.
pub struct Writer<W: Write> {
    inner: W,
    held: Vec<u8>,
    begun: bool,
}

impl<W: Write> std::fmt::Debug for Writer<W> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("armor::Writer")
    }
}

impl<W: Write> Writer<W> {
    /// Makes a writer.
    pub fn new(inner: W) -> Self {
        Self {
            inner,
            held: Vec::new(),
            begun: false,
        }
    }

    fn lines(&mut self, count: usize) -> io::Result<()> {
        let mut text = String::with_capacity(count * 65 + 64);
        if !self.begun {
            text.push_str(BEGIN);
            text.push('\n');
            self.begun = true;
        }
        for line in self.held[..count].chunks(LINE) {
            text.push_str(&Base64::encode_string(line));
            text.push('\n');
        }
        self.held.drain(..count);
        self.inner.write_all(text.as_bytes())
    }

    /// Writes what is left and the last line.
    ///
    /// # Errors
    ///
    /// The error of the inner writer.
    pub fn finish(mut self) -> io::Result<W> {
        self.lines(self.held.len())?;
        writeln!(self.inner, "{END}")?;
        self.inner.flush()?;
        Ok(self.inner)
    }
}

impl<W: Write> Write for Writer<W> {
    fn write(&mut self, buffer: &[u8]) -> io::Result<usize> {
        self.held.extend_from_slice(buffer);
        self.lines(self.held.len() / LINE * LINE)?;
        Ok(buffer.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.inner.flush()
    }
}

/// Reads text as bytes. Every line but the last has 64 characters. After the last line only white
/// space may follow.
pub struct Reader<R: BufRead> {
    inner: R,
    line: String,
    bytes: Vec<u8>,
    used: usize,
    state: State,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    Before,
    Inside,
    Short,
    After,
}

impl<R: BufRead> std::fmt::Debug for Reader<R> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "armor::Reader({:?})", self.state)
    }
}

fn wrong(what: &str) -> io::Error {
    io::Error::new(
        io::ErrorKind::InvalidData,
        format!("the armor is damaged: {what}"),
    )
}

impl<R: BufRead> Reader<R> {
    /// Makes a reader.
    pub fn new(inner: R) -> Self {
        Self {
            inner,
            line: String::new(),
            bytes: Vec::new(),
            used: 0,
            state: State::Before,
        }
    }

    /// Reads a line of at most 255 characters without its end; `None` at the end of the file.
    fn next_line(&mut self) -> io::Result<Option<&str>> {
        self.line.clear();
        let length = (&mut self.inner).take(256).read_line(&mut self.line)?;
        if length == 0 {
            return Ok(None);
        }
        if length == 256 {
            return Err(wrong("a line is too long"));
        }
        Ok(Some(self.line.trim_end_matches(['\n', '\r'])))
    }

    /// Fills the buffer with the bytes of the next line.
    fn fill(&mut self) -> io::Result<()> {
        self.used = 0;
        self.bytes.clear();
        while self.bytes.is_empty() && self.state != State::After {
            let state = self.state;
            let Some(line) = self.next_line()? else {
                return Err(wrong("its last line is missing"));
            };
            if state == State::Before {
                match line.trim() {
                    BEGIN => self.state = State::Inside,
                    "" => {}
                    _ => return Err(wrong("its first line is missing")),
                }
            } else if line == END {
                self.state = State::After;
                while let Some(line) = self.next_line()? {
                    if !line.trim().is_empty() {
                        return Err(wrong("text follows after its last line"));
                    }
                }
            } else {
                if state == State::Short || line.is_empty() || line.len() > 64 {
                    return Err(wrong("a line has a wrong length"));
                }
                let short = line.len() < 64;
                let bytes = Base64::decode_vec(line).map_err(|_| wrong("a line is no Base64"))?;
                if short || bytes.len() < LINE {
                    self.state = State::Short;
                }
                self.bytes = bytes;
            }
        }
        Ok(())
    }
}

impl<R: BufRead> Read for Reader<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.used == self.bytes.len() && !buffer.is_empty() {
            self.fill()?;
        }
        let rest = &self.bytes[self.used..];
        let length = rest.len().min(buffer.len());
        buffer[..length].copy_from_slice(&rest[..length]);
        self.used += length;
        Ok(length)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn armor(bytes: &[u8], piece: usize) -> Vec<u8> {
        let mut writer = Writer::new(Vec::new());
        for part in bytes.chunks(piece) {
            writer.write_all(part).unwrap();
        }
        writer.finish().unwrap()
    }

    fn read(text: &[u8]) -> io::Result<Vec<u8>> {
        let mut bytes = Vec::new();
        Reader::new(text).read_to_end(&mut bytes)?;
        Ok(bytes)
    }

    #[test]
    fn every_length_survives() {
        for length in (0..200).chain([4096, 10_000]) {
            let bytes: Vec<u8> = (0..length).map(|i| (i % 251) as u8).collect();
            let text = armor(&bytes, 1000);
            assert_eq!(text, armor(&bytes, 7));
            assert_eq!(read(&text).unwrap(), bytes);
            let crlf = String::from_utf8(text).unwrap().replace('\n', "\r\n");
            assert_eq!(read(crlf.as_bytes()).unwrap(), bytes);
        }
    }

    #[test]
    fn damage_is_an_error() {
        let text = String::from_utf8(armor(&[7; 100], 100)).unwrap();
        for bad in [
            String::new(),
            "hello\n".into(),
            text.replace(END, ""),
            text.replacen("BwcH", "Bw H", 1),
            text.replacen("BwcH", "BwcH=", 1),
            text.clone() + "more\n",
            text.replacen("\nBwcHB", "\n\nBwcHB", 1),
        ] {
            assert!(read(bad.as_bytes()).is_err(), "{bad}");
        }
    }
}
