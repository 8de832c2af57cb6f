//! `strongbox open`.

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

use oldfiles::Format;
use serde_json::{Value, json};
use strongbox::{Error, Needs, OpenOptions, Opened, Unlocked, text};

use super::files::{self, Input};
use super::old::{self, OldOptions, Recognised};
use super::old_open::Opening;
use super::output::{self, Output};
use super::progress::Progress;
use super::report::{Done, Failure};
use super::secrets::{Keys, senders};
use super::{Common, resume};

/// Decrypt a file or standard input.
///
/// Without -o, the result is FILE without `.sbx`, and standard output for standard input. The file
/// appears only when all of it was verified. A folder is unpacked; `-o -` writes its archive.
#[derive(clap::Args)]
pub(super) struct Open {
    /// The file; `-` or nothing is standard input.
    file: Option<PathBuf>,
    /// The file or folder to write; `-` is standard output.
    #[arg(long, short, value_name = "PATH")]
    output: Option<PathBuf>,
    /// Write the file under the name that it had when it was sealed, beside FILE.
    #[arg(long, conflicts_with = "output")]
    stored_name: bool,
    /// Replace the file that is written, if it exists. Folders are never replaced.
    #[arg(long, short)]
    force: bool,
    #[command(flatten)]
    keys: Keys,
    /// Write a part of the content: START-END, START- or START+LENGTH, in bytes from 0; END is
    /// the first byte after the part.
    #[arg(long, value_name = "PART", value_parser = range)]
    range: Option<(u64, u64)>,
    /// Accept only files that one of these senders has signed: sbsign1….
    #[arg(long, value_name = "SENDER")]
    from: Vec<String>,
    /// Keep the verified part of the content if the work is interrupted, and go on there next
    /// time.
    #[arg(long, conflicts_with_all = ["range", "stored_name"])]
    resume: bool,
    /// The longest content that is written, in bytes; by default any length of a strongbox, and
    /// 64 GiB of a file of another program.
    #[arg(long, value_name = "BYTES")]
    max_size: Option<u64>,
    #[command(flatten)]
    old: OldOptions,
}

/// Reads a part of a content: start and length.
fn range(text: &str) -> Result<(u64, u64), String> {
    let wrong = || format!("`{text}` is not START-END, START- or START+LENGTH");
    let number = |text: &str| text.parse::<u64>().map_err(|_| wrong());
    if let Some((start, length)) = text.split_once('+') {
        return Ok((number(start)?, number(length)?));
    }
    let (start, end) = text.split_once('-').ok_or_else(wrong)?;
    let start = number(start)?;
    if end.is_empty() {
        return Ok((start, u64::MAX));
    }
    let length = number(end)?.checked_sub(start);
    Ok((start, length.ok_or("the part ends before it begins")?))
}

impl Open {
    pub(super) fn run(&self, common: &Common) -> Result<Done, Failure> {
        let standard = PathBuf::from("-");
        let path = self.file.as_ref().unwrap_or(&standard);
        let at = |error| Failure::at(path, error);
        let input = files::open_sealed(path)?;
        let mut input = match old::recognise(path, input, &self.old, common)? {
            Recognised::Strongbox(input) => input,
            Recognised::Old(file, format) => return self.old(path, &file, format, common),
        };
        let head = input.head(path)?;
        if !self.stored_name
            && let Some(output) = self.path_for(path, None)?
        {
            // Before anyone has to type a passphrase.
            output::check_free(&output, self.force && !head.flags().archive)?;
        }
        let options = OpenOptions {
            threads: common.threads(),
            most: self.max_size.unwrap_or(u64::MAX),
            senders: senders(&self.from)?,
        };
        let unlocked = unlock(head, &self.keys, path)?;
        let output = self.path_for(path, Some(&unlocked))?;
        let opened = match (&output, self.range) {
            (_, Some((start, length))) => {
                return self.part(&unlocked, &input, path, output, start, length, &options);
            }
            (None, None) => self.to_standard(&unlocked, input, path, &options, common)?,
            (Some(folder), None) if unlocked.flags().archive => {
                self.folder(&unlocked, input, path, folder, &options, common)?
            }
            (Some(target), None) if self.resume => {
                let Input::File(file, _) = &input else {
                    let text = "--resume needs a file that can be read at any place, no armor";
                    return Err(Failure::usage(text));
                };
                resume::run(&unlocked, file, target, self.force, &options, common)
                    .map_err(|failure| failure.or_at(path))?
            }
            (Some(target), None) => {
                let target = Output::create(target, self.force)?;
                let progress = progress(&input, common);
                let mut watch = |bytes| progress.add(bytes);
                let mut writer = target.file();
                let opened = match input {
                    Input::File(file, _) => {
                        unlocked.open_to(&file, &mut writer, &options, &mut watch)
                    }
                    Input::Stream(mut stream) => {
                        unlocked.open_stream(&mut stream, &mut writer, &options, &mut watch)
                    }
                };
                drop(progress);
                let opened = opened.map_err(at)?;
                target.finish(Some(unlocked.metadata()))?;
                opened
            }
        };
        Ok(self.done(&opened, &unlocked, output))
    }

