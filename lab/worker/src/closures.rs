//! Cells from functions: for a library whose object is made at once, from its key if it has one, and
//! processes a message by one method. Such a library needs no type of its own for an operation.

use crate::{Cell, Failure, Message, Operation, Text, Written};

impl Cell {
    /// Makes a cell from two functions: `make` makes what a program keeps from one message to the
    /// next, and `run` processes a message with it.
    pub fn run<O, M, R>(make: M, run: R) -> Self
    where
        O: 'static,
        M: Fn() -> Result<O, Failure> + Send + Sync + 'static,
        R: Fn(&mut O, &Message<'_>, Text<'_>) -> Written + Clone + Send + Sync + 'static,
    {
        Self::new(move || {
            Ok(Kept {
                object: make()?,
                run: run.clone(),
            })
        })
    }

    /// Like [`Cell::run`], for an object that `schedule` makes from each key.
    pub fn keyed<O, S, R>(schedule: S, run: R) -> Self
    where
        O: 'static,
        S: Fn(&[u8]) -> Result<O, Failure> + Clone + Send + Sync + 'static,
        R: Fn(&mut O, &Message<'_>, Text<'_>) -> Written + Clone + Send + Sync + 'static,
    {
        Self::new(move || {
            Ok(Keyed {
                schedule: schedule.clone(),
                object: None,
                run: run.clone(),
            })
        })
    }
}

struct Kept<O, R> {
    object: O,
    run: R,
}

impl<O, R> Operation for Kept<O, R>
where
    R: Fn(&mut O, &Message<'_>, Text<'_>) -> Written,
{
    #[inline]
    fn transform(&mut self, message: &Message<'_>, text: Text<'_>) -> Written {
        (self.run)(&mut self.object, message, text)
    }
}

struct Keyed<O, S, R> {
    schedule: S,
    object: Option<O>,
    run: R,
}

impl<O, S, R> Operation for Keyed<O, S, R>
where
    S: Fn(&[u8]) -> Result<O, Failure>,
    R: Fn(&mut O, &Message<'_>, Text<'_>) -> Written,
{
    fn set_key(&mut self, key: &[u8]) -> Result<(), Failure> {
        self.object = Some((self.schedule)(key)?);
        Ok(())
    }

    #[inline]
    fn transform(&mut self, message: &Message<'_>, text: Text<'_>) -> Written {
        (self.run)(keyed(&mut self.object)?, message, text)
    }
}

/// Returns the object that a key has made.
#[inline]
pub fn keyed<O>(object: &mut Option<O>) -> Result<&mut O, Failure> {
    let object = object.as_mut();
    object.ok_or_else(|| Failure::failed("no key was set"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Work;

    #[test]
    fn an_object_is_made_at_once_or_from_its_key() {
        let work = Work {
            key: vec![3],
            input: vec![4],
            ..Work::default()
        };
        let run = |sum: &mut u8, message: &Message<'_>, text: Text<'_>| {
            text.apart()?.1[0] = *sum + message.input[0];
            Ok(1)
        };
        let mut kept = Cell::run(|| Ok(5), run);
        assert_eq!(kept.check(&work), Ok(vec![9]));
        let mut made = Cell::keyed(|key: &[u8]| Ok(key[0]), run);
        assert_eq!(made.check(&work), Ok(vec![7]));
        assert!(keyed(&mut None::<u8>).is_err());
    }
}
