//! Block ciphers in the modes without authentication, and stream ciphers.
#![allow(unsafe_code)]

use std::ptr;

use touchstone_worker::{
    Cell, Contract, Failure, Message, Offer, Operation, Text, Work, offer, stays_in_place,
};

use crate::block::{BLOCK, Block};
use crate::ffi::{Api, Cbc, Memory, Nettle};

#[derive(Clone, Copy, PartialEq, Eq)]
enum Mode {
    Ecb,
    Cbc,
    Cfb,
    Cfb8,
    Ctr,
    Xts,
    Wrap,
}

/// Operation stem, the mode, its functions for the offer, and whether decryption is a
/// different function.
const MODES: &[(&str, Mode, &str, bool)] = &[
    ("ecb", Mode::Ecb, "", true),
    ("cbc", Mode::Cbc, "cbc_", true),
    ("cfb", Mode::Cfb, "cfb_", true),
    ("cfb8", Mode::Cfb8, "cfb8_", true),
    ("ctr", Mode::Ctr, "ctr_crypt", false),
    ("xts", Mode::Xts, "xts_", true),
    ("kw", Mode::Wrap, "nist_key", true),
];

/// The parameters of an object, known before it is made.
#[derive(Clone, Copy)]
struct Plan {
    api: Api,
    block: Block,
    mode: Mode,
    encrypt: bool,
    /// CBC encryption with the cipher built in, where Nettle has that.
    cbc: Option<Cbc>,
}

impl Plan {
    fn find(nettle: &Nettle, primitive: &str, operation: &str) -> Option<Self> {
        let (stem, way) = operation.rsplit_once('-')?;
        let (_, mode, _, back) = *MODES.iter().find(|(id, ..)| *id == stem)?;
        if !(way == "encrypt" || way == "decrypt" && back) {
            return None;
        }
        let block = Block::find(nettle, primitive)?;
        let missing = match mode {
            Mode::Xts => block.size != 16,
            Mode::Wrap => block.size != 16 || nettle.api.nettle_nist_keywrap16.is_none(),
            _ => false,
        };
        if missing {
            return None;
        }
        let cbc = (operation == "cbc-encrypt")
            .then(|| BLOCK.iter().find(|(id, _)| *id == primitive))
            .flatten()
            .and_then(|(_, name)| {
                // SAFETY: every cbc_…_encrypt has this type.
                unsafe { nettle.function(&format!("nettle_cbc_{name}_encrypt")) }
            });
        Some(Self {
            api: nettle.api,
            block,
            mode,
            encrypt: way == "encrypt",
            cbc,
        })
    }

    /// The plan for this work. Nettle aborts the process if a length is wrong, so all
    /// lengths are checked here.
    fn fit(mut self, work: &Work) -> Result<Self, Failure> {
        let keys = if self.mode == Mode::Xts { 2 } else { 1 };
        self.block = self.block.fit(work, keys)?;
        let (nonce, input, size) = (work.nonce.len(), work.input.len(), self.block.size);
        let iv_fits = match self.mode {
            Mode::Ecb => nonce == 0,
            Mode::Wrap => nonce == 0 || nonce == 8,
            _ => nonce == size,
        };
        if !iv_fits {
            return Err(Failure::length("a nonce", nonce));
        }
        let input_fits = match self.mode {
            Mode::Ecb | Mode::Cbc => input.is_multiple_of(size),
            Mode::Cfb | Mode::Cfb8 | Mode::Ctr => true,
            Mode::Xts => input >= size,
            Mode::Wrap => input.is_multiple_of(8) && input >= if self.encrypt { 16 } else { 24 },
        };
        if !input_fits {
            return Err(Failure::length("an input", input));
        }
        Ok(self)
    }
}

