//! RustCrypto's test data: one binary file for each algorithm, a sequence of byte strings
//! with a fixed number of them in each record.

use super::package::{Fetcher, Package, Registry};
use super::{Sink, Source};
use anyhow::{Context, Result, anyhow, ensure};
use touchstone_vectors::Vector;
use touchstone_vectors::foreign::sized;

/// The byte strings of a record, in their order. Each variant has the name of the primitive.
#[derive(Clone, Copy)]
enum Shape {
    /// The record has a key, a plaintext and a ciphertext of whole blocks.
    Block(&'static str),
    /// The record has a message and a digest.
    Hash(&'static str),
    /// The record has a key, a message, and a MAC by a block cipher.
    Cmac(&'static str),
    /// The record has a key, a message and a MAC.
    Mac(&'static str),
    /// The record has a key, a nonce, a position of four bytes, and keystream.
    Keystream(&'static str),
}
use Shape::*;

/// The crate, the origin of its answers, the file below `tests/data`, and the shape of a
/// record.
const FILES: &[(&str, &str, &str, Shape)] = &[
    ("des", "NESSIE (2000-2003), DES", "des", Block("des")),
    ("des", "NESSIE (2000-2003), DES", "tdes", Block("des-ede3")),
    ("des", "NESSIE (2000-2003), DES", "tdes2", Block("des-ede2")),
    (
        "serpent",
        "NESSIE (2000-2003), Serpent",
        "serpent128",
        Block("serpent"),
    ),
    (
        "serpent",
        "NESSIE (2000-2003), Serpent",
        "serpent192",
        Block("serpent"),
    ),
    (
        "serpent",
        "NESSIE (2000-2003), Serpent",
        "serpent256",
        Block("serpent"),
    ),
    (
        "camellia",
        "NESSIE (2000-2003), Camellia",
        "camellia128",
        Block("camellia"),
    ),
    (
        "camellia",
        "NESSIE (2000-2003), Camellia",
        "camellia192",
        Block("camellia"),
    ),
    (
        "camellia",
        "NESSIE (2000-2003), Camellia",
        "camellia256",
        Block("camellia"),
    ),
    ("idea", "NESSIE (2000-2003), IDEA", "idea", Block("idea")),
    (
        "cast5",
        "NESSIE (2000-2003), CAST-128",
        "cast5",
        Block("cast5"),
    ),
    (
        "blowfish",
        "Eric Young, Blowfish test vectors (1995)",
        "blowfish",
        Block("blowfish"),
    ),
    ("md2", "RFC 1319 (1992)", "md2_kat", Hash("md2")),
    ("md4", "RFC 1320 (1992)", "md4_kat", Hash("md4")),
    (
        "ripemd",
        "RIPEMD's authors (1996)",
        "ripemd128_kat",
        Hash("ripemd-128"),
    ),
    (
        "ripemd",
        "RIPEMD's authors (1996)",
        "ripemd160_kat",
        Hash("ripemd-160"),
    ),
    (
        "ripemd",
        "RIPEMD's authors (1996)",
        "ripemd256_kat",
        Hash("ripemd-256"),
    ),
    (
        "ripemd",
        "RIPEMD's authors (1996)",
        "ripemd320_kat",
        Hash("ripemd-320"),
    ),
    (
        "tiger",
        "NESSIE (2000-2003), Tiger",
        "tiger_kat",
        Hash("tiger"),
    ),
    (
        "tiger",
        "NESSIE (2000-2003), Tiger",
        "tiger2_kat",
        Hash("tiger2"),
    ),
    (
        "whirlpool",
        "NESSIE (2000-2003), Whirlpool",
        "whirlpool_kat",
        Hash("whirlpool"),
    ),
    (
        "skein",
        "Skein's submission to SHA-3 (2010)",
        "skein256_256_kat",
        Hash("skein-256"),
    ),
    (
        "skein",
        "Skein's submission to SHA-3 (2010)",
        "skein256_512_kat",
        Hash("skein-256-512"),
    ),
    (
        "skein",
        "Skein's submission to SHA-3 (2010)",
        "skein512_256_kat",
        Hash("skein-512-256"),
    ),
    (
        "skein",
        "Skein's submission to SHA-3 (2010)",
        "skein512_512_kat",
        Hash("skein-512"),
    ),
    (
        "skein",
        "Skein's submission to SHA-3 (2010)",
        "skein1024_256_kat",
        Hash("skein-1024-256"),
    ),
    (
        "skein",
        "Skein's submission to SHA-3 (2010)",
        "skein1024_512_kat",
        Hash("skein-1024-512"),
    ),
    (
        "skein",
        "Skein's submission to SHA-3 (2010)",
        "skein1024_1024_kat",
        Hash("skein-1024"),
    ),
    (
        "gost94",
        "GOST R 34.11-94, RFC 5831 (2010)",
        "gost94_test_kat",
        Hash("gost94"),
    ),
    (
        "gost94",
        "GOST R 34.11-94, RFC 5831 (2010)",
        "gost94_cryptopro_kat",
        Hash("gost94-cryptopro"),
    ),
    (
        "streebog",
        "GOST R 34.11-2012, RFC 6986 (2013)",
        "streebog256_kat",
        Hash("streebog-256"),
    ),
    (
        "streebog",
        "GOST R 34.11-2012, RFC 6986 (2013)",
        "streebog512_kat",
        Hash("streebog-512"),
    ),
    ("sm3", "GB/T 32905-2016, SM3", "sm3_kat", Hash("sm3")),
    (
        "salsa20",
        "eSTREAM, Salsa20 (2008)",
        "ecrypt",
        Keystream("salsa20"),
    ),
    (
        "cmac",
        "GOST R 34.13-2015",
        "cmac_kuznyechik_gost",
        Cmac("kuznyechik"),
    ),
    (
        "cmac",
        "GOST R 34.13-2015",
        "cmac_magma_gost",
        Cmac("magma"),
    ),
    (
        "cmac",
        "NIST Cryptographic Algorithm Validation Program, CMAC",
        "cmac_tdes2_cavp",
        Cmac("des-ede2"),
    ),
    (
        "cmac",
        "NIST Cryptographic Algorithm Validation Program, CMAC",
        "cmac_tdes3_cavp",
        Cmac("des-ede3"),
    ),
    (
        "cmac",
        "NIST Cryptographic Algorithm Validation Program, CMAC",
        "cmac_aes128_cavp",
        Cmac("aes"),
    ),
    (
        "cmac",
        "NIST Cryptographic Algorithm Validation Program, CMAC",
        "cmac_aes192_cavp",
        Cmac("aes"),
    ),
    (
        "cmac",
        "NIST Cryptographic Algorithm Validation Program, CMAC",
        "cmac_aes256_cavp",
        Cmac("aes"),
    ),
    (
        "blake2",
        "BLAKE2's authors, blake2-kat.json",
        "blake2b_mac_kat",
        Mac("blake2b-mac"),
    ),
    (
        "blake2",
        "BLAKE2's authors, blake2-kat.json",
        "blake2s_mac_kat",
        Mac("blake2s-mac"),
    ),
    (
        "hmac",
        "R 50.1.113-2016, RFC 7836",
        "hmac_streebog256_gost",
        Mac("hmac-streebog-256"),
    ),
    (
        "hmac",
        "R 50.1.113-2016, RFC 7836",
        "hmac_streebog512_gost",
        Mac("hmac-streebog-512"),
    ),
];

/// Fetches the crates and adds the records of their files.
pub(crate) fn import(fetcher: &mut Fetcher, sink: &mut Sink) -> Result<()> {
    let mut package: Option<Package> = None;
    for &(name, about, file, shape) in FILES {
        if package.as_ref().is_none_or(|p| p.pin.name != name) {
            let blobs = |path: &str| path.starts_with("tests/data/") && path.ends_with(".blb");
            package = Some(fetcher.get(Registry::Crate, name, blobs)?);
        }
        let package = package.as_ref().context("no package")?;
        sink.begin(Source {
            slug: "rustcrypto",
            about: about.into(),
            pin: Some(package.pin.clone()),
            licence: "MIT OR Apache-2.0",
            most: 1500,
            bytes: 50 << 10,
        });
        let path = format!("tests/data/{file}.blb");
        let bytes = package
            .files
            .get(&path)
            .with_context(|| format!("{name}: no {path}"))?;
        read(file, shape, bytes, sink).with_context(|| format!("{name}: {path}"))?;
    }
    Ok(())
}

fn read(file: &str, shape: Shape, bytes: &[u8], sink: &mut Sink) -> Result<()> {
    let blobs = ::blobby::parse_into_vec(bytes).map_err(|e| anyhow!("{e:?}"))?;
    let columns = match shape {
        Hash(_) => 2,
        Block(_) | Cmac(_) | Mac(_) => 3,
        Keystream(_) => 4,
    };
    ensure!(
        blobs.len().is_multiple_of(columns),
        "{} byte strings",
        blobs.len()
    );
    for (index, row) in blobs.chunks(columns).enumerate() {
        let cipher = |name: &str| sized(name, row[0].len()).context("no such key size");
        let vector = Vector {
            name: format!("{file} {index}"),
            output: row[columns - 1].to_vec(),
            ..Vector::default()
        };
        sink.add(match shape {
            Block(name) => Vector {
                primitive: cipher(name)?,
                operation: "ecb-encrypt".into(),
                key: row[0].to_vec(),
                input: row[1].to_vec(),
                ..vector
            },
            Hash(name) => Vector {
                primitive: name.into(),
                operation: "hash".into(),
                input: row[0].to_vec(),
                ..vector
            },
            Cmac(name) => Vector {
                primitive: cipher(name)?,
                operation: "cmac".into(),
                key: row[0].to_vec(),
                input: row[1].to_vec(),
                ..vector
            },
            Mac(name) => Vector {
                primitive: name.into(),
                operation: "mac".into(),
                key: row[0].to_vec(),
                input: row[1].to_vec(),
                ..vector
            },
            Keystream(name) => {
                let place = u32::from_be_bytes(row[2].try_into()?);
                if place % 64 != 0 {
                    sink.skip("a place inside a keystream");
                    continue;
                }
                let counter = (place != 0).then(|| ("counter".to_owned(), u64::from(place / 64)));
                Vector {
                    primitive: name.into(),
                    operation: "stream-keystream".into(),
                    key: row[0].to_vec(),
                    nonce: row[1].to_vec(),
                    cost: counter.into_iter().collect(),
                    ..vector
                }
            }
        });
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::super::tests::sink;
    use super::*;

    fn all(shape: Shape, blobs: &[&[u8]]) -> Vec<Vector> {
        let (bytes, _) = ::blobby::encode_blobs(blobs);
        let mut sink = sink();
        read("f", shape, &bytes, &mut sink).unwrap();
        sink.answers.into_iter().map(|(_, v)| v).collect()
    }

    #[test]
    fn records_are_rows() {
        let hashes = all(Hash("md4"), &[b"a", b"b", b"", b"c"]);
        assert_eq!((hashes.len(), hashes[1].output.as_slice()), (2, &b"c"[..]));
        let blocks = all(Block("serpent"), &[&[0; 24], b"p", b"c"]);
        assert_eq!(blocks[0].primitive, "serpent-192");
    }

    #[test]
    fn a_place_becomes_a_block_number() {
        let all = all(Keystream("salsa20"), &[b"k", b"n", &[0, 0, 1, 0], b"s"]);
        assert_eq!(all[0].cost("counter"), Some(4));
    }
}
