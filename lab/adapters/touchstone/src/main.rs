//! Worker for the library Touchstone. See `../README.md`.
#![forbid(unsafe_code)]

mod aead;
mod by_name;
mod cipher;
mod crypt;
mod hash;
mod kdf;
mod mac;
mod memory_hard;
mod password;
mod random;
mod wrap;

use std::process::ExitCode;

use touchstone::hidden::Limit;
use touchstone_worker::{Adapter, Library, algorithm, serve};

struct Touchstone;

impl Adapter for Touchstone {
    fn library(&self) -> Library {
        Library {
            name: "Touchstone".into(),
            version: env!("CARGO_PKG_VERSION").into(),
            licence: "MIT OR Apache-2.0".into(),
            language: "Rust".into(),
            ..Library::default()
        }
    }

    fn kernel(&self, primitive: &str, operation: &str) -> String {
        let name = algorithm(primitive, operation);
        touchstone::dynamic::kernel(&name)
            .unwrap_or_default()
            .to_owned()
    }

    touchstone_worker::families!(
        cipher::Cipher,
        cipher::Stream,
        aead::Aead,
        wrap::Wrap,
        hash::Digest,
        mac::NonceMac,
        mac::Mac,
        kdf::Kdf,
        memory_hard,
        crypt,
        password,
        random of |_| Some(random::Random),
    );
}

/// Disables the CPU features that a mask of the manifest names. The lab passes the mask in the
/// variable `TOUCHSTONE_CPU`.
fn limit() -> Result<(), String> {
    match std::env::var("TOUCHSTONE_CPU").as_deref() {
        Err(_) | Ok("") => Ok(()),
        Ok("no-avx512") => {
            touchstone::hidden::limit(Limit::NoAvx512);
            Ok(())
        }
        Ok("alder-lake") => {
            touchstone::hidden::limit(Limit::AlderLake);
            Ok(())
        }
        Ok("portable") => {
            touchstone::hidden::limit(Limit::Portable);
            Ok(())
        }
        Ok(other) => Err(format!(
            "TOUCHSTONE_CPU is {other:?}; it must be no-avx512, alder-lake or portable"
        )),
    }
}

fn main() -> ExitCode {
    serve(|path| {
        limit()?;
        if path.is_empty() {
            Ok(Touchstone)
        } else {
            Err("Touchstone is linked into its worker; it cannot be loaded from a path".into())
        }
    })
}
