//! Public-key algorithms. A library implements [`PublicKeys`], and this module does the rest: it
//! reads the scheme from a primitive's id, makes the offers, and keeps the key.
//!
//! A key is in the library's own form before a message is processed. So the contract `hot` times
//! the calls with a ready key, and the contract `keyed` also times the reading of the key.

use crate::catalogue::known;
pub use crate::parts::{
    coordinates, dh_numbers, dsa_numbers, factor, halves, hex_number, modulus_and_exponent,
    point_of_peer, sm2_signer, two_numbers, unreadable, write_two,
};
pub use crate::scheme::{Padding, SM2_IDENTITY, Scheme};
use crate::{Cell, Failure, Message, Offer, Operation, Work, keyed, offer, primitives};

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
    (EXPLICIT, Use::Agree),
    ("public-encrypt", Use::Encrypt),
    ("private-decrypt", Use::Decrypt),
    ("encapsulate", Use::Encapsulate),
    ("decapsulate", Use::Decapsulate),
    ("generate-key", Use::Generate),
    ("generate-kem-key", Use::Generate),
];

/// Agreement with a public key that describes its curve by numbers.
const EXPLICIT: &str = "agree-explicit";

/// A library with public-key algorithms. It must be cheap to clone.
pub trait PublicKeys: Clone + Send + Sync + 'static {
    /// A key in the library's own form, and all that a program keeps with it.
    type Key: 'static;

    /// Returns the library's calls for the offer; `None` if the library lacks this use of this
    /// scheme.
    fn api(&self, scheme: Scheme<'_>, what: Use) -> Option<&'static str>;

    /// Returns whether the library takes public keys that describe their curve by numbers, and not
    /// by its name.
    fn takes_explicit_curves(&self) -> bool {
        false
    }

    /// Reads a key. A raw key has its length. `peer` is the other side's public key for an
    /// agreement, else empty. A peer's key that the library refuses is [`Failure::Rejected`].
    ///
    /// A library implements this function, or [`PublicKeys::read_after`] if its objects keep
    /// something from one key to the next.
    fn read(
        &self,
        scheme: Scheme<'_>,
        what: Use,
        key: &[u8],
        peer: &[u8],
    ) -> Result<Self::Key, Failure> {
        self.read_after(None, scheme, what, key, peer)
    }

    /// Reads a key. It takes over from the object's last key what a program makes once, such as a
    /// generator of random numbers; an object's first key makes this itself.
    fn read_after(
        &self,
        last: Option<Self::Key>,
        scheme: Scheme<'_>,
        what: Use,
        key: &[u8],
        peer: &[u8],
    ) -> Result<Self::Key, Failure> {
        let read = self.read(scheme, what, key, peer);
        drop(last);
        read
    }

    /// Processes one message. Returns the number of bytes written.
    fn process(
        &self,
        key: &mut Self::Key,
        what: Use,
        message: &Message<'_>,
        output: &mut [u8],
    ) -> Result<usize, Failure>;

    /// Makes a key pair, in the library's own form. A library that offers [`Use::Generate`]
    /// implements this function, or [`PublicKeys::generator`].
    fn generate(&self, scheme: Scheme<'_>) -> Result<Box<dyn Pair>, Failure> {
        let _ = scheme;
        Err(Failure::unsupported("key generation"))
    }

    /// Returns a cell that makes key pairs. A library replaces this function if a program keeps
    /// something from one pair to the next, such as a context: then it calls [`generator`] with a
    /// [`Maker`] of its own.
    fn generator(&self, scheme: Scheme<'static>) -> Result<Cell, Failure> {
        let library = self.clone();
        generator(scheme, move || {
            Ok(Fresh {
                library: library.clone(),
                scheme,
                pair: None,
            })
        })
    }
}

/// A new key pair.
pub trait Pair {
    /// Returns the encoded public key.
    fn public(&self) -> Result<Vec<u8>, Failure>;

    /// Returns the encoded private key.
    fn private(&self) -> Result<Vec<u8>, Failure>;
}

/// What makes key pairs, and the last pair.
pub trait Maker: Pair {
    /// Makes a pair in place of the last.
    fn make(&mut self) -> Result<(), Failure>;
}

/// Returns the library's calls for an operation; `None` if the library lacks it, or if it takes too
/// long.
fn api<L: PublicKeys>(
    library: &L,
    id: &str,
    scheme: Scheme<'_>,
    what: Use,
) -> Option<&'static str> {
    let explicit = matches!(scheme, Scheme::Ecdh(_)) && library.takes_explicit_curves();
    let slow = what == Use::Generate && scheme.is_slow_to_generate();
    library
        .api(scheme, what)
        .filter(|_| (id != EXPLICIT || explicit) && !slow)
}

/// Returns whether the work's operation is one of this module.
pub fn covers(work: &Work) -> bool {
    OPERATIONS.iter().any(|(id, _)| *id == work.operation)
}

