//! Authenticated encryption. If Nettle has a table for mode and cipher together, the worker
//! uses the table, otherwise the mode's generic functions. Also GMAC, which is GCM with
//! associated data and no message.
#![allow(unsafe_code)]

use std::ffi::c_void;

use touchstone_worker::{AEADS, Direction, Failure, Message, Plan, Text, Work, Written};

use crate::block::Block;
use crate::ffi::{AeadTable, Api, CipherTable, Memory, Nettle, Update, room};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Mode {
    Gcm,
    Eax,
    Ccm,
    Siv,
    GcmSiv,
    Ocb,
    ChaCha,
}

/// The functions of Nettle for the algorithm.
#[derive(Clone, Copy)]
enum Form {
    /// The table for mode and cipher together, and, if Nettle has it, the function that sets a
    /// nonce of any length.
    Ready(&'static AeadTable, Option<Update>),
    /// The mode's generic functions with this cipher.
    Over(Block),
}

/// The parameters of an object, known before it is made.
#[derive(Clone, Copy)]
pub(crate) struct Aead {
    api: Api,
    mode: Mode,
    form: Form,
    way: Direction,
    /// Whether the operation is GMAC: the message is associated data, and the tag is the
    /// output.
    mac: bool,
    tag: usize,
}

/// Room, in bytes, for the values that a mode derives from the key: `gcm_key` needs 4096 bytes,
/// `ocb_key` 48, `eax_key` and `cmac128_key` 32.
const MODE_KEY: usize = 8192;
/// Room, in bytes, for the state of a message: `gcm_ctx` and `eax_ctx` need 64 bytes.
const STATE: usize = 256;

impl Plan for Aead {
    type Library = Nettle;
    /// Either one context for mode and cipher together, or the mode's key, the message's state,
    /// and one or two contexts of the cipher.
    type Object = Memory;
    const OPERATIONS: &'static [&'static str] = AEADS;
    const IN_PLACE: bool = true;

    fn find(nettle: &Nettle, primitive: &str, operation: &str) -> Option<Self> {
        let mac = operation == "gmac";
        let (stem, way) = Direction::split(operation).unwrap_or(("gcm", Direction::Encrypt));
        let mode = match (stem, primitive) {
            ("gcm", _) => Mode::Gcm,
            ("eax", _) => Mode::Eax,
            ("ccm", _) => Mode::Ccm,
            ("siv", _) => Mode::Siv,
            ("gcm-siv", _) => Mode::GcmSiv,
            ("ocb", _) => Mode::Ocb,
            ("aead", "chacha20-poly1305") => Mode::ChaCha,
            _ => return None,
        };
        let form = if mode == Mode::ChaCha {
            Form::Ready(nettle.table("nettle_chacha_poly1305")?, None)
        } else {
            let block = Block::find(nettle, primitive).filter(|block| block.size == 16)?;
            Form::find(nettle, mode, block)?
        };
        Some(Self {
            api: nettle.api,
            mode,
            form,
            way,
            mac,
            tag: 16,
        })
    }

    /// Returns the names of the functions that process a message.
    fn api(&self, primitive: &str, _: &str) -> String {
        let way = self.way.choose("encrypt", "decrypt");
        let (stem, nonce) = match self.mode {
            Mode::ChaCha => ("chacha_poly1305", "set_nonce"),
            Mode::Gcm => ("gcm", "set_iv"),
            Mode::Eax => ("eax", "set_nonce"),
            Mode::Ccm => return format!("ccm_{way}_message"),
            Mode::Siv => return format!("siv_cmac_{way}_message"),
            Mode::GcmSiv => return format!("siv_gcm_{way}_message"),
            Mode::Ocb => return format!("ocb_{way}_message"),
        };
        let cipher = match self.form {
            Form::Ready(_, Some(_)) => format!("_{}", primitive.replace('-', "")),
            _ => String::new(),
        };
        let way = if self.mac {
            String::new()
        } else {
            format!("{way}, ")
        };
        format!("{stem}{cipher}_{nonce}, update, {way}digest")
    }

