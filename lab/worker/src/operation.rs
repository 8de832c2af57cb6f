//! A live object of a library, and what each call to the object takes.

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

/// A message, and the room for its output.
#[derive(Debug)]
pub enum Text<'a> {
    /// The message, and the room for the output elsewhere.
    Apart(&'a [u8], &'a mut [u8]),
    /// The room for the output, whose first bytes, so many, are the message.
    InPlace(&'a mut [u8], usize),
}

impl<'a> Text<'a> {
    /// Bytes of the message.
    #[inline]
    pub fn length(&self) -> usize {
        match self {
            Self::Apart(input, _) => input.len(),
            Self::InPlace(_, length) => *length,
        }
    }

    /// Where a C function finds the message, and where it writes the output.
    #[inline]
    pub fn pointers(&mut self) -> (*const u8, *mut u8) {
        match self {
            Self::Apart(input, output) => (input.as_ptr(), output.as_mut_ptr()),
            Self::InPlace(text, _) => {
                let text = text.as_mut_ptr();
                (text.cast_const(), text)
            }
        }
    }

    /// The room for the output.
    #[inline]
    pub fn output(&mut self) -> &mut [u8] {
        match self {
            Self::Apart(_, output) => output,
            Self::InPlace(text, _) => text,
        }
    }

    /// The output's room with the message in its first bytes: the message is copied there
    /// unless it is in place, for a library that works in place only.
    #[inline]
    pub fn moved(self) -> &'a mut [u8] {
        match self {
            Self::Apart(input, output) => {
                output[..input.len()].copy_from_slice(input);
                output
            }
            Self::InPlace(text, _) => text,
        }
    }

    /// The same text with room for as many bytes as the message has, and the room behind
    /// them, where a tag goes.
    #[inline]
    pub fn with_rest(self) -> (Self, &'a mut [u8]) {
        match self {
            Self::Apart(input, output) => {
                let (output, rest) = output.split_at_mut(input.len());
                (Self::Apart(input, output), rest)
            }
            Self::InPlace(text, length) => {
                let (text, rest) = text.split_at_mut(length);
                (Self::InPlace(text, length), rest)
            }
        }
    }

    /// Message and room, which must not be the same.
    #[inline]
    pub fn apart(self) -> Result<(&'a [u8], &'a mut [u8]), Failure> {
        match self {
            Self::Apart(input, output) => Ok((input, output)),
            Self::InPlace(..) => Err(Failure::unsupported("this operation in place")),
        }
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
    #[inline]
    fn process(&mut self, message: &Message<'_>, output: &mut [u8]) -> Result<usize, Failure> {
        self.transform(message, Text::Apart(message.input, output))
    }

    /// Like [`Operation::process`], with the message in the first `length` bytes of
    /// `text`, over which the output is written; the message's own `input` is empty.
    #[inline]
    fn process_in_place(
        &mut self,
        message: &Message<'_>,
        text: &mut [u8],
        length: usize,
    ) -> Result<usize, Failure> {
        self.transform(message, Text::InPlace(text, length))
    }

    /// Both of them, for a library that can write an output over its message without a
    /// copy, and says `in-place` in its offer. An object has this function or `process`.
    fn transform(&mut self, message: &Message<'_>, text: Text<'_>) -> Result<usize, Failure> {
        let _ = (message, text);
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
