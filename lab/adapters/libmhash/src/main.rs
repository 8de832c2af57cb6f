//! Worker for mhash 0.9: a handle for every message. See `../README.md`.

mod digest;
mod ffi;

use std::process::ExitCode;

use ffi::Mhash;
use touchstone_worker::{Adapter, Cell, Failure, Library, Offer, Work, serve};

impl Adapter for Mhash {
    fn library(&self) -> Library {
        Library {
            name: "mhash".into(),
            version: self.version.clone(),
            path: self.shared.path.clone(),
            licence: "LGPL-2.0-or-later".into(),
            language: "C".into(),
            features: String::new(),
            note: "a handle is made for every message".into(),
        }
    }

    fn offers(&self) -> Vec<Offer> {
        digest::offers(self)
    }

    fn cell(&self, work: &Work) -> Result<Cell, Failure> {
        digest::cell(self, work).unwrap_or_else(|| Err(Failure::not_offered(work)))
    }
}

fn main() -> ExitCode {
    serve(Mhash::load)
}
