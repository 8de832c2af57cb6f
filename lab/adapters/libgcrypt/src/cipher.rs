//! Block and stream ciphers without authentication: `gcry_cipher_encrypt` and
//! `gcry_cipher_decrypt`.
#![allow(unsafe_code)]

use std::ffi::{CStr, c_int, c_uint};
use std::ptr;

use touchstone_worker::{
    Cell, Contract, Direction, Failure, Message, Offer, Operation, Text, Work, offer,
    stays_in_place,
};

use crate::ffi::{Api, Gcrypt, Open, RESET, SET_SBOX, code, works};

/// Primitive and cipher number. Numbers that the loaded version does not know
/// are not offered.
pub(crate) const BLOCK: &[(&str, c_int)] = &[
    ("aes-128", 7),
    ("aes-192", 8),
    ("aes-256", 9),
    ("aria-128", 319),
    ("aria-192", 320),
    ("aria-256", 321),
    ("camellia-128", 310),
    ("camellia-192", 311),
    ("camellia-256", 312),
    ("serpent-128", 304),
    ("serpent-192", 305),
    ("serpent-256", 306),
    ("twofish-128", 303),
    ("twofish-256", 10),
    ("sm4", 318),
    ("seed", 309),
    ("gost28147", 315),
    ("des", 302),
    ("des-ede3", 2),
    ("blowfish", 4),
    ("cast5", 3),
    ("idea", 1),
    ("rc2", 308),
];

/// id-Gost28147-89-CryptoPro-A-ParamSet, RFC 4357 §11.2: an S-box.
pub(crate) const CRYPTOPRO_A: &CStr = c"1.2.643.2.2.31.1";

const STREAM: &[(&str, c_int)] = &[
    ("rc4", 301),
    ("salsa20", 313),
    ("salsa20-12", 314),
    ("chacha20", 316),
];

/// The input lengths that a mode accepts.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Shape {
    /// Any number of bytes.
    Any,
    /// Whole blocks.
    Blocks,
    /// A block or more.
    Block,
    /// Key wrap: multiples of 8.
    Wrap,
    /// Key wrap with padding.
    WrapPadded,
    /// CBC-MAC: whole blocks, at least one; the output is the last.
    Mac,
}

/// The parameter that is set before every message.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Start {
    /// Nothing.
    None,
    /// The nonce, with `gcry_cipher_setiv`.
    Iv,
    /// The nonce, with `gcry_cipher_setctr`.
    Counter,
    /// A little-endian block number before the nonce: 16 bytes in all, which
    /// ChaCha20 takes as its whole input after the key.
    BlockNumber(u64),
    /// The state right after setting the key (RC4).
    Keyed,
}

const CBC_CTS: c_uint = 4;
const CBC_MAC: c_uint = 8;
const EXTENDED: c_uint = 16;
const STREAM_MODE: c_int = 4;

/// Operation stem, mode number, flags, start, shape, and whether decryption is a
/// different function.
const MODES: &[(&str, c_int, c_uint, Start, Shape, bool)] = &[
    ("ecb", 1, 0, Start::None, Shape::Blocks, true),
    ("cbc", 3, 0, Start::Iv, Shape::Blocks, true),
    ("cfb", 2, 0, Start::Iv, Shape::Any, true),
    ("cfb8", 12, 0, Start::Iv, Shape::Any, true),
    ("ofb", 5, 0, Start::Iv, Shape::Any, false),
    ("ctr", 6, 0, Start::Counter, Shape::Any, false),
    ("xts", 13, 0, Start::Iv, Shape::Block, true),
    ("cbc-cs3", 3, CBC_CTS, Start::Iv, Shape::Block, true),
    ("kw", 7, 0, Start::None, Shape::Wrap, true),
    ("kwp", 7, EXTENDED, Start::None, Shape::WrapPadded, true),
];

/// Ciphers whose key may have several lengths; the library says which.
pub(crate) fn free_key(primitive: &str) -> bool {
    matches!(primitive, "blowfish" | "cast5" | "rc2" | "rc4")
}

/// The parameters of an object, known before it is made.
#[derive(Clone, Copy)]
struct Plan {
    api: Api,
    cipher: c_int,
    mode: c_int,
    flags: c_uint,
    encrypt: bool,
    start: Start,
    shape: Shape,
    /// Bytes of the block; 1 for a stream cipher.
    block: usize,
    /// Whether the S-box must be chosen (GOST 28147-89).
    sbox: bool,
    /// Whether the cipher knows weak keys, which are allowed here.
    weak: bool,
}

