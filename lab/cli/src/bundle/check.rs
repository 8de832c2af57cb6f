//! The ranges of an exported run's fields. Every verb can show a run within these ranges: sums and
//! quotients of its numbers do not overflow, and its texts have lengths that tables and pages can
//! hold.

use std::collections::HashSet;
use std::ops::RangeInclusive;

use anyhow::{bail, ensure};

use super::{Bundle, Cell, Done, STOPS};
use crate::identity;
use crate::stored::{Plan, RunRow};
use crate::summary::{Failure, Library, Machine, Verification};

/// Valid times of a sample in nanoseconds.
const NANOSECONDS: RangeInclusive<f64> = 1e-6..=1e18;
/// Valid clock rates of a core in MHz.
const MEGAHERTZ: RangeInclusive<f64> = 1.0..=1e6;
/// Most bytes in a name, in any other text, and in a document: a profile, a command line, an input
/// of a failed call.
const NAME: usize = 200;
const TEXT: usize = 16384;
const DOCUMENT: usize = 1 << 20;
/// Most elements of a list: of options, of facts about a machine, of flags.
const LIST: usize = 10_000;
/// Most bytes of a message or of a library's code.
const BYTES: u64 = 1 << 40;
/// Most threads, and most messages of a call.
const THREADS: u32 = 1 << 16;
const MESSAGES: u32 = 1 << 20;
/// Most calls of a sample.
const CALLS: u64 = 1_000_000_000_000;
/// Most known answers of a run.
const ANSWERS: u64 = u32::MAX as u64;

impl Bundle {
    /// Checks everything that the lab assumes about its own runs.
    pub(super) fn check(&self) -> anyhow::Result<()> {
        run(&self.run)?;
        self.libraries.iter().try_for_each(library)?;
        let libraries: HashSet<&str> = self.libraries.iter().map(|l| l.id.as_str()).collect();
        ensure!(
            libraries.len() == self.libraries.len(),
            "a library is listed twice"
        );
        verification(&self.verification)?;
        self.failures.iter().try_for_each(failure)?;
        let mut tasks = HashSet::new();
        for done in &self.tasks {
            let task = done.task()?;
            done.check(&libraries)?;
            ensure!(tasks.insert(task.clone()), "{task}: twice");
        }
        if let Some(files) = &self.files {
            ensure!(
                identity::is_valid(&files.uid),
                "files: the uid {:?} is no UUID",
                shown(&files.uid)
            );
            ensure!(
                files.machine == crate::machine::name(&self.run.machine),
                "files: they were measured on {:?}, another machine",
                shown(&files.machine)
            );
            ensure!(
                is_moment(&files.started),
                "files: the start {:?} is no time such as 2026-01-02T03:04:05Z",
                shown(&files.started)
            );
            files.check()?;
        }
        Ok(())
    }
}

fn run(run: &RunRow) -> anyhow::Result<()> {
    ensure!(
        identity::is_valid(&run.uid),
        "the run's uid {:?} is no UUID",
        shown(&run.uid)
    );
    ensure!(
        is_moment(&run.started),
        "the run's start {:?} is no time such as 2026-01-02T03:04:05Z",
        shown(&run.started)
    );
    ensure!(
        (0.0..=1e9).contains(&run.null_ns)
            && (0.0..=1e9).contains(&run.seconds)
            && (0.0..=1e3).contains(&run.target),
        "the run's times or its target are out of range"
    );
    names(
        "the run's version or profile",
        [&run.lab_version, &run.profile],
    )?;
    texts("the run's origin", [&run.imported])?;
    for text in [&run.command, &run.profile_text] {
        document("the run's command line or the text of its profile", text)?;
    }
    plan(&run.plan)?;
    machine(&run.machine)
}

fn plan(plan: &Plan) -> anyhow::Result<()> {
    let Plan {
        libraries,
        roots,
        algorithm,
        sizes,
        threads,
        contracts,
        messages,
        costs,
    } = plan;
    let what = "the run's options";
    for list in [libraries, roots, contracts] {
        length(what, list.len())?;
        texts(what, list)?;
    }
    texts(what, algorithm)?;
    for list in [sizes.len(), threads.len(), messages.len(), costs.len()] {
        length(what, list)?;
    }
    names(what, costs.keys())?;
    ensure!(
        sizes.iter().all(|&bytes| bytes <= BYTES)
            && threads
                .iter()
                .all(|threads| (1..=THREADS).contains(threads))
            && messages.iter().all(|n| (1..=MESSAGES).contains(n))
            && costs.values().all(|&cost| i64::try_from(cost).is_ok()),
        "{what}: a number is out of range"
    );
    Ok(())
}

fn machine(machine: &Machine) -> anyhow::Result<()> {
    let Machine { line, facts, mhz } = machine;
    ensure!(
        mhz.iter().flatten().all(|mhz| MEGAHERTZ.contains(mhz)),
        "the machine's clock is out of range"
    );
    let what = "the machine";
    texts(what, [line])?;
    length(what, facts.len())?;
    names(what, facts.iter().map(|(name, _)| name))?;
    texts(what, facts.iter().map(|(_, fact)| fact))
}

fn library(library: &Library) -> anyhow::Result<()> {
    let what = format!("the library {:?}", shown(&library.id));
    ensure!(!library.id.is_empty(), "{what}: its id is empty");
    names(
        &what,
        [
            &library.id,
            &library.name,
            &library.version,
            &library.mask,
            &library.variant_of,
            &library.fingerprint,
            &library.language,
        ],
    )?;
    texts(
        &what,
        [
            &library.path,
            &library.licence,
            &library.note,
            &library.handicap,
            &library.features,
            &library.absent,
        ],
    )?;
    let times = [library.start_ms, library.peak_kib.map(|kib| kib as f64)];
    ensure!(
        times.iter().flatten().all(|n| (0.0..=1e15).contains(n)),
        "{what}: its start or its memory is out of range"
    );
    let sizes = [
        library.code_bytes,
        library.table_bytes,
        Some(library.offers as u64),
    ];
    ensure!(
        sizes.iter().flatten().all(|&bytes| bytes <= BYTES),
        "{what}: its size is out of range"
    );
    Ok(())
}

