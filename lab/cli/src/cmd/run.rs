//! `touchstone run`: finds, verifies, measures, ranks and reports.

use std::collections::{BTreeSet, HashSet};
use std::path::{Path, PathBuf};
use std::slice;
use std::time::{Duration, Instant};

use anyhow::Context as _;
use clap::Args;
use indicatif::ProgressBar;

use super::progress::bar;
use super::{Choice, End, Global, Measuring, Shape, Usage};
use crate::adapters;
use crate::campaign::progress::{Progress as SoFar, ProgressFile};
use crate::catalogue;
use crate::identity;
use crate::lock;
use crate::machine;
use crate::measure::{Measurer, Outcome, Watcher, cpus, seed, stay_on};
use crate::output;
use crate::planned;
use crate::points;
use crate::profile::{Profile, Task};
use crate::session::{Clock, Slot, discover};
use crate::store::address::without_passwords;
use crate::store::{Plan, RunRow, Store};
use crate::summarise::summarise;
use crate::summary::{Summary, Verification};
use crate::table::Format;
use crate::verify::{Known, Verified};

#[derive(Debug, Args)]
#[command(after_help = "Examples:
  touchstone run                                all libraries, in some seven minutes
  touchstone run --root roots/sid               beside another system's libraries (twice the time)
  touchstone run --resume                       goes on after an interruption")]
pub(super) struct Options {
    #[command(flatten)]
    measuring: Measuring,
    /// File for the report [default: beside the store]
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
}

pub(super) fn run(global: &Global, options: &Options) -> anyhow::Result<End> {
    let (store, summary, end) = measure(global, &options.measuring)?;
    let Some(summary) = summary else {
        return Ok(end);
    };
    let mut tables = super::rank::headline(&summary, global.format);
    if !summary.verification.is_empty() {
        // A variant is shown only if it gives wrong answers; otherwise the row of its library
        // represents it.
        let shown = |row: &&Verification| {
            row.failed > 0
                || summary
                    .libraries
                    .iter()
                    .any(|library| library.id == row.library && library.mask.is_empty())
        };
        let rows: Vec<Verification> = summary.verification.iter().filter(shown).cloned().collect();
        tables.push(super::verify::by_library(&rows, global.format));
    }
    tables.extend(super::verify::unasked_of(&summary));
    // The report comes first: if the reader of stdout closes its end, the report already
    // exists.
    let report =
        super::report::write(&store, slice::from_ref(&summary), options.output.as_deref())?;
    global.print(&tables)?;
    // The report's path is the last line, for people and for scripts. With JSON and CSV the path
    // goes to stderr, so that stdout is one document.
    match global.format {
        Format::Json | Format::Csv => global.say(&report.display().to_string()),
        Format::Table | Format::Md => {
            output::text("\n")?;
            output::path(&report)?;
        }
    }
    Ok(end)
}

