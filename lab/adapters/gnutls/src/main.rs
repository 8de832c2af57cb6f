//! Worker for GnuTLS 3. The worker calls the library's functions for ciphers, AEADs, hashes,
//! MACs and key derivation. See `../README.md`.

mod aead;
mod cipher;
mod digest;
mod ffi;
mod kdf;
mod mac;
mod public;
mod random;

use std::process::ExitCode;

use ffi::Gnutls;
use touchstone_worker::{Adapter, Library, serve};

impl Adapter for Gnutls {
    fn library(&self) -> Library {
        Library {
            name: "GnuTLS".into(),
            version: self.version.clone(),
            path: self.shared.path.clone(),
            licence: "LGPL-2.1-or-later".into(),
            language: "C".into(),
            note: self.note(),
            ..Library::default()
        }
    }

    touchstone_worker::families!(
        cipher::Cipher,
        aead::Aead,
        digest::Digest,
        mac::Mac,
        kdf,
        public of public::Abstract::of,
        random of |gnutls| Some(random::Random(gnutls.api)),
    );
}

fn main() -> ExitCode {
    serve(Gnutls::load)
}
