//! Files to read, and standard input in their place.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::os::fd::AsFd;
use std::path::{Path, PathBuf};

use strongbox::{Head, armor};

use super::report::Failure;

/// How many bytes tell a file's format.
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
    let mut reader: BufReader<Box<dyn Read>> = match open(path)? {
        Input::File(file, size) => {
            let mut prefix = [0; PREFIX];
            let length = std::os::unix::fs::FileExt::read_at(&file, &mut prefix, 0).map_err(at)?;
            if !is_armor(&prefix[..length]) {
                return Ok(Input::File(file, size));
            }
            BufReader::new(Box::new(file))
        }
        Input::Stream(stream) => BufReader::with_capacity(1 << 16, stream),
    };
    if is_armor(reader.fill_buf().map_err(at)?) {
        return Ok(Input::Stream(Box::new(armor::Reader::new(reader))));
    }
    Ok(Input::Stream(Box::new(reader)))
}

/// Says whether a file begins as a strongbox does.
pub(super) fn is_strongbox(file: &File) -> io::Result<bool> {
    let mut prefix = [0; PREFIX];
    let length = std::os::unix::fs::FileExt::read_at(file, &mut prefix, 0)?;
    Ok(Head::identify(&prefix[..length]))
}

fn is_armor(prefix: &[u8]) -> bool {
    prefix
        .trim_ascii_start()
        .starts_with(armor::BEGIN.as_bytes())
}

impl Input {
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
