//! Cost models: a line through the times of a library's operation over the bytes of the message.

use std::collections::BTreeMap;

use touchstone_wire::Contract;

use super::cells::SEED;
use crate::stats::{self, Interval, Series, parallel};
use crate::summary::{Cell, Cost};
use crate::{adapters, catalogue};

/// The key of a cost model: the ids of library, primitive and operation.
type Key = (String, String, String);

fn key(cell: &Cell) -> Key {
    (
        cell.library.clone(),
        cell.primitive.clone(),
        cell.operation.clone(),
    )
}

/// Returns whether a cell belongs to a cost model.
fn has_slope(cell: &Cell) -> bool {
    cell.threads == 1
        && !catalogue::is_per_call(&cell.operation)
        && !adapters::is_variant(&cell.library)
}

/// Returns the cells of each cost model.
fn hot(cells: &[Cell]) -> Vec<(Key, Vec<&Cell>)> {
    let mut hot: BTreeMap<Key, Vec<&Cell>> = BTreeMap::new();
    let is_hot = |cell: &&Cell| cell.contract == Contract::Hot.name() && has_slope(cell);
    for cell in cells.iter().filter(is_hot) {
        hot.entry(key(cell)).or_default().push(cell);
    }
    hot.into_iter().collect()
}

/// Computes the cost model of each library and operation.
pub(super) fn costs(cells: &[Cell]) -> Vec<Cost> {
    let is_setup = |cell: &&Cell| cell.contract == Contract::Setup.name() && has_slope(cell);
    let setup: BTreeMap<Key, Interval> = cells
        .iter()
        .filter(is_setup)
        .map(|cell| (key(cell), cell.ns))
        .collect();
    let hot = hot(cells);
    let fits = parallel::map(&hot, |(_, cells)| {
        let points: Vec<(f64, Series<'_>)> = cells
            .iter()
            .map(|cell| (cell.bytes as f64, cell.series()))
            .collect();
        stats::fit_interval(&points, SEED)
    });
    hot.into_iter()
        .zip(fits)
        .filter_map(|((key, _), fit)| {
            let fit = fit?;
            let setup = setup.get(&key).copied();
            let (library, primitive, operation) = key;
            Some(Cost {
                library,
                family: catalogue::section(&primitive, &operation).to_owned(),
                primitive,
                operation,
                slope: fit.slope,
                intercept: fit.intercept,
                misfit: fit.misfit,
                setup,
                setup_bytes: setup.and_then(|setup| stats::quotient(setup, fit.slope)),
            })
        })
        .collect()
}
