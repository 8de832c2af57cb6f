//! Makes the cells of a summary from the samples of a run: times, ratios to the best, ties.

use std::collections::BTreeMap;

use crate::profile::Task;
use crate::rank::ratio;
use crate::stats::{self, Interval, Series, parallel};
use crate::store::RawCell;
use crate::summary::{Cell, Library};
use crate::{adapters, catalogue, operations};

/// Bootstrap seed: the same samples always give the same interval.
pub(super) const SEED: u64 = 0x70_6f_75_63_68;

/// Makes the cells. Without intervals, each time is a single number and each ratio is 1, which takes
/// less time.
pub(super) fn cells(raw: Vec<RawCell>, libraries: &[Library], intervals: bool) -> Vec<Cell> {
    let builds = libraries.iter().filter(|library| library.is_build());
    let builds: Vec<&str> = builds.map(|library| library.id.as_str()).collect();
    let mut tasks: BTreeMap<Task, Vec<RawCell>> = BTreeMap::new();
    for cell in raw.into_iter().filter(|cell| !cell.samples.is_empty()) {
        tasks.entry(cell.task.clone()).or_default().push(cell);
    }
    let tasks: Vec<(Task, Vec<RawCell>)> = tasks.into_iter().collect();
    let computed = parallel::map(&tasks, |(task, group)| {
        times(task, group, &builds, intervals)
    });
    let mut cells = Vec::new();
    for ((task, group), times) in tasks.into_iter().zip(computed) {
        for (cell, times) in group.into_iter().zip(times) {
            cells.push(Cell {
                library: cell.library,
                family: catalogue::section(&task.primitive, &task.operation).to_owned(),
                primitive: task.primitive.clone(),
                operation: task.operation.clone(),
                contract: task.contract.name().to_owned(),
                bytes: task.bytes,
                threads: task.threads,
                messages: task.messages,
                ns: times.ns,
                spread: times.spread,
                ratio: times.ratio,
                tie: times.tie,
                counts: true,
                rounds: times.samples.len() as u32,
                calls: cell.calls,
                stop: cell.stop.to_owned(),
                first_ns: cell.first_ns,
                mhz: cell.mhz,
                flags: cell.flags,
                api: cell.api,
                kernel: cell.kernel,
                note: cell.note,
                samples: times.samples,
                processes: cell.processes,
            });
        }
    }
    cells
}

/// What is computed of a cell's samples.
struct Times {
    /// Nanoseconds per call, or per message.
    samples: Vec<f64>,
    ns: Interval,
    spread: [f64; 3],
    ratio: Interval,
    tie: bool,
}

/// Computes the times of a task's cells. `builds`: the libraries that are builds of others.
fn times(task: &Task, group: &[RawCell], builds: &[&str], intervals: bool) -> Vec<Times> {
    // Threads work in parallel, so a message's time is its share of the wall time.
    let per_call: Vec<Vec<f64>> = group
        .iter()
        .map(|cell| {
            let calls = cell.calls as f64 * f64::from(task.threads) * f64::from(task.messages);
            cell.samples.iter().map(|ns| ns / calls).collect()
        })
        .collect();
    let series: Vec<Series<'_>> = group
        .iter()
        .zip(&per_call)
        .map(|(cell, samples)| Series {
            samples,
            processes: &cell.processes,
            statistic: operations::statistic(&task.operation),
        })
        .collect();
    let plain: Vec<bool> = group
        .iter()
        .map(|cell| {
            let id = cell.library.as_str();
            !adapters::is_variant(id) && !builds.contains(&id)
        })
        .collect();
    let exact = |series: &Series<'_>| {
        let value = series.value();
        (Interval::exact(value), [value; 3])
    };
    let of = |series: &Series<'_>| {
        (
            stats::value_interval(*series, SEED),
            stats::spread(series.samples),
        )
    };
    let (ratios, values): (_, Vec<(Interval, [f64; 3])>) = if intervals {
        (
            ratio::ratios_to_plain(&series, &plain),
            series.iter().map(of).collect(),
        )
    } else {
        (
            vec![(Interval::exact(1.0), false); series.len()],
            series.iter().map(exact).collect(),
        )
    };
    let found = per_call.into_iter().zip(values).zip(ratios);
    found
        .map(|((samples, (ns, spread)), (ratio, tie))| Times {
            samples,
            ns,
            spread,
            ratio,
            tie,
        })
        .collect()
}
