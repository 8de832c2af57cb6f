//! Curves: ECDSA, ECDH, keys, and multiples of points.

use ecdsa::signature::{Signer, Verifier};
use p256::elliptic_curve::ops::LinearCombination;
use p256::elliptic_curve::sec1::ToSec1Point;
use p256::elliptic_curve::{
    CurveArithmetic, FieldBytes, Generate, Group, PrimeField, PublicKey, SecretKey, ecdh, pkcs8,
};
use pkcs8::{EncodePrivateKey, EncodePublicKey};
use touchstone_worker::points::{Multiple, Operands, Points};
use touchstone_worker::public::{Pair, Use, factor, point_of_peer, put, unreadable};
use touchstone_worker::{Failure, der};

use crate::{Held, Made, RustCrypto};

/// The curve on which the crates accept only the smaller of the two possible values of s.
pub(crate) const HALF: &str = "secp256k1";

/// Writes functions for each curve: its name in the lab, its type, and the hash of its signatures.
macro_rules! curves {
    ($($id:literal, $curve:ty, $hash:literal;)*) => {
        /// Returns the library's calls for ECDSA.
        pub(crate) fn signs(curve: &str, hash: &str, what: Use) -> Option<&'static str> {
            match curve {
                $($id if hash == $hash => {})*
                _ => return None,
            }
            match what {
                Use::Sign => Some("ecdsa::SigningKey::try_sign, deterministic"),
                Use::Verify => Some("ecdsa::VerifyingKey::verify"),
                Use::Generate => Some("SecretKey::try_generate, public_key"),
                _ => None,
            }
        }

        /// Returns the library's calls for ECDH.
        pub(crate) fn agrees(curve: &str) -> Option<&'static str> {
            [$($id),*].contains(&curve).then_some("ecdh::diffie_hellman")
        }

        /// Reads a key for ECDSA.
        pub(crate) fn signature(curve: &str, what: Use, key: &[u8]) -> Result<Held, Failure> {
            match curve {
                $($id if what == Use::Sign => {
                    let key = ecdsa::SigningKey::<$curve>::from_slice(factor(key)?);
                    let key = key.map_err(|_| unreadable())?;
                    Ok(Box::new(move |message, output| {
                        let signed: Result<ecdsa::der::Signature<$curve>, _> =
                            key.try_sign(message.input);
                        put(signed.map_err(Failure::failed)?.as_bytes(), output)
                    }))
                })*
                $($id => {
                    let parts = der::public_key(key).ok_or_else(unreadable)?;
                    let key = ecdsa::VerifyingKey::<$curve>::from_sec1_bytes(parts.key);
                    let key = key.map_err(|_| unreadable())?;
                    Ok(Box::new(move |message, _| {
                        let signature = message.other("signature");
                        let signature = ecdsa::Signature::<$curve>::from_der(signature);
                        let mut signature = signature.map_err(|_| Failure::Rejected)?;
                        if $id == HALF {
                            signature = signature.normalize_s();
                        }
                        let checked = key.verify(message.input, &signature);
                        checked.map(|()| 0).map_err(|_| Failure::Rejected)
                    }))
                })*
                _ => Err(unreadable()),
            }
        }

        /// Reads the keys of an agreement.
        pub(crate) fn agreement(curve: &str, key: &[u8], peer: &[u8]) -> Result<Held, Failure> {
            let (own, point) = (factor(key)?, point_of_peer(key, peer)?);
            match curve {
                $($id => {
                    let own = SecretKey::<$curve>::from_slice(own).map_err(|_| unreadable())?;
                    let peer = PublicKey::<$curve>::from_sec1_bytes(point);
                    let peer = peer.map_err(|_| Failure::Rejected)?;
                    Ok(Box::new(move |_, output| {
                        let shared = ecdh::diffie_hellman::<$curve>(
                            own.to_nonzero_scalar(),
                            peer.as_affine(),
                        );
                        put(shared.raw_secret_bytes(), output)
                    }))
                })*
                _ => Err(unreadable()),
            }
        }

        /// Makes a key pair.
        pub(crate) fn generate(curve: &str) -> Result<Box<dyn Pair>, Failure> {
            match curve {
                $($id => {
                    let key = SecretKey::<$curve>::try_generate().map_err(Failure::failed)?;
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
                })*
                _ => Err(unreadable()),
            }
        }
    };
}

