//! Keys of public-key algorithms, in the encodings of docs/operations.md.
#![allow(unsafe_code)]

use std::ffi::{CStr, c_char, c_int, c_long};
use std::ptr;

use touchstone_worker::Failure;
use touchstone_worker::public::Scheme;

use crate::curve::CURVES;
use crate::ffi::{Api, Context, Object, Param};

/// A kind of keys.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// Both keys are bytes without structure, as RFC 7748, RFC 8032 and FIPS 205 define them:
    /// OpenSSL's name.
    Raw(&'static CStr),
    /// The public key is bytes without structure, and the private key is the seed of it (FIPS 203
    /// and 204): OpenSSL's name.
    Seed(&'static CStr),
    /// A point of a curve and a factor, in DER; OpenSSL's name of the curve.
    Curve(&'static CStr),
    /// RSA, in DER.
    Rsa,
    /// DSA, in DER, with the parameters.
    Dsa,
    /// Diffie and Hellman's, in DER, with the parameters.
    Dh,
}

/// OpenSSL's name of the seed from which a key is made.
pub(crate) const SEED: &CStr = c"seed";

/// `EVP_PKEY_KEYPAIR` of <openssl/evp.h>: a private key with its public key.
const KEY_PAIR: c_int = 0x87;

/// Rows: keys without structure, and whether the private one is a seed.
const RAW: &[(&str, &CStr, bool)] = &[
    ("ed25519", c"ED25519", false),
    ("ed448", c"ED448", false),
    ("x25519", c"X25519", false),
    ("x448", c"X448", false),
    ("ml-kem-512", c"ML-KEM-512", true),
    ("ml-kem-768", c"ML-KEM-768", true),
    ("ml-kem-1024", c"ML-KEM-1024", true),
    ("ml-dsa-44", c"ML-DSA-44", true),
    ("ml-dsa-65", c"ML-DSA-65", true),
    ("ml-dsa-87", c"ML-DSA-87", true),
    ("slh-dsa-sha2-128f", c"SLH-DSA-SHA2-128f", false),
    ("slh-dsa-shake-128f", c"SLH-DSA-SHAKE-128f", false),
];

impl Kind {
    /// Returns the kind of a scheme's keys; `None` for a scheme that OpenSSL lacks.
    pub(crate) fn of(scheme: Scheme<'_>) -> Option<Self> {
        Some(match scheme {
            Scheme::Raw(id) | Scheme::PostQuantum(id) => {
                let (_, name, seed) = RAW.iter().find(|(known, ..)| *known == id)?;
                let kind = if *seed { Self::Seed } else { Self::Raw };
                kind(name)
            }
            Scheme::Rsa(..) => Self::Rsa,
            Scheme::Dsa(..) => Self::Dsa,
            Scheme::Dh(_) => Self::Dh,
            Scheme::Sm2 => Self::Curve(c"SM2"),
            Scheme::Ecdsa(id, _) | Scheme::DeterministicEcdsa(id, _) | Scheme::Ecdh(id) => {
                let (_, curve) = CURVES.iter().find(|(known, _)| *known == id)?;
                Self::Curve(curve)
            }
            _ => return None,
        })
    }
}

/// Returns OpenSSL's name of a hash.
pub(crate) fn digest(id: &str) -> Option<&'static CStr> {
    Some(match id {
        "sha-1" => c"SHA1",
        "sha-224" => c"SHA2-224",
        "sha-256" => c"SHA2-256",
        "sha-384" => c"SHA2-384",
        "sha-512" => c"SHA2-512",
        "sm3" => c"SM3",
        _ => return None,
    })
}

impl Api {
    /// Returns whether a loaded provider has keys of this kind.
    pub(crate) fn has(&self, kind: Kind) -> bool {
        let (Kind::Raw(name) | Kind::Seed(name)) = kind else {
            return true;
        };
        // SAFETY: NULL means the default library context, the name is a C string, and the context's
        // owner frees it. An unknown name gives NULL, and an error that is cleared.
        unsafe {
            let made =
                (self.EVP_PKEY_CTX_new_from_name)(ptr::null_mut(), name.as_ptr(), ptr::null());
            (self.ERR_clear_error)();
            Context::new(made, self.EVP_PKEY_CTX_free).is_ok()
        }
    }

    /// Reads a private key.
    pub(crate) fn private(&self, kind: Kind, bytes: &[u8]) -> Result<Context, Failure> {
        if let Kind::Seed(name) = kind {
            return self.seeded(name, bytes);
        }
        self.decoded(
            kind,
            bytes,
            self.EVP_PKEY_new_raw_private_key_ex,
            self.d2i_AutoPrivateKey,
        )
    }

    /// Reads a public key.
    pub(crate) fn public(&self, kind: Kind, bytes: &[u8]) -> Result<Context, Failure> {
        self.decoded(
            kind,
            bytes,
            self.EVP_PKEY_new_raw_public_key_ex,
            self.d2i_PUBKEY,
        )
    }

    fn seeded(&self, name: &CStr, seed: &[u8]) -> Result<Context, Failure> {
        let mut key: Object = ptr::null_mut();
        let parameters = [Param::octets(SEED, seed), Param::end()];
        // SAFETY: NULL means the default library context, the name is a C string, the parameters
        // have their end mark and outlive the call, and the owners free both objects.
        unsafe {
            let made =
                (self.EVP_PKEY_CTX_new_from_name)(ptr::null_mut(), name.as_ptr(), ptr::null());
            let context = Context::new(made, self.EVP_PKEY_CTX_free)?;
            let code = (self.EVP_PKEY_fromdata_init)(context.object);
            self.ok("EVP_PKEY_fromdata_init", code)?;
            let read = self.EVP_PKEY_fromdata;
            let code = read(context.object, &mut key, KEY_PAIR, parameters.as_ptr());
            if code != 1 {
                (self.ERR_clear_error)();
                return Err(Failure::unsupported("this seed"));
            }
            Context::new(key, self.EVP_PKEY_free)
        }
    }

    fn decoded(
        &self,
        kind: Kind,
        bytes: &[u8],
        raw: unsafe extern "C" fn(Object, *const c_char, *const c_char, *const u8, usize) -> Object,
        der: unsafe extern "C" fn(*mut Object, *mut *const u8, c_long) -> Object,
    ) -> Result<Context, Failure> {
        let null = ptr::null_mut();
        // SAFETY: both functions read as many bytes as the slice has, and keep no pointer to it.
        // NULL means the default library context, or asks for a new object, whose owner frees it.
        let made = unsafe {
            match kind {
                Kind::Raw(name) | Kind::Seed(name) => raw(
                    null,
                    name.as_ptr(),
                    ptr::null(),
                    bytes.as_ptr(),
                    bytes.len(),
                ),
                _ => {
                    let mut at = bytes.as_ptr();
                    der(ptr::null_mut(), &mut at, bytes.len() as c_long)
                }
            }
        };
        if made.is_null() {
            let Failure::Failed(reason) = self.failure("reading the key") else {
                return Err(Failure::Rejected);
            };
            return Err(Failure::Unsupported(reason));
        }
        // SAFETY: the key is new, and its owner frees it.
        unsafe { Context::new(made, self.EVP_PKEY_free) }
    }

    /// Encodes a key with one of OpenSSL's functions `i2d_…`.
    pub(crate) fn encoded(
        &self,
        encode: unsafe extern "C" fn(Object, *mut *mut u8) -> c_int,
        object: Object,
    ) -> Result<Vec<u8>, Failure> {
        // SAFETY: the object is live. Without a place, the function only returns the length; then
        // it writes so many bytes to the place that `at` points to.
        unsafe {
            let length = usize::try_from(encode(object, ptr::null_mut()));
            let mut bytes = vec![0; length.map_err(|_| self.failure("writing a key"))?];
            let mut at = bytes.as_mut_ptr();
            encode(object, &mut at);
            Ok(bytes)
        }
    }
}
