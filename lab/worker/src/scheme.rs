//! The schemes of public-key algorithms, as the ids of primitives name them.

/// How RSA pads a message (RFC 8017, sections 7 to 9).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Padding<'a> {
    /// PKCS #1 v1.5. A signature has a hash, encryption has none.
    Pkcs1(&'a str),
    /// PSS with this hash; the salt is as long as the hash.
    Pss(&'a str),
    /// OAEP with this hash, which the mask uses too, and without a label.
    Oaep(&'a str),
}

/// The scheme that a primitive's id names. Hashes and curves have the lab's names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scheme<'a> {
    /// RFC 7748 or RFC 8032: `ed25519`, `ed448`, `x25519` or `x448`.
    Raw(&'a str),
    /// RSA: the bits of the modulus, and the padding.
    Rsa(usize, Padding<'a>),
    /// ECDSA: the curve and the hash.
    Ecdsa(&'a str, &'a str),
    /// ECDSA with the nonces of RFC 6979: the curve and the hash.
    DeterministicEcdsa(&'a str, &'a str),
    /// ECDH: the curve.
    Ecdh(&'a str),
    /// DSA: the bits of the modulus, and the hash.
    Dsa(usize, &'a str),
    /// Diffie and Hellman in a group of RFC 7919, such as `ffdhe2048`.
    Dh(&'a str),
    /// ML-KEM, ML-DSA or SLH-DSA (FIPS 203 to 205), by the parameter set's name.
    PostQuantum(&'a str),
    /// ECGDSA, the German signature (BSI TR-03111, 4.2.2): the curve and the hash.
    Ecgdsa(&'a str, &'a str),
    /// EC-KCDSA, the Korean signature (ISO/IEC 14888-3): the curve and the hash.
    Eckcdsa(&'a str, &'a str),
    /// Nyberg and Rueppel's signature on a curve (IEEE 1363, DL/ECSSA-NR): the curve and the hash.
    Ecnr(&'a str, &'a str),
    /// SM2's signature (GB/T 32918.2) with SM3 and the usual identity, [`SM2_IDENTITY`].
    Sm2,
    /// GOST R 34.10: `2001`, or `2012-256` or `2012-512`.
    Gost(&'a str),
    /// ElGamal's encryption with PKCS #1 v1.5's padding: the bits of the modulus.
    ElGamal(usize),
}

/// The identity of a signer who has chosen none (RFC 8998, section 3.2.1).
pub const SM2_IDENTITY: &[u8] = b"1234567812345678";

/// The forms of GOST R 34.10: the hash, and the bytes of a factor, of a coordinate and of half of a
/// signature. The curves are `gost256a` and `gost512a`.
const GOST: &[(&str, &str, usize)] = &[
    ("2001", "gost94-cryptopro", 32),
    ("2012-256", "streebog-256", 32),
    ("2012-512", "streebog-512", 64),
];

/// The length in bytes of keys without structure (RFC 7748, section 5; RFC 8032, sections 5.1 and
/// 5.2).
const RAW: &[(&str, usize)] = &[("ed25519", 32), ("ed448", 57), ("x25519", 32), ("x448", 56)];

/// The lengths in bytes of private keys, public keys, and ciphertexts or signatures (FIPS 203, table
/// 3; FIPS 204, table 2; FIPS 205, table 2). A private key of ML-KEM is the seed d ‖ z (FIPS 203,
/// 7.1), and one of ML-DSA is the seed ξ (FIPS 204, 5.1).
const POST_QUANTUM: &[(&str, [usize; 3])] = &[
    ("ml-kem-512", [64, 800, 768]),
    ("ml-kem-768", [64, 1184, 1088]),
    ("ml-kem-1024", [64, 1568, 1568]),
    ("ml-dsa-44", [32, 1312, 2420]),
    ("ml-dsa-65", [32, 1952, 3309]),
    ("ml-dsa-87", [32, 2592, 4627]),
    ("slh-dsa-sha2-128f", [64, 32, 17088]),
    ("slh-dsa-shake-128f", [64, 32, 17088]),
];

impl<'a> Scheme<'a> {
    /// Reads a primitive's id.
    pub fn of(primitive: &'a str) -> Option<Self> {
        if RAW.iter().any(|(id, _)| *id == primitive) {
            return Some(Self::Raw(primitive));
        }
        if POST_QUANTUM.iter().any(|(id, _)| *id == primitive) {
            return Some(Self::PostQuantum(primitive));
        }
        let (family, rest) = primitive.split_once('-')?;
        let (name, rest) = rest.split_once('-').unwrap_or((rest, ""));
        let (padding, hash) = rest.split_once('-').unwrap_or((rest, ""));
        match (family, padding) {
            ("sm2", "") if name == "sm3" => Some(Self::Sm2),
            ("gost", _) if name == "3410" => {
                let (form, ..) = GOST.iter().find(|(form, ..)| *form == rest)?;
                Some(Self::Gost(form))
            }
            ("ecgdsa", _) => Some(Self::Ecgdsa(name, rest)),
            ("eckcdsa", _) => Some(Self::Eckcdsa(name, rest)),
            ("ecnr", _) => Some(Self::Ecnr(name, rest)),
            ("elgamal", "pkcs1") => Some(Self::ElGamal(name.parse().ok()?)),
            ("ecdsa", _) => Some(match rest.strip_suffix("-deterministic") {
                Some(hash) => Self::DeterministicEcdsa(name, hash),
                None => Self::Ecdsa(name, rest),
            }),
            ("ecdh", "") => Some(Self::Ecdh(name)),
            ("dsa", _) => Some(Self::Dsa(name.parse().ok()?, rest)),
            ("dh", "") => Some(Self::Dh(name)),
            ("rsa", "pkcs1") => Some(Self::Rsa(name.parse().ok()?, Padding::Pkcs1(hash))),
            ("rsa", "pss") => Some(Self::Rsa(name.parse().ok()?, Padding::Pss(hash))),
            ("rsa", "oaep") => Some(Self::Rsa(name.parse().ok()?, Padding::Oaep(hash))),
            _ => None,
        }
    }

    /// Returns whether the scheme is one that few libraries have: all but RSA, ECDSA, ECDH, DSA,
    /// Diffie and Hellman's, and those of RFC 7748, RFC 8032 and FIPS 203 to 205.
    pub fn is_rare(self) -> bool {
        matches!(
            self,
            Self::Ecgdsa(..)
                | Self::Eckcdsa(..)
                | Self::Ecnr(..)
                | Self::Sm2
                | Self::Gost(_)
                | Self::ElGamal(_)
        )
    }

    /// Returns the name of the hash; empty if the scheme has none.
    pub fn hash(self) -> &'a str {
        match self {
            Self::Rsa(_, Padding::Pkcs1(hash) | Padding::Pss(hash) | Padding::Oaep(hash))
            | Self::Ecdsa(_, hash)
            | Self::DeterministicEcdsa(_, hash)
            | Self::Ecgdsa(_, hash)
            | Self::Eckcdsa(_, hash)
            | Self::Ecnr(_, hash)
            | Self::Dsa(_, hash) => hash,
            Self::Sm2 => "sm3",
            Self::Gost(form) => GOST
                .iter()
                .find(|(id, ..)| *id == form)
                .map_or("", |(_, hash, _)| hash),
            Self::Raw(_)
            | Self::Ecdh(_)
            | Self::Dh(_)
            | Self::ElGamal(_)
            | Self::PostQuantum(_) => "",
        }
    }

    /// Returns the lengths of the private and the public key in bytes, if the keys have no
    /// structure.
    pub fn key_bytes(self) -> Option<[usize; 2]> {
        match self {
            Self::Raw(name) => {
                let (_, bytes) = RAW.iter().find(|(id, _)| *id == name)?;
                Some([*bytes, *bytes])
            }
            Self::PostQuantum(name) => {
                let (_, [private, public, _]) = POST_QUANTUM.iter().find(|(id, _)| *id == name)?;
                Some([*private, *public])
            }
            Self::Gost(form) => {
                let (.., bytes) = GOST.iter().find(|(id, ..)| *id == form)?;
                Some([*bytes, 1 + 2 * bytes])
            }
            _ => None,
        }
    }

    /// Returns the length in bytes of a ciphertext of ML-KEM, or of a signature of ML-DSA or
    /// SLH-DSA; 0 for every other scheme.
    pub fn answer_bytes(self) -> usize {
        let Self::PostQuantum(name) = self else {
            return 0;
        };
        let found = POST_QUANTUM.iter().find(|(id, _)| *id == name);
        found.map_or(0, |(_, [.., bytes])| *bytes)
    }

    /// Returns the length of a public key in bytes, if all public keys of the scheme have the same:
    /// a key of RSA does, since its exponent is 65537 and its modulus has its highest bit.
    pub fn public_bytes(self) -> Option<usize> {
        match self {
            Self::Rsa(1024, _) => Some(162),
            Self::Rsa(2048, _) => Some(294),
            Self::Rsa(3072, _) => Some(422),
            Self::Rsa(4096, _) => Some(550),
            _ => self.key_bytes().map(|[_, public]| public),
        }
    }

    /// Returns whether making a key takes many seconds.
    pub(crate) fn is_slow_to_generate(self) -> bool {
        matches!(self, Self::Rsa(4097.., _))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_scheme_is_read_from_its_id() {
        for (id, scheme) in [
            ("ed448", Scheme::Raw("ed448")),
            ("rsa-2048-pkcs1", Scheme::Rsa(2048, Padding::Pkcs1(""))),
            (
                "rsa-3072-pss-sha-256",
                Scheme::Rsa(3072, Padding::Pss("sha-256")),
            ),
            ("ecdsa-p192-sha-1", Scheme::Ecdsa("p192", "sha-1")),
            ("ecdh-k283", Scheme::Ecdh("k283")),
            (
                "ecdsa-p256-sha-256-deterministic",
                Scheme::DeterministicEcdsa("p256", "sha-256"),
            ),
            ("dsa-2048-sha-256", Scheme::Dsa(2048, "sha-256")),
            ("dh-ffdhe2048", Scheme::Dh("ffdhe2048")),
            ("ml-kem-768", Scheme::PostQuantum("ml-kem-768")),
            ("sm2-sm3", Scheme::Sm2),
            ("gost-3410-2012-512", Scheme::Gost("2012-512")),
            ("ecgdsa-p256-sha-256", Scheme::Ecgdsa("p256", "sha-256")),
            ("eckcdsa-p224-sha-224", Scheme::Eckcdsa("p224", "sha-224")),
            ("ecnr-p256-sha-224", Scheme::Ecnr("p256", "sha-224")),
            ("elgamal-2048-pkcs1", Scheme::ElGamal(2048)),
        ] {
            assert_eq!(Scheme::of(id), Some(scheme));
        }
        assert_eq!(Scheme::of("ed25519-ph"), None);
        assert_eq!(Scheme::of("rsa-2048-raw"), None);
        assert_eq!(Scheme::of("gost-3410-1994"), None);
        assert_eq!(Scheme::Gost("2001").hash(), "gost94-cryptopro");
        assert_eq!(Scheme::Gost("2012-512").key_bytes(), Some([64, 129]));
    }
}
