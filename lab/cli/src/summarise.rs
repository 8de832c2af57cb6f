//! Computes the [`Summary`] from a stored run; all output is made from the summary.

mod doubt;

use std::collections::BTreeMap;

use touchstone_wire::Contract;

use doubt::flag;

use crate::profile::{Profile, Task};
use crate::rank::headline::{Headline, headline};
use crate::rank::paper::Ranking;
use crate::rank::{self, Timed, ratio};
use crate::stats::{self, Interval, Series, parallel};
use crate::store::{RawCell, Store};
use crate::summary::{Cell, Cost, Library, Run, Summary};
use crate::text::{Foreign, SENTENCE, make_visible};
use crate::{adapters, catalogue, machine, operations, standing};

/// Bootstrap seed: the same samples always give the same interval.
const SEED: u64 = 0x70_6f_75_63_68;

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
    let mut cells = cells(raw, &libraries, part);
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
    flag_falling(&mut cells);
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

/// Makes the cells. Ratios and intervals are computed only for a whole summary.
fn cells(raw: Vec<RawCell>, libraries: &[Library], part: Part) -> Vec<Cell> {
    let builds = libraries.iter().filter(|library| library.is_build());
    let builds: Vec<&str> = builds.map(|library| library.id.as_str()).collect();
    let mut tasks: BTreeMap<Task, Vec<RawCell>> = BTreeMap::new();
    for cell in raw.into_iter().filter(|cell| !cell.samples.is_empty()) {
        tasks.entry(cell.task.clone()).or_default().push(cell);
    }
    let tasks: Vec<(Task, Vec<RawCell>)> = tasks.into_iter().collect();
    let computed = parallel::map(&tasks, |(task, group)| times(task, group, &builds, part));
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
fn times(task: &Task, group: &[RawCell], builds: &[&str], part: Part) -> Vec<Times> {
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
    let (ratios, values): (_, Vec<(Interval, [f64; 3])>) = match part {
        Part::All => (
            ratio::ratios_to_plain(&series, &plain),
            series.iter().map(of).collect(),
        ),
        Part::Ranks { .. } => (
            vec![(Interval::exact(1.0), false); series.len()],
            series.iter().map(exact).collect(),
        ),
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

/// Computes the ranks over the cells that count: the paper's rank and the headline. Also returns
/// the libraries that have no row in the headline (the function `variants`).
pub fn rankings(
    libraries: &[Library],
    cells: &[Cell],
) -> (Ranking, Headline, Vec<(String, String)>) {
    ranks_of(libraries, cells, true)
}

/// Like [`rankings`]; without the paper's rank if `paper` is false.
fn ranks_of(
    libraries: &[Library],
    cells: &[Cell],
    paper: bool,
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
    let ranking = if paper {
        rank::paper::rank(&timed)
    } else {
        Ranking::default()
    };
    (ranking, headline(&rivals, &catalogue::FAMILIES), variants)
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

fn costs(cells: &[Cell]) -> Vec<Cost> {
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

/// Flags the cells of each library and operation whose line falls: more bytes cannot cost less.
fn flag_falling(cells: &mut [Cell]) {
    let falls = |cells: &[&Cell]| {
        let points: Vec<(f64, f64)> = cells
            .iter()
            .map(|cell| (cell.bytes as f64, cell.ns.mid))
            .collect();
        stats::fit_line(&points).is_some_and(|line| line.slope <= 0.0)
    };
    let falling: Vec<Key> = hot(cells)
        .into_iter()
        .filter_map(|(key, cells)| falls(&cells).then_some(key))
        .collect();
    for key in falling {
        for cell in cells.iter_mut().filter(|cell| {
            cell.contract == Contract::Hot.name()
                && (&cell.library, &cell.primitive, &cell.operation) == (&key.0, &key.1, &key.2)
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
        super::cells(raw, &[], Part::All)
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
            Part::All,
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
        flag(&mut cells);
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
        flag(&mut cells);
        let flags: Vec<(u64, usize)> = cells.iter().map(|c| (c.bytes, c.flags.len())).collect();
        assert_eq!(flags, [(16, 0), (256, 0), (4096, 1), (16384, 1)]);
    }
}
