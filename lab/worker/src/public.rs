//! Public-key algorithms. A library implements [`PublicKeys`], and this module does the rest: it
//! reads the scheme from a primitive's id, makes the offers, and keeps the key.
//!
//! A key is in the library's own form before a message is processed. So the contract `hot` times
//! the calls with a ready key, and the contract `keyed` also times the reading of the key.

pub use crate::scheme::{Padding, SM2_IDENTITY, Scheme};
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
    /// A public key makes a shared secret and its ciphertext.
    Encapsulate,
    /// A private key opens a shared secret.
    Decapsulate,
    /// A key pair is made.
    Generate,
}

impl Use {
    /// Returns whether the key is a public one.
    pub fn is_public(self) -> bool {
        matches!(self, Self::Verify | Self::Encrypt | Self::Encapsulate)
    }
}

const OPERATIONS: &[(&str, Use)] = &[
    ("sign", Use::Sign),
    ("verify", Use::Verify),
    ("agree", Use::Agree),
    ("public-encrypt", Use::Encrypt),
    ("private-decrypt", Use::Decrypt),
    ("encapsulate", Use::Encapsulate),
    ("decapsulate", Use::Decapsulate),
    ("generate-key", Use::Generate),
    ("generate-kem-key", Use::Generate),
];

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

    /// Makes a key pair, in the library's own form. A library that offers [`Use::Generate`]
    /// implements this function.
    fn generate(&self, scheme: Scheme<'_>) -> Result<Box<dyn Pair>, Failure> {
        let _ = scheme;
        Err(Failure::unsupported("key generation"))
    }
}

/// A new key pair.
pub trait Pair {
    /// Returns the encoded public key.
    fn public(&self) -> Result<Vec<u8>, Failure>;

    /// Returns the encoded private key.
    fn private(&self) -> Result<Vec<u8>, Failure>;
}

