//! The options that say for whom a file is sealed.

use std::io::{self, Write};
use std::path::PathBuf;

use oldfiles::keys::ssh_rsa::RSA;
use strongbox::{Costs, Error, Recipient, text};

use super::old_seal::OldFormat;
use super::report::Failure;
use super::secrets::{self, PassphraseSource};
use super::{Common, keygen};

/// For whom a file is sealed.
#[derive(clap::Args)]
pub(super) struct Recipients {
    /// A recipient: age1pq1… from `strongbox keygen`, age1…, or ssh-ed25519 AAAA…; with
    /// --format age also ssh-rsa AAAA….
    #[arg(long, short, value_name = "KEY")]
    pub(super) recipient: Vec<String>,
    /// A file of recipients, one on each line.
    #[arg(long, short = 'R', value_name = "FILE")]
    pub(super) recipients_file: Vec<PathBuf>,
    /// Seal for a passphrase, beside the recipients.
    #[arg(long, short)]
    pub(super) passphrase: bool,
    /// Make a passphrase and write it to standard error.
    #[arg(long, conflicts_with = "phrase")]
    pub(super) generate: bool,
    /// Seal for whoever has this file, and knows the passphrase if there is one.
    #[arg(long, value_name = "FILE")]
    pub(super) keyfile: Option<PathBuf>,
    #[command(flatten)]
    pub(super) source: PassphraseSource,
    /// The costs of Argon2, from `strongbox keygen --calibrate`.
    #[arg(long, value_name = "COSTS", env = "STRONGBOX_KDF", default_value_t = Costs::default())]
    pub(super) kdf: Costs,
}

impl Recipients {
    /// Says whether any recipient was named.
    pub(super) fn any(&self) -> bool {
        !self.recipient.is_empty()
            || !self.recipients_file.is_empty()
            || self.keyfile.is_some()
            || self.wants_passphrase()
    }

    fn wants_passphrase(&self) -> bool {
        self.passphrase || self.generate || self.source.is_given()
    }

    /// Collects the recipients. Without any, a passphrase is asked for.
    pub(super) fn collect(&self, common: &Common, prompt: &str) -> Result<Vec<Recipient>, Failure> {
        Ok(self.collect_for(None, common, prompt)?.0)
    }

    /// Collects the recipients of a file in another format, and the keys that only this format
    /// has: age files are also for RSA keys of SSH.
    pub(super) fn collect_for(
        &self,
        format: Option<OldFormat>,
        common: &Common,
        prompt: &str,
    ) -> Result<(Vec<Recipient>, Vec<String>), Failure> {
        let (mut all, mut others) = (Vec::new(), Vec::new());
        let mut add = |text: &str| -> Result<(), Error> {
            let kind = text.split_ascii_whitespace().next();
            if format == Some(OldFormat::Age) && kind == Some(RSA) {
                others.push(text.to_owned());
            } else {
                all.push(text::parse_recipient(text)?);
            }
            Ok(())
        };
        for text in &self.recipient {
            add(text)?;
        }
        for path in &self.recipients_file {
            let at = |error: Error| Failure::at(path, error);
            let text = std::fs::read_to_string(path).map_err(|error| at(error.into()))?;
            for line in text.lines().map(str::trim) {
                if !line.is_empty() && !line.starts_with('#') {
                    add(line).map_err(at)?;
                }
            }
        }
        let keyfile = self
            .keyfile
            .as_deref()
            .map(secrets::read_keyfile)
            .transpose()?;
        let none = all.is_empty() && others.is_empty() && keyfile.is_none();
        if self.wants_passphrase() || none {
            let phrase = if self.generate {
                keygen::show_phrase(common)?
            } else {
                self.source.get(prompt, true)?
            };
            all.push(Recipient::Passphrase(phrase, keyfile, self.kdf));
        } else if let Some(keyfile) = keyfile {
            all.push(Recipient::Keyfile(keyfile));
        }
        if !common.quiet && all.iter().any(is_classical) && all.iter().any(|r| !is_classical(r)) {
            let _ = writeln!(
                io::stderr(),
                "strongbox: a quantum computer could open this file by the recipients of X25519 \
                 or SSH"
            );
        }
        Ok((all, others))
    }
}

fn is_classical(recipient: &Recipient) -> bool {
    matches!(recipient, Recipient::X25519(_) | Recipient::Ssh(_))
}
