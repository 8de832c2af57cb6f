//! OpenSSL 3 as a library to compare with, through its interface EVP, with the legacy provider
//! if it is installed.

use std::ffi::{CString, c_char, c_int, c_uchar, c_void};
use std::ptr::{null, null_mut};

use libloading::Library;

use crate::{Job, Peer, spellings};

macro_rules! functions {
    ($($name:ident: fn($($argument:ty),*) $(-> $result:ty)?;)*) => {
        #[allow(non_snake_case, reason = "the names of C")]
        struct Functions {
            $($name: unsafe extern "C" fn($($argument),*) $(-> $result)?,)*
            _library: Library,
        }

        impl Functions {
            fn load(library: Library) -> Result<Self, libloading::Error> {
                // SAFETY: openssl/evp.h and provider.h declare these types, and the library
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
    OSSL_PROVIDER_load: fn(*mut c_void, *const c_char) -> *mut c_void;
    EVP_CIPHER_fetch: fn(*mut c_void, *const c_char, *const c_char) -> *mut c_void;
    EVP_CIPHER_free: fn(*mut c_void);
    EVP_CIPHER_CTX_new: fn() -> *mut c_void;
    EVP_CIPHER_CTX_free: fn(*mut c_void);
    EVP_CIPHER_CTX_ctrl: fn(*mut c_void, c_int, c_int, *mut c_void) -> c_int;
    EVP_CIPHER_CTX_set_flags: fn(*mut c_void, c_int);
    EVP_CIPHER_CTX_set_key_length: fn(*mut c_void, c_int) -> c_int;
    EVP_CIPHER_CTX_set_padding: fn(*mut c_void, c_int) -> c_int;
    EVP_EncryptInit_ex: fn(
        *mut c_void, *const c_void, *mut c_void, *const c_uchar, *const c_uchar
    ) -> c_int;
    EVP_EncryptUpdate: fn(*mut c_void, *mut c_uchar, *mut c_int, *const c_uchar, c_int) -> c_int;
    EVP_EncryptFinal_ex: fn(*mut c_void, *mut c_uchar, *mut c_int) -> c_int;
    EVP_Q_digest: fn(
        *mut c_void, *const c_char, *const c_char, *const c_void, usize, *mut c_uchar, *mut usize
    ) -> c_int;
    EVP_Q_mac: fn(
        *mut c_void, *const c_char, *const c_char, *const c_char, *const c_void, *const c_void,
        usize, *const c_uchar, usize, *mut c_uchar, usize, *mut usize
    ) -> *mut c_uchar;
}

const SET_IVLEN: c_int = 0x9;
const GET_TAG: c_int = 0x10;
const SET_TAG: c_int = 0x11;
/// The flag `EVP_CIPHER_CTX_FLAG_WRAP_ALLOW`.
const WRAP_ALLOW: c_int = 1;

struct OpenSsl(Functions);

pub(crate) fn load() -> Result<Box<dyn Peer>, String> {
    // SAFETY: the constructors of the library have no requirements.
    let library = unsafe { Library::new("libcrypto.so.3") }.map_err(|error| error.to_string())?;
    let functions = Functions::load(library).map_err(|error| error.to_string())?;
    for provider in [c"default", c"legacy"] {
        // SAFETY: the name is a string that ends with NUL.
        let loaded = unsafe { (functions.OSSL_PROVIDER_load)(null_mut(), provider.as_ptr()) };
        if loaded.is_null() {
            eprintln!("SKIPPED: OpenSSL's {provider:?} provider is not here");
        }
    }
    Ok(Box::new(OpenSsl(functions)))
}

/// Returns OpenSSL's name of a cipher in a mode.
fn name(job: &Job<'_>) -> Option<String> {
    let cipher = match job.id {
        "blowfish" if job.key.len() < 5 => return None,
        "blowfish" => "BF",
        "des-ede2" => "DES-EDE",
        // RC2 of OpenSSL has always 128 effective bits.
        "rc2" => return None,
        id => id,
    };
    let mode = match job.mode {
        "stream" => return Some(cipher.to_uppercase()),
        "kw" => "WRAP",
        "kwp" => "WRAP-PAD",
        mode @ ("ecb" | "cbc" | "cfb" | "cfb8" | "ofb" | "ctr" | "xts" | "gcm" | "ccm" | "ocb"
        | "siv") => mode,
        "cmac" => "cbc",
        _ => return None,
    };
    Some(format!("{cipher}-{mode}").to_uppercase())
}

impl Peer for OpenSsl {
    fn name(&self) -> &'static str {
        "OpenSSL"
    }

    fn encrypt(&self, job: &Job<'_>) -> Option<Vec<u8>> {
        if job.mode == "hash" {
            return self.digest(job);
        }
        let name = CString::new(name(job)?).ok()?;
        // SAFETY: the objects are made, used and freed in the order that evp.h requires, and
        // the lengths are the lengths of the slices.
        unsafe {
            if job.mode == "cmac" {
                return self.cmac(job, &name);
            }
            let cipher = (self.0.EVP_CIPHER_fetch)(null_mut(), name.as_ptr(), null());
            if cipher.is_null() {
                return None;
            }
            let context = (self.0.EVP_CIPHER_CTX_new)();
            let out = self.run(job, cipher, context);
            (self.0.EVP_CIPHER_CTX_free)(context);
            (self.0.EVP_CIPHER_free)(cipher);
            out
        }
    }
}

impl OpenSsl {
    fn digest(&self, job: &Job<'_>) -> Option<Vec<u8>> {
        let id = match job.id {
            "blake2b" => "blake2b-512",
            "blake2s" => "blake2s-256",
            id => id,
        };
        let mut out = vec![0; 256];
        let mut length = 0;
        for name in spellings(id) {
            let name = CString::new(name).ok()?;
            // SAFETY: no digest is longer than the output.
            let made = unsafe {
                (self.0.EVP_Q_digest)(
                    null_mut(),
                    name.as_ptr(),
                    null(),
                    job.input.as_ptr().cast(),
                    job.input.len(),
                    out.as_mut_ptr(),
                    &mut length,
                )
            };
            if made == 1 && length == job.tag {
                out.truncate(length);
                return Some(out);
            }
        }
        None
    }

    unsafe fn cmac(&self, job: &Job<'_>, cipher: &CString) -> Option<Vec<u8>> {
        // Only a cipher context can set another key length, so these ciphers are left out.
        if matches!(job.id, "blowfish" | "cast5") {
            return None;
        }
        let mut out = vec![0; job.tag];
        let mut length = 0;
        // SAFETY: the lengths are the lengths of the slices, and the names end with NUL.
        let made = unsafe {
            (self.0.EVP_Q_mac)(
                null_mut(),
                c"CMAC".as_ptr(),
                null(),
                cipher.as_ptr(),
                null(),
                job.key.as_ptr().cast(),
                job.key.len(),
                job.input.as_ptr(),
                job.input.len(),
                out.as_mut_ptr(),
                out.len(),
                &mut length,
            )
        };
        (!made.is_null() && length == out.len()).then_some(out)
    }

    unsafe fn run(
        &self,
        job: &Job<'_>,
        cipher: *const c_void,
        context: *mut c_void,
    ) -> Option<Vec<u8>> {
        let f = &self.0;
        let yes = |code: c_int| (code == 1).then_some(());
        let int = |n: usize| c_int::try_from(n).ok();
        let key = [job.key, job.second].concat();
        let key = match job.mode {
            "xts" | "siv" => &key[..],
            _ => job.key,
        };
        let wrapping = matches!(job.mode, "kw" | "kwp");
        let sealing = matches!(job.mode, "gcm" | "ccm" | "ocb" | "siv");
        // SAFETY: the caller made the context, and the lengths are the lengths of the slices.
        unsafe {
            if wrapping {
                (f.EVP_CIPHER_CTX_set_flags)(context, WRAP_ALLOW);
            }
            yes((f.EVP_EncryptInit_ex)(
                context,
                cipher,
                null_mut(),
                null(),
                null(),
            ))?;
            yes((f.EVP_CIPHER_CTX_set_key_length)(context, int(key.len())?))?;
            if sealing && job.mode != "siv" {
                let nonce = int(job.nonce.len())?;
                yes((f.EVP_CIPHER_CTX_ctrl)(
                    context,
                    SET_IVLEN,
                    nonce,
                    null_mut(),
                ))?;
            }
            if matches!(job.mode, "ccm" | "ocb") {
                yes((f.EVP_CIPHER_CTX_ctrl)(
                    context,
                    SET_TAG,
                    int(job.tag)?,
                    null_mut(),
                ))?;
            }
            // The initialization vector of ChaCha20 in OpenSSL is the counter and then the
            // nonce.
            let first_block = [&[0; 4], job.nonce].concat();
            let iv = match job.mode {
                "ecb" | "siv" | "kw" | "kwp" => null(),
                "stream" if job.nonce.len() == 12 => first_block.as_ptr(),
                "stream" if !job.nonce.is_empty() => return None,
                _ => job.nonce.as_ptr(),
            };
            yes((f.EVP_EncryptInit_ex)(
                context,
                null(),
                null_mut(),
                key.as_ptr(),
                iv,
            ))?;
            (f.EVP_CIPHER_CTX_set_padding)(context, 0);
            let mut n = 0;
            let mut update = |out: *mut c_uchar, data: &[u8]| -> Option<c_int> {
                let length = int(data.len())?;
                yes((f.EVP_EncryptUpdate)(
                    context,
                    out,
                    &mut n,
                    data.as_ptr(),
                    length,
                ))?;
                Some(n)
            };
            if job.mode == "ccm" {
                // CCM needs the length of the message first.
                let length = int(job.input.len())?;
                let mut n = 0;
                yes((f.EVP_EncryptUpdate)(
                    context,
                    null_mut(),
                    &mut n,
                    null(),
                    length,
                ))?;
            }
            if sealing && !job.aad.is_empty() {
                update(null_mut(), job.aad)?;
            }
            if job.mode == "siv" {
                // The nonce is the last string. OpenSSL does not process an empty message.
                update(null_mut(), job.nonce)?;
                if job.input.is_empty() || job.aad.is_empty() {
                    return None;
                }
            }
            let mut out = vec![0; job.input.len() + 64];
            let mut made = 0;
            if !job.input.is_empty() || job.mode == "ccm" {
                made = usize::try_from(update(out.as_mut_ptr(), job.input)?).ok()?;
            }
            let mut n = 0;
            if !wrapping {
                yes((f.EVP_EncryptFinal_ex)(
                    context,
                    out[made..].as_mut_ptr(),
                    &mut n,
                ))?;
                made += usize::try_from(n).ok()?;
            }
            if sealing {
                let tag = out[made..].as_mut_ptr().cast();
                yes((f.EVP_CIPHER_CTX_ctrl)(
                    context,
                    GET_TAG,
                    int(job.tag)?,
                    tag,
                ))?;
                made += job.tag;
            }
            out.truncate(made);
            Some(out)
        }
    }
}