/// Returns the offers of a library.
pub fn offers<L: PublicKeys>(library: &L) -> Vec<Offer> {
    let mut offers = Vec::new();
    for (id, what) in OPERATIONS {
        for primitive in primitives(id) {
            let scheme = Scheme::of(&primitive);
            if let Some(api) = scheme.and_then(|scheme| api(library, id, scheme, *what)) {
                offers.push(offer(&primitive, id, api));
            }
        }
    }
    offers
}

/// Returns a cell for this work; `None` if the work is not one of the library's offers.
pub fn cell<L: PublicKeys>(library: &L, work: &Work) -> Option<Result<Cell, Failure>> {
    let (id, what) = OPERATIONS.iter().find(|(id, _)| *id == work.operation)?;
    let scheme = Scheme::of(known(id, &work.primitive)?)?;
    api(library, id, scheme, *what)?;
    if *what == Use::Generate {
        return Some(library.generator(scheme));
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
    let peer = work.other("peer").to_vec();
    let ciphertext = scheme.answer_bytes();
    let cell = Cell::new(move || {
        Ok(Object {
            key: None,
            library: library.clone(),
            what,
            scheme,
            peer: peer.clone(),
        })
    });
    Some(Ok(match what {
        Use::Encapsulate => cell.gives(&[("ciphertext", ciphertext), ("output", Cell::REST)]),
        _ => cell,
    }))
}

/// Returns a cell that makes key pairs with the makers that `open` gives. Where the scheme does not
/// say how long a public key is, a first key does.
pub fn generator<M: Maker + 'static>(
    scheme: Scheme<'_>,
    open: impl Fn() -> Result<M, Failure> + Send + Sync + 'static,
) -> Result<Cell, Failure> {
    let public = match scheme.public_bytes() {
        Some(bytes) => bytes,
        None => {
            let mut maker = open()?;
            maker.make()?;
            maker.public()?.len()
        }
    };
    let cell = Cell::new(move || open().map(Generator));
    Ok(cell.gives(&[("public", public), ("key", Cell::REST)]))
}

/// What makes the pairs of a library that keeps nothing from one pair to the next.
struct Fresh<L: PublicKeys> {
    library: L,
    scheme: Scheme<'static>,
    pair: Option<Box<dyn Pair>>,
}

impl<L: PublicKeys> Fresh<L> {
    fn last(&self) -> Result<&dyn Pair, Failure> {
        let pair = self.pair.as_deref();
        pair.ok_or_else(|| Failure::failed("no key was made"))
    }
}

impl<L: PublicKeys> Maker for Fresh<L> {
    #[inline]
    fn make(&mut self) -> Result<(), Failure> {
        self.pair = Some(self.library.generate(self.scheme)?);
        Ok(())
    }
}

impl<L: PublicKeys> Pair for Fresh<L> {
    fn public(&self) -> Result<Vec<u8>, Failure> {
        self.last()?.public()
    }

    fn private(&self) -> Result<Vec<u8>, Failure> {
        self.last()?.private()
    }
}

struct Generator<M>(M);

impl<M: Maker> Operation for Generator<M> {
    #[inline]
    fn process(&mut self, _: &Message<'_>, _: &mut [u8]) -> Result<usize, Failure> {
        self.0.make()?;
        Ok(0)
    }

    fn deliver(&mut self, output: &mut [u8], _: usize) -> Result<usize, Failure> {
        put(&[self.0.public()?, self.0.private()?].concat(), output)
    }
}

/// Writes an answer to the output, and returns its length.
#[inline]
pub fn put(answer: &[u8], output: &mut [u8]) -> Result<usize, Failure> {
    let room = output.get_mut(..answer.len());
    let room = room.ok_or_else(|| Failure::failed("no room for an answer"))?;
    room.copy_from_slice(answer);
    Ok(answer.len())
}

/// Splits the output into the places of a ciphertext of this length and of the shared secret, which
/// an encapsulation gives one after the other.
#[inline]
pub fn encapsulated(output: &mut [u8], ciphertext: usize) -> Result<[&mut [u8]; 2], Failure> {
    let places = output.split_at_mut_checked(ciphertext);
    let places = places.ok_or_else(|| Failure::failed("no room for a ciphertext"))?;
    Ok(places.into())
}

/// Returns the answer of a check: how many bytes were written, or that the input is forged.
#[inline]
pub fn accepted(is_good: bool, written: usize) -> Result<usize, Failure> {
    if is_good {
        Ok(written)
    } else {
        Err(Failure::Rejected)
    }
}

struct Object<L: PublicKeys> {
    library: L,
    what: Use,
    /// The scheme, whose names are the catalogue's: it is not read again for each key.
    scheme: Scheme<'static>,
    peer: Vec<u8>,
    key: Option<L::Key>,
}

impl<L: PublicKeys> Operation for Object<L> {
    fn set_key(&mut self, key: &[u8]) -> Result<(), Failure> {
        let (library, last) = (&self.library, self.key.take());
        let key = library.read_after(last, self.scheme, self.what, key, &self.peer)?;
        self.key = Some(key);
        Ok(())
    }

    #[inline]
    fn process(&mut self, message: &Message<'_>, output: &mut [u8]) -> Result<usize, Failure> {
        let key = keyed(&mut self.key)?;
        self.library.process(key, self.what, message, output)
    }
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

