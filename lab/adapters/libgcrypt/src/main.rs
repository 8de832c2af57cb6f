//! Worker for libgcrypt: `gcry_cipher_*`, `gcry_md_*`, `gcry_mac_*` and
//! `gcry_kdf_*`. See `../README.md`.

mod aead;
mod cipher;
mod digest;
mod ffi;
mod kdf;
mod mac;

use std::process::ExitCode;

use ffi::Gcrypt;
use touchstone_worker::{Adapter, Cell, Failure, Library, Offer, Work, serve};

impl Adapter for Gcrypt {
    fn library(&self) -> Library {
        Library {
            name: "Libgcrypt".into(),
            version: self.version.clone(),
            path: self.path.clone(),
            licence: "LGPL-2.1-or-later".into(),
            language: "C".into(),
            features: self.features.clone(),
            note: if self.fips {
                "secure memory off; FIPS mode is on".into()
            } else {
                "secure memory off".into()
            },
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
    serve(Gcrypt::load)
}
