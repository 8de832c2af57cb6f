//! Worker for libsecp256k1, Bitcoin Core's library for one curve. See `../README.md`.

mod ffi;
mod keys;

use std::process::ExitCode;

use ffi::Curve;
use touchstone_worker::{Adapter, Cell, Failure, Library, Offer, Work, points, public, serve};

impl Adapter for Curve {
    fn library(&self) -> Library {
        Library {
            name: "libsecp256k1".into(),
            version: self.version(),
            path: self.path.to_string(),
            licence: "MIT".into(),
            language: "C, assembly".into(),
            note: "one curve".into(),
            ..Library::default()
        }
    }

    fn offers(&self) -> Vec<Offer> {
        [public::offers(self), points::offers(self)].concat()
    }

    fn cell(&self, work: &Work) -> Result<Cell, Failure> {
        public::cell(self, work)
            .or_else(|| points::cell(self, work))
            .unwrap_or_else(|| Err(Failure::not_offered(work)))
    }
}

fn main() -> ExitCode {
    serve(Curve::load)
}
