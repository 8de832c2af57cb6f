//! PEA: archives of a second implementation, archives with every algorithm, and faults.

mod common;

use std::io::Cursor;

use common::{FOX, accepting, faults, file, open, sample};
use oldfiles::identify;
use oldfiles::{Authentication, Error, Format, Kind, Memory, PeaVolumes, Secrets, Settings};
use touchstone::checksum::{Adler32, Crc32, Crc64We};
use touchstone::dynamic::{Aead, Announced, Derivation, Hash, derive};
use zeroize::Zeroizing;

const PHRASE: &str = "test1234";

fn secrets() -> Secrets {
    Secrets::passphrase(PHRASE)
}

fn entries(bytes: &[u8], secrets: &Secrets) -> Vec<(String, Kind, Vec<u8>)> {
    assert_eq!(identify(bytes), Some(Format::Pea));
    let (report, memory) = open(Format::Pea, bytes, secrets, &Settings::default())
        .unwrap_or_else(|(error, _)| panic!("{error}"));
    assert_eq!(report.authentication, Authentication::Yes);
    let entry =
        |(entry, data): (oldfiles::Entry, _)| (entry.name.expect("a name"), entry.kind, data);
    memory.entries.into_iter().map(entry).collect()
}

fn expected() -> Vec<(String, Kind, Vec<u8>)> {
    vec![
        ("docs".to_owned(), Kind::Folder, vec![]),
        ("docs/a.txt".to_owned(), Kind::File, FOX.to_vec()),
        ("docs/sub/empty".to_owned(), Kind::File, vec![]),
        ("docs/b.txt".to_owned(), Kind::File, vec![b'x'; 3000]),
    ]
}

#[test]
fn archives_of_a_second_implementation() {
    for name in ["eax.pea", "hmac.pea"] {
        assert_eq!(
            entries(&file(&format!("pea/{name}")), &secrets()),
            expected(),
            "{name}"
        );
    }
    let bytes = file("pea/keyfile.pea");
    let with = Secrets {
        keyfile: Some(Zeroizing::new(vec![b'k'; 3000])),
        ..secrets()
    };
    assert_eq!(entries(&bytes, &with), expected());
    let (error, _) = open(Format::Pea, &bytes, &secrets(), &Settings::default()).expect_err("none");
    assert!(matches!(error, Error::WrongSecret));
    let big = entries(&file("pea/blocks.pea"), &secrets());
    assert_eq!(big[0].2, sample((1 << 20) + 5));
}

#[test]
fn hostile_names() {
    let bytes = file("pea/hostile.pea");
    let (error, memory) =
        open(Format::Pea, &bytes, &secrets(), &Settings::default()).expect_err("refused");
    assert!(matches!(error, Error::HostileName { .. }), "{error}");
    assert!(memory.entries.is_empty());
}

#[test]
fn wrong_passphrases_and_caps() {
    let bytes = file("pea/eax.pea");
    let settings = Settings::default();
    let (error, _) = open(
        Format::Pea,
        &bytes,
        &Secrets::passphrase("wrong"),
        &settings,
    )
    .expect_err("wrong");
    assert!(matches!(error, Error::WrongSecret));
    let (error, _) = open(Format::Pea, &bytes, &Secrets::default(), &settings).expect_err("none");
    assert!(matches!(error, Error::SecretMissing { .. }));
    let mut capped = settings.clone();
    capped.limits.entries = 2;
    let (error, memory) = open(Format::Pea, &bytes, &secrets(), &capped).expect_err("capped");
    assert!(matches!(
        error,
        Error::Limit {
            what: "entries",
            ..
        }
    ));
    assert!(memory.entries.is_empty());
    let mut costly = made(0x44, 0);
    costly[9] = 255;
    let mut capped = settings;
    capped.limits.iterations = 1_000_000;
    let (error, _) = open(Format::Pea, &costly, &secrets(), &capped).expect_err("capped");
    assert!(matches!(
        error,
        Error::Limit {
            what: "iterations",
            asked: Some(25_525_000),
            ..
        }
    ));
}

#[test]
fn every_change_is_found() {
    let bytes = file("pea/hmac.pea");
    // The second byte of the subheader is not used, and the check of the volume is not computed;
    // an archive that is cut there has no tag at its place.
    let (first, volume) = (20, bytes.len() - 4);
    let short = [&bytes[..200], &bytes[bytes.len() - 60..]].concat();
    assert!(open(Format::Pea, &short, &secrets(), &Settings::default()).is_err());
    let small = made(0x31, 0);
    faults(
        Format::Pea,
        &small,
        &secrets(),
        &Settings::default(),
        |at| at == first || at == first + 1,
    );
    for at in volume..bytes.len() {
        let mut changed = bytes.clone();
        changed[at] ^= 1;
        assert_eq!(entries(&changed, &secrets()), expected());
    }
}

