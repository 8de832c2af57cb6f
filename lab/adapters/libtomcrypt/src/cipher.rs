//! Block ciphers in the modes without authentication, and stream ciphers.
#![allow(unsafe_code)]

use std::ffi::{c_int, c_ulong};
use std::ptr;

use touchstone_worker::{
    Cell, Direction, Failure, Memory, Message, Offer, Operation, Work, offer, room,
};

use crate::block::{BLOCK, Block};
use crate::ffi::{Api, Done, Run, SetIv, Start, TomCrypt, int};

/// Operation stem, the struct of its state, and whether decryption is a different
/// function.
const MODES: &[(&str, &str, bool)] = &[
    ("ecb", "symmetric_ECB", true),
    ("cbc", "symmetric_CBC", true),
    ("cfb", "symmetric_CFB", true),
    ("ofb", "symmetric_OFB", false),
    ("ctr", "symmetric_CTR", false),
    ("xts", "symmetric_xts", true),
];

/// How the key is set and a message begins.
#[derive(Clone, Copy)]
enum Form {
    Ecb(Run),
    /// CBC, CFB, OFB: a start, an IV, the work, the end.
    Chained(Start, SetIv, Run, Done),
    /// CTR, with the library's number for big-endian counters.
    Counter(c_int),
    Xts,
}

/// The parameters of an object, known before it is made.
#[derive(Clone, Copy)]
struct Plan {
    api: Api,
    block: Block,
    form: Form,
    encrypt: bool,
    /// Bytes of the state.
    state: usize,
    /// The input must be a multiple of this.
    whole: usize,
}

impl Plan {
    fn find(tom: &TomCrypt, primitive: &str, operation: &str) -> Option<Self> {
        let (stem, way) = Direction::split(operation)?;
        let (_, name, both) = MODES.iter().find(|(id, ..)| *id == stem)?;
        let encrypt = way.is_encrypt();
        if !encrypt && !*both {
            return None;
        }
        let api = tom.api;
        let block = Block::find(tom, primitive)?;
        let form = match stem {
            "ecb" if encrypt => Form::Ecb(api.ecb_encrypt),
            "ecb" => Form::Ecb(api.ecb_decrypt),
            "cbc" => {
                let run = if encrypt {
                    api.cbc_encrypt
                } else {
                    api.cbc_decrypt
                };
                Form::Chained(api.cbc_start, api.cbc_setiv, run, api.cbc_done)
            }
            "cfb" => {
                let run = if encrypt {
                    api.cfb_encrypt
                } else {
                    api.cfb_decrypt
                };
                Form::Chained(api.cfb_start, api.cfb_setiv, run, api.cfb_done)
            }
            "ofb" => Form::Chained(api.ofb_start, api.ofb_setiv, api.ofb_encrypt, api.ofb_done),
            "ctr" => Form::Counter(api.constant("CTR_COUNTER_BIG_ENDIAN")?),
            _ if block.size == 16 => Form::Xts,
            _ => return None,
        };
        Some(Self {
            api,
            block,
            form,
            encrypt,
            state: api.size(name)?,
            whole: if matches!(stem, "ecb" | "cbc") {
                block.size
            } else {
                1
            },
        })
    }

    fn fit(mut self, work: &Work) -> Result<Self, Failure> {
        let xts = matches!(self.form, Form::Xts);
        self.block = self.block.fit(work, if xts { 2 } else { 1 })?;
        let nonce = match self.form {
            Form::Ecb(_) => 0,
            _ => self.block.size,
        };
        if work.nonce.len() != nonce {
            return Err(Failure::length("an IV", work.nonce.len()));
        }
        let given = work.input.len();
        if !given.is_multiple_of(self.whole) || (xts && given < 16) {
            return Err(Failure::length("a message", given));
        }
        Ok(self)
    }
}

pub(crate) fn offers(tom: &TomCrypt) -> Vec<Offer> {
    let ways = |both: bool| if both { 2 } else { 1 };
    let block = BLOCK.iter().flat_map(|(id, ..)| {
        MODES.iter().flat_map(move |(stem, _, both)| {
            let ways = ["encrypt", "decrypt"].into_iter().take(ways(*both));
            ways.map(move |way| (*id, format!("{stem}-{way}"), format!("{stem}_{way}")))
        })
    });
    let block = block.filter(|(id, operation, _)| Plan::find(tom, id, operation).is_some());
    let stream = [("rc4", "rc4_stream"), ("chacha20", "chacha")];
    let stream = stream.iter().flat_map(|(id, name)| {
        [("encrypt", "crypt"), ("keystream", "keystream")]
            .map(|(end, call)| (*id, format!("stream-{end}"), format!("{name}_{call}")))
    });
    block
        .chain(stream)
        .map(|(id, operation, api)| {
            let mut row = offer(id, &operation, &api);
            if id == "rc4" {
                row.note = "the keyed state is copied before each message".into();
            }
            row
        })
        .collect()
}

