//! Packets, [RFC9580](super) §4: a tag, a length in one of seven forms, a body.

use std::io::{self, Read};

use crate::error::Error;
use crate::output::read_some;

/// The tags of packets, [RFC9580](super) §5.
pub(super) mod tag {
    /// Session key for a public key.
    pub(in super::super) const RECIPIENT: u8 = 1;
    pub(in super::super) const SIGNATURE: u8 = 2;
    /// Session key for a passphrase.
    pub(in super::super) const PASSPHRASE: u8 = 3;
    pub(in super::super) const ONE_PASS_SIGNATURE: u8 = 4;
    pub(in super::super) const COMPRESSED: u8 = 8;
    /// Encrypted data without authentication.
    pub(in super::super) const ENCRYPTED: u8 = 9;
    pub(in super::super) const MARKER: u8 = 10;
    pub(in super::super) const LITERAL: u8 = 11;
    /// Encrypted data with a modification detection code, or, in version 2, with an AEAD.
    pub(in super::super) const PROTECTED: u8 = 18;
    /// GnuPG's encrypted data with an AEAD.
    pub(in super::super) const AEAD: u8 = 20;
    pub(in super::super) const PADDING: u8 = 21;
}

/// The longest body of a packet that is kept in memory: keys of 16384 bits need less.
const SMALL: u64 = 1 << 16;

/// The length of a body.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Length {
    Known(u64),
    /// So many bytes, and then another length.
    Partial(u64),
    /// Up to the end.
    Rest,
}

/// The beginning of a packet.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Head {
    pub(super) tag: u8,
    pub(super) length: Length,
}

fn number(reader: &mut dyn Read, bytes: usize) -> Result<u64, Error> {
    let mut buffer = [0; 8];
    reader
        .read_exact(&mut buffer[8 - bytes..])
        .map_err(Error::reading("header of a packet"))?;
    Ok(u64::from_be_bytes(buffer))
}

/// A length in the new form, [RFC9580](super) §4.2.1.
fn new_length(reader: &mut dyn Read) -> Result<Length, Error> {
    let first = number(reader, 1)?;
    Ok(match first {
        0..192 => Length::Known(first),
        192..224 => Length::Known((first - 192 << 8) + number(reader, 1)? + 192),
        224..255 => Length::Partial(1 << (first & 31)),
        _ => Length::Known(number(reader, 4)?),
    })
}

impl Head {
    /// The next packet, or `None` at the end.
    pub(super) fn read(reader: &mut dyn Read) -> Result<Option<Self>, Error> {
        let mut first = [0];
        if read_some(reader, &mut first)? == 0 {
            return Ok(None);
        }
        let [first] = first;
        if first & 0x80 == 0 {
            return Err(Error::malformed("OpenPGP: a byte that begins no packet"));
        }
        if first & 0x40 != 0 {
            return Ok(Some(Self {
                tag: first & 63,
                length: new_length(reader)?,
            }));
        }
        // The old form, §4.2.2.
        let length = match first & 3 {
            3 => Length::Rest,
            kind => Length::Known(number(reader, 1 << kind)?),
        };
        Ok(Some(Self {
            tag: first >> 2 & 15,
            length,
        }))
    }
}

/// A reader of a packet's body.
pub(super) struct Body<'a> {
    reader: &'a mut dyn Read,
    length: Length,
}

impl<'a> Body<'a> {
    pub(super) fn new(reader: &'a mut dyn Read, length: Length) -> Self {
        Self { reader, length }
    }

    /// The whole body of a packet that is never long.
    pub(super) fn small(self) -> Result<Vec<u8>, Error> {
        let mut bytes = Vec::new();
        self.take(SMALL + 1).read_to_end(&mut bytes)?;
        if bytes.len() as u64 > SMALL {
            return Err(Error::malformed("OpenPGP: a packet that is too long"));
        }
        Ok(bytes)
    }
}

impl Read for Body<'_> {
    fn read(&mut self, output: &mut [u8]) -> io::Result<usize> {
        if output.is_empty() {
            return Ok(0);
        }
        let left = loop {
            match self.length {
                Length::Rest => return self.reader.read(output),
                Length::Known(0) => return Ok(0),
                Length::Partial(0) => self.length = new_length(self.reader)?,
                Length::Known(left) | Length::Partial(left) => break left,
            }
        };
        let most = usize::try_from(left)
            .unwrap_or(usize::MAX)
            .min(output.len());
        let length = read_some(self.reader, &mut output[..most])?;
        if length == 0 {
            return Err(Error::Truncated { part: "packet" }.into());
        }
        let left = left - length as u64;
        self.length = match self.length {
            Length::Partial(_) => Length::Partial(left),
            _ => Length::Known(left),
        };
        Ok(length)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_forms_of_length() {
        let head = |bytes: &[u8]| {
            Head::read(&mut &*bytes)
                .ok()
                .flatten()
                .map(|h| (h.tag, h.length))
        };
        assert_eq!(head(&[0x8c, 13]), Some((3, Length::Known(13))));
        assert_eq!(head(&[0x8d, 1, 0]), Some((3, Length::Known(256))));
        assert_eq!(head(&[0x8e, 0, 1, 0, 0]), Some((3, Length::Known(65536))));
        assert_eq!(head(&[0xa3]), Some((8, Length::Rest)));
        assert_eq!(head(&[0xd2, 191]), Some((18, Length::Known(191))));
        // RFC 9580 §4.2.1.5.
        assert_eq!(head(&[0xd2, 0xc5, 0xfb]), Some((18, Length::Known(1723))));
        assert_eq!(
            head(&[0xd2, 0xff, 0, 1, 0x86, 0xa0]),
            Some((18, Length::Known(100_000)))
        );
        assert_eq!(head(&[0xd2, 0xef]), Some((18, Length::Partial(32768))));
        assert_eq!(head(&[0x41]), None);
        assert_eq!(head(&[0xd2]), None);
        assert_eq!(head(&[]), None);
    }

    #[test]
    fn partial_bodies() {
        let bytes = [0xe1, 1, 2, 0xe0, 3, 2, 4, 5, 9];
        let mut rest = &bytes[..];
        let length = new_length(&mut rest).expect("a length");
        let mut all = Vec::new();
        Body::new(&mut rest, length)
            .read_to_end(&mut all)
            .expect("whole");
        assert_eq!(all, [1, 2, 3, 4, 5]);
        assert_eq!(rest, [9]);
        let mut cut = &bytes[1..7];
        let error = Body::new(&mut cut, length)
            .read_to_end(&mut all)
            .expect_err("cut");
        assert!(matches!(Error::from(error), Error::Truncated { .. }));
    }
}
