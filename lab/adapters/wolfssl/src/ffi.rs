//! The functions of wolfCrypt that the worker calls, and contexts that are freed when they are
//! dropped.
#![allow(unsafe_code)]

use std::ffi::{c_char, c_int, c_void};

use touchstone_worker::{Failure, Memory, Shared, done, symbols, text};

/// A context, in memory that the worker owns.
pub(crate) type Context = *mut c_void;
/// `wc_AesCbcEncrypt` and similar functions. Arguments: context, output, input, length.
pub(crate) type Crypt = unsafe extern "C" fn(Context, *mut u8, *const u8, u32) -> c_int;
/// `wc_CamelliaEncryptDirect`, which encrypts one block. Arguments: context, output, input.
pub(crate) type Direct = unsafe extern "C" fn(Context, *mut u8, *const u8) -> c_int;
/// `wc_AesXtsEncrypt`. Arguments: context, output, input, length, tweak, its length.
pub(crate) type Xts =
    unsafe extern "C" fn(Context, *mut u8, *const u8, u32, *const u8, u32) -> c_int;
/// `wc_AesKeyWrap`. Arguments: key, input, output, IV (NULL means the IV of RFC 3394).
pub(crate) type Wrap =
    unsafe extern "C" fn(*const u8, u32, *const u8, u32, *mut u8, u32, *const u8) -> c_int;

/// `INVALID_DEVID`: wolfCrypt uses neither hardware nor callbacks.
pub(crate) const INVALID_DEVID: c_int = -2;

