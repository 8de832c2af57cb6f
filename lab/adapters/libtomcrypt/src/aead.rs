//! Authenticated encryption; and GMAC, which is GCM with associated data only.
#![allow(unsafe_code)]

use std::ffi::{c_int, c_ulong};
use std::ptr;

use touchstone_worker::{Cell, Direction, Failure, Memory, Message, Offer, Operation, Work, offer};

use crate::block::{BLOCK, Block};
use crate::ffi::{Api, TomCrypt, int};

/// Stem, mode, struct of the state, the calls of one message.
const MODES: &[(&str, Mode, &str, &str)] = &[
    (
        "gcm",
        Mode::Gcm,
        "gcm_state",
        "gcm_reset, add_iv, add_aad, process, done",
    ),
    ("ccm", Mode::Ccm, "symmetric_key", "ccm_memory"),
    ("eax", Mode::Eax, "eax_state", "eax_init, eax_encrypt, done"),
    (
        "ocb",
        Mode::Ocb,
        "ocb3_state",
        "ocb3_init, add_aad, encrypt_last, done",
    ),
];

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Mode {
    Gcm,
    Ccm,
    Eax,
    Ocb,
    ChaCha,
}

/// The parameters of an object, known before it is made.
#[derive(Clone, Copy)]
struct Plan {
    api: Api,
    mode: Mode,
    /// None for ChaCha20-Poly1305.
    block: Option<Block>,
    encrypt: bool,
    /// GMAC: the message is associated data, the tag is the output.
    mac: bool,
    state: usize,
    tag: usize,
}

impl Plan {
    fn find(tom: &TomCrypt, primitive: &str, operation: &str) -> Option<Self> {
        let mac = operation == "gmac";
        let (stem, way) = if mac {
            ("gcm", Direction::Encrypt)
        } else {
            Direction::split(operation)?
        };
        let encrypt = way.is_encrypt();
        let api = tom.api;
        let (mode, block, name) = if (primitive, stem) == ("chacha20-poly1305", "aead") {
            (Mode::ChaCha, None, "chacha20poly1305_state")
        } else {
            let (_, mode, name, _) = MODES.iter().find(|(id, ..)| *id == stem)?;
            let block = Block::find(tom, primitive)?;
            if block.size != 16 && *mode != Mode::Eax {
                return None;
            }
            (*mode, Some(block), *name)
        };
        Some(Self {
            api,
            mode,
            block,
            encrypt,
            mac,
            state: api.size(name)?,
            tag: block.map_or(16, |block| block.size),
        })
    }

    fn fit(mut self, work: &Work) -> Result<Self, Failure> {
        let (nonce, tag) = (work.nonce.len(), work.tag.unwrap_or(self.tag));
        match &mut self.block {
            Some(block) => *block = block.fit(work, 1)?,
            None if work.key.len() == 32 => {}
            None => {
                return Err(Failure::length("a key", work.key.len()));
            }
        }
        let nonce_fits = match self.mode {
            Mode::Gcm => nonce >= 1,
            Mode::Ccm => (7..=13).contains(&nonce),
            Mode::Eax => true,
            Mode::Ocb => (1..=15).contains(&nonce),
            Mode::ChaCha => nonce == 12,
        };
        let tag_fits = match self.mode {
            Mode::Ccm => (4..=16).contains(&tag) && tag.is_multiple_of(2),
            Mode::ChaCha => tag == 16,
            _ => (1..=self.tag).contains(&tag),
        };
        if !nonce_fits {
            return Err(Failure::length("a nonce", nonce));
        }
        if !tag_fits {
            return Err(Failure::length("a tag", tag));
        }
        // CCM stores the message's length in the bytes of a block that the nonce leaves
        // free; the library would cut the nonce.
        let count = 15_usize.saturating_sub(nonce);
        if self.mode == Mode::Ccm && count < 8 && work.input.len() >= 1 << (8 * count) {
            return Err(Failure::unsupported(
                "a message too long for its nonce's length",
            ));
        }
        self.tag = tag;
        Ok(self)
    }

    /// Modes whose first call takes key and nonce at once.
    fn rekeys(&self) -> bool {
        matches!(self.mode, Mode::Eax | Mode::Ocb)
    }
}

