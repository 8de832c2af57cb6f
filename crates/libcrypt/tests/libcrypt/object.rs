//! Builds, finds, loads and calls a libcrypt.

use libc::{c_char, c_int, c_long, c_ulong, c_void};
use std::ffi::{CStr, CString};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Mutex, OnceLock};

/// Returns the folder with our two shared objects, which this run has built.
pub(crate) fn folder() -> &'static Path {
    static FOLDER: OnceLock<PathBuf> = OnceLock::new();
    FOLDER.get_or_init(|| {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("libcrypt");
        let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tools/libcrypt.sh");
        let target = Path::new(env!("CARGO_TARGET_TMPDIR")).parent();
        let status = Command::new(script)
            .arg(&folder)
            .env("CARGO", env!("CARGO"))
            .env("CARGO_TARGET_DIR", target.expect("a target folder"))
            // cargo sets this variable for the test, and it must not reach that build.
            .env_remove("CARGO_MANIFEST_DIR")
            .status()
            .expect("tools/libcrypt.sh runs");
        assert!(status.success(), "tools/libcrypt.sh fails");
        folder
    })
}

pub(crate) fn ours_path() -> PathBuf {
    folder().join("libcrypt.so.1")
}

/// Returns the path of the system's libcrypt.so.1. If there is none, or if it is not libxcrypt,
/// prints this and returns `None`.
pub(crate) fn system_path() -> Option<PathBuf> {
    let folders = [
        "/lib/x86_64-linux-gnu",
        "/lib/aarch64-linux-gnu",
        "/lib64",
        "/usr/lib",
    ];
    let found = folders
        .map(|folder| Path::new(folder).join("libcrypt.so.1"))
        .into_iter()
        .find(|path| path.exists());
    if found.is_none() {
        println!("SKIPPED: no libcrypt.so.1 on this system to compare with");
    }
    found
}

type Hash = unsafe extern "C" fn(*const c_char, *const c_char) -> *mut c_char;
type HashR = unsafe extern "C" fn(*const c_char, *const c_char, *mut c_void) -> *mut c_char;
type HashRn = unsafe extern "C" fn(*const c_char, *const c_char, *mut c_void, c_int) -> *mut c_char;
type HashRa =
    unsafe extern "C" fn(*const c_char, *const c_char, *mut *mut c_void, *mut c_int) -> *mut c_char;
type Salt = unsafe extern "C" fn(*const c_char, c_ulong, *const c_char, c_int) -> *mut c_char;
type SaltRn = unsafe extern "C" fn(
    *const c_char,
    c_ulong,
    *const c_char,
    c_int,
    *mut c_char,
    c_int,
) -> *mut c_char;

/// A loaded libcrypt. It is never unloaded.
pub(crate) struct Libcrypt {
    handle: *mut c_void,
    pub(crate) crypt: Hash,
    pub(crate) crypt_r: HashR,
    pub(crate) crypt_rn: HashRn,
    pub(crate) crypt_ra: HashRa,
    pub(crate) gensalt: Salt,
    pub(crate) gensalt_ra: Salt,
    pub(crate) gensalt_rn: SaltRn,
    pub(crate) checksalt: unsafe extern "C" fn(*const c_char) -> c_int,
    pub(crate) preferred_method: unsafe extern "C" fn() -> *const c_char,
    pub(crate) setkey: unsafe extern "C" fn(*const c_char),
    pub(crate) encrypt: unsafe extern "C" fn(*mut c_char, c_int),
    pub(crate) setkey_r: unsafe extern "C" fn(*const c_char, *mut c_void),
    pub(crate) encrypt_r: unsafe extern "C" fn(*mut c_char, c_int, *mut c_void),
}

// SAFETY: the fields are a handle and function pointers, which any thread may use.
unsafe impl Send for Libcrypt {}
// SAFETY: the fields are a handle and function pointers, which any thread may use.
unsafe impl Sync for Libcrypt {}

/// The size of `struct crypt_data` in bytes.
pub(crate) const DATA: usize = 32768;

