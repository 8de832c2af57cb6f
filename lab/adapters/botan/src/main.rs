//! Worker for Botan 2.19 and 3, which the worker loads at run time. The worker calls the C++
//! classes if it finds a shim for them, otherwise the C interface. See `../README.md`.

mod aead;
mod cipher;
mod classes;
mod curves;
mod digest;
mod ffi;
mod generate;
mod integer;
mod kdf;
mod library;
mod mac;
mod password;
mod public;
mod random;
mod rare;
mod set;
mod wrap;

use std::process::ExitCode;

use library::Botan;
use touchstone_worker::{Adapter, Library, serve};

impl Adapter for Botan {
    fn library(&self) -> Library {
        Library {
            name: "Botan".into(),
            version: self.version(),
            path: self.path.clone(),
            licence: "BSD-2-Clause".into(),
            language: "C++".into(),
            note: if self.classes {
                format!("through the C++ classes; build: {}", self.build())
            } else {
                format!(
                    "through the C interface (API {}); build: {}",
                    self.interface(),
                    self.build()
                )
            },
            handicap: if self.classes {
                String::new()
            } else {
                "called by its C interface, for want of a shim over the faster C++ classes".into()
            },
            ..Library::default()
        }
    }

    touchstone_worker::families!(
        cipher::Blocks,
        cipher::Cipher,
        cipher::Stream,
        aead::Aead,
        wrap::Wrap,
        digest::Digest,
        mac::Mac,
        kdf::Derive,
        password::Bcrypt,
        public of |botan| Some(botan.api),
        integer of |botan| Some(botan.api),
        random of |botan| Some(random::Random::of(botan)),
    );
}

fn main() -> ExitCode {
    serve(Botan::load)
}
