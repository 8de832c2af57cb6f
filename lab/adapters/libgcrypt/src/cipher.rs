//! Block ciphers and stream ciphers without authentication, by `gcry_cipher_encrypt` and
//! `gcry_cipher_decrypt`.
#![allow(unsafe_code)]

use std::ffi::{CStr, c_int, c_uint};
use std::ptr;

use touchstone_worker::{BLOCK_MODES, Direction, Failure, Message, Plan, Text, Work, Written};

use crate::ffi::{Api, Gcrypt, Open, RESET, SET_SBOX, code, works};

/// Rows: the primitive, and the cipher's number. The worker offers only the numbers that the
/// loaded version knows.
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

/// The S-box id-Gost28147-89-CryptoPro-A-ParamSet (RFC 4357 §11.2).
pub(crate) const CRYPTOPRO_A: &CStr = c"1.2.643.2.2.31.1";

const STREAM: &[(&str, c_int)] = &[
    ("rc4", 301),
    ("salsa20", 313),
    ("salsa20-12", 314),
    ("chacha20", 316),
];

/// The form of a mode's output.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Output {
    /// The output is as long as the input.
    Same,
    /// A wrapped key, which is 8 bytes longer than the key. `Padded` is the form for a key that
    /// is not whole blocks of 8 bytes.
    Wrapped,
    Padded,
    /// The tag of CBC-MAC, which is the last block.
    Tag,
}

/// The parameter that a message sets before its data.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Start {
    /// No parameter.
    None,
    /// The nonce, with `gcry_cipher_setiv`.
    Iv,
    /// The nonce, with `gcry_cipher_setctr`.
    Counter,
    /// ChaCha20: a little-endian block number, then the nonce. Both together have 16 bytes,
    /// which are the part of ChaCha20's state after the key.
    BlockNumber(u64),
    /// The state after setting the key, to which the handle returns (RC4).
    Keyed,
}

const CBC_CTS: c_uint = 4;
const CBC_MAC: c_uint = 8;
const EXTENDED: c_uint = 16;
const STREAM_MODE: c_int = 4;
const WRAP: c_int = 7;
const XTS: c_int = 13;

/// Returns a mode's number, flags, start and output, and whether decryption differs from
/// encryption.
fn mode(mode: &str) -> Option<(c_int, c_uint, Start, Output, bool)> {
    use {Output::*, Start::*};
    Some(match mode {
        "ecb" => (1, 0, None, Same, true),
        "cbc" => (3, 0, Iv, Same, true),
        "cfb" => (2, 0, Iv, Same, true),
        "cfb8" => (12, 0, Iv, Same, true),
        "ofb" => (5, 0, Iv, Same, false),
        "ctr" => (6, 0, Counter, Same, false),
        "xts" => (XTS, 0, Iv, Same, true),
        "cbc-cs3" => (3, CBC_CTS, Iv, Same, true),
        "kw" => (WRAP, 0, None, Wrapped, true),
        "kwp" => (WRAP, EXTENDED, None, Padded, true),
        "cbc-mac" => (3, CBC_MAC, None, Tag, false),
        "stream" => (STREAM_MODE, 0, Iv, Same, false),
        _ => return Option::None,
    })
}

/// All operations: the operations of block ciphers, stream encryption and CBC-MAC.
const MODES: [&str; BLOCK_MODES.len() + 2] = {
    let mut all = ["cbc-mac"; BLOCK_MODES.len() + 2];
    all.split_at_mut(BLOCK_MODES.len())
        .0
        .copy_from_slice(BLOCK_MODES);
    all[BLOCK_MODES.len()] = "stream-encrypt";
    all
};

/// Returns whether a cipher accepts several key lengths. The library says which lengths.
pub(crate) fn free_key(primitive: &str) -> bool {
    matches!(primitive, "blowfish" | "cast5" | "rc2" | "rc4")
}

#[derive(Clone, Copy)]
pub(crate) struct Cipher {
    api: Api,
    cipher: c_int,
    mode: c_int,
    flags: c_uint,
    way: Direction,
    start: Start,
    output: Output,
    /// Length of the block in bytes; 1 for a stream cipher.
    block: usize,
    /// Whether the worker must select the S-box (GOST 28147-89).
    sbox: bool,
    /// Whether the cipher has weak keys. The worker allows weak keys.
    weak: bool,
    tag: usize,
}

