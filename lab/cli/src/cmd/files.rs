//! `touchstone files`: measures programs that encrypt files.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use anyhow::Context as _;
use clap::Args;
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};

use super::progress::bar;
use super::{End, Global, Usage};
use crate::files::contender::{self, Contender, Found};
use crate::files::measured::Measured;
use crate::files::rounds::{self, Settings};
use crate::output;
use crate::text::{Foreign as _, visible_lines};
use crate::view::files;
use crate::{identity, machine};

/// The longest file in bytes.
const LONGEST: u64 = 1 << 40;

#[derive(Debug, Args)]
#[command(after_help = "Examples:
  touchstone files --sizes 1M,64M,1G --folder /mnt/disk
  touchstone files --only strongbox,age,rage,cp --program rage=/opt/rage/bin/rage --format csv")]
pub(super) struct Options {
    /// Lengths of the files in bytes, such as 64k, 16M or 1G
    #[arg(long, value_name = "BYTES", value_delimiter = ',', value_parser = length,
        default_value = "16M")]
    sizes: Vec<u64>,
    /// Timed calls of each command; an interval needs 6
    #[arg(long, value_name = "N", default_value_t = 9,
        value_parser = clap::value_parser!(u32).range(1..=10_000))]
    rounds: u32,
    /// The folder on whose file system the files are written [default: the system's folder for
    /// temporary files]
    #[arg(long, value_name = "DIR")]
    folder: Option<PathBuf>,
    /// Only these programs, by the names in the table
    #[arg(long, value_name = "NAME", value_delimiter = ',')]
    only: Vec<String>,
    /// Where a program is, if it is not in PATH (repeatable)
    #[arg(long = "program", value_name = "NAME=PATH", value_parser = program)]
    programs: Vec<(String, PathBuf)>,
    /// The longest time of one call, in seconds
    #[arg(long, value_name = "SECONDS", default_value_t = 600,
        value_parser = clap::value_parser!(u64).range(1..))]
    limit: u64,
}

/// Parses a length of a file: "64k", "16M", "1G".
fn length(text: &str) -> Result<u64, String> {
    let units = [
        ('k', 10),
        ('K', 10),
        ('m', 20),
        ('M', 20),
        ('g', 30),
        ('G', 30),
    ];
    let unit = units.iter().find(|(letter, _)| text.ends_with(*letter));
    let (digits, shift) = match unit {
        Some((_, shift)) => (&text[..text.len() - 1], *shift),
        None => (text, 0),
    };
    match digits.parse::<u64>() {
        Ok(n) if n > 0 && n <= LONGEST >> shift => Ok(n << shift),
        _ => Err("a length is 1 byte to 1024G, such as 64k, 16M or 1G".into()),
    }
}

/// Parses a program's place: "rage=/opt/rage/bin/rage".
fn program(text: &str) -> Result<(String, PathBuf), String> {
    match text.split_once('=') {
        Some((name, path)) if !name.is_empty() && !path.is_empty() => {
            Ok((name.to_owned(), path.into()))
        }
        _ => Err("a program's place is a name, = and a path".into()),
    }
}

/// The contenders that the user wants.
fn wanted(options: &Options) -> anyhow::Result<Vec<Contender>> {
    let all = contender::all()?;
    let known = |name: &String| all.iter().any(|one| one.name == *name);
    if let Some(unknown) = options.only.iter().find(|name| !known(name)) {
        let names: Vec<&str> = all.iter().map(|one| one.name.as_str()).collect();
        let names = names.join(", ");
        return Err(Usage(format!("no program is called {unknown:?}; known: {names}")).into());
    }
    let programs: BTreeSet<&str> = all.iter().map(|one| one.program.as_str()).collect();
    for (name, path) in &options.programs {
        if !programs.contains(name.as_str()) {
            let names: Vec<&str> = programs.into_iter().collect();
            let text = format!("--program {name}: known programs are {}", names.join(", "));
            return Err(Usage(text).into());
        }
        if !path.is_file() {
            return Err(Usage(format!("--program {name}: {} is no file", path.display())).into());
        }
    }
    let only = |one: &Contender| options.only.is_empty() || options.only.contains(&one.name);
    Ok(all.iter().filter(|one| only(one)).cloned().collect())
}

pub(super) fn run(global: &Global, options: &Options) -> anyhow::Result<End> {
    let given: BTreeMap<String, PathBuf> = options.programs.iter().cloned().collect();
    let found: Vec<_> = wanted(options)?
        .into_iter()
        .map(|one| contender::find(one, &given))
        .collect();
    for one in found.iter().filter(|one| one.path.is_none()) {
        let (name, program) = (&one.contender.name, &one.contender.program);
        global.say(&format!(
            "{name} is absent: no {program} in PATH; --program {program}=PATH"
        ));
    }
    let present = found.iter().filter(|one| one.path.is_some()).count();
    if present == 0 {
        return Ok(End::NothingToMeasure);
    }
    let settings = Settings {
        sizes: options.sizes.clone(),
        rounds: options.rounds as usize,
        folder: options.folder.clone().unwrap_or_else(std::env::temp_dir),
        limit: Duration::from_secs(options.limit),
    };
    // Opened now, so that a store that cannot be written is told before the measurement.
    let store = global.open_store()?;
    let machine = machine::describe(&[]);
    let mut measured = Measured {
        uid: identity::new(),
        started: machine::now(),
        lab_version: env!("CARGO_PKG_VERSION").to_owned(),
        machine: machine::name(&machine),
        line: machine.line,
        programs: found.iter().map(Found::program).collect(),
        cells: Vec::new(),
    };
    let stop = Arc::new(AtomicBool::new(false));
    for signal in [SIGINT, SIGTERM, SIGHUP] {
        signal_hook::flag::register(signal, Arc::clone(&stop)).context("signals")?;
    }
    let calls = 2 * present * settings.sizes.len() * (settings.rounds + 1);
    let bar = bar(global, "files", calls as u64);
    let cells = rounds::measure(&found, &settings, &stop, &|| bar.inc(1));
    bar.finish_and_clear();
    measured.cells = cells?;
    if measured.has_samples() {
        store.save_files(&measured)?;
    }
    let mut failed = false;
    let failures = measured.cells.iter();
    for cell in failures.filter(|cell| !cell.failure.is_empty()) {
        failed = true;
        let name = &measured.programs[cell.program].name;
        // A failure is no progress, which --quiet leaves out.
        let line = format!("{name} {}: {}", cell.way.name(), cell.failure);
        output::say(&visible_lines(&line));
    }
    if stop.load(Ordering::Relaxed) {
        output::say("interrupted: the tables have the rounds so far");
    }
    measured.make_visible();
    global.print(&files::tables(&measured, global.format)?)?;
    Ok(if failed {
        End::VerificationFailed
    } else {
        End::Good
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_are_numbers_with_a_unit() {
        assert_eq!(length("1G"), Ok(1 << 30));
        assert_eq!(length("64k"), Ok(64 << 10));
        assert_eq!(length("5"), Ok(5));
        for wrong in [
            "",
            "0",
            "k",
            "1T",
            "1025G",
            "-1",
            "99999999999999999999",
            "1kk",
        ] {
            assert!(length(wrong).is_err(), "{wrong}");
        }
    }
}
