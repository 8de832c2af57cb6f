//! Authenticated encryption: `gcry_cipher_setiv`, `authenticate`, `encrypt` or
//! `decrypt`, `gettag` or `checktag`.
#![allow(unsafe_code)]

use std::ffi::c_int;
use std::ptr;

use touchstone_worker::{
    Cell, Contract, Direction, Failure, Message, Offer, Operation, Text, Work, offer,
    stays_in_place,
};

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

impl Mode {
    /// Whether the mode takes a tag of this length over this block. The
    /// library tells a bad length from a forgery only when it encrypts.
    fn takes_tag(self, block: usize, tag: usize) -> bool {
        match self {
            Self::Gcm => matches!(tag, 4 | 8 | 12..=16),
            Self::Ccm => tag.is_multiple_of(2) && (4..=16).contains(&tag),
            Self::Ocb => matches!(tag, 8 | 12 | 16),
            Self::Eax => (1..=block).contains(&tag),
            Self::Siv | Self::GcmSiv | Self::ChaCha => tag == 16,
        }
    }

    fn takes_nonce(self, nonce: usize) -> bool {
        match self {
            Self::Gcm => nonce >= 1,
            Self::Ccm => (7..=13).contains(&nonce),
            Self::Ocb => (1..=15).contains(&nonce),
            // An empty nonce is a valid nonce for EAX, and means no nonce for SIV.
            Self::Eax | Self::Siv => true,
            Self::GcmSiv | Self::ChaCha => nonce == 12,
        }
    }
}

/// The parameters of an object, known before it is made.
#[derive(Clone, Copy)]
struct Plan {
    api: Api,
    cipher: c_int,
    number: c_int,
    mode: Mode,
    encrypt: bool,
    block: usize,
    tag: usize,
}

impl Plan {
    fn find(api: Api, primitive: &str, operation: &str) -> Option<Self> {
        let (stem, way) = Direction::split(operation)?;
        let (cipher, number, mode) = if (primitive, stem) == ("chacha20-poly1305", "aead") {
            (316, 10, Mode::ChaCha)
        } else {
            let (_, cipher) = *BLOCK.iter().find(|(id, _)| *id == primitive)?;
            let (_, number, mode) = *MODES.iter().find(|(id, ..)| *id == stem)?;
            // A mode's second key schedule cannot choose the S-box, and no standard uses
            // GOST 28147-89 with one of these modes.
            if primitive == "gost28147" {
                return None;
            }
            (cipher, number, mode)
        };
        let block = api.block_bytes(cipher);
        Some(Self {
            api,
            cipher,
            number,
            mode,
            encrypt: way.is_encrypt(),
            block,
            tag: if mode == Mode::Eax { block } else { 16 },
        })
    }

    fn key_bytes(&self) -> usize {
        match self.mode {
            Mode::Siv => 2 * self.api.key_bytes(self.cipher),
            Mode::ChaCha => 32,
            _ => self.api.key_bytes(self.cipher),
        }
    }
}

pub(crate) fn offers(gcrypt: &Gcrypt) -> Vec<Offer> {
    let block = BLOCK
        .iter()
        .flat_map(|(id, _)| MODES.iter().map(move |(mode, ..)| (*id, *mode)));
    block
        .chain([("chacha20-poly1305", "aead")])
        .filter(|(id, mode)| tried(gcrypt, id, mode))
        .flat_map(|(id, mode)| ["encrypt", "decrypt"].map(|way| (id, mode, way)))
        .map(|(id, mode, way)| {
            let api = match (mode, way) {
                ("siv" | "gcm-siv", "decrypt") => {
                    "gcry_cipher_reset, authenticate, setiv, set_decryption_tag, decrypt"
                }
                ("eax", "decrypt") => "gcry_cipher_reset, setiv, authenticate, decrypt, checktag",
                ("eax", _) => "gcry_cipher_reset, setiv, authenticate, encrypt, gettag",
                ("siv" | "gcm-siv", _) => "gcry_cipher_reset, authenticate, setiv, encrypt, gettag",
                (_, "decrypt") => "gcry_cipher_setiv, authenticate, decrypt, checktag",
                _ => "gcry_cipher_setiv, authenticate, encrypt, gettag",
            };
            let operation = format!("{mode}-{way}");
            offer(id, &operation, api).taking(Contract::InPlace, stays_in_place(&operation))
        })
        .collect()
}

