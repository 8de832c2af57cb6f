//! A plan says how a library does one algorithm. The worker makes both the offer and the
//! cells of the algorithm from the same plan, so that offer and cell cannot differ.

use touchstone_wire::{Contract, Offer};

use crate::catalogue;
use crate::{Batch, Cell, Failure, Message, Operation, Text, Work, offer, stays_in_place};

/// How a library does an operation of a primitive, with everything that is known before an
/// object is made. Each object has a copy, so a plan must be cheap to clone.
pub trait Plan: Clone + Send + Sync + 'static {
    /// The type of the loaded library.
    type Library;

    /// The values that a program keeps from one message to the next: contexts, handles, or
    /// the key itself if the library needs the key for each message.
    type Object: 'static;

    /// The operations for which the worker asks [`Plan::find`].
    const OPERATIONS: &'static [&'static str];

    /// Whether the library can write an output over its message without a copy.
    const IN_PLACE: bool = false;

    /// Returns the primitives to look for. Usually these are the primitives of the lab's
    /// catalogue; a library that lists its own primitives can replace this function.
    fn primitives(library: &Self::Library, operation: &str) -> Vec<String> {
        let _ = library;
        catalogue::primitives(operation)
    }

    /// Returns the plan, if the loaded library can do this operation of this primitive. The
    /// operation is one of [`Plan::OPERATIONS`].
    fn find(library: &Self::Library, primitive: &str, operation: &str) -> Option<Self>;

    /// Returns the names of the library calls that are timed, for the offer.
    fn api(&self, primitive: &str, operation: &str) -> String;

    /// Differences from the text of the contract, for the offer.
    fn note(&self, primitive: &str, operation: &str) -> &'static str {
        let _ = (primitive, operation);
        ""
    }

    /// Returns the name of the library's call for many messages, if the library has such a
    /// call; see [`Plan::process_many`].
    fn many(&self, primitive: &str, operation: &str) -> Option<&'static str> {
        let _ = (primitive, operation);
        None
    }

    /// Returns the whole offer. A library whose offers say more can replace this function.
    fn offer(&self, primitive: &str, operation: &str) -> Offer {
        let in_place = Self::IN_PLACE && stays_in_place(operation);
        let many = self.many(primitive, operation);
        let mut api = self.api(primitive, operation);
        if let Some(many) = many {
            api = format!("{api}; many: {many}");
        }
        Offer {
            note: self.note(primitive, operation).to_owned(),
            ..offer(primitive, operation, &api)
        }
        .taking(Contract::InPlace, in_place)
        .taking(Contract::Many, many.is_some())
    }

    /// Returns the plan with the work's parameters, or [`Failure::Unsupported`] if the library
    /// does not support these parameters.
    fn fit(self, work: &Work) -> Result<Self, Failure> {
        let _ = work;
        Ok(self)
    }

    /// Makes an object without a key.
    fn make(&self) -> Result<Self::Object, Failure>;

    /// Sets a key: see [`Operation::set_key`].
    fn set_key(&self, object: &mut Self::Object, key: &[u8]) -> Result<(), Failure> {
        let _ = (object, key);
        Ok(())
    }

    /// Processes a message: see [`Operation::process`].
    #[inline(always)]
    fn process(
        &self,
        object: &mut Self::Object,
        message: &Message<'_>,
        output: &mut [u8],
    ) -> Written {
        self.transform(object, message, Text::Apart(message.input, output))
    }

    /// Processes a message, apart or in place: see [`Operation::transform`].
    #[inline(always)]
    fn transform(
        &self,
        object: &mut Self::Object,
        message: &Message<'_>,
        text: Text<'_>,
    ) -> Written {
        let _ = (object, message, text);
        Err(Failure::unsupported("messages in place"))
    }

    /// Processes many messages: see [`Operation::process_many`].
    fn process_many(
        &self,
        object: &mut Self::Object,
        batch: &Batch<'_>,
        output: &mut [u8],
    ) -> Written {
        let _ = (object, batch, output);
        Err(Failure::unsupported("many messages in one call"))
    }

    /// Returns the offers for all operations and primitives that [`Plan::find`] finds.
    fn offers(library: &Self::Library) -> Vec<Offer> {
        let row = |primitive: &str, operation: &str| {
            Some(Self::find(library, primitive, operation)?.offer(primitive, operation))
        };
        let rows = Self::OPERATIONS.iter().flat_map(|operation| {
            let primitives = Self::primitives(library, operation).into_iter();
            primitives.filter_map(|primitive| row(&primitive, operation))
        });
        rows.collect()
    }

    /// Returns a cell for this work; `None` if the work is not offered.
    fn cell(library: &Self::Library, work: &Work) -> Option<Result<Cell, Failure>> {
        if !Self::OPERATIONS.contains(&work.operation.as_str()) {
            return None;
        }
        let plan = Self::find(library, &work.primitive, &work.operation)?;
        Some(plan.fit(work).map(Self::planned))
    }

    /// Returns the cell of a plan that has the work's parameters.
    fn planned(self) -> Cell {
        Cell::new(move || {
            Ok(Planned {
                object: self.make()?,
                plan: self.clone(),
            })
        })
    }
}

