//! A live object of a library, and the arguments of each call of the object.

use crate::Failure;

/// The inputs of one call, except the key. `docs/operations.md` defines the fields.
#[derive(Debug, Clone, Copy, Default)]
pub struct Message<'a> {
    /// The nonce, IV, first counter block, tweak, salt or crypt(3) setting.
    pub nonce: &'a [u8],
    /// Additional authenticated data.
    pub aad: &'a [u8],
    /// The message, the ciphertext joined with its tag, or the password.
    pub input: &'a [u8],
    /// Inputs that have none of the fields above, by name.
    pub others: &'a [(String, Vec<u8>)],
}

impl<'a> Message<'a> {
    /// Returns one of the inputs in `others`, by name.
    pub fn other(&self, name: &str) -> &'a [u8] {
        let found = self.others.iter().find(|(known, _)| known == name);
        found.map_or(&[], |(_, bytes)| bytes)
    }
}

/// Copies an IV of at most 16 bytes, for a library that writes the next IV over the given one. A
/// program that is written for one cipher copies 8 or 16 bytes with one or two instructions. This
/// function does the same; copying a slice of unknown length would need a call of `memcpy`.
#[inline]
pub fn chain(nonce: &[u8]) -> [u8; 16] {
    let mut chain = [0; 16];
    match nonce.len() {
        16 => chain.copy_from_slice(nonce),
        8 => chain[..8].copy_from_slice(nonce),
        length => chain[..length].copy_from_slice(nonce),
    }
    chain
}

/// A message, and the memory for its output.
#[derive(Debug)]
pub enum Text<'a> {
    /// The message, and separate memory for the output.
    Apart(&'a [u8], &'a mut [u8]),
    /// In place: the memory for the output. Its first bytes are the message, and the number is the
    /// message's length.
    InPlace(&'a mut [u8], usize),
}

impl<'a> Text<'a> {
    /// Returns the length of the message in bytes.
    #[inline]
    pub fn length(&self) -> usize {
        match self {
            Self::Apart(input, _) => input.len(),
            Self::InPlace(_, length) => *length,
        }
    }

    /// Returns the two addresses that a C function needs: of the message, and of the memory for the
    /// output.
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

    /// Returns the memory for the output.
    #[inline]
    pub fn output(&mut self) -> &mut [u8] {
        match self {
            Self::Apart(_, output) => output,
            Self::InPlace(text, _) => text,
        }
    }

    /// Returns the memory for the output, with the message in its first bytes. Copies the message
    /// there unless it is in place. This is for a library that can only work in place.
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

    /// Splits the memory for the output: the text with as many bytes of output as the message has,
    /// and the bytes after them, where a tag is written.
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

    /// Returns the message and the memory for the output. The two must be separate.
    #[inline]
    pub fn apart(self) -> Result<(&'a [u8], &'a mut [u8]), Failure> {
        match self {
            Self::Apart(input, output) => Ok((input, output)),
            Self::InPlace(..) => Err(Failure::unsupported("this operation in place")),
        }
    }
}

/// The arguments of one call for many messages. All messages have the same length, and are stored
/// one after the other.
#[derive(Debug, Clone, Copy)]
pub struct Batch<'a> {
    /// The number of messages.
    pub messages: usize,
    /// A key for each message (in crypt(3) a phrase); empty if all messages use the key that was
    /// set.
    pub keys: &'a [u8],
    /// A nonce, IV, salt or setting for each message.
    pub nonces: &'a [u8],
    /// Additional authenticated data, which is the same for all messages.
    pub aad: &'a [u8],
    /// The messages.
    pub inputs: &'a [u8],
}

impl<'a> Batch<'a> {
    /// Returns the keys, one after the other.
    pub fn keys(&self) -> impl Iterator<Item = &'a [u8]> + use<'a> {
        each(self.keys, self.messages)
    }

    /// Returns the nonces, one after the other.
    pub fn nonces(&self) -> impl Iterator<Item = &'a [u8]> + use<'a> {
        each(self.nonces, self.messages)
    }

    /// Returns the messages, one after the other.
    pub fn inputs(&self) -> impl Iterator<Item = &'a [u8]> + use<'a> {
        each(self.inputs, self.messages)
    }

    /// Returns the length of one message in bytes.
    pub fn length(&self) -> usize {
        self.inputs.len() / self.messages.max(1)
    }
}

/// Splits bytes into this many pieces of equal length; the pieces are empty if there are no bytes.
fn each(bytes: &[u8], pieces: usize) -> impl Iterator<Item = &[u8]> {
    let length = bytes.len() / pieces.max(1);
    (0..pieces).map(move |piece| &bytes[piece * length..][..length])
}

/// A live object of a library. A new object has no key yet.
///
/// The timing loop does not know the type of the object. It calls every library through a pointer,
/// as a program calls a library that it has loaded. So the compiler cannot inline a linked library
/// into the loop, or specialise the library for the arguments in the loop.
pub trait Operation {
    /// Schedules a key in place of an earlier key. An operation without a key does not implement
    /// this function.
    fn set_key(&mut self, key: &[u8]) -> Result<(), Failure> {
        let _ = key;
        Ok(())
    }

    /// Processes one whole message: nonce, associated data and input; also makes or checks the tag.
    /// `output` has room for `length` if the work gives a length, else for all inputs together, and
    /// for 256 bytes more; an operation without inputs has room for 16 KiB.
    /// Returns the number of bytes written.
    #[inline]
    fn process(&mut self, message: &Message<'_>, output: &mut [u8]) -> Result<usize, Failure> {
        self.transform(message, Text::Apart(message.input, output))
    }

    /// Writes the last output, if `process` left it in the library's own form, such as a number that
    /// is not bytes. `written` is the answer of `process`. Returns the number of bytes written. The
    /// timed loop calls this function only in the contracts that go from bytes to bytes (`keyed` and
    /// `implicit`).
    fn deliver(&mut self, output: &mut [u8], written: usize) -> Result<usize, Failure> {
        let _ = output;
        Ok(written)
    }

    /// Like [`Operation::process`], in place: the message is the first `length` bytes of `text`,
    /// and the output is written over the message. The field `input` of `message` is empty.
    #[inline]
    fn process_in_place(
        &mut self,
        message: &Message<'_>,
        text: &mut [u8],
        length: usize,
    ) -> Result<usize, Failure> {
        self.transform(message, Text::InPlace(text, length))
    }

    /// Does the work of `process` and of `process_in_place`, for a library that can write an output
    /// over its message without a copy. The library's offer must say `in-place`. An object
    /// implements either this function or `process`.
    fn transform(&mut self, message: &Message<'_>, text: Text<'_>) -> Result<usize, Failure> {
        let _ = (message, text);
        Err(Failure::unsupported("messages in place"))
    }

    /// Processes many messages by one call of the library, and writes the outputs one after the
    /// other. Returns the number of bytes written for each message. Only a library with such a call
    /// implements this function; its offer says `many` or `many-keyed`.
    fn process_many(&mut self, batch: &Batch<'_>, output: &mut [u8]) -> Result<usize, Failure> {
        let _ = (batch, output);
        Err(Failure::unsupported("many messages in one call"))
    }
}
