//! Results that appear whole or not at all.
//!
//! A file has no name while it is written (`O_TMPFILE`), so a process that is killed leaves
//! nothing behind. Where the file system cannot do this, the file has a temporary name. In both
//! cases its data are on the disk before it gets its name.

use std::fs::{File, Permissions};
use std::io;
use std::os::fd::AsFd;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::thread::JoinHandle;
use std::time::Duration;

use rustix::fs::{AtFlags, CWD, Mode, OFlags, RenameFlags, linkat, openat, renameat_with};
use strongbox::{Error, Metadata};

use super::report::Failure;
use super::signals;

/// A file that is being written.
pub(super) struct Output {
    file: File,
    path: PathBuf,
    replace: bool,
    /// The temporary name, where a file cannot be without one.
    named: Option<tempfile::TempPath>,
    flusher: Flusher,
}

/// Writes a growing file to the disk all the time, on a thread of its own. Otherwise the disk would
/// be idle until the end, and all of the file would be written then.
struct Flusher {
    /// The thread ends when this is dropped.
    end: Sender<()>,
    thread: JoinHandle<io::Result<()>>,
}

/// How often the flusher looks at the file.
const FLUSH: Duration = Duration::from_millis(50);
/// The least bytes for which the flusher starts the disk.
const FLUSHED: u64 = 16 << 20;

impl Flusher {
    fn start(file: &File) -> io::Result<Self> {
        let file = file.try_clone()?;
        let (end, ended) = channel();
        let flush = move || {
            let mut flushed = 0;
            while ended.recv_timeout(FLUSH) == Err(RecvTimeoutError::Timeout) {
                let length = file.metadata()?.len();
                if length.saturating_sub(flushed) >= FLUSHED {
                    file.sync_data()?;
                    flushed = length;
                }
            }
            Ok(())
        };
        let thread = std::thread::Builder::new().spawn(flush)?;
        Ok(Self { end, thread })
    }

    /// Ends the thread. The system reports an error of the disk once, so an error that the thread
    /// was told is returned here.
    fn finish(self) -> io::Result<()> {
        drop(self.end);
        let joined = self.thread.join();
        joined.unwrap_or_else(|_| Err(io::Error::other("the flusher has panicked")))
    }
}

impl Output {
    /// Begins a file that only its owner may read. If `replace` is not set, the path must not
    /// exist, neither now nor at the end.
    pub(super) fn create(path: &Path, replace: bool) -> Result<Self, Failure> {
        let at = |error: io::Error| Failure::at(path, error.into());
        check_free(path, replace)?;
        let folder = folder_of(path);
        let flags = OFlags::RDWR | OFlags::TMPFILE | OFlags::CLOEXEC;
        let mode = Mode::RUSR | Mode::WUSR;
        let (file, named) = match openat(CWD, folder, flags, mode) {
            Ok(descriptor) => (File::from(descriptor), None),
            Err(rustix::io::Errno::OPNOTSUPP | rustix::io::Errno::ISDIR) => {
                let (file, name) = temporary(path).map_err(at)?.into_parts();
                signals::temporary(&name);
                (file, Some(name))
            }
            Err(error) => return Err(at(error.into())),
        };
        Ok(Self {
            flusher: Flusher::start(&file).map_err(at)?,
            file,
            path: path.to_owned(),
            replace,
            named,
        })
    }

    pub(super) fn file(&self) -> &File {
        &self.file
    }

    /// Sets mode and time, writes the data to the disk, and gives the file its name.
    pub(super) fn finish(self, metadata: Option<&Metadata>) -> Result<(), Failure> {
        let path = self.path.clone();
        self.keep(metadata)
            .map_err(|error| Failure::at(&path, error.into()))
    }

    fn keep(self, metadata: Option<&Metadata>) -> io::Result<()> {
        // Files of this program's own are for their owner, as ssh-keygen(1) makes keys.
        let mode = metadata.and_then(|metadata| metadata.mode).unwrap_or(0o600);
        self.file
            .set_permissions(Permissions::from_mode(mode & 0o777))?;
        if let Some((seconds, nanoseconds)) = metadata.and_then(|metadata| metadata.modified) {
            let time = std::time::UNIX_EPOCH;
            let whole = std::time::Duration::from_secs(seconds.unsigned_abs());
            let base = if seconds < 0 {
                time.checked_sub(whole)
            } else {
                time.checked_add(whole)
            };
            let part = std::time::Duration::from_nanos(nanoseconds.into());
            if let Some(time) = base.and_then(|base| base.checked_add(part)) {
                self.file.set_modified(time)?;
            }
        }
        self.flusher.finish()?;
        self.file.sync_all()?;
        if let Some(name) = &self.named {
            signals::kept(name);
        }
        match (self.named, self.replace) {
            (Some(name), false) => name.persist_noclobber(&self.path)?,
            (Some(name), true) => name.persist(&self.path)?,
            (None, false) => link(&self.file, &self.path)?,
            (None, true) => {
                // link(2) replaces nothing, so the file gets a temporary name first.
                let made =
                    builder().make_in(folder_of(&self.path), |name| link(&self.file, name))?;
                made.into_temp_path().persist(&self.path)?;
            }
        }
        File::open(folder_of(&self.path))?.sync_all()
    }
}

fn link(file: &File, path: &Path) -> io::Result<()> {
    use std::os::fd::AsRawFd;
    let descriptor = format!("/proc/self/fd/{}", file.as_fd().as_raw_fd());
    Ok(linkat(CWD, descriptor, CWD, path, AtFlags::SYMLINK_FOLLOW)?)
}

/// The folder that a path is in.
pub(super) fn folder_of(path: &Path) -> &Path {
    match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    }
}

/// A temporary name that shows whose it is.
fn builder() -> tempfile::Builder<'static, 'static> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(".strongbox-").suffix(".part");
    builder
}

fn temporary(path: &Path) -> io::Result<tempfile::NamedTempFile> {
    builder().tempfile_in(folder_of(path))
}

/// Makes a folder beside `path` for an archive's content.
pub(super) fn temporary_folder(path: &Path) -> io::Result<tempfile::TempDir> {
    let folder = builder().tempdir_in(folder_of(path))?;
    signals::temporary(folder.path());
    Ok(folder)
}

/// Gives a temporary folder its name, which must be free.
pub(super) fn rename_folder(folder: tempfile::TempDir, path: &Path) -> io::Result<()> {
    renameat_with(CWD, folder.path(), CWD, path, RenameFlags::NOREPLACE)?;
    // The temporary name is gone, so there is nothing to remove.
    signals::kept(&folder.keep());
    File::open(folder_of(path))?.sync_all()
}

/// Refuses a path that exists. Devices, pipes and folders are refused even if files are replaced,
/// because their name would become a file's.
pub(super) fn check_free(path: &Path, replace: bool) -> Result<(), Failure> {
    let text = match path.symlink_metadata() {
        Err(_) => return Ok(()),
        Ok(_) if !replace => "the file exists: --force replaces it",
        // A link is replaced itself, but one to a device stands for the device.
        Ok(_) => match path.metadata() {
            Ok(known) if !known.is_file() => "this is no file: use -o - and a redirection",
            _ => return Ok(()),
        },
    };
    let error = io::Error::new(io::ErrorKind::AlreadyExists, text);
    Err(Failure::at(path, Error::Io(error)))
}

/// Returns standard output without a buffer, which would look for line ends.
pub(super) fn standard() -> io::Result<File> {
    Ok(File::from(io::stdout().as_fd().try_clone_to_owned()?))
}
