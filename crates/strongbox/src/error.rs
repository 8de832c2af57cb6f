//! What can go wrong, each with the exit code of the command.

use std::io;

/// The error of a call. The message says what a person can do about it.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// Reading or writing failed.
    #[error("{0}")]
    Io(#[from] io::Error),
    /// The file does not begin as a strongbox does.
    #[error("this is no strongbox: `strongbox inspect` names the formats that it knows")]
    NotStrongbox,
    /// The file is newer than this program, or has an option that this program has not.
    #[error("the file needs {0}, which this version does not have")]
    Unsupported(String),
    /// The header contradicts itself.
    #[error("the header is malformed: {0}")]
    Header(&'static str),
    /// The file asks for more memory or time than the limits allow.
    #[error("{what} is {asked}, above the limit of {limit}: {option} raises the limit")]
    Limit {
        /// The quantity.
        what: &'static str,
        /// The value that the file asks for.
        asked: u64,
        /// The largest value that is allowed.
        limit: u64,
        /// The option of the command that raises the limit.
        option: &'static str,
    },
    /// None of the keys opens the file.
    #[error("no key opens this file: it is for {0}")]
    NoKey(String),
    /// The passphrase is wrong, or the part of the header with the wrapped key is damaged.
    #[error("the passphrase (or its keyfile) is wrong")]
    WrongPassphrase,
    /// The payload was sealed with another key than the one in the header.
    #[error("header and payload belong to different files: the key's commitment differs")]
    Foreign,
    /// The header was changed.
    #[error("the header was changed: its authentication code is wrong")]
    HeaderForged,
    /// The end of the file is missing.
    #[error("the file is truncated: its end is missing")]
    Truncated,
    /// More bytes follow after the end of the file.
    #[error("{bytes} bytes follow after the end of the strongbox")]
    Extended {
        /// How many bytes follow.
        bytes: u64,
    },
    /// A chunk stands at another chunk's place.
    #[error("chunk {chunk} was moved: its place holds chunk {holds}")]
    Reordered {
        /// The number of the place, from 0.
        chunk: u64,
        /// The number that the chunk there had when it was sealed.
        holds: u64,
    },
    /// The payload has fewer or more bytes than were sealed, but its end is intact.
    #[error("{bytes} bytes are {} inside the file", if *.missing { "missing" } else { "too many" })]
    Length {
        /// How many bytes.
        bytes: u64,
        /// Whether the bytes are missing.
        missing: bool,
    },
    /// All chunks from one on are foreign.
    #[error("from chunk {chunk} on, the file continues with another file's chunks")]
    Spliced {
        /// The number of the first foreign chunk, from 0.
        chunk: u64,
    },
    /// A chunk is not genuine.
    #[error("chunk {chunk} was changed, or comes from another file")]
    Damaged {
        /// The number of the chunk, from 0.
        chunk: u64,
    },
    /// The end record is not genuine, although the payload is complete.
    #[error("the end record was changed")]
    EndRecord,
    /// The encrypted metadata are not genuine.
    #[error("the metadata were changed")]
    Metadata,
    /// The file was to have a signature and has none.
    #[error("the file has no signature")]
    Unsigned,
    /// The signature is not the one of a key that was asked for.
    #[error("the file is signed by {0}, which is none of the senders that are accepted")]
    OtherSender(String),
    /// The signature is wrong.
    #[error("the signature is wrong")]
    BadSignature,
    /// A key, recipient or passphrase cannot be read.
    #[error("{0}")]
    Key(String),
    /// The content is longer than the format allows, 4 PiB.
    #[error("the content is longer than 4 PiB")]
    TooLong,
    /// The content is longer than the caller allows.
    #[error("the content is longer than the limit of {0} bytes: --max-size raises the limit")]
    Inflated(u64),
    /// An archive has an entry that must not be unpacked.
    #[error("the archive's entry {0:?} is refused: {1}")]
    Hostile(String, &'static str),
    /// The call was interrupted.
    #[error("interrupted")]
    Interrupted,
    /// The call does not fit the file or the other options.
    #[error("{0}")]
    Usage(String),
}

/// The result of this crate's functions.
pub type Result<T> = std::result::Result<T, Error>;

/// Errors of reading keys.
impl From<oldfiles::Error> for Error {
    fn from(error: oldfiles::Error) -> Self {
        match error {
            oldfiles::Error::WrongSecret => Self::WrongPassphrase,
            oldfiles::Error::Read(error) | oldfiles::Error::Write(error) => Self::Io(error),
            other => Self::Key(other.to_string()),
        }
    }
}

impl Error {
    /// Returns the exit code of the command for this error.
    pub fn exit_code(&self) -> u8 {
        match self {
            Self::Io(error) if error.kind() == io::ErrorKind::BrokenPipe => 128 + 13,
            Self::Io(_) => 3,
            Self::Usage(_) | Self::Key(_) | Self::TooLong => 2,
            Self::WrongPassphrase | Self::NoKey(_) => 4,
            Self::NotStrongbox
            | Self::Unsupported(_)
            | Self::Limit { .. }
            | Self::Inflated(_)
            | Self::Hostile(..) => 5,
            Self::Unsigned | Self::OtherSender(_) | Self::BadSignature => 6,
            Self::Interrupted => 130,
            Self::Header(_)
            | Self::Foreign
            | Self::HeaderForged
            | Self::Truncated
            | Self::Extended { .. }
            | Self::Reordered { .. }
            | Self::Length { .. }
            | Self::Spliced { .. }
            | Self::Damaged { .. }
            | Self::EndRecord
            | Self::Metadata => 1,
        }
    }

    /// Returns the word for this error in `--json`.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Io(_) => "io",
            Self::NotStrongbox => "not-strongbox",
            Self::Unsupported(_) => "unsupported",
            Self::Header(_) => "header",
            Self::Limit { .. } => "limit",
            Self::NoKey(_) => "no-key",
            Self::WrongPassphrase => "wrong-passphrase",
            Self::Foreign => "foreign",
            Self::HeaderForged => "header-forged",
            Self::Truncated => "truncated",
            Self::Extended { .. } => "extended",
            Self::Reordered { .. } => "reordered",
            Self::Length { .. } => "length",
            Self::Spliced { .. } => "spliced",
            Self::Damaged { .. } => "damaged",
            Self::EndRecord => "end-record",
            Self::Metadata => "metadata",
            Self::Unsigned => "unsigned",
            Self::OtherSender(_) => "other-sender",
            Self::BadSignature => "bad-signature",
            Self::Key(_) => "key",
            Self::TooLong => "too-long",
            Self::Inflated(_) => "inflated",
            Self::Hostile(..) => "hostile",
            Self::Interrupted => "interrupted",
            Self::Usage(_) => "usage",
        }
    }
}
