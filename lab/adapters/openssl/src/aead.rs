//! Authenticated encryption: IV, associated data, message and tag in one call.
#![allow(unsafe_code)]

use std::ffi::c_int;
use std::ptr;

use touchstone_worker::{
    Cell, Contract, Direction, Failure, Message, Offer, Operation, Text, Work, offer,
    stays_in_place,
};

use crate::cipher::BLOCK;
use crate::ffi::{Api, Context, Fetched, OpenSsl, Param, int};

const MODES: &[(&str, &str, Mode)] = &[
    ("gcm", "GCM", Mode::Gcm),
    ("ccm", "CCM", Mode::Ccm),
    ("ocb", "OCB", Mode::Ocb),
    ("siv", "SIV", Mode::Siv),
    ("gcm-siv", "GCM-SIV", Mode::GcmSiv),
];

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Mode {
    Gcm,
    Ccm,
    Ocb,
    Siv,
    GcmSiv,
    ChaCha,
}

fn find(primitive: &str, operation: &str) -> Option<(String, Mode, bool)> {
    let (mode, way) = Direction::split(operation)?;
    let encrypt = way.is_encrypt();
    if primitive == "chacha20-poly1305" && mode == "aead" {
        return Some(("ChaCha20-Poly1305".into(), Mode::ChaCha, encrypt));
    }
    let (_, stem) = BLOCK.iter().find(|(id, _)| *id == primitive)?;
    let (_, end, kind) = MODES.iter().find(|(id, ..)| *id == mode)?;
    Some((format!("{stem}-{end}"), *kind, encrypt))
}

pub(crate) fn offers(ssl: &OpenSsl) -> Vec<Offer> {
    let block = BLOCK
        .iter()
        .flat_map(|(id, _)| MODES.iter().map(move |(mode, ..)| (*id, *mode)));
    block
        .chain([("chacha20-poly1305", "aead")])
        .flat_map(|(id, mode)| ["encrypt", "decrypt"].map(|way| (id, format!("{mode}-{way}"))))
        .filter(|(id, operation)| {
            find(id, operation)
                .is_some_and(|(name, ..)| ssl.fetch(ssl.api.EVP_CIPHER_fetch, &name).is_some())
        })
        .map(|(id, operation)| {
            let api = "EVP_CipherUpdate (aad, data), Final, tag control";
            let unfetched = find(id, &operation)
                .is_some_and(|(name, ..)| ssl.unfetched_cipher(&name).is_some());
            let mut row = offer(id, &operation, api)
                .taking(Contract::Implicit, unfetched)
                .taking(Contract::InPlace, stays_in_place(&operation));
            if operation.starts_with("siv") {
                row.note =
                    "EVP cannot restart SIV under its key: key set-up is in every call".into();
            }
            row
        })
        .collect()
}

pub(crate) fn cell(ssl: &OpenSsl, work: &Work) -> Option<Result<Cell, Failure>> {
    let (name, ..) = find(&work.primitive, &work.operation)?;
    cell_of(ssl, work, ssl.fetch(ssl.api.EVP_CIPHER_fetch, &name)?)
}

/// The contract `implicit`: `EVP_CipherInit_ex2` must fetch the cipher in each call.
pub(crate) fn implicit(ssl: &OpenSsl, work: &Work) -> Option<Result<Cell, Failure>> {
    let (name, ..) = find(&work.primitive, &work.operation)?;
    cell_of(ssl, work, ssl.unfetched_cipher(&name)?)
}

fn cell_of(ssl: &OpenSsl, work: &Work, cipher: Fetched) -> Option<Result<Cell, Failure>> {
    let (_, mode, encrypt) = find(&work.primitive, &work.operation)?;
    // SAFETY: the cipher was fetched.
    let key_bytes = unsafe { (ssl.api.EVP_CIPHER_get_key_length)(cipher.get()) };
    if let Err(refusal) = work.need_key(key_bytes as usize) {
        return Some(Err(refusal));
    }
    let plan = Plan {
        api: ssl.api,
        cipher,
        mode,
        encrypt,
        iv: work.nonce.len(),
        tag: work.tag.unwrap_or(16),
    };
    if mode == Mode::Siv && plan.tag != 16 {
        return Some(Err(Failure::unsupported("a SIV tag that is not 16 bytes")));
    }
    Some(Ok(Cell::new(move || Aead::new(plan))))
}

