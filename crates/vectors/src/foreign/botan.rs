//! Botan's test data: `[Algorithm]` headings, and records that end with the field for the
//! answer.

mod numbers;

use super::text::{base64, hex};
use super::{Found, NO_ID, sized};
use crate::{MOST_BYTES, Vector, Verdict};
use anyhow::{Context, Result, ensure};
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

/// One record of the file: the heading above the record, and the record's fields.
#[derive(Debug, Default)]
struct Record {
    heading: String,
    fields: BTreeMap<String, String>,
    /// The names of the fields that a reader has asked for.
    read: RefCell<BTreeSet<String>>,
}

impl Record {
    fn get(&self, name: &str) -> Option<&str> {
        self.read.borrow_mut().insert(name.to_owned());
        self.fields.get(name).map(String::as_str)
    }

    /// Whether a reader has asked for every field. A field that the reader does not know may
    /// change the meaning of the record.
    fn is_read(&self) -> bool {
        let read = self.read.borrow();
        self.fields.keys().all(|name| read.contains(name))
    }

    fn hex(&self, name: &str) -> Result<Vec<u8>> {
        hex(self.get(name).with_context(|| format!("no field {name}"))?)
    }

    fn hex_or_empty(&self, name: &str) -> Result<Vec<u8>> {
        self.get(name).map_or(Ok(Vec::new()), hex)
    }

    fn number(&self, name: &str) -> Result<u64> {
        let value = self.get(name).with_context(|| format!("no field {name}"))?;
        Ok(value.parse()?)
    }
}

/// Splits a file into records; `last` is the name of the field that ends a record. If
/// fields persist, a record also has the fields of the record above, unless it sets them
/// again.
fn records(text: &str, last: &str, hold: bool) -> Vec<Record> {
    let mut records = Vec::new();
    let mut record = Record::default();
    for line in text.lines().map(str::trim) {
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        if let Some(heading) = line.strip_prefix('[').and_then(|l| l.strip_suffix(']')) {
            record = Record {
                heading: heading.to_owned(),
                ..Record::default()
            };
        } else if let Some((key, value)) = line.split_once('=') {
            let key = key.trim();
            record.fields.insert(key.into(), value.trim().into());
            if key == last {
                let mut next = Record {
                    heading: record.heading.clone(),
                    ..Record::default()
                };
                if hold {
                    next.fields.clone_from(&record.fields);
                }
                records.push(std::mem::replace(&mut record, next));
            }
        }
    }
    records
}

type Read = Result<Vector, &'static str>;

const ODD_KEY: &str = "key size for which no primitive exists";

/// Reads one file. In Botan's own files, the folder gives the kind of algorithm. In a
/// file from elsewhere, the first kind that knows the heading is taken.
///
/// # Errors
///
/// If a record cannot be read by the reader of its kind.
pub fn read(path: &str, text: &str) -> Result<Found> {
    let (folder, file) = path.rsplit_once('/').unwrap_or(("", path));
    let folder = folder.rsplit('/').next().unwrap_or(folder);
    let stem = file.strip_suffix(".vec").unwrap_or(file);
    // These files are beside the folders, or in a folder of many algorithms.
    let alone = ALONE.iter().copied().find(|kind| stem == *kind);
    let own = KINDS.contains(&folder).then_some(folder).or(alone);
    let known = own.is_some();
    let kinds = own.map_or_else(|| KINDS.to_vec(), |kind| vec![kind]);
    let mut found = Found::default();
    // In Botan's tests of public keys a field keeps its value until it is set again.
    let hold = stem.starts_with("ed25519") || stem == "ecdsa_rfc6979";
    let all = records(text, ending(folder, stem, text), hold);
    if all.is_empty() {
        found.leave_out(format!(
            "a file of records that nothing here reads ({stem})"
        ));
    }
    for (index, record) in all.iter().enumerate() {
        let mut answer = Ok(Err(NO_ID));
        for kind in &kinds {
            let vector = Vector {
                name: format!("{stem} {} {index}", record.heading).replace("  ", " "),
                ..Vector::default()
            };
            record.read.take();
            answer = question(kind, stem, record, vector);
            if matches!(answer, Ok(Ok(_))) && !(known || record.is_read()) {
                answer = Ok(Err(NO_ID));
            }
            if matches!(answer, Ok(Ok(_))) || known {
                break;
            }
        }
        // If the kind is only a guess, an error may come from fields of another kind.
        if !known && answer.is_err() {
            answer = Ok(Err(NO_ID));
        }
        let named = match &*record.heading {
            "" => stem,
            heading => heading,
        };
        found.take_named(named, answer);
    }
    Ok(found)
}

/// Botan's folders; each holds one kind of algorithm.
const KINDS: &[&str] = &[
    "bn",
    "block",
    "modes",
    "aead",
    "hash",
    "xof",
    "mac",
    "stream",
    "kdf",
    "pbkdf",
    "passhash",
    "keywrap",
    "argon2",
    "bcrypt_pbkdf",
    "scrypt",
];

/// Files whose kind of algorithm is known by the file's name, whatever their folder is.
const ALONE: &[&str] = &[
    "argon2",
    "bcrypt_pbkdf",
    "scrypt",
    "ecc_base_point_mul",
    "ed25519",
    "ed25519_verify",
    "ecdsa_rfc6979",
    "hash_rep",
    "hash_mc",
    "hkdf_label",
    "ocb_long",
    "ocb_wide_long",
    "siv_ad",
];

/// The name of the field that ends a record.
fn ending(folder: &str, stem: &str, text: &str) -> &'static str {
    match (folder, stem) {
        ("passhash", _) => "Passhash",
        ("keywrap", "nist_key_wrap_invalid") => "Input",
        ("bn", _) => numbers::ENDINGS
            .iter()
            .find(|(file, _)| *file == stem)
            .map_or("Output", |(_, field)| field),
        (_, "ecc_base_point_mul") => "P",
        (_, "ed25519" | "ed25519_verify" | "ecdsa_rfc6979") => "Signature",
        (_, "hash_rep") => "Digest",
        (_, "hash_mc" | "hkdf_label" | "ocb_long" | "ocb_wide_long") => "Output",
        ("kdf" | "pbkdf" | "keywrap", _) => "Output",
        _ if KINDS.contains(&folder) => "Out",
        // In a file from elsewhere: the first of these fields that occurs in the file.
        _ => ["Out", "Output", "Passhash"]
            .into_iter()
            .find(|name| {
                text.lines().any(|line| {
                    line.split_once('=')
                        .is_some_and(|(key, _)| key.trim() == *name)
                })
            })
            .unwrap_or("Out"),
    }
}

