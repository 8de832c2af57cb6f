//! Block ciphers in modes that keep a message's length, and stream ciphers.
#![allow(unsafe_code)]

use std::ffi::{CString, c_int};

use touchstone_worker::{
    Batch, Cell, Contract, Failure, Message, Offer, Operation, Work, c_string,
};

use crate::ffi::{Api, Handle, Many, Pointer, Touchstone, p, p_mut};

/// `enum touchstone_direction`.
const DECRYPT: c_int = 0;
const ENCRYPT: c_int = 1;

/// The modes that the lab knows.
const MODES: &[&str] = &[
    "ecb", "cbc", "cbc-cs1", "cbc-cs2", "cbc-cs3", "cfb", "cfb8", "ofb", "ctr", "xts",
];
/// Those whose encryption and decryption are the same, offered once.
const SAME: &[&str] = &["ofb", "ctr"];
/// Serial modes, in which many messages at once are faster than one by one.
const MANY: &[&str] = &["cbc-encrypt", "cfb-encrypt", "ofb-encrypt"];

const CALL: &str = "touchstone_cipher_message";

pub(crate) fn offers(library: &Touchstone) -> Vec<Offer> {
    let mut offers = Vec::new();
    for name in &library.ciphers {
        if let Some((id, mode)) = library.split(name, MODES) {
            let ways: &[&str] = if SAME.contains(&mode) {
                &["encrypt"]
            } else {
                &["encrypt", "decrypt"]
            };
            for way in ways {
                let operation = format!("{mode}-{way}");
                let mut offer = library.named(name, id, &operation, CALL);
                if MANY.contains(&operation.as_str()) {
                    offer.api += "; many: touchstone_cipher_many";
                    offer.contracts = vec![Contract::Many];
                }
                offers.push(offer);
            }
        } else if !library.is_over_block_cipher(name) {
            for operation in ["stream-encrypt", "stream-keystream"] {
                offers.push(library.named(name, name, operation, CALL));
            }
        }
    }
    offers
}

pub(crate) fn cell(library: &Touchstone, work: &Work) -> Option<Result<Cell, Failure>> {
    let (mode, direction) = match work.operation.rsplit_once('-')? {
        (mode, "encrypt") => (mode, ENCRYPT),
        (mode, "decrypt") => (mode, DECRYPT),
        ("stream", "keystream") => ("stream", ENCRYPT),
        _ => return None,
    };
    let name = if mode == "stream" {
        work.primitive.clone()
    } else {
        format!("{}-{mode}", work.primitive)
    };
    if !library.ciphers.contains(&name) {
        return None;
    }
    let api = library.api;
    let parameter = ["effective-bits", "rounds"]
        .iter()
        .find_map(|name| Some((c_string(name), work.cost(name)?)));
    let whole = move || {
        let name = c_string(&name);
        // SAFETY: the handle's place is valid, and the name is a C string.
        let new = |h| unsafe { (api.touchstone_cipher_new)(h, name.as_ptr(), direction) };
        let handle = Handle::new(&api, api.touchstone_cipher_free, new)?;
        if let Some((name, value)) = &parameter {
            set_parameter(&api, &handle, name, *value)?;
        }
        Ok(Whole {
            api,
            handle,
            many: Many::default(),
            outputs: Vec::new(),
        })
    };
    if mode != "stream" {
        return Some(Ok(Cell::new(whole)));
    }
    let keystream = (work.operation == "stream-keystream").then_some(work.length.unwrap_or(0));
    let (counter, drop) = (work.cost("counter"), work.cost("drop"));
    Some(Ok(Cell::new(move || {
        Ok(Stream {
            whole: whole()?,
            keystream,
            counter,
            drop: vec![0; usize::try_from(drop.unwrap_or(0)).map_err(Failure::unsupported)?],
        })
    })))
}

fn set_parameter(api: &Api, handle: &Handle, name: &CString, value: u64) -> Result<(), Failure> {
    // SAFETY: the handle lives, and the name is a C string.
    let code =
        unsafe { (api.touchstone_cipher_set_parameter)(handle.pointer, name.as_ptr(), value) };
    api.check(code)
}