pub(crate) fn offers(nettle: &Nettle) -> Vec<Offer> {
    let mut rows = Vec::new();
    for (id, name) in BLOCK {
        for (stem, mode, function, back) in MODES {
            for way in ["encrypt", "decrypt"] {
                let operation = format!("{stem}-{way}");
                let Some(plan) = Plan::find(nettle, id, &operation) else {
                    continue;
                };
                debug_assert!(way == "encrypt" || *back);
                let api = match mode {
                    Mode::Ecb => format!("{}_{way}", function_name(id, name)),
                    Mode::Ctr => (*function).to_owned(),
                    Mode::Xts => format!("{function}{way}_message"),
                    Mode::Wrap if way == "encrypt" => format!("{function}wrap16"),
                    Mode::Wrap => format!("{function}unwrap16"),
                    _ if plan.cbc.is_some() => format!("cbc_{name}_encrypt"),
                    _ => format!("{function}{way}"),
                };
                let in_place = stays_in_place(&operation);
                rows.push(offer(id, &operation, &api).taking(Contract::InPlace, in_place));
            }
        }
    }
    for (id, function) in STREAM {
        let mut row = offer(id, "stream-encrypt", function).taking(Contract::InPlace, true);
        if *id == "rc4" {
            row.note = "the keyed context is copied before each message".into();
        }
        rows.push(row);
    }
    rows
}

/// The name of the cipher's function in a C program.
fn function_name<'a>(id: &'a str, table: &'a str) -> &'a str {
    match id {
        "des-ede3" => "des3",
        "rc2" => "arctwo",
        _ if table.is_empty() => id,
        _ if table.starts_with("camellia") || table.starts_with("aes") => table,
        _ => table.trim_end_matches(|c: char| c.is_ascii_digit() && table != "cast128"),
    }
}

pub(crate) fn cell(nettle: &Nettle, work: &Work) -> Option<Result<Cell, Failure>> {
    if work.operation == "stream-encrypt" {
        return stream(nettle, work);
    }
    let plan = Plan::find(nettle, &work.primitive, &work.operation)?.fit(work);
    Some(plan.map(|plan| Cell::new(move || Ok(Cipher::new(plan)))))
}

struct Cipher {
    plan: Plan,
    /// The cipher's context, then the tweak's for XTS.
    memory: Memory,
}

impl Cipher {
    fn new(plan: Plan) -> Self {
        let contexts = if plan.mode == Mode::Xts { 2 } else { 1 };
        Self {
            plan,
            memory: Memory::new(contexts * plan.block.context),
        }
    }
}

impl Operation for Cipher {
    fn set_key(&mut self, key: &[u8]) -> Result<(), Failure> {
        let Plan {
            block,
            mode,
            encrypt,
            ..
        } = self.plan;
        // Counter and feedback modes use the cipher's encryption in both directions.
        let forwards = encrypt || matches!(mode, Mode::Cfb | Mode::Cfb8 | Mode::Ctr);
        // SAFETY: the memory has a context, two for XTS; the key's length was accepted
        // when the plan was made.
        unsafe {
            if mode == Mode::Xts {
                let (data, tweak) = key.split_at(key.len() / 2);
                block.set_key(self.memory.at(0), data, forwards);
                block.set_key(self.memory.at(block.context), tweak, true);
            } else {
                block.set_key(self.memory.at(0), key, forwards);
            }
        }
        Ok(())
    }

