//! Writes to the command's standard streams. A failure to write a result is an error,
//! except if the reader has closed the pipe (`| head`).

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use anyhow::Context;

/// The reader of standard output has closed the pipe.
#[derive(Debug, thiserror::Error)]
#[error("the reader of the output has gone")]
pub struct Gone;

/// Writes a whole result to standard output.
///
/// # Errors
///
/// [`Gone`] if the pipe is closed, otherwise the system's error.
pub fn write(bytes: &[u8]) -> anyhow::Result<()> {
    to(&mut io::stdout().lock(), bytes)
}

/// Like [`write()`], for text; colours are removed if the output should have none.
pub fn text(text: &str) -> anyhow::Result<()> {
    to(&mut anstream::stdout().lock(), text.as_bytes())
}

/// Writes a path as a line of a result, byte by byte as it is.
pub fn path(path: &Path) -> anyhow::Result<()> {
    use std::os::unix::ffi::OsStrExt;
    write(&[path.as_os_str().as_bytes(), b"\n"].concat())
}

/// Writes a line for people to standard error. An error is ignored: if the stream is closed,
/// nobody reads the line.
pub fn say(line: &str) {
    let _ = writeln!(anstream::stderr().lock(), "{line}");
}

/// Writes a file completely or leaves it unchanged. A path that is not a regular file (a
/// device, a pipe) is written to but never replaced: otherwise `export -o /dev/null` by
/// root would put a regular file in the device's place.
///
/// # Errors
///
/// The path with the system's error, or the error of `write`.
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
