//! Key wrapping by functions of the C interface that take the key with each call.
#![allow(unsafe_code)]

use std::ffi::{CStr, c_int};
use std::sync::Arc;

use touchstone_worker::{Direction, Failure, Message, Plan, Work, Written};

use crate::cipher::{block, block_bytes, fixed_costs, fixed_key};
use crate::ffi::{Api, name};
use crate::library::Botan;

/// The function to call, and its parameters.
#[derive(Clone)]
pub(crate) struct Wrap {
    api: Api,
    /// The block cipher for `botan_nist_kw_*`. `None` means `botan_key_wrap3394`, which is
    /// RFC 3394 with AES.
    cipher: Option<Arc<CStr>>,
    padded: bool,
    way: Direction,
}

impl Plan for Wrap {
    type Library = Botan;
    /// The key, which is an argument of the call for each message.
    type Object = Vec<u8>;
    const OPERATIONS: &'static [&'static str] =
        &["kw-encrypt", "kw-decrypt", "kwp-encrypt", "kwp-decrypt"];

    fn find(botan: &Botan, primitive: &str, operation: &str) -> Option<Self> {
        let (padded, way) = match Direction::split(operation)? {
            ("kw", way) => (false, way),
            ("kwp", way) => (true, way),
            _ => return None,
        };
        let (_, stem, _) = block(botan, primitive)?;
        let api = botan.api;
        if block_bytes(botan, stem) != 16 {
            return None;
        }
        let cipher = if api.botan_nist_kw_enc.is_some() && api.botan_nist_kw_dec.is_some() {
            Some(name(stem).into())
        } else {
            api.botan_key_wrap3394.and(api.botan_key_unwrap3394)?;
            if padded || !primitive.starts_with("aes-") {
                return None;
            }
            None
        };
        Some(Self {
            api,
            cipher,
            padded,
            way,
        })
    }

    fn api(&self, _: &str, _: &str) -> String {
        match self.cipher {
            Some(_) => self.way.choose("botan_nist_kw_enc", "botan_nist_kw_dec"),
            None => self
                .way
                .choose("botan_key_wrap3394", "botan_key_unwrap3394"),
        }
        .into()
    }

    fn note(&self, _: &str, _: &str) -> &'static str {
        "the call makes and keys its own cipher: key set-up is in every call"
    }

    fn fit(self, work: &Work) -> Result<Self, Failure> {
        fixed_costs(work)?;
        fixed_key(&work.primitive, work.key.len(), 1)?;
        match (work.shape(16), self.way) {
            (shape, Direction::Encrypt) => shape,
            // The library refuses inputs that are not a wrapped key, so the worker does not
            // check their length.
            (shape, Direction::Decrypt) => shape.input(0..),
        }
        .fit(work, 0..)
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
        let (api, to, mut written) = (&self.api, output.as_mut_ptr(), output.len());
        let (input, given) = (message.input.as_ptr(), message.input.len());
        let (key, key_bytes, pad) = (key.as_ptr(), key.len(), c_int::from(self.padded));
        let out = &mut written;
        // SAFETY: each length is the length of its slice. Before the call, `written` is the
        // length of the output.
        let code = unsafe {
            if let Some(cipher) = &self.cipher {
                let call = self
                    .way
                    .choose(api.botan_nist_kw_enc, api.botan_nist_kw_dec);
                let name = cipher.as_ptr();
                call.map(|call| call(name, pad, input, given, key, key_bytes, to, out))
            } else {
                let call = self
                    .way
                    .choose(api.botan_key_wrap3394, api.botan_key_unwrap3394);
                call.map(|call| call(input, given, key, key_bytes, to, out))
            }
        };
        match code {
            Some(0) => Ok(written),
            // Botan returns the same error for a forgery and for an impossible length. Both
            // count as rejected.
            Some(_) if !self.way.is_encrypt() => Err(Failure::Rejected),
            Some(code) => api.ok("key wrapping", code).map(|()| 0),
            None => Err(Failure::failed("the wrapping call is gone")),
        }
    }
}
