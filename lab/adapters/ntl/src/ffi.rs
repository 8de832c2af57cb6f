//! The shim's C interface, as `../shim/shim.cpp` defines it.
#![allow(unsafe_code)]

use std::ffi::{c_char, c_int, c_void};

use touchstone_worker::integer::{Arithmetic, Integers, pointers};
use touchstone_worker::{Failure, Owned, Shared, mapped_file, symbols, text};

/// The number of the interface's version. The shim must have the same number.
const ABI: u32 = 1;
const FILE: &str = "libtouchstone-ntl.so";

symbols! {
    /// The functions of the shim.
    struct Api {
        touchstone_ntl_abi: fn() -> u32;
        touchstone_ntl_version, touchstone_ntl_reason: fn() -> *const c_char;
        touchstone_ntl_new: fn(c_int, *const u8, usize) -> *mut c_void;
        touchstone_ntl_free: fn(*mut c_void) -> ();
        touchstone_ntl_is_negative: fn(*const c_void) -> c_int;
        touchstone_ntl_write: fn(*const c_void, *mut u8, usize) -> c_int;
        touchstone_ntl_calculate: fn(c_int, *const *mut c_void, *const *mut c_void) -> c_int;
    }
}

/// A loaded shim, which has loaded NTL.
pub(crate) struct Ntl {
    pub(crate) api: Api,
    /// The version of the headers; the library does not tell its own.
    pub(crate) version: String,
    /// The path of NTL's file.
    pub(crate) path: String,
    /// The path of the shim's file.
    pub(crate) shim: String,
}

impl Ntl {
    /// Loads the shim: from `path`, or else from this program's folder, or else from the loader's
    /// search path.
    pub(crate) fn load(path: &str) -> Result<Self, String> {
        let shared = Shared::open_shim(path, FILE).map_err(|error| {
            format!("{error}; `make dist` builds this shim where NTL's headers are")
        })?;
        let api = Api::load(&shared)?;
        // SAFETY: the functions take no arguments, and the string is static.
        let (abi, version) = unsafe {
            let version = text((api.touchstone_ntl_version)());
            ((api.touchstone_ntl_abi)(), version.unwrap_or_default())
        };
        if abi != ABI {
            return Err(format!(
                "{} speaks interface {abi}, not {ABI}; build it anew with \
                 `make -C lab/adapters/ntl`",
                shared.path
            ));
        }
        Ok(Self {
            api,
            version,
            path: mapped_file(&["libntl.so"]),
            shim: shared.path,
        })
    }
}

/// Returns the number of a calculation in the shim's `enum Arithmetic`, and NTL's call.
fn call(what: Arithmetic) -> Option<(c_int, &'static str)> {
    Some(match what {
        Arithmetic::Multiply => (0, "mul"),
        Arithmetic::Square => (1, "sqr"),
        Arithmetic::Divide => (2, "DivRem"),
        Arithmetic::Power => (3, "PowerMod"),
        Arithmetic::Invert => (4, "InvModStatus"),
        Arithmetic::Xgcd => (5, "XGCD"),
        Arithmetic::Bezout => (6, "mul, add, divide"),
        Arithmetic::PrimeTest => (7, "ProbPrime with 64 rounds"),
        Arithmetic::SecretPower => return None,
    })
}

impl Api {
    #[cold]
    fn failure(&self, status: c_int) -> Failure {
        // SAFETY: the function takes no arguments. The string stays valid until this thread's next
        // call.
        let reason = unsafe { text((self.touchstone_ntl_reason)()) }.unwrap_or_default();
        match status {
            1 => Failure::unsupported(reason),
            2 => Failure::Rejected,
            _ => Failure::failed(reason),
        }
    }
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
                (self.touchstone_ntl_new)(negative.into(), at, length),
                self.touchstone_ntl_free,
            )
        }
    }

    fn is_negative(&self, number: &Owned) -> bool {
        // SAFETY: the number is live.
        unsafe { (self.touchstone_ntl_is_negative)(number.object) != 0 }
    }

    fn write(&self, number: &Owned, bytes: &mut [u8]) -> Result<(), Failure> {
        let (at, length) = (bytes.as_mut_ptr(), bytes.len());
        // SAFETY: the number is live, and the length is the slice's.
        match unsafe { (self.touchstone_ntl_write)(number.object, at, length) } {
            0 => Ok(()),
            status => Err(self.failure(status)),
        }
    }

    #[inline]
    fn calculate(
        &self,
        what: Arithmetic,
        (): &mut (),
        operands: &[Owned],
        results: &mut [Owned],
    ) -> Result<(), Failure> {
        let (number, _) = call(what).ok_or_else(|| Failure::unsupported("this calculation"))?;
        let operands: [_; 5] = pointers(operands);
        let results: [_; 3] = pointers(results);
        // SAFETY: all numbers are live, and there are as many as the calculation has. The caller has
        // checked that no divisor is zero and that a modulus is above 1.
        let status =
            unsafe { (self.touchstone_ntl_calculate)(number, operands.as_ptr(), results.as_ptr()) };
        match status {
            0 => Ok(()),
            status => Err(self.failure(status)),
        }
    }
}
