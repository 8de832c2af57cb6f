//! Hashes by the functions of their names, and SHAKE.
#![allow(unsafe_code)]

use std::ffi::{c_int, c_void};
use std::ptr;

use touchstone_worker::{Cell, Failure, Message, Offer, Operation, Work, offer};

use crate::ffi::{Context, Held, INVALID_DEVID, Wolf, ok, word};

/// The parameters of a hash's functions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Shape {
    /// Init with heap and device; a function that frees.
    Device,
    /// Init with nothing else.
    Plain,
    /// As `Plain`, but the functions return nothing.
    Mute,
    /// Init and final with the digest's length.
    Blake,
    /// Final with the output's length.
    Shake,
}

/// Primitive, bytes of digest, shape, init, and the stem of the others.
const HASHES: &[(&str, usize, Shape, &str, &str)] = &[
    ("md2", 16, Shape::Mute, "wc_InitMd2", "wc_Md2"),
    ("md4", 16, Shape::Mute, "wc_InitMd4", "wc_Md4"),
    ("md5", 16, Shape::Device, "wc_InitMd5_ex", "wc_Md5"),
    ("sha-1", 20, Shape::Device, "wc_InitSha_ex", "wc_Sha"),
    (
        "sha-224",
        28,
        Shape::Device,
        "wc_InitSha224_ex",
        "wc_Sha224",
    ),
    (
        "sha-256",
        32,
        Shape::Device,
        "wc_InitSha256_ex",
        "wc_Sha256",
    ),
    (
        "sha-384",
        48,
        Shape::Device,
        "wc_InitSha384_ex",
        "wc_Sha384",
    ),
    (
        "sha-512",
        64,
        Shape::Device,
        "wc_InitSha512_ex",
        "wc_Sha512",
    ),
    (
        "sha-512-224",
        28,
        Shape::Device,
        "wc_InitSha512_224_ex",
        "wc_Sha512_224",
    ),
    (
        "sha-512-256",
        32,
        Shape::Device,
        "wc_InitSha512_256_ex",
        "wc_Sha512_256",
    ),
    (
        "sha3-224",
        28,
        Shape::Device,
        "wc_InitSha3_224",
        "wc_Sha3_224_",
    ),
    (
        "sha3-256",
        32,
        Shape::Device,
        "wc_InitSha3_256",
        "wc_Sha3_256_",
    ),
    (
        "sha3-384",
        48,
        Shape::Device,
        "wc_InitSha3_384",
        "wc_Sha3_384_",
    ),
    (
        "sha3-512",
        64,
        Shape::Device,
        "wc_InitSha3_512",
        "wc_Sha3_512_",
    ),
    ("ripemd-160", 20, Shape::Plain, "wc_InitRipeMd", "wc_RipeMd"),
    ("blake2b", 64, Shape::Blake, "wc_InitBlake2b", "wc_Blake2b"),
    (
        "blake2b-384",
        48,
        Shape::Blake,
        "wc_InitBlake2b",
        "wc_Blake2b",
    ),
    (
        "blake2b-256",
        32,
        Shape::Blake,
        "wc_InitBlake2b",
        "wc_Blake2b",
    ),
    ("blake2s", 32, Shape::Blake, "wc_InitBlake2s", "wc_Blake2s"),
    (
        "shake128",
        0,
        Shape::Shake,
        "wc_InitShake128",
        "wc_Shake128_",
    ),
    (
        "shake256",
        0,
        Shape::Shake,
        "wc_InitShake256",
        "wc_Shake256_",
    ),
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

/// A hash's functions.
#[derive(Clone, Copy)]
struct Hash {
    init: Init,
    calls: Calls,
    free: Option<unsafe extern "C" fn(Context)>,
    length: usize,
    /// Whether a message begins with `init`: everywhere else `final` leaves the
    /// context ready for the next.
    again: bool,
}

impl Hash {
    fn find(wolf: &Wolf, primitive: &str, operation: &str) -> Option<(Self, String)> {
        let (_, length, shape, init, stem) = *HASHES.iter().find(|(id, ..)| *id == primitive)?;
        let wanted = if shape == Shape::Shake { "xof" } else { "hash" };
        if operation != wanted {
            return None;
        }
        let update = format!("{stem}Update");
        let finish = format!("{stem}Final");
        // SAFETY: the functions of these names have the types of their shape.
        let (init, calls) = unsafe {
            let init = match shape {
                Shape::Device | Shape::Shake => Init::Device(wolf.function(init)?),
                Shape::Plain => Init::Plain(wolf.function(init)?),
                Shape::Mute => Init::Mute(wolf.function(init)?),
                Shape::Blake => Init::Sized(wolf.function(init)?),
            };
            let calls = match shape {
                Shape::Device | Shape::Plain => {
                    Calls::Ordinary(wolf.function(&update)?, wolf.function(&finish)?)
                }
                Shape::Mute => Calls::Mute(wolf.function(&update)?, wolf.function(&finish)?),
                Shape::Blake | Shape::Shake => {
                    Calls::Sized(wolf.function(&update)?, wolf.function(&finish)?)
                }
            };
            (init, calls)
        };
        let hash = Self {
            init,
            calls,
            // SAFETY: every function of such a name has this type.
            free: unsafe { wolf.function(&format!("{stem}Free")) },
            length,
            again: shape == Shape::Blake,
        };
        Some((hash, format!("{update}, {finish}")))
    }

    fn init(&self, context: Context) -> Result<(), Failure> {
        // SAFETY: the context has room.
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

pub(crate) fn offers(wolf: &Wolf) -> Vec<Offer> {
    HASHES
        .iter()
        .map(|(id, _, shape, ..)| {
            (
                *id,
                if *shape == Shape::Shake {
                    "xof"
                } else {
                    "hash"
                },
            )
        })
        .filter_map(|(id, operation)| {
            let (_, api) = Hash::find(wolf, id, operation)?;
            Some(offer(id, operation, &api))
        })
        .collect()
}

pub(crate) fn cell(wolf: &Wolf, work: &Work) -> Option<Result<Cell, Failure>> {
    let (mut hash, _) = Hash::find(wolf, &work.primitive, &work.operation)?;
    if work.operation == "xof" {
        hash.length = work.length.unwrap_or(32);
    }
    Some(Ok(Cell::new(move || {
        let mut context = Held::plain();
        hash.init(context.get())?;
        if let Some(free) = hash.free {
            context.freed_by(free);
        }
        Ok(Digest { hash, context })
    })))
}

struct Digest {
    hash: Hash,
    context: Held,
}

impl Operation for Digest {
    #[inline]
    fn process(&mut self, message: &Message<'_>, output: &mut [u8]) -> Result<usize, Failure> {
        let context = self.context.get();
        let (from, bytes) = (message.input.as_ptr(), word(message.input.len())?);
        let (to, length) = (output.as_mut_ptr(), self.hash.length);
        if self.hash.again {
            self.hash.init(context)?;
        }
        // SAFETY: the context is initialised; the worker's output has at least 256 bytes,
        // or the requested length.
        unsafe {
            match self.hash.calls {
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
