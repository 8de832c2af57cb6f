//! The armor of age files, [AGE](super) "ASCII armor": strict PEM without headers.

use std::io::{self, BufRead, Read, Write};

use base64ct::{Base64, Encoding};

use crate::error::Error;

pub(super) const BEGIN: &str = "-----BEGIN AGE ENCRYPTED FILE-----";
const END: &str = "-----END AGE ENCRYPTED FILE-----";
const COLUMNS: usize = 64;
const LINE_BYTES: usize = 48;
/// Bytes of white space before and after the armor that are skipped.
const MOST_SPACE: usize = 1024;

fn malformed(what: &str) -> Error {
    Error::malformed(format!("armor: {what}"))
}

enum State {
    Before,
    Inside,
    /// After a line that must be the last one.
    ShortLine,
    After,
}

/// Reads what the armor contains.
pub(super) struct Reader<R> {
    input: R,
    state: State,
    bytes: Vec<u8>,
    used: usize,
}

impl<R: BufRead> Reader<R> {
    pub(super) fn new(input: R) -> Self {
        Self {
            input,
            state: State::Before,
            bytes: Vec::new(),
            used: 0,
        }
    }

    /// The next line without its end, which may be LF or CR LF.
    fn line(&mut self) -> Result<Vec<u8>, Error> {
        let mut line = Vec::new();
        let mut limited = (&mut self.input).take(MOST_SPACE as u64 + 2);
        limited.read_until(b'\n', &mut line)?;
        if line.is_empty() {
            return Err(malformed("it ends without its last line"));
        }
        if line.last() == Some(&b'\n') {
            line.pop();
            if line.last() == Some(&b'\r') {
                line.pop();
            }
        }
        Ok(line)
    }

    /// Reads the next line of base64; leaves `bytes` empty at the end.
    fn refill(&mut self) -> Result<(), Error> {
        self.bytes.clear();
        self.used = 0;
        if matches!(self.state, State::Before) {
            let mut space = 0;
            let first = loop {
                let line = self.line()?;
                if !line.trim_ascii().is_empty() {
                    break line;
                }
                space += line.len() + 1;
                if space > MOST_SPACE {
                    return Err(malformed("too much white space before it"));
                }
            };
            if first != BEGIN.as_bytes() {
                return Err(malformed("a wrong first line"));
            }
            self.state = State::Inside;
        }
        if matches!(self.state, State::After) {
            return Ok(());
        }
        let line = self.line()?;
        if line == END.as_bytes() {
            return self.finish();
        }
        if matches!(self.state, State::ShortLine) {
            return Err(malformed("a short line that is not the last one"));
        }
        if line.is_empty() || line.len() > COLUMNS {
            return Err(malformed("a line of a wrong length"));
        }
        let text = std::str::from_utf8(&line).map_err(|_| malformed("wrong base64"))?;
        self.bytes = Base64::decode_vec(text).map_err(|_| malformed("wrong base64"))?;
        if self.bytes.len() < LINE_BYTES {
            self.state = State::ShortLine;
        }
        Ok(())
    }

    fn finish(&mut self) -> Result<(), Error> {
        self.state = State::After;
        let mut rest = Vec::new();
        (&mut self.input)
            .take(MOST_SPACE as u64)
            .read_to_end(&mut rest)?;
        if !rest.trim_ascii().is_empty() {
            return Err(malformed("bytes follow its end"));
        }
        if rest.len() == MOST_SPACE {
            return Err(malformed("too much white space after it"));
        }
        Ok(())
    }
}

impl<R: BufRead> Read for Reader<R> {
    fn read(&mut self, output: &mut [u8]) -> io::Result<usize> {
        while self.used == self.bytes.len() {
            self.refill()?;
            if self.bytes.is_empty() {
                return Ok(0);
            }
        }
        let length = output.len().min(self.bytes.len() - self.used);
        output[..length].copy_from_slice(&self.bytes[self.used..self.used + length]);
        self.used += length;
        Ok(length)
    }
}

/// Writes bytes in armor.
pub(super) struct Writer<'a> {
    output: &'a mut dyn Write,
    /// Bytes of the line that is not full yet.
    line: Vec<u8>,
}

impl<'a> Writer<'a> {
    pub(super) fn new(output: &'a mut dyn Write) -> io::Result<Self> {
        writeln!(output, "{BEGIN}")?;
        Ok(Self {
            output,
            line: Vec::with_capacity(LINE_BYTES),
        })
    }

    pub(super) fn finish(self) -> io::Result<()> {
        if !self.line.is_empty() {
            writeln!(self.output, "{}", Base64::encode_string(&self.line))?;
        }
        writeln!(self.output, "{END}")
    }
}

impl Write for Writer<'_> {
    fn write(&mut self, mut bytes: &[u8]) -> io::Result<usize> {
        let length = bytes.len();
        while !bytes.is_empty() {
            let taken = bytes.len().min(LINE_BYTES - self.line.len());
            let (now, rest) = bytes.split_at(taken);
            self.line.extend(now);
            bytes = rest;
            if self.line.len() == LINE_BYTES {
                writeln!(self.output, "{}", Base64::encode_string(&self.line))?;
                self.line.clear();
            }
        }
        Ok(length)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.output.flush()
    }
}
