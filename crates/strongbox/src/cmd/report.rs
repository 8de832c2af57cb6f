//! Results and errors of verbs, as text and as JSON.

use std::io::Write;
use std::path::Path;

use oldfiles::Format;
use serde_json::{Value, json};
use strongbox::Error;

use super::{Common, old_error};

/// An error, and the file that it is about.
#[derive(Debug)]
pub(crate) struct Failure {
    file: Option<String>,
    error: Problem,
}

/// An error of a strongbox, or of a file of another program.
#[derive(Debug)]
enum Problem {
    Strongbox(Error),
    /// The second field names the option that helps.
    Old(oldfiles::Error, Option<String>),
}

impl std::fmt::Display for Problem {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Strongbox(error) => error.fmt(f),
            Self::Old(error, None) => error.fmt(f),
            Self::Old(error, Some(hint)) => write!(f, "{error}: {hint}"),
        }
    }
}

impl Failure {
    /// Names the file that an error is about.
    pub(super) fn at(path: &Path, error: Error) -> Self {
        Self {
            file: Some(path.display().to_string()),
            error: Problem::Strongbox(error),
        }
    }

    /// An error of a file of another program, whose format may be known.
    pub(super) fn old(path: &Path, error: oldfiles::Error, format: Option<Format>) -> Self {
        if old_error::is_interruption(&error) {
            return Self::at(path, Error::Interrupted);
        }
        let hint = old_error::hint(&error, format);
        Self {
            file: Some(path.display().to_string()),
            error: Problem::Old(error, hint),
        }
    }

    /// Names the file, if none is named yet.
    pub(super) fn or_at(mut self, path: &Path) -> Self {
        self.file.get_or_insert_with(|| path.display().to_string());
        self
    }

    /// A mistake in the arguments.
    pub(super) fn usage(text: impl Into<String>) -> Self {
        Error::Usage(text.into()).into()
    }

    /// Returns the word for the error in `--json`.
    fn kind(&self) -> &'static str {
        match &self.error {
            Problem::Strongbox(error) => error.kind(),
            Problem::Old(error, _) => old_error::kind(error),
        }
    }

    /// Returns the exit code.
    pub(crate) fn exit_code(&self) -> u8 {
        match &self.error {
            Problem::Strongbox(error) => error.exit_code(),
            Problem::Old(error, _) => old_error::exit_code(error),
        }
    }
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        Self {
            file: None,
            error: Problem::Strongbox(error),
        }
    }
}

impl From<std::io::Error> for Failure {
    fn from(error: std::io::Error) -> Self {
        Error::Io(error).into()
    }
}

impl std::fmt::Display for Failure {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match &self.file {
            Some(file) => write!(f, "{file}: {}", self.error),
            None => write!(f, "{}", self.error),
        }
    }
}

/// What a verb did: lines for people, and values for programs.
pub(super) struct Done {
    pub(super) text: String,
    pub(super) json: Value,
    /// Whether the lines are an answer, for standard output, or a message.
    pub(super) answer: bool,
    /// Whether standard output holds the content, so that no JSON can be written there.
    pub(super) taken: bool,
}

/// Writes what a verb did.
pub(super) fn finish(done: Result<Done, Failure>, common: &Common) -> Result<(), Failure> {
    let mut out = std::io::stdout().lock();
    let mut object = |value: &Value| -> std::io::Result<()> {
        serde_json::to_writer(&mut out, value)?;
        writeln!(out)?;
        out.flush()
    };
    match done {
        Ok(done) if common.json && !done.taken => Ok(object(&done.json)?),
        Ok(done) if common.json => {
            writeln!(std::io::stderr(), "{}", done.json).map_err(Failure::from)
        }
        Ok(done) if done.answer => {
            out.write_all(done.text.as_bytes())?;
            Ok(out.flush()?)
        }
        Ok(done) => {
            if !common.quiet && !done.text.is_empty() {
                let _ = std::io::stderr().write_all(done.text.as_bytes());
            }
            Ok(())
        }
        Err(failure) => {
            if common.json && failure.exit_code() != 128 + 13 {
                let value = json!({
                    "error": failure.kind(),
                    "message": failure.error.to_string(),
                    "file": failure.file,
                    "exit": failure.exit_code(),
                });
                // If standard output takes no more, the message on standard error remains.
                let _ = object(&value);
            }
            Err(failure)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io;

    use oldfiles::Error as Old;

    #[test]
    fn a_signal_is_no_error_of_the_file() {
        for error in [Old::Read, Old::Write] {
            let stopped = io::Error::other(strongbox::Error::Interrupted);
            let failure = Failure::old(Path::new("a"), error(stopped), None);
            assert_eq!(failure.exit_code(), 130);
            let full = io::Error::from(io::ErrorKind::StorageFull);
            let failure = Failure::old(Path::new("a"), error(full), None);
            assert_eq!(failure.exit_code(), 3);
        }
    }
}
