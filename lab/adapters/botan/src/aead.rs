//! Authenticated encryption: sets associated data and nonce, then processes the whole message
//! with its tag in one call.
#![allow(unsafe_code)]

use std::ffi::CStr;
use std::sync::Arc;

use touchstone_worker::{AEADS, Direction, Failure, Message, Plan, Work, Written};

use crate::cipher::{block, block_bytes, finish, fixed_costs, fixed_key, set_key, start};
use crate::ffi::{Api, BAD_MAC, DECRYPT, Object, name, takes_key};
use crate::library::Botan;

const MODES: &[(&str, Mode)] = &[
    ("gcm", Mode::Gcm),
    ("ccm", Mode::Ccm),
    ("ocb", Mode::Ocb),
    ("eax", Mode::Eax),
    ("siv", Mode::Siv),
];

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Mode {
    Gcm,
    Ccm,
    Ocb,
    Eax,
    Siv,
    /// An AEAD that Botan knows by its own name, not as a mode of a block cipher.
    Own,
}

impl Mode {
    fn name(self, cipher: &str, tag: usize, nonce: usize) -> String {
        match self {
            Self::Gcm => format!("{cipher}/GCM({tag})"),
            // In Botan's name of CCM, the second number is the length of CCM's length field in
            // bytes.
            Self::Ccm => format!("{cipher}/CCM({tag},{})", 15_usize.saturating_sub(nonce)),
            Self::Ocb => format!("{cipher}/OCB({tag})"),
            Self::Eax => format!("{cipher}/EAX({tag})"),
            Self::Siv => format!("{cipher}/SIV"),
            Self::Own => cipher.to_owned(),
        }
    }
}

/// Rows: the primitive, Botan's name, the accepted lengths of the nonce in bytes.
const OWN: &[(&str, &str, &[usize])] = &[
    ("chacha20-poly1305", "ChaCha20Poly1305", &[8, 12]),
    ("xchacha20-poly1305", "ChaCha20Poly1305", &[24]),
    ("ascon-aead128", "Ascon-AEAD128", &[16]),
];

#[derive(Clone)]
pub(crate) struct Aead {
    api: Api,
    /// `stem` is Botan's name of the block cipher. `name` is Botan's name of the mode with
    /// the lengths that the work needs.
    stem: &'static str,
    name: Arc<CStr>,
    mode: Mode,
    way: Direction,
    calls: &'static str,
    note: &'static str,
    tag: usize,
}

impl Aead {
    fn object(&self) -> Result<Object, Failure> {
        self.api.cipher(&self.name, self.way.choose(0, DECRYPT))
    }
}

impl Plan for Aead {
    type Library = Botan;
    type Object = Object;
    const OPERATIONS: &'static [&'static str] = AEADS;

    fn find(botan: &Botan, primitive: &str, operation: &str) -> Option<Self> {
        let (stem, way) = Direction::split(operation)?;
        let (stem, mode) = if stem == "aead" {
            (OWN.iter().find(|(id, ..)| *id == primitive)?.1, Mode::Own)
        } else {
            let (_, mode) = *MODES.iter().find(|(id, _)| *id == stem)?;
            let (_, cipher, _) = *block(botan, primitive)?;
            // EAX is the only one of these modes that is defined for other block lengths than
            // 16 bytes.
            if mode != Mode::Eax && block_bytes(botan, cipher) != 16 {
                return None;
            }
            (cipher, mode)
        };
        let name = [16, 8].map(|tag| name(&mode.name(stem, tag, 12)));
        let name = name
            .into_iter()
            .find(|name| botan.api.cipher(name, 0).is_ok())?;
        Some(Self {
            api: botan.api,
            stem,
            name: name.into(),
            mode,
            way,
            calls: botan.calls("botan_cipher_set_associated_data, start, update"),
            note: botan.copies(),
            tag: 16,
        })
    }

    fn api(&self, _: &str, _: &str) -> String {
        self.calls.into()
    }

    fn note(&self, _: &str, _: &str) -> &'static str {
        self.note
    }

    fn fit(mut self, work: &Work) -> Result<Self, Failure> {
        let (api, nonce, tag) = (&self.api, work.nonce.len(), work.tag.unwrap_or(16));
        fixed_costs(work)?;
        fixed_key(&work.primitive, work.key.len(), work.shape(16).keys)?;
        if let Some((_, _, nonces)) = OWN.iter().find(|(id, ..)| *id == work.primitive) {
            work.need_nonce(*nonces)?;
        }
        self.name = name(&self.mode.name(self.stem, tag, nonce)).into();
        let trial = self.object().map_err(|failure| {
            Failure::unsupported(format_args!(
                "a tag of {tag} bytes with a nonce of {nonce}: {failure}"
            ))
        })?;
        takes_key(&trial, api.botan_cipher_get_keyspec, work.key.len())?;
        let mut own_tag = 0;
        // SAFETY: the object is live. The function that checks the nonce's length returns 1 for
        // yes.
        let takes_nonce = unsafe {
            let code = (api.botan_cipher_get_tag_length)(trial.object, &mut own_tag);
            api.ok("botan_cipher_get_tag_length", code)?;
            (api.botan_cipher_valid_nonce_length)(trial.object, nonce) == 1
        };
        let without = self.mode == Mode::Siv && nonce == 0;
        if !takes_nonce && !without {
            return Err(Failure::length("a nonce", nonce));
        }
        // The caller cannot choose the tag's length of SIV and of ChaCha20-Poly1305.
        self.tag = work.need_tag(16, own_tag)?;
        Ok(self)
    }

    fn make(&self) -> Result<Object, Failure> {
        self.object()
    }

    fn set_key(&self, object: &mut Object, key: &[u8]) -> Result<(), Failure> {
        set_key(&self.api, object, key)
    }

    #[inline(always)]
    fn process(&self, object: &mut Object, message: &Message<'_>, output: &mut [u8]) -> Written {
        let (api, handle, aad) = (&self.api, object.object, message.aad);
        self.way.without_tag(message.input.len(), self.tag)?;
        // Botan 2's EAX does not notice that the previous encryption is complete, so it needs
        // a reset before the next message.
        if self.mode == Mode::Eax && self.way.is_encrypt() {
            // SAFETY: the object is live. The call does not remove the key.
            let code = unsafe { (api.botan_cipher_reset)(handle) };
            api.ok("botan_cipher_reset", code)?;
        }
        // RFC 5297, section 6: a nonce always follows a string of associated data, which may be
        // empty.
        if !aad.is_empty() || (self.mode == Mode::Siv && !message.nonce.is_empty()) {
            let set = api.botan_cipher_set_associated_data;
            // SAFETY: the data has the length that is passed.
            let code = unsafe { set(handle, aad.as_ptr(), aad.len()) };
            api.ok("botan_cipher_set_associated_data", code)?;
        }
        start(api, object, message.nonce)?;
        let (code, written) = finish(api, object, message.input, output);
        if code == BAD_MAC {
            // SAFETY: the object is live. The call drops the message, not the key.
            unsafe { (api.botan_cipher_reset)(handle) };
            return Err(Failure::Rejected);
        }
        api.ok("botan_cipher_update", code)?;
        Ok(written)
    }
}
