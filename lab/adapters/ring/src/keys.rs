//! Signatures by `ring::signature`. The crate's key agreement takes only keys that it has made
//! itself, and the crate does not encrypt.

use ring::rand::SystemRandom;
use ring::signature::{
    ECDSA_P256_SHA256_ASN1, ECDSA_P256_SHA256_ASN1_SIGNING, ECDSA_P384_SHA384_ASN1,
    ECDSA_P384_SHA384_ASN1_SIGNING, ED25519, EcdsaKeyPair, EcdsaSigningAlgorithm, Ed25519KeyPair,
    RSA_PKCS1_2048_8192_SHA256, RSA_PKCS1_SHA256, RSA_PSS_2048_8192_SHA256, RSA_PSS_SHA256,
    RsaEncoding, RsaKeyPair, UnparsedPublicKey, VerificationAlgorithm,
};
use touchstone_worker::public::{Padding, PublicKeys, Scheme, Use, put, unreadable};
use touchstone_worker::{Failure, Message, der};

use crate::Ring;

/// A key, and what a program keeps with it.
pub(crate) enum Key {
    Ed25519(Ed25519KeyPair),
    Ecdsa(EcdsaKeyPair, SystemRandom),
    Rsa(RsaKeyPair, &'static dyn RsaEncoding, SystemRandom),
    Public(UnparsedPublicKey<Vec<u8>>),
}

/// Returns the algorithm that checks signatures of a scheme.
fn verifier(scheme: Scheme<'_>) -> Option<&'static dyn VerificationAlgorithm> {
    Some(match scheme {
        Scheme::Raw("ed25519") => &ED25519,
        Scheme::Ecdsa("p256", "sha-256") => &ECDSA_P256_SHA256_ASN1,
        Scheme::Ecdsa("p384", "sha-384") => &ECDSA_P384_SHA384_ASN1,
        Scheme::Rsa(2048..=8192, Padding::Pkcs1("sha-256")) => &RSA_PKCS1_2048_8192_SHA256,
        Scheme::Rsa(2048..=8192, Padding::Pss("sha-256")) => &RSA_PSS_2048_8192_SHA256,
        _ => return None,
    })
}

/// Returns the algorithm that signs on a curve.
fn signer(curve: &str) -> Option<&'static EcdsaSigningAlgorithm> {
    match curve {
        "p256" => Some(&ECDSA_P256_SHA256_ASN1_SIGNING),
        "p384" => Some(&ECDSA_P384_SHA384_ASN1_SIGNING),
        _ => None,
    }
}

impl PublicKeys for Ring {
    type Key = Key;

    fn api(&self, scheme: Scheme<'_>, what: Use) -> Option<&'static str> {
        if what == Use::Generate {
            return None;
        }
        verifier(scheme)?;
        Some(match (scheme, what) {
            (_, Use::Verify) => "UnparsedPublicKey::verify",
            (Scheme::Raw(_), _) => "Ed25519KeyPair::sign",
            (Scheme::Rsa(2048..=4096, _), _) => "RsaKeyPair::sign",
            (Scheme::Ecdsa(..), _) => "EcdsaKeyPair::sign",
            _ => return None,
        })
    }

    fn read(&self, scheme: Scheme<'_>, what: Use, key: &[u8], _: &[u8]) -> Result<Key, Failure> {
        let random = SystemRandom::new();
        if what == Use::Verify {
            let algorithm = verifier(scheme).ok_or_else(unreadable)?;
            let key = match scheme {
                Scheme::Raw(_) => key,
                _ => der::public_key(key).ok_or_else(unreadable)?.key,
            };
            return Ok(Key::Public(UnparsedPublicKey::new(algorithm, key.to_vec())));
        }
        Ok(match scheme {
            Scheme::Rsa(_, padding) => {
                let encoding: &'static dyn RsaEncoding = match padding {
                    Padding::Pss(_) => &RSA_PSS_SHA256,
                    _ => &RSA_PKCS1_SHA256,
                };
                let pair = RsaKeyPair::from_pkcs8(key).map_err(Failure::unsupported)?;
                Key::Rsa(pair, encoding, random)
            }
            Scheme::Ecdsa(curve, _) => {
                let algorithm = signer(curve).ok_or_else(unreadable)?;
                let pair = EcdsaKeyPair::from_pkcs8(algorithm, key, &random);
                Key::Ecdsa(pair.map_err(Failure::unsupported)?, random)
            }
            _ => {
                let pair = Ed25519KeyPair::from_seed_unchecked(key);
                Key::Ed25519(pair.map_err(Failure::unsupported)?)
            }
        })
    }

    #[inline(always)]
    fn process(
        &self,
        key: &mut Key,
        _: Use,
        message: &Message<'_>,
        output: &mut [u8],
    ) -> Result<usize, Failure> {
        let input = message.input;
        let signature = match key {
            Key::Public(key) => {
                let checked = key.verify(input, message.other("signature"));
                return checked.map(|()| 0).map_err(|_| Failure::Rejected);
            }
            Key::Rsa(pair, encoding, random) => {
                let length = pair.public().modulus_len();
                pair.sign(*encoding, random, input, &mut output[..length])
                    .map_err(Failure::failed)?;
                return Ok(length);
            }
            Key::Ecdsa(pair, random) => pair.sign(random, input).map_err(Failure::failed)?,
            Key::Ed25519(pair) => pair.sign(input),
        };
        put(signature.as_ref(), output)
    }
}
