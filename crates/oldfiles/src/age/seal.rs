//! Writing age files.

use std::io::{Read, Write};

use super::header::Header;
use super::{armor, stanza, stream};
use crate::error::Error;
use crate::identity::{Public, Recipient, random};
use crate::secrets::Passphrase;

/// For whom [`seal_age`] encrypts, and the form of the file.
#[derive(Debug, Clone)]
pub struct AgeOptions {
    /// The recipients. Each can open the file alone. A hybrid recipient stands only beside other
    /// hybrid recipients, because any other would undo its protection.
    pub recipients: Vec<Recipient>,
    /// A passphrase in place of recipients.
    pub passphrase: Option<Passphrase>,
    /// scrypt fills 2^`work_factor` KiB of memory; age's own default is 18.
    pub work_factor: u32,
    /// Whether the file is text.
    pub armored: bool,
}

impl Default for AgeOptions {
    fn default() -> Self {
        Self {
            recipients: Vec::new(),
            passphrase: None,
            work_factor: 18,
            armored: false,
        }
    }
}

/// Encrypts all that the reader has to an age file, and returns the number of bytes read.
///
/// # Errors
///
/// [`Error::Setting`] if there is neither a recipient nor a passphrase, if there are both, if
/// hybrid recipients are mixed with others, and for a work factor that is not 1 to 30;
/// [`Error::Read`], [`Error::Write`].
pub fn seal_age(
    input: &mut dyn Read,
    output: &mut dyn Write,
    options: &AgeOptions,
) -> Result<u64, Error> {
    let file_key = random::<16>()?;
    let stanzas = match (&options.passphrase, &options.recipients[..]) {
        (Some(passphrase), []) if passphrase.utf8().is_empty() => {
            return Err(Error::setting(
                "an age file needs a passphrase that is not empty",
            ));
        }
        (Some(passphrase), []) => vec![stanza::wrap_scrypt(
            passphrase.utf8(),
            options.work_factor,
            &file_key,
        )?],
        (None, []) => {
            return Err(Error::setting(
                "an age file needs a recipient or a passphrase",
            ));
        }
        (None, recipients) => {
            let hybrid = |one: &&Recipient| matches!(one.0, Public::Hybrid(_));
            let hybrids = recipients.iter().filter(hybrid).count();
            if hybrids != 0 && hybrids != recipients.len() {
                return Err(Error::setting(
                    "a post-quantum recipient cannot stand beside others: they would undo its \
                     protection",
                ));
            }
            let wrapped = recipients.iter().map(|one| stanza::wrap(one, &file_key));
            wrapped.collect::<Result<_, _>>()?
        }
        (Some(_), _) => {
            return Err(Error::setting(
                "an age file has either a passphrase or recipients, never both",
            ));
        }
    };
    let header = Header::write(&stanzas, &file_key)?;
    let salt = random::<16>()?;
    if options.armored {
        let mut armor = armor::Writer::new(output).map_err(Error::Write)?;
        armor.write_all(&header).map_err(Error::Write)?;
        let count = stream::encrypt(input, &mut armor, &file_key, &salt)?;
        armor.finish().map_err(Error::Write)?;
        return Ok(count);
    }
    output.write_all(&header).map_err(Error::Write)?;
    stream::encrypt(input, output, &file_key, &salt)
}
