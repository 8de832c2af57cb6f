//! DSA.

use dsa::pkcs8::{DecodePrivateKey, DecodePublicKey};
use dsa::{Signature, SigningKey, VerifyingKey};
use signature::{Signer, Verifier};
use touchstone_worker::Failure;
use touchstone_worker::public::{Use, two_numbers, write_two};

use crate::Held;

pub(crate) fn api(bits: usize, hash: &str, what: Use) -> Option<&'static str> {
    // The crate signs with SHA-256, and knows no modulus of 1024 bits without a feature.
    match (bits, hash, what) {
        (2048 | 3072, "sha-256", Use::Sign) => Some("dsa::SigningKey::try_sign, deterministic"),
        (2048 | 3072, "sha-256", Use::Verify) => Some("dsa::VerifyingKey::verify"),
        _ => None,
    }
}

pub(crate) fn read(what: Use, key: &[u8]) -> Result<Held, Failure> {
    Ok(if what == Use::Sign {
        let key = SigningKey::from_pkcs8_der(key).map_err(Failure::unsupported)?;
        Box::new(move |message, output| {
            let signature = key.try_sign(message.input).map_err(Failure::failed)?;
            let numbers = [signature.r(), signature.s()].map(|number| number.to_be_bytes());
            Ok(write_two([&numbers[0], &numbers[1]], output))
        })
    } else {
        let key = VerifyingKey::from_public_key_der(key).map_err(Failure::unsupported)?;
        Box::new(move |message, _| {
            let numbers = two_numbers(message.other("signature"))?;
            let [r, s] = numbers.map(dsa::BoxedUint::from_be_slice_vartime);
            let signature = Signature::from_components(r, s).ok_or(Failure::Rejected)?;
            let checked = key.verify(message.input, &signature);
            checked.map(|()| 0).map_err(|_| Failure::Rejected)
        })
    })
}
