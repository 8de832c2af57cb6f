//! ECDSA, ECDH, and multiples of points.
#![allow(unsafe_code)]

use std::ffi::{c_int, c_void};
use std::ptr;

use sha2::{Digest, Sha256};
use touchstone_worker::points::{Multiple, Operands, Points};
use touchstone_worker::public::{
    PublicKeys, Scheme, Use, accepted, factor, point_of_peer, unreadable,
};
use touchstone_worker::{Failure, Message, der};

use crate::ffi::{Curve, Opaque, UNCOMPRESSED};

/// The one curve.
const CURVE: &str = "secp256k1";

/// A key in the library's form.
pub(crate) struct Key {
    /// The secret factor; zeros beside a public key of a signature.
    own: [u8; 32],
    /// The public key of a signature, or the other side's.
    point: Opaque,
}

/// Copies the x coordinate of a shared point, which is the secret of ECDH (SEC 1, 3.3.1).
unsafe extern "C" fn coordinate(
    output: *mut u8,
    x: *const u8,
    _: *const u8,
    _: *mut c_void,
) -> c_int {
    // SAFETY: the library gives 32 bytes, and the caller's output has room for them.
    unsafe { ptr::copy_nonoverlapping(x, output, 32) };
    1
}

/// Returns a factor as 32 bytes.
fn padded(factor: &[u8]) -> Option<[u8; 32]> {
    let mut bytes = [0; 32];
    let start = bytes.len().checked_sub(factor.len())?;
    bytes[start..].copy_from_slice(factor);
    Some(bytes)
}

impl Curve {
    fn point(&self, encoded: &[u8]) -> Option<Opaque> {
        let mut point = Opaque([0; 64]);
        let (at, bytes) = (encoded.as_ptr(), encoded.len());
        // SAFETY: the context is live, and the length is the slice's.
        let code =
            unsafe { (self.api.secp256k1_ec_pubkey_parse)(self.context.0, &mut point, at, bytes) };
        (code == 1).then_some(point)
    }

    /// Reads a secret factor, which must be above zero and below the order.
    fn secret(&self, factor: &[u8]) -> Option<[u8; 32]> {
        let bytes = padded(factor)?;
        // SAFETY: the context is live, and the factor has 32 bytes.
        let code = unsafe { (self.api.secp256k1_ec_seckey_verify)(self.context.0, bytes.as_ptr()) };
        (code == 1).then_some(bytes)
    }
}

impl PublicKeys for Curve {
    type Key = Key;

