//! ML-KEM, ML-DSA and SLH-DSA.

use getrandom::SysRng;
use ml_dsa::{
    EncodedVerifyingKey, ExpandedSigningKey, Keypair, MlDsa44, MlDsa65, MlDsa87,
    Signature as MlSignature, SigningKey as MlSigningKey, VerifyingKey as MlVerifyingKey,
};
use ml_kem::kem::{Decapsulate, Encapsulate, Generate, KeyExport};
use ml_kem::{DecapsulationKey, EncapsulationKey, MlKem512, MlKem768, MlKem1024};
use signature::rand_core::UnwrapErr;
use signature::{RandomizedSigner, Verifier};
use slh_dsa::{
    Sha2_128f, Shake128f, Signature as SlhSignature, SigningKey as SlhSigningKey,
    VerifyingKey as SlhVerifyingKey,
};
use touchstone_worker::Failure;
use touchstone_worker::public::{Pair, Use, put, unreadable};

use crate::{Held, Made};

pub(crate) fn api(name: &str, what: Use) -> Option<&'static str> {
    let is_kem = name.starts_with("ml-kem-");
    Some(match what {
        Use::Encapsulate if is_kem => "EncapsulationKey::encapsulate",
        Use::Decapsulate if is_kem => "DecapsulationKey::decapsulate",
        Use::Generate => "Generate::generate or SigningKey::new",
        Use::Sign if !is_kem => "RandomizedSigner::try_sign_with_rng",
        Use::Verify if !is_kem => "VerifyingKey::verify",
        _ => return None,
    })
}

/// Writes the functions for each parameter set.
macro_rules! sets {
    (kem $($kem:literal $Kem:ty;)* lattice $($ml:literal $Ml:ty;)* hash $($slh:literal $Slh:ty;)*) => {
        pub(crate) fn read(name: &str, what: Use, key: &[u8]) -> Result<Held, Failure> {
            match (name, what) {
                $(
                    ($kem, Use::Encapsulate) => {
                        let key = key.try_into().map_err(|_| unreadable())?;
                        let key = EncapsulationKey::<$Kem>::new(key).map_err(Failure::unsupported)?;
                        Ok(Box::new(move |_, output| {
                            let (ciphertext, secret) = key.encapsulate();
                            let bytes = put(&ciphertext, output)?;
                            Ok(bytes + put(&secret, &mut output[bytes..])?)
                        }))
                    }
                    ($kem, Use::Decapsulate) => {
                        let seed = key.try_into().map_err(|_| unreadable())?;
                        let key = DecapsulationKey::<$Kem>::from_seed(seed);
                        Ok(Box::new(move |message, output| {
                            let ciphertext = message.other("ciphertext").try_into();
                            let ciphertext = ciphertext.map_err(|_| Failure::Rejected)?;
                            put(&key.decapsulate(ciphertext), output)
                        }))
                    }
                )*
                $(
                    ($ml, Use::Sign) => {
                        let seed = key.try_into().map_err(|_| unreadable())?;
                        let key = ExpandedSigningKey::<$Ml>::from_seed(seed);
                        Ok(Box::new(move |message, output| {
                            let signature = key.try_sign_with_rng(&mut SysRng, message.input);
                            put(&signature.map_err(Failure::failed)?.encode(), output)
                        }))
                    }
                    ($ml, Use::Verify) => {
                        let key: &EncodedVerifyingKey<$Ml> =
                            key.try_into().map_err(|_| unreadable())?;
                        let key = MlVerifyingKey::<$Ml>::decode(key);
                        Ok(Box::new(move |message, _| {
                            let signature = MlSignature::<$Ml>::try_from(message.other("signature"));
                            let signature = signature.map_err(|_| Failure::Rejected)?;
                            let checked = key.verify(message.input, &signature);
                            checked.map(|()| 0).map_err(|_| Failure::Rejected)
                        }))
                    }
                )*
                $(
                    ($slh, Use::Sign) => {
                        let key = SlhSigningKey::<$Slh>::try_from(key).map_err(|_| unreadable())?;
                        Ok(Box::new(move |message, output| {
                            let signature = key.try_sign_with_rng(&mut SysRng, message.input);
                            put(&signature.map_err(Failure::failed)?.to_bytes(), output)
                        }))
                    }
                    ($slh, Use::Verify) => {
                        let key = SlhVerifyingKey::<$Slh>::try_from(key).map_err(|_| unreadable())?;
                        Ok(Box::new(move |message, _| {
                            let signature = SlhSignature::<$Slh>::try_from(message.other("signature"));
                            let signature = signature.map_err(|_| Failure::Rejected)?;
                            let checked = key.verify(message.input, &signature);
                            checked.map(|()| 0).map_err(|_| Failure::Rejected)
                        }))
                    }
                )*
                _ => Err(unreadable()),
            }
        }

        pub(crate) fn generate(name: &str) -> Result<Box<dyn Pair>, Failure> {
            match name {
                $($kem => {
                    let key = DecapsulationKey::<$Kem>::generate();
                    let public = key.encapsulation_key().clone();
                    Ok(Box::new(Made {
                        public: move || Ok(public.to_bytes().to_vec()),
                        private: move || {
                            let seed = key.to_seed().ok_or_else(|| Failure::failed("no seed"))?;
                            Ok(seed.to_vec())
                        },
                    }))
                })*
                $($ml => {
                    let key = MlSigningKey::<$Ml>::generate();
                    let public = key.verifying_key();
                    Ok(Box::new(Made {
                        public: move || Ok(public.encode().to_vec()),
                        private: move || Ok(key.to_seed().to_vec()),
                    }))
                })*
                $($slh => {
                    let key = SlhSigningKey::<$Slh>::new(&mut UnwrapErr(SysRng));
                    Ok(Box::new(Made {
                        public: {
                            let public: &SlhVerifyingKey<$Slh> = key.as_ref();
                            let public = public.to_bytes().to_vec();
                            move || Ok(public.clone())
                        },
                        private: move || Ok(key.to_bytes().to_vec()),
                    }))
                })*
                _ => Err(unreadable()),
            }
        }
    };
}

sets! {
    kem
    "ml-kem-512" MlKem512;
    "ml-kem-768" MlKem768;
    "ml-kem-1024" MlKem1024;
    lattice
    "ml-dsa-44" MlDsa44;
    "ml-dsa-65" MlDsa65;
    "ml-dsa-87" MlDsa87;
    hash
    "slh-dsa-sha2-128f" Sha2_128f;
    "slh-dsa-shake-128f" Shake128f;
}