/// The number of bytes that the call for a message wrote.
pub type Written = Result<usize, Failure>;

struct Planned<P: Plan> {
    plan: P,
    object: P::Object,
}

impl<P: Plan> Operation for Planned<P> {
    fn set_key(&mut self, key: &[u8]) -> Result<(), Failure> {
        self.plan.set_key(&mut self.object, key)
    }

    #[inline]
    fn process(&mut self, message: &Message<'_>, output: &mut [u8]) -> Written {
        self.plan.process(&mut self.object, message, output)
    }

    #[inline]
    fn transform(&mut self, message: &Message<'_>, text: Text<'_>) -> Written {
        self.plan.transform(&mut self.object, message, text)
    }

    fn process_many(&mut self, batch: &Batch<'_>, output: &mut [u8]) -> Written {
        self.plan.process_many(&mut self.object, batch, output)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A stream cipher that adds a number to each byte.
    #[derive(Clone)]
    struct Add(u8);

    impl Plan for Add {
        /// The primitive that the library has, and its number.
        type Library = (&'static str, u8);
        type Object = u8;
        const OPERATIONS: &'static [&'static str] = &["stream-encrypt", "hash"];
        const IN_PLACE: bool = true;

        fn find((id, number): &Self::Library, primitive: &str, operation: &str) -> Option<Self> {
            assert_ne!(operation, "mac");
            (primitive == *id && operation == "stream-encrypt").then_some(Self(*number))
        }

        fn api(&self, primitive: &str, _: &str) -> String {
            format!("{primitive}()")
        }

        fn fit(self, work: &Work) -> Result<Self, Failure> {
            work.need_key(1).map(|()| self)
        }

        fn make(&self) -> Result<u8, Failure> {
            Ok(0)
        }

        fn set_key(&self, object: &mut u8, key: &[u8]) -> Result<(), Failure> {
            *object = key[0] + self.0;
            Ok(())
        }

        fn transform(&self, object: &mut u8, _: &Message<'_>, text: Text<'_>) -> Written {
            let length = text.length();
            let bytes = &mut text.moved()[..length];
            bytes.iter_mut().for_each(|byte| *byte += *object);
            Ok(length)
        }
    }

    #[test]
    fn what_is_offered_can_be_made_and_nothing_else() {
        assert!(Add::offers(&("of nobody", 1)).is_empty());
        let library = ("rc4", 1);
        let offers = Add::offers(&library);
        assert_eq!(offers.len(), 1);
        let in_place = offers[0].takes(Contract::InPlace);
        let row = (&*offers[0].primitive, &*offers[0].api, in_place);
        assert_eq!(row, ("rc4", "rc4()", true));
        let mut work = Work {
            primitive: "rc4".into(),
            operation: "stream-encrypt".into(),
            key: vec![2],
            input: vec![10, 20],
            ..Work::default()
        };
        let mut cell = Add::cell(&library, &work).unwrap().unwrap();
        assert_eq!(cell.check(&work), Ok(vec![13, 23]));
        work.key = Vec::new();
        let refused = Add::cell(&library, &work);
        assert!(matches!(refused, Some(Err(Failure::Unsupported(_)))));
        for operation in ["hash", "mac"] {
            work.operation = operation.into();
            assert!(Add::cell(&library, &work).is_none());
        }
    }
}
