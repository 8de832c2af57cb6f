//! Authenticated encryption by `gnutls_aead_cipher_encrypt` and `gnutls_aead_cipher_decrypt`.
#![allow(unsafe_code)]

use std::ffi::c_int;

use touchstone_worker::{AEADS, Direction, Failure, Message, Plan, Work, Written};

use crate::ffi::{Api, Gnutls, Open, keyed};

/// Rows: the primitive, the beginning of the operation's id, the number of `GNUTLS_CIPHER_…`.
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

#[derive(Clone, Copy)]
pub(crate) struct Aead {
    api: Api,
    number: c_int,
    mode: &'static str,
    way: Direction,
    tag: usize,
}

impl Aead {
    /// Returns the length of the key in bytes.
    fn key(&self) -> usize {
        // SAFETY: the function accepts any number.
        unsafe { (self.api.gnutls_cipher_get_key_size)(self.number) }
    }
}

impl Plan for Aead {
    type Library = Gnutls;
    /// The handle. `None` before the first key, because the library makes no handle without a key.
    type Object = Option<Open>;
    const OPERATIONS: &'static [&'static str] = AEADS;

    fn find(gnutls: &Gnutls, primitive: &str, operation: &str) -> Option<Self> {
        let (stem, way) = Direction::split(operation)?;
        let row = |row: &&(&str, &str, c_int)| (row.0, row.1) == (primitive, stem);
        let (_, mode, number) = *ROWS.iter().find(row)?;
        let plan = Self {
            api: gnutls.api,
            number,
            mode,
            way,
            tag: 16,
        };
        let key: Vec<u8> = (0..plan.key()).map(|i| i as u8).collect();
        plan.api.aead(number, &key).ok().map(|_| plan)
    }

    fn api(&self, _: &str, _: &str) -> String {
        let way = self.way.choose("encrypt", "decrypt");
        format!("gnutls_aead_cipher_{way}")
    }

    /// Nettle, which GnuTLS calls, aborts the process if a length is wrong. So the worker
    /// checks every length.
    fn fit(mut self, work: &Work) -> Result<Self, Failure> {
        let shape = work.shape(16);
        let shape = match self.mode {
            "ccm" => shape,
            // For a nonce of another length, GnuTLS's accelerated GCM returns success but
            // ignores the nonce.
            "gcm" => shape.nonce(12).tag(4..=16),
            "siv" => shape.nonce(1..),
            _ => shape.nonce(12),
        };
        self.tag = shape.fit(work, self.key() / shape.keys)?;
        Ok(self)
    }

    fn make(&self) -> Result<Option<Open>, Failure> {
        Ok(None)
    }

    fn set_key(&self, open: &mut Option<Open>, key: &[u8]) -> Result<(), Failure> {
        // gnutls_aead_cipher_set_key is not used, because GCM gives wrong tags after that call.
        *open = None;
        *open = Some(self.api.aead(self.number, key)?);
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
        let (nonce, aad, input) = (message.nonce, message.aad, message.input);
        self.way.without_tag(input.len(), self.tag)?;
        let run = self.way.choose(
            api.gnutls_aead_cipher_encrypt,
            api.gnutls_aead_cipher_decrypt,
        );
        let mut written = output.len();
        // SAFETY: the handle is open and has a key, and each length is the length of its slice.
        let code = unsafe {
            run(
                handle,
                nonce.as_ptr(),
                nonce.len(),
                aad.as_ptr(),
                aad.len(),
                self.tag,
                input.as_ptr(),
                input.len(),
                output.as_mut_ptr(),
                &mut written,
            )
        };
        api.ok("gnutls_aead_cipher", code)?;
        Ok(written)
    }
}
