//! Worker for MIRACL, which is loaded at run time. See `../README.md`.

mod cipher;
mod curves;
mod digest;
mod ffi;
mod number;
mod point;

use std::process::ExitCode;

use ffi::Miracl;
use touchstone_worker::{Adapter, Library, serve};

impl Adapter for Miracl {
    fn library(&self) -> Library {
        Library {
            name: "MIRACL".into(),
            version: "a build of the user's; the library does not tell its version".into(),
            path: self.path.clone(),
            licence: "AGPL-3.0-or-later, or commercial".into(),
            language: "C, assembly".into(),
            note: "one thread, numbers of at most 131072 bits".into(),
            ..Library::default()
        }
    }

    touchstone_worker::families!(
        cipher::Block,
        digest::Digest,
        integer of |miracl| Some(number::Bigs::of(miracl)),
        points of |miracl| Some(point::Curves::of(miracl)),
    );
}

fn main() -> ExitCode {
    serve(Miracl::load)
}
