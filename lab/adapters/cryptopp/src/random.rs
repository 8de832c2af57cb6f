//! `Hash_DRBG` and `HMAC_DRBG`, and `AutoSeededRandomPool`.
#![allow(unsafe_code)]

use std::ffi::{CString, c_void};

use touchstone_worker::random::{Generator, Generators, Seed};
use touchstone_worker::{Failure, c_string};

use crate::ffi::Api;

/// The hashes with which the shim has a generator.
const HASHES: [&str; 5] = ["sha-1", "sha-224", "sha-256", "sha-384", "sha-512"];

/// A generator of the shim. Dropping it frees it.
pub(crate) struct Held {
    generator: *mut c_void,
    free: unsafe extern "C" fn(*mut c_void),
}

impl Drop for Held {
    fn drop(&mut self) {
        // SAFETY: the shim made the generator, which is freed once.
        unsafe { (self.free)(self.generator) };
    }
}

/// Returns the id of a generator that the shim has.
fn id(generator: Generator<'_>) -> Option<CString> {
    let id = match generator {
        Generator::Own => "own-generator".to_owned(),
        Generator::Hash(hash) if HASHES.contains(&hash) => format!("hash-drbg-{hash}"),
        Generator::Hmac(hash) if HASHES.contains(&hash) => format!("hmac-drbg-{hash}"),
        _ => return None,
    };
    Some(c_string(&id))
}

impl Generators for Api {
    type State = Held;

    fn api(&self, generator: Generator<'_>) -> Option<&'static str> {
        id(generator).map(|_| match generator {
            Generator::Own => "AutoSeededRandomPool::GenerateBlock",
            Generator::Hash(_) => "Hash_DRBG::GenerateBlock",
            _ => "HMAC_DRBG::GenerateBlock",
        })
    }

    fn instantiate(&self, generator: Generator<'_>, seed: &Seed<'_>) -> Result<Held, Failure> {
        let id = id(generator).ok_or_else(|| Failure::unsupported("this generator"))?;
        let Seed {
            entropy,
            nonce,
            personalisation: text,
        } = seed;
        let mut generator = std::ptr::null_mut();
        // SAFETY: the id is a C string, each length is the length of its bytes, and a successful call
        // writes the generator.
        let status = unsafe {
            (self.touchstone_random_new)(
                id.as_ptr(),
                entropy.as_ptr(),
                entropy.len(),
                nonce.as_ptr(),
                nonce.len(),
                text.as_ptr(),
                text.len(),
                &mut generator,
            )
        };
        self.ok(status)?;
        let free = self.touchstone_random_free;
        Ok(Held { generator, free })
    }

    fn reseed(&self, held: &mut Held, entropy: &[u8], additional: &[u8]) -> Result<(), Failure> {
        let (at, length) = (entropy.as_ptr(), entropy.len());
        let (more, size) = (additional.as_ptr(), additional.len());
        let reseed = self.touchstone_random_reseed;
        // SAFETY: the generator is live, and the lengths are those of the two inputs.
        self.ok(unsafe { reseed(held.generator, at, length, more, size) })
    }

    #[inline]
    fn generate(
        &self,
        held: &mut Held,
        additional: &[u8],
        output: &mut [u8],
    ) -> Result<(), Failure> {
        let (to, length) = (output.as_mut_ptr(), output.len());
        let (more, size) = (additional.as_ptr(), additional.len());
        let generate = self.touchstone_random_generate;
        // SAFETY: the generator is live, and the lengths are those of the two slices.
        self.ok(unsafe { generate(held.generator, more, size, to, length) })
    }
}
