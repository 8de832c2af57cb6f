//! Message authentication: `gcry_mac_reset` or `gcry_mac_setiv`, then
//! `gcry_mac_write` and `gcry_mac_read`.
#![allow(unsafe_code)]

use std::ffi::{CStr, c_int};
use std::ptr;

use touchstone_worker::{Cell, Failure, Message, Offer, Operation, Work, offer};

use crate::cipher::{BLOCK, CRYPTOPRO_A, free_key};
use crate::digest::HASHES;
use crate::ffi::{Api, Gcrypt, Open, RESET, SET_SBOX, works};

/// Start of the primitive's id, and the number of its CMAC. GOST 28147-89 is
/// left out: its CMAC has the test S-box and no way to choose another.
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

/// Start of the primitive's id, and the number of its GMAC.
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

/// S-boxes of its MAC by their OIDs, RFC 4357 §11.2 and Libgcrypt's manual.
const BOXES: &[(&str, &CStr)] = &[
    ("gost28147", CRYPTOPRO_A),
    ("gost28147-r3411-cryptopro", c"1.2.643.2.2.30.1"),
    ("gost28147-test", c"1.2.643.2.2.30.0"),
];

#[derive(Clone, Copy)]
struct Plan {
    api: Api,
    mac: c_int,
    /// The key's bytes where the primitive's id fixes them.
    key: Option<usize>,
    /// Bytes of the usual nonce, 0 for a MAC without one.
    nonce: usize,
    tag: usize,
    /// The name of the S-box, where one is chosen.
    boxes: Option<&'static CStr>,
}

impl Plan {
    fn find(api: Api, primitive: &str, operation: &str) -> Option<Self> {
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
        (tag != 0).then_some(Self {
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
        })
    }
}

pub(crate) fn offers(gcrypt: &Gcrypt) -> Vec<Offer> {
    let hmac = HASHES.iter().map(|(id, ..)| (format!("hmac-{id}"), "mac"));
    let block = BLOCK
        .iter()
        .flat_map(|(id, _)| ["cmac", "gmac"].map(|operation| ((*id).to_owned(), operation)));
    let gost = BOXES.iter().map(|(id, _)| ((*id).to_owned(), "gost-mac"));
    hmac.chain(block)
        .chain(gost)
        .chain(["poly1305", "poly1305-aes"].map(|id| (id.to_owned(), "mac")))
        .filter(|(id, operation)| {
            Plan::find(gcrypt.api, id, operation).is_some_and(|plan| {
                let message = Message {
                    nonce: &[1; 16][..plan.nonce],
                    input: &[2; 40],
                    ..Message::default()
                };
                works(Mac::new(plan), plan.key.unwrap_or(20), &message)
            })
        })
        .map(|(id, operation)| {
            let api = if operation == "gmac" || id == "poly1305-aes" {
                "gcry_mac_setiv, gcry_mac_write, gcry_mac_read"
            } else {
                "gcry_mac_reset, gcry_mac_write, gcry_mac_read"
            };
            offer(&id, operation, api)
        })
        .collect()
}

pub(crate) fn cell(gcrypt: &Gcrypt, work: &Work) -> Option<Result<Cell, Failure>> {
    let mut plan = Plan::find(gcrypt.api, &work.primitive, &work.operation)?;
    let (key, tag) = (work.key.len(), work.tag.unwrap_or(plan.tag));
    let wrong_key = plan.key.is_some_and(|bytes| bytes != key) && !free_key(&work.primitive);
    let refusal = if wrong_key {
        format!("a key of {key} bytes")
    } else if plan.nonce != 0 && work.nonce.is_empty() {
        "an empty nonce".to_owned()
    } else if plan.mac == POLY1305_AES && work.nonce.len() != plan.nonce {
        format!("a nonce of {} bytes", work.nonce.len())
    } else if plan.boxes.is_some() && work.input.len() <= 8 {
        "a message of one block or none".to_owned()
    } else if tag == 0 || tag > plan.tag {
        format!("a tag of {tag} bytes")
    } else {
        plan.tag = tag;
        return Some(Ok(Cell::new(move || Mac::new(plan))));
    };
    Some(Err(Failure::Unsupported(refusal)))
}

struct Mac {
    plan: Plan,
    open: Open,
}

impl Mac {
    fn new(plan: Plan) -> Result<Self, Failure> {
        let mut handle = ptr::null_mut();
        // SAFETY: the handle is written on success and freed by its owner.
        let error = unsafe { (plan.api.gcry_mac_open)(&mut handle, plan.mac, 0, ptr::null_mut()) };
        plan.api.ok("gcry_mac_open", error)?;
        let open = Open {
            handle,
            close: plan.api.gcry_mac_close,
        };
        if let Some(boxes) = plan.boxes {
            let name = boxes.as_ptr().cast_mut().cast();
            // SAFETY: the handle is open; the S-box is named by a C string.
            let error = unsafe { (plan.api.gcry_mac_ctl)(open.handle, SET_SBOX, name, 0) };
            plan.api.ok("gcry_mac_ctl (S-box)", error)?;
        }
        Ok(Self { plan, open })
    }
}

impl Operation for Mac {
    fn set_key(&mut self, key: &[u8]) -> Result<(), Failure> {
        let (api, handle) = (&self.plan.api, self.open.handle);
        // SAFETY: the key is as long as stated.
        let error = unsafe { (api.gcry_mac_setkey)(handle, key.as_ptr(), key.len()) };
        api.ok("gcry_mac_setkey", error)
    }

    #[inline]
    fn process(&mut self, message: &Message<'_>, output: &mut [u8]) -> Result<usize, Failure> {
        let (api, handle) = (&self.plan.api, self.open.handle);
        let (nonce, input) = (message.nonce, message.input);
        let mut length = self.plan.tag;
        // SAFETY: lengths are those of the slices; the worker's output has at
        // least 256 bytes, more than any MAC.
        unsafe {
            if self.plan.nonce != 0 {
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
        if length != self.plan.tag {
            return Err(Failure::failed(
                "gcry_mac_read: a shorter MAC than asked for",
            ));
        }
        Ok(length)
    }
}