/// Does all steps up to storing the cells. Returns no summary if there was nothing to
/// measure.
pub(super) fn measure(
    global: &Global,
    options: &Measuring,
) -> anyhow::Result<(Store, Option<Summary>, End)> {
    let begun = Instant::now();
    if options.progress.is_some() {
        // The process that watches the run has started it. If that process dies, another attempt
        // at the same run may follow, and two processes must not measure the same run.
        let end = Some(rustix::process::Signal::TERM);
        rustix::process::set_parent_process_death_signal(end)?;
    }
    let store = global.open_store()?;
    let (plan, profile, resumed) = plan(&store, options)?;
    let time = profile.time(plan.roots.len());
    let choice = Choice {
        libraries: plan.libraries.clone(),
        roots: plan.roots.iter().map(PathBuf::from).collect(),
        algorithm: plan.algorithm.as_deref().map(str::parse).transpose()?,
    };
    let shape = Shape {
        sizes: plan.sizes.clone(),
        threads: plan.threads.clone(),
        contracts: plan
            .contracts
            .iter()
            .filter_map(|c| c.parse().ok())
            .collect(),
        messages: plan.messages.clone(),
        costs: Vec::new(),
    };
    // A user who chooses the cells gets no other ones: no variants with fewer instructions.
    let masks = match plan.chooses_cells() {
        true => BTreeSet::new(),
        false => profile.masks(),
    };
    let mut slots = discover(adapters::with_masks(choice.candidates()?, &masks));
    super::verify::absent(global, &slots);
    let found: Vec<_> = slots
        .iter()
        .filter(|s| s.present() && s.candidate.everywhere)
        .map(|s| format!("{} {}", s.facts.name, s.facts.version))
        .collect();
    if found.is_empty() {
        global.say("no library was found: nothing to measure");
        return Ok((store, None, End::NothingToMeasure));
    }
    global.say(&format!("found {}: {}", found.len(), found.join(", ")));

    let selection = choice.selection(&shape, &slots)?;
    let (cpu, others) = cpus();
    let tasks = planned::tasks(&profile, &selection, &Vec::from_iter(&slots));
    if tasks.is_empty() {
        global.say("no library here offers what the profile and the options select");
        return Ok((store, None, End::NothingToMeasure));
    }
    for name in plan.costs.keys() {
        let has = |task: &Task| catalogue::cost_names(&task.primitive).any(|cost| cost == name);
        if !tasks.iter().any(has) {
            let message = format!("none of the chosen algorithms has a cost named {name}");
            return Err(Usage(message).into());
        }
    }
    for task in &tasks {
        if let Some(name) = catalogue::refused_cost(&task.primitive, &plan.costs) {
            return Err(Usage(format!(
                "{} cannot have the cost {name}={}",
                task.primitive, plan.costs[name]
            ))
            .into());
        }
    }
    catalogue::choose_costs(plan.costs.clone());

    // The workers run on the measuring CPU, and this process runs on the other CPUs.
    let mut clock = Clock::start()?;
    clock.pin(cpu);
    let null_ns = clock.null_ns();
    let run = match resumed {
        Some(id) => {
            same_libraries(&store, id, &slots)?;
            id
        }
        None => store.begin(&RunRow {
            id: 0,
            uid: identity::new(),
            started: machine::now(),
            seconds: 0.0,
            complete: false,
            lab_version: env!("CARGO_PKG_VERSION").to_owned(),
            command: without_passwords(
                &std::env::args_os()
                    .map(|argument| argument.to_string_lossy().into_owned())
                    .collect::<Vec<_>>()
                    .join(" "),
            ),
            profile: profile.name.clone(),
            profile_text: profile.text.clone(),
            plan,
            target: profile.target,
            null_ns,
            machine: machine::describe(&options.facts),
            imported: String::new(),
            archive: String::new(),
        })?,
    };
    interrupted(run)?;
    for slot in &slots {
        store.save_library(run, &slot.facts)?;
    }

    let known = Known::read(&adapters::vectors_folder()?)?;
    // A variant that only the profile asks for is verified only in the variant's own
    // cells.
    let mut wanted = HashSet::new();
    for task in &tasks {
        let masks = profile.masks_of(task, &selection);
        for mask in masks.into_iter().chain([""]) {
            wanted.insert((mask, task.primitive.as_str(), task.operation.as_str()));
        }
    }
    // The input of a sealed inverse operation comes from its forward operation, so that
    // operation is verified too.
    let selected = |slot: &Slot, p: &str, o: &str| {
        let candidate = &slot.candidate;
        let mask = if candidate.everywhere {
            ""
        } else {
            &candidate.mask
        };
        wanted.contains(&(mask, p, o))
    };
    store.clear_verification(run)?;
    let (rows, failures) = super::verify::with_progress(global, &mut slots, &known, &selected);
    store.save_verification(run, &rows, &failures)?;
    let verified = Verified::from_rows(&rows);

    // The peak memory so far is from verification, in which a worker has one object at a time.
    // During timing, a worker has all objects open.
    let empty = clock.peak_kib();
    for slot in &mut slots {
        slot.note_peak(empty);
        store.save_library(run, &slot.facts)?;
    }

    let wait = options.wait.map(Duration::from_secs);
    let _alone = lock::take(&format!("run {run} of {}", store.name()), wait)?;
    for slot in &mut slots {
        slot.pin(cpu, &others);
    }
    stay_on(&others);
    let done = store.done(run)?;
    let open: Vec<Task> = tasks
        .iter()
        .filter(|t| !done.contains(t))
        .cloned()
        .collect();
    store.progress(run, begun.elapsed().as_secs_f64(), false)?;
    let steps = u64::from(Measurer::steps(&profile));
    let cells = match options.progress {
        Some(_) => store.cells(run)?.len() as u64,
        None => 0,
    };
    let mut progress = Progress {
        store: &store,
        run,
        lap: Instant::now(),
        bar: bar(global, "measure", open.len() as u64 * steps),
        file: options.progress.as_deref().map(|path| {
            let all = tasks.len() as u64 * steps;
            let left = open.len() as u64 * steps;
            let so_far = SoFar {
                run,
                cells,
                planned: planned::cells(&profile, &selection, &Vec::from_iter(&slots), &tasks),
                share: 0.0,
            };
            ProgressFile::new(path, so_far, all - left, all)
        }),
    };
    progress.tell(true)?;
    let late = Measurer::new(
        &mut slots,
        &mut clock,
        &verified,
        &profile,
        time,
        &selection,
        seed(),
    )
    .run(&open, &mut progress)?;
    progress.tell(true)?;
    let Progress { lap, bar, .. } = progress;
    bar.finish_and_clear();
    if !late.is_empty() {
        global.say(&format!(
            "the profile's {} s were over before {} of {} tasks; --resume {run} does them",
            time.as_secs(),
            late.len(),
            tasks.len()
        ));
    }
    store.progress(run, lap.elapsed().as_secs_f64(), late.is_empty())?;

    let summary = summarise(&store, run)?;
    points::save(&store, &summary)?;
    let end = if summary.cells.is_empty() {
        global.say(&nothing_measured(&summary, &rows));
        End::NothingToMeasure
    } else if rows.iter().any(|r| r.failed > 0) {
        End::VerificationFailed
    } else {
        End::Good
    };
    Ok((store, Some(summary), end))
}