impl Libcrypt {
    pub(crate) fn ours() -> &'static Self {
        static OURS: OnceLock<Libcrypt> = OnceLock::new();
        OURS.get_or_init(|| Self::load(&ours_path()))
    }

    pub(crate) fn system() -> Option<&'static Self> {
        static SYSTEM: OnceLock<Option<Libcrypt>> = OnceLock::new();
        let load = || system_path().map(|path| Self::load(&path));
        SYSTEM.get_or_init(load).as_ref()
    }

    fn load(path: &Path) -> Self {
        let name = CString::new(path.to_str().expect("a path in UTF-8")).expect("no zero");
        // SAFETY: the constructors of a libcrypt do nothing that could break this
        // process.
        let handle = unsafe { libc::dlopen(name.as_ptr(), libc::RTLD_NOW | libc::RTLD_LOCAL) };
        assert!(!handle.is_null(), "{} cannot be loaded", path.display());
        // SAFETY: each symbol has the type of its field, as libxcrypt declares it.
        unsafe {
            Self {
                handle,
                crypt: cast(symbol(handle, c"crypt", c"XCRYPT_2.0")),
                crypt_r: cast(symbol(handle, c"crypt_r", c"XCRYPT_2.0")),
                crypt_rn: cast(symbol(handle, c"crypt_rn", c"XCRYPT_2.0")),
                crypt_ra: cast(symbol(handle, c"crypt_ra", c"XCRYPT_2.0")),
                gensalt: cast(symbol(handle, c"crypt_gensalt", c"XCRYPT_2.0")),
                gensalt_ra: cast(symbol(handle, c"crypt_gensalt_ra", c"XCRYPT_2.0")),
                gensalt_rn: cast(symbol(handle, c"crypt_gensalt_rn", c"XCRYPT_2.0")),
                checksalt: cast(symbol(handle, c"crypt_checksalt", c"XCRYPT_4.3")),
                preferred_method: cast(symbol(handle, c"crypt_preferred_method", c"XCRYPT_4.4")),
                setkey: cast(symbol(handle, c"setkey", c"GLIBC_2.2.5")),
                encrypt: cast(symbol(handle, c"encrypt", c"GLIBC_2.2.5")),
                setkey_r: cast(symbol(handle, c"setkey_r", c"GLIBC_2.2.5")),
                encrypt_r: cast(symbol(handle, c"encrypt_r", c"GLIBC_2.2.5")),
            }
        }
    }

    /// Returns FreeSec's des_setkey and des_cipher.
    pub(crate) fn freesec(
        &self,
    ) -> (
        unsafe extern "C" fn(*const c_char) -> c_int,
        unsafe extern "C" fn(*const c_char, *mut c_char, c_long, c_int) -> c_int,
    ) {
        // SAFETY: touchstone_crypt.h declares the functions with these types.
        unsafe {
            (
                cast(symbol(self.handle, c"des_setkey", c"FREESEC_1.0")),
                cast(symbol(self.handle, c"des_cipher", c"FREESEC_1.0")),
            )
        }
    }

    /// Calls crypt_r with fresh data. Returns the output, and errno if the output is a
    /// failure token.
    pub(crate) fn hash(&self, phrase: &[u8], setting: &[u8]) -> (String, c_int) {
        let mut data = vec![0u8; DATA];
        let (phrase, setting) = (terminated(phrase), terminated(setting));
        set_errno(0);
        // SAFETY: the strings and the data are as the function requires.
        let output = unsafe {
            let hash = (self.crypt_r)(phrase.as_ptr(), setting.as_ptr(), data.as_mut_ptr().cast());
            CStr::from_ptr(hash).to_string_lossy().into_owned()
        };
        let code = if output.starts_with('*') { errno() } else { 0 };
        (output, code)
    }
}

/// # Safety
///
/// `F` is the type of the function.
unsafe fn cast<F: Copy>(symbol: *mut c_void) -> F {
    assert_eq!(size_of::<F>(), size_of::<*mut c_void>());
    // SAFETY: function pointers are as large as data pointers here. The caller promises that
    // `F` is the type of the function.
    unsafe { core::mem::transmute_copy(&symbol) }
}

fn symbol(handle: *mut c_void, name: &CStr, version: &CStr) -> *mut c_void {
    // SAFETY: both arguments are strings.
    let symbol = unsafe { libc::dlvsym(handle, name.as_ptr(), version.as_ptr()) };
    assert!(!symbol.is_null(), "{name:?}@{version:?} is missing");
    symbol
}

pub(crate) fn terminated(text: &[u8]) -> CString {
    CString::new(text).expect("no zero inside")
}

pub(crate) fn errno() -> c_int {
    // SAFETY: libc gives a valid pointer to this thread's errno.
    unsafe { *libc::__errno_location() }
}

pub(crate) fn set_errno(code: c_int) {
    // SAFETY: libc gives a valid pointer to this thread's errno.
    unsafe { *libc::__errno_location() = code };
}

/// Pseudo-random numbers that are the same in each run (SplitMix64).
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ self.0 >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ z >> 31
    }

    /// Returns a phrase of up to `longest` bytes. The bytes are from 1 to 255.
    pub(crate) fn phrase(&mut self, longest: u64) -> Vec<u8> {
        let len = self.next() % (longest + 1);
        (0..len).map(|_| (self.next() % 255) as u8 + 1).collect()
    }
}

/// A lock for the shared key. setkey and des_setkey set one key for the whole process, and
/// tests run in parallel, so each test that uses this key holds this lock.
pub(crate) static SHARED_KEY: Mutex<()> = Mutex::new(());

/// Settings of every method with a low cost.
pub(crate) const SETTINGS: &[&str] = &[
    "ab",
    "..",
    "abababababababababab",
    "_/...CCCC",
    "_J9..abcd",
    "$1$abcdefgh",
    "$1$",
    "$3$",
    "$3$$what",
    "$5$rounds=1000$saltstring",
    "$5$saltstring",
    "$6$rounds=1001$saltstringsaltstringsaltstring",
    "$2a$04$abcdefghijklmnopqrstuu",
    "$2b$04$abcdefghijklmnopqrstuv",
    "$2x$04$abcdefghijklmnopqrstuu",
    "$2y$04$abcdefghijklmnopqrstuu",
    "$sha1$12$GGXpNqoJvglVTkGU",
    "$md5$9ZLwtuTO",
    "$md5,rounds=12$9ZLwtuTO$",
    "$md5$9ZLwtuTO$$",
    "$7$66..../....SodiumChloride",
    "$y$j75$LdJMENpBABJJ3hIHjB1Bi.",
    "$y$.75$LdJMENpBABJJ3hIHjB1Bi.",
    "$y$/75/.$LdJMENpBABJJ3hIHjB1Bi.",
    "$y$j75..$LdJMENpBABJJ3hIHjB1Bi.",
    "$y$j75/.$LdJMENpBABJJ3hIHjB1Bi.",
    "$y$j75//$LdJMENpBABJJ3hIHjB1Bi.",
    "$y$j750./$LdJMENpBABJJ3hIHjB1Bi.",
    "$gy$j75$LdJMENpBABJJ3hIHjB1Bi.",
];
