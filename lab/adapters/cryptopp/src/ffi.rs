//! The shim's C interface, as `../shim/shim.h` declares it.
#![allow(unsafe_code)]

use std::ffi::{CStr, c_char, c_int, c_void};
use std::ptr;

use touchstone_worker::{
    Contract, Failure, Offer, Shared, done, mapped_file, stays_in_place, symbols,
};

/// The number of the interface's version. The shim must have the same number.
const ABI: u32 = 3;
const FILE: &str = "libtouchstone-cryptopp.so";

symbols! {
    /// The functions of the shim.
    struct Api {
        touchstone_abi: fn() -> u32;
        touchstone_library_version, touchstone_header_version: fn() -> i32;
        touchstone_features, touchstone_reason: fn() -> *const c_char;
        touchstone_rows: fn() -> usize;
        touchstone_row: fn(usize, *mut Row) -> c_int;
        touchstone_make: fn(usize, *const Costs, *mut *mut c_void) -> c_int;
        touchstone_key: fn(*mut c_void, *const u8, usize) -> c_int;
        touchstone_process: fn(*mut c_void, *const CMessage, *mut u8, *mut usize) -> c_int;
        touchstone_free: fn(*mut c_void) -> ();

        touchstone_integer_new: fn(c_int, *const u8, usize) -> *mut c_void;
        touchstone_integer_free: fn(*mut c_void) -> ();
        touchstone_integer_is_negative: fn(*const c_void) -> c_int;
        touchstone_integer_write: fn(*const c_void, *mut u8, usize) -> c_int;
        touchstone_integer_calculate:
            fn(c_int, *const *mut c_void, *const *mut c_void) -> c_int;
        touchstone_public_new: fn(
            *const c_char, *const c_char, *const u8, usize, *const u8, usize, *mut *mut c_void,
        ) -> c_int;
        touchstone_public_key: fn(*mut c_void, *const u8, usize) -> c_int;
        touchstone_public_signature_bytes: fn(*const c_void) -> usize;
        touchstone_public_process: fn(
            *mut c_void, *const u8, usize, *const u8, usize, *mut u8, *mut usize,
        ) -> c_int;
        touchstone_public_free: fn(*mut c_void) -> ();

        touchstone_random_new: fn(
            *const c_char, *const u8, usize, *const u8, usize, *const u8, usize, *mut *mut c_void,
        ) -> c_int;
        touchstone_random_reseed: fn(*mut c_void, *const u8, usize, *const u8, usize) -> c_int;
        touchstone_random_generate: fn(*mut c_void, *const u8, usize, *mut u8, usize) -> c_int;
        touchstone_random_free: fn(*mut c_void) -> ();
    }
}

/// `struct touchstone_row` of the shim.
#[repr(C)]
pub(crate) struct Row {
    primitive: *const c_char,
    operation: *const c_char,
    api: *const c_char,
    kernel: *const c_char,
    note: *const c_char,
}

/// `struct touchstone_work` of the shim: lengths in bytes, and costs. A cost of 0 means that
/// no cost is given.
#[repr(C)]
#[derive(Clone, Copy)]
pub(crate) struct Costs {
    pub(crate) key: usize,
    pub(crate) nonce: usize,
    pub(crate) input: usize,
    /// The tag's length in bytes, or `usize::MAX` if no tag is requested.
    pub(crate) tag: usize,
    pub(crate) length: usize,
    pub(crate) iterations: u64,
    pub(crate) n: u64,
    pub(crate) r: u64,
    pub(crate) p: u64,
    pub(crate) rounds: u64,
    pub(crate) effective_bits: u64,
    pub(crate) counter: u64,
    pub(crate) drop: u64,
}

/// `struct touchstone_message` of the shim.
#[repr(C)]
pub(crate) struct CMessage {
    pub(crate) nonce: *const u8,
    pub(crate) aad: *const u8,
    pub(crate) input: *const u8,
    pub(crate) nonce_bytes: usize,
    pub(crate) aad_bytes: usize,
    pub(crate) input_bytes: usize,
}

