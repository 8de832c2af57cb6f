//! The functions of libgcrypt that the worker calls, and handles that are freed when they are
//! dropped.
#![allow(unsafe_code)]

use std::ffi::{c_char, c_int, c_uint, c_ulong, c_void};
use std::ptr;

use touchstone_worker::{Failure, Message, Owned, Plan, Shared, c_string, done, symbols, text};

/// An opaque handle of libgcrypt.
pub(crate) type Handle = *mut c_void;

symbols! {
    /// The functions of libgcrypt, as <gcrypt.h> declares them.
    struct Api {
        gcry_check_version: fn(*const c_char) -> *const c_char;
        gcry_strerror: fn(c_uint) -> *const c_char;
        gcry_free: fn(*mut c_void) -> ();
        gcry_get_config: fn(c_int, *const c_char) -> *mut c_char, ?;

        gcry_randomize: fn(*mut c_void, usize, c_int) -> ();
        gcry_create_nonce: fn(*mut c_void, usize) -> ();

        gcry_cipher_open: fn(*mut Handle, c_int, c_int, c_uint) -> c_uint;
        gcry_cipher_close: fn(Handle) -> ();
        gcry_cipher_ctl: fn(Handle, c_int, *mut c_void, usize) -> c_uint;
        gcry_cipher_info: fn(Handle, c_int, *mut c_void, *mut usize) -> c_uint;
        gcry_cipher_setkey, gcry_cipher_setiv: fn(Handle, *const u8, usize) -> c_uint;
        gcry_cipher_setctr, gcry_cipher_authenticate: fn(Handle, *const u8, usize) -> c_uint;
        gcry_cipher_checktag: fn(Handle, *const u8, usize) -> c_uint;
        gcry_cipher_encrypt: fn(Handle, *mut u8, usize, *const u8, usize) -> c_uint;
        gcry_cipher_decrypt: fn(Handle, *mut u8, usize, *const u8, usize) -> c_uint;
        gcry_cipher_gettag: fn(Handle, *mut u8, usize) -> c_uint;
        gcry_cipher_get_algo_keylen, gcry_cipher_get_algo_blklen: fn(c_int) -> usize;

        gcry_md_open: fn(*mut Handle, c_int, c_uint) -> c_uint;
        gcry_md_close, gcry_md_reset: fn(Handle) -> ();
        gcry_md_write: fn(Handle, *const u8, usize) -> ();
        gcry_md_read: fn(Handle, c_int) -> *const u8;
        gcry_md_extract: fn(Handle, c_int, *mut u8, usize) -> c_uint;
        gcry_md_get_algo_dlen: fn(c_int) -> c_uint;

        gcry_mac_open: fn(*mut Handle, c_int, c_uint, *mut c_void) -> c_uint;
        gcry_mac_close: fn(Handle) -> ();
        gcry_mac_ctl: fn(Handle, c_int, *mut c_void, usize) -> c_uint;
        gcry_mac_setkey, gcry_mac_setiv, gcry_mac_write: fn(Handle, *const u8, usize) -> c_uint;
        gcry_mac_read: fn(Handle, *mut u8, *mut usize) -> c_uint;
        gcry_mac_get_algo_maclen: fn(c_int) -> c_uint;

        gcry_mpi_release: fn(Handle) -> ();
        gcry_mpi_scan: fn(*mut Handle, c_int, *const u8, usize, *mut usize) -> c_uint;
        gcry_mpi_print: fn(c_int, *mut u8, usize, *mut usize, Handle) -> c_uint;
        gcry_mpi_is_neg: fn(Handle) -> c_int;
        gcry_mpi_neg: fn(Handle, Handle) -> ();
        gcry_mpi_mul: fn(Handle, Handle, Handle) -> ();
        gcry_mpi_div: fn(Handle, Handle, Handle, Handle, c_int) -> ();
        gcry_mpi_powm: fn(Handle, Handle, Handle, Handle) -> ();
        gcry_mpi_invm: fn(Handle, Handle, Handle) -> c_int;
        gcry_prime_check: fn(Handle, c_uint) -> c_uint;

        gcry_ctx_release, gcry_mpi_point_release: fn(Handle) -> ();
        gcry_mpi_ec_new: fn(*mut Handle, Handle, *const c_char) -> c_uint;
        gcry_mpi_ec_get_point: fn(*const c_char, Handle, c_int) -> Handle;
        gcry_mpi_ec_decode_point: fn(Handle, Handle, Handle) -> c_uint;
        gcry_mpi_ec_curve_point: fn(Handle, Handle) -> c_int;
        gcry_mpi_ec_mul: fn(Handle, Handle, Handle, Handle) -> ();
        gcry_mpi_ec_get_affine: fn(Handle, Handle, Handle, Handle) -> c_int;
        gcry_mpi_point_new: fn(c_uint) -> Handle;

        gcry_mpi_ec_get_mpi: fn(*const c_char, Handle, c_int) -> Handle;
        gcry_ecc_mul_point: fn(c_int, *mut u8, *const u8, *const u8) -> c_uint, ?;
        gcry_sexp_build_array: fn(*mut Handle, *mut usize, *const c_char, *mut Handle) -> c_uint;
        gcry_sexp_release: fn(Handle) -> ();
        gcry_sexp_find_token: fn(Handle, *const c_char, usize) -> Handle;
        gcry_sexp_nth_data: fn(Handle, c_int, *mut usize) -> *const u8;
        gcry_pk_sign, gcry_pk_encrypt, gcry_pk_decrypt: fn(*mut Handle, Handle, Handle) -> c_uint;
        gcry_pk_verify: fn(Handle, Handle, Handle) -> c_uint;
        gcry_md_hash_buffer: fn(c_int, *mut u8, *const u8, usize) -> ();

        gcry_kdf_derive: fn(*const u8, usize, c_int, c_int, *const u8, usize, c_ulong, usize, *mut u8) -> c_uint;
        gcry_kdf_open: fn(*mut Handle, c_int, c_int, *const c_ulong, c_uint, *const u8, usize, *const u8, usize, *const u8, usize, *const u8, usize) -> c_uint, ?;
        gcry_kdf_compute: fn(Handle, *const c_void) -> c_uint, ?;
        gcry_kdf_final: fn(Handle, usize, *mut u8) -> c_uint, ?;
        gcry_kdf_close: fn(Handle) -> (), ?;
    }
}

