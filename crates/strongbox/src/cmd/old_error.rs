//! Errors of other programs' files: their exit codes, and their words in `--json`.

use std::io;

use oldfiles::Error;

/// The exit code for an error of another format: the classes are those of strongboxes.
pub(super) fn exit_code(error: &Error) -> u8 {
    match error {
        Error::Write(error) if error.kind() == io::ErrorKind::BrokenPipe => 128 + 13,
        Error::Read(_) | Error::Write(_) | Error::Changed => 3,
        Error::SecretMissing { .. } | Error::WrongSecret | Error::WrongSecretOrDamaged => 4,
        Error::Truncated { .. }
        | Error::Trailing
        | Error::Malformed { .. }
        | Error::Damaged { .. } => 1,
        Error::Setting { .. } | Error::OtherCipher { .. } => 2,
        // Other formats, limits, hostile names, and data that nothing authenticates.
        _ => 5,
    }
}

/// The word for an error in `--json`.
pub(super) fn kind(error: &Error) -> &'static str {
    match error {
        Error::Read(_) | Error::Write(_) => "io",
        Error::OtherFormat { .. } => "other-format",
        Error::Truncated { .. } => "truncated",
        Error::Trailing => "extended",
        Error::Malformed { .. } => "malformed",
        Error::SecretMissing { .. } => "no-key",
        Error::WrongSecret => "wrong-passphrase",
        Error::WrongSecretOrDamaged => "wrong-passphrase-or-damaged",
        Error::Damaged { .. } => "damaged",
        Error::OtherCipher { .. } => "other-cipher",
        Error::Changed => "changed",
        Error::Unsupported { .. } => "unsupported",
        Error::Limit { .. } => "limit",
        Error::HostileName { .. } => "hostile",
        Error::Unauthenticated => "unauthenticated",
        Error::Setting { .. } => "key",
        _ => "other",
    }
}
