//! Libgcrypt as a library to compare with.

use std::ffi::{CStr, CString, c_char, c_int, c_uint, c_void};
use std::ptr::{null, null_mut};

use libloading::Library;

use crate::{Job, Peer, spellings};

macro_rules! functions {
    ($($name:ident: fn($($argument:ty),* $(; $dots:tt)?) $(-> $result:ty)?;)*) => {
        struct Functions {
            $($name: unsafe extern "C" fn($($argument),*) $(-> $result)?,)*
            _library: Library,
        }

        impl Functions {
            fn load(library: Library) -> Result<Self, libloading::Error> {
                // SAFETY: gcrypt.h declares the functions with these types, and the library
                // lives as long as its functions.
                unsafe {
                    Ok(Self {
                        $($name: *library.get(concat!(stringify!($name), "\0"))?,)*
                        _library: library,
                    })
                }
            }
        }
    };
}

functions! {
    gcry_check_version: fn(*const c_char) -> *const c_char;
    gcry_md_map_name: fn(*const c_char) -> c_int;
    gcry_md_get_algo_dlen: fn(c_int) -> c_uint;
    gcry_md_hash_buffer: fn(c_int, *mut c_void, *const c_void, usize);
    gcry_cipher_map_name: fn(*const c_char) -> c_int;
    gcry_mac_map_name: fn(*const c_char) -> c_int;
    gcry_cipher_open: fn(*mut *mut c_void, c_int, c_int, c_uint) -> c_uint;
    gcry_cipher_close: fn(*mut c_void);
    gcry_cipher_ctl: fn(*mut c_void, c_int, *mut c_void, usize) -> c_uint;
    gcry_cipher_setkey: fn(*mut c_void, *const u8, usize) -> c_uint;
    gcry_cipher_setiv: fn(*mut c_void, *const u8, usize) -> c_uint;
    gcry_cipher_setctr: fn(*mut c_void, *const u8, usize) -> c_uint;
    gcry_cipher_authenticate: fn(*mut c_void, *const u8, usize) -> c_uint;
    gcry_cipher_encrypt: fn(*mut c_void, *mut u8, usize, *const u8, usize) -> c_uint;
    gcry_cipher_gettag: fn(*mut c_void, *mut u8, usize) -> c_uint;
    gcry_mac_open: fn(*mut *mut c_void, c_int, c_uint, *mut c_void) -> c_uint;
    gcry_mac_close: fn(*mut c_void);
    gcry_mac_ctl: fn(*mut c_void, c_int, *mut c_void, usize) -> c_uint;
    gcry_mac_setkey: fn(*mut c_void, *const u8, usize) -> c_uint;
    gcry_mac_setiv: fn(*mut c_void, *const u8, usize) -> c_uint;
    gcry_mac_write: fn(*mut c_void, *const u8, usize) -> c_uint;
    gcry_mac_read: fn(*mut c_void, *mut u8, *mut usize) -> c_uint;
}

const FINALIZE: c_int = 5;
const SET_CCM_LENGTHS: c_int = 69;
const SET_TAGLEN: c_int = 75;
const SET_SBOX: c_int = 73;
const SET_ALLOW_WEAK_KEY: c_int = 79;
/// The flag `GCRY_CIPHER_CBC_CTS`, which means CBC-CS3.
const STEAL: c_uint = 4;

const GOST28147_IMIT: c_int = 1;

