//! Signatures and encryption by the abstract keys (`gnutls_privkey_…`, `gnutls_pubkey_…`).
#![allow(unsafe_code)]

use std::ffi::{c_int, c_uint, c_void};
use std::ptr;

use touchstone_worker::public::{
    Padding, PublicKeys, Scheme, Use, coordinates, halves, unreadable,
};
use touchstone_worker::{Failure, Message};

use crate::ffi::{Api, Datum, Gnutls, Open};

/// The library, and its function that frees memory.
#[derive(Clone, Copy)]
pub(crate) struct Abstract {
    api: Api,
    free: unsafe extern "C" fn(*mut c_void),
}

impl Abstract {
    pub(crate) fn of(gnutls: &Gnutls) -> Option<Self> {
        // SAFETY: `gnutls_free` is a variable with a pointer to a function. The library sets it when
        // it starts.
        let free = unsafe {
            let at: *const unsafe extern "C" fn(*mut c_void) =
                gnutls.shared.symbol("gnutls_free")?;
            *at
        };
        let api = gnutls.api;
        Some(Self { api, free })
    }
}

/// Returns the number of a signature algorithm (`gnutls_sign_algorithm_t`); `None` if the library
/// lacks the scheme.
fn algorithm(scheme: Scheme<'_>) -> Option<c_int> {
    Some(match scheme {
        Scheme::Raw("ed25519") => 35,
        Scheme::Raw("ed448") => 46,
        Scheme::Rsa(_, Padding::Pkcs1("sha-256")) => 6,
        // With a key that may also be used for other schemes; the salt is as long as the hash.
        Scheme::Rsa(_, Padding::Pss("sha-256")) => 40,
        Scheme::Ecdsa("p224", "sha-224") => 13,
        Scheme::Ecdsa("p256", "sha-256") => 14,
        Scheme::Ecdsa("p384", "sha-384") => 15,
        Scheme::Ecdsa("p521", "sha-512") => 16,
        Scheme::Gost(form) => gost(form).signature,
        _ => return None,
    })
}

/// The library's numbers of GOST R 34.10: the signature algorithm, `gnutls_ecc_curve_t`, the hash
/// (`gnutls_digest_algorithm_t`), and the bytes of a coordinate.
struct Gost {
    signature: c_int,
    curve: c_int,
    hash: c_int,
    bytes: usize,
}

fn gost(form: &str) -> Gost {
    match form {
        "2001" => Gost {
            signature: 43,
            curve: 8,
            hash: GOSTR_94,
            bytes: 32,
        },
        "2012-256" => Gost {
            signature: 44,
            curve: 8,
            hash: 16,
            bytes: 32,
        },
        _ => Gost {
            signature: 45,
            curve: 13,
            hash: 17,
            bytes: 64,
        },
    }
}

/// `GNUTLS_DIG_GOSTR_94`.
const GOSTR_94: c_int = 15;

/// `GNUTLS_VERIFY_ALLOW_BROKEN`.
const BROKEN: c_uint = 1 << 4 | 1 << 5;

/// `GNUTLS_GOST_PARAMSET_UNKNOWN`: the library takes the set that belongs to the hash.
const USUAL: c_int = 0;

/// The DER of a private key before the seed (RFC 8410, section 7), and the library's name of the
/// curve.
fn edwards(name: &str) -> (&'static [u8], &'static std::ffi::CStr) {
    match name {
        "ed25519" => (
            b"\x30\x2e\x02\x01\x00\x30\x05\x06\x03\x2b\x65\x70\x04\x22\x04\x20",
            c"Ed25519",
        ),
        _ => (
            b"\x30\x47\x02\x01\x00\x30\x05\x06\x03\x2b\x65\x71\x04\x3b\x04\x39",
            c"Ed448",
        ),
    }
}

/// A key, and the number of the signature algorithm.
pub(crate) struct Key {
    open: Open,
    algorithm: c_int,
    /// What verification allows: the hash of GOST R 34.10-2001 counts as broken.
    flags: c_uint,
    /// The bytes of half a signature of GOST R 34.10, where the library puts s first; otherwise 0.
    half: usize,
}

impl PublicKeys for Abstract {
    type Key = Key;

