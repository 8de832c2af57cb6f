//! Worker for Nettle 3: contexts as plain memory, and the functions that take
//! them. See `../README.md`.

mod aead;
mod block;
mod cipher;
mod digest;
mod ffi;
mod kdf;
mod mac;
mod password;

use std::process::ExitCode;

use ffi::Nettle;
use touchstone_worker::{Adapter, Cell, Failure, Library, Offer, Work, serve};

impl Adapter for Nettle {
    fn library(&self) -> Library {
        Library {
            name: "Nettle".into(),
            version: self.version.clone(),
            path: self.shared.path.clone(),
            licence: "LGPL-3.0-or-later OR GPL-2.0-or-later".into(),
            language: "C".into(),
            // Nettle picks its kernels when it is loaded and tells nobody.
            features: String::new(),
            note: "low-level interface: the caller keeps the contexts".into(),
        }
    }

    fn offers(&self) -> Vec<Offer> {
        [
            cipher::offers(self),
            aead::offers(self),
            digest::offers(self),
            mac::offers(self),
            kdf::offers(self),
            password::offers(self),
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
            .or_else(|| password::cell(self, work))
            .unwrap_or_else(|| {
                Err(Failure::unsupported(format_args!(
                    "{} {}",
                    work.primitive, work.operation
                )))
            })
    }
}

fn main() -> ExitCode {
    serve(Nettle::load)
}
