//! Keys of public-key algorithms, in the encodings of docs/operations.md.
#![allow(unsafe_code)]

use std::ffi::{CStr, c_char, c_int, c_long};
use std::ptr;

use touchstone_worker::Failure;

use crate::curve::CURVES;
use crate::ffi::{Api, Context, Object};

/// A kind of keys.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// The key is bytes without structure, as RFC 7748 and RFC 8032 define them: OpenSSL's name,
    /// and the length in bytes.
    Raw(&'static CStr, usize),
    /// A point of a curve and a factor, in DER; OpenSSL's name of the curve.
    Curve(&'static CStr),
    /// RSA, in DER.
    Rsa,
}

impl Kind {
    /// Returns the kind of a primitive's keys, and the rest of the primitive's id: the scheme and
    /// the hash. `None` for an unknown primitive.
    pub(crate) fn of(primitive: &str) -> Option<(Self, &str)> {
        let raw = [
            ("ed25519", c"ED25519", 32),
            ("ed448", c"ED448", 57),
            ("x25519", c"X25519", 32),
            ("x448", c"X448", 56),
        ];
        if let Some((_, name, length)) = raw.into_iter().find(|(id, ..)| *id == primitive) {
            return Some((Self::Raw(name, length), ""));
        }
        let (family, rest) = primitive.split_once('-')?;
        let (name, scheme) = rest.split_once('-').unwrap_or((rest, ""));
        match family {
            "rsa" => Some((Self::Rsa, scheme)),
            "ecdsa" | "ecdh" => {
                let (_, curve) = CURVES.iter().find(|(id, _)| *id == name)?;
                Some((Self::Curve(curve), scheme))
            }
            _ => None,
        }
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
        _ => return None,
    })
}

impl Api {
    /// Reads a private key.
    pub(crate) fn private(&self, kind: Kind, bytes: &[u8]) -> Result<Context, Failure> {
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
                Kind::Raw(name, _) => raw(
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
        Context::new(made, self.EVP_PKEY_free)
    }

    /// Writes a key with one of OpenSSL's functions `i2d_…`, and returns its length.
    pub(crate) fn encoded(
        &self,
        encode: unsafe extern "C" fn(Object, *mut *mut u8) -> c_int,
        object: Object,
        output: &mut [u8],
    ) -> Result<usize, Failure> {
        // SAFETY: the object is live. Without a place, the function only returns the length; then
        // it writes so many bytes to the place that `at` points to.
        unsafe {
            let length = encode(object, ptr::null_mut());
            let Some(room) = usize::try_from(length)
                .ok()
                .and_then(|n| output.get_mut(..n))
            else {
                return Err(self.failure("writing a key"));
            };
            let mut at = room.as_mut_ptr();
            encode(object, &mut at);
            Ok(room.len())
        }
    }
}
