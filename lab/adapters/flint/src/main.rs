//! Worker for FLINT, the Fast Library for Number Theory. See `../README.md`.

mod ffi;

use std::process::ExitCode;

use ffi::Flint;
use touchstone_worker::integer;
use touchstone_worker::{Adapter, Cell, Failure, Library, Offer, Work, serve};

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

    fn offers(&self) -> Vec<Offer> {
        integer::offers(&self.api)
    }

    fn cell(&self, work: &Work) -> Result<Cell, Failure> {
        integer::cell(&self.api, work).unwrap_or_else(|| Err(Failure::not_offered(work)))
    }
}

fn main() -> ExitCode {
    serve(Flint::load)
}
