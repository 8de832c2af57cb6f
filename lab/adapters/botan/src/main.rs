//! Worker for Botan 2.19 and 3: the C interface that the library itself
//! exports, loaded at run time. See `../README.md`.

mod aead;
mod cipher;
mod digest;
mod ffi;
mod kdf;
mod mac;
mod password;
mod wrap;

use std::process::ExitCode;

use ffi::Botan;
use touchstone_worker::{Adapter, Cell, Failure, Library, Offer, Work, serve};

impl Adapter for Botan {
    fn library(&self) -> Library {
        Library {
            name: "Botan".into(),
            version: self.version(),
            path: self.path.clone(),
            licence: "BSD-2-Clause".into(),
            language: "C++".into(),
            features: String::new(),
            note: format!(
                "through the C interface (API {}): a cipher message is copied into and out of \
                 the object; build: {}",
                self.interface(),
                self.build()
            ),
        }
    }

    fn offers(&self) -> Vec<Offer> {
        [
            cipher::offers(self),
            aead::offers(self),
            wrap::offers(self),
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
            .or_else(|| wrap::cell(self, work))
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
    serve(Botan::load)
}
