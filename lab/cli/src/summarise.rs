//! Computes the [`Summary`] from a stored run; all output is made from the summary.

use std::collections::BTreeMap;

use touchstone_wire::Contract;

use crate::measure::join;
use crate::profile::{Profile, Task};
use crate::rank::headline::{Headline, headline};
use crate::rank::paper::Ranking;
use crate::rank::{self, Timed, ratio};
use crate::stats::{self, Interval, Series};
use crate::store::{RawCell, Store};
use crate::summary::{Cell, Cost, Library, Run, Summary};
use crate::text::{Foreign, SENTENCE, make_visible};
use crate::{adapters, catalogue, operations, standing};

/// Bootstrap seed: the same samples always give the same interval.
const SEED: u64 = 0x70_6f_75_63_68;

/// If a larger message takes less than this share of a smaller message's time, the cell is
/// suspicious, because noise does not explain so large a difference.
const FASTER_WITH_MORE: f64 = 0.95;

/// If most libraries were faster with more bytes, and there are at least this many libraries, the
/// machine was the cause.
const WITNESSES: usize = 3;

/// Reads a run from the store and computes all derived values.
pub fn summarise(store: &Store, run: i64) -> anyhow::Result<Summary> {
    summarise_some(store, run, &|_, _| true)
}

/// Like [`summarise`], but only of the cells whose primitive and operation are wanted, which
/// takes less time. Ranks are over these cells alone.
pub fn summarise_some(
    store: &Store,
    run: i64,
    wanted: &dyn Fn(&str, &str) -> bool,
) -> anyhow::Result<Summary> {
    let row = store.run(Some(run), false)?;
    let mut libraries = store.libraries(run)?;
    let mut raw = store.cells(run)?;
    raw.retain(|cell| wanted(&cell.task.primitive, &cell.task.operation));
    let mut cells = cells(raw, &libraries);
    // All cells count if this version cannot read the profile, or if the user chose the
    // sizes.
    if row.plan.sizes.is_empty()
        && let Ok(profile) = Profile::parse(&row.profile, &row.profile_text)
    {
        for cell in &mut cells {
            cell.counts = profile.counts(&cell.primitive, &cell.operation, cell.bytes);
        }
    }
    let costs = costs(&cells);
    flag(&mut cells, &costs);
    let mut machine = row.machine;
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
    ] {
        foreign.make_visible();
    }
    let (ranking, headline, variants) = rankings(&libraries, &cells);
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
    })
}

fn cells(raw: Vec<RawCell>, libraries: &[Library]) -> Vec<Cell> {
    let builds = libraries.iter().filter(|library| library.is_build());
    let builds: Vec<&str> = builds.map(|library| library.id.as_str()).collect();
    let mut tasks: BTreeMap<Task, Vec<RawCell>> = BTreeMap::new();
    for cell in raw.into_iter().filter(|cell| !cell.samples.is_empty()) {
        tasks.entry(cell.task.clone()).or_default().push(cell);
    }
    let mut cells = Vec::new();
    for (task, group) in tasks {
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
        let ratios = ratio::ratios_to_plain(&series, &plain);
        let times: Vec<Interval> = series
            .iter()
            .map(|series| stats::value_interval(*series, SEED))
            .collect();
        let found = group.into_iter().zip(per_call).zip(times).zip(ratios);
        for (((cell, samples), ns), (ratio, tie)) in found {
            cells.push(Cell {
                library: cell.library,
                family: catalogue::section(&task.primitive, &task.operation).to_owned(),
                primitive: task.primitive.clone(),
                operation: task.operation.clone(),
                contract: task.contract.name().to_owned(),
                bytes: task.bytes,
                threads: task.threads,
                messages: task.messages,
                ns,
                spread: stats::spread(&samples),
                ratio,
                tie,
                counts: true,
                rounds: samples.len() as u32,
                calls: cell.calls,
                stop: cell.stop.to_owned(),
                first_ns: cell.first_ns,
                mhz: cell.mhz,
                flags: cell.flags,
                api: cell.api,
                kernel: cell.kernel,
                note: cell.note,
                samples,
                processes: cell.processes,
            });
        }
    }
    cells
}

