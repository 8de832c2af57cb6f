//! Judges algorithms without known answers by comparing libraries with each other.

use std::collections::{BTreeMap, HashSet};
use std::time::{Duration, Instant};

use touchstone_wire::{Data, Reply, Request, Work};

use super::question::{same, shown};
use super::{SHOWN, differs};
use crate::operations::{self, Check, Operation};
use crate::record::Record;
use crate::session::Slot;
use crate::stats::parallel;
use crate::summary::{Failure, Verification};
use crate::worker::patience;
use crate::{adapters, catalogue};

fn check(work: &Work) -> Request {
    Request::Check { work: work.clone() }
}

/// Returns a function that lets the first capable library do some work.
pub fn anyone(slots: &mut [Slot]) -> impl FnMut(&Work) -> Option<BTreeMap<String, Data>> {
    |work| {
        slots
            .iter_mut()
            .filter(|slot| slot.usable() && slot.offers(&work.primitive, &work.operation))
            .find_map(|slot| match slot.ask(&check(work), patience()) {
                Ok(Reply::Output { outputs }) => Some(outputs),
                _ => None,
            })
    }
}

/// For an algorithm without known answers: whether this library is in the majority. At least
/// one library must agree with it, and the libraries that agree, with this one, must be more
/// than the libraries that disagree.
pub fn outvotes(row: &Verification) -> bool {
    row.agreed > 0 && row.agreed + 1 > row.disagreed
}

/// Returns the id that all builds and versions of this library share.
fn project<'a>(slots: &'a [Slot], library: &'a str) -> &'a str {
    let slot = slots.iter().find(|slot| slot.id() == library);
    slot.map_or(adapters::adapter(library), |slot| slot.facts.project())
}

/// Returns whether a library may judge the answers of another project.
fn has_vote(slot: &Slot, project: &str) -> bool {
    !slot.facts.is_build() && slot.facts.project() != project
}

/// Positions on the axis at which libraries are compared if there is no known answer.
const COMPARED: [usize; 8] = [16, 64, 100, 256, 384, 1000, 2048, 4096];

/// If no known answer exists, compares the libraries' outputs for the same inputs. A library in
/// the minority, or in one of two equal groups, may not be timed. A library with wrong answers
/// for the same primitive has no vote, but its other operations are judged. Masked variants and
/// other builds of a library have no vote either. Each of them is compared with the libraries that
/// have a vote, except its own library. `generators` says whether to judge random generators, of
/// which no file can have an answer.
pub(super) fn compare(
    slots: &mut [Slot],
    rows: &mut [Verification],
    failures: &mut Vec<Failure>,
    generators: bool,
) {
    let mut open: BTreeMap<(String, String), Vec<usize>> = BTreeMap::new();
    for row in rows.iter() {
        if row.passed == 0 && row.failed == 0 {
            open.entry((row.primitive.clone(), row.operation.clone()))
                .or_default();
        }
    }
    let tainted: HashSet<(String, String)> = rows
        .iter()
        .filter(|row| row.failed > 0)
        .map(|row| (row.library.clone(), row.primitive.clone()))
        .collect();
    for (index, row) in rows.iter().enumerate() {
        let key = (row.primitive.clone(), row.operation.clone());
        if let Some(list) = open.get_mut(&key).filter(|_| row.failed == 0) {
            list.push(index);
        }
    }
    for ((primitive, operation), members) in open {
        let Some(operation) = operations::find(&operation) else {
            continue;
        };
        let check = catalogue::check(&primitive, operation);
        if matches!(check, Check::Inverse | Check::Property) {
            judge_by_others(slots, rows, &members, operation, &tainted, failures);
            continue;
        }
        let mut works: Vec<Work> = COMPARED
            .into_iter()
            .filter(|&bytes| catalogue::takes(&primitive, &operation.id, bytes))
            .filter_map(|bytes| operation.timed(&primitive, bytes as u64, &mut anyone(slots)))
            .collect();
        // An operation without an axis has the same work at every position.
        works.dedup();
        if works.is_empty() {
            continue;
        }
        if check == Check::Differs {
            for index in members.into_iter().filter(|_| generators) {
                let row = &mut rows[index];
                if let Some(slot) = slots.iter_mut().find(|slot| slot.id() == row.library) {
                    differs::judge(slot, row, operation, &works, failures);
                }
            }
            continue;
        }
        let asked = |slot: &Slot| {
            let index = members
                .iter()
                .find(|&&index| rows[index].library == slot.id());
            index.copied()
        };
        let answers = together(slots, asked, |slot| replies(slot, &works));
        for (index, answer) in &answers {
            let mine = rows[*index].library.clone();
            let project = project(slots, &mine);
            let voters: Vec<&(usize, Vec<Answer>)> = answers
                .iter()
                .filter(|(other, _)| {
                    let row = &rows[*other];
                    let wrong = tainted.contains(&(row.library.clone(), row.primitive.clone()));
                    let other = slots.iter().find(|s| s.id() == row.library);
                    !wrong && other.is_some_and(|other| has_vote(other, project))
                })
                .collect();
            let others = || voters.iter().copied().filter(|(other, _)| other != index);
            let row = &mut rows[*index];
            if row.passed > 0 {
                continue;
            }
            row.agreed = others()
                .filter(|(_, other)| conflict(answer, other) == Some(None))
                .count() as u32;
            let against = others().find_map(|(_, other)| conflict(answer, other).flatten());
            row.disagreed = others()
                .filter(|(_, other)| matches!(conflict(answer, other), Some(Some(_))))
                .count() as u32;
            if let (Some(at), false) = (against, outvotes(row)) {
                let shown = |answer: &[Answer]| -> String {
                    answer[at]
                        .iter()
                        .flat_map(|text| text.chars())
                        .take(SHOWN)
                        .collect()
                };
                let other = others()
                    .map(|(_, other)| other)
                    .find(|other| other[at] != answer[at]);
                failures.push(Failure {
                    library: row.library.clone(),
                    primitive: primitive.clone(),
                    operation: operation.id.clone(),
                    kind: "disagrees".into(),
                    place: format!(
                        "no known answer: {} other{} agree, {} do not",
                        row.agreed,
                        if row.agreed == 1 { "" } else { "s" },
                        row.disagreed
                    ),
                    input: works[at].shown().chars().take(SHOWN).collect(),
                    expected: other.map_or(String::new(), |other| shown(other)),
                    got: shown(answer),
                });
            }
        }
    }
}