symbols! {
    /// The functions of wolfCrypt, as the headers under <wolfssl/wolfcrypt/> declare them. A
    /// function with a question mark may be missing in a build.
    struct Api {
        wolfSSL_lib_version: fn() -> *const c_char;
        wolfCrypt_Init: fn() -> c_int;
        wc_HashGetDigestSize: fn(c_int) -> c_int;

        wc_AesInit: fn(Context, *mut c_void, c_int) -> c_int;
        wc_AesFree: fn(Context) -> ();
        wc_AesSetKey: fn(Context, *const u8, u32, *const u8, c_int) -> c_int;
        wc_AesSetIV: fn(Context, *const u8) -> c_int;
        wc_AesGcmSetKey, wc_GmacSetKey, wc_AesCcmSetKey: fn(Context, *const u8, u32) -> c_int, ?;
        wc_AesGcmEncrypt: fn(Context, *mut u8, *const u8, u32, *const u8, u32, *mut u8, u32, *const u8, u32) -> c_int, ?;
        wc_AesGcmDecrypt: fn(Context, *mut u8, *const u8, u32, *const u8, u32, *mut u8, u32, *const u8, u32) -> c_int, ?;
        wc_AesCcmEncrypt: fn(Context, *mut u8, *const u8, u32, *const u8, u32, *mut u8, u32, *const u8, u32) -> c_int, ?;
        wc_AesCcmDecrypt: fn(Context, *mut u8, *const u8, u32, *const u8, u32, *mut u8, u32, *const u8, u32) -> c_int, ?;
        wc_GmacUpdate: fn(Context, *const u8, u32, *const u8, u32, *mut u8, u32) -> c_int, ?;
        wc_AesSivEncrypt: fn(*const u8, u32, *const u8, u32, *const u8, u32, *const u8, u32, *mut u8, *mut u8) -> c_int, ?;
        wc_AesSivDecrypt: fn(*const u8, u32, *const u8, u32, *const u8, u32, *const u8, u32, *mut u8, *mut u8) -> c_int, ?;
        wc_AesKeyWrap: fn(*const u8, u32, *const u8, u32, *mut u8, u32, *const u8) -> c_int, ?;
        wc_AesKeyUnWrap: fn(*const u8, u32, *const u8, u32, *mut u8, u32, *const u8) -> c_int, ?;
        wc_AesXtsSetKey: fn(Context, *const u8, u32, c_int, *mut c_void, c_int) -> c_int, ?;
        wc_AesXtsEncrypt: fn(Context, *mut u8, *const u8, u32, *const u8, u32) -> c_int, ?;
        wc_AesXtsDecrypt: fn(Context, *mut u8, *const u8, u32, *const u8, u32) -> c_int, ?;
        wc_AesXtsFree: fn(Context) -> c_int, ?;
        wc_AesCmacGenerate: fn(*mut u8, *mut u32, *const u8, u32, *const u8, u32) -> c_int, ?;

        wc_CamelliaSetKey: fn(Context, *const u8, u32, *const u8) -> c_int, ?;
        wc_CamelliaSetIV, wc_Des3_SetIV: fn(Context, *const u8) -> c_int, ?;
        wc_Des_SetKey, wc_Des3_SetKey: fn(Context, *const u8, *const u8, c_int) -> c_int, ?;
        wc_Des_SetIV: fn(Context, *const u8) -> (), ?;
        wc_Des3Init: fn(Context, *mut c_void, c_int) -> c_int, ?;
        wc_Des3Free: fn(Context) -> (), ?;

        wc_Chacha_SetKey, wc_Chacha_SetIV, wc_Arc4SetKey: fn(Context, *const u8, u32) -> c_int, ?;
        wc_Chacha_Process, wc_Arc4Process: fn(Context, *mut u8, *const u8, u32) -> c_int, ?;
        wc_XChacha_SetKey: fn(Context, *const u8, u32, *const u8, u32, u32) -> c_int, ?;
        wc_ChaCha20Poly1305_Encrypt: fn(*const u8, *const u8, *const u8, u32, *const u8, u32, *mut u8, *mut u8) -> c_int, ?;
        wc_ChaCha20Poly1305_Decrypt: fn(*const u8, *const u8, *const u8, u32, *const u8, u32, *const u8, *mut u8) -> c_int, ?;
        wc_XChaCha20Poly1305_Encrypt: fn(*mut u8, usize, *const u8, usize, *const u8, usize, *const u8, usize, *const u8, usize) -> c_int, ?;
        wc_XChaCha20Poly1305_Decrypt: fn(*mut u8, usize, *const u8, usize, *const u8, usize, *const u8, usize, *const u8, usize) -> c_int, ?;

        wc_HmacInit: fn(Context, *mut c_void, c_int) -> c_int;
        wc_HmacFree: fn(Context) -> ();
        wc_HmacSetKey: fn(Context, c_int, *const u8, u32) -> c_int;
        wc_HmacUpdate: fn(Context, *const u8, u32) -> c_int;
        wc_HmacFinal: fn(Context, *mut u8) -> c_int;
        wc_Poly1305SetKey, wc_Poly1305Update: fn(Context, *const u8, u32) -> c_int, ?;
        wc_Poly1305Final: fn(Context, *mut u8) -> c_int, ?;
        wc_SipHash: fn(*const u8, *const u8, u32, *mut u8, u8) -> c_int, ?;

        wc_PBKDF2: fn(*mut u8, *const u8, c_int, *const u8, c_int, c_int, c_int, c_int) -> c_int, ?;
        wc_HKDF: fn(c_int, *const u8, u32, *const u8, u32, *const u8, u32, *mut u8, u32) -> c_int, ?;
        wc_scrypt: fn(*mut u8, *const u8, c_int, *const u8, c_int, c_int, c_int, c_int, c_int) -> c_int, ?;
    }
}

/// A loaded libwolfssl.
pub(crate) struct Wolf {
    pub(crate) api: Api,
    pub(crate) shared: Shared,
    /// The version as the library reports it, for example "5.5.4".
    pub(crate) version: String,
}

