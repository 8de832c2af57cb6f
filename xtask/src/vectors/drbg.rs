//! Selects NIST's CAVP response files for the generators of SP 800-90A, which the crate
//! `nist-drbg-rs` contains for its own tests.

use super::package::Package;
use super::{Sink, Source};
use anyhow::{Context, Result};
use touchstone_vectors::foreign::cavp::{self, Reader};

const FOLDER: &str = "assets/drbgvectors_";

/// Returns whether to unpack a file.
pub(crate) fn wanted(path: &str) -> bool {
    path.starts_with(FOLDER) && path.ends_with("_DRBG.rsp")
}

/// Adds the records of every file.
pub(crate) fn import(package: &Package, sink: &mut Sink) -> Result<()> {
    sink.begin(Source {
        slug: "cavp",
        about: "NIST Cryptographic Algorithm Validation Program, drbgtestvectors (2013)".into(),
        pin: Some(package.pin.clone()),
        licence: "MIT OR Apache-2.0",
        // A record has half a kilobyte, and there are 480 of each kind.
        most: 32,
        bytes: usize::MAX,
    });
    for (path, _) in package.under(FOLDER) {
        let place = path[FOLDER.len()..].trim_end_matches(".rsp");
        let (_, file) = place.split_once('/').with_context(|| path.to_owned())?;
        let reader: Reader = cavp::reader(file).with_context(|| path.to_owned())?;
        let found = cavp::read(reader, &place.replace('/', " "), package.text(path)?);
        sink.take(found.with_context(|| path.to_owned())?);
    }
    Ok(())
}
