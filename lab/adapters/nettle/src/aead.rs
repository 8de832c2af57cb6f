//! Authenticated encryption: by table where Nettle has the combination ready,
//! from the generic functions of the mode otherwise; and GMAC, which is GCM
//! with associated data only.
#![allow(unsafe_code)]

use std::ffi::c_void;

use touchstone_worker::{
    Cell, Contract, Direction, Failure, Message, Offer, Operation, Text, Work, offer,
    stays_in_place,
};

use crate::block::{BLOCK, Block};
use crate::ffi::{AeadTable, Api, CipherTable, Memory, Nettle, Update, room};

const MODES: &[(&str, Mode)] = &[
    ("gcm", Mode::Gcm),
    ("eax", Mode::Eax),
    ("ccm", Mode::Ccm),
    ("siv", Mode::Siv),
    ("gcm-siv", Mode::GcmSiv),
    ("ocb", Mode::Ocb),
];

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

impl Mode {
    /// Whether the mode's functions accept a tag of this length. For ChaCha20-Poly1305
    /// the length must be 16 bytes, as in RFC 8439, although `digest` would shorten the
    /// tag.
    fn takes_tag(self, tag: usize) -> bool {
        match self {
            Self::Gcm | Self::Eax | Self::Ocb => (1..=16).contains(&tag),
            Self::Ccm => tag.is_multiple_of(2) && (4..=16).contains(&tag),
            Self::Siv | Self::GcmSiv | Self::ChaCha => tag == 16,
        }
    }

    /// Whether the mode's functions accept a nonce of this length.
    fn takes_nonce(self, nonce: usize) -> bool {
        match self {
            Self::Gcm | Self::Siv => nonce >= 1,
            Self::Eax => true,
            Self::Ccm => (7..=13).contains(&nonce),
            Self::Ocb => (1..=15).contains(&nonce),
            Self::GcmSiv | Self::ChaCha => nonce == 12,
        }
    }
}

/// How Nettle offers the algorithm.
#[derive(Clone, Copy)]
enum Form {
    /// A context and functions of its own; the function that takes a nonce of
    /// any length, where there is one.
    Ready(&'static AeadTable, Option<Update>),
    /// The mode's functions over this cipher.
    Over(Block),
}

/// The parameters of an object, known before it is made.
#[derive(Clone, Copy)]
struct Plan {
    api: Api,
    mode: Mode,
    form: Form,
    encrypt: bool,
    /// GMAC: the message is associated data, the tag is the output.
    mac: bool,
    tag: usize,
}

/// Room for what a mode derives from the key: `gcm_key` has a table of 4096
/// bytes, `ocb_key` 48, `eax_key` and `cmac128_key` 32.
const MODE_KEY: usize = 8192;
/// Room for a message's state: `gcm_ctx` and `eax_ctx` have 64 bytes.
const STATE: usize = 256;

impl Plan {
    fn find(nettle: &Nettle, primitive: &str, operation: &str) -> Option<Self> {
        let mac = operation == "gmac";
        let (stem, way) = if mac {
            ("gcm", Direction::Encrypt)
        } else {
            Direction::split(operation)?
        };
        let (mode, form) = if (primitive, stem) == ("chacha20-poly1305", "aead") {
            let table = nettle.table("nettle_chacha_poly1305")?;
            (Mode::ChaCha, Form::Ready(table, None))
        } else {
            let (_, mode) = *MODES.iter().find(|(id, _)| *id == stem)?;
            let block = Block::find(nettle, primitive).filter(|block| block.size == 16)?;
            (mode, Self::form(nettle, primitive, mode, block)?)
        };
        Some(Self {
            api: nettle.api,
            mode,
            form,
            encrypt: way.is_encrypt(),
            mac,
            tag: 16,
        })
    }