curves! {
    "p224", p224::NistP224, "sha-224";
    "p256", p256::NistP256, "sha-256";
    "p384", p384::NistP384, "sha-384";
    "p521", p521::NistP521, "sha-512";
    "secp256k1", k256::Secp256k1, "sha-256";
    "brainpoolp256r1", bp256::BrainpoolP256r1, "sha-256";
    "brainpoolp384r1", bp384::BrainpoolP384r1, "sha-384";
}

/// A multiplication with its operands.
type Multiplier = Box<dyn FnMut(&mut [u8]) -> Result<usize, Failure>>;

/// Writes the functions for points.
macro_rules! points {
    ($($id:literal, $curve:ty;)*) => {
        const CURVES: &[&str] = &[$($id),*];

        fn multiplier(
            curve: &str,
            what: Multiple,
            operands: &Operands,
        ) -> Result<Multiplier, Failure> {
            match curve {
                $($id => {
                    type Point = <$curve as CurveArithmetic>::ProjectivePoint;
                    type Number = <$curve as CurveArithmetic>::Scalar;
                    let number = |bytes: &[u8]| {
                        let mut all = FieldBytes::<$curve>::default();
                        let start = all.len().checked_sub(bytes.len())?;
                        all[start..].copy_from_slice(bytes);
                        Number::from_repr(all).into_option()
                    };
                    let number = |bytes: &[u8]| {
                        number(bytes).ok_or_else(|| Failure::unsupported("this factor"))
                    };
                    let write = |point: Point, output: &mut [u8]| {
                        put(point.to_affine().to_sec1_point(false).as_bytes(), output)
                    };
                    let any = || {
                        PublicKey::<$curve>::from_sec1_bytes(&operands.point)
                            .map(|point| Point::from(*point.as_affine()))
                            .map_err(|_| Failure::Rejected)
                    };
                    Ok(match what {
                        Multiple::Base => {
                            let base = number(&operands.base)?;
                            Box::new(move |output| write(Point::mul_by_generator(&base), output))
                        }
                        Multiple::Any => {
                            let (point, scalar) = (any()?, number(&operands.scalar)?);
                            Box::new(move |output| write(point * scalar, output))
                        }
                        Multiple::Two => {
                            let (point, scalar) = (any()?, number(&operands.scalar)?);
                            let base = number(&operands.base)?;
                            Box::new(move |output| {
                                let terms = [(Point::generator(), base), (point, scalar)];
                                write(Point::lincomb(&terms), output)
                            })
                        }
                    })
                })*
                _ => Err(Failure::unsupported("this curve")),
            }
        }
    };
}

points! {
    "p192", p192::NistP192;
    "p224", p224::NistP224;
    "p256", p256::NistP256;
    "p384", p384::NistP384;
    "p521", p521::NistP521;
    "secp256k1", k256::Secp256k1;
    "brainpoolp256r1", bp256::BrainpoolP256r1;
    "brainpoolp384r1", bp384::BrainpoolP384r1;
    "sm2p256v1", sm2::Sm2;
}

impl Points for RustCrypto {
    type Held = Multiplier;

    fn api(&self, curve: &str, what: Multiple) -> Option<&'static str> {
        CURVES.contains(&curve).then_some(match what {
            Multiple::Base => "Group::mul_by_generator, to_affine",
            Multiple::Any => "ProjectivePoint * Scalar, to_affine",
            Multiple::Two => "LinearCombination::lincomb, to_affine",
        })
    }

    fn hold(
        &self,
        curve: &str,
        what: Multiple,
        operands: &Operands,
    ) -> Result<Multiplier, Failure> {
        multiplier(curve, what, operands)
    }

    #[inline]
    fn multiply(
        &self,
        held: &mut Multiplier,
        _: Multiple,
        output: &mut [u8],
    ) -> Result<usize, Failure> {
        held(output)
    }
}
