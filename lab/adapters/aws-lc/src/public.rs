//! Signatures, key agreement and encryption: `EVP_…` for keys with a structure, and
//! `ED25519_…` and `X25519` for keys without one.
#![allow(unsafe_code)]

use std::ptr;

use aws_lc_sys::*;
use touchstone_worker::public::{Padding, Pair, PublicKeys, Scheme, Use, encapsulated, unreadable};
use touchstone_worker::{Failure, Message, Owned};

use crate::digest::hash;
use crate::key::{KEY, Key, context};
use crate::ok;
use crate::{generate, post_quantum};

/// The curves, by the lab's names.
const CURVES: &[&str] = &["p224", "p256", "p384", "p521", "secp256k1"];

/// Bytes of a signature of Ed25519.
const SIGNATURE: usize = 64;

/// The library, which is linked in.
#[derive(Clone, Copy)]
pub(crate) struct Evp;

/// Reads a key in DER.
fn decoded(der: &[u8], is_public: bool) -> Result<Owned<EVP_PKEY>, Failure> {
    let (mut at, length) = (der.as_ptr(), der.len() as std::ffi::c_long);
    // SAFETY: NULL asks for a new key, whose owner frees it, and the length is the slice's.
    let key = unsafe {
        let made = if is_public {
            d2i_PUBKEY(ptr::null_mut(), &mut at, length)
        } else {
            d2i_AutoPrivateKey(ptr::null_mut(), &mut at, length)
        };
        Owned::new(made, EVP_PKEY_free)
    };
    key.map_err(|_| {
        clear();
        unreadable()
    })
}

/// Empties the thread's queue of errors.
fn clear() {
    // SAFETY: the function takes no arguments.
    unsafe { ERR_clear_error() };
}

/// Returns the answer of a check.
fn accepted(yes: bool, written: usize) -> Result<usize, Failure> {
    if yes {
        return Ok(written);
    }
    clear();
    Err(Failure::Rejected)
}

impl PublicKeys for Evp {
    type Key = Key;

