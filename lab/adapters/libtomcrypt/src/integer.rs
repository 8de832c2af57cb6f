//! Integers by LibTomMath, the usual arithmetic of LibTomCrypt, if it is installed.
#![allow(unsafe_code)]

use std::ffi::{c_int, c_void};
use std::mem::MaybeUninit;
use std::ptr;

use touchstone_worker::integer::{Arithmetic, Integers};
use touchstone_worker::{Cleared, Failure, Shared, ok, symbols};

/// `mp_int` of <tommath.h>, since version 1.2.
#[repr(C)]
pub(crate) struct MpInt {
    used: c_int,
    alloc: c_int,
    /// 1 if the number is below zero.
    sign: c_int,
    digits: *mut c_void,
}

symbols! {
    /// The functions of libtommath, as <tommath.h> declares them.
    struct Math {
        mp_init: fn(*mut MpInt) -> c_int;
        mp_clear: fn(*mut MpInt) -> ();
        mp_from_ubin: fn(*mut MpInt, *const u8, usize) -> c_int;
        mp_to_ubin: fn(*const MpInt, *mut u8, usize, *mut usize) -> c_int;
        mp_neg, mp_sqr: fn(*const MpInt, *mut MpInt) -> c_int;
        mp_mul, mp_add, mp_invmod: fn(*const MpInt, *const MpInt, *mut MpInt) -> c_int;
        mp_cmp: fn(*const MpInt, *const MpInt) -> c_int;
        mp_div: fn(*const MpInt, *const MpInt, *mut MpInt, *mut MpInt) -> c_int;
        mp_exptmod: fn(*const MpInt, *const MpInt, *const MpInt, *mut MpInt) -> c_int;
        mp_exteuclid:
            fn(*const MpInt, *const MpInt, *mut MpInt, *mut MpInt, *mut MpInt) -> c_int;
        mp_prime_is_prime: fn(*const MpInt, c_int, *mut c_int) -> c_int;
    }
}

/// Loads the library; `None` if it is absent, or older than 1.2.
pub(crate) fn math() -> Option<Math> {
    let shared = Shared::open("", &["libtommath.so.1"]).ok()?;
    Math::load(&shared).ok()
}

/// A number. Dropping it frees it.
type Number = Cleared<MpInt>;

/// Rounds of Miller and Rabin, with an error of at most 4^-64.
const ROUNDS: c_int = 64;

/// `MP_VAL`: there is no inverse.
const NO_VALUE: c_int = -3;

impl Integers for Math {
    type Number = Number;
    type Scratch = ();