/// The objects of an archive with one file.
fn objects() -> Vec<u8> {
    let mut plain = Vec::new();
    plain.extend([5, 0]);
    plain.extend(b"a.txt");
    plain.extend([0; 8]);
    plain.extend((FOX.len() as u64).to_le_bytes());
    plain.extend(FOX);
    plain.extend(b"\0\0EOA\0");
    plain
}

fn headers(algorithm: u8, cost: u8) -> Vec<u8> {
    let mut bytes = vec![0xea, 1, 4, 0, 0, 0x10, 0x10, 1, 0x11, cost];
    bytes.extend(b"\0\0POD\0");
    bytes.extend([0, 0, algorithm, 0]);
    bytes
}

/// One cipher of an archive: keys, by the rules of the format, written down here again.
fn keys(secret: &[u8], salt: &[u8], hash: &str, iterations: u32, length: usize) -> Vec<u8> {
    let mut key = vec![0; 2 * length + 2];
    let from = Derivation {
        secret,
        salt,
        iterations,
        ..Derivation::default()
    };
    derive(&format!("pbkdf2-hmac-{hash}"), &from, &mut key).expect("derived");
    key
}

fn encrypt(cipher: &str, key: &[u8], data: &mut [u8]) -> [u8; 16] {
    let length = (key.len() - 2) / 2;
    let aead = Aead::new(&format!("{cipher}-{}-eax", 8 * length), &key[..length]).expect("a key");
    let nonce = &key[length..2 * length];
    let mut encryptor = aead
        .encryptor(nonce, Announced::default())
        .expect("a nonce");
    encryptor.encrypt_inout(data.into()).expect("encrypted");
    let mut tag = [0; 16];
    encryptor.finish(&mut tag).expect("a tag");
    tag
}

/// An archive with this algorithm.
fn made(algorithm: u8, cost: u8) -> Vec<u8> {
    let mut bytes = headers(algorithm, cost);
    let secret = [PHRASE.as_bytes(), &bytes, &[0, 0]].concat();
    let salt = |number: u8| [number; 12];
    let one = |cipher: &str, hash: &str, length: usize, mut bytes: Vec<u8>| {
        let key = keys(&secret, &salt(1), hash, 1000, length);
        bytes.extend([0, 0]);
        bytes.extend(salt(1));
        bytes.extend(&key[2 * length..]);
        let mut data = objects();
        let tag = encrypt(cipher, &key, &mut data);
        bytes.extend(data);
        bytes.extend(tag);
        bytes
    };
    let order = match algorithm {
        0x31 => return one("aes", "sha-1", 16, bytes),
        0x32 => return one("twofish", "sha-1", 16, bytes),
        0x33 => return one("serpent", "sha-1", 16, bytes),
        0x41 => return one("aes", "whirlpool", 32, bytes),
        0x42 => return one("twofish", "whirlpool", 32, bytes),
        0x43 => return one("serpent", "whirlpool", 32, bytes),
        0x44 => ["aes", "twofish", "serpent"],
        0x45 => ["twofish", "serpent", "aes"],
        0x46 => ["serpent", "aes", "twofish"],
        other => panic!("{other}"),
    };
    let more = 100_000 * u32::from(cost);
    let (mut all, mut verifier) = (Vec::new(), [0, 0]);
    for (place, cipher) in order.iter().enumerate() {
        let (letter, hash, iterations) = match *cipher {
            "aes" => (b'A', "whirlpool", 25_000),
            "twofish" => (b'T', "sha-512", 50_000),
            _ => (b'S', "sha3-512", 75_000),
        };
        let mask = |i: usize| match place {
            0 => 0,
            1 => (secret.len() + i) as u8 ^ letter,
            _ => (secret.len() ^ i) as u8 ^ letter,
        };
        let masked: Vec<u8> = secret
            .iter()
            .enumerate()
            .map(|(i, byte)| byte ^ mask(i))
            .collect();
        let key = keys(&masked, &salt(place as u8), hash, iterations + more, 32);
        verifier[0] ^= key[64];
        verifier[1] ^= key[65];
        all.push(key);
    }
    for place in 0..3 {
        bytes.extend([0, 0]);
        bytes.extend(salt(place));
        bytes.extend(if place == 2 { verifier } else { [0, 0] });
    }
    let mut data = vec![3, 9, 9, 9];
    data.extend(objects());
    let mut tags = Vec::new();
    for (cipher, key) in order.iter().zip(&all) {
        tags.extend(encrypt(cipher, key, &mut data));
    }
    let mut digest = [0; 48];
    Hash::new("sha3-384")
        .and_then(|mut hash| hash.digest(&tags, &mut digest))
        .expect("a digest");
    bytes.extend(data);
    bytes.extend(digest);
    bytes
}

