//! Block ciphers in modes whose output is as long as the message, and stream ciphers.
#![allow(unsafe_code)]

use std::ffi::c_int;

use touchstone_worker::{
    BLOCK_MODES, Batch, Failure, Message, Plan, STREAMS, Work, Written, algorithm, c_string,
};

use crate::ffi::{Api, Handle, Many, Pointer, Touchstone, p, p_mut};

/// `enum touchstone_direction`.
const DECRYPT: c_int = 0;
const ENCRYPT: c_int = 1;

const CALL: &str = "touchstone_cipher_message";

/// A cipher in a mode, which processes a whole message by one call.
#[derive(Clone)]
pub(crate) struct Cipher {
    api: Api,
    name: String,
    direction: c_int,
    parameter: Option<(&'static str, u64)>,
}

pub(crate) struct Whole {
    handle: Handle,
    many: Many,
    outputs: Vec<Pointer>,
}

impl Plan for Cipher {
    type Library = Touchstone;
    type Object = Whole;
    const OPERATIONS: &'static [&'static str] = BLOCK_MODES;

    fn find(library: &Touchstone, primitive: &str, operation: &str) -> Option<Self> {
        let name = algorithm(primitive, operation);
        let direction = if operation.ends_with("-decrypt") {
            DECRYPT
        } else {
            ENCRYPT
        };
        library.ciphers.contains(&name).then_some(Self {
            api: library.api,
            name,
            direction,
            parameter: None,
        })
    }

    fn api(&self, _: &str, _: &str) -> String {
        CALL.into()
    }

    /// In modes that are serial within a message, many messages at once are faster than one
    /// after the other.
    fn many(&self, _: &str, operation: &str) -> Option<&'static str> {
        let serial = ["cbc-encrypt", "cfb-encrypt", "ofb-encrypt"].contains(&operation);
        serial.then_some("touchstone_cipher_many")
    }

    fn fit(mut self, work: &Work) -> Result<Self, Failure> {
        self.parameter = work.parameter();
        Ok(self)
    }

    fn make(&self) -> Result<Whole, Failure> {
        let (api, direction) = (&self.api, self.direction);
        // SAFETY: `Handle::made` passes a valid place and a C string.
        let new = |place, name| unsafe { (api.touchstone_cipher_new)(place, name, direction) };
        let handle = Handle::made(api, api.touchstone_cipher_free, &self.name, new)?;
        if let Some((name, value)) = self.parameter {
            let (cipher, name) = (handle.pointer, c_string(name));
            // SAFETY: the handle is live, and the name is a C string.
            let code =
                unsafe { (api.touchstone_cipher_set_parameter)(cipher, name.as_ptr(), value) };
            api.check(code)?;
        }
        Ok(Whole {
            handle,
            many: Many::default(),
            outputs: Vec::new(),
        })
    }

    fn set_key(&self, whole: &mut Whole, key: &[u8]) -> Result<(), Failure> {
        let set_key = self.api.touchstone_cipher_set_key;
        whole.handle.set_key(&self.api, set_key, key)
    }

    #[inline(always)]
    fn process(&self, whole: &mut Whole, message: &Message<'_>, output: &mut [u8]) -> Written {
        let Message { nonce, input, .. } = *message;
        let (iv, n, len) = (p(nonce), nonce.len(), input.len());
        let (cipher, output) = (whole.handle.pointer, p_mut(&mut output[..len]));
        // SAFETY: the handle is live, and each length is the length of its bytes.
        let code =
            unsafe { (self.api.touchstone_cipher_message)(cipher, iv, n, p(input), output, len) };
        self.api.check(code).map(|()| len)
    }

    fn process_many(&self, whole: &mut Whole, batch: &Batch<'_>, output: &mut [u8]) -> Written {
        let length = batch.length();
        if length == 0 {
            return Err(Failure::unsupported("many empty messages"));
        }
        let (inputs, lens, count) = whole.many.of(batch);
        whole.outputs.clear();
        let outputs = output[..length * batch.messages].chunks_exact_mut(length);
        whole.outputs.extend(outputs.map(p_mut));
        // SAFETY: the handle is live. The numbers of initialization vectors, inputs, outputs
        // and lengths equal the number of messages.
        let code = unsafe {
            (self.api.touchstone_cipher_many)(
                whole.handle.pointer,
                p(batch.nonces),
                batch.nonces.len() / batch.messages,
                inputs,
                whole.outputs.as_ptr(),
                lens,
                count,
            )
        };
        self.api.check(code).map(|()| length)
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
    type Object = (Whole, Vec<u8>, Vec<u8>);
    const OPERATIONS: &'static [&'static str] = STREAMS;

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
        Ok((self.whole.make()?, vec![0; self.drop], zeros))
    }

    fn set_key(&self, (whole, ..): &mut Self::Object, key: &[u8]) -> Result<(), Failure> {
        self.whole.set_key(whole, key)
    }

    #[inline(always)]
    fn process(
        &self,
        (whole, drop, zeros): &mut Self::Object,
        message: &Message<'_>,
        output: &mut [u8],
    ) -> Written {
        let input = match self.keystream {
            Some(_) => zeros,
            None => message.input,
        };
        let message = Message { input, ..*message };
        if self.counter.is_none() && self.drop == 0 {
            return self.whole.process(whole, &message, output);
        }
        let Message { nonce, input, .. } = message;
        let (api, cipher) = (&self.whole.api, whole.handle.pointer);
        let output = &mut output[..input.len()];
        let (drop, n, iv) = (p_mut(drop), drop.len(), p(nonce));
        // SAFETY: the handle is live, and each length is the length of its bytes.
        unsafe {
            api.check((api.touchstone_cipher_set_iv)(cipher, iv, nonce.len()))?;
            if let Some(counter) = self.counter {
                let byte = counter.checked_mul(BLOCK);
                let byte = byte.ok_or_else(|| Failure::unsupported("a counter so high"))?;
                api.check((api.touchstone_cipher_seek)(cipher, byte))?;
            }
            let update = api.touchstone_cipher_update;
            api.check(update(cipher, drop, drop, n))?;
            api.check(update(cipher, p(input), p_mut(output), input.len()))?;
        }
        Ok(input.len())
    }
}
