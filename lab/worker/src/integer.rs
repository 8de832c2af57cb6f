//! Operations on integers of any size. A library implements [`Integers`], and this module does the
//! rest: it reads the operands of a work, and writes the results.
//!
//! An object holds its operands in the library's own form. [`Operation::process`] only calculates,
//! and [`Operation::deliver`] turns the results into bytes. So the contract `hot` times the
//! calculation alone, and the contract `keyed` times all steps from bytes to bytes.

use std::ffi::c_void;

use crate::{Cell, Failure, Message, Offer, Operation, Owned, Work, offer};

/// What is calculated. `docs/operations.md` describes the operations.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Arithmetic {
    /// `[a, b]` to the product.
    Multiply,
    /// `[a]` to the square.
    Square,
    /// `[a, b]` to the quotient and the remainder; `b` is not zero.
    Divide,
    /// `[base, exponent, modulus]` to the power, with a public exponent; the modulus is above 1.
    Power,
    /// Like `Power`, with a secret exponent, which is not zero; the modulus is odd.
    SecretPower,
    /// `[a, modulus]` to the inverse, or [`Failure::Rejected`] if there is none.
    Invert,
    /// `[a, b]` to `[g, s, t]` with g = s·a + t·b. Neither is zero.
    Xgcd,
    /// `[a, b, g, s, t]`: [`Failure::Rejected`], unless g = s·a + t·b divides both numbers.
    Bezout,
    /// `[number]`: [`Failure::Rejected`], unless it is prime; wrong with a probability of at most
    /// 2^-128.
    PrimeTest,
}

/// The operations with the names of their operands.
const OPERATIONS: &[(&str, Arithmetic, &[&str])] = &[
    ("multiply", Arithmetic::Multiply, &["a", "b"]),
    ("square", Arithmetic::Square, &["a"]),
    ("divide", Arithmetic::Divide, &["a", "b"]),
    (
        "powmod",
        Arithmetic::Power,
        &["base", "exponent", "modulus"],
    ),
    (
        "powmod-secret",
        Arithmetic::SecretPower,
        &["base", "exponent", "modulus"],
    ),
    ("invert", Arithmetic::Invert, &["a", "modulus"]),
    ("xgcd", Arithmetic::Xgcd, &["a", "b"]),
    ("bezout", Arithmetic::Bezout, &["a", "b"]),
    ("prime-test", Arithmetic::PrimeTest, &["number"]),
];

/// The only primitive of these operations.
const PRIMITIVE: &str = "integer";

/// A library that calculates with integers of any size. It must be cheap to clone.
pub trait Integers: Clone + Send + Sync + 'static {
    /// A number in the library's own form.
    type Number: 'static;

    /// What a program keeps from one calculation to the next, such as memory.
    type Scratch: 'static;

    /// Returns the library's calls for an operation, for the offer; `None` if it has none.
    fn api(&self, what: Arithmetic) -> Option<&'static str>;

    /// Makes what a program keeps from one calculation to the next.
    fn scratch(&self) -> Result<Self::Scratch, Failure>;

    /// Makes a number from its sign and its magnitude, which is big-endian bytes.
    fn read(&self, negative: bool, magnitude: &[u8]) -> Result<Self::Number, Failure>;

    /// Returns whether a number is below zero.
    fn is_negative(&self, number: &Self::Number) -> bool;

    /// Writes the magnitude of a number as big-endian bytes that fill `bytes`.
    fn write(&self, number: &Self::Number, bytes: &mut [u8]) -> Result<(), Failure>;

    /// Calculates. There are as many results as the operation has; their old values are not used.
    fn calculate(
        &self,
        what: Arithmetic,
        scratch: &mut Self::Scratch,
        operands: &[Self::Number],
        results: &mut [Self::Number],
    ) -> Result<(), Failure>;
}

/// Returns the last bytes of a result, where `digits` digits have their place, and writes zeros in
/// front of them.
#[inline]
pub fn right_aligned(bytes: &mut [u8], digits: usize) -> Result<&mut [u8], Failure> {
    let zeros = bytes.len().checked_sub(digits);
    let zeros = zeros.ok_or_else(|| Failure::failed("a result that is too long"))?;
    let (head, tail) = bytes.split_at_mut(zeros);
    head.fill(0);
    Ok(tail)
}

/// Returns the pointers to the operands or results of a calculation, and NULL after them.
#[inline]
pub fn pointers<const MOST: usize>(numbers: &[Owned]) -> [*mut c_void; MOST] {
    let mut pointers = [std::ptr::null_mut(); MOST];
    for (pointer, number) in pointers.iter_mut().zip(numbers) {
        *pointer = number.object;
    }
    pointers
}

