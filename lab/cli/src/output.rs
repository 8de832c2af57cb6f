//! What the command writes to its standard streams. A result that could not be written is
//! an error like any other; only a reader that went away (`| head`) is none to speak of.

use std::io::{self, Write};

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
pub fn path(path: &std::path::Path) -> anyhow::Result<()> {
    use std::os::unix::ffi::OsStrExt;
    write(&[path.as_os_str().as_bytes(), b"\n"].concat())
}

/// A line for people on standard error. Where that is closed there is nobody to tell.
pub fn say(line: &str) {
    let _ = writeln!(anstream::stderr().lock(), "{line}");
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