/// Checks the counts of known answers. Their sums over any algorithms, libraries and flags are
/// numbers of 32 bits.
fn verification(rows: &[Verification]) -> anyhow::Result<()> {
    let (mut answers, mut flagged) = (0, 0);
    for row in rows {
        let what = "a result of the verification";
        names(
            what,
            [&row.library, &row.primitive, &row.operation, &row.family],
        )?;
        length(what, row.sources.len())?;
        texts(what, &row.sources)?;
        length(what, row.flags.len())?;
        names(what, row.flags.iter().map(|flag| &flag.flag))?;
        answers += sum(&[
            row.passed,
            row.failed,
            row.acceptable,
            row.unsupported,
            row.unasked,
            row.agreed,
            row.disagreed,
        ]);
        let counts = row.flags.iter().map(|flag| {
            sum(&[
                flag.passed,
                flag.failed,
                flag.accepted.unwrap_or_default(),
                flag.acceptable,
                flag.intended,
                flag.unsupported,
                flag.unasked,
            ])
        });
        flagged += counts.sum::<u64>();
    }
    ensure!(
        answers <= ANSWERS && flagged <= ANSWERS,
        "the counts of known answers are out of range"
    );
    Ok(())
}

fn sum(counts: &[u32]) -> u64 {
    counts.iter().copied().map(u64::from).sum()
}

fn failure(failure: &Failure) -> anyhow::Result<()> {
    let what = "a failure";
    let ids = [
        &failure.library,
        &failure.primitive,
        &failure.operation,
        &failure.kind,
    ];
    names(what, ids)?;
    texts(what, [&failure.place])?;
    for text in [&failure.input, &failure.expected, &failure.got] {
        document(what, text)?;
    }
    Ok(())
}

impl Done {
    fn check(&self, libraries: &HashSet<&str>) -> anyhow::Result<()> {
        names("a task", [&self.primitive, &self.operation])?;
        let task = self.task()?;
        ensure!(
            (1..=THREADS).contains(&self.threads)
                && (1..=MESSAGES).contains(&self.messages)
                && self.bytes <= BYTES,
            "{task}: threads, messages or bytes out of range"
        );
        let mut present = HashSet::new();
        for cell in &self.cells {
            let what = format!("{task}, {}", shown(&cell.library));
            if !libraries.contains(cell.library.as_str()) {
                bail!("{what}: this library is not listed");
            }
            ensure!(present.insert(&cell.library), "{what}: twice");
            cell.check(&what)?;
        }
        Ok(())
    }
}

impl Cell {
    fn check(&self, what: &str) -> anyhow::Result<()> {
        let whole = |&value: &u64| i64::try_from(value).is_ok();
        ensure!(
            (1..=CALLS).contains(&self.calls) && self.first_ns.iter().all(whole),
            "{what}: counts out of range"
        );
        ensure!(
            self.samples_ns.iter().all(|ns| NANOSECONDS.contains(ns))
                && self.mhz.is_none_or(|mhz| MEGAHERTZ.contains(&mhz)),
            "{what}: times must be above 0 and below {:.0e} ns, clocks within {:?} MHz",
            NANOSECONDS.end(),
            MEGAHERTZ
        );
        length(what, self.flags.len())?;
        texts(what, [&self.api, &self.kernel, &self.note])?;
        texts(what, &self.flags)?;
        ensure!(
            self.processes.is_empty() || self.processes.len() == self.samples_ns.len(),
            "{what}: one process for each sample, or none at all"
        );
        ensure!(
            STOPS.contains(&self.stop.as_str()),
            "{what}: stop is one of {}",
            STOPS.join(", ")
        );
        Ok(())
    }
}

/// Returns whether a text is a time of this clock: RFC 3339 in UTC, to the second.
fn is_moment(text: &str) -> bool {
    text.len() == "2026-01-02T03:04:05Z".len()
        && text.ends_with('Z')
        && text.as_bytes()[10] == b'T'
        && text.parse::<toml::value::Datetime>().is_ok()
}

fn names<'t>(what: &str, names: impl IntoIterator<Item = &'t String>) -> anyhow::Result<()> {
    let mut names = names.into_iter();
    ensure!(
        names.all(|name| name.len() <= NAME),
        "{what}: a name is longer than {NAME} bytes"
    );
    Ok(())
}

fn texts<'t>(what: &str, texts: impl IntoIterator<Item = &'t String>) -> anyhow::Result<()> {
    let mut texts = texts.into_iter();
    ensure!(
        texts.all(|text| text.len() <= TEXT),
        "{what}: a text is longer than {TEXT} bytes"
    );
    Ok(())
}

fn document(what: &str, text: &str) -> anyhow::Result<()> {
    ensure!(
        text.len() <= DOCUMENT,
        "{what}: a text is longer than {DOCUMENT} bytes"
    );
    Ok(())
}

fn length(what: &str, length: usize) -> anyhow::Result<()> {
    ensure!(length <= LIST, "{what}: a list is longer than {LIST}");
    Ok(())
}

/// Returns the beginning of a name for a message.
pub(super) fn shown(name: &str) -> String {
    name.chars().take(NAME).collect()
}