/// Returns whether the work's operation is one of this module.
pub fn covers(work: &Work) -> bool {
    work.primitive == PRIMITIVE && OPERATIONS.iter().any(|(id, ..)| *id == work.operation)
}

/// Returns the offers of a library.
pub fn offers<L: Integers>(library: &L) -> Vec<Offer> {
    OPERATIONS
        .iter()
        .filter_map(|(id, what, _)| Some(offer(PRIMITIVE, id, library.api(*what)?)))
        .collect()
}

/// Returns a cell for this work; `None` if the work is not one of the library's offers.
pub fn cell<L: Integers>(library: &L, work: &Work) -> Option<Result<Cell, Failure>> {
    let (_, what, names) = OPERATIONS.iter().find(|(id, ..)| *id == work.operation)?;
    library.api(*what).filter(|_| work.primitive == PRIMITIVE)?;
    Some(operands(*what, names, work).map(|operands| {
        let (library, what) = (library.clone(), *what);
        Cell::new(move || Object::new(library.clone(), what, &operands))
    }))
}

/// An operand before a library reads it.
struct Operand {
    negative: bool,
    magnitude: Vec<u8>,
}

fn operands(what: Arithmetic, names: &[&str], work: &Work) -> Result<Vec<Operand>, Failure> {
    let mut operands: Vec<Operand> = names
        .iter()
        .map(|name| Operand {
            negative: false,
            magnitude: work.other(name).to_vec(),
        })
        .collect();
    let [first, .., last] = [&operands[0], &operands[operands.len() - 1]];
    match what {
        Arithmetic::Divide if last.is_at_most(0) => {
            return Err(Failure::unsupported("division by zero"));
        }
        Arithmetic::Power | Arithmetic::SecretPower | Arithmetic::Invert if last.is_at_most(1) => {
            return Err(Failure::unsupported("a modulus below 2"));
        }
        Arithmetic::SecretPower if last.magnitude.last().is_some_and(|byte| byte & 1 == 0) => {
            return Err(Failure::unsupported(
                "a secret exponent and an even modulus",
            ));
        }
        Arithmetic::SecretPower if operands[1].is_at_most(0) => {
            return Err(Failure::unsupported("a secret exponent of zero"));
        }
        Arithmetic::Xgcd if first.is_at_most(0) || last.is_at_most(0) => {
            return Err(Failure::unsupported("the common divisor with zero"));
        }
        Arithmetic::Bezout => {
            let lengths = lengths(Arithmetic::Xgcd, &operands);
            let mut rest = work.other("coefficients");
            let bytes = lengths
                .iter()
                .map(|(sign, length)| length + usize::from(*sign));
            if rest.len() != bytes.sum::<usize>() {
                return Err(Failure::Rejected);
            }
            for (sign, length) in lengths {
                let negative = sign && rest[0] == 1;
                rest = &rest[usize::from(sign)..];
                let (magnitude, after) = rest.split_at(length);
                operands.push(Operand {
                    negative,
                    magnitude: magnitude.to_vec(),
                });
                rest = after;
            }
        }
        _ => {}
    }
    Ok(operands)
}

impl Operand {
    fn is_at_most(&self, small: u8) -> bool {
        let (last, head) = self.magnitude.split_last().unwrap_or((&0, &[]));
        head.iter().all(|&byte| byte == 0) && *last <= small
    }
}

/// Returns for each result whether its sign is written before it, and the bytes of its magnitude.
fn lengths(what: Arithmetic, operands: &[Operand]) -> Vec<(bool, usize)> {
    let length = |index: usize| operands[index].magnitude.len();
    match what {
        Arithmetic::Multiply => vec![(false, length(0) + length(1))],
        Arithmetic::Square => vec![(false, 2 * length(0))],
        Arithmetic::Divide => vec![(false, length(0)), (false, length(1))],
        Arithmetic::Power | Arithmetic::SecretPower => vec![(false, length(2))],
        Arithmetic::Invert => vec![(false, length(1))],
        Arithmetic::Xgcd => vec![
            (false, length(0).max(length(1))),
            (true, length(1)),
            (true, length(0)),
        ],
        Arithmetic::Bezout | Arithmetic::PrimeTest => Vec::new(),
    }
}

struct Object<L: Integers> {
    library: L,
    what: Arithmetic,
    scratch: L::Scratch,
    operands: Vec<L::Number>,
    results: Vec<L::Number>,
    lengths: Vec<(bool, usize)>,
}

impl<L: Integers> Object<L> {
    fn new(library: L, what: Arithmetic, operands: &[Operand]) -> Result<Self, Failure> {
        let lengths = lengths(what, operands);
        let read = |operand: &Operand| library.read(operand.negative, &operand.magnitude);
        let zero = |_: &(bool, usize)| library.read(false, &[]);
        Ok(Self {
            what,
            scratch: library.scratch()?,
            operands: operands.iter().map(read).collect::<Result<_, _>>()?,
            results: lengths.iter().map(zero).collect::<Result<_, _>>()?,
            lengths,
            library,
        })
    }
}

