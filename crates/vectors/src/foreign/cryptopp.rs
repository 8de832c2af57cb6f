//! Crypto++'s `TestVectors/*.txt` (`Name: value` lines, with a test at each `Test:` line)
//! and `TestData/*.dat` (columns or lines of hex).

use super::text::hex;
use super::{Found, NO_ID, sized};
use crate::{Vector, Verdict};
use anyhow::{Context, Result, bail, ensure};
use std::collections::BTreeMap;

/// How the hex of a `.dat` file is arranged; the order is always key, plaintext,
/// ciphertext.
#[derive(Debug, Clone, Copy)]
pub enum Layout {
    /// Items separated by white space.
    Words,
    /// One item on a line, with spaces inside.
    Lines,
    /// As `Lines`, but the length of the key and its effective length in bits come first.
    Rc2,
}

/// Decodes a byte string: hex, hex after `0x`, or `"text"`. `rN` repeats the next item N
/// times. After `word64` at the start, all items are 64-bit numbers, each of which becomes
/// eight bytes with the lowest first. Several items are joined.
fn bytes(value: &str) -> Result<Vec<u8>> {
    let mut all = Vec::new();
    let mut times = 1;
    let mut rest = value.trim_start();
    let words = match rest.strip_prefix("word64") {
        Some(words) => {
            rest = words.trim_start();
            true
        }
        None => false,
    };
    while !rest.is_empty() {
        let unit;
        if let Some(text) = rest.strip_prefix('"') {
            let (text, after) = text.split_once('"').context("an open quote")?;
            unit = text.as_bytes().to_vec();
            // hmac.txt has a superfluous bracket after a text.
            rest = after.trim_start_matches(')');
        } else {
            let end = rest.find(char::is_whitespace).unwrap_or(rest.len());
            let (word, after) = rest.split_at(end);
            rest = after.trim_start();
            if let Some(count) = word.strip_prefix('r') {
                times = count.parse().with_context(|| format!("{word:?}"))?;
                continue;
            }
            // lea.txt separates bytes by commas, as C does.
            let word = word.strip_suffix(',').unwrap_or(word);
            let mut piece = hex(word.strip_prefix("0x").unwrap_or(word))?;
            if words {
                ensure!(piece.len() == 8, "{word:?} is no word of 64 bits");
                piece.reverse();
            }
            unit = piece;
        }
        let length = unit.len().checked_mul(times).context("too long")?;
        ensure!(
            all.len() + length <= crate::MOST_BYTES,
            "more than {} bytes",
            crate::MOST_BYTES
        );
        all.extend(unit.repeat(times));
        times = 1;
        rest = rest.trim_start();
    }
    Ok(all)
}

type Fields = BTreeMap<String, String>;

/// Reads one `.txt` file. A field keeps its value until it is set again or an empty line
/// follows.
///
/// # Errors
///
/// If a line is not a field.
pub fn read(stem: &str, text: &str) -> Result<Found> {
    let mut found = Found::default();
    let mut fields = Fields::new();
    let mut number = 0;
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        // A comment goes to the end of the line, except inside a name.
        if line.trim_start().starts_with('#') {
            continue;
        }
        let mut line = line.to_owned();
        while let Some(open) = line.trim_end().strip_suffix('\\') {
            line = format!("{open} {}", lines.next().unwrap_or_default());
        }
        if line.trim().is_empty() {
            // skipjack.txt gives the algorithm's type once for two sections.
            fields.retain(|key, _| key == "AlgorithmType");
            continue;
        }
        let (key, value) = line
            .split_once(':')
            .with_context(|| format!("no field: {line:?}"))?;
        let (key, value) = (key.trim(), value.trim());
        // Names contain no `#`; a byte string may be followed by a comment.
        let value = match key {
            "Comment" | "Source" => value,
            _ => value.split(" #").next().unwrap_or(value).trim(),
        };
        if key != "Test" {
            // Sometimes a new kind of test begins without an empty line before it.
            if key == "AlgorithmType" {
                fields.clear();
            }
            fields.insert(key.to_owned(), value.to_owned());
            continue;
        }
        if fields
            .get("AlgorithmType")
            .is_some_and(|kind| kind == "FileList")
        {
            // Crypto++ gives file names relative to the folder in which its test program
            // runs.
            let name = value.rsplit('/').next().unwrap_or(value);
            found.files.push(name.to_owned());
            continue;
        }
        number += 1;
        let vector = Vector {
            name: name(stem, number, &fields),
            ..Vector::default()
        };
        let algorithm = fields.get("Name").map_or("", String::as_str);
        found.take_named(algorithm, question(value, &fields, vector));
        // The initial block number applies to one test only.
        fields.remove("InitialBlock");
    }
    Ok(found)
}