    /// The ready combination, or the generic functions where this version has
    /// them.
    fn form(nettle: &Nettle, primitive: &str, mode: Mode, block: Block) -> Option<Form> {
        let (_, name) = BLOCK.iter().find(|(id, _)| *id == primitive)?;
        let api = &nettle.api;
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
            // RFC 8452 is for two of the key lengths only.
            Mode::GcmSiv => {
                block.table.is_some_and(|t| t.key_size != 24)
                    && api.nettle_siv_gcm_encrypt_message.is_some()
            }
            Mode::Ocb => api.nettle_ocb_set_key.is_some(),
            Mode::Ccm | Mode::ChaCha => true,
        };
        has.then_some(Form::Over(block))
    }

    /// The plan for this work. Nettle aborts the process if a length is wrong, so all
    /// lengths are checked here.
    fn fit(mut self, work: &Work) -> Result<Self, Failure> {
        let (key, nonce) = (work.key.len(), work.nonce.len());
        self.tag = work.tag.unwrap_or(self.tag);
        match &mut self.form {
            Form::Ready(table, _) if key != table.key_size as usize => {
                return Err(Failure::length("a key", key));
            }
            Form::Ready(..) => {}
            Form::Over(block) => {
                *block = block.fit(work, if self.mode == Mode::Siv { 2 } else { 1 })?;
            }
        }
        if !self.mode.takes_nonce(nonce) {
            return Err(Failure::length("a nonce", nonce));
        }
        if !self.mode.takes_tag(self.tag) {
            return Err(Failure::length("a tag", self.tag));
        }
        // CCM stores the message's length in the bytes of a block that the nonce leaves
        // free.
        let count = 15_usize.saturating_sub(nonce);
        if self.mode == Mode::Ccm && count < 8 && work.input.len() >= 1 << (8 * count) {
            return Err(Failure::unsupported(
                "a message too long for its nonce's length",
            ));
        }
        Ok(self)
    }
}

pub(crate) fn offers(nettle: &Nettle) -> Vec<Offer> {
    let block = BLOCK.iter().flat_map(|(id, _)| {
        MODES
            .iter()
            .flat_map(|(mode, _)| ["encrypt", "decrypt"].map(|way| (*mode, way)))
            .map(|(mode, way)| (*id, format!("{mode}-{way}")))
            .chain([(*id, "gmac".to_owned())])
    });
    let own = ["encrypt", "decrypt"].map(|way| ("chacha20-poly1305", format!("aead-{way}")));
    block
        .chain(own)
        .filter_map(|(id, operation)| {
            let plan = Plan::find(nettle, id, &operation)?;
            let in_place = stays_in_place(&operation);
            let mut row =
                offer(id, &operation, &functions(&plan, id)).taking(Contract::InPlace, in_place);
            if plan.mac {
                row.note = "GCM with associated data only: Nettle has no GMAC by that name".into();
            } else if plan.mode == Mode::GcmSiv {
                row.note = "the message's keys are derived in every call, as the mode asks".into();
            }
            Some(row)
        })
        .collect()
}

/// The calls of one message, for the offer.
fn functions(plan: &Plan, id: &str) -> String {
    let way = if plan.encrypt { "encrypt" } else { "decrypt" };
    let stem = match (plan.mode, plan.form) {
        (Mode::ChaCha, _) => "chacha_poly1305".to_owned(),
        (mode, form) => {
            let stem = match mode {
                Mode::Gcm => "gcm",
                Mode::Eax => "eax",
                Mode::Ccm => return format!("ccm_{way}_message"),
                Mode::Siv => return format!("siv_cmac_{way}_message"),
                Mode::GcmSiv => return format!("siv_gcm_{way}_message"),
                _ => return format!("ocb_{way}_message"),
            };
            match form {
                Form::Ready(..) => format!("{stem}_{}", id.replace('-', "")),
                Form::Over(_) => stem.to_owned(),
            }
        }
    };
    let nonce = if plan.mode == Mode::Gcm {
        "set_iv"
    } else {
        "set_nonce"
    };
    if plan.mac {
        return format!("{stem}_{nonce}, update, digest");
    }
    format!("{stem}_{nonce}, update, {way}, digest")
}

pub(crate) fn cell(nettle: &Nettle, work: &Work) -> Option<Result<Cell, Failure>> {
    let plan = Plan::find(nettle, &work.primitive, &work.operation)?.fit(work);
    Some(plan.map(|plan| Cell::new(move || Ok(Aead::new(plan)))))
}

