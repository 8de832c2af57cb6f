//! Worker for GnuTLS 3: its cipher, AEAD, hash, MAC and key derivation functions.
//! See `../README.md`.

mod aead;
mod cipher;
mod digest;
mod ffi;
mod kdf;
mod mac;

use std::process::ExitCode;

use ffi::Gnutls;
use touchstone_worker::{Adapter, Cell, Failure, Library, Offer, Work, serve};

impl Adapter for Gnutls {
    fn library(&self) -> Library {
        Library {
            name: "GnuTLS".into(),
            version: self.version.clone(),
            path: self.shared.path.clone(),
            licence: "LGPL-2.1-or-later".into(),
            language: "C".into(),
            features: String::new(),
            note: self.note(),
        }
    }

    fn offers(&self) -> Vec<Offer> {
        [
            cipher::offers(self),
            aead::offers(self),
            digest::offers(self),
            mac::offers(self),
            kdf::offers(self),
        ]
        .concat()
    }

    fn cell(&self, work: &Work) -> Result<Cell, Failure> {
        // Each family answers `None` for what is not its own.
        cipher::cell(self, work)
            .or_else(|| aead::cell(self, work))
            .or_else(|| digest::cell(self, work))
            .or_else(|| mac::cell(self, work))
            .or_else(|| kdf::cell(self, work))
            .unwrap_or_else(|| {
                Err(Failure::unsupported(format_args!(
                    "{} {}",
                    work.primitive, work.operation
                )))
            })
    }
}

fn main() -> ExitCode {
    serve(Gnutls::load)
}
