//! `strongbox seal`.

use std::io::{self, Write};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use oldfiles::Encoding;
use serde_json::json;
use strongbox::{Error, Metadata, SealOptions, SigningKey, Source, Suite, System, armor};

use super::Common;
use super::files::{self, Input};
use super::old;
use super::old_seal::{self, Made, OldCipher, OldFormat};
use super::output::{self, Output};
use super::progress::Progress;
use super::recipients::Recipients;
use super::report::{Done, Failure};
use super::secrets::{self, PassphraseSource};

/// Encrypt a file, a folder or standard input.
///
/// Without a recipient or keyfile, a passphrase is asked for. Without -o, the result is FILE.sbx,
/// and standard output for standard input.
#[derive(clap::Args)]
pub(super) struct Seal {
    /// The file or folder; `-` or nothing is standard input.
    file: Option<PathBuf>,
    /// The file to write; `-` is standard output.
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Replace the file that is written, if it exists.
    #[arg(long, short)]
    force: bool,
    #[command(flatten)]
    recipients: Recipients,
    /// Write a file for another program. Only -r, passphrases and --armor (age) go with it.
    #[arg(long, value_name = "FORMAT", value_enum,
        conflicts_with_all = ["suite", "zstd", "pad", "sign", "room", "parity", "keyfile"])]
    format: Option<OldFormat>,
    /// The cipher of an FCA file. The file does not record the cipher: who opens it has to know.
    #[arg(long, value_name = "NAME", value_enum, requires = "format")]
    cipher: Option<OldCipher>,
    /// The encoding of the passphrase of an FCA file, as its reader will type it: a program for DOS
    /// or Windows takes cp850, cp437 or cp1252.
    #[arg(long, value_name = "NAME", value_parser = old::encoding, requires = "format")]
    passphrase_encoding: Option<Encoding>,
    /// The suite of ciphers.
    #[arg(long, default_value = "aes-256-gcm")]
    suite: String,
    /// Compress by zstd, at a level from 1 to 19. The length of a compressed content tells
    /// something of the content.
    #[arg(long, value_name = "LEVEL", num_args = 0..=1, default_missing_value = "3",
        value_parser = clap::value_parser!(i32).range(1..=19))]
    zstd: Option<i32>,
    /// Pad the content, so that its length tells little: 12 % more at most.
    #[arg(long)]
    pad: bool,
    /// Store neither name nor time nor mode of the file.
    #[arg(long)]
    anonymous: bool,
    /// Sign with the sender's key in this file (`strongbox keygen --sign`).
    #[arg(long, value_name = "FILE")]
    sign: Option<PathBuf>,
    /// Write text, for mail.
    #[arg(long)]
    armor: bool,
    /// Room in the header for more recipients, in bytes: a passphrase takes 112, a key of
    /// keygen 1187.
    #[arg(long, value_name = "BYTES", default_value_t = 128)]
    room: u32,
    /// Write a parity file beside the result, FILE.sbx.parity, from which so many percent of
    /// damage can be repaired.
    #[arg(long, value_name = "PERCENT", num_args = 0..=1, default_missing_value = "10",
        value_parser = clap::value_parser!(u8).range(1..=100))]
    parity: Option<u8>,
}

impl Seal {
    pub(super) fn run(&self, common: &Common) -> Result<Done, Failure> {
        let standard = PathBuf::from("-");
        let path = self.file.as_ref().unwrap_or(&standard);
        let output = self.output_path(path)?;
        let to_terminal = output.is_none() && io::IsTerminal::is_terminal(&io::stdout());
        if to_terminal && !self.armor {
            let text = "the result is no text for a terminal: use -o FILE or --armor";
            return Err(Failure::usage(text));
        }
        if self.parity.is_some() && output.is_none() {
            return Err(Failure::usage("--parity needs a file: use -o FILE"));
        }
        // Before anyone has to type a passphrase.
        let target = match &output {
            Some(path) => Some(Output::create(path, self.force)?),
            None => None,
        };
        if let Some(format) = self.format {
            return self.other(format, path, target, output, common);
        }
        let suite = Suite::by_name(&self.suite)?;
        let sender = self.sender()?;
        let folder = !files::is_standard(path) && path.is_dir();
        let input = if folder {
            None
        } else {
            Some(files::open(path)?)
        };
        let options = SealOptions {
            suite,
            metadata: self.metadata(path, input.as_ref())?,
            zstd: self.zstd,
            padded: self.pad,
            archive: folder,
            room: self.room as usize,
            threads: common.threads(),
            sender,
            recipients: self.recipients.collect(common, "New passphrase")?,
        };
        let skipped = match (&target, self.armor) {
            (Some(target), false) => {
                self.seal(path, input, &mut target.file(), &options, common)?
            }
            (Some(target), true) => {
                self.seal_armored(path, input, target.file(), &options, common)?
            }
            (None, true) => self.seal_armored(path, input, io::stdout(), &options, common)?,
            (None, false) => {
                // Standard output's own buffer looks for line ends.
                let mut out = output::standard()?;
                self.seal(path, input, &mut out, &options, common)?
            }
        };
        let mut text = String::new();
        for path in &skipped {
            text.push_str(&format!(
                "skipped {}: no file, folder or link\n",
                path.display()
            ));
        }
        let bytes = target
            .as_ref()
            .map(|target| target.file().metadata().map(|m| m.len()));
        let bytes = bytes.transpose()?;
        if let Some(target) = target {
            target.finish(None)?;
        }
        if let (Some(percent), Some(output)) = (self.parity, &output) {
            let parity = super::repair::write_parity(output, percent, self.force)?;
            text.push_str(&format!("wrote {}\n", parity.display()));
        }
        Ok(Done {
            json: json!({
                "output": output.as_ref().map(|path| path.display().to_string()),
                "bytes": bytes,
                "suite": suite.name,
                "recipients": options.recipients.len(),
                "skipped": skipped,
            }),
            text,
            answer: false,
            taken: output.is_none(),
        })
    }

