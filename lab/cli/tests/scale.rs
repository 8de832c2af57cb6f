//! A year of nightly runs of forty machines in both stores: `make history-scale` runs this.
//!
//! The times of all cells are in the store, as the lab keeps them: 40 machines × 365 nights ×
//! 2,000 cells, of which each stands for 34 samples. Raw samples are written for one night in
//! TOUCHSTONE_SCALE_RAW (100 unless set), because the others would only need more disk.

mod common;
#[path = "common/postgres.rs"]
mod server;
#[path = "common/year.rs"]
mod year;

use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use server::Cluster;
use touchstone_lab::profile::Task;
use touchstone_lab::store::Store;
use year::{Night, task};

const MACHINES: u32 = 40;
const LIBRARIES: usize = 16;
const TASKS: usize = 125;
const SAMPLES: usize = 34;

/// An answer must not take longer than this.
const PATIENCE: Duration = Duration::from_secs(10);

fn number(name: &str, otherwise: u32) -> u32 {
    std::env::var(name).map_or(otherwise, |text| text.parse().unwrap())
}

/// Forty-two algorithms of three lengths, but one.
fn tasks() -> Vec<Task> {
    let sizes = [64, 1350, 16384];
    let all = (0..).flat_map(|algorithm| {
        sizes.map(|bytes| match algorithm {
            0 => task("aes-256", "gcm-encrypt", bytes),
            1 => task("sha-256", "hash", bytes),
            other => task(&format!("invented-{other}"), "hash", bytes),
        })
    });
    all.take(TASKS).collect()
}

fn fill(store: &Store, archive: &Path) {
    let (nights, raw) = (
        number("TOUCHSTONE_SCALE_NIGHTS", 365),
        number("TOUCHSTONE_SCALE_RAW", 100),
    );
    let tasks = tasks();
    let (begun, mut files, mut bytes) = (Instant::now(), 0, 0);
    for night in 0..nights {
        for machine in 0..MACHINES {
            let libraries = (0..LIBRARIES).map(|library| {
                // Each library has a new version every 90 nights, and one of them is slower.
                let version = (night + 10 * library as u32) / 90;
                (format!("library{library:02}"), format!("3.{version}"))
            });
            let ns = |library: &str, task: &Task| {
                let place: u32 = library[7..].parse().unwrap();
                let slower =
                    place == 3 && night >= 200 || place == 7 && machine % 8 == 1 && night >= 100;
                (100.0 + task.bytes as f64 / 4.0)
                    * (1.0 + f64::from(place) / 10.0)
                    * (1.0 + f64::from(machine) / 50.0)
                    * if slower { 1.03 } else { 1.0 }
            };
            let one = Night {
                machine: format!("node{machine:02}"),
                night,
                kernel: if night < 150 { "6.1" } else { "6.12" },
                features: "aes vaes",
                libraries: libraries.collect(),
                tasks: &tasks,
                ns: &ns,
            };
            let run = one.store(store);
            if (night * MACHINES + machine).is_multiple_of(raw) {
                let folder = archive.to_str().unwrap();
                let row = store.run(Some(run), false).unwrap();
                let file =
                    touchstone_lab::archive::write(folder, &row, &one.machine, &one.cells(SAMPLES));
                bytes += std::fs::metadata(file.unwrap()).unwrap().len();
                files += 1;
            }
        }
    }
    println!(
        "{}: {} runs, {} cells (standing for {} samples) written in {:.0?}; {files} files of raw \
         samples, {} KiB each",
        store.name(),
        nights * MACHINES,
        nights as usize * MACHINES as usize * TASKS * LIBRARIES,
        nights as usize * MACHINES as usize * TASKS * LIBRARIES * SAMPLES,
        begun.elapsed(),
        bytes / 1024 / files.max(1)
    );
}

fn answers(store: &Path) {
    for args in [
        &["history", "AES-256-GCM"][..],
        &["history", "AES-256-GCM", "--machine", "node07"],
        &[
            "history",
            "AES-256-GCM",
            "--sizes",
            "64,1350,16384",
            "--alert",
        ],
        &["fleet"],
        &["runs"],
    ] {
        let begun = Instant::now();
        let output = Command::new(env!("CARGO_BIN_EXE_touchstone"))
            .args(args)
            .args(["--format", "json", "--store"])
            .arg(store)
            .output()
            .unwrap();
        let took = begun.elapsed();
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(matches!(output.status.code(), Some(0 | 5)), "{errors}");
        let text = String::from_utf8(output.stdout).unwrap();
        if args[0] == "history" {
            assert!(text.contains("library03"), "the planted change");
        }
        println!("touchstone {}: {took:.1?}", args.join(" "));
        assert!(took < PATIENCE, "{args:?}: {took:?}");
    }
}

#[test]
#[ignore = "takes minutes and gigabytes: make history-scale"]
fn a_year_of_forty_machines_answers_in_seconds_from_sqlite() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("runs.sqlite");
    fill(&Store::open(&path).unwrap(), &folder.path().join("archive"));
    println!(
        "SQLite: {} MiB",
        std::fs::metadata(&path).unwrap().len() >> 20
    );
    answers(&path);
}

#[test]
#[ignore = "takes minutes and gigabytes: make history-scale"]
fn a_year_of_forty_machines_answers_in_seconds_from_postgresql() {
    let Some(cluster) = Cluster::start() else {
        return;
    };
    let folder = tempfile::tempdir().unwrap();
    let address = cluster.database("lab");
    fill(&Store::open(&address).unwrap(), folder.path());
    println!(
        "PostgreSQL: {}",
        cluster.sql("lab", "SELECT pg_size_pretty(pg_database_size('lab'))")
    );
    answers(&address);
}
