//! Authenticated encryption: `gcry_cipher_setiv`, `gcry_cipher_authenticate`, then
//! `gcry_cipher_encrypt` and `gcry_cipher_gettag`, or `gcry_cipher_decrypt` and
//! `gcry_cipher_checktag`.
#![allow(unsafe_code)]

use std::ffi::c_int;
use std::ptr;

use touchstone_worker::{AEADS, Direction, Failure, Message, Plan, Text, Work, Written};

use crate::cipher::{BLOCK, free_key};
use crate::ffi::{Api, Gcrypt, Open, RESET, code, works};

const MODES: &[(&str, c_int, Mode)] = &[
    ("gcm", 9, Mode::Gcm),
    ("ccm", 8, Mode::Ccm),
    ("ocb", 11, Mode::Ocb),
    ("eax", 14, Mode::Eax),
    ("siv", 15, Mode::Siv),
    ("gcm-siv", 16, Mode::GcmSiv),
];

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Mode {
    Gcm,
    Ccm,
    Ocb,
    Eax,
    Siv,
    GcmSiv,
    ChaCha,
}

#[derive(Clone, Copy)]
pub(crate) struct Aead {
    api: Api,
    cipher: c_int,
    number: c_int,
    mode: Mode,
    way: Direction,
    tag: usize,
}

impl Plan for Aead {
    type Library = Gcrypt;
    type Object = Open;
    const OPERATIONS: &'static [&'static str] = AEADS;
    const IN_PLACE: bool = true;

    fn find(gcrypt: &Gcrypt, primitive: &str, operation: &str) -> Option<Self> {
        let (stem, way) = Direction::split(operation)?;
        let (cipher, number, mode) = match (primitive, stem) {
            ("chacha20-poly1305", "aead") => (316, 10, Mode::ChaCha),
            // These modes make a second key schedule, for which the S-box cannot be chosen.
            // Besides, no standard defines GOST 28147-89 in one of these modes.
            ("gost28147", _) => return None,
            _ => {
                let (_, cipher) = *BLOCK.iter().find(|(id, _)| *id == primitive)?;
                let (_, number, mode) = *MODES.iter().find(|(id, ..)| *id == stem)?;
                (cipher, number, mode)
            }
        };
        let (api, block) = (gcrypt.api, gcrypt.api.block_bytes(cipher));
        let tag = if mode == Mode::Eax { block } else { 16 };
        let plan = Self {
            api,
            cipher,
            number,
            mode,
            way,
            tag,
        };
        let message = Message {
            nonce: &[1; 12],
            aad: &[3; 5],
            input: &[2; 40],
            ..Message::default()
        };
        // If encryption works, decryption works too, because it is the same mode.
        let trial = Self {
            way: Direction::Encrypt,
            ..plan
        };
        (block != 0 && works(trial, plan.key_bytes(), &message)).then_some(plan)
    }

    fn api(&self, _: &str, _: &str) -> String {
        match (self.mode, self.way) {
            (Mode::Siv | Mode::GcmSiv, Direction::Decrypt) => {
                "gcry_cipher_reset, authenticate, setiv, set_decryption_tag, decrypt".into()
            }
            (Mode::Siv | Mode::GcmSiv, _) => {
                "gcry_cipher_reset, authenticate, setiv, encrypt, gettag".into()
            }
            (mode, way) => {
                let start = if mode == Mode::Eax {
                    "gcry_cipher_reset, setiv"
                } else {
                    "gcry_cipher_setiv"
                };
                let end = way.choose("encrypt, gettag", "decrypt, checktag");
                format!("{start}, authenticate, {end}")
            }
        }
    }

    /// In decryption, the library reports a wrong length and a forgery by the same error. So
    /// the worker checks every length here.
    fn fit(mut self, work: &Work) -> Result<Self, Failure> {
        let shape = work.shape(self.tag);
        let shape = if self.mode == Mode::ChaCha {
            shape.nonce(12)
        } else {
            shape
        };
        if !free_key(&work.primitive) {
            work.need_key(self.key_bytes())?;
        }
        self.tag = shape.fit(work, 0..)?;
        match self.mode {
            Mode::Gcm => work.need_tag(16, [4, 8, 12, 13, 14, 15, 16])?,
            Mode::Ocb => work.need_tag(16, [8, 12, 16])?,
            _ => self.tag,
        };
        Ok(self)
    }

    fn make(&self) -> Result<Open, Failure> {
        let open = self.api.cipher(self.cipher, self.number, 0)?;
        if self.mode == Mode::Ocb {
            let mut tag = self.tag as c_int;
            let data = ptr::from_mut(&mut tag).cast();
            self.control(&open, SET_TAGLEN, data, size_of::<c_int>())?;
        }
        Ok(open)
    }

    fn set_key(&self, open: &mut Open, key: &[u8]) -> Result<(), Failure> {
        let set = self.api.gcry_cipher_setkey;
        // SAFETY: the key has the length that is passed.
        let error = unsafe { set(open.object, key.as_ptr(), key.len()) };
        self.api.ok("gcry_cipher_setkey", error)
    }

    #[inline(always)]
    fn transform(&self, open: &mut Open, message: &Message<'_>, text: Text<'_>) -> Written {
        match self.way {
            Direction::Encrypt => self.encrypt(open, message, text),
            Direction::Decrypt => self.decrypt(open, message, text.apart()?.1),
        }
    }
}

