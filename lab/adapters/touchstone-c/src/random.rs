//! The generators of touchstone.h.
#![allow(unsafe_code)]

use std::ptr::null_mut;

use touchstone_worker::Failure;
use touchstone_worker::random::{Generator, Generators, Seed, no_more};

use crate::ffi::{Api, Handle, p, p_mut};

#[derive(Clone, Copy)]
pub(crate) struct Random(pub(crate) Api);

pub(crate) enum State {
    /// A generator with a seed of the system or of the program.
    Own(Handle),
    /// A generator of SP 800-90A.
    Drbg(Handle),
}

/// Returns the functions of a generator of SP 800-90A, which an older library lacks.
macro_rules! drbg {
    ($api:expr, $function:ident) => {
        $api.$function
            .ok_or_else(|| Failure::unsupported("this generator"))?
    };
}

impl Random {
    /// Whether the library has a generator of SP 800-90A.
    fn has(&self, name: &str) -> bool {
        let sizes = self.0.touchstone_drbg_entropy_sizes_of;
        sizes.is_some_and(|sizes| {
            let name = touchstone_worker::c_string(name);
            // SAFETY: the name is a C string. The other arguments may be NULL.
            unsafe { sizes(name.as_ptr(), null_mut(), null_mut(), null_mut()) == 0 }
        })
    }
}

impl Generators for Random {
    type State = State;

    fn api(&self, generator: Generator<'_>) -> Option<&'static str> {
        if let Some(name) = generator.standard() {
            return self.has(&name).then_some("touchstone_drbg_generate");
        }
        let has = matches!(generator, Generator::Own | Generator::ChaCha20);
        has.then_some("touchstone_generator_fill")
    }

    fn instantiate(&self, generator: Generator<'_>, seed: &Seed<'_>) -> Result<State, Failure> {
        let api = &self.0;
        if let Some(name) = generator.standard() {
            let new = drbg!(api, touchstone_drbg_new);
            let free = drbg!(api, touchstone_drbg_free);
            let (entropy, nonce, more) = (seed.entropy, seed.nonce, seed.personalisation);
            let handle = Handle::made(api, free, &name, |place, name| {
                let (e, n, m) = (p(entropy), p(nonce), p(more));
                // SAFETY: the place is valid, the name is a C string, and the lengths are those of
                // the slices.
                unsafe { new(place, name, e, entropy.len(), n, nonce.len(), m, more.len()) }
            });
            return handle.map(State::Drbg);
        }
        let seed = match generator {
            Generator::ChaCha20 => Some(seed.alone()?),
            _ => None,
        };
        let handle = Handle::made(api, api.touchstone_generator_free, "", |place, _| {
            // SAFETY: the place is valid, and a seed has 32 bytes.
            unsafe {
                match &seed {
                    Some(seed) => {
                        (api.touchstone_generator_seeded_new)(place, seed.as_ptr(), seed.len())
                    }
                    None => (api.touchstone_generator_new)(place),
                }
            }
        });
        handle.map(State::Own)
    }

    fn reseed(&self, state: &mut State, entropy: &[u8], additional: &[u8]) -> Result<(), Failure> {
        let State::Drbg(handle) = state else {
            return Err(Failure::unsupported("reseeding"));
        };
        let reseed = drbg!(self.0, touchstone_drbg_reseed);
        let (e, a) = (p(entropy), p(additional));
        // SAFETY: the handle is live, and the lengths are those of the slices.
        let code = unsafe { reseed(handle.pointer, e, entropy.len(), a, additional.len()) };
        self.0.check(code)
    }

    #[inline]
    fn generate(
        &self,
        state: &mut State,
        additional: &[u8],
        output: &mut [u8],
    ) -> Result<(), Failure> {
        let length = output.len();
        let code = match state {
            State::Drbg(handle) => {
                let generate = drbg!(self.0, touchstone_drbg_generate);
                let (a, n) = (p(additional), additional.len());
                // SAFETY: the handle is live, and the lengths are those of the slices.
                unsafe { generate(handle.pointer, a, n, p_mut(output), length) }
            }
            State::Own(handle) => {
                no_more(additional)?;
                let fill = self.0.touchstone_generator_fill;
                // SAFETY: the handle is live, and the output has so many bytes.
                unsafe { fill(handle.pointer, p_mut(output), length) }
            }
        };
        self.0.check(code)
    }
}