fn question(folder: &str, stem: &str, record: &Record, vector: Vector) -> Result<Read> {
    match (folder, stem) {
        ("block", _) => block(record, vector),
        ("modes", _) => mode(record, vector),
        ("aead", _) => aead(record, vector),
        ("hash" | "xof", _) => digest(record, vector),
        ("mac", _) => mac(record, vector),
        ("stream", _) => stream(record, vector),
        ("kdf", _) => kdf(record, vector),
        ("pbkdf", "pgp_s2k") => s2k(record, vector),
        ("pbkdf", _) => pbkdf2(record, vector),
        ("passhash", "argon2") => argon2_string(record, vector),
        ("passhash", _) => bcrypt(record, vector),
        ("keywrap", _) => wrap(stem, record, vector),
        ("bn", _) => numbers::arithmetic(stem, record, vector),
        ("ecc_base_point_mul", _) => numbers::multiple(record, vector),
        ("argon2", _) => argon2(record, vector),
        ("bcrypt_pbkdf", _) => bcrypt_pbkdf(record, vector),
        ("scrypt", _) => scrypt(record, vector),
        ("ed25519" | "ed25519_verify", _) => ed25519(stem, record, vector),
        ("ecdsa_rfc6979", _) => numbers::deterministic(record, vector),
        ("hash_rep", _) => repeated(record, vector),
        ("hash_mc", _) => monte_carlo(record, vector),
        ("hkdf_label", _) => hkdf_label(record, vector),
        ("ocb_long", _) => ocb_long(record, vector),
        ("ocb_wide_long", _) => Ok(Err("OCB of a block that is not 16 bytes")),
        ("siv_ad", _) => siv_strings(record, vector),
        _ => Ok(Err(NO_ID)),
    }
}

/// The block cipher's name in this repository, and its block size in bytes. `None` for
/// Botan's cascades of two ciphers.
fn cipher(name: &str) -> Option<(&'static str, usize)> {
    Some(match name {
        "AES-128" | "AES-192" | "AES-256" => ("aes", 16),
        "ARIA-128" | "ARIA-192" | "ARIA-256" | "ARIA" => ("aria", 16),
        "Camellia-128" | "Camellia-192" | "Camellia-256" => ("camellia", 16),
        "Blowfish" => ("blowfish", 8),
        "CAST-128" => ("cast5", 8),
        "DES" => ("des", 8),
        "TripleDES" => ("des-ede3", 8),
        // These S-boxes belong to the hash function GOST R 34.11-94. Set A of RFC 4357, for
        // encryption, is another set.
        "GOST-28147-89(R3411_94_TestParam)" => ("gost28147-test", 8),
        "GOST-28147-89(R3411_CryptoPro)" => ("gost28147-r3411-cryptopro", 8),
        "IDEA" => ("idea", 8),
        "Kuznyechik" => ("kuznyechik", 16),
        "Noekeon" => ("noekeon", 16),
        "SEED" => ("seed", 16),
        "SHACAL2" => ("shacal2", 32),
        "SM4" => ("sm4", 16),
        "Serpent" => ("serpent", 16),
        "Threefish-512" => ("threefish", 64),
        "Twofish" => ("twofish", 16),
        _ => return None,
    })
}

/// A cipher's identifier for a key length. Botan also accepts 3DES keys of two parts.
fn id(cipher: &str, key: usize) -> Option<String> {
    match (cipher, key) {
        ("des-ede3", 16) => Some("des-ede2".into()),
        ("des-ede3", 24) | ("des", 8) => Some(cipher.into()),
        ("des-ede3" | "des", _) => None,
        _ => sized(cipher, key),
    }
}

fn block(record: &Record, vector: Vector) -> Result<Read> {
    let Some((cipher, size)) = cipher(&record.heading) else {
        return Ok(Err(NO_ID));
    };
    if record.get("Iterations").is_some_and(|n| n != "1") {
        return Ok(Err("a chain of thousands of calls"));
    }
    if record.hex_or_empty("Tweak")?.iter().any(|&b| b != 0) {
        return Ok(Err(
            "a tweaked block, which the codebook mode has no field for",
        ));
    }
    let key = record.hex("Key")?;
    let Some(primitive) = id(cipher, key.len()) else {
        return Ok(Err(ODD_KEY));
    };
    let input = record.hex("In")?;
    ensure!(input.len() % size == 0, "no whole blocks");
    Ok(Ok(Vector {
        primitive,
        operation: "ecb-encrypt".into(),
        key,
        input,
        output: record.hex("Out")?,
        ..vector
    }))
}

fn mode(record: &Record, vector: Vector) -> Result<Read> {
    if record.heading.starts_with("CTR-BE(") {
        return stream(record, vector);
    }
    let parts: Vec<&str> = record.heading.split('/').collect();
    let Some((cipher, size)) = cipher(parts[0]) else {
        return Ok(Err(NO_ID));
    };
    let mut key = record.hex("Key")?;
    let mut nonce = record.hex("Nonce")?;
    let mut input = record.hex_or_empty("In")?;
    let (operation, halves) = match parts[1..] {
        ["CBC", "NoPadding"] => ("cbc-encrypt", 1),
        // The padding is added to the input here, so that the record tests the mode
        // without padding.
        ["CBC", "PKCS7"] => {
            let pad = size - input.len() % size;
            input.extend(vec![pad as u8; pad]);
            ("cbc-encrypt", 1)
        }
        ["CBC", "OneAndZeros"] => {
            input.push(0x80);
            input.resize(input.len().next_multiple_of(size), 0);
            ("cbc-encrypt", 1)
        }
        ["CBC", "CTS"] => ("cbc-cs3-encrypt", 1),
        ["CFB"] => ("cfb-encrypt", 1),
        ["CFB(8)"] => ("cfb8-encrypt", 1),
        ["CFB(16)" | "CFB(32)"] => return Ok(Err("CFB with segments of 16 or 32 bits")),
        ["XTS"] if size == 16 => {
            nonce.resize(16, 0);
            ("xts-encrypt", 2)
        }
        ["XTS"] => return Ok(Err("XTS of a block that is not 16 bytes")),
        _ => return Ok(Err(NO_ID)),
    };
    if nonce.is_empty() {
        nonce.resize(size, 0);
    }
    if nonce.len() != size {
        return Ok(Err("a chain of messages under one IV"));
    }
    if cipher == "des-ede3" && key.len() == 16 && halves == 2 {
        key.clear();
    }
    let Some(primitive) = id(cipher, key.len() / halves) else {
        return Ok(Err(ODD_KEY));
    };
    Ok(Ok(Vector {
        primitive,
        operation: operation.into(),
        key,
        nonce,
        input,
        output: record.hex_or_empty("Out")?,
        ..vector
    }))
}

/// Splits `Name(a,b)` into `Name` and its arguments.
fn arguments(name: &str) -> (&str, Vec<&str>) {
    match name.split_once('(') {
        Some((head, rest)) => (head, rest.trim_end_matches(')').split(',').collect()),
        None => (name, Vec::new()),
    }
}

