//! `touchstone doctor`: shows what helps or disturbs measurements on this machine.

use std::path::Path;
use std::time::Duration;

use anyhow::Context as _;
use clap::Args;

use super::{End, Global};
use crate::adapters;
use crate::doctor::{self, Check, Status, System};
use crate::measure::cpus;
use crate::session::{Slot, discover};
use crate::store::{self, address::postgres_address};
use crate::table::Table;

#[derive(Debug, Args)]
#[command(after_help = "Examples:
  touchstone doctor
  touchstone doctor --seconds 30                listens longer")]
pub(super) struct Options {
    /// Seconds for which to measure disturbances of the CPU
    #[arg(long, default_value_t = 2, value_name = "N",
        value_parser = clap::value_parser!(u64).range(1..=3600))]
    seconds: u64,
}

pub(super) fn run(global: &Global, options: &Options) -> anyhow::Result<End> {
    let (cpu, others) = cpus();
    let system = System {
        root: Path::new("/"),
        cpu,
        others: others.iter().filter(|other| **other != cpu).count(),
    };
    let mut checks = system.checks();
    global.say(&format!("listening on CPU {cpu} for {} s", options.seconds));
    let noise = doctor::listen(cpu, Duration::from_secs(options.seconds));
    checks.extend(noise.context("starting a thread")?.checks());
    checks.extend(store_checks(global));
    checks.extend(libraries());
    checks.push(Check::new(
        Status::Good,
        "Browser",
        "not needed: the report is a file that any browser shows",
        "",
    ));

    let mut table = Table::new(
        "machine",
        "This machine as a place to measure on",
        &["status", "what", "finding", "what to do"],
    );
    for check in &checks {
        table.row([
            check.status.name(),
            &check.what,
            &check.finding,
            &check.advice,
        ]);
    }
    global.print(&[table])?;
    if checks.iter().any(|check| check.status == Status::Broken) {
        anyhow::bail!("the lab cannot work here: see the lines marked broken");
    }
    Ok(End::Good)
}

fn store_checks(global: &Global) -> Vec<Check> {
    let path = match &global.store {
        Some(path) => Ok(path.clone()),
        None => store::default_path(),
    };
    let opened = path.and_then(|path| global.open_store().map(|store| (path, store)));
    match opened {
        Ok((path, store)) => {
            let mut checks = Vec::new();
            if postgres_address(&path).is_none() {
                checks.push(doctor::disk(&path));
            }
            checks.push(Check::new(Status::Good, "Store", store.name(), ""));
            checks
        }
        Err(error) => vec![Check::new(
            Status::Broken,
            "Store",
            format!("{error:#}"),
            "say --store PATH, where PATH can be written",
        )],
    }
}

/// Checks the lab's own files and each library: found, or what to install.
fn libraries() -> Vec<Check> {
    let installed = "run the command from where `make dist` put it";
    let broken = |what: &str, error: anyhow::Error| {
        Check::new(Status::Broken, what, format!("{error:#}"), installed)
    };
    let mut checks = Vec::new();
    match adapters::vectors_folder() {
        Ok(folder) => checks.push(Check::new(
            Status::Good,
            "Known answers",
            folder.display().to_string(),
            "",
        )),
        Err(error) => checks.push(broken("Known answers", error)),
    }
    let candidates = adapters::folder().and_then(|folder| adapters::manifests(&folder));
    match candidates {
        Ok(candidates) => {
            let slots = discover(candidates);
            if !slots.iter().any(Slot::present) {
                checks.push(Check::new(
                    Status::Broken,
                    "Libraries",
                    "none was found",
                    "make peers",
                ));
            }
            checks.extend(slots.iter().map(library));
        }
        Err(error) => checks.push(broken("Libraries", error)),
    }
    checks
}

fn library(slot: &Slot) -> Check {
    let facts = &slot.facts;
    if slot.present() {
        let finding = format!("{}, {} operations", facts.version, facts.offers);
        return Check::new(Status::Good, &facts.name, finding, "");
    }
    Check::new(
        Status::Fair,
        &facts.name,
        format!("absent: {}", facts.absent),
        &slot.remedy(),
    )
}