#[derive(Clone, Copy)]
struct Plan {
    api: Api,
    cipher: Fetched,
    mode: Mode,
    encrypt: bool,
    iv: usize,
    tag: usize,
}

struct Aead {
    plan: Plan,
    context: Context,
    /// SIV takes its key with every message.
    key: Vec<u8>,
}

const SET_IV_LENGTH: c_int = 0x9;
const SET_TAG: c_int = 0x11;

impl Aead {
    fn new(plan: Plan) -> Result<Self, Failure> {
        let api = plan.api;
        // SAFETY: a fresh context, freed by its owner; the cipher was fetched.
        unsafe {
            let context = Context::new((api.EVP_CIPHER_CTX_new)(), api.EVP_CIPHER_CTX_free)?;
            let ctx = context.object;
            let code = (api.EVP_CipherInit_ex2)(
                ctx,
                plan.cipher.get(),
                ptr::null(),
                ptr::null(),
                plan.encrypt.into(),
                ptr::null(),
            );
            api.ok("EVP_CipherInit_ex2", code)?;
            let control = |what, value: usize| {
                (api.EVP_CIPHER_CTX_ctrl)(ctx, what, int(value).unwrap_or(-1), ptr::null_mut())
            };
            if plan.mode != Mode::Siv && control(SET_IV_LENGTH, plan.iv) != 1 {
                (api.ERR_clear_error)();
                return Err(Failure::length("a nonce", plan.iv));
            }
            // CCM and OCB need the tag's length before the key.
            if matches!(plan.mode, Mode::Ccm | Mode::Ocb) && control(SET_TAG, plan.tag) != 1 {
                (api.ERR_clear_error)();
                return Err(Failure::length("a tag", plan.tag));
            }
            Ok(Self {
                plan,
                context,
                key: Vec::new(),
            })
        }
    }

    fn init(&self, key: *const u8, iv: *const u8) -> Result<(), Failure> {
        // SAFETY: key and iv are NULL or as long as the cipher and the IV
        // length set above ask for.
        let code = unsafe {
            (self.plan.api.EVP_CipherInit_ex2)(
                self.context.object,
                ptr::null_mut(),
                key,
                iv,
                self.plan.encrypt.into(),
                ptr::null(),
            )
        };
        self.plan.api.ok("EVP_CipherInit_ex2", code)
    }

    /// Gives the tag that a message must have.
    fn set_tag(&self, tag: &[u8]) -> c_int {
        let params = [Param::octets(c"tag", tag), Param::end()];
        // SAFETY: the parameters end with the end; the library copies the tag.
        unsafe { (self.plan.api.EVP_CIPHER_CTX_set_params)(self.context.object, params.as_ptr()) }
    }

    /// Takes the tag that a message has got.
    fn get_tag(&self, tag: &mut [u8]) -> c_int {
        let mut params = [Param::room(c"tag", tag), Param::end()];
        let params = params.as_mut_ptr();
        // SAFETY: the parameters end with the end; the library writes no more than the
        // length of the room.
        unsafe { (self.plan.api.EVP_CIPHER_CTX_get_params)(self.context.object, params) }
    }
}

impl Operation for Aead {
    fn set_key(&mut self, key: &[u8]) -> Result<(), Failure> {
        if self.plan.mode == Mode::Siv {
            self.key.clear();
            self.key.extend_from_slice(key);
        }
        self.init(key.as_ptr(), ptr::null())
    }

