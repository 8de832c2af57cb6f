//! The generators of touchstone.h.
#![allow(unsafe_code)]

use touchstone_worker::Failure;
use touchstone_worker::random::{Generator, Generators, Seed};

use crate::ffi::{Api, Handle, p_mut};

#[derive(Clone, Copy)]
pub(crate) struct Random(pub(crate) Api);

impl Generators for Random {
    type State = Handle;

    fn api(&self, generator: Generator<'_>) -> Option<&'static str> {
        let has = matches!(generator, Generator::Own | Generator::ChaCha20);
        has.then_some("touchstone_generator_fill")
    }

    fn instantiate(&self, generator: Generator<'_>, seed: &Seed<'_>) -> Result<Handle, Failure> {
        let api = &self.0;
        let seed = match generator {
            Generator::ChaCha20 => Some(seed.alone()?),
            _ => None,
        };
        Handle::made(api, api.touchstone_generator_free, "", |place, _| {
            // SAFETY: the place is valid, and a seed has 32 bytes.
            unsafe {
                match &seed {
                    Some(seed) => {
                        (api.touchstone_generator_seeded_new)(place, seed.as_ptr(), seed.len())
                    }
                    None => (api.touchstone_generator_new)(place),
                }
            }
        })
    }

    #[inline]
    fn fill(&self, handle: &mut Handle, output: &mut [u8]) -> Result<(), Failure> {
        let length = output.len();
        // SAFETY: the handle is live, and the output has so many bytes.
        let code =
            unsafe { (self.0.touchstone_generator_fill)(handle.pointer, p_mut(output), length) };
        self.0.check(code)
    }
}
