//! Archives in several volumes: `name.000001.pea`, `name.000002.pea`, … Each volume ends with a check
//! of its own bytes, and what is before the checks is the archive.

use std::io::{self, Read, Seek, SeekFrom};

use super::Header;
use super::algorithm::{Check, Checked};
use crate::error::Error;
use crate::output::{PIECE, read_some};

/// The volumes of a PEA archive, read as one archive in one volume.
#[derive(Debug)]
pub struct PeaVolumes<R> {
    parts: Vec<Part<R>>,
    place: u64,
    length: u64,
}

/// A volume: its place in the archive, and its length without its check. The last one keeps its
/// check, as an archive in one volume does.
#[derive(Debug)]
struct Part<R> {
    input: R,
    start: u64,
    length: u64,
}

impl<R: Read + Seek> PeaVolumes<R> {
    /// Puts volumes together, in this order, and verifies the check of each.
    ///
    /// # Errors
    ///
    /// [`Error::Malformed`] with the number of a volume that is damaged, [`Error::Truncated`], and
    /// the errors of the first volume's header.
    pub fn new(inputs: Vec<R>) -> Result<Self, Error> {
        let mut this = Self {
            parts: Vec::with_capacity(inputs.len()),
            place: 0,
            length: 0,
        };
        let count = inputs.len();
        let mut check = Check::None;
        for (number, mut input) in (1..).zip(inputs) {
            if number == 1 {
                check = Check::find(Header::read(&mut input)?.bytes[3])?;
            }
            let own = check.length() as u64;
            let whole = input.seek(SeekFrom::End(0))?;
            let length = whole
                .checked_sub(own)
                .ok_or(Error::Truncated { part: "volume" })?;
            if !is_genuine(&mut input, check, length)? {
                return Err(Error::malformed(format!(
                    "volume {number} is damaged or none of this archive: its check differs"
                )));
            }
            let last = number == count;
            let part = Part {
                input,
                start: this.length,
                length: if last { whole } else { length },
            };
            this.length += part.length;
            this.parts.push(part);
        }
        Ok(this)
    }
}

/// Verifies the check behind the first `length` bytes of a volume.
fn is_genuine<R: Read + Seek>(input: &mut R, check: Check, length: u64) -> Result<bool, Error> {
    let mut sum = Checked::make(Some(check), &[])?;
    input.seek(SeekFrom::Start(0))?;
    let mut piece = vec![0; PIECE];
    let mut left = length;
    while left > 0 {
        let most = usize::try_from(left).unwrap_or(PIECE).min(PIECE);
        let read = read_some(&mut *input, &mut piece[..most])?;
        if read == 0 {
            return Err(Error::Changed);
        }
        sum.apply(&mut piece[..read])?;
        left -= read as u64;
    }
    let mut tag = vec![0; check.length()];
    input
        .read_exact(&mut tag)
        .map_err(Error::reading("volume"))?;
    sum.verify(&tag)
}

impl<R: Read + Seek> Read for PeaVolumes<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let place = self.place;
        let after = |part: &&mut Part<R>| place < part.start + part.length;
        let Some(part) = self.parts.iter_mut().find(after) else {
            return Ok(0);
        };
        let offset = place - part.start;
        part.input.seek(SeekFrom::Start(offset))?;
        let most = part.length - offset;
        let read = (&mut part.input).take(most).read(buffer)?;
        self.place += read as u64;
        Ok(read)
    }
}

impl<R: Read + Seek> Seek for PeaVolumes<R> {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        let place = match to {
            SeekFrom::Start(place) => Some(place),
            SeekFrom::End(by) => self.length.checked_add_signed(by),
            SeekFrom::Current(by) => self.place.checked_add_signed(by),
        };
        self.place = place.ok_or(io::ErrorKind::InvalidInput)?;
        Ok(self.place)
    }
}