    fn api(&self, scheme: Scheme<'_>, what: Use) -> Option<&'static str> {
        match (scheme, what) {
            (Scheme::Ecdsa(CURVE, "sha-256"), Use::Sign) => Some("secp256k1_ecdsa_sign"),
            (Scheme::Ecdsa(CURVE, "sha-256"), Use::Verify) => {
                Some("secp256k1_ecdsa_signature_normalize, secp256k1_ecdsa_verify")
            }
            (Scheme::Ecdh(CURVE), Use::Agree) => self.api.secp256k1_ecdh.map(|_| "secp256k1_ecdh"),
            _ => None,
        }
    }

    fn read(&self, _: Scheme<'_>, what: Use, key: &[u8], peer: &[u8]) -> Result<Key, Failure> {
        let none = Opaque([0; 64]);
        Ok(match what {
            Use::Verify => {
                let parts = der::public_key(key).ok_or_else(unreadable)?;
                Key {
                    own: [0; 32],
                    point: self.point(parts.key).ok_or_else(unreadable)?,
                }
            }
            Use::Agree => {
                let point = self.point(point_of_peer(key, peer)?);
                Key {
                    own: self.secret(factor(key)?).ok_or_else(unreadable)?,
                    point: point.ok_or(Failure::Rejected)?,
                }
            }
            _ => Key {
                own: self.secret(factor(key)?).ok_or_else(unreadable)?,
                point: none,
            },
        })
    }

    #[inline(always)]
    fn process(
        &self,
        key: &mut Key,
        what: Use,
        message: &Message<'_>,
        output: &mut [u8],
    ) -> Result<usize, Failure> {
        let (api, context) = (&self.api, self.context.0);
        let mut signature = Opaque([0; 64]);
        let (own, mut length) = (key.own.as_ptr(), output.len());
        // SAFETY: the context and all objects are live, digests and factors have 32 bytes, and each
        // length is the length of its slice. NULL means the default nonce.
        unsafe {
            match what {
                Use::Sign => {
                    let digest = Sha256::digest(message.input);
                    let (digest, null) = (digest.as_ptr(), ptr::null());
                    let sign = api.secp256k1_ecdsa_sign;
                    let write = api.secp256k1_ecdsa_signature_serialize_der;
                    if sign(context, &mut signature, digest, own, null, null) != 1
                        || write(context, output.as_mut_ptr(), &mut length, &signature) != 1
                    {
                        return Err(Failure::failed("secp256k1_ecdsa_sign"));
                    }
                    Ok(length)
                }
                Use::Verify => {
                    let given = message.other("signature");
                    let digest = Sha256::digest(message.input);
                    let read = api.secp256k1_ecdsa_signature_parse_der;
                    if read(context, &mut signature, given.as_ptr(), given.len()) != 1 {
                        return Err(Failure::Rejected);
                    }
                    let given = signature;
                    (api.secp256k1_ecdsa_signature_normalize)(context, &mut signature, &given);
                    let verify = api.secp256k1_ecdsa_verify;
                    let code = verify(context, &signature, digest.as_ptr(), &key.point);
                    accepted(code == 1, 0)
                }
                _ => {
                    let room = output.get_mut(..32);
                    let room = room.ok_or_else(|| Failure::failed("no room for a secret"))?;
                    let agree = api.secp256k1_ecdh.ok_or_else(unreadable)?;
                    let (to, null) = (room.as_mut_ptr(), ptr::null_mut());
                    let code = agree(context, to, &key.point, own, coordinate, null);
                    accepted(code == 1, 32)
                }
            }
        }
    }
}

impl Points for Curve {
    type Held = Key;

    fn api(&self, curve: &str, what: Multiple) -> Option<&'static str> {
        match what {
            Multiple::Base if curve == CURVE => Some("secp256k1_ec_pubkey_create"),
            Multiple::Any if curve == CURVE => Some("secp256k1_ec_pubkey_tweak_mul"),
            _ => None,
        }
    }

    fn hold(&self, _: &str, what: Multiple, operands: &Operands) -> Result<Key, Failure> {
        let (factor, point) = match what {
            Multiple::Base => (&operands.base, Opaque([0; 64])),
            _ => {
                let point = self.point(&operands.point).ok_or(Failure::Rejected)?;
                (&operands.scalar, point)
            }
        };
        let own = self.secret(factor);
        let own =
            own.ok_or_else(|| Failure::unsupported("a factor of zero, or above the order"))?;
        Ok(Key { own, point })
    }

    #[inline]
    fn multiply(
        &self,
        held: &mut Key,
        what: Multiple,
        output: &mut [u8],
    ) -> Result<usize, Failure> {
        let (api, context) = (&self.api, self.context.0);
        let (mut point, mut length) = (held.point, output.len());
        let (own, room) = (held.own.as_ptr(), output.as_mut_ptr());
        // SAFETY: the context and the point are live, the factor has 32 bytes, and the length is the
        // slice's.
        let codes = unsafe {
            let code = match what {
                Multiple::Base => (api.secp256k1_ec_pubkey_create)(context, &mut point, own),
                _ => (api.secp256k1_ec_pubkey_tweak_mul)(context, &mut point, own),
            };
            let write = api.secp256k1_ec_pubkey_serialize;
            [
                code,
                write(context, room, &mut length, &point, UNCOMPRESSED),
            ]
        };
        if codes != [1, 1] {
            return Err(Failure::failed("secp256k1_ec_pubkey_create or tweak_mul"));
        }
        Ok(length)
    }
}
