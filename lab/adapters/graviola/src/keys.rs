//! Signatures, key agreement and encapsulation.

use graviola::hashing::{Sha256, Sha384};
use graviola::key_agreement::{mlkem768, p256, p384, x25519};
use graviola::signing::ecdsa::{P256, P384, SigningKey, VerifyingKey};
use graviola::signing::{eddsa, rsa};
use touchstone_worker::public::{
    Padding, PublicKeys, Scheme, Use, factor, point_of_peer, put, unreadable,
};
use touchstone_worker::{Failure, Message, der};

#[derive(Clone, Copy)]
pub(crate) struct Keys;

/// A key in the crate's form, as the function that processes a message.
type Held = Box<dyn FnMut(&Message<'_>, &mut [u8]) -> Result<usize, Failure>>;

/// Converts the crate's answer to a check.
fn accepted<T, E>(answer: Result<T, E>) -> Result<usize, Failure> {
    answer.map(|_| 0).map_err(|_| Failure::Rejected)
}

/// Reads a key for ECDSA on a curve, and a hash.
macro_rules! ecdsa {
    ($curve:ty, $hash:ty, $what:expr, $key:expr) => {
        if $what == Use::Sign {
            let key = SigningKey::<$curve>::from_pkcs8_der($key).map_err(Failure::unsupported)?;
            Box::new(move |message, output| {
                let made = key.sign_asn1::<$hash>(&[message.input], output);
                Ok(made.map_err(Failure::failed)?.len())
            })
        } else {
            let parts = der::public_key($key).ok_or_else(unreadable)?;
            let key = VerifyingKey::<$curve>::from_x962_uncompressed(parts.key);
            let key = key.map_err(Failure::unsupported)?;
            Box::new(move |message, _| {
                accepted(key.verify_asn1::<$hash>(&[message.input], message.other("signature")))
            })
        }
    };
}

/// Reads the keys of an agreement on a curve.
macro_rules! ecdh {
    ($curve:ident, $key:expr, $peer:expr) => {{
        let own = $curve::StaticPrivateKey::from_bytes(factor($key)?);
        let own = own.map_err(Failure::unsupported)?;
        let point = point_of_peer($key, $peer)?;
        if let [2 | 3, ..] = point {
            return Err(Failure::unsupported("a compressed point"));
        }
        let peer = $curve::PublicKey::from_x962_uncompressed(point);
        let peer = peer.map_err(|_| Failure::Rejected)?;
        Box::new(move |_, output| {
            let secret = own.diffie_hellman(&peer).map_err(|_| Failure::Rejected)?;
            put(&secret.0, output)
        })
    }};
}

impl PublicKeys for Keys {
    type Key = Held;

    fn api(&self, scheme: Scheme<'_>, what: Use) -> Option<&'static str> {
        Some(match (scheme, what) {
            (Scheme::Raw("ed25519"), Use::Sign) => "Ed25519SigningKey::sign",
            (Scheme::Raw("ed25519"), Use::Verify) => "Ed25519VerifyingKey::verify",
            (Scheme::Raw("x25519"), Use::Agree) => "x25519::StaticPrivateKey::diffie_hellman",
            (Scheme::Ecdh("p256" | "p384"), Use::Agree) => "StaticPrivateKey::diffie_hellman",
            (Scheme::Ecdsa("p256", "sha-256") | Scheme::Ecdsa("p384", "sha-384"), Use::Sign) => {
                "ecdsa::SigningKey::sign_asn1"
            }
            (Scheme::Ecdsa("p256", "sha-256") | Scheme::Ecdsa("p384", "sha-384"), Use::Verify) => {
                "ecdsa::VerifyingKey::verify_asn1"
            }
            (Scheme::Rsa(2048..=8192, Padding::Pkcs1("sha-256")), Use::Sign) => {
                "rsa::SigningKey::sign_pkcs1_sha256"
            }
            (Scheme::Rsa(2048..=8192, Padding::Pkcs1("sha-256")), Use::Verify) => {
                "rsa::VerifyingKey::verify_pkcs1_sha256"
            }
            (Scheme::Rsa(2048..=8192, Padding::Pss("sha-256")), Use::Sign) => {
                "rsa::SigningKey::sign_pss_sha256"
            }
            (Scheme::Rsa(2048..=8192, Padding::Pss("sha-256")), Use::Verify) => {
                "rsa::VerifyingKey::verify_pss_sha256"
            }
            (Scheme::PostQuantum("ml-kem-768"), Use::Encapsulate) => {
                "mlkem768::EncapKey::clone, encaps"
            }
            _ => return None,
        })
    }

    fn read(
        &self,
        scheme: Scheme<'_>,
        what: Use,
        key: &[u8],
        peer: &[u8],
    ) -> Result<Held, Failure> {
        Ok(match (scheme, what) {
            (Scheme::Raw("ed25519"), Use::Sign) => {
                let key = eddsa::Ed25519SigningKey::from_bytes(key);
                let key = key.map_err(Failure::unsupported)?;
                Box::new(move |message, output| put(&key.sign(message.input), output))
            }
            (Scheme::Raw("ed25519"), _) => {
                let key = eddsa::Ed25519VerifyingKey::from_bytes(key);
                let key = key.map_err(Failure::unsupported)?;
                Box::new(move |message, _| {
                    accepted(key.verify(message.other("signature"), message.input))
                })
            }
            (Scheme::Raw(_), _) => {
                let own = x25519::StaticPrivateKey::try_from_slice(key);
                let own = own.map_err(Failure::unsupported)?;
                let peer = x25519::PublicKey::try_from_slice(peer);
                let peer = peer.map_err(|_| Failure::Rejected)?;
                Box::new(move |_, output| {
                    let secret = own.diffie_hellman(&peer).map_err(|_| Failure::Rejected)?;
                    put(&secret.0, output)
                })
            }
            (Scheme::Ecdsa("p256", _), _) => ecdsa!(P256, Sha256, what, key),
            (Scheme::Ecdsa(..), _) => ecdsa!(P384, Sha384, what, key),
            (Scheme::Ecdh("p256"), _) => ecdh!(p256, key, peer),
            (Scheme::Ecdh(_), _) => ecdh!(p384, key, peer),
            (Scheme::Rsa(_, padding), Use::Sign) => {
                let key = rsa::SigningKey::from_pkcs8_der(key).map_err(Failure::unsupported)?;
                let is_pss = matches!(padding, Padding::Pss(_));
                Box::new(move |message, output| {
                    let made = if is_pss {
                        key.sign_pss_sha256(output, message.input)
                    } else {
                        key.sign_pkcs1_sha256(output, message.input)
                    };
                    Ok(made.map_err(Failure::failed)?.len())
                })
            }
            (Scheme::Rsa(_, padding), _) => {
                let parts = der::public_key(key).ok_or_else(unreadable)?;
                let key = rsa::VerifyingKey::from_pkcs1_der(parts.key);
                let key = key.map_err(Failure::unsupported)?;
                let is_pss = matches!(padding, Padding::Pss(_));
                Box::new(move |message, _| {
                    let signature = message.other("signature");
                    accepted(if is_pss {
                        key.verify_pss_sha256(signature, message.input)
                    } else {
                        key.verify_pkcs1_sha256(signature, message.input)
                    })
                })
            }
            (Scheme::PostQuantum(_), _) => {
                let key = key.try_into().map_err(|_| unreadable())?;
                let key = mlkem768::EncapKey::from_bytes(key).map_err(Failure::unsupported)?;
                Box::new(move |_, output| {
                    let made = key.clone().encaps().map_err(Failure::failed)?;
                    let (secret, ciphertext) = made;
                    let bytes = put(ciphertext.as_ref(), output)?;
                    Ok(bytes + put(secret.as_ref(), &mut output[bytes..])?)
                })
            }
            _ => return Err(unreadable()),
        })
    }

    #[inline(always)]
    fn process(
        &self,
        key: &mut Held,
        _: Use,
        message: &Message<'_>,
        output: &mut [u8],
    ) -> Result<usize, Failure> {
        key(message, output)
    }
}
