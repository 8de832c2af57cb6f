//! What is inside the encryption: compressed data, [RFC9580](super) §5.6, and literal data, §5.9.

use std::io::Read;

use super::packet::{Body, Head, tag};
use crate::error::Error;
use crate::inflate::Compression;
use crate::name::file_name;
use crate::output::{Entry, Sink, drain};

/// Compressed data in compressed data: two are legal, more are an attack.
const DEEPEST: usize = 4;

fn malformed(what: &str) -> Error {
    Error::malformed(format!("OpenPGP: {what}"))
}

/// Writes the literal data of a message, and returns whether the message is signed.
pub(super) fn write(reader: &mut dyn Read, sink: &mut Sink<'_>) -> Result<bool, Error> {
    let mut state = State {
        found: false,
        signed: false,
    };
    state.packets(reader, 0, sink)?;
    if state.found {
        Ok(state.signed)
    } else {
        Err(malformed("the message contains no data"))
    }
}

struct State {
    found: bool,
    signed: bool,
}

impl State {
    fn packets(
        &mut self,
        reader: &mut dyn Read,
        depth: usize,
        sink: &mut Sink<'_>,
    ) -> Result<(), Error> {
        while let Some(head) = Head::read(reader)? {
            let mut body = Body::new(reader, head.length);
            match head.tag {
                tag::LITERAL if self.found => {
                    return Err(malformed("the message contains two files"));
                }
                tag::LITERAL => self.literal(&mut body, sink)?,
                tag::COMPRESSED => {
                    if depth == DEEPEST {
                        return Err(Error::Limit {
                            what: "compressed data in compressed data",
                            asked: None,
                            limit: DEEPEST as u64,
                        });
                    }
                    let mut inner = inflating(&mut body)?;
                    self.packets(&mut *inner, depth + 1, sink)?;
                }
                tag::SIGNATURE | tag::ONE_PASS_SIGNATURE => self.signed = true,
                tag::MARKER | tag::PADDING | 60..=63 => {}
                other => {
                    return Err(malformed(&format!("packet {other} inside the message")));
                }
            }
            drain(&mut body)?;
        }
        Ok(())
    }

    fn literal(&mut self, body: &mut Body<'_>, sink: &mut Sink<'_>) -> Result<(), Error> {
        self.found = true;
        let cut = || Error::reading("header of the data");
        let mut head = [0; 2];
        body.read_exact(&mut head).map_err(cut())?;
        // The first byte tells binary from text, whose lines end with CR LF. Both are written as
        // they are.
        let mut name = vec![0; usize::from(head[1])];
        body.read_exact(&mut name).map_err(cut())?;
        let mut date = [0; 4];
        body.read_exact(&mut date).map_err(cut())?;
        let date = i64::from(u32::from_be_bytes(date));
        let entry = Entry {
            name: std::str::from_utf8(&name).ok().and_then(file_name),
            modified: Some(date).filter(|date| *date != 0),
            ..Entry::stream()
        };
        sink.whole(&entry, body)?;
        Ok(())
    }
}

fn inflating<'a>(body: &'a mut Body<'_>) -> Result<Box<dyn Read + 'a>, Error> {
    let mut number = [0];
    body.read_exact(&mut number)
        .map_err(Error::reading("compressed data"))?;
    let compression = match number[0] {
        0 => Compression::Stored,
        1 => Compression::Deflate,
        2 => Compression::Zlib,
        3 => Compression::Bzip2,
        other => {
            return Err(Error::unsupported(format!(
                "the compression with OpenPGP's number {other}"
            )));
        }
    };
    Ok(compression.reader(Box::new(body)))
}
