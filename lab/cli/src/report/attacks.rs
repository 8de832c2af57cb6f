//! The report's table of attacks: which library fails which known attack, from the flags of the
//! known answers.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::attacks::{self, Attack};
use crate::names;
use crate::summary::{Library, Summary, Verification};

/// An attack, and how the libraries of a run stand it.
#[derive(Debug, Serialize)]
pub(super) struct Row {
    #[serde(flatten)]
    attack: &'static Attack,
    fails: Vec<Fails>,
    /// The ids of the libraries that gave right answers alone.
    withstand: Vec<String>,
    /// Number of cases with right answers of all libraries.
    right: u64,
}

/// A library that fails.
#[derive(Debug, Serialize)]
struct Fails {
    library: String,
    algorithms: Vec<String>,
    wrong: u64,
}

/// Returns the attacks that the run's known answers tested: those that a library fails come first,
/// the most severe first.
pub(super) fn rows(summary: &Summary) -> Vec<Row> {
    let rows = attacks::all().iter().map(|attack| Row::of(attack, summary));
    let mut rows: Vec<Row> = rows
        .filter(|row| !row.fails.is_empty() || !row.withstand.is_empty())
        .collect();
    rows.sort_by_key(|row| (row.fails.is_empty(), row.attack.severity));
    rows
}

impl Row {
    fn of(attack: &'static Attack, summary: &Summary) -> Self {
        let tests = |row: &Verification| attack.is_on(&row.primitive, &row.operation);
        let is_shown = |library: &&Library| library.mask.is_empty() && library.absent.is_empty();
        let mut row = Self {
            attack,
            fails: Vec::new(),
            withstand: Vec::new(),
            right: 0,
        };
        for library in summary.libraries.iter().filter(is_shown) {
            let own = summary.verification.iter();
            let own = own.filter(|answers| answers.library == library.id && tests(answers));
            // A case may have several flags of one attack, so that a sum would count it twice: the
            // flag with the most cases counts.
            let mut wrong: BTreeMap<String, u64> = BTreeMap::new();
            let mut right = 0;
            for answers in own {
                let flags = answers.flags.iter();
                let flags = flags.filter(|flag| row.attack.flags.contains(&flag.flag));
                let counts = flags.map(|flag| (u64::from(flag.passed), u64::from(flag.failed)));
                let (passed, failed) = counts.fold((0, 0), |most: (u64, u64), one| {
                    (most.0.max(one.0), most.1.max(one.1))
                });
                right += passed;
                if failed > 0 {
                    let name = format!(
                        "{} {}",
                        names::primitive(&answers.primitive),
                        names::operation(&answers.operation)
                    );
                    *wrong.entry(name).or_default() += failed;
                }
            }
            row.right += right;
            if !wrong.is_empty() {
                row.fails.push(Fails {
                    library: library.id.clone(),
                    wrong: wrong.values().sum(),
                    algorithms: wrong.into_keys().collect(),
                });
            } else if right > 0 {
                row.withstand.push(library.id.clone());
            }
        }
        row
    }
}
