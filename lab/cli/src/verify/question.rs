//! A request about one known answer, and the judgement of a library's reply.

use std::collections::BTreeMap;

use touchstone_vectors::{Vector, Verdict};
use touchstone_wire::{Data, Reply, Work};

use super::{SHOWN, chain};
use crate::attacks;
use crate::kinds;
use crate::operations::{Chain, Operation};
use crate::record::Record;
use crate::summary::Failure;
use crate::text::Foreign as _;

/// A request, and the reply of a correct library.
pub(super) struct Question<'a> {
    pub(super) file: usize,
    pub(super) vector: &'a Vector,
    pub(super) work: Work,
    expected: BTreeMap<String, Data>,
    refuses: bool,
    chain: Option<&'a Chain>,
}

impl<'a> Question<'a> {
    pub(super) fn new(file: usize, vector: &'a Vector, operation: &Operation) -> Self {
        let record = Record::of(vector);
        Self {
            file,
            vector,
            work: operation.work(&vector.primitive, &record),
            expected: operation.expected(&vector.primitive, &record),
            refuses: operation.refuses,
            chain: None,
        }
    }

    /// Makes a question whose answer needs several calls of `operation`.
    pub(super) fn chained(
        file: usize,
        vector: &'a Vector,
        operation: &Operation,
        chain: &'a Chain,
    ) -> Self {
        Self {
            chain: Some(chain),
            ..Self::new(file, vector, operation)
        }
    }

    /// Returns whether the answer needs several calls.
    pub(super) fn is_chained(&self) -> bool {
        self.chain.is_some()
    }

    /// Puts the question to a library and returns its reply. `ask` does one call.
    pub(super) fn put<E>(&self, ask: &mut dyn FnMut(Work) -> Result<Reply, E>) -> Result<Reply, E> {
        let Some(chain) = self.chain else {
            return ask(self.work.clone());
        };
        let length = self.expected.values().map(Data::len).sum();
        chain::reply(chain, &self.work, length, ask)
    }

    /// Judges a library's reply.
    pub(super) fn judge(&self, reply: &Reply) -> Outcome {
        match (self.vector.verdict, reply) {
            (_, Reply::Unsupported { .. }) => Outcome::Unsupported,
            (Verdict::Acceptable, _) => Outcome::Either,
            (Verdict::Valid, Reply::Output { outputs }) if same(outputs, &self.expected) => {
                Outcome::Right
            }
            (Verdict::Valid, Reply::Output { outputs }) => {
                Outcome::Wrong("wrong answer", shown(outputs))
            }
            (Verdict::Valid, Reply::Rejected) => {
                Outcome::Wrong("wrong answer", "refused as forged".into())
            }
            (Verdict::Valid, Reply::Failed { reason }) => Outcome::Wrong("error", reason.clone()),
            // A forged input must be refused; any error counts as a refusal.
            (Verdict::Invalid, Reply::Rejected | Reply::Failed { .. }) => Outcome::Right,
            (Verdict::Invalid, Reply::Output { outputs }) if self.refuses => {
                let Work {
                    primitive,
                    operation,
                    ..
                } = &self.work;
                let kind = attacks::accepted(primitive, operation, &self.vector.flags);
                Outcome::Wrong(kind, shown(outputs))
            }
            // A library that computes a MAC must not compute the forged MAC.
            (Verdict::Invalid, Reply::Output { outputs }) if same(outputs, &self.expected) => {
                Outcome::Wrong(kinds::MADE, shown(outputs))
            }
            (Verdict::Invalid, Reply::Output { .. }) => Outcome::Right,
            (_, other) => Outcome::Wrong("garbage", other.line()),
        }
    }

    /// Returns the place of the known answer: its file, its line if known, and its name.
    pub(super) fn place(&self, file: &str) -> String {
        let line = match self.vector.line {
            0 => String::new(),
            line => format!(":{line}"),
        };
        format!("{file}{line} {}", self.vector.name)
            .trim_end()
            .to_owned()
    }

    /// Makes the failure for the report.
    pub(super) fn failure(&self, file: &str, library: &str, kind: &str, got: &str) -> Failure {
        let vector = self.vector;
        let mut failure = Failure {
            library: library.to_owned(),
            primitive: self.work.primitive.clone(),
            operation: self.work.operation.clone(),
            kind: kind.to_owned(),
            place: self.place(file),
            input: cut(self.work.shown()),
            expected: match vector.verdict {
                Verdict::Valid => cut(shown(&self.expected)),
                _ => format!("refusal ({})", vector.flags.join(" ")),
            },
            got: cut(got.to_owned()),
        };
        failure.make_visible();
        failure
    }
}

/// The judgement of a reply.
pub(super) enum Outcome {
    Right,
    Either,
    Unsupported,
    /// The lab could not ask. The text says what happened.
    Unasked(&'static str, String),
    Wrong(&'static str, String),
    /// The answer is another, and the library's manifest says that the library follows another
    /// specification than the known answer.
    Intended(String),
}

/// Returns whether two sets of outputs are equal; a missing output equals an empty one.
pub(super) fn same(a: &BTreeMap<String, Data>, b: &BTreeMap<String, Data>) -> bool {
    let bytes = |outputs: &BTreeMap<String, Data>| -> Vec<(String, Vec<u8>)> {
        outputs
            .iter()
            .filter(|(_, data)| !data.is_empty())
            .map(|(name, data)| (name.clone(), data.to_vec()))
            .collect()
    };
    bytes(a) == bytes(b)
}

/// Returns the outputs as text for people: only the digits if there is one output.
pub(super) fn shown(outputs: &BTreeMap<String, Data>) -> String {
    let hex = |data: &Data| touchstone_wire::to_hex(&data.to_vec());
    match outputs.iter().next() {
        Some((_, data)) if outputs.len() == 1 => hex(data),
        _ => outputs
            .iter()
            .map(|(name, data)| format!("{name}={}", hex(data)))
            .collect::<Vec<_>>()
            .join(" "),
    }
}

fn cut(text: String) -> String {
    if text.len() > SHOWN {
        let start: String = text.chars().take(SHOWN).collect();
        format!("{start}… ({} characters)", text.len())
    } else {
        text
    }
}

#[cfg(test)]
mod tests;
