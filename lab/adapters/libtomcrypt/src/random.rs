//! Fortuna, which `rng_make_prng` seeds with bytes of the system.
#![allow(unsafe_code)]

use std::ffi::{c_int, c_ulong, c_void};

use touchstone_worker::random::{Generator, Generators, Seed};
use touchstone_worker::{Failure, Memory, symbols};

use crate::ffi::{State, TomCrypt};

symbols! {
    /// The functions for generators, as <tomcrypt_prng.h> declares them.
    struct Prng {
        register_prng: fn(*const c_void) -> c_int;
        rng_make_prng: fn(c_int, c_int, State, *const c_void) -> c_int;
        fortuna_read: fn(*mut u8, c_ulong, State) -> c_ulong;
        fortuna_done: fn(State) -> c_int;
    }
}

/// The bits of entropy with which Fortuna is seeded.
const BITS: c_int = 256;

/// The functions, Fortuna's number, and the bytes of its state.
#[derive(Clone, Copy)]
pub(crate) struct Fortuna {
    api: Prng,
    number: c_int,
    bytes: usize,
}

impl Fortuna {
    /// Returns `None` if the build lacks Fortuna.
    pub(crate) fn of(library: &TomCrypt) -> Option<Self> {
        let api = Prng::load(&library.shared).ok()?;
        let bytes = library.api.size("prng_state")?;
        // SAFETY: the symbol is a descriptor, which is a constant of a library that stays loaded. A
        // second registration returns the same number.
        let number = unsafe {
            let descriptor = library.shared.symbol::<*const c_void>("fortuna_desc")?;
            (api.register_prng)(descriptor)
        };
        (number >= 0).then_some(Self { api, number, bytes })
    }
}

impl Generators for Fortuna {
    type State = Memory;

    fn api(&self, generator: Generator<'_>) -> Option<&'static str> {
        (generator == Generator::Own).then_some("fortuna_read")
    }

    fn instantiate(&self, _: Generator<'_>, _: &Seed<'_>) -> Result<Memory, Failure> {
        let mut memory = Memory::new(self.bytes);
        let make = self.api.rng_make_prng;
        // SAFETY: the memory has the state's size, the number is a registered generator's, and NULL
        // means that there is no function to call while the system gathers bytes.
        unsafe {
            let code = make(BITS, self.number, memory.at(0), std::ptr::null());
            if code != 0 {
                return Err(Failure::failed(format_args!("rng_make_prng: code {code}")));
            }
            memory.freed_by_code(self.api.fortuna_done);
        }
        Ok(memory)
    }

    #[inline]
    fn fill(&self, state: &mut Memory, output: &mut [u8]) -> Result<(), Failure> {
        let (to, length) = (output.as_mut_ptr(), output.len() as c_ulong);
        // SAFETY: the state has a seed, and the length is the output's.
        let read = unsafe { (self.api.fortuna_read)(to, length, state.at(0)) };
        if read == length {
            Ok(())
        } else {
            Err(Failure::failed(format_args!(
                "fortuna_read gave {read} bytes"
            )))
        }
    }
}
