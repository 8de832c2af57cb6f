//! The points of histories: what stays of each cell when the samples of its run are moved away.

use std::collections::HashSet;

use crate::machine;
use crate::profile::Task;
use crate::store::Store;
use crate::stored::Point;
use crate::summary::{Cell, Summary};

/// Stores the points of a run.
pub fn save(store: &Store, summary: &Summary) -> anyhow::Result<()> {
    let machine = machine::name(&summary.machine);
    store.save_points(summary.run.id, &machine, &of(summary))
}

/// Returns the points of a run. Cells with doubtful numbers have none.
pub fn of(summary: &Summary) -> Vec<Point> {
    let sound = |cell: &&Cell| cell.flags.is_empty();
    let version = |id: &str| {
        let library = summary.libraries.iter().find(|library| library.id == id);
        library.map_or_else(String::new, |library| library.version.clone())
    };
    let point = |cell: &Cell| {
        Some(Point {
            task: Task {
                primitive: cell.primitive.clone(),
                operation: cell.operation.clone(),
                contract: cell.contract.parse().ok()?,
                bytes: cell.bytes,
                threads: cell.threads,
                messages: cell.messages,
            },
            library: cell.library.clone(),
            version: version(&cell.library),
            ns: cell.ns,
            rounds: cell.rounds,
            processes: cell.processes.iter().collect::<HashSet<_>>().len() as u32,
        })
    };
    summary
        .cells
        .iter()
        .filter(sound)
        .filter_map(point)
        .collect()
}