    #[inline]
    fn transform(&mut self, message: &Message<'_>, mut text: Text<'_>) -> Result<usize, Failure> {
        let (nonce, length, (from, to)) = (message.nonce, text.length(), text.pointers());
        let Plan {
            api,
            block,
            mode,
            encrypt,
            cbc,
        } = self.plan;
        let Block {
            size,
            encrypt: forwards,
            decrypt: backwards,
            ..
        } = block;
        let context = self.memory.at(0);
        // The chaining functions write the IV for the next call over this one.
        let mut chain = [0; 16];
        let iv = chain.as_mut_ptr();
        if !matches!(mode, Mode::Ecb | Mode::Wrap) {
            chain[..size].copy_from_slice(nonce);
        }
        // SAFETY: the context is keyed for the direction of the function that goes with
        // it; the IV has a block's length; the input's length is one that the function
        // takes (all checked when the plan was made), and the output has room for 256
        // bytes more.
        unsafe {
            match (mode, encrypt) {
                (Mode::Ecb, true) => forwards(context, length, to, from),
                (Mode::Ecb, false) => backwards(context, length, to, from),
                (Mode::Cbc, true) => match cbc {
                    Some(cbc) => cbc(context, iv, length, to, from),
                    None => {
                        (api.nettle_cbc_encrypt)(context, forwards, size, iv, length, to, from);
                    }
                },
                (Mode::Cbc, false) => {
                    (api.nettle_cbc_decrypt)(context, backwards, size, iv, length, to, from);
                }
                (Mode::Cfb, true) => {
                    (api.nettle_cfb_encrypt)(context, forwards, size, iv, length, to, from);
                }
                (Mode::Cfb, false) => {
                    (api.nettle_cfb_decrypt)(context, forwards, size, iv, length, to, from);
                }
                (Mode::Cfb8, true) => {
                    (api.nettle_cfb8_encrypt)(context, forwards, size, iv, length, to, from);
                }
                (Mode::Cfb8, false) => {
                    (api.nettle_cfb8_decrypt)(context, forwards, size, iv, length, to, from);
                }
                (Mode::Ctr, _) => {
                    (api.nettle_ctr_crypt)(context, forwards, size, iv, length, to, from);
                }
                (Mode::Xts, _) => {
                    let tweak = self.memory.at(block.context);
                    if encrypt {
                        let run = api.nettle_xts_encrypt_message;
                        run(context, tweak, forwards, iv, length, to, from);
                    } else {
                        let run = api.nettle_xts_decrypt_message;
                        run(context, tweak, backwards, forwards, iv, length, to, from);
                    }
                }
                (Mode::Wrap, _) => {
                    let iv = if nonce.is_empty() { &[0xa6; 8] } else { nonce }.as_ptr();
                    if encrypt {
                        let Some(wrap) = api.nettle_nist_keywrap16 else {
                            return Err(Failure::unsupported("key wrap"));
                        };
                        wrap(context, forwards, iv, length + 8, to, from);
                        return Ok(length + 8);
                    }
                    let Some(unwrap) = api.nettle_nist_keyunwrap16 else {
                        return Err(Failure::unsupported("key wrap"));
                    };
                    if unwrap(context, backwards, iv, length - 8, to, from) != 1 {
                        return Err(Failure::Rejected);
                    }
                    return Ok(length - 8);
                }
            }
        }
        Ok(length)
    }
}

const STREAM: &[(&str, &str)] = &[
    ("rc4", "arcfour_crypt"),
    ("salsa20", "salsa20_crypt"),
    ("salsa20-12", "salsa20r12_crypt"),
    ("chacha20", "chacha_crypt, chacha_crypt32"),
];

/// Which stream cipher; for ChaCha20 the first block number, and whether the
/// nonce is the 12 bytes of RFC 8439.
#[derive(Clone, Copy)]
enum Kind {
    Rc4,
    Salsa20,
    Salsa20R12,
    ChaCha { number: u64, ietf: bool },
}

