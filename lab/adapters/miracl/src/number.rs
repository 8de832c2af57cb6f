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
            unsafe { (self.api.negify)(number.big, number.big) };
        }
        Ok(number)
    }

    fn is_negative(&self, number: &Number) -> bool {
        // SAFETY: the number is live.
        unsafe { (self.api.exsign)(number.big) < 0 }
    }

    fn write(&self, number: &Number, bytes: &mut [u8]) -> Result<(), Failure> {
        let magnitude = self.api.number(&[])?;
        // SAFETY: both numbers are live.
        unsafe {
            match self.is_negative(number) {
                true => (self.api.negify)(number.big, magnitude.big),
                false => (self.api.copy)(number.big, magnitude.big),
            }
        }
        self.api.write(magnitude.big, bytes)
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
                (Arithmetic::Multiply, [r]) => (api.multiply)(n[0].big, n[1].big, r.big),
                (Arithmetic::Square, [r]) => (api.multiply)(n[0].big, n[0].big, r.big),
                (Arithmetic::Divide, [q, r]) => {
                    (api.copy)(n[0].big, r.big);
                    (api.divide)(r.big, n[1].big, q.big);
                }
                (Arithmetic::Power, [r]) => {
                    (api.powmod)(n[0].big, n[1].big, n[2].big, r.big);
                }
                (Arithmetic::Invert, [r]) => {
                    if (api.invmodp)(n[0].big, n[1].big, r.big) != 1 {
                        return Err(Failure::Rejected);
                    }
                }
                (Arithmetic::Xgcd, [g, s, t]) => {
                    (api.xgcd)(n[0].big, n[1].big, s.big, t.big, g.big);
                }
                (Arithmetic::Bezout, _) => {
                    let [a, b, g, s, t] = [0, 1, 2, 3, 4].map(|index: usize| n[index].big);
                    let [sum, product] = [api.number(&[])?, api.number(&[])?];
                    (api.multiply)(s, a, sum.big);
                    (api.multiply)(t, b, product.big);
                    (api.add)(sum.big, product.big, sum.big);
                    if (api.mr_compare)(sum.big, g) != 0 || (api.size)(g) == 0 {
                        return Err(Failure::Rejected);
                    }
                    for number in [a, b] {
                        (api.copy)(number, sum.big);
                        (api.divide)(sum.big, g, product.big);
                        if (api.size)(sum.big) != 0 {
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