    /// Opens a file of another program.
    fn old(
        &self,
        path: &Path,
        file: &File,
        format: Format,
        common: &Common,
    ) -> Result<Done, Failure> {
        if self.range.is_some() || self.resume || self.stored_name || !self.from.is_empty() {
            let text = "this is no strongbox: --range, --resume, --stored-name and --from are not \
                        for other formats";
            return Err(Failure::usage(text));
        }
        let opening = Opening {
            path,
            file,
            format,
            most: self.max_size,
            keys: &self.keys,
            options: &self.old,
            common,
        };
        opening.run(self.output.as_deref(), self.force)
    }

    fn done(&self, opened: &Opened, unlocked: &Unlocked, output: Option<PathBuf>) -> Done {
        let sender = opened.sender.as_ref().map(text::sender);
        let text = match &sender {
            Some(sender) if self.from.is_empty() => {
                format!("signed by {sender}; --from SENDER accepts only one you know\n")
            }
            Some(sender) => format!("signed by {sender}\n"),
            None => String::new(),
        };
        Done {
            json: json!({
                "output": output.as_ref().map(|path| path.display().to_string()),
                "length": opened.length,
                "sender": sender,
                "metadata": metadata(unlocked),
            }),
            text,
            answer: false,
            taken: output.is_none(),
        }
    }

    /// Returns the path of the result; `None` is standard output. Without the keys, a name that
    /// is stored is not known.
    fn path_for(
        &self,
        input: &Path,
        unlocked: Option<&Unlocked>,
    ) -> Result<Option<PathBuf>, Failure> {
        match (&self.output, unlocked) {
            (Some(path), _) if files::is_standard(path) => Ok(None),
            (Some(path), _) => Ok(Some(path.clone())),
            (None, Some(unlocked)) if self.stored_name => {
                let name = unlocked.metadata().safe_name();
                let none =
                    || Failure::usage("the file has no stored name that is safe: use -o FILE");
                Ok(Some(output::folder_of(input).join(name.ok_or_else(none)?)))
            }
            (None, _) if self.range.is_some() || files::is_standard(input) => Ok(None),
            (None, _) => {
                let name = input.to_str().and_then(|name| name.strip_suffix(".sbx"));
                let name = name.filter(|name| !name.is_empty() && !name.ends_with('/'));
                let none = || Failure::usage("the file's name does not end in .sbx: use -o FILE");
                Ok(Some(PathBuf::from(name.ok_or_else(none)?)))
            }
        }
    }

    /// Writes to standard output. If a signature is demanded, the whole file is verified before.
    fn to_standard(
        &self,
        unlocked: &Unlocked,
        input: Input,
        path: &Path,
        options: &OpenOptions,
        common: &Common,
    ) -> Result<Opened, Failure> {
        let at = |error| Failure::at(path, error);
        let progress = progress(&input, common);
        let mut watch = |bytes| progress.add(bytes);
        let mut out = output::standard()?;
        match input {
            Input::File(file, _) => {
                if unlocked.flags().signed {
                    unlocked
                        .verify(&file, options, &mut |_| super::signals::check())
                        .map_err(at)?;
                }
                unlocked
                    .open_to(&file, &mut out, options, &mut watch)
                    .map_err(at)
            }
            Input::Stream(_) if !options.senders.is_empty() => {
                let text = "a stream's signature is verified after its content was written: use \
                            -o FILE with --from";
                Err(Failure::usage(text))
            }
            Input::Stream(mut stream) => unlocked
                .open_stream(&mut stream, &mut out, options, &mut watch)
                .map_err(at),
        }
    }