pub(crate) fn cell(tom: &TomCrypt, work: &Work) -> Option<Result<Cell, Failure>> {
    if let Some(cell) = stream(tom, work) {
        return Some(cell);
    }
    let plan = Plan::find(tom, &work.primitive, &work.operation)?.fit(work);
    Some(plan.map(|plan| {
        Cell::new(move || {
            Ok(Cipher {
                plan,
                state: Memory::new(plan.state),
                keyed: false,
            })
        })
    }))
}

struct Cipher {
    plan: Plan,
    state: Memory,
    keyed: bool,
}

impl Cipher {
    /// Calls the library's `done` on a keyed state.
    fn done(&mut self) {
        let (api, state) = (&self.plan.api, self.state.at(0));
        if self.keyed {
            // SAFETY: the state was started. These calls fail only on ciphers
            // that nobody registered.
            unsafe {
                match self.plan.form {
                    Form::Ecb(_) => _ = (api.ecb_done)(state),
                    Form::Chained(.., done) => _ = done(state),
                    Form::Counter(_) => _ = (api.ctr_done)(state),
                    Form::Xts => (api.xts_done)(state),
                }
            }
            self.keyed = false;
        }
    }
}

impl Drop for Cipher {
    fn drop(&mut self) {
        self.done();
    }
}

impl Operation for Cipher {
    fn set_key(&mut self, key: &[u8]) -> Result<(), Failure> {
        self.done();
        let Plan {
            api, block, form, ..
        } = &self.plan;
        let state = self.state.at(0);
        let (number, rounds) = (block.number, block.rounds);
        let (start, bytes) = (key.as_ptr(), int(key.len())?);
        // The modes need an IV together with the key; each message has its own IV.
        let iv = [0; 16];
        // SAFETY: the memory has the state's size, and the IV has more bytes than a
        // block.
        let code = unsafe {
            match *form {
                Form::Ecb(_) => (api.ecb_start)(number, start, bytes, rounds, state),
                Form::Chained(begin, ..) => begin(number, iv.as_ptr(), start, bytes, rounds, state),
                Form::Counter(mode) => {
                    let begin = api.ctr_start;
                    begin(number, iv.as_ptr(), start, bytes, rounds, mode, state)
                }
                Form::Xts => {
                    let half = key.len() / 2;
                    let second = key[half..].as_ptr();
                    (api.xts_start)(number, start, second, half as c_ulong, rounds, state)
                }
            }
        };
        api.ok("start", code)?;
        self.keyed = true;
        Ok(())
    }

    #[inline]
    fn process(&mut self, message: &Message<'_>, output: &mut [u8]) -> Result<usize, Failure> {
        let Plan {
            api, form, encrypt, ..
        } = &self.plan;
        let state = self.state.at(0);
        let (iv, iv_bytes) = (message.nonce.as_ptr(), message.nonce.len() as c_ulong);
        let (from, bytes) = (message.input.as_ptr(), message.input.len() as c_ulong);
        let to = output.as_mut_ptr();
        // SAFETY: the state is started; IV and input have lengths that the mode takes
        // (checked when the plan was made), and the output has room for the input.
        unsafe {
            let code = match *form {
                Form::Ecb(run) => run(from, to, bytes, state),
                Form::Chained(_, set_iv, run, _) => {
                    api.ok("setiv", set_iv(iv, iv_bytes, state))?;
                    run(from, to, bytes, state)
                }
                Form::Counter(_) => {
                    api.ok("ctr_setiv", (api.ctr_setiv)(iv, iv_bytes, state))?;
                    (api.ctr_encrypt)(from, to, bytes, state)
                }
                Form::Xts => {
                    // The call leaves the next tweak in it.
                    let mut tweak = [0; 16];
                    tweak.copy_from_slice(message.nonce);
                    let run = if *encrypt {
                        api.xts_encrypt
                    } else {
                        api.xts_decrypt
                    };
                    run(from, bytes, to, tweak.as_mut_ptr(), state)
                }
            };
            api.ok("the mode's call", code)?;
        }
        Ok(message.input.len())
    }
}

