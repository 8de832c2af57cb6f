//! The functions of libgmp that the worker calls.
#![allow(unsafe_code)]

use std::ffi::{c_char, c_int, c_void};
use std::mem::MaybeUninit;

use touchstone_worker::integer::{Arithmetic, Integers, right_aligned};
use touchstone_worker::{Cleared, Failure, Shared, symbols, text};

/// `__mpz_struct` of <gmp.h>.
#[repr(C)]
pub(crate) struct Mpz {
    alloc: c_int,
    /// The number of limbs; below zero if the number is.
    size: c_int,
    limbs: *mut c_void,
}

symbols! {
    /// The functions of libgmp, as <gmp.h> declares them.
    struct Api {
        __gmpz_init, __gmpz_clear: fn(*mut Mpz) -> ();
        __gmpz_import: fn(*mut Mpz, usize, c_int, usize, c_int, usize, *const u8) -> ();
        __gmpz_export: fn(*mut u8, *mut usize, c_int, usize, c_int, usize, *const Mpz) -> *mut u8;
        __gmpz_sizeinbase: fn(*const Mpz, c_int) -> usize;
        __gmpz_mul, __gmpz_addmul: fn(*mut Mpz, *const Mpz, *const Mpz) -> ();
        __gmpz_cmp, __gmpz_divisible_p: fn(*const Mpz, *const Mpz) -> c_int;
        __gmpz_tdiv_qr: fn(*mut Mpz, *mut Mpz, *const Mpz, *const Mpz) -> ();
        __gmpz_powm, __gmpz_powm_sec: fn(*mut Mpz, *const Mpz, *const Mpz, *const Mpz) -> ();
        __gmpz_invert: fn(*mut Mpz, *const Mpz, *const Mpz) -> c_int;
        __gmpz_gcdext: fn(*mut Mpz, *mut Mpz, *mut Mpz, *const Mpz, *const Mpz) -> ();
        __gmpz_probab_prime_p: fn(*const Mpz, c_int) -> c_int;
    }
}

/// A loaded libgmp.
pub(crate) struct Gmp {
    pub(crate) api: Api,
    pub(crate) path: String,
    pub(crate) version: String,
}

impl Gmp {
    pub(crate) fn load(path: &str) -> Result<Self, String> {
        let shared = Shared::open(path, &["libgmp.so.10"])?;
        let api = Api::load(&shared)?;
        // SAFETY: the address of a variable of type `const char *`, which <gmp.h> declares; the
        // string is static.
        let version = unsafe {
            let variable = shared.symbol::<*const *const c_char>("__gmp_version");
            let variable = variable.ok_or("libgmp lacks the symbol __gmp_version")?;
            text(*variable).unwrap_or_default()
        };
        Ok(Self {
            api,
            version,
            path: shared.path,
        })
    }
}

/// A number. Dropping it frees it.
type Number = Cleared<Mpz>;

/// Rounds of the prime test: a Baillie-PSW test, which counts as 24 rounds, and 64 rounds of
/// Miller and Rabin, each of which a composite passes with a probability of at most 1/4.
const ROUNDS: c_int = 24 + 64;

impl Integers for Api {
    type Number = Number;
    type Scratch = ();