fn aead(record: &Record, vector: Vector) -> Result<Read> {
    let key = record.hex("Key")?;
    let nonce = record.hex_or_empty("Nonce")?;
    let aad = record.hex_or_empty("AD")?;
    let mut output = record.hex("Out")?;
    let (name, mode) = record
        .heading
        .split_once('/')
        .unwrap_or((&record.heading, ""));
    let (mode, sizes) = arguments(mode);
    let size = |default: usize| sizes.first().map_or(Ok(default), |s| s.parse::<usize>());
    let (primitive, operation, tag) = match (name, mode) {
        ("ChaCha20Poly1305", _) => match nonce.len() {
            12 => (Some("chacha20-poly1305".into()), "aead-encrypt", 16),
            24 => (Some("xchacha20-poly1305".into()), "aead-encrypt", 16),
            _ => {
                return Ok(Err(
                    "ChaCha20-Poly1305 as before RFC 7539, nonce of 8 bytes",
                ));
            }
        },
        ("Ascon-AEAD128", _) => (Some("ascon-aead128".into()), "aead-encrypt", 16),
        _ => {
            let Some((cipher, block)) = cipher(name) else {
                return Ok(Err(NO_ID));
            };
            let halves = if mode == "SIV" { 2 } else { 1 };
            let (operation, tag) = match mode {
                "GCM" => ("gcm-encrypt", size(16)?),
                "GCM-SIV" => ("gcm-siv-encrypt", 16),
                "CCM" => ("ccm-encrypt", size(16)?),
                "EAX" => ("eax-encrypt", size(block)?),
                "OCB" if block == 16 => ("ocb-encrypt", size(16)?),
                "OCB" => return Ok(Err("OCB of a block that is not 16 bytes")),
                "SIV" => ("siv-encrypt", 16),
                _ => return Ok(Err(NO_ID)),
            };
            (id(cipher, key.len() / halves), operation, tag)
        }
    };
    let Some(primitive) = primitive else {
        return Ok(Err(ODD_KEY));
    };
    ensure!(output.len() >= tag, "no room for the tag");
    let tag = if operation == "siv-encrypt" {
        // An empty string and no string look the same in the file, and libraries accept both.
        if aad.is_empty() && nonce.is_empty() {
            return Ok(Err("SIV of one empty associated string"));
        }
        let rest = output.split_off(16);
        std::mem::replace(&mut output, rest)
    } else {
        output.split_off(output.len() - tag)
    };
    Ok(Ok(Vector {
        primitive,
        operation: operation.into(),
        key,
        nonce,
        aad,
        input: record.hex_or_empty("In")?,
        output,
        tag: Some(tag),
        ..vector
    }))
}

/// The identifier of one of Botan's hash functions.
fn hash_id(name: &str) -> Option<&'static str> {
    Some(match name {
        "MD4" => "md4",
        "MD5" => "md5",
        "SHA-1" => "sha-1",
        "SHA-224" => "sha-224",
        "SHA-256" => "sha-256",
        "SHA-384" => "sha-384",
        "SHA-512" => "sha-512",
        "SHA-512-224" => "sha-512-224",
        "SHA-512-256" => "sha-512-256",
        "SHA-3(224)" => "sha3-224",
        "SHA-3(256)" => "sha3-256",
        "SHA-3(384)" => "sha3-384",
        "SHA-3(512)" => "sha3-512",
        "Keccak-1600(224)" => "keccak-224",
        "Keccak-1600(256)" => "keccak-256",
        "Keccak-1600(384)" => "keccak-384",
        "Keccak-1600(512)" => "keccak-512",
        "BLAKE2b(256)" => "blake2b-256",
        "BLAKE2b(384)" => "blake2b-384",
        "BLAKE2b(512)" => "blake2b",
        "BLAKE2s(256)" => "blake2s",
        "RIPEMD-160" => "ripemd-160",
        "SM3" => "sm3",
        "Streebog-256" => "streebog-256",
        "Streebog-512" => "streebog-512",
        "Whirlpool" => "whirlpool",
        "Skein-512(224)" => "skein-512-224",
        "Skein-512(256)" => "skein-512-256",
        "Skein-512(384)" => "skein-512-384",
        "Skein-512(512)" => "skein-512",
        "Ascon-Hash256" => "ascon-hash256",
        // The hash of the empty message is 981e5f3c…, so these are CryptoPro's
        // parameters.
        "GOST-R-34.11-94" => "gost94-cryptopro",
        _ => return None,
    })
}

fn digest(record: &Record, vector: Vector) -> Result<Read> {
    if let Some(inner) = record.heading.strip_prefix("Truncated(") {
        return truncated(inner, record, vector);
    }
    let (primitive, operation) = match hash_id(&record.heading) {
        Some(id) => (id, "hash"),
        None => match arguments(&record.heading).0 {
            "CTR-BE" => return keystream_of_aes(record, vector),
            "SHAKE-128" => ("shake128", "xof"),
            "SHAKE-256" => ("shake256", "xof"),
            "Ascon-XOF128" => ("ascon-xof128", "xof"),
            "cSHAKE-128" => ("cshake128", "xof"),
            "cSHAKE-256" => ("cshake256", "xof"),
            _ => return Ok(Err(NO_ID)),
        },
    };
    if !record.hex_or_empty("Name")?.is_empty() {
        return Ok(Err("cSHAKE with a function name"));
    }
    Ok(Ok(Vector {
        primitive: primitive.into(),
        operation: operation.into(),
        aad: record.hex_or_empty("Salt")?,
        input: record.hex_or_empty("In")?,
        output: record.hex("Out")?,
        ..vector
    }))
}

/// A digest cut to its first bits: `Truncated(SHA-256,128)` has 128 bits.
fn truncated(inner: &str, record: &Record, vector: Vector) -> Result<Read> {
    let inner = inner.strip_suffix(')').unwrap_or(inner);
    let (hash, bits) = inner.rsplit_once(',').context("no number of bits")?;
    let Some(primitive) = hash_id(hash) else {
        return Ok(Err(NO_ID));
    };
    if bits.parse::<usize>()? % 8 != 0 {
        return Ok(Err("a digest that ends inside a byte"));
    }
    Ok(Ok(Vector {
        primitive: primitive.into(),
        operation: "hash-start".into(),
        input: record.hex_or_empty("In")?,
        output: record.hex("Out")?,
        ..vector
    }))
}

/// Botan's extendable output of AES-256 in counter mode. It has no message: the output is
/// the encryption of zeros.
fn keystream_of_aes(record: &Record, vector: Vector) -> Result<Read> {
    let (_, names) = arguments(&record.heading);
    let key = record.hex("Key")?;
    let Some((cipher, size)) = names.first().and_then(|name| cipher(name)) else {
        return Ok(Err(NO_ID));
    };
    let Some(primitive) = id(cipher, key.len()) else {
        return Ok(Err(ODD_KEY));
    };
    let mut nonce = record.hex_or_empty("Salt")?;
    nonce.resize(size, 0);
    ensure!(
        record.hex_or_empty("In")?.is_empty(),
        "a keystream of a message"
    );
    let output = record.hex("Out")?;
    Ok(Ok(Vector {
        primitive,
        operation: "ctr-encrypt".into(),
        key,
        nonce,
        input: vec![0; output.len()],
        output,
        ..vector
    }))
}