    /// Keys of Ed448's lengths.
    struct Made;

    impl Pair for Made {
        fn public(&self) -> Result<Vec<u8>, Failure> {
            Ok(vec![1; 57])
        }

        fn private(&self) -> Result<Vec<u8>, Failure> {
            Ok(vec![2; 57])
        }
    }

    /// A library that does nothing but make keys.
    #[derive(Clone)]
    struct Planted {
        api: fn(Scheme<'_>, Use) -> Option<&'static str>,
        takes_explicit_curves: bool,
    }

    /// Makes keys of Ed448 and RSA.
    const MAKER: Planted = Planted {
        api: |scheme, what| {
            let is_ed448 = scheme == Scheme::Raw("ed448");
            let is_long = matches!(scheme, Scheme::Rsa(..));
            (what == Use::Generate && (is_ed448 || is_long)).then_some("make")
        },
        takes_explicit_curves: false,
    };

    impl PublicKeys for Planted {
        type Key = ();

        fn api(&self, scheme: Scheme<'_>, what: Use) -> Option<&'static str> {
            (self.api)(scheme, what)
        }

        fn takes_explicit_curves(&self) -> bool {
            self.takes_explicit_curves
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
    fn only_curves_are_described_by_numbers_and_only_if_a_library_takes_them() {
        let has = |takes, primitive: &str| {
            let work = Work {
                primitive: primitive.into(),
                operation: EXPLICIT.into(),
                key: vec![1; 32],
                ..Work::default()
            };
            let library = Planted {
                api: |_, what| (what == Use::Agree).then_some("agree"),
                takes_explicit_curves: takes,
            };
            let offers = offers(&library);
            let offered = offers
                .iter()
                .any(|offer| offer.primitive == primitive && offer.operation == EXPLICIT);
            assert_eq!(cell(&library, &work).is_some(), offered, "{primitive}");
            offered
        };
        assert!(has(true, "ecdh-p256"));
        assert!(!has(true, "x25519") && !has(false, "ecdh-p256"));
    }

    /// Signs with its keys' number: an object counts the keys that it has had.
    #[derive(Clone)]
    struct Counter;

    impl PublicKeys for Counter {
        type Key = u8;

        fn api(&self, _: Scheme<'_>, what: Use) -> Option<&'static str> {
            (what == Use::Sign).then_some("count")
        }

        fn read_after(
            &self,
            last: Option<u8>,
            _: Scheme<'_>,
            _: Use,
            _: &[u8],
            _: &[u8],
        ) -> Result<u8, Failure> {
            Ok(last.map_or(1, |keys| keys + 1))
        }

        fn process(
            &self,
            keys: &mut u8,
            _: Use,
            _: &Message<'_>,
            output: &mut [u8],
        ) -> Result<usize, Failure> {
            put(&[*keys], output)
        }
    }

    #[test]
    fn an_object_keeps_what_its_last_key_had() {
        let work = Work {
            primitive: "ed448".into(),
            operation: "sign".into(),
            key: vec![1; 57],
            ..Work::default()
        };
        let mut cell = cell(&Counter, &work).expect("an offer").expect("a cell");
        assert_eq!(cell.check(&work), Ok(vec![1]));
        let mut object = Object {
            library: Counter,
            what: Use::Sign,
            scheme: Scheme::Raw("ed448"),
            peer: Vec::new(),
            key: Some(5),
        };
        assert_eq!(object.set_key(&[]), Ok(()));
        assert_eq!(object.key, Some(6));
    }

    #[test]
    fn answers_have_their_places_or_are_refused() {
        let mut room = [0; 4];
        assert_eq!(put(&[1, 2], &mut room), Ok(2));
        assert_eq!(room, [1, 2, 0, 0]);
        assert!(put(&[0; 5], &mut room).is_err());
        let places = encapsulated(&mut room, 1).map(|[first, rest]| (first.len(), rest.len()));
        assert_eq!(places, Ok((1, 3)));
        assert!(encapsulated(&mut room, 5).is_err());
        assert_eq!(accepted(true, 7), Ok(7));
        assert_eq!(accepted(false, 7), Err(Failure::Rejected));
    }

    #[test]
    fn a_generator_gives_the_public_and_the_private_key() {
        let work = Work {
            primitive: "ed448".into(),
            operation: "generate-key".into(),
            ..Work::default()
        };
        let mut cell = cell(&MAKER, &work).expect("an offer").expect("a cell");
        let written = cell.check(&work).expect("a key");
        let named = cell.named(written).expect("two outputs");
        let lengths: Vec<_> = named.iter().map(|(id, data)| (&**id, data.len())).collect();
        assert_eq!(lengths, [("key", 57), ("public", 57)]);
        let made = offers(&MAKER);
        let has = |id: &str| made.iter().any(|offer| offer.primitive == id);
        assert!(has("ed448") && has("rsa-4096-pkcs1-sha-256") && !has("rsa-8192-pkcs1-sha-256"));
        let slow = Work {
            primitive: "rsa-8192-pkcs1-sha-256".into(),
            ..work
        };
        assert!(super::cell(&MAKER, &slow).is_none());
    }
}