fn name(stem: &str, number: usize, fields: &Fields) -> String {
    let name = fields.get("Name").map_or("", String::as_str);
    format!("{stem} {name} {number}")
}

type Read = Result<Vector, &'static str>;

const ODD_KEY: &str = "key size for which no primitive exists";

fn question(test: &str, fields: &Fields, vector: Vector) -> Result<Read> {
    let get = |name: &str| fields.get(name).map(String::as_str);
    let name = get("Name").context("no name")?;
    match get("AlgorithmType") {
        Some("SymmetricCipher") => match test {
            // `Resync` has the same answer as `Encrypt`, but uses an object that has
            // already encrypted.
            "Encrypt" | "Resync" | "EncryptXorDigest" => symmetric(name, test, fields, vector),
            "EncryptionMCT" | "DecryptionMCT" => Ok(Err("Monte Carlo: four million calls")),
            _ => bail!("test {test:?}"),
        },
        Some("MessageDigest") => digest(name, test, fields, vector),
        Some("MAC") => mac(name, test, fields, vector),
        Some("KDF") => kdf(name, fields, vector),
        Some("AuthenticatedSymmetricCipher") => match test {
            "Encrypt" | "NotVerify" => aead(name, test, fields, vector),
            _ => bail!("test {test:?}"),
        },
        _ => Ok(Err(NO_ID)),
    }
}

fn field(fields: &Fields, name: &str) -> Result<Vec<u8>> {
    let value = fields
        .get(name)
        .with_context(|| format!("no field {name}"))?;
    bytes(value)
}

fn optional(fields: &Fields, name: &str) -> Result<Vec<u8>> {
    fields.get(name).map_or(Ok(Vec::new()), |v| bytes(v))
}

fn number(fields: &Fields, name: &str) -> Result<Option<u64>> {
    let Some(value) = fields.get(name) else {
        return Ok(None);
    };
    Ok(Some(match value.strip_prefix("0x") {
        Some(digits) => u64::from_str_radix(digits, 16)?,
        None => value.parse()?,
    }))
}

