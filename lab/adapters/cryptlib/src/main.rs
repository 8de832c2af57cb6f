//! Worker for cryptlib, which is loaded at run time. See `../README.md`.

mod cipher;
mod digest;
mod ffi;

use std::process::ExitCode;

use ffi::Cryptlib;
use touchstone_worker::{Adapter, Library, serve};

impl Adapter for Cryptlib {
    fn library(&self) -> Library {
        Library {
            name: "cryptlib".into(),
            version: self.version(),
            path: self.path.clone(),
            licence: "Sleepycat, or commercial".into(),
            language: "C, assembly".into(),
            note: "each call goes through the library's security kernel".into(),
            ..Library::default()
        }
    }

    touchstone_worker::families!(cipher::Cipher, digest::Digest);
}

fn main() -> ExitCode {
    serve(Cryptlib::load)
}
