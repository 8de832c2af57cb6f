//! Worker for mhash 0.9. Each message uses a copy of a handle. See `../README.md`.

mod digest;
mod ffi;

use std::process::ExitCode;

use ffi::Mhash;
use touchstone_worker::{Adapter, Library, serve};

impl Adapter for Mhash {
    fn library(&self) -> Library {
        Library {
            name: "mhash".into(),
            version: self.version.clone(),
            path: self.shared.path.clone(),
            licence: "LGPL-2.0-or-later".into(),
            language: "C".into(),
            note: "a handle is copied for every message".into(),
            ..Library::default()
        }
    }

    touchstone_worker::families!(digest::Digest);
}

fn main() -> ExitCode {
    serve(Mhash::load)
}
