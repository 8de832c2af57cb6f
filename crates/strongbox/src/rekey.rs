//! Changing who can open a file: only the header is written anew.

use crate::error::{Error, Result};
use crate::header::Header;
use crate::random::Randomness;
use crate::recipient::{Recipient, describe};
use crate::unlock::Unlocked;

impl Unlocked {
    /// Returns the header for other recipients; the payload and the file key stay. `keep` says
    /// which of the old stanzas stay, by their number. The new header has the length of the old
    /// one if it fits.
    ///
    /// Whoever could open the file before knows the file key, and can still open copies of the
    /// payload.
    ///
    /// # Errors
    ///
    /// [`Error::Usage`] if nobody could open the file; [`Error::Key`], [`Error::Io`].
    pub fn rekey(
        &self,
        keep: &dyn Fn(usize) -> bool,
        add: &[Recipient],
        room: usize,
        random: &mut dyn Randomness,
    ) -> Result<Vec<u8>> {
        let old = &self.header;
        let kept = old
            .stanzas
            .iter()
            .enumerate()
            .filter(|(number, _)| keep(*number));
        let mut stanzas: Vec<_> = kept.map(|(_, stanza)| stanza.clone()).collect();
        for recipient in add {
            stanzas.push(recipient.stanza(&self.key, random)?);
        }
        if stanzas.is_empty() {
            return Err(Error::Usage(
                "nobody could open the file: keep or add a recipient".into(),
            ));
        }
        let header = Header::new(old.suite, old.flags, stanzas, old.metadata.clone());
        let tight = header.encode(&self.key, 0, old.size())?;
        if tight.len() == old.size() {
            return Ok(tight);
        }
        header.encode(&self.key, room, old.size())
    }

    /// Returns the length of the header in bytes.
    pub fn header_size(&self) -> usize {
        self.header.size()
    }

    /// Says for whom the file is, in words.
    pub fn describe(&self) -> String {
        describe(&self.header.stanzas)
    }
}
