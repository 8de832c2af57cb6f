//! Authenticated encryption.
#![allow(unsafe_code)]

use touchstone_worker::{Cell, Failure, Message, Offer, Operation, Work, c_string};

use crate::ffi::{Api, Handle, Touchstone, p, p_mut};

/// The modes that the lab knows.
const MODES: &[&str] = &["gcm", "ccm", "eax", "ocb", "gcm-siv", "siv"];

const CALLS: [(&str, &str); 2] = [
    ("encrypt", "touchstone_aead_encrypt"),
    ("decrypt", "touchstone_aead_decrypt"),
];

pub(crate) fn offers(library: &Touchstone) -> Vec<Offer> {
    let mut offers = Vec::new();
    for name in &library.aeads {
        for (way, call) in CALLS {
            offers.extend(match library.split(name, MODES) {
                Some((id, mode)) => Some(library.named(name, id, &format!("{mode}-{way}"), call)),
                None if library.is_over_block_cipher(name) => None,
                None => Some(library.named(name, name, &format!("aead-{way}"), call)),
            });
        }
    }
    offers
}

pub(crate) fn cell(library: &Touchstone, work: &Work) -> Option<Result<Cell, Failure>> {
    let (mode, direction) = work.mode()?;
    let name = match mode {
        "aead" => work.primitive.clone(),
        mode => format!("{}-{mode}", work.primitive),
    };
    if !library.aeads.contains(&name) {
        return None;
    }
    let (api, tag) = (library.api, work.tag);
    let (forwards, tag_first) = (direction.is_encrypt(), mode == "siv");
    Some(Ok(Cell::new(move || {
        let name = c_string(&name);
        // SAFETY: the handle's place is valid, and the name is a C string.
        let new = |h| unsafe { (api.touchstone_aead_new)(h, name.as_ptr()) };
        let handle = Handle::new(&api, api.touchstone_aead_free, new)?;
        if let Some(size) = tag {
            handle.set_tag_size(&api, api.touchstone_aead_set_tag_size_insecure, size)?;
        }
        // SAFETY: the handle lives.
        let tag = unsafe { (api.touchstone_aead_tag_size)(handle.pointer) };
        Ok(Sealed {
            api,
            handle,
            forwards,
            tag,
            tag_first,
        })
    })))
}

struct Sealed {
    api: Api,
    handle: Handle,
    forwards: bool,
    /// Bytes of a tag.
    tag: usize,
    /// Whether the tag stands before the ciphertext.
    tag_first: bool,
}

impl Operation for Sealed {
    fn set_key(&mut self, key: &[u8]) -> Result<(), Failure> {
        let aead = self.handle.pointer;
        // SAFETY: the handle lives, and the key has its length.
        let code = unsafe { (self.api.touchstone_aead_set_key)(aead, p(key), key.len()) };
        self.api.check(code)
    }

    #[inline]
    fn process(&mut self, message: &Message<'_>, output: &mut [u8]) -> Result<usize, Failure> {
        let Message {
            nonce, aad, input, ..
        } = *message;
        let (api, aead, size) = (&self.api, self.handle.pointer, self.tag);
        let (n, a) = (nonce.len(), aad.len());
        if self.forwards {
            let length = input.len();
            let joined = &mut output[..length + size];
            let (data, tag) = if self.tag_first {
                let (tag, data) = joined.split_at_mut(size);
                (data, tag)
            } else {
                joined.split_at_mut(length)
            };
            let (i, d, t) = (p(input), p_mut(data), p_mut(tag));
            // SAFETY: the handle lives, and all bytes have their lengths.
            let code = unsafe {
                (api.touchstone_aead_encrypt)(aead, p(nonce), n, p(aad), a, i, d, length, t, size)
            };
            api.check(code)?;
            Ok(length + size)
        } else {
            let length = input.len().checked_sub(size).ok_or(Failure::Rejected)?;
            let (data, tag) = if self.tag_first {
                let (tag, data) = input.split_at(size);
                (data, tag)
            } else {
                input.split_at(length)
            };
            let (i, d, t) = (p(data), p_mut(&mut output[..length]), p(tag));
            // SAFETY: the handle lives, and all bytes have their lengths.
            let code = unsafe {
                (api.touchstone_aead_decrypt)(aead, p(nonce), n, p(aad), a, i, d, length, t, size)
            };
            api.check(code)?;
            Ok(length)
        }
    }
}
