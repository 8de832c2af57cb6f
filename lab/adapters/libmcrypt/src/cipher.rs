//! Block ciphers in their modes, and RC4, by `mcrypt_generic` and `mdecrypt_generic`.
#![allow(unsafe_code)]

use std::ffi::{CStr, c_int};
use std::ptr;
use std::sync::Arc;

use touchstone_worker::{Direction, Failure, Message, Plan, Work, Written, c_string};

use crate::ffi::{Api, Mcrypt, Open};

/// Rows: the primitive, the library's module, the accepted key lengths in bytes. An empty list
/// means all lengths up to the longest key. The library pads a key of any other length with
/// zeros, which no other library does, so the worker refuses such a key.
const CIPHERS: &[(&str, &str, &[usize])] = &[
    ("aes-128", "rijndael-128", &[16]),
    ("aes-192", "rijndael-128", &[24]),
    ("aes-256", "rijndael-128", &[32]),
    ("blowfish", "blowfish", &[]),
    ("cast5", "cast-128", &[5, 10, 16]),
    ("des", "des", &[8]),
    ("des-ede3", "tripledes", &[24]),
    ("rc2", "rc2", &[]),
    ("rc4", "arcfour", &[]),
    ("serpent-128", "serpent", &[16]),
    ("serpent-192", "serpent", &[24]),
    ("serpent-256", "serpent", &[32]),
    ("twofish-128", "twofish", &[16]),
    ("twofish-192", "twofish", &[24]),
    ("twofish-256", "twofish", &[32]),
    ("xtea", "xtea", &[16]),
];

/// What a message sets before its data.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Start {
    /// Nothing.
    None,
    /// The state, which is the IV.
    Iv,
    /// The state, which is the position in the block, then the IV.
    Place,
    /// The key, because the library has no other way to restart RC4.
    Key,
}

/// Returns a mode's name in the library, and its start.
fn mode(mode: &str) -> Option<(&'static str, Start)> {
    Some(match mode {
        "ecb" => ("ecb", Start::None),
        "cbc" => ("cbc", Start::Iv),
        "cfb" => ("ncfb", Start::Place),
        "cfb8" => ("cfb", Start::Iv),
        "ofb" => ("nofb", Start::Place),
        "ctr" => ("ctr", Start::Place),
        "stream" => ("stream", Start::Key),
        _ => return None,
    })
}

#[derive(Clone)]
pub(crate) struct Cipher {
    api: Api,
    cipher: Arc<CStr>,
    mode: Arc<CStr>,
    start: Start,
    way: Direction,
    keys: &'static [usize],
    /// Length of the longest key in bytes.
    most: usize,
    block: usize,
}

/// The IV that is set with the key, because the modes need one. Each message sets its own IV.
const NO_IV: [u8; 64] = [0; 64];