impl Cipher {
    fn named(api: Api, primitive: &str, operation: &str) -> Option<Self> {
        let (stem, way) = Direction::split(operation).unwrap_or((operation, Direction::Encrypt));
        let (mode, flags, mut start, output, both) = mode(stem)?;
        let stream = mode == STREAM_MODE;
        let ciphers = if stream { STREAM } else { BLOCK };
        let (_, cipher) = *ciphers.iter().find(|(id, _)| *id == primitive)?;
        if !way.is_encrypt() && !both {
            return None;
        }
        if primitive == "rc4" {
            start = Start::Keyed;
        }
        Some(Self {
            api,
            cipher,
            mode,
            flags,
            way,
            start,
            output,
            block: if stream { 1 } else { api.block_bytes(cipher) },
            sbox: primitive == "gost28147",
            weak: matches!(primitive, "des" | "des-ede3" | "blowfish"),
            tag: 0,
        })
    }

    /// Returns the key's length in bytes that the primitive's id states.
    fn key_bytes(&self, primitive: &str) -> usize {
        let bytes = match primitive {
            // The library reports 16 bytes for these ciphers, but accepts 16 and 32 bytes.
            "salsa20" | "salsa20-12" | "chacha20" => 32,
            _ => self.api.key_bytes(self.cipher),
        };
        if self.mode == XTS { 2 * bytes } else { bytes }
    }

    /// Returns the lengths of nonce and input, in bytes, for a trial.
    fn trial(&self) -> (usize, usize) {
        let nonce = match self.start {
            Start::None | Start::Keyed => 0,
            _ if self.block == 1 => 8,
            _ => self.block,
        };
        let wraps = self.mode == WRAP && self.way.is_encrypt();
        (nonce, if wraps { 16 } else { 3 * self.block })
    }

    /// Returns whether the library processes a small message.
    fn works(self, primitive: &str) -> bool {
        let (nonce, input) = self.trial();
        let (nonce, input, key) = (vec![1; nonce], vec![2; input], self.key_bytes(primitive));
        let message = Message {
            nonce: &nonce,
            input: &input,
            ..Message::default()
        };
        self.block != 0 && key != 0 && works(self, key, &message)
    }

