//! Block ciphers in modes whose output is as long as the message, and stream ciphers.

use touchstone::InOutBuf;
use touchstone::dynamic::{self, CipherAlgorithm, Direction, Error, Options};
use touchstone_worker::{
    BLOCK_MODES, Batch, Failure, Message, Plan, STREAMS, Text, Work, Written, algorithm,
};

use crate::Touchstone;
use crate::by_name::{failure, in_out, keyed, options, set_key};

const CALL: &str = "dynamic::Cipher::message_inout";

/// A cipher in a mode, which processes a whole message by one call.
#[derive(Clone)]
pub(crate) struct Cipher {
    algorithm: CipherAlgorithm,
    direction: Direction,
    options: Options<'static>,
}

impl Plan for Cipher {
    type Library = Touchstone;
    type Object = Option<dynamic::Cipher>;
    const OPERATIONS: &'static [&'static str] = BLOCK_MODES;
    const IN_PLACE: bool = true;

    fn find(_: &Touchstone, primitive: &str, operation: &str) -> Option<Self> {
        Some(Self {
            algorithm: dynamic::Cipher::find(&algorithm(primitive, operation)).ok()?,
            direction: if operation.ends_with("-decrypt") {
                Direction::Decrypt
            } else {
                Direction::Encrypt
            },
            options: Options::default(),
        })
    }

    fn api(&self, _: &str, _: &str) -> String {
        CALL.into()
    }

    /// In modes that are serial within a message, many messages at once are faster than one
    /// after the other.
    fn many(&self, _: &str, operation: &str) -> Option<&'static str> {
        let serial = ["cbc-encrypt", "cfb-encrypt", "ofb-encrypt"].contains(&operation);
        serial.then_some("dynamic::Cipher::apply_many")
    }

    fn fit(mut self, work: &Work) -> Result<Self, Failure> {
        self.options = options(work);
        Ok(self)
    }

    fn make(&self) -> Result<Self::Object, Failure> {
        Ok(None)
    }

    fn set_key(&self, cipher: &mut Self::Object, key: &[u8]) -> Result<(), Failure> {
        let first = |key: &[u8]| self.algorithm.with(self.direction, key, &self.options);
        set_key(cipher, key, first, dynamic::Cipher::rekey)
    }

    #[inline(always)]
    fn transform(
        &self,
        cipher: &mut Self::Object,
        message: &Message<'_>,
        text: Text<'_>,
    ) -> Written {
        let length = text.length();
        let data = in_out(text)?;
        match keyed(cipher)?.message_inout(message.nonce, data) {
            Ok(()) => Ok(length),
            Err(error) => Err(failure(error)),
        }
    }

    fn process_many(
        &self,
        cipher: &mut Self::Object,
        batch: &Batch<'_>,
        output: &mut [u8],
    ) -> Written {
        let length = batch.length();
        if length == 0 {
            return Err(Failure::unsupported("many empty messages"));
        }
        let mut messages = Vec::with_capacity(batch.messages);
        let outputs = output.chunks_exact_mut(length);
        for ((iv, input), output) in batch.nonces().zip(batch.inputs()).zip(outputs) {
            let data = InOutBuf::new(input, output).map_err(Failure::failed)?;
            messages.push(dynamic::Message { iv, data });
        }
        keyed(cipher)?.apply_many(messages).map_err(failure)?;
        Ok(length)
    }
}

/// A stream cipher. The keystream begins at its first byte or at a later byte. Without a
/// message, the output is the keystream.
#[derive(Clone)]
pub(crate) struct Stream {
    whole: Cipher,
    /// The requested length of keystream in bytes, if keystream without a message is requested. It is
    /// the encryption of so many zeros.
    keystream: Option<usize>,
    /// The block at which the message begins.
    counter: Option<u64>,
    /// The number of keystream bytes that are discarded first.
    drop: usize,
}

/// Length of a block in bytes. ChaCha and Salsa20 are the ciphers whose blocks have numbers.
const BLOCK: u64 = 64;

impl Plan for Stream {
    type Library = Touchstone;
    /// The cipher, room for the discarded keystream, and the zeros whose encryption is the keystream.
    type Object = (Option<dynamic::Cipher>, Vec<u8>, Vec<u8>);
    const OPERATIONS: &'static [&'static str] = STREAMS;
    const IN_PLACE: bool = true;

    fn find(library: &Touchstone, primitive: &str, operation: &str) -> Option<Self> {
        Some(Self {
            whole: Cipher::find(library, primitive, operation)?,
            keystream: (operation == "stream-keystream").then_some(0),
            counter: None,
            drop: 0,
        })
    }

    fn api(&self, _: &str, _: &str) -> String {
        CALL.into()
    }

    fn fit(mut self, work: &Work) -> Result<Self, Failure> {
        self.whole = self.whole.fit(work)?;
        self.keystream = self.keystream.map(|_| work.length.unwrap_or(0));
        self.counter = work.cost("counter");
        let drop = work.cost("drop").unwrap_or(0);
        self.drop = drop.try_into().map_err(Failure::unsupported)?;
        Ok(self)
    }

    fn make(&self) -> Result<Self::Object, Failure> {
        let zeros = vec![0; self.keystream.unwrap_or(0)];
        Ok((None, vec![0; self.drop], zeros))
    }

    fn set_key(&self, (cipher, ..): &mut Self::Object, key: &[u8]) -> Result<(), Failure> {
        self.whole.set_key(cipher, key)
    }

    #[inline(always)]
    fn transform(
        &self,
        (cipher, drop, zeros): &mut Self::Object,
        message: &Message<'_>,
        text: Text<'_>,
    ) -> Written {
        let from_start = self.counter.is_none() && self.drop == 0;
        if self.keystream.is_none() && from_start {
            return self.whole.transform(cipher, message, text);
        }
        let (input, output) = text.apart()?;
        let input = match self.keystream {
            Some(_) => zeros,
            None => input,
        };
        let data = InOutBuf::new(input, &mut output[..input.len()]).map_err(Failure::failed)?;
        let cipher = keyed(cipher)?;
        let call = || -> Result<(), Error> {
            if from_start {
                return cipher.message_inout(message.nonce, data);
            }
            cipher.set_iv(message.nonce)?;
            if let Some(counter) = self.counter {
                let byte = counter.checked_mul(BLOCK).ok_or(Error::Parameter)?;
                cipher.seek(byte)?;
            }
            cipher.apply(drop)?;
            cipher.apply_inout(data)
        };
        call().map_err(failure)?;
        Ok(input.len())
    }
}
