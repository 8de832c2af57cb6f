//! Worker for NTL, the Number Theory Library. NTL has only a C++ interface, so the worker loads a
//! shim that has a C interface, `../shim/shim.cpp`, at run time. See `../README.md`.

mod ffi;

use std::process::ExitCode;

use ffi::Ntl;
use touchstone_worker::{Adapter, Library, serve};

impl Adapter for Ntl {
    fn library(&self) -> Library {
        Library {
            name: "NTL".into(),
            version: self.version.clone(),
            path: self.path.clone(),
            licence: "LGPL-2.1-or-later".into(),
            language: "C++".into(),
            note: format!("integers only, by GMP; through {}", self.shim),
            ..Library::default()
        }
    }

    touchstone_worker::families!(integer of |ntl| Some(ntl.api));
}

fn main() -> ExitCode {
    serve(Ntl::load)
}
