//! Worker for Nettle 3. The worker keeps Nettle's contexts in its own memory and calls the
//! functions that take them. See `../README.md`.

mod aead;
mod block;
mod cipher;
mod curve;
mod digest;
mod ffi;
mod hogweed;
mod kdf;
mod mac;
mod password;
mod public;
mod random;

use std::process::ExitCode;

use ffi::Nettle;
use touchstone_worker::{Adapter, Library, serve};

impl Adapter for Nettle {
    fn library(&self) -> Library {
        Library {
            name: "Nettle".into(),
            version: self.version.clone(),
            path: self.shared.path.clone(),
            licence: "LGPL-3.0-or-later OR GPL-2.0-or-later".into(),
            language: "C".into(),
            // Nettle selects its kernels when it is loaded, and has no function that
            // reports them.
            note: "low-level interface: the caller keeps the contexts".into(),
            ..Library::default()
        }
    }

    touchstone_worker::families!(
        cipher::BlockMode,
        cipher::Stream,
        aead::Aead,
        digest::Digest,
        mac::Mac,
        kdf,
        password::Crypt,
        public of hogweed::Hogweed::of,
        points of hogweed::Hogweed::of,
        random of random::Drbg::of,
    );
}

fn main() -> ExitCode {
    serve(Nettle::load)
}
