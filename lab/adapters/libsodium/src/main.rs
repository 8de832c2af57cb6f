//! Worker for libsodium. The worker calls the functions that process a whole message, and uses
//! a keyed state if the library has one. See `../README.md`.

mod aead;
mod cipher;
mod digest;
mod ffi;
mod kdf;
mod mac;
mod public;
mod random;

use std::process::ExitCode;

use ffi::Sodium;
use touchstone_worker::{Adapter, Library, serve};

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
            ..Library::default()
        }
    }

    touchstone_worker::families!(
        cipher::Stream,
        aead::Aead,
        digest::Digest,
        mac::Keyed,
        mac::Short,
        mac::Blake,
        kdf::Kdf,
        public of |sodium| Some(sodium.api),
        random of |sodium| Some(random::Random(sodium.api)),
    );
}

fn main() -> ExitCode {
    serve(Sodium::load)
}
