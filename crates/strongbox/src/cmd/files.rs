//! Files to read, and standard input in their place.

use std::fs::File;
use std::io::{self, BufReader, Cursor, Read, Seek};
use std::os::fd::AsFd;
use std::path::{Path, PathBuf};

use strongbox::{Head, armor};

use super::report::Failure;

/// How many bytes tell armor.
const PREFIX: usize = 64;

/// Something to read: a regular file, which can be read at any place, or a stream.
pub(super) enum Input {
    File(File, u64),
    Stream(Box<dyn Read>),
}

/// Says whether a path stands for standard input or output.
pub(super) fn is_standard(path: &Path) -> bool {
    path == Path::new("-")
}

/// Opens a file or standard input.
pub(super) fn open(path: &Path) -> Result<Input, Failure> {
    let at = |error: io::Error| Failure::at(path, error.into());
    let file = if is_standard(path) {
        File::from(io::stdin().as_fd().try_clone_to_owned().map_err(at)?)
    } else {
        File::open(path).map_err(at)?
    };
    let metadata = file.metadata().map_err(at)?;
    if metadata.is_dir() {
        return Err(at(io::ErrorKind::IsADirectory.into()));
    }
    // Standard input may be a file that another program has read a part of.
    if metadata.is_file() && !is_standard(path) {
        return Ok(Input::File(file, metadata.len()));
    }
    Ok(Input::Stream(Box::new(file)))
}

/// Opens a strongbox. Armor is taken off: text is always a stream.
pub(super) fn open_sealed(path: &Path) -> Result<Input, Failure> {
    let at = |error: io::Error| Failure::at(path, error.into());
    let mut input = open(path)?;
    if !is_armor(&input.peek(PREFIX).map_err(at)?) {
        return Ok(input);
    }
    let text: Box<dyn Read> = match input {
        Input::File(file, _) => Box::new(file),
        Input::Stream(stream) => stream,
    };
    let reader = armor::Reader::new(BufReader::with_capacity(1 << 16, text));
    Ok(Input::Stream(Box::new(reader)))
}

fn is_armor(prefix: &[u8]) -> bool {
    prefix
        .trim_ascii_start()
        .starts_with(armor::BEGIN.as_bytes())
}

impl Input {
    /// Returns the first bytes, so many if there are so many, and leaves them to be read.
    pub(super) fn peek(&mut self, most: usize) -> io::Result<Vec<u8>> {
        let mut prefix = Vec::new();
        match self {
            Self::File(file, _) => {
                let mut file: &File = file;
                file.take(most as u64).read_to_end(&mut prefix)?;
                file.rewind()?;
            }
            Self::Stream(stream) => {
                stream.take(most as u64).read_to_end(&mut prefix)?;
                let rest = std::mem::replace(stream, Box::new(io::empty()));
                *stream = Box::new(Cursor::new(prefix.clone()).chain(rest));
            }
        }
        Ok(prefix)
    }

    /// Reads the head of a strongbox. A stream stands behind it then.
    pub(super) fn head(&mut self, path: &Path) -> Result<Head, Failure> {
        let head = match self {
            Self::File(file, _) => Head::read_at(file),
            Self::Stream(stream) => Head::read(stream),
        };
        head.map_err(|error| Failure::at(path, error))
    }
}

/// Returns the path with one more extension.
pub(super) fn with_extension(path: &Path, extension: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(extension);
    PathBuf::from(name)
}
