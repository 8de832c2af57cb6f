//! CTR_DRBG of AES-256 without a derivation function, which Nettle has from version 3.10 on. Nettle has
//! no generator that seeds itself: Yarrow-256 asks the program for its entropy.
#![allow(unsafe_code)]

use std::ffi::c_void;

use touchstone_worker::Failure;
use touchstone_worker::random::{Generator, Generators, Seed};

use crate::ffi::{Memory, Nettle};

type Init = unsafe extern "C" fn(*mut c_void, *const u8);
type Random = unsafe extern "C" fn(*mut c_void, usize, *mut u8);

/// `DRBG_CTR_AES256_SEED_SIZE`, and room for `struct drbg_ctr_aes256_ctx` of <nettle/drbg-ctr.h>: a key
/// schedule of AES-256 and a block.
const SEED: usize = 48;
const CONTEXT: usize = 512;

/// The library's two functions.
#[derive(Clone, Copy)]
pub(crate) struct Drbg(Init, Random);

impl Drbg {
    pub(crate) fn of(nettle: &Nettle) -> Option<Self> {
        let api = &nettle.api;
        let functions = (
            api.nettle_drbg_ctr_aes256_init?,
            api.nettle_drbg_ctr_aes256_random?,
        );
        Some(Self(functions.0, functions.1))
    }
}

impl Generators for Drbg {
    type State = Memory;

    fn api(&self, generator: Generator<'_>) -> Option<&'static str> {
        let has = Generator::Ctr {
            bits: 256,
            derives: false,
        };
        (generator == has).then_some("drbg_ctr_aes256_random")
    }

    fn instantiate(&self, _: Generator<'_>, seed: &Seed<'_>) -> Result<Memory, Failure> {
        let Seed {
            entropy,
            nonce,
            personalisation: text,
        } = *seed;
        if entropy.len() != SEED || !nonce.is_empty() {
            return Err(Failure::length("an entropy input", entropy.len()));
        }
        if text.len() > SEED {
            return Err(Failure::length("a personalisation string", text.len()));
        }
        // The seed material is the entropy XOR the text (SP 800-90A, 10.2.1.3.1).
        let mut material = entropy.to_vec();
        material
            .iter_mut()
            .zip(text)
            .for_each(|(byte, text)| *byte ^= text);
        let mut memory = Memory::new(CONTEXT);
        // SAFETY: the memory has room for the context, and the material its length.
        unsafe { (self.0)(memory.at(0), material.as_ptr()) };
        Ok(memory)
    }

    #[inline]
    fn fill(&self, memory: &mut Memory, output: &mut [u8]) -> Result<(), Failure> {
        // SAFETY: the context was initialised, and the output has so many bytes.
        unsafe { (self.1)(memory.at(0), output.len(), output.as_mut_ptr()) };
        Ok(())
    }
}