const FINALIZE: c_int = 5;
const SET_CCM_LENGTHS: c_int = 69;
const SET_TAGLEN: c_int = 75;
const SET_DECRYPTION_TAG: c_int = 80;

impl Aead {
    fn key_bytes(&self) -> usize {
        match self.mode {
            Mode::Siv => 2 * self.api.key_bytes(self.cipher),
            Mode::ChaCha => 32,
            _ => self.api.key_bytes(self.cipher),
        }
    }

    #[inline]
    fn control(&self, open: &Open, what: c_int, data: *mut u8, len: usize) -> Result<(), Failure> {
        // SAFETY: `data` is NULL or has `len` bytes, as the control requires.
        let error = unsafe { (self.api.gcry_cipher_ctl)(open.object, what, data.cast(), len) };
        self.api.ok("gcry_cipher_ctl", error)
    }

    #[inline]
    fn set_iv(&self, open: &Open, nonce: &[u8]) -> Result<(), Failure> {
        let (api, handle) = (&self.api, open.object);
        // SAFETY: the nonce has the length that is passed.
        let error = unsafe { (api.gcry_cipher_setiv)(handle, nonce.as_ptr(), nonce.len()) };
        api.ok("gcry_cipher_setiv", error)
    }

    #[inline]
    fn authenticate(&self, open: &Open, data: &[u8]) -> Result<(), Failure> {
        let (api, handle) = (&self.api, open.object);
        // SAFETY: the data has the length that is passed.
        let error = unsafe { (api.gcry_cipher_authenticate)(handle, data.as_ptr(), data.len()) };
        api.ok("gcry_cipher_authenticate", error)
    }

    /// Sets the nonce and the associated data. `data` is the length of the message in bytes.
    #[inline]
    fn start(&self, open: &Open, message: &Message<'_>, data: usize) -> Result<(), Failure> {
        match self.mode {
            Mode::Siv => {
                self.control(open, RESET, ptr::null_mut(), 0)?;
                // RFC 5297: the nonce is the last string of associated data.
                if !message.aad.is_empty() || !message.nonce.is_empty() {
                    self.authenticate(open, message.aad)?;
                }
                if !message.nonce.is_empty() {
                    self.set_iv(open, message.nonce)?;
                }
                return Ok(());
            }
            // Without a reset, the handle still has the key derived for the previous message
            // (GCM-SIV), or the rest of the previous message's last block of keystream (EAX).
            Mode::GcmSiv | Mode::Eax => {
                self.control(open, RESET, ptr::null_mut(), 0)?;
                self.set_iv(open, message.nonce)?;
            }
            Mode::Ccm => {
                self.set_iv(open, message.nonce)?;
                let mut lengths = [data as u64, message.aad.len() as u64, self.tag as u64];
                let bytes = size_of_val(&lengths);
                self.control(open, SET_CCM_LENGTHS, lengths.as_mut_ptr().cast(), bytes)?;
            }
            _ => self.set_iv(open, message.nonce)?,
        }
        if !message.aad.is_empty() {
            self.authenticate(open, message.aad)?;
        }
        if self.mode == Mode::Ocb {
            self.control(open, FINALIZE, ptr::null_mut(), 0)?;
        }
        Ok(())
    }

    #[inline]
    fn encrypt(&self, open: &Open, message: &Message<'_>, mut text: Text<'_>) -> Written {
        let (api, mode, tag) = (&self.api, self.mode, self.tag);
        let (len, (from, to)) = (text.length(), text.pointers());
        let (data_at, tag_at) = if mode == Mode::Siv {
            (tag, 0)
        } else {
            (0, len)
        };
        self.start(open, message, len)?;
        // SAFETY: the output has room for the input and 256 bytes more.
        unsafe {
            let handle = open.object;
            let error = (api.gcry_cipher_encrypt)(handle, to.add(data_at), len, from, len);
            api.ok("gcry_cipher_encrypt", error)?;
            let error = (api.gcry_cipher_gettag)(handle, to.add(tag_at), tag);
            api.ok("gcry_cipher_gettag", error)?;
        }
        Ok(len + tag)
    }

    #[inline]
    fn decrypt(&self, open: &Open, message: &Message<'_>, output: &mut [u8]) -> Written {
        let (api, mode, tag) = (&self.api, self.mode, self.tag);
        let len = self.way.without_tag(message.input.len(), tag)?;
        let (data, given) = if mode == Mode::Siv {
            let (given, data) = message.input.split_at(tag);
            (data, given)
        } else {
            message.input.split_at(len)
        };
        self.start(open, message, len)?;
        let synthetic = matches!(mode, Mode::Siv | Mode::GcmSiv);
        if synthetic {
            self.control(open, SET_DECRYPTION_TAG, given.as_ptr().cast_mut(), tag)?;
        }
        // SAFETY: the output has room for the input, and data and tag have the lengths that are
        // passed.
        unsafe {
            let handle = open.object;
            let error =
                (api.gcry_cipher_decrypt)(handle, output.as_mut_ptr(), len, data.as_ptr(), len);
            if error & 0xffff == code::CHECKSUM {
                return Err(Failure::Rejected);
            }
            api.ok("gcry_cipher_decrypt", error)?;
            // In SIV and GCM-SIV, decryption has already compared the tag.
            if !synthetic {
                let error = (api.gcry_cipher_checktag)(handle, given.as_ptr(), tag);
                if error & 0xffff == code::CHECKSUM {
                    return Err(Failure::Rejected);
                }
                api.ok("gcry_cipher_checktag", error)?;
            }
        }
        Ok(len)
    }
}
