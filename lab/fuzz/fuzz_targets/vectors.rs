//! Fuzzes files of known answers in all five formats. If a file in the project's own format can
//! be read, then writing it and reading it again gives the same answers.
#![no_main]

use std::path::Path;

use libfuzzer_sys::fuzz_target;
use touchstone_vectors::foreign;

/// Names of files. In some formats the reader takes the algorithm from the file's name. The
/// length of the input selects the name, so that a real file can be an input without a change.
const NAMES: [&str; 14] = [
    "answers.txt",
    "aes_gcm_test.json",
    "hmac_sha256_test.json",
    "hkdf_sha256_test.json",
    "chacha20_poly1305_test.json",
    "ctr.vec",
    "aead/gcm.vec",
    "hash/sha3.vec",
    "kdf/hkdf.vec",
    "pbkdf/argon2.vec",
    "aes.txt",
    "CBCGFSbox128.rsp",
    "gcmEncryptExtIV256.rsp",
    "SHA256ShortMsg.rsp",
];

fuzz_target!(|text: &str| {
    let name = NAMES[text.len() % NAMES.len()];
    let _ = foreign::parse(Path::new(name), text);
    if let Ok(file) = touchstone_vectors::parse(text) {
        let written = touchstone_vectors::write(&file);
        let again = touchstone_vectors::parse(&written).expect("the library wrote this file");
        assert_eq!(touchstone_vectors::write(&again), written);
    }
});
