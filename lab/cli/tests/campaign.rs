//! Tests `campaign` as a user runs it: with jobs on this machine, on hosts that a scratch sshd
//! plays, and on the nodes of a scratch Slurm cluster; with killed processes, a full disk, a dead
//! node and a restarted controller. The libraries are planted.

mod common;

use std::collections::BTreeSet;
use std::path::Path;
use std::process::{Command, Output};
use std::time::{Duration, Instant};

use assert_cmd::assert::OutputAssertExt;
use common::{Bench, rows};
use serde_json::Value;
use touchstone_lab::campaign::folder::{Folder, get};
use touchstone_lab::campaign::state::{Phase, Seen, State, state_file};
use touchstone_lab::store::Store;

/// A campaign file beside planted libraries.
struct Fleet {
    bench: Bench,
}

/// A cell of a campaign: the job's machine and repetition, the library, the task.
type Cell = (String, u32, String, String);

impl Fleet {
    /// Makes the libraries *fast* and *slow*, a profile of `sizes` message sizes, and the campaign
    /// file.
    fn new(sizes: u32, campaign: &str) -> Self {
        let bench = Bench::new(&[("fast", "none"), ("slow", "slow")]);
        for library in ["fast", "slow"] {
            let path = bench.path("adapters").join(library).join("adapter.toml");
            let manifest = std::fs::read_to_string(&path).unwrap();
            let masks = "[masks.one]\nPLANTED_ONE = \"1\"\n[masks.two]\nPLANTED_TWO = \"1\"\n";
            std::fs::write(&path, manifest + masks).unwrap();
        }
        // Tasks become narrow after different numbers of rounds, so cells are finished at
        // different times.
        let sizes: Vec<String> = (1..=sizes).map(|n| (n * 16).to_string()).collect();
        let profile = format!(
            "target = 0.04\nrounds = [6, 60]\nsample_us = 20\nseconds = 90\n[[work]]\n\
             primitives = \"rc4\"\noperations = \"stream-encrypt\"\n\
             contracts = [\"hot\"]\nsizes = [{}]\n",
            sizes.join(", ")
        );
        std::fs::write(bench.path("brief.toml"), profile).unwrap();
        let fleet = Self { bench };
        fleet.write(campaign);
        fleet
    }

    fn write(&self, campaign: &str) {
        let text = format!("profiles = [\"brief.toml\"]\n{campaign}");
        std::fs::write(self.bench.path("fleet.toml"), text).unwrap();
    }

    fn command(&self, verb: &[&str]) -> Command {
        let mut command = self.bench.touchstone(&["campaign"]);
        command
            // Machines that are one machine here must not wait for each other's runs.
            .env_remove("TOUCHSTONE_STORE")
            .args(verb)
            .arg(self.bench.path("fleet.toml"));
        command
    }

    fn output(&self, verb: &[&str]) -> Output {
        self.command(verb).output().unwrap()
    }

    fn json(&self, verb: &str) -> Value {
        let output = self.command(&["--format", "json", verb]).output().unwrap();
        serde_json::from_slice(&output.stdout)
            .unwrap_or_else(|_| panic!("{}", String::from_utf8_lossy(&output.stderr)))
    }

    fn folder(&self) -> Folder {
        Folder::new(&self.bench.path("fleet")).unwrap()
    }

    /// Returns a column of `status`, one text for each job.
    fn column(&self, name: &str) -> Vec<String> {
        let document = self.json("status");
        let text = |row: &Value| match &row[name] {
            Value::String(text) => text.clone(),
            other => other.to_string(),
        };
        rows(&document, "jobs").iter().map(text).collect()
    }

    /// Waits until a condition on the short states of all jobs holds.
    fn wait(&self, seconds: u64, what: &str, holds: impl Fn(&[String]) -> bool) {
        let begun = Instant::now();
        loop {
            let states = self.column("st");
            if holds(&states) {
                return;
            }
            assert!(
                begun.elapsed() < Duration::from_secs(seconds),
                "not {what} after {seconds} s:\n{}",
                String::from_utf8_lossy(&self.output(&["status"]).stdout)
            );
            std::thread::sleep(Duration::from_millis(200));
        }
    }

    fn wait_complete(&self, seconds: u64) {
        self.wait(seconds, "complete", |states| {
            states.iter().all(|st| st == "CD")
        });
    }

