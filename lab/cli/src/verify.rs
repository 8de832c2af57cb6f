//! Checks every library against known answers, with the same library calls that are
//! timed.

mod chain;
mod differs;
mod known;
mod question;
mod vote;

use std::collections::HashSet;

use touchstone_wire::{Reply, Request, Work};

pub use known::Known;
use question::{Outcome, Question};
use vote::compare;
pub use vote::{anyone, outvotes};

use crate::catalogue;
use crate::kinds;
use crate::session::Slot;
use crate::stats::parallel;
use crate::summary::{Failure, Flag, Verification};
use crate::worker::{Fault, patience};

/// Number of failures that are kept in full for each library and algorithm; further ones
/// are only counted.
pub const KEPT: u32 = 10;
/// The most characters of an input or output that a failure shows.
const SHOWN: usize = 4096;

/// The algorithms of each library that may be timed.
#[derive(Debug, Default)]
pub struct Verified(HashSet<(String, String, String)>);

impl Verified {
    /// Returns whether this algorithm of this library may be timed.
    pub fn has(&self, library: &str, primitive: &str, operation: &str) -> bool {
        self.0.contains(&(
            library.to_owned(),
            primitive.to_owned(),
            operation.to_owned(),
        ))
    }

    /// Reads from stored rows which algorithms may be timed.
    pub fn from_rows(rows: &[Verification]) -> Self {
        Self(
            rows.iter()
                .filter(|row| row.failed == 0)
                .filter(|row| row.passed > 0 || outvotes(row))
                .map(|row| {
                    (
                        row.library.clone(),
                        row.primitive.clone(),
                        row.operation.clone(),
                    )
                })
                .collect(),
        )
    }
}

/// Gives the inputs of every selected known answer to every library, and compares the outputs. When
/// a library is finished, this function calls `done` with the number of known answers that the
/// library was given.
pub fn verify(
    slots: &mut [Slot],
    known: &Known,
    selected: &(dyn Fn(&Slot, &str, &str) -> bool + Sync),
    done: &(dyn Fn(u64) + Sync),
) -> (Vec<Verification>, Vec<Failure>) {
    // Answers are not timed, so all libraries work in parallel.
    let usable = slots.iter_mut().filter(|slot| slot.usable());
    let mut results = parallel::each(usable, |slot| verify_library(slot, known, selected, done));
    let mut rows: Vec<Verification> = Vec::new();
    let mut failures = Vec::new();
    for (r, f) in &mut results {
        rows.append(r);
        failures.append(f);
    }
    compare(slots, &mut rows, &mut failures, !known.of_user);
    rows.sort_by(|a, b| {
        (&a.primitive, &a.operation, &a.library).cmp(&(&b.primitive, &b.operation, &b.library))
    });
    (rows, failures)
}

/// Returns the number of questions that [`verify`] will ask.
pub fn questions(
    slots: &[Slot],
    known: &Known,
    selected: &dyn Fn(&Slot, &str, &str) -> bool,
) -> u64 {
    slots
        .iter()
        .filter(|slot| slot.usable())
        .flat_map(|slot| slot.offers.iter().map(move |offer| (slot, offer)))
        .filter(|(slot, offer)| selected(slot, &offer.primitive, &offer.operation))
        .map(|(_, offer)| known.number(&offer.primitive, &offer.operation))
        .sum()
}