/// Computes the ranks over the cells that count: the paper's rank and the headline. Also returns
/// the libraries that have no row in the headline (the function `variants`).
pub fn rankings(
    libraries: &[Library],
    cells: &[Cell],
) -> (Ranking, Headline, Vec<(String, String)>) {
    let algorithms: Vec<String> = cells
        .iter()
        .map(|cell| format!("{} {}", cell.primitive, cell.operation))
        .collect();
    let timed: Vec<Timed<'_>> = cells
        .iter()
        .zip(&algorithms)
        .filter(|(cell, _)| ranks(cell))
        .map(|(cell, algorithm)| Timed {
            library: &cell.library,
            family: &cell.family,
            algorithm,
            modern: standing::is_modern(&cell.primitive, &cell.operation),
            bytes: cell.bytes,
            sizeless: catalogue::is_per_call(&cell.operation),
            public_key: catalogue::is_public_key(&cell.family),
            series: cell.series(),
        })
        .collect();
    let variants = variants(libraries);
    let stands_for_itself =
        |cell: &&Timed<'_>| !variants.iter().any(|(variant, _)| variant == cell.library);
    let rivals: Vec<Timed<'_>> = timed.iter().filter(stands_for_itself).copied().collect();
    (
        rank::paper::rank(&timed),
        headline(&rivals, &catalogue::FAMILIES),
        variants,
    )
}

/// Returns whether a cell counts for ranks.
fn ranks(cell: &Cell) -> bool {
    cell.counts
        && cell.contract == Contract::Hot.name()
        && !adapters::is_variant(&cell.library)
        && cell.threads == 1
        && cell.flags.is_empty()
        && !cell.samples.is_empty()
        && cell.samples.iter().all(|&s| s.is_finite() && s > 0.0)
}

/// Finds versions and builds of one library, which are not ranked against each other. The newest
/// version of the library itself represents all of them. If the run has only other builds of the
/// library, the newest build represents them. Returns pairs: the id of a library that has no row of
/// its own, and the id of the library that represents it.
pub(crate) fn variants(libraries: &[Library]) -> Vec<(String, String)> {
    let mut projects: BTreeMap<&str, Vec<&Library>> = BTreeMap::new();
    let unmasked = |library: &&Library| library.mask.is_empty() && library.absent.is_empty();
    for library in libraries.iter().filter(unmasked) {
        projects.entry(library.project()).or_default().push(library);
    }
    let mut variants = Vec::new();
    for (_, mut versions) in projects {
        versions.sort_by_key(|library| {
            let newest_first = std::cmp::Reverse(numbers(&library.version));
            (!library.variant_of.is_empty(), newest_first, &library.id)
        });
        if let [first, rest @ ..] = &versions[..] {
            variants.extend(rest.iter().map(|one| (one.id.clone(), first.id.clone())));
        }
    }
    variants
}

/// Returns the numbers in a version, by which versions are sorted.
fn numbers(version: &str) -> Vec<u64> {
    version
        .split(|c: char| !c.is_ascii_digit())
        .filter_map(|number| number.parse().ok())
        .collect()
}

/// The key of a cost model: the ids of library, primitive and operation.
type Key = (String, String, String);

fn key(cell: &Cell) -> Key {
    (
        cell.library.clone(),
        cell.primitive.clone(),
        cell.operation.clone(),
    )
}

