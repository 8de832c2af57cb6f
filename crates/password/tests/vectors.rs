//! Checks every test vector under `vectors/password`.

use std::collections::BTreeSet;
use std::path::Path;
use touchstone_password::{Method, OUTPUT_SIZE, VerifyError, hash, verify};
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
