//! Errors of other programs' files: their exit codes, their words in `--json`, and the options that
//! help.

use std::io;

use oldfiles::{Error, Format};

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

/// Says whether the work was stopped by a signal, while it read or wrote.
pub(super) fn is_interruption(error: &Error) -> bool {
    let (Error::Read(error) | Error::Write(error)) = error else {
        return false;
    };
    let inner = error.get_ref().and_then(|inner| inner.downcast_ref());
    matches!(inner, Some(strongbox::Error::Interrupted))
}

/// Names the option that helps.
pub(super) fn hint(error: &Error, format: Option<Format>) -> Option<String> {
    let openssl = "--cipher, --digest, --iterations and --no-salt say what `openssl enc` was told";
    let text = match (error, format) {
        (Error::Unauthenticated, _) => "--accept-unauthenticated",
        (Error::Limit { what, .. }, _) => match *what {
            "plaintext" => "--max-size BYTES",
            "memory" => "--kdf-memory KIB",
            _ => return None,
        },
        (Error::OtherCipher { cipher }, _) => return Some(format!("--cipher {cipher}")),
        (Error::SecretMissing { .. }, Some(Format::Age)) => {
            "--identity FILE for a key, --passphrase-file FILE or the prompt for a passphrase"
        }
        (Error::SecretMissing { needs }, _) if needs.contains("passphrase") => {
            "--passphrase-file FILE, --passphrase-fd, --passphrase-env or --askpass"
        }
        (Error::WrongSecret, Some(Format::Pea)) => {
            "--keyfile FILE, if the archive was made with one"
        }
        (Error::WrongSecretOrDamaged, Some(Format::OpensslEnc)) => openssl,
        _ => return None,
    };
    Some(text.to_owned())
}