pub(crate) fn offers(tom: &TomCrypt) -> Vec<Offer> {
    let both = |mode: &str| ["encrypt", "decrypt"].map(|way| format!("{mode}-{way}"));
    let block = BLOCK.iter().flat_map(|(id, ..)| {
        let modes = MODES.iter().flat_map(|(mode, .., api)| {
            both(mode).map(|operation| (*id, operation, (*api).to_owned()))
        });
        let gmac = "gcm_reset, add_iv, add_aad, done".to_owned();
        modes.chain([(*id, "gmac".to_owned(), gmac)])
    });
    let own = both("aead").map(|operation| {
        let api = "chacha20poly1305_setiv, add_aad, encrypt, done".to_owned();
        ("chacha20-poly1305", operation, api)
    });
    block
        .chain(own)
        .filter_map(|(id, operation, api)| {
            let plan = Plan::find(tom, id, &operation)?;
            let api = if plan.encrypt {
                api
            } else {
                api.replace("encrypt", "decrypt")
            };
            let mut row = offer(id, &operation, &api);
            if plan.mac {
                row.note = "GCM with associated data only".into();
            } else if plan.rekeys() {
                row.note = "the key goes in with every message".into();
            }
            Some(row)
        })
        .collect()
}

pub(crate) fn cell(tom: &TomCrypt, work: &Work) -> Option<Result<Cell, Failure>> {
    let plan = Plan::find(tom, &work.primitive, &work.operation)?.fit(work);
    Some(plan.map(|plan| {
        Cell::new(move || {
            Ok(Aead {
                plan,
                state: Memory::new(plan.state),
                key: Vec::new(),
            })
        })
    }))
}

struct Aead {
    plan: Plan,
    state: Memory,
    /// The key, if it is passed with each message.
    key: Vec<u8>,
}

/// Input, output, length and the computed tag of a message.
struct Io<'a> {
    from: *const u8,
    to: *mut u8,
    bytes: c_ulong,
    tag: &'a mut [u8; 16],
}

impl Aead {
    /// A whole message in GCM, EAX, OCB or ChaCha20-Poly1305.
    #[inline]
    fn run(
        &mut self,
        message: &Message<'_>,
        aad: &[u8],
        Io {
            from,
            to,
            bytes,
            tag,
        }: Io<'_>,
    ) -> Result<(), Failure> {
        let Plan {
            api,
            mode,
            block,
            encrypt,
            ..
        } = &self.plan;
        let state = self.state.at(0);
        let number = block.map_or(0, |block| block.number);
        let (key, key_bytes) = (self.key.as_ptr(), self.key.len() as c_ulong);
        let (nonce, nonce_bytes) = (message.nonce.as_ptr(), message.nonce.len() as c_ulong);
        let (aad, aad_bytes) = (aad.as_ptr(), aad.len() as c_ulong);
        let mut made = self.plan.tag as c_ulong;
        let tag = tag.as_mut_ptr();
        // SAFETY: the state is keyed or has room to be; lengths are those of
        // the slices; the output has room for the message, and the tag 16
        // bytes.
        unsafe {
            match mode {
                Mode::Gcm => {
                    let way = c_int::from(!encrypt);
                    // The call reads one of them and writes the other, depending on the
                    // direction.
                    let (plain, cipher) = if *encrypt {
                        (from.cast_mut(), to)
                    } else {
                        (to, from.cast_mut())
                    };
                    api.ok("gcm_reset", (api.gcm_reset)(state))?;
                    let code = (api.gcm_add_iv)(state, nonce, nonce_bytes);
                    api.ok("gcm_add_iv", code)?;
                    api.ok("gcm_add_aad", (api.gcm_add_aad)(state, aad, aad_bytes))?;
                    let code = (api.gcm_process)(state, plain, bytes, cipher, way);
                    api.ok("gcm_process", code)?;
                    api.ok("gcm_done", (api.gcm_done)(state, tag, &mut made))
                }
                Mode::Eax => {
                    let code = (api.eax_init)(
                        state,
                        number,
                        key,
                        key_bytes,
                        nonce,
                        nonce_bytes,
                        aad,
                        aad_bytes,
                    );
                    api.ok("eax_init", code)?;
                    let run = if *encrypt {
                        api.eax_encrypt
                    } else {
                        api.eax_decrypt
                    };
                    api.ok("eax", run(state, from, to, bytes))?;
                    api.ok("eax_done", (api.eax_done)(state, tag, &mut made))
                }
                Mode::Ocb => {
                    let begin = api.ocb3_init;
                    let code = begin(state, number, key, key_bytes, nonce, nonce_bytes, made);
                    api.ok("ocb3_init", code)?;
                    if aad_bytes != 0 {
                        api.ok("ocb3_add_aad", (api.ocb3_add_aad)(state, aad, aad_bytes))?;
                    }
                    let run = if *encrypt {
                        api.ocb3_encrypt_last
                    } else {
                        api.ocb3_decrypt_last
                    };
                    api.ok("ocb3", run(state, from, bytes, to))?;
                    api.ok("ocb3_done", (api.ocb3_done)(state, tag, &mut made))
                }
                Mode::Ccm | Mode::ChaCha => {
                    let code = (api.chacha20poly1305_setiv)(state, nonce, nonce_bytes);
                    api.ok("chacha20poly1305_setiv", code)?;
                    if aad_bytes != 0 {
                        let code = (api.chacha20poly1305_add_aad)(state, aad, aad_bytes);
                        api.ok("chacha20poly1305_add_aad", code)?;
                    }
                    let run = if *encrypt {
                        api.chacha20poly1305_encrypt
                    } else {
                        api.chacha20poly1305_decrypt
                    };
                    api.ok("chacha20poly1305", run(state, from, bytes, to))?;
                    let code = (api.chacha20poly1305_done)(state, tag, &mut made);
                    api.ok("chacha20poly1305_done", code)
                }
            }
        }
    }

