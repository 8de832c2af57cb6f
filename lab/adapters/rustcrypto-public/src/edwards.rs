//! Ed25519 and X25519, by the dalek crates.

use ed25519_dalek::{Signature, Signer, SigningKey, Verifier, VerifyingKey};
use signature::rand_core::TryRng;
use touchstone_worker::Failure;
use touchstone_worker::public::{Pair, Use, put, unreadable};
use x25519_dalek::{PublicKey, StaticSecret};

use crate::{Held, Made};

pub(crate) fn api(name: &str, what: Use) -> Option<&'static str> {
    Some(match (name, what) {
        ("ed25519", Use::Sign) => "ed25519_dalek::SigningKey::sign",
        ("ed25519", Use::Verify) => "ed25519_dalek::VerifyingKey::verify",
        ("ed25519", Use::Generate) => "SysRng, ed25519_dalek::SigningKey::from_bytes",
        ("x25519", Use::Agree) => "x25519_dalek::StaticSecret::diffie_hellman",
        _ => return None,
    })
}

pub(crate) fn read(name: &str, what: Use, key: &[u8], peer: &[u8]) -> Result<Held, Failure> {
    let key: [u8; 32] = key.try_into().map_err(|_| unreadable())?;
    Ok(match (name, what) {
        ("x25519", _) => {
            let own = StaticSecret::from(key);
            let peer: [u8; 32] = peer.try_into().map_err(|_| Failure::Rejected)?;
            let peer = PublicKey::from(peer);
            Box::new(move |_, output| {
                let shared = own.diffie_hellman(&peer);
                if !shared.was_contributory() {
                    return Err(Failure::Rejected);
                }
                put(shared.as_bytes(), output)
            })
        }
        (_, Use::Sign) => {
            let key = SigningKey::from_bytes(&key);
            Box::new(move |message, output| put(&key.sign(message.input).to_bytes(), output))
        }
        _ => {
            let key = VerifyingKey::from_bytes(&key).map_err(|_| unreadable())?;
            Box::new(move |message, _| {
                let signature = Signature::from_slice(message.other("signature"));
                let signature = signature.map_err(|_| Failure::Rejected)?;
                let checked = key.verify(message.input, &signature);
                checked.map(|()| 0).map_err(|_| Failure::Rejected)
            })
        }
    })
}

pub(crate) fn generate() -> Result<Box<dyn Pair>, Failure> {
    let mut seed = [0; 32];
    getrandom::SysRng
        .try_fill_bytes(&mut seed)
        .map_err(Failure::failed)?;
    let key = SigningKey::from_bytes(&seed);
    let public = key.verifying_key();
    Ok(Box::new(Made {
        public: move || Ok(public.to_bytes().to_vec()),
        private: move || Ok(key.to_bytes().to_vec()),
    }))
}