impl Plan for Cipher {
    type Library = Mcrypt;
    /// The module, and RC4's key, which is an argument of the call for each message.
    type Object = (Open, Vec<u8>);
    const OPERATIONS: &'static [&'static str] = &[
        "ecb-encrypt",
        "ecb-decrypt",
        "cbc-encrypt",
        "cbc-decrypt",
        "cfb-encrypt",
        "cfb-decrypt",
        "cfb8-encrypt",
        "cfb8-decrypt",
        "ofb-encrypt",
        "ctr-encrypt",
        "stream-encrypt",
    ];

    fn find(mcrypt: &Mcrypt, primitive: &str, operation: &str) -> Option<Self> {
        let (stem, way) = Direction::split(operation)?;
        let (_, cipher, keys) = *CIPHERS.iter().find(|(id, ..)| *id == primitive)?;
        let (mode, start) = mode(stem)?;
        let (cipher, mode) = (c_string(cipher), c_string(mode));
        // The library opens a block cipher in the stream mode, and a stream cipher in a block
        // mode, without an error. Later calls then fail, so the worker refuses these pairs.
        if (primitive == "rc4") != (start == Start::Key) {
            return None;
        }
        let open = mcrypt.api.module(&cipher, &mode)?;
        Some(Self {
            api: mcrypt.api,
            cipher: cipher.into(),
            mode: mode.into(),
            start,
            way,
            keys,
            most: open.longest_key(),
            block: open.block(),
        })
    }

    fn api(&self, _: &str, _: &str) -> String {
        let call = self.way.choose("mcrypt_generic", "mdecrypt_generic");
        match self.start {
            Start::None => call.into(),
            Start::Key => format!("mcrypt_generic_init, {call}, deinit"),
            _ => format!("mcrypt_enc_set_state, {call}"),
        }
    }

    fn note(&self, _: &str, _: &str) -> &'static str {
        match self.start {
            Start::Key => "in place, after a copy; the key goes in with every message",
            _ => "in place, after a copy",
        }
    }

    fn fit(self, work: &Work) -> Result<Self, Failure> {
        let shape = work.shape(self.block);
        let shape = if self.start == Start::Key {
            shape.nonce(0)
        } else {
            shape
        };
        shape.fit(work, |key| match self.keys {
            [] => (1..=self.most).contains(&key),
            keys => keys.contains(&key),
        })?;
        // The library always uses RC2 with 1024 effective bits. So the worker accepts only a
        // work that requests as many effective bits as the key has.
        let full = 8 * work.key.len() as u64;
        let bits = work.cost("effective-bits").unwrap_or(full);
        if work.primitive == "rc2" && bits != 1024 {
            let bits = format_args!("an effective key length of {bits} bits");
            return Err(Failure::unsupported(bits));
        }
        if work.cost("rounds").is_some() {
            return Err(Failure::unsupported("a number of rounds"));
        }
        work.first_block(0).map(|_| self)
    }

    fn make(&self) -> Result<Self::Object, Failure> {
        let open = self.api.module(&self.cipher, &self.mode);
        let open = open.ok_or_else(|| Failure::failed("mcrypt_module_open"))?;
        Ok((open, Vec::new()))
    }

    fn set_key(&self, (open, kept): &mut Self::Object, key: &[u8]) -> Result<(), Failure> {
        if self.start == Start::Key {
            key.clone_into(kept);
            return Ok(());
        }
        open.init(key, &NO_IV)
    }

    #[inline(always)]
    fn process(
        &self,
        (open, key): &mut Self::Object,
        message: &Message<'_>,
        output: &mut [u8],
    ) -> Written {
        if self.start == Start::Key {
            open.init(key, &NO_IV)?;
        }
        let (api, module) = (&self.api, open.module);
        let (given, nonce) = (message.input.len(), message.nonce);
        let bytes = c_int::try_from(given)
            .map_err(|_| Failure::unsupported("more than 2 GiB in one call"))?;
        let to = output.as_mut_ptr();
        let run = self.way.choose(api.mcrypt_generic, api.mdecrypt_generic);
        // SAFETY: the module has a key. Its state is one block, or one byte more in the modes
        // whose state has a position. The output has room for the input.
        unsafe {
            match self.start {
                Start::Iv => {
                    let size = nonce.len() as c_int;
                    let code = (api.mcrypt_enc_set_state)(module, nonce.as_ptr(), size);
                    api.ok("mcrypt_enc_set_state", code)?;
                }
                Start::Place => {
                    let mut state = [0; 65];
                    state[1..=nonce.len()].copy_from_slice(nonce);
                    let size = nonce.len() as c_int + 1;
                    let code = (api.mcrypt_enc_set_state)(module, state.as_ptr(), size);
                    api.ok("mcrypt_enc_set_state", code)?;
                }
                Start::None | Start::Key => {}
            }
            if given != 0 {
                ptr::copy_nonoverlapping(message.input.as_ptr(), to, given);
                api.ok("mcrypt_generic", run(module, to, bytes))?;
            }
        }
        Ok(given)
    }
}
