//! RSA: signatures by PKCS #1 v1.5 and PSS, encryption by PKCS #1 v1.5 and OAEP.

use getrandom::SysRng;
use rsa::pkcs8::{DecodePrivateKey, DecodePublicKey, EncodePrivateKey, EncodePublicKey};
use rsa::{Oaep, Pkcs1v15Encrypt, PrivateKey, PublicKey, pkcs1v15, pss};
use sha2::Sha256;
use signature::{RandomizedSigner, SignatureEncoding, Signer, Verifier};
use touchstone_worker::Failure;
use touchstone_worker::public::{Padding, Pair, Use, put};

use crate::{Held, Made};

pub(crate) fn api(bits: usize, padding: Padding<'_>, what: Use) -> Option<&'static str> {
    Some(match (padding, what) {
        (Padding::Pkcs1("sha-256"), Use::Sign) => "pkcs1v15::SigningKey::try_sign, blinded",
        (Padding::Pkcs1("sha-256"), Use::Verify) if bits <= 4096 => {
            "pkcs1v15::VerifyingKey::verify"
        }
        (Padding::Pkcs1("sha-256"), Use::Generate) => "PrivateKey::new",
        (Padding::Pss("sha-256"), Use::Sign) => "pss::SigningKey::try_sign_with_rng, blinded",
        (Padding::Pss("sha-256"), Use::Verify) => "pss::VerifyingKey::verify",
        (Padding::Pkcs1("") | Padding::Oaep("sha-256"), Use::Encrypt) => "PublicKey::encrypt",
        (Padding::Pkcs1("") | Padding::Oaep("sha-256"), Use::Decrypt) => {
            "PrivateKey::decrypt, blinded"
        }
        _ => return None,
    })
}

pub(crate) fn read(padding: Padding<'_>, what: Use, key: &[u8]) -> Result<Held, Failure> {
    let private = || PrivateKey::from_pkcs8_der(key).map_err(Failure::unsupported);
    let public = || PublicKey::from_public_key_der(key).map_err(Failure::unsupported);
    Ok(match (padding, what) {
        (Padding::Pkcs1(_), Use::Sign) => {
            let key = pkcs1v15::SigningKey::<Sha256>::new(private()?);
            Box::new(move |message, output| {
                let signature = key.try_sign(message.input).map_err(Failure::failed)?;
                put(&signature.to_bytes(), output)
            })
        }
        (Padding::Pkcs1(_), Use::Verify) => {
            let key = pkcs1v15::VerifyingKey::<Sha256>::new(public()?);
            Box::new(move |message, _| {
                let signature = pkcs1v15::Signature::try_from(message.other("signature"));
                let signature = signature.map_err(|_| Failure::Rejected)?;
                let checked = key.verify(message.input, &signature);
                checked.map(|()| 0).map_err(|_| Failure::Rejected)
            })
        }
        (_, Use::Sign) => {
            let key = pss::SigningKey::<Sha256>::new(private()?);
            Box::new(move |message, output| {
                let signature = key.try_sign_with_rng(&mut SysRng, message.input);
                put(&signature.map_err(Failure::failed)?.to_bytes(), output)
            })
        }
        (_, Use::Verify) => {
            let key = pss::VerifyingKey::<Sha256>::new(public()?);
            Box::new(move |message, _| {
                let signature = pss::Signature::try_from(message.other("signature"));
                let signature = signature.map_err(|_| Failure::Rejected)?;
                let checked = key.verify(message.input, &signature);
                checked.map(|()| 0).map_err(|_| Failure::Rejected)
            })
        }
        (Padding::Oaep(_), Use::Encrypt) => {
            let key = public()?;
            Box::new(move |message, output| {
                let made = key.encrypt(&mut SysRng, Oaep::<Sha256>::new(), message.input);
                put(&made.map_err(Failure::failed)?, output)
            })
        }
        (Padding::Oaep(_), _) => {
            let key = private()?;
            Box::new(move |message, output| {
                let opened = key.decrypt(Oaep::<Sha256>::new(), message.input);
                put(&opened.map_err(|_| Failure::Rejected)?, output)
            })
        }
        (_, Use::Encrypt) => {
            let key = public()?;
            Box::new(move |message, output| {
                let made = key.encrypt(&mut SysRng, Pkcs1v15Encrypt, message.input);
                put(&made.map_err(Failure::failed)?, output)
            })
        }
        _ => {
            let key = private()?;
            Box::new(move |message, output| {
                let opened = key.decrypt(Pkcs1v15Encrypt, message.input);
                put(&opened.map_err(|_| Failure::Rejected)?, output)
            })
        }
    })
}

pub(crate) fn generate(bits: usize) -> Result<Box<dyn Pair>, Failure> {
    let key = PrivateKey::new(&mut SysRng, bits).map_err(Failure::failed)?;
    let public = key.to_public_key();
    Ok(Box::new(Made {
        public: move || {
            let bytes = public.to_public_key_der().map_err(Failure::failed)?;
            Ok(bytes.into_vec())
        },
        private: move || {
            let bytes = key.to_pkcs8_der().map_err(Failure::failed)?;
            Ok(bytes.as_bytes().to_vec())
        },
    }))
}