#[test]
fn every_algorithm() {
    let expected = [("a.txt".to_owned(), Kind::File, FOX.to_vec())];
    for algorithm in [0x31, 0x32, 0x33, 0x41, 0x42, 0x43, 0x44, 0x45, 0x46] {
        let archive = made(algorithm, 0);
        assert_eq!(entries(&archive, &secrets()), expected, "{algorithm:#x}");
        let mut forged = archive;
        let last = forged.len() - 1;
        forged[last] ^= 1;
        let (error, memory) =
            open(Format::Pea, &forged, &secrets(), &Settings::default()).expect_err("forged");
        assert!(
            matches!(error, Error::Damaged { .. }),
            "{algorithm:#x}: {error}"
        );
        assert!(memory.entries.is_empty());
    }
    let unknown = headers(0x47, 0);
    let (error, _) =
        open(Format::Pea, &unknown, &secrets(), &Settings::default()).expect_err("unknown");
    assert!(matches!(error, Error::Unsupported { .. }), "{error}");
}

/// An archive without a passphrase is opened only if the caller accepts it, and its check is
/// verified.
#[test]
fn archives_without_a_passphrase() {
    for algorithm in [1, 2, 3, 0x12, 0x13, 0x19] {
        let mut bytes = headers(algorithm, 0);
        bytes.extend(objects());
        bytes.extend(check(algorithm, &bytes));
        let none = Secrets::default();
        let (error, _) = open(Format::Pea, &bytes, &none, &Settings::default()).expect_err("asks");
        assert!(matches!(error, Error::Unauthenticated));
        let (report, memory) = open(Format::Pea, &bytes, &none, &accepting()).expect("opened");
        assert_eq!(report.authentication, Authentication::Checksum);
        assert_eq!(memory.entries[0].1, FOX);
        bytes[40] ^= 1;
        let (error, memory) = open(Format::Pea, &bytes, &none, &accepting()).expect_err("changed");
        assert!(
            matches!(error, Error::Damaged { .. }),
            "{algorithm}: {error}"
        );
        assert!(memory.entries.is_empty());
    }
}

/// The check of some bytes, by its number in the format.
fn check(algorithm: u8, bytes: &[u8]) -> Vec<u8> {
    let (name, length) = match algorithm {
        0 => return Vec::new(),
        1 => return Adler32::digest(bytes).to_le_bytes().to_vec(),
        2 => return Crc32::digest(bytes).to_le_bytes().to_vec(),
        3 => return Crc64We::digest(bytes).to_le_bytes().to_vec(),
        0x12 => ("sha-1", 20),
        0x13 => ("sha-256", 32),
        0x19 => ("blake2b", 64),
        other => panic!("{other}"),
    };
    let mut digest = vec![0; length];
    Hash::new(name)
        .and_then(|mut hash| hash.digest(bytes, &mut digest))
        .expect("a digest");
    digest
}

/// An archive in volumes of so many bytes of content, each with its check.
fn volumes(algorithm: u8, size: usize) -> Vec<Vec<u8>> {
    let mut archive = headers_of_volumes(0x13, algorithm);
    archive.extend(objects());
    archive.extend(check(0x13, &archive));
    let parts = archive.chunks(size);
    parts
        .map(|part| [part.to_vec(), check(algorithm, part)].concat())
        .collect()
}

fn headers_of_volumes(stream: u8, volume: u8) -> Vec<u8> {
    let mut bytes = headers(stream, 0);
    bytes[3] = volume;
    bytes
}

fn together(volumes: Vec<Vec<u8>>) -> Result<Memory, Error> {
    let mut volumes = PeaVolumes::new(volumes.into_iter().map(Cursor::new).collect())?;
    let mut memory = Memory::default();
    let none = Secrets::default();
    oldfiles::open(Format::Pea, &mut volumes, &mut memory, &none, &accepting())?;
    Ok(memory)
}

#[test]
fn volumes_are_put_together() {
    for algorithm in [0, 1, 2, 3, 0x13] {
        for size in [20, 33, 50, 1000] {
            let all = volumes(algorithm, size);
            let memory = together(all.clone()).unwrap_or_else(|error| panic!("{error}"));
            assert_eq!(memory.entries[0].1, FOX, "{algorithm}, {size}");
            for number in 0..all.len() {
                let mut changed = all.clone();
                changed[number][0] ^= 1;
                let error = together(changed).expect_err("changed");
                if algorithm != 0 && number > 0 {
                    let text = error.to_string();
                    assert!(text.contains(&format!("volume {}", number + 1)), "{text}");
                }
                let mut missing = all.clone();
                missing.remove(number);
                assert!(together(missing).is_err(), "{algorithm}, {size}: {number}");
            }
            let mut swapped = all;
            swapped.reverse();
            assert!(swapped.len() == 1 || together(swapped).is_err());
        }
    }
    assert!(together(Vec::new()).is_err());
}
