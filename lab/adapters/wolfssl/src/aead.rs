//! Authenticated encryption, and GMAC.
#![allow(unsafe_code)]

use touchstone_worker::{AEADS, Direction, Failure, Memory, Message, Plan, Work, Written};

use crate::cipher::gone;
use crate::ffi::{Api, Wolf, context, ok, word};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Mode {
    Gcm,
    Gmac,
    Ccm,
    Siv,
    ChaCha,
    XChaCha,
}

impl Mode {
    /// Returns the name of the function that processes a message.
    fn call(self, way: Direction) -> &'static str {
        match (self, way.is_encrypt()) {
            (Self::Gcm, true) => "wc_AesGcmEncrypt",
            (Self::Gcm, false) => "wc_AesGcmDecrypt",
            (Self::Gmac, _) => "wc_GmacUpdate",
            (Self::Ccm, true) => "wc_AesCcmEncrypt",
            (Self::Ccm, false) => "wc_AesCcmDecrypt",
            (Self::Siv, true) => "wc_AesSivEncrypt",
            (Self::Siv, false) => "wc_AesSivDecrypt",
            (Self::ChaCha, true) => "wc_ChaCha20Poly1305_Encrypt",
            (Self::ChaCha, false) => "wc_ChaCha20Poly1305_Decrypt",
            (Self::XChaCha, true) => "wc_XChaCha20Poly1305_Encrypt",
            (Self::XChaCha, false) => "wc_XChaCha20Poly1305_Decrypt",
        }
    }
}

/// Returns the length of an AES key in bytes.
fn aes(primitive: &str) -> Option<usize> {
    match primitive {
        "aes-128" => Some(16),
        "aes-192" => Some(24),
        "aes-256" => Some(32),
        _ => None,
    }
}

/// Returns whether this build has a function.
fn has(wolf: &Wolf, name: &str) -> bool {
    // SAFETY: the pointer only shows that the function exists, and is never used.
    unsafe { wolf.function::<*const u8>(name).is_some() }
}

/// GCM, CCM and GMAC. The key schedule is computed before the messages.
#[derive(Clone, Copy)]
pub(crate) struct Scheduled {
    api: Api,
    mode: Mode,
    way: Direction,
    key: usize,
    tag: usize,
}

impl Plan for Scheduled {
    type Library = Wolf;
    type Object = Memory;
    const OPERATIONS: &'static [&'static str] = AEADS;

    fn find(wolf: &Wolf, primitive: &str, operation: &str) -> Option<Self> {
        let (stem, way) = Direction::split(operation).unwrap_or((operation, Direction::Encrypt));
        let mode = match stem {
            "gcm" => Mode::Gcm,
            "gmac" => Mode::Gmac,
            "ccm" => Mode::Ccm,
            _ => return None,
        };
        let (api, key, tag) = (wolf.api, aes(primitive)?, 16);
        has(wolf, mode.call(way)).then_some(Self {
            api,
            mode,
            way,
            key,
            tag,
        })
    }

    fn api(&self, _: &str, _: &str) -> String {
        self.mode.call(self.way).into()
    }

    fn fit(mut self, work: &Work) -> Result<Self, Failure> {
        let shape = work.shape(16);
        self.tag = match self.mode {
            // wolfCrypt stores the associated data's length in two bytes. In RFC 3610, lengths
            // from 0xff00 on need the longer form.
            Mode::Ccm => work.need_aad(..=0xfeff).and(shape.fit(work, self.key)),
            // The least length is the build's `WOLFSSL_MIN_AUTH_TAG_SZ`.
            _ => shape.tag(12..=16).fit(work, self.key),
        }?;
        Ok(self)
    }

    fn make(&self) -> Result<Memory, Failure> {
        context(self.api.wc_AesInit, self.api.wc_AesFree)
    }

    fn set_key(&self, context: &mut Memory, key: &[u8]) -> Result<(), Failure> {
        let api = &self.api;
        let set = match self.mode {
            Mode::Ccm => api.wc_AesCcmSetKey,
            Mode::Gmac => api.wc_GmacSetKey,
            _ => api.wc_AesGcmSetKey,
        }
        .ok_or_else(gone)?;
        // SAFETY: the context is initialised. For GMAC, the struct `Gmac` has `Aes` as its only
        // field, so the same function sets its key.
        let code = unsafe { set(context.at(0), key.as_ptr(), word(key.len())?) };
        ok("the key", code)
    }

    #[inline(always)]
    fn process(&self, context: &mut Memory, message: &Message<'_>, output: &mut [u8]) -> Written {
        let (api, context, tag) = (&self.api, context.at(0), self.tag);
        let (nonce, nonce_bytes) = (message.nonce.as_ptr(), word(message.nonce.len())?);
        let (to, tag_bytes) = (output.as_mut_ptr(), word(tag)?);
        if self.mode == Mode::Gmac {
            let update = api.wc_GmacUpdate.ok_or_else(gone)?;
            let (from, bytes) = (message.input.as_ptr(), word(message.input.len())?);
            // SAFETY: the context has a key, and the worker's output has at least 256 bytes.
            let code = unsafe { update(context, nonce, nonce_bytes, from, bytes, to, tag_bytes) };
            ok("wc_GmacUpdate", code)?;
            return Ok(tag);
        }
        let length = self.way.without_tag(message.input.len(), tag)?;
        let (encrypt, decrypt) = match self.mode {
            Mode::Ccm => (api.wc_AesCcmEncrypt, api.wc_AesCcmDecrypt),
            _ => (api.wc_AesGcmEncrypt, api.wc_AesGcmDecrypt),
        };
        let run = self.way.choose(encrypt, decrypt).ok_or_else(gone)?;
        // In encryption the call writes the tag, in decryption it reads the tag.
        let mut made = [0; 16];
        if !self.way.is_encrypt() {
            made[..tag].copy_from_slice(&message.input[length..]);
        }
        // SAFETY: the context has a key, each length is the length of its slice, the output has
        // room for the message, and the tag has 16 bytes.
        let code = unsafe {
            run(
                context,
                to,
                message.input.as_ptr(),
                word(length)?,
                nonce,
                nonce_bytes,
                made.as_mut_ptr(),
                tag_bytes,
                message.aad.as_ptr(),
                word(message.aad.len())?,
            )
        };
        ok("the mode's call", code)?;
        if self.way.is_encrypt() {
            output[length..length + tag].copy_from_slice(&made[..tag]);
            return Ok(length + tag);
        }
        Ok(length)
    }
}