    /// Sets the handle to the beginning of a message.
    #[inline]
    fn start(&self, open: &Open, nonce: &[u8]) -> Result<(), Failure> {
        let (api, handle) = (&self.api, open.object);
        // SAFETY: the handle is open and has a key, and the nonce has the length that is
        // passed.
        let error = unsafe {
            match self.start {
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

    /// Returns the failure for a wrapped key that fails the integrity check, or whose length is
    /// impossible.
    #[cold]
    fn refused(&self, error: c_uint) -> Written {
        match error & 0xffff {
            code::CHECKSUM | code::INV_ARG | code::INV_LENGTH | code::BUFFER_TOO_SHORT => {
                Err(Failure::Rejected)
            }
            _ => self.api.ok("gcry_cipher_decrypt", error).map(|()| 0),
        }
    }

    /// Returns the length in bytes of the key that the handle has just unwrapped with padding.
    fn unwrapped(&self, open: &Open, most: usize) -> Written {
        const GET_KEYLEN: c_int = 6;
        let mut length = [0_u8; 4];
        let mut size = length.len();
        // SAFETY: the buffer has four bytes, as the manual requires.
        let error = unsafe {
            (self.api.gcry_cipher_info)(
                open.object,
                GET_KEYLEN,
                length.as_mut_ptr().cast(),
                &mut size,
            )
        };
        self.api.ok("gcry_cipher_info", error)?;
        let length = u32::from_be_bytes(length) as usize;
        // The library sets the length to 0 if the input was wrapped by RFC 3394 without
        // padding. The work requests the wrap with padding, so such an input is rejected.
        if length == 0 || length > most {
            return Err(Failure::Rejected);
        }
        Ok(length)
    }
}

impl Plan for Cipher {
    type Library = Gcrypt;
    /// The handle, and whether the library accepted the control that allows weak keys.
    type Object = (Open, bool);
    const OPERATIONS: &'static [&'static str] = &MODES;
    const IN_PLACE: bool = true;

    fn find(gcrypt: &Gcrypt, primitive: &str, operation: &str) -> Option<Self> {
        let plan = Self::named(gcrypt.api, primitive, operation)?;
        // A trial of decryption needs the output of encryption, because key unwrapping refuses
        // any other input. So for key wrap, encryption is tried instead.
        let way = if plan.mode == WRAP {
            Direction::Encrypt
        } else {
            plan.way
        };
        Self { way, ..plan }.works(primitive).then_some(plan)
    }

    fn api(&self, _: &str, _: &str) -> String {
        self.way
            .choose("gcry_cipher_encrypt", "gcry_cipher_decrypt")
            .into()
    }

    fn note(&self, primitive: &str, operation: &str) -> &'static str {
        match (primitive, operation) {
            ("rc4", _) => "gcry_cipher_reset puts the keyed state back before each message",
            (_, "cbc-mac") => "whole blocks only: the library does not pad",
            _ => "",
        }
    }

    /// The library does not report an IV of a wrong length, or a key whose length belongs to a
    /// related cipher. So the worker checks both lengths.
    fn fit(mut self, work: &Work) -> Result<Self, Failure> {
        let primitive = work.primitive.as_str();
        let (key, nonce) = (work.key.len(), work.nonce.len());
        let short_salsa = self.block == 1 && key == 16;
        if !free_key(primitive) && !short_salsa {
            work.need_key(self.key_bytes(primitive))?;
        }
        let shape = work.shape(self.block).nonce(match primitive {
            "chacha20" if nonce == 12 => 12,
            _ => self.trial().0,
        });
        let most = match (primitive, nonce) {
            ("chacha20", 12) => u32::MAX.into(),
            ("chacha20", _) => u64::MAX,
            _ => 0,
        };
        match work.first_block(most)? {
            0 => {}
            number => self.start = Start::BlockNumber(number),
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
        // The library refuses inputs that are not a wrapped key, so the worker does not check
        // their length.
        let unwraps = self.mode == WRAP && !self.way.is_encrypt();
        let shape = if unwraps { shape.input(0..) } else { shape };
        self.tag = shape.fit(work, 0..)?;
        Ok(self)
    }

    fn make(&self) -> Result<Self::Object, Failure> {
        const SET_ALLOW_WEAK_KEY: c_int = 79;
        let ctl = self.api.gcry_cipher_ctl;
        let open = self.api.cipher(self.cipher, self.mode, self.flags)?;
        let mut weak = false;
        // SAFETY: the handle is open. The first control takes the S-box's name as a C string,
        // the second control takes its flag in the place of a length.
        unsafe {
            if self.sbox {
                let name = CRYPTOPRO_A.as_ptr().cast_mut().cast();
                self.api.ok(
                    "gcry_cipher_ctl (S-box)",
                    ctl(open.object, SET_SBOX, name, 0),
                )?;
            }
            if self.weak {
                weak = ctl(open.object, SET_ALLOW_WEAK_KEY, ptr::null_mut(), 1) == 0;
            }
        }
        Ok((open, weak))
    }

    fn set_key(&self, (open, weak): &mut Self::Object, key: &[u8]) -> Result<(), Failure> {
        // SAFETY: the key has the length that is passed.
        let error = unsafe { (self.api.gcry_cipher_setkey)(open.object, key.as_ptr(), key.len()) };
        // The library reports a weak key even if weak keys are allowed, but it sets the key.
        if *weak && error & 0xffff == code::WEAK_KEY {
            return Ok(());
        }
        self.api.ok("gcry_cipher_setkey", error)
    }

    #[inline(always)]
    fn transform(
        &self,
        (open, _): &mut Self::Object,
        message: &Message<'_>,
        mut text: Text<'_>,
    ) -> Written {
        let (api, handle, way) = (&self.api, open.object, self.way);
        let (bytes, (from, to)) = (text.length(), text.pointers());
        self.start(open, message.nonce)?;
        if self.output == Output::Tag {
            // CBC-MAC has no IV: each message begins with a block of zeros.
            // SAFETY: NULL means a block of zeros.
            let error = unsafe { (api.gcry_cipher_setiv)(handle, ptr::null(), 0) };
            api.ok("gcry_cipher_setiv", error)?;
        }
        let wrap = matches!(self.output, Output::Wrapped | Output::Padded);
        let (length, room) = match (self.output, way) {
            (Output::Same, _) => (bytes, bytes),
            (Output::Tag, _) => (self.tag, bytes),
            (_, Direction::Decrypt) => (bytes.saturating_sub(8), bytes),
            (Output::Wrapped, _) => (bytes + 8, bytes + 8),
            (Output::Padded, _) => {
                let padded = bytes.next_multiple_of(8) + 8;
                (padded, padded)
            }
        };
        let run = way.choose(api.gcry_cipher_encrypt, api.gcry_cipher_decrypt);
        // SAFETY: the output has room for the input and 256 bytes more.
        let error = unsafe { run(handle, to, room, from, bytes) };
        if error != 0 && wrap && !way.is_encrypt() {
            return self.refused(error);
        }
        api.ok(
            way.choose("gcry_cipher_encrypt", "gcry_cipher_decrypt"),
            error,
        )?;
        if self.output == Output::Padded && !way.is_encrypt() {
            return self.unwrapped(open, length);
        }
        Ok(length)
    }
}
