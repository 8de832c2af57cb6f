//! The functions of libflint that the worker calls.
#![allow(unsafe_code)]

use std::ffi::{c_char, c_int, c_long, c_ulong};

use touchstone_worker::integer::{Arithmetic, Integers, right_aligned};
use touchstone_worker::{Failure, Shared, symbols, text};

/// `fmpz` of <flint/fmpz.h>: a small number, or a mark and the place of a large one.
type Fmpz = c_long;

symbols! {
    /// The functions of libflint, as <flint/fmpz.h> declares them.
    struct Api {
        _fmpz_clear_mpz: fn(Fmpz) -> ();
        fmpz_set_ui_array: fn(*mut Fmpz, *const c_ulong, c_long) -> ();
        fmpz_get_ui_array: fn(*mut c_ulong, c_long, *const Fmpz) -> ();
        fmpz_mul_si: fn(*mut Fmpz, *const Fmpz, c_long) -> ();
        fmpz_size: fn(*const Fmpz) -> c_long;
        fmpz_sgn: fn(*const Fmpz) -> c_int;
        fmpz_abs: fn(*mut Fmpz, *const Fmpz) -> ();
        fmpz_equal, fmpz_divisible: fn(*const Fmpz, *const Fmpz) -> c_int;
        fmpz_mul, fmpz_addmul: fn(*mut Fmpz, *const Fmpz, *const Fmpz) -> ();
        fmpz_tdiv_qr: fn(*mut Fmpz, *mut Fmpz, *const Fmpz, *const Fmpz) -> ();
        fmpz_powm: fn(*mut Fmpz, *const Fmpz, *const Fmpz, *const Fmpz) -> ();
        fmpz_invmod: fn(*mut Fmpz, *const Fmpz, *const Fmpz) -> c_int;
        fmpz_xgcd: fn(*mut Fmpz, *mut Fmpz, *mut Fmpz, *const Fmpz, *const Fmpz) -> ();
    }
}

/// A loaded libflint.
pub(crate) struct Flint {
    pub(crate) api: Api,
    pub(crate) path: String,
    pub(crate) version: String,
}

impl Flint {
    pub(crate) fn load(path: &str) -> Result<Self, String> {
        let shared = Shared::open(path, &["libflint.so.*"])?;
        let api = Api::load(&shared)?;
        // SAFETY: the address of an array of characters that ends in a NUL, which <flint/flint.h>
        // declares; it is static.
        let version = unsafe {
            let array = shared.symbol::<*const c_char>("flint_version");
            let array = array.ok_or("libflint lacks the symbol flint_version")?;
            text(array).unwrap_or_default()
        };
        Ok(Self {
            api,
            version,
            path: shared.path,
        })
    }

    /// Returns the licence, which version 3.1 changed.
    pub(crate) fn licence(&self) -> &'static str {
        if self.version.starts_with("2.") || self.version.starts_with("3.0") {
            "LGPL-2.1-or-later"
        } else {
            "LGPL-3.0-or-later"
        }
    }
}

/// A number. Dropping it frees it.
pub(crate) struct Number {
    raw: Fmpz,
    clear: unsafe extern "C" fn(Fmpz),
}

impl Drop for Number {
    fn drop(&mut self) {
        // The mark of a large number is in the two highest bits (fmpz.h, COEFF_IS_MPZ).
        if self.raw >> (Fmpz::BITS - 2) == 1 {
            // SAFETY: the number is a large one, and is freed once.
            unsafe { (self.clear)(self.raw) };
        }
    }
}

/// The bytes of a limb.
const LIMB: usize = size_of::<c_ulong>();

impl Integers for Api {
    type Number = Number;
    type Scratch = ();

