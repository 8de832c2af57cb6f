//! Public-key algorithms. A library implements [`PublicKeys`], and this module does the rest: it
//! reads the scheme from a primitive's id, makes the offers, and keeps the key.
//!
//! A key is in the library's own form before a message is processed. So the contract `hot` times
//! the calls with a ready key, and the contract `keyed` also times the reading of the key.

use crate::{Cell, Failure, Message, Offer, Operation, Work, der, offer, primitives};

/// What a key is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Use {
    /// A private key makes a signature.
    Sign,
    /// A public key checks a signature.
    Verify,
    /// A private key and the other side's public key make a shared secret.
    Agree,
    /// A public key encrypts.
    Encrypt,
    /// A private key decrypts.
    Decrypt,
}

impl Use {
    /// Returns whether the key is a public one.
    pub fn is_public(self) -> bool {
        matches!(self, Self::Verify | Self::Encrypt)
    }
}

const OPERATIONS: &[(&str, Use)] = &[
    ("sign", Use::Sign),
    ("verify", Use::Verify),
    ("agree", Use::Agree),
    ("public-encrypt", Use::Encrypt),
    ("private-decrypt", Use::Decrypt),
];

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
    /// ECDH: the curve.
    Ecdh(&'a str),
}

/// The length in bytes of keys without structure (RFC 7748, section 5; RFC 8032, sections 5.1 and
/// 5.2).
const RAW: &[(&str, usize)] = &[("ed25519", 32), ("ed448", 57), ("x25519", 32), ("x448", 56)];

impl<'a> Scheme<'a> {
    /// Reads a primitive's id.
    pub fn of(primitive: &'a str) -> Option<Self> {
        if RAW.iter().any(|(id, _)| *id == primitive) {
            return Some(Self::Raw(primitive));
        }
        let (family, rest) = primitive.split_once('-')?;
        let (name, rest) = rest.split_once('-').unwrap_or((rest, ""));
        let (padding, hash) = rest.split_once('-').unwrap_or((rest, ""));
        match (family, padding) {
            ("ecdsa", _) => Some(Self::Ecdsa(name, rest)),
            ("ecdh", "") => Some(Self::Ecdh(name)),
            ("rsa", "pkcs1") => Some(Self::Rsa(name.parse().ok()?, Padding::Pkcs1(hash))),
            ("rsa", "pss") => Some(Self::Rsa(name.parse().ok()?, Padding::Pss(hash))),
            ("rsa", "oaep") => Some(Self::Rsa(name.parse().ok()?, Padding::Oaep(hash))),
            _ => None,
        }
    }

    /// Returns the name of the hash; empty if the scheme has none.
    pub fn hash(self) -> &'a str {
        match self {
            Self::Rsa(_, Padding::Pkcs1(hash) | Padding::Pss(hash) | Padding::Oaep(hash))
            | Self::Ecdsa(_, hash) => hash,
            Self::Raw(_) | Self::Ecdh(_) => "",
        }
    }

    /// Returns the length of the keys in bytes, if they have no structure.
    fn key_bytes(self) -> Option<usize> {
        let Self::Raw(name) = self else { return None };
        let (_, bytes) = RAW.iter().find(|(id, _)| *id == name)?;
        Some(*bytes)
    }
}

/// A library with public-key algorithms. It must be cheap to clone.
pub trait PublicKeys: Clone + Send + Sync + 'static {
    /// A key in the library's own form, and all that a program keeps with it.
    type Key: 'static;

    /// Returns the library's calls for the offer; `None` if the library lacks this use of this
    /// scheme.
    fn api(&self, scheme: Scheme<'_>, what: Use) -> Option<&'static str>;

    /// Reads a key. A raw key has its length. `peer` is the other side's public key for an
    /// agreement, else empty. A peer's key that the library refuses is [`Failure::Rejected`].
    fn read(
        &self,
        scheme: Scheme<'_>,
        what: Use,
        key: &[u8],
        peer: &[u8],
    ) -> Result<Self::Key, Failure>;

    /// Processes one message. Returns the number of bytes written.
    fn process(
        &self,
        key: &mut Self::Key,
        what: Use,
        message: &Message<'_>,
        output: &mut [u8],
    ) -> Result<usize, Failure>;
}

/// Returns the offers of a library.
pub fn offers<L: PublicKeys>(library: &L) -> Vec<Offer> {
    let mut offers = Vec::new();
    for (id, what) in OPERATIONS {
        for primitive in primitives(id) {
            let scheme = Scheme::of(&primitive);
            if let Some(api) = scheme.and_then(|scheme| library.api(scheme, *what)) {
                offers.push(offer(&primitive, id, api));
            }
        }
    }
    offers
}

/// Returns a cell for this work; `None` if the work is not one of the library's offers.
pub fn cell<L: PublicKeys>(library: &L, work: &Work) -> Option<Result<Cell, Failure>> {
    let (_, what) = OPERATIONS.iter().find(|(id, _)| *id == work.operation)?;
    let scheme = Scheme::of(&work.primitive)?;
    library.api(scheme, *what)?;
    if let Some(bytes) = scheme.key_bytes() {
        let fits = work.need_key(bytes);
        if let Err(failure) = fits {
            return Some(Err(failure));
        }
        if *what == Use::Agree && work.other("peer").len() != bytes {
            return Some(Err(Failure::Rejected));
        }
    }
    let (library, what) = (library.clone(), *what);
    let (primitive, peer) = (work.primitive.clone(), work.other("peer").to_vec());
    Some(Ok(Cell::new(move || {
        Ok(Object {
            library: library.clone(),
            what,
            primitive: primitive.clone(),
            peer: peer.clone(),
            key: None,
        })
    })))
}