fn mac(record: &Record, vector: Vector) -> Result<Read> {
    let mut key = record.hex("Key")?;
    let nonce = record.hex_or_empty("IV")?;
    let (name, rest) = record
        .heading
        .split_once('(')
        .unwrap_or((&record.heading, ""));
    let inner = rest.strip_suffix(')').unwrap_or(rest);
    let (primitive, operation) = match name {
        "CMAC" | "GMAC" => {
            let Some((cipher, _)) = cipher(inner) else {
                return Ok(Err(NO_ID));
            };
            (id(cipher, key.len()), name.to_lowercase())
        }
        "HMAC" => match hash_id(inner) {
            Some(hash) => (Some(format!("hmac-{hash}")), "mac".into()),
            None => return Ok(Err(NO_ID)),
        },
        "KMAC-128" | "KMAC-256" if nonce.is_empty() => (Some(name.to_lowercase()), "mac".into()),
        "KMAC-128" | "KMAC-256" => return Ok(Err("KMAC with a customization string")),
        // The name gives the digest's number of bits. The answer has the same length.
        "BLAKE2b" => (Some("blake2b-mac".into()), "mac".into()),
        "Poly1305" => (Some("poly1305".into()), "mac".into()),
        "SipHash" if inner == "2,4" => (Some("siphash-2-4".into()), "mac".into()),
        "X9.19-MAC" => {
            // A key of one part stands for two equal parts.
            if key.len() == 8 {
                key.extend_from_within(..);
            }
            (id("des-ede3", key.len()), "retail-mac".into())
        }
        _ => return Ok(Err(NO_ID)),
    };
    let Some(primitive) = primitive else {
        return Ok(Err(ODD_KEY));
    };
    Ok(Ok(Vector {
        primitive,
        operation,
        key,
        nonce,
        input: record.hex_or_empty("In")?,
        output: record.hex("Out")?,
        ..vector
    }))
}

fn stream(record: &Record, vector: Vector) -> Result<Read> {
    let key = record.hex_or_empty("Key")?;
    let mut nonce = record.hex_or_empty("Nonce")?;
    let seek = record.get("Seek").map_or(Ok(0), str::parse::<u64>)?;
    let output = record.hex("Out")?;
    let mut input = record.hex_or_empty("In")?;
    if let Some(inner) = ["CTR-BE(", "OFB("]
        .iter()
        .find_map(|start| record.heading.strip_prefix(start))
    {
        let counter = record.heading.starts_with("CTR");
        if seek != 0 && !counter {
            return Ok(Err("a place inside a keystream"));
        }
        let Some((cipher, size)) = cipher(inner.trim_end_matches(')')) else {
            return Ok(Err(if inner.contains(',') {
                "a counter narrower than the block"
            } else {
                NO_ID
            }));
        };
        let Some(primitive) = id(cipher, key.len()) else {
            return Ok(Err(ODD_KEY));
        };
        nonce.resize(size, 0);
        if input.is_empty() {
            input.resize(output.len(), 0);
        }
        let skip = (seek % size as u64) as usize;
        add(&mut nonce, seek / size as u64);
        return Ok(Ok(Vector {
            primitive,
            operation: match (counter, skip) {
                (true, 0) => "ctr-encrypt",
                (true, _) => {
                    input.splice(..0, vec![0; skip]);
                    "ctr-encrypt-end"
                }
                (false, _) => "ofb-encrypt",
            }
            .into(),
            key,
            nonce,
            input,
            output,
            ..vector
        }));
    }
    if let Some(primitive) = match &*record.heading {
        "SHAKE-128" => Some("shake128"),
        "SHAKE-256" => Some("shake256"),
        _ => None,
    } {
        return Ok(if seek != 0 || !nonce.is_empty() {
            Err("SHAKE as a stream cipher at a place or with a nonce")
        } else {
            shake_stream(primitive, key, &input, output, vector)
        });
    }
    let mut cost = Vec::new();
    let primitive = match (&*record.heading, nonce.len()) {
        ("RC4", _) => "rc4",
        ("RC4(3)", _) => {
            cost.push(("drop".to_owned(), 3));
            "rc4"
        }
        ("MARK-4", _) => {
            cost.push(("drop".to_owned(), 256));
            "rc4"
        }
        ("Salsa20", 0 | 8) => "salsa20",
        ("Salsa20", 24) => "xsalsa20",
        ("ChaCha(8)", 0 | 8 | 12) => "chacha8",
        ("ChaCha(12)", 0 | 8 | 12) => "chacha12",
        ("ChaCha(20)", 0 | 8 | 12) => "chacha20",
        ("ChaCha(20)", 24) => "xchacha20",
        ("Salsa20" | "ChaCha(8)" | "ChaCha(12)" | "ChaCha(20)", _) => {
            return Ok(Err("a nonce that the cipher has no primitive for"));
        }
        _ => return Ok(Err(NO_ID)),
    };
    if primitive != "rc4" {
        // A missing nonce means a nonce of zeros.
        if nonce.is_empty() {
            nonce.resize(8, 0);
        }
        if seek >= 64 {
            cost.push(("counter".to_owned(), seek / 64));
        }
    } else if seek != 0 {
        cost.push(("drop".to_owned(), seek));
    }
    let operation = match (seek % 64, input.is_empty()) {
        (skip, _) if skip != 0 && primitive != "rc4" => {
            if input.is_empty() {
                input.resize(output.len(), 0);
            }
            input.splice(..0, vec![0; skip as usize]);
            "stream-encrypt-end"
        }
        (_, true) => "stream-keystream",
        (_, false) => "stream-encrypt",
    };
    Ok(Ok(Vector {
        primitive: primitive.into(),
        operation: operation.into(),
        key,
        nonce,
        input,
        output,
        cost,
        ..vector
    }))
}

/// Adds a number to a counter block, one big-endian number.
fn add(block: &mut [u8], number: u64) {
    let mut carry = u128::from(number);
    for byte in block.iter_mut().rev() {
        carry += u128::from(*byte);
        *byte = carry as u8;
        carry >>= 8;
    }
}

/// SHAKE as a stream cipher: the key is the message, and the output is the keystream.
fn shake_stream(
    primitive: &str,
    key: Vec<u8>,
    input: &[u8],
    mut output: Vec<u8>,
    vector: Vector,
) -> Read {
    for (byte, input) in output.iter_mut().zip(input) {
        *byte ^= input;
    }
    Ok(Vector {
        primitive: primitive.into(),
        operation: "xof".into(),
        input: key,
        output,
        ..vector
    })
}