/// Returns the offers of a library.
pub fn offers<L: PublicKeys>(library: &L) -> Vec<Offer> {
    let mut offers = Vec::new();
    for (id, what) in OPERATIONS {
        for primitive in primitives(id) {
            let scheme = Scheme::of(&primitive);
            let scheme =
                scheme.filter(|scheme| *what != Use::Generate || !scheme.is_slow_to_generate());
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
    if *what == Use::Generate {
        return Some(generator(library.clone(), &work.primitive, scheme));
    }
    if let Some([private, public]) = scheme.key_bytes() {
        let bytes = if what.is_public() { public } else { private };
        let fits = work.need_key(bytes);
        if let Err(failure) = fits {
            return Some(Err(failure));
        }
        if *what == Use::Agree && work.other("peer").len() != public {
            return Some(Err(Failure::Rejected));
        }
        if *what == Use::Decapsulate && work.other("ciphertext").len() != scheme.answer_bytes() {
            return Some(Err(Failure::Rejected));
        }
    }
    let (library, what) = (library.clone(), *what);
    let (primitive, peer) = (work.primitive.clone(), work.other("peer").to_vec());
    let ciphertext = scheme.answer_bytes();
    let cell = Cell::new(move || {
        Ok(Object {
            library: library.clone(),
            what,
            primitive: primitive.clone(),
            peer: peer.clone(),
            key: None,
        })
    });
    Some(Ok(match what {
        Use::Encapsulate => cell.gives(&[("ciphertext", ciphertext), ("output", Cell::REST)]),
        _ => cell,
    }))
}

/// Returns a cell that makes keys. Where the scheme does not say how long a public key is, a first
/// key does.
fn generator<L: PublicKeys>(
    library: L,
    primitive: &str,
    scheme: Scheme<'_>,
) -> Result<Cell, Failure> {
    let public = match scheme.public_bytes() {
        Some(bytes) => bytes,
        None => library.generate(scheme)?.public()?.len(),
    };
    let primitive = primitive.to_owned();
    let cell = Cell::new(move || {
        Ok(Generator {
            library: library.clone(),
            primitive: primitive.clone(),
            pair: None,
        })
    });
    Ok(cell.gives(&[("public", public), ("key", Cell::REST)]))
}

/// What makes keys, and the last key.
struct Generator<L: PublicKeys> {
    library: L,
    primitive: String,
    pair: Option<Box<dyn Pair>>,
}

impl<L: PublicKeys> Operation for Generator<L> {
    #[inline]
    fn process(&mut self, _: &Message<'_>, _: &mut [u8]) -> Result<usize, Failure> {
        let scheme = Scheme::of(&self.primitive);
        let scheme = scheme.ok_or_else(|| Failure::unsupported("this scheme"))?;
        self.pair = Some(self.library.generate(scheme)?);
        Ok(0)
    }

    fn deliver(&mut self, output: &mut [u8], _: usize) -> Result<usize, Failure> {
        let pair = self.pair.as_ref();
        let pair = pair.ok_or_else(|| Failure::failed("no key was made"))?;
        let pair = [pair.public()?, pair.private()?].concat();
        let room = output.get_mut(..pair.len());
        let room = room.ok_or_else(|| Failure::failed("a key that is too long"))?;
        room.copy_from_slice(&pair);
        Ok(pair.len())
    }
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

/// Returns the two numbers of a signature that has them side by side (RFC 7091, section 6.1).
pub fn halves(signature: &[u8], bytes: usize) -> Result<[&[u8]; 2], Failure> {
    let fits = signature.len() == 2 * bytes;
    fits.then(|| signature.split_at(bytes).into())
        .ok_or(Failure::Rejected)
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

/// The numbers a, b, x and y of SM2's curve and its base point (GB/T 32918.5, 3).
const SM2_CURVE: &str = "fffffffeffffffffffffffffffffffffffffffff00000000fffffffffffffffc\
    28e9fa9e9d9f5e344d5a9e4bcf6509a7f39789f515ab8f92ddbcbd414d940e93\
    32c4ae2c1f1981195f9904466a39c9948fe30bbff2660be1715a4589334c74c7\
    bc3736a2f4f6779c59bdcee36b692153d0a9877cc62a474002df32e52139f0a0";

/// Returns the bytes whose hash stands before a message that is signed with SM2 (GB/T 32918.2, 5.5):
/// the length of the identity in bits, the identity, the curve and the signer's public key, which is
/// an uncompressed point.
pub fn sm2_signer(point: &[u8]) -> Result<Vec<u8>, Failure> {
    let [x, y] = coordinates(point, 32).ok_or_else(unreadable)?;
    let curve = touchstone_wire::from_hex(SM2_CURVE).ok_or_else(unreadable)?;
    let bits = (8 * SM2_IDENTITY.len() as u16).to_be_bytes();
    Ok([&bits[..], SM2_IDENTITY, &curve, x, y].concat())
}

/// Returns the numbers of a key of DSA: p, q and g, and then x of a private key or y of a public one
/// (RFC 3279, section 2.3.2).
pub fn dsa_numbers(key: &[u8], is_public: bool) -> Result<[&[u8]; 4], Failure> {
    let parts = if is_public {
        der::public_key(key)
    } else {
        der::private_key(key)
    };
    let numbers = parts.and_then(|parts| {
        let [p, q, g] = der::integers(der::parameters(parts.algorithm)?)?[..] else {
            return None;
        };
        Some([p, q, g, der::integer(parts.key)?])
    });
    numbers.ok_or_else(unreadable)
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
    }

    /// Makes keys of Ed448's lengths.
    #[derive(Clone)]
    struct Maker;

    struct Made;

    impl Pair for Made {
        fn public(&self) -> Result<Vec<u8>, Failure> {
            Ok(vec![1; 57])
        }

        fn private(&self) -> Result<Vec<u8>, Failure> {
            Ok(vec![2; 57])
        }
    }

    impl PublicKeys for Maker {
        type Key = ();

        fn api(&self, scheme: Scheme<'_>, what: Use) -> Option<&'static str> {
            let is_ed448 = scheme == Scheme::Raw("ed448");
            let is_long = matches!(scheme, Scheme::Rsa(..));
            (what == Use::Generate && (is_ed448 || is_long)).then_some("make")
        }

        fn read(&self, _: Scheme<'_>, _: Use, _: &[u8], _: &[u8]) -> Result<(), Failure> {
            Ok(())
        }

        fn process(
            &self,
            (): &mut (),
            _: Use,
            _: &Message<'_>,
            _: &mut [u8],
        ) -> Result<usize, Failure> {
            Ok(0)
        }

        fn generate(&self, _: Scheme<'_>) -> Result<Box<dyn Pair>, Failure> {
            Ok(Box::new(Made))
        }
    }

    #[test]
    fn a_generator_gives_the_public_and_the_private_key() {
        let work = Work {
            primitive: "ed448".into(),
            operation: "generate-key".into(),
            ..Work::default()
        };
        let mut cell = cell(&Maker, &work).expect("an offer").expect("a cell");
        let written = cell.check(&work).expect("a key");
        let named = cell.named(written).expect("two outputs");
        let lengths: Vec<_> = named.iter().map(|(id, data)| (&**id, data.len())).collect();
        assert_eq!(lengths, [("key", 57), ("public", 57)]);
        let made = offers(&Maker);
        let has = |id: &str| made.iter().any(|offer| offer.primitive == id);
        assert!(has("ed448") && has("rsa-4096-pkcs1-sha-256") && !has("rsa-8192-pkcs1-sha-256"));
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
    fn the_signer_of_sm2_has_an_identity_and_a_point() {
        let point = [&[4][..], &[7; 64]].concat();
        let bytes = sm2_signer(&point).unwrap();
        assert_eq!(bytes.len(), 2 + 16 + 6 * 32);
        assert_eq!(bytes[..3], [0, 128, b'1']);
        assert_eq!(bytes[18 + 128..], [7; 64]);
        assert!(sm2_signer(&point[1..]).is_err());
    }

    #[test]
    fn halves_of_a_signature_have_the_same_length() {
        assert_eq!(halves(&[1, 2, 3, 4], 2), Ok([&[1, 2][..], &[3, 4]]));
        assert_eq!(halves(&[1, 2, 3], 2), Err(Failure::Rejected));
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