/// How many answers of a library are judged if an operation gives a different answer each time.
const TRIALS: usize = 3;
/// Length in bytes of the messages whose answers other libraries judge.
const JUDGED_BYTES: u64 = 64;
/// The time after which a library gives no more answers for one algorithm, and judges no more
/// answers. Some libraries need a second for one signature.
const ENOUGH: Duration = Duration::from_secs(1);

/// An answer to judge.
struct Exhibit {
    /// The index of the row of the library that gave the answer, and the project of this library.
    row: usize,
    project: String,
    /// What a judge is asked, and the outputs with which it accepts the answer.
    work: Work,
    accepted: BTreeMap<String, Data>,
}

/// Judges an operation whose answers differ from call to call. The table of operations names
/// another operation, which must succeed with a correct answer; other libraries run this
/// operation on each answer.
fn judge_by_others(
    slots: &mut [Slot],
    rows: &mut [Verification],
    members: &[usize],
    operation: &Operation,
    tainted: &HashSet<(String, String)>,
    failures: &mut Vec<Failure>,
) {
    let Some(by) = operation.judge() else {
        return;
    };
    let exhibits: Vec<Exhibit> = members
        .iter()
        .flat_map(|&row| exhibits(slots, row, &rows[row], operation, by))
        .collect();
    let Some(primitive) = members.first().map(|&row| rows[row].primitive.clone()) else {
        return;
    };
    let judges = |slot: &Slot| {
        let wrong = tainted.contains(&(slot.id().to_owned(), primitive.clone()));
        let judges = !wrong && slot.usable() && slot.offers(&primitive, &by.id);
        judges.then(|| slot.id().to_owned())
    };
    let judged = together(slots, judges, |slot| {
        let begun = Instant::now();
        let mut verdicts: BTreeMap<usize, Vec<Verdict>> = BTreeMap::new();
        for exhibit in &exhibits {
            if has_vote(slot, &exhibit.project)
                && begun.elapsed() < ENOUGH
                && let Some(verdict) = accepts(slot, &exhibit.work, &exhibit.accepted)
            {
                verdicts.entry(exhibit.row).or_default().push(verdict);
            }
        }
        verdicts
    });
    for (judge, verdicts) in judged {
        for (row, verdicts) in verdicts {
            let row = &mut rows[row];
            let refused = verdicts.iter().find_map(|verdict| verdict.as_ref().err());
            let Some((asked, got)) = refused else {
                row.agreed += 1;
                continue;
            };
            row.disagreed += 1;
            failures.push(Failure {
                library: row.library.clone(),
                primitive: row.primitive.clone(),
                operation: operation.id.clone(),
                kind: "disagrees".into(),
                place: format!("{} by {judge}", by.id),
                input: asked.chars().take(SHOWN).collect(),
                expected: "acceptance".into(),
                got: got.chars().take(SHOWN).collect(),
            });
        }
    }
}

