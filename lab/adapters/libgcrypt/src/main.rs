//! Worker for libgcrypt. The worker calls the functions `gcry_cipher_*`, `gcry_md_*`,
//! `gcry_mac_*` and `gcry_kdf_*`. See `../README.md`.

mod aead;
mod cipher;
mod curve;
mod digest;
mod expression;
mod ffi;
mod form;
mod integer;
mod kdf;
mod mac;
mod public;
mod random;

use std::process::ExitCode;

use ffi::Gcrypt;
use touchstone_worker::{Adapter, Library, serve};

impl Adapter for Gcrypt {
    fn library(&self) -> Library {
        Library {
            name: "Libgcrypt".into(),
            version: self.version.clone(),
            path: self.path.clone(),
            licence: "LGPL-2.1-or-later".into(),
            language: "C".into(),
            features: self.features.clone(),
            note: if self.fips {
                "secure memory off; FIPS mode is on".into()
            } else {
                "secure memory off".into()
            },
            ..Library::default()
        }
    }

    touchstone_worker::families!(
        cipher::Cipher,
        aead::Aead,
        digest::Digest,
        mac::Mac,
        kdf::Kdf,
        points of |gcrypt| Some(gcrypt.api),
        integer of |gcrypt| Some(gcrypt.api),
        public of |gcrypt| Some(gcrypt.api),
        random of |gcrypt| Some(random::Random(gcrypt.api)),
    );
}

fn main() -> ExitCode {
    serve(Gcrypt::load)
}
