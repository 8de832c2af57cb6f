//! Worker for GMP, the GNU Multiple Precision Arithmetic Library. See `../README.md`.

mod ffi;

use std::process::ExitCode;

use ffi::Gmp;
use touchstone_worker::integer;
use touchstone_worker::{Adapter, Cell, Failure, Library, Offer, Work, serve};

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

    fn offers(&self) -> Vec<Offer> {
        integer::offers(&self.api)
    }

    fn cell(&self, work: &Work) -> Result<Cell, Failure> {
        integer::cell(&self.api, work).unwrap_or_else(|| Err(Failure::not_offered(work)))
    }
}

fn main() -> ExitCode {
    serve(Gmp::load)
}