fn symmetric(name: &str, test: &str, fields: &Fields, vector: Vector) -> Result<Read> {
    let key = field(fields, "Key")?;
    let nonce = optional(fields, "IV")?;
    let Ok(mut input) = field(fields, "Plaintext") else {
        return Ok(Err("a plaintext with half a byte"));
    };
    let folded = test == "EncryptXorDigest";
    let output = if folded {
        field(fields, "CiphertextXorDigest")?
    } else {
        field(fields, "Ciphertext")?
    };
    if let Some((cipher, mode)) = name.split_once('/') {
        if optional(fields, "Tweak")?.iter().any(|&b| b != 0) {
            return Ok(Err(
                "a tweaked block, which the codebook mode has no field for",
            ));
        }
        let cipher = match cipher {
            "AES" => "aes",
            "ARIA" => "aria",
            "Camellia" => "camellia",
            "CHAM-64" => "cham-64",
            "CHAM-128" => "cham-128",
            "HIGHT" => "hight",
            // The name gives the size of a block; the key has one or two blocks.
            "Kalyna-128" => "kalyna",
            "Kalyna-256" => "kalyna-256",
            "Kalyna-512" => "kalyna-512",
            // The name is the same for all lengths of keys.
            "LEA-128" => "lea",
            "MARS" => "mars",
            "SEED" => "seed",
            "SHACAL-2" => "shacal2",
            "SIMON-64" => "simon-64",
            "SIMON-128" => "simon-128",
            "SKIPJACK" => "skipjack",
            "SM4" => "sm4",
            "SPECK-64" => "speck-64",
            "SPECK-128" => "speck-128",
            "TEA" => "tea",
            "XTEA" => "xtea",
            "Threefish-256(256)" | "Threefish-512(512)" | "Threefish-1024(1024)" => "threefish",
            _ => return Ok(Err(NO_ID)),
        };
        let halves = if mode == "XTS" { 2 } else { 1 };
        let operation = match (mode, fields.get("FeedbackSize").map(String::as_str)) {
            ("CFB", Some("1")) => "cfb8-encrypt".into(),
            ("CFB", None | Some("16")) | ("ECB" | "CBC" | "OFB" | "CTR" | "XTS", None) => {
                format!("{}-encrypt", mode.to_lowercase())
            }
            _ => return Ok(Err(NO_ID)),
        };
        if input.len() != output.len() {
            return Ok(Err("a padded answer"));
        }
        let primitive = match cipher {
            // With wider blocks, the id gives the sizes of block and key.
            "kalyna-256" | "kalyna-512" => Some(format!("{cipher}-{}", 8 * key.len())),
            _ => sized(cipher, key.len() / halves),
        };
        let Some(primitive) = primitive else {
            return Ok(Err(ODD_KEY));
        };
        let nonce = if mode == "ECB" { Vec::new() } else { nonce };
        // `Rounds` counts cycles of two rounds. XTEA's tests go through all numbers of
        // cycles.
        let rounds = number(fields, "Rounds")?.filter(|&rounds| rounds != 32);
        let mut vector = Vector {
            primitive,
            operation,
            key,
            nonce,
            input,
            output,
            cost: rounds
                .map(|n| ("rounds".to_owned(), n))
                .into_iter()
                .collect(),
            ..vector
        };
        let word = match cipher {
            "cham-64" => 2,
            "cham-128" => 4,
            _ => 1,
        };
        if word != 1 {
            if mode == "CTR" {
                return Ok(Err("a counter whose words have their bytes exchanged"));
            }
            // Crypto++ writes the words that the paper prints with the highest byte first; the
            // authors' program has the lowest byte first.
            let Vector {
                key,
                nonce,
                input,
                output,
                ..
            } = &mut vector;
            for bytes in [key, nonce, input, output] {
                bytes.chunks_mut(word).for_each(<[u8]>::reverse);
            }
        }
        if cipher == "skipjack" {
            // Crypto++ reverses the bytes of the key and of every block; NIST's
            // specification and its example (2587cae27a12d300) do not.
            vector.key.reverse();
            for bytes in [&mut vector.nonce, &mut vector.input, &mut vector.output] {
                bytes.chunks_mut(8).for_each(<[u8]>::reverse);
            }
        }
        return Ok(Ok(vector));
    }
    let primitive = match (name, number(fields, "Rounds")?) {
        ("Salsa20", None | Some(20)) => "salsa20",
        ("Salsa20", Some(12)) => "salsa20-12",
        ("Salsa20", Some(8)) => "salsa20-8",
        ("XSalsa20", None | Some(20)) => "xsalsa20",
        ("ChaCha", None | Some(20)) | ("ChaChaTLS", None) => "chacha20",
        ("ChaCha", Some(12)) => "chacha12",
        ("ChaCha", Some(8)) => "chacha8",
        ("XChaCha20", None | Some(20)) => "xchacha20",
        ("HC-128", _) => "hc128",
        ("HC-256", _) => "hc256",
        ("Rabbit" | "RabbitWithIV", _) => "rabbit",
        ("Sosemanuk", _) => "sosemanuk",
        ("Panama-LE", _) => "panama",
        ("Panama-BE", _) => "panama-be",
        _ => return Ok(Err(NO_ID)),
    };
    let seek = number(fields, "Seek64")?
        .or(number(fields, "Seek")?)
        .unwrap_or(0);
    let counted = primitive.contains("salsa") || primitive.contains("chacha");
    let skip = (seek % 64) as usize;
    if seek != 0 && (folded || !counted) {
        return Ok(Err("a place inside a keystream"));
    }
    // Crypto++ starts XChaCha20 at block 1, as the AEAD of the Internet draft does.
    let first = u64::from(primitive == "xchacha20");
    let counter = number(fields, "InitialBlock")?.unwrap_or(first) + seek / 64;
    let blocks = input.len().div_ceil(64) as u64;
    if nonce.len() == 12 && counter + blocks > 1 << 32 {
        return Ok(Err(
            "a block number beyond its 32 bits, where implementations differ",
        ));
    }
    let cost = (counter != 0).then(|| ("counter".to_owned(), counter));
    ensure!(
        folded || input.len() == output.len(),
        "a stream cipher keeps lengths"
    );
    input.splice(..0, vec![0; skip]);
    let operation = match (folded, skip) {
        (true, _) => "stream-encrypt-folded",
        (false, 0) => "stream-encrypt",
        (false, _) => "stream-encrypt-end",
    };
    let mut vector = Vector {
        primitive: primitive.into(),
        operation: operation.into(),
        key,
        nonce,
        input,
        output,
        cost: cost.into_iter().collect(),
        ..vector
    };
    if primitive == "hc256" {
        // Crypto++ loads each word of key and IV in the order 0, 3, 2, 1 of its bytes, the
        // specification in the order 0, 1, 2, 3 (weidai11/cryptopp, issue 1280). With the
        // second and the fourth byte exchanged, the answers are those of the specification.
        for bytes in [&mut vector.key, &mut vector.nonce] {
            bytes.chunks_exact_mut(4).for_each(|word| word.swap(1, 3));
        }
    }
    Ok(Ok(vector))
}

