//! Judges generators of random bytes, of which no answer is known: two answers to the same inputs
//! must differ.

use std::collections::BTreeMap;

use touchstone_wire::{Data, Reply, Request, Work};

use super::SHOWN;
use super::question::shown;
use crate::operations::Operation;
use crate::session::Slot;
use crate::summary::{Failure, Verification};
use crate::worker::patience;

/// The number of bytes of a piece that must differ. Two random pieces are equal with a probability
/// of 2^-128.
const PIECE: usize = 16;

/// What the report shows as the source of the right answers.
const SOURCE: &str = "two answers of the library, which differ";

/// Lets a library answer each work twice, and counts the pairs of answers in its row.
pub(super) fn judge(
    slot: &mut Slot,
    row: &mut Verification,
    operation: &Operation,
    works: &[Work],
    failures: &mut Vec<Failure>,
) {
    for work in works {
        let mut answer = || match slot.ask(&Request::Check { work: work.clone() }, patience()) {
            Ok(Reply::Output { outputs }) => Ok(outputs),
            Ok(Reply::Unsupported { .. }) => Err(None),
            Ok(other) => Err(Some(other.line())),
            Err(fault) => Err(Some(fault.to_string())),
        };
        let pair = answer().and_then(|one| Ok([one, answer()?]));
        let wrong = match &pair {
            Err(None) => {
                row.unsupported += 1;
                continue;
            }
            Err(Some(trouble)) => Some(trouble.clone()),
            Ok([one, two]) => fault(operation, work, one, two),
        };
        let Some(wrong) = wrong else {
            row.passed += 1;
            if row.sources.is_empty() {
                row.sources.push(SOURCE.to_owned());
            }
            continue;
        };
        row.failed += 1;
        failures.push(Failure {
            library: row.library.clone(),
            primitive: row.primitive.clone(),
            operation: operation.id.clone(),
            kind: "wrong answer".into(),
            place: wrong,
            input: work.shown().chars().take(SHOWN).collect(),
            expected: "two answers that differ in each piece of 16 bytes".into(),
            got: pair.map_or_else(
                |_| String::new(),
                |pair| {
                    let both = pair.iter().map(shown).collect::<Vec<_>>().join(" ");
                    both.chars().take(SHOWN).collect()
                },
            ),
        });
    }
}

/// Returns what is wrong with two answers to the same work.
fn fault(
    operation: &Operation,
    work: &Work,
    one: &BTreeMap<String, Data>,
    two: &BTreeMap<String, Data>,
) -> Option<String> {
    operation.outputs.keys().find_map(|name| {
        let [one, two] = [one, two].map(|all| all.get(name).map_or(Vec::new(), Data::to_vec));
        let wanted = operation.length(work, name).map(|length| length as usize);
        for answer in [&one, &two] {
            if let Some(wanted) = wanted.filter(|wanted| *wanted != answer.len()) {
                return Some(format!("{} bytes in place of {wanted}", answer.len()));
            }
        }
        // The last piece overlaps the piece before, so that the end of an answer counts.
        let last = one.len().min(two.len()).checked_sub(PIECE)?;
        let starts = (0..last).step_by(PIECE).chain([last]);
        let same = |at: &usize| one[*at..][..PIECE] == two[*at..][..PIECE];
        let at = starts.into_iter().find(same)?;
        Some(format!("two answers have the same bytes from byte {at} on"))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::operations;

    /// Returns what is wrong with two answers of 40 bytes.
    fn wrong(one: Vec<u8>, two: Vec<u8>) -> Option<String> {
        let operation = operations::find("random-bytes").unwrap();
        let work = Work::new("own-generator", "random-bytes").with("length", 40);
        let [one, two] = [one, two].map(|bytes| {
            let output = ("output".to_owned(), Data::Bytes(bytes));
            BTreeMap::from([output])
        });
        fault(operation, &work, &one, &two)
    }

    #[test]
    fn every_piece_of_two_answers_differs() {
        let counted = |first: u8| (0..40).map(|i| first + i).collect::<Vec<_>>();
        assert_eq!(wrong(counted(0), counted(1)), None);
        for (place, filled) in [("byte 0", 0..16), ("byte 16", 16..32), ("byte 24", 24..40)] {
            let [mut one, mut two] = [counted(0), counted(1)];
            one[filled.clone()].fill(0);
            two[filled].fill(0);
            assert!(
                wrong(one, two).is_some_and(|text| text.contains(place)),
                "{place}"
            );
        }
    }

    #[test]
    fn a_short_answer_is_wrong() {
        let answer = wrong(vec![1; 39], vec![2; 40]);
        assert_eq!(answer.as_deref(), Some("39 bytes in place of 40"));
        assert!(wrong(vec![1; 40], Vec::new()).is_some());
    }
}