    /// Processes a whole message in CCM, whose single call checks the tag itself. The
    /// direction determines which buffer it writes to.
    #[inline]
    fn ccm(
        &mut self,
        message: &Message<'_>,
        Io {
            from,
            to,
            bytes,
            tag,
        }: Io<'_>,
    ) -> Result<(), Failure> {
        const CRYPT_ERROR: c_int = 1;
        let Plan {
            api,
            block,
            encrypt,
            ..
        } = &self.plan;
        let mut made = self.plan.tag as c_ulong;
        let (plain, cipher) = if *encrypt {
            (from.cast_mut(), to)
        } else {
            (to, from.cast_mut())
        };
        // SAFETY: the schedule is in the state, so no key is read; lengths are
        // those of the slices; the tag has 16 bytes.
        let code = unsafe {
            (api.ccm_memory)(
                block.map_or(0, |block| block.number),
                ptr::null(),
                0,
                self.state.at(0),
                message.nonce.as_ptr(),
                message.nonce.len() as c_ulong,
                message.aad.as_ptr(),
                message.aad.len() as c_ulong,
                plain,
                bytes,
                cipher,
                tag.as_mut_ptr(),
                &mut made,
                c_int::from(!encrypt),
            )
        };
        if code == CRYPT_ERROR && !encrypt {
            return Err(Failure::Rejected);
        }
        api.ok("ccm_memory", code)
    }
}

impl Operation for Aead {
    fn set_key(&mut self, key: &[u8]) -> Result<(), Failure> {
        if self.plan.rekeys() {
            self.key.clear();
            self.key.extend_from_slice(key);
            return Ok(());
        }
        let Plan {
            api, mode, block, ..
        } = &self.plan;
        let state = self.state.at(0);
        let (start, bytes) = (key.as_ptr(), int(key.len())?);
        // SAFETY: the memory has the state's size.
        let code = unsafe {
            match (mode, block) {
                (Mode::Gcm, Some(block)) => (api.gcm_init)(state, block.number, start, bytes),
                (_, Some(block)) => (block.descriptor.setup)(start, bytes, block.rounds, state),
                _ => (api.chacha20poly1305_init)(state, start, bytes as c_ulong),
            }
        };
        api.ok("key set-up", code)
    }

    #[inline]
    fn process(&mut self, message: &Message<'_>, output: &mut [u8]) -> Result<usize, Failure> {
        let Plan {
            api,
            mode,
            encrypt,
            mac,
            tag: bytes,
            ..
        } = self.plan;
        let mut tag = [0; 16];
        let (input, aad, given) = if mac {
            (&[][..], message.input, &[][..])
        } else if encrypt {
            (message.input, message.aad, &[][..])
        } else if message.input.len() < bytes {
            return Err(Failure::Rejected);
        } else {
            let (input, given) = message.input.split_at(message.input.len() - bytes);
            (input, message.aad, given)
        };
        tag[..given.len()].copy_from_slice(given);
        let io = Io {
            from: input.as_ptr(),
            to: output.as_mut_ptr(),
            bytes: input.len() as c_ulong,
            tag: &mut tag,
        };
        if mode == Mode::Ccm {
            self.ccm(message, io)?;
        } else {
            self.run(message, aad, io)?;
        }
        if encrypt {
            output[input.len()..input.len() + bytes].copy_from_slice(&tag[..bytes]);
            return Ok(input.len() + bytes);
        }
        // SAFETY: both buffers have this many bytes.
        let differ =
            unsafe { (api.mem_neq)(tag.as_ptr().cast(), given.as_ptr().cast(), bytes) } != 0;
        if mode != Mode::Ccm && differ {
            return Err(Failure::Rejected);
        }
        Ok(input.len())
    }
}