    fn note(&self, _: &str, _: &str) -> &'static str {
        match self.mode {
            _ if self.mac => "GCM with associated data only: Nettle has no GMAC by that name",
            Mode::GcmSiv => "the message's keys are derived in every call, as the mode asks",
            _ => "",
        }
    }

    /// Nettle aborts the process if a length is wrong, so the worker checks every length. The
    /// tag of ChaCha20-Poly1305 must have 16 bytes (RFC 8439), although Nettle's `digest` could
    /// shorten it.
    fn fit(mut self, work: &Work) -> Result<Self, Failure> {
        let shape = match self.mode {
            Mode::Siv => work.shape(16).nonce(1..),
            Mode::ChaCha => work.shape(16).nonce(12),
            _ => work.shape(16),
        };
        self.tag = match &mut self.form {
            Form::Ready(table, _) => shape.fit(work, table.key_size as usize),
            Form::Over(block) => {
                *block = block.with_costs(work)?;
                shape.fit(work, block.keys())
            }
        }?;
        Ok(self)
    }

    fn make(&self) -> Result<Memory, Failure> {
        Ok(Memory::new(match self.form {
            Form::Ready(table, _) => room(table.context_size as usize),
            Form::Over(block) => MODE_KEY + STATE + 2 * block.context,
        }))
    }

    fn set_key(&self, memory: &mut Memory, key: &[u8]) -> Result<(), Failure> {
        let (api, mode) = (&self.api, self.mode);
        let block = match self.form {
            Form::Ready(table, _) => {
                let schedule = self
                    .way
                    .choose(table.set_encrypt_key, table.set_decrypt_key);
                // SAFETY: the memory has the context's size, and the key has the table's key
                // length.
                unsafe { schedule(memory.at(0), key.as_ptr()) };
                return Ok(());
            }
            Form::Over(block) => block,
        };
        let parts = parts(memory, &block);
        // SAFETY: the memory has room for every part, and the key's length was accepted
        // when the plan was made.
        unsafe {
            if mode == Mode::Siv {
                let Some(table) = block.table else {
                    return Err(Failure::unsupported("SIV without a table"));
                };
                let run = api.nettle_siv_cmac_set_key;
                run(parts.key, parts.cipher, parts.second, table, key.as_ptr());
                return Ok(());
            }
            // All of these modes use the cipher's encryption. OCB uses the cipher's decryption
            // too.
            block.set_key(parts.cipher, key, true);
            match mode {
                Mode::Gcm => (api.nettle_gcm_set_key)(parts.key, parts.cipher, block.encrypt),
                Mode::Eax => (api.nettle_eax_set_key)(parts.key, parts.cipher, block.encrypt),
                Mode::Ocb => {
                    if let Some(run) = api.nettle_ocb_set_key {
                        run(parts.key, parts.cipher, block.encrypt);
                    }
                    if !self.way.is_encrypt() {
                        block.set_key(parts.second, key, false);
                    }
                }
                _ => {}
            }
        }
        Ok(())
    }

    #[inline(always)]
    fn transform(&self, memory: &mut Memory, message: &Message<'_>, mut text: Text<'_>) -> Written {
        let (way, tag) = (self.way, self.tag);
        if let Form::Over(block) = &self.form
            && !matches!(self.mode, Mode::Gcm | Mode::Eax)
        {
            return self.whole(memory, block, message, text);
        }
        let length = way.without_tag(text.length(), tag)?;
        let (from, to) = text.pointers();
        let mut whole = *message;
        let mut io = Io {
            from,
            length,
            to,
            tag: [0; 16],
        };
        if self.mac {
            (whole.aad, io.length) = (message.input, 0);
        }
        match &self.form {
            Form::Ready(table, set_nonce) => self.ready(memory, table, *set_nonce, &whole, &mut io),
            Form::Over(block) => self.over(memory, block, &whole, &mut io),
        }
        if way.is_encrypt() {
            text.output()[io.length..][..tag].copy_from_slice(&io.tag[..tag]);
            return Ok(io.length + tag);
        }
        let given = &message.input[length..];
        // SAFETY: both tags have `tag` bytes.
        let right = unsafe {
            (self.api.nettle_memeql_sec)(io.tag.as_ptr().cast(), given.as_ptr().cast(), tag) == 1
        };
        if right {
            Ok(length)
        } else {
            Err(Failure::Rejected)
        }
    }
}