    #[inline]
    fn transform(&mut self, message: &Message<'_>, mut text: Text<'_>) -> Result<usize, Failure> {
        let Plan {
            api,
            mode,
            encrypt,
            tag,
            ..
        } = self.plan;
        let siv = mode == Mode::Siv;
        let length = if encrypt {
            text.length()
        } else {
            text.length().checked_sub(tag).ok_or(Failure::Rejected)?
        };
        if siv && length == 0 {
            // The provider ignores an update without bytes, so it would never compute a
            // tag.
            return Err(Failure::unsupported("an empty message in SIV"));
        }
        // In SIV the tag stands before the data.
        let tag_at = if siv { 0 } else { length };
        let (from_at, to_at) = match (siv, encrypt) {
            (true, true) => (0, tag),
            (true, false) => (tag, 0),
            (false, _) => (0, 0),
        };
        let given_tag = match encrypt {
            true => &[],
            false => &message.input[tag_at..tag_at + tag],
        };

        let ctx = self.context.object;
        let len = int(length)?;
        let mut written: c_int = 0;
        if !encrypt {
            let code = self.set_tag(given_tag);
            if code != 1 {
                // SAFETY: no arguments.
                unsafe { (api.ERR_clear_error)() };
                return Err(Failure::length("a tag", tag));
            }
        }
        if siv {
            self.init(self.key.as_ptr(), ptr::null())?;
            if !encrypt {
                self.set_tag(given_tag);
            }
        } else {
            self.init(ptr::null(), message.nonce.as_ptr())?;
        }
        // SAFETY: lengths are those of the slices; a NULL output means
        // associated data, a NULL output and input CCM's message length; the
        // output has 256 bytes more than the input.
        unsafe {
            let feed_aad = |data: &[u8]| {
                let mut taken: c_int = 0;
                let code = (api.EVP_CipherUpdate)(
                    ctx,
                    ptr::null_mut(),
                    &mut taken,
                    data.as_ptr(),
                    int(data.len())?,
                );
                api.ok("EVP_CipherUpdate (aad)", code)
            };
            if siv {
                // RFC 5297: the nonce is the last associated string.
                if !message.aad.is_empty() || !message.nonce.is_empty() {
                    feed_aad(message.aad)?;
                }
                if !message.nonce.is_empty() {
                    feed_aad(message.nonce)?;
                }
            } else {
                if mode == Mode::Ccm {
                    let code = (api.EVP_CipherUpdate)(
                        ctx,
                        ptr::null_mut(),
                        &mut written,
                        ptr::null(),
                        len,
                    );
                    api.ok("EVP_CipherUpdate (length)", code)?;
                }
                if !message.aad.is_empty() {
                    feed_aad(message.aad)?;
                }
            }
            let (from, to) = text.pointers();
            let (from, to) = (from.add(from_at), to.add(to_at));
            // CCM and SIV must see the data call even when it is empty.
            if len > 0 || matches!(mode, Mode::Ccm | Mode::Siv | Mode::GcmSiv) {
                let code = (api.EVP_CipherUpdate)(ctx, to, &mut written, from, len);
                if code != 1 && !encrypt {
                    (api.ERR_clear_error)();
                    return Err(Failure::Rejected);
                }
                api.ok("EVP_CipherUpdate", code)?;
            }
            // CCM decryption is checked by the update; Final is not part of it.
            if mode != Mode::Ccm || encrypt {
                let mut tail = [0; 64];
                let mut more: c_int = 0;
                let code = (api.EVP_CipherFinal_ex)(ctx, tail.as_mut_ptr(), &mut more);
                if code != 1 && !encrypt {
                    (api.ERR_clear_error)();
                    return Err(Failure::Rejected);
                }
                api.ok("EVP_CipherFinal_ex", code)?;
                // OCB keeps a partial last block until Final.
                if more > 0 {
                    let at = to_at + length - more as usize;
                    text.output()[at..][..more as usize].copy_from_slice(&tail[..more as usize]);
                }
            }
        }
        if encrypt {
            let code = self.get_tag(&mut text.output()[tag_at..tag_at + tag]);
            if code != 1 {
                return Err(Failure::length("a tag", tag));
            }
            Ok(length + tag)
        } else {
            Ok(length)
        }
    }
}
