//! Integers of any size.
#![allow(unsafe_code)]

use std::thread::ThreadId;

use touchstone_worker::Failure;
use touchstone_worker::integer::{Arithmetic, Integers};

use crate::ffi::{Api, Miracl, Number, only_thread};

/// The library, and its thread.
#[derive(Clone, Copy)]
pub(crate) struct Bigs {
    api: Api,
    thread: ThreadId,
}

impl Bigs {
    pub(crate) fn of(miracl: &Miracl) -> Self {
        Self {
            api: miracl.api,
            thread: miracl.thread,
        }
    }
}

impl Integers for Bigs {
    type Number = Number;
    type Scratch = ();

    fn api(&self, what: Arithmetic) -> Option<&'static str> {
        Some(match what {
            Arithmetic::Multiply => "multiply",
            Arithmetic::Square => "multiply with equal operands",
            Arithmetic::Divide => "copy, divide",
            Arithmetic::Power => "powmod",
            Arithmetic::Invert => "invmodp",
            Arithmetic::Xgcd => "xgcd",
            Arithmetic::Bezout => "multiply, add, mr_compare, divide",
            Arithmetic::SecretPower | Arithmetic::PrimeTest => return None,
        })
    }

    fn scratch(&self) -> Result<(), Failure> {
        only_thread(self.thread)
    }

    fn read(&self, negative: bool, magnitude: &[u8]) -> Result<Number, Failure> {
        let number = self.api.number(magnitude)?;
        if negative {
            // SAFETY: the number is live.
            unsafe { (self.api.negify)(number.object, number.object) };
        }
        Ok(number)
    }

    fn is_negative(&self, number: &Number) -> bool {
        // SAFETY: the number is live.
        unsafe { (self.api.exsign)(number.object) < 0 }
    }

    fn write(&self, number: &Number, bytes: &mut [u8]) -> Result<(), Failure> {
        let magnitude = self.api.number(&[])?;
        // SAFETY: both numbers are live.
        unsafe {
            match self.is_negative(number) {
                true => (self.api.negify)(number.object, magnitude.object),
                false => (self.api.copy)(number.object, magnitude.object),
            }
        }
        self.api.write(magnitude.object, bytes)
    }

    #[inline]
    fn calculate(
        &self,
        what: Arithmetic,
        (): &mut (),
        n: &[Number],
        results: &mut [Number],
    ) -> Result<(), Failure> {
        let api = &self.api;
        // SAFETY: all numbers are live. The results are no operands. The caller has checked that no
        // divisor is zero and that a modulus is above 1.
        unsafe {
            match (what, results) {
                (Arithmetic::Multiply, [r]) => (api.multiply)(n[0].object, n[1].object, r.object),
                (Arithmetic::Square, [r]) => (api.multiply)(n[0].object, n[0].object, r.object),
                (Arithmetic::Divide, [q, r]) => {
                    (api.copy)(n[0].object, r.object);
                    (api.divide)(r.object, n[1].object, q.object);
                }
                (Arithmetic::Power, [r]) => {
                    (api.powmod)(n[0].object, n[1].object, n[2].object, r.object);
                }
                (Arithmetic::Invert, [r]) => {
                    if (api.invmodp)(n[0].object, n[1].object, r.object) != 1 {
                        return Err(Failure::Rejected);
                    }
                }
                (Arithmetic::Xgcd, [g, s, t]) => {
                    (api.xgcd)(n[0].object, n[1].object, s.object, t.object, g.object);
                }
                (Arithmetic::Bezout, _) => {
                    let [a, b, g, s, t] = [0, 1, 2, 3, 4].map(|index: usize| n[index].object);
                    let [sum, product] = [api.number(&[])?, api.number(&[])?];
                    (api.multiply)(s, a, sum.object);
                    (api.multiply)(t, b, product.object);
                    (api.add)(sum.object, product.object, sum.object);
                    if (api.mr_compare)(sum.object, g) != 0 || (api.size)(g) == 0 {
                        return Err(Failure::Rejected);
                    }
                    for number in [a, b] {
                        (api.copy)(number, sum.object);
                        (api.divide)(sum.object, g, product.object);
                        if (api.size)(sum.object) != 0 {
                            return Err(Failure::Rejected);
                        }
                    }
                }
                _ => return Err(Failure::failed("another number of results")),
            }
        }
        Ok(())
    }
}
