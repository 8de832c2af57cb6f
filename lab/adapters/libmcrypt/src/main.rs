//! Worker for libmcrypt 2.5. The library opens a module by the names of a cipher and a mode.
//! See `../README.md`.

mod cipher;
mod ffi;

use std::process::ExitCode;

use ffi::Mcrypt;
use touchstone_worker::{Adapter, Library, serve};

impl Adapter for Mcrypt {
    fn library(&self) -> Library {
        Library {
            name: "libmcrypt".into(),
            version: self.version.clone(),
            path: self.shared.path.clone(),
            licence: "LGPL-2.1-or-later".into(),
            language: "C".into(),
            note: "works in place: a copy is in every figure".into(),
            ..Library::default()
        }
    }

    touchstone_worker::families!(cipher::Cipher);
}

fn main() -> ExitCode {
    serve(Mcrypt::load)
}
