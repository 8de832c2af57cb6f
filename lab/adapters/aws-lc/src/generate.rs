//! Key generation.
#![allow(unsafe_code)]

use std::ptr;

use aws_lc_sys::*;
use touchstone_worker::public::{Pair, Scheme, unreadable};
use touchstone_worker::{Failure, Owned};

use crate::ok;

/// A new key pair of RSA or of a curve.
struct Made(Owned<EVP_PKEY>);

/// Writes an object with one of the functions `i2d_…`.
fn encoded<T>(
    encode: unsafe extern "C" fn(*const T, *mut *mut u8) -> i32,
    object: *const T,
) -> Result<Vec<u8>, Failure> {
    // SAFETY: the object is live. Without a place, the function only returns the length; then it
    // writes so many bytes to the place.
    unsafe {
        let length = usize::try_from(encode(object, ptr::null_mut()));
        let mut bytes = vec![0; length.map_err(|_| Failure::failed("writing a key"))?];
        let mut at = bytes.as_mut_ptr();
        encode(object, &mut at);
        Ok(bytes)
    }
}

impl Pair for Made {
    fn public(&self) -> Result<Vec<u8>, Failure> {
        encoded(i2d_PUBKEY, self.0.object)
    }

    fn private(&self) -> Result<Vec<u8>, Failure> {
        // SAFETY: the key is live, and the owner of the new object frees it.
        let info = unsafe { Owned::new(EVP_PKEY2PKCS8(self.0.object), PKCS8_PRIV_KEY_INFO_free)? };
        encoded(i2d_PKCS8_PRIV_KEY_INFO, info.object)
    }
}

/// Makes a key pair.
pub(crate) fn pair(scheme: Scheme<'_>) -> Result<Box<dyn Pair>, Failure> {
    let (kind, bits, curve) = match scheme {
        Scheme::Rsa(bits, _) => (EVP_PKEY_RSA, bits as i32, 0),
        Scheme::Ecdsa(curve, _) => {
            let number = match curve {
                "p224" => NID_secp224r1,
                "p256" => NID_X9_62_prime256v1,
                "p384" => NID_secp384r1,
                "p521" => NID_secp521r1,
                "secp256k1" => NID_secp256k1,
                _ => return Err(unreadable()),
            };
            (EVP_PKEY_EC, 0, number)
        }
        _ => return Err(unreadable()),
    };
    let mut made = ptr::null_mut();
    // SAFETY: NULL means that there is no engine, and the owners free both objects.
    unsafe {
        let context = Owned::new(
            EVP_PKEY_CTX_new_id(kind, ptr::null_mut()),
            EVP_PKEY_CTX_free,
        )?;
        let at = context.object;
        ok("EVP_PKEY_keygen_init", EVP_PKEY_keygen_init(at))?;
        if kind == EVP_PKEY_RSA {
            let code = EVP_PKEY_CTX_set_rsa_keygen_bits(at, bits);
            ok("EVP_PKEY_CTX_set_rsa_keygen_bits", code)?;
        } else {
            let code = EVP_PKEY_CTX_set_ec_paramgen_curve_nid(at, curve);
            ok("EVP_PKEY_CTX_set_ec_paramgen_curve_nid", code)?;
        }
        ok("EVP_PKEY_keygen", EVP_PKEY_keygen(at, &mut made))?;
        Ok(Box::new(Made(Owned::new(made, EVP_PKEY_free)?)))
    }
}