impl Form {
    /// Returns the table for mode and cipher together, or the mode's generic functions, if this
    /// version has one of them.
    fn find(nettle: &Nettle, mode: Mode, block: Block) -> Option<Self> {
        let (api, name) = (&nettle.api, block.name);
        let ready = |mode: &str, nonce: &str| {
            let table = nettle.table::<AeadTable>(&format!("nettle_{mode}_{name}"))?;
            // SAFETY: the functions that set a nonce of any length have this type.
            let nonce = unsafe { nettle.function(&format!("nettle_{mode}_{name}_{nonce}"))? };
            Some(Form::Ready(table, Some(nonce)))
        };
        let has = match mode {
            Mode::Gcm => return ready("gcm", "set_iv").or(Some(Form::Over(block))),
            Mode::Eax => return ready("eax", "set_nonce").or(Some(Form::Over(block))),
            Mode::Siv => block.table.is_some(),
            // RFC 8452 defines AES-GCM-SIV for keys of 128 and 256 bits only.
            Mode::GcmSiv => {
                block.table.is_some_and(|t| t.key_size != 24)
                    && api.nettle_siv_gcm_encrypt_message.is_some()
            }
            Mode::Ocb => api.nettle_ocb_set_key.is_some(),
            Mode::Ccm | Mode::ChaCha => true,
        };
        has.then_some(Form::Over(block))
    }
}

/// The contexts of a mode with a cipher.
#[derive(Clone, Copy)]
struct Parts {
    key: *mut c_void,
    state: *mut c_void,
    cipher: *mut c_void,
    second: *mut c_void,
}

#[inline]
fn parts(memory: &mut Memory, block: &Block) -> Parts {
    Parts {
        key: memory.at(0),
        state: memory.at(MODE_KEY),
        cipher: memory.at(MODE_KEY + STATE),
        second: memory.at(MODE_KEY + STATE + block.context),
    }
}

impl Aead {
    /// Processes a message by the functions of the table: nonce, associated data, message, tag.
    #[inline]
    fn ready(
        &self,
        memory: &mut Memory,
        table: &AeadTable,
        set_nonce: Option<Update>,
        message: &Message<'_>,
        io: &mut Io,
    ) {
        let context = memory.at(0);
        let (nonce, aad) = (message.nonce, message.aad);
        // SAFETY: the context has a key, the nonce has a length that the function accepts, and
        // the output is at least as long as the input.
        unsafe {
            match set_nonce {
                Some(set_nonce) => set_nonce(context, nonce.len(), nonce.as_ptr()),
                None => (table.set_nonce)(context, nonce.as_ptr()),
            }
            if !aad.is_empty() {
                (table.update)(context, aad.len(), aad.as_ptr());
            }
            if io.length > 0 {
                let run = self.way.choose(table.encrypt, table.decrypt);
                run(context, io.length, io.to, io.from);
            }
            (table.digest)(context, self.tag, io.tag.as_mut_ptr());
        }
    }

