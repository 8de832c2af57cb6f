//! Checks every test vector under `vectors/password`.

use std::collections::BTreeSet;
use std::path::Path;
use touchstone_password::{
    Error, Method, OUTPUT_SIZE, PHRASE_SIZE, VerifyError, hash, hash_many, verify,
};
use touchstone_vectors::{Verdict, read_tree};

#[test]
fn known_answers() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../vectors/password");
    let mut count = 0;
    let mut methods = BTreeSet::new();
    for (path, file) in read_tree(&root).unwrap() {
        for v in file.vectors {
            if v.operation != "crypt" || v.verdict != Verdict::Valid {
                continue;
            }
            let name = format!("{}:{} {}", path.display(), v.line, v.name);
            let method = Method::identify(&v.nonce).map(Method::id);
            assert_eq!(method, Some(v.primitive.as_str()), "{name}");
            let mut output = [0; OUTPUT_SIZE];
            let made = hash(&v.input, &v.nonce, &mut output).map(str::as_bytes);
            assert_eq!(
                made.map(String::from_utf8_lossy),
                Ok(String::from_utf8_lossy(&v.output)),
                "{name}"
            );
            // A hash is also a setting. A short bigcrypt hash is read as a traditional
            // DES hash, which has the same result.
            assert_eq!(verify(&v.input, &v.output), Ok(()), "{name}");
            if methods.insert(v.primitive.clone()) {
                let wrong = match v.input.split_first() {
                    Some((first, rest)) => [&[first ^ 1], rest].concat(),
                    None => b"x".to_vec(),
                };
                let refused = Err(VerifyError::WrongPhrase);
                assert_eq!(verify(&wrong, &v.output), refused, "{name}");
            }
            count += 1;
        }
    }
    println!("{count} known answers");
    assert!(count > 3500, "{count}");
}

/// Checks that many phrases in one call give the same hashes and errors as one after the other:
/// phrases and settings of all known answers of the methods that take little time, in one call.
#[test]
fn many_at_once() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../vectors/password");
    let files = read_tree(&root).unwrap();
    let vectors = files.iter().flat_map(|(_, file)| &file.vectors);
    let long = [b'x'; PHRASE_SIZE];
    let mut phrases: Vec<&[u8]> = vec![b"", &long, &long[1..], b"a\0b", b"p", b"p", b"p", b"p"];
    let mut settings: Vec<&[u8]> = vec![
        b"$1$salt",
        b"$5$salt",
        b"$6$salt",
        b"$1$salt",
        b"$2b$04$abc",
        b"*0",
        b"!!",
        b"$md5,rounds=4294963200$salt",
    ];
    for (i, v) in vectors.enumerate() {
        let slow = matches!(
            v.primitive.as_str(),
            "crypt-yescrypt" | "crypt-gost-yescrypt" | "crypt-scrypt" | "crypt-sha1"
        );
        let text = String::from_utf8_lossy(&v.nonce);
        let long = text.contains("rounds=") && !text.contains("rounds=1");
        if v.operation == "crypt" && !slow && !long && i % 3 == 0 {
            phrases.push(&v.input);
            settings.push(&v.nonce);
        }
    }
    assert!(phrases.len() > 600, "{}", phrases.len());
    let wanted: Vec<Result<String, Error>> = phrases
        .iter()
        .zip(&settings)
        .map(|(phrase, setting)| hash(phrase, setting, &mut [0; OUTPUT_SIZE]).map(String::from))
        .collect();
    let all = phrases.len();
    for range in [0..all, 0..0, 0..1, 8..10, 8..25, all - 3..all] {
        let mut outputs = vec![[0xff; OUTPUT_SIZE]; range.len()];
        let (phrases, settings) = (&phrases[range.clone()], &settings[range.clone()]);
        let hashes = hash_many(phrases, settings, &mut outputs).unwrap();
        assert_eq!(hashes.len(), range.len());
        for (i, (hash, wanted)) in hashes.iter().zip(&wanted[range]).enumerate() {
            let wanted = wanted.as_deref().map_err(|error| *error);
            assert_eq!(*hash, wanted, "{}", String::from_utf8_lossy(settings[i]));
        }
    }

    // One setting for all, and numbers of phrases that fill lanes or not.
    let texts: Vec<Vec<u8>> = (0..70)
        .map(|i| vec![b'a' + i % 26; usize::from(i)])
        .collect();
    let phrases: Vec<&[u8]> = texts.iter().map(Vec::as_slice).collect();
    for setting in [
        "$1$abcdefgh$",
        "$5$rounds=1000$saltstring",
        "$6$rounds=1001$saltsaltsaltsalt",
        "$2b$04$abcdefghijklmnopqrstuu",
        "ab",
        "$3$",
    ] {
        for n in [1, 2, 3, 4, 5, 8, 9, 15, 16, 17, 31, 70] {
            let mut outputs = vec![[0; OUTPUT_SIZE]; n];
            let hashes = hash_many(&phrases[..n], &[setting.as_bytes()], &mut outputs).unwrap();
            for (phrase, made) in phrases.iter().zip(hashes) {
                let mut output = [0; OUTPUT_SIZE];
                assert_eq!(
                    made,
                    hash(phrase, setting.as_bytes(), &mut output),
                    "{setting}"
                );
            }
        }
    }
    // Phrases of few lengths, which md5crypt groups by length.
    for lengths in [1, 3, 16] {
        let texts: Vec<Vec<u8>> = (0..120)
            .map(|i| vec![b'a' + i; 1 + usize::from(i) % lengths])
            .collect();
        let phrases: Vec<&[u8]> = texts.iter().map(Vec::as_slice).collect();
        let mut outputs = vec![[0; OUTPUT_SIZE]; phrases.len()];
        let hashes = hash_many(&phrases, &[b"$1$abcdefgh$"], &mut outputs).unwrap();
        for (phrase, made) in phrases.iter().zip(hashes) {
            let mut output = [0; OUTPUT_SIZE];
            assert_eq!(made, hash(phrase, b"$1$abcdefgh$", &mut output));
        }
    }
    let mut outputs = [[0; OUTPUT_SIZE]; 3];
    for (phrases, settings) in [(2, 2), (3, 2), (3, 0), (4, 4)] {
        let result = hash_many(
            &vec![&b"p"[..]; phrases],
            &vec![&b"ab"[..]; settings],
            &mut outputs,
        );
        assert_eq!(result.err(), Some(Error::Number));
    }
}