fn costs(cells: &[Cell]) -> Vec<Cost> {
    let mut hot: BTreeMap<Key, Vec<&Cell>> = BTreeMap::new();
    let mut setup: BTreeMap<Key, Interval> = BTreeMap::new();
    let has_slope = |cell: &&Cell| {
        cell.threads == 1
            && !catalogue::is_per_call(&cell.operation)
            && !adapters::is_variant(&cell.library)
    };
    for cell in cells.iter().filter(has_slope) {
        if cell.contract == Contract::Hot.name() {
            hot.entry(key(cell)).or_default().push(cell);
        } else if cell.contract == Contract::Setup.name() {
            setup.insert(key(cell), cell.ns);
        }
    }
    hot.into_iter()
        .filter_map(|(key, cells)| {
            let points: Vec<(f64, Series<'_>)> = cells
                .iter()
                .map(|cell| (cell.bytes as f64, cell.series()))
                .collect();
            let fit = stats::fit_interval(&points, SEED)?;
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

/// The times of one task by library.
type Times = BTreeMap<String, f64>;

/// Returns the time of the larger message divided by the time of the smaller message, as the median
/// over the libraries that have both. `None` if there are too few libraries to judge the machine.
fn common_step(small: &Times, large: &Times) -> Option<f64> {
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
/// Tasks are at most minutes apart, but a machine may be slower during one of them. If most
/// libraries needed less time for more bytes, the slower machine was the cause: the cells of the
/// slower task get a note, and a library gets a flag only if the effect is clearly larger for it
/// than for the others.
fn flag(cells: &mut [Cell], costs: &[Cost]) {
    let kind = |cell: &Cell| {
        let algorithm = (cell.primitive.clone(), cell.operation.clone());
        (algorithm, cell.contract_label(), cell.threads)
    };
    let mut tasks: BTreeMap<_, BTreeMap<u64, Times>> = BTreeMap::new();
    for cell in cells
        .iter()
        .filter(|c| c.contract != Contract::Setup.name())
    {
        let sizes = tasks.entry(kind(cell)).or_default();
        let times = sizes.entry(cell.bytes).or_default();
        times.insert(cell.library.clone(), cell.ns.mid);
    }
    for cell in cells.iter_mut() {
        let Some(sizes) = tasks.get(&kind(cell)) else {
            continue;
        };
        let Some(own) = sizes.get(&cell.bytes) else {
            continue;
        };
        let smaller_is_slower = sizes.range(..cell.bytes).any(|(_, small)| {
            let step = common_step(small, own).unwrap_or(1.0).min(1.0);
            let ns = small.get(&cell.library);
            ns.is_some_and(|ns| cell.ns.high < ns * step * FASTER_WITH_MORE)
        });
        if smaller_is_slower {
            cell.flags.push("impossible: faster with more bytes".into());
        }
        let faster = sizes
            .range(cell.bytes + 1..)
            .find(|(_, large)| common_step(own, large).is_some_and(|step| step < FASTER_WITH_MORE));
        if let Some((bytes, _)) = faster {
            let note = format!("the machine was slower meanwhile: {bytes} bytes took less time");
            cell.note = join(&cell.note, &note);
        }
        if let (Some(floor), Some(mhz)) =
            (catalogue::floor(&cell.primitive, &cell.operation), cell.mhz)
            && cell.contract == Contract::Hot.name()
        {
            let cycles = cell.ns.mid * f64::from(cell.threads) * mhz / 1e3;
            let least = floor * cell.bytes as f64;
            if cycles < least {
                cell.flags.push(format!(
                    "impossible: {cycles:.0} cycles where the instructions alone take {least:.0}"
                ));
            }
        }
    }
    for cost in costs.iter().filter(|cost| cost.slope.mid <= 0.0) {
        for cell in cells.iter_mut().filter(|cell| {
            cell.contract == Contract::Hot.name()
                && (&cell.library, &cell.primitive, &cell.operation)
                    == (&cost.library, &cost.primitive, &cost.operation)
        }) {
            cell.flags.push("impossible: negative cost per byte".into());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the cells of libraries of which none is a build of another.
    fn plain(raw: Vec<RawCell>) -> Vec<Cell> {
        super::cells(raw, &[])
    }

    fn raw(library: &str, bytes: u64, ns: f64) -> RawCell {
        RawCell {
            library: library.into(),
            task: Task {
                primitive: "aes-128".into(),
                operation: "ctr-encrypt".into(),
                contract: Contract::Hot,
                bytes,
                threads: 1,
                messages: 1,
            },
            calls: 10,
            stop: "narrow",
            first_ns: [0; 3],
            mhz: Some(3000.0),
            flags: Vec::new(),
            api: String::new(),
            kernel: String::new(),
            note: String::new(),
            samples: (0..9)
                .map(|i| 10.0 * ns * (1.0 + f64::from(i) * 1e-4))
                .collect(),
            processes: Vec::new(),
        }
    }

    #[test]
    fn the_cost_model_finds_slope_and_intercept() {
        let cells = plain(
            [16, 256, 4096]
                .map(|n| raw("a", n, 20.0 + 0.5 * n as f64))
                .to_vec(),
        );
        let cost = &costs(&cells)[0];
        assert!((cost.slope.mid - 0.5).abs() < 1e-3, "{cost:?}");
        assert!((cost.intercept.mid - 20.0).abs() < 0.1, "{cost:?}");
    }

    #[test]
    fn one_call_for_many_messages_counts_per_message() {
        let mut many = raw("a", 64, 640.0);
        many.task.contract = Contract::Many;
        many.task.messages = 16;
        let cell = &plain(vec![many])[0];
        assert!((cell.ns.mid - 40.0).abs() < 0.1, "{:?}", cell.ns);
        assert_eq!(cell.contract_label(), "many 16");
        assert_eq!((cell.ratio.mid, cell.tie), (1.0, false));
    }

    /// One call in ten takes a hundred times as long. The mean shows this, the median does not.
    #[test]
    fn an_operation_with_a_heavy_tail_has_its_mean() {
        let tail = |library: &str, operation: &str, slow: f64| {
            let mut cell = raw(library, 0, 10.0);
            cell.task.primitive = "ed25519".into();
            cell.task.operation = operation.into();
            for (round, sample) in cell.samples.iter_mut().enumerate() {
                *sample = 10.0 * if round == 4 { slow } else { 10.0 };
            }
            cell
        };
        assert_eq!(
            operations::statistic("generate-key"),
            stats::Statistic::Mean
        );
        for (operation, mid, ratio) in [("generate-key", 120.0, 12.0), ("sign", 10.0, 1.0)] {
            let cells = plain(vec![
                tail("a", operation, 10.0),
                tail("b", operation, 1000.0),
            ]);
            assert!((cells[1].ns.mid - mid).abs() < 1e-9, "{:?}", cells[1].ns);
            assert!(
                (cells[1].ratio.mid - ratio).abs() < 1e-9,
                "{:?}",
                cells[1].ratio
            );
            assert!(cells[1].ns.low <= mid && mid <= cells[1].ns.high);
        }
    }

    #[test]
    fn a_masked_variant_is_never_what_others_are_compared_with() {
        let cells = plain(vec![
            raw("a", 64, 40.0),
            raw("a~portable", 64, 20.0),
            raw("b", 64, 80.0),
        ]);
        let ratios: Vec<f64> = cells.iter().map(|cell| cell.ratio.mid).collect();
        assert_eq!(ratios, [1.0, 0.5, 2.0]);
        assert!(cells.iter().all(|cell| !cell.tie));
        let (ranking, headline, _) = rankings(&[], &cells);
        assert_eq!(headline.quadrants[0].overall.rows.len(), 2);
        assert_eq!(ranking.overall.len(), 2, "{:?}", ranking.overall);
        assert!(
            ranking
                .algorithms
                .iter()
                .all(|row| row.library != "a~portable")
        );
        let alone = plain(vec![
            raw("a~portable", 64, 20.0),
            raw("a~no-avx512", 64, 40.0),
        ]);
        assert!(alone.iter().all(|cell| cell.ratio.mid == 1.0));
    }

    #[test]
    fn the_newest_version_stands_for_a_library_and_a_build_for_none() {
        let library = |id: &str, version: &str, variant_of: &str| -> Library {
            serde_json::from_value(serde_json::json!({
                "id": id, "name": id, "version": version, "variant_of": variant_of, "path": "",
                "licence": "", "language": "", "features": "", "note": "", "absent": "",
                "offers": 1, "code_bytes": null, "table_bytes": null, "start_ms": null,
                "peak_kib": null
            }))
            .unwrap()
        };
        let found = variants(&[
            library("own", "0.1.0", ""),
            library("own-crypt", "4.4", "own"),
            library("peer", "1.9.4", ""),
            library("peer@2", "1.10.1", ""),
            library("lone-build", "2", "elsewhere"),
        ]);
        let pairs: Vec<(&str, &str)> = found.iter().map(|(a, b)| (&**a, &**b)).collect();
        assert_eq!(pairs, [("own-crypt", "own"), ("peer", "peer@2")]);
        // Nor does another build make its library look slow.
        let cells = super::cells(
            vec![raw("own", 64, 20.0), raw("own-c", 64, 10.0)],
            &[library("own", "1", ""), library("own-c", "1", "own")],
        );
        let ratios: Vec<f64> = cells.iter().map(|cell| cell.ratio.mid).collect();
        assert_eq!(ratios, [1.0, 0.5]);
    }

    #[test]
    fn a_slow_minute_of_the_machine_is_no_librarys_fault() {
        let mut cells = plain(vec![
            raw("a", 64, 40.0),
            raw("a", 256, 30.0),
            raw("b", 64, 60.0),
            raw("b", 256, 45.0),
            raw("c", 64, 80.0),
            raw("c", 256, 61.0),
            // Library d takes half the time with more bytes, the other libraries take three
            // quarters.
            raw("d", 64, 80.0),
            raw("d", 256, 30.0),
        ]);
        flag(&mut cells, &[]);
        let flagged: Vec<(&str, u64)> = cells
            .iter()
            .filter(|cell| !cell.flags.is_empty())
            .map(|cell| (&cell.library[..], cell.bytes))
            .collect();
        assert_eq!(flagged, [("d", 256)]);
        for cell in &cells {
            assert_eq!(cell.note.contains("machine was slower"), cell.bytes == 64);
        }
    }

    #[test]
    fn impossible_numbers_are_flagged_and_possible_ones_not() {
        // 16 KiB in 100 cycles, and 4096 bytes faster than 256 bytes.
        let mut cells = plain(vec![
            raw("a", 16, 20.0),
            raw("a", 256, 200.0),
            raw("a", 4096, 150.0),
            raw("b", 16384, 33.0),
        ]);
        flag(&mut cells, &[]);
        let flags: Vec<(u64, usize)> = cells.iter().map(|c| (c.bytes, c.flags.len())).collect();
        assert_eq!(flags, [(16, 0), (256, 0), (4096, 1), (16384, 1)]);
    }
}
