//! `wc_RNG_GenerateBlock`, the library's Hash_DRBG with a seed of the system.
#![allow(unsafe_code)]

use std::ffi::{c_int, c_void};
use std::ptr;

use touchstone_worker::random::{Generator, Generators, Seed};
use touchstone_worker::{Failure, Owned, symbols};

use crate::ffi::{Context, ok, word};

symbols! {
    /// The functions for generators, as <wolfssl/wolfcrypt/random.h> declares them.
    struct Rng {
        wc_rng_new: fn(*mut u8, u32, *mut c_void) -> Context;
        wc_rng_free: fn(Context) -> ();
        wc_RNG_GenerateBlock: fn(Context, *mut u8, u32) -> c_int;
    }
}

impl Generators for Rng {
    type State = Owned;

    fn api(&self, generator: Generator<'_>) -> Option<&'static str> {
        (generator == Generator::Own).then_some("wc_RNG_GenerateBlock")
    }

    fn instantiate(&self, _: Generator<'_>, _: &Seed<'_>) -> Result<Owned, Failure> {
        // SAFETY: NULL means that there is neither a nonce nor a heap of the program's.
        unsafe {
            let generator = (self.wc_rng_new)(ptr::null_mut(), 0, ptr::null_mut());
            Owned::new(generator, self.wc_rng_free)
        }
    }

    #[inline]
    fn fill(&self, state: &mut Owned, output: &mut [u8]) -> Result<(), Failure> {
        let (to, length) = (output.as_mut_ptr(), word(output.len())?);
        // SAFETY: the generator is live, and the length is the output's.
        let code = unsafe { (self.wc_RNG_GenerateBlock)(state.object, to, length) };
        ok("wc_RNG_GenerateBlock", code)
    }
}