fn stream(nettle: &Nettle, work: &Work) -> Option<Result<Cell, Failure>> {
    let (key, nonce) = (work.key.len(), work.nonce.len());
    let number = work.cost("counter").unwrap_or(0);
    let (kind, key_fits, nonce_fits) = match work.primitive.as_str() {
        "rc4" => (Kind::Rc4, (1..=256).contains(&key), nonce == 0),
        "salsa20" => (Kind::Salsa20, key == 16 || key == 32, nonce == 8),
        "salsa20-12" => (Kind::Salsa20R12, key == 16 || key == 32, nonce == 8),
        "chacha20" => {
            let ietf = nonce == 12;
            (Kind::ChaCha { number, ietf }, key == 32, ietf || nonce == 8)
        }
        _ => return None,
    };
    let most = match kind {
        Kind::ChaCha { ietf: true, .. } => u64::from(u32::MAX),
        Kind::ChaCha { .. } => u64::MAX,
        _ => 0,
    };
    let refusal = if !key_fits {
        format!("a key of {key} bytes")
    } else if !nonce_fits {
        format!("a nonce of {nonce} bytes")
    } else if number > most {
        format!("a first block number of {number}")
    } else if work.cost("drop").is_some_and(|n| n != 0) {
        "dropping keystream".to_owned()
    } else {
        let api = nettle.api;
        return Some(Ok(Cell::new(move || {
            Ok(Stream {
                api,
                kind,
                memory: Memory::new(2 * CONTEXT),
            })
        })));
    };
    Some(Err(Failure::Unsupported(refusal)))
}

/// More than any stream cipher's context: RC4's is 258 bytes, the others' 64.
const CONTEXT: usize = 512;
/// The bytes that RC4 uses of it.
const RC4_CONTEXT: usize = 258;

struct Stream {
    api: Api,
    kind: Kind,
    /// The context; for RC4 the keyed one, then the copy for the message.
    memory: Memory,
}

impl Operation for Stream {
    fn set_key(&mut self, key: &[u8]) -> Result<(), Failure> {
        let (api, context) = (&self.api, self.memory.at(0));
        // SAFETY: the memory holds the context, and the key's length is one
        // that the function takes.
        unsafe {
            match self.kind {
                Kind::Rc4 => (api.nettle_arcfour_set_key)(context, key.len(), key.as_ptr()),
                Kind::Salsa20 | Kind::Salsa20R12 => {
                    (api.nettle_salsa20_set_key)(context, key.len(), key.as_ptr());
                }
                Kind::ChaCha { .. } => (api.nettle_chacha_set_key)(context, key.as_ptr()),
            }
        }
        Ok(())
    }

    #[inline]
    fn transform(&mut self, message: &Message<'_>, mut text: Text<'_>) -> Result<usize, Failure> {
        let (api, context) = (&self.api, self.memory.at(0));
        let (nonce, length, (from, to)) = (message.nonce.as_ptr(), text.length(), text.pointers());
        // SAFETY: the context is keyed, the nonce has the length that the
        // function reads, and the output has room for the input.
        unsafe {
            match self.kind {
                Kind::Rc4 => {
                    let running = self.memory.at(CONTEXT);
                    ptr::copy_nonoverlapping(
                        context.cast::<u8>(),
                        running.cast::<u8>(),
                        RC4_CONTEXT,
                    );
                    (api.nettle_arcfour_crypt)(running, length, to, from);
                }
                Kind::Salsa20 => {
                    (api.nettle_salsa20_set_nonce)(context, nonce);
                    (api.nettle_salsa20_crypt)(context, length, to, from);
                }
                Kind::Salsa20R12 => {
                    (api.nettle_salsa20_set_nonce)(context, nonce);
                    (api.nettle_salsa20r12_crypt)(context, length, to, from);
                }
                Kind::ChaCha { number, ietf: true } => {
                    (api.nettle_chacha_set_nonce96)(context, nonce);
                    if number != 0 {
                        let number = (number as u32).to_le_bytes();
                        (api.nettle_chacha_set_counter32)(context, number.as_ptr());
                    }
                    (api.nettle_chacha_crypt32)(context, length, to, from);
                }
                Kind::ChaCha { number, .. } => {
                    (api.nettle_chacha_set_nonce)(context, nonce);
                    if number != 0 {
                        let number = number.to_le_bytes();
                        (api.nettle_chacha_set_counter)(context, number.as_ptr());
                    }
                    (api.nettle_chacha_crypt)(context, length, to, from);
                }
            }
        }
        Ok(length)
    }
}
