//! Message authentication codes: `gcry_mac_reset` or `gcry_mac_setiv`, then `gcry_mac_write`
//! and `gcry_mac_read`.
#![allow(unsafe_code)]

use std::ffi::{CStr, c_int};
use std::ptr;

use touchstone_worker::{Failure, MACS, Message, Plan, Span, Work, Written};

use crate::cipher::{BLOCK, CRYPTOPRO_A, free_key};
use crate::digest::HASHES;
use crate::ffi::{Api, Gcrypt, Open, RESET, SET_SBOX, works};

/// Rows: the beginning of the primitive's id, and the number of its CMAC. GOST 28147-89 is
/// absent, because its CMAC always uses the test S-box.
const CMAC: &[(&str, c_int)] = &[
    ("aes-", 201),
    ("des-ede3", 202),
    ("camellia-", 203),
    ("cast5", 204),
    ("blowfish", 205),
    ("twofish-", 206),
    ("serpent-", 207),
    ("seed", 208),
    ("rc2", 209),
    ("idea", 210),
    ("sm4", 212),
    ("aria-", 213),
];

/// Rows: the beginning of the primitive's id, and the number of its GMAC.
const GMAC: &[(&str, c_int)] = &[
    ("aes-", 401),
    ("camellia-", 402),
    ("twofish-", 403),
    ("serpent-", 404),
    ("seed", 405),
    ("sm4", 406),
    ("aria-", 407),
];

const POLY1305: c_int = 501;
const POLY1305_AES: c_int = 502;

const GOST28147_IMIT: c_int = 1;

/// The S-boxes for the MAC of GOST 28147-89, by their object identifiers (RFC 4357 §11.2 and
/// Libgcrypt's manual).
const BOXES: &[(&str, &CStr)] = &[
    ("gost28147", CRYPTOPRO_A),
    ("gost28147-r3411-cryptopro", c"1.2.643.2.2.30.1"),
    ("gost28147-test", c"1.2.643.2.2.30.0"),
];

#[derive(Clone, Copy)]
pub(crate) struct Mac {
    api: Api,
    mac: c_int,
    /// Length of the key in bytes, if the primitive's id fixes the length.
    key: Option<usize>,
    /// Length of the usual nonce in bytes; 0 for a MAC without a nonce.
    nonce: usize,
    tag: usize,
    /// The object identifier of the S-box, if the worker selects an S-box.
    boxes: Option<&'static CStr>,
}

impl Plan for Mac {
    type Library = Gcrypt;
    type Object = Open;
    const OPERATIONS: &'static [&'static str] = MACS;

    fn find(gcrypt: &Gcrypt, primitive: &str, operation: &str) -> Option<Self> {
        let api = gcrypt.api;
        let over = |table: &[(&str, c_int)]| {
            let (_, mac) = *table.iter().find(|(id, _)| primitive.starts_with(id))?;
            let (_, cipher) = *BLOCK.iter().find(|(id, _)| *id == primitive)?;
            Some((mac, Some(api.key_bytes(cipher))))
        };
        let mut boxes = None;
        let (mac, key) = match (primitive, operation) {
            ("poly1305", "mac") => (POLY1305, Some(32)),
            ("poly1305-aes", "mac") => (POLY1305_AES, Some(32)),
            (_, "mac") => {
                let hash = primitive.strip_prefix("hmac-")?;
                let (.., mac) = HASHES.iter().find(|(id, ..)| *id == hash)?;
                (*mac, None)
            }
            (_, "cmac") => over(CMAC)?,
            (_, "gmac") => over(GMAC)?,
            (_, "gost-mac") => {
                boxes = Some(BOXES.iter().find(|(id, _)| *id == primitive)?.1);
                (GOST28147_IMIT, Some(32))
            }
            _ => return None,
        };
        // SAFETY: the function accepts any number.
        let tag = unsafe { (api.gcry_mac_get_algo_maclen)(mac) } as usize;
        let plan = Self {
            api,
            mac,
            key,
            nonce: match (operation, mac) {
                ("gmac", _) => 12,
                (_, POLY1305_AES) => 16,
                _ => 0,
            },
            tag,
            boxes,
        };
        let message = Message {
            nonce: &[1; 16][..plan.nonce],
            input: &[2; 40],
            ..Message::default()
        };
        (tag != 0 && works(plan, key.unwrap_or(20), &message)).then_some(plan)
    }

    fn api(&self, _: &str, _: &str) -> String {
        let start = if self.nonce == 0 { "reset" } else { "setiv" };
        format!("gcry_mac_{start}, gcry_mac_write, gcry_mac_read")
    }

    fn fit(mut self, work: &Work) -> Result<Self, Failure> {
        let free = free_key(&work.primitive);
        let shape = work.shape(self.tag).nonce(match self.nonce {
            0 => (0..).into(),
            16 => Span::from(16),
            _ => (1..).into(),
        });
        if self.boxes.is_some() {
            // For a message of at most one block (8 bytes), the tag depends on the messages
            // before it; ../README.md describes this defect.
            work.need_input(9..)?;
        }
        let takes = |key| free || self.key.is_none_or(|bytes| bytes == key);
        self.tag = shape.fit(work, takes)?;
        Ok(self)
    }

    fn make(&self) -> Result<Open, Failure> {
        let (api, new, none) = (&self.api, self.api.gcry_mac_open, ptr::null_mut());
        // SAFETY: a successful call writes the handle.
        let open = unsafe {
            Open::made(api.gcry_mac_close, |handle| {
                api.ok("gcry_mac_open", new(handle, self.mac, 0, none))
            })?
        };
        if let Some(boxes) = self.boxes {
            let name = boxes.as_ptr().cast_mut().cast();
            // SAFETY: the handle is open, and the S-box's name is a C string.
            let error = unsafe { (api.gcry_mac_ctl)(open.object, SET_SBOX, name, 0) };
            api.ok("gcry_mac_ctl (S-box)", error)?;
        }
        Ok(open)
    }

    fn set_key(&self, open: &mut Open, key: &[u8]) -> Result<(), Failure> {
        // SAFETY: the key has the length that is passed.
        let error = unsafe { (self.api.gcry_mac_setkey)(open.object, key.as_ptr(), key.len()) };
        self.api.ok("gcry_mac_setkey", error)
    }

    #[inline(always)]
    fn process(&self, open: &mut Open, message: &Message<'_>, output: &mut [u8]) -> Written {
        let (api, handle) = (&self.api, open.object);
        let (nonce, input) = (message.nonce, message.input);
        let mut length = self.tag;
        // SAFETY: each length is the length of its slice. The worker's output has at least 256
        // bytes, which is more than any tag.
        unsafe {
            if self.nonce != 0 {
                let error = (api.gcry_mac_setiv)(handle, nonce.as_ptr(), nonce.len());
                api.ok("gcry_mac_setiv", error)?;
            } else {
                let error = (api.gcry_mac_ctl)(handle, RESET, ptr::null_mut(), 0);
                api.ok("gcry_mac_reset", error)?;
            }
            let error = (api.gcry_mac_write)(handle, input.as_ptr(), input.len());
            api.ok("gcry_mac_write", error)?;
            let error = (api.gcry_mac_read)(handle, output.as_mut_ptr(), &mut length);
            api.ok("gcry_mac_read", error)?;
        }
        if length != self.tag {
            return Err(Failure::failed(
                "gcry_mac_read: a shorter MAC than asked for",
            ));
        }
        Ok(length)
    }
}
