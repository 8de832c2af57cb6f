//! NIST's CAVP response files, and files of the same form in the Python package
//! `cryptography_vectors`.

use super::text::{Block, blocks};
use super::{Found, sized};
use crate::{Vector, Verdict};
use anyhow::{Context, Result, bail, ensure};

/// How to read a file.
#[derive(Debug, Clone, Copy)]
pub enum Reader {
    /// A block cipher in a mode without a tag: the cipher and the operation.
    Cipher(&'static str, &'static str),
    /// Triple DES with three keys.
    TripleDes(&'static str),
    /// A block cipher in a mode with a tag, which is a field of its own or the end of the
    /// ciphertext. The names of the fields vary.
    Aead(&'static str, &'static str),
    /// A primitive that is an AEAD itself, in a file of the same form.
    OwnAead(&'static str),
    /// AES-CCM, in five kinds of file.
    Ccm,
    /// AES-SIV with up to two strings of associated data.
    Siv,
    /// AES-XTS with the length of a data unit in bits.
    Xts,
    /// A hash of whole bytes.
    Hash(&'static str),
    /// A hash with output of any length.
    Xof(&'static str),
    /// A MAC that is not built on a block cipher.
    Mac(&'static str),
    /// CMAC of a block cipher.
    Cmac(&'static str),
    /// AES key wrapping.
    Wrap(&'static str),
    /// RC4 with an offset into the keystream.
    Rc4,
    /// ChaCha20 with a first block number.
    ChaCha20,
    /// RC2; the effective key length is the whole key.
    Rc2(&'static str),
    /// NTT's format for Camellia: `K No.001 : 00 00 …`, followed by lines for P and C.
    Ntt,
    /// HKDF; a field names the hash.
    Hkdf,
    /// PBKDF2.
    Pbkdf2(&'static str),
    /// scrypt.
    Scrypt,
    /// Argon2, by its identifier.
    Argon2(&'static str),
    /// CAVP's HMAC file; the length of the output, in the heading, tells the hash.
    Hmacs,
    /// CAVP's own format for CMAC, with MACs to compute and MACs to verify.
    Cmacs(&'static str),
    /// A deterministic generator of SP 800-90A: `ctr`, `hash` or `hmac`.
    Drbg(&'static str),
    /// A file that is not used, with the reason.
    Skip(&'static str),
}
use Reader::*;

const BITS: &str = "bit-oriented: lengths that are no whole bytes";

/// How to read a CAVP response file, by NIST's file name without its ending.
pub fn reader(stem: &str) -> Option<Reader> {
    let starts = |start: &str| stem.starts_with(start);
    let aes = |mode: &str| {
        stem.strip_prefix(mode).is_some_and(|rest| {
            ["GFSbox", "KeySbox", "VarKey", "VarTxt", "MMT", "MCT"]
                .iter()
                .any(|kind| rest.starts_with(kind))
        })
    };
    if stem.contains("Monte") || stem.contains("MCT") {
        return Some(Skip("Monte Carlo: asks for a chain of thousands of calls"));
    }
    for (mode, operation) in [
        ("ECB", "ecb-encrypt"),
        ("CBC", "cbc-encrypt"),
        ("OFB", "ofb-encrypt"),
        ("CFB128", "cfb-encrypt"),
        ("CFB8", "cfb8-encrypt"),
    ] {
        if aes(mode) {
            return Some(Cipher("aes", operation));
        }
    }
    // The names of the interleaved and pipelined modes differ from the others by one
    // capital letter.
    let interleaved = ["TCBCI", "TOFBI", "TCFBP"].iter().any(|start| {
        stem.strip_prefix(start)
            .is_some_and(|rest| !rest.starts_with("nvperm"))
    });
    if interleaved || starts("TCFB1") || aes("CFB1") {
        return Some(Skip(BITS));
    }
    for (mode, operation) in [
        ("TECB", "ecb-encrypt"),
        ("TCBC", "cbc-encrypt"),
        ("TOFB", "ofb-encrypt"),
        ("TCFB64", "cfb-encrypt"),
        ("TCFB8", "cfb8-encrypt"),
    ] {
        if starts(mode) {
            return Some(TripleDes(operation));
        }
    }
    for (size, hash, xof) in [
        ("SHA1", "sha-1", false),
        ("SHA224", "sha-224", false),
        ("SHA256", "sha-256", false),
        ("SHA384", "sha-384", false),
        ("SHA512_224", "sha-512-224", false),
        ("SHA512_256", "sha-512-256", false),
        ("SHA512", "sha-512", false),
        ("SHA3_224", "sha3-224", false),
        ("SHA3_256", "sha3-256", false),
        ("SHA3_384", "sha3-384", false),
        ("SHA3_512", "sha3-512", false),
        ("SHAKE128", "shake128", true),
        ("SHAKE256", "shake256", true),
    ] {
        let rest = stem.strip_prefix(size);
        if rest.is_some_and(|r| ["ShortMsg", "LongMsg", "VariableOut"].contains(&r)) {
            return Some(if xof { Xof(hash) } else { Hash(hash) });
        }
    }
    match stem {
        "HMAC" => Some(Hmacs),
        "CTR_DRBG" => Some(Drbg("ctr")),
        "Hash_DRBG" => Some(Drbg("hash")),
        "HMAC_DRBG" => Some(Drbg("hmac")),
        _ if starts("gcmEncrypt") || starts("gcmDecrypt") => Some(Aead("aes", "gcm")),
        _ if ["DVPT", "VADT", "VNT", "VPT", "VTT"]
            .iter()
            .any(|s| starts(s)) =>
        {
            Some(Ccm)
        }
        _ if starts("XTSGen") => Some(Xts),
        _ if stem.ends_with("_inv") || starts("TKW") => Some(Skip(
            "key wrapping by the inverse cipher, or by 3DES: no id here",
        )),
        _ if starts("KWP_A") => Some(Wrap("kwp")),
        _ if starts("KW_A") => Some(Wrap("kw")),
        _ if starts("CMACGenAES") || starts("CMACVerAES") => Some(Cmacs("aes")),
        _ if starts("CMACGenTDES") || starts("CMACVerTDES") => Some(Cmacs("des")),
        _ => None,
    }
}

/// Reads one file. `stem` is the file's name, which becomes part of the records' names.
///
/// # Errors
///
/// If a record does not have the form that `reader` expects.
pub fn read(reader: Reader, stem: &str, text: &str) -> Result<Found> {
    let mut found = Found::default();
    if matches!(reader, Ntt) {
        ntt(stem, text, &mut found)?;
        return Ok(found);
    }
    // If a block has no answer, its fields hold for the blocks after it.
    let mut standing: Vec<(String, String)> = Vec::new();
    for (index, mut block) in blocks(text).into_iter().enumerate() {
        let answer = ANSWERS.iter().any(|name| block.get(name).is_some());
        if !answer {
            for (key, value) in block.fields {
                standing.retain(|(k, _)| *k != key);
                standing.push((key, value));
            }
            continue;
        }
        let count = block
            .get("count")
            .or_else(|| Some(standing.iter().find(|(k, _)| k == "COUNT")?.1.as_str()));
        let count = count.map_or(index.to_string(), str::to_owned);
        let name = match block.heads.iter().find(|(k, _)| k.ends_with("CRYPT")) {
            Some((direction, _)) => format!("{stem} {direction} {count}"),
            None => format!("{stem} {count}"),
        };
        if matches!(reader, Ccm | Hkdf) {
            block.heads.extend(standing.iter().cloned());
            block.fields.extend(standing.iter().cloned());
        }
        let vector = Vector {
            name,
            ..Vector::default()
        };
        match question(reader, &block, vector) {
            Ok(vectors) => vectors
                .into_iter()
                .for_each(|vector| found.take(Ok(vector))),
            Err(error) => found.take(Err(error)),
        }
    }
    Ok(found)
}

/// A block of fields is a record, with an answer, if it has one of these fields.
const ANSWERS: &[&str] = &[
    "CIPHERTEXT",
    "CT",
    "C",
    "MD",
    "Output",
    "TAG",
    "MAC",
    "OKM",
    "DERIVED_KEY",
    "key_data",
    "KO",
    "ReturnedBits",
];

type Read = Result<Vector, &'static str>;

const ODD_KEY: &str = "key size for which no primitive exists";

fn question(reader: Reader, block: &Block, vector: Vector) -> Result<Vec<Read>> {
    let one = |vector: Vector| Ok(vec![Ok(vector)]);
    match reader {
        Skip(reason) => Ok(vec![Err(reason)]),
        Drbg(kind) => Ok(vec![super::drbg::read(kind, block, vector)?]),
        Cipher(cipher, operation) => {
            let key = block.hex("KEY")?;
            let Some(primitive) = sized(cipher, key.len()) else {
                return Ok(vec![Err(ODD_KEY)]);
            };
            let plain = block.get("PLAINTEXT").context("no plaintext")?;
            if plain.len() % 2 != 0 {
                return Ok(vec![Err("a plaintext with half a byte")]);
            }
            one(Vector {
                primitive,
                operation: operation.into(),
                key,
                nonce: block.hex_or_empty("IV")?,
                input: block.hex("PLAINTEXT")?,
                output: block.hex("CIPHERTEXT")?,
                ..vector
            })
        }
        TripleDes(operation) => {
            let vector = Vector {
                operation: operation.into(),
                nonce: block.hex_or_empty("IV")?,
                input: block.hex("PLAINTEXT")?,
                output: block.hex("CIPHERTEXT")?,
                ..vector
            };
            Ok(des_keys(block, &vector)?.into_iter().map(Ok).collect())
        }
        Aead(cipher, mode) => {
            let key = block.hex("Key")?;
            let Some(primitive) = sized(cipher, key.len()) else {
                return Ok(vec![Err(ODD_KEY)]);
            };
            one(sealed(block, primitive, mode, Vector { key, ..vector })?)
        }
        OwnAead(primitive) => {
            let key = text_or_hex(block, &["KEY"])?;
            one(sealed(
                block,
                primitive.into(),
                "aead",
                Vector { key, ..vector },
            )?)
        }
        Ccm => {
            let key = block.hex("Key")?;
            let number = |name: &str| block.number(name).with_context(|| format!("no {name}"));
            let (aad, plain, tag) = (number("Alen")?, number("Plen")?, number("Tlen")?);
            let mut associated = block.hex("Adata")?;
            associated.truncate(aad);
            let mut output = block.hex("CT")?;
            ensure!(output.len() == plain + tag, "CT is not Plen + Tlen long");
            let fail = block.get("Result").is_some_and(|r| r.starts_with("Fail"));
            let mut input = if fail {
                Vec::new()
            } else {
                block.hex("Payload")?
            };
            input.truncate(plain);
            one(Vector {
                primitive: sized("aes", key.len()).context(ODD_KEY)?,
                operation: direction("ccm", fail),
                key,
                nonce: block.hex("Nonce")?,
                aad: associated,
                input,
                tag: Some(output.split_off(plain)),
                output,
                verdict: verdict(fail),
                ..vector
            })
        }
        Siv => {
            let key = block.hex("Key")?;
            if block.get("AAD3").is_some() || block.get("AAD").is_none() {
                return Ok(vec![Err(
                    "SIV with no or with more than two associated strings",
                )]);
            }
            one(Vector {
                primitive: sized("aes", key.len() / 2).context(ODD_KEY)?,
                operation: "siv-encrypt".into(),
                key,
                nonce: block.hex_or_empty("AAD2")?,
                aad: block.hex("AAD")?,
                input: block.hex("Plaintext")?,
                output: block.hex("Ciphertext")?,
                tag: Some(block.hex("Tag")?),
                ..vector
            })
        }
        Xts => {
            let key = block.hex("Key")?;
            let bits = block.number("DataUnitLen").context("no DataUnitLen")?;
            if bits % 8 != 0 {
                return Ok(vec![Err(BITS)]);
            }
            let mut nonce = match block.number("DataUnitSeqNumber") {
                Some(number) => number.to_le_bytes().to_vec(),
                None => block.hex("i")?,
            };
            nonce.resize(16, 0);
            one(Vector {
                primitive: sized("aes", key.len() / 2).context(ODD_KEY)?,
                operation: "xts-encrypt".into(),
                key,
                nonce,
                input: block.hex("PT")?,
                output: block.hex("CT")?,
                ..vector
            })
        }
        Hash(primitive) => one(Vector {
            primitive: primitive.into(),
            operation: "hash".into(),
            input: message(block)?,
            output: block.hex("MD")?,
            ..vector
        }),
        Xof(primitive) => one(Vector {
            primitive: primitive.into(),
            operation: "xof".into(),
            input: message(block)?,
            output: block.hex("Output")?,
            ..vector
        }),
        Mac(primitive) => one(Vector {
            primitive: primitive.into(),
            operation: "mac".into(),
            key: block.hex("Key")?,
            input: message(block)?,
            output: if block.get("MD").is_some() {
                block.hex("MD")?
            } else {
                block.hex("TAG")?
            },
            ..vector
        }),
        Cmac(cipher) => {
            let vector = Vector {
                operation: "cmac".into(),
                input: block.hex("MESSAGE")?,
                output: block.hex("OUTPUT")?,
                ..vector
            };
            if cipher == "des" {
                return Ok(des_keys(block, &vector)?.into_iter().map(Ok).collect());
            }
            let key = block.hex("KEY")?;
            let primitive = sized(cipher, key.len()).context(ODD_KEY)?;
            one(Vector {
                primitive,
                key,
                ..vector
            })
        }
        Hmacs => {
            let hash = match block.number("L") {
                Some(20) => "sha-1",
                Some(28) => "sha-224",
                Some(32) => "sha-256",
                Some(48) => "sha-384",
                Some(64) => "sha-512",
                other => bail!("no hash of {other:?} bytes"),
            };
            one(Vector {
                primitive: format!("hmac-{hash}"),
                operation: "mac".into(),
                key: block.hex("Key")?,
                input: block.hex("Msg")?,
                output: block.hex("Mac")?,
                ..vector
            })
        }
        Cmacs(cipher) => {
            let mut input = block.hex("Msg")?;
            input.truncate(block.number("Mlen").context("no Mlen")?);
            let vector = Vector {
                operation: "cmac".into(),
                input,
                output: block.hex("Mac")?,
                verdict: verdict(block.get("Result").is_some_and(|r| r.starts_with('F'))),
                ..vector
            };
            if cipher == "des" {
                return Ok(des_keys(block, &vector)?.into_iter().map(Ok).collect());
            }
            let key = block.hex("Key")?;
            one(Vector {
                primitive: sized(cipher, key.len()).context(ODD_KEY)?,
                key,
                ..vector
            })
        }
        Wrap(mode) => {
            let field = |a: &str, b: &str| block.hex(if block.get(a).is_some() { a } else { b });
            let key = field("K", "Key")?;
            let fail = block.get("FAIL").is_some();
            one(Vector {
                primitive: sized("aes", key.len()).context(ODD_KEY)?,
                operation: direction(mode, fail),
                key,
                input: if fail {
                    Vec::new()
                } else {
                    field("P", "Input")?
                },
                output: field("C", "Output")?,
                verdict: verdict(fail),
                ..vector
            })
        }
        Rc4 => {
            let drop = block.number("OFFSET").unwrap_or(0) as u64;
            one(Vector {
                primitive: "rc4".into(),
                operation: "stream-encrypt".into(),
                key: block.hex("KEY")?,
                input: block.hex("PLAINTEXT")?,
                output: block.hex("CIPHERTEXT")?,
                cost: cost(&[("drop", drop)], true),
                ..vector
            })
        }
        ChaCha20 => {
            let counter = block.number("INITIAL_BLOCK_COUNTER").unwrap_or(0) as u64;
            one(Vector {
                primitive: "chacha20".into(),
                operation: "stream-encrypt".into(),
                key: block.hex("KEY")?,
                nonce: block.hex("NONCE")?,
                input: block.hex("PLAINTEXT")?,
                output: block.hex("CIPHERTEXT")?,
                cost: cost(&[("counter", counter)], true),
                ..vector
            })
        }
        Rc2(operation) => {
            let key = block.hex("Key")?;
            one(Vector {
                primitive: "rc2".into(),
                operation: operation.into(),
                nonce: block.hex("IV")?,
                input: block.hex("Plaintext")?,
                output: block.hex("Ciphertext")?,
                cost: cost(&[("effective-bits", key.len() as u64 * 8)], false),
                key,
                ..vector
            })
        }
        Hkdf => {
            let hash = block.get("Hash").unwrap_or("SHA-1").to_lowercase();
            let hash = if hash == "sha1" { "sha-1".into() } else { hash };
            one(Vector {
                primitive: format!("hkdf-{hash}"),
                operation: "derive".into(),
                input: block.hex("IKM")?,
                nonce: block.hex_or_empty("salt")?,
                aad: block.hex_or_empty("info")?,
                output: block.hex("OKM")?,
                ..vector
            })
        }
        Pbkdf2(primitive) => {
            let iterations = block.number("ITERATIONS").context("no iterations")? as u64;
            if iterations > 100_000 {
                return Ok(vec![Err("a derivation of more than 100000 rounds")]);
            }
            // Decodes Python's escapes: zero bytes are written as an escape sequence.
            let bytes = |name| {
                block
                    .get(name)
                    .unwrap_or_default()
                    .replace("\\0", "\0")
                    .into_bytes()
            };
            one(Vector {
                primitive: primitive.into(),
                operation: "derive".into(),
                input: bytes("PASSWORD"),
                nonce: bytes("SALT"),
                output: block.hex("DERIVED_KEY")?,
                cost: cost(&[("iterations", iterations)], false),
                ..vector
            })
        }
        Scrypt => {
            let number = |name: &str| block.number(name).map(|n| n as u64).context("no cost");
            let (n, r, p) = (number("N")?, number("r")?, number("p")?);
            if n * r * p > 1 << 18 {
                return Ok(vec![Err("scrypt that takes seconds or a gigabyte")]);
            }
            one(Vector {
                primitive: "scrypt".into(),
                operation: "derive".into(),
                input: block.get("PASSWORD").unwrap_or_default().into(),
                nonce: block.get("SALT").unwrap_or_default().into(),
                output: block.hex("DERIVED_KEY")?,
                cost: cost(&[("n", n), ("r", r), ("p", p)], false),
                ..vector
            })
        }
        Argon2(primitive) => {
            let number = |name: &str| block.number(name).map(|n| n as u64).context("no cost");
            let (iterations, memory) = (number("iter")?, number("memcost")?);
            if iterations * memory > 1 << 18 {
                return Ok(vec![Err("Argon2 over more than 256 MiB")]);
            }
            one(Vector {
                primitive: primitive.into(),
                operation: "derive".into(),
                key: block.hex_or_empty("secret")?,
                input: block.hex("pass")?,
                nonce: block.hex("salt")?,
                aad: block.hex_or_empty("ad")?,
                output: block.hex("output")?,
                cost: cost(
                    &[
                        ("iterations", iterations),
                        ("memory", memory),
                        ("lanes", number("lanes")?),
                    ],
                    false,
                ),
                ..vector
            })
        }
        Ntt => unreachable!("read line by line"),
    }
}

fn cost(parameters: &[(&str, u64)], without_zero: bool) -> Vec<(String, u64)> {
    let kept = parameters.iter().filter(|(_, v)| *v != 0 || !without_zero);
    kept.map(|(k, v)| ((*k).to_owned(), *v)).collect()
}

fn direction(mode: &str, fail: bool) -> String {
    format!("{mode}-{}", if fail { "decrypt" } else { "encrypt" })
}

fn verdict(fail: bool) -> Verdict {
    if fail {
        Verdict::Invalid
    } else {
        Verdict::Valid
    }
}

/// The first `Len` bits of the message. An empty message is written as one zero byte.
fn message(block: &Block) -> Result<Vec<u8>> {
    let mut message = block.hex("Msg")?;
    if let Some(bits) = block.get("Len") {
        let bits: usize = bits.parse()?;
        ensure!(bits.is_multiple_of(8), "{BITS}");
        ensure!(bits / 8 <= message.len(), "Msg is shorter than Len");
        message.truncate(bits / 8);
    }
    Ok(message)
}

/// The first field that exists, read as hex or as quoted text.
fn text_or_hex(block: &Block, names: &[&str]) -> Result<Vec<u8>> {
    let Some(value) = names.iter().find_map(|name| block.get(name)) else {
        return Ok(Vec::new());
    };
    match value.strip_prefix('"').and_then(|v| v.strip_suffix('"')) {
        Some(text) => Ok(text.into()),
        None => super::text::hex(value),
    }
}

/// Reads a mode with a tag, with the field names of CAVP, OpenSSL or BoringSSL.
fn sealed(block: &Block, primitive: String, mode: &str, vector: Vector) -> Result<Vector> {
    let fail =
        block.get("FAIL").is_some() || block.get("Result").is_some_and(|r| r.contains("ERROR"));
    let mut output = text_or_hex(block, &["CT", "Ciphertext"])?;
    let tag = if block.get("Tag").is_some() {
        block.hex("Tag")?
    } else {
        ensure!(output.len() >= 16, "no room for a tag");
        output.split_off(output.len() - 16)
    };
    Ok(Vector {
        primitive,
        operation: direction(mode, fail),
        nonce: text_or_hex(block, &["IV", "Nonce"])?,
        aad: text_or_hex(block, &["AAD", "AD"])?,
        input: if fail {
            Vec::new()
        } else {
            text_or_hex(block, &["PT", "Plaintext", "IN"])?
        },
        output,
        tag: Some(tag),
        verdict: verdict(fail),
        ..vector
    })
}

/// Copies a 3DES record to each identifier that its keys allow: always `des-ede3`;
/// `des-ede2` if the first and the third key are equal; `des` if all three are equal.
fn des_keys(block: &Block, vector: &Vector) -> Result<Vec<Vector>> {
    let keys = match block.get("KEYs") {
        Some(_) => vec![block.hex("KEYs")?; 3],
        None => vec![block.hex("KEY1")?, block.hex("KEY2")?, block.hex("KEY3")?],
    };
    let under = |primitive: &str, keys: &[Vec<u8>]| Vector {
        primitive: primitive.into(),
        key: keys.concat(),
        ..vector.clone()
    };
    let mut vectors = vec![under("des-ede3", &keys)];
    if keys[0] == keys[2] {
        let (id, count) = if keys[0] == keys[1] {
            ("des", 1)
        } else {
            ("des-ede2", 2)
        };
        vectors.push(under(id, &keys[..count]));
    }
    Ok(vectors)
}

fn ntt(stem: &str, text: &str, found: &mut Found) -> Result<()> {
    let (mut key, mut plain) = (Vec::new(), Vec::new());
    let mut number = String::new();
    for line in text.lines() {
        let Some((name, value)) = line.split_once(':') else {
            continue;
        };
        let value = || super::text::hex(value);
        match name.split_whitespace().collect::<Vec<_>>()[..] {
            ["K", n] => (number, key) = (n.to_owned(), value()?),
            ["P", _] => plain = value()?,
            ["C", n] => found.add(Vector {
                primitive: sized("camellia", key.len()).context(ODD_KEY)?,
                operation: "ecb-encrypt".into(),
                name: format!("{stem} K {number} P {n}"),
                key: key.clone(),
                input: plain.clone(),
                output: value()?,
                ..Vector::default()
            }),
            _ => {}
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read_all(reader: Reader, text: &str) -> Vec<Vector> {
        read(reader, "f", text).unwrap().vectors
    }

    #[test]
    fn a_mode_without_a_tag() {
        let text = "[ENCRYPT]\n\nCOUNT = 3\nKEY = 00112233445566778899aabbccddeeff\nIV = 01\nPLAINTEXT = 02\nCIPHERTEXT = 03\n";
        let all = read_all(Cipher("aes", "cbc-encrypt"), text);
        assert_eq!(all.len(), 1);
        assert_eq!(
            (&*all[0].primitive, &*all[0].name),
            ("aes-128", "f ENCRYPT 3")
        );
    }

    #[test]
    fn names_say_what_a_response_file_is() {
        let operation = |stem: &str| match reader(stem) {
            Some(Cipher(_, operation) | TripleDes(operation)) => operation,
            Some(Hash(id) | Xof(id)) => id,
            Some(Skip(_)) => "skip",
            Some(_) => "other",
            None => "unknown",
        };
        for (stem, expected) in [
            ("CBCGFSbox128", "cbc-encrypt"),
            ("CFB8VarTxt256", "cfb8-encrypt"),
            ("CFB1VarTxt256", "skip"),
            ("TCBCinvperm", "cbc-encrypt"),
            ("TCBCIinvperm", "skip"),
            ("CBCMCT128", "skip"),
            ("SHA512_256ShortMsg", "sha-512-256"),
            ("SHAKE128VariableOut", "shake128"),
            ("gcmDecrypt128", "other"),
            ("HMAC", "other"),
            ("secret_diary", "unknown"),
        ] {
            assert_eq!(operation(stem), expected, "{stem}");
        }
    }

    #[test]
    fn cavp_names_a_mac_by_its_length_and_says_which_are_wrong() {
        let text = "[L=20]\n\nCount = 0\nKlen = 1\nTlen = 2\nKey = 01\nMsg = 02\nMac = 0304\n";
        assert_eq!(read_all(Hmacs, text)[0].primitive, "hmac-sha-1");
        let text = "Count = 0\nKlen = 16\nMlen = 0\nTlen = 4\nKey = 00112233445566778899aabbccddeeff\n\
            Msg = 00\nMac = 01020304\nResult = F (1 - Message changed)\n";
        let all = read_all(Cmacs("aes"), text);
        assert_eq!(all[0].verdict, Verdict::Invalid);
        assert!(all[0].input.is_empty());
    }

    #[test]
    fn equal_keys_make_weaker_ciphers() {
        let text = "KEYs = 0101010101010101\nPLAINTEXT = 02\nCIPHERTEXT = 03\n";
        let all = read_all(TripleDes("ecb-encrypt"), text);
        let ids: Vec<_> = all.iter().map(|v| (&*v.primitive, v.key.len())).collect();
        assert_eq!(ids, [("des-ede3", 24), ("des", 8)]);
        let text = "KEY1 = 01\nKEY2 = 02\nKEY3 = 01\nPLAINTEXT = 02\nCIPHERTEXT = 03\n";
        let all = read_all(TripleDes("ecb-encrypt"), text);
        assert_eq!(
            (&*all[1].primitive, &all[1].key[..]),
            ("des-ede2", &[1, 2][..])
        );
    }

    #[test]
    fn ccm_takes_what_stands_above() {
        let text = "Plen = 1\n\n[Alen = 0, Tlen = 4]\n\nKey = 00112233445566778899aabbccddeeff\n\n\
            Nonce = 05\nAdata = 00\nPayload = 06\nCT = 0708090a0b\n\n\
            Nonce = 06\nAdata = 00\nCT = 0708090a0b\nResult = Fail (2 - CT changed)\n";
        let all = read_all(Ccm, text);
        assert_eq!(
            (all[0].output.as_slice(), all[0].tag.as_deref()),
            (&[7][..], Some(&[8, 9, 10, 11][..]))
        );
        assert!(all[0].aad.is_empty());
        assert_eq!(
            (&*all[1].operation, all[1].verdict),
            ("ccm-decrypt", Verdict::Invalid)
        );
    }

    #[test]
    fn an_empty_message_is_written_as_a_zero() {
        let all = read_all(
            Hash("sha-1"),
            "[L = 20]\n\nLen = 0\nMsg = 00\nMD = da\n\nLen = 8\nMsg = 01\nMD = db\n",
        );
        assert_eq!((all[0].input.len(), all[1].input.len()), (0, 1));
    }

    #[test]
    fn tags_may_end_the_ciphertext() {
        let text = format!(
            "Key = {0}\nNonce = 01\nAAD =\nPlaintext =\nCiphertext = {0}\n",
            "0".repeat(32)
        );
        let all = read_all(Aead("aes", "ocb"), &text);
        assert_eq!(
            (all[0].output.len(), all[0].tag.as_ref().map(Vec::len)),
            (0, Some(16))
        );
    }

    #[test]
    fn keys_in_words_and_columns() {
        let text = "K No.001 : 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00\n\nP No.001 : 80\nC No.001 : 07\n";
        let all = read_all(Ntt, text);
        assert_eq!(
            (&*all[0].name, all[0].output.as_slice()),
            ("f K No.001 P No.001", &[7][..])
        );
    }
}
