//! `strongbox rekey`.
//!
//! If the new header fits into the place of the old one, only the header is written. A process
//! that is killed in between would leave a file without a header, so the old header is kept
//! beside the file until the new one is on the disk.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::os::fd::AsFd;
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};

use rustix::fs::{FlockOperation, flock};
use serde_json::json;
use strongbox::{Error, Head, Metadata, System, Unlocked};

use super::Common;
use super::files::{self, Input, with_extension};
use super::open::unlock;
use super::output::{Output, folder_of};
use super::recipients::Recipients;
use super::report::{Done, Failure};
use super::secrets::{Keys, PassphraseSource};

/// Change who can open a file; only the header is written anew.
///
/// The options for keys name a key that opens the file now. Whoever could open the file before can
/// still open copies of it that they have, and knows the key of the content.
#[derive(clap::Args)]
pub(super) struct Rekey {
    /// The file.
    file: PathBuf,
    #[command(flatten)]
    keys: Keys,
    /// Remove all recipients that the file has now.
    #[arg(long, conflicts_with = "remove")]
    only_new: bool,
    /// Remove the recipient with this number (`strongbox inspect` shows the numbers).
    #[arg(long, value_name = "NUMBER")]
    remove: Vec<usize>,
    /// Add a recipient: age1pq1…, age1… or ssh-ed25519 AAAA….
    #[arg(long, short, value_name = "KEY")]
    recipient: Vec<String>,
    /// Add a file of recipients, one on each line.
    #[arg(long, short = 'R', value_name = "FILE")]
    recipients_file: Vec<PathBuf>,
    /// Add a new passphrase, which is asked for.
    #[arg(long)]
    new_passphrase: bool,
    /// Add a new passphrase from the first line of a file.
    #[arg(long, value_name = "FILE", conflicts_with = "new_passphrase")]
    new_passphrase_file: Option<PathBuf>,
    /// Add whoever has this file, together with the new passphrase if there is one.
    #[arg(long, value_name = "FILE")]
    new_keyfile: Option<PathBuf>,
    /// The costs of Argon2 for the new passphrase.
    #[arg(long, value_name = "COSTS", env = "STRONGBOX_KDF",
        default_value_t = strongbox::Costs::default())]
    kdf: strongbox::Costs,
}

impl Rekey {
    pub(super) fn run(&self, common: &Common) -> Result<Done, Failure> {
        // A link stays a link, also if its file is written anew.
        let path = self.file.canonicalize();
        let path = &path.map_err(|error| Failure::at(&self.file, error.into()))?;
        let at = |error: Error| Failure::at(path, error);
        let file = File::options().read(true).write(true).open(path);
        let file = file.map_err(|error| at(error.into()))?;
        lock(&file, path)?;
        if backup(path).exists() {
            let text = format!(
                "{} is left of an interrupted rekey: copy it over the first bytes of the file \
                 (`strongbox inspect` tells whether the file still has a header), or remove it",
                backup(path).display()
            );
            return Err(at(Error::Usage(text)));
        }
        if matches!(files::open_sealed(path)?, Input::Stream(_)) {
            let text = "only a file without armor can be changed: open and seal it again";
            return Err(at(Error::Usage(text.into())));
        }
        let head = Head::read_at(&file).map_err(at)?;
        let unlocked = unlock(head, &self.keys, path)?;
        let add = self.recipients(common)?;
        let keep = |number: usize| !self.only_new && !self.remove.contains(&number);
        let header = unlocked
            .rekey(&keep, &add, 128, &mut System::new()?)
            .map_err(at)?;
        let moved = header.len() != unlocked.header_size();
        if moved {
            rewrite(path, &file, &unlocked, &header)?;
        } else {
            in_place(path, &file, &header)?;
        }
        let head = Head::read(&mut &header_with_start(&header)[..]).map_err(at)?;
        Ok(Done {
            text: format!("{}: for {}\n", path.display(), head.describe()),
            json: json!({
                "file": path.display().to_string(),
                "recipients": head.needs().len(),
                "rewritten": moved,
            }),
            answer: false,
            taken: false,
        })
    }

    fn recipients(&self, common: &Common) -> Result<Vec<strongbox::Recipient>, Failure> {
        let new = Recipients {
            recipient: self.recipient.clone(),
            recipients_file: self.recipients_file.clone(),
            passphrase: self.new_passphrase,
            generate: false,
            keyfile: self.new_keyfile.clone(),
            source: PassphraseSource::from_file(self.new_passphrase_file.clone()),
            kdf: self.kdf,
        };
        if !new.any() {
            return Ok(Vec::new());
        }
        new.collect(common, "New passphrase")
    }
}

/// The header as [`Head::read`] wants it, which also reads what follows.
fn header_with_start(header: &[u8]) -> Vec<u8> {
    [header, &[0; 56]].concat()
}

/// Keeps other processes of this program from the file.
fn lock(file: &File, path: &Path) -> Result<(), Failure> {
    flock(file.as_fd(), FlockOperation::NonBlockingLockExclusive).map_err(|_| {
        let error = io::Error::new(
            io::ErrorKind::WouldBlock,
            "another process changes the file",
        );
        Failure::at(path, error.into())
    })
}

/// Where the old header is kept.
fn backup(path: &Path) -> PathBuf {
    with_extension(path, ".header")
}

/// Writes the header over the old one.
fn in_place(path: &Path, file: &File, header: &[u8]) -> Result<(), Failure> {
    let at = |error: io::Error| Failure::at(path, error.into());
    let mut old = vec![0; header.len()];
    FileExt::read_exact_at(file, &mut old, 0).map_err(at)?;
    let kept = Output::create(&backup(path), false)?;
    let mut writer = kept.file();
    writer.write_all(&old).map_err(at)?;
    kept.finish(None)?;
    file.write_all_at(header, 0)
        .and_then(|()| file.sync_all())
        .map_err(at)?;
    std::fs::remove_file(backup(path)).map_err(at)?;
    File::open(folder_of(path))
        .and_then(|folder| folder.sync_all())
        .map_err(at)
}

/// Writes the longer header and the payload, as it is, to a new file.
fn rewrite(path: &Path, file: &File, unlocked: &Unlocked, header: &[u8]) -> Result<(), Failure> {
    use std::os::unix::fs::MetadataExt;
    let at = |error: io::Error| Failure::at(path, error.into());
    let known = file.metadata().map_err(at)?;
    let output = Output::create(path, true)?;
    let mut writer = output.file();
    writer.write_all(header).map_err(at)?;
    let mut reader = file;
    reader
        .seek(SeekFrom::Start(unlocked.header_size() as u64))
        .map_err(at)?;
    let mut piece = vec![0; 1 << 20];
    loop {
        super::signals::check()?;
        match reader.read(&mut piece).map_err(at)? {
            0 => break,
            length => writer.write_all(&piece[..length]).map_err(at)?,
        }
    }
    output.finish(Some(&Metadata {
        name: None,
        modified: None,
        mode: Some(known.mode() & 0o777),
    }))
}
