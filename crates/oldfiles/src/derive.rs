//! Key derivation by the library's names, behind the caller's caps.

use touchstone::dynamic::{Derivation, derive};
use zeroize::Zeroizing;

use crate::error::Error;
use crate::settings::Limits;

/// PBKDF2 with HMAC over the hash function of this name.
pub(crate) fn pbkdf2(
    hash: &str,
    secret: &[u8],
    salt: &[u8],
    iterations: u32,
    length: usize,
    limits: &Limits,
) -> Result<Zeroizing<Vec<u8>>, Error> {
    if u64::from(iterations) > limits.iterations {
        return Err(Error::Limit {
            what: "iterations",
            asked: Some(u64::from(iterations)),
            limit: limits.iterations,
        });
    }
    let mut key = Zeroizing::new(vec![0; length]);
    let from = Derivation {
        secret,
        salt,
        iterations,
        ..Derivation::default()
    };
    derive(&format!("pbkdf2-hmac-{hash}"), &from, &mut key)?;
    Ok(key)
}
