//! Key derivation: PBKDF2 and HKDF over the HMACs that have functions of their
//! own.
#![allow(unsafe_code)]

use std::ffi::c_uint;

use touchstone_worker::{Cell, Failure, Message, Offer, Operation, Work, offer};

use crate::digest::HASHES;
use crate::ffi::{Api, Memory, Nettle, Pbkdf2};
use crate::mac::Hmac;

#[derive(Clone, Copy)]
enum Kind {
    /// `pbkdf2_hmac_…`.
    Pbkdf2Ready(Pbkdf2),
    /// `hmac_…_set_key`, then `pbkdf2`.
    Pbkdf2,
    /// `hkdf_extract`, then `hkdf_expand`.
    Hkdf,
}

#[derive(Clone, Copy)]
struct Plan {
    api: Api,
    kind: Kind,
    hmac: Hmac,
    iterations: c_uint,
    length: usize,
}

impl Plan {
    fn find(nettle: &Nettle, primitive: &str) -> Option<Self> {
        let (hash, pbkdf2) = match primitive.strip_prefix("pbkdf2-hmac-") {
            Some(hash) => (hash, true),
            None => (primitive.strip_prefix("hkdf-")?, false),
        };
        let hmac = Hmac::find(nettle, hash)?;
        let (_, name) = HASHES.iter().find(|(id, _)| *id == hash)?;
        let kind = if pbkdf2 {
            // SAFETY: every pbkdf2_hmac_… has this type.
            unsafe { nettle.function(&format!("nettle_pbkdf2_hmac_{name}")) }
                .map_or(Kind::Pbkdf2, Kind::Pbkdf2Ready)
        } else {
            Kind::Hkdf
        };
        Some(Self {
            api: nettle.api,
            kind,
            hmac,
            iterations: 1,
            length: 32,
        })
    }

    fn fit(mut self, work: &Work) -> Result<Self, Failure> {
        self.length = work.length.unwrap_or(self.length);
        if matches!(self.kind, Kind::Hkdf) {
            // hkdf_expand leaves this limit of RFC 5869 to its caller.
            if self.length > 255 * self.hmac.length {
                return Err(Failure::length("an output", self.length));
            }
            return Ok(self);
        }
        let iterations = work.cost("iterations").unwrap_or(1);
        self.iterations = c_uint::try_from(iterations)
            .ok()
            .filter(|n| *n != 0)
            .ok_or_else(|| Failure::unsupported(format_args!("{iterations} iterations")))?;
        Ok(self)
    }
}

pub(crate) fn offers(nettle: &Nettle) -> Vec<Offer> {
    HASHES
        .iter()
        .flat_map(|(id, name)| {
            [
                (format!("pbkdf2-hmac-{id}"), name),
                (format!("hkdf-{id}"), name),
            ]
        })
        .filter_map(|(id, name)| {
            let api = match Plan::find(nettle, &id)?.kind {
                Kind::Pbkdf2Ready(_) => format!("pbkdf2_hmac_{name}"),
                Kind::Pbkdf2 => format!("hmac_{name}_set_key, pbkdf2"),
                Kind::Hkdf => format!("hmac_{name}_set_key, hkdf_extract, hkdf_expand"),
            };
            Some(offer(&id, "derive", &api))
        })
        .collect()
}

pub(crate) fn cell(nettle: &Nettle, work: &Work) -> Option<Result<Cell, Failure>> {
    if work.operation != "derive" {
        return None;
    }
    let plan = Plan::find(nettle, &work.primitive)?.fit(work);
    Some(plan.map(|plan| {
        Cell::new(move || {
            Ok(Kdf {
                plan,
                memory: Memory::new(plan.hmac.context),
            })
        })
    }))
}

struct Kdf {
    plan: Plan,
    /// The HMAC's context.
    memory: Memory,
}

impl Operation for Kdf {
    fn process(&mut self, message: &Message<'_>, output: &mut [u8]) -> Result<usize, Failure> {
        let Plan {
            api,
            kind,
            hmac,
            iterations,
            length,
        } = self.plan;
        let Hmac {
            set_key,
            update,
            digest,
            length: size,
            ..
        } = hmac;
        let context = self.memory.at(0);
        let (input, input_len) = (message.input.as_ptr(), message.input.len());
        let (salt, salt_len) = (message.nonce.as_ptr(), message.nonce.len());
        let (info, info_len) = (message.aad.as_ptr(), message.aad.len());
        let to = output.as_mut_ptr();
        // SAFETY: lengths are those of the slices; the context is the HMAC's; the
        // worker's output has room for the requested length; no hash is longer than 64
        // bytes.
        unsafe {
            match kind {
                Kind::Pbkdf2Ready(run) => {
                    run(input_len, input, iterations, salt_len, salt, length, to);
                }
                Kind::Pbkdf2 => {
                    set_key(context, input_len, input);
                    let run = api.nettle_pbkdf2;
                    run(
                        context, update, digest, size, iterations, salt_len, salt, length, to,
                    );
                }
                Kind::Hkdf => {
                    let mut prk = [0; 64];
                    set_key(context, salt_len, salt);
                    let extract = api.nettle_hkdf_extract;
                    extract(
                        context,
                        update,
                        digest,
                        size,
                        input_len,
                        input,
                        prk.as_mut_ptr(),
                    );
                    set_key(context, size, prk.as_ptr());
                    let expand = api.nettle_hkdf_expand;
                    expand(context, update, digest, size, info_len, info, length, to);
                }
            }
        }
        Ok(length)
    }
}
