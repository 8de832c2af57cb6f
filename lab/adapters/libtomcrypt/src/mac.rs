//! Message authentication codes: `hmac_memory`, `poly1305_memory`, and OMAC (CMAC) and PMAC
//! with a keyed state.
#![allow(unsafe_code)]

use std::ffi::{c_int, c_ulong};

use touchstone_worker::{Failure, MACS, Memory, Message, Plan, Work, Written};

use crate::block::Block;
use crate::digest;
use crate::ffi::{Api, MacInit, Process, TagDone, TomCrypt};

/// The functions of a MAC that uses a block cipher.
#[derive(Clone, Copy)]
struct Over {
    init: MacInit,
    process: Process,
    done: TagDone,
    /// Length of the state in bytes.
    state: usize,
}

#[derive(Clone, Copy)]
enum Form {
    /// HMAC: the number of the hash.
    Hmac(c_int),
    Poly1305,
    Over(Over, Block),
}

#[derive(Clone, Copy)]
pub(crate) struct Mac {
    api: Api,
    form: Form,
    tag: usize,
}

impl Plan for Mac {
    type Library = TomCrypt;
    /// The keyed state, then the copy for a message; and the key, if each message needs the key
    /// again.
    type Object = (Memory, Vec<u8>);
    const OPERATIONS: &'static [&'static str] = MACS;

    fn find(tom: &TomCrypt, primitive: &str, operation: &str) -> Option<Self> {
        let api = tom.api;
        let (form, tag) = match (primitive, operation) {
            ("poly1305", "mac") => (Form::Poly1305, 16),
            (_, "mac") => {
                let (number, hash) = digest::find(tom, primitive.strip_prefix("hmac-")?)?;
                (Form::Hmac(number), hash.size as usize)
            }
            (_, "cmac" | "pmac") => {
                let block = Block::find(tom, primitive)?;
                let over = if operation == "cmac" {
                    Over {
                        init: api.omac_init,
                        process: api.omac_process,
                        done: api.omac_done,
                        state: api.size("omac_state")?,
                    }
                } else {
                    Over {
                        init: api.pmac_init,
                        process: api.pmac_process,
                        done: api.pmac_done,
                        state: api.size("pmac_state")?,
                    }
                };
                (Form::Over(over, block), block.size)
            }
            _ => return None,
        };
        Some(Self { api, form, tag })
    }

    fn api(&self, _: &str, operation: &str) -> String {
        match self.form {
            Form::Hmac(_) => "hmac_memory",
            Form::Poly1305 => "poly1305_memory",
            Form::Over(..) if operation == "cmac" => "omac_process, omac_done",
            Form::Over(..) => "pmac_process, pmac_done",
        }
        .into()
    }

    fn note(&self, _: &str, _: &str) -> &'static str {
        match self.form {
            Form::Hmac(_) | Form::Poly1305 => "the key goes in with every message",
            Form::Over(..) => "the keyed state is copied before each message",
        }
    }

    fn fit(mut self, work: &Work) -> Result<Self, Failure> {
        let shape = work.shape(self.tag);
        self.tag = match &mut self.form {
            Form::Over(_, block) => {
                let (fitted, tag) = block.fit(work, shape)?;
                *block = fitted;
                tag
            }
            Form::Poly1305 => shape.fit(work, 32)?,
            Form::Hmac(_) => shape.fit(work, 0..)?,
        };
        Ok(self)
    }

    fn make(&self) -> Result<Self::Object, Failure> {
        let bytes = if let Form::Over(over, _) = self.form {
            over.state
        } else {
            0
        };
        Ok((Memory::twice(bytes), Vec::new()))
    }

    fn set_key(&self, (states, kept): &mut Self::Object, key: &[u8]) -> Result<(), Failure> {
        let Form::Over(over, block) = self.form else {
            key.clone_into(kept);
            return Ok(());
        };
        let (start, bytes) = (key.as_ptr(), key.len() as c_ulong);
        // SAFETY: the memory has the state's size.
        let code = unsafe { (over.init)(states.at(0), block.number, start, bytes) };
        self.api.ok("init", code)
    }

    #[inline(always)]
    fn process(
        &self,
        object: &mut Self::Object,
        message: &Message<'_>,
        output: &mut [u8],
    ) -> Written {
        let (Self { api, form, tag }, (states, key)) = (self, object);
        let (key, key_bytes) = (key.as_ptr(), key.len() as c_ulong);
        let (from, bytes) = (message.input.as_ptr(), message.input.len() as c_ulong);
        let (to, mut made) = (output.as_mut_ptr(), *tag as c_ulong);
        // SAFETY: the first state has a key and contains no pointers, and the second state has
        // as much room. The output has at least 256 bytes.
        unsafe {
            match *form {
                Form::Hmac(hash) => {
                    let run = api.hmac_memory;
                    let code = run(hash, key, key_bytes, from, bytes, to, &mut made);
                    api.ok("hmac_memory", code)?;
                }
                Form::Poly1305 => {
                    let mut full = 16;
                    let run = api.poly1305_memory;
                    let code = run(key, key_bytes, from, bytes, to, &mut full);
                    api.ok("poly1305_memory", code)?;
                }
                Form::Over(over, _) => {
                    let running = states.restart(over.state);
                    api.ok("process", (over.process)(running, from, bytes))?;
                    api.ok("done", (over.done)(running, to, &mut made))?;
                }
            }
        }
        Ok(*tag)
    }
}