struct Aead {
    plan: Plan,
    /// One context that Nettle defines for mode and cipher together; or the mode's key,
    /// the message's state, and one or two contexts of the cipher.
    memory: Memory,
}

/// The contexts of a mode over a cipher.
#[derive(Clone, Copy)]
struct Parts {
    key: *mut c_void,
    state: *mut c_void,
    cipher: *mut c_void,
    second: *mut c_void,
}

impl Aead {
    fn new(plan: Plan) -> Self {
        let bytes = match plan.form {
            Form::Ready(table, _) => room(table.context_size as usize),
            Form::Over(block) => MODE_KEY + STATE + 2 * block.context,
        };
        Self {
            plan,
            memory: Memory::new(bytes),
        }
    }

    #[inline]
    fn parts(&mut self, block: &Block) -> Parts {
        Parts {
            key: self.memory.at(0),
            state: self.memory.at(MODE_KEY),
            cipher: self.memory.at(MODE_KEY + STATE),
            second: self.memory.at(MODE_KEY + STATE + block.context),
        }
    }

    /// Nonce, associated data, message, tag: by the functions of the table.
    #[inline]
    fn ready(
        &mut self,
        table: &AeadTable,
        set_nonce: Option<Update>,
        message: &Message<'_>,
        io: &mut Io,
    ) {
        let context = self.memory.at(0);
        let (nonce, aad) = (message.nonce, message.aad);
        // SAFETY: the context is keyed, the nonce has a length that the
        // function takes, and the output is at least as long as the input.
        unsafe {
            match set_nonce {
                Some(set_nonce) => set_nonce(context, nonce.len(), nonce.as_ptr()),
                None => (table.set_nonce)(context, nonce.as_ptr()),
            }
            if !aad.is_empty() {
                (table.update)(context, aad.len(), aad.as_ptr());
            }
            if io.length > 0 {
                let run = if self.plan.encrypt {
                    table.encrypt
                } else {
                    table.decrypt
                };
                run(context, io.length, io.to, io.from);
            }
            (table.digest)(context, self.plan.tag, io.tag.as_mut_ptr());
        }
    }

    /// As `ready`, with the functions of GCM or EAX over a cipher.
    #[inline]
    fn over(&mut self, block: &Block, message: &Message<'_>, io: &mut Io) {
        let Plan {
            api, mode, encrypt, ..
        } = self.plan;
        let Parts {
            key, state, cipher, ..
        } = self.parts(block);
        let f = block.encrypt;
        let (nonce, aad) = (message.nonce, message.aad);
        let (from, length, to) = (io.from, io.length, io.to);
        let tag = io.tag.as_mut_ptr();
        // SAFETY: the contexts are keyed, the nonce has a length that the
        // function takes, and the output is at least as long as the input.
        unsafe {
            if mode == Mode::Gcm {
                (api.nettle_gcm_set_iv)(state, key, nonce.len(), nonce.as_ptr());
                if !aad.is_empty() {
                    (api.nettle_gcm_update)(state, key, aad.len(), aad.as_ptr());
                }
                if encrypt {
                    (api.nettle_gcm_encrypt)(state, key, cipher, f, length, to, from);
                } else {
                    (api.nettle_gcm_decrypt)(state, key, cipher, f, length, to, from);
                }
                (api.nettle_gcm_digest)(state, key, cipher, f, self.plan.tag, tag);
            } else {
                (api.nettle_eax_set_nonce)(state, key, cipher, f, nonce.len(), nonce.as_ptr());
                if !aad.is_empty() {
                    (api.nettle_eax_update)(state, key, cipher, f, aad.len(), aad.as_ptr());
                }
                if encrypt {
                    (api.nettle_eax_encrypt)(state, key, cipher, f, length, to, from);
                } else {
                    (api.nettle_eax_decrypt)(state, key, cipher, f, length, to, from);
                }
                (api.nettle_eax_digest)(state, key, cipher, f, self.plan.tag, tag);
            }
        }
    }

