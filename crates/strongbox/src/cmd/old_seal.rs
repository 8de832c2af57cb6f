//! `strongbox seal --format`: files for other programs.

use std::fs::File;
use std::io::{self, Read, Write};
use std::path::Path;

use oldfiles::{AgeOptions, Encoding, FcaCipher, FcaMode, FcaOptions, Format};
use strongbox::{Recipient, text};
use zeroize::Zeroizing;

use super::Common;
use super::files::Input;
use super::old_open::{encoded, old_phrase};
use super::progress::Counted;
use super::report::Failure;

/// The cipher of an FCA file: W. Ehrhardt's programs, and their twins.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub(super) enum OldCipher {
    /// FCA, FCA256, FZCA.
    Aes,
    /// The twins with Twofish.
    Twofish,
    /// The twins with Serpent.
    Serpent,
}

/// The formats that `seal` writes beside its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub(super) enum OldFormat {
    /// age, version 1.
    Age,
    /// W. Ehrhardt's FCA (AES-128, EAX).
    Fca,
    /// W. Ehrhardt's FCA256 (AES-256, EAX).
    Fca256,
    /// W. Ehrhardt's FZCA (zlib, AES-128, EAX).
    Fzca,
    /// FCA with CTR and HMAC.
    FcaHmac,
    /// FCA256 with CTR and HMAC.
    Fca256Hmac,
    /// FZCA with CTR and HMAC.
    FzcaHmac,
}

impl OldFormat {
    /// The usual extension.
    pub(super) fn extension(self) -> &'static str {
        match self {
            Self::Age => ".age",
            _ => ".fca",
        }
    }

    fn fca(self) -> Option<(Format, FcaMode)> {
        Some(match self {
            Self::Age => return None,
            Self::Fca => (Format::Fca, FcaMode::Eax),
            Self::Fca256 => (Format::Fca256, FcaMode::Eax),
            Self::Fzca => (Format::Fzca, FcaMode::Eax),
            Self::FcaHmac => (Format::Fca, FcaMode::Hmac),
            Self::Fca256Hmac => (Format::Fca256, FcaMode::Hmac),
            Self::FzcaHmac => (Format::Fzca, FcaMode::Hmac),
        })
    }
}

/// How a file of another program is made.
pub(super) struct Made {
    pub(super) format: OldFormat,
    pub(super) cipher: Option<OldCipher>,
    /// The encoding of the passphrase, which is that of the terminal if there is none.
    pub(super) encoding: Option<Encoding>,
    pub(super) armored: bool,
}

/// Seals a file or a stream in another format, for recipients and keys that only the format has.
pub(super) fn run(
    made: &Made,
    path: &Path,
    input: Input,
    output: &File,
    (recipients, others): (&[Recipient], &[String]),
    common: &Common,
) -> Result<(), Failure> {
    let phrases: Vec<_> = recipients
        .iter()
        .filter_map(|recipient| match recipient {
            Recipient::Passphrase(phrase, None, _) => Some(phrase),
            _ => None,
        })
        .collect();
    let mut keys: Vec<String> = recipients.iter().filter_map(text::recipient).collect();
    if phrases.len() + keys.len() != recipients.len() {
        return Err(Failure::usage("other formats have no keyfiles"));
    }
    keys.extend_from_slice(others);
    let at = |error| Failure::old(path, error, None);
    let progress = super::open::progress(&input, common);
    let inner: Box<dyn Read> = match input {
        Input::File(file, _) => Box::new(file),
        Input::Stream(stream) => stream,
    };
    let mut input = Counted {
        inner,
        progress: &progress,
    };
    let mut writer = io::BufWriter::with_capacity(1 << 16, output);
    match (made.format.fca(), &phrases[..]) {
        (Some((format, mode)), [phrase]) if keys.is_empty() && !made.armored => {
            let cipher = match made.cipher {
                None | Some(OldCipher::Aes) => FcaCipher::Aes,
                Some(OldCipher::Twofish) => FcaCipher::Twofish,
                Some(OldCipher::Serpent) => FcaCipher::Serpent,
            };
            let options = FcaOptions {
                format,
                mode,
                cipher,
            };
            let bytes = match made.encoding {
                None => Zeroizing::new(phrase.bytes().to_vec()),
                Some(encoding) => encoded(&old_phrase(phrase), encoding)?,
            };
            oldfiles::seal_fca(&mut input, &mut writer, &bytes, &options).map_err(at)?;
        }
        (Some(_), _) => {
            return Err(Failure::usage(
                "an FCA file is for one passphrase, and never text",
            ));
        }
        (None, _) if made.cipher.is_some() || made.encoding.is_some() => {
            let text = "--cipher and --passphrase-encoding are for the formats of FCA";
            return Err(Failure::usage(text));
        }
        (None, phrases) => {
            let keys = keys.iter().map(|key| oldfiles::Recipient::parse(key));
            let options = AgeOptions {
                recipients: keys.collect::<Result<_, _>>().map_err(at)?,
                passphrase: phrases.first().map(|phrase| old_phrase(phrase)),
                armored: made.armored,
                ..AgeOptions::default()
            };
            oldfiles::seal_age(&mut input, &mut writer, &options).map_err(at)?;
        }
    }
    writer.flush()?;
    Ok(())
}
