//! The family and the folder for the answers of each primitive. `docs/operations.md`
//! lists the identifiers.

use touchstone_vectors::foreign::SIZED;

const BLOCK: &[&str] = &[
    "anubis",
    "anubis-original",
    "belt",
    "blowfish",
    "cast5",
    "cast6",
    "cham-128",
    "cham-64",
    "gost28147",
    "gost28147-test",
    "gost28147-r3411-cryptopro",
    "hight",
    "idea",
    "kalyna-256-256",
    "kalyna-256-512",
    "kalyna-512-512",
    "kasumi",
    "khazad",
    "kuznyechik",
    "magma",
    "misty1",
    "multi2",
    "noekeon",
    "rc2",
    "rc5-32-12",
    "rc6",
    "mars",
    "safer-k128",
    "safer-k64",
    "safer-plus",
    "safer-sk128",
    "safer-sk64",
    "seed",
    "shacal2",
    "shark",
    "simon-128",
    "simon-64",
    "skipjack",
    "sm4",
    "speck-128",
    "speck-64",
    "square",
    "tea",
    "xtea",
];

const STREAM: &[&str] = &[
    "abc-v3",
    "chacha8",
    "chacha12",
    "chacha20",
    "xchacha20",
    "hc128",
    "hc256",
    "panama",
    "panama-be",
    "rabbit",
    "rc4",
    "salsa20",
    "salsa20-8",
    "salsa20-12",
    "xsalsa20",
    "xsalsa20-8",
    "xsalsa20-12",
    "sosemanuk",
    "turing",
];

const AEAD: &[(&str, &str)] = &[
    ("aegis-", "aegis"),
    ("ascon-", "ascon"),
    ("morus-", "morus"),
    ("phelix", "phelix"),
    ("chacha20-poly1305", "chacha20-poly1305"),
    ("xchacha20-poly1305", "xchacha20-poly1305"),
    ("xsalsa20-poly1305", "xsalsa20-poly1305"),
];

const HASH: &[(&str, &str)] = &[
    ("sha3-", "sha-3"),
    ("shake", "sha-3"),
    ("cshake", "cshake"),
    ("turboshake", "turboshake"),
    ("kt128", "kangarootwelve"),
    ("kt256", "kangarootwelve"),
    ("keccak-", "keccak"),
    ("blake2", "blake2"),
    ("ripemd-", "ripemd"),
    ("streebog-", "streebog"),
    ("gost94", "gost94"),
    ("skein-", "skein"),
    ("tiger", "tiger"),
    ("ascon-hash", "ascon"),
    ("ascon-xof", "ascon"),
];

const PLAIN_HASH: &[&str] = &[
    "md2",
    "md4",
    "md5",
    "sm3",
    "whirlpool",
    "blake3",
    "panama-hash",
];

const MAC: &[(&str, &str)] = &[
    ("blake2b-mac", "blake2"),
    ("blake2s-mac", "blake2"),
    ("blake3-mac", "blake3"),
    ("skein-256-mac", "skein"),
    ("skein-512-mac", "skein"),
    ("skein-1024-mac", "skein"),
    ("hmac-", "hmac"),
    ("siphash-", "siphash"),
    ("vmac-", "vmac"),
    ("umac-", "umac"),
    ("kmac-", "kmac"),
    ("poly1305", "poly1305"),
];

const SIGNATURE: &[&str] = &["ed25519", "ed448"];

const CURVE: &[&str] = &[
    "brainpoolp256r1",
    "brainpoolp384r1",
    "brainpoolp512r1",
    "p192",
    "p224",
    "p256",
    "p384",
    "p521",
    "secp256k1",
];

const KDF: &[(&str, &str)] = &[
    ("pbkdf2-", "pbkdf2"),
    ("hkdf-", "hkdf"),
    ("pbkdf1-", "pbkdf1"),
    ("kdf1-", "kdf1"),
    ("kdf2-", "kdf2"),
    ("mgf1-", "mgf1"),
    ("s2k-", "s2k"),
    ("sp800-108-", "sp800-108"),
    ("argon2", "argon2"),
    ("bcrypt-pbkdf", "bcrypt-pbkdf"),
    ("blake3-kdf", "blake3"),
    ("scrypt", "scrypt"),
];

const RANDOM: &[(&str, &str)] = &[
    ("ctr-drbg-", "ctr-drbg"),
    ("hash-drbg-", "hash-drbg"),
    ("hmac-drbg-", "hmac-drbg"),
    ("chacha20-generator", "chacha20"),
    ("libsodium-generator", "libsodium"),
];

