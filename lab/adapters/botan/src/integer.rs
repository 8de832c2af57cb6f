//! Integers by the functions `botan_mp_…` of the C interface.
#![allow(unsafe_code)]

use std::ffi::c_int;
use std::ptr;

use touchstone_worker::Failure;
use touchstone_worker::integer::{Arithmetic, Integers, right_aligned};

use crate::ffi::{Api, Handle, Object};

/// The prime test errs with a probability of at most 2^-128.
const CERTAINTY: usize = 128;

impl Integers for Api {
    type Number = Object;
    type Scratch = Object;

    fn api(&self, what: Arithmetic) -> Option<&'static str> {
        Some(match what {
            Arithmetic::Multiply => "botan_mp_mul",
            Arithmetic::Square => "botan_mp_mul with equal operands",
            Arithmetic::Divide => "botan_mp_div",
            // The function treats every exponent as a secret.
            Arithmetic::Power | Arithmetic::SecretPower => "botan_mp_powmod",
            Arithmetic::Invert => "botan_mp_mod_inverse",
            Arithmetic::PrimeTest => "botan_mp_is_prime with 128 bits",
            // The C interface gives no coefficients.
            Arithmetic::Xgcd | Arithmetic::Bezout => return None,
        })
    }

    fn scratch(&self) -> Result<Object, Failure> {
        self.random()
    }

    fn read(&self, negative: bool, magnitude: &[u8]) -> Result<Object, Failure> {
        let mut handle = ptr::null_mut();
        // SAFETY: a successful call writes the handle, and the length is the slice's.
        unsafe {
            self.ok("botan_mp_init", (self.botan_mp_init)(&mut handle))?;
            let number = Object::new(handle, self.botan_mp_destroy)?;
            let code = (self.botan_mp_from_bin)(handle, magnitude.as_ptr(), magnitude.len());
            self.ok("botan_mp_from_bin", code)?;
            if negative {
                self.ok("botan_mp_flip_sign", (self.botan_mp_flip_sign)(handle))?;
            }
            Ok(number)
        }
    }

    fn is_negative(&self, number: &Object) -> bool {
        // SAFETY: the number is live.
        unsafe { (self.botan_mp_is_negative)(number.object) == 1 }
    }

    fn write(&self, number: &Object, bytes: &mut [u8]) -> Result<(), Failure> {
        let mut length = 0;
        // SAFETY: the number is live; the function writes as many bytes as the number has, and the
        // slice has room for them.
        unsafe {
            let code = (self.botan_mp_num_bytes)(number.object, &mut length);
            self.ok("botan_mp_num_bytes", code)?;
            let room = right_aligned(bytes, length)?.as_mut_ptr();
            self.ok(
                "botan_mp_to_bin",
                (self.botan_mp_to_bin)(number.object, room),
            )
        }
    }

    #[inline]
    fn calculate(
        &self,
        what: Arithmetic,
        random: &mut Object,
        n: &[Object],
        results: &mut [Object],
    ) -> Result<(), Failure> {
        let at = |index: usize| -> Handle { n[index].object };
        // SAFETY: all numbers are live.
        let (call, code): (_, c_int) = unsafe {
            match (what, results) {
                (Arithmetic::Multiply, [r]) => {
                    let code = (self.botan_mp_mul)(r.object, at(0), at(1));
                    ("botan_mp_mul", code)
                }
                (Arithmetic::Square, [r]) => {
                    let code = (self.botan_mp_mul)(r.object, at(0), at(0));
                    ("botan_mp_mul", code)
                }
                (Arithmetic::Divide, [q, r]) => {
                    let code = (self.botan_mp_div)(q.object, r.object, at(0), at(1));
                    ("botan_mp_div", code)
                }
                (Arithmetic::Power | Arithmetic::SecretPower, [r]) => {
                    let code = (self.botan_mp_powmod)(r.object, at(0), at(1), at(2));
                    ("botan_mp_powmod", code)
                }
                (Arithmetic::Invert, [r]) => {
                    let code = (self.botan_mp_mod_inverse)(r.object, at(0), at(1));
                    if code == 0 && (self.botan_mp_is_zero)(r.object) == 1 {
                        return Err(Failure::Rejected);
                    }
                    ("botan_mp_mod_inverse", code)
                }
                (Arithmetic::PrimeTest, _) => {
                    match (self.botan_mp_is_prime)(at(0), random.object, CERTAINTY) {
                        0 => return Err(Failure::Rejected),
                        1 => ("botan_mp_is_prime", 0),
                        code => ("botan_mp_is_prime", code),
                    }
                }
                _ => return Err(Failure::failed("another number of results")),
            }
        };
        self.ok(call, code)
    }
}
