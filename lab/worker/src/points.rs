//! Multiples of points of elliptic curves. A library implements [`Points`], and this module does the
//! rest: it makes the offers, reads a work's operands, and keeps them in the library's own form.

use crate::{Cell, Failure, Message, Offer, Operation, Work, offer, primitives};

/// What is multiplied. `docs/operations.md` describes the operations.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Multiple {
    /// The base point.
    Base,
    /// Any point.
    Any,
    /// The base point and any point, by a factor each; the products are added.
    Two,
}

const OPERATIONS: &[(&str, Multiple)] = &[
    ("multiply-base", Multiple::Base),
    ("multiply-point", Multiple::Any),
    ("multiply-two", Multiple::Two),
];

/// The operands of a multiplication.
#[derive(Debug, Clone, Default)]
pub struct Operands {
    /// The factor of the base point, big-endian; empty for [`Multiple::Any`].
    pub base: Vec<u8>,
    /// The factor of the other point, big-endian; empty for [`Multiple::Base`].
    pub scalar: Vec<u8>,
    /// The other point, not compressed (SEC 1, 2.3.3); empty for [`Multiple::Base`].
    pub point: Vec<u8>,
}

/// A library that multiplies points. It must be cheap to clone.
pub trait Points: Clone + Send + Sync + 'static {
    /// The operands in the library's own form, and what a program keeps with them.
    type Held: 'static;

    /// Returns the library's calls for the offer; `None` if the library lacks the curve or the
    /// operation.
    fn api(&self, curve: &str, what: Multiple) -> Option<&'static str>;

    /// Reads the operands. A point that is not on the curve is [`Failure::Rejected`].
    fn hold(&self, curve: &str, what: Multiple, operands: &Operands)
    -> Result<Self::Held, Failure>;

    /// Multiplies, and writes the result, not compressed. Returns the number of bytes written.
    fn multiply(
        &self,
        held: &mut Self::Held,
        what: Multiple,
        output: &mut [u8],
    ) -> Result<usize, Failure>;
}

/// Returns whether the work's operation is one of this module.
pub fn covers(work: &Work) -> bool {
    OPERATIONS.iter().any(|(id, _)| *id == work.operation)
}

/// Returns the offers of a library.
pub fn offers<L: Points>(library: &L) -> Vec<Offer> {
    let mut offers = Vec::new();
    for (id, what) in OPERATIONS {
        for curve in primitives(id) {
            offers.extend(library.api(&curve, *what).map(|api| offer(&curve, id, api)));
        }
    }
    offers
}

/// Returns a cell for this work; `None` if the work is not one of the library's offers.
pub fn cell<L: Points>(library: &L, work: &Work) -> Option<Result<Cell, Failure>> {
    let (_, what) = OPERATIONS.iter().find(|(id, _)| *id == work.operation)?;
    let (library, what, curve) = (library.clone(), *what, work.primitive.clone());
    library.api(&curve, what)?;
    let other = |name: &str| work.other(name).to_vec();
    let operands = match what {
        Multiple::Base => Operands {
            base: other("scalar"),
            ..Operands::default()
        },
        _ => Operands {
            base: other("base"),
            scalar: other("scalar"),
            point: other("point"),
        },
    };
    let cell = Cell::new(move || {
        Ok(Object {
            held: library.hold(&curve, what, &operands)?,
            library: library.clone(),
            what,
        })
    });
    let output = match what {
        Multiple::Base => "point",
        _ => "output",
    };
    Some(Ok(cell.gives(&[(output, Cell::REST)])))
}

struct Object<L: Points> {
    library: L,
    what: Multiple,
    held: L::Held,
}

impl<L: Points> Operation for Object<L> {
    #[inline]
    fn process(&mut self, _: &Message<'_>, output: &mut [u8]) -> Result<usize, Failure> {
        self.library.multiply(&mut self.held, self.what, output)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Writes the operands in place of a product.
    #[derive(Clone)]
    struct Echo;

    impl Points for Echo {
        type Held = Operands;

        fn api(&self, curve: &str, _: Multiple) -> Option<&'static str> {
            (curve == "p256").then_some("echo")
        }

        fn hold(&self, _: &str, _: Multiple, operands: &Operands) -> Result<Operands, Failure> {
            Ok(operands.clone())
        }

        fn multiply(
            &self,
            held: &mut Operands,
            _: Multiple,
            output: &mut [u8],
        ) -> Result<usize, Failure> {
            let all = [&held.base[..], &held.scalar, &held.point].concat();
            output[..all.len()].copy_from_slice(&all);
            Ok(all.len())
        }
    }

    #[test]
    fn operands_have_their_places() {
        let ask = |operation: &str| {
            let others = [("base", 1), ("scalar", 2), ("point", 3)];
            let work = Work {
                primitive: "p256".into(),
                operation: operation.into(),
                others: others
                    .map(|(name, byte)| (name.to_owned(), vec![byte]))
                    .to_vec(),
                ..Work::default()
            };
            cell(&Echo, &work).expect("an offer")?.check(&work)
        };
        assert_eq!(ask("multiply-base"), Ok(vec![2]));
        assert_eq!(ask("multiply-two"), Ok(vec![1, 2, 3]));
        assert_eq!(offers(&Echo).len(), OPERATIONS.len());
    }
}
