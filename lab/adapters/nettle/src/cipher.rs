//! Block ciphers in the modes without authentication, and stream ciphers.
#![allow(unsafe_code)]

use touchstone_worker::{
    BLOCK_MODES, Direction, Failure, Memory, Message, Plan, STREAMS, Text, Work, Written, chain,
};

use crate::block::Block;
use crate::ffi::{Api, Cbc, Nettle};

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

/// A block cipher in a mode.
#[derive(Clone, Copy)]
pub(crate) struct BlockMode {
    api: Api,
    block: Block,
    mode: Mode,
    way: Direction,
    /// Nettle's function for CBC encryption with this cipher, if there is one.
    cbc: Option<Cbc>,
}

impl Plan for BlockMode {
    type Library = Nettle;
    /// The cipher's context. For XTS, the context for the tweak follows.
    type Object = Memory;
    const OPERATIONS: &'static [&'static str] = BLOCK_MODES;
    const IN_PLACE: bool = true;

    fn find(nettle: &Nettle, primitive: &str, operation: &str) -> Option<Self> {
        let (stem, way) = Direction::split(operation)?;
        let mode = match stem {
            "ecb" => Mode::Ecb,
            "cbc" => Mode::Cbc,
            "cfb" => Mode::Cfb,
            "cfb8" => Mode::Cfb8,
            "ctr" => Mode::Ctr,
            "xts" => Mode::Xts,
            "kw" => Mode::Wrap,
            _ => return None,
        };
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
            // SAFETY: every nettle_cbc_…_encrypt has this type.
            .then(|| unsafe { nettle.function(&format!("nettle_cbc_{}_encrypt", block.name)) });
        Some(Self {
            api: nettle.api,
            block,
            mode,
            way,
            cbc: cbc.flatten(),
        })
    }

    fn api(&self, primitive: &str, _: &str) -> String {
        let way = self.way.choose("encrypt", "decrypt");
        match self.mode {
            Mode::Ecb => format!("{}_{way}", function_name(primitive, self.block.name)),
            Mode::Cbc if self.cbc.is_some() => format!("cbc_{}_encrypt", self.block.name),
            Mode::Cbc => format!("cbc_{way}"),
            Mode::Cfb => format!("cfb_{way}"),
            Mode::Cfb8 => format!("cfb8_{way}"),
            Mode::Ctr => "ctr_crypt".into(),
            Mode::Xts => format!("xts_{way}_message"),
            Mode::Wrap => self.way.choose("nist_keywrap16", "nist_keyunwrap16").into(),
        }
    }

    /// Nettle aborts the process if a length is wrong, so the worker checks every length.
    fn fit(mut self, work: &Work) -> Result<Self, Failure> {
        self.block = self.block.with_costs(work)?;
        let shape = work.shape(self.block.size);
        match self.mode {
            Mode::Wrap if !work.nonce.is_empty() => shape.nonce(8),
            _ => shape,
        }
        .fit(work, self.block.keys())?;
        Ok(self)
    }

    fn make(&self) -> Result<Memory, Failure> {
        let contexts = if self.mode == Mode::Xts { 2 } else { 1 };
        Ok(Memory::new(contexts * self.block.context))
    }

    fn set_key(&self, memory: &mut Memory, key: &[u8]) -> Result<(), Failure> {
        let block = &self.block;
        // Counter and feedback modes use the cipher's encryption in both directions.
        let forwards =
            self.way.is_encrypt() || matches!(self.mode, Mode::Cfb | Mode::Cfb8 | Mode::Ctr);
        // SAFETY: the memory has room for the context, for XTS two contexts. The key's length
        // was accepted when the plan was made.
        unsafe {
            if self.mode == Mode::Xts {
                let (data, tweak) = key.split_at(key.len() / 2);
                block.set_key(memory.at(0), data, forwards);
                block.set_key(memory.at(block.context), tweak, true);
            } else {
                block.set_key(memory.at(0), key, forwards);
            }
        }
        Ok(())
    }

    #[inline(always)]
    fn transform(&self, memory: &mut Memory, message: &Message<'_>, mut text: Text<'_>) -> Written {
        let (nonce, length, (from, to)) = (message.nonce, text.length(), text.pointers());
        let (api, size) = (&self.api, self.block.size);
        let (forwards, backwards) = (self.block.encrypt, self.block.decrypt);
        let context = memory.at(0);
        // The functions overwrite the IV, so each message uses a copy of its nonce.
        let mut chain = match self.mode {
            Mode::Ecb | Mode::Wrap => [0; 16],
            _ => chain(nonce),
        };
        let iv = chain.as_mut_ptr();
        let missing = || Failure::unsupported("key wrap");
        use Direction::{Decrypt, Encrypt};
        // SAFETY: the context has a key for the direction of the function. The IV is a block
        // long. The input has a length that the function accepts. All this was checked when the
        // plan was made. The output is 256 bytes longer than the input.
        unsafe {
            match (self.mode, self.way) {
                (Mode::Ecb, Encrypt) => forwards(context, length, to, from),
                (Mode::Ecb, Decrypt) => backwards(context, length, to, from),
                (Mode::Cbc, Encrypt) => match self.cbc {
                    Some(cbc) => cbc(context, iv, length, to, from),
                    None => {
                        (api.nettle_cbc_encrypt)(context, forwards, size, iv, length, to, from);
                    }
                },
                (Mode::Cbc, Decrypt) => {
                    (api.nettle_cbc_decrypt)(context, backwards, size, iv, length, to, from);
                }
                (Mode::Cfb, way) => {
                    let run = way.choose(api.nettle_cfb_encrypt, api.nettle_cfb_decrypt);
                    run(context, forwards, size, iv, length, to, from);
                }
                (Mode::Cfb8, way) => {
                    let run = way.choose(api.nettle_cfb8_encrypt, api.nettle_cfb8_decrypt);
                    run(context, forwards, size, iv, length, to, from);
                }
                (Mode::Ctr, _) => {
                    (api.nettle_ctr_crypt)(context, forwards, size, iv, length, to, from);
                }
                (Mode::Xts, way) => {
                    let tweak = memory.at(self.block.context);
                    let (encrypt, decrypt) = (
                        api.nettle_xts_encrypt_message,
                        api.nettle_xts_decrypt_message,
                    );
                    match way {
                        Encrypt => encrypt(context, tweak, forwards, iv, length, to, from),
                        Decrypt => {
                            decrypt(context, tweak, backwards, forwards, iv, length, to, from)
                        }
                    }
                }
                (Mode::Wrap, way) => {
                    let iv = if nonce.is_empty() { &[0xa6; 8] } else { nonce }.as_ptr();
                    if way.is_encrypt() {
                        let wrap = api.nettle_nist_keywrap16.ok_or_else(missing)?;
                        wrap(context, forwards, iv, length + 8, to, from);
                        return Ok(length + 8);
                    }
                    let unwrap = api.nettle_nist_keyunwrap16.ok_or_else(missing)?;
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

/// Returns the name by which a C program calls the cipher's function.
fn function_name<'a>(id: &'a str, table: &'a str) -> &'a str {
    match id {
        "des-ede3" => "des3",
        "rc2" => "arctwo",
        _ if table.is_empty() => id,
        _ if table.starts_with("camellia") || table.starts_with("aes") => table,
        _ => table.trim_end_matches(|c: char| c.is_ascii_digit() && table != "cast128"),
    }
}

/// A stream cipher. For ChaCha20, the number of the first block, and whether the nonce has the
/// 12 bytes of RFC 8439.
#[derive(Clone, Copy)]
enum Kind {
    Rc4,
    Salsa20,
    Salsa20R12,
    ChaCha { number: u64, ietf: bool },
}

#[derive(Clone, Copy)]
pub(crate) struct Stream {
    api: Api,
    kind: Kind,
}

/// Room for a context, in bytes. The context of every stream cipher except RC4 has 64 bytes.
const CONTEXT: usize = 512;
/// The number of bytes of its context that RC4 uses.
const RC4_CONTEXT: usize = 258;

impl Plan for Stream {
    type Library = Nettle;
    /// The context. For RC4, the keyed context, then the copy for a message.
    type Object = Memory;
    const OPERATIONS: &'static [&'static str] = STREAMS;
    const IN_PLACE: bool = true;

    fn find(nettle: &Nettle, primitive: &str, operation: &str) -> Option<Self> {
        let (api, ietf) = (nettle.api, true);
        let kind = match (primitive, operation) {
            ("rc4", "stream-encrypt") => Kind::Rc4,
            ("salsa20", "stream-encrypt") => Kind::Salsa20,
            ("salsa20-12", "stream-encrypt") => Kind::Salsa20R12,
            ("chacha20", "stream-encrypt") => Kind::ChaCha { number: 0, ietf },
            _ => return None,
        };
        Some(Self { api, kind })
    }

    fn api(&self, _: &str, _: &str) -> String {
        match self.kind {
            Kind::Rc4 => "arcfour_crypt",
            Kind::Salsa20 => "salsa20_crypt",
            Kind::Salsa20R12 => "salsa20r12_crypt",
            Kind::ChaCha { .. } => "chacha_crypt, chacha_crypt32",
        }
        .into()
    }

    fn note(&self, _: &str, _: &str) -> &'static str {
        match self.kind {
            Kind::Rc4 => "the keyed context is copied before each message",
            _ => "",
        }
    }

    fn fit(mut self, work: &Work) -> Result<Self, Failure> {
        match &mut self.kind {
            Kind::Rc4 => {
                work.need_key(1..=256)?;
                work.need_nonce(0)?;
                work.first_block(0)?;
            }
            Kind::Salsa20 | Kind::Salsa20R12 => {
                work.need_key([16, 32])?;
                work.need_nonce(8)?;
                work.first_block(0)?;
            }
            Kind::ChaCha { number, ietf } => {
                work.need_key(32)?;
                work.need_nonce([8, 12])?;
                *ietf = work.nonce.len() == 12;
                *number = work.first_block(if *ietf { u32::MAX.into() } else { u64::MAX })?;
            }
        }
        Ok(self)
    }

    fn make(&self) -> Result<Memory, Failure> {
        Ok(Memory::twice(CONTEXT))
    }

    fn set_key(&self, memory: &mut Memory, key: &[u8]) -> Result<(), Failure> {
        let (api, context) = (&self.api, memory.at(0));
        // SAFETY: the memory has room for the context, and the key has a length that the
        // function accepts.
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

    #[inline(always)]
    fn transform(&self, memory: &mut Memory, message: &Message<'_>, mut text: Text<'_>) -> Written {
        let (api, context) = (&self.api, memory.at(0));
        let (nonce, length, (from, to)) = (message.nonce.as_ptr(), text.length(), text.pointers());
        // SAFETY: the context has a key, the nonce has the length that the function reads, and
        // the output has room for the input.
        unsafe {
            match self.kind {
                Kind::Rc4 => {
                    let running = memory.restart(RC4_CONTEXT);
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