/// A key derivation. Botan names the inputs of all these functions as HKDF does.
fn kdf(record: &Record, vector: Vector) -> Result<Read> {
    let (name, inner) = record
        .heading
        .strip_suffix(')')
        .and_then(|heading| heading.split_once('('))
        .unwrap_or((&record.heading, ""));
    let salt = record.hex_or_empty("Salt")?;
    let label = record.hex_or_empty("Label")?;
    let (function, nonce, aad) = match name {
        "HKDF" if inner.starts_with("HMAC(") => ("hkdf", salt, label),
        "HKDF-Extract" | "HKDF-Expand" => return half_of_hkdf(name, inner, record, vector),
        // IEEE 1363's KDF1 is a hash of the secret and the parameters.
        "KDF1" => {
            let Some(hash) = hash_id(inner) else {
                return Ok(Err(NO_ID));
            };
            return Ok(Ok(Vector {
                primitive: hash.into(),
                operation: "hash-start".into(),
                input: [record.hex("Secret")?, salt].concat(),
                output: record.hex("Output")?,
                ..vector
            }));
        }
        // The purpose is the label and the salt.
        "KDF1-18033" => ("kdf1", Vec::new(), [label, salt].concat()),
        "KDF2" => ("kdf2", Vec::new(), [label, salt].concat()),
        // The salt is the context. Only the feedback mode can have an IV too. If the salt is at
        // least as long as the MAC, its first bytes, as many as the MAC has, are the IV, and the
        // rest is the context. If the salt is shorter, there is no IV.
        "SP800-108-Counter" => (
            "sp800-108-counter",
            Vec::new(),
            [label, vec![0], salt].concat(),
        ),
        "SP800-108-Pipeline" => {
            let purpose = [label, vec![0], salt].concat();
            ("sp800-108-double-pipeline", Vec::new(), purpose)
        }
        "SP800-108-Feedback" => {
            let Some(size) = mac_size(inner) else {
                return Ok(Err(NO_ID));
            };
            let (iv, context) = salt.split_at(if salt.len() < size { 0 } else { size });
            let purpose = [&label, &[0][..], context].concat();
            ("sp800-108-feedback", iv.to_vec(), purpose)
        }
        _ => return Ok(Err(NO_ID)),
    };
    if name.starts_with("SP800-108") && inner.contains(',') {
        return Ok(Err("a counter or a length of other than 32 bits"));
    }
    let secret = record.hex("Secret")?;
    let Some(over) = prf(inner, secret.len()) else {
        return Ok(Err(NO_ID));
    };
    // HKDF is named after the hash of its HMAC.
    let over = match name {
        "HKDF" => over.trim_start_matches("hmac-"),
        _ => &over,
    };
    Ok(Ok(Vector {
        primitive: format!("{function}-{over}"),
        operation: "derive".into(),
        input: secret,
        nonce,
        aad,
        output: record.hex("Output")?,
        ..vector
    }))
}

/// The identifier of the hash or the MAC that a key derivation uses.
fn prf(name: &str, key: usize) -> Option<String> {
    let inner = |start| name.strip_prefix(start)?.strip_suffix(')');
    if let Some(hash) = inner("HMAC(") {
        return Some(format!("hmac-{}", hash_id(hash)?));
    }
    if let Some(name) = inner("CMAC(") {
        return Some(format!("{}-cmac", id(cipher(name)?.0, key)?));
    }
    hash_id(name).map(str::to_owned)
}

/// The two halves of HKDF as HMACs (RFC 5869, sections 2.2 and 2.3). Extract is the HMAC of
/// the secret with the salt as the key. The first block of Expand is the HMAC of info and a
/// byte 1.
fn half_of_hkdf(name: &str, inner: &str, record: &Record, vector: Vector) -> Result<Read> {
    let secret = record.hex("Secret")?;
    let salt = record.hex_or_empty("Salt")?;
    let output = record.hex("Output")?;
    // The file also gives the inputs of the other half.
    record.get("IKM");
    record.get("XTS");
    let (key, input) = match name {
        "HKDF-Extract" => (salt, secret),
        _ => (secret, [salt, record.hex_or_empty("Label")?].concat()),
    };
    if name == "HKDF-Extract" {
        return Ok(hmac_of(inner, key, input, output, vector));
    }
    expand(inner, key, input, output, vector)
}

/// HKDF's Expand, if the output is not longer than one block.
fn expand(
    inner: &str,
    key: Vec<u8>,
    mut info: Vec<u8>,
    output: Vec<u8>,
    vector: Vector,
) -> Result<Read> {
    if mac_size(inner).is_none_or(|size| output.len() > size) {
        return Ok(Err("HKDF-Expand of more than one block"));
    }
    info.push(1);
    Ok(hmac_of(inner, key, info, output, vector))
}

fn hmac_of(inner: &str, key: Vec<u8>, input: Vec<u8>, output: Vec<u8>, vector: Vector) -> Read {
    let primitive = prf(inner, key.len()).filter(|id| id.starts_with("hmac-"));
    Ok(Vector {
        primitive: primitive.ok_or(NO_ID)?,
        operation: "mac".into(),
        key,
        input,
        output,
        ..vector
    })
}

/// HKDF-Expand-Label of RFC 8446, section 7.1. The file gives the label with its prefix.
fn hkdf_label(record: &Record, vector: Vector) -> Result<Read> {
    let label = record.get("Label").context("no label")?.as_bytes();
    let context = record.hex_or_empty("HashValue")?;
    let output = record.hex("Output")?;
    let info = [
        &u16::try_from(output.len())?.to_be_bytes()[..],
        &[u8::try_from(label.len())?],
        label,
        &[u8::try_from(context.len())?],
        &context,
    ]
    .concat();
    let inner = format!("HMAC({})", record.heading);
    expand(&inner, record.hex("Secret")?, info, output, vector)
}

/// The length of a MAC in bytes, for the functions in Botan's tests of key derivation.
fn mac_size(name: &str) -> Option<usize> {
    if let Some(name) = name.strip_prefix("CMAC(") {
        return Some(cipher(name.split(')').next()?)?.1);
    }
    Some(match name.strip_prefix("HMAC(")?.split(')').next()? {
        "SHA-1" => 20,
        "SHA-224" => 28,
        "SHA-256" => 32,
        "SHA-384" => 48,
        "SHA-512" => 64,
        _ => return None,
    })
}

/// OpenPGP's functions. If a function has no iterations, Botan writes 1 iteration.
fn s2k(record: &Record, vector: Vector) -> Result<Read> {
    let (_, names) = arguments(&record.heading);
    let Some(hash) = names.first().and_then(|name| hash_id(name)) else {
        return Ok(Err(NO_ID));
    };
    let salt = record.hex_or_empty("Salt")?;
    if !matches!(salt.len(), 0 | 8) {
        return Ok(Err("a salt that is not 8 bytes"));
    }
    let cost = match record.number("Iterations")? {
        1 => Vec::new(),
        bytes if bytes > MOST_BYTES as u64 => {
            return Ok(Err("a derivation of more than 16 MiB"));
        }
        bytes => vec![("iterations".into(), bytes)],
    };
    Ok(Ok(Vector {
        primitive: format!("s2k-{hash}"),
        operation: "derive".into(),
        input: record.get("Passphrase").unwrap_or_default().into(),
        nonce: salt,
        output: record.hex("Output")?,
        cost,
        ..vector
    }))
}

fn pbkdf2(record: &Record, vector: Vector) -> Result<Read> {
    let hash = record
        .heading
        .strip_prefix("PBKDF2(HMAC(")
        .and_then(|h| h.strip_suffix("))"));
    let Some(hash) = hash.and_then(hash_id) else {
        return Ok(Err(NO_ID));
    };
    let iterations = record.number("Iterations")?;
    if iterations > 100_000 {
        return Ok(Err("a derivation of more than 100000 rounds"));
    }
    Ok(Ok(Vector {
        primitive: format!("pbkdf2-hmac-{hash}"),
        operation: "derive".into(),
        input: record.get("Passphrase").unwrap_or_default().into(),
        nonce: record.hex("Salt")?,
        output: record.hex("Output")?,
        cost: vec![("iterations".into(), iterations)],
        ..vector
    }))
}

