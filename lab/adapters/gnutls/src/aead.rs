//! Authenticated encryption: `gnutls_aead_cipher_encrypt` and its inverse.
#![allow(unsafe_code)]

use std::ffi::c_int;

use touchstone_worker::{Cell, Direction, Failure, Message, Offer, Operation, Work, offer};

use crate::ffi::{Api, Gnutls, Open, keyed};

/// Primitive, operation stem, `GNUTLS_CIPHER_…`.
const ROWS: &[(&str, &str, c_int)] = &[
    ("aes-128", "gcm", 10),
    ("aes-192", "gcm", 39),
    ("aes-256", "gcm", 11),
    ("camellia-128", "gcm", 15),
    ("camellia-256", "gcm", 16),
    ("aes-128", "ccm", 19),
    ("aes-256", "ccm", 20),
    ("aes-128", "siv", 37),
    ("aes-256", "siv", 38),
    ("chacha20-poly1305", "aead", 23),
];

/// The parameters of an object, known before it is made.
#[derive(Clone, Copy)]
struct Plan {
    api: Api,
    number: c_int,
    mode: &'static str,
    encrypt: bool,
    key: usize,
    tag: usize,
}

impl Plan {
    fn find(gnutls: &Gnutls, primitive: &str, operation: &str) -> Option<Self> {
        let (stem, way) = Direction::split(operation)?;
        let (_, mode, number) = *ROWS
            .iter()
            .find(|(id, mode, _)| (*id, *mode) == (primitive, stem))?;
        let encrypt = way.is_encrypt();
        let api = gnutls.api;
        // SAFETY: the function accepts any number.
        let key = unsafe { (api.gnutls_cipher_get_key_size)(number) };
        let bytes: Vec<u8> = (0..key).map(|i| i as u8).collect();
        api.aead(number, &bytes).ok()?;
        Some(Self {
            api,
            number,
            mode,
            encrypt,
            key,
            tag: 16,
        })
    }

    /// The plan for this work. The functions of Nettle below it abort the process if a
    /// length is wrong, so all lengths are checked here.
    fn fit(mut self, work: &Work) -> Result<Self, Failure> {
        let (key, nonce, given) = (work.key.len(), work.nonce.len(), work.input.len());
        let tag = work.tag.unwrap_or(self.tag);
        let nonce_fits = match self.mode {
            "ccm" => (7..=13).contains(&nonce),
            // The accelerated GCM returns success for any other length, but ignores the
            // nonce.
            "gcm" => nonce == 12,
            "siv" => nonce >= 1,
            _ => nonce == 12,
        };
        let tag_fits = match self.mode {
            "ccm" => (4..=16).contains(&tag) && tag.is_multiple_of(2),
            "gcm" => (4..=16).contains(&tag),
            _ => tag == 16,
        };
        let count = 15_usize.saturating_sub(nonce);
        let refusal = if key != self.key {
            format!("a key of {key} bytes")
        } else if !nonce_fits {
            format!("a nonce of {nonce} bytes")
        } else if !tag_fits {
            format!("a tag of {tag} bytes")
        } else if self.mode == "ccm" && count < 8 && given >= 1 << (8 * count) {
            "a message too long for its nonce's length".to_owned()
        } else {
            self.tag = tag;
            return Ok(self);
        };
        Err(Failure::Unsupported(refusal))
    }
}

pub(crate) fn offers(gnutls: &Gnutls) -> Vec<Offer> {
    ROWS.iter()
        .flat_map(|(id, mode, _)| ["encrypt", "decrypt"].map(|way| (*id, *mode, way)))
        .filter_map(|(id, mode, way)| {
            let operation = format!("{mode}-{way}");
            Plan::find(gnutls, id, &operation)?;
            Some(offer(id, &operation, &format!("gnutls_aead_cipher_{way}")))
        })
        .collect()
}

pub(crate) fn cell(gnutls: &Gnutls, work: &Work) -> Option<Result<Cell, Failure>> {
    let plan = Plan::find(gnutls, &work.primitive, &work.operation)?.fit(work);
    Some(plan.map(|plan| Cell::new(move || Ok(Aead { plan, open: None }))))
}

struct Aead {
    plan: Plan,
    /// `None` before the first key, because a handle needs a key.
    open: Option<Open>,
}

impl Operation for Aead {
    fn set_key(&mut self, key: &[u8]) -> Result<(), Failure> {
        let Plan { api, number, .. } = &self.plan;
        // gnutls_aead_cipher_set_key is not used, because GCM gives wrong tags after it.
        self.open = None;
        self.open = Some(api.aead(*number, key)?);
        Ok(())
    }

    #[inline]
    fn process(&mut self, message: &Message<'_>, output: &mut [u8]) -> Result<usize, Failure> {
        let Plan {
            api, encrypt, tag, ..
        } = &self.plan;
        let handle = keyed(self.open.as_ref())?;
        let given = message.input.len();
        if !encrypt && given < *tag {
            return Err(Failure::Rejected);
        }
        let run = if *encrypt {
            api.gnutls_aead_cipher_encrypt
        } else {
            api.gnutls_aead_cipher_decrypt
        };
        let mut written = output.len();
        // SAFETY: the handle is open and keyed; lengths are those of the
        // slices.
        let code = unsafe {
            run(
                handle,
                message.nonce.as_ptr(),
                message.nonce.len(),
                message.aad.as_ptr(),
                message.aad.len(),
                *tag,
                message.input.as_ptr(),
                given,
                output.as_mut_ptr(),
                &mut written,
            )
        };
        api.ok("gnutls_aead_cipher", code)?;
        Ok(written)
    }
}