/// Returns the answers of one library that others judge: at least one, if it answers.
fn exhibits(
    slots: &mut [Slot],
    index: usize,
    row: &Verification,
    operation: &Operation,
    by: &Operation,
) -> Vec<Exhibit> {
    let begun = Instant::now();
    let mut exhibits = Vec::new();
    while exhibits.len() < TRIALS && (exhibits.is_empty() || begun.elapsed() < ENOUGH) {
        let Some(mut record) = answer_of(slots, row, operation) else {
            break;
        };
        let made = by.make(
            &row.primitive,
            JUDGED_BYTES,
            &mut record,
            &mut anyone(slots),
        );
        if made.is_none() {
            break;
        }
        exhibits.push(Exhibit {
            row: index,
            project: project(slots, &row.library).to_owned(),
            work: by.work(&row.primitive, &record),
            accepted: by.expected(&row.primitive, &record),
        });
    }
    exhibits
}

/// Asks libraries at the same time, since nothing is timed here. `chosen` returns a name for
/// each library to ask; the names are returned with what the libraries answered, in the
/// libraries' order.
fn together<N: Send, A: Send>(
    slots: &mut [Slot],
    chosen: impl Fn(&Slot) -> Option<N>,
    ask: impl Fn(&mut Slot) -> A + Sync,
) -> Vec<(N, A)> {
    let asked = slots
        .iter_mut()
        .filter_map(|slot| Some((chosen(slot)?, slot)));
    parallel::each(asked, |(name, slot)| (name, ask(slot)))
}

/// Returns a library's answers to the same works as other libraries.
fn replies(slot: &mut Slot, works: &[Work]) -> Vec<Answer> {
    works
        .iter()
        .map(|work| match slot.ask(&check(work), patience()) {
            Ok(Reply::Output { outputs }) => Some(shown(&outputs)),
            Ok(Reply::Unsupported { .. }) => None,
            Ok(other) => Some(other.line()),
            Err(fault) => Some(fault.to_string()),
        })
        .collect()
}

/// Returns an answer of the library that is judged, with its inputs.
fn answer_of(slots: &mut [Slot], row: &Verification, operation: &Operation) -> Option<Record> {
    let mut record = Record::default();
    operation.make(
        &row.primitive,
        JUDGED_BYTES,
        &mut record,
        &mut anyone(slots),
    )?;
    let work = operation.work(&row.primitive, &record);
    let slot = slots.iter_mut().find(|slot| slot.id() == row.library)?;
    match slot.ask(&check(&work), patience()) {
        Ok(Reply::Output { outputs }) => {
            record.take(outputs);
            Some(record)
        }
        _ => None,
    }
}

/// Whether a judge accepts an answer; if not, also the request to the judge and its reply.
type Verdict = Result<(), (String, String)>;

/// Lets a library judge an answer. `None` if it cannot judge.
fn accepts(slot: &mut Slot, work: &Work, accepted: &BTreeMap<String, Data>) -> Option<Verdict> {
    let got = match slot.ask(&check(work), patience()) {
        Ok(Reply::Output { outputs }) if same(&outputs, accepted) => return Some(Ok(())),
        Ok(Reply::Output { outputs }) => shown(&outputs),
        Ok(Reply::Rejected) => "refusal".into(),
        Ok(Reply::Failed { reason }) => reason,
        _ => return None,
    };
    Some(Err((work.shown(), got)))
}

/// A library's output for some work; `None` if the library does not support the work.
type Answer = Option<String>;

/// Compares two libraries' answers to the same list of work. `None` if they have no work
/// in common; `Some(None)` if all common answers are equal; otherwise the index of the
/// first work with different answers.
fn conflict(a: &[Answer], b: &[Answer]) -> Option<Option<usize>> {
    let mut common = false;
    for (at, pair) in a.iter().zip(b).enumerate() {
        if let (Some(x), Some(y)) = pair {
            common = true;
            if x != y {
                return Some(Some(at));
            }
        }
    }
    common.then_some(None)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_library_that_does_not_take_a_work_has_no_opinion_of_it() {
        let answers = |texts: &[&str]| -> Vec<Answer> {
            texts
                .iter()
                .map(|t| (!t.is_empty()).then(|| (*t).to_owned()))
                .collect()
        };
        let [abc, xbc, abx] =
            [["a", "b", "c"], ["", "b", "c"], ["a", "b", "x"]].map(|t| answers(&t));
        assert_eq!(conflict(&abc, &xbc), Some(None));
        assert_eq!(conflict(&abc, &abx), Some(Some(2)));
        assert_eq!(conflict(&answers(&["a", ""]), &answers(&["", "b"])), None);
    }
}
