//! age, version 1, [AGE]: a text header with a stanza for each recipient, a MAC of the header,
//! and chunks of 64 KiB with ChaCha20-Poly1305. Each chunk is verified before it is written.
//!
//! | file | content |
//! |---|---|
//! | `header` | the text before the data, and its MAC |
//! | `stanza` | how each kind of recipient wraps the file's key |
//! | `hpke` | the key schedule of hybrid recipients |
//! | `stream` | the chunks |
//! | `armor` | the form in base64 |
//! | `seal` | writing |
//!
//! - [AGE] The age file encryption format, C2SP, version 1
//!
//! [AGE]: https://c2sp.org/age

mod armor;
mod header;
mod hpke;
mod seal;
mod stanza;
mod stream;

pub use seal::{AgeOptions, seal_age};

use std::io::{BufRead, BufReader, Read, Seek, SeekFrom};

use crate::error::Error;
use crate::format::Format;
use crate::output::{Entry, Output, Sink};
use crate::report::{Report, Summary};
use crate::secrets::Secrets;
use crate::settings::Settings;

use header::{Header, INTRO};

/// Whether a file begins as an age file, binary or armored.
pub(crate) fn identify(prefix: &[u8]) -> bool {
    prefix.starts_with(INTRO) || is_armored(prefix)
}

fn is_armored(prefix: &[u8]) -> bool {
    prefix
        .trim_ascii_start()
        .starts_with(armor::BEGIN.as_bytes())
}

/// The file without its armor, and whether it has one.
fn bare<R: Read + Seek>(input: &mut R) -> Result<(Box<dyn BufRead + '_>, bool), Error> {
    input.seek(SeekFrom::Start(0))?;
    let mut buffered = BufReader::new(input);
    let armored = is_armored(buffered.fill_buf()?);
    let reader: Box<dyn BufRead> = if armored {
        Box::new(BufReader::new(armor::Reader::new(buffered)))
    } else {
        Box::new(buffered)
    };
    Ok((reader, armored))
}

pub(crate) fn inspect<R: Read + Seek>(
    input: &mut R,
    settings: &Settings,
) -> Result<Summary, Error> {
    let (mut reader, armored) = bare(input)?;
    let header = Header::read(&mut *reader, settings.limits.header)?;
    let mut summary = Summary::new(Format::Age);
    summary.fact("cipher", "chacha20-poly1305, chunks of 64 KiB");
    summary.fact("form", if armored { "armored" } else { "binary" });
    for stanza in &header.stanzas {
        summary.fact("recipient", stanza.describe());
    }
    Ok(summary)
}

pub(crate) fn open<R: Read + Seek>(
    input: &mut R,
    output: &mut dyn Output,
    secrets: &Secrets,
    settings: &Settings,
) -> Result<Report, Error> {
    let (mut reader, _) = bare(input)?;
    let header = Header::read(&mut *reader, settings.limits.header)?;
    let (key, which) = stanza::unwrap(&header.stanzas, secrets, &settings.limits)?;
    header.verify(&key)?;
    let mut report = Report::new(Format::Age);
    report.cipher = "chacha20-poly1305".to_owned();
    report.kdf = which;
    let mut sink = Sink::new(output, &settings.limits);
    sink.begin(&Entry::stream())?;
    stream::decrypt(&mut *reader, &key, &mut sink)?;
    sink.end()?;
    report.written = sink.into_written();
    Ok(report)
}
