//! ML-KEM, SLH-DSA, and the verification of ML-DSA.
#![allow(unsafe_code)]

use std::ffi::CStr;

use touchstone_worker::public::{PublicKeys, Scheme, Use, accepted, unreadable};
use touchstone_worker::{Failure, Message, Owned};

use crate::ffi::{Oqs, ok};

/// Parameter sets: the lab's names, the library's, and the bytes of a ciphertext and of an expanded
/// private key (FIPS 203, table 3); 0 for sets of signatures. Version 0.13 has no SLH-DSA.
const SETS: &[(&str, &CStr, usize, usize)] = &[
    ("ml-kem-512", c"ML-KEM-512", 768, 1632),
    ("ml-kem-768", c"ML-KEM-768", 1088, 2400),
    ("ml-kem-1024", c"ML-KEM-1024", 1568, 3168),
    ("ml-dsa-44", c"ML-DSA-44", 0, 0),
    ("ml-dsa-65", c"ML-DSA-65", 0, 0),
    ("ml-dsa-87", c"ML-DSA-87", 0, 0),
    ("slh-dsa-sha2-128f", c"SLH_DSA_PURE_SHA2_128F", 0, 0),
    ("slh-dsa-shake-128f", c"SLH_DSA_PURE_SHAKE_128F", 0, 0),
];

/// The bytes of a shared secret.
const SECRET: usize = 32;

/// An algorithm's object, and the key in the library's form.
pub(crate) struct Key {
    object: Owned,
    key: Vec<u8>,
    ciphertext: usize,
}

impl PublicKeys for Oqs {
    type Key = Key;

    fn api(&self, scheme: Scheme<'_>, what: Use) -> Option<&'static str> {
        let Scheme::PostQuantum(name) = scheme else {
            return None;
        };
        let (_, known, ciphertext, _) = SETS.iter().find(|(id, ..)| *id == name)?;
        let signs = *ciphertext == 0;
        self.object(known, signs)?;
        match what {
            Use::Verify if signs => Some("OQS_SIG_verify"),
            Use::Sign if name.starts_with("slh-dsa") => Some("OQS_SIG_sign"),
            Use::Encapsulate if !signs => Some("OQS_KEM_encaps"),
            Use::Decapsulate if !signs => self
                .api
                .OQS_KEM_keypair_derand
                .map(|_| "OQS_KEM_keypair_derand, OQS_KEM_decaps"),
            _ => None,
        }
    }

    fn read(&self, scheme: Scheme<'_>, what: Use, key: &[u8], _: &[u8]) -> Result<Key, Failure> {
        let Scheme::PostQuantum(name) = scheme else {
            return Err(unreadable());
        };
        let set = SETS.iter().find(|(id, ..)| *id == name);
        let (_, known, ciphertext, private) = set.ok_or_else(unreadable)?;
        let object = self.object(known, *ciphertext == 0);
        let object = object.ok_or_else(|| Failure::unsupported(name))?;
        let key = if what == Use::Decapsulate {
            let expand = self.api.OQS_KEM_keypair_derand.ok_or_else(unreadable)?;
            let [_, public] = scheme.key_bytes().ok_or_else(unreadable)?;
            let (mut public, mut own) = (vec![0; public], vec![0; *private]);
            let (to, secret) = (public.as_mut_ptr(), own.as_mut_ptr());
            // SAFETY: the seed has the scheme's 64 bytes, and both keys have their lengths.
            let code = unsafe { expand(object.object, to, secret, key.as_ptr()) };
            ok("OQS_KEM_keypair_derand", code)?;
            own
        } else {
            key.to_vec()
        };
        Ok(Key {
            object,
            key,
            ciphertext: *ciphertext,
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
        let (handle, own) = (key.object.object, key.key.as_ptr());
        let bytes = key.ciphertext + SECRET;
        // SAFETY: the object is live, and each key has the length of its set. Ciphertexts have their
        // length, which the caller has compared, and the output has room for what is written.
        unsafe {
            match what {
                Use::Verify => {
                    let (input, signature) = (message.input, message.other("signature"));
                    let (at, length) = (input.as_ptr(), input.len());
                    let (mark, size) = (signature.as_ptr(), signature.len());
                    let verify = self.api.OQS_SIG_verify;
                    let code = verify(handle.cast_const(), at, length, mark, size, own);
                    accepted(code == 0, 0)
                }
                Use::Sign => {
                    let (at, length) = (message.input.as_ptr(), message.input.len());
                    let (to, mut written) = (output.as_mut_ptr(), output.len());
                    let sign = self.api.OQS_SIG_sign;
                    let code = sign(handle.cast_const(), to, &mut written, at, length, own);
                    ok("OQS_SIG_sign", code)?;
                    Ok(written)
                }
                Use::Encapsulate => {
                    let room = output.get_mut(..bytes);
                    let room = room.ok_or_else(|| Failure::failed("no room for an answer"))?;
                    let (ciphertext, secret) = room.split_at_mut(key.ciphertext);
                    let (first, second) = (ciphertext.as_mut_ptr(), secret.as_mut_ptr());
                    let code = (self.api.OQS_KEM_encaps)(handle, first, second, own);
                    ok("OQS_KEM_encaps", code)?;
                    Ok(bytes)
                }
                _ => {
                    let room = output.get_mut(..SECRET);
                    let room = room.ok_or_else(|| Failure::failed("no room for a secret"))?;
                    let ciphertext = message.other("ciphertext").as_ptr();
                    let decaps = self.api.OQS_KEM_decaps;
                    let code = decaps(handle, room.as_mut_ptr(), ciphertext, own);
                    ok("OQS_KEM_decaps", code)?;
                    Ok(SECRET)
                }
            }
        }
    }
}
