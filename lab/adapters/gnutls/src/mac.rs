//! Message authentication codes (HMAC, CMAC, GMAC and UMAC) by `gnutls_hmac` and
//! `gnutls_hmac_output`.
#![allow(unsafe_code)]

use std::ffi::c_int;

use touchstone_worker::{Failure, MACS, Message, Plan, Work, Written};

use crate::digest::HASHES;
use crate::ffi::{Api, Gnutls, Open, keyed};

/// Rows: the primitive, the operation, the number of `GNUTLS_MAC_…`, the key's length in
/// bytes.
const ROWS: &[(&str, &str, c_int, usize)] = &[
    ("aes-128", "cmac", 203, 16),
    ("aes-256", "cmac", 204, 32),
    ("aes-128", "gmac", 205, 16),
    ("aes-192", "gmac", 206, 24),
    ("aes-256", "gmac", 207, 32),
    ("umac-96", "mac", 201, 16),
    ("umac-128", "mac", 202, 16),
];

/// Returns the number of an HMAC and its tag's length in bytes, if this build has an HMAC of
/// the hash.
pub(crate) fn hmac(gnutls: &Gnutls, hash: &str) -> Option<(c_int, usize)> {
    let (_, number) = *HASHES.iter().find(|(id, _)| *id == hash)?;
    gnutls.api.mac(number, &[0; 16]).ok()?;
    // SAFETY: the function accepts any number.
    let size = unsafe { (gnutls.api.gnutls_hmac_get_len)(number) };
    (size != 0).then_some((number, size as usize))
}

#[derive(Clone, Copy)]
pub(crate) struct Mac {
    api: Api,
    number: c_int,
    /// The length of the key in bytes, or `None` for any length.
    key: Option<usize>,
    nonce: bool,
    tag: usize,
}

impl Plan for Mac {
    type Library = Gnutls;
    /// The handle. `None` before the first key, because the library makes no handle without a key.
    type Object = Option<Open>;
    const OPERATIONS: &'static [&'static str] = MACS;

    fn find(gnutls: &Gnutls, primitive: &str, operation: &str) -> Option<Self> {
        let row = |row: &&(&str, &str, c_int, usize)| (row.0, row.1) == (primitive, operation);
        let (number, key) = match ROWS.iter().find(row) {
            Some((.., number, key)) => (*number, Some(*key)),
            None if operation == "mac" => (hmac(gnutls, primitive.strip_prefix("hmac-")?)?.0, None),
            None => return None,
        };
        let api = gnutls.api;
        api.mac(number, &[0; 32][..key.unwrap_or(16)]).ok()?;
        Some(Self {
            api,
            number,
            key,
            nonce: operation == "gmac" || primitive.starts_with("umac"),
            // SAFETY: the function accepts any number.
            tag: unsafe { (api.gnutls_hmac_get_len)(number) } as usize,
        })
    }

    fn api(&self, _: &str, _: &str) -> String {
        let nonce = if self.nonce {
            "gnutls_hmac_set_nonce, "
        } else {
            ""
        };
        format!("{nonce}gnutls_hmac, gnutls_hmac_output")
    }

    fn fit(mut self, work: &Work) -> Result<Self, Failure> {
        let shape = work.shape(self.tag).tag(1..=self.tag);
        let shape = match work.operation.as_str() {
            "mac" if self.nonce => shape.nonce(1..=16),
            _ => shape,
        };
        self.tag = match self.key {
            Some(key) => shape.fit(work, key),
            None => shape.fit(work, 0..),
        }?;
        Ok(self)
    }

    fn make(&self) -> Result<Option<Open>, Failure> {
        Ok(None)
    }

    fn set_key(&self, open: &mut Option<Open>, key: &[u8]) -> Result<(), Failure> {
        *open = None;
        *open = Some(self.api.mac(self.number, key)?);
        Ok(())
    }

    #[inline(always)]
    fn process(
        &self,
        open: &mut Option<Open>,
        message: &Message<'_>,
        output: &mut [u8],
    ) -> Written {
        let (api, handle) = (&self.api, keyed(open.as_ref())?);
        let (nonce, input) = (message.nonce, message.input);
        // SAFETY: the handle is open and has a key, which gnutls_hmac_output does not remove.
        // The nonce has a length that the handle takes. The worker's output has at least 256
        // bytes.
        unsafe {
            if !nonce.is_empty() {
                (api.gnutls_hmac_set_nonce)(handle, nonce.as_ptr(), nonce.len());
            }
            let code = (api.gnutls_hmac)(handle, input.as_ptr(), input.len());
            api.ok("gnutls_hmac", code)?;
            (api.gnutls_hmac_output)(handle, output.as_mut_ptr());
        }
        Ok(self.tag)
    }
}
