//! Public keys: signatures by `EVP_DigestSign`, agreement by `EVP_PKEY_derive`, encryption by
//! `EVP_PKEY_encrypt`, encapsulation by `EVP_PKEY_encapsulate`.
#![allow(unsafe_code)]

use std::ffi::{CStr, c_int};
use std::ptr;

use touchstone_worker::public::{
    Padding, PublicKeys, SM2_IDENTITY, Scheme, Use, encapsulated, generator, unreadable,
};
use touchstone_worker::{Cell, Failure, Message, Written};

use crate::ffi::{Api, Context, Object, Param};
use crate::generate::{self, Keys};
use crate::key::{Kind, digest};

/// `RSA_PKCS1_PADDING` and `RSA_PKCS1_OAEP_PADDING` of <openssl/rsa.h>.
const PKCS1: c_int = 1;
const OAEP: c_int = 4;

/// `NONCE_TYPE` of RFC 6979: <openssl/core_names.h>, `OSSL_SIGNATURE_PARAM_NONCE_TYPE`.
const RFC_6979: u64 = 1;

/// A context of OpenSSL, and what a program keeps with it.
pub(crate) struct Key {
    /// An `EVP_MD_CTX` for signatures, and an `EVP_PKEY_CTX` with the key for all else.
    context: Context,
    key: Context,
    /// The other side's public key.
    peer: Option<Context>,
    /// The hash of a signature.
    hash: Option<&'static CStr>,
    /// The parameters of a signature.
    parameters: Vec<Param>,
    /// The parameters that a context of SM2 takes after it is initialised: the identity. The
    /// initialisation itself refuses them.
    identity: Option<[Param; 2]>,
    /// The length of a ciphertext of ML-KEM.
    ciphertext: usize,
}

/// Returns the parameters of a signature; PSS's salt is as long as the hash.
fn parameters(scheme: Scheme<'_>) -> Vec<Param> {
    let mut parameters = match scheme {
        Scheme::Rsa(_, Padding::Pss(_)) => vec![
            Param::text(c"pad-mode", c"pss"),
            Param::text(c"saltlen", c"digest"),
        ],
        Scheme::DeterministicEcdsa(..) => vec![Param::number(c"nonce-type", &RFC_6979)],
        _ => Vec::new(),
    };
    parameters.push(Param::end());
    parameters
}

impl Api {
    /// Makes a context of a key for everything but signatures.
    fn prepared(&self, scheme: Scheme<'_>, what: Use, key: Object) -> Result<Context, Failure> {
        // SAFETY: the key is live, and the context takes a reference to it. The context's owner
        // frees it. NULL means that there are no parameters, and each list has its end mark.
        unsafe {
            let made = (self.EVP_PKEY_CTX_new_from_pkey)(ptr::null_mut(), key, ptr::null());
            let context = Context::new(made, self.EVP_PKEY_CTX_free)?;
            let object = context.object;
            let code = match what {
                Use::Encapsulate => (self.EVP_PKEY_encapsulate_init)(object, ptr::null()),
                Use::Decapsulate => (self.EVP_PKEY_decapsulate_init)(object, ptr::null()),
                Use::Encrypt => (self.EVP_PKEY_encrypt_init)(object),
                Use::Decrypt => (self.EVP_PKEY_decrypt_init)(object),
                _ => (self.EVP_PKEY_derive_init)(object),
            };
            self.ok("the initialisation of a context", code)?;
            match scheme {
                Scheme::Rsa(_, padding) => {
                    let number = if matches!(padding, Padding::Oaep(_)) {
                        OAEP
                    } else {
                        PKCS1
                    };
                    let code = (self.EVP_PKEY_CTX_set_rsa_padding)(object, number);
                    self.ok("EVP_PKEY_CTX_set_rsa_padding", code)?;
                    if let Padding::Oaep(hash) = padding {
                        let name = digest(hash).ok_or_else(unreadable)?.as_ptr();
                        // The hash of the mask follows OAEP's hash.
                        let null = ptr::null();
                        let code = (self.EVP_PKEY_CTX_set_rsa_oaep_md_name)(object, name, null);
                        self.ok("EVP_PKEY_CTX_set_rsa_oaep_md_name", code)?;
                    }
                }
                Scheme::Dh(_) => {
                    // Otherwise zero bytes in front of the secret are left out.
                    let parameters = [Param::number(c"pad", &1), Param::end()];
                    let code = (self.EVP_PKEY_CTX_set_params)(object, parameters.as_ptr());
                    self.ok("EVP_PKEY_CTX_set_params", code)?;
                }
                _ => {}
            }
            Ok(context)
        }
    }

