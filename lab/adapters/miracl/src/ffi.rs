//! The functions of MIRACL that the worker calls.
#![allow(unsafe_code)]

use std::ffi::{c_char, c_int, c_uint, c_void};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread::{self, ThreadId};

use touchstone_worker::{Failure, Owned, Shared, symbols};

/// `big` of <miracl.h>: a pointer to a number.
pub(crate) type Big = *mut c_void;

/// A pointer to a point.
pub(crate) type Point = *mut c_void;

symbols! {
    /// The functions of MIRACL, as <miracl.h> declares them for a build without threads.
    struct Api {
        mirsys: fn(c_int, usize) -> *mut c_void;
        mirvar: fn(c_int) -> Big;
        mirkill: fn(Big) -> ();
        bytes_to_big: fn(c_int, *const u8, Big) -> ();
        big_to_bytes: fn(c_int, Big, *mut u8, c_int) -> c_int;
        exsign, size: fn(Big) -> c_int;
        copy, negify: fn(Big, Big) -> ();
        add, multiply, divide: fn(Big, Big, Big) -> ();
        mr_compare: fn(Big, Big) -> c_int;
        powmod: fn(Big, Big, Big, Big) -> ();
        invmodp: fn(Big, Big, Big) -> c_int;
        xgcd: fn(Big, Big, Big, Big, Big) -> c_int;

        ecurve_init: fn(Big, Big, Big, c_int) -> ();
        ecurve_mult: fn(Big, Point, Point) -> c_int;
        ecurve_mult2: fn(Big, Point, Big, Point, Point) -> ();
        epoint_init: fn() -> Point;
        epoint_free: fn(Point) -> ();
        epoint_set, epoint2_set: fn(Big, Big, c_int, Point) -> c_int;
        epoint_get, epoint2_get: fn(Point, Big, Big) -> c_int;
        ecurve2_init: fn(c_int, c_int, c_int, c_int, Big, Big, c_int, c_int) -> c_int;
        ecurve2_mult: fn(Big, Point, Point) -> ();

        aes_init: fn(*mut c_void, c_int, c_int, *const u8, *const u8) -> c_int;
        aes_encrypt, aes_decrypt: fn(*mut c_void, *mut c_char) -> c_uint;

        shs_init, shs256_init, shs384_init, shs512_init: fn(*mut c_void) -> ();
        shs_process, shs256_process, shs512_process: fn(*mut c_void, c_int) -> ();
        shs_hash, shs256_hash, shs384_hash, shs512_hash: fn(*mut c_void, *mut u8) -> ();
    }
}

/// Words of the longest number. A product may be twice as long as the lab's longest operand.
const WORDS: c_int = 2 * 65536 / 64;
/// Words beyond it, which the library's own calculations need.
const SPARE: c_int = 64;

/// The bytes of the longest number that the worker reads.
pub(crate) const MOST_BYTES: usize = WORDS as usize * 8;

/// A loaded MIRACL.
pub(crate) struct Miracl {
    pub(crate) api: Api,
    pub(crate) path: String,
    /// The thread that may call the library.
    pub(crate) thread: ThreadId,
}

impl Miracl {
    pub(crate) fn load(path: &str) -> Result<Self, String> {
        let shared = Shared::open(path, &["libmiracl.so"]).map_err(|error| {
            format!("{error}; give the path of a build of MIRACL with --library miracl=PATH")
        })?;
        let api = Api::load(&shared)?;
        // SAFETY: base 0 means whole words.
        if unsafe { (api.mirsys)(WORDS + SPARE, 0) }.is_null() {
            return Err("MIRACL does not start: no memory".into());
        }
        Ok(Self {
            api,
            path: shared.path,
            thread: thread::current().id(),
        })
    }
}

/// Refuses a thread that is not the library's.
pub(crate) fn only_thread(thread: ThreadId) -> Result<(), Failure> {
    if thread::current().id() == thread {
        Ok(())
    } else {
        Err(Failure::unsupported("several threads"))
    }
}

/// A number. Dropping it frees it.
pub(crate) type Number = Owned;

impl Api {
    /// Makes a number from its magnitude.
    pub(crate) fn number(&self, magnitude: &[u8]) -> Result<Number, Failure> {
        if magnitude.len() > MOST_BYTES {
            return Err(Failure::length("a number", magnitude.len()));
        }
        // SAFETY: the library has started, and the length is the slice's.
        unsafe {
            let number = Number::new((self.mirvar)(0), self.mirkill)?;
            (self.bytes_to_big)(magnitude.len() as c_int, magnitude.as_ptr(), number.object);
            Ok(number)
        }
    }

    /// Writes the magnitude of a number, which fills `bytes`.
    pub(crate) fn write(&self, number: Big, bytes: &mut [u8]) -> Result<(), Failure> {
        const FILLED: c_int = 1;
        bytes.fill(0);
        let Ok(length) = c_int::try_from(bytes.len()) else {
            return Err(Failure::length("a result", bytes.len()));
        };
        // SAFETY: zero has no bytes, and a longer number than the room ends the process, so the
        // caller's room is as long as the operation's results.
        unsafe {
            if length > 0 && (self.size)(number) != 0 {
                (self.big_to_bytes)(length, number, bytes.as_mut_ptr(), FILLED);
            }
        }
        Ok(())
    }
}

/// Gives numbers to objects, by which the worker knows whose curve is set.
static NEXT: AtomicUsize = AtomicUsize::new(1);

/// Returns a number that no other object has.
pub(crate) fn unique() -> usize {
    NEXT.fetch_add(1, Ordering::Relaxed)
}