impl Plan {
    fn find(api: Api, primitive: &str, operation: &str) -> Option<Self> {
        if operation == "stream-encrypt" {
            let (_, cipher) = *STREAM.iter().find(|(id, _)| *id == primitive)?;
            return Some(Self {
                api,
                cipher,
                mode: STREAM_MODE,
                flags: 0,
                encrypt: true,
                start: match primitive {
                    "rc4" => Start::Keyed,
                    _ => Start::Iv,
                },
                shape: Shape::Any,
                block: 1,
                sbox: false,
                weak: false,
            });
        }
        let (_, cipher) = *BLOCK.iter().find(|(id, _)| *id == primitive)?;
        let (mode, flags, encrypt, start, shape) = if operation == "cbc-mac" {
            (3, CBC_MAC, true, Start::None, Shape::Mac)
        } else {
            let (stem, way) = Direction::split(operation)?;
            let (_, mode, flags, start, shape, back) =
                *MODES.iter().find(|(id, ..)| *id == stem)?;
            if !(way.is_encrypt() || back) {
                return None;
            }
            (mode, flags, way.is_encrypt(), start, shape)
        };
        Some(Self {
            api,
            cipher,
            mode,
            flags,
            encrypt,
            start,
            shape,
            block: api.block_bytes(cipher),
            sbox: primitive == "gost28147",
            weak: matches!(primitive, "des" | "des-ede3" | "blowfish"),
        })
    }

    /// Bytes of key that the primitive's id stands for.
    fn key_bytes(&self, primitive: &str) -> usize {
        let bytes = match primitive {
            // The library's number is 16 for both, but it takes both lengths.
            "salsa20" | "salsa20-12" | "chacha20" => 32,
            _ => self.api.key_bytes(self.cipher),
        };
        if self.mode == 13 { 2 * bytes } else { bytes }
    }

    /// Bytes of nonce, and of input, for a trial.
    fn trial(&self) -> (usize, usize) {
        let nonce = match self.start {
            Start::None | Start::Keyed => 0,
            _ if self.block == 1 => 8,
            _ => self.block,
        };
        let input = match (self.shape, self.encrypt) {
            (Shape::Wrap | Shape::WrapPadded, true) => 16,
            _ => 3 * self.block,
        };
        (nonce, input)
    }

    /// The plan with the work's parameters, after checking that the library supports
    /// them. The library does not report a wrong IV, or the key of a related cipher, so
    /// both are checked here.
    fn fit(mut self, work: &Work) -> Result<Self, Failure> {
        let primitive = work.primitive.as_str();
        let key = work.key.len();
        let short_salsa = self.block == 1 && key == 16;
        if key != self.key_bytes(primitive) && !free_key(primitive) && !short_salsa {
            return Err(Failure::length("a key", key));
        }
        let nonce = work.nonce.len();
        let wanted = self.trial().0;
        if nonce != wanted && !(primitive == "chacha20" && nonce == 12) {
            return Err(Failure::length("a nonce", nonce));
        }
        match work.cost("counter").unwrap_or(0) {
            0 => {}
            counter if primitive == "chacha20" => {
                if nonce == 12 && counter > u64::from(u32::MAX) {
                    return Err(Failure::unsupported("a block number of 33 bits"));
                }
                self.start = Start::BlockNumber(counter);
            }
            _ => return Err(Failure::unsupported("a first block number")),
        }
        if work.cost("drop").is_some_and(|n| n != 0) {
            return Err(Failure::unsupported("dropping keystream"));
        }
        let full = key as u64 * 8;
        if primitive == "rc2" && work.cost("effective-bits").is_some_and(|bits| bits != full) {
            return Err(Failure::unsupported(
                "an effective key length that is not the key's",
            ));
        }
        if work.cost("rounds").is_some() {
            return Err(Failure::unsupported("a number of rounds"));
        }
        let input = work.input.len();
        let fits = match (self.shape, self.encrypt) {
            (Shape::Any, _) => true,
            (Shape::Blocks, _) => input.is_multiple_of(self.block),
            (Shape::Block, _) => input >= self.block,
            (Shape::Mac, _) => input >= self.block && input.is_multiple_of(self.block),
            (Shape::Wrap, true) => input >= 16 && input.is_multiple_of(8),
            (Shape::WrapPadded, true) => input >= 1,
            // The library itself refuses inputs that are no wrapped key.
            (Shape::Wrap | Shape::WrapPadded, false) => true,
        };
        if !fits {
            return Err(Failure::length("an input", input));
        }
        if let Some(tag) = work.tag
            && self.shape == Shape::Mac
            && tag > self.block
        {
            return Err(Failure::length("a tag", tag));
        }
        Ok(self)
    }
}