    fn api(&self, scheme: Scheme<'_>, what: Use) -> Option<&'static str> {
        if let Scheme::Ecdsa(curve, _) | Scheme::Ecdh(curve) = scheme
            && !CURVES.contains(&curve)
        {
            return None;
        }
        if let Scheme::PostQuantum(name) = scheme {
            return post_quantum::api(name, what);
        }
        if scheme.is_rare() || matches!(scheme, Scheme::Dsa(..) | Scheme::Dh(_)) {
            return None;
        }
        Some(match (scheme, what) {
            (Scheme::Rsa(..) | Scheme::Ecdsa(..), Use::Generate) => "EVP_PKEY_keygen",
            (_, Use::Generate) => return None,
            (Scheme::DeterministicEcdsa(..), _) => return None,
            (Scheme::Raw("ed25519"), Use::Sign) => "ED25519_sign",
            (Scheme::Raw("ed25519"), _) => "ED25519_verify",
            (Scheme::Raw("x25519"), _) => "X25519",
            (Scheme::Raw(_), _) => return None,
            (_, Use::Sign) => "EVP_DigestSignInit, EVP_DigestSign",
            (_, Use::Verify) => "EVP_DigestVerifyInit, EVP_DigestVerify",
            (_, Use::Encrypt) => "EVP_PKEY_encrypt",
            (_, Use::Decrypt) => "EVP_PKEY_decrypt",
            (_, Use::Agree) => "EVP_PKEY_derive_set_peer, EVP_PKEY_derive",
            _ => return None,
        })
    }

    fn read(&self, scheme: Scheme<'_>, what: Use, key: &[u8], peer: &[u8]) -> Result<Key, Failure> {
        if let Scheme::Raw(_) = scheme {
            let key: [u8; KEY] = key.try_into().map_err(|_| unreadable())?;
            return Ok(match what {
                Use::Agree => Key::X25519(key, peer.try_into().map_err(|_| Failure::Rejected)?),
                Use::Verify => Key::Ed25519Public(key),
                _ => {
                    let (mut public, mut private) = ([0; KEY], [0; 2 * KEY]);
                    let (one, other) = (public.as_mut_ptr(), private.as_mut_ptr());
                    // SAFETY: the keys and the seed have their lengths.
                    unsafe { ED25519_keypair_from_seed(one, other, key.as_ptr()) };
                    Key::Ed25519(private)
                }
            });
        }
        if let Scheme::PostQuantum(name) = scheme {
            return post_quantum::read(name, what, key);
        }
        let key = decoded(key, what.is_public())?;
        match (scheme, what) {
            (_, Use::Sign | Use::Verify) => {
                // SAFETY: the context's owner frees it.
                let context = unsafe { Owned::new(EVP_MD_CTX_new(), EVP_MD_CTX_free)? };
                let md = hash(scheme.hash()).ok_or_else(unreadable)?;
                let is_pss = matches!(scheme, Scheme::Rsa(_, Padding::Pss(_)));
                Ok(Key::Signature(context, key, Some(md), is_pss))
            }
            (_, Use::Agree) => {
                let context = context(&key)?;
                // SAFETY: the context is live.
                let code = unsafe { EVP_PKEY_derive_init(context.object) };
                ok("EVP_PKEY_derive_init", code)?;
                let peer = decoded(peer, true).map_err(|_| Failure::Rejected)?;
                Ok(Key::Agreement(context, peer))
            }
            (scheme, _) => {
                let context = context(&key)?;
                let at = context.object;
                // SAFETY: the context is live, and the hash is a static object.
                unsafe {
                    let code = match what {
                        Use::Encrypt => EVP_PKEY_encrypt_init(at),
                        _ => EVP_PKEY_decrypt_init(at),
                    };
                    ok("EVP_PKEY_encrypt_init or …_decrypt_init", code)?;
                    if let Scheme::Rsa(_, Padding::Oaep(name)) = scheme {
                        let code = EVP_PKEY_CTX_set_rsa_padding(at, RSA_PKCS1_OAEP_PADDING);
                        ok("EVP_PKEY_CTX_set_rsa_padding", code)?;
                        let md = hash(name).ok_or_else(unreadable)?;
                        // The hash of the mask follows OAEP's hash.
                        let code = EVP_PKEY_CTX_set_rsa_oaep_md(at, md.0);
                        ok("EVP_PKEY_CTX_set_rsa_oaep_md", code)?;
                    } else {
                        let code = EVP_PKEY_CTX_set_rsa_padding(at, RSA_PKCS1_PADDING);
                        ok("EVP_PKEY_CTX_set_rsa_padding", code)?;
                    }
                }
                Ok(Key::Encryption(context))
            }
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
        let (at, length) = (message.input.as_ptr(), message.input.len());
        let (to, mut written) = (output.as_mut_ptr(), output.len());
        let signature = message.other("signature");
        let (signed, bytes) = (signature.as_ptr(), signature.len());
        // SAFETY: all objects are live. Keys without structure have their length, and so have their
        // signatures; the output has room for them. Every other length is the length of its slice.
        unsafe {
            match key {
                Key::Ed25519(key) => {
                    ok("ED25519_sign", ED25519_sign(to, at, length, key.as_ptr()))?;
                    Ok(SIGNATURE)
                }
                Key::Ed25519Public(key) => {
                    let fits = bytes == SIGNATURE;
                    accepted(
                        fits && ED25519_verify(at, length, signed, key.as_ptr()) == 1,
                        0,
                    )
                }
                Key::X25519(factor, point) => {
                    accepted(X25519(to, factor.as_ptr(), point.as_ptr()) == 1, KEY)
                }
                Key::Signature(context, key, md, is_pss) => {
                    let mut inner = ptr::null_mut();
                    let init = match what {
                        Use::Sign => EVP_DigestSignInit,
                        _ => EVP_DigestVerifyInit,
                    };
                    // EVP's manual asks for a new initialisation before each message.
                    let (context, null) = (context.object, ptr::null_mut());
                    let md = md.as_ref().map_or(ptr::null(), |md| md.0);
                    let code = init(context, &mut inner, md, null, key.object);
                    ok("EVP_DigestSignInit or EVP_DigestVerifyInit", code)?;
                    if *is_pss {
                        let code = EVP_PKEY_CTX_set_rsa_padding(inner, RSA_PKCS1_PSS_PADDING);
                        ok("EVP_PKEY_CTX_set_rsa_padding", code)?;
                        let code = EVP_PKEY_CTX_set_rsa_pss_saltlen(inner, RSA_PSS_SALTLEN_DIGEST);
                        ok("EVP_PKEY_CTX_set_rsa_pss_saltlen", code)?;
                    }
                    if what == Use::Sign {
                        let code = EVP_DigestSign(context, to, &mut written, at, length);
                        ok("EVP_DigestSign", code)?;
                        return Ok(written);
                    }
                    accepted(EVP_DigestVerify(context, signed, bytes, at, length) == 1, 0)
                }
                Key::Encryption(context) if what == Use::Encrypt => {
                    let code = EVP_PKEY_encrypt(context.object, to, &mut written, at, length);
                    ok("EVP_PKEY_encrypt", code)?;
                    Ok(written)
                }
                Key::Encryption(context) => {
                    let code = EVP_PKEY_decrypt(context.object, to, &mut written, at, length);
                    accepted(code == 1, written)
                }
                Key::Encapsulation(context, _) if what == Use::Decapsulate => {
                    let ciphertext = message.other("ciphertext");
                    let (at, length) = (ciphertext.as_ptr(), ciphertext.len());
                    let code = EVP_PKEY_decapsulate(context.object, to, &mut written, at, length);
                    accepted(code == 1, written)
                }
                Key::Encapsulation(context, ciphertext) => {
                    let [first, rest] = encapsulated(output, *ciphertext)?;
                    let (mut bytes, mut length) = (first.len(), rest.len());
                    let (first, rest) = (first.as_mut_ptr(), rest.as_mut_ptr());
                    let make = EVP_PKEY_encapsulate;
                    let code = make(context.object, first, &mut bytes, rest, &mut length);
                    ok("EVP_PKEY_encapsulate", code)?;
                    Ok(bytes + length)
                }
                Key::Agreement(context, peer) => {
                    let done = EVP_PKEY_derive_set_peer(context.object, peer.object) == 1
                        && EVP_PKEY_derive(context.object, to, &mut written) == 1;
                    accepted(done, written)
                }
            }
        }
    }

    fn generate(&self, scheme: Scheme<'_>) -> Result<Box<dyn Pair>, Failure> {
        match scheme {
            Scheme::PostQuantum(name) => post_quantum::generate(name),
            _ => generate::pair(scheme),
        }
    }
}