fn bcrypt(record: &Record, vector: Vector) -> Result<Read> {
    let hash = record.get("Passhash").context("no hash")?;
    if !["$2a$", "$2b$", "$2y$"]
        .iter()
        .any(|start| hash.starts_with(start))
    {
        return Ok(Err(NO_ID));
    }
    ensure!(hash.len() == 60, "a bcrypt hash has 60 characters");
    let cost: u32 = hash[4..6].parse()?;
    if cost > 7 {
        return Ok(Err("a password hash that takes longer than some 20 ms"));
    }
    let input = record.hex("Password")?;
    if input.contains(&0) {
        return Ok(Err("a password with a zero byte, which C cannot pass"));
    }
    if hash.starts_with("$2a$") && input.contains(&0xff) {
        return Ok(Err(
            "$2a$ over bytes of 255, where crypt_blowfish differs on purpose",
        ));
    }
    Ok(Ok(Vector {
        primitive: "crypt-bcrypt".into(),
        operation: "crypt".into(),
        input,
        nonce: hash[..29].into(),
        output: hash.into(),
        ..vector
    }))
}

fn wrap(stem: &str, record: &Record, vector: Vector) -> Result<Read> {
    let invalid = stem.ends_with("invalid");
    let (key, input) = if stem == "rfc3394" {
        (record.hex("KEK")?, record.hex("Key")?)
    } else {
        (record.hex("Key")?, record.hex("Input")?)
    };
    let mode = if record.heading == "KWP" { "kwp" } else { "kw" };
    let Some(primitive) = sized("aes", key.len()) else {
        return Ok(Err(ODD_KEY));
    };
    Ok(Ok(if invalid {
        Vector {
            primitive,
            operation: format!("{mode}-decrypt"),
            key,
            output: input,
            verdict: Verdict::Invalid,
            ..vector
        }
    } else {
        Vector {
            primitive,
            operation: format!("{mode}-encrypt"),
            key,
            // RFC 3394, section 2, wraps keys of at least two blocks of 8 bytes.
            verdict: match (mode, input.len()) {
                ("kw", 8) => Verdict::Acceptable,
                _ => Verdict::Valid,
            },
            input,
            output: record.hex("Output")?,
            ..vector
        }
    }))
}

/// The most KiB that all passes of Argon2 may process together, which takes about 100 ms.
const MOST_ARGON2: u64 = 1 << 16;
const LONG_ARGON2: &str = "Argon2 over more than 64 MiB";

fn argon2(record: &Record, vector: Vector) -> Result<Read> {
    if !matches!(&*record.heading, "Argon2d" | "Argon2i" | "Argon2id") {
        return Ok(Err(NO_ID));
    }
    let (memory, iterations) = (record.number("M")?, record.number("T")?);
    if memory.saturating_mul(iterations) > MOST_ARGON2 {
        return Ok(Err(LONG_ARGON2));
    }
    Ok(Ok(Vector {
        primitive: record.heading.to_lowercase(),
        operation: "derive".into(),
        key: record.hex_or_empty("Secret")?,
        input: record.hex("Passphrase")?,
        nonce: record.hex("Salt")?,
        aad: record.hex_or_empty("AD")?,
        output: record.hex("Output")?,
        cost: vec![
            ("iterations".into(), iterations),
            ("memory".into(), memory),
            ("lanes".into(), record.number("P")?),
        ],
        ..vector
    }))
}

/// Argon2's answers as strings: `$argon2id$v=19$m=8,t=1,p=1$salt$hash`, in base64 without
/// padding.
fn argon2_string(record: &Record, vector: Vector) -> Result<Read> {
    if !matches!(&*record.heading, "Verify" | "Generate") {
        return bcrypt(record, vector);
    }
    let parts: Vec<&str> = record
        .get("Passhash")
        .context("no hash")?
        .split('$')
        .collect();
    let [
        "",
        variant @ ("argon2d" | "argon2i" | "argon2id"),
        "v=19",
        costs,
        salt,
        hash,
    ] = parts[..]
    else {
        return Ok(Err(NO_ID));
    };
    let cost = |name: &str| -> Result<u64> {
        let value = costs.split(',').find_map(|cost| cost.strip_prefix(name));
        Ok(value.with_context(|| format!("no {name}"))?.parse()?)
    };
    let (memory, iterations) = (cost("m=")?, cost("t=")?);
    if memory.saturating_mul(iterations) > MOST_ARGON2 {
        return Ok(Err(LONG_ARGON2));
    }
    Ok(Ok(Vector {
        primitive: variant.into(),
        operation: "derive".into(),
        input: record.get("Password").unwrap_or_default().into(),
        nonce: base64(salt)?,
        output: base64(hash)?,
        cost: vec![
            ("iterations".into(), iterations),
            ("memory".into(), memory),
            ("lanes".into(), cost("p=")?),
        ],
        ..vector
    }))
}

fn bcrypt_pbkdf(record: &Record, vector: Vector) -> Result<Read> {
    Ok(Ok(Vector {
        primitive: "bcrypt-pbkdf".into(),
        operation: "derive".into(),
        input: record.get("Passphrase").unwrap_or_default().into(),
        nonce: record.hex("Salt")?,
        output: record.hex("Output")?,
        cost: vec![("iterations".into(), record.number("Iterations")?)],
        ..vector
    }))
}

fn scrypt(record: &Record, vector: Vector) -> Result<Read> {
    let (n, r, p) = (
        record.number("N")?,
        record.number("R")?,
        record.number("P")?,
    );
    if n.saturating_mul(r).saturating_mul(p) > 1 << 18 {
        return Ok(Err("scrypt that takes seconds or a gigabyte"));
    }
    Ok(Ok(Vector {
        primitive: "scrypt".into(),
        operation: "derive".into(),
        input: record.get("Passphrase").unwrap_or_default().into(),
        nonce: record.hex("Salt")?,
        output: record.hex("Output")?,
        cost: vec![("n".into(), n), ("r".into(), r), ("p".into(), p)],
        ..vector
    }))
}

/// Ed25519 of RFC 8032; the headings of its other variants name a hash function.
/// The first file has signatures to make, the second has signatures to accept or to
/// refuse.
fn ed25519(stem: &str, record: &Record, mut vector: Vector) -> Result<Read> {
    if record.heading != "Pure" {
        return Ok(Err(NO_ID));
    }
    vector.primitive = "ed25519".into();
    vector.input = record.hex_or_empty("Msg")?;
    vector.output = record.hex("Signature")?;
    vector.others.insert("public".into(), record.hex("Pubkey")?);
    if stem == "ed25519_verify" {
        vector.operation = "verify".into();
        if record.get("Valid") == Some("0") {
            vector.verdict = Verdict::Invalid;
        }
    } else {
        vector.operation = "sign".into();
        vector.key = record.hex("Privkey")?;
    }
    Ok(Ok(vector))
}

/// The hash of a message that repeats a short message up to a given length.
fn repeated(record: &Record, vector: Vector) -> Result<Read> {
    let Some(id) = hash_id(&record.heading) else {
        return Ok(Err(NO_ID));
    };
    let (unit, length) = (record.hex("Input")?, record.number("TotalLength")?);
    let length = usize::try_from(length).unwrap_or(usize::MAX);
    if length > MOST_BYTES {
        return Ok(Err("a message of more than 16 MiB"));
    }
    ensure!(!unit.is_empty(), "nothing to repeat");
    Ok(Ok(Vector {
        primitive: id.into(),
        operation: "hash".into(),
        input: unit.iter().copied().cycle().take(length).collect(),
        output: record.hex("Digest")?,
        ..vector
    }))
}

