//! Worker for AWS-LC, which the crate `aws-lc-sys` links in. The worker calls the `AES_…`
//! functions for AES, EVP for other ciphers and for hashes, and `EVP_AEAD` for authenticated
//! encryption. See `../README.md`.

mod aead;
mod aes;
mod cipher;
mod digest;
mod generate;
mod kdf;
mod key;
mod mac;
mod own;
mod post_quantum;
mod public;
mod random;

use std::ffi::CStr;
use std::process::ExitCode;

use touchstone_worker::{Adapter, Failure, Library, done, serve_linked};

struct AwsLc;

impl Adapter for AwsLc {
    fn library(&self) -> Library {
        Library {
            name: "AWS-LC".into(),
            version: version(),
            path: String::new(),
            licence: "ISC AND (Apache-2.0 OR ISC)".into(),
            language: "C, assembly".into(),
            note: "linked in from the crate aws-lc-sys, with its default build".into(),
            ..Library::default()
        }
    }

    touchstone_worker::families!(
        aead::Aead,
        own::ChaCha20,
        own::Poly1305,
        own::Wrap,
        aes::Aes,
        cipher::Cipher,
        digest::Digest,
        mac::Hmac,
        mac::Cmac,
        kdf,
        public of |_| Some(public::Evp),
        random of |_| Some(random::Random),
    );
}

/// Returns AWS-LC's version, for example "5.12.0" from the text "OpenSSL 1.1.1 (compatible;
/// AWS-LC 5.12.0)".
fn version() -> String {
    let text = CStr::from_bytes_with_nul(aws_lc_sys::OPENSSL_VERSION_TEXT)
        .map(CStr::to_string_lossy)
        .unwrap_or_default();
    text.rsplit(' ')
        .next()
        .unwrap_or_default()
        .trim_end_matches(')')
        .to_owned()
}

/// Checks a return code: 1 means success in nearly all functions of AWS-LC.
fn ok(call: &str, code: i32) -> Result<(), Failure> {
    done(code == 1, || {
        Failure::failed(format_args!("{call} answered {code}"))
    })
}

/// Converts a length into the C `int` that EVP's functions take.
fn int(length: usize) -> Result<i32, Failure> {
    i32::try_from(length).map_err(|_| Failure::unsupported("a message of 2 GiB"))
}

/// A pointer to a static object of the library. The object never changes.
struct Static<T>(*const T);
// SAFETY: the object is static and never changes, so every thread may read it.
unsafe impl<T> Send for Static<T> {}
// SAFETY: the object is static and never changes, so threads may read it at the same time.
unsafe impl<T> Sync for Static<T> {}

impl<T> Clone for Static<T> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<T> Copy for Static<T> {}

fn main() -> ExitCode {
    serve_linked("AWS-LC is", AwsLc)
}
