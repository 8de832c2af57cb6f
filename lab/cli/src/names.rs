//! Names for people: `aes-128` becomes AES-128, and `cbc-encrypt` becomes CBC encrypt.
//! Unknown words are capitalised, so this file needs no entry for a new id.

use crate::{catalogue, operations};

/// Words that need a form of their own. All other words only get a capital first letter.
const WORDS: &[(&str, &str)] = &[
    ("128l", "128L"),
    ("128x2", "128X2"),
    ("128x4", "128X4"),
    ("256x2", "256X2"),
    ("256x4", "256X4"),
    ("abc", "ABC"),
    ("aead", "AEAD"),
    ("aead128", "AEAD128"),
    ("aegis", "AEGIS"),
    ("aes", "AES"),
    ("argon2d", "Argon2d"),
    ("argon2i", "Argon2i"),
    ("argon2id", "Argon2id"),
    ("aria", "ARIA"),
    ("b163", "B-163"),
    ("b233", "B-233"),
    ("b283", "B-283"),
    ("b409", "B-409"),
    ("b571", "B-571"),
    ("bcrypt", "bcrypt"),
    ("bigcrypt", "bigcrypt"),
    ("blake2b", "BLAKE2b"),
    ("blake2s", "BLAKE2s"),
    ("blake3", "BLAKE3"),
    ("brainpoolp256r1", "brainpoolP256r1"),
    ("brainpoolp384r1", "brainpoolP384r1"),
    ("brainpoolp512r1", "brainpoolP512r1"),
    ("bytes", "bytes"),
    ("cast5", "CAST5"),
    ("cast6", "CAST-256"),
    ("cbc", "CBC"),
    ("ccm", "CCM"),
    ("cfb", "CFB"),
    ("cfb8", "CFB8"),
    ("chacha12", "ChaCha12"),
    ("chacha20", "ChaCha20"),
    ("chacha8", "ChaCha8"),
    ("cham", "CHAM"),
    ("cmac", "CMAC"),
    ("crypt", "crypt"),
    ("cryptopro", "CryptoPro"),
    ("cs1", "CS1"),
    ("cs2", "CS2"),
    ("cs3", "CS3"),
    ("cshake128", "cSHAKE128"),
    ("cshake256", "cSHAKE256"),
    ("ctr", "CTR"),
    ("decrypt", "decrypt"),
    ("derive", "derive"),
    ("des", "DES"),
    ("deterministic", "deterministic"),
    ("df", "DF"),
    ("dh", "DH"),
    ("dmac", "DMAC"),
    ("drbg", "DRBG"),
    ("dsa", "DSA"),
    ("eax", "EAX"),
    ("ecb", "ECB"),
    ("ecdh", "ECDH"),
    ("ecdsa", "ECDSA"),
    ("ecgdsa", "ECGDSA"),
    ("eckcdsa", "EC-KCDSA"),
    ("ecnr", "ECNR"),
    ("ed25519", "Ed25519"),
    ("ede2", "EDE2"),
    ("ede3", "EDE3"),
    ("elgamal", "ElGamal"),
    ("encrypt", "encrypt"),
    ("ext", "extended"),
    ("ffdhe2048", "ffdhe2048"),
    ("ffdhe3072", "ffdhe3072"),
    ("fsb", "FSB"),
    ("gcm", "GCM"),
    ("generate", "generate"),
    ("generator", "generator"),
    ("gmac", "GMAC"),
    ("gost", "GOST"),
    ("gost28147", "GOST 28147"),
    ("gost94", "GOST 34.11-94"),
    ("groestl", "Grøstl"),
    ("halfsiphash", "HalfSipHash"),
    ("hash", "hash"),
    ("hc128", "HC-128"),
    ("hc256", "HC-256"),
    ("hight", "HIGHT"),
    ("hkdf", "HKDF"),
    ("hmac", "HMAC"),
    ("idea", "IDEA"),
    ("jh", "JH"),
    ("k128", "K-128"),
    ("k163", "K-163"),
    ("k233", "K-233"),
    ("k283", "K-283"),
    ("k409", "K-409"),
    ("k571", "K-571"),
    ("k64", "K-64"),
    ("kasumi", "KASUMI"),
    ("kdf1", "KDF1"),
    ("kdf2", "KDF2"),
    ("kdf3", "KDF3"),
    ("kem", "KEM"),
    ("keystream", "keystream"),
    ("kmac", "KMAC"),
    ("kt128", "KT128"),
    ("kt256", "KT256"),
    ("kw", "KW"),
    ("kwp", "KWP"),
    ("lea", "LEA"),
    ("libsodium", "libsodium"),
    ("mac", "MAC"),
    ("mars", "MARS"),
    ("md2", "MD2"),
    ("md4", "MD4"),
    ("md5", "MD5"),
    ("mgf1", "MGF1"),
    ("misty1", "MISTY1"),
    ("ml", "ML"),
    ("multi2", "MULTI2"),
    ("no", "no"),
    ("nonce", "nonce"),
    ("nt", "NT"),
    ("oaep", "OAEP"),
    ("ocb", "OCB"),
    ("ofb", "OFB"),
    ("own", "own"),
    ("p192", "P-192"),
    ("p224", "P-224"),
    ("p256", "P-256"),
    ("p384", "P-384"),
    ("p521", "P-521"),
    ("pbkdf1", "PBKDF1"),
    ("pbkdf2", "PBKDF2"),
    ("pkcs1", "PKCS1"),
    ("pmac", "PMAC"),
    ("pss", "PSS"),
    ("random", "random"),
    ("rc2", "RC2"),
    ("rc4", "RC4"),
    ("rc5", "RC5"),
    ("rc6", "RC6"),
    ("retail", "retail"),
    ("ripemd", "RIPEMD"),
    ("rsa", "RSA"),
    ("s2k", "S2K"),
    ("safer", "SAFER"),
    ("scrypt", "scrypt"),
    ("secp256k1", "secp256k1"),
    ("seed", "SEED"),
    ("sha", "SHA"),
    ("sha1", "SHA-1"),
    ("sha256", "SHA-256"),
    ("sha3", "SHA3"),
    ("sha512", "SHA-512"),
    ("shacal2", "SHACAL-2"),
    ("shake128", "SHAKE128"),
    ("shake256", "SHAKE256"),
    ("shark", "SHARK"),
    ("siphash", "SipHash"),
    ("siv", "SIV"),
    ("sk128", "SK-128"),
    ("sk64", "SK-64"),
    ("slh", "SLH"),
    ("sm2", "SM2"),
    ("sm2p256v1", "sm2p256v1"),
    ("sm3", "SM3"),
    ("sm4", "SM4"),
    ("sp800", "SP 800"),
    ("stream", "stream"),
    ("sunmd5", "Sun MD5"),
    ("tea", "TEA"),
    ("turboshake128", "TurboSHAKE128"),
    ("turboshake256", "TurboSHAKE256"),
    ("umac", "UMAC"),
    ("vmac", "VMAC"),
    ("xchacha20", "XChaCha20"),
    ("xof", "XOF"),
    ("xof128", "XOF128"),
    ("xsalsa20", "XSalsa20"),
    ("xtea", "XTEA"),
    ("xts", "XTS"),
    ("yescrypt", "yescrypt"),
];