/// SIV, ChaCha20-Poly1305 and XChaCha20-Poly1305: one call, which also takes the key.
#[derive(Clone, Copy)]
pub(crate) struct Keyed {
    api: Api,
    mode: Mode,
    way: Direction,
    /// Length of a key in bytes. SIV has two keys of this length.
    key: usize,
}

const TAG: usize = 16;

impl Plan for Keyed {
    type Library = Wolf;
    type Object = Vec<u8>;
    const OPERATIONS: &'static [&'static str] = AEADS;

    fn find(wolf: &Wolf, primitive: &str, operation: &str) -> Option<Self> {
        let (stem, way) = Direction::split(operation)?;
        let (mode, key) = match (primitive, stem) {
            ("chacha20-poly1305", "aead") => (Mode::ChaCha, 32),
            ("xchacha20-poly1305", "aead") => (Mode::XChaCha, 32),
            (_, "siv") => (Mode::Siv, aes(primitive)?),
            _ => return None,
        };
        let api = wolf.api;
        has(wolf, mode.call(way)).then_some(Self {
            api,
            mode,
            way,
            key,
        })
    }

    fn api(&self, _: &str, _: &str) -> String {
        self.mode.call(self.way).into()
    }

    fn note(&self, _: &str, _: &str) -> &'static str {
        "the key goes in with every message"
    }

    fn fit(self, work: &Work) -> Result<Self, Failure> {
        let shape = work.shape(16);
        match self.mode {
            Mode::ChaCha => shape.nonce(12),
            Mode::XChaCha => shape.nonce(24),
            _ => shape,
        }
        .fit(work, self.key)
        .map(|_| self)
    }

    fn make(&self) -> Result<Vec<u8>, Failure> {
        Ok(Vec::new())
    }

    fn set_key(&self, kept: &mut Vec<u8>, key: &[u8]) -> Result<(), Failure> {
        key.clone_into(kept);
        Ok(())
    }

    #[inline(always)]
    fn process(&self, key: &mut Vec<u8>, message: &Message<'_>, output: &mut [u8]) -> Written {
        let (api, way, encrypt) = (&self.api, self.way, self.way.is_encrypt());
        let (key, key_bytes) = (key.as_ptr(), key.len());
        let (nonce, nonce_bytes) = (message.nonce.as_ptr(), message.nonce.len());
        let (aad, aad_bytes) = (message.aad.as_ptr(), word(message.aad.len())?);
        let (input, given) = (message.input.as_ptr(), message.input.len());
        let length = way.without_tag(given, TAG)?;
        let (bytes, to) = (word(length)?, output.as_mut_ptr());
        // SAFETY: each length is the length of its slice. Key and nonce have the lengths that
        // the function reads. The output is 256 bytes longer than the input.
        let code = unsafe {
            match (self.mode, encrypt) {
                (Mode::Siv, _) => {
                    let mut tag = [0; TAG];
                    let (run, from, data) = if encrypt {
                        (api.wc_AesSivEncrypt, input, to.add(TAG))
                    } else {
                        tag.copy_from_slice(&message.input[..TAG]);
                        (api.wc_AesSivDecrypt, input.add(TAG), to)
                    };
                    let code = run.ok_or_else(gone)?(
                        key,
                        word(key_bytes)?,
                        aad,
                        aad_bytes,
                        nonce,
                        word(nonce_bytes)?,
                        from,
                        bytes,
                        tag.as_mut_ptr(),
                        data,
                    );
                    if encrypt {
                        output[..TAG].copy_from_slice(&tag);
                    }
                    code
                }
                (Mode::XChaCha, _) => {
                    let (seal, open) = (
                        api.wc_XChaCha20Poly1305_Encrypt,
                        api.wc_XChaCha20Poly1305_Decrypt,
                    );
                    let run = way.choose(seal, open);
                    let aad_bytes = message.aad.len();
                    let room = output.len();
                    run.ok_or_else(gone)?(
                        to,
                        room,
                        input,
                        given,
                        aad,
                        aad_bytes,
                        nonce,
                        nonce_bytes,
                        key,
                        key_bytes,
                    )
                }
                (_, true) => {
                    let run = api.wc_ChaCha20Poly1305_Encrypt.ok_or_else(gone)?;
                    let tag = to.add(length);
                    run(key, nonce, aad, aad_bytes, input, bytes, to, tag)
                }
                (_, false) => {
                    let run = api.wc_ChaCha20Poly1305_Decrypt.ok_or_else(gone)?;
                    let tag = input.add(length);
                    run(key, nonce, aad, aad_bytes, input, bytes, tag, to)
                }
            }
        };
        ok("the mode's call", code)?;
        Ok(if encrypt { length + TAG } else { length })
    }
}
