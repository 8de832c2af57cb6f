//! Tests properties that every worker of the distribution must have, for every library. The
//! variable `TOUCHSTONE_DIST` is the distribution's folder; the default is the folder `dist` of
//! the repository.

use std::collections::HashSet;
use std::path::PathBuf;

use touchstone_lab::adapters;
use touchstone_lab::session::{Slot, discover};
use touchstone_lab::verify::{Known, verify};

/// Returns the libraries of this machine. Before `make dist`, prints that there are none.
fn slots() -> Vec<Slot> {
    let dist = std::env::var_os("TOUCHSTONE_DIST").map_or_else(
        || PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../dist"),
        PathBuf::from,
    );
    let folder = dist.join("lib/touchstone/adapters");
    if !folder.is_dir() {
        eprintln!("SKIPPED: {} is not there; make dist", folder.display());
        return Vec::new();
    }
    discover(adapters::manifests(&folder).unwrap())
}

#[test]
fn every_offer_is_made_once_and_names_its_call() {
    let slots = slots();
    for slot in slots.iter().filter(|slot| slot.present()) {
        let mut seen = HashSet::new();
        for offer in &slot.offers {
            let algorithm = (&offer.primitive, &offer.operation);
            assert!(seen.insert(algorithm), "{} twice: {offer:?}", slot.id());
            assert!(!offer.api.is_empty(), "{}: {offer:?}", slot.id());
        }
        assert!(!seen.is_empty(), "{} offers nothing", slot.id());
        eprintln!("{}: {} offers", slot.id(), seen.len());
    }
    // These libraries are linked into their workers, so they are present on every machine.
    for id in [
        "touchstone",
        "rustcrypto",
        "rustcrypto-public",
        "num-bigint",
        "aws-lc",
        "ring",
        "graviola",
    ] {
        if let Some(slot) = slots.iter().find(|slot| slot.id() == id) {
            assert!(slot.present(), "{id}: {}", slot.facts.absent);
        }
    }
}

