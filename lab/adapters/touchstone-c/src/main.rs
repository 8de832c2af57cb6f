//! Worker for libtouchstone.so. The worker loads the library and calls it as a C program does.
//! See `../README.md`.

mod aead;
mod cipher;
mod ffi;
mod hash;
mod kdf;
mod mac;
mod memory_hard;
mod random;
mod wrap;

use std::process::ExitCode;

use ffi::Touchstone;
use touchstone_worker::{Adapter, Library, serve};

impl Adapter for Touchstone {
    fn library(&self) -> Library {
        Library {
            name: "Touchstone C".into(),
            version: self.version(),
            path: self.path.clone(),
            licence: "MIT OR Apache-2.0".into(),
            language: "Rust".into(),
            note: "through its C interface".into(),
            ..Library::default()
        }
    }

    fn kernel(&self, primitive: &str, operation: &str) -> String {
        self.api.kernel(primitive, operation)
    }

    touchstone_worker::families!(
        cipher::Cipher,
        cipher::Stream,
        aead::Aead,
        wrap::Wrap,
        hash::Digest,
        mac::Mac,
        kdf::Kdf,
        memory_hard,
        random of |library| Some(random::Random(library.api)),
    );
}

fn main() -> ExitCode {
    serve(Touchstone::load)
}
