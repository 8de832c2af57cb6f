//! Key derivations (PBKDF2, HKDF, scrypt, Argon2): which derivation the id of a primitive names,
//! and how an adapter makes a cell from a library function that derives a key in one call. Such a
//! library keeps no object between the calls.

use touchstone_wire::Offer;

use crate::catalogue::primitives;
use crate::{Cell, Failure, Message, Work, offer};

/// A key derivation, by the id of its primitive.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Derivation<'a> {
    /// PBKDF2 with the HMAC of this hash.
    Pbkdf2(&'a str),
    /// HKDF with the HMAC of this hash.
    Hkdf(&'a str),
    /// The function scrypt.
    Scrypt,
    /// Argon2; the text is its variant: `d`, `i` or `id`.
    Argon2(&'a str),
}

impl<'a> Derivation<'a> {
    /// Returns the derivation that the work asks for, if the work asks for one.
    pub fn of(work: &'a Work) -> Option<Self> {
        if work.operation != "derive" {
            return None;
        }
        Self::named(&work.primitive)
    }

    /// Returns the derivation with this id.
    pub fn named(id: &'a str) -> Option<Self> {
        if id == "scrypt" {
            return Some(Self::Scrypt);
        }
        (id.strip_prefix("pbkdf2-hmac-").map(Self::Pbkdf2))
            .or_else(|| id.strip_prefix("hkdf-").map(Self::Hkdf))
            .or_else(|| id.strip_prefix("argon2").map(Self::Argon2))
    }

    /// Returns the offers of the lab's derivations for which `cell` returns true: it says whether
    /// the library has the derivation. `api` returns the names of the library calls.
    pub fn offers(
        cell: impl Fn(&Work) -> bool,
        api: impl Fn(Derivation<'_>) -> &'static str,
    ) -> Vec<Offer> {
        let works = primitives("derive").into_iter().map(trial);
        works
            .filter(|work| cell(work))
            .filter_map(|work| {
                let api = api(Derivation::of(&work)?);
                Some(offer(&work.primitive, "derive", api))
            })
            .collect()
    }
}

/// Returns a derivation with the smallest costs that every library accepts. It is used to find out
/// whether a library has the derivation.
fn trial(primitive: String) -> Work {
    let work = Work {
        primitive,
        operation: "derive".to_owned(),
        nonce: vec![1; 16],
        input: vec![2; 16],
        length: Some(16),
        ..Work::default()
    };
    let costs = match Derivation::of(&work) {
        Some(Derivation::Scrypt) => [("n", 2), ("r", 8), ("p", 1)],
        Some(Derivation::Argon2(_)) => [("iterations", 3), ("memory", 8), ("lanes", 1)],
        _ => return work.with_cost("iterations", 1),
    };
    (costs.into_iter()).fold(work, |work, (name, value)| work.with_cost(name, value))
}

impl Work {
    /// Returns a cost parameter of a derivation; 1 if the parameter is absent. The parameter must
    /// not be 0, and must be small enough for `T`.
    pub fn factor<T: TryFrom<u64>>(&self, name: &str) -> Result<T, Failure> {
        match self.cost(name) {
            None => T::try_from(1).map_err(|_| Failure::unsupported(name)),
            Some(_) => self.need_cost(name),
        }
    }

    /// Refuses an output that is too long for HKDF with a hash of this many bytes (RFC 5869,
    /// section 2.3).
    pub fn need_hkdf_length(&self, hash: usize) -> Result<(), Failure> {
        match self.length {
            Some(length) if length > 255 * hash => Err(Failure::length("an output", length)),
            _ => Ok(()),
        }
    }

    /// Makes a cell from a function that fills the output. The output has the length that the work
    /// gives, or 32 bytes if the work gives no length.
    pub fn derived<F>(&self, call: F) -> Cell
    where
        F: Fn(&Message<'_>, &mut [u8]) -> Result<(), Failure> + Clone + Send + Sync + 'static,
    {
        self.derived_with(|| Ok(()), move |(), message, output| call(message, output))
    }

    /// Like `derived`, for a call that needs an object, such as a context.
    pub fn derived_with<O, M, F>(&self, make: M, call: F) -> Cell
    where
        O: 'static,
        M: Fn() -> Result<O, Failure> + Send + Sync + 'static,
        F: Fn(&mut O, &Message<'_>, &mut [u8]) -> Result<(), Failure>,
        F: Clone + Send + Sync + 'static,
    {
        let length = self.length.unwrap_or(32);
        Cell::run(make, move |object, message, text| {
            let output = &mut text.apart()?.1[..length];
            call(object, message, output).map(|()| length)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn work(primitive: &str) -> Work {
        trial(primitive.to_owned())
    }

    #[test]
    fn names_are_read() {
        for (id, derivation) in [
            ("pbkdf2-hmac-sha-1", Some(Derivation::Pbkdf2("sha-1"))),
            ("hkdf-sha3-256", Some(Derivation::Hkdf("sha3-256"))),
            ("argon2id", Some(Derivation::Argon2("id"))),
            ("scrypt", Some(Derivation::Scrypt)),
            ("sha-1", None),
        ] {
            assert_eq!(Derivation::of(&work(id)), derivation);
        }
        let hash = Work {
            operation: "hash".to_owned(),
            ..work("scrypt")
        };
        assert_eq!(Derivation::of(&hash), None);
    }

    #[test]
    fn costs_and_lengths_are_checked() {
        let work = Work {
            length: Some(255 * 20 + 1),
            ..Work::default()
        };
        assert!(work.need_hkdf_length(20).is_err() && work.need_hkdf_length(32).is_ok());
        assert_eq!(work.factor("p"), Ok(1_u8));
        assert_eq!(work.clone().with_cost("p", 3).factor("p"), Ok(3_u8));
        assert!(work.clone().with_cost("p", 0).factor::<u8>("p").is_err());
        assert!(work.with_cost("p", 256).factor::<u8>("p").is_err());
    }

    #[test]
    fn only_what_a_cell_is_made_for_is_offered() {
        let made = |work: &Work| {
            let hkdf = Derivation::of(work) == Some(Derivation::Hkdf("md5"));
            hkdf || work.primitive == "scrypt" || work.primitive == "pbkdf2-hmac-md5"
        };
        let offers = Derivation::offers(made, |derivation| match derivation {
            Derivation::Scrypt => "scrypt()",
            _ => "other()",
        });
        let rows = offers.iter().map(|o| (&*o.primitive, &*o.api));
        let expected = [
            ("pbkdf2-hmac-md5", "other()"),
            ("hkdf-md5", "other()"),
            ("scrypt", "scrypt()"),
        ];
        assert_eq!(rows.collect::<Vec<_>>(), expected);
    }
}