/// NIST's Monte Carlo test of a hash function: 100 rounds, of which the last is the answer.
fn monte_carlo(record: &Record, vector: Vector) -> Result<Read> {
    let Some(id) = hash_id(&record.heading) else {
        return Ok(Err(NO_ID));
    };
    if record.number("Count")? != 99 {
        return Ok(Err("a Monte Carlo test of other than 100 rounds"));
    }
    Ok(Ok(Vector {
        primitive: id.into(),
        operation: "hash-monte-carlo".into(),
        input: record.hex("Seed")?,
        output: record.hex("Output")?,
        ..vector
    }))
}

/// RFC 7253, appendix A: the key ends with the length of the tag in bits.
fn ocb_long(record: &Record, vector: Vector) -> Result<Read> {
    let (bits, tag) = (record.number("Keylen")?, record.number("Taglen")?);
    let key = usize::try_from(bits / 8)?;
    let Some(primitive) = sized("aes", key).filter(|_| bits % 8 == 0) else {
        return Ok(Err(ODD_KEY));
    };
    let mut zeros = vec![0; key - 1];
    zeros.push(u8::try_from(tag)?);
    let output = record.hex("Output")?;
    ensure!(
        output.len() as u64 * 8 == tag,
        "a tag of {} bytes",
        output.len()
    );
    Ok(Ok(Vector {
        primitive,
        operation: "ocb-long".into(),
        key: zeros,
        nonce: vec![0; 12],
        tag: Some(output),
        ..vector
    }))
}

