//! `touchstone fuzz`: differential fuzzing of the libraries.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use anyhow::Context as _;
use clap::Args;
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};

use super::progress::bar;
use super::{Choice, End, Global, Shape};
use crate::adapters;
use crate::fuzz::{self, Finding, Limit};
use crate::session::{Slot, discover};
use crate::table::{self, Table};
use crate::verify::Known;

#[derive(Debug, Args)]
#[command(after_help = "Examples:
  touchstone fuzz --library openssl --library botan --algorithm 'gcm|ccm' --seconds 60")]
pub(super) struct Options {
    #[command(flatten)]
    choice: Choice,
    /// Time for all algorithms together, in seconds
    #[arg(long, value_name = "N", default_value_t = 60,
        value_parser = clap::value_parser!(u64).range(1..))]
    seconds: u64,
    /// Number of inputs for each algorithm, in place of a time
    #[arg(long, value_name = "N", conflicts_with = "seconds",
        value_parser = clap::value_parser!(u64).range(1..))]
    cases: Option<u64>,
    /// Repeat the inputs of an earlier call: the seed that it printed
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
}

pub(super) fn run(global: &Global, options: &Options) -> anyhow::Result<End> {
    let mut slots = discover(options.choice.candidates()?);
    super::verify::absent(global, &slots);
    let selection = options.choice.selection(&Shape::default(), &slots)?;
    let known = Known::read(&adapters::vectors_folder()?)?;
    let seed = options
        .seed
        .unwrap_or_else(|| rand::random_range(0..1 << 32));
    let limit = match options.cases {
        Some(cases) => Limit::Cases(cases),
        None => Limit::Time(Duration::from_secs(options.seconds)),
    };
    // When the user interrupts the command, it shows the findings so far.
    let stop = Arc::new(AtomicBool::new(false));
    for signal in [SIGINT, SIGTERM, SIGHUP] {
        signal_hook::flag::register(signal, Arc::clone(&stop)).context("signals")?;
    }
    let bar = bar(global, "fuzz", 1000);
    let outcome = fuzz::fuzz(
        &mut slots,
        &known,
        &|primitive, operation| selection.has(primitive, operation),
        (limit, seed),
        &|| stop.load(Ordering::Relaxed),
        &|thousandths| bar.set_position(thousandths),
    );
    bar.finish_and_clear();
    if outcome.algorithms == 0 {
        global.say("no two libraries offer the same algorithm that --algorithm selects");
        return Ok(End::NothingToMeasure);
    }
    global.say(&format!(
        "{} inputs for {} algorithms, {} calls; seed {seed}",
        outcome.cases, outcome.algorithms, outcome.calls
    ));
    let (old, new): (Vec<&Finding>, Vec<&Finding>) = outcome
        .findings
        .iter()
        .partition(|finding| finding.defect.is_some());
    let mut tables = Vec::new();
    if global.format == table::Format::Table {
        tables.extend(new.iter().map(|finding| one(&slots, finding)));
        tables.push(summary("known-defects", "Known defects", &old));
        tables.push(summary("disagreements", "Disagreements", &new));
        tables.retain(|table| !table.rows.is_empty());
    } else {
        tables.push(all(&outcome.findings));
    }
    if tables.is_empty() {
        global.say("all answers agree");
    } else {
        global.print(&tables)?;
    }
    Ok(if new.is_empty() {
        End::Good
    } else {
        End::VerificationFailed
    })
}

fn algorithm(finding: &Finding) -> String {
    format!("{} {}", finding.work.primitive, finding.work.operation)
}

/// Returns one line for each finding.
fn summary(name: &str, title: &str, findings: &[&Finding]) -> Table {
    let mut table = Table::new(
        name,
        title,
        &["library", "algorithm", "what", ">inputs", "remarks"],
    );
    for finding in findings {
        let remark = match &finding.defect {
            Some(defect) => defect.clone(),
            None if finding.outvoted => format!("{} agree", counted(finding.others.len())),
            None => format!("no majority; other answer: {}", finding.others.join(", ")),
        };
        table.row([
            finding.library.clone(),
            algorithm(finding),
            finding.kind.name().to_owned(),
            finding.count.to_string(),
            remark,
        ]);
    }
    table.footnote = "differs: another answer; accepts: an answer where the others refuse; \
                      refuses: the reverse; inputs: number of inputs with this result"
        .into();
    table
}

fn counted(others: usize) -> String {
    match others {
        1 => "1 other".to_owned(),
        n => format!("{n} others"),
    }
}

/// Longest value that a table for people shows, in characters.
const SHOWN: usize = 400;

/// Returns a finding with its input and both answers, for people.
fn one(slots: &[Slot], finding: &Finding) -> Table {
    let name = |id: &str| {
        let slot = slots.iter().find(|slot| slot.id() == id);
        slot.map_or(id.to_owned(), |slot| {
            format!("{} {}", slot.facts.name, slot.facts.version)
        })
    };
    let title = format!(
        "{} {}: {}",
        name(&finding.library),
        finding.kind.name(),
        algorithm(finding)
    );
    let mut table = Table::new("disagreement", title, &["", ""]);
    let mut row = |name: &str, value: &str| {
        let value = crate::text::visible(value, SHOWN);
        table.row([name, &value]);
    };
    for (input, value) in &finding.work.inputs {
        row(&format!("  {input}"), &value.to_string());
    }
    row("  answer", &finding.got);
    row("  others", &finding.expected);
    table
}

/// Returns all findings, for programs.
fn all(findings: &[Finding]) -> Table {
    let columns = [
        "library",
        "primitive",
        "operation",
        "kind",
        ">inputs",
        "outvoted",
        "others",
        "input",
        "got",
        "expected",
        "defect",
    ];
    let mut table = Table::new("disagreements", "Disagreements", &columns);
    for finding in findings {
        table.row([
            finding.library.clone(),
            finding.work.primitive.clone(),
            finding.work.operation.clone(),
            finding.kind.name().to_owned(),
            finding.count.to_string(),
            if finding.outvoted { "yes" } else { "no" }.to_owned(),
            finding.others.join(" "),
            finding.work.shown(),
            finding.got.clone(),
            finding.expected.clone(),
            finding.defect.clone().unwrap_or_default(),
        ]);
    }
    table
}
