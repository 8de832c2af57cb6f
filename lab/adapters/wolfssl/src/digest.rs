//! Hashes by one set of functions for each hash, and SHAKE.
#![allow(unsafe_code)]

use std::ffi::{c_int, c_void};
use std::ptr;

use touchstone_worker::{Failure, Memory, Message, Plan, Work, Written};

use Shape::{Blake, Device, Mute, Plain, Shake};

use crate::ffi::{Context, INVALID_DEVID, Wolf, ok, plain, word};

/// The form of a hash's functions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Shape {
    /// The init function takes a heap and a device, and there is a function that frees the
    /// context.
    Device,
    /// The init function takes only the context.
    Plain,
    /// The form `Plain`, but the functions return nothing.
    Mute,
    /// The init and final functions take the digest's length.
    Blake,
    /// The final function takes the output's length.
    Shake,
}

/// Rows: the primitive, the digest's length in bytes, the form, the init function's name
/// without `wc_Init`, and the beginning of the other functions' names without `wc_`.
const HASHES: &[(&str, usize, Shape, &str, &str)] = &[
    ("md2", 16, Mute, "Md2", "Md2"),
    ("md4", 16, Mute, "Md4", "Md4"),
    ("md5", 16, Device, "Md5_ex", "Md5"),
    ("sha-1", 20, Device, "Sha_ex", "Sha"),
    ("sha-224", 28, Device, "Sha224_ex", "Sha224"),
    ("sha-256", 32, Device, "Sha256_ex", "Sha256"),
    ("sha-384", 48, Device, "Sha384_ex", "Sha384"),
    ("sha-512", 64, Device, "Sha512_ex", "Sha512"),
    ("sha-512-224", 28, Device, "Sha512_224_ex", "Sha512_224"),
    ("sha-512-256", 32, Device, "Sha512_256_ex", "Sha512_256"),
    ("sha3-224", 28, Device, "Sha3_224", "Sha3_224_"),
    ("sha3-256", 32, Device, "Sha3_256", "Sha3_256_"),
    ("sha3-384", 48, Device, "Sha3_384", "Sha3_384_"),
    ("sha3-512", 64, Device, "Sha3_512", "Sha3_512_"),
    ("ripemd-160", 20, Plain, "RipeMd", "RipeMd"),
    ("blake2b", 64, Blake, "Blake2b", "Blake2b"),
    ("blake2b-384", 48, Blake, "Blake2b", "Blake2b"),
    ("blake2b-256", 32, Blake, "Blake2b", "Blake2b"),
    ("blake2s", 32, Blake, "Blake2s", "Blake2s"),
    ("shake128", 0, Shake, "Shake128", "Shake128_"),
    ("shake256", 0, Shake, "Shake256", "Shake256_"),
];

#[derive(Clone, Copy)]
enum Init {
    Device(unsafe extern "C" fn(Context, *mut c_void, c_int) -> c_int),
    Plain(unsafe extern "C" fn(Context) -> c_int),
    Mute(unsafe extern "C" fn(Context)),
    Sized(unsafe extern "C" fn(Context, u32) -> c_int),
}

#[derive(Clone, Copy)]
enum Calls {
    Ordinary(
        unsafe extern "C" fn(Context, *const u8, u32) -> c_int,
        unsafe extern "C" fn(Context, *mut u8) -> c_int,
    ),
    Mute(
        unsafe extern "C" fn(Context, *const u8, u32),
        unsafe extern "C" fn(Context, *mut u8),
    ),
    Sized(
        unsafe extern "C" fn(Context, *const u8, u32) -> c_int,
        unsafe extern "C" fn(Context, *mut u8, u32) -> c_int,
    ),
}

/// The functions of a hash.
#[derive(Clone, Copy)]
pub(crate) struct Digest {
    /// The beginning of the functions' names.
    stem: &'static str,
    init: Init,
    calls: Calls,
    free: Option<unsafe extern "C" fn(Context)>,
    length: usize,
    /// Whether each message must begin with `init`. For most hashes, `final` leaves the context
    /// ready for the next message.
    again: bool,
}

impl Digest {
    fn init(&self, context: Context) -> Result<(), Failure> {
        // SAFETY: the memory has room for the context.
        let code = unsafe {
            match self.init {
                Init::Device(init) => init(context, ptr::null_mut(), INVALID_DEVID),
                Init::Plain(init) => init(context),
                Init::Sized(init) => init(context, word(self.length)?),
                Init::Mute(init) => {
                    init(context);
                    0
                }
            }
        };
        ok("init", code)
    }
}

impl Plan for Digest {
    type Library = Wolf;
    type Object = Memory;
    const OPERATIONS: &'static [&'static str] = touchstone_worker::HASHES;

    fn find(wolf: &Wolf, primitive: &str, operation: &str) -> Option<Self> {
        let (_, length, shape, init, stem) = *HASHES.iter().find(|(id, ..)| *id == primitive)?;
        if operation != if shape == Shake { "xof" } else { "hash" } {
            return None;
        }
        let init = format!("wc_Init{init}");
        let update = format!("wc_{stem}Update");
        let finish = format!("wc_{stem}Final");
        // SAFETY: the functions with these names have the types of their form.
        let (init, calls) = unsafe {
            let init = match shape {
                Device | Shake => Init::Device(wolf.function(&init)?),
                Plain => Init::Plain(wolf.function(&init)?),
                Mute => Init::Mute(wolf.function(&init)?),
                Blake => Init::Sized(wolf.function(&init)?),
            };
            let calls = match shape {
                Device | Plain => Calls::Ordinary(wolf.function(&update)?, wolf.function(&finish)?),
                Mute => Calls::Mute(wolf.function(&update)?, wolf.function(&finish)?),
                Blake | Shake => Calls::Sized(wolf.function(&update)?, wolf.function(&finish)?),
            };
            (init, calls)
        };
        Some(Self {
            stem,
            init,
            calls,
            // SAFETY: every function with such a name has this type.
            free: unsafe { wolf.function(&format!("wc_{stem}Free")) },
            length,
            again: shape == Blake,
        })
    }

    fn api(&self, _: &str, _: &str) -> String {
        format!("wc_{0}Update, wc_{0}Final", self.stem)
    }

    fn fit(mut self, work: &Work) -> Result<Self, Failure> {
        if work.operation == "xof" {
            self.length = work.length.unwrap_or(32);
        }
        Ok(self)
    }

    fn make(&self) -> Result<Memory, Failure> {
        let mut context = plain();
        self.init(context.at(0))?;
        if let Some(free) = self.free {
            // SAFETY: the context is initialised.
            unsafe { context.freed_by(free) };
        }
        Ok(context)
    }

    #[inline(always)]
    fn process(&self, context: &mut Memory, message: &Message<'_>, output: &mut [u8]) -> Written {
        let context = context.at(0);
        let (from, bytes) = (message.input.as_ptr(), word(message.input.len())?);
        let (to, length) = (output.as_mut_ptr(), self.length);
        if self.again {
            self.init(context)?;
        }
        // SAFETY: the context is initialised. The worker's output has at least 256 bytes, or
        // the requested length.
        unsafe {
            match self.calls {
                Calls::Ordinary(update, finish) => {
                    ok("update", update(context, from, bytes))?;
                    ok("final", finish(context, to))?;
                }
                Calls::Mute(update, finish) => {
                    update(context, from, bytes);
                    finish(context, to);
                }
                Calls::Sized(update, finish) => {
                    ok("update", update(context, from, bytes))?;
                    ok("final", finish(context, to, word(length)?))?;
                }
            }
        }
        Ok(length)
    }
}
