//! Worker for Crypto++ 8. Crypto++ has only a C++ interface, so the worker loads a shim that
//! has a C interface, `../shim/shim.cpp`, at run time. See `../README.md`.

mod ffi;
mod integer;
mod operation;
mod public;
mod random;

use std::process::ExitCode;

use ffi::CryptoPp;
use touchstone_worker::{Adapter, Cell, Failure, Library, Offer, Work, serve};

impl Adapter for CryptoPp {
    fn library(&self) -> Library {
        let (loaded, headers) = (self.version(), self.header_version());
        Library {
            name: "Crypto++".into(),
            note: format!(
                "through {}, compiled with -O2 against the headers of {headers}: templates \
                 in headers are compiled there, not in the library",
                self.shim
            ),
            version: loaded,
            path: self.path.clone(),
            licence: "BSL-1.0".into(),
            language: "C++".into(),
            features: self.features(),
            ..Library::default()
        }
    }

    fn offers(&self) -> Vec<Offer> {
        [
            self.rows.clone(),
            public::offers(),
            integer::offers(self),
            random::offers(self),
        ]
        .concat()
    }

    fn cell(&self, work: &Work) -> Result<Cell, Failure> {
        public::cell(self, work)
            .or_else(|| integer::cell(self, work))
            .or_else(|| random::cell(self, work))
            .unwrap_or_else(|| operation::cell(self, work))
    }
}

fn main() -> ExitCode {
    serve(CryptoPp::load)
}
