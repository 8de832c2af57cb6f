//! The generators of SP 800-90A by `EVP_RAND`, and `RAND_bytes`.
#![allow(unsafe_code)]

use std::ffi::{CStr, c_int};
use std::ptr;

use touchstone_worker::random::{self, Generator, Generators, Seed};
use touchstone_worker::{Failure, c_string};

use crate::digest::HASHES;
use crate::ffi::{Api, Context, Fetched, OpenSsl, Param, int};

/// The functions, and the fetched generators that the library has. `TEST-RAND` gives the entropy
/// and the nonce that a program chooses to the generators of which it is the parent.
#[derive(Clone, Copy)]
pub(crate) struct Rand {
    api: Api,
    source: Option<Fetched>,
    ctr: Option<Fetched>,
    hash: Option<Fetched>,
    hmac: Option<Fetched>,
}

impl Rand {
    pub(crate) fn of(ssl: &OpenSsl) -> Self {
        let fetch = |name| ssl.fetch(ssl.api.EVP_RAND_fetch, name);
        Self {
            api: ssl.api,
            source: fetch("TEST-RAND"),
            ctr: fetch("CTR-DRBG"),
            hash: fetch("HASH-DRBG"),
            hmac: fetch("HMAC-DRBG"),
        }
    }
}

/// Returns OpenSSL's name of a hash that SP 800-90A has a generator of.
fn digest(id: &str) -> Option<&'static str> {
    let approved = id == "sha-1" || id.starts_with("sha-");
    let row = HASHES.iter().find(|(known, _)| *known == id);
    row.filter(|_| approved).map(|(_, name)| *name)
}

/// A generator, and the source of its entropy. The fields are dropped in this order.
pub(crate) struct Pair {
    generator: Option<Context>,
    source: Option<Context>,
}

impl Rand {
    /// Makes a context of a generator.
    fn context(&self, rand: Fetched, parent: Option<&Context>) -> Result<Context, Failure> {
        let parent = parent.map_or(ptr::null_mut(), |parent| parent.object);
        // SAFETY: the generator was fetched, the parent lives longer, and the owner frees the
        // context.
        unsafe {
            Context::new(
                (self.api.EVP_RAND_CTX_new)(rand.get(), parent),
                self.api.EVP_RAND_CTX_free,
            )
        }
    }

    fn set(&self, context: &Context, params: &[Param]) -> Result<(), Failure> {
        // SAFETY: the context is live, and the list has its end mark.
        let code = unsafe { (self.api.EVP_RAND_CTX_set_params)(context.object, params.as_ptr()) };
        self.api.ok("EVP_RAND_CTX_set_params", code)
    }

    fn start(&self, context: &Context, strength: u32, text: &[u8]) -> Result<(), Failure> {
        let (text, length) = (text.as_ptr(), text.len());
        let instantiate = self.api.EVP_RAND_instantiate;
        // SAFETY: the context is live, and the length is the text's.
        let code = unsafe { instantiate(context.object, strength, 0, text, length, ptr::null()) };
        self.api.ok("EVP_RAND_instantiate", code)
    }
}

impl Generators for Rand {
    type State = Pair;

    fn api(&self, generator: Generator<'_>) -> Option<&'static str> {
        let has = match generator {
            Generator::Own => return Some("RAND_bytes"),
            Generator::Ctr { .. } => self.ctr.is_some(),
            Generator::Hash(hash) => self.hash.is_some() && digest(hash).is_some(),
            Generator::Hmac(hash) => self.hmac.is_some() && digest(hash).is_some(),
            _ => false,
        };
        (has && self.source.is_some()).then_some("EVP_RAND_generate")
    }

    fn instantiate(&self, generator: Generator<'_>, seed: &Seed<'_>) -> Result<Pair, Failure> {
        let (rand, kind, algorithm, derives): (_, &CStr, _, u64) = match generator {
            Generator::Ctr { bits, derives } => {
                let cipher = c_string(&format!("AES-{bits}-CTR"));
                (self.ctr, c"cipher", cipher, u64::from(derives))
            }
            Generator::Hash(hash) => (self.hash, c"digest", name_of(hash)?, 1),
            Generator::Hmac(hash) => (self.hmac, c"digest", name_of(hash)?, 1),
            _ => {
                return Ok(Pair {
                    generator: None,
                    source: None,
                });
            }
        };
        let none = || Failure::unsupported("this generator");
        let source = self.context(self.source.ok_or_else(none)?, None)?;
        // The strongest generator has 256 bits; the source must not have less.
        let strength = 256_u64;
        let mut given = vec![
            Param::number(c"strength", &strength),
            Param::octets(c"test_entropy", seed.entropy),
        ];
        if !seed.nonce.is_empty() {
            given.push(Param::octets(c"test_nonce", seed.nonce));
        }
        given.push(Param::end());
        self.set(&source, &given)?;
        self.start(&source, strength as u32, &[])?;
        let generator = self.context(rand.ok_or_else(none)?, Some(&source))?;
        // A limit of 0 means none. By default, the generator asks for new entropy after 256 calls.
        let never = 0_u64;
        let mut params = vec![
            Param::number(c"reseed_requests", &never),
            Param::number(c"reseed_time_interval", &never),
        ];
        if kind == c"cipher" {
            params.push(Param::number(c"use_derivation_function", &derives));
            params.push(Param::text(c"cipher", &algorithm));
        } else {
            params.push(Param::text(c"digest", &algorithm));
        }
        params.push(Param::text(c"mac", c"HMAC"));
        params.push(Param::end());
        self.set(&generator, &params)?;
        self.start(&generator, 0, seed.personalisation)?;
        Ok(Pair {
            generator: Some(generator),
            source: Some(source),
        })
    }

    fn reseed(&self, pair: &mut Pair, entropy: &[u8], additional: &[u8]) -> Result<(), Failure> {
        let (Some(generator), Some(source)) = (&pair.generator, &pair.source) else {
            return Err(Failure::unsupported("reseeding"));
        };
        self.set(
            source,
            &[Param::octets(c"test_entropy", entropy), Param::end()],
        )?;
        let (text, length) = (additional.as_ptr(), additional.len());
        let reseed = self.api.EVP_RAND_reseed;
        // SAFETY: the generator is live, NULL means that the entropy comes from its parent, and
        // the length is the additional input's.
        let code = unsafe { reseed(generator.object, 0, ptr::null(), 0, text, length) };
        self.api.ok("EVP_RAND_reseed", code)
    }

    #[inline]
    fn generate(
        &self,
        pair: &mut Pair,
        additional: &[u8],
        output: &mut [u8],
    ) -> Result<(), Failure> {
        let (to, length) = (output.as_mut_ptr(), output.len());
        let Some(generator) = &pair.generator else {
            random::no_more(additional)?;
            // SAFETY: the output has so many bytes.
            let code: c_int = unsafe { (self.api.RAND_bytes)(to, int(length)?) };
            return self.api.ok("RAND_bytes", code);
        };
        let (text, more) = (additional.as_ptr(), additional.len());
        let generate = self.api.EVP_RAND_generate;
        // SAFETY: the generator is live, and the lengths are those of the two slices.
        let code = unsafe { generate(generator.object, to, length, 0, 0, text, more) };
        self.api.ok("EVP_RAND_generate", code)
    }
}

fn name_of(hash: &str) -> Result<std::ffi::CString, Failure> {
    let name = digest(hash).ok_or_else(|| Failure::unsupported("this hash"))?;
    Ok(c_string(name))
}
