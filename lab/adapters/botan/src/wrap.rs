//! Key wrapping: the one-call functions of the C interface.
#![allow(unsafe_code)]

use std::ffi::{CString, c_int};

use touchstone_worker::{Cell, Failure, Message, Offer, Operation, Work, offer};

use crate::cipher::{BLOCK, block, block_bytes, fixed_costs, fixed_key};
use crate::ffi::{Api, name};
use crate::library::Botan;

/// Which of the two interfaces is used, and with which parameters.
#[derive(Clone)]
struct Wrap {
    api: Api,
    /// For `botan_nist_kw_*`; without it, RFC 3394 with AES.
    cipher: Option<CString>,
    padded: bool,
    decrypt: bool,
}

fn find(botan: &Botan, primitive: &str, operation: &str) -> Option<Wrap> {
    let (padded, decrypt) = match operation {
        "kw-encrypt" => (false, false),
        "kw-decrypt" => (false, true),
        "kwp-encrypt" => (true, false),
        "kwp-decrypt" => (true, true),
        _ => return None,
    };
    let (_, stem, _) = block(botan, primitive)?;
    let api = botan.api;
    if block_bytes(botan, stem) != 16 {
        return None;
    }
    let cipher = if api.botan_nist_kw_enc.is_some() && api.botan_nist_kw_dec.is_some() {
        Some(name(stem))
    } else {
        api.botan_key_wrap3394.and(api.botan_key_unwrap3394)?;
        if padded || !primitive.starts_with("aes-") {
            return None;
        }
        None
    };
    Some(Wrap {
        api,
        cipher,
        padded,
        decrypt,
    })
}

pub(crate) fn offers(botan: &Botan) -> Vec<Offer> {
    BLOCK
        .iter()
        .flat_map(|(id, ..)| {
            ["kw-encrypt", "kw-decrypt", "kwp-encrypt", "kwp-decrypt"]
                .map(|operation| (*id, operation))
        })
        .filter_map(|(id, operation)| {
            let wrap = find(botan, id, operation)?;
            let api = match (wrap.cipher.is_some(), wrap.decrypt) {
                (true, false) => "botan_nist_kw_enc",
                (true, true) => "botan_nist_kw_dec",
                (false, false) => "botan_key_wrap3394",
                (false, true) => "botan_key_unwrap3394",
            };
            Some(Offer {
                note: "the call makes and keys its own cipher: key set-up is in every call".into(),
                ..offer(id, operation, api)
            })
        })
        .collect()
}

pub(crate) fn cell(botan: &Botan, work: &Work) -> Option<Result<Cell, Failure>> {
    let wrap = find(botan, &work.primitive, &work.operation)?;
    Some(plan(wrap, work))
}

fn plan(wrap: Wrap, work: &Work) -> Result<Cell, Failure> {
    fixed_costs(work)?;
    fixed_key(&work.primitive, work.key.len(), 1)?;
    if !work.nonce.is_empty() {
        return Err(Failure::unsupported("an initial value of one's own"));
    }
    let len = work.input.len();
    let fits = match (wrap.padded, wrap.decrypt) {
        (false, false) => len >= 16 && len.is_multiple_of(8),
        (true, false) => len >= 1,
        (_, true) => true,
    };
    if !fits {
        return Err(Failure::length("a message", len));
    }
    Ok(Cell::new(move || {
        Ok(Wrapper {
            wrap: wrap.clone(),
            key: Vec::new(),
        })
    }))
}

struct Wrapper {
    wrap: Wrap,
    /// The calls take the key with every message.
    key: Vec<u8>,
}

impl Operation for Wrapper {
    fn set_key(&mut self, key: &[u8]) -> Result<(), Failure> {
        self.key.clear();
        self.key.extend_from_slice(key);
        Ok(())
    }

    #[inline]
    fn process(&mut self, message: &Message<'_>, output: &mut [u8]) -> Result<usize, Failure> {
        let Wrap {
            api,
            cipher,
            padded,
            decrypt,
        } = &self.wrap;
        let (key, input) = (&self.key, message.input);
        let mut written = output.len();
        // SAFETY: the lengths are those of the slices; `written` is the room on
        // the way in.
        let code = unsafe {
            if let Some(cipher) = cipher {
                let call = if *decrypt {
                    api.botan_nist_kw_dec
                } else {
                    api.botan_nist_kw_enc
                };
                call.map(|call| {
                    call(
                        cipher.as_ptr(),
                        c_int::from(*padded),
                        input.as_ptr(),
                        input.len(),
                        key.as_ptr(),
                        key.len(),
                        output.as_mut_ptr(),
                        &mut written,
                    )
                })
            } else {
                let call = if *decrypt {
                    api.botan_key_unwrap3394
                } else {
                    api.botan_key_wrap3394
                };
                call.map(|call| {
                    call(
                        input.as_ptr(),
                        input.len(),
                        key.as_ptr(),
                        key.len(),
                        output.as_mut_ptr(),
                        &mut written,
                    )
                })
            }
        };
        match code {
            Some(0) => Ok(written),
            // Botan reports a forgery and an impossible length by the same error; both
            // must be refused.
            Some(_) if *decrypt => Err(Failure::Rejected),
            Some(code) => api.ok("key wrapping", code).map(|()| 0),
            None => Err(Failure::failed("the wrapping call is gone")),
        }
    }
}
