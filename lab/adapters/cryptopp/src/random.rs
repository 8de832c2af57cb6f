//! `Hash_DRBG` and `HMAC_DRBG`, and `AutoSeededRandomPool`.
#![allow(unsafe_code)]

use std::ffi::CString;

use touchstone_worker::random::{Generator, Generators, Seed};
use touchstone_worker::{Failure, Owned, c_string};

use crate::ffi::Api;

/// The hashes with which the shim has a generator.
const HASHES: [&str; 5] = ["sha-1", "sha-224", "sha-256", "sha-384", "sha-512"];

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
    type State = Owned;

    fn api(&self, generator: Generator<'_>) -> Option<&'static str> {
        id(generator).map(|_| match generator {
            Generator::Own => "AutoSeededRandomPool::GenerateBlock",
            Generator::Hash(_) => "Hash_DRBG::GenerateBlock",
            _ => "HMAC_DRBG::GenerateBlock",
        })
    }

    fn instantiate(&self, generator: Generator<'_>, seed: &Seed<'_>) -> Result<Owned, Failure> {
        let id = id(generator).ok_or_else(|| Failure::unsupported("this generator"))?;
        let Seed {
            entropy,
            nonce,
            personalisation: text,
        } = seed;
        // SAFETY: the id is a C string, each length is the length of its bytes, and a successful call
        // writes the generator.
        unsafe {
            Owned::made(self.touchstone_random_free, |generator| {
                self.ok((self.touchstone_random_new)(
                    id.as_ptr(),
                    entropy.as_ptr(),
                    entropy.len(),
                    nonce.as_ptr(),
                    nonce.len(),
                    text.as_ptr(),
                    text.len(),
                    generator,
                ))
            })
        }
    }

    fn reseed(&self, held: &mut Owned, entropy: &[u8], additional: &[u8]) -> Result<(), Failure> {
        let (at, length) = (entropy.as_ptr(), entropy.len());
        let (more, size) = (additional.as_ptr(), additional.len());
        let reseed = self.touchstone_random_reseed;
        // SAFETY: the generator is live, and the lengths are those of the two inputs.
        self.ok(unsafe { reseed(held.object, at, length, more, size) })
    }

    #[inline]
    fn generate(
        &self,
        held: &mut Owned,
        additional: &[u8],
        output: &mut [u8],
    ) -> Result<(), Failure> {
        let (to, length) = (output.as_mut_ptr(), output.len());
        let (more, size) = (additional.as_ptr(), additional.len());
        let generate = self.touchstone_random_generate;
        // SAFETY: the generator is live, and the lengths are those of the two slices.
        self.ok(unsafe { generate(held.object, more, size, to, length) })
    }
}
