//! Block ciphers in their modes, and RC4: `mcrypt_generic` and
//! `mdecrypt_generic`.
#![allow(unsafe_code)]

use std::ffi::{CString, c_int};
use std::ptr;

use touchstone_worker::{
    Cell, Direction, Failure, Message, Offer, Operation, Work, c_string, offer,
};

use crate::ffi::{Api, Mcrypt, Open};

/// Primitive, module, and the accepted key lengths; an empty list means all up to the
/// longest. The library pads keys of other lengths with zeros, which no other library
/// does.
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

/// How a message begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Start {
    /// Nothing is to be set.
    None,
    /// The state is the IV.
    Iv,
    /// The state is the place in the block, then the IV.
    Place,
    /// With the key, because the cipher cannot be restarted in another way.
    Key,
}

/// Operation stem, module, start, whether decryption is a different function, and whether
/// messages are whole blocks.
const MODES: &[(&str, &str, Start, bool, bool)] = &[
    ("ecb", "ecb", Start::None, true, true),
    ("cbc", "cbc", Start::Iv, true, true),
    ("cfb", "ncfb", Start::Place, true, false),
    ("cfb8", "cfb", Start::Iv, true, false),
    ("ofb", "nofb", Start::Place, false, false),
    ("ctr", "ctr", Start::Place, false, false),
    ("stream", "stream", Start::Key, false, false),
];

/// The parameters of an object, known before it is made.
#[derive(Clone)]
struct Plan {
    api: Api,
    cipher: CString,
    mode: CString,
    start: Start,
    encrypt: bool,
    whole: bool,
    keys: &'static [usize],
    /// The longest key.
    most: usize,
    block: usize,
}

impl Plan {
    fn find(mcrypt: &Mcrypt, primitive: &str, operation: &str) -> Option<Self> {
        let (stem, way) = Direction::split(operation)?;
        let (_, cipher, keys) = *CIPHERS.iter().find(|(id, ..)| *id == primitive)?;
        let (_, mode, start, both, whole) = *MODES.iter().find(|(id, ..)| *id == stem)?;
        let encrypt = way.is_encrypt();
        if !encrypt && !both {
            return None;
        }
        let (cipher, mode) = (c_string(cipher), c_string(mode));
        // The library opens a block cipher in the stream mode, and a stream cipher in a
        // block mode, without an error, but refuses to use them.
        if (primitive == "rc4") != (start == Start::Key) {
            return None;
        }
        let open = mcrypt.api.open(&cipher, &mode)?;
        let (block, most) = (open.block(), open.longest_key());
        Some(Self {
            api: mcrypt.api,
            cipher,
            mode,
            start,
            encrypt,
            whole,
            keys,
            most,
            block,
        })
    }

    fn fit(self, work: &Work) -> Result<Self, Failure> {
        let (key, nonce, given) = (work.key.len(), work.nonce.len(), work.input.len());
        let iv = match self.start {
            Start::Iv | Start::Place => self.block,
            Start::None | Start::Key => 0,
        };
        let key_fits = if self.keys.is_empty() {
            (1..=self.most).contains(&key)
        } else {
            self.keys.contains(&key)
        };
        // RC2 has all of its 1024 bits in effect, whatever the key's length.
        let bits = work.cost("effective-bits").unwrap_or(8 * key as u64);
        let refusal = if !key_fits {
            format!("a key of {key} bytes")
        } else if nonce != iv {
            format!("an IV of {nonce} bytes")
        } else if self.whole && !given.is_multiple_of(self.block) {
            format!("a message of {given} bytes")
        } else if work.primitive == "rc2" && bits != 1024 {
            format!("an effective key length of {bits} bits")
        } else if work.cost("rounds").is_some() {
            "a number of rounds".to_owned()
        } else if work.cost("drop").is_some_and(|n| n != 0) {
            "dropping keystream".to_owned()
        } else if work.cost("counter").is_some_and(|n| n != 0) {
            "a first block number".to_owned()
        } else {
            return Ok(self);
        };
        Err(Failure::Unsupported(refusal))
    }
}

pub(crate) fn offers(mcrypt: &Mcrypt) -> Vec<Offer> {
    CIPHERS
        .iter()
        .flat_map(|(id, ..)| {
            MODES.iter().flat_map(move |(stem, _, _, both, _)| {
                let ways = ["encrypt", "decrypt"].into_iter();
                ways.take(if *both { 2 } else { 1 })
                    .map(move |way| (*id, format!("{stem}-{way}")))
            })
        })
        .filter_map(|(id, operation)| {
            let plan = Plan::find(mcrypt, id, &operation)?;
            let call = if plan.encrypt {
                "mcrypt_generic"
            } else {
                "mdecrypt_generic"
            };
            let (api, note) = match plan.start {
                Start::None => (call.to_owned(), "in place, after a copy"),
                Start::Key => (
                    format!("mcrypt_generic_init, {call}, deinit"),
                    "in place, after a copy; the key goes in with every message",
                ),
                _ => (
                    format!("mcrypt_enc_set_state, {call}"),
                    "in place, after a copy",
                ),
            };
            let mut row = offer(id, &operation, &api);
            row.note = note.into();
            Some(row)
        })
        .collect()
}

pub(crate) fn cell(mcrypt: &Mcrypt, work: &Work) -> Option<Result<Cell, Failure>> {
    let plan = Plan::find(mcrypt, &work.primitive, &work.operation)?.fit(work);
    Some(plan.map(|plan| {
        Cell::new(move || {
            let open = plan
                .api
                .open(&plan.cipher, &plan.mode)
                .ok_or_else(|| Failure::failed("mcrypt_module_open"))?;
            Ok(Cipher {
                api: plan.api,
                open,
                start: plan.start,
                encrypt: plan.encrypt,
                key: Vec::new(),
            })
        })
    }))
}

struct Cipher {
    api: Api,
    open: Open,
    start: Start,
    encrypt: bool,
    /// RC4's key, which is passed with every message.
    key: Vec<u8>,
}

/// The modes need an IV together with the key; each message has its own IV.
const NO_IV: [u8; 64] = [0; 64];

impl Operation for Cipher {
    fn set_key(&mut self, key: &[u8]) -> Result<(), Failure> {
        if self.start == Start::Key {
            self.key.clear();
            self.key.extend_from_slice(key);
            return Ok(());
        }
        self.open.init(key, &NO_IV)
    }

    #[inline]
    fn process(&mut self, message: &Message<'_>, output: &mut [u8]) -> Result<usize, Failure> {
        if self.start == Start::Key {
            self.open.init(&self.key, &NO_IV)?;
        }
        let (api, module) = (&self.api, self.open.module);
        let (given, nonce) = (message.input.len(), message.nonce);
        let bytes = c_int::try_from(given)
            .map_err(|_| Failure::unsupported("more than 2 GiB in one call"))?;
        let to = output.as_mut_ptr();
        let run = if self.encrypt {
            api.mcrypt_generic
        } else {
            api.mdecrypt_generic
        };
        // SAFETY: the module is keyed; its state is a block, in the modes with
        // a place a byte more; the output has room for the input.
        unsafe {
            match self.start {
                Start::Iv => {
                    let code =
                        (api.mcrypt_enc_set_state)(module, nonce.as_ptr(), nonce.len() as c_int);
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
