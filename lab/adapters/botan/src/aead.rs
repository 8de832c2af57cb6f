//! Authenticated encryption: associated data, nonce, and the whole message with
//! its tag in one call.
#![allow(unsafe_code)]

use touchstone_worker::{Cell, Direction, Failure, Message, Offer, Operation, Work};

use crate::cipher::{BLOCK, block, block_bytes, finish, fixed_costs, fixed_key, start};
use crate::ffi::{Api, BAD_MAC, DECRYPT, Object, name};
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
    /// An AEAD with its own name, not built on a block cipher.
    Own,
}

impl Mode {
    fn name(self, cipher: &str, tag: usize, nonce: usize) -> String {
        match self {
            Self::Gcm => format!("{cipher}/GCM({tag})"),
            // The second number is the length of CCM's length field.
            Self::Ccm => format!("{cipher}/CCM({tag},{})", 15_usize.saturating_sub(nonce)),
            Self::Ocb => format!("{cipher}/OCB({tag})"),
            Self::Eax => format!("{cipher}/EAX({tag})"),
            Self::Siv => format!("{cipher}/SIV"),
            Self::Own => cipher.to_owned(),
        }
    }
}

/// Primitive, Botan's name, nonce length.
const OWN: &[(&str, &str, &[usize])] = &[
    ("chacha20-poly1305", "ChaCha20Poly1305", &[8, 12]),
    ("xchacha20-poly1305", "ChaCha20Poly1305", &[24]),
    ("ascon-aead128", "Ascon-AEAD128", &[16]),
];

struct Found {
    stem: &'static str,
    mode: Mode,
    decrypt: bool,
}

fn find(botan: &Botan, primitive: &str, operation: &str) -> Option<Found> {
    let (stem, way) = Direction::split(operation)?;
    let decrypt = !way.is_encrypt();
    let (cipher, mode) = if stem == "aead" {
        let (_, cipher, _) = OWN.iter().find(|(id, ..)| *id == primitive)?;
        (*cipher, Mode::Own)
    } else {
        let (_, mode) = MODES.iter().find(|(id, _)| *id == stem)?;
        let (_, cipher, _) = block(botan, primitive)?;
        // Only EAX is defined for blocks of other lengths.
        if *mode != Mode::Eax && block_bytes(botan, cipher) != 16 {
            return None;
        }
        (*cipher, *mode)
    };
    botan
        .api
        .cipher(&name(&mode.name(cipher, 16, 12)), 0)
        .or_else(|_| botan.api.cipher(&name(&mode.name(cipher, 8, 12)), 0))
        .ok()?;
    Some(Found {
        stem: cipher,
        mode,
        decrypt,
    })
}

pub(crate) fn offers(botan: &Botan) -> Vec<Offer> {
    let modes = BLOCK
        .iter()
        .flat_map(|(id, ..)| MODES.iter().map(move |(mode, _)| (*id, *mode)));
    modes
        .chain(OWN.iter().map(|(id, ..)| (*id, "aead")))
        .flat_map(|(id, mode)| ["encrypt", "decrypt"].map(|way| (id, format!("{mode}-{way}"))))
        .filter(|(id, operation)| find(botan, id, operation).is_some())
        .map(|(id, operation)| Offer {
            note: botan.copies().into(),
            ..botan.offer(
                id,
                &operation,
                "botan_cipher_set_associated_data, start, update",
            )
        })
        .collect()
}

pub(crate) fn cell(botan: &Botan, work: &Work) -> Option<Result<Cell, Failure>> {
    let found = find(botan, &work.primitive, &work.operation)?;
    Some(plan(botan, work, &found))
}

fn plan(botan: &Botan, work: &Work, found: &Found) -> Result<Cell, Failure> {
    let api = botan.api;
    let (nonce, tag) = (work.nonce.len(), work.tag.unwrap_or(16));
    let keys = usize::from(found.mode == Mode::Siv) + 1;
    fixed_costs(work)?;
    fixed_key(&work.primitive, work.key.len(), keys)?;
    if let Some((_, _, nonces)) = OWN.iter().find(|(id, ..)| *id == work.primitive)
        && !nonces.contains(&nonce)
    {
        return Err(Failure::length("a nonce", nonce));
    }
    let flags = u32::from(found.decrypt) * DECRYPT;
    let full = name(&found.mode.name(found.stem, tag, nonce));
    let trial = api.cipher(&full, flags).map_err(|failure| {
        Failure::unsupported(format_args!(
            "a tag of {tag} bytes with a nonce of {nonce}: {failure}"
        ))
    })?;
    trial.takes_key(api.botan_cipher_get_keyspec, work.key.len())?;
    let mut own_tag = 0;
    // SAFETY: the object is live. The nonce question answers 1 for yes.
    let takes_nonce = unsafe {
        api.ok(
            "botan_cipher_get_tag_length",
            (api.botan_cipher_get_tag_length)(trial.handle, &mut own_tag),
        )?;
        (api.botan_cipher_valid_nonce_length)(trial.handle, nonce) == 1
    };
    let without = found.mode == Mode::Siv && nonce == 0;
    if !takes_nonce && !without {
        return Err(Failure::length("a nonce", nonce));
    }
    // The caller cannot choose the tag's length for SIV and ChaCha20-Poly1305.
    if own_tag != tag {
        return Err(Failure::length("a tag", tag));
    }
    let (mode, decrypt) = (found.mode, found.decrypt);
    Ok(Cell::new(move || {
        Ok(Aead {
            api,
            object: api.cipher(&full, flags)?,
            siv: mode == Mode::Siv,
            reset: mode == Mode::Eax && !decrypt,
            decrypt,
            tag,
        })
    }))
}

struct Aead {
    api: Api,
    object: Object,
    siv: bool,
    /// Whether the object must be reset before a message: Botan 2's EAX does not notice
    /// that the previous encryption is complete.
    reset: bool,
    decrypt: bool,
    tag: usize,
}

impl Operation for Aead {
    fn set_key(&mut self, key: &[u8]) -> Result<(), Failure> {
        // SAFETY: the key is as long as stated.
        let code =
            unsafe { (self.api.botan_cipher_set_key)(self.object.handle, key.as_ptr(), key.len()) };
        self.api.ok("botan_cipher_set_key", code)
    }

    #[inline]
    fn process(&mut self, message: &Message<'_>, output: &mut [u8]) -> Result<usize, Failure> {
        let (api, handle) = (&self.api, self.object.handle);
        if self.decrypt && message.input.len() < self.tag {
            return Err(Failure::Rejected);
        }
        if self.reset {
            // SAFETY: the object is live; the key stays.
            let code = unsafe { (api.botan_cipher_reset)(handle) };
            api.ok("botan_cipher_reset", code)?;
        }
        // RFC 5297, section 6: before a nonce there is always an associated string, which
        // may be empty.
        if !message.aad.is_empty() || (self.siv && !message.nonce.is_empty()) {
            // SAFETY: the data is as long as stated.
            let code = unsafe {
                (api.botan_cipher_set_associated_data)(
                    handle,
                    message.aad.as_ptr(),
                    message.aad.len(),
                )
            };
            api.ok("botan_cipher_set_associated_data", code)?;
        }
        start(api, &self.object, message.nonce)?;
        let (code, written) = finish(api, &self.object, message.input, output);
        if code == BAD_MAC {
            // SAFETY: the object is live; the message is abandoned, not the key.
            unsafe { (api.botan_cipher_reset)(handle) };
            return Err(Failure::Rejected);
        }
        api.ok("botan_cipher_update", code)?;
        Ok(written)
    }
}