/// Reads a mode with a tag, which is a field of its own or the end of the ciphertext.
fn aead(name: &str, test: &str, fields: &Fields, vector: Vector) -> Result<Read> {
    const TAG: usize = 16;
    let key = field(fields, "Key")?;
    let (primitive, mode) = match name.split_once('/') {
        Some(("ChaCha20", "Poly1305")) => (Some("chacha20-poly1305".into()), "aead"),
        Some(("XChaCha20", "Poly1305")) => (Some("xchacha20-poly1305".into()), "aead"),
        Some(("AES", "GCM")) => (sized("aes", key.len()), "gcm"),
        Some(("AES", "CCM")) => (sized("aes", key.len()), "ccm"),
        Some(("AES", "EAX")) => (sized("aes", key.len()), "eax"),
        Some(("AES", "OCB")) => (sized("aes", key.len()), "ocb"),
        _ => return Ok(Err(NO_ID)),
    };
    let Some(primitive) = primitive else {
        return Ok(Err(ODD_KEY));
    };
    let forged = test == "NotVerify";
    let mut output = optional(fields, "Ciphertext")?;
    let tag = match fields.get("MAC") {
        Some(tag) => bytes(tag)?,
        None => {
            let at = output.len().checked_sub(TAG).context("no room for a tag")?;
            output.split_off(at)
        }
    };
    let input = optional(fields, "Plaintext")?;
    ensure!(
        forged || input.len() == output.len(),
        "a mode with a tag keeps lengths"
    );
    Ok(Ok(Vector {
        primitive,
        operation: format!("{mode}-{}", if forged { "decrypt" } else { "encrypt" }),
        key,
        nonce: optional(fields, "IV")?,
        aad: optional(fields, "Header")?,
        input: if forged { Vec::new() } else { input },
        output,
        tag: Some(tag),
        verdict: if forged {
            Verdict::Invalid
        } else {
            Verdict::Valid
        },
        ..vector
    }))
}

fn hash_id(name: &str) -> Option<&'static str> {
    Some(match name {
        "BLAKE2b" => "blake2b",
        "BLAKE2s" => "blake2s",
        "Keccak-224" => "keccak-224",
        "Keccak-256" => "keccak-256",
        "Keccak-384" => "keccak-384",
        "Keccak-512" => "keccak-512",
        "MD5" => "md5",
        "Panama-LE" => "panama",
        "Panama-BE" => "panama-be",
        "RIPEMD-160" => "ripemd-160",
        "SHA3-224" => "sha3-224",
        "SHA3-256" => "sha3-256",
        "SHA3-384" => "sha3-384",
        "SHA3-512" => "sha3-512",
        "SHA-1" => "sha-1",
        "SHA-224" => "sha-224",
        "SHA-256" => "sha-256",
        "SHA-384" => "sha-384",
        "SHA-512" => "sha-512",
        "SM3" => "sm3",
        "Whirlpool" => "whirlpool",
        _ => return None,
    })
}

