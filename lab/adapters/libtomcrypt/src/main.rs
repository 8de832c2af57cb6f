//! Worker for LibTomCrypt 1.18. The worker registers descriptors by their symbols, and keeps
//! states in its own memory. See `../README.md`.

mod aead;
mod block;
mod cipher;
mod digest;
mod ffi;
mod integer;
mod kdf;
mod mac;
mod public;
mod random;

use std::process::ExitCode;

use ffi::TomCrypt;
use touchstone_worker::{Adapter, Library, serve};

impl Adapter for TomCrypt {
    fn library(&self) -> Library {
        Library {
            name: "LibTomCrypt".into(),
            version: self.version.clone(),
            path: self.shared.path.clone(),
            licence: "LicenseRef-public-domain OR WTFPL".into(),
            language: "C".into(),
            note: "portable C; descriptors registered by symbol".into(),
            ..Library::default()
        }
    }

    touchstone_worker::families!(
        cipher::BlockMode,
        cipher::Stream,
        aead::Aead,
        digest::Digest,
        mac::Mac,
        kdf,
        integer of |_| integer::math(),
        public of public::Library::of,
        random of random::Fortuna::of,
    );
}

fn main() -> ExitCode {
    serve(TomCrypt::load)
}