    fn api(&self, what: Arithmetic) -> Option<&'static str> {
        Some(match what {
            Arithmetic::Multiply => "mpz_mul",
            Arithmetic::Square => "mpz_mul with equal operands",
            Arithmetic::Divide => "mpz_tdiv_qr",
            Arithmetic::Power => "mpz_powm",
            Arithmetic::SecretPower => "mpz_powm_sec",
            Arithmetic::Invert => "mpz_invert",
            Arithmetic::Xgcd => "mpz_gcdext",
            Arithmetic::Bezout => "mpz_mul, mpz_addmul, mpz_cmp, mpz_divisible_p",
            Arithmetic::PrimeTest => "mpz_probab_prime_p with 88 rounds",
        })
    }

    fn scratch(&self) -> Result<(), Failure> {
        Ok(())
    }

    fn read(&self, negative: bool, magnitude: &[u8]) -> Result<Number, Failure> {
        let mut raw = MaybeUninit::<Mpz>::uninit();
        // SAFETY: mpz_init initialises the number, and the import reads as many bytes as the slice
        // has: words of one byte, the most significant first, of the host's order, no nails.
        let mut raw = unsafe {
            (self.__gmpz_init)(raw.as_mut_ptr());
            (self.__gmpz_import)(
                raw.as_mut_ptr(),
                magnitude.len(),
                1,
                1,
                0,
                0,
                magnitude.as_ptr(),
            );
            raw.assume_init()
        };
        if negative {
            raw.size = -raw.size;
        }
        // SAFETY: the number was initialised.
        Ok(unsafe { Number::new(raw, self.__gmpz_clear) })
    }

    fn is_negative(&self, number: &Number) -> bool {
        number.value.size < 0
    }

    fn write(&self, number: &Number, bytes: &mut [u8]) -> Result<(), Failure> {
        // SAFETY: the number is live.
        let bits = unsafe { (self.__gmpz_sizeinbase)(&number.value, 2) };
        let length = if number.value.size == 0 {
            0
        } else {
            bits.div_ceil(8)
        };
        let place = right_aligned(bytes, length)?.as_mut_ptr();
        // SAFETY: the number has `length` bytes, and so many has the place.
        unsafe {
            (self.__gmpz_export)(place, std::ptr::null_mut(), 1, 1, 0, 0, &number.value);
        }
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
        // divisor is zero, and that the modulus of a secret power is odd and its exponent positive.
        unsafe {
            match (what, results) {
                (Arithmetic::Multiply, [r]) => {
                    (self.__gmpz_mul)(&mut r.value, &n[0].value, &n[1].value)
                }
                (Arithmetic::Square, [r]) => {
                    (self.__gmpz_mul)(&mut r.value, &n[0].value, &n[0].value)
                }
                (Arithmetic::Divide, [q, r]) => {
                    (self.__gmpz_tdiv_qr)(&mut q.value, &mut r.value, &n[0].value, &n[1].value);
                }
                (Arithmetic::Power, [r]) => {
                    (self.__gmpz_powm)(&mut r.value, &n[0].value, &n[1].value, &n[2].value);
                }
                (Arithmetic::SecretPower, [r]) => {
                    (self.__gmpz_powm_sec)(&mut r.value, &n[0].value, &n[1].value, &n[2].value);
                }
                (Arithmetic::Invert, [r]) => {
                    if (self.__gmpz_invert)(&mut r.value, &n[0].value, &n[1].value) == 0 {
                        return Err(Failure::Rejected);
                    }
                }
                (Arithmetic::Xgcd, [g, s, t]) => {
                    let (g, s, t) = (&mut g.value, &mut s.value, &mut t.value);
                    (self.__gmpz_gcdext)(g, s, t, &n[0].value, &n[1].value);
                }
                (Arithmetic::Bezout, _) => {
                    let [a, b, g, s, t] = [0, 1, 2, 3, 4].map(|index: usize| &n[index].value);
                    let mut sum = self.read(false, &[])?;
                    (self.__gmpz_mul)(&mut sum.value, s, a);
                    (self.__gmpz_addmul)(&mut sum.value, t, b);
                    let divides = |number| (self.__gmpz_divisible_p)(number, g) != 0;
                    if (self.__gmpz_cmp)(&sum.value, g) != 0 || !divides(a) || !divides(b) {
                        return Err(Failure::Rejected);
                    }
                }
                (Arithmetic::PrimeTest, _) => {
                    if (self.__gmpz_probab_prime_p)(&n[0].value, ROUNDS) == 0 {
                        return Err(Failure::Rejected);
                    }
                }
                _ => return Err(Failure::failed("another number of results")),
            }
        }
        Ok(())
    }
}
