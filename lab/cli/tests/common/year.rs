//! Invented nights of invented machines: runs whose times are known, written as the lab writes its
//! own.

#![allow(dead_code, missing_docs, unreachable_pub)]

use serde_json::json;
use touchstone_lab::identity;
use touchstone_lab::profile::Task;
use touchstone_lab::stats::Interval;
use touchstone_lab::store::{RawCell, RunRow, Store};
use touchstone_lab::stored::Point;
use touchstone_lab::summary::Library;
use touchstone_wire::Contract;

/// A night of a machine: what is planted in its run.
pub struct Night<'a> {
    pub machine: String,
    pub night: u32,
    pub kernel: &'a str,
    pub features: &'a str,
    /// The libraries: id and version.
    pub libraries: Vec<(String, String)>,
    pub tasks: &'a [Task],
    /// Nanoseconds of a library in a task.
    pub ns: &'a dyn Fn(&str, &Task) -> f64,
}

/// Noise of about half a per cent, which depends on its arguments alone.
pub fn noise(seed: u64) -> f64 {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ 0x70_6f75;
    // The sum of four uniform numbers is nearly normal.
    let sum: f64 = (0..4)
        .map(|_| {
            state ^= state >> 12;
            state ^= state << 25;
            state ^= state >> 27;
            (state.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 11) as f64 / (1_u64 << 53) as f64
        })
        .sum();
    (0.0087 * (sum - 2.0)).exp()
}

impl Night<'_> {
    pub fn row(&self) -> RunRow {
        let day = self.night % 28 + 1;
        let month = self.night / 28 % 12 + 1;
        let year = 2025 + self.night / 336;
        serde_json::from_value(json!({
            "id": 0, "uid": identity::new(),
            "started": format!("{year}-{month:02}-{day:02}T02:00:00Z"),
            "seconds": 400.0, "complete": true,
            "lab_version": "0.1.0", "command": "touchstone run", "profile": "quick",
            "profile_text": touchstone_lab::profile::NAMED[0].1, "target": 0.05, "null_ns": 0.3,
            "plan": { "libraries": [], "algorithm": null, "sizes": [], "threads": [] },
            "machine": { "line": self.machine, "mhz": null, "facts": [
                ["CPU", "an invented CPU"], ["CPUs usable", "8"], ["Kernel", self.kernel],
                ["Instruction sets", self.features], ["Host", self.machine]
            ] },
            "imported": "from a test"
        }))
        .unwrap()
    }

    pub fn facts(&self) -> Vec<Library> {
        let facts = |(id, version): &(String, String)| {
            let name = match id.as_str() {
                "openssl" => "OpenSSL",
                other => other,
            };
            serde_json::from_value(json!({
                "id": id, "name": name, "version": version, "path": "", "licence": "MIT",
                "language": "C", "features": "", "note": "", "absent": "", "offers": 1,
                "code_bytes": null, "table_bytes": null, "start_ms": null, "peak_kib": null
            }))
            .unwrap()
        };
        self.libraries.iter().map(facts).collect()
    }

    fn time(&self, place: usize, library: &str, task: &Task) -> f64 {
        let machine: u64 = self.machine.bytes().map(u64::from).sum();
        let seed = (u64::from(self.night) << 32) ^ (machine << 20) ^ place as u64;
        (self.ns)(library, task) * noise(seed)
    }

    /// Stores the run with its points, and without samples.
    pub fn store(&self, store: &Store) -> i64 {
        let run = store.begin(&self.row()).unwrap();
        for library in self.facts() {
            store.save_library(run, &library).unwrap();
        }
        let mut points = Vec::with_capacity(self.tasks.len() * self.libraries.len());
        for task in self.tasks {
            for (library, version) in &self.libraries {
                let ns = self.time(points.len(), library, task);
                points.push(Point {
                    task: task.clone(),
                    library: library.clone(),
                    version: version.clone(),
                    ns: Interval {
                        low: ns * 0.995,
                        mid: ns,
                        high: ns * 1.005,
                    },
                    rounds: 34,
                    processes: 5,
                });
            }
        }
        store.save_points(run, &self.machine, &points).unwrap();
        store.progress(run, 400.0, true).unwrap();
        run
    }

    /// Returns the cells with this number of samples each.
    pub fn cells(&self, samples: usize) -> Vec<RawCell> {
        let mut cells = Vec::new();
        for task in self.tasks {
            for (library, _) in &self.libraries {
                let ns = self.time(cells.len(), library, task);
                let sample = |round: usize| 100.0 * ns * noise((cells.len() * 64 + round) as u64);
                cells.push(RawCell {
                    library: library.clone(),
                    task: task.clone(),
                    calls: 100,
                    stop: "narrow",
                    first_ns: [1, 2, 3],
                    mhz: Some(3000.0),
                    flags: Vec::new(),
                    api: String::new(),
                    kernel: String::new(),
                    note: String::new(),
                    samples: (0..samples).map(sample).collect(),
                    processes: (0..samples).map(|round| round as u32 % 5).collect(),
                });
            }
        }
        cells
    }
}

/// Returns a hot task on one thread.
pub fn task(primitive: &str, operation: &str, bytes: u64) -> Task {
    Task {
        primitive: primitive.into(),
        operation: operation.into(),
        contract: Contract::Hot,
        bytes,
        threads: 1,
        messages: 1,
    }
}
