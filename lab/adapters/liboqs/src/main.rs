//! Worker for liboqs, the library of Open Quantum Safe. See `../README.md`.

mod ffi;
mod keys;
mod random;

use std::process::ExitCode;

use ffi::Oqs;
use touchstone_worker::{Adapter, Library, serve};

impl Adapter for Oqs {
    fn library(&self) -> Library {
        Library {
            name: "liboqs".into(),
            version: self.version(),
            path: self.path.to_string(),
            licence: "MIT".into(),
            language: "C, assembly".into(),
            ..Library::default()
        }
    }

    touchstone_worker::families!(
        public of |oqs| Some(oqs.clone()),
        random of |oqs| Some(random::own(oqs)),
    );
}

fn main() -> ExitCode {
    serve(Oqs::load)
}
