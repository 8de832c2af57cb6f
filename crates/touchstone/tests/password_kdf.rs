//! Tests the key derivations from passwords that are in no list: scrypt, yescrypt, bcrypt_pbkdf
//! and Argon2.
#![cfg(feature = "alloc")]

use std::path::Path;

use touchstone::kdf::scrypt::{Costs, Flavour};
use touchstone::kdf::{KdfError, bcrypt_pbkdf, scrypt, yescrypt};
use touchstone_vectors::{Vector, Verdict, read_tree};

/// Calls `check` for each valid record of a primitive, and returns the number of these records.
fn each(primitive: &str, check: impl Fn(&Vector, &str)) -> usize {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../vectors/kdf");
    let mut number = 0;
    for (path, file) in read_tree(&root).expect("the known answers can be read") {
        for v in file.vectors {
            if v.primitive == primitive && v.verdict == Verdict::Valid {
                check(&v, &format!("{}:{} {}", path.display(), v.line, v.name));
                number += 1;
            }
        }
    }
    number
}

#[test]
fn scrypt_known_answers() {
    let number = each("scrypt", |v, place| {
        let cost = |name| v.cost(name).expect(place);
        let (n, r, p) = (cost("n"), cost("r") as u32, cost("p") as u32);
        let mut key = vec![0; v.output.len()];
        scrypt(&v.input, &v.nonce, n, r, p, &mut key).unwrap();
        assert_eq!(key, v.output, "{place}");
    });
    assert!(number >= 10, "{number}");
}

/// Checks the limits of RFC 7914, 2: N is a power of two above 1 and below 2^(128 r / 8), and p
/// is at most (2^32 − 1) 32 / (128 r). scrypt must refuse wrong costs before it allocates
/// memory; these costs would need petabytes.
#[test]
fn scrypt_refuses_costs() {
    let try_costs = |n, r, p| scrypt(b"", b"", n, r, p, &mut [0; 8]);
    for (n, r, p) in [
        (0, 1, 1),
        (1, 1, 1),
        (3, 1, 1),
        (1 << 16, 1, 1),
        (1 << 32, 1 << 20, 1),
        (1 << 63, 8, 1),
        (16, 0, 1),
        (16, 1, 0),
        (16, 1 << 15, 1 << 15),
        (u64::MAX, u32::MAX, u32::MAX),
    ] {
        assert_eq!(try_costs(n, r, p), Err(KdfError::Costs), "{n} {r} {p}");
    }
    assert_eq!(try_costs(2, 1, 1), Ok(()));
    assert_eq!(
        try_costs(1 << 31, 1 << 29, 1),
        Err(KdfError::Memory),
        "more than an address space"
    );
}

/// Checks that the classic flavour of yescrypt is scrypt.
#[test]
fn yescrypt_contains_scrypt() {
    let costs = Costs {
        flavour: Flavour::Scrypt,
        n: 64,
        r: 4,
        p: 3,
        t: 0,
    };
    let (mut one, mut other) = ([0; 32], [0; 32]);
    yescrypt(b"password", b"salt", &costs, &mut one).unwrap();
    scrypt(b"password", b"salt", 64, 4, 3, &mut other).unwrap();
    assert_eq!(one, other);
    let few = Costs { n: 2, ..costs };
    assert_eq!(yescrypt(b"", b"", &few, &mut one), Err(KdfError::Costs));
}

#[test]
fn bcrypt_pbkdf_known_answers() {
    let number = each("bcrypt-pbkdf", |v, place| {
        let mut key = vec![0; v.output.len()];
        let iterations = v.cost("iterations").expect(place) as u32;
        bcrypt_pbkdf(&v.input, &v.nonce, iterations, &mut key).unwrap();
        assert_eq!(key, v.output, "{place}");
    });
    assert!(number >= 5, "{number}");
    let mut key = [0; 1025];
    let refused = |password: &[u8], iterations, key: &mut [u8]| {
        bcrypt_pbkdf(password, b"salt", iterations, key).unwrap_err()
    };
    assert_eq!(refused(b"p", 0, &mut key[..8]), KdfError::NoIterations);
    assert_eq!(
        refused(b"p", 1, &mut key),
        KdfError::OutputLength { given: 1025 }
    );
    assert!(matches!(
        refused(b"", 1, &mut key[..8]),
        KdfError::KeyLength(_)
    ));
}

#[cfg(feature = "argon2")]
#[test]
fn argon2_known_answers() {
    use touchstone::kdf::argon2::{Costs, Variant, argon2};
    let variants = [
        ("argon2d", Variant::D),
        ("argon2i", Variant::I),
        ("argon2id", Variant::Id),
    ];
    for (primitive, variant) in variants {
        let number = each(primitive, |v, place| {
            let cost = |name| v.cost(name).expect(place) as u32;
            let costs = Costs {
                passes: cost("iterations"),
                memory: cost("memory"),
                lanes: cost("lanes"),
                secret: &v.key,
                data: &v.aad,
            };
            let mut key = vec![0; v.output.len()];
            argon2(variant, &v.input, &v.nonce, &costs, &mut key).unwrap();
            assert_eq!(key, v.output, "{place}");
        });
        assert!(number >= 3, "{primitive}: {number}");
    }
    let costs = Costs {
        passes: 1,
        memory: 8,
        lanes: 1,
        secret: b"",
        data: b"",
    };
    let mut key = [0; 8];
    let none = Costs { passes: 0, ..costs };
    let refused = argon2(Variant::Id, b"p", b"8 bytes.", &none, &mut key);
    assert_eq!(refused, Err(KdfError::Costs));
    let refused = argon2(Variant::Id, b"p", b"short", &costs, &mut key);
    assert_eq!(refused, Err(KdfError::Costs));
    let short = argon2(Variant::Id, b"p", b"8 bytes.", &costs, &mut key[..3]);
    assert_eq!(short, Err(KdfError::OutputLength { given: 3 }));
}