/// Returns the object identifier of the S-boxes of an algorithm.
fn boxes(job: &Job<'_>) -> Option<&'static CStr> {
    Some(match job.id {
        "gost28147" => c"1.2.643.2.2.31.1",
        "gost28147-z" => c"1.2.643.7.1.2.5.1.1",
        "gost28147-test" => c"1.2.643.2.2.30.0",
        "gost28147-r3411-cryptopro" => c"1.2.643.2.2.30.1",
        _ => return None,
    })
}

struct Libgcrypt(Functions);

pub(crate) fn load() -> Result<Box<dyn Peer>, String> {
    // SAFETY: the constructors of the library have no requirements.
    let library = unsafe { Library::new("libgcrypt.so.20") }.map_err(|error| error.to_string())?;
    let functions = Functions::load(library).map_err(|error| error.to_string())?;
    // SAFETY: NULL means any version. The call initialises the library.
    let version = unsafe { (functions.gcry_check_version)(null()) };
    if version.is_null() {
        return Err("it does not initialise".into());
    }
    Ok(Box::new(Libgcrypt(functions)))
}

/// Returns the value of `enum gcry_cipher_modes` for a mode, and flags.
fn mode(job: &Job<'_>) -> Option<(c_int, c_uint)> {
    Some(match job.mode {
        "ecb" => (1, 0),
        "cfb" => (2, 0),
        "cbc" => (3, 0),
        "cbc-cs3" => (3, STEAL),
        "ofb" => (5, 0),
        "ctr" => (6, 0),
        "kw" => (7, 0),
        "ccm" => (8, 0),
        "gcm" => (9, 0),
        "ocb" => (11, 0),
        "cfb8" => (12, 0),
        "xts" => (13, 0),
        "eax" => (14, 0),
        "siv" => (15, 0),
        "stream" => (4, 0),
        "gcm-siv" => (16, 0),
        _ => return None,
    })
}

impl Peer for Libgcrypt {
    fn name(&self) -> &'static str {
        "Libgcrypt"
    }

    fn encrypt(&self, job: &Job<'_>) -> Option<Vec<u8>> {
        match job.mode {
            "hash" => return self.digest(job),
            "cmac" | "gmac" => return self.mac(job, self.mac_algorithm(job)?, None),
            "gost-mac" => return self.mac(job, GOST28147_IMIT, Some(boxes(job)?)),
            _ => {}
        }
        let (algorithm, (mode, flags)) = (self.algorithm(job)?, mode(job)?);
        let mut handle = null_mut();
        // SAFETY: the handle is opened, used and closed, and the lengths are the lengths of the
        // slices.
        unsafe {
            good((self.0.gcry_cipher_open)(
                &mut handle,
                algorithm,
                mode,
                flags,
            ))?;
            let out = self.run(job, handle);
            (self.0.gcry_cipher_close)(handle);
            out
        }
    }
}

/// Returns `None` for an error. The low 16 bits of a result are the error code.
fn good(error: c_uint) -> Option<()> {
    (error & 0xffff == 0).then_some(())
}

/// Returns Libgcrypt's number of an algorithm that Libgcrypt knows by one of these names.
fn number(
    function: unsafe extern "C" fn(*const c_char) -> c_int,
    mut names: impl Iterator<Item = String>,
) -> Option<c_int> {
    names.find_map(|name| {
        let name = CString::new(name).ok()?;
        // SAFETY: the name is a string that ends with NUL.
        let number = unsafe { function(name.as_ptr()) };
        (number != 0).then_some(number)
    })
}

impl Libgcrypt {
    fn algorithm(&self, job: &Job<'_>) -> Option<c_int> {
        let id = match job.id {
            "des-ede3" => "3des",
            "twofish-256" => "twofish",
            "rc4" => "arcfour",
            "salsa20-12" => "salsa20r12",
            id if boxes(job).is_some() && id != "gost28147-z" => "gost28147",
            id => id,
        };
        number(self.0.gcry_cipher_map_name, spellings(id))
    }

    fn mac_algorithm(&self, job: &Job<'_>) -> Option<c_int> {
        // Libgcrypt's CMAC over GOST 28147 accepts no S-boxes.
        if boxes(job).is_some() {
            return None;
        }
        let id = match job.id {
            "des-ede3" => "3des",
            id => id,
        };
        let cipher = id.trim_end_matches(|c: char| c == '-' || c.is_ascii_digit());
        let cipher = if cipher.is_empty() { id } else { cipher };
        let names = [cipher, id].map(|cipher| format!("{}_{cipher}", job.mode));
        number(self.0.gcry_mac_map_name, names.into_iter())
    }

    fn digest(&self, job: &Job<'_>) -> Option<Vec<u8>> {
        let id = match job.id {
            "blake2b" => "blake2b-512",
            "blake2s" => "blake2s-256",
            "gost94" => "gostr3411_94",
            "gost94-cryptopro" => "gostr3411_cp",
            "streebog-256" => "stribog256",
            "streebog-512" => "stribog512",
            id => id,
        };
        let names = spellings(id);
        let algorithm = number(self.0.gcry_md_map_name, names)?;
        // SAFETY: the number belongs to an algorithm.
        let length = unsafe { (self.0.gcry_md_get_algo_dlen)(algorithm) };
        if length as usize != job.tag {
            return None;
        }
        let mut out = vec![0; job.tag];
        let (to, from) = (out.as_mut_ptr().cast(), job.input.as_ptr().cast());
        // SAFETY: the output has the length of the digest.
        unsafe { (self.0.gcry_md_hash_buffer)(algorithm, to, from, job.input.len()) };
        Some(out)
    }

