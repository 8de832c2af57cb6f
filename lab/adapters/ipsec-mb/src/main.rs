//! Worker for Intel's Multi-Buffer Crypto for IPsec Library. The worker processes one message
//! by a direct function or by one job, and many messages by bursts. See `../README.md`.

mod ffi;
mod gcm;
mod job;
mod keys;
mod rows;

use std::process::ExitCode;

use ffi::IpsecMb;
use touchstone_worker::{Adapter, Library, serve};

impl Adapter for IpsecMb {
    fn library(&self) -> Library {
        Library {
            name: "IPsec-MB".into(),
            version: self.version.clone(),
            path: self.path.clone(),
            licence: "BSD-3-Clause".into(),
            language: "C and assembly".into(),
            features: self.arch.into(),
            note: "one manager per thread; jobs checked by the library".into(),
            ..Library::default()
        }
    }

    touchstone_worker::families!(gcm, job);
}

fn main() -> ExitCode {
    serve(IpsecMb::load)
}
