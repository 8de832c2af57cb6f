//! HMAC_DRBG by the C++ class, and the generator "user", which is the class
//! `AutoSeeded_RNG`.
#![allow(unsafe_code)]

use touchstone_worker::random::{self, Generator, Generators, Seed};
use touchstone_worker::{Failure, c_string};

use crate::classes::Drbg;
use crate::ffi::{Api, Object};
use crate::library::Botan;

#[derive(Clone, Copy)]
pub(crate) struct Random {
    api: Api,
    drbg: Option<Drbg>,
}

impl Random {
    pub(crate) fn of(botan: &Botan) -> Self {
        Self {
            api: botan.api,
            drbg: botan.drbg,
        }
    }

    fn drbg(&self) -> Result<Drbg, Failure> {
        self.drbg
            .ok_or_else(|| Failure::unsupported("HMAC_DRBG without the C++ classes"))
    }
}

/// Returns Botan's name of HMAC with a hash of SP 800-90A.
fn hmac(hash: &str) -> Option<&'static str> {
    Some(match hash {
        "sha-1" => "HMAC(SHA-1)",
        "sha-224" => "HMAC(SHA-224)",
        "sha-256" => "HMAC(SHA-256)",
        "sha-384" => "HMAC(SHA-384)",
        "sha-512" => "HMAC(SHA-512)",
        "sha-512-256" => "HMAC(SHA-512-256)",
        _ => return None,
    })
}

/// A generator, and whether it is HMAC_DRBG.
type State = (Object, bool);

impl Generators for Random {
    type State = State;

    fn api(&self, generator: Generator<'_>) -> Option<&'static str> {
        match generator {
            Generator::Own => Some("botan_rng_get"),
            Generator::Hmac(hash) => {
                self.drbg?;
                hmac(hash).map(|_| "HMAC_DRBG::randomize_with_input")
            }
            _ => None,
        }
    }

    fn instantiate(&self, generator: Generator<'_>, seed: &Seed<'_>) -> Result<State, Failure> {
        let Generator::Hmac(hash) = generator else {
            return Ok((self.api.random()?, false));
        };
        let (drbg, name) = (self.drbg()?, hmac(hash));
        let name = c_string(name.ok_or_else(|| Failure::unsupported("this hash"))?);
        let seed = [seed.entropy, seed.nonce, seed.personalisation].concat();
        let new = drbg.touchstone_drbg_init;
        // SAFETY: a successful call writes the handle, the name is a C string, and the length is the
        // seed's.
        let made = unsafe {
            Object::made(drbg.touchstone_drbg_destroy, |handle| {
                let code = new(handle, name.as_ptr(), seed.as_ptr(), seed.len());
                self.api.takes("HMAC_DRBG", code)
            })?
        };
        Ok((made, true))
    }

    fn reseed(
        &self,
        (object, _): &mut State,
        entropy: &[u8],
        additional: &[u8],
    ) -> Result<(), Failure> {
        let (add, bytes) = (
            self.drbg()?.touchstone_drbg_add,
            [entropy, additional].concat(),
        );
        // SAFETY: the generator is live, and the length is that of the bytes.
        let code = unsafe { add(object.object, bytes.as_ptr(), bytes.len()) };
        self.api.ok("HMAC_DRBG::add_entropy", code)
    }

    #[inline]
    fn generate(
        &self,
        (object, seeded): &mut State,
        additional: &[u8],
        output: &mut [u8],
    ) -> Result<(), Failure> {
        let (to, length) = (output.as_mut_ptr(), output.len());
        if !*seeded {
            random::no_more(additional)?;
            // SAFETY: the generator is live, and the length is the output's.
            let code = unsafe { (self.api.botan_rng_get)(object.object, to, length) };
            return self.api.ok("botan_rng_get", code);
        }
        let generate = self.drbg()?.touchstone_drbg_generate;
        let (more, size) = (additional.as_ptr(), additional.len());
        // SAFETY: the generator is live, and the lengths are those of the two slices.
        let code = unsafe { generate(object.object, more, size, to, length) };
        self.api.ok("HMAC_DRBG::randomize_with_input", code)
    }
}
