//! Authenticated encryption by `mbedtls_cipher_auth_encrypt_ext` and
//! `mbedtls_cipher_auth_decrypt_ext`, and GMAC, which is GCM with associated data and no
//! message.
#![allow(unsafe_code)]

use touchstone_worker::{AEADS, Direction, Failure, Memory, Message, Plan, Text, Work, Written};

use crate::cipher::{self, BLOCK};
use crate::ffi::{Api, Known, Mbed, ok};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Mode {
    Gcm,
    Ccm,
    ChaCha,
}

#[derive(Clone, Copy)]
pub(crate) struct Aead {
    api: Api,
    known: Known,
    mode: Mode,
    way: Direction,
    /// Whether the operation is GMAC: the message is associated data, and the tag is the
    /// output.
    mac: bool,
    key: usize,
    tag: usize,
}

impl Plan for Aead {
    type Library = Mbed;
    type Object = Memory;
    const OPERATIONS: &'static [&'static str] = AEADS;
    const IN_PLACE: bool = true;

    fn find(mbed: &Mbed, primitive: &str, operation: &str) -> Option<Self> {
        let mac = operation == "gmac";
        let (stem, way) = Direction::split(operation).unwrap_or(("gcm", Direction::Encrypt));
        let (mode, name, key) = if (primitive, stem) == ("chacha20-poly1305", "aead") {
            (Mode::ChaCha, "CHACHA20-POLY1305".to_owned(), 32)
        } else {
            let block = BLOCK.iter().find(|block| block.id == primitive)?;
            let (mode, name) = match stem {
                "gcm" => (Mode::Gcm, "GCM"),
                "ccm" => (Mode::Ccm, "CCM"),
                _ => return None,
            };
            (mode, format!("{}-{name}", block.stem), block.keys[0])
        };
        Some(Self {
            api: mbed.api,
            known: mbed.cipher(&name)?,
            mode,
            way,
            mac,
            key,
            tag: 16,
        })
    }

    fn api(&self, _: &str, _: &str) -> String {
        let way = self.way.choose("encrypt", "decrypt");
        format!("mbedtls_cipher_auth_{way}_ext")
    }

    fn note(&self, _: &str, _: &str) -> &'static str {
        if self.mac {
            "GCM with associated data only"
        } else {
            ""
        }
    }

    fn fit(mut self, work: &Work) -> Result<Self, Failure> {
        let shape = work.shape(16);
        self.tag = match self.mode {
            Mode::Gcm => shape.tag(4..=16).fit(work, self.key),
            // Mbed TLS stores the associated data's length in two bytes. In RFC 3610, lengths
            // from 0xff00 on need the longer form.
            Mode::Ccm => work.need_aad(..=0xfeff).and(shape.fit(work, self.key)),
            Mode::ChaCha => shape.nonce(12).fit(work, self.key),
        }?;
        Ok(self)
    }

    fn make(&self) -> Result<Memory, Failure> {
        cipher::context(&self.api, self.known)
    }

    fn set_key(&self, context: &mut Memory, key: &[u8]) -> Result<(), Failure> {
        cipher::set_key(&self.api, context.at(0), key, self.way)
    }

    #[inline(always)]
    fn transform(
        &self,
        context: &mut Memory,
        message: &Message<'_>,
        mut text: Text<'_>,
    ) -> Written {
        let (api, way, nonce) = (&self.api, self.way, message.nonce);
        let (length, aad) = if self.mac {
            (0, message.input)
        } else {
            (text.length(), message.aad)
        };
        way.without_tag(length, self.tag)?;
        let run = way.choose(
            api.mbedtls_cipher_auth_encrypt_ext,
            api.mbedtls_cipher_auth_decrypt_ext,
        );
        let (from, to) = text.pointers();
        let mut written = 0;
        // SAFETY: the context has a key, and each length is the length of its slice.
        let code = unsafe {
            run(
                context.at(0),
                nonce.as_ptr(),
                nonce.len(),
                aad.as_ptr(),
                aad.len(),
                from,
                length,
                to,
                text.output().len(),
                &mut written,
                self.tag,
            )
        };
        ok("mbedtls_cipher_auth_ext", code)?;
        Ok(written)
    }
}
