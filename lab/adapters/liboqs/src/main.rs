//! Worker for liboqs, the library of Open Quantum Safe. See `../README.md`.

mod ffi;
mod keys;
mod random;

use std::process::ExitCode;

use ffi::Oqs;
use touchstone_worker::{Adapter, Cell, Failure, Library, Offer, Work, public, serve};

impl Adapter for Oqs {
    fn library(&self) -> Library {
        Library {
            name: "liboqs".into(),
            version: self.version(),
            path: self.path.to_string(),
            licence: "MIT".into(),
            language: "C, assembly".into(),
            ..Library::default()
        }
    }

    fn offers(&self) -> Vec<Offer> {
        [public::offers(self), random::offers(self)].concat()
    }

    fn cell(&self, work: &Work) -> Result<Cell, Failure> {
        public::cell(self, work)
            .or_else(|| random::cell(self, work))
            .unwrap_or_else(|| Err(Failure::not_offered(work)))
    }
}

fn main() -> ExitCode {
    serve(Oqs::load)
}
