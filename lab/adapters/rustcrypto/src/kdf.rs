//! Key derivation: one call from the password or key material to the derived key.

use touchstone_worker::{Cell, Failure, Offer, Work, offer};

use crate::digest::{BLAKE3, hashes};
use crate::versions;

macro_rules! over_hashes {
    ($($kind:ident: $id:literal, $krate:literal, $hash:ty;)*) => {
        const HASHES: &[(&str, &str)] = &[$(($id, $krate)),*];

        fn pbkdf2(hash: &str, work: &Work) -> Option<Result<Cell, Failure>> {
            match hash {
                $($id => over_hashes!(@ pbkdf2, $kind, $hash, work),)*
                _ => None,
            }
        }

        fn hkdf(hash: &str, work: &Work) -> Option<Result<Cell, Failure>> {
            match hash {
                $($id => over_hashes!(@ hkdf, $kind, $hash, work),)*
                _ => None,
            }
        }
    };
    (@ pbkdf2, eager, $hash:ty, $work:ident) => {
        Some(iterated($work, |password, salt, rounds, out| {
            pbkdf2::pbkdf2_hmac::<$hash>(password, salt, rounds, out);
            Ok(())
        }))
    };
    (@ pbkdf2, simple, $hash:ty, $work:ident) => {
        Some(iterated($work, |password, salt, rounds, out| {
            pbkdf2::pbkdf2::<hmac::SimpleHmac<$hash>>(password, salt, rounds, out)
                .map_err(Failure::failed)
        }))
    };
    (@ hkdf, eager, $hash:ty, $work:ident) => {
        Some(Ok($work.derived(|message, out| {
            hkdf::Hkdf::<$hash>::new(Some(message.nonce), message.input)
                .expand(message.aad, out)
                .map_err(|_| too_long(out))
        })))
    };
    (@ hkdf, simple, $hash:ty, $work:ident) => {
        Some(Ok($work.derived(|message, out| {
            hkdf::SimpleHkdf::<$hash>::new(Some(message.nonce), message.input)
                .expand(message.aad, out)
                .map_err(|_| too_long(out))
        })))
    };
    (@ $kdf:ident, bare, $hash:ty, $work:ident) => { None };
}
hashes!(over_hashes);

pub(crate) fn offers() -> Vec<Offer> {
    let mut rows = Vec::new();
    let mut push = |primitive: String, crates: &[&str], note: &str| {
        let work = Work {
            primitive,
            operation: "derive".to_owned(),
            ..Work::default()
        };
        let least = [
            ("iterations", 1),
            ("lanes", 1),
            ("memory", 8),
            ("n", 2),
            ("p", 1),
            ("r", 1),
        ];
        let work = least
            .into_iter()
            .fold(work, |work, (name, cost)| work.with_cost(name, cost));
        if cell(&work).is_some() {
            let mut row = offer(&work.primitive, "derive", &versions::api(crates));
            row.note = note.to_owned();
            rows.push(row);
        }
    };
    for (id, krate) in HASHES {
        push(format!("pbkdf2-hmac-{id}"), &["pbkdf2", krate, "hmac"], "");
        push(format!("hkdf-{id}"), &["hkdf", krate, "hmac"], "");
    }
    push("blake3-kdf".to_owned(), &["blake3"], BLAKE3);
    push("scrypt".to_owned(), &["scrypt"], "");
    for id in ["argon2d", "argon2i", "argon2id"] {
        push(
            id.to_owned(),
            &["argon2"],
            "lanes are filled one after another: the crate's rayon feature is off, as by default",
        );
    }
    rows
}

