//! `strongbox open --resume`: a part of the content that is kept after an interruption.
//!
//! The part has a name of its own, `.NAME.strongbox-part`. Its bytes are written in order, and
//! are on the disk up to the last multiple of [`SYNC`], so only what is behind can be wrong after
//! the power failed. That much is compared with the strongbox before the work goes on.

use std::fs::{self, File};
use std::io::{self, Seek, SeekFrom, Write};
use std::os::fd::AsFd;
use std::os::unix::fs::{FileExt, MetadataExt};
use std::path::{Path, PathBuf};

use rustix::fs::{CWD, FlockOperation, Mode, OFlags, RenameFlags, flock, openat, renameat_with};
use strongbox::{CHUNK, Error, OpenOptions, Opened, ReadAt, Unlocked};

use super::Common;
use super::output;
use super::progress::Progress;
use super::report::Failure;

/// After so many bytes the part is written to the disk.
const SYNC: u64 = 128 << 20;

fn part_of(target: &Path) -> Result<PathBuf, Failure> {
    let name = target.file_name();
    let name = name.ok_or_else(|| Failure::usage("the output has no name"))?;
    let mut part = std::ffi::OsString::from(".");
    part.push(name);
    part.push(".strongbox-part");
    Ok(output::folder_of(target).join(part))
}

/// Opens the part. It must be a file of this user that nobody else has opened or linked.
fn open_part(path: &Path) -> Result<File, Failure> {
    let at = |error: io::Error| Failure::at(path, error.into());
    let flags = OFlags::RDWR | OFlags::CREATE | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    let file = openat(CWD, path, flags, Mode::RUSR | Mode::WUSR).map_err(|e| at(e.into()))?;
    let file = File::from(file);
    flock(file.as_fd(), FlockOperation::NonBlockingLockExclusive).map_err(|_| {
        let text = "another process writes this file";
        at(io::Error::new(io::ErrorKind::WouldBlock, text))
    })?;
    let known = file.metadata().map_err(at)?;
    let ours = known.uid() == rustix::process::geteuid().as_raw();
    if !known.is_file() || known.nlink() != 1 || !ours || known.mode() & 0o077 != 0 {
        let text = "this is no part that strongbox left: remove it";
        return Err(at(io::Error::new(io::ErrorKind::PermissionDenied, text)));
    }
    Ok(file)
}

/// Writes in order, and tells the disk from time to time.
struct Steady<'a> {
    file: &'a File,
    written: u64,
}

impl Write for Steady<'_> {
    fn write(&mut self, buffer: &[u8]) -> io::Result<usize> {
        let length = (&mut self.file).write(buffer)?;
        let before = self.written / SYNC;
        self.written += length as u64;
        if self.written / SYNC != before {
            self.file.sync_data()?;
        }
        Ok(length)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Opens a strongbox, from where an earlier call was interrupted.
pub(super) fn run(
    unlocked: &Unlocked,
    input: &File,
    target: &Path,
    force: bool,
    options: &OpenOptions,
    common: &Common,
) -> Result<Opened, Failure> {
    output::check_free(target, force)?;
    let path = part_of(target)?;
    let at = |error: io::Error| Failure::at(&path, error.into());
    let part = open_part(&path)?;
    let mut sender = None;
    if unlocked.flags().signed || !options.senders.is_empty() {
        let check = &mut |_| super::signals::check();
        sender = unlocked.verify(input, options, check)?.sender;
    }
    let start = verified(unlocked, input, &part, options)?;
    part.set_len(start).map_err(at)?;
    (&part).seek(SeekFrom::Start(start)).map_err(at)?;
    let progress = Progress::new(Some(input.size()?.saturating_sub(start)), common);
    let mut writer = Steady {
        file: &part,
        written: start,
    };
    let plain = OpenOptions {
        senders: Vec::new(),
        ..options.clone()
    };
    let first = start / CHUNK as u64;
    let mut watch = |bytes| progress.add(bytes);
    let mut opened = unlocked.open_from(input, first, &mut writer, &plain, &mut watch)?;
    opened.sender = sender;
    let mode = unlocked.metadata().mode.unwrap_or(0o600) & 0o777;
    use std::os::unix::fs::PermissionsExt;
    part.sync_all().map_err(at)?;
    if force {
        fs::rename(&path, target).map_err(at)?;
    } else {
        renameat_with(CWD, &path, CWD, target, RenameFlags::NOREPLACE).map_err(|e| at(e.into()))?;
    }
    part.set_permissions(fs::Permissions::from_mode(mode))
        .map_err(at)?;
    Ok(opened)
}

/// Returns up to where the part agrees with the content: a multiple of a chunk.
fn verified(
    unlocked: &Unlocked,
    input: &File,
    part: &File,
    options: &OpenOptions,
) -> Result<u64, Failure> {
    let chunk = CHUNK as u64;
    let end = part.metadata()?.len() / chunk * chunk;
    // Everything before was on the disk before what follows was written.
    let mut place = (end / SYNC).saturating_sub(1) * SYNC;
    while place < end {
        let length = (end - place).min(1 << 20);
        let (mut genuine, mut there) = (Vec::new(), vec![0; length as usize]);
        unlocked.open_range(input, place, length, &mut genuine, options)?;
        FileExt::read_exact_at(part, &mut there, place)?;
        if genuine != there {
            let same = genuine
                .iter()
                .zip(&there)
                .take_while(|(a, b)| a == b)
                .count() as u64;
            return Ok((place + same) / chunk * chunk);
        }
        place += length;
        super::signals::check().map_err(|error: Error| Failure::from(error))?;
    }
    Ok(end)
}
