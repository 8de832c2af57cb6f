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
use touchstone_worker::{Adapter, Library, serve};

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

    touchstone_worker::families!(cipher, aead, wrap, digest, mac, kdf, password);
}

fn main() -> ExitCode {
    serve(Botan::load)
}
