//! Worker for libsecp256k1, Bitcoin Core's library for one curve. See `../README.md`.

mod ffi;
mod keys;

use std::process::ExitCode;

use ffi::Curve;
use touchstone_worker::{Adapter, Library, serve};

impl Adapter for Curve {
    fn library(&self) -> Library {
        Library {
            name: "libsecp256k1".into(),
            version: self.version(),
            path: self.path.to_string(),
            licence: "MIT".into(),
            language: "C, assembly".into(),
            note: "one curve".into(),
            ..Library::default()
        }
    }

    touchstone_worker::families!(
        public of |curve| Some(curve.clone()),
        points of |curve| Some(curve.clone()),
    );
}

fn main() -> ExitCode {
    serve(Curve::load)
}