    /// Unpacks an archive into a new folder.
    fn folder(
        &self,
        unlocked: &Unlocked,
        input: Input,
        path: &Path,
        folder: &Path,
        options: &OpenOptions,
        common: &Common,
    ) -> Result<Opened, Failure> {
        output::check_free(folder, false)?;
        let at_folder = |error: io::Error| Failure::at(folder, error.into());
        let temporary = output::temporary_folder(folder).map_err(at_folder)?;
        let progress = progress(&input, common);
        let mut watch = |bytes| progress.add(bytes);
        let (reader, mut writer) = io::pipe()?;
        let (opened, unpacked) = std::thread::scope(|scope| {
            let unpacking = || {
                let mut reader = reader;
                let unpacked = strongbox::archive::unpack(&mut reader, temporary.path());
                // What follows the archive's end is read, so that the writer is not stopped.
                if unpacked.is_ok() {
                    io::copy(&mut reader, &mut io::sink())?;
                }
                unpacked
            };
            let unpacker = std::thread::Builder::new().spawn_scoped(scope, unpacking)?;
            let opened = match input {
                Input::File(file, _) => unlocked.open_to(&file, &mut writer, options, &mut watch),
                Input::Stream(mut stream) => {
                    unlocked.open_stream(&mut stream, &mut writer, options, &mut watch)
                }
            };
            drop(writer);
            let unpacked = unpacker.join().expect("unpacking does not panic");
            Ok::<_, io::Error>((opened, unpacked))
        })?;
        let opened = match (opened, unpacked) {
            // An unpacker that stops closes the pipe, so it is the cause.
            (Err(Error::Io(error)), Err(cause)) if error.kind() == io::ErrorKind::BrokenPipe => {
                return Err(Failure::at(path, cause));
            }
            (Err(error), _) | (_, Err(error)) => return Err(Failure::at(path, error)),
            (Ok(opened), Ok(_)) => opened,
        };
        if let Some(mode) = unlocked.metadata().mode {
            use std::os::unix::fs::PermissionsExt;
            let mode = std::fs::Permissions::from_mode(mode & 0o777);
            std::fs::set_permissions(temporary.path(), mode).map_err(at_folder)?;
        }
        output::rename_folder(temporary, folder).map_err(at_folder)?;
        Ok(opened)
    }

    /// Writes a part of the content.
    #[allow(clippy::too_many_arguments, reason = "each is another thing")]
    fn part(
        &self,
        unlocked: &Unlocked,
        input: &Input,
        path: &Path,
        output: Option<PathBuf>,
        start: u64,
        length: u64,
        options: &OpenOptions,
    ) -> Result<Done, Failure> {
        let at = |error| Failure::at(path, error);
        let Input::File(file, _) = input else {
            let text = "--range needs a file that can be read at any place, no armor";
            return Err(Failure::usage(text));
        };
        if !options.senders.is_empty() {
            unlocked
                .verify(file, options, &mut |_| super::signals::check())
                .map_err(at)?;
        }
        let written = match &output {
            None => {
                let mut out = output::standard()?;
                unlocked
                    .open_range(file, start, length, &mut out, options)
                    .map_err(at)?
            }
            Some(target) => {
                let target = Output::create(target, self.force)?;
                let mut writer = target.file();
                let written = unlocked
                    .open_range(file, start, length, &mut writer, options)
                    .map_err(at)?;
                target.finish(None)?;
                written
            }
        };
        Ok(Done {
            text: String::new(),
            json: json!({ "output": output, "start": start, "length": written }),
            answer: false,
            taken: output.is_none(),
        })
    }
}

/// Asks for what the file needs, and unlocks the file.
pub(super) fn unlock(head: strongbox::Head, keys: &Keys, path: &Path) -> Result<Unlocked, Failure> {
    let at = |error| Failure::at(path, error);
    let needs = head
        .needs()
        .iter()
        .any(|need| matches!(need, Needs::Passphrase(..)));
    let identities = keys.identities(needs, &format!("Passphrase for {}", path.display()))?;
    head.unlock(&identities, &keys.limits()).map_err(at)
}

/// A progress bar for what an input holds.
pub(super) fn progress(input: &Input, common: &Common) -> Progress {
    match input {
        Input::File(_, length) => Progress::new(Some(*length), common),
        Input::Stream(_) => Progress::new(None, common),
    }
}

/// The metadata as JSON.
pub(super) fn metadata(unlocked: &Unlocked) -> Value {
    let metadata = unlocked.metadata();
    let name = metadata.name.as_deref().map(String::from_utf8_lossy);
    json!({
        "name": name,
        "modified": metadata.modified.map(|(seconds, _)| seconds),
        "mode": metadata.mode.map(|mode| format!("{mode:04o}")),
    })
}
