//! Worker for OpenSSL 3 and later. The worker calls the EVP interface, and fetches all
//! algorithms from the default and the legacy provider before timing. See `../README.md`.

mod aead;
mod bn;
mod cipher;
mod curve;
mod digest;
mod ffi;
mod generate;
mod kdf;
mod key;
mod mac;
mod password;
mod public;
mod random;

use std::process::ExitCode;

use ffi::OpenSsl;
use touchstone_worker::{Adapter, Cell, Failure, Library, Work, lacks_aes_instructions, serve};

impl Adapter for OpenSsl {
    fn library(&self) -> Library {
        Library {
            name: "OpenSSL".into(),
            version: self.api.version(),
            path: self.path.clone(),
            licence: "Apache-2.0".into(),
            language: "C".into(),
            features: self.api.cpu_settings(),
            note: if self.legacy {
                "default and legacy provider, prefetched".into()
            } else {
                "default provider only (legacy.so did not load), prefetched".into()
            },
            handicap: if lacks_aes_instructions(&self.path) {
                "built without its assembly (no-asm)".into()
            } else {
                String::new()
            },
        }
    }

    touchstone_worker::families!(
        cipher::Cipher,
        aead::Aead,
        digest::Digest,
        mac::Mac,
        kdf::Kdf,
        password::Crypt,
        password::Block,
        random of |ssl| Some(random::Rand::of(ssl)),
        public of |ssl| Some(ssl.api),
        points of |ssl| Some(ssl.api),
        integer of |ssl| Some(ssl.api),
    );

    fn implicit(&self, work: &Work) -> Result<Cell, Failure> {
        cipher::implicit(self, work)
            .or_else(|| aead::implicit(self, work))
            .or_else(|| digest::implicit(self, work))
            .or_else(|| mac::implicit(self, work))
            .unwrap_or_else(|| {
                Err(Failure::unsupported(format_args!(
                    "{} {} without fetching it first",
                    work.primitive, work.operation
                )))
            })
    }
}

fn main() -> ExitCode {
    serve(OpenSsl::load)
}