/// Whether a small message can be encrypted; decryption is the same mode.
fn tried(gcrypt: &Gcrypt, id: &str, mode: &str) -> bool {
    let Some(plan) = Plan::find(gcrypt.api, id, &format!("{mode}-encrypt")) else {
        return false;
    };
    let message = Message {
        nonce: &[1; 12],
        aad: &[3; 5],
        input: &[2; 40],
        ..Message::default()
    };
    plan.block != 0 && works(Aead::new(plan), plan.key_bytes(), &message)
}

pub(crate) fn cell(gcrypt: &Gcrypt, work: &Work) -> Option<Result<Cell, Failure>> {
    let mut plan = Plan::find(gcrypt.api, &work.primitive, &work.operation)?;
    if plan.block == 0 {
        return None;
    }
    plan.tag = work.tag.unwrap_or(plan.tag);
    let (key, nonce) = (work.key.len(), work.nonce.len());
    let refusal = if key != plan.key_bytes() && !free_key(&work.primitive) {
        format!("a key of {key} bytes")
    } else if !plan.mode.takes_nonce(nonce) {
        format!("a nonce of {nonce} bytes")
    } else if !plan.mode.takes_tag(plan.block, plan.tag) {
        format!("a tag of {} bytes", plan.tag)
    } else {
        return Some(Ok(Cell::new(move || Aead::new(plan))));
    };
    Some(Err(Failure::Unsupported(refusal)))
}

struct Aead {
    plan: Plan,
    open: Open,
}

const FINALIZE: c_int = 5;
const SET_CCM_LENGTHS: c_int = 69;
const SET_TAGLEN: c_int = 75;
const SET_DECRYPTION_TAG: c_int = 80;

impl Aead {
    fn new(plan: Plan) -> Result<Self, Failure> {
        let open = plan.api.cipher(plan.cipher, plan.number, 0)?;
        let made = Self { plan, open };
        if plan.mode == Mode::Ocb {
            let mut tag = plan.tag as c_int;
            made.control(
                SET_TAGLEN,
                ptr::from_mut(&mut tag).cast(),
                size_of::<c_int>(),
            )?;
        }
        Ok(made)
    }

    #[inline]
    fn control(&self, what: c_int, data: *mut u8, len: usize) -> Result<(), Failure> {
        // SAFETY: `data` is NULL or `len` bytes long, as the control asks.
        let error =
            unsafe { (self.plan.api.gcry_cipher_ctl)(self.open.handle, what, data.cast(), len) };
        self.plan.api.ok("gcry_cipher_ctl", error)
    }

    #[inline]
    fn set_iv(&self, nonce: &[u8]) -> Result<(), Failure> {
        let (api, handle) = (&self.plan.api, self.open.handle);
        // SAFETY: the nonce is as long as stated.
        let error = unsafe { (api.gcry_cipher_setiv)(handle, nonce.as_ptr(), nonce.len()) };
        api.ok("gcry_cipher_setiv", error)
    }

    #[inline]
    fn authenticate(&self, data: &[u8]) -> Result<(), Failure> {
        let (api, handle) = (&self.plan.api, self.open.handle);
        // SAFETY: the data is as long as stated.
        let error = unsafe { (api.gcry_cipher_authenticate)(handle, data.as_ptr(), data.len()) };
        api.ok("gcry_cipher_authenticate", error)
    }

