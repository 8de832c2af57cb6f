//! Authenticated encryption by EVP: IV, associated data, message and tag in one call of the
//! worker.
#![allow(unsafe_code)]

use std::ffi::c_int;
use std::ptr;

use touchstone_worker::{
    AEADS, Cell, Contract, Direction, Failure, Message, Offer, Plan, Text, Work, Written, offer,
    stays_in_place,
};

use crate::cipher::BLOCK;
use crate::ffi::{Api, Context, Fetched, Object, OpenSsl, Param, int};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Mode {
    Gcm,
    Ccm,
    Ocb,
    Siv,
    GcmSiv,
    ChaCha,
}

/// Returns the EVP name of the cipher, and its mode.
fn evp_name(primitive: &str, mode: &str) -> Option<(String, Mode)> {
    let (mode, end) = match (mode, primitive) {
        ("aead", "chacha20-poly1305") => return Some(("ChaCha20-Poly1305".into(), Mode::ChaCha)),
        ("gcm", _) => (Mode::Gcm, "GCM"),
        ("ccm", _) => (Mode::Ccm, "CCM"),
        ("ocb", _) => (Mode::Ocb, "OCB"),
        ("siv", _) => (Mode::Siv, "SIV"),
        ("gcm-siv", _) => (Mode::GcmSiv, "GCM-SIV"),
        _ => return None,
    };
    let (_, stem) = BLOCK.iter().find(|(id, _)| *id == primitive)?;
    Some((format!("{stem}-{end}"), mode))
}

/// Makes a cell for the contract `implicit`, in which `EVP_CipherInit_ex2` fetches the cipher
/// in each call.
pub(crate) fn implicit(ssl: &OpenSsl, work: &Work) -> Option<Result<Cell, Failure>> {
    let plan = Aead::find(ssl, &work.primitive, &work.operation)?;
    let cipher = plan.unfetched?;
    Some(Aead { cipher, ..plan }.fit(work).map(Plan::planned))
}

#[derive(Clone, Copy)]
pub(crate) struct Aead {
    api: Api,
    cipher: Fetched,
    /// The same cipher as a static object, if the library can fetch it in each call.
    unfetched: Option<Fetched>,
    mode: Mode,
    way: Direction,
    iv: usize,
    tag: usize,
}

const SET_IV_LENGTH: c_int = 0x9;
const SET_TAG: c_int = 0x11;

impl Aead {
    /// Calls `EVP_CipherInit_ex2`. Cipher, key and IV may each be NULL.
    #[inline]
    fn init(
        &self,
        context: &Context,
        cipher: Object,
        key: *const u8,
        iv: *const u8,
    ) -> Result<(), Failure> {
        let (init, way) = (self.api.EVP_CipherInit_ex2, self.way.choose(1, 0));
        // SAFETY: the cipher was fetched or is NULL. Key and IV are NULL, or have the lengths
        // that the cipher requires.
        let code = unsafe { init(context.object, cipher, key, iv, way, ptr::null()) };
        self.api.ok("EVP_CipherInit_ex2", code)
    }

    /// Sets the tag that decryption compares.
    fn set_tag(&self, context: &Context, tag: &[u8]) -> c_int {
        let params = [Param::octets(c"tag", tag), Param::end()];
        // SAFETY: the list of parameters has its end mark, and the library copies the tag.
        unsafe { (self.api.EVP_CIPHER_CTX_set_params)(context.object, params.as_ptr()) }
    }

    /// Writes the tag of the encrypted message to `tag`.
    fn get_tag(&self, context: &Context, tag: &mut [u8]) -> c_int {
        let mut params = [Param::room(c"tag", tag), Param::end()];
        let params = params.as_mut_ptr();
        // SAFETY: the list of parameters has its end mark, and the library writes no more bytes
        // than the tag's room.
        unsafe { (self.api.EVP_CIPHER_CTX_get_params)(context.object, params) }
    }
}

