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
    /// AES-GCM with the tag apart and `FAIL` lines.
    Gcm,
    /// A hash over whole bytes.
    Hash(&'static str),
    /// HMAC.
    Hmac(&'static str),
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

/// The first entry that fits a file is the one that reads it.
const ENTRIES: &[Entry] = &[
    nist("ciphers/AES/ECB/", "", Cipher("aes", "ecb-encrypt")),
    nist("ciphers/AES/CBC/", "", Cipher("aes", "cbc-encrypt")),
    other(
        "ciphers/AES/CTR/",
        "",
        "RFC 3686 (2004), counter mode",
        Cipher("aes", "ctr-encrypt"),
    ),
    Entry {
        most: 500,
        ..nist("ciphers/AES/GCM/", "", Gcm)
    },
    nist("hashes/SHA1/", "Monte", Skip(MONTE)),
    nist("hashes/SHA2/", "Monte", Skip(MONTE)),
    nist("hashes/SHA1/", "Msg.rsp", Hash("sha-1")),
    nist("hashes/SHA2/", "SHA224", Hash("sha-224")),
    nist("hashes/SHA2/", "SHA256", Hash("sha-256")),
    other(
        "HMAC/rfc-2202-sha1",
        "",
        "RFC 2202 (1997)",
        Hmac("hmac-sha-1"),
    ),
    other(
        "HMAC/rfc-4231-sha224",
        "",
        "RFC 4231 (2005)",
        Hmac("hmac-sha-224"),
    ),
    other(
        "HMAC/rfc-4231-sha256",
        "",
        "RFC 4231 (2005)",
        Hmac("hmac-sha-256"),
    ),
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
    for (index, block) in blocks(text).iter().enumerate() {
        let count = block.get("count").map_or(index.to_string(), str::to_owned);
        let name = match block.heads.iter().find(|(k, _)| k.ends_with("CRYPT")) {
            Some((direction, _)) => format!("{stem} {direction} {count}"),
            None => format!("{stem} {count}"),
        };
        let vector = Vector {
            name,
            ..Vector::default()
        };
        match reader {
            Cipher(cipher, operation) => self::cipher(block, vector, cipher, operation, sink)?,
            Gcm => gcm(block, vector, sink)?,
            Hash(primitive) => {
                if block.get("MD").is_some() {
                    let input = message(block, sink)?;
                    sink.add(Vector {
                        primitive: primitive.into(),
                        operation: "hash".into(),
                        input,
                        output: block.hex("MD")?,
                        ..vector
                    });
                }
            }
            Hmac(primitive) => {
                let input = message(block, sink)?;
                sink.add(Vector {
                    primitive: primitive.into(),
                    operation: "mac".into(),
                    key: block.hex("Key")?,
                    input,
                    output: block.hex("MD")?,
                    ..vector
                });
            }
            Skip(reason) => sink.skip(reason),
        }
    }
    Ok(())
}

/// `Msg`, of which `Len` bits count: an empty one is written as one zero byte.
fn message(block: &Block, _sink: &mut Sink) -> Result<Vec<u8>> {
    let mut message = block.hex("Msg")?;
    if let Some(bits) = block.number("Len") {
        ensure!(bits % 8 == 0, "{BITS}");
        ensure!(bits / 8 <= message.len(), "Msg is shorter than Len");
        message.truncate(bits / 8);
    }
    Ok(message)
}

fn cipher(
    block: &Block,
    vector: Vector,
    cipher: &str,
    operation: &str,
    sink: &mut Sink,
) -> Result<()> {
    let key = block.hex("KEY")?;
    let Some(primitive) = sized(cipher, key.len()) else {
        sink.skip("key size for which no primitive exists");
        return Ok(());
    };
    sink.add(Vector {
        primitive,
        operation: operation.into(),
        key,
        nonce: block.hex_or_empty("IV")?,
        input: block.hex("PLAINTEXT")?,
        output: block.hex("CIPHERTEXT")?,
        ..vector
    });
    Ok(())
}

fn gcm(block: &Block, vector: Vector, sink: &mut Sink) -> Result<()> {
    let key = block.hex("Key")?;
    let fail = block.get("FAIL").is_some();
    sink.add(Vector {
        primitive: sized("aes", key.len()).context("no AES key size")?,
        operation: if fail { "gcm-decrypt" } else { "gcm-encrypt" }.into(),
        key,
        nonce: block.hex("IV")?,
        aad: block.hex("AAD")?,
        input: if fail { Vec::new() } else { block.hex("PT")? },
        output: block.hex("CT")?,
        tag: Some(block.hex("Tag")?),
        verdict: if fail {
            Verdict::Invalid
        } else {
            Verdict::Valid
        },
        ..vector
    });
    Ok(())
}