    /// Sets the nonce and the associated data.
    #[inline]
    fn start(&self, message: &Message<'_>, data: usize) -> Result<(), Failure> {
        match self.plan.mode {
            Mode::Siv => {
                self.control(RESET, ptr::null_mut(), 0)?;
                // RFC 5297: the nonce is the last associated string.
                if !message.aad.is_empty() || !message.nonce.is_empty() {
                    self.authenticate(message.aad)?;
                }
                if !message.nonce.is_empty() {
                    self.set_iv(message.nonce)?;
                }
                return Ok(());
            }
            // Until it is reset, the handle holds the previous message's derived key
            // (GCM-SIV), or the rest of its last block of keystream (EAX).
            Mode::GcmSiv | Mode::Eax => {
                self.control(RESET, ptr::null_mut(), 0)?;
                self.set_iv(message.nonce)?;
            }
            Mode::Ccm => {
                self.set_iv(message.nonce)?;
                let mut lengths = [data as u64, message.aad.len() as u64, self.plan.tag as u64];
                let bytes = size_of_val(&lengths);
                self.control(SET_CCM_LENGTHS, lengths.as_mut_ptr().cast(), bytes)?;
            }
            _ => self.set_iv(message.nonce)?,
        }
        if !message.aad.is_empty() {
            self.authenticate(message.aad)?;
        }
        if self.plan.mode == Mode::Ocb {
            self.control(FINALIZE, ptr::null_mut(), 0)?;
        }
        Ok(())
    }

    #[inline]
    fn encrypt(&self, message: &Message<'_>, mut text: Text<'_>) -> Result<usize, Failure> {
        let Plan { api, mode, tag, .. } = self.plan;
        let (len, (from, to)) = (text.length(), text.pointers());
        let (data_at, tag_at) = if mode == Mode::Siv {
            (tag, 0)
        } else {
            (0, len)
        };
        self.start(message, len)?;
        // SAFETY: the output has room for the input and 256 bytes more.
        unsafe {
            let handle = self.open.handle;
            let error = (api.gcry_cipher_encrypt)(handle, to.add(data_at), len, from, len);
            api.ok("gcry_cipher_encrypt", error)?;
            let error = (api.gcry_cipher_gettag)(handle, to.add(tag_at), tag);
            api.ok("gcry_cipher_gettag", error)?;
        }
        Ok(len + tag)
    }

    #[inline]
    fn decrypt(&self, message: &Message<'_>, output: &mut [u8]) -> Result<usize, Failure> {
        let Plan { api, mode, tag, .. } = self.plan;
        let Some(len) = message.input.len().checked_sub(tag) else {
            return Err(Failure::Rejected);
        };
        let (data, given) = if mode == Mode::Siv {
            let (given, data) = message.input.split_at(tag);
            (data, given)
        } else {
            message.input.split_at(len)
        };
        self.start(message, len)?;
        let synthetic = matches!(mode, Mode::Siv | Mode::GcmSiv);
        if synthetic {
            self.control(SET_DECRYPTION_TAG, given.as_ptr().cast_mut(), tag)?;
        }
        // SAFETY: the output has room for the input; data and tag are as long
        // as stated.
        unsafe {
            let handle = self.open.handle;
            let error =
                (api.gcry_cipher_decrypt)(handle, output.as_mut_ptr(), len, data.as_ptr(), len);
            if error & 0xffff == code::CHECKSUM {
                return Err(Failure::Rejected);
            }
            api.ok("gcry_cipher_decrypt", error)?;
            // SIV and GCM-SIV have compared the tag by now.
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

impl Operation for Aead {
    fn set_key(&mut self, key: &[u8]) -> Result<(), Failure> {
        let (api, handle) = (&self.plan.api, self.open.handle);
        // SAFETY: the key is as long as stated.
        let error = unsafe { (api.gcry_cipher_setkey)(handle, key.as_ptr(), key.len()) };
        api.ok("gcry_cipher_setkey", error)
    }

    #[inline]
    fn transform(&mut self, message: &Message<'_>, text: Text<'_>) -> Result<usize, Failure> {
        if self.plan.encrypt {
            self.encrypt(message, text)
        } else {
            self.decrypt(message, text.apart()?.1)
        }
    }
}