impl Plan for Aead {
    type Library = OpenSsl;
    /// The context, and SIV's key, which is an argument of the call for each message.
    type Object = (Context, Vec<u8>);
    const OPERATIONS: &'static [&'static str] = AEADS;

    fn find(ssl: &OpenSsl, primitive: &str, operation: &str) -> Option<Self> {
        let (mode, way) = Direction::split(operation)?;
        let (name, mode) = evp_name(primitive, mode)?;
        Some(Self {
            api: ssl.api,
            cipher: ssl.fetch(ssl.api.EVP_CIPHER_fetch, &name)?,
            unfetched: ssl.unfetched_cipher(&name),
            mode,
            way,
            iv: 0,
            tag: 16,
        })
    }

    fn api(&self, _: &str, _: &str) -> String {
        "EVP_CipherUpdate (aad, data), Final, tag control".into()
    }

    fn offer(&self, primitive: &str, operation: &str) -> Offer {
        let mut row = offer(primitive, operation, &self.api(primitive, operation))
            .taking(Contract::Implicit, self.unfetched.is_some())
            .taking(Contract::InPlace, stays_in_place(operation));
        if self.mode == Mode::Siv {
            row.note = "EVP cannot restart SIV under its key: key set-up is in every call".into();
        }
        row
    }

    /// Checks the length of the key. The library refuses wrong lengths of nonce and tag when an
    /// object is made.
    fn fit(mut self, work: &Work) -> Result<Self, Failure> {
        // SAFETY: the cipher was fetched.
        let key = unsafe { (self.api.EVP_CIPHER_get_key_length)(self.cipher.get()) };
        work.need_key(key as usize)?;
        self.iv = work.nonce.len();
        self.tag = match self.mode {
            Mode::Siv => work.need_tag(16, 16)?,
            _ => work.tag.unwrap_or(16),
        };
        Ok(self)
    }

    fn make(&self) -> Result<Self::Object, Failure> {
        let api = &self.api;
        // SAFETY: the context is new, and its owner frees it. The cipher was fetched.
        unsafe {
            let context = Context::new((api.EVP_CIPHER_CTX_new)(), api.EVP_CIPHER_CTX_free)?;
            self.init(&context, self.cipher.get(), ptr::null(), ptr::null())?;
            let control = |what, value: usize| {
                let value = int(value).unwrap_or(-1);
                (api.EVP_CIPHER_CTX_ctrl)(context.object, what, value, ptr::null_mut())
            };
            if self.mode != Mode::Siv && control(SET_IV_LENGTH, self.iv) != 1 {
                (api.ERR_clear_error)();
                return Err(Failure::length("a nonce", self.iv));
            }
            // In CCM and OCB, the tag's length must be set before the key.
            if matches!(self.mode, Mode::Ccm | Mode::Ocb) && control(SET_TAG, self.tag) != 1 {
                (api.ERR_clear_error)();
                return Err(Failure::length("a tag", self.tag));
            }
            Ok((context, Vec::new()))
        }
    }

    fn set_key(&self, (context, kept): &mut Self::Object, key: &[u8]) -> Result<(), Failure> {
        if self.mode == Mode::Siv {
            key.clone_into(kept);
        }
        self.init(context, ptr::null_mut(), key.as_ptr(), ptr::null())
    }

    #[inline(always)]
    fn transform(
        &self,
        (context, key): &mut Self::Object,
        message: &Message<'_>,
        mut text: Text<'_>,
    ) -> Written {
        let (api, mode, tag, null) = (&self.api, self.mode, self.tag, ptr::null_mut());
        let encrypt = self.way.is_encrypt();
        let siv = mode == Mode::Siv;
        let length = self.way.without_tag(text.length(), tag)?;
        if siv && length == 0 {
            // The provider ignores an update without bytes, so it would never compute a tag for
            // an empty message.
            return Err(Failure::unsupported("an empty message in SIV"));
        }
        // In SIV, the tag is before the ciphertext.
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

        let ctx = context.object;
        let len = int(length)?;
        let mut written: c_int = 0;
        if !encrypt {
            let code = self.set_tag(context, given_tag);
            if code != 1 {
                // SAFETY: the function takes no arguments.
                unsafe { (api.ERR_clear_error)() };
                return Err(Failure::length("a tag", tag));
            }
        }
        if siv {
            self.init(context, null, key.as_ptr(), ptr::null())?;
            if !encrypt {
                self.set_tag(context, given_tag);
            }
        } else {
            self.init(context, null, ptr::null(), message.nonce.as_ptr())?;
        }
        // SAFETY: each length is the length of its slice. A NULL output means associated data.
        // A NULL output and a NULL input mean CCM's message length. The output is 256 bytes
        // longer than the input.
        unsafe {
            let feed_aad = |data: &[u8]| {
                let mut taken: c_int = 0;
                let (from, bytes) = (data.as_ptr(), int(data.len())?);
                let code = (api.EVP_CipherUpdate)(ctx, null.cast(), &mut taken, from, bytes);
                api.ok("EVP_CipherUpdate (aad)", code)
            };
            if siv {
                // RFC 5297: the nonce is the last string of associated data.
                if !message.aad.is_empty() || !message.nonce.is_empty() {
                    feed_aad(message.aad)?;
                }
                if !message.nonce.is_empty() {
                    feed_aad(message.nonce)?;
                }
            } else {
                if mode == Mode::Ccm {
                    let code =
                        (api.EVP_CipherUpdate)(ctx, null.cast(), &mut written, ptr::null(), len);
                    api.ok("EVP_CipherUpdate (length)", code)?;
                }
                if !message.aad.is_empty() {
                    feed_aad(message.aad)?;
                }
            }
            let (from, to) = text.pointers();
            let (from, to) = (from.add(from_at), to.add(to_at));
            // CCM and SIV need the update with the message even if the message is empty.
            if len > 0 || matches!(mode, Mode::Ccm | Mode::Siv | Mode::GcmSiv) {
                let code = (api.EVP_CipherUpdate)(ctx, to, &mut written, from, len);
                if code != 1 && !encrypt {
                    (api.ERR_clear_error)();
                    return Err(Failure::Rejected);
                }
                api.ok("EVP_CipherUpdate", code)?;
            }
            // In CCM, the update checks the tag of a decryption, and EVP_CipherFinal must not
            // be called.
            if mode != Mode::Ccm || encrypt {
                let mut tail = [0; 64];
                let mut more: c_int = 0;
                let code = (api.EVP_CipherFinal_ex)(ctx, tail.as_mut_ptr(), &mut more);
                if code != 1 && !encrypt {
                    (api.ERR_clear_error)();
                    return Err(Failure::Rejected);
                }
                api.ok("EVP_CipherFinal_ex", code)?;
                // OCB writes the last partial block in EVP_CipherFinal.
                if more > 0 {
                    let at = to_at + length - more as usize;
                    text.output()[at..][..more as usize].copy_from_slice(&tail[..more as usize]);
                }
            }
        }
        if encrypt {
            let code = self.get_tag(context, &mut text.output()[tag_at..tag_at + tag]);
            if code != 1 {
                return Err(Failure::length("a tag", tag));
            }
            Ok(length + tag)
        } else {
            Ok(length)
        }
    }
}
