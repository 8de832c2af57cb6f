//! Block ciphers in ECB and CBC.
#![allow(unsafe_code)]

use std::ffi::{c_int, c_void};

use touchstone_worker::{Failure, Message, Plan, Text, Work, Written};

use crate::ffi::{Api, Context, Cryptlib, IV, KEY, MODE, int, ok, takes};

/// Rows: the primitive, `CRYPT_ALGO_…`, bytes of the key and of a block.
const CIPHERS: &[(&str, c_int, usize, usize)] = &[
    ("aes-128", 8, 16, 16),
    ("aes-192", 8, 24, 16),
    ("aes-256", 8, 32, 16),
    ("des-ede3", 2, 24, 8),
];

/// `CRYPT_MODE_ECB` and `CRYPT_MODE_CBC`.
const ECB: c_int = 1;
const CBC: c_int = 2;

type Call = unsafe extern "C" fn(c_int, *mut c_void, c_int) -> c_int;

#[derive(Clone, Copy)]
pub(crate) struct Cipher {
    api: Api,
    call: Call,
    encrypts: bool,
    mode: c_int,
    algorithm: c_int,
    key: usize,
    block: usize,
}

impl Plan for Cipher {
    type Library = Cryptlib;
    /// A context has one key, so each key makes a new one.
    type Object = Option<Context>;
    const OPERATIONS: &'static [&'static str] =
        &["ecb-encrypt", "ecb-decrypt", "cbc-encrypt", "cbc-decrypt"];

    fn find(library: &Cryptlib, primitive: &str, operation: &str) -> Option<Self> {
        let row = CIPHERS.iter().find(|(id, ..)| *id == primitive)?;
        let (_, algorithm, key, block) = *row;
        let api = library.api;
        Context::new(api, algorithm).ok()?;
        let encrypts = operation.ends_with("-encrypt");
        Some(Self {
            api,
            call: if encrypts {
                api.cryptEncrypt
            } else {
                api.cryptDecrypt
            },
            encrypts,
            mode: if operation.starts_with("ecb-") {
                ECB
            } else {
                CBC
            },
            algorithm,
            key,
            block,
        })
    }

    fn api(&self, _: &str, _: &str) -> String {
        let call = if self.encrypts {
            "cryptEncrypt"
        } else {
            "cryptDecrypt"
        };
        match self.mode {
            ECB => call.into(),
            _ => format!("cryptSetAttributeString, {call}"),
        }
    }

    fn note(&self, _: &str, _: &str) -> &'static str {
        "works in place: the copy of the message is in the call; a new context for each key"
    }

    fn fit(self, work: &Work) -> Result<Self, Failure> {
        work.need_key(self.key)?;
        if self.mode == CBC {
            work.need_nonce(self.block)?;
        }
        let length = work.input.len();
        if length == 0 || !length.is_multiple_of(self.block) {
            return Err(Failure::length("a message", length));
        }
        Ok(self)
    }

    fn make(&self) -> Result<Option<Context>, Failure> {
        Ok(None)
    }

    fn set_key(&self, object: &mut Option<Context>, key: &[u8]) -> Result<(), Failure> {
        *object = None;
        let context = Context::new(self.api, self.algorithm)?;
        // SAFETY: the context is live.
        let status = unsafe { (self.api.cryptSetAttribute)(context.handle, MODE, self.mode) };
        takes("cryptSetAttribute", status)?;
        context.set(KEY, key)?;
        *object = Some(context);
        Ok(())
    }

    #[inline(always)]
    fn process(
        &self,
        object: &mut Option<Context>,
        message: &Message<'_>,
        output: &mut [u8],
    ) -> Written {
        let context = object.as_ref();
        let context = context.ok_or_else(|| Failure::failed("no key was set"))?;
        if self.mode == CBC {
            context.set(IV, message.nonce)?;
        }
        let length = message.input.len();
        let text = Text::Apart(message.input, output).moved().as_mut_ptr();
        // SAFETY: the context is live, and the output has the length of the message.
        let status = unsafe { (self.call)(context.handle, text.cast(), int(length)?) };
        ok("cryptEncrypt or cryptDecrypt", status)?;
        Ok(length)
    }
}
