//! Message authentication: `hmac_memory`, `poly1305_memory`, and OMAC (CMAC)
//! and PMAC on a keyed state.
#![allow(unsafe_code)]

use std::ffi::{c_int, c_ulong};
use std::ptr;

use touchstone_worker::{Cell, Failure, Memory, Message, Offer, Operation, Work, offer, room};

use crate::block::{BLOCK, Block};
use crate::digest::{self, HASHES};
use crate::ffi::{Api, MacInit, Process, TagDone, TomCrypt};

/// A MAC over a block cipher.
#[derive(Clone, Copy)]
struct Over {
    init: MacInit,
    process: Process,
    done: TagDone,
    /// Bytes of its state.
    state: usize,
}

#[derive(Clone, Copy)]
enum Form {
    /// HMAC, with the hash's number.
    Hmac(c_int),
    Poly1305,
    Over(Over, Block),
}

#[derive(Clone, Copy)]
struct Plan {
    api: Api,
    form: Form,
    tag: usize,
}

impl Plan {
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

    fn fit(mut self, work: &Work) -> Result<Self, Failure> {
        match &mut self.form {
            Form::Over(_, block) => *block = block.fit(work, 1)?,
            Form::Poly1305 if work.key.len() != 32 => {
                return Err(Failure::length("a key", work.key.len()));
            }
            _ => {}
        }
        let tag = work.tag.unwrap_or(self.tag);
        if tag == 0 || tag > self.tag {
            return Err(Failure::length("a tag", tag));
        }
        if !work.nonce.is_empty() {
            return Err(Failure::unsupported("a nonce"));
        }
        self.tag = tag;
        Ok(self)
    }
}

pub(crate) fn offers(tom: &TomCrypt) -> Vec<Offer> {
    let hmac = HASHES.iter().map(|(id, _)| (format!("hmac-{id}"), "mac"));
    let block = BLOCK
        .iter()
        .flat_map(|(id, ..)| ["cmac", "pmac"].map(|operation| ((*id).to_owned(), operation)));
    hmac.chain(block)
        .chain([("poly1305".to_owned(), "mac")])
        .filter_map(|(id, operation)| {
            let plan = Plan::find(tom, &id, operation)?;
            let (api, note) = match plan.form {
                Form::Hmac(_) => ("hmac_memory", "the key goes in with every message"),
                Form::Poly1305 => ("poly1305_memory", "the key goes in with every message"),
                Form::Over(..) => (
                    if operation == "cmac" {
                        "omac_process, omac_done"
                    } else {
                        "pmac_process, pmac_done"
                    },
                    "the keyed state is copied before each message",
                ),
            };
            let mut row = offer(&id, operation, api);
            row.note = note.into();
            Some(row)
        })
        .collect()
}

pub(crate) fn cell(tom: &TomCrypt, work: &Work) -> Option<Result<Cell, Failure>> {
    let plan = Plan::find(tom, &work.primitive, &work.operation)?.fit(work);
    Some(plan.map(|plan| {
        Cell::new(move || {
            let bytes = match plan.form {
                Form::Over(over, _) => 2 * room(over.state),
                _ => 0,
            };
            Ok(Mac {
                plan,
                states: Memory::new(bytes),
                key: Vec::new(),
            })
        })
    }))
}

struct Mac {
    plan: Plan,
    /// The keyed state, then the copy for the message.
    states: Memory,
    /// The key, if it is passed with each message.
    key: Vec<u8>,
}

impl Operation for Mac {
    fn set_key(&mut self, key: &[u8]) -> Result<(), Failure> {
        let Form::Over(over, block) = self.plan.form else {
            self.key.clear();
            self.key.extend_from_slice(key);
            return Ok(());
        };
        let (start, bytes) = (key.as_ptr(), key.len() as c_ulong);
        // SAFETY: the memory has the state's size.
        let code = unsafe { (over.init)(self.states.at(0), block.number, start, bytes) };
        self.plan.api.ok("init", code)
    }

    #[inline]
    fn process(&mut self, message: &Message<'_>, output: &mut [u8]) -> Result<usize, Failure> {
        let Plan { api, form, tag } = &self.plan;
        let (key, key_bytes) = (self.key.as_ptr(), self.key.len() as c_ulong);
        let (from, bytes) = (message.input.as_ptr(), message.input.len() as c_ulong);
        let (to, mut made) = (output.as_mut_ptr(), *tag as c_ulong);
        // SAFETY: the first state is keyed and without pointers, the second has
        // as much room; the output has at least 256 bytes.
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
                    let (keyed, running) = (self.states.at(0), self.states.at(room(over.state)));
                    let size = over.state;
                    ptr::copy_nonoverlapping(keyed.cast::<u8>(), running.cast::<u8>(), size);
                    api.ok("process", (over.process)(running, from, bytes))?;
                    api.ok("done", (over.done)(running, to, &mut made))?;
                }
            }
        }
        Ok(*tag)
    }
}