/// Says why a run has no cell.
fn nothing_measured(summary: &Summary, verified: &[Verification]) -> String {
    let failed: BTreeSet<String> = summary
        .failures
        .iter()
        .map(|f| format!("{} ({})", summary.name(&f.library), f.kind))
        .collect();
    let unchecked = verified
        .iter()
        .all(|row| row.passed + row.failed + row.agreed + row.disagreed == 0);
    let reason = if !failed.is_empty() {
        Vec::from_iter(failed).join(", ")
    } else if let (true, Some(row)) = (unchecked, verified.first()) {
        format!(
            "the lab has no answers for {} {}, and measures it only if two libraries agree: name a \
             second --library",
            row.primitive, row.operation
        )
    } else {
        "no library accepts these parameters: sizes, contracts or costs".to_owned()
    };
    format!("nothing was measured: {reason}")
}

/// Stores completed tasks and moves the progress bar.
struct Progress<'a> {
    store: &'a Store,
    run: i64,
    lap: Instant,
    bar: ProgressBar,
    file: Option<ProgressFile>,
}

impl Progress<'_> {
    /// Writes the file of the progress, if there is one.
    fn tell(&mut self, at_once: bool) -> anyhow::Result<()> {
        match &mut self.file {
            Some(file) => file.write(at_once),
            None => Ok(()),
        }
    }
}