/// A loaded shim, which has loaded Crypto++.
pub(crate) struct CryptoPp {
    pub(crate) api: Api,
    /// The path of Crypto++'s file.
    pub(crate) path: String,
    /// The path of the shim's file.
    pub(crate) shim: String,
    /// One offer for each row of the shim's table, in the table's order.
    pub(crate) rows: Vec<Offer>,
}

impl CryptoPp {
    /// Loads the shim: from `path`, or else from this program's folder, or else from the
    /// loader's search path.
    pub(crate) fn load(path: &str) -> Result<Self, String> {
        let shared = Shared::open_shim(path, FILE).map_err(|error| {
            format!("{error}; `make dist` builds this shim where Crypto++'s headers are")
        })?;
        let api = Api::load(&shared)?;
        // SAFETY: the function takes no arguments.
        let abi = unsafe { (api.touchstone_abi)() };
        if abi != ABI {
            return Err(format!(
                "{} speaks interface {abi}, not {ABI}; build it anew with \
                 `make -C lab/adapters/cryptopp`",
                shared.path
            ));
        }
        let rows = rows(&api)?;
        Ok(Self {
            api,
            path: mapped_file(&["libcrypto++.so", "libcryptopp.so"]),
            shim: shared.path,
            rows,
        })
    }

    /// Returns the version of the loaded library, for example "8.7.0".
    pub(crate) fn version(&self) -> String {
        // SAFETY: the function takes no arguments.
        dotted(unsafe { (self.api.touchstone_library_version)() })
    }

    /// Returns the version of the headers with which the shim was compiled.
    pub(crate) fn header_version(&self) -> String {
        // SAFETY: the function takes no arguments.
        dotted(unsafe { (self.api.touchstone_header_version)() })
    }

    /// Returns the CPU features that Crypto++ detected.
    pub(crate) fn features(&self) -> String {
        // SAFETY: the function takes no arguments and returns a static string.
        text(unsafe { (self.api.touchstone_features)() })
    }
}

impl Api {
    /// Converts the shim's status into a `Result`.
    #[inline]
    pub(crate) fn ok(&self, status: c_int) -> Result<(), Failure> {
        done(status == 0, || self.failure(status))
    }

    #[cold]
    fn failure(&self, status: c_int) -> Failure {
        if status == 2 {
            return Failure::Rejected;
        }
        // SAFETY: the function takes no arguments. The string stays valid until this thread's
        // next call.
        let reason = text(unsafe { (self.touchstone_reason)() });
        if status == 1 {
            Failure::Unsupported(reason)
        } else {
            Failure::Failed(reason)
        }
    }
}

fn rows(api: &Api) -> Result<Vec<Offer>, String> {
    // SAFETY: the function takes no arguments.
    let count = unsafe { (api.touchstone_rows)() };
    (0..count)
        .map(|index| {
            let mut row = Row {
                primitive: ptr::null(),
                operation: ptr::null(),
                api: ptr::null(),
                kernel: ptr::null(),
                note: ptr::null(),
            };
            // SAFETY: the index is less than the number of rows, and a successful call writes
            // the row.
            let status = unsafe { (api.touchstone_row)(index, &mut row) };
            api.ok(status).map_err(|failure| failure.to_string())?;
            let operation = text(row.operation);
            let in_place = stays_in_place(&operation);
            let offer = Offer {
                primitive: text(row.primitive),
                operation,
                api: text(row.api),
                kernel: text(row.kernel),
                note: text(row.note),
                contracts: Vec::new(),
            };
            Ok(offer.taking(Contract::InPlace, in_place))
        })
        .collect()
}

fn text(string: *const c_char) -> String {
    if string.is_null() {
        return String::new();
    }
    // SAFETY: strings of the shim end in a NUL.
    unsafe { CStr::from_ptr(string) }
        .to_string_lossy()
        .into_owned()
}

/// Converts Crypto++'s version number into text: 870 is "8.7.0".
fn dotted(version: i32) -> String {
    format!("{}.{}.{}", version / 100, version / 10 % 10, version % 10)
}

#[cfg(test)]
mod tests {
    #[test]
    fn versions_are_dotted() {
        assert_eq!(super::dotted(870), "8.7.0");
        assert_eq!(super::dotted(565), "5.6.5");
    }
}
