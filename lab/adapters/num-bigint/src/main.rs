//! Worker for num-bigint, which is linked in. See `../README.md`.
#![forbid(unsafe_code)]

use std::process::ExitCode;

use num_bigint::{BigInt, Sign};
use num_integer::Integer as _;
use touchstone_worker::integer::{Arithmetic, Integers, right_aligned};
use touchstone_worker::{Adapter, Failure, Library, locked_version, serve_linked};

const LOCK: &str = include_str!("../../../../Cargo.lock");

/// The type `BigInt`.
#[derive(Clone, Copy)]
struct NumBigint;

impl Integers for NumBigint {
    type Number = BigInt;
    type Scratch = ();

    fn api(&self, what: Arithmetic) -> Option<&'static str> {
        Some(match what {
            Arithmetic::Multiply => "&BigInt * &BigInt",
            Arithmetic::Square => "&BigInt * &BigInt with equal operands",
            Arithmetic::Divide => "Integer::div_rem",
            Arithmetic::Power => "BigInt::modpow",
            Arithmetic::Invert => "BigInt::modinv",
            Arithmetic::Xgcd => "Integer::extended_gcd",
            Arithmetic::Bezout => "*, +, Integer::is_multiple_of",
            Arithmetic::SecretPower | Arithmetic::PrimeTest => return None,
        })
    }

    fn scratch(&self) -> Result<(), Failure> {
        Ok(())
    }

    fn read(&self, negative: bool, magnitude: &[u8]) -> Result<BigInt, Failure> {
        let sign = if negative { Sign::Minus } else { Sign::Plus };
        Ok(BigInt::from_bytes_be(sign, magnitude))
    }

    fn is_negative(&self, number: &BigInt) -> bool {
        number.sign() == Sign::Minus
    }

    fn write(&self, number: &BigInt, bytes: &mut [u8]) -> Result<(), Failure> {
        let (sign, digits) = number.to_bytes_be();
        // Zero has one digit, for which a result without bytes has no room.
        let digits = if sign == Sign::NoSign {
            &[]
        } else {
            &digits[..]
        };
        right_aligned(bytes, digits.len())?.copy_from_slice(digits);
        Ok(())
    }

    #[inline]
    fn calculate(
        &self,
        what: Arithmetic,
        (): &mut (),
        n: &[BigInt],
        results: &mut [BigInt],
    ) -> Result<(), Failure> {
        match (what, results) {
            (Arithmetic::Multiply, [r]) => *r = &n[0] * &n[1],
            (Arithmetic::Square, [r]) => *r = &n[0] * &n[0],
            (Arithmetic::Divide, [q, r]) => (*q, *r) = n[0].div_rem(&n[1]),
            (Arithmetic::Power, [r]) => *r = n[0].modpow(&n[1], &n[2]),
            (Arithmetic::Invert, [r]) => *r = n[0].modinv(&n[1]).ok_or(Failure::Rejected)?,
            (Arithmetic::Xgcd, [g, s, t]) => {
                let found = n[0].extended_gcd(&n[1]);
                (*g, *s, *t) = (found.gcd, found.x, found.y);
            }
            (Arithmetic::Bezout, _) => {
                let is_sum = &n[3] * &n[0] + &n[4] * &n[1] == n[2];
                let has_sign = n[2].sign() != Sign::NoSign;
                let divides = |number: &BigInt| has_sign && number.is_multiple_of(&n[2]);
                if !is_sum || !divides(&n[0]) || !divides(&n[1]) {
                    return Err(Failure::Rejected);
                }
            }
            _ => return Err(Failure::failed("another number of results")),
        }
        Ok(())
    }
}

impl Adapter for NumBigint {
    fn library(&self) -> Library {
        Library {
            name: "num-bigint".into(),
            version: locked_version(LOCK, "num-bigint").unwrap_or("?").into(),
            licence: "MIT OR Apache-2.0".into(),
            language: "Rust".into(),
            note: "integers only".into(),
            ..Library::default()
        }
    }

    touchstone_worker::families!(integer of |this| Some(*this));
}

fn main() -> ExitCode {
    serve_linked("num-bigint is", NumBigint)
}
