//! Project Wycheproof: JSON files with groups of tests. Many tests are made to catch one
//! known mistake. All tests are used.

use super::keys::*;
use super::text::hex;
use super::{Found, sized};
use crate::{Vector, Verdict};
use anyhow::{Context, Result};
use serde_json::Value;

/// How to read the tests of a file.
#[derive(Clone, Copy)]
enum Kind {
    /// A block cipher's mode with a tag.
    Mode(&'static str, &'static str),
    /// A block cipher's mode with a tag, where the key holds the mode's two keys.
    DoubleKey(&'static str, &'static str),
    /// A primitive that is an AEAD itself; each key size has its own identifier.
    Aead(&'static str),
    /// CBC with PKCS #5 padding; the padding becomes part of the input.
    Padded(&'static str),
    /// XTS; the tests leave out the zero bytes at the end of the tweak.
    Xts(&'static str),
    /// A block cipher's key wrapping.
    Wrap(&'static str, &'static str),
    /// A block cipher's MAC.
    BlockMac(&'static str, &'static str),
    /// A MAC that is not built on a block cipher.
    Mac(&'static str),
    /// HKDF.
    Hkdf(&'static str),
    /// PBKDF2.
    Pbkdf2(&'static str),
    /// A signature scheme whose keys are bytes without structure; the tests have only the public
    /// key.
    Signature(&'static str),
    /// A signature scheme whose keys are in DER; the tests have only the public key.
    DerSignature(&'static str),
    /// A signature scheme whose keys are bytes without structure, and whose groups name only the
    /// public key.
    PlainSignature(&'static str),
    /// Decapsulation with a private key that is its seed.
    Decapsulation(&'static str),
    /// Key agreement with keys that are bytes without structure.
    Agreement(&'static str),
    /// Key agreement on a curve: the primitive and the curve's object identifier in DER. The
    /// private key is a number, which becomes a PKCS #8 structure.
    CurveAgreement(&'static str, &'static [u8]),
    /// Decryption by RSA.
    Decryption(&'static str),
    /// Tests whether a number is prime.
    Primality,
    /// A file that is not used, with the reason.
    Skip(&'static str),
}
use Kind::*;

const NO_ID: &str = "a composite or format without an id here";

/// The kinds by file name without `_test.json`.
const FILES: &[(&str, Kind)] = &[
    ("a128cbc_hs256", Skip(NO_ID)),
    ("a192cbc_hs384", Skip(NO_ID)),
    ("a256cbc_hs512", Skip(NO_ID)),
    ("aead_aes_siv_cmac", DoubleKey("aes", "siv")),
    ("aegis128L", Aead("aegis-128l")),
    ("aegis128", Aead("aegis-128")),
    ("aegis256", Aead("aegis-256")),
    ("aes_cbc_pkcs5", Padded("aes")),
    ("aes_ccm", Mode("aes", "ccm")),
    ("aes_cmac", BlockMac("aes", "cmac")),
    ("aes_eax", Mode("aes", "eax")),
    ("aes_gcm_siv", Mode("aes", "gcm-siv")),
    ("aes_gcm", Mode("aes", "gcm")),
    ("aes_gmac", BlockMac("aes", "gmac")),
    ("aes_kwp", Wrap("aes", "kwp")),
    (
        "aes_siv_cmac",
        Skip("deterministic SIV with the output in one piece"),
    ),
    ("aes_wrap", Wrap("aes", "kw")),
    ("aes_xts", Xts("aes")),
    ("aria_cbc_pkcs5", Padded("aria")),
    ("aria_ccm", Mode("aria", "ccm")),
    ("aria_cmac", BlockMac("aria", "cmac")),
    ("aria_gcm", Mode("aria", "gcm")),
    ("aria_kwp", Wrap("aria", "kwp")),
    ("aria_wrap", Wrap("aria", "kw")),
    ("ascon128", Aead("ascon-128")),
    ("ascon128a", Aead("ascon-128a")),
    ("ascon80pq", Aead("ascon-80pq")),
    ("ascon_sp800_232_aead128", Aead("ascon-aead128")),
    ("c2sp_chunked_encryption_aes_128_gcm", Skip(NO_ID)),
    ("c2sp_chunked_encryption_aes_256_gcm", Skip(NO_ID)),
    ("camellia_cbc_pkcs5", Padded("camellia")),
    ("camellia_ccm", Mode("camellia", "ccm")),
    ("camellia_cmac", BlockMac("camellia", "cmac")),
    ("camellia_wrap", Wrap("camellia", "kw")),
    ("chacha20_poly1305", Aead("chacha20-poly1305")),
    ("dsa_2048_256_sha256", DerSignature("dsa-2048-sha-256")),
    ("dsa_3072_256_sha256", DerSignature("dsa-3072-sha-256")),
    ("ed25519", Signature("ed25519")),
    ("ed448", Signature("ed448")),
    (
        "ecdh_brainpoolP256r1",
        CurveAgreement("ecdh-brainpoolp256r1", BRAINPOOL_P256R1),
    ),
    (
        "ecdh_brainpoolP384r1",
        CurveAgreement("ecdh-brainpoolp384r1", BRAINPOOL_P384R1),
    ),
    (
        "ecdh_brainpoolP512r1",
        CurveAgreement("ecdh-brainpoolp512r1", BRAINPOOL_P512R1),
    ),
    ("ecdh_secp224r1", CurveAgreement("ecdh-p224", SECP224R1)),
    (
        "ecdh_secp256k1",
        CurveAgreement("ecdh-secp256k1", SECP256K1),
    ),
    ("ecdh_secp256r1", CurveAgreement("ecdh-p256", SECP256R1)),
    ("ecdh_secp384r1", CurveAgreement("ecdh-p384", SECP384R1)),
    ("ecdh_secp521r1", CurveAgreement("ecdh-p521", SECP521R1)),
    (
        "ecdsa_brainpoolP256r1_sha256",
        DerSignature("ecdsa-brainpoolp256r1-sha-256"),
    ),
    (
        "ecdsa_brainpoolP384r1_sha384",
        DerSignature("ecdsa-brainpoolp384r1-sha-384"),
    ),
    (
        "ecdsa_brainpoolP512r1_sha512",
        DerSignature("ecdsa-brainpoolp512r1-sha-512"),
    ),
    ("ecdsa_secp224r1_sha224", DerSignature("ecdsa-p224-sha-224")),
    (
        "ecdsa_secp256k1_sha256",
        DerSignature("ecdsa-secp256k1-sha-256"),
    ),
    ("ecdsa_secp256r1_sha256", DerSignature("ecdsa-p256-sha-256")),
    ("ecdsa_secp384r1_sha384", DerSignature("ecdsa-p384-sha-384")),
    ("ecdsa_secp521r1_sha512", DerSignature("ecdsa-p521-sha-512")),
    ("mldsa_44_verify", PlainSignature("ml-dsa-44")),
    ("mldsa_65_verify", PlainSignature("ml-dsa-65")),
    ("mldsa_87_verify", PlainSignature("ml-dsa-87")),
    ("mlkem_512", Decapsulation("ml-kem-512")),
    ("mlkem_768", Decapsulation("ml-kem-768")),
    ("mlkem_1024", Decapsulation("ml-kem-1024")),
    ("primality", Primality),
    (
        "rsa_oaep_2048_sha256_mgf1sha256",
        Decryption("rsa-2048-oaep-sha-256"),
    ),
    (
        "rsa_oaep_3072_sha256_mgf1sha256",
        Decryption("rsa-3072-oaep-sha-256"),
    ),
    (
        "rsa_oaep_4096_sha256_mgf1sha256",
        Decryption("rsa-4096-oaep-sha-256"),
    ),
    ("rsa_pkcs1_2048", Decryption("rsa-2048-pkcs1")),
    ("rsa_pkcs1_3072", Decryption("rsa-3072-pkcs1")),
    ("rsa_pkcs1_4096", Decryption("rsa-4096-pkcs1")),
    (
        "rsa_pss_2048_sha256_mgf1_32",
        DerSignature("rsa-2048-pss-sha-256"),
    ),
    (
        "rsa_pss_3072_sha256_mgf1_32",
        DerSignature("rsa-3072-pss-sha-256"),
    ),
    (
        "rsa_pss_4096_sha256_mgf1_32",
        DerSignature("rsa-4096-pss-sha-256"),
    ),
    (
        "rsa_signature_2048_sha256",
        DerSignature("rsa-2048-pkcs1-sha-256"),
    ),
    (
        "rsa_signature_3072_sha256",
        DerSignature("rsa-3072-pkcs1-sha-256"),
    ),
    (
        "rsa_signature_4096_sha256",
        DerSignature("rsa-4096-pkcs1-sha-256"),
    ),
    (
        "rsa_signature_8192_sha256",
        DerSignature("rsa-8192-pkcs1-sha-256"),
    ),
    ("x25519", Agreement("x25519")),
    ("x448", Agreement("x448")),
    ("hkdf_sha1", Hkdf("hkdf-sha-1")),
    ("hkdf_sha256", Hkdf("hkdf-sha-256")),
    ("hkdf_sha384", Hkdf("hkdf-sha-384")),
    ("hkdf_sha512", Hkdf("hkdf-sha-512")),
    ("hmac_sha1", Mac("hmac-sha-1")),
    ("hmac_sha224", Mac("hmac-sha-224")),
    ("hmac_sha256", Mac("hmac-sha-256")),
    ("hmac_sha384", Mac("hmac-sha-384")),
    ("hmac_sha512", Mac("hmac-sha-512")),
    ("hmac_sha512_224", Mac("hmac-sha-512-224")),
    ("hmac_sha512_256", Mac("hmac-sha-512-256")),
    ("hmac_sha3_224", Mac("hmac-sha3-224")),
    ("hmac_sha3_256", Mac("hmac-sha3-256")),
    ("hmac_sha3_384", Mac("hmac-sha3-384")),
    ("hmac_sha3_512", Mac("hmac-sha3-512")),
    ("hmac_sm3", Mac("hmac-sm3")),
    ("kmac128_no_customization", Mac("kmac-128")),
    ("kmac256_no_customization", Mac("kmac-256")),
    ("morus640", Aead("morus-640")),
    ("morus1280", Aead("morus-1280")),
    ("pbkdf2_hmacsha1", Pbkdf2("pbkdf2-hmac-sha-1")),
    ("pbkdf2_hmacsha224", Pbkdf2("pbkdf2-hmac-sha-224")),
    ("pbkdf2_hmacsha256", Pbkdf2("pbkdf2-hmac-sha-256")),
    ("pbkdf2_hmacsha384", Pbkdf2("pbkdf2-hmac-sha-384")),
    ("pbkdf2_hmacsha512", Pbkdf2("pbkdf2-hmac-sha-512")),
    ("seed_ccm", Mode("seed", "ccm")),
    ("seed_gcm", Mode("seed", "gcm")),
    ("seed_wrap", Wrap("seed", "kw")),
    ("siphash_1_3", Mac("siphash-1-3")),
    ("siphash_2_4", Mac("siphash-2-4")),
    ("siphash_4_8", Mac("siphash-4-8")),
    ("siphashx_2_4", Mac("siphash-2-4-128")),
    ("siphashx_4_8", Mac("siphash-4-8-128")),
    ("sm4_ccm", Mode("sm4", "ccm")),
    ("sm4_gcm", Mode("sm4", "gcm")),
    ("vmac_64", Mac("vmac-64")),
    ("vmac_128", Mac("vmac-128")),
    ("xchacha20_poly1305", Aead("xchacha20-poly1305")),
];

/// Returns whether a file of the project, by its name without `_test.json`, is read.
pub fn is_read(stem: &str) -> bool {
    let found = FILES.iter().find(|(name, _)| *name == stem);
    found.is_some_and(|(_, kind)| !matches!(kind, Skip(_)))
}

/// Reads one file. `stem` is the file's name without `_test.json`. If the project has no
/// file of that name, the field `algorithm` tells the kind.
///
/// # Errors
///
/// If the text is not JSON, or does not have the project's form.
pub fn read(stem: &str, text: &str) -> Result<Found> {
    let json: Value = serde_json::from_str(text)?;
    let kind = |stem: &str| {
        FILES
            .iter()
            .find(|(name, _)| *name == stem)
            .map(|(_, k)| *k)
    };
    let stated = json["algorithm"].as_str().unwrap_or_default();
    let stated = stated
        .to_lowercase()
        .replace('-', "_")
        .replace("hmacsha", "hmac_sha");
    let kind = kind(stem).or_else(|| kind(&stated));
    let mut found = Found::default();
    for (group, test) in tests(&json) {
        match kind {
            None => found.leave_out(format!("{NO_ID} ({stem})")),
            Some(Skip(reason)) => found.leave_out(format!("{reason} ({stem})")),
            Some(kind) => found.take(question(kind, group, test)),
        }
    }
    Ok(found)
}

fn tests(json: &Value) -> impl Iterator<Item = (&Value, &Value)> {
    let groups = json["testGroups"].as_array().into_iter().flatten();
    groups.flat_map(|group| {
        let tests = group["tests"].as_array().into_iter().flatten();
        tests.map(move |test| (group, test))
    })
}

fn question(kind: Kind, group: &Value, test: &Value) -> Result<Result<Vector, &'static str>> {
    let bytes = |name: &str| -> Result<Vec<u8>> {
        match &test[name] {
            Value::Null => Ok(Vec::new()),
            value => hex(value.as_str().context("bytes are a string")?),
        }
    };
    let verdict = match test["result"].as_str() {
        Some("valid") => Verdict::Valid,
        Some("invalid") => Verdict::Invalid,
        Some("acceptable") => Verdict::Acceptable,
        other => anyhow::bail!("result {other:?}"),
    };
    let refused = verdict == Verdict::Invalid;
    let comment = test["comment"].as_str().unwrap_or_default();
    let flags = test["flags"].as_array().into_iter().flatten();
    let mut vector = Vector {
        name: format!("tcId {} {comment}", test["tcId"])
            .split_whitespace()
            .collect::<Vec<_>>()
            .join(" "),
        key: bytes("key")?,
        nonce: bytes("iv")?,
        aad: bytes("aad")?,
        input: bytes("msg")?,
        verdict,
        flags: flags
            .filter_map(|f| f.as_str().map(str::to_owned))
            .collect(),
        ..Vector::default()
    };
    const ODD_KEY: &str = "key size for which no primitive exists";
    let primitive = match kind {
        Mode(cipher, _) | Padded(cipher) | Wrap(cipher, _) | BlockMac(cipher, _) => {
            sized(cipher, vector.key.len())
        }
        DoubleKey(cipher, _) | Xts(cipher) => sized(cipher, vector.key.len() / 2),
        Aead("morus-1280") => Some(format!("morus-1280-{}", vector.key.len() * 8)),
        Aead(name)
        | Mac(name)
        | Hkdf(name)
        | Pbkdf2(name)
        | Signature(name)
        | DerSignature(name)
        | Agreement(name)
        | CurveAgreement(name, _)
        | PlainSignature(name)
        | Decapsulation(name)
        | Decryption(name) => Some(name.into()),
        Primality => Some("integer".into()),
        Skip(reason) => return Ok(Err(reason)),
    };
    let Some(primitive) = primitive else {
        return Ok(Err(ODD_KEY));
    };
    vector.primitive = primitive;
    let direction = if refused { "decrypt" } else { "encrypt" };
    match kind {
        Mode(_, mode) | DoubleKey(_, mode) => {
            vector.operation = format!("{mode}-{direction}");
            vector.output = bytes("ct")?;
            vector.tag = Some(bytes("tag")?);
            if refused {
                vector.input.clear();
            }
        }
        Aead(_) => {
            vector.operation = format!("aead-{direction}");
            vector.output = bytes("ct")?;
            vector.tag = Some(bytes("tag")?);
            if refused {
                vector.input.clear();
            }
        }
        Padded(_) => {
            if refused {
                return Ok(Err(
                    "CBC with a wrong padding: needs an operation that unpads",
                ));
            }
            let pad = 16 - vector.input.len() % 16;
            vector.input.extend(vec![pad as u8; pad]);
            vector.operation = "cbc-encrypt".into();
            vector.output = bytes("ct")?;
        }
        Xts(_) => {
            vector.operation = "xts-encrypt".into();
            // The tweak is little-endian, so zeros are appended to a short one.
            vector.nonce.resize(16, 0);
            vector.output = bytes("ct")?;
        }
        Wrap(_, mode) => {
            vector.output = bytes("ct")?;
            // A record that must be refused tests unwrapping if it has a ciphertext, and wrapping
            // if it has none.
            let unwrap = refused && !vector.output.is_empty();
            vector.operation = format!("{mode}-{}", if unwrap { "decrypt" } else { "encrypt" });
            if unwrap {
                vector.input.clear();
            }
        }
        BlockMac(_, mode) => {
            vector.operation = mode.into();
            vector.output = bytes("tag")?;
        }
        Mac(_) => {
            vector.operation = "mac".into();
            vector.output = bytes("tag")?;
        }
        Hkdf(_) => {
            vector.operation = "derive".into();
            vector.input = bytes("ikm")?;
            vector.nonce = bytes("salt")?;
            vector.aad = bytes("info")?;
            vector.output = bytes("okm")?;
            if vector.output.is_empty() {
                return Ok(Err(
                    "refusal of an output length, which needs an output to give it",
                ));
            }
        }
        Pbkdf2(_) => {
            vector.operation = "derive".into();
            vector.input = bytes("password")?;
            vector.nonce = bytes("salt")?;
            vector.output = bytes("dk")?;
            let iterations = test["iterationCount"].as_u64().context("iterationCount")?;
            vector.cost.push(("iterations".into(), iterations));
        }
        Signature(_) => {
            vector.operation = "verify".into();
            let public = group["publicKey"]["pk"].as_str().context("publicKey.pk")?;
            vector.others.insert("public".into(), hex(public)?);
            vector.output = bytes("sig")?;
        }
        DerSignature(_) => {
            vector.operation = "verify".into();
            let public = group["publicKeyDer"].as_str().context("publicKeyDer")?;
            vector.others.insert("public".into(), hex(public)?);
            vector.output = bytes("sig")?;
        }
        PlainSignature(_) => {
            // An empty context is not named.
            if !bytes("ctx")?.is_empty() {
                return Ok(Err("a signature with a context"));
            }
            vector.operation = "verify".into();
            let public = group["publicKey"].as_str().context("publicKey")?;
            vector.others.insert("public".into(), hex(public)?);
            vector.output = bytes("sig")?;
        }
        Decapsulation(_) => {
            vector.operation = "decapsulate".into();
            vector.key = bytes("seed")?;
            vector.others.insert("ciphertext".into(), bytes("c")?);
            vector.output = bytes("K")?;
        }
        Agreement(_) | CurveAgreement(..) => {
            vector.operation = "agree".into();
            vector.key = match kind {
                CurveAgreement(name, curve) => pkcs8(curve, &scalar(name, &bytes("private")?)),
                _ => bytes("private")?,
            };
            let public = bytes("public")?;
            // The algorithm's parameters follow its identifier: the name of a curve, or numbers.
            let parameters = public
                .windows(EC_PUBLIC_KEY.len() + 1)
                .find_map(|bytes| bytes.strip_prefix(EC_PUBLIC_KEY)?.first());
            if parameters == Some(&SEQUENCE) {
                vector.operation = "agree-explicit".into();
            }
            vector.others.insert("public".into(), public);
            vector.output = bytes("shared")?;
        }
        Decryption(_) => {
            if !bytes("label")?.is_empty() {
                return Ok(Err("OAEP with a label"));
            }
            vector.operation = "private-decrypt".into();
            let key = group["privateKeyPkcs8"].as_str();
            vector.key = hex(key.context("privateKeyPkcs8")?)?;
            vector.output = bytes("ct")?;
        }
        Primality => {
            vector.operation = "prime-test".into();
            let number = bytes("value")?;
            // The numbers are in two's complement.
            if number.first().is_some_and(|byte| byte & 0x80 != 0) {
                return Ok(Err("an integer below zero"));
            }
            vector.others.insert("number".into(), number);
        }
        Skip(_) => {}
    }
    let mac = matches!(kind, BlockMac(..) | Mac(_));
    let tag = group["tagSize"].as_u64().unwrap_or_default();
    if mac && refused && vector.output.is_empty() {
        return Ok(Err("a MAC to refuse without a MAC"));
    }
    if mac && !refused && vector.output.len() as u64 * 8 != tag {
        return Ok(Err("a valid MAC of another length than its group's"));
    }
    Ok(Ok(vector))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn one(kind: Kind, test: &str) -> Result<Vector, &'static str> {
        let json = format!(r#"{{"testGroups":[{{"tagSize":16,"tests":[{test}]}}]}}"#);
        let json: Value = serde_json::from_str(&json).unwrap();
        let (group, test) = tests(&json).next().unwrap();
        question(kind, group, test).unwrap()
    }

    const KEY: &str = r#""key":"00000000000000000000000000000000","tcId":7,"comment":"a  b""#;

    #[test]
    fn valid_goes_forwards_and_invalid_backwards() {
        let rest = r#""iv":"01","aad":"02","msg":"03","ct":"04","tag":"05""#;
        let test = format!(r#"{{{KEY},{rest},"flags":["X"],"result":"valid"}}"#);
        let v = one(Mode("aes", "gcm"), &test).unwrap();
        assert_eq!((&*v.primitive, &*v.operation), ("aes-128", "gcm-encrypt"));
        assert_eq!(
            (&*v.name, v.flags.as_slice()),
            ("tcId 7 a b", &["X".to_owned()][..])
        );
        assert_eq!(
            (v.input, v.output, v.tag),
            (vec![3], vec![4], Some(vec![5]))
        );
        let test = format!(r#"{{{KEY},{rest},"result":"invalid"}}"#);
        let v = one(Aead("aegis-128"), &test).unwrap();
        assert_eq!(
            (&*v.operation, v.verdict),
            ("aead-decrypt", Verdict::Invalid)
        );
        assert!(v.input.is_empty());
    }

    #[test]
    fn padding_is_written_out_or_left_out() {
        let test = format!(r#"{{{KEY},"iv":"","msg":"03","ct":"04","result":"valid"}}"#);
        let v = one(Padded("aes"), &test).unwrap();
        assert_eq!(v.input[..2], [3, 15]);
        assert_eq!(v.input.len(), 16);
        let test = format!(r#"{{{KEY},"msg":"","ct":"04","result":"invalid"}}"#);
        assert!(one(Padded("aes"), &test).is_err());
    }

    #[test]
    fn a_short_tweak_is_continued_by_zeros() {
        let key = format!(r#""key":"{}""#, "00".repeat(32));
        let test = format!(r#"{{{key},"iv":"01","msg":"03","ct":"04","result":"valid"}}"#);
        let v = one(Xts("aes"), &test).unwrap();
        assert_eq!(
            (&*v.primitive, v.nonce.len(), v.nonce[0]),
            ("aes-128", 16, 1)
        );
    }

    #[test]
    fn a_signature_is_verified_with_its_groups_public_key() {
        let json = r#"{"testGroups":[{"publicKey":{"pk":"01"},"tests":[
            {"tcId":1,"msg":"02","sig":"03","result":"valid"}]}]}"#;
        let v = read("ed25519", json).unwrap().vectors.remove(0);
        assert_eq!((&*v.operation, &v.others["public"]), ("verify", &vec![1]));
        assert_eq!((v.input, v.output, v.key), (vec![2], vec![3], vec![]));
    }

    #[test]
    fn macs_put_their_tag_into_the_output() {
        let test = format!(r#"{{{KEY},"msg":"03","tag":"0405","result":"acceptable"}}"#);
        let v = one(Mac("hmac-sha-1"), &test).unwrap();
        assert_eq!(
            (v.output, v.tag, v.verdict),
            (vec![4, 5], None, Verdict::Acceptable)
        );
    }
}
