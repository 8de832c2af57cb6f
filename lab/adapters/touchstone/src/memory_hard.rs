//! scrypt and Argon2, key derivations that need much memory. The library has separate functions
//! for them, because their costs are other than the costs of the derivations that it finds by
//! name.

use touchstone::kdf::argon2::{Costs, Variant, argon2};
use touchstone::kdf::{KdfError, scrypt};
use touchstone_worker::{Cell, Derivation, Failure, Offer, Work};

use crate::Touchstone;

pub(crate) fn offers(library: &Touchstone) -> Vec<Offer> {
    Derivation::offers(
        |work| matches!(cell(library, work), Some(Ok(_))),
        |derivation| match derivation {
            Derivation::Argon2(_) => "kdf::argon2::argon2",
            _ => "kdf::scrypt",
        },
    )
}

pub(crate) fn cell(_: &Touchstone, work: &Work) -> Option<Result<Cell, Failure>> {
    match Derivation::of(work)? {
        Derivation::Scrypt => Some(by_scrypt(work)),
        Derivation::Argon2(variant) => {
            let variant = match variant {
                "d" => Variant::D,
                "i" => Variant::I,
                "id" => Variant::Id,
                _ => return None,
            };
            Some(by_argon2(work, variant))
        }
        Derivation::Pbkdf2(_) | Derivation::Hkdf(_) => None,
    }
}

fn by_scrypt(work: &Work) -> Result<Cell, Failure> {
    let (n, r, p) = (work.factor("n")?, work.factor("r")?, work.factor("p")?);
    Ok(work.derived(move |message, output| {
        scrypt(message.input, message.nonce, n, r, p, output).map_err(failure)
    }))
}

fn by_argon2(work: &Work, variant: Variant) -> Result<Cell, Failure> {
    let (passes, memory) = (work.factor("iterations")?, work.factor("memory")?);
    let lanes = work.factor("lanes")?;
    let (secret, data) = (work.key.to_vec(), work.aad.to_vec());
    Ok(work.derived(move |message, output| {
        let costs = Costs {
            passes,
            memory,
            lanes,
            secret: &secret,
            data: &data,
        };
        argon2(variant, message.input, message.nonce, &costs, output).map_err(failure)
    }))
}

fn failure(error: KdfError) -> Failure {
    match error {
        KdfError::Memory => Failure::failed(error),
        _ => Failure::unsupported(error),
    }
}