/// `gcry_control`, which has variable arguments, like `printf`.
type Control = unsafe extern "C" fn(c_int, ...) -> c_uint;

/// `GCRYCTL_RESET`: returns a handle to its state after the key was set.
pub(crate) const RESET: c_int = 4;

/// `GCRYCTL_SET_SBOX`: selects an S-box of GOST 28147-89 by its object identifier (OID).
pub(crate) const SET_SBOX: c_int = 73;

/// The error codes of <gpg-error.h> that the worker distinguishes, without the bits that name
/// the source of an error.
pub(crate) mod code {
    pub(crate) const DIGEST_ALGO: u32 = 5;
    pub(crate) const CHECKSUM: u32 = 10;
    pub(crate) const CIPHER_ALGO: u32 = 12;
    pub(crate) const WEAK_KEY: u32 = 43;
    pub(crate) const INV_KEYLEN: u32 = 44;
    pub(crate) const INV_ARG: u32 = 45;
    pub(crate) const INV_VALUE: u32 = 55;
    pub(crate) const NOT_SUPPORTED: u32 = 60;
    pub(crate) const INV_OP: u32 = 61;
    pub(crate) const INV_CIPHER_MODE: u32 = 71;
    pub(crate) const INV_DATA: u32 = 79;
    pub(crate) const INV_LENGTH: u32 = 139;
    pub(crate) const UNKNOWN_ALGORITHM: u32 = 149;
    pub(crate) const MAC_ALGO: u32 = 197;
    pub(crate) const BUFFER_TOO_SHORT: u32 = 200;
}

/// A loaded and initialised libgcrypt.
pub(crate) struct Gcrypt {
    pub(crate) api: Api,
    pub(crate) path: String,
    /// The version as the library reports it, for example "1.10.1".
    pub(crate) version: String,
    /// The CPU features that the library detected and uses.
    pub(crate) features: String,
    /// Whether the library is in FIPS mode, in which it has fewer algorithms.
    pub(crate) fips: bool,
}