/// Whole messages by one call.
struct Whole {
    api: Api,
    handle: Handle,
    many: Many,
    outputs: Vec<Pointer>,
}

impl Operation for Whole {
    fn set_key(&mut self, key: &[u8]) -> Result<(), Failure> {
        let cipher = self.handle.pointer;
        // SAFETY: the handle lives, and the key has its length.
        let code = unsafe { (self.api.touchstone_cipher_set_key)(cipher, p(key), key.len()) };
        self.api.check(code)
    }

    #[inline]
    fn process(&mut self, message: &Message<'_>, output: &mut [u8]) -> Result<usize, Failure> {
        let Message { nonce, input, .. } = *message;
        let output = &mut output[..input.len()];
        // SAFETY: the handle lives, and all bytes have their lengths.
        let code = unsafe {
            (self.api.touchstone_cipher_message)(
                self.handle.pointer,
                p(nonce),
                nonce.len(),
                p(input),
                p_mut(output),
                input.len(),
            )
        };
        self.api.check(code)?;
        Ok(input.len())
    }

    fn process_many(&mut self, batch: &Batch<'_>, output: &mut [u8]) -> Result<usize, Failure> {
        let length = batch.length();
        if length == 0 {
            return Err(Failure::unsupported("many empty messages"));
        }
        self.many.set(batch.inputs());
        self.outputs.clear();
        let outputs = output[..length * batch.messages].chunks_exact_mut(length);
        self.outputs.extend(outputs.map(p_mut));
        let (inputs, lens, count) = self.many.parts();
        // SAFETY: the handle lives; there are as many initialization vectors, inputs, outputs
        // and lengths as messages.
        let code = unsafe {
            (self.api.touchstone_cipher_many)(
                self.handle.pointer,
                p(batch.nonces),
                batch.nonces.len() / batch.messages,
                inputs,
                self.outputs.as_ptr(),
                lens,
                count,
            )
        };
        self.api.check(code)?;
        Ok(length)
    }
}

/// A stream from its first byte on, or from a later one, or the keystream alone.
struct Stream {
    whole: Whole,
    /// Bytes of keystream to make, where there is no message.
    keystream: Option<usize>,
    /// The block at which the message begins.
    counter: Option<u64>,
    /// As long as what is thrown away of the keystream first.
    drop: Vec<u8>,
}

/// Bytes of a block of ChaCha and Salsa20, the ciphers whose blocks have numbers.
const BLOCK: u64 = 64;

impl Operation for Stream {
    fn set_key(&mut self, key: &[u8]) -> Result<(), Failure> {
        self.whole.set_key(key)
    }

    #[inline]
    fn process(&mut self, message: &Message<'_>, output: &mut [u8]) -> Result<usize, Failure> {
        if self.keystream.is_none() && self.counter.is_none() && self.drop.is_empty() {
            return self.whole.process(message, output);
        }
        let Message { nonce, input, .. } = *message;
        let (api, cipher) = (self.whole.api, self.whole.handle.pointer);
        // SAFETY: the handle lives, and all bytes have their lengths.
        unsafe {
            api.check((api.touchstone_cipher_set_iv)(
                cipher,
                p(nonce),
                nonce.len(),
            ))?;
            if let Some(counter) = self.counter {
                let byte = counter.checked_mul(BLOCK);
                let byte = byte.ok_or_else(|| Failure::unsupported("a counter so high"))?;
                api.check((api.touchstone_cipher_seek)(cipher, byte))?;
            }
            let (drop, n) = (p_mut(&mut self.drop), self.drop.len());
            api.check((api.touchstone_cipher_update)(cipher, drop, drop, n))?;
            let length = self.keystream.unwrap_or(input.len());
            let output = &mut output[..length];
            let from = if self.keystream.is_some() {
                output.fill(0);
                p(output)
            } else {
                p(input)
            };
            api.check((api.touchstone_cipher_update)(
                cipher,
                from,
                p_mut(output),
                length,
            ))?;
            Ok(length)
        }
    }
}
