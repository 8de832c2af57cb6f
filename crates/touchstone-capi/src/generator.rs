//! The generators of random bytes for C.
#![allow(unsafe_code)]
#![allow(non_camel_case_types, reason = "the name in C")]

use core::ffi::{c_int, c_void};

use touchstone::random::{Generator, Seeded, SystemError};
use touchstone::wipe;

use crate::memory::*;
use crate::status::*;

/// Bytes of the stack that a call uses at most. tests/secrets finds what a deeper frame would leave.
const STACK: usize = 5 * 1024;

#[allow(
    clippy::large_enum_variant,
    reason = "a handle is on the heap, and a program has few"
)]
pub enum touchstone_generator {
    System(Generator),
    Seeded(Seeded),
}

impl touchstone_generator {
    fn seeded(seed: &[u8]) -> Result<Self> {
        let seed = seed.try_into();
        let seed = seed.map_err(|_| Error(TOUCHSTONE_ERROR_KEY_LENGTH))?;
        Ok(Self::Seeded(Seeded::new(seed)))
    }

    fn fill(&mut self, output: &mut [u8]) -> Result<()> {
        match self {
            Self::System(generator) => generator.fill(output).map_err(no_bytes),
            Self::Seeded(generator) => {
                generator.fill(output);
                Ok(())
            }
        }
    }

    fn reseed(&mut self) -> Result<()> {
        match self {
            Self::System(generator) => generator.reseed().map_err(no_bytes),
            Self::Seeded(_) => Err(Error(TOUCHSTONE_ERROR_STATE)),
        }
    }

    fn seek(&mut self, byte: u64) -> Result<()> {
        match self {
            Self::System(_) => Err(Error(TOUCHSTONE_ERROR_STATE)),
            Self::Seeded(generator) => {
                generator.seek(byte);
                Ok(())
            }
        }
    }
}

fn no_bytes(_: SystemError) -> Error {
    Error(TOUCHSTONE_ERROR_RANDOM)
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn touchstone_generator_new(
    generator: *mut *mut touchstone_generator,
) -> c_int {
    wipe::after(STACK, || {
        let made = Generator::new().map_err(no_bytes);
        // SAFETY: the caller fulfils the contract in the header.
        unsafe { give(generator, made.map(touchstone_generator::System)) }
    })
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn touchstone_generator_seeded_new(
    generator: *mut *mut touchstone_generator,
    seed: *const c_void,
    seed_len: usize,
) -> c_int {
    wipe::after(STACK, || {
        // SAFETY: the caller fulfils the contract in the header.
        unsafe {
            let made = bytes(seed, seed_len).and_then(touchstone_generator::seeded);
            give(generator, made)
        }
    })
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn touchstone_generator_free(generator: *mut touchstone_generator) {
    wipe::after(STACK, || {
        // SAFETY: the caller fulfils the contract in the header.
        unsafe { take(generator) }
    });
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn touchstone_generator_fill(
    generator: *mut touchstone_generator,
    out: *mut c_void,
    len: usize,
) -> c_int {
    // SAFETY: the caller fulfils the contract in the header.
    code(wipe::after(STACK, || unsafe {
        exclusive(generator).and_then(|generator| generator.fill(output(out, len, &[])?))
    }))
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn touchstone_generator_reseed(
    generator: *mut touchstone_generator,
) -> c_int {
    // SAFETY: the caller fulfils the contract in the header.
    code(wipe::after(STACK, || unsafe {
        exclusive(generator).and_then(touchstone_generator::reseed)
    }))
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn touchstone_generator_seek(
    generator: *mut touchstone_generator,
    byte: u64,
) -> c_int {
    // SAFETY: the caller fulfils the contract in the header.
    code(wipe::after(STACK, || unsafe {
        exclusive(generator).and_then(|generator| generator.seek(byte))
    }))
}
