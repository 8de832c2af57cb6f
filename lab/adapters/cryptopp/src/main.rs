//! Worker for Crypto++ 8. Crypto++ has only a C++ interface, so the worker loads a shim that
//! has a C interface, `../shim/shim.cpp`, at run time. See `../README.md`.

mod ffi;
mod integer;
mod operation;
mod public;
mod random;

use std::process::ExitCode;

use ffi::CryptoPp;
use touchstone_worker::{Adapter, Library, serve};

impl Adapter for CryptoPp {
    fn library(&self) -> Library {
        let (loaded, headers) = (self.version(), self.header_version());
        Library {
            name: "Crypto++".into(),
            note: format!(
                "through {}, compiled with -O2 against the headers of {headers}: templates \
                 in headers are compiled there, not in the library",
                self.shim
            ),
            version: loaded,
            path: self.path.clone(),
            licence: "BSL-1.0".into(),
            language: "C++".into(),
            features: self.features(),
            ..Library::default()
        }
    }

    touchstone_worker::families!(
        operation,
        public,
        integer of |library| Some(library.api),
        random of |library| Some(library.api),
    );
}

fn main() -> ExitCode {
    serve(CryptoPp::load)
}
