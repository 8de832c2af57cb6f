//! AES, one block a call.
#![allow(unsafe_code)]

use std::ffi::{c_char, c_int, c_uint, c_void};
use std::ptr;

use touchstone_worker::{Failure, Memory, Message, Plan, Text, Work, Written};

use crate::ffi::{Api, Miracl};

/// `MR_ECB` and `MR_CBC` of <miracl.h>.
const ECB: c_int = 0;
const CBC: c_int = 1;

const BLOCK: usize = 16;
/// Room for the context, `aes`, which has 123 words of 32 bits and 16 bytes.
const CONTEXT: usize = 1024;

type Call = unsafe extern "C" fn(*mut c_void, *mut c_char) -> c_uint;

#[derive(Clone, Copy)]
pub(crate) struct Block {
    api: Api,
    call: Call,
    encrypts: bool,
    mode: c_int,
    key: usize,
}

/// A context, and the key, which each message of CBC needs with its IV.
pub(crate) struct Keyed {
    context: Memory,
    key: Vec<u8>,
}

impl Plan for Block {
    type Library = Miracl;
    type Object = Keyed;
    const OPERATIONS: &'static [&'static str] =
        &["ecb-encrypt", "ecb-decrypt", "cbc-encrypt", "cbc-decrypt"];

    fn find(miracl: &Miracl, primitive: &str, operation: &str) -> Option<Self> {
        let bits: usize = primitive.strip_prefix("aes-")?.parse().ok()?;
        let api = miracl.api;
        let encrypts = operation.ends_with("-encrypt");
        Some(Self {
            api,
            call: if encrypts {
                api.aes_encrypt
            } else {
                api.aes_decrypt
            },
            encrypts,
            mode: if operation.starts_with("ecb-") {
                ECB
            } else {
                CBC
            },
            key: bits / 8,
        })
    }

    fn api(&self, _: &str, _: &str) -> String {
        let call = if self.encrypts {
            "aes_encrypt"
        } else {
            "aes_decrypt"
        };
        match self.mode {
            ECB => call.into(),
            _ => format!("aes_init, {call}"),
        }
    }

    fn note(&self, _: &str, _: &str) -> &'static str {
        match self.mode {
            ECB => "one call for each block",
            _ => "one call for each block; the key is set with each message's IV",
        }
    }

    fn fit(self, work: &Work) -> Result<Self, Failure> {
        work.need_key(self.key)?;
        if self.mode == CBC {
            work.need_nonce(BLOCK)?;
        }
        if !work.input.len().is_multiple_of(BLOCK) {
            return Err(Failure::length("a message", work.input.len()));
        }
        Ok(self)
    }

    fn make(&self) -> Result<Keyed, Failure> {
        Ok(Keyed {
            context: Memory::new(CONTEXT),
            key: Vec::new(),
        })
    }

    fn set_key(&self, keyed: &mut Keyed, key: &[u8]) -> Result<(), Failure> {
        key.clone_into(&mut keyed.key);
        self.start(keyed, ptr::null())
    }

    #[inline(always)]
    fn process(&self, keyed: &mut Keyed, message: &Message<'_>, output: &mut [u8]) -> Written {
        if self.mode == CBC {
            self.start(keyed, message.nonce.as_ptr())?;
        }
        let text = Text::Apart(message.input, output).moved();
        let length = message.input.len();
        for block in text[..length].chunks_exact_mut(BLOCK) {
            // SAFETY: the context has a key, and the block has 16 bytes.
            unsafe { (self.call)(keyed.context.at(0), block.as_mut_ptr().cast()) };
        }
        Ok(length)
    }
}

impl Block {
    /// Sets the key that is kept, and an IV; NULL means that there is none.
    fn start(&self, keyed: &mut Keyed, iv: *const u8) -> Result<(), Failure> {
        let (context, key) = (keyed.context.at(0), keyed.key.as_ptr());
        let bytes = keyed.key.len() as c_int;
        // SAFETY: the memory has room for the context, and the length is the key's. An IV has 16
        // bytes.
        match unsafe { (self.api.aes_init)(context, self.mode, bytes, key, iv) } {
            0 => Err(Failure::failed("aes_init")),
            _ => Ok(()),
        }
    }
}
