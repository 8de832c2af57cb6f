//! What an adapter implements: an object of its library, and what one call takes.

use crate::Failure;

/// What one call takes besides the key. Field meanings are those of
/// `docs/operations.md`.
#[derive(Debug, Clone, Copy, Default)]
pub struct Message<'a> {
    /// Nonce, IV, first counter block, tweak, salt or crypt(3) setting.
    pub nonce: &'a [u8],
    /// Additional authenticated data.
    pub aad: &'a [u8],
    /// Message, ciphertext (joined with its tag), or password.
    pub input: &'a [u8],
    /// Inputs of other names.
    pub others: &'a [(String, Vec<u8>)],
}

impl<'a> Message<'a> {
    /// An input by its name, for those that have no place of their own.
    pub fn other(&self, name: &str) -> &'a [u8] {
        let found = self.others.iter().find(|(known, _)| known == name);
        found.map_or(&[], |(_, bytes)| bytes)
    }
}

/// What one call for many messages takes. They are equally long, and the bytes
/// of one stand after those of the other.
#[derive(Debug, Clone, Copy)]
pub struct Batch<'a> {
    /// How many messages there are.
    pub messages: usize,
    /// A key for each (in crypt(3) a phrase); empty where all are under the
    /// scheduled key.
    pub keys: &'a [u8],
    /// A nonce, IV, salt or setting for each.
    pub nonces: &'a [u8],
    /// Additional authenticated data, the same for all.
    pub aad: &'a [u8],
    /// The messages.
    pub inputs: &'a [u8],
}

impl<'a> Batch<'a> {
    /// The keys, one after the other.
    pub fn keys(&self) -> impl Iterator<Item = &'a [u8]> + use<'a> {
        each(self.keys, self.messages)
    }

    /// The nonces, one after the other.
    pub fn nonces(&self) -> impl Iterator<Item = &'a [u8]> + use<'a> {
        each(self.nonces, self.messages)
    }

    /// The messages, one after the other.
    pub fn inputs(&self) -> impl Iterator<Item = &'a [u8]> + use<'a> {
        each(self.inputs, self.messages)
    }

    /// Bytes of one message.
    pub fn length(&self) -> usize {
        self.inputs.len() / self.messages.max(1)
    }
}

/// Equal pieces; so many empty ones where there are no bytes.
fn each(bytes: &[u8], pieces: usize) -> impl Iterator<Item = &[u8]> {
    let length = bytes.len() / pieces.max(1);
    (0..pieces).map(move |piece| &bytes[piece * length..][..length])
}

/// One live object of a library: made, but not yet keyed.
///
/// The timing loop knows no type of object. It calls each library through one pointer, as
/// a program calls a library that it has loaded, so a library that is linked in is neither
/// inlined into the loop nor specialised for what the loop passes.
pub trait Operation {
    /// Schedules a key, replacing any before it. Operations without a key keep
    /// the default.
    fn set_key(&mut self, key: &[u8]) -> Result<(), Failure> {
        let _ = key;
        Ok(())
    }

    /// One whole message: nonce, associated data, input, and tag made or
    /// checked. `output` has room for the input and 256 bytes more, or for
    /// `length` where the work asks for one. Returns the bytes written.
    fn process(&mut self, message: &Message<'_>, output: &mut [u8]) -> Result<usize, Failure>;

    /// Like [`Operation::process`], with the message in the first `length` bytes of
    /// `text`, over which the output is written; the message's own `input` is empty. Only a
    /// library that can do so without a copy implements it, and says `in-place` in its
    /// offer.
    fn process_in_place(
        &mut self,
        message: &Message<'_>,
        text: &mut [u8],
        length: usize,
    ) -> Result<usize, Failure> {
        let _ = (message, text, length);
        Err(Failure::unsupported("messages in place"))
    }

    /// Many messages by one call of the library, outputs one after the other.
    /// Returns the bytes written for each. Only a library that has such a call
    /// implements it, and says `many` or `many-keyed` in its offer.
    fn process_many(&mut self, batch: &Batch<'_>, output: &mut [u8]) -> Result<usize, Failure> {
        let _ = (batch, output);
        Err(Failure::unsupported("many messages in one call"))
    }
}
