//! Flags times that cannot be true, and notes where fewer bytes took longer.

use std::cell::LazyCell;
use std::collections::BTreeMap;

use touchstone_wire::Contract;

use super::cells::SEED;
use crate::adapters;
use crate::catalogue;
use crate::stats;
use crate::summary::{Cell, join_notes};

/// If a larger message takes less than this share of a smaller message's time, the cell gets a note,
/// because noise does not explain so large a difference.
const FASTER_WITH_MORE: f64 = 0.95;

/// If most libraries were faster with more bytes, and there are at least this many libraries, the
/// machine was the cause.
const WITNESSES: usize = 3;

/// The times of one task by library.
type ByLibrary<'a> = BTreeMap<&'a str, f64>;

/// The tasks of one algorithm, contract and number of threads, by their sizes.
#[derive(Default)]
struct Sizes<'a> {
    times: BTreeMap<u64, ByLibrary<'a>>,
    /// For a smaller and a larger size, [`common_step`].
    steps: BTreeMap<(u64, u64), Option<f64>>,
}

impl Sizes<'_> {
    /// Compares each size with each larger one.
    fn compare(&mut self) {
        for (&bytes, small) in &self.times {
            for (&more, large) in self.times.range(bytes + 1..) {
                self.steps.insert((bytes, more), common_step(small, large));
            }
        }
    }

    /// Returns the next smaller size for which the library took so much more time that neither noise nor a
    /// slower machine explains the difference.
    fn longer(&self, cell: &Cell) -> Option<u64> {
        let high = LazyCell::new(|| stats::value_interval(cell.series(), SEED).high);
        let mut smaller = self.times.range(..cell.bytes).rev();
        let longer = smaller.find(|(bytes, small)| {
            let step = self.steps[&(**bytes, cell.bytes)].unwrap_or(1.0).min(1.0);
            let most = small
                .get(&*cell.library)
                .map(|ns| ns * step * FASTER_WITH_MORE);
            most.is_some_and(|most| cell.ns.mid < most && *high < most)
        });
        longer.map(|(&bytes, _)| bytes)
    }

    /// Returns the next larger size for which most libraries took less time.
    fn faster(&self, bytes: u64) -> Option<u64> {
        let mut larger = self.steps.range((bytes, bytes)..=(bytes, u64::MAX));
        let is_faster = |step: &Option<f64>| step.is_some_and(|step| step < FASTER_WITH_MORE);
        larger.find_map(|((_, more), step)| is_faster(step).then_some(*more))
    }
}

/// Returns the time of the larger message divided by the time of the smaller message, as the median
/// over the libraries that have both. `None` if there are too few libraries to judge the machine.
fn common_step(small: &ByLibrary<'_>, large: &ByLibrary<'_>) -> Option<f64> {
    let mut steps: Vec<f64> = large
        .iter()
        .filter(|(library, _)| !adapters::is_variant(library))
        .filter_map(|(library, ns)| Some(ns / small.get(library)?))
        .collect();
    steps.sort_by(f64::total_cmp);
    (steps.len() >= WITNESSES).then(|| stats::quantile(&steps, 0.5))
}

/// Flags numbers that cannot be true. They are shown but not ranked.
///
/// A library may take less time for more bytes: the code for many blocks is not used for fewer. The output
/// at each size was compared with the other libraries' outputs, so such a cell only gets a note.
///
/// Tasks are at most minutes apart, but a machine may be slower during one of them. If most
/// libraries needed less time for more bytes, the slower machine was the cause: the cells of the
/// slower task get a note, and the larger size of a library gets one only if the effect is clearly larger
/// for this library than for the others.
pub(super) fn flag(cells: &mut [Cell]) {
    let doubts = doubts(cells);
    for (cell, (flags, note)) in cells.iter_mut().zip(doubts) {
        cell.flags.extend(flags);
        if !note.is_empty() {
            cell.note = join_notes(&cell.note, &note);
        }
    }
}

/// An algorithm, a contract, the number of messages and of threads.
type Kind<'a> = ([&'a str; 3], u32, u32);

/// Returns what a cell has in common with the cells of other sizes; `None` for key set-up, which
/// has no size.
fn kind(cell: &Cell) -> Option<Kind<'_>> {
    let names = [&*cell.primitive, &*cell.operation, &*cell.contract];
    let has_size = cell.contract != Contract::Setup.name();
    has_size.then_some((names, cell.messages, cell.threads))
}

/// Returns for each cell the flags and the note of [`flag`].
fn doubts(cells: &[Cell]) -> Vec<(Vec<String>, String)> {
    let mut tasks: BTreeMap<_, Sizes<'_>> = BTreeMap::new();
    for cell in cells {
        let Some(kind) = kind(cell) else { continue };
        let times = &mut tasks.entry(kind).or_default().times;
        let times = times.entry(cell.bytes).or_default();
        times.insert(&cell.library, cell.ns.mid);
    }
    tasks.values_mut().for_each(Sizes::compare);
    let doubts = cells.iter().map(|cell| {
        let mut flags = Vec::new();
        let mut note = String::new();
        let Some(sizes) = kind(cell).and_then(|kind| tasks.get(&kind)) else {
            return (flags, note);
        };
        if let Some(bytes) = sizes.longer(cell) {
            note = format!("this library takes longer for {bytes} bytes");
        }
        if let Some(bytes) = sizes.faster(cell.bytes) {
            let slower = format!("the machine was slower meanwhile: {bytes} bytes took less time");
            note = join_notes(&note, &slower);
        }
        if let (Some(floor), Some(mhz)) =
            (catalogue::floor(&cell.primitive, &cell.operation), cell.mhz)
            && cell.contract == Contract::Hot.name()
        {
            let cycles = cell.ns.mid * f64::from(cell.threads) * mhz / 1e3;
            let least = floor * cell.bytes as f64;
            if cycles < least {
                flags.push(format!(
                    "impossible: {cycles:.0} cycles where the instructions alone take {least:.0}"
                ));
            }
        }
        (flags, note)
    });
    doubts.collect()
}
