//! Computes the [`Summary`] from a stored run; all output is made from the summary.

mod cells;
mod costs;
mod doubt;
mod ranks;
#[cfg(test)]
mod tests;

use touchstone_wire::Contract;

use cells::cells;
use costs::costs;
use doubt::flag;
pub use ranks::rankings;
use ranks::ranks_of;
pub(crate) use ranks::variants;

use crate::profile::{Profile, Task};
use crate::store::Store;
use crate::summary::{Run, Summary};
use crate::text::{Foreign, SENTENCE, make_visible};
use crate::{machine, stats};

/// Reads a run from the store and computes all derived values.
pub fn summarise(store: &Store, run: i64) -> anyhow::Result<Summary> {
    summary(store, run, &|_| true, Part::All)
}

/// Like [`summarise`], but only of the cells whose primitive and operation are wanted, which
/// takes less time. Ranks are over these cells alone.
pub fn summarise_some(
    store: &Store,
    run: i64,
    wanted: &dyn Fn(&str, &str) -> bool,
) -> anyhow::Result<Summary> {
    let wanted = |task: &Task| wanted(&task.primitive, &task.operation);
    summary(store, run, &wanted, Part::All)
}

/// Like [`summarise`], but only with the headline and, if `paper` is true, the paper's ranks. The
/// summary has no cells and no cost models. This takes a third of the time.
pub fn summarise_ranks(store: &Store, run: i64, paper: bool) -> anyhow::Result<Summary> {
    let wanted = |task: &Task| task.contract == Contract::Hot && task.threads == 1;
    summary(store, run, &wanted, Part::Ranks { paper })
}

/// The part of a summary that is computed.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Part {
    All,
    Ranks { paper: bool },
}

fn summary(
    store: &Store,
    run: i64,
    wanted: &dyn Fn(&Task) -> bool,
    part: Part,
) -> anyhow::Result<Summary> {
    let row = store.run(Some(run), false)?;
    let mut libraries = store.libraries(run)?;
    let raw = store.cells_of(run, wanted)?;
    let mut cells = cells(raw, &libraries, part == Part::All);
    // All cells count if this version cannot read the profile, or if the user chose the
    // sizes.
    if row.plan.sizes.is_empty()
        && let Ok(profile) = Profile::parse(&row.profile, &row.profile_text)
    {
        for cell in &mut cells {
            cell.counts = profile.counts(&cell.primitive, &cell.operation, cell.bytes);
        }
    }
    flag(&mut cells);
    let mut machine = row.machine;
    let mut files = match part {
        Part::All => store.newest_files(Some(&machine::name(&machine)))?,
        Part::Ranks { .. } => None,
    };
    if !row.imported.is_empty() {
        machine.line += " (another machine: imported)";
        machine.facts.push(("Imported".to_owned(), row.imported));
    }
    let mut mhz: Vec<f64> = cells.iter().filter_map(|cell| cell.mhz).collect();
    mhz.sort_by(f64::total_cmp);
    if let (Some(&low), Some(&high)) = (mhz.first(), mhz.last()) {
        machine.mhz = Some([low, stats::quantile(&mhz, 0.5), high]);
    }
    let mut run_row = Run {
        id: row.id,
        started: row.started,
        seconds: row.seconds,
        profile: row.profile,
        command: row.command,
        complete: row.complete,
        lab_version: row.lab_version,
        null_ns: row.null_ns,
        target: row.target,
        costs: row.plan.costs,
    };
    for text in [
        &mut run_row.started,
        &mut run_row.profile,
        &mut run_row.command,
        &mut run_row.lab_version,
    ] {
        make_visible(text, SENTENCE);
    }
    let mut verification = store.verifications(run)?;
    let mut failures = store.failures(run)?;
    for foreign in [
        &mut machine as &mut dyn Foreign,
        &mut libraries,
        &mut verification,
        &mut failures,
        &mut cells,
        &mut files,
    ] {
        foreign.make_visible();
    }
    let paper = part != Part::Ranks { paper: false };
    let (ranking, headline, variants) = ranks_of(&libraries, &cells, paper);
    let costs = match part {
        Part::All => costs(&cells),
        Part::Ranks { .. } => {
            cells.clear();
            Vec::new()
        }
    };
    Ok(Summary {
        run: run_row,
        machine,
        libraries,
        verification,
        failures,
        headline,
        variants,
        ranking,
        cells,
        costs,
        files,
    })
}
