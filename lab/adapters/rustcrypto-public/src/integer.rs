//! Integers of any size: `BoxedUint` of crypto-bigint.

use crypto_bigint::modular::{BoxedMontyForm, BoxedMontyParams};
use crypto_bigint::{BoxedUint, ConcatenatingMul, ConcatenatingSquare, NonZero, Odd};
use touchstone_worker::Failure;
use touchstone_worker::integer::{Arithmetic, Integers, right_aligned};

/// The type `BoxedUint`.
#[derive(Clone, Copy)]
pub(crate) struct BoxedIntegers;

fn divisor(number: &BoxedUint) -> Result<&NonZero<BoxedUint>, Failure> {
    let divisor = number.as_nz_vartime();
    divisor.ok_or_else(|| Failure::unsupported("division by zero"))
}

impl Integers for BoxedIntegers {
    type Number = BoxedUint;
    type Scratch = ();

    fn api(&self, what: Arithmetic) -> Option<&'static str> {
        Some(match what {
            Arithmetic::Multiply => "BoxedUint::concatenating_mul",
            Arithmetic::Square => "BoxedUint::concatenating_square",
            Arithmetic::Divide => "BoxedUint::div_rem_vartime",
            Arithmetic::SecretPower => {
                "BoxedMontyParams::new_vartime, BoxedMontyForm::new, pow, retrieve"
            }
            Arithmetic::Invert => "BoxedUint::invert_mod",
            _ => return None,
        })
    }

    fn scratch(&self) -> Result<(), Failure> {
        Ok(())
    }

    fn read(&self, negative: bool, magnitude: &[u8]) -> Result<BoxedUint, Failure> {
        if negative {
            return Err(Failure::unsupported("a number below zero"));
        }
        Ok(BoxedUint::from_be_slice_vartime(magnitude))
    }

    fn is_negative(&self, _: &BoxedUint) -> bool {
        false
    }

    fn write(&self, number: &BoxedUint, bytes: &mut [u8]) -> Result<(), Failure> {
        let digits = number.to_be_bytes_trimmed_vartime();
        right_aligned(bytes, digits.len())?.copy_from_slice(&digits);
        Ok(())
    }

    #[inline]
    fn calculate(
        &self,
        what: Arithmetic,
        (): &mut (),
        n: &[BoxedUint],
        results: &mut [BoxedUint],
    ) -> Result<(), Failure> {
        match (what, results) {
            (Arithmetic::Multiply, [r]) => *r = n[0].concatenating_mul(&n[1]),
            (Arithmetic::Square, [r]) => *r = n[0].concatenating_square(),
            (Arithmetic::Divide, [q, r]) => {
                (*q, *r) = n[0].div_rem_vartime(divisor(&n[1])?);
            }
            (Arithmetic::SecretPower, [r]) => {
                let odd = Odd::new(n[2].clone()).into_option();
                let odd = odd.ok_or_else(|| Failure::unsupported("an even modulus"))?;
                let parameters = BoxedMontyParams::new_vartime(odd);
                let base = n[0].rem_vartime(divisor(&n[2])?);
                *r = BoxedMontyForm::new(base, &parameters).pow(&n[1]).retrieve();
            }
            (Arithmetic::Invert, [r]) => {
                let modulus = divisor(&n[1])?;
                let inverse = n[0].rem_vartime(modulus).invert_mod(modulus);
                *r = inverse.into_option().ok_or(Failure::Rejected)?;
            }
            _ => return Err(Failure::failed("another number of results")),
        }
        Ok(())
    }
}
