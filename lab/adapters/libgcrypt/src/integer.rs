//! Integers by the functions `gcry_mpi_…`.
#![allow(unsafe_code)]

use std::ffi::{c_int, c_uint};
use std::ptr;

use touchstone_worker::Failure;
use touchstone_worker::integer::{Arithmetic, Integers};

use crate::ffi::{Api, Handle, Open};

/// `GCRYMPI_FMT_USG`: the magnitude as big-endian bytes.
pub(crate) const UNSIGNED: c_int = 5;

impl Api {
    /// Makes a number from big-endian bytes.
    pub(crate) fn number(&self, bytes: &[u8]) -> Result<Open, Failure> {
        let (scan, at, length) = (self.gcry_mpi_scan, bytes.as_ptr(), bytes.len());
        // SAFETY: the length is the slice's, and a successful call writes the number.
        unsafe {
            Open::made(self.gcry_mpi_release, |number| {
                let error = scan(number, UNSIGNED, at, length, ptr::null_mut());
                self.ok("gcry_mpi_scan", error)
            })
        }
    }

    /// Writes the magnitude of a number as big-endian bytes that fill `bytes`.
    pub(crate) fn write_number(&self, number: Handle, bytes: &mut [u8]) -> Result<(), Failure> {
        let (room, mut written) = (bytes.len(), 0);
        // SAFETY: the number is live, and the length is the slice's. The function writes no more
        // bytes than that.
        let error = unsafe {
            (self.gcry_mpi_print)(UNSIGNED, bytes.as_mut_ptr(), room, &mut written, number)
        };
        self.ok("gcry_mpi_print", error)?;
        bytes.copy_within(..written, room - written);
        bytes[..room - written].fill(0);
        Ok(())
    }
}

impl Integers for Api {
    type Number = Open;
    type Scratch = ();

    fn api(&self, what: Arithmetic) -> Option<&'static str> {
        Some(match what {
            Arithmetic::Multiply => "gcry_mpi_mul",
            Arithmetic::Square => "gcry_mpi_mul with equal operands",
            Arithmetic::Divide => "gcry_mpi_div",
            Arithmetic::Power => "gcry_mpi_powm",
            Arithmetic::Invert => "gcry_mpi_invm",
            Arithmetic::PrimeTest => "gcry_prime_check",
            // Exponents are secret if they are in secure memory, which the worker does not have.
            // The library gives no coefficients.
            Arithmetic::SecretPower | Arithmetic::Xgcd | Arithmetic::Bezout => return None,
        })
    }

    fn scratch(&self) -> Result<(), Failure> {
        Ok(())
    }

    fn read(&self, negative: bool, magnitude: &[u8]) -> Result<Open, Failure> {
        let number = self.number(magnitude)?;
        if negative {
            // SAFETY: the number is live, and may be its own result.
            unsafe { (self.gcry_mpi_neg)(number.object, number.object) };
        }
        Ok(number)
    }

    fn is_negative(&self, number: &Open) -> bool {
        // SAFETY: the number is live.
        unsafe { (self.gcry_mpi_is_neg)(number.object) != 0 }
    }

    fn write(&self, number: &Open, bytes: &mut [u8]) -> Result<(), Failure> {
        self.write_number(number.object, bytes)
    }

    #[inline]
    fn calculate(
        &self,
        what: Arithmetic,
        (): &mut (),
        n: &[Open],
        results: &mut [Open],
    ) -> Result<(), Failure> {
        const TRUNCATE: c_int = 0;
        const NO_FLAGS: c_uint = 0;
        let at = |index: usize| -> Handle { n[index].object };
        // SAFETY: all numbers are live, the results are no operands, and no divisor is zero.
        unsafe {
            match (what, results) {
                (Arithmetic::Multiply, [r]) => (self.gcry_mpi_mul)(r.object, at(0), at(1)),
                (Arithmetic::Square, [r]) => (self.gcry_mpi_mul)(r.object, at(0), at(0)),
                (Arithmetic::Divide, [q, r]) => {
                    (self.gcry_mpi_div)(q.object, r.object, at(0), at(1), TRUNCATE);
                }
                (Arithmetic::Power, [r]) => (self.gcry_mpi_powm)(r.object, at(0), at(1), at(2)),
                (Arithmetic::Invert, [r]) => {
                    if (self.gcry_mpi_invm)(r.object, at(0), at(1)) == 0 {
                        return Err(Failure::Rejected);
                    }
                }
                (Arithmetic::PrimeTest, _) => {
                    if (self.gcry_prime_check)(at(0), NO_FLAGS) != 0 {
                        return Err(Failure::Rejected);
                    }
                }
                _ => return Err(Failure::failed("another number of results")),
            }
        }
        Ok(())
    }
}
