//! NIST's CAVP response files and the texts of the same shape that PyPI's
//! `cryptography_vectors` carries with them.

use super::catalogue::sized;
use super::package::Package;
use super::text::{Block, blocks};
use super::{Sink, Source};
use anyhow::{Context, Result, ensure};
use touchstone_vectors::{Vector, Verdict};

/// How a file is read.
#[derive(Clone, Copy)]
enum Reader {
    /// A block cipher in a mode without a tag.
    Cipher(&'static str, &'static str),
    /// DES under three keys.
    TripleDes(&'static str),
    /// A block cipher's mode with a tag: fields of several names, or the tag at
    /// the end of the ciphertext.
    Aead(&'static str, &'static str),
    /// The same for a primitive of its own.
    OwnAead(&'static str),
    /// AES-CCM's five kinds of file.
    Ccm,
    /// AES-SIV with up to two associated strings.
    Siv,
    /// AES-XTS with data units counted in bits.
    Xts,
    /// A hash over whole bytes.
    Hash(&'static str),
    /// A hash with output of any length.
    Xof(&'static str),
    /// A MAC of its own.
    Mac(&'static str),
    /// CMAC of a block cipher.
    Cmac(&'static str),
    /// AES key wrapping.
    Wrap(&'static str),
    /// RC4 with an offset into the keystream.
    Rc4,
    /// ChaCha20 with a first block number.
    ChaCha20,
    /// RC2 at an effective key length of all its bits.
    Rc2(&'static str),
    /// `K No.001 : 00 00 …`, with P and C lines that follow.
    Ntt,
    /// HKDF, its hash in the file.
    Hkdf,
    /// PBKDF2.
    Pbkdf2(&'static str),
    /// scrypt.
    Scrypt,
    /// Argon2, by its id.
    Argon2(&'static str),
    /// Not taken, and why.
    Skip(&'static str),
}
use Reader::*;

/// A group of files: the start of their path below the package's folder and a
/// word that the rest must contain.
struct Entry {
    start: &'static str,
    part: &'static str,
    slug: &'static str,
    about: &'static str,
    most: usize,
    reader: Reader,
}

const fn nist(start: &'static str, part: &'static str, reader: Reader) -> Entry {
    Entry {
        start,
        part,
        slug: "cavp",
        about: "NIST Cryptographic Algorithm Validation Program, response files (2002-2016)",
        most: 1500,
        reader,
    }
}

const fn other(
    start: &'static str,
    part: &'static str,
    about: &'static str,
    reader: Reader,
) -> Entry {
    Entry {
        start,
        part,
        slug: "cryptography",
        about,
        most: 1500,
        reader,
    }
}

const BITS: &str = "bit-oriented: lengths that are no whole bytes";
const MONTE: &str = "Monte Carlo: asks for a chain of thousands of calls";
const PIPELINED: &str = "pipelined and interleaved 3DES modes without an id here";
const INVERSE: &str = "key wrapping by the inverse cipher, or by 3DES: no id here";
const KDF: &str = "a key derivation without an id here";

const fn few(most: usize, entry: Entry) -> Entry {
    Entry { most, ..entry }
}

const LONG: usize = 12;
const PYCA: &str =
    "pyca/cryptography, derived from CAVP texts and checked against a second library";
const NESSIE_PYCA: &str = "pyca/cryptography after NESSIE (2000-2003)";
const NTT: &str = "NTT, Camellia test vectors (2000)";
const OPENSSL: &str = "OpenSSL's test suite";
const RFC7253: &str = "RFC 7253 (2014) and its authors' further nonce lengths";

/// The first entry that fits a file is the one that reads it.
const ENTRIES: &[Entry] = &[
    nist("ciphers/AES/ECB/", "", Cipher("aes", "ecb-encrypt")),
    nist("ciphers/AES/CBC/", "", Cipher("aes", "cbc-encrypt")),
    nist("ciphers/AES/OFB/", "", Cipher("aes", "ofb-encrypt")),
    nist("ciphers/AES/CFB/", "CFB128", Cipher("aes", "cfb-encrypt")),
    nist("ciphers/AES/CFB/", "CFB8", Cipher("aes", "cfb8-encrypt")),
    nist("ciphers/AES/CFB/", "CFB1", Skip(BITS)),
    other(
        "ciphers/AES/CTR/",
        "",
        "RFC 3686 (2004)",
        Cipher("aes", "ctr-encrypt"),
    ),
    few(300, nist("ciphers/AES/GCM/", "", Aead("aes", "gcm"))),
    few(400, nist("ciphers/AES/CCM/", ".rsp", Ccm)),
    nist(
        "ciphers/AES/CCM/",
        "",
        Skip("the same answers in a second file"),
    ),
    few(300, nist("ciphers/AES/XTS/", "", Xts)),
    other("ciphers/AES/GCM-SIV/", "", OPENSSL, Aead("aes", "gcm-siv")),
    other("ciphers/AES/OCB3/", "openssl", OPENSSL, Aead("aes", "ocb")),
    other("ciphers/AES/OCB3/", "", RFC7253, Aead("aes", "ocb")),
    other("ciphers/AES/SIV/", "", OPENSSL, Siv),
    nist("ciphers/3DES/ECB/", "", TripleDes("ecb-encrypt")),
    // Case tells the interleaved TCBCI… from TCBCinvperm.
    nist("ciphers/3DES/CBC/", "TCBCI", Skip(PIPELINED)),
    nist("ciphers/3DES/CBC/", "", TripleDes("cbc-encrypt")),
    nist("ciphers/3DES/OFB/", "TOFBI", Skip(PIPELINED)),
    nist("ciphers/3DES/OFB/", "", TripleDes("ofb-encrypt")),
    nist("ciphers/3DES/CFB/", "TCFBP", Skip(PIPELINED)),
    nist("ciphers/3DES/CFB/", "TCFB64", TripleDes("cfb-encrypt")),
    nist("ciphers/3DES/CFB/", "TCFB8", TripleDes("cfb8-encrypt")),
    nist("ciphers/3DES/CFB/", "TCFB1", Skip(BITS)),
    other("ciphers/ARC4/rfc", "", "RFC 6229 (2011)", Rc4),
    other("ciphers/ARC4/", "", PYCA, Rc4),
    other(
        "ciphers/Blowfish/",
        "-ecb",
        "Eric Young, Blowfish test vectors (1995)",
        Cipher("blowfish", "ecb-encrypt"),
    ),
    other(
        "ciphers/Blowfish/",
        "-cbc",
        "Eric Young, Blowfish test vectors (1995)",
        Cipher("blowfish", "cbc-encrypt"),
    ),
    other(
        "ciphers/Blowfish/",
        "-cfb",
        "Eric Young, Blowfish test vectors (1995)",
        Cipher("blowfish", "cfb-encrypt"),
    ),
    other(
        "ciphers/Blowfish/",
        "-ofb",
        "Eric Young, Blowfish test vectors (1995)",
        Cipher("blowfish", "ofb-encrypt"),
    ),
    other(
        "ciphers/CAST5/",
        "-ecb",
        "RFC 2144 (1997)",
        Cipher("cast5", "ecb-encrypt"),
    ),
    other(
        "ciphers/CAST5/",
        "-cbc",
        PYCA,
        Cipher("cast5", "cbc-encrypt"),
    ),
    other(
        "ciphers/CAST5/",
        "-cfb",
        PYCA,
        Cipher("cast5", "cfb-encrypt"),
    ),
    other(
        "ciphers/CAST5/",
        "-ofb",
        PYCA,
        Cipher("cast5", "ofb-encrypt"),
    ),
    other(
        "ciphers/CAST5/",
        "-ctr",
        PYCA,
        Cipher("cast5", "ctr-encrypt"),
    ),
    other("ciphers/Camellia/", "-ecb", NTT, Ntt),
    other(
        "ciphers/Camellia/",
        "-cbc",
        OPENSSL,
        Cipher("camellia", "cbc-encrypt"),
    ),
    other(
        "ciphers/Camellia/",
        "-cfb",
        OPENSSL,
        Cipher("camellia", "cfb-encrypt"),
    ),
    other(
        "ciphers/Camellia/",
        "-ofb",
        OPENSSL,
        Cipher("camellia", "ofb-encrypt"),
    ),
    other("ciphers/ChaCha20/", "", "RFC 7539 (2015)", ChaCha20),
    other(
        "ciphers/ChaCha20Poly1305/",
        "openssl",
        OPENSSL,
        OwnAead("chacha20-poly1305"),
    ),
    other(
        "ciphers/ChaCha20Poly1305/",
        "",
        "BoringSSL's test suite",
        OwnAead("chacha20-poly1305"),
    ),
    other(
        "ciphers/IDEA/",
        "-ecb",
        NESSIE_PYCA,
        Cipher("idea", "ecb-encrypt"),
    ),
    other("ciphers/IDEA/", "-cbc", PYCA, Cipher("idea", "cbc-encrypt")),
    other("ciphers/IDEA/", "-cfb", PYCA, Cipher("idea", "cfb-encrypt")),
    other("ciphers/IDEA/", "-ofb", PYCA, Cipher("idea", "ofb-encrypt")),
    other("ciphers/RC2/", "", PYCA, Rc2("cbc-encrypt")),
    other(
        "ciphers/SEED/",
        "rfc-4269",
        "RFC 4269 (2005)",
        Cipher("seed", "ecb-encrypt"),
    ),
    other(
        "ciphers/SEED/",
        "rfc-4196",
        "RFC 4196 (2005)",
        Cipher("seed", "cbc-encrypt"),
    ),
    other("ciphers/SEED/", "-cfb", PYCA, Cipher("seed", "cfb-encrypt")),
    other("ciphers/SEED/", "-ofb", PYCA, Cipher("seed", "ofb-encrypt")),
    other(
        "ciphers/SM4/",
        "-ecb",
        "draft-ribose-cfrg-sm4-10 (2018)",
        Cipher("sm4", "ecb-encrypt"),
    ),
    other(
        "ciphers/SM4/",
        "-cbc",
        "draft-ribose-cfrg-sm4-10 (2018)",
        Cipher("sm4", "cbc-encrypt"),
    ),
    other(
        "ciphers/SM4/",
        "-cfb",
        "draft-ribose-cfrg-sm4-10 (2018)",
        Cipher("sm4", "cfb-encrypt"),
    ),
    other(
        "ciphers/SM4/",
        "-ofb",
        "draft-ribose-cfrg-sm4-10 (2018)",
        Cipher("sm4", "ofb-encrypt"),
    ),
    other(
        "ciphers/SM4/",
        "-ctr",
        "draft-ribose-cfrg-sm4-10 (2018)",
        Cipher("sm4", "ctr-encrypt"),
    ),
    other(
        "ciphers/SM4/",
        "rfc8998",
        "RFC 8998 (2021)",
        Aead("sm4", "gcm"),
    ),
    nist("hashes/", "Monte", Skip(MONTE)),
    few(LONG, nist("hashes/SHA1/", "LongMsg", Hash("sha-1"))),
    nist("hashes/SHA1/", "", Hash("sha-1")),
    few(LONG, nist("hashes/SHA2/", "SHA224LongMsg", Hash("sha-224"))),
    nist("hashes/SHA2/", "SHA224", Hash("sha-224")),
    few(LONG, nist("hashes/SHA2/", "SHA256LongMsg", Hash("sha-256"))),
    nist("hashes/SHA2/", "SHA256", Hash("sha-256")),
    few(LONG, nist("hashes/SHA2/", "SHA384LongMsg", Hash("sha-384"))),
    nist("hashes/SHA2/", "SHA384", Hash("sha-384")),
    few(LONG, nist("hashes/SHA2/", "SHA512LongMsg", Hash("sha-512"))),
    nist("hashes/SHA2/", "SHA512Short", Hash("sha-512")),
    few(
        LONG,
        nist("hashes/SHA2/", "SHA512_224LongMsg", Hash("sha-512-224")),
    ),
    nist("hashes/SHA2/", "SHA512_224", Hash("sha-512-224")),
    few(
        LONG,
        nist("hashes/SHA2/", "SHA512_256LongMsg", Hash("sha-512-256")),
    ),
    nist("hashes/SHA2/", "SHA512_256", Hash("sha-512-256")),
    few(LONG, nist("hashes/SHA3/", "224LongMsg", Hash("sha3-224"))),
    nist("hashes/SHA3/", "224", Hash("sha3-224")),
    few(LONG, nist("hashes/SHA3/", "256LongMsg", Hash("sha3-256"))),
    nist("hashes/SHA3/", "256", Hash("sha3-256")),
    few(LONG, nist("hashes/SHA3/", "384LongMsg", Hash("sha3-384"))),
    nist("hashes/SHA3/", "384", Hash("sha3-384")),
    few(LONG, nist("hashes/SHA3/", "512LongMsg", Hash("sha3-512"))),
    nist("hashes/SHA3/", "512", Hash("sha3-512")),
    few(
        LONG,
        nist("hashes/SHAKE/", "SHAKE128LongMsg", Xof("shake128")),
    ),
    few(300, nist("hashes/SHAKE/", "SHAKE128", Xof("shake128"))),
    few(
        LONG,
        nist("hashes/SHAKE/", "SHAKE256LongMsg", Xof("shake256")),
    ),
    few(300, nist("hashes/SHAKE/", "SHAKE256", Xof("shake256"))),
    other("hashes/MD5/", "", "RFC 1321 (1992)", Hash("md5")),
    other(
        "hashes/SM3/",
        "",
        "OSCCA, SM3 (2010) and GmSSL",
        Hash("sm3"),
    ),
    other("hashes/blake2/", "blake2b", PYCA, Hash("blake2b")),
    other("hashes/blake2/", "blake2s", PYCA, Hash("blake2s")),
    other(
        "hashes/ripemd160/",
        "",
        "H. Dobbertin, A. Bosselaers, B. Preneel, RIPEMD-160 (1996)",
        Hash("ripemd-160"),
    ),
    other("HMAC/rfc-2202-md5", "", "RFC 2202 (1997)", Mac("hmac-md5")),
    other(
        "HMAC/rfc-2202-sha1",
        "",
        "RFC 2202 (1997)",
        Mac("hmac-sha-1"),
    ),
    other(
        "HMAC/rfc-2286-ripemd160",
        "",
        "RFC 2286 (1998)",
        Mac("hmac-ripemd-160"),
    ),
    other(
        "HMAC/rfc-4231-sha224",
        "",
        "RFC 4231 (2005)",
        Mac("hmac-sha-224"),
    ),
    other(
        "HMAC/rfc-4231-sha256",
        "",
        "RFC 4231 (2005)",
        Mac("hmac-sha-256"),
    ),
    other(
        "HMAC/rfc-4231-sha384",
        "",
        "RFC 4231 (2005)",
        Mac("hmac-sha-384"),
    ),
    other(
        "HMAC/rfc-4231-sha512",
        "",
        "RFC 4231 (2005)",
        Mac("hmac-sha-512"),
    ),
    other("CMAC/", "3des", "NIST SP 800-38B (2005)", Cmac("des")),
    other("CMAC/", "aes", "NIST SP 800-38B (2005)", Cmac("aes")),
    other("poly1305/", "", "RFC 7539 (2015)", Mac("poly1305")),
    other("KDF/hkdf", "", PYCA, Hkdf),
    other("KDF/rfc-5869", "", "RFC 5869 (2010)", Hkdf),
    other(
        "KDF/rfc-6070",
        "",
        "RFC 6070 (2011)",
        Pbkdf2("pbkdf2-hmac-sha-1"),
    ),
    other("KDF/scrypt", "", "RFC 7914 (2016)", Scrypt),
    other(
        "KDF/argon2d.",
        "",
        "RFC 9106 (2021), OpenSSL and the argon2 tool",
        Argon2("argon2d"),
    ),
    other(
        "KDF/argon2i.",
        "",
        "RFC 9106 (2021), OpenSSL and the argon2 tool",
        Argon2("argon2i"),
    ),
    other(
        "KDF/argon2id.",
        "",
        "RFC 9106 (2021), OpenSSL and the argon2 tool",
        Argon2("argon2id"),
    ),
    other("KDF/", "", "", Skip(KDF)),
    nist("keywrap/kwtestvectors/", "_inv", Skip(INVERSE)),
    nist("keywrap/kwtestvectors/TKW", "", Skip(INVERSE)),
    few(300, nist("keywrap/kwtestvectors/KWP", "", Wrap("kwp"))),
    few(300, nist("keywrap/kwtestvectors/KW_", "", Wrap("kw"))),
    other("keywrap/kwp_botan", "", "RFC 5649 (2009)", Wrap("kwp")),
];

const FOLDER: &str = "cryptography_vectors/";

/// Which files are unpacked.
pub(crate) fn wanted(path: &str) -> bool {
    let Some(path) = path.strip_prefix(FOLDER) else {
        return false;
    };
    let symmetric = [
        "ciphers/",
        "hashes/",
        "HMAC/",
        "CMAC/",
        "KDF/",
        "keywrap/",
        "poly1305/",
    ];
    symmetric.iter().any(|s| path.starts_with(s)) && !path.contains("Readme")
}

/// Takes every file that an entry fits; the others are counted.
pub(crate) fn import(package: &Package, sink: &mut Sink) -> Result<()> {
    for (position, entry) in ENTRIES.iter().enumerate() {
        sink.begin(Source {
            slug: entry.slug,
            about: entry.about.into(),
            pin: Some(package.pin.clone()),
            licence: "Apache-2.0 OR BSD-3-Clause",
            most: entry.most,
            bytes: 50 << 10,
        });
        for (path, _) in package.under(FOLDER) {
            let relative = &path[FOLDER.len()..];
            if ENTRIES.iter().position(|e| e.fits(relative)) == Some(position) {
                let stem = relative.rsplit('/').next().unwrap_or(relative);
                let stem = stem.rsplit_once('.').map_or(stem, |(s, _)| s);
                read(entry.reader, stem, package.text(path)?, sink)
                    .with_context(|| relative.to_owned())?;
            }
        }
    }
    for (path, _) in package.under(FOLDER) {
        if !ENTRIES.iter().any(|e| e.fits(&path[FOLDER.len()..])) {
            sink.skip("a file that no entry describes");
        }
    }
    Ok(())
}

impl Entry {
    fn fits(&self, path: &str) -> bool {
        path.strip_prefix(self.start)
            .is_some_and(|rest| rest.contains(self.part))
    }
}

fn read(reader: Reader, stem: &str, text: &str, sink: &mut Sink) -> Result<()> {
    if matches!(reader, Ntt) {
        return ntt(stem, text, sink);
    }
    // Fields of a block that is no question hold for the questions after it.
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
        for vector in question(reader, &block, vector).with_context(|| format!("{block:?}"))? {
            match vector {
                Ok(vector) => sink.add(vector),
                Err(reason) => sink.skip(reason),
            }
        }
    }
    Ok(())
}

/// Fields one of which every question has.
const ANSWERS: &[&str] = &[
    "CIPHERTEXT",
    "CT",
    "C",
    "MD",
    "Output",
    "TAG",
    "OKM",
    "DERIVED_KEY",
    "key_data",
    "KO",
];

type Read = Result<Vector, &'static str>;

const ODD_KEY: &str = "key size for which no primitive exists";

fn question(reader: Reader, block: &Block, vector: Vector) -> Result<Vec<Read>> {
    let one = |vector: Vector| Ok(vec![Ok(vector)]);
    match reader {
        Skip(reason) => Ok(vec![Err(reason)]),
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
            // Python's escapes: a zero byte is written as one.
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

/// A message, of which `Len` bits count: an empty one is written as one zero byte.
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

/// The first of these fields, as hex or as a quoted text.
fn text_or_hex(block: &Block, names: &[&str]) -> Result<Vec<u8>> {
    let Some(value) = names.iter().find_map(|name| block.get(name)) else {
        return Ok(Vec::new());
    };
    match value.strip_prefix('"').and_then(|v| v.strip_suffix('"')) {
        Some(text) => Ok(text.into()),
        None => super::text::hex(value),
    }
}

/// A mode with a tag, under the field names of CAVP, OpenSSL and BoringSSL.
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

/// A 3DES question under every id that its keys fit: three keys always make
/// `des-ede3`; two equal outer ones also `des-ede2`, three equal ones also `des`.
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

fn ntt(stem: &str, text: &str, sink: &mut Sink) -> Result<()> {
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
            ["C", n] => sink.add(Vector {
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
    use super::super::tests::sink;
    use super::*;

    fn read_all(reader: Reader, text: &str) -> Vec<Vector> {
        let mut sink = sink();
        read(reader, "f", text, &mut sink).unwrap();
        sink.answers.into_iter().map(|(_, v)| v).collect()
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