    fn api(&self, what: Arithmetic) -> Option<&'static str> {
        Some(match what {
            Arithmetic::Multiply => "mp_mul",
            Arithmetic::Square => "mp_sqr",
            Arithmetic::Divide => "mp_div",
            Arithmetic::Power => "mp_exptmod",
            // The library names no function for secret exponents.
            Arithmetic::SecretPower => return None,
            Arithmetic::Invert => "mp_invmod",
            Arithmetic::Xgcd => "mp_exteuclid",
            Arithmetic::Bezout => "mp_mul, mp_add, mp_cmp, mp_div",
            Arithmetic::PrimeTest => "mp_prime_is_prime with 64 rounds",
        })
    }

    fn scratch(&self) -> Result<(), Failure> {
        Ok(())
    }

    fn read(&self, negative: bool, magnitude: &[u8]) -> Result<Number, Failure> {
        let mut raw = MaybeUninit::<MpInt>::uninit();
        // SAFETY: a successful mp_init initialises the number, and the length is the slice's.
        let mut number = unsafe {
            ok("mp_init", (self.mp_init)(raw.as_mut_ptr()))?;
            Number::new(raw.assume_init(), self.mp_clear)
        };
        let (at, length) = (magnitude.as_ptr(), magnitude.len());
        let place = ptr::from_mut(&mut number.value);
        // SAFETY: the number is live and may be its own result, and the length is the slice's.
        unsafe {
            ok("mp_from_ubin", (self.mp_from_ubin)(place, at, length))?;
            if negative {
                ok("mp_neg", (self.mp_neg)(place, place))?;
            }
        }
        Ok(number)
    }

    fn is_negative(&self, number: &Number) -> bool {
        number.value.sign == 1
    }

    fn write(&self, number: &Number, bytes: &mut [u8]) -> Result<(), Failure> {
        let (room, mut written) = (bytes.len(), 0);
        // SAFETY: the number is live, and the length is the slice's.
        let code =
            unsafe { (self.mp_to_ubin)(&number.value, bytes.as_mut_ptr(), room, &mut written) };
        ok("mp_to_ubin", code)?;
        bytes.copy_within(..written, room - written);
        bytes[..room - written].fill(0);
        Ok(())
    }

    #[inline]
    fn calculate(
        &self,
        what: Arithmetic,
        (): &mut (),
        n: &[Number],
        results: &mut [Number],
    ) -> Result<(), Failure> {
        let at = |index: usize| &raw const n[index].value;
        // SAFETY: all numbers are live, the results are no operands, and no divisor is zero.
        unsafe {
            let (call, code) = match (what, results) {
                (Arithmetic::Multiply, [r]) => {
                    ("mp_mul", (self.mp_mul)(at(0), at(1), &mut r.value))
                }
                (Arithmetic::Square, [r]) => ("mp_sqr", (self.mp_sqr)(at(0), &mut r.value)),
                (Arithmetic::Divide, [q, r]) => {
                    let code = (self.mp_div)(at(0), at(1), &mut q.value, &mut r.value);
                    ("mp_div", code)
                }
                (Arithmetic::Power, [r]) => {
                    let code = (self.mp_exptmod)(at(0), at(1), at(2), &mut r.value);
                    ("mp_exptmod", code)
                }
                (Arithmetic::Invert, [r]) => {
                    let code = (self.mp_invmod)(at(0), at(1), &mut r.value);
                    if code == NO_VALUE {
                        return Err(Failure::Rejected);
                    }
                    ("mp_invmod", code)
                }
                (Arithmetic::Xgcd, [g, s, t]) => {
                    let (g, s, t) = (&mut g.value, &mut s.value, &mut t.value);
                    ("mp_exteuclid", (self.mp_exteuclid)(at(0), at(1), s, t, g))
                }
                (Arithmetic::Bezout, _) => return self.bezout(n),
                (Arithmetic::PrimeTest, _) => {
                    let mut prime = 0;
                    let code = (self.mp_prime_is_prime)(at(0), ROUNDS, &mut prime);
                    if code == 0 && prime == 0 {
                        return Err(Failure::Rejected);
                    }
                    ("mp_prime_is_prime", code)
                }
                _ => return Err(Failure::failed("another number of results")),
            };
            ok(call, code)
        }
    }
}

impl Math {
    /// Refuses `[a, b, g, s, t]`, unless g = s·a + t·b divides a and b.
    fn bezout(&self, n: &[Number]) -> Result<(), Failure> {
        let [a, b, g, s, t] = [0, 1, 2, 3, 4].map(|index: usize| &raw const n[index].value);
        let [mut sum, mut rest] = [self.read(false, &[])?, self.read(false, &[])?];
        let (sum, rest) = (
            ptr::from_mut(&mut sum.value),
            ptr::from_mut(&mut rest.value),
        );
        if n[2].value.used == 0 {
            return Err(Failure::Rejected);
        }
        // SAFETY: all numbers are live, and g is not zero. A result may be its own operand.
        unsafe {
            ok("mp_mul", (self.mp_mul)(s, a, sum))?;
            ok("mp_mul", (self.mp_mul)(t, b, rest))?;
            ok("mp_add", (self.mp_add)(sum, rest, sum))?;
            if (self.mp_cmp)(sum, g) != 0 {
                return Err(Failure::Rejected);
            }
            for number in [a, b] {
                ok("mp_div", (self.mp_div)(number, g, ptr::null_mut(), rest))?;
                if (*rest).used != 0 {
                    return Err(Failure::Rejected);
                }
            }
        }
        Ok(())
    }
}