fn digest(name: &str, test: &str, fields: &Fields, vector: Vector) -> Result<Read> {
    let (operation, verdict) = match test {
        "Verify" => ("hash", Verdict::Valid),
        "VerifyTruncated" => ("hash-start", Verdict::Valid),
        "NotVerify" => ("hash", Verdict::Invalid),
        _ => bail!("test {test:?}"),
    };
    let xof = match name {
        "SHAKE-128" => Some("shake128"),
        "SHAKE-256" => Some("shake256"),
        _ => None,
    };
    if let Some(primitive) = xof {
        return Ok(Ok(Vector {
            primitive: primitive.into(),
            operation: "xof".into(),
            input: field(fields, "Message")?,
            output: field(fields, "Digest")?,
            verdict,
            ..vector
        }));
    }
    let Some(primitive) = hash_id(name) else {
        return Ok(Err(NO_ID));
    };
    for parameter in ["Key", "Salt", "Personalization"] {
        if !optional(fields, parameter)?.is_empty() {
            return Ok(Err("a keyed or parametrized hash"));
        }
    }
    let output = field(fields, "Digest")?;
    let full = match primitive {
        "blake2b" => 64,
        "blake2s" => 32,
        _ => output.len(),
    };
    if output.len() != full {
        return Ok(Err("a digest of another length than its hash's"));
    }
    Ok(Ok(Vector {
        primitive: primitive.into(),
        operation: operation.into(),
        input: field(fields, "Message")?,
        output,
        verdict,
        ..vector
    }))
}

fn mac(name: &str, test: &str, fields: &Fields, vector: Vector) -> Result<Read> {
    let verdict = match test {
        "Verify" | "VerifyTruncated" => Verdict::Valid,
        "NotVerify" => Verdict::Invalid,
        _ => bail!("test {test:?}"),
    };
    let key = optional(fields, "Key")?;
    let inner = name
        .strip_prefix("HMAC(")
        .and_then(|rest| rest.strip_suffix(')'));
    let (primitive, operation) = match (name, inner.map(hash_id)) {
        (_, Some(Some(hash))) => (Some(format!("hmac-{hash}")), "mac"),
        ("CMAC(AES)", _) => (sized("aes", key.len()), "cmac"),
        ("CMAC(DES-EDE3)", _) => (Some("des-ede3".into()), "cmac"),
        ("Poly1305TLS", _) => (Some("poly1305".into()), "mac"),
        ("Poly1305(AES)", _) => (Some("poly1305-aes".into()), "mac"),
        ("SipHash-2-4" | "SipHash-4-8", _) => (siphash(name, fields)?, "mac"),
        ("VMAC(AES)-64", _) => (Some("vmac-64".into()), "mac"),
        ("VMAC(AES)-128", _) => (Some("vmac-128".into()), "mac"),
        _ => return Ok(Err(NO_ID)),
    };
    let Some(primitive) = primitive else {
        return Ok(Err(ODD_KEY));
    };
    Ok(Ok(Vector {
        primitive,
        operation: operation.into(),
        key,
        nonce: optional(fields, "IV")?,
        input: field(fields, "Message")?,
        output: field(fields, "MAC")?,
        verdict,
        ..vector
    }))
}

/// SipHash with 64 or 128 bits of output; the length of the answer tells which.
fn siphash(name: &str, fields: &Fields) -> Result<Option<String>> {
    let name = name.to_lowercase();
    Ok(match field(fields, "MAC")?.len() {
        8 => Some(name),
        16 => Some(format!("{name}-128")),
        _ => None,
    })
}

fn kdf(name: &str, fields: &Fields, vector: Vector) -> Result<Read> {
    let hash = name
        .strip_prefix("HKDF(")
        .and_then(|rest| rest.strip_suffix(')'))
        .and_then(hash_id);
    let Some(hash) = hash else {
        return Ok(Err(NO_ID));
    };
    Ok(Ok(Vector {
        primitive: format!("hkdf-{hash}"),
        operation: "derive".into(),
        input: field(fields, "Secret")?,
        // If there is no salt, the salt is zeros (RFC 5869, section 2.2). HMAC fills its key
        // up with zeros, so an empty salt gives the same result.
        nonce: optional(fields, "Salt")?,
        aad: optional(fields, "Info")?,
        output: field(fields, "DerivedKey")?,
        ..vector
    }))
}

