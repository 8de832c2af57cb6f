//! Worker for wolfSSL 5. The worker calls wolfCrypt's functions (`wc_…`), and keeps their
//! contexts in its own memory. See `../README.md`.

mod aead;
mod cipher;
mod digest;
mod ffi;
mod kdf;
mod mac;
mod public;
mod random;

use std::process::ExitCode;

use ffi::Wolf;
use touchstone_worker::{Adapter, Library, lacks_aes_instructions, serve};

impl Adapter for Wolf {
    fn library(&self) -> Library {
        Library {
            name: "wolfSSL".into(),
            version: self.version.clone(),
            path: self.shared.path.clone(),
            licence: "GPL-2.0-or-later".into(),
            language: "C".into(),
            note: "wolfCrypt (wc_) functions".into(),
            // --enable-intelasm, which compiles all of the assembly, includes --enable-aesni.
            handicap: if lacks_aes_instructions(&self.shared.path) {
                "built without its assembly (--enable-intelasm)".into()
            } else {
                String::new()
            },
            ..Library::default()
        }
    }

    touchstone_worker::families!(
        cipher::BlockMode,
        cipher::Stream,
        aead::Scheduled,
        aead::Keyed,
        digest::Digest,
        mac::Hmac,
        mac::Keyed,
        kdf,
        public of public::keys,
        random of |wolf| random::Rng::load(&wolf.shared).ok(),
    );
}

fn main() -> ExitCode {
    serve(Wolf::load)
}