struct Object<L: PublicKeys> {
    library: L,
    what: Use,
    primitive: String,
    peer: Vec<u8>,
    key: Option<L::Key>,
}

impl<L: PublicKeys> Operation for Object<L> {
    fn set_key(&mut self, key: &[u8]) -> Result<(), Failure> {
        let scheme = Scheme::of(&self.primitive);
        let scheme = scheme.ok_or_else(|| Failure::unsupported("this scheme"))?;
        self.key = Some(self.library.read(scheme, self.what, key, &self.peer)?);
        Ok(())
    }

    #[inline]
    fn process(&mut self, message: &Message<'_>, output: &mut [u8]) -> Result<usize, Failure> {
        let key = self.key.as_mut();
        let key = key.ok_or_else(|| Failure::failed("no key was set"))?;
        self.library.process(key, self.what, message, output)
    }
}

/// The failure of a key that cannot be read.
pub fn unreadable() -> Failure {
    Failure::unsupported("a key of this form")
}

/// Returns the two numbers of a signature of ECDSA.
pub fn two_numbers(signature: &[u8]) -> Result<[&[u8]; 2], Failure> {
    let numbers = der::integers(signature).ok_or(Failure::Rejected)?;
    numbers.try_into().map_err(|_| Failure::Rejected)
}

/// Writes a signature of ECDSA from its two numbers, and returns its length.
pub fn write_two(numbers: [&[u8]; 2], output: &mut [u8]) -> usize {
    let signature = der::sequence(&numbers);
    output[..signature.len()].copy_from_slice(&signature);
    signature.len()
}

/// Returns the factor in a private key of a curve.
pub fn factor(key: &[u8]) -> Result<&[u8], Failure> {
    let parts = der::private_key(key).ok_or_else(unreadable)?;
    der::scalar(parts.key).ok_or_else(unreadable)
}

/// Returns the encoded point in the other side's public key, which must be on the curve of the
/// private key.
pub fn point_of_peer<'a>(key: &[u8], peer: &'a [u8]) -> Result<&'a [u8], Failure> {
    let own = der::private_key(key).ok_or_else(unreadable)?;
    let peer = der::public_key(peer).ok_or(Failure::Rejected)?;
    if own.algorithm != peer.algorithm {
        return Err(Failure::Rejected);
    }
    Ok(peer.key)
}

/// Returns the coordinates of a point that is not compressed (SEC 1, 2.3.3), as long as a
/// coordinate is; `None` for every other encoding.
pub fn coordinates(point: &[u8], bytes: usize) -> Option<[&[u8]; 2]> {
    let rest = point.strip_prefix(&[4])?;
    (rest.len() == 2 * bytes).then(|| rest.split_at(bytes).into())
}

/// Returns the modulus and the exponent of a public key of RSA.
pub fn modulus_and_exponent(key: &[u8]) -> Result<[&[u8]; 2], Failure> {
    let parts = der::public_key(key).ok_or_else(unreadable)?;
    let numbers = der::integers(parts.key).ok_or_else(unreadable)?;
    numbers.try_into().map_err(|_| unreadable())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_primitive_of_an_operation_has_a_scheme() {
        for (operation, _) in OPERATIONS {
            for primitive in primitives(operation) {
                assert!(Scheme::of(&primitive).is_some(), "{primitive}");
            }
        }
        for (id, scheme) in [
            ("ed448", Scheme::Raw("ed448")),
            ("rsa-2048-pkcs1", Scheme::Rsa(2048, Padding::Pkcs1(""))),
            (
                "rsa-3072-pss-sha-256",
                Scheme::Rsa(3072, Padding::Pss("sha-256")),
            ),
            ("ecdsa-p192-sha-1", Scheme::Ecdsa("p192", "sha-1")),
            ("ecdh-k283", Scheme::Ecdh("k283")),
        ] {
            assert_eq!(Scheme::of(id), Some(scheme));
        }
        assert_eq!(Scheme::of("ed25519-ph"), None);
        assert_eq!(Scheme::of("rsa-2048-raw"), None);
    }

    #[test]
    fn a_point_has_two_coordinates_of_the_same_length() {
        assert_eq!(
            coordinates(&[4, 1, 2, 3, 4], 2),
            Some([&[1, 2][..], &[3, 4]])
        );
        for (point, bytes) in [(&[4, 1, 2][..], 2), (&[2, 1, 2], 2), (&[], 0)] {
            assert_eq!(coordinates(point, bytes), None);
        }
    }

    #[test]
    fn a_signature_is_two_numbers() {
        let mut room = [0; 16];
        let bytes = write_two([&[0, 1], &[0x80]], &mut room);
        assert_eq!(two_numbers(&room[..bytes]), Ok([&[1][..], &[0x80]]));
        let three = der::sequence(&[&[1], &[2], &[3]]);
        assert_eq!(two_numbers(&three), Err(Failure::Rejected));
    }
}