    fn api(&self, what: Arithmetic) -> Option<&'static str> {
        Some(match what {
            Arithmetic::Multiply => "fmpz_mul",
            Arithmetic::Square => "fmpz_mul with equal operands",
            Arithmetic::Divide => "fmpz_tdiv_qr",
            Arithmetic::Power => "fmpz_powm",
            Arithmetic::Invert => "fmpz_invmod",
            Arithmetic::Xgcd => "fmpz_xgcd",
            Arithmetic::Bezout => "fmpz_mul, fmpz_addmul, fmpz_equal, fmpz_divisible",
            Arithmetic::SecretPower | Arithmetic::PrimeTest => return None,
        })
    }

    fn scratch(&self) -> Result<(), Failure> {
        Ok(())
    }

    fn read(&self, negative: bool, magnitude: &[u8]) -> Result<Number, Failure> {
        let limb = |bytes: &[u8]| {
            let fold = |limb: c_ulong, byte: &u8| limb << 8 | c_ulong::from(*byte);
            bytes.iter().fold(0, fold)
        };
        let mut limbs: Vec<c_ulong> = magnitude.rchunks(LIMB).map(limb).collect();
        if limbs.is_empty() {
            limbs.push(0);
        }
        let mut number = Number {
            raw: 0,
            clear: self._fmpz_clear_mpz,
        };
        // SAFETY: zero is a valid number, and the length is the vector's.
        unsafe {
            (self.fmpz_set_ui_array)(&mut number.raw, limbs.as_ptr(), limbs.len() as c_long);
            if negative {
                let old = number.raw;
                (self.fmpz_mul_si)(&mut number.raw, &old, -1);
            }
        }
        Ok(number)
    }

    fn is_negative(&self, number: &Number) -> bool {
        // SAFETY: the number is live.
        unsafe { (self.fmpz_sgn)(&number.raw) < 0 }
    }

    fn write(&self, number: &Number, bytes: &mut [u8]) -> Result<(), Failure> {
        let mut magnitude = self.read(false, &[])?;
        // SAFETY: both numbers are live, and the vector has room for the limbs.
        let limbs = unsafe {
            (self.fmpz_abs)(&mut magnitude.raw, &number.raw);
            let length = (self.fmpz_size)(&magnitude.raw).max(1);
            let mut limbs: Vec<c_ulong> = vec![0; length as usize];
            (self.fmpz_get_ui_array)(limbs.as_mut_ptr(), length, &magnitude.raw);
            limbs
        };
        let all: Vec<u8> = limbs
            .iter()
            .rev()
            .flat_map(|limb| limb.to_be_bytes())
            .collect();
        let zeros = all.iter().take_while(|byte| **byte == 0).count();
        let digits = &all[zeros..];
        right_aligned(bytes, digits.len())?.copy_from_slice(digits);
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
        // SAFETY: all numbers are live. The results are no operands. The caller has checked that no
        // divisor is zero and that a modulus is above 1.
        unsafe {
            match (what, results) {
                (Arithmetic::Multiply, [r]) => (self.fmpz_mul)(&mut r.raw, &n[0].raw, &n[1].raw),
                (Arithmetic::Square, [r]) => (self.fmpz_mul)(&mut r.raw, &n[0].raw, &n[0].raw),
                (Arithmetic::Divide, [q, r]) => {
                    (self.fmpz_tdiv_qr)(&mut q.raw, &mut r.raw, &n[0].raw, &n[1].raw);
                }
                (Arithmetic::Power, [r]) => {
                    (self.fmpz_powm)(&mut r.raw, &n[0].raw, &n[1].raw, &n[2].raw);
                }
                (Arithmetic::Invert, [r]) => {
                    if (self.fmpz_invmod)(&mut r.raw, &n[0].raw, &n[1].raw) == 0 {
                        return Err(Failure::Rejected);
                    }
                }
                (Arithmetic::Xgcd, [g, s, t]) => {
                    let (g, s, t) = (&mut g.raw, &mut s.raw, &mut t.raw);
                    (self.fmpz_xgcd)(g, s, t, &n[0].raw, &n[1].raw);
                }
                (Arithmetic::Bezout, _) => {
                    let [a, b, g, s, t] = [0, 1, 2, 3, 4].map(|index: usize| &n[index].raw);
                    let mut sum = self.read(false, &[])?;
                    (self.fmpz_mul)(&mut sum.raw, s, a);
                    (self.fmpz_addmul)(&mut sum.raw, t, b);
                    let has_divisor = (self.fmpz_sgn)(g) != 0;
                    let divides = |number| has_divisor && (self.fmpz_divisible)(number, g) != 0;
                    if (self.fmpz_equal)(&sum.raw, g) == 0 || !divides(a) || !divides(b) {
                        return Err(Failure::Rejected);
                    }
                }
                _ => return Err(Failure::failed("another number of results")),
            }
        }
        Ok(())
    }
}