    /// Converts the return code of a call that refuses forgeries.
    fn accepted(&self, code: c_int) -> Result<(), Failure> {
        if code == 1 {
            return Ok(());
        }
        // SAFETY: the function takes no arguments.
        unsafe { (self.ERR_clear_error)() };
        Err(Failure::Rejected)
    }

    /// Begins a signature or its check. Each message initialises the context again, as
    /// EVP_DigestSign(3) requires.
    #[inline]
    fn begin(&self, key: &Key, what: Use) -> Result<(), Failure> {
        let (begin, call) = match what {
            Use::Sign => (self.EVP_DigestSignInit_ex, "EVP_DigestSignInit_ex"),
            _ => (self.EVP_DigestVerifyInit_ex, "EVP_DigestVerifyInit_ex"),
        };
        let hash = key.hash.map_or(ptr::null(), CStr::as_ptr);
        let (null, mut of_key) = (ptr::null_mut(), ptr::null_mut());
        let (own, parameters) = (key.key.object, key.parameters.as_ptr());
        // SAFETY: the context and the key are live, and the lists of parameters have their end
        // marks. The context that is initialised owns the one that it gives.
        unsafe {
            let context = key.context.object;
            let code = begin(
                context,
                &mut of_key,
                hash,
                null,
                ptr::null(),
                own,
                parameters,
            );
            self.ok(call, code)?;
            if let Some(identity) = &key.identity {
                let code = (self.EVP_PKEY_CTX_set_params)(of_key, identity.as_ptr());
                self.ok("EVP_PKEY_CTX_set_params", code)?;
            }
        }
        Ok(())
    }
}

impl PublicKeys for Api {
    type Key = Key;

