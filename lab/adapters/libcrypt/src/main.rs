//! Worker for any libcrypt.so. The worker calls `crypt_r`, and `des_cipher` if the library has
//! this function. See `../README.md`.
#![allow(unsafe_code)]

use std::ffi::{CStr, CString, c_char, c_int, c_long};
use std::process::ExitCode;

use touchstone_worker::{
    Adapter, Cell, Failure, Library, Message, Offer, Operation, Shared, Work, offer, serve, symbols,
};

symbols! {
    /// The functions of libcrypt: `crypt_r` of <crypt.h>, and NetBSD's functions of <unistd.h>.
    struct Api {
        crypt_r: fn(*const c_char, *const c_char, *mut CryptData) -> *mut c_char;
        des_setkey: fn(*const c_char) -> c_int, ?;
        des_cipher: fn(*const c_char, *mut c_char, c_long, c_int) -> c_int, ?;
    }
}

/// `struct crypt_data` as opaque bytes. It has more room than the structure of any libcrypt:
/// musl and libxcrypt need 32768 bytes, old versions of glibc 131232 bytes.
#[repr(C, align(16))]
struct CryptData([u8; 1 << 18]);

/// Rows: the primitive, and a setting. If the library can hash with the setting, it has the
/// method.
const METHODS: &[(&str, &CStr)] = &[
    ("crypt-des", c"ab"),
    ("crypt-des-ext", c"_/...abcd"),
    ("crypt-bigcrypt", c"ab............"),
    ("crypt-md5", c"$1$saltsalt"),
    ("crypt-bcrypt", c"$2b$04$abcdefghijklmnopqrstuu"),
    ("crypt-sha1", c"$sha1$4$saltsalt"),
    ("crypt-sha256", c"$5$rounds=1000$salt"),
    ("crypt-sha512", c"$6$rounds=1000$salt"),
    ("crypt-sunmd5", c"$md5,rounds=0$saltsalt$"),
    ("crypt-nt", c"$3$"),
    ("crypt-scrypt", c"$7$2/..../....salt"),
    ("crypt-yescrypt", c"$y$j75$salt"),
    ("crypt-gost-yescrypt", c"$gy$j75$salt"),
];

struct LibCrypt {
    api: Api,
    path: String,
}

impl LibCrypt {
    fn load(path: &str) -> Result<Self, String> {
        let names = ["libcrypt.so.1", "libcrypt.so.2"];
        let shared = Shared::open(path, &names)?;
        Ok(Self {
            api: Api::load(&shared)?,
            path: shared.path.clone(),
        })
    }
}

impl Adapter for LibCrypt {
    fn library(&self) -> Library {
        let real = std::fs::canonicalize(&self.path).unwrap_or_default();
        let file = real.file_name().unwrap_or_default().to_string_lossy();
        Library {
            name: "libcrypt".into(),
            version: file.split(".so.").nth(1).unwrap_or_default().to_owned(),
            path: self.path.clone(),
            language: "C".into(),
            note: "its version is its file's: libcrypt tells none".into(),
            ..Library::default()
        }
    }

    fn offers(&self) -> Vec<Offer> {
        let mut data = Box::new(CryptData([0; 1 << 18]));
        let methods = METHODS.iter().filter(|(_, setting)| {
            // SAFETY: both are C strings, and the structure is large enough for any libcrypt.
            let hash =
                unsafe { (self.api.crypt_r)(c"phrase".as_ptr(), setting.as_ptr(), &mut *data) };
            // SAFETY: a hash is a C string inside the structure.
            !hash.is_null() && unsafe { *hash } != b'*' as c_char
        });
        let mut offers: Vec<Offer> = methods
            .map(|(primitive, _)| offer(primitive, "crypt", "crypt_r"))
            .collect();
        if self.api.des_setkey.is_some() && self.api.des_cipher.is_some() {
            for operation in ["des-cipher-1", "des-cipher-25"] {
                offers.push(offer("des", operation, "des_cipher"));
            }
        }
        offers
    }

