//! Selects files from Crypto++'s `TestVectors/*.txt` and `TestData/*.dat`.

use super::package::Package;
use super::{Sink, Source};
use anyhow::{Context, Result};
use touchstone_vectors::foreign::cryptopp::{self, Layout};

const FOLDER: &str = "usr/share/crypto++/";

/// Files to read: files about ciphers of our catalogue, and some others with answers that CAVP and
/// Botan lack.
const TEXTS: &[&str] = &[
    "aes",
    "aria",
    "blake2b",
    "blake2s",
    "camellia",
    "chacha",
    "chacha_tls",
    "cham",
    "cmac",
    "hc128",
    "hc256",
    "hight",
    "hkdf",
    "hmac",
    "kalyna",
    "keccak",
    "lea",
    "mars",
    "panama",
    "poly1305_tls",
    "poly1305aes",
    "rabbit",
    "salsa",
    "seed",
    "shacal2",
    "simon",
    "siphash",
    "skipjack",
    "sm3",
    "sm4",
    "sosemanuk",
    "speck",
    "tea",
    "threefish",
    "vmac",
    "whrlpool",
    "xchacha",
    "xts",
];

/// `.dat` files by name, with the primitive and the layout.
const TABLES: &[(&str, &str, Layout)] = &[
    ("aria", "aria", Layout::Words),
    ("camellia", "camellia", Layout::Words),
    ("cast128v", "cast5", Layout::Lines),
    ("cast256v", "cast6", Layout::Lines),
    ("descert", "des", Layout::Words),
    ("gostval", "gost28147-test", Layout::Words),
    ("ideaval", "idea", Layout::Words),
    ("marsval", "mars", Layout::Words),
    ("rc2val", "rc2", Layout::Rc2),
    ("rc5val", "rc5-32-12", Layout::Words),
    ("rc6val", "rc6", Layout::Words),
    ("serpentv", "serpent", Layout::Words),
    ("shacal2v", "shacal2", Layout::Words),
    ("sharkval", "shark", Layout::Words),
    ("squareva", "square", Layout::Words),
    ("twofishv", "twofish", Layout::Words),
];

/// Returns whether to unpack a file.
pub(crate) fn wanted(path: &str) -> bool {
    let Some(path) = path.strip_prefix(FOLDER) else {
        return false;
    };
    let stem = |folder: &str, ending: &str| {
        path.strip_prefix(folder)
            .and_then(|p| p.strip_suffix(ending))
            .map(str::to_owned)
    };
    stem("TestVectors/", ".txt").is_some_and(|s| TEXTS.contains(&&*s))
        || stem("TestData/", ".dat").is_some_and(|s| TABLES.iter().any(|(name, ..)| *name == s))
}

/// Adds the records of every file.
pub(crate) fn import(package: &Package, sink: &mut Sink) -> Result<()> {
    sink.begin(Source {
        slug: "cryptopp",
        about: "Crypto++'s test vectors, Wei Dai and contributors (1995-2022), \
            from submissions to NESSIE and eSTREAM, papers and standards"
            .into(),
        pin: Some(package.pin.clone()),
        licence: "BSL-1.0",
        most: 1500,
        bytes: 50 << 10,
    });
    for stem in TEXTS {
        let path = format!("{FOLDER}TestVectors/{stem}.txt");
        let found = cryptopp::read(stem, package.text(&path)?);
        sink.take(found.with_context(|| path.clone())?);
    }
    for (stem, cipher, layout) in TABLES {
        let path = format!("{FOLDER}TestData/{stem}.dat");
        let found = cryptopp::table(stem, cipher, *layout, package.text(&path)?);
        sink.take(found.with_context(|| path.clone())?);
    }
    Ok(())
}
