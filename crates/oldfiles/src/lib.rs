//! Opens encrypted files of older and of other programs, and writes some of them:
//!
//! | format | read | written | authenticated |
//! |---|---|---|---|
//! | FCA, FCA256, FZCA (W. Ehrhardt) | yes | yes | yes |
//! | PEA (PeaZip) | yes | no | with a passphrase |
//! | age, version 1 | yes | yes | yes |
//! | `openssl enc` | yes | no | no |
//! | ZIP with WinZip's AES, traditional ZIP encryption | yes | no | AES alone |
//! | OpenPGP with a passphrase (`gpg -c`) | yes | no | but old messages |
//!
//! [`FORMATS`] is this table for programs. `docs/old-files.md` has the details of each format.
//!
//! ```
//! use oldfiles::{Memory, Secrets, Settings};
//!
//! # let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/files/fca/");
//! # let path = format!("{folder}fca128-eax-a44.txt.fca");
//! let mut file = std::fs::File::open(path)?;
//! let format = oldfiles::identify_file(&mut file)?.expect("a format of this crate");
//! let (mut output, secrets) = (Memory::default(), Secrets::passphrase("test1234"));
//! let report = oldfiles::open(format, &mut file, &mut output, &secrets, &Settings::default())?;
//! assert_eq!(report.cipher, "aes-128-eax");
//! assert_eq!(output.entries[0].1, b"The quick brown fox jumps over the lazy dog.");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Rules of all formats
//!
//! - **Nothing unverified is written.** A first pass checks all of the data, a second one writes
//!   it and checks it again. age and PEA's twin passes aside, the file is never kept in memory.
//!   age verifies each chunk before it writes the chunk, so a file that is cut off may give its
//!   intact beginning before the error.
//! - Data that nothing authenticates is written only if the caller has accepted that.
//! - A wrong passphrase is told apart from damage as far as the format allows.
//! - [`Limits`] caps what a file may ask for: plaintext, iterations, memory, entries, headers.
//! - Names of files in archives never leave the folder of the extraction.
//! - Ciphers, hash functions, MACs and key derivation are those of the library `touchstone`.
#![forbid(unsafe_code)]

mod age;
mod base64;
mod code_pages;
mod derive;
mod encoding;
mod error;
mod fca;
mod format;
mod identity;
mod inflate;
pub mod keys;
mod layer;
mod name;
mod openpgp;
mod openssl;
mod output;
mod pea;
mod report;
mod secrets;
mod settings;
mod zip;

pub use age::{AgeOptions, seal_age};
pub use encoding::Encoding;
pub use error::Error;
pub use fca::{FcaMode, FcaOptions, seal_fca};
pub use format::{FORMATS, Format, Row};
pub use identity::{Identity, Recipient};
pub use output::{Entry, Kind, Memory, Nowhere, Output};
pub use pea::PeaVolumes;
pub use report::{Authentication, Report, Summary, Warning, Written};
pub use secrets::{Passphrase, Secrets};
pub use settings::{Derivation, FcaCipher, Limits, Parameters, Salt, Settings};

use std::io::{Read, Seek, SeekFrom};

/// Bytes from the start of a file that [`identify`] wants to see. With fewer it may miss a format.
pub const PREFIX: usize = 4096;

/// Names the format of a file that begins with these bytes, preferably [`PREFIX`] of them.
///
/// Not found are `openssl enc` files without a salt, which are nothing but random bytes, OpenPGP
/// messages of the oldest kind, and archives behind a program that extracts them, which
/// [`identify_file`] finds. [`open`] opens them if the caller knows the format.
pub fn identify(prefix: &[u8]) -> Option<Format> {
    fca::identify(prefix)
        .or_else(|| pea::identify(prefix).then_some(Format::Pea))
        .or_else(|| age::identify(prefix).then_some(Format::Age))
        .or_else(|| openssl::identify(prefix).then_some(Format::OpensslEnc))
        .or_else(|| zip::identify(prefix).then_some(Format::Zip))
        .or_else(|| openpgp::identify(prefix).then_some(Format::OpenPgp))
}

/// Names the format of a file, also of a ZIP archive that begins as a program. Leaves the file at
/// its start.
///
/// # Errors
///
/// [`Error::Read`].
pub fn identify_file<R: Read + Seek>(input: &mut R) -> Result<Option<Format>, Error> {
    input.seek(SeekFrom::Start(0))?;
    let mut prefix = vec![0; PREFIX];
    let length = output::read_full(input, &mut prefix)?;
    let mut format = identify(&prefix[..length]);
    if format.is_none() && zip::ends_as_zip(input)? {
        format = Some(Format::Zip);
    }
    input.seek(SeekFrom::Start(0))?;
    Ok(format)
}

/// Tells what a file says without any secret.
///
/// # Errors
///
/// [`Error::OtherFormat`], and the errors of a file that is malformed or cut off.
pub fn inspect<R: Read + Seek>(
    format: Format,
    input: &mut R,
    settings: &Settings,
) -> Result<Summary, Error> {
    match format {
        Format::Fca | Format::Fca256 | Format::Fzca => fca::inspect(input),
        Format::Pea => pea::inspect(input),
        Format::Age => age::inspect(input, settings),
        Format::OpensslEnc => openssl::inspect(input),
        Format::Zip => zip::inspect(input, settings),
        Format::OpenPgp => openpgp::inspect(input),
    }
}

/// Decrypts a file. The output receives plaintext only after it is verified; if this function
/// returns an error, the caller should still discard what the output has received, because it is
/// incomplete.
///
/// # Errors
///
/// See [`Error`]. An error of the caller's output is [`Error::Write`].
pub fn open<R: Read + Seek>(
    format: Format,
    input: &mut R,
    output: &mut dyn Output,
    secrets: &Secrets,
    settings: &Settings,
) -> Result<Report, Error> {
    match format {
        Format::Fca | Format::Fca256 | Format::Fzca => fca::open(input, output, secrets, settings),
        Format::Pea => pea::open(input, output, secrets, settings),
        Format::Age => age::open(input, output, secrets, settings),
        Format::OpensslEnc => openssl::open(input, output, secrets, settings),
        Format::Zip => zip::open(input, output, secrets, settings),
        Format::OpenPgp => openpgp::open(input, output, secrets, settings),
    }
}