pub(crate) fn offers(gcrypt: &Gcrypt) -> Vec<Offer> {
    let operations = MODES.iter().flat_map(|(stem, .., back)| {
        let ways: &[&str] = if *back {
            &["encrypt", "decrypt"]
        } else {
            &["encrypt"]
        };
        ways.iter().map(move |way| format!("{stem}-{way}"))
    });
    let operations: Vec<String> = operations.chain(["cbc-mac".to_owned()]).collect();
    let block = BLOCK.iter().flat_map(|(id, _)| {
        operations
            .iter()
            .map(move |operation| (*id, operation.as_str()))
    });
    let stream = STREAM.iter().map(|(id, _)| (*id, "stream-encrypt"));
    block
        .chain(stream)
        .filter(|(id, operation)| tried(gcrypt, id, operation))
        .map(|(id, operation)| {
            let api = if operation.ends_with("-decrypt") {
                "gcry_cipher_decrypt"
            } else {
                "gcry_cipher_encrypt"
            };
            let in_place = stays_in_place(operation);
            let mut row = offer(id, operation, api).taking(Contract::InPlace, in_place);
            row.note = match (id, operation) {
                ("rc4", _) => "gcry_cipher_reset puts the keyed state back before each message",
                (_, "cbc-mac") => "whole blocks only: the library does not pad",
                _ => "",
            }
            .into();
            row
        })
        .collect()
}

/// Whether a small message can be processed. Decryption is tried with the output of its
/// own encryption, because key wrap refuses any other input.
fn tried(gcrypt: &Gcrypt, id: &str, operation: &str) -> bool {
    let Some(plan) = Plan::find(gcrypt.api, id, operation) else {
        return false;
    };
    let (nonce, input) = plan.trial();
    let (nonce, key) = (vec![1; nonce], plan.key_bytes(id));
    if plan.block == 0 || key == 0 {
        return false;
    }
    if plan.mode == 7 && !plan.encrypt {
        return tried(gcrypt, id, &operation.replace("-decrypt", "-encrypt"));
    }
    let message = Message {
        nonce: &nonce,
        input: &vec![2; input],
        ..Message::default()
    };
    works(Cipher::new(plan, None), key, &message)
}

pub(crate) fn cell(gcrypt: &Gcrypt, work: &Work) -> Option<Result<Cell, Failure>> {
    let plan = Plan::find(gcrypt.api, &work.primitive, &work.operation)?;
    if plan.block == 0 {
        return None;
    }
    let tag = work.tag;
    let plan = plan.fit(work);
    Some(plan.map(|plan| Cell::new(move || Cipher::new(plan, tag))))
}

struct Cipher {
    plan: Plan,
    open: Open,
    /// Whether the library agreed to take weak keys.
    weak: bool,
    tag: Option<usize>,
}

impl Cipher {
    fn new(plan: Plan, tag: Option<usize>) -> Result<Self, Failure> {
        const SET_ALLOW_WEAK_KEY: c_int = 79;
        let open = plan.api.cipher(plan.cipher, plan.mode, plan.flags)?;
        let mut weak = false;
        // SAFETY: the handle is open; the S-box is named by a C string, the
        // other control takes its flag as a length.
        unsafe {
            if plan.sbox {
                let name = CRYPTOPRO_A.as_ptr().cast_mut().cast();
                let error = (plan.api.gcry_cipher_ctl)(open.handle, SET_SBOX, name, 0);
                plan.api.ok("gcry_cipher_ctl (S-box)", error)?;
            }
            if plan.weak {
                let ctl = plan.api.gcry_cipher_ctl;
                weak = ctl(open.handle, SET_ALLOW_WEAK_KEY, ptr::null_mut(), 1) == 0;
            }
        }
        Ok(Self {
            plan,
            open,
            weak,
            tag,
        })
    }

