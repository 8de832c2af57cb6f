//! SM2's signature.

use signature::{Signer, Verifier};
use sm2::SecretKey;
use sm2::dsa::{Signature, SigningKey, VerifyingKey};
use sm2::elliptic_curve::Generate;
use sm2::pkcs8::{EncodePrivateKey, EncodePublicKey};
use touchstone_worker::public::{Pair, SM2_IDENTITY, Use, factor, unreadable, write_two};
use touchstone_worker::{Failure, der};

use crate::{Held, Made};

pub(crate) fn api(what: Use) -> Option<&'static str> {
    match what {
        Use::Sign => Some("sm2::dsa::SigningKey::try_sign, deterministic"),
        Use::Verify => Some("sm2::dsa::VerifyingKey::verify"),
        Use::Generate => Some("SecretKey::try_generate, public_key"),
        _ => None,
    }
}

fn identity() -> Result<&'static str, Failure> {
    std::str::from_utf8(SM2_IDENTITY).map_err(Failure::failed)
}

pub(crate) fn read(what: Use, key: &[u8]) -> Result<Held, Failure> {
    if what == Use::Sign {
        let key = SigningKey::from_slice(identity()?, factor(key)?);
        let key = key.map_err(|_| unreadable())?;
        return Ok(Box::new(move |message, output| {
            let signed: Signature = key.try_sign(message.input).map_err(Failure::failed)?;
            Ok(write_two([&signed.r_bytes(), &signed.s_bytes()], output))
        }));
    }
    let parts = der::public_key(key).ok_or_else(unreadable)?;
    let key = VerifyingKey::from_sec1_bytes(identity()?, parts.key);
    let key = key.map_err(|_| unreadable())?;
    Ok(Box::new(move |message, _| {
        let signature = Signature::from_der(message.other("signature"));
        let signature = signature.map_err(|_| Failure::Rejected)?;
        let checked = key.verify(message.input, &signature);
        checked.map(|()| 0).map_err(|_| Failure::Rejected)
    }))
}

pub(crate) fn generate() -> Result<Box<dyn Pair>, Failure> {
    let key = SecretKey::try_generate().map_err(Failure::failed)?;
    let public = key.public_key();
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
