//! The errors of this crate. Each says what to do where there is something to do.

use std::fmt;
use std::io;

/// Why a file could not be opened or written.
#[derive(Debug)]
#[non_exhaustive]
pub enum Error {
    /// The input could not be read.
    Read(io::Error),
    /// The output could not be written.
    Write(io::Error),
    /// The file does not have this format.
    OtherFormat {
        /// The name of the format.
        format: &'static str,
    },
    /// The file ends too early.
    Truncated {
        /// The part of the file in which it ends.
        part: &'static str,
    },
    /// More bytes follow the end of the encrypted data.
    Trailing,
    /// A part of the file breaks the rules of its format.
    Malformed {
        /// What is wrong.
        what: String,
    },
    /// The file needs a secret that the caller did not give.
    SecretMissing {
        /// The secrets of which the file needs one.
        needs: String,
    },
    /// No secret of the caller opens the file. The file has a check of the secret itself, so
    /// damage elsewhere in the file does not cause this error.
    WrongSecret,
    /// No secret of the caller opens the file, or the file is damaged: the format cannot tell
    /// the two apart.
    WrongSecretOrDamaged,
    /// The secret is right, and the data is not what its author encrypted.
    Damaged {
        /// The part of the file that is not genuine.
        part: &'static str,
    },
    /// The file is genuine, and its cipher is another than the caller's
    /// ([`Settings::fca_cipher`](crate::Settings)).
    OtherCipher {
        /// The name of the cipher.
        cipher: &'static str,
    },
    /// The file changed while it was read.
    Changed,
    /// The file uses a part of its format that this crate does not have.
    Unsupported {
        /// The name of that part.
        what: String,
    },
    /// The file asks for more than the caller's limit.
    Limit {
        /// The thing that is limited, a field of [`Limits`](crate::Limits).
        what: &'static str,
        /// What the file asks for, if that is known.
        asked: Option<u64>,
        /// The limit.
        limit: u64,
    },
    /// The name of a file in an archive would leave the folder that the caller extracts to, or
    /// no file can have this name.
    HostileName {
        /// The name, with unprintable characters escaped.
        name: String,
    },
    /// The data has no authentication, and the caller did not accept that
    /// ([`Settings::accept_unauthenticated`](crate::Settings)).
    Unauthenticated,
    /// A secret or a setting of the caller cannot be used.
    Setting {
        /// What is wrong with the setting.
        what: String,
    },
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Read(error) => write!(f, "cannot read the file: {error}"),
            Self::Write(error) => write!(f, "cannot write the output: {error}"),
            Self::OtherFormat { format } => write!(f, "this is no file of the format {format}"),
            Self::Truncated { part } => write!(
                f,
                "the file is cut off in the {part}; get a complete copy of the file"
            ),
            Self::Trailing => f.write_str(
                "bytes follow the end of the encrypted data; get a copy of the file as it was made",
            ),
            Self::Malformed { what } => write!(f, "the file is malformed: {what}"),
            Self::SecretMissing { needs } => write!(f, "the file needs {needs}"),
            Self::WrongSecret => f.write_str("the passphrase or key is wrong"),
            Self::WrongSecretOrDamaged => f.write_str(
                "the passphrase or key is wrong, or the file is damaged; this format cannot tell \
                 which",
            ),
            Self::Damaged { part } => write!(
                f,
                "the passphrase or key is right, but the {part} is damaged or forged; nothing of \
                 it was written"
            ),
            Self::OtherCipher { cipher } => write!(
                f,
                "the file was encrypted with {cipher}, which it does not record; name that cipher"
            ),
            Self::Changed => {
                f.write_str("the file changed while it was read; discard the output and try again")
            }
            Self::Unsupported { what } => write!(f, "{what} is not supported"),
            Self::Limit { what, asked, limit } => {
                match asked {
                    Some(asked) => write!(f, "the file asks for {asked} ({what})")?,
                    None => write!(f, "the file asks for too much ({what})")?,
                }
                write!(
                    f,
                    ", and the limit is {limit}; raise the limit if you trust the file's author"
                )
            }
            Self::HostileName { name } => write!(
                f,
                "the archive contains a file with the unsafe name \"{name}\""
            ),
            Self::Unauthenticated => f.write_str(
                "the format has no authentication, so nobody can tell whether the data is \
                 genuine; the file is opened only if you accept that",
            ),
            Self::Setting { what } => f.write_str(what),
        }
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Read(error) | Self::Write(error) => Some(error),
            _ => None,
        }
    }
}

impl Error {
    pub(crate) fn malformed(what: impl Into<String>) -> Self {
        Self::Malformed { what: what.into() }
    }

    pub(crate) fn unsupported(what: impl Into<String>) -> Self {
        Self::Unsupported { what: what.into() }
    }

    pub(crate) fn setting(what: impl Into<String>) -> Self {
        Self::Setting { what: what.into() }
    }

    /// The error of a part of the file that must have some number of bytes: an end that came
    /// early is a truncated file.
    pub(crate) fn reading(part: &'static str) -> impl Fn(io::Error) -> Self {
        move |error| match error.kind() {
            io::ErrorKind::UnexpectedEof if error.get_ref().is_none_or(|e| !e.is::<Self>()) => {
                Self::Truncated { part }
            }
            _ => error.into(),
        }
    }
}

/// Readers inside the crate pass errors on as `io::Error`; this takes them out again.
impl From<io::Error> for Error {
    fn from(error: io::Error) -> Self {
        match error.downcast::<Self>() {
            Ok(inner) => inner,
            Err(error) => Self::Read(error),
        }
    }
}

impl From<Error> for io::Error {
    fn from(error: Error) -> Self {
        match error {
            Error::Read(error) => error,
            other => Self::other(other),
        }
    }
}

/// Calls of the library with names and lengths that this crate has checked fail only if the
/// crate itself is wrong, or the system gives no memory.
impl From<touchstone::dynamic::Error> for Error {
    fn from(error: touchstone::dynamic::Error) -> Self {
        Self::malformed(format!("a field does not fit its algorithm ({error})"))
    }
}

impl From<touchstone::kdf::KdfError> for Error {
    fn from(error: touchstone::kdf::KdfError) -> Self {
        Self::malformed(format!("the key derivation fails ({error})"))
    }
}

impl From<touchstone::random::SystemError> for Error {
    fn from(error: touchstone::random::SystemError) -> Self {
        Self::Read(io::Error::other(error))
    }
}