    /// The modes whose functions do a whole message, tag and all.
    #[inline]
    fn whole(
        &mut self,
        block: &Block,
        message: &Message<'_>,
        mut text: Text<'_>,
    ) -> Result<usize, Failure> {
        let Plan {
            api,
            mode,
            encrypt,
            tag,
            ..
        } = self.plan;
        let Parts {
            key,
            cipher,
            second,
            ..
        } = self.parts(block);
        let table: *const CipherTable = block.table.map_or(std::ptr::null(), |t| t);
        let (n, nl) = (message.nonce.as_ptr(), message.nonce.len());
        let (a, al) = (message.aad.as_ptr(), message.aad.len());
        let (length, (from, to)) = (text.length(), text.pointers());
        let (f, g) = (block.encrypt, block.decrypt);
        let missing = || Failure::unsupported("this mode");
        if encrypt {
            let el = length + tag;
            // SAFETY: the contexts are keyed; nonce, tag and message have lengths that
            // the function takes (checked when the plan was made); the output has room
            // for the input and 256 bytes more.
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
        let Some(dl) = length.checked_sub(tag) else {
            return Err(Failure::Rejected);
        };
        // SAFETY: as above; the input has `dl` bytes and a tag.
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

/// Input, output and tag of a message.
struct Io {
    from: *const u8,
    length: usize,
    to: *mut u8,
    tag: [u8; 16],
}

impl Operation for Aead {
    fn set_key(&mut self, key: &[u8]) -> Result<(), Failure> {
        let Plan {
            api,
            mode,
            form,
            encrypt,
            ..
        } = self.plan;
        let block = match form {
            Form::Ready(table, _) => {
                let schedule = if encrypt {
                    table.set_encrypt_key
                } else {
                    table.set_decrypt_key
                };
                // SAFETY: the memory has the context's size, the key the table's.
                unsafe { schedule(self.memory.at(0), key.as_ptr()) };
                return Ok(());
            }
            Form::Over(block) => block,
        };
        let parts = self.parts(&block);
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
            // All of these modes use the cipher's encryption; OCB also uses its
            // decryption.
            block.set_key(parts.cipher, key, true);
            match mode {
                Mode::Gcm => (api.nettle_gcm_set_key)(parts.key, parts.cipher, block.encrypt),
                Mode::Eax => (api.nettle_eax_set_key)(parts.key, parts.cipher, block.encrypt),
                Mode::Ocb => {
                    if let Some(run) = api.nettle_ocb_set_key {
                        run(parts.key, parts.cipher, block.encrypt);
                    }
                    if !encrypt {
                        block.set_key(parts.second, key, false);
                    }
                }
                _ => {}
            }
        }
        Ok(())
    }

    #[inline]
    fn transform(&mut self, message: &Message<'_>, mut text: Text<'_>) -> Result<usize, Failure> {
        let Plan {
            api,
            mode,
            form,
            encrypt,
            mac,
            tag,
        } = self.plan;
        if let Form::Over(block) = &form
            && !matches!(mode, Mode::Gcm | Mode::Eax)
        {
            return self.whole(block, message, text);
        }
        let given = if encrypt { 0 } else { tag };
        let Some(length) = text.length().checked_sub(given) else {
            return Err(Failure::Rejected);
        };
        let (from, to) = text.pointers();
        let mut whole = *message;
        let mut io = Io {
            from,
            length,
            to,
            tag: [0; 16],
        };
        if mac {
            (whole.aad, io.length) = (message.input, 0);
        }
        match &form {
            Form::Ready(table, set_nonce) => self.ready(table, *set_nonce, &whole, &mut io),
            Form::Over(block) => self.over(block, &whole, &mut io),
        }
        if encrypt {
            text.output()[io.length..][..tag].copy_from_slice(&io.tag[..tag]);
            return Ok(io.length + tag);
        }
        let given = &message.input[length..];
        // SAFETY: both have `tag` bytes.
        let right = unsafe {
            (api.nettle_memeql_sec)(io.tag.as_ptr().cast(), given.as_ptr().cast(), tag) == 1
        };
        if right {
            Ok(length)
        } else {
            Err(Failure::Rejected)
        }
    }
}
