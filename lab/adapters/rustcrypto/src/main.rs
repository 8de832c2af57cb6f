//! Worker for the RustCrypto crates of one generation of traits (`cipher` 0.5, `digest` 0.11,
//! `aead` 0.6), which are linked in. See `../README.md`.
#![forbid(unsafe_code)]

mod aead;
mod block;
mod cipher;
mod digest;
mod kdf;
mod keying;
mod mac;
mod password;
mod random;
mod stream;
mod versions;

use std::process::ExitCode;

use touchstone_worker::{Adapter, Library, serve_linked};

struct RustCrypto;

/// The crates that most rows use. An offer names the other crates that it uses.
const MAIN: &[&str] = &[
    "aes", "chacha20", "aes-gcm", "sha1", "sha2", "sha3", "blake2", "hmac", "poly1305", "argon2",
];

impl Adapter for RustCrypto {
    fn library(&self) -> Library {
        let traits = ["cipher", "digest", "aead"];
        Library {
            name: "RustCrypto".into(),
            version: traits.map(versions::named).join(", "),
            path: String::new(),
            licence: "MIT OR Apache-2.0".into(),
            language: "Rust".into(),
            features: features(),
            note: format!(
                "traits' versions; {}; default backends, chosen at run time; built without -C target-cpu",
                MAIN.iter()
                    .map(|name| versions::named(name))
                    .collect::<Vec<_>>()
                    .join(", ")
            ),
            ..Library::default()
        }
    }

    touchstone_worker::families!(of () cipher, stream, aead, digest, mac, kdf, password, random);
}

/// Returns the CPU features of this CPU, among the features that the crates detect at run time
/// (the `cpufeatures::new!` lines of their sources).
fn features() -> String {
    #[cfg(target_arch = "x86_64")]
    {
        [
            ("aes", std::is_x86_feature_detected!("aes")),
            ("vaes", std::is_x86_feature_detected!("vaes")),
            ("avx512f", std::is_x86_feature_detected!("avx512f")),
            ("pclmulqdq", std::is_x86_feature_detected!("pclmulqdq")),
            ("sha", std::is_x86_feature_detected!("sha")),
            ("avx2", std::is_x86_feature_detected!("avx2")),
            ("bmi2", std::is_x86_feature_detected!("bmi2")),
            ("gfni", std::is_x86_feature_detected!("gfni")),
        ]
        .iter()
        .filter(|(_, here)| *here)
        .map(|(name, _)| *name)
        .collect::<Vec<_>>()
        .join(" ")
    }
    #[cfg(not(target_arch = "x86_64"))]
    String::new()
}

fn main() -> ExitCode {
    serve_linked("the RustCrypto crates are", RustCrypto)
}