    fn api(&self, scheme: Scheme<'_>, what: Use) -> Option<&'static str> {
        let signs = match scheme {
            Scheme::Raw(name) => name.starts_with("ed"),
            Scheme::PostQuantum(name) => !name.starts_with("ml-kem"),
            Scheme::Rsa(_, Padding::Pkcs1(hash)) => !hash.is_empty(),
            // An older version would not know the parameter, and would sign with a random nonce.
            Scheme::DeterministicEcdsa(..) => what == Use::Sign && self.is_at_least(3, 2),
            Scheme::Rsa(_, Padding::Pss(_)) => true,
            Scheme::Ecdsa(..) | Scheme::Dsa(..) | Scheme::Sm2 => true,
            _ => false,
        };
        let (hash, makes) = (scheme.hash(), generate::makes(scheme));
        Kind::of(scheme).filter(|kind| self.has(*kind))?;
        if !hash.is_empty() && digest(hash).is_none() {
            return None;
        }
        Some(match (what, scheme) {
            (Use::Sign, _) if signs => "EVP_DigestSignInit_ex, EVP_DigestSign",
            (Use::Verify, _) if signs => "EVP_DigestVerifyInit_ex, EVP_DigestVerify",
            (Use::Agree, Scheme::Ecdh(_) | Scheme::Dh(_) | Scheme::Raw("x25519" | "x448")) => {
                "EVP_PKEY_derive_set_peer, EVP_PKEY_derive"
            }
            (Use::Encrypt, Scheme::Rsa(..)) if !signs => "EVP_PKEY_encrypt",
            (Use::Decrypt, Scheme::Rsa(..)) if !signs => "EVP_PKEY_decrypt",
            (Use::Encapsulate, Scheme::PostQuantum(_)) if !signs => "EVP_PKEY_encapsulate",
            (Use::Decapsulate, Scheme::PostQuantum(_)) if !signs => "EVP_PKEY_decapsulate",
            (Use::Generate, _) if makes => "EVP_PKEY_generate",
            _ => return None,
        })
    }

    fn takes_explicit_curves(&self) -> bool {
        true
    }

    fn read(&self, scheme: Scheme<'_>, what: Use, key: &[u8], peer: &[u8]) -> Result<Key, Failure> {
        let kind = Kind::of(scheme).ok_or_else(unreadable)?;
        let peer = match what {
            // A public key that the library refuses is a forgery.
            Use::Agree => Some(self.public(kind, peer).map_err(|_| Failure::Rejected)?),
            _ => None,
        };
        let key = match what.is_public() {
            true => self.public(kind, key)?,
            false => self.private(kind, key)?,
        };
        let signs = matches!(what, Use::Sign | Use::Verify);
        let context = if signs {
            // SAFETY: the context is new, and its owner frees it.
            unsafe { Context::new((self.EVP_MD_CTX_new)(), self.EVP_MD_CTX_free)? }
        } else {
            self.prepared(scheme, what, key.object)?
        };
        let identity = [Param::octets(c"distid", SM2_IDENTITY), Param::end()];
        Ok(Key {
            context,
            key,
            peer,
            hash: digest(scheme.hash()),
            parameters: parameters(scheme),
            identity: (scheme == Scheme::Sm2).then_some(identity),
            ciphertext: scheme.answer_bytes(),
        })
    }

    #[inline(always)]
    fn process(
        &self,
        key: &mut Key,
        what: Use,
        message: &Message<'_>,
        output: &mut [u8],
    ) -> Written {
        let (context, mut length) = (key.context.object, output.len());
        let (to, input) = (output.as_mut_ptr(), message.input);
        let (at, bytes) = (input.as_ptr(), input.len());
        // SAFETY: the contexts and the keys are live, and each length is the length of its slice.
        unsafe {
            match what {
                Use::Sign => {
                    self.begin(key, what)?;
                    let code = (self.EVP_DigestSign)(context, to, &mut length, at, bytes);
                    self.ok("EVP_DigestSign", code)?;
                }
                Use::Verify => {
                    self.begin(key, what)?;
                    let signature = message.other("signature");
                    let (signed, size) = (signature.as_ptr(), signature.len());
                    let code = (self.EVP_DigestVerify)(context, signed, size, at, bytes);
                    self.accepted(code)?;
                    length = 0;
                }
                Use::Agree => {
                    let peer = key
                        .peer
                        .as_ref()
                        .map_or(ptr::null_mut(), |peer| peer.object);
                    self.accepted((self.EVP_PKEY_derive_set_peer)(context, peer))?;
                    self.accepted((self.EVP_PKEY_derive)(context, to, &mut length))?;
                }
                Use::Encrypt => {
                    let code = (self.EVP_PKEY_encrypt)(context, to, &mut length, at, bytes);
                    self.ok("EVP_PKEY_encrypt", code)?;
                }
                Use::Decrypt => {
                    let code = (self.EVP_PKEY_decrypt)(context, to, &mut length, at, bytes);
                    self.accepted(code)?;
                }
                Use::Encapsulate => {
                    let [first, rest] = encapsulated(output, key.ciphertext)?;
                    let (mut size, mut secret) = (first.len(), rest.len());
                    let (first, rest) = (first.as_mut_ptr(), rest.as_mut_ptr());
                    let run = self.EVP_PKEY_encapsulate;
                    let code = run(context, first, &mut size, rest, &mut secret);
                    self.ok("EVP_PKEY_encapsulate", code)?;
                    length = size + secret;
                }
                Use::Decapsulate => {
                    let sealed = message.other("ciphertext");
                    let (at, bytes) = (sealed.as_ptr(), sealed.len());
                    let code = (self.EVP_PKEY_decapsulate)(context, to, &mut length, at, bytes);
                    self.accepted(code)?;
                }
                Use::Generate => return Err(Failure::unsupported("key generation")),
            }
        }
        Ok(length)
    }

    fn generator(&self, scheme: Scheme<'static>) -> Result<Cell, Failure> {
        let kind = Kind::of(scheme).ok_or_else(unreadable)?;
        let (api, bits) = match scheme {
            Scheme::Rsa(bits, _) => (*self, bits as u64),
            _ => (*self, 0),
        };
        generator(scheme, move || Keys::new(api, kind, bits))
    }
}