impl Wolf {
    /// Loads libwolfssl. The numbers of the hashes depend on the library's configuration, so
    /// the worker compares the digest lengths that the library reports for the numbers.
    pub(crate) fn load(path: &str) -> Result<Self, String> {
        const SIZES: &[(c_int, c_int)] = &[(3, 16), (4, 20), (5, 28), (6, 32), (7, 48), (8, 64)];
        let (api, shared) = Api::open(path, &["libwolfssl.so.*"], "a wolfSSL 5 with wolfCrypt")?;
        // SAFETY: the version is a static string. The other functions take no arguments, or
        // accept any number.
        let (version, started, known) = unsafe {
            (
                text((api.wolfSSL_lib_version)()).unwrap_or_default(),
                (api.wolfCrypt_Init)() == 0,
                SIZES
                    .iter()
                    .all(|(hash, size)| (api.wc_HashGetDigestSize)(*hash) == *size),
            )
        };
        if !version.starts_with("5.") || !known {
            return Err(format!(
                "{} is wolfSSL {version}, in a configuration that this worker does not know",
                shared.path
            ));
        }
        if !started {
            return Err("wolfSSL refuses to start: wolfCrypt_Init failed".into());
        }
        Ok(Self {
            api,
            shared,
            version,
        })
    }

    /// Returns a function that not every build has.
    ///
    /// # Safety
    ///
    /// `F` must be the function's type.
    pub(crate) unsafe fn function<F: Copy>(&self, name: &str) -> Option<F> {
        // SAFETY: the caller guarantees that `F` is the function's type.
        unsafe { self.shared.symbol::<F>(name) }
    }
}

/// Room for a context in bytes. In version 5.5.4 as Debian builds it, the largest context is
/// `XtsAes` with 2208 bytes. A larger room does no harm.
const ROOM: usize = 8192;

/// Room for a key, for which 8 numbers of 16384 bits are enough.
const KEY_ROOM: usize = 65536;

/// Makes room for a context that needs no initialisation.
pub(crate) fn plain() -> Memory {
    Memory::new(ROOM)
}

/// Makes a context by the function `init`, without heap and device.
pub(crate) fn context(
    init: unsafe extern "C" fn(Context, *mut c_void, c_int) -> c_int,
    free: unsafe extern "C" fn(Context),
) -> Result<Memory, Failure> {
    let mut memory = plain();
    // SAFETY: the memory has room for more bytes than the context needs.
    unsafe {
        let code = init(memory.at(0), std::ptr::null_mut(), INVALID_DEVID);
        ok("init", code)?;
        memory.freed_by(free);
    }
    Ok(memory)
}

/// Makes room for a key or for a random generator, which a function initialises.
pub(crate) fn for_key() -> Memory {
    Memory::new(KEY_ROOM)
}

/// `WC_KEY_SIZE_E`: a key of a length that the build does not take.
pub(crate) const KEY_SIZE: c_int = -234;

/// Converts wolfCrypt's return code (0 for success) into a `Result`. The codes for bad
/// arguments and lengths mean that the library does not support the parameters.
#[inline]
pub(crate) fn ok(what: &str, code: c_int) -> Result<(), Failure> {
    done(code == 0, || failure(what, code))
}

#[cold]
pub(crate) fn failure(what: &str, code: c_int) -> Failure {
    const BAD_FUNC_ARG: c_int = -173;
    const NOT_COMPILED_IN: c_int = -174;
    const AES_GCM_AUTH: c_int = -180;
    const AES_CCM_AUTH: c_int = -181;
    const MAC_CMP_FAILED: c_int = -213;
    const BAD_KEYWRAP_IV: c_int = -240;

    const BAD_LENGTH: c_int = -279;
    const AES_SIV_AUTH: c_int = -289;
    match code {
        AES_GCM_AUTH | AES_CCM_AUTH | MAC_CMP_FAILED | BAD_KEYWRAP_IV | AES_SIV_AUTH => {
            Failure::Rejected
        }
        BAD_FUNC_ARG | NOT_COMPILED_IN | KEY_SIZE | BAD_LENGTH => {
            Failure::unsupported(format_args!("{what}: code {code}"))
        }
        _ => Failure::failed(format_args!("{what}: code {code}")),
    }
}

/// Converts a length into the library's `word32`.
#[inline]
pub(crate) fn word(len: usize) -> Result<u32, Failure> {
    u32::try_from(len).map_err(|_| Failure::unsupported("more than 4 GiB in one call"))
}

/// Converts a length into the library's `int`.
pub(crate) fn int(len: usize) -> Result<c_int, Failure> {
    c_int::try_from(len).map_err(|_| Failure::unsupported("more than 2 GiB in one call"))
}