/// SIV with a list of one or two associated strings. The second string is called the nonce
/// here.
fn siv_strings(record: &Record, vector: Vector) -> Result<Read> {
    let key = record.hex("Key")?;
    let strings: Vec<&str> = match record.get("ADs").unwrap_or_default() {
        "" => Vec::new(),
        list => list.split(',').collect(),
    };
    let (aad, nonce) = match strings[..] {
        // An empty string and no string look the same in the file, and libraries accept both.
        [] => return Ok(Err("SIV of no associated string")),
        [one] => (one, ""),
        [one, two] => (one, two),
        _ => return Ok(Err("SIV of more than two associated strings")),
    };
    let Some(primitive) = sized("aes", key.len() / 2) else {
        return Ok(Err(ODD_KEY));
    };
    let mut tag = record.hex("Out")?;
    ensure!(tag.len() >= 16, "no room for the tag");
    let output = tag.split_off(16);
    Ok(Ok(Vector {
        primitive,
        operation: "siv-encrypt".into(),
        key,
        nonce: hex(nonce)?,
        aad: hex(aad)?,
        input: record.hex_or_empty("In")?,
        output,
        tag: Some(tag),
        ..vector
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_of_their_own_kind_are_known_by_name() {
        let text = "[Pure]\nPrivkey = 01\nPubkey = 02\nMsg =\nSignature = 03\n\
            [Ed25519ph]\nPrivkey = 01\nPubkey = 02\nMsg =\nSignature = 03\n";
        let found = read("pubkey/ed25519.vec", text).unwrap();
        let [signed] = &found.vectors[..] else {
            panic!("{found:?}")
        };
        assert_eq!(
            (&*signed.operation, &signed.others["public"]),
            ("sign", &vec![2])
        );
        let reason = "an algorithm without an id here (Ed25519ph)".to_owned();
        assert_eq!(found.left_out, [(reason, 1)].into());
        let text = "[Pure]\nValid = 0\nPubkey = 02\nMsg =\nSignature = 03\nSignature = 04\n";
        let found = read("pubkey/ed25519_verify.vec", text).unwrap();
        for (vector, output) in found.vectors.iter().zip([3, 4]) {
            assert_eq!(
                (&*vector.operation, vector.verdict),
                ("verify", Verdict::Invalid)
            );
            assert_eq!(
                (&vector.others["public"], &vector.output),
                (&vec![2], &vec![output])
            );
        }
        assert_eq!(found.vectors.len(), 2);

        let text = "[SHA-1]\nInput = 6162\nTotalLength = 5\nDigest = 01\n\
            Input = 61\nTotalLength = 1073741824\nDigest = 01\n";
        let found = read("hash_rep.vec", text).unwrap();
        assert_eq!(found.vectors[0].input, b"ababa");
        assert_eq!(found.left_out.len(), 1);
    }

    /// Botan's file of HMAC_DRBG has the names of hashes as headings.
    #[test]
    fn a_guess_needs_every_field() {
        let text = "[SHA-1]\nEntropyInput = 00\nOut = 01\n[SHA-1]\nIn = 00\nOut = 01\n";
        let found = read("elsewhere/x.vec", text).unwrap();
        assert_eq!(found.vectors.len(), 1);
        assert_eq!(found.vectors[0].input, [0]);
        let reason = "an algorithm without an id here (SHA-1)".to_owned();
        assert_eq!(found.left_out, [(reason, 1)].into());
    }

    #[test]
    fn places_in_a_keystream_are_counters_and_zeros() {
        let key = "00".repeat(16);
        let text = |seek: u32| {
            format!(
                "[CTR-BE(AES-128)]\nKey = {key}\nNonce = {}ff\nSeek = {seek}\nIn = 07\nOut = 01\n",
                "00".repeat(15)
            )
        };
        let v = one("stream", &text(16)).unwrap();
        assert_eq!((&*v.operation, v.input), ("ctr-encrypt", vec![7]));
        assert_eq!(v.nonce[14..], [1, 0]);
        let v = one("stream", &text(34)).unwrap();
        assert_eq!((&*v.operation, v.input), ("ctr-encrypt-end", vec![0, 0, 7]));
        assert_eq!(v.nonce[14..], [1, 1]);
        let v = one(
            "stream",
            &format!("[Salsa20]\nKey = {key}\nSeek = 65\nOut = 01\n"),
        )
        .unwrap();
        assert_eq!((&*v.operation, v.input.len()), ("stream-encrypt-end", 2));
        assert_eq!(v.cost("counter"), Some(1));
    }

    #[test]
    fn bounds_are_checked_before_memory_is_taken() {
        let text =
            |length: usize| format!("[MD5]\nInput = 61\nTotalLength = {length}\nDigest = 01\n");
        let taken = read("hash_rep.vec", &text(2 << 20)).unwrap();
        assert_eq!(taken.vectors[0].input.len(), 2 << 20);
        for length in [MOST_BYTES + 1, usize::MAX] {
            let found = read("hash_rep.vec", &text(length)).unwrap();
            let reason = "a message of more than 16 MiB".to_owned();
            assert_eq!(found.left_out, [(reason, 1)].into());
        }
    }

    /// The tests of Argon2's reference implementation have this answer in both forms.
    #[test]
    fn answers_of_argon2_may_be_strings() {
        let hash = "89e9029f4637b295beb01b056a7336c414fadd43f6b208645281cb214a56452f";
        let text = "[Verify]\nPassword = password\nPasshash = \
            $argon2i$v=19$m=256,t=2,p=1$c29tZXNhbHQ$iekCn0Y3spW+sBsFanM2xBT63UP2sghkUoHLIUpWRS8\n";
        let found = read("passhash/argon2.vec", text).unwrap();
        let [vector] = &found.vectors[..] else {
            panic!("{found:?}")
        };
        assert_eq!(
            (&*vector.primitive, &*vector.input),
            ("argon2i", &b"password"[..])
        );
        assert_eq!(
            (&*vector.nonce, &vector.output),
            (&b"somesalt"[..], &hex(hash).unwrap())
        );
        let costs = ["iterations", "memory", "lanes"].map(|name| vector.cost(name));
        assert_eq!(costs, [Some(2), Some(256), Some(1)]);
    }

    #[test]
    fn wrong_parameters_leave_out_their_record() {
        for (path, text) in [
            ("hash_mc.vec", "[MD5]\nSeed = 00\nCount = 98\nOutput = 01\n"),
            ("ocb_long.vec", "Keylen = 130\nTaglen = 8\nOutput = 01\n"),
            ("ocb_long.vec", "Keylen = 0\nTaglen = 8\nOutput = 01\n"),
            ("ocb_long.vec", "Keylen = 128\nTaglen = 16\nOutput = 01\n"),
            (
                "siv_ad.vec",
                "[AES-128]\nKey = 00\nADs = 01,02,03\nIn =\nOut = 01\n",
            ),
            ("hash/truncated.vec", "[Truncated(MD5,9)]\nIn =\nOut = 01\n"),
            ("hash/truncated.vec", "[Truncated(MD5)]\nIn =\nOut = 01\n"),
            (
                "passhash/argon2.vec",
                "[Verify]\nPassword = a\nPasshash = $argon2i$v=16$m=8,t=1,p=1$YQ$YQ\n",
            ),
            (
                "passhash/argon2.vec",
                "[Verify]\nPassword = a\nPasshash = $argon2i$v=19$m=8,p=1$YQ$YQ\n",
            ),
            (
                "kdf/hkdf.vec",
                "[HKDF-Expand(HMAC(SHA-1))]\nSecret = 00\nOutput = \
                000000000000000000000000000000000000000000\n",
            ),
        ] {
            let found = read(path, text).unwrap();
            assert!(found.vectors.is_empty(), "{path} {text}");
            assert_eq!(found.left_out.values().sum::<usize>(), 1, "{path} {text}");
        }
    }

    #[test]
    fn a_file_without_a_record_is_counted() {
        let found = read("otp/hotp.vec", "[SHA-1]\nKey = 00\nOTP = 755224\n").unwrap();
        assert_eq!(found.left_out.values().sum::<usize>(), 1, "{found:?}");
    }

    fn one(folder: &str, text: &str) -> Read {
        let all = records(text, "Out", false);
        question(folder, "x", &all[0], Vector::default()).unwrap()
    }

    #[test]
    fn inputs_of_key_derivation_have_our_names() {
        let one = |path: &str, text: &str| read(path, text).unwrap().vectors;
        let inputs = "Secret = 01\nLabel = 02\nSalt = 03\nOutput = 04\n";
        let of = |heading| one("kdf/x.vec", &format!("[{heading}]\n{inputs}"));
        let kdf2 = of("KDF2(SHA-1)").remove(0);
        assert_eq!((&*kdf2.primitive, &*kdf2.aad), ("kdf2-sha-1", &[2, 3][..]));
        let counter = of("SP800-108-Counter(HMAC(SHA-256))").remove(0);
        assert_eq!(counter.primitive, "sp800-108-counter-hmac-sha-256");
        assert_eq!((&*counter.nonce, &*counter.aad), (&[][..], &[2, 0, 3][..]));
        assert!(of("SP800-108-Counter(HMAC(SHA-256),16,32)").is_empty());
        assert!(of("HKDF(CMAC(AES-128))").is_empty());

        // A salt of the MAC's length is the IV of the feedback mode.
        let (iv, head) = (
            "05".repeat(20),
            "[SP800-108-Feedback(HMAC(SHA-1))]\nSecret = 01",
        );
        let text = format!("{head}\nLabel = 02\nSalt = {iv}06\nOutput = 04\n");
        let feedback = one("kdf/x.vec", &text).remove(0);
        assert_eq!(
            (&*feedback.nonce, &*feedback.aad),
            (&[5; 20][..], &[2, 0, 6][..])
        );

        let text = "[OpenPGP-S2K(SHA-1)]\nSalt =\nIterations = 1\nPassphrase = a\nOutput = 04\n";
        let s2k = one("pbkdf/pgp_s2k.vec", text).remove(0);
        assert_eq!(
            (&*s2k.primitive, s2k.cost("iterations")),
            ("s2k-sha-1", None)
        );
    }

    #[test]
    fn a_record_ends_with_its_answer() {
        let all = records(
            "# c\n[A]\nKey = 1\nIn =\nOut = 2\nOut = 3\n[B]\nOut=4\n",
            "Out",
            false,
        );
        let seen: Vec<_> = all
            .iter()
            .map(|r| (&*r.heading, r.get("Key"), r.get("Out")))
            .collect();
        assert_eq!(
            seen,
            [
                ("A", Some("1"), Some("2")),
                ("A", None, Some("3")),
                ("B", None, Some("4"))
            ]
        );
    }

    #[test]
    fn key_sizes_name_the_cipher() {
        let key = "00".repeat(24);
        let v = one(
            "block",
            &format!("[Serpent]\nKey = {key}\nIn = {key}{key}\nOut = 01\n"),
        );
        assert_eq!(v.unwrap().primitive, "serpent-192");
        assert!(one("block", "[Lion(SHA-1,RC4,64)]\nKey = 00\nIn =\nOut = 01\n").is_err());
    }

    #[test]
    fn tags_are_cut_where_the_mode_says() {
        let key = "00".repeat(16);
        let text =
            format!("[AES-128/CCM(4,2)]\nKey = {key}\nNonce = 01\nIn = 02\nOut = 030a0b0c0d\n");
        let v = one("aead", &text).unwrap();
        assert_eq!((v.output, v.tag), (vec![3], Some(vec![10, 11, 12, 13])));
        let text = format!("[AES-128/SIV]\nKey = {key}{key}\nAD = 01\nIn = 02\nOut = {key}03\n");
        let v = one("aead", &text).unwrap();
        assert_eq!((v.output, v.tag), (vec![3], Some(vec![0; 16])));
    }

    #[test]
    fn streams_without_input_are_keystreams() {
        let v = one("stream", "[RC4(3)]\nKey = 00\nOut = 01\n").unwrap();
        assert_eq!(
            (&*v.operation, v.cost("drop")),
            ("stream-keystream", Some(3))
        );
        let v = one(
            "stream",
            "[CTR-BE(DES)]\nKey = 0000000000000000\nNonce = 01\nOut = 0102\n",
        );
        assert_eq!(
            (v.as_ref().unwrap().nonce.len(), v.unwrap().input),
            (8, vec![0, 0])
        );
    }
}