pub(crate) fn cell(work: &Work) -> Option<Result<Cell, Failure>> {
    if work.operation != "derive" {
        return None;
    }
    if let Some(hash) = work.primitive.strip_prefix("pbkdf2-hmac-") {
        return pbkdf2(hash, work);
    }
    if let Some(hash) = work.primitive.strip_prefix("hkdf-") {
        return hkdf(hash, work);
    }
    match work.primitive.as_str() {
        "blake3-kdf" => Some(Ok(work.derived(|message, out| {
            let context = str::from_utf8(message.aad)
                .map_err(|_| Failure::unsupported("a context that is no text"))?;
            let mut hasher = blake3::Hasher::new_derive_key(context);
            hasher.update(message.input).finalize_xof().fill(out);
            Ok(())
        }))),
        "scrypt" => Some(scrypt(work)),
        "argon2d" => Some(argon2(work, argon2::Algorithm::Argon2d)),
        "argon2i" => Some(argon2(work, argon2::Algorithm::Argon2i)),
        "argon2id" => Some(argon2(work, argon2::Algorithm::Argon2id)),
        _ => None,
    }
}

fn too_long(out: &[u8]) -> Failure {
    Failure::unsupported(format_args!("{} bytes of output", out.len()))
}

fn cost(work: &Work, name: &str) -> Result<u32, Failure> {
    let value = work.cost(name).unwrap_or(1);
    u32::try_from(value).map_err(|_| Failure::unsupported(format_args!("{name} of {value}")))
}

/// Refuses costs that need more memory than any test. If memory is not sufficient, scrypt and
/// yescrypt abort the process.
pub(crate) fn fits(n: u64, r: u32, p: u32) -> Result<(), Failure> {
    const MOST: u128 = 4 << 30;
    let bytes = 128 * u128::from(r) * (u128::from(n) + u128::from(p));
    if bytes > MOST {
        return Err(Failure::unsupported(format_args!(
            "{bytes} bytes of memory"
        )));
    }
    Ok(())
}

fn scrypt(work: &Work) -> Result<Cell, Failure> {
    let n = work.cost("n").unwrap_or(2);
    if !n.is_power_of_two() || n < 2 {
        return Err(Failure::unsupported(format_args!("n of {n}")));
    }
    let (r, p) = (cost(work, "r")?, cost(work, "p")?);
    fits(n, r, p)?;
    let params = scrypt::Params::new(n.ilog2() as u8, r, p)
        .map_err(|_| Failure::unsupported("these cost parameters"))?;
    Ok(work.derived(move |message, out| {
        scrypt::scrypt(message.input, message.nonce, &params, out).map_err(|_| too_long(out))
    }))
}

fn argon2(work: &Work, algorithm: argon2::Algorithm) -> Result<Cell, Failure> {
    let mut builder = argon2::ParamsBuilder::new();
    builder
        .m_cost(cost(work, "memory")?)
        .t_cost(cost(work, "iterations")?)
        .p_cost(cost(work, "lanes")?)
        .output_len(work.length.unwrap_or(32));
    let data = work.aad.to_vec();
    if !data.is_empty() {
        builder.data(argon2::AssociatedData::new(&data).map_err(Failure::unsupported)?);
    }
    let params = builder.build().map_err(Failure::unsupported)?;
    let secret = work.key.to_vec();
    Ok(work.derived(move |message, out| {
        let version = argon2::Version::V0x13;
        let argon2 = if secret.is_empty() {
            argon2::Argon2::new(algorithm, version, params.clone())
        } else {
            argon2::Argon2::new_with_secret(&secret, algorithm, version, params.clone())
                .map_err(Failure::unsupported)?
        };
        argon2
            .hash_password_into(message.input, message.nonce, out)
            .map_err(Failure::unsupported)
    }))
}

/// Makes a cell for PBKDF2 with any HMAC.
fn iterated<F>(work: &Work, call: F) -> Result<Cell, Failure>
where
    F: Fn(&[u8], &[u8], u32, &mut [u8]) -> Result<(), Failure> + Copy + Send + Sync + 'static,
{
    let rounds = cost(work, "iterations")?;
    if rounds == 0 {
        return Err(Failure::unsupported("no iterations"));
    }
    Ok(work.derived(move |message, out| call(message.input, message.nonce, rounds, out)))
}