    /// Processes a message by the generic functions of GCM or EAX: nonce, associated data,
    /// message, tag.
    #[inline]
    fn over(&self, memory: &mut Memory, block: &Block, message: &Message<'_>, io: &mut Io) {
        let Parts {
            key, state, cipher, ..
        } = parts(memory, block);
        let (api, f) = (&self.api, block.encrypt);
        let (nonce, aad) = (message.nonce, message.aad);
        let (from, length, to) = (io.from, io.length, io.to);
        let tag = io.tag.as_mut_ptr();
        // SAFETY: the contexts have a key, the nonce has a length that the function accepts,
        // and the output is at least as long as the input.
        unsafe {
            if self.mode == Mode::Gcm {
                (api.nettle_gcm_set_iv)(state, key, nonce.len(), nonce.as_ptr());
                if !aad.is_empty() {
                    (api.nettle_gcm_update)(state, key, aad.len(), aad.as_ptr());
                }
                let run = self
                    .way
                    .choose(api.nettle_gcm_encrypt, api.nettle_gcm_decrypt);
                run(state, key, cipher, f, length, to, from);
                (api.nettle_gcm_digest)(state, key, cipher, f, self.tag, tag);
            } else {
                (api.nettle_eax_set_nonce)(state, key, cipher, f, nonce.len(), nonce.as_ptr());
                if !aad.is_empty() {
                    (api.nettle_eax_update)(state, key, cipher, f, aad.len(), aad.as_ptr());
                }
                let run = self
                    .way
                    .choose(api.nettle_eax_encrypt, api.nettle_eax_decrypt);
                run(state, key, cipher, f, length, to, from);
                (api.nettle_eax_digest)(state, key, cipher, f, self.tag, tag);
            }
        }
    }

    /// Processes a message in a mode whose one function also writes or checks the tag.
    #[inline]
    fn whole(
        &self,
        memory: &mut Memory,
        block: &Block,
        message: &Message<'_>,
        mut text: Text<'_>,
    ) -> Written {
        let (api, mode, tag) = (&self.api, self.mode, self.tag);
        let Parts {
            key,
            cipher,
            second,
            ..
        } = parts(memory, block);
        let table: *const CipherTable = block.table.map_or(std::ptr::null(), |t| t);
        let (n, nl) = (message.nonce.as_ptr(), message.nonce.len());
        let (a, al) = (message.aad.as_ptr(), message.aad.len());
        let (length, (from, to)) = (text.length(), text.pointers());
        let (f, g) = (block.encrypt, block.decrypt);
        let missing = || Failure::unsupported("this mode");
        if self.way.is_encrypt() {
            let el = length + tag;
            // SAFETY: the contexts have a key. Nonce, tag and message have lengths that the
            // function accepts, which was checked when the plan was made. The output is 256
            // bytes longer than the input.
            unsafe {
                match mode {
                    Mode::Ccm => {
                        let run = api.nettle_ccm_encrypt_message;
                        run(cipher, f, nl, n, al, a, tag, el, to, from);
                    }
                    Mode::Siv => {
                        let run = api.nettle_siv_cmac_encrypt_message;
                        run(key, cipher, table, second, nl, n, al, a, el, to, from);
                    }
                    Mode::GcmSiv => {
                        let run = api.nettle_siv_gcm_encrypt_message.ok_or_else(missing)?;
                        run(table, cipher, second, nl, n, al, a, el, to, from);
                    }
                    _ => {
                        let run = api.nettle_ocb_encrypt_message.ok_or_else(missing)?;
                        run(key, cipher, f, nl, n, al, a, tag, el, to, from);
                    }
                }
            }
            return Ok(el);
        }
        let dl = self.way.without_tag(length, tag)?;
        // SAFETY: the contexts have a key, and nonce and tag have lengths that the function
        // accepts. The input has `dl` bytes and a tag.
        let right = unsafe {
            match mode {
                Mode::Ccm => {
                    let run = api.nettle_ccm_decrypt_message;
                    run(cipher, f, nl, n, al, a, tag, dl, to, from)
                }
                Mode::Siv => {
                    let run = api.nettle_siv_cmac_decrypt_message;
                    run(key, cipher, table, second, nl, n, al, a, dl, to, from)
                }
                Mode::GcmSiv => {
                    let run = api.nettle_siv_gcm_decrypt_message.ok_or_else(missing)?;
                    run(table, cipher, second, nl, n, al, a, dl, to, from)
                }
                _ => {
                    let run = api.nettle_ocb_decrypt_message.ok_or_else(missing)?;
                    run(key, cipher, f, second, g, nl, n, al, a, tag, dl, to, from)
                }
            }
        };
        if right == 1 {
            Ok(dl)
        } else {
            Err(Failure::Rejected)
        }
    }
}

/// The input, output and tag of a message.
struct Io {
    from: *const u8,
    length: usize,
    to: *mut u8,
    tag: [u8; 16],
}