    /// Waits until a job's run has finished cells and is not complete, and returns how many.
    fn wait_midway(&self, job: u32) -> usize {
        let begun = Instant::now();
        while begun.elapsed() < Duration::from_secs(60) {
            let seen = Seen::look(&self.folder(), job).unwrap();
            if let Some(state) = &seen.state {
                assert_eq!(
                    state.phase,
                    Phase::Running,
                    "too quick to be stopped: {state:?}"
                );
                let cells = finished(&state.store);
                if cells > 0 {
                    return cells;
                }
            }
            std::thread::sleep(Duration::from_millis(20));
        }
        panic!("job {job} has no finished cell after 60 s");
    }

    fn state(&self, job: u32) -> State {
        get(&state_file(&self.folder().job(job))).unwrap().unwrap()
    }

    /// Returns the cells of all complete runs in the campaign's store.
    fn cells(&self) -> BTreeSet<Cell> {
        let document = self.json("collect");
        let store = Store::open(&self.bench.path("fleet/runs.sqlite")).unwrap();
        let mut cells = BTreeSet::new();
        for row in rows(&document, "runs") {
            if row["state"] != "complete" {
                continue;
            }
            let machine = row["machine"].as_str().unwrap();
            let repetition = row["rep"].as_u64().unwrap() as u32;
            for cell in store.cells(row["run"].as_i64().unwrap()).unwrap() {
                let one = (
                    machine.into(),
                    repetition,
                    cell.library,
                    cell.task.to_string(),
                );
                assert!(cells.insert(one), "a cell is there twice");
            }
        }
        cells
    }
}

/// Returns the number of cells in a store that another process writes to.
fn finished(store: &Path) -> usize {
    let read = || Store::open_to_read(store)?.cells(1);
    if store.is_file() {
        read().map_or(0, |cells| cells.len())
    } else {
        0
    }
}

/// Ends the process of a job without warning, and waits for the end of the run.
fn kill_job(folder: &Path, job: u32) {
    for process in std::fs::read_dir("/proc").unwrap().flatten() {
        let line = std::fs::read(process.path().join("cmdline")).unwrap_or_default();
        let line = String::from_utf8_lossy(&line).replace('\0', " ");
        let ours = line.contains(&*folder.to_string_lossy());
        let host = line.contains("campaign host");
        let lab = line.contains(" measure ") && line.contains(&format!("jobs/{job:04}"));
        if ours && (host || lab) {
            let pid = process.file_name();
            let status = Command::new("kill").arg("-KILL").arg(pid).status();
            assert!(status.unwrap().success());
        }
    }
}

const THREE: &str = "[[machine]]\nname = \"full\"\nlocal = true\n\
    [[machine]]\nname = \"one\"\nlocal = true\nmask = \"one\"\n\
    [[machine]]\nname = \"two\"\nlocal = true\nmask = \"two\"\n";

#[test]
fn a_plan_shows_cells_hours_and_cost_and_runs_nothing() {
    let fleet = Fleet::new(
        3,
        &format!(
            "repetitions = 2\n[budget]\nnode-hours = 0.1\ncost-per-node-hour = 2.0\n\
             currency = \"EUR\"\n{THREE}"
        ),
    );
    let document = fleet.json("plan");
    let all = rows(&document, "plan").last().unwrap();
    // Three machines, two runs of each, three sizes, two libraries.
    assert_eq!(
        (all["jobs"].as_u64(), all["cells"].as_u64()),
        (Some(6), Some(36))
    );
    // 90 s and a quarter.
    let hours = 6.0 * 112.5 / 3600.0;
    assert_eq!(all["hours"].as_f64(), Some(hours));
    assert_eq!(all["EUR"].as_f64(), Some(hours * 2.0));
    let output = fleet.output(&["submit"]);
    let error = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{error}");
    assert!(error.contains("over the budget: 0.2 node hours"), "{error}");
    assert!(!fleet.bench.path("fleet/plan.json").exists());
    assert_eq!(fleet.output(&["status"]).status.code(), Some(4));

    fleet.write("[[machine]]\nname = \"full\"\nlocl = true\n");
    let output = fleet.output(&["plan"]);
    let error = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{error}");
    assert!(
        error.contains("fleet.toml:4: ") && error.contains("did you mean local?"),
        "{error}"
    );
}

#[test]
fn a_stored_run_tells_how_long_the_next_one_takes() {
    let fleet = Fleet::new(3, "[[machine]]\nname = \"here\"\nlocal = true\n");
    let profile = fleet.bench.path("brief.toml");
    let mut run = fleet.bench.touchstone(&["measure", "--profile"]);
    run.arg(profile).assert().success();
    let seconds = fleet.bench.store().run(Some(1), false).unwrap().seconds;
    let mut plan = fleet.command(&["--format", "json", "plan"]);
    let output = plan
        .env("TOUCHSTONE_STORE", fleet.bench.path("runs.sqlite"))
        .output()
        .unwrap();
    let document: Value = serde_json::from_slice(&output.stdout).unwrap();
    let row = &rows(&document, "plan")[0];
    assert_eq!(row["hours"].as_f64(), Some(seconds / 3600.0));
    assert!(document.to_string().contains("1 stored run"));
}

