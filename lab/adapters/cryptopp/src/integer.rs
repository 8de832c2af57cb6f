//! Integers by the class `Integer`.
#![allow(unsafe_code)]

use std::ffi::c_int;

use touchstone_worker::integer::{Arithmetic, Integers, pointers};
use touchstone_worker::{Failure, Owned};

use crate::ffi::Api;

/// Returns the number of a calculation in `enum touchstone_arithmetic`, and Crypto++'s call.
fn call(what: Arithmetic) -> Option<(c_int, &'static str)> {
    Some(match what {
        Arithmetic::Multiply => (0, "Integer::Times"),
        Arithmetic::Square => (1, "Integer::Squared"),
        Arithmetic::Divide => (2, "Integer::Divide"),
        Arithmetic::Power => (3, "a_exp_b_mod_c"),
        Arithmetic::Invert => (4, "Integer::InverseMod"),
        Arithmetic::PrimeTest => (5, "IsPrime, RabinMillerTest with 64 rounds"),
        // The library gives no coefficients, and names no function for secret exponents.
        Arithmetic::SecretPower | Arithmetic::Xgcd | Arithmetic::Bezout => return None,
    })
}

impl Integers for Api {
    type Number = Owned;
    type Scratch = ();

    fn api(&self, what: Arithmetic) -> Option<&'static str> {
        call(what).map(|(_, api)| api)
    }

    fn scratch(&self) -> Result<(), Failure> {
        Ok(())
    }

    fn read(&self, negative: bool, magnitude: &[u8]) -> Result<Owned, Failure> {
        let (at, length) = (magnitude.as_ptr(), magnitude.len());
        // SAFETY: the length is the slice's, and the shim made the number.
        unsafe {
            Owned::new(
                (self.touchstone_integer_new)(negative.into(), at, length),
                self.touchstone_integer_free,
            )
        }
    }

    fn is_negative(&self, number: &Owned) -> bool {
        // SAFETY: the number is live.
        unsafe { (self.touchstone_integer_is_negative)(number.object) != 0 }
    }

    fn write(&self, number: &Owned, bytes: &mut [u8]) -> Result<(), Failure> {
        let (at, length) = (bytes.as_mut_ptr(), bytes.len());
        // SAFETY: the number is live, and the length is the slice's.
        self.ok(unsafe { (self.touchstone_integer_write)(number.object, at, length) })
    }

    #[inline]
    fn calculate(
        &self,
        what: Arithmetic,
        (): &mut (),
        operands: &[Owned],
        results: &mut [Owned],
    ) -> Result<(), Failure> {
        let (number, _) = call(what).ok_or_else(|| Failure::failed("no such calculation"))?;
        let operands: [_; 3] = pointers(operands);
        let results: [_; 3] = pointers(results);
        // SAFETY: all numbers are live, and there are as many as the calculation has.
        let status = unsafe {
            (self.touchstone_integer_calculate)(number, operands.as_ptr(), results.as_ptr())
        };
        self.ok(status)
    }
}