/// Reads one `.dat` file of a cipher.
///
/// # Errors
///
/// If a row has too few items, or an item is not hex.
pub fn table(stem: &str, cipher: &str, layout: Layout, text: &str) -> Result<Found> {
    let mut found = Found::default();
    let items: Vec<String> = match layout {
        Layout::Words => text.split_whitespace().map(str::to_owned).collect(),
        // An indented line continues the line above it.
        Layout::Lines | Layout::Rc2 => text.lines().filter(|l| !l.trim().is_empty()).fold(
            Vec::new(),
            |mut items: Vec<String>, line| {
                let item: String = line.split_whitespace().collect();
                match items.last_mut() {
                    Some(above) if line.starts_with(' ') => above.push_str(&item),
                    _ => items.push(item),
                }
                items
            },
        ),
    };
    let columns = if matches!(layout, Layout::Rc2) { 5 } else { 3 };
    for (index, row) in items.chunks(columns).enumerate() {
        ensure!(row.len() == columns, "a row of {} items", row.len());
        let (parameters, row) = row.split_at(columns - 3);
        let (key, input, output) = (hex(&row[0])?, hex(&row[1])?, hex(&row[2])?);
        let cost = match parameters {
            [_, bits] => {
                let bits = u64::from_str_radix(bits, 16)?;
                vec![("effective-bits".to_owned(), bits)]
            }
            _ => Vec::new(),
        };
        match sized(cipher, key.len()) {
            Some(primitive) => found.add(Vector {
                primitive,
                operation: "ecb-encrypt".into(),
                name: format!("{stem} {index}"),
                key,
                input,
                output,
                cost,
                ..Vector::default()
            }),
            None => found.leave_out(ODD_KEY),
        }
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(text: &str) -> Vec<Vector> {
        read("f", text).unwrap().vectors
    }

    #[test]
    fn byte_strings_come_in_five_forms() {
        assert_eq!(bytes("00 ff").unwrap(), [0, 255]);
        assert_eq!(bytes("0x01").unwrap(), [1]);
        assert_eq!(bytes("\"a b\"").unwrap(), b"a b");
        assert_eq!(bytes("r2 \"ab\" \"c\"").unwrap(), b"ababc");
        assert_eq!(bytes("r3 0001").unwrap(), [0, 1, 0, 1, 0, 1]);
        assert_eq!(
            bytes("word64 0706050403020100").unwrap(),
            [0, 1, 2, 3, 4, 5, 6, 7]
        );
        assert!(bytes("").unwrap().is_empty());
    }

    #[test]
    fn fields_hold_until_an_empty_line() {
        let all = all(
            "AlgorithmType: SymmetricCipher\nName: Salsa20\nRounds: 8\nKey: r16 00\nIV: r8 00\n\
             Plaintext: 00\nSeek: 128\nCiphertext: 01\nTest: Encrypt\nSeek: 0\n\
             Plaintext: \\\n 00 \\\n 00\nCiphertext: 0102\nTest: Encrypt\n",
        );
        let seen: Vec<_> = all
            .iter()
            .map(|v| (&*v.primitive, v.cost("counter"), v.input.len()))
            .collect();
        assert_eq!(seen, [("salsa20-8", Some(2), 1), ("salsa20-8", None, 2)]);
    }

    #[test]
    fn words_of_hc256_are_loaded_as_the_specification_says() {
        let all = all(
            "AlgorithmType: SymmetricCipher\nName: HC-256\nKey: r8 00010203\n\
             IV: r8 04050607\nPlaintext: 00\nCiphertext: 01\nTest: Encrypt\n",
        );
        assert_eq!(all[0].key[..8], [0, 3, 2, 1, 0, 3, 2, 1]);
        assert_eq!(all[0].nonce[28..], [4, 7, 6, 5]);
    }

    #[test]
    fn macs_may_be_wrong_on_purpose() {
        let all = all(
            "AlgorithmType: MAC\nName: HMAC(SHA-1)\nKey: \"k\"\nMessage: \"\"\nMAC: 01\n\
             Test: Verify\nMAC: 02\nTest: NotVerify\n",
        );
        assert_eq!(
            (all[0].verdict, all[1].verdict),
            (Verdict::Valid, Verdict::Invalid)
        );
        assert_eq!(all[1].primitive, "hmac-sha-1");
    }

    #[test]
    fn a_tag_is_a_field_or_the_end_of_the_ciphertext() {
        let head = "AlgorithmType: AuthenticatedSymmetricCipher\nName: AES/GCM\nKey: r16 00\n\
            IV: r12 00\nHeader: 07\n";
        let apart = all(&format!(
            "{head}Plaintext: 01\nCiphertext: 02\nMAC: r16 03\nTest: Encrypt\n\
             MAC: r16 04\nTest: NotVerify\n"
        ));
        assert_eq!(&*apart[0].operation, "gcm-encrypt");
        assert_eq!(apart[0].tag.as_deref(), Some(&[3; 16][..]));
        assert_eq!(
            (&*apart[1].operation, apart[1].verdict),
            ("gcm-decrypt", Verdict::Invalid)
        );
        let joined = all(&format!(
            "{head}Plaintext: 01\nCiphertext: 02 r16 03\nTest: Encrypt\n"
        ));
        assert_eq!(
            (&joined[0].output, &joined[0].tag),
            (&apart[0].output, &apart[0].tag)
        );
    }

    #[test]
    fn an_odd_record_does_not_refuse_its_file() {
        let text = "AlgorithmType: MAC\nName: HMAC(SHA-1)\nKey: zz\nMessage: 00\nMAC: 01\n\
            Test: Verify\nKey: 00\nTest: Verify\nKey: r99999999999 00\nTest: Verify\n";
        let found = read("f", text).unwrap();
        assert_eq!(found.vectors.len(), 1);
        assert_eq!(
            found.left_out.values().sum::<usize>(),
            2,
            "{:?}",
            found.left_out
        );
    }

    #[test]
    fn a_list_names_files_beside_it() {
        let text = "AlgorithmType: FileList\nName: a list\nTest: TestVectors/ccm.txt\n\
            Test: TestVectors/gcm.txt\n";
        let found = read("aead", text).unwrap();
        assert_eq!(found.files, ["ccm.txt", "gcm.txt"]);
        assert!(found.vectors.is_empty() && found.left_out.is_empty());
    }

    #[test]
    fn kalyna_is_named_by_its_block_and_sized_by_its_key() {
        let head = "AlgorithmType: SymmetricCipher\nPlaintext: 00\nCiphertext: 01\n";
        let all = all(&format!(
            "{head}Name: Kalyna-128/ECB\nKey: r32 00\nTest: Encrypt\n\
             Name: Kalyna-256/ECB\nTest: Encrypt\n"
        ));
        let ids: Vec<_> = all.iter().map(|vector| &*vector.primitive).collect();
        assert_eq!(ids, ["kalyna-256", "kalyna-256-256"]);
    }

    #[test]
    fn words_of_cham_begin_with_their_lowest_byte() {
        let head = "AlgorithmType: SymmetricCipher\nPlaintext: 0102030405060708\n\
            Ciphertext: 1112131415161718\n";
        let all = all(&format!(
            "{head}Name: CHAM-64/ECB\nKey: r8 0102\nTest: Encrypt\n\
             Name: CHAM-64/CTR\nIV: r8 00\nTest: Encrypt\n\
             Name: CHAM-128/ECB\nTest: Encrypt\n"
        ));
        let seen: Vec<_> = all.iter().map(|v| (&v.key[..4], &v.output[..4])).collect();
        assert_eq!(
            seen,
            [
                (&[2, 1, 2, 1][..], &[0x12, 0x11, 0x14, 0x13][..]),
                (&[2, 1, 2, 1], &[0x14, 0x13, 0x12, 0x11]),
            ]
        );
    }

    #[test]
    fn tables_are_rows_of_three() {
        let rc2 = table("t", "rc2", Layout::Rc2, "08\n3F\n00 00\n01\n02\n").unwrap();
        let idea = table("t", "idea", Layout::Words, "03 04\n05").unwrap();
        let (rc2, idea) = (&rc2.vectors[0], &idea.vectors[0]);
        assert_eq!((rc2.cost("effective-bits"), rc2.key.len()), (Some(63), 2));
        assert_eq!((&idea.key[..], &idea.output[..]), (&[3][..], &[5][..]));
    }
}