/// Returns the family and the folder of a primitive.
pub(crate) fn place(primitive: &str) -> Option<(&'static str, String)> {
    let by_start = |table: &[(&str, &'static str)]| {
        table
            .iter()
            .find(|(start, _)| primitive.starts_with(start))
            .map(|(_, folder)| (*folder).to_owned())
    };
    if let Some((name, bits)) = primitive.rsplit_once('-')
        && SIZED.contains(&name)
        && bits.parse::<u16>().is_ok()
    {
        return Some(("block", name.into()));
    }
    if matches!(primitive, "des" | "des-ede2" | "des-ede3") {
        return Some(("block", "des".into()));
    }
    if BLOCK.contains(&primitive) {
        let variants = ["gost28147", "anubis", "cham", "kalyna", "simon", "speck"];
        let of = variants.into_iter().find(|v| primitive.starts_with(v));
        let folder = of.unwrap_or(primitive);
        return Some(("block", folder.into()));
    }
    if STREAM.contains(&primitive) {
        return Some(("stream", primitive.into()));
    }
    // The id of a generator may begin like the id of a MAC, so generators come before MACs.
    if let Some(folder) = by_start(RANDOM) {
        return Some(("random", folder));
    }
    // The id of a MAC may begin like the id of a hash, so MACs come first.
    if let Some(folder) = by_start(MAC) {
        return Some(("mac", folder));
    }
    if let Some(folder) = by_start(HASH) {
        return Some(("hash", folder));
    }
    if let Some(folder) = by_start(AEAD) {
        return Some(("aead", folder));
    }
    if matches!(primitive, "sha-1") || PLAIN_HASH.contains(&primitive) {
        return Some(("hash", primitive.into()));
    }
    if primitive.starts_with("sha-") {
        return Some(("hash", "sha-2".into()));
    }
    if primitive == "integer" {
        return Some(("integer", primitive.into()));
    }
    if CURVE.contains(&primitive) {
        return Some(("curve", primitive.into()));
    }
    let begins = |heads: &[&str]| heads.iter().any(|head| primitive.starts_with(head));
    if begins(&["ml-kem-"]) {
        return Some(("encapsulation", primitive.into()));
    }
    if matches!(primitive, "x25519" | "x448") || begins(&["ecdh-", "dh-"]) {
        return Some(("agreement", primitive.into()));
    }
    if primitive.starts_with("rsa-") {
        let encrypts = primitive.contains("-oaep-") || primitive.ends_with("-pkcs1");
        let family = if encrypts { "encryption" } else { "signature" };
        return Some((family, primitive.into()));
    }
    let signs = [
        "dsa-",
        "ecdsa-",
        "ecgdsa-",
        "eckcdsa-",
        "gost-3410-",
        "ml-dsa-",
        "slh-dsa-",
        "sm2-",
    ];
    if SIGNATURE.contains(&primitive) || begins(&signs) {
        return Some(("signature", primitive.into()));
    }
    if let Some(folder) = by_start(KDF) {
        return Some(("kdf", folder));
    }
    primitive
        .starts_with("crypt-")
        .then(|| ("password", primitive.to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn primitives_have_places() {
        let at = |p: &str| place(p).map(|(f, a)| format!("{f}/{a}"));
        for (primitive, expected) in [
            ("aes-128", "block/aes"),
            ("des-ede3", "block/des"),
            ("gost28147-test", "block/gost28147"),
            ("kalyna-256-512", "block/kalyna"),
            ("lea-192", "block/lea"),
            ("simon-64", "block/simon"),
            ("sha-512-224", "hash/sha-2"),
            ("sha-1", "hash/sha-1"),
            ("hmac-sha3-256", "mac/hmac"),
            ("hmac-drbg-sha-1", "random/hmac-drbg"),
            ("blake2b-mac", "mac/blake2"),
            ("skein-256-mac", "mac/skein"),
            ("skein-256", "hash/skein"),
            ("blake2b-256", "hash/blake2"),
            ("chacha20", "stream/chacha20"),
            ("chacha20-poly1305", "aead/chacha20-poly1305"),
            ("aegis-128l", "aead/aegis"),
            ("pbkdf2-hmac-sha-1", "kdf/pbkdf2"),
            ("crypt-md5", "password/crypt-md5"),
        ] {
            assert_eq!(at(primitive).as_deref(), Some(expected));
        }
        assert_eq!(place("rot13"), None);
    }
}