    /// Seals in another format.
    fn other(
        &self,
        format: OldFormat,
        path: &Path,
        target: Option<Output>,
        output: Option<PathBuf>,
        common: &Common,
    ) -> Result<Done, Failure> {
        if !files::is_standard(path) && path.is_dir() {
            return Err(Failure::usage(
                "other formats hold one file: a folder needs a strongbox",
            ));
        }
        let input = files::open(path)?;
        let (recipients, others) =
            self.recipients
                .collect_for(Some(format), common, "New passphrase")?;
        let keys = (&recipients[..], &others[..]);
        let made = Made {
            format,
            cipher: self.cipher,
            encoding: self.passphrase_encoding,
            armored: self.armor,
        };
        match &target {
            Some(target) => old_seal::run(&made, path, input, target.file(), keys, common)?,
            None => {
                let out = output::standard()?;
                old_seal::run(&made, path, input, &out, keys, common)?;
            }
        }
        if let Some(target) = target {
            target.finish(None)?;
        }
        Ok(Done {
            text: String::new(),
            json: json!({ "output": output, "recipients": recipients.len() + others.len() }),
            answer: false,
            taken: output.is_none(),
        })
    }

    /// Returns the path of the result; `None` is standard output.
    fn output_path(&self, input: &Path) -> Result<Option<PathBuf>, Failure> {
        match &self.output {
            Some(path) if files::is_standard(path) => Ok(None),
            Some(path) => Ok(Some(path.clone())),
            None if files::is_standard(input) => Ok(None),
            None => {
                // `folder/` and `folder/.` have the name of the folder.
                let clean: PathBuf = input.components().collect();
                if clean.file_name().is_none() {
                    return Err(Failure::usage("the folder has no name: use -o FILE"));
                }
                let extension = self.format.map_or(".sbx", OldFormat::extension);
                Ok(Some(files::with_extension(&clean, extension)))
            }
        }
    }

    fn sender(&self) -> Result<Option<SigningKey>, Failure> {
        let Some(path) = &self.sign else {
            return Ok(None);
        };
        let keys = secrets::read_keys(path, &PassphraseSource::default())?;
        let key = keys.senders.into_iter().next();
        let none = || Error::Key("this file has no key for signatures".into());
        Ok(Some(key.ok_or_else(|| Failure::at(path, none()))?))
    }

    fn metadata(&self, path: &Path, input: Option<&Input>) -> Result<Metadata, Failure> {
        let known = match input {
            Some(Input::File(file, _)) => file.metadata()?,
            Some(Input::Stream(_)) => return Ok(Metadata::default()),
            None => std::fs::metadata(path).map_err(|error| Failure::at(path, error.into()))?,
        };
        if self.anonymous {
            return Ok(Metadata::default());
        }
        let clean: PathBuf = path.components().collect();
        Ok(Metadata {
            name: clean.file_name().map(|name| name.as_bytes().to_vec()),
            modified: Some((
                known.mtime(),
                u32::try_from(known.mtime_nsec()).unwrap_or(0),
            )),
            mode: Some(known.mode() & 0o777),
        })
    }

    fn seal(
        &self,
        path: &Path,
        input: Option<Input>,
        output: &mut dyn Write,
        options: &SealOptions,
        common: &Common,
    ) -> Result<Vec<PathBuf>, Failure> {
        let mut random = System::new()?;
        let total = match &input {
            Some(Input::File(_, length)) => Some(*length),
            _ => None,
        };
        let progress = Progress::new(total, common);
        let mut watch = |bytes| progress.add(bytes);
        let at = |error| Failure::at(path, error);
        match input {
            Some(Input::File(file, length)) => {
                let source = Source::File(&file, length);
                strongbox::seal(source, output, options, &mut random, &mut watch).map_err(at)?;
            }
            Some(Input::Stream(mut stream)) => {
                let source = Source::Stream(&mut stream);
                strongbox::seal(source, output, options, &mut random, &mut watch).map_err(at)?;
            }
            None => {
                let (mut reader, writer) = io::pipe()?;
                return std::thread::scope(|scope| {
                    let packing = || strongbox::archive::pack(path, writer);
                    let packer = std::thread::Builder::new().spawn_scoped(scope, packing)?;
                    let source = Source::Stream(&mut reader);
                    let sealed = strongbox::seal(source, output, options, &mut random, &mut watch);
                    drop(reader);
                    let packed = packer.join().expect("packing does not panic");
                    // A fault of the packer ends the pipe early, so it is the cause.
                    match (packed, sealed) {
                        (Err(error), Ok(())) => Err(at(error)),
                        (_, Err(error)) => Err(at(error)),
                        (Ok(skipped), Ok(())) => Ok(skipped),
                    }
                });
            }
        }
        Ok(Vec::new())
    }

    fn seal_armored(
        &self,
        path: &Path,
        input: Option<Input>,
        output: impl Write,
        options: &SealOptions,
        common: &Common,
    ) -> Result<Vec<PathBuf>, Failure> {
        let mut writer = armor::Writer::new(output);
        let skipped = self.seal(path, input, &mut writer, options, common)?;
        writer.finish()?;
        Ok(skipped)
    }
}