fn word(id: &str) -> String {
    if let Ok(place) = WORDS.binary_search_by(|(known, _)| known.cmp(&id)) {
        return WORDS[place].1.to_owned();
    }
    let mut letters = id.chars();
    letters.next().map_or_else(String::new, |first| {
        first.to_uppercase().chain(letters).collect()
    })
}

/// Returns the name of a primitive for people.
pub fn primitive(id: &str) -> String {
    match id {
        "des-ede2" => return "3DES (two keys)".to_owned(),
        "des-ede3" => return "3DES".to_owned(),
        _ => {}
    }
    let mut text = String::new();
    for part in id.split('-') {
        if text == "crypt" {
            text.push(' ');
        } else if !text.is_empty() {
            text.push('-');
        }
        text.push_str(&word(part));
    }
    text
}

/// Returns the name of an operation for people: the mode in capitals, then the verb. The name of
/// the family is left out.
pub fn operation(id: &str) -> String {
    match (mode(id), verb(id)) {
        (Some(mode), Some(verb)) => format!("{mode} {verb}"),
        (None, Some(verb)) => verb.to_owned(),
        (_, None) if is_public_key(id) => id.replace('-', " "),
        (_, None) => words(id),
    }
}

/// Operations of public-key cryptography are words of the language: generate key.
fn is_public_key(operation: &str) -> bool {
    operations::find(operation).is_some_and(|known| catalogue::is_public_key(&known.family))
}

/// Returns the mode of a block cipher to which an operation belongs: `CBC` for `cbc-encrypt`.
pub fn mode(id: &str) -> Option<String> {
    let known = operations::find(id)?;
    (known.has_mode() && known.mode() != known.family).then(|| words(known.mode()))
}

/// Returns the part of an operation's id that distinguishes it from other operations of its mode
/// or, if it has no mode, of its family: `encrypt` for `cbc-encrypt`.
pub fn verb(id: &str) -> Option<&str> {
    let known = operations::find(id)?;
    let shared = if known.has_mode() {
        known.mode()
    } else {
        &known.family
    };
    id.strip_prefix(shared)?.strip_prefix('-')
}

fn words(id: &str) -> String {
    id.split('-').map(word).collect::<Vec<_>>().join("-")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_sorted_for_the_search() {
        assert!(WORDS.windows(2).all(|pair| pair[0].0 < pair[1].0));
    }

    #[test]
    fn ids_read_as_people_write_them() {
        for (id, name) in [
            ("aes-128", "AES-128"),
            ("chacha20-poly1305", "ChaCha20-Poly1305"),
            ("des-ede3", "3DES"),
            ("hmac-sha-256", "HMAC-SHA-256"),
            ("crypt-sha512", "crypt SHA-512"),
            ("twofish-256", "Twofish-256"),
            ("rsa-2048-oaep-sha-256", "RSA-2048-OAEP-SHA-256"),
            ("ecdsa-p256-sha-256", "ECDSA-P-256-SHA-256"),
            ("ml-kem-768", "ML-KEM-768"),
            ("brand-new", "Brand-New"),
        ] {
            assert_eq!(primitive(id), name);
        }
        for (id, name) in [
            ("cbc-encrypt", "CBC encrypt"),
            ("gcm-siv-decrypt", "GCM-SIV decrypt"),
            ("cmac", "CMAC"),
            ("hash", "hash"),
            ("aead-decrypt", "decrypt"),
            ("stream-keystream", "keystream"),
            ("des-cipher-25", "DES-Cipher-25"),
            ("generate-key", "generate key"),
            ("brand-new", "Brand-New"),
        ] {
            assert_eq!(operation(id), name);
        }
    }
}
