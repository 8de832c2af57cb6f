//! Hashes, one byte a call.
#![allow(unsafe_code)]

use std::ffi::{c_int, c_void};

use touchstone_worker::{Failure, Memory, Message, Plan, Written};

use crate::ffi::Miracl;

type Init = unsafe extern "C" fn(*mut c_void);
type Process = unsafe extern "C" fn(*mut c_void, c_int);
type Hash = unsafe extern "C" fn(*mut c_void, *mut u8);

#[derive(Clone, Copy)]
pub(crate) struct Digest {
    init: Init,
    process: Process,
    hash: Hash,
    /// The length of the digest in bytes.
    bytes: usize,
}

/// Room for a context: the largest, `sha512`, has 90 words of 64 bits.
const CONTEXT: usize = 1024;

impl Plan for Digest {
    type Library = Miracl;
    type Object = Memory;
    const OPERATIONS: &'static [&'static str] = &["hash"];

    fn find(miracl: &Miracl, primitive: &str, _: &str) -> Option<Self> {
        let api = &miracl.api;
        let (init, process, hash, bytes): (Init, Process, Hash, usize) = match primitive {
            "sha-1" => (api.shs_init, api.shs_process, api.shs_hash, 20),
            "sha-256" => (api.shs256_init, api.shs256_process, api.shs256_hash, 32),
            // <miracl.h>: `shs384_process` is `shs512_process`.
            "sha-384" => (api.shs384_init, api.shs512_process, api.shs384_hash, 48),
            "sha-512" => (api.shs512_init, api.shs512_process, api.shs512_hash, 64),
            _ => return None,
        };
        Some(Self {
            init,
            process,
            hash,
            bytes,
        })
    }

    fn api(&self, primitive: &str, _: &str) -> String {
        match primitive {
            "sha-1" => "shs_init, shs_process, shs_hash",
            "sha-256" => "shs256_init, shs256_process, shs256_hash",
            "sha-384" => "shs384_init, shs384_process, shs384_hash",
            _ => "shs512_init, shs512_process, shs512_hash",
        }
        .into()
    }

    fn note(&self, _: &str, _: &str) -> &'static str {
        "one call for each byte"
    }

    fn make(&self) -> Result<Memory, Failure> {
        Ok(Memory::new(CONTEXT))
    }

    #[inline(always)]
    fn process(&self, memory: &mut Memory, message: &Message<'_>, output: &mut [u8]) -> Written {
        let context = memory.at(0);
        // SAFETY: the memory has room for the context, and the output for 64 bytes.
        unsafe {
            (self.init)(context);
            for byte in message.input {
                (self.process)(context, c_int::from(*byte));
            }
            (self.hash)(context, output.as_mut_ptr());
        }
        Ok(self.bytes)
    }
}