/// Which stream cipher; ChaCha20 with its first block number, and whether the
/// nonce is the 12 bytes of RFC 8439.
#[derive(Clone, Copy)]
enum Kind {
    Rc4,
    ChaCha { number: u64, ietf: bool },
}

fn stream(tom: &TomCrypt, work: &Work) -> Option<Result<Cell, Failure>> {
    let bare = match work.operation.as_str() {
        "stream-encrypt" => false,
        "stream-keystream" => true,
        _ => return None,
    };
    let (key, nonce) = (work.key.len(), work.nonce.len());
    let number = work.cost("counter").unwrap_or(0);
    let ietf = nonce == 12;
    let (kind, name, key_fits, nonce_fits) = match work.primitive.as_str() {
        "rc4" => (Kind::Rc4, "rc4_state", (5..=256).contains(&key), nonce == 0),
        "chacha20" => (
            Kind::ChaCha { number, ietf },
            "chacha_state",
            matches!(key, 16 | 32),
            ietf || nonce == 8,
        ),
        _ => return None,
    };
    let api = tom.api;
    let state = room(api.size(name)?);
    let refusal = if !key_fits {
        format!("a key of {key} bytes")
    } else if !nonce_fits {
        format!("a nonce of {nonce} bytes")
    } else if (ietf && number > u64::from(u32::MAX)) || (matches!(kind, Kind::Rc4) && number != 0) {
        format!("a first block number of {number}")
    } else if work.cost("drop").is_some_and(|n| n != 0) {
        "dropping keystream".to_owned()
    } else {
        let length = bare.then(|| work.length.unwrap_or(64));
        return Some(Ok(Cell::new(move || {
            Ok(Stream {
                api,
                kind,
                length,
                state,
                memory: Memory::new(2 * state),
            })
        })));
    };
    Some(Err(Failure::Unsupported(refusal)))
}

struct Stream {
    api: Api,
    kind: Kind,
    /// Bytes of keystream, if keystream without a message is requested.
    length: Option<usize>,
    /// Bytes of a state.
    state: usize,
    /// The keyed state; for RC4 also the copy for the message.
    memory: Memory,
}

impl Operation for Stream {
    fn set_key(&mut self, key: &[u8]) -> Result<(), Failure> {
        let (api, state) = (&self.api, self.memory.at(0));
        let (start, bytes) = (key.as_ptr(), key.len() as c_ulong);
        // SAFETY: the memory has room for the state.
        let code = unsafe {
            match self.kind {
                Kind::Rc4 => (api.rc4_stream_setup)(state, start, bytes),
                Kind::ChaCha { .. } => (api.chacha_setup)(state, start, bytes, 20),
            }
        };
        api.ok("setup", code)
    }

    #[inline]
    fn process(&mut self, message: &Message<'_>, output: &mut [u8]) -> Result<usize, Failure> {
        let (api, keyed) = (&self.api, self.memory.at(0));
        let (nonce, nonce_bytes) = (message.nonce.as_ptr(), message.nonce.len() as c_ulong);
        let (from, bytes) = (message.input.as_ptr(), message.input.len() as c_ulong);
        let to = output.as_mut_ptr();
        // SAFETY: the state is keyed and the output has room for the input, or for the
        // requested length.
        let code = unsafe {
            match self.kind {
                Kind::Rc4 => {
                    let state = self.memory.at(self.state);
                    let size = self.state;
                    ptr::copy_nonoverlapping(keyed.cast::<u8>(), state.cast::<u8>(), size);
                    match self.length {
                        Some(length) => (api.rc4_stream_keystream)(state, to, length as c_ulong),
                        None => (api.rc4_stream_crypt)(state, from, bytes, to),
                    }
                }
                Kind::ChaCha { number, ietf } => {
                    let code = if ietf {
                        (api.chacha_ivctr32)(keyed, nonce, nonce_bytes, number as u32)
                    } else {
                        (api.chacha_ivctr64)(keyed, nonce, nonce_bytes, number)
                    };
                    api.ok("chacha_ivctr", code)?;
                    match self.length {
                        Some(length) => (api.chacha_keystream)(keyed, to, length as c_ulong),
                        None => (api.chacha_crypt)(keyed, from, bytes, to),
                    }
                }
            }
        };
        api.ok("the cipher's call", code)?;
        Ok(self.length.unwrap_or(message.input.len()))
    }
}