fn verify_library(
    slot: &mut Slot,
    known: &Known,
    selected: &dyn Fn(&Slot, &str, &str) -> bool,
    done: &dyn Fn(u64),
) -> (Vec<Verification>, Vec<Failure>) {
    let mut rows = Vec::new();
    let mut failures = Vec::new();
    for offer in slot.offers.clone() {
        if !selected(slot, &offer.primitive, &offer.operation) {
            continue;
        }
        let mut row = Verification {
            library: slot.id().to_owned(),
            family: catalogue::section(&offer.primitive, &offer.operation).to_owned(),
            primitive: offer.primitive.clone(),
            operation: offer.operation.clone(),
            passed: 0,
            failed: 0,
            acceptable: 0,
            unsupported: 0,
            unasked: 0,
            agreed: 0,
            disagreed: 0,
            sources: Vec::new(),
            flags: Vec::new(),
        };
        let mut intended = 0;
        let questions = known.questions(&offer.primitive, &offer.operation);
        for question in &questions {
            // If a library was given up, its earlier failures explain why.
            let mut unanswered = false;
            let outcome = if slot.usable() {
                match question.put(&mut |work| slot.ask(&Request::Check { work }, patience())) {
                    Ok(reply) => judged(slot, question, &known.files[question.file], &reply),
                    Err(fault) => faulty(&fault, &question.work),
                }
            } else if slot.killed() {
                // The machine has too little memory; a missing answer is not a wrong
                // answer.
                unanswered = true;
                Outcome::Unasked("killed", String::new())
            } else {
                unanswered = true;
                Outcome::Wrong("crash", String::new())
            };
            for flag in &question.vector.flags {
                let counts = flag_of(&mut row, flag);
                match outcome {
                    Outcome::Right => counts.passed += 1,
                    Outcome::Either => counts.acceptable += 1,
                    Outcome::Intended(_) => {
                        counts.acceptable += 1;
                        counts.intended += 1;
                    }
                    Outcome::Unsupported => counts.unsupported += 1,
                    Outcome::Unasked(..) => counts.unasked += 1,
                    Outcome::Wrong(kind, _) => {
                        counts.failed += 1;
                        let accepted = counts.accepted.get_or_insert_default();
                        *accepted += u32::from(kinds::is_acceptance(kind));
                    }
                }
            }
            // The kind of the failure, what the library gave, and how many failures there are.
            let failure = match outcome {
                Outcome::Right => {
                    row.passed += 1;
                    let source = &known.files[question.file];
                    if !row.sources.contains(source) {
                        row.sources.push(source.clone());
                    }
                    None
                }
                Outcome::Either => {
                    row.acceptable += 1;
                    None
                }
                Outcome::Unsupported => {
                    row.unsupported += 1;
                    None
                }
                Outcome::Intended(got) => {
                    row.acceptable += 1;
                    intended += 1;
                    Some((kinds::INTENDED, got, intended))
                }
                Outcome::Unasked(kind, got) => {
                    row.unasked += 1;
                    Some((kind, got, row.unasked))
                }
                Outcome::Wrong(kind, got) => {
                    row.failed += 1;
                    Some((kind, got, row.failed))
                }
            };
            if let Some((kind, got, number)) = failure
                && number <= KEPT
                && !unanswered
            {
                let file = &known.files[question.file];
                failures.push(question.failure(file, slot.id(), kind, &got));
            }
        }
        done(questions.len() as u64);
        rows.push(row);
    }
    (rows, failures)
}

/// Judges an answer. A wrong one is intended if the library's manifest says so; a call without an
/// answer never is.
fn judged(slot: &Slot, question: &Question<'_>, file: &str, reply: &Reply) -> Outcome {
    let Work {
        primitive,
        operation,
        ..
    } = &question.work;
    match question.judge(reply) {
        Outcome::Wrong(_, got)
            if slot
                .candidate
                .manifest
                .defect(primitive, operation, Some(&question.place(file)))
                .is_some_and(|defect| defect.intended) =>
        {
            Outcome::Intended(got)
        }
        outcome => outcome,
    }
}

/// Judges a call without an answer. If the call has a cost, a library that takes longer than the lab
/// waits is not at fault, and neither is a library for which the machine has too little memory.
fn faulty(fault: &Fault, work: &Work) -> Outcome {
    let text = fault.to_string();
    match fault.kind() {
        "killed" => Outcome::Unasked("killed", text),
        "timeout" if has_cost(work) => Outcome::Unasked("too slow", text),
        kind => Outcome::Wrong(kind, text),
    }
}

/// Returns whether the time of a call depends on a cost: on a number among its inputs, or on the
/// setting of a password hash.
pub(crate) fn has_cost(work: &Work) -> bool {
    work.inputs.keys().any(|name| name.starts_with("cost."))
        || catalogue::cost(&work.primitive, &catalogue::Costs::new()).is_some()
}

/// Returns the counts of one flag in a row; they are added if the row lacks the flag.
fn flag_of<'a>(row: &'a mut Verification, flag: &str) -> &'a mut Flag {
    let index = match row.flags.iter().position(|f| f.flag == flag) {
        Some(index) => index,
        None => {
            row.flags.push(Flag {
                flag: flag.to_owned(),
                ..Flag::default()
            });
            row.flags.len() - 1
        }
    };
    &mut row.flags[index]
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn a_call_with_a_cost_may_take_longer_than_the_lab_waits() {
        let fault = Fault::Timeout(Duration::from_secs(20));
        let kind = |primitive: &str, operation: &str| match faulty(
            &fault,
            &Work::new(primitive, operation),
        ) {
            Outcome::Unasked(kind, _) => (true, kind),
            Outcome::Wrong(kind, _) => (false, kind),
            _ => panic!("a fault is no answer"),
        };
        assert_eq!(kind("scrypt", "derive"), (true, "too slow"));
        assert_eq!(kind("crypt-yescrypt", "crypt"), (true, "too slow"));
        assert_eq!(kind("sha-256", "hash"), (false, "timeout"));
    }

    #[test]
    fn reasons_why_the_lab_could_not_ask_are_data() {
        for kind in ["killed", "too slow", "not accepted"] {
            assert!(crate::summary::unasked(kind).is_some(), "{kind}");
        }
        assert_eq!(crate::summary::unasked("wrong answer"), None);
    }
}