    /// Puts the handle at the beginning of a message.
    #[inline]
    fn start(&self, nonce: &[u8]) -> Result<(), Failure> {
        let (api, handle) = (&self.plan.api, self.open.handle);
        // SAFETY: the handle is open and keyed; the nonce is as long as stated.
        let error = unsafe {
            match self.plan.start {
                Start::None => 0,
                Start::Iv => (api.gcry_cipher_setiv)(handle, nonce.as_ptr(), nonce.len()),
                Start::Counter => (api.gcry_cipher_setctr)(handle, nonce.as_ptr(), nonce.len()),
                Start::BlockNumber(number) => {
                    let mut whole = [0; 16];
                    let at = 16 - nonce.len();
                    whole[..at].copy_from_slice(&number.to_le_bytes()[..at]);
                    whole[at..].copy_from_slice(nonce);
                    (api.gcry_cipher_setiv)(handle, whole.as_ptr(), whole.len())
                }
                Start::Keyed => (api.gcry_cipher_ctl)(handle, RESET, ptr::null_mut(), 0),
            }
        };
        api.ok("start of a message", error)
    }

    /// A wrapped key that does not check, or that has no wrapped key's length.
    #[cold]
    fn refused(&self, error: c_uint) -> Result<usize, Failure> {
        match error & 0xffff {
            code::CHECKSUM | code::INV_ARG | code::INV_LENGTH | code::BUFFER_TOO_SHORT => {
                Err(Failure::Rejected)
            }
            _ => Err(self
                .plan
                .api
                .ok("gcry_cipher_decrypt", error)
                .err()
                .unwrap_or(Failure::Rejected)),
        }
    }

    /// Bytes of key that the padded wrap just decrypted held.
    fn unwrapped(&self, most: usize) -> Result<usize, Failure> {
        const GET_KEYLEN: c_int = 6;
        let mut length = [0_u8; 4];
        let mut size = length.len();
        // SAFETY: the buffer has the four bytes that the manual asks for.
        let error = unsafe {
            (self.plan.api.gcry_cipher_info)(
                self.open.handle,
                GET_KEYLEN,
                length.as_mut_ptr().cast(),
                &mut size,
            )
        };
        self.plan.api.ok("gcry_cipher_info", error)?;
        let length = u32::from_be_bytes(length) as usize;
        // A length of 0 means that the input was wrapped by RFC 3394 without padding,
        // which is not what was requested.
        if length == 0 || length > most {
            return Err(Failure::Rejected);
        }
        Ok(length)
    }
}

impl Operation for Cipher {
    fn set_key(&mut self, key: &[u8]) -> Result<(), Failure> {
        // SAFETY: the key is as long as stated.
        let error = unsafe {
            (self.plan.api.gcry_cipher_setkey)(self.open.handle, key.as_ptr(), key.len())
        };
        // A weak key that is allowed is still reported, but it is set.
        if self.weak && error & 0xffff == code::WEAK_KEY {
            return Ok(());
        }
        self.plan.api.ok("gcry_cipher_setkey", error)
    }

    #[inline]
    fn transform(&mut self, message: &Message<'_>, mut text: Text<'_>) -> Result<usize, Failure> {
        let (nonce, bytes, (from, to)) = (message.nonce, text.length(), text.pointers());
        let Plan {
            api,
            encrypt,
            shape,
            block,
            ..
        } = self.plan;
        self.start(nonce)?;
        if shape == Shape::Mac {
            // CBC-MAC has no IV: the zero block is put back.
            // SAFETY: NULL stands for the zero block.
            let error = unsafe { (api.gcry_cipher_setiv)(self.open.handle, ptr::null(), 0) };
            api.ok("gcry_cipher_setiv", error)?;
        }
        let (length, room) = match (shape, encrypt) {
            (Shape::Wrap, true) => (bytes + 8, bytes + 8),
            (Shape::Wrap | Shape::WrapPadded, false) => (bytes.saturating_sub(8), bytes),
            (Shape::WrapPadded, true) => {
                let padded = bytes.next_multiple_of(8) + 8;
                (padded, padded)
            }
            (Shape::Mac, _) => (self.tag.unwrap_or(block), bytes),
            _ => (bytes, bytes),
        };
        let run = if encrypt {
            api.gcry_cipher_encrypt
        } else {
            api.gcry_cipher_decrypt
        };
        // SAFETY: the output has room for the input and 256 bytes more.
        let error = unsafe { run(self.open.handle, to, room, from, bytes) };
        if error != 0 && !encrypt && matches!(shape, Shape::Wrap | Shape::WrapPadded) {
            return self.refused(error);
        }
        api.ok(
            if encrypt {
                "gcry_cipher_encrypt"
            } else {
                "gcry_cipher_decrypt"
            },
            error,
        )?;
        if shape == Shape::WrapPadded && !encrypt {
            return self.unwrapped(length);
        }
        Ok(length)
    }
}