/// Files of other projects: name, text, number of right answers, number of wrong answers. Each
/// file but the first, whose answer takes a minute, has a record that is wrong on purpose. The other
/// records are facts from the source that the comment above the file names.
const FILES: &[(&str, &str, u32, u32)] = &[
    // NIST's CAVS 11.1, SHA1Monte.rsp, the last of 100 rounds.
    (
        "hash_mc.vec",
        "[SHA-1]\nSeed = dd4df644eaf3d85bace2b21accaa22b28821f5cd\nCount = 99\n\
         Output = 01b7be5b70ef64843a03fdbb3b247a6278d2cbe1\n",
        1,
        0,
    ),
    // RFC 7253, appendix A.
    (
        "ocb/ocb_long.vec",
        "Keylen = 128\nTaglen = 128\nOutput = 67E944D23256C5E0B6C61FA22FDF1EA2\n\
         Keylen = 256\nTaglen = 64\nOutput = 7D4EA5D445501CBE\n\
         Keylen = 192\nTaglen = 128\nOutput = 67E944D23256C5E0B6C61FA22FDF1EA2\n",
        2,
        1,
    ),
    // RFC 8439, appendix A.1, test vector 1, from byte 2 and from byte 60 of the keystream.
    (
        "stream/chacha.vec",
        "[ChaCha(20)]\nKey = 0000000000000000000000000000000000000000000000000000000000000000\n\
         Nonce = 000000000000000000000000\nSeek = 2\nOut = e0ada0f13d90\n\
         Key = 0000000000000000000000000000000000000000000000000000000000000000\n\
         Nonce = 000000000000000000000000\nSeek = 60\nIn = 000000ff\nOut = b2ee6579\n\
         Key = 0000000000000000000000000000000000000000000000000000000000000000\n\
         Nonce = 000000000000000000000000\nSeek = 3\nOut = e0ada0f13d90\n",
        2,
        1,
    ),
    // NIST SP 800-38A, F.5.1: the second block, from byte 16 and from byte 17.
    (
        "stream/ctr.vec",
        "[CTR-BE(AES-128)]\nKey = 2b7e151628aed2a6abf7158809cf4f3c\n\
         Nonce = f0f1f2f3f4f5f6f7f8f9fafbfcfdfeff\nSeek = 16\nIn = ae2d8a571e\nOut = 9806f66b79\n\
         Key = 2b7e151628aed2a6abf7158809cf4f3c\n\
         Nonce = f0f1f2f3f4f5f6f7f8f9fafbfcfdfeff\nSeek = 17\nIn = 2d8a571e\nOut = 06f66b79\n\
         Key = 2b7e151628aed2a6abf7158809cf4f3c\n\
         Nonce = f0f1f2f3f4f5f6f7f8f9fafbfcfdfeff\nSeek = 18\nIn = 2d8a571e\nOut = 06f66b79\n",
        2,
        1,
    ),
    // NIST's CAVS, SHAKE128ShortMsg.rsp, Len = 128; the second record encrypts ff.
    (
        "stream/shake.vec",
        "[SHAKE-128]\nKey = 84e950051876050dc851fbd99e6247b8\n\
         Out = 8599bd89f63a848c49ca593ec37a12c6\n\
         Key = 84e950051876050dc851fbd99e6247b8\nIn = ff00\nOut = 7a99\n\
         Key = 84e950051876050dc851fbd99e6247b8\nIn = ff00\nOut = 7a98\n",
        2,
        1,
    ),
    // FIPS 180-2, B.1, the first bytes.
    (
        "hash/truncated.vec",
        "[Truncated(SHA-256,24)]\nIn = 616263\nOut = ba7816\nIn = 616263\nOut = ba7817\n",
        1,
        1,
    ),
    // RFC 5869, appendix A.1: the first half of HKDF, and the first bytes of the second.
    (
        "kdf/hkdf.vec",
        "[HKDF-Extract(HMAC(SHA-256))]\nSalt = 000102030405060708090a0b0c\n\
         Secret = 0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b\n\
         Output = 077709362c2e32df0ddc3f0dc47bba6390b6c73bb50f9c3122ec844ad7c2b3e5\n\
         [HKDF-Expand(HMAC(SHA-256))]\nSalt = f0f1f2f3f4f5f6f7f8f9\n\
         Secret = 077709362c2e32df0ddc3f0dc47bba6390b6c73bb50f9c3122ec844ad7c2b3e5\n\
         Output = 3cb25f25faacd57a90434f64d0362f2a\nSalt = f0f1f2f3f4f5f6f7f8f9\n\
         Secret = 077709362c2e32df0ddc3f0dc47bba6390b6c73bb50f9c3122ec844ad7c2b3e5\n\
         Output = 3cb25f25faacd57a90434f64d0362f2b\n",
        2,
        1,
    ),
    // RFC 5297, appendix A.1.
    (
        "siv_ad.vec",
        "[AES-128]\nKey = fffefdfcfbfaf9f8f7f6f5f4f3f2f1f0f0f1f2f3f4f5f6f7f8f9fafbfcfdfeff\n\
         ADs = 101112131415161718191a1b1c1d1e1f2021222324252627\n\
         In = 112233445566778899aabbccddee\n\
         Out = 85632d07c6e8f37f950acd320a2ecc9340c02b9690c4dc04daef7f6afe5c\n\
         Key = fffefdfcfbfaf9f8f7f6f5f4f3f2f1f0f0f1f2f3f4f5f6f7f8f9fafbfcfdfeff\n\
         ADs = 101112131415161718191a1b1c1d1e1f2021222324252627,00\n\
         In = 112233445566778899aabbccddee\n\
         Out = 85632d07c6e8f37f950acd320a2ecc9340c02b9690c4dc04daef7f6afe5c\n",
        // Each record is checked in both directions.
        2,
        2,
    ),
    // eSTREAM's test vectors of Salsa20 with 256 bits, set 6, vector 3, as Crypto++ has it.
    (
        "salsa.txt",
        "AlgorithmType: SymmetricCipher\nName: Salsa20\n\
         Key: 0F62B5085BAE0154A7FA4DA0F34699EC3F92E5388BDE3184D72A7DD02376C91C\n\
         IV: 288FF65DC42B92F9\nPlaintext: r131072 00\n\
         CiphertextXorDigest: E00EBCCD70D69152725F9987982178A2E2E139C7BCBE04CA8A0E99E318D9AB76\
         F988C8549F75ADD790BA4F81C176DA653C1A043F11A958E169B6D2319F4EEC1A\nTest: EncryptXorDigest\n\
         Plaintext: r131071 00\nTest: EncryptXorDigest\n",
        1,
        1,
    ),
    // RFC 1321, appendix A.5. A record whose digest must not result is right if another digest
    // results.
    (
        "md5.txt",
        "AlgorithmType: MessageDigest\nName: MD5\nMessage: \"abc\"\n\
         Digest: 900150983cd24fb0d6963f7d28e17f72\nTest: Verify\n\
         Digest: 900150983cd2\nTest: VerifyTruncated\n\
         Digest: 900150983cd24fb0d6963f7d28e17f73\nTest: NotVerify\n\
         Digest: 900150983cd24fb0d6963f7d28e17f72\nTest: NotVerify\n",
        3,
        1,
    ),
];

/// The lab finds one wrong record beside right records, even if an answer needs many calls or
/// is a part of an answer.
#[test]
fn files_of_other_projects_are_judged_record_by_record() {
    let ours = |slot: &Slot| slot.id() == "touchstone";
    let mut slots: Vec<Slot> = slots().into_iter().filter(ours).collect();
    if slots.is_empty() {
        return;
    }
    for (name, text, right, wrong) in FILES {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, text).unwrap();
        let (known, left_out) = Known::read_any(&path).unwrap();
        assert!(left_out.is_empty(), "{name}: {left_out:?}");
        let (rows, failures) = verify(&mut slots, &known, &|_, _, _| true, &|_| {});
        let passed: u32 = rows.iter().map(|row| row.passed).sum();
        let failed: u32 = rows.iter().map(|row| row.failed).sum();
        assert_eq!((passed, failed), (*right, *wrong), "{name}: {failures:?}");
    }
}

/// RustCrypto consists of dozens of crates, each with its own version.
#[test]
fn rustcrypto_names_a_version_in_every_offer() {
    let slots = slots();
    let Some(slot) = slots.iter().find(|slot| slot.id() == "rustcrypto") else {
        return;
    };
    assert!(slot.offers.len() > 800, "{}", slot.offers.len());
    for offer in &slot.offers {
        assert!(!offer.api.contains('?'), "{offer:?}");
        assert!(
            offer.api.contains(|c: char| c.is_ascii_digit()),
            "{offer:?}"
        );
    }
    assert!(!slot.facts.version.contains('?'));
}
