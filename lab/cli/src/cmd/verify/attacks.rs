//! The table of `touchstone verify --attacks`.

use std::collections::BTreeSet;

use super::name;
use crate::attacks;
use crate::rank::verdict::few;
use crate::session::Slot;
use crate::summary::Verification;
use crate::table::{Format, Table};

/// Returns a table with one row for each attack and library that fails it, the most severe first;
/// for programs, with the gain and the source of the attack.
pub(super) fn table(rows: &[Verification], slots: &[Slot], format: Format) -> Table {
    let columns = [
        "severity",
        "attack",
        "library",
        ">cases",
        "algorithms",
        "gain",
        "source",
    ];
    let is_shown = format == Format::Table;
    let shown = if is_shown { 5 } else { columns.len() };
    let title = "Known attacks, the most severe first";
    let mut table = Table::new("attacks", title, &columns[..shown]);
    let libraries: BTreeSet<&str> = rows.iter().map(|row| row.library.as_str()).collect();
    let mut gains = Vec::new();
    let mut withstood = Vec::new();
    let mut intended = Vec::new();
    for trial in attacks::trials(&Vec::from_iter(libraries), rows) {
        let attack = trial.attack;
        match trial.fails[..] {
            [] => withstood.push(attack.name.clone()),
            _ => gains.push(format!("{}: {}", attack.name, attack.gain)),
        }
        for library in &trial.intended {
            intended.push(format!("{}: {}", attack.name, name(slots, library)));
        }
        for fails in trial.fails {
            let algorithms = if is_shown {
                few(&fails.algorithms)
            } else {
                fails.algorithms
            };
            let cells = [
                attack.severity.name().to_owned(),
                attack.name.clone(),
                name(slots, &fails.library),
                fails.cases.to_string(),
                algorithms.join(", "),
                attack.gain.clone(),
                attack.source.clone(),
            ];
            table.row(cells.into_iter().take(shown));
        }
    }
    let mut notes = Vec::new();
    if !gains.is_empty() {
        notes.push("What an attacker gains where a library fails:".to_owned());
        notes.append(&mut gains);
    }
    if !withstood.is_empty() {
        notes.push(format!("No library fails: {}", withstood.join("; ")));
    }
    if !intended.is_empty() {
        notes.push(format!(
            "Answers that differ on purpose and are no success of the attack (--failed says why): {}",
            intended.join("; ")
        ));
    }
    table.footnote = notes.join("\n");
    table
}