    fn api(&self, scheme: Scheme<'_>, what: Use) -> Option<&'static str> {
        if what == Use::Generate {
            return None;
        }
        match (scheme, what) {
            (Scheme::Rsa(_, Padding::Pkcs1("")), Use::Encrypt) => {
                Some("gnutls_pubkey_encrypt_data")
            }
            (Scheme::Rsa(_, Padding::Pkcs1("")), _) => Some("gnutls_privkey_decrypt_data"),
            (Scheme::Gost(_), _)
                if self.api.gnutls_privkey_import_gost_raw.is_none()
                    || self.api.gnutls_pubkey_import_gost_raw.is_none() =>
            {
                None
            }
            (_, Use::Sign) => algorithm(scheme).map(|_| "gnutls_privkey_sign_data2"),
            (_, Use::Verify) => algorithm(scheme).map(|_| "gnutls_pubkey_verify_data2"),
            _ => None,
        }
    }

    fn read(&self, scheme: Scheme<'_>, what: Use, key: &[u8], _: &[u8]) -> Result<Key, Failure> {
        const DER: c_int = 0;
        let api = &self.api;
        let algorithm = algorithm(scheme).unwrap_or(0);
        let mut handle = ptr::null_mut();
        if let Scheme::Gost(form) = scheme {
            return self.gost(&gost(form), what, key);
        }
        let (half, flags) = (0, 0);
        // SAFETY: a successful call writes the handle, which its owner frees. The library copies the
        // data; NULL means that there is no password and that EdDSA has no second coordinate.
        unsafe {
            if what.is_public() {
                let code = (api.gnutls_pubkey_init)(&mut handle);
                api.ok("gnutls_pubkey_init", code)?;
                let open = Open::plain(handle, api.gnutls_pubkey_deinit);
                let data = Datum::new(key)?;
                let code = if let Scheme::Raw(name) = scheme {
                    let curve = (api.gnutls_ecc_curve_get_id)(edwards(name).1.as_ptr());
                    (api.gnutls_pubkey_import_ecc_raw)(open.handle, curve, &data, ptr::null())
                } else {
                    (api.gnutls_pubkey_import)(open.handle, &data, DER)
                };
                return readable(code).map(|()| Key {
                    open,
                    algorithm,
                    flags,
                    half,
                });
            }
            let code = (api.gnutls_privkey_init)(&mut handle);
            api.ok("gnutls_privkey_init", code)?;
            let open = Open::plain(handle, api.gnutls_privkey_deinit);
            let der = match scheme {
                Scheme::Raw(name) => [edwards(name).0, key].concat(),
                _ => key.to_vec(),
            };
            let data = Datum::new(&der)?;
            let read = api.gnutls_privkey_import_x509_raw;
            readable(read(open.handle, &data, DER, ptr::null(), 0))?;
            Ok(Key {
                open,
                algorithm,
                flags,
                half,
            })
        }
    }

    #[inline(always)]
    fn process(
        &self,
        key: &mut Key,
        what: Use,
        message: &Message<'_>,
        output: &mut [u8],
    ) -> Result<usize, Failure> {
        let (api, handle, algorithm) = (&self.api, key.open.handle, key.algorithm);
        let (input, mut answer) = (Datum::new(message.input)?, Datum::new(&[])?);
        // SAFETY: the key is live. A successful call writes the answer, whose memory the caller
        // frees.
        unsafe {
            match what {
                Use::Verify => {
                    let signature = exchanged(message.other("signature"), key.half)?;
                    let signature = Datum::new(&signature)?;
                    let verify = api.gnutls_pubkey_verify_data2;
                    return match verify(handle, algorithm, key.flags, &input, &signature) {
                        0.. => Ok(0),
                        _ => Err(Failure::Rejected),
                    };
                }
                Use::Sign => {
                    let sign = api.gnutls_privkey_sign_data2;
                    let code = sign(handle, algorithm, 0, &input, &mut answer);
                    api.ok("gnutls_privkey_sign_data2", code)?;
                }
                Use::Encrypt => {
                    let code = (api.gnutls_pubkey_encrypt_data)(handle, 0, &input, &mut answer);
                    api.ok("gnutls_pubkey_encrypt_data", code)?;
                }
                _ => {
                    if (api.gnutls_privkey_decrypt_data)(handle, 0, &input, &mut answer) < 0 {
                        return Err(Failure::Rejected);
                    }
                }
            }
            let length = answer.bytes().len();
            output[..length].copy_from_slice(&exchanged(answer.bytes(), key.half)?);
            (self.free)(answer.memory());
            Ok(length)
        }
    }
}

impl Abstract {
    /// Reads a key of GOST R 34.10. The library's numbers are little-endian. It calculates the point of
    /// a private key itself, but wants numbers in its place.
    fn gost(&self, gost: &Gost, what: Use, key: &[u8]) -> Result<Key, Failure> {
        let api = &self.api;
        let little = |bytes: &[u8]| bytes.iter().rev().copied().collect::<Vec<u8>>();
        let mut handle = ptr::null_mut();
        let lacks = || Failure::unsupported("keys of GOST R 34.10");
        // SAFETY: a successful call writes the handle, which its owner frees, and the library copies the
        // numbers.
        let open = unsafe {
            if what.is_public() {
                let import = api.gnutls_pubkey_import_gost_raw.ok_or_else(lacks)?;
                let [x, y] = coordinates(key, gost.bytes).ok_or_else(unreadable)?;
                let (x, y) = (little(x), little(y));
                let code = (api.gnutls_pubkey_init)(&mut handle);
                api.ok("gnutls_pubkey_init", code)?;
                let open = Open::plain(handle, api.gnutls_pubkey_deinit);
                let (x, y) = (Datum::new(&x)?, Datum::new(&y)?);
                readable(import(open.handle, gost.curve, gost.hash, USUAL, &x, &y))?;
                open
            } else {
                let import = api.gnutls_privkey_import_gost_raw.ok_or_else(lacks)?;
                let factor = little(key);
                let code = (api.gnutls_privkey_init)(&mut handle);
                api.ok("gnutls_privkey_init", code)?;
                let open = Open::plain(handle, api.gnutls_privkey_deinit);
                let (x, y) = (Datum::new(&[1])?, Datum::new(&[1])?);
                let k = Datum::new(&factor)?;
                readable(import(
                    open.handle,
                    gost.curve,
                    gost.hash,
                    USUAL,
                    &x,
                    &y,
                    &k,
                ))?;
                open
            }
        };
        Ok(Key {
            open,
            algorithm: gost.signature,
            flags: if gost.hash == GOSTR_94 { BROKEN } else { 0 },
            half: gost.bytes,
        })
    }
}

/// Exchanges the halves of a signature that has two; with `half` 0, returns the bytes as they are.
fn exchanged(signature: &[u8], half: usize) -> Result<Vec<u8>, Failure> {
    if half == 0 {
        return Ok(signature.to_vec());
    }
    let [first, second] = halves(signature, half)?;
    Ok([second, first].concat())
}

/// Converts the code of a function that reads a key.
fn readable(code: c_int) -> Result<(), Failure> {
    if code < 0 { Err(unreadable()) } else { Ok(()) }
}
