//! What the command writes to its standard streams. A result that could not be written is
//! an error like any other; only a reader that went away (`| head`) is none to speak of.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use anyhow::Context;

/// The reader of standard output has closed it.
#[derive(Debug, thiserror::Error)]
#[error("the reader of the output has gone")]
pub struct Gone;

/// Writes a result to standard output, all of it.
///
/// # Errors
///
/// [`Gone`] for a closed pipe, otherwise the system's reason.
pub fn write(bytes: &[u8]) -> anyhow::Result<()> {
    to(&mut io::stdout().lock(), bytes)
}

/// As [`write()`], for text: its colours are left out where they are not wanted.
pub fn text(text: &str) -> anyhow::Result<()> {
    to(&mut anstream::stdout().lock(), text.as_bytes())
}

/// A line of a result that is a path: its very bytes.
pub fn path(path: &Path) -> anyhow::Result<()> {
    use std::os::unix::ffi::OsStrExt;
    write(&[path.as_os_str().as_bytes(), b"\n"].concat())
}

/// A line for people on standard error. Where that is closed there is nobody to tell.
pub fn say(line: &str) {
    let _ = writeln!(anstream::stderr().lock(), "{line}");
}

/// Writes a file whole or not at all. A path that is no regular file (a device, a pipe)
/// is written to and never replaced: `export -o /dev/null` by root would otherwise put a
/// file in the device's place.
///
/// # Errors
///
/// The path with the system's reason, or the error of `write`.
pub fn whole(
    path: &Path,
    write: impl FnOnce(&mut BufWriter<File>) -> anyhow::Result<()>,
) -> anyhow::Result<()> {
    let filled = |file| {
        let mut out = BufWriter::new(file);
        write(&mut out)?;
        anyhow::Ok(out.flush()?)
    };
    let attempt = || {
        if std::fs::metadata(path).is_ok_and(|there| !there.is_file()) {
            return filled(File::options().write(true).open(path)?);
        }
        let mut part = path.as_os_str().to_owned();
        part.push(".part");
        let part = PathBuf::from(part);
        let file = File::create(&part)?;
        filled(file)
            .and_then(|()| Ok(std::fs::rename(&part, path)?))
            .inspect_err(|_| drop(std::fs::remove_file(&part)))
    };
    attempt().with_context(|| format!("writing {}", path.display()))
}

fn to(out: &mut dyn Write, bytes: &[u8]) -> anyhow::Result<()> {
    out.write_all(bytes)
        .and_then(|()| out.flush())
        .map_err(|error| {
            if error.kind() == io::ErrorKind::BrokenPipe {
                Gone.into()
            } else {
                anyhow::Error::new(error).context("writing the output")
            }
        })
}
