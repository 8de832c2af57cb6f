//! Worker for FLINT, the Fast Library for Number Theory. See `../README.md`.

mod ffi;

use std::process::ExitCode;

use ffi::Flint;
use touchstone_worker::{Adapter, Library, serve};

impl Adapter for Flint {
    fn library(&self) -> Library {
        Library {
            name: "FLINT".into(),
            version: self.version.clone(),
            path: self.path.clone(),
            licence: self.licence().into(),
            language: "C".into(),
            note: "integers only, by GMP from 63 bits on".into(),
            ..Library::default()
        }
    }

    touchstone_worker::families!(integer of |flint| Some(flint.api));
}

fn main() -> ExitCode {
    serve(Flint::load)
}