#[test]
fn three_masked_machines_are_measured_collected_and_reported() {
    let fleet = Fleet::new(4, THREE);
    fleet.command(&["submit"]).assert().success();
    // Submitting again brings nothing twice.
    fleet.command(&["submit"]).assert().success();
    fleet.wait_complete(90);
    let first = fleet.cells();
    assert_eq!(first.len(), 3 * 4 * 2);
    assert_eq!(fleet.cells(), first, "collecting again adds nothing");
    let collecting: Vec<_> = (0..4)
        .map(|_| fleet.command(&["collect"]).spawn().unwrap())
        .collect();
    for one in collecting {
        assert!(one.wait_with_output().unwrap().status.success());
    }
    let store = Store::open(&fleet.bench.path("fleet/runs.sqlite")).unwrap();
    let runs = store.runs().unwrap();
    assert_eq!(runs.len(), 3, "collecting side by side adds nothing");
    let masks: BTreeSet<Option<&str>> = runs
        .iter()
        .map(|run| {
            let mut facts = run.machine.facts.iter();
            let fact = facts.find(|(name, _)| name == "Instructions left out");
            fact.map(|(_, mask)| mask.as_str())
        })
        .collect();
    assert_eq!(masks, [None, Some("one"), Some("two")].into());
    let output = fleet.output(&["report"]);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let html = std::fs::read_to_string(fleet.bench.path("fleet/report.html")).unwrap();
    assert!(html.contains("rc4"), "the report has the measured algorithm");

    fleet.write("repetitions = 2\n[[machine]]\nname = \"full\"\nlocal = true\n");
    let output = fleet.output(&["submit"]);
    let error = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{error}");
    assert!(
        error.contains("has changed since it was submitted"),
        "{error}"
    );
}

#[test]
fn a_killed_job_goes_on_from_its_finished_cells() {
    let fleet = Fleet::new(60, "[[machine]]\nname = \"here\"\nlocal = true\n");
    fleet.command(&["submit"]).assert().success();
    let cells = fleet.wait_midway(1);
    kill_job(fleet.folder().path(), 1);
    fleet.wait(20, "lost", |states| states == ["NF"]);
    assert_eq!(fleet.output(&["status"]).status.code(), Some(6));
    let store = fleet.state(1).store;
    let kept = finished(&store);
    assert!(kept >= cells, "{kept} of {cells}");
    let before = Store::open_to_read(&store).unwrap().cells(1).unwrap();
    fleet.command(&["submit"]).assert().success();
    fleet.wait_complete(120);
    assert_eq!(fleet.state(1).attempts, 2);
    let after = Store::open_to_read(&store).unwrap().cells(1).unwrap();
    assert_eq!(after.len(), 60 * 2);
    for cell in &before {
        assert!(
            after.contains(cell),
            "a finished cell was measured again: {cell:?}"
        );
    }
}

#[test]
fn an_object_is_built_on_the_machine_or_the_job_says_why_not() {
    let fleet = Fleet::new(
        2,
        "[[machine]]\nname = \"here\"\nlocal = true\n\
         [[libraries]]\nname = \"good\"\nlibrary = [\"fast\"]\n\
         build = [{ library = \"slow\", command = \"echo made >slow.so; echo slow.so\" }]\n\
         [[libraries]]\nname = \"bad\"\n\
         build = [{ library = \"slow\", command = \"echo no compiler >&2; exit 1\" }]\n",
    );
    fleet.command(&["submit"]).assert().success();
    fleet.wait(60, "over", |states| {
        states.iter().all(|state| state == "CD" || state == "F")
    });
    let bad = fleet.state(2);
    assert_eq!(bad.phase, Phase::Failed);
    assert!(bad.reason.contains("the build of slow"), "{}", bad.reason);
    let good = fleet.state(1);
    assert_eq!(good.phase, Phase::Done, "{}", good.reason);
    assert!(good.built[0].ends_with("/slow.so"), "{:?}", good.built);
    let cells = fleet.cells();
    let libraries: BTreeSet<&str> = cells.iter().map(|cell| cell.2.as_str()).collect();
    assert_eq!(libraries, ["fast", "slow"].into());
    let output = fleet.output(&["collect"]);
    assert_eq!(output.status.code(), Some(6), "one job has no run");
}