impl Gcrypt {
    /// Loads libgcrypt and initialises it as the manual requires of every program: check the
    /// version, disable secure memory, finish the initialisation.
    pub(crate) fn load(path: &str) -> Result<Self, String> {
        const DISABLE_SECMEM: c_int = 37;
        const INITIALIZATION_FINISHED: c_int = 38;
        const FIPS_MODE_P: c_int = 55;
        const DISABLE_HWF: c_int = 63;
        /// The variable with the names of CPU features that the library must not use, separated
        /// by commas.
        const WITHOUT: &str = "TOUCHSTONE_GCRYPT_WITHOUT";
        let shared = Shared::open(path, &["libgcrypt.so.20"])?;
        let too_old = |lack: String| format!("{lack}; it takes libgcrypt 1.8 or later");
        let api = Api::load(&shared).map_err(too_old)?;
        // SAFETY: this is gcry_control's prototype.
        let control = unsafe { shared.symbol::<Control>("gcry_control") }
            .ok_or_else(|| too_old(format!("{} lacks the symbol gcry_control", shared.path)))?;
        // This must be the first call, because the library selects its code when it starts.
        for name in std::env::var(WITHOUT).unwrap_or_default().split(',') {
            let name = c_string(name);
            // SAFETY: the control takes a C string and NULL. If this version does not know the
            // feature, it returns an error, which the worker ignores.
            unsafe { control(DISABLE_HWF, name.as_ptr(), ptr::null::<c_char>()) };
        }
        // SAFETY: NULL means that no minimum version is required. The answer is a static
        // string. The controls take one integer, or no argument.
        let (version, fips) = unsafe {
            let version = text((api.gcry_check_version)(ptr::null()));
            let version = version.ok_or("libgcrypt refuses to start: gcry_check_version failed")?;
            control(DISABLE_SECMEM, 0 as c_int);
            if control(INITIALIZATION_FINISHED, 0 as c_int) != 0 {
                return Err("libgcrypt refuses to finish its initialisation".into());
            }
            (version, control(FIPS_MODE_P, 0 as c_int) != 0)
        };
        Ok(Self {
            features: features(&api),
            api,
            path: shared.path,
            version,
            fips,
        })
    }
}

/// Returns the CPU features, from the line `hwflist:…:` of the library's configuration.
fn features(api: &Api) -> String {
    let Some(get_config) = api.gcry_get_config else {
        return String::new();
    };
    // SAFETY: the arguments are mode 0 and a C string. The answer is NULL or a C string that
    // the worker must free with gcry_free.
    let line = unsafe {
        let line = get_config(0, c"hwflist".as_ptr());
        let copy = text(line).unwrap_or_default();
        (api.gcry_free)(line.cast());
        copy
    };
    let words = line.trim().split(':').skip(1).filter(|w| !w.is_empty());
    words.collect::<Vec<_>>().join(" ")
}

impl Api {
    /// Converts an error code into a `Result` with the library's error text. The codes for an
    /// invalid and for an unknown value mean that the library does not support the parameters.
    #[inline]
    pub(crate) fn ok(&self, what: &str, error: c_uint) -> Result<(), Failure> {
        done(error == 0, || self.failure(what, error))
    }

    #[cold]
    fn failure(&self, what: &str, error: c_uint) -> Failure {
        // SAFETY: gcry_strerror returns a static string for any code.
        let words = unsafe { text((self.gcry_strerror)(error)) }.unwrap_or_default();
        let text = format!("{what}: {words}");
        match error & 0xffff {
            code::CIPHER_ALGO
            | code::DIGEST_ALGO
            | code::MAC_ALGO
            | code::UNKNOWN_ALGORITHM
            | code::INV_CIPHER_MODE
            | code::INV_KEYLEN
            | code::INV_LENGTH
            | code::INV_ARG
            | code::INV_VALUE
            | code::INV_DATA
            | code::INV_OP
            | code::NOT_SUPPORTED
            | code::WEAK_KEY => Failure::Unsupported(text),
            _ => Failure::Failed(text),
        }
    }

    /// Returns the length of a cipher's key in bytes, or 0 if the library lacks the cipher.
    pub(crate) fn key_bytes(&self, cipher: c_int) -> usize {
        // SAFETY: the function accepts any number.
        unsafe { (self.gcry_cipher_get_algo_keylen)(cipher) }
    }

    /// Returns the length of a cipher's block in bytes, or 0 if the library lacks the cipher.
    pub(crate) fn block_bytes(&self, cipher: c_int) -> usize {
        // SAFETY: the function accepts any number.
        unsafe { (self.gcry_cipher_get_algo_blklen)(cipher) }
    }

    /// Opens a cipher handle.
    pub(crate) fn cipher(
        &self,
        cipher: c_int,
        mode: c_int,
        flags: c_uint,
    ) -> Result<Open, Failure> {
        let open = self.gcry_cipher_open;
        // SAFETY: a successful call writes the handle.
        unsafe {
            Open::made(self.gcry_cipher_close, |handle| {
                self.ok("gcry_cipher_open", open(handle, cipher, mode, flags))
            })
        }
    }
}

/// A handle of the library. Dropping it closes the handle.
pub(crate) type Open = Owned;

/// Returns whether a plan works with the loaded library: an object can be made, accepts a key
/// of this length, and gives an output. Every offer is tried so before the worker makes the
/// offer.
pub(crate) fn works<P: Plan>(plan: P, key_bytes: usize, message: &Message<'_>) -> bool {
    let painted = |len: usize| (1..=len).map(|i| i as u8).collect::<Vec<_>>();
    plan.make()
        .and_then(|mut object| {
            plan.set_key(&mut object, &painted(key_bytes))?;
            plan.process(&mut object, message, &mut [0; 512])
        })
        .is_ok()
}
