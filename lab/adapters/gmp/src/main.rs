//! Worker for GMP, the GNU Multiple Precision Arithmetic Library. See `../README.md`.

mod ffi;

use std::process::ExitCode;

use ffi::Gmp;
use touchstone_worker::{Adapter, Library, serve};

impl Adapter for Gmp {
    fn library(&self) -> Library {
        Library {
            name: "GMP".into(),
            version: self.version.clone(),
            path: self.path.clone(),
            licence: "LGPL-3.0-or-later OR GPL-2.0-or-later".into(),
            language: "C, assembly".into(),
            note: "integers only".into(),
            ..Library::default()
        }
    }

    touchstone_worker::families!(integer of |gmp| Some(gmp.api));
}

fn main() -> ExitCode {
    serve(Gmp::load)
}
