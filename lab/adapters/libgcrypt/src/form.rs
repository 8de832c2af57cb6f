//! The S-expressions of each scheme.

use std::ffi::CStr;

use touchstone_worker::public::{Padding, Scheme};

/// The S-expressions of a scheme.
#[derive(Clone, Copy)]
pub(crate) struct Form {
    /// The message or its hash.
    pub(crate) data: &'static CStr,
    /// A signature or a ciphertext.
    pub(crate) value: &'static CStr,
}

/// Returns the forms of a scheme; `None` if the library lacks the scheme.
pub(crate) fn form(scheme: Scheme<'_>) -> Option<Form> {
    let (data, value) = match scheme {
        Scheme::Raw("ed25519") => (
            c"(data (flags eddsa)(hash-algo sha512)(value %b))",
            c"(sig-val (eddsa (r %b)(s %b)))",
        ),
        Scheme::Raw("ed448") => (
            c"(data (flags eddsa)(value %b))",
            c"(sig-val (eddsa (r %b)(s %b)))",
        ),
        Scheme::Raw(_) => (c"", c""),
        Scheme::Rsa(_, Padding::Pkcs1("")) => (
            c"(data (flags pkcs1)(value %b))",
            c"(enc-val (flags pkcs1)(rsa (a %m)))",
        ),
        Scheme::Rsa(_, Padding::Oaep("sha-256")) => (
            c"(data (flags oaep)(hash-algo sha256)(value %b))",
            c"(enc-val (flags oaep)(hash-algo sha256)(rsa (a %m)))",
        ),
        Scheme::Rsa(_, Padding::Pkcs1("sha-256")) => (
            c"(data (flags pkcs1)(hash sha256 %b))",
            c"(sig-val (rsa (s %m)))",
        ),
        // A salt is as long as the hash.
        Scheme::Rsa(_, Padding::Pss("sha-256")) => (
            c"(data (flags pss)(hash sha256 %b)(salt-length 2:32))",
            c"(sig-val (rsa (s %m)))",
        ),
        Scheme::Ecdsa(_, hash) => {
            let data = match hash {
                "sha-1" => c"(data (flags raw)(hash sha1 %b))",
                "sha-224" => c"(data (flags raw)(hash sha224 %b))",
                "sha-256" => c"(data (flags raw)(hash sha256 %b))",
                "sha-384" => c"(data (flags raw)(hash sha384 %b))",
                "sha-512" => c"(data (flags raw)(hash sha512 %b))",
                _ => return None,
            };
            (data, c"(sig-val (ecdsa (r %m)(s %m)))")
        }
        Scheme::DeterministicEcdsa(_, hash) => {
            let data = match hash {
                "sha-1" => c"(data (flags rfc6979)(hash sha1 %b))",
                "sha-224" => c"(data (flags rfc6979)(hash sha224 %b))",
                "sha-256" => c"(data (flags rfc6979)(hash sha256 %b))",
                "sha-384" => c"(data (flags rfc6979)(hash sha384 %b))",
                "sha-512" => c"(data (flags rfc6979)(hash sha512 %b))",
                _ => return None,
            };
            (data, c"(sig-val (ecdsa (r %m)(s %m)))")
        }
        Scheme::Dsa(_, "sha-256") => (
            c"(data (flags raw)(hash sha256 %b))",
            c"(sig-val (dsa (r %m)(s %m)))",
        ),
        Scheme::Sm2 => (
            c"(data (flags sm2)(hash sm3 %b))",
            c"(sig-val (sm2 (r %m)(s %m)))",
        ),
        // The hash is a number whose first byte is the least significant (RFC 7091, 5.3).
        Scheme::Gost(_) => (
            c"(data (flags gost)(value %b))",
            c"(sig-val (gost (r %m)(s %m)))",
        ),
        Scheme::ElGamal(_) => (
            c"(data (flags pkcs1)(value %b))",
            c"(enc-val (flags pkcs1)(elg (a %m)(b %m)))",
        ),
        Scheme::Ecdh(_) => (c"", c"(enc-val (ecdh (e %b)))"),
        _ => return None,
    };
    Some(Form { data, value })
}

impl Form {
    /// Returns how many numbers a signature or a ciphertext has.
    pub(crate) fn numbers(self) -> usize {
        let value = self.value.to_bytes();
        value.windows(2).filter(|pair| pair == b"%m").count()
    }
}
