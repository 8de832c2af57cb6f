//! Ed25519 and X25519.
#![allow(unsafe_code)]

use std::ptr;

use touchstone_worker::public::{PublicKeys, Scheme, Use, accepted, unreadable};
use touchstone_worker::{Failure, Message};

use crate::ffi::{Api, ok};

/// Bytes of a key, and of a signature.
const KEY: usize = 32;
const SIGNATURE: usize = 64;

/// A key, as the functions take it.
pub(crate) enum Key {
    /// Seed and public key, the library's form of a private key.
    Signer([u8; 2 * KEY]),
    Verifier([u8; KEY]),
    /// The factor and the point.
    Agreement([u8; KEY], [u8; KEY]),
}

impl PublicKeys for Api {
    type Key = Key;

    fn api(&self, scheme: Scheme<'_>, what: Use) -> Option<&'static str> {
        match (scheme, what) {
            (Scheme::Raw("ed25519"), Use::Sign) => Some("crypto_sign_ed25519_detached"),
            (Scheme::Raw("ed25519"), Use::Verify) => Some("crypto_sign_ed25519_verify_detached"),
            (Scheme::Raw("x25519"), Use::Agree) => Some("crypto_scalarmult_curve25519"),
            _ => None,
        }
    }

    fn read(&self, _: Scheme<'_>, what: Use, key: &[u8], peer: &[u8]) -> Result<Key, Failure> {
        let key: [u8; KEY] = key.try_into().map_err(|_| unreadable())?;
        match what {
            Use::Verify => Ok(Key::Verifier(key)),
            Use::Agree => {
                let peer = peer.try_into().map_err(|_| Failure::Rejected)?;
                Ok(Key::Agreement(key, peer))
            }
            _ => {
                let (mut public, mut private) = ([0; KEY], [0; 2 * KEY]);
                let make = self.crypto_sign_ed25519_seed_keypair;
                // SAFETY: the keys and the seed have their lengths.
                let code = unsafe { make(public.as_mut_ptr(), private.as_mut_ptr(), key.as_ptr()) };
                ok("crypto_sign_ed25519_seed_keypair", code)?;
                Ok(Key::Signer(private))
            }
        }
    }

    #[inline(always)]
    fn process(
        &self,
        key: &mut Key,
        _: Use,
        message: &Message<'_>,
        output: &mut [u8],
    ) -> Result<usize, Failure> {
        let (at, length, to) = (
            message.input.as_ptr(),
            message.input.len() as u64,
            output.as_mut_ptr(),
        );
        // SAFETY: keys and signatures have their lengths, the output has room for 64 bytes, and the
        // message's length is the slice's. NULL means that the length of the signature is not wanted.
        unsafe {
            match key {
                Key::Signer(key) => {
                    let sign = self.crypto_sign_ed25519_detached;
                    let code = sign(to, ptr::null_mut(), at, length, key.as_ptr());
                    ok("crypto_sign_ed25519_detached", code)?;
                    Ok(SIGNATURE)
                }
                Key::Verifier(key) => {
                    let signature = message.other("signature");
                    let verify = self.crypto_sign_ed25519_verify_detached;
                    let fits = signature.len() == SIGNATURE;
                    let signature = signature.as_ptr();
                    accepted(fits && verify(signature, at, length, key.as_ptr()) == 0, 0)
                }
                Key::Agreement(factor, point) => {
                    let multiply = self.crypto_scalarmult_curve25519;
                    let code = multiply(to, factor.as_ptr(), point.as_ptr());
                    accepted(code == 0, KEY)
                }
            }
        }
    }
}
