//! Tells how to read each of NIST's CAVP response files and the similar files in the
//! Python package `cryptography_vectors`.

use super::package::Package;
use super::{Sink, Source};
use Reader::*;
use anyhow::{Context, Result};
use touchstone_vectors::foreign::cavp::{self, Reader};

/// A group of files: the start of the path below the package's folder, and a word that
/// the rest of the path must contain.
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

/// The groups; the first one that fits a file decides how the file is read.
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
    // The match distinguishes upper and lower case, so `TCBCI…` does not match
    // TCBCinvperm.
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

/// Returns whether to unpack a file.
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

/// Adds the records of every file that fits a group, and counts the other files.
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
                let found = cavp::read(entry.reader, stem, package.text(path)?);
                sink.take(found.with_context(|| relative.to_owned())?);
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
