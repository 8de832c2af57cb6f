//! Worker for Mbed TLS. The worker calls the generic layers for ciphers and digests, and
//! low-level functions for operations that the generic layers lack. See `../README.md`.

mod aead;
mod cipher;
mod digest;
mod ffi;
mod kdf;
mod mac;
mod public;
mod random;

use std::process::ExitCode;

use ffi::Mbed;
use touchstone_worker::{Adapter, Library, serve};

impl Adapter for Mbed {
    fn library(&self) -> Library {
        Library {
            name: "Mbed TLS".into(),
            version: self.version.clone(),
            path: self.shared.path.clone(),
            licence: "Apache-2.0 OR GPL-2.0-or-later".into(),
            language: "C".into(),
            features: self.features(),
            note: "generic cipher and digest layers".into(),
            ..Library::default()
        }
    }

    touchstone_worker::families!(
        cipher::BlockMode,
        cipher::ChaCha,
        cipher::Arc4,
        aead::Aead,
        digest::Digest,
        mac::Mac,
        kdf,
        public of public::Pk::of,
        random of |mbed| Some(random::Random::of(mbed)),
    );
}

fn main() -> ExitCode {
    serve(Mbed::load)
}
