//! Message authentication: `gnutls_hmac` and `gnutls_hmac_output`, for HMAC,
//! CMAC, GMAC and UMAC.
#![allow(unsafe_code)]

use std::ffi::c_int;
use std::ops::RangeInclusive;

use touchstone_worker::{Cell, Failure, Message, Offer, Operation, Work, offer};

use crate::digest::HASHES;
use crate::ffi::{Api, Gnutls, Open, keyed};

/// Primitive, operation, `GNUTLS_MAC_…`, bytes of key, bytes of nonce.
const ROWS: &[(&str, &str, c_int, usize, RangeInclusive<usize>)] = &[
    ("aes-128", "cmac", 203, 16, 0..=0),
    ("aes-256", "cmac", 204, 32, 0..=0),
    ("aes-128", "gmac", 205, 16, 1..=usize::MAX),
    ("aes-192", "gmac", 206, 24, 1..=usize::MAX),
    ("aes-256", "gmac", 207, 32, 1..=usize::MAX),
    ("umac-96", "mac", 201, 16, 1..=16),
    ("umac-128", "mac", 202, 16, 1..=16),
];

#[derive(Clone)]
struct Plan {
    api: Api,
    number: c_int,
    /// Bytes of key; None is any.
    key: Option<usize>,
    nonce: RangeInclusive<usize>,
    tag: usize,
}

impl Plan {
    fn find(gnutls: &Gnutls, primitive: &str, operation: &str) -> Option<Self> {
        let row = ROWS
            .iter()
            .find(|(id, of, ..)| (*id, *of) == (primitive, operation));
        let (number, key, nonce) = match row {
            Some((.., number, key, nonce)) => (*number, Some(*key), nonce.clone()),
            None => (
                hmac(gnutls, primitive.strip_prefix("hmac-")?)?.0,
                None,
                0..=0,
            ),
        };
        if row.is_none() && operation != "mac" {
            return None;
        }
        let api = gnutls.api;
        api.mac(number, &[0; 32][..key.unwrap_or(16)]).ok()?;
        // SAFETY: the function accepts any number.
        let tag = unsafe { (api.gnutls_hmac_get_len)(number) } as usize;
        Some(Self {
            api,
            number,
            key,
            nonce,
            tag,
        })
    }

    fn fit(mut self, work: &Work) -> Result<Self, Failure> {
        let (key, nonce) = (work.key.len(), work.nonce.len());
        let tag = work.tag.unwrap_or(self.tag);
        let refusal = if self.key.is_some_and(|wanted| wanted != key) {
            format!("a key of {key} bytes")
        } else if !self.nonce.contains(&nonce) {
            format!("a nonce of {nonce} bytes")
        } else if tag == 0 || tag > self.tag {
            format!("a tag of {tag} bytes")
        } else {
            self.tag = tag;
            return Ok(self);
        };
        Err(Failure::Unsupported(refusal))
    }
}

/// The number and bytes of a hash that this build has an HMAC of.
pub(crate) fn hmac(gnutls: &Gnutls, hash: &str) -> Option<(c_int, usize)> {
    let (_, number) = *HASHES.iter().find(|(id, _)| *id == hash)?;
    gnutls.api.mac(number, &[0; 16]).ok()?;
    // SAFETY: the function accepts any number.
    let size = unsafe { (gnutls.api.gnutls_hmac_get_len)(number) };
    (size != 0).then_some((number, size as usize))
}

pub(crate) fn offers(gnutls: &Gnutls) -> Vec<Offer> {
    let hmac = HASHES.iter().map(|(id, _)| (format!("hmac-{id}"), "mac"));
    let rows = ROWS
        .iter()
        .map(|(id, operation, ..)| ((*id).to_owned(), *operation));
    hmac.chain(rows)
        .filter_map(|(id, operation)| {
            let plan = Plan::find(gnutls, &id, operation)?;
            let api = if plan.nonce.contains(&0) {
                "gnutls_hmac, gnutls_hmac_output"
            } else {
                "gnutls_hmac_set_nonce, gnutls_hmac, gnutls_hmac_output"
            };
            Some(offer(&id, operation, api))
        })
        .collect()
}

pub(crate) fn cell(gnutls: &Gnutls, work: &Work) -> Option<Result<Cell, Failure>> {
    let plan = Plan::find(gnutls, &work.primitive, &work.operation)?.fit(work);
    Some(plan.map(|plan| {
        Cell::new(move || {
            Ok(Mac {
                plan: plan.clone(),
                open: None,
            })
        })
    }))
}

struct Mac {
    plan: Plan,
    /// `None` before the first key, because a handle needs a key.
    open: Option<Open>,
}

impl Operation for Mac {
    fn set_key(&mut self, key: &[u8]) -> Result<(), Failure> {
        self.open = None;
        self.open = Some(self.plan.api.mac(self.plan.number, key)?);
        Ok(())
    }

    #[inline]
    fn process(&mut self, message: &Message<'_>, output: &mut [u8]) -> Result<usize, Failure> {
        let api = &self.plan.api;
        let handle = keyed(self.open.as_ref())?;
        let nonce = message.nonce;
        let (from, given) = (message.input.as_ptr(), message.input.len());
        // SAFETY: the handle is open and keyed, as gnutls_hmac_output leaves it
        // again; the nonce has a length that it takes; the worker's output has
        // at least 256 bytes.
        unsafe {
            if !nonce.is_empty() {
                (api.gnutls_hmac_set_nonce)(handle, nonce.as_ptr(), nonce.len());
            }
            api.ok("gnutls_hmac", (api.gnutls_hmac)(handle, from, given))?;
            (api.gnutls_hmac_output)(handle, output.as_mut_ptr());
        }
        Ok(self.plan.tag)
    }
}
