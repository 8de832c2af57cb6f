//! The formats, and how the first bytes of a file tell them apart.

use std::fmt;

/// A format that this crate opens.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Format {
    /// W. Ehrhardt's FCA, with AES-128.
    Fca,
    /// W. Ehrhardt's FCA256, with AES-256.
    Fca256,
    /// W. Ehrhardt's FZCA: zlib, then FCA.
    Fzca,
    /// G. Tani's archive PEA, of PeaZip.
    Pea,
    /// age, version 1, binary or armored.
    Age,
    /// The output of `openssl enc` with a salt, binary or base64.
    OpensslEnc,
    /// ZIP with entries encrypted by WinZip's AES or by PKWARE's traditional cipher.
    Zip,
    /// OpenPGP messages that a passphrase opens, as of `gpg -c`, binary or armored.
    OpenPgp,
}

/// A row of the table of formats.
#[derive(Debug, Clone, Copy)]
pub struct Row {
    /// The format.
    pub format: Format,
    /// The short name, as users type it.
    pub name: &'static str,
    /// The name with its origin, for people.
    pub title: &'static str,
    /// Whether this crate also writes the format.
    pub written: bool,
    /// Whether the format can authenticate its data.
    pub authenticated: bool,
}

/// All formats.
pub const FORMATS: &[Row] = &[
    row(Format::Fca, "fca", "FCA (W. Ehrhardt, AES-128)", true, true),
    row(
        Format::Fca256,
        "fca256",
        "FCA256 (W. Ehrhardt, AES-256)",
        true,
        true,
    ),
    row(
        Format::Fzca,
        "fzca",
        "FZCA (W. Ehrhardt, zlib and AES-128)",
        true,
        true,
    ),
    row(Format::Pea, "pea", "PEA (PeaZip)", false, true),
    row(Format::Age, "age", "age, version 1", true, true),
    row(Format::OpensslEnc, "openssl", "openssl enc", false, false),
    row(
        Format::Zip,
        "zip",
        "ZIP with WinZip AES or traditional encryption",
        false,
        true,
    ),
    row(
        Format::OpenPgp,
        "openpgp",
        "OpenPGP with a passphrase (gpg -c)",
        false,
        true,
    ),
];

const fn row(
    format: Format,
    name: &'static str,
    title: &'static str,
    written: bool,
    authenticated: bool,
) -> Row {
    Row {
        format,
        name,
        title,
        written,
        authenticated,
    }
}

impl Format {
    /// The row of the table.
    pub fn row(self) -> &'static Row {
        // Every format has a row; a test checks it.
        FORMATS
            .iter()
            .find(|row| row.format == self)
            .unwrap_or(&FORMATS[0])
    }

    /// The short name, as users type it.
    pub fn name(self) -> &'static str {
        self.row().name
    }

    /// The format with this short name.
    pub fn from_name(name: &str) -> Option<Self> {
        let row = FORMATS
            .iter()
            .find(|row| row.name.eq_ignore_ascii_case(name))?;
        Some(row.format)
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.row().title)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_format_has_its_row() {
        for row in FORMATS {
            assert_eq!(row.format.row().name, row.name);
            assert_eq!(Format::from_name(row.name), Some(row.format));
        }
        assert_eq!(FORMATS.len(), 8);
        assert_eq!(Format::from_name("rar"), None);
    }
}