    unsafe fn run(&self, job: &Job<'_>, handle: *mut c_void) -> Option<Vec<u8>> {
        let f = &self.0;
        let key = [job.key, job.second].concat();
        let key = match job.mode {
            "xts" | "siv" => &key[..],
            _ => job.key,
        };
        let sealing = matches!(job.mode, "gcm" | "ccm" | "ocb" | "eax" | "siv" | "gcm-siv");
        // SAFETY: the caller opened the handle, and the lengths are the lengths of the slices.
        unsafe {
            (f.gcry_cipher_ctl)(handle, SET_ALLOW_WEAK_KEY, null_mut(), 1);
            if let Some(boxes) = boxes(job) {
                let (name, n) = (boxes.as_ptr().cast_mut().cast(), boxes.count_bytes());
                good((f.gcry_cipher_ctl)(handle, SET_SBOX, name, n))?;
            }
            good((f.gcry_cipher_setkey)(handle, key.as_ptr(), key.len()))?;
            let (nonce, n) = (job.nonce.as_ptr(), job.nonce.len());
            if job.mode == "ocb" {
                let mut tag = c_int::try_from(job.tag).ok()?;
                let pointer: *mut c_int = &mut tag;
                good((f.gcry_cipher_ctl)(
                    handle,
                    SET_TAGLEN,
                    pointer.cast(),
                    size_of::<c_int>(),
                ))?;
            }
            match job.mode {
                "ecb" | "kw" => {}
                "stream" if n == 0 => {}
                "ctr" => good((f.gcry_cipher_setctr)(handle, nonce, n))?,
                // In SIV the nonce is the last string of associated data.
                "siv" => {
                    good((f.gcry_cipher_authenticate)(
                        handle,
                        job.aad.as_ptr(),
                        job.aad.len(),
                    ))?;
                    good((f.gcry_cipher_setiv)(handle, nonce, n))?;
                }
                _ => good((f.gcry_cipher_setiv)(handle, nonce, n))?,
            }
            if job.mode == "ccm" {
                let mut lengths = [job.input.len() as u64, job.aad.len() as u64, job.tag as u64];
                let (pointer, bytes) = (lengths.as_mut_ptr(), size_of_val(&lengths));
                good((f.gcry_cipher_ctl)(
                    handle,
                    SET_CCM_LENGTHS,
                    pointer.cast(),
                    bytes,
                ))?;
            }
            if sealing && job.mode != "siv" {
                good((f.gcry_cipher_authenticate)(
                    handle,
                    job.aad.as_ptr(),
                    job.aad.len(),
                ))?;
            }
            if sealing {
                (f.gcry_cipher_ctl)(handle, FINALIZE, null_mut(), 0);
            }
            let length = job.input.len() + if job.mode == "kw" { 8 } else { 0 };
            let mut out = vec![0; length];
            let (input, n) = (job.input.as_ptr(), job.input.len());
            good((f.gcry_cipher_encrypt)(
                handle,
                out.as_mut_ptr(),
                length,
                input,
                n,
            ))?;
            if sealing {
                let mut tag = vec![0; job.tag];
                good((f.gcry_cipher_gettag)(handle, tag.as_mut_ptr(), tag.len()))?;
                out.extend(tag);
            }
            Some(out)
        }
    }

    fn mac(&self, job: &Job<'_>, algorithm: c_int, boxes: Option<&CStr>) -> Option<Vec<u8>> {
        let f = &self.0;
        let mut handle = null_mut();
        // SAFETY: the handle is opened, used and closed, and the lengths are the lengths of the
        // slices.
        unsafe {
            good((f.gcry_mac_open)(&mut handle, algorithm, 0, null_mut()))?;
            let run = || {
                if let Some(boxes) = boxes {
                    let (name, n) = (boxes.as_ptr().cast_mut().cast(), boxes.count_bytes());
                    good((f.gcry_mac_ctl)(handle, SET_SBOX, name, n))?;
                }
                good((f.gcry_mac_setkey)(handle, job.key.as_ptr(), job.key.len()))?;
                if job.mode == "gmac" {
                    good((f.gcry_mac_setiv)(
                        handle,
                        job.nonce.as_ptr(),
                        job.nonce.len(),
                    ))?;
                }
                good((f.gcry_mac_write)(
                    handle,
                    job.input.as_ptr(),
                    job.input.len(),
                ))?;
                let mut out = vec![0; job.tag];
                let mut length = out.len();
                good((f.gcry_mac_read)(handle, out.as_mut_ptr(), &mut length))?;
                (length == job.tag).then_some(out)
            };
            let out = run();
            (f.gcry_mac_close)(handle);
            out
        }
    }
}