    fn cell(&self, work: &Work) -> Result<Cell, Failure> {
        let api = self.api;
        match work.operation.as_str() {
            "crypt" => {
                let setting = CString::new(work.nonce.to_vec())
                    .map_err(|_| Failure::unsupported("a NUL in a setting"))?;
                Ok(Cell::new(move || {
                    Ok(Crypt {
                        crypt_r: api.crypt_r,
                        data: Box::new(CryptData([0; 1 << 18])),
                        setting: setting.clone(),
                        phrase: None,
                    })
                }))
            }
            "des-cipher-1" | "des-cipher-25" => {
                let (Some(setkey), Some(cipher)) = (api.des_setkey, api.des_cipher) else {
                    return Err(Failure::unsupported("des_cipher"));
                };
                if work.key.len() != 8 || work.input.len() != 8 {
                    return Err(Failure::unsupported("anything but 8 bytes"));
                }
                let count = if work.operation == "des-cipher-1" {
                    1
                } else {
                    25
                };
                Ok(Cell::new(move || {
                    Ok(DesCipher {
                        setkey,
                        cipher,
                        count,
                    })
                }))
            }
            other => Err(Failure::unsupported(other)),
        }
    }
}

struct Crypt {
    crypt_r: unsafe extern "C" fn(*const c_char, *const c_char, *mut CryptData) -> *mut c_char,
    data: Box<CryptData>,
    setting: CString,
    phrase: Option<CString>,
}

fn phrase(bytes: &[u8]) -> Result<CString, Failure> {
    CString::new(bytes).map_err(|_| Failure::unsupported("a NUL in a phrase"))
}

impl Operation for Crypt {
    fn set_key(&mut self, key: &[u8]) -> Result<(), Failure> {
        // If the key is empty, the message's input is the phrase.
        self.phrase = (!key.is_empty()).then(|| phrase(key)).transpose()?;
        Ok(())
    }

    #[inline(always)]
    fn process(&mut self, message: &Message<'_>, output: &mut [u8]) -> Result<usize, Failure> {
        let brought;
        let phrase = match &self.phrase {
            Some(phrase) => phrase,
            None => {
                brought = phrase(message.input)?;
                &brought
            }
        };
        // SAFETY: the arguments are two C strings and a structure that this object owns.
        let hash = unsafe {
            let hash = (self.crypt_r)(phrase.as_ptr(), self.setting.as_ptr(), &mut *self.data);
            if hash.is_null() {
                return Err(Failure::Rejected);
            }
            CStr::from_ptr(hash).to_bytes()
        };
        if hash.first() == Some(&b'*') {
            return Err(Failure::Rejected);
        }
        output[..hash.len()].copy_from_slice(hash);
        Ok(hash.len())
    }
}

struct DesCipher {
    setkey: unsafe extern "C" fn(*const c_char) -> c_int,
    cipher: unsafe extern "C" fn(*const c_char, *mut c_char, c_long, c_int) -> c_int,
    count: c_int,
}

impl Operation for DesCipher {
    fn set_key(&mut self, key: &[u8]) -> Result<(), Failure> {
        // SAFETY: des_setkey reads 8 bytes, and the cell checked the key's length.
        match unsafe { (self.setkey)(key.as_ptr().cast()) } {
            0 => Ok(()),
            code => Err(Failure::failed(format_args!("des_setkey: {code}"))),
        }
    }

    #[inline(always)]
    fn process(&mut self, message: &Message<'_>, output: &mut [u8]) -> Result<usize, Failure> {
        // SAFETY: des_cipher reads and writes 8 bytes.
        let code = unsafe {
            (self.cipher)(
                message.input.as_ptr().cast(),
                output.as_mut_ptr().cast(),
                0,
                self.count,
            )
        };
        if code == 0 {
            Ok(8)
        } else {
            Err(Failure::failed(format_args!("des_cipher: {code}")))
        }
    }
}

fn main() -> ExitCode {
    serve(LibCrypt::load)
}
