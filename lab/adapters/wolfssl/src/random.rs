//! `wc_RNG_GenerateBlock`, the library's Hash_DRBG with a seed of the system.
#![allow(unsafe_code)]

use std::ffi::{c_int, c_void};
use std::ptr;

use touchstone_worker::random::{self, Generator, Generators, Seed};
use touchstone_worker::{Failure, symbols};

use crate::ffi::{Context, ok, word};

symbols! {
    /// The functions for generators, as <wolfssl/wolfcrypt/random.h> declares them.
    struct Rng {
        wc_rng_new: fn(*mut u8, u32, *mut c_void) -> Context;
        wc_rng_free: fn(Context) -> ();
        wc_RNG_GenerateBlock: fn(Context, *mut u8, u32) -> c_int;
    }
}

/// A generator of the library. Dropping it frees it.
pub(crate) struct Seeded {
    generator: Context,
    free: unsafe extern "C" fn(Context),
}

impl Drop for Seeded {
    fn drop(&mut self) {
        // SAFETY: the generator is live, and is freed once.
        unsafe { (self.free)(self.generator) };
    }
}

impl Generators for Rng {
    type State = Seeded;

    fn api(&self, generator: Generator<'_>) -> Option<&'static str> {
        (generator == Generator::Own).then_some("wc_RNG_GenerateBlock")
    }

    fn instantiate(&self, _: Generator<'_>, _: &Seed<'_>) -> Result<Seeded, Failure> {
        // SAFETY: NULL means that there is neither a nonce nor a heap of the program's.
        let generator = unsafe { (self.wc_rng_new)(ptr::null_mut(), 0, ptr::null_mut()) };
        if generator.is_null() {
            return Err(Failure::failed("wc_rng_new gave no generator"));
        }
        let free = self.wc_rng_free;
        Ok(Seeded { generator, free })
    }

    #[inline]
    fn generate(
        &self,
        state: &mut Seeded,
        additional: &[u8],
        output: &mut [u8],
    ) -> Result<(), Failure> {
        random::no_more(additional)?;
        let (to, length) = (output.as_mut_ptr(), word(output.len())?);
        // SAFETY: the generator is live, and the length is the output's.
        let code = unsafe { (self.wc_RNG_GenerateBlock)(state.generator, to, length) };
        ok("wc_RNG_GenerateBlock", code)
    }
}