impl Watcher for Progress<'_> {
    fn advance(&mut self, task: &Task, steps: u32) {
        self.bar.set_message(task.to_string());
        self.bar.inc(u64::from(steps));
        if let Some(file) = &mut self.file {
            file.steps(u64::from(steps));
        }
        // A file that cannot be written costs no measurement.
        let _ = self.tell(false);
    }

    fn done(&mut self, task: &Task, outcome: Outcome) -> anyhow::Result<()> {
        self.store
            .save_task(self.run, task, &outcome.cells, &outcome.failures)?;
        self.store
            .progress(self.run, self.lap.elapsed().as_secs_f64(), false)?;
        self.lap = Instant::now();
        if let Some(file) = &mut self.file {
            file.cells(outcome.cells.len() as u64);
        }
        let _ = self.tell(false);
        Ok(())
    }
}

/// Prepares for a signal that asks this process to end: the process then prints the command that
/// resumes the run. Completed tasks are already in the store.
fn interrupted(run: i64) -> anyhow::Result<()> {
    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
    let mut signals = signal_hook::iterator::Signals::new([SIGHUP, SIGINT, SIGTERM])?;
    let wait = move || {
        if let Some(signal) = signals.forever().next() {
            output::say(&format!(
                "\ninterrupted; --resume {run} goes on from the last finished task"
            ));
            std::process::exit(128 + signal);
        }
    };
    std::thread::Builder::new()
        .spawn(wait)
        .context("starting a thread")?;
    Ok(())
}

fn plan(store: &Store, options: &Measuring) -> anyhow::Result<(Plan, Profile, Option<i64>)> {
    if let Some(which) = options.resume {
        let row = store.run(which, true)?;
        if row.complete {
            return Err(Usage(format!("run {} is complete: nothing to resume", row.id)).into());
        }
        if !row.imported.is_empty() {
            return Err(Usage(format!(
                "run {} was made on another machine, and only that one can resume it",
                row.id
            ))
            .into());
        }
        let profile = Profile::parse(&row.profile, &row.profile_text)?;
        return Ok((row.plan, profile, Some(row.id)));
    }
    let mut plan = Plan {
        libraries: options.choice.libraries.clone(),
        roots: options
            .choice
            .roots
            .iter()
            .map(|root| absolute(root))
            .collect::<anyhow::Result<_>>()?,
        algorithm: options
            .choice
            .algorithm
            .as_ref()
            .map(|wanted| wanted.text().to_owned()),
        sizes: options.shape.sizes.clone(),
        threads: options.shape.threads.clone(),
        contracts: options
            .shape
            .contracts
            .iter()
            .map(|c| c.name().to_owned())
            .collect(),
        messages: options.shape.messages.clone(),
        costs: options.shape.costs.iter().cloned().collect(),
    };
    if plan.chooses_cells() && plan.threads.is_empty() {
        plan.threads.push(1);
    }
    let profile = Profile::open(&options.profile).map_err(|e| Usage(format!("{e:#}")))?;
    Ok((plan, profile, None))
}

/// Returns a tree's absolute path, so that a run can be resumed from any folder.
fn absolute(root: &Path) -> anyhow::Result<String> {
    std::path::absolute(root)?
        .into_os_string()
        .into_string()
        .map_err(|path| Usage(format!("--root {}: not UTF-8", path.display())).into())
}

/// Checks that a resumed run has the same libraries as when it began.
fn same_libraries(store: &Store, run: i64, slots: &[Slot]) -> anyhow::Result<()> {
    for before in store.libraries(run)? {
        let now = slots
            .iter()
            .find(|slot| slot.id() == before.id)
            .map(|slot| &slot.facts);
        let same = now.is_some_and(|now| {
            (&now.version, &now.path, now.absent.is_empty())
                == (&before.version, &before.path, before.absent.is_empty())
        });
        if !same {
            return Err(Usage(format!(
                "run {run} began with {} {}, which has changed since: start a new run",
                before.name, before.version
            ))
            .into());
        }
    }
    Ok(())
}
