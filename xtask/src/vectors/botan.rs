//! Selects files from Botan's test data.

use super::package::Package;
use super::{Sink, Source};
use anyhow::{Context, Result};
use touchstone_vectors::foreign::botan;

const FOLDER: &str = "src/tests/data/";

/// Files and folders that are read.
const PARTS: &[&str] = &[
    "bn/invmod.vec",
    "bn/isprime.vec",
    "bn/mul.vec",
    "bn/powmod.vec",
    "bn/sqr.vec",
    "pubkey/ecc_base_point_mul.vec",
    "pubkey/ecdsa_rfc6979.vec",
    "block/",
    "modes/",
    "aead/",
    "hash/",
    "xof/",
    "mac/",
    "stream/",
    "kdf/hkdf.vec",
    "kdf/kdf1_iso18033.vec",
    "kdf/kdf2.vec",
    "kdf/sp800_108_",
    "pbkdf/pbkdf2.vec",
    "pbkdf/pgp_s2k.vec",
    "passhash/bcrypt.vec",
    "keywrap/",
    "argon2.vec",
    "bcrypt_pbkdf.vec",
    "scrypt.vec",
];

/// Returns whether to unpack a file.
pub(crate) fn wanted(path: &str) -> bool {
    path.strip_prefix(FOLDER).is_some_and(|rest| {
        rest.ends_with(".vec") && PARTS.iter().any(|part| rest.starts_with(part))
    })
}

/// Adds the records of every file.
pub(crate) fn import(package: &Package, sink: &mut Sink) -> Result<()> {
    sink.begin(Source {
        slug: "botan",
        about: "Botan's test data, Jack Lloyd and contributors (1999-2026), \
            which collects standards, submissions and other libraries"
            .into(),
        pin: Some(package.pin.clone()),
        licence: "BSD-2-Clause",
        most: 1500,
        bytes: 50 << 10,
    });
    for (path, _) in package.under(FOLDER) {
        let relative = &path[FOLDER.len()..];
        let found = botan::read(relative, package.text(path)?);
        sink.take(found.with_context(|| relative.to_owned())?);
    }
    Ok(())
}
