//! Block ciphers in the modes without authentication, and stream ciphers.
#![allow(unsafe_code)]

use std::ffi::{c_int, c_ulong};

use touchstone_worker::{
    BLOCK_MODES, Direction, Failure, Memory, Message, Plan, STREAMS, Work, Written, room,
};

use crate::block::Block;
use crate::ffi::{Api, Done, Run, SetIv, Start, TomCrypt, int};

/// The functions of a mode, by how they set the key and begin a message.
#[derive(Clone, Copy)]
enum Form {
    Ecb(Run),
    /// CBC, CFB and OFB: the functions that start, set the IV, process the data, and finish.
    Chained(Start, SetIv, Run, Done),
    /// CTR: the library's constant for big-endian counters.
    Counter(c_int),
    Xts,
}

#[derive(Clone, Copy)]
pub(crate) struct BlockMode {
    api: Api,
    block: Block,
    form: Form,
    way: Direction,
    /// Length of the state in bytes.
    state: usize,
}

/// A state of a mode. Dropping a keyed state calls the library's `…_done`.
pub(crate) struct State {
    plan: BlockMode,
    memory: Memory,
    keyed: bool,
}

impl State {
    fn done(&mut self) {
        let (api, state) = (&self.plan.api, self.memory.at(0));
        if self.keyed {
            // SAFETY: the state was started. These calls fail only for a cipher that was not
            // registered.
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

impl Drop for State {
    fn drop(&mut self) {
        self.done();
    }
}

impl Plan for BlockMode {
    type Library = TomCrypt;
    type Object = State;
    const OPERATIONS: &'static [&'static str] = BLOCK_MODES;

    fn find(tom: &TomCrypt, primitive: &str, operation: &str) -> Option<Self> {
        let (mode, way) = Direction::split(operation)?;
        let (api, block) = (tom.api, Block::find(tom, primitive)?);
        let (name, form) = match mode {
            "ecb" => (
                "symmetric_ECB",
                Form::Ecb(way.choose(api.ecb_encrypt, api.ecb_decrypt)),
            ),
            "cbc" => {
                let run = way.choose(api.cbc_encrypt, api.cbc_decrypt);
                let form = Form::Chained(api.cbc_start, api.cbc_setiv, run, api.cbc_done);
                ("symmetric_CBC", form)
            }
            "cfb" => {
                let run = way.choose(api.cfb_encrypt, api.cfb_decrypt);
                let form = Form::Chained(api.cfb_start, api.cfb_setiv, run, api.cfb_done);
                ("symmetric_CFB", form)
            }
            "ofb" => {
                let run = api.ofb_encrypt;
                let form = Form::Chained(api.ofb_start, api.ofb_setiv, run, api.ofb_done);
                ("symmetric_OFB", form)
            }
            "ctr" => {
                let form = Form::Counter(api.constant("CTR_COUNTER_BIG_ENDIAN")?);
                ("symmetric_CTR", form)
            }
            "xts" if block.size == 16 => ("symmetric_xts", Form::Xts),
            _ => return None,
        };
        let state = api.size(name)?;
        Some(Self {
            api,
            block,
            form,
            way,
            state,
        })
    }

    fn api(&self, _: &str, operation: &str) -> String {
        operation.replace('-', "_")
    }

    fn fit(mut self, work: &Work) -> Result<Self, Failure> {
        (self.block, _) = self.block.fit(work, work.shape(self.block.size))?;
        Ok(self)
    }

    fn make(&self) -> Result<State, Failure> {
        let memory = Memory::new(self.state);
        Ok(State {
            plan: *self,
            memory,
            keyed: false,
        })
    }

    fn set_key(&self, object: &mut State, key: &[u8]) -> Result<(), Failure> {
        object.done();
        let (api, state) = (&self.api, object.memory.at(0));
        let (number, rounds) = (self.block.number, self.block.rounds);
        let (start, bytes) = (key.as_ptr(), int(key.len())?);
        // The modes need an IV together with the key. Each message sets its own IV.
        let iv = [0; 16];
        // SAFETY: the memory has the state's size, and the IV is at least as long as a block.
        let code = unsafe {
            match self.form {
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
        object.keyed = true;
        Ok(())
    }

    #[inline(always)]
    fn process(&self, object: &mut State, message: &Message<'_>, output: &mut [u8]) -> Written {
        let (api, state) = (&self.api, object.memory.at(0));
        let (iv, iv_bytes) = (message.nonce.as_ptr(), message.nonce.len() as c_ulong);
        let (from, bytes) = (message.input.as_ptr(), message.input.len() as c_ulong);
        let to = output.as_mut_ptr();
        // SAFETY: the state is started. IV and input have lengths that the mode accepts, which
        // was checked when the plan was made. The output has room for the input.
        unsafe {
            let code = match self.form {
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
                    // The call overwrites the tweak with the next tweak.
                    let mut tweak = [0; 16];
                    tweak.copy_from_slice(message.nonce);
                    let run = self.way.choose(api.xts_encrypt, api.xts_decrypt);
                    run(from, bytes, to, tweak.as_mut_ptr(), state)
                }
            };
            api.ok("the mode's call", code)?;
        }
        Ok(message.input.len())
    }
}

/// The stream cipher. For ChaCha20, the number of the first block, and whether the nonce has
/// the 12 bytes of RFC 8439.
#[derive(Clone, Copy)]
enum Kind {
    Rc4,
    ChaCha { number: u64, ietf: bool },
}

#[derive(Clone, Copy)]
pub(crate) struct Stream {
    api: Api,
    kind: Kind,
    /// The requested length of keystream in bytes, if keystream without a message is requested.
    length: Option<usize>,
    /// Length of a state in bytes.
    state: usize,
}

impl Plan for Stream {
    type Library = TomCrypt;
    /// The keyed state. For RC4, a copy for the message follows.
    type Object = Memory;
    const OPERATIONS: &'static [&'static str] = STREAMS;

    fn find(tom: &TomCrypt, primitive: &str, operation: &str) -> Option<Self> {
        let (kind, name) = match primitive {
            "rc4" => (Kind::Rc4, "rc4_state"),
            "chacha20" => (
                Kind::ChaCha {
                    number: 0,
                    ietf: true,
                },
                "chacha_state",
            ),
            _ => return None,
        };
        let length = match operation {
            "stream-encrypt" => None,
            "stream-keystream" => Some(64),
            _ => return None,
        };
        let (api, state) = (tom.api, room(tom.api.size(name)?));
        Some(Self {
            api,
            kind,
            length,
            state,
        })
    }

    fn api(&self, _: &str, _: &str) -> String {
        let end = if self.length.is_some() {
            "keystream"
        } else {
            "crypt"
        };
        match self.kind {
            Kind::Rc4 => format!("rc4_stream_{end}"),
            Kind::ChaCha { .. } => format!("chacha_{end}"),
        }
    }

    fn note(&self, _: &str, _: &str) -> &'static str {
        match self.kind {
            Kind::Rc4 => "the keyed state is copied before each message",
            Kind::ChaCha { .. } => "",
        }
    }

    fn fit(mut self, work: &Work) -> Result<Self, Failure> {
        let shape = work.shape(1);
        match &mut self.kind {
            Kind::Rc4 => {
                shape.nonce(0).fit(work, 5..=256)?;
                work.first_block(0)?;
            }
            Kind::ChaCha { number, ietf } => {
                shape.fit(work, [16, 32])?;
                work.need_nonce([8, 12])?;
                *ietf = work.nonce.len() == 12;
                *number = work.first_block(if *ietf { u32::MAX.into() } else { u64::MAX })?;
            }
        }
        self.length = self.length.map(|usual| work.length.unwrap_or(usual));
        Ok(self)
    }

    fn make(&self) -> Result<Memory, Failure> {
        Ok(Memory::twice(self.state))
    }

    fn set_key(&self, memory: &mut Memory, key: &[u8]) -> Result<(), Failure> {
        let (api, state) = (&self.api, memory.at(0));
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

    #[inline(always)]
    fn process(&self, memory: &mut Memory, message: &Message<'_>, output: &mut [u8]) -> Written {
        let (api, keyed) = (&self.api, memory.at(0));
        let (nonce, nonce_bytes) = (message.nonce.as_ptr(), message.nonce.len() as c_ulong);
        let (from, bytes) = (message.input.as_ptr(), message.input.len() as c_ulong);
        let to = output.as_mut_ptr();
        // SAFETY: the state has a key, and the output has room for the input, or for the
        // requested length.
        let code = unsafe {
            match self.kind {
                Kind::Rc4 => {
                    let state = memory.restart(self.state);
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