impl<L: Integers> Operation for Object<L> {
    #[inline]
    fn process(&mut self, _: &Message<'_>, _: &mut [u8]) -> Result<usize, Failure> {
        let (what, scratch) = (self.what, &mut self.scratch);
        self.library
            .calculate(what, scratch, &self.operands, &mut self.results)?;
        Ok(0)
    }

    fn deliver(&mut self, output: &mut [u8], _: usize) -> Result<usize, Failure> {
        let mut at = 0;
        for ((sign, length), number) in self.lengths.iter().zip(&self.results) {
            let negative = self.library.is_negative(number);
            if *sign {
                output[at] = u8::from(negative);
                at += 1;
            } else if negative {
                return Err(Failure::failed("a result below zero"));
            }
            self.library.write(number, &mut output[at..at + length])?;
            at += length;
        }
        Ok(at)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Numbers of 128 bits.
    #[derive(Clone)]
    struct Small;

    impl Integers for Small {
        type Number = i128;
        type Scratch = ();

        fn api(&self, what: Arithmetic) -> Option<&'static str> {
            (what != Arithmetic::PrimeTest).then_some("*, /")
        }

        fn scratch(&self) -> Result<(), Failure> {
            Ok(())
        }

        fn read(&self, negative: bool, magnitude: &[u8]) -> Result<i128, Failure> {
            let fold = |number, byte: &u8| number << 8 | i128::from(*byte);
            let number = magnitude.iter().fold(0, fold);
            Ok(if negative { -number } else { number })
        }

        fn is_negative(&self, number: &i128) -> bool {
            *number < 0
        }

        fn write(&self, number: &i128, bytes: &mut [u8]) -> Result<(), Failure> {
            let all = number.unsigned_abs().to_be_bytes();
            let (zeros, rest) = all.split_at(all.len() - bytes.len());
            assert!(zeros.iter().all(|&byte| byte == 0));
            bytes.copy_from_slice(rest);
            Ok(())
        }

        fn calculate(
            &self,
            what: Arithmetic,
            (): &mut (),
            n: &[i128],
            results: &mut [i128],
        ) -> Result<(), Failure> {
            match what {
                Arithmetic::Multiply => results[0] = n[0] * n[1],
                Arithmetic::Divide => [results[0], results[1]] = [n[0] / n[1], n[0] % n[1]],
                // Of 7 and 5.
                Arithmetic::Xgcd => results.copy_from_slice(&[1, -2, 3]),
                Arithmetic::Bezout if n[2] == n[3] * n[0] + n[4] * n[1] => {}
                _ => return Err(Failure::Rejected),
            }
            Ok(())
        }
    }

    fn ask(operation: &str, inputs: &[(&str, &[u8])]) -> Result<Vec<u8>, Failure> {
        let others = inputs
            .iter()
            .map(|(name, b)| ((*name).to_owned(), b.to_vec()));
        let work = Work {
            primitive: PRIMITIVE.into(),
            operation: operation.into(),
            others: others.collect(),
            ..Work::default()
        };
        cell(&Small, &work).expect("an offer")?.check(&work)
    }

    #[test]
    fn results_have_the_lengths_of_their_operands() {
        let product = ask("multiply", &[("a", &[2]), ("b", &[0, 0, 3])]);
        assert_eq!(product.unwrap(), [0, 0, 0, 6]);
        let both = ask("divide", &[("a", &[1, 0]), ("b", &[3])]);
        assert_eq!(both.unwrap(), [0, 85, 1]);
        let zero = ask("divide", &[("a", &[1]), ("b", &[0, 0])]);
        assert!(matches!(zero, Err(Failure::Unsupported(_))));
        assert_eq!(offers(&Small).len(), OPERATIONS.len() - 1);
    }

    #[test]
    fn coefficients_have_signs_and_are_checked() {
        let numbers: [(&str, &[u8]); 2] = [("a", &[7]), ("b", &[5])];
        let answer = ask("xgcd", &numbers).unwrap();
        assert_eq!(answer, [1, 1, 2, 0, 3]);
        let check = |answer: &[u8]| {
            ask(
                "bezout",
                &[numbers[0], numbers[1], ("coefficients", answer)],
            )
        };
        assert_eq!(check(&answer), Ok(vec![]));
        assert_eq!(check(&[1, 0, 2, 0, 3]), Err(Failure::Rejected));
        assert_eq!(check(&answer[1..]), Err(Failure::Rejected));
    }
}
