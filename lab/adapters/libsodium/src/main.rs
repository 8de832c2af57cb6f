//! Worker for libsodium: its one-shot functions, and a keyed state where it
//! has one. See `../README.md`.

mod aead;
mod cipher;
mod digest;
mod ffi;
mod kdf;
mod mac;

use std::process::ExitCode;

use ffi::Sodium;
use touchstone_worker::{Adapter, Cell, Failure, Library, Offer, Work, serve};

impl Adapter for Sodium {
    fn library(&self) -> Library {
        Library {
            name: "libsodium".into(),
            version: self.version.clone(),
            path: self.shared.path.clone(),
            licence: "ISC".into(),
            language: "C".into(),
            features: self.features(),
            note: "one-shot functions; a key goes in with each call".into(),
        }
    }

    fn offers(&self) -> Vec<Offer> {
        [
            cipher::offers(),
            aead::offers(self),
            digest::offers(),
            mac::offers(),
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
    serve(Sodium::load)
}
