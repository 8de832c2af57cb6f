//! Integers by the functions of <openssl/bn.h>, which programs with arithmetic of their own call.
#![allow(unsafe_code)]

use std::ptr;

use touchstone_worker::Failure;
use touchstone_worker::integer::{Arithmetic, Integers};

use crate::ffi::{Api, Context, int};

impl Api {
    /// Makes a number from big-endian bytes.
    pub(crate) fn number(&self, bytes: &[u8]) -> Result<Context, Failure> {
        // SAFETY: the length is the slice's, and NULL asks for a new number, whose owner frees it.
        unsafe {
            let made = (self.BN_bin2bn)(bytes.as_ptr(), int(bytes.len())?, ptr::null_mut());
            Context::new(made, self.BN_free)
        }
    }

    /// Makes memory for calculations.
    pub(crate) fn memory(&self) -> Result<Context, Failure> {
        // SAFETY: the context is new, and its owner frees it.
        unsafe { Context::new((self.BN_CTX_new)(), self.BN_CTX_free) }
    }
}

impl Integers for Api {
    type Number = Context;
    type Scratch = Context;

    fn api(&self, what: Arithmetic) -> Option<&'static str> {
        Some(match what {
            Arithmetic::Multiply => "BN_mul",
            Arithmetic::Square => "BN_sqr",
            Arithmetic::Divide => "BN_div",
            Arithmetic::Power => "BN_mod_exp",
            Arithmetic::SecretPower => "BN_mod_exp_mont_consttime",
            Arithmetic::Invert => "BN_mod_inverse",
            // The library gives no coefficients.
            Arithmetic::Xgcd => return None,
            Arithmetic::Bezout => "BN_mul, BN_add, BN_cmp, BN_div",
            Arithmetic::PrimeTest => "BN_check_prime",
        })
    }

    fn scratch(&self) -> Result<Context, Failure> {
        self.memory()
    }

    fn read(&self, negative: bool, magnitude: &[u8]) -> Result<Context, Failure> {
        let number = self.number(magnitude)?;
        // SAFETY: the number is live.
        unsafe { (self.BN_set_negative)(number.object, negative.into()) };
        Ok(number)
    }

    fn is_negative(&self, number: &Context) -> bool {
        // SAFETY: the number is live.
        unsafe { (self.BN_is_negative)(number.object) != 0 }
    }

    fn write(&self, number: &Context, bytes: &mut [u8]) -> Result<(), Failure> {
        // SAFETY: the number is live, and the length is the slice's.
        let code =
            unsafe { (self.BN_bn2binpad)(number.object, bytes.as_mut_ptr(), int(bytes.len())?) };
        if code < 0 {
            return Err(Failure::failed("a result that is too long"));
        }
        Ok(())
    }

    #[inline]
    fn calculate(
        &self,
        what: Arithmetic,
        scratch: &mut Context,
        n: &[Context],
        results: &mut [Context],
    ) -> Result<(), Failure> {
        let memory = scratch.object;
        // SAFETY: all numbers and the context are live, and the results are no operands.
        unsafe {
            let (call, code) = match (what, results) {
                (Arithmetic::Multiply, [r]) => {
                    let code = (self.BN_mul)(r.object, n[0].object, n[1].object, memory);
                    ("BN_mul", code)
                }
                (Arithmetic::Square, [r]) => {
                    ("BN_sqr", (self.BN_sqr)(r.object, n[0].object, memory))
                }
                (Arithmetic::Divide, [q, r]) => {
                    let [q, r] = [q.object, r.object];
                    let code = (self.BN_div)(q, r, n[0].object, n[1].object, memory);
                    ("BN_div", code)
                }
                (Arithmetic::Power, [r]) => {
                    let [base, exponent, modulus] = [0, 1, 2].map(|index: usize| n[index].object);
                    let code = (self.BN_mod_exp)(r.object, base, exponent, modulus, memory);
                    ("BN_mod_exp", code)
                }
                (Arithmetic::SecretPower, [r]) => {
                    let code = (self.BN_mod_exp_mont_consttime)(
                        r.object,
                        n[0].object,
                        n[1].object,
                        n[2].object,
                        memory,
                        ptr::null_mut(),
                    );
                    ("BN_mod_exp_mont_consttime", code)
                }
                (Arithmetic::Invert, [r]) => {
                    let made = (self.BN_mod_inverse)(r.object, n[0].object, n[1].object, memory);
                    if made.is_null() {
                        (self.ERR_clear_error)();
                        return Err(Failure::Rejected);
                    }
                    ("BN_mod_inverse", 1)
                }
                (Arithmetic::Bezout, _) => return self.bezout(scratch, n),
                (Arithmetic::PrimeTest, _) => {
                    let code = (self.BN_check_prime)(n[0].object, memory, ptr::null_mut());
                    if code == 0 {
                        return Err(Failure::Rejected);
                    }
                    ("BN_check_prime", code)
                }
                _ => return Err(Failure::failed("another number of results")),
            };
            self.ok(call, code)
        }
    }
}

impl Api {
    /// Refuses `[a, b, g, s, t]`, unless g = s·a + t·b divides a and b.
    fn bezout(&self, scratch: &Context, n: &[Context]) -> Result<(), Failure> {
        let memory = scratch.object;
        let [a, b, g, s, t] = [0, 1, 2, 3, 4].map(|index: usize| n[index].object);
        let [sa, tb] = [self.number(&[])?, self.number(&[])?];
        let [sum, rest] = [sa.object, tb.object];
        // SAFETY: all numbers and the context are live; g is not zero where it divides.
        unsafe {
            self.ok("BN_mul", (self.BN_mul)(sum, s, a, memory))?;
            self.ok("BN_mul", (self.BN_mul)(rest, t, b, memory))?;
            self.ok("BN_add", (self.BN_add)(sum, sum, rest))?;
            if (self.BN_is_zero)(g) != 0 || (self.BN_cmp)(sum, g) != 0 {
                return Err(Failure::Rejected);
            }
            for number in [a, b] {
                let code = (self.BN_div)(ptr::null_mut(), rest, number, g, memory);
                self.ok("BN_div", code)?;
                if (self.BN_is_zero)(rest) == 0 {
                    return Err(Failure::Rejected);
                }
            }
        }
        Ok(())
    }
}
