//! Authenticated encryption: `EVP_AEAD_CTX_seal` and `_open`, one call a message.
#![allow(unsafe_code)]

use std::mem::MaybeUninit;
use std::ptr;

use aws_lc_sys::*;
use touchstone_worker::{
    Cell, Contract, Failure, Message, Offer, Operation, Text, Work, offer, stays_in_place,
};

use crate::ok;

type Get = unsafe extern "C" fn() -> *const EVP_AEAD;

const AEADS: &[(&str, &str, Get)] = &[
    ("aes-128", "gcm", EVP_aead_aes_128_gcm),
    ("aes-192", "gcm", EVP_aead_aes_192_gcm),
    ("aes-256", "gcm", EVP_aead_aes_256_gcm),
    ("aes-128", "gcm-siv", EVP_aead_aes_128_gcm_siv),
    ("aes-256", "gcm-siv", EVP_aead_aes_256_gcm_siv),
    ("chacha20-poly1305", "aead", EVP_aead_chacha20_poly1305),
    ("xchacha20-poly1305", "aead", EVP_aead_xchacha20_poly1305),
];

pub(crate) fn offers() -> Vec<Offer> {
    AEADS
        .iter()
        .flat_map(|(id, mode, _)| {
            [
                ("encrypt", "EVP_AEAD_CTX_seal"),
                ("decrypt", "EVP_AEAD_CTX_open"),
            ]
            .map(|(way, api)| {
                let operation = format!("{mode}-{way}");
                offer(id, &operation, api).taking(Contract::InPlace, stays_in_place(&operation))
            })
        })
        .collect()
}

pub(crate) fn cell(work: &Work) -> Option<Result<Cell, Failure>> {
    let (mode, way) = work.mode()?;
    let (.., get) = AEADS
        .iter()
        .find(|(id, m, _)| (*id, *m) == (work.primitive.as_str(), mode))?;
    // SAFETY: static objects of the library.
    let (aead, key, nonce, most) = unsafe {
        let aead = get();
        (
            Static(aead),
            EVP_AEAD_key_length(aead),
            EVP_AEAD_nonce_length(aead),
            EVP_AEAD_max_tag_len(aead),
        )
    };
    let tag = work.tag.unwrap_or(most);
    // AES-GCM takes any nonce but an empty one.
    let nonce_fits = match mode {
        "gcm" => !work.nonce.is_empty(),
        _ => work.nonce.len() == nonce,
    };
    if let Err(refusal) = work.need_key(key) {
        return Some(Err(refusal));
    }
    if !nonce_fits {
        return Some(Err(Failure::length("a nonce", work.nonce.len())));
    }
    if tag == 0 || tag > most || (mode != "gcm" && tag != most) {
        return Some(Err(Failure::length("a tag", tag)));
    }
    let encrypt = way.is_encrypt();
    Some(Ok(Cell::new(move || {
        Ok(Sealed {
            aead,
            context: Box::new(MaybeUninit::zeroed()),
            keyed: false,
            tag,
            encrypt,
        })
    })))
}

#[derive(Clone, Copy)]
struct Static(*const EVP_AEAD);
// SAFETY: a static object that nobody changes.
unsafe impl Send for Static {}
// SAFETY: the same.
unsafe impl Sync for Static {}

struct Sealed {
    aead: Static,
    /// On the heap: the library need not be told where it moves.
    context: Box<MaybeUninit<EVP_AEAD_CTX>>,
    keyed: bool,
    tag: usize,
    encrypt: bool,
}

// SAFETY: the context belongs to no thread; its owner alone uses it.
unsafe impl Send for Sealed {}

impl Sealed {
    fn forget_key(&mut self) {
        if std::mem::take(&mut self.keyed) {
            // SAFETY: initialised by a successful EVP_AEAD_CTX_init.
            unsafe { EVP_AEAD_CTX_cleanup(self.context.as_mut_ptr()) }
        }
    }
}

impl Drop for Sealed {
    fn drop(&mut self) {
        self.forget_key();
    }
}

impl Operation for Sealed {
    fn set_key(&mut self, key: &[u8]) -> Result<(), Failure> {
        self.forget_key();
        // SAFETY: the context is zeroed or cleaned up; the key's length was checked.
        let code = unsafe {
            EVP_AEAD_CTX_init(
                self.context.as_mut_ptr(),
                self.aead.0,
                key.as_ptr(),
                key.len(),
                self.tag,
                ptr::null_mut(),
            )
        };
        ok("EVP_AEAD_CTX_init", code)?;
        self.keyed = true;
        Ok(())
    }

    #[inline]
    fn transform(&mut self, message: &Message<'_>, mut text: Text<'_>) -> Result<usize, Failure> {
        let (length, (from, to)) = (text.length(), text.pointers());
        if !self.keyed {
            return Err(Failure::failed("no key was set"));
        }
        let call = if self.encrypt {
            EVP_AEAD_CTX_seal
        } else {
            EVP_AEAD_CTX_open
        };
        let mut written = 0;
        // SAFETY: a keyed context; lengths are those of the slices.
        let code = unsafe {
            call(
                self.context.as_ptr(),
                to,
                &mut written,
                text.output().len(),
                message.nonce.as_ptr(),
                message.nonce.len(),
                from,
                length,
                message.aad.as_ptr(),
                message.aad.len(),
            )
        };
        if code != 1 && !self.encrypt {
            // SAFETY: no arguments.
            unsafe { ERR_clear_error() };
            return Err(Failure::Rejected);
        }
        ok("EVP_AEAD_CTX_seal", code)?;
        Ok(written)
    }
}
