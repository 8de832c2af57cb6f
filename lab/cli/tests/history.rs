//! Tests `history` and `fleet` as a user runs them, on invented runs with planted changes.

mod common;
#[path = "common/year.rs"]
mod year;

use assert_cmd::assert::OutputAssertExt;
use common::{Bench, rows};
use serde_json::Value;
use touchstone_lab::profile::Task;
use touchstone_lab::store::Store;
use year::{Night, task};

const MACHINES: [&str; 3] = ["node1", "node2", "node3"];

fn tasks() -> Vec<Task> {
    vec![
        task("aes-256", "gcm-encrypt", 64),
        task("aes-256", "gcm-encrypt", 16384),
        task("sha-256", "hash", 16384),
    ]
}

/// Fills a store with forty nights of three machines and four libraries. Planted are: OpenSSL's new
/// version in night 25, which is 3 % slower at AES-256-GCM on all machines; a new kernel of node2
/// in night 10, which makes every library 5 % slower; node3 lacks instructions, and there Nettle
/// is the fastest.
fn fill(store: &Store) {
    for night in 0..40 {
        for machine in MACHINES {
            let version = if night < 25 { "3.5.1" } else { "3.5.2" };
            let ns = |library: &str, task: &Task| {
                let base = match library {
                    "openssl" => 1000.0,
                    "nettle" if machine == "node3" => 800.0,
                    "nettle" => 1500.0,
                    _ => 2000.0,
                };
                let newer = library == "openssl" && night >= 25 && task.primitive == "aes-256";
                base * (1.0 + task.bytes as f64 / 1000.0)
                    * if newer { 1.03 } else { 1.0 }
                    * if machine == "node2" && night >= 10 {
                        1.05
                    } else {
                        1.0
                    }
            };
            let libraries = ["openssl", "nettle", "botan", "libgcrypt"].map(|id| {
                let version = match id {
                    "openssl" => version,
                    "nettle" => "0.5.2, 0.11.3, 0.6.1",
                    _ => "1",
                };
                (id.to_owned(), version.to_owned())
            });
            Night {
                machine: machine.to_owned(),
                night,
                kernel: if machine == "node2" && night >= 10 {
                    "6.12"
                } else {
                    "6.1"
                },
                features: if machine == "node3" {
                    "aes"
                } else {
                    "aes vaes"
                },
                libraries: libraries.to_vec(),
                tasks: &tasks(),
                ns: &ns,
            }
            .store(store);
        }
    }
}

fn json(bench: &Bench, args: &[&str], code: i32) -> Value {
    let output = bench
        .touchstone(args)
        .args(["--format", "json"])
        .output()
        .unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(code), "{args:?}: {errors}");
    serde_json::from_slice(&output.stdout).unwrap()
}

fn text<'a>(row: &'a Value, name: &str) -> &'a str {
    row[name]
        .as_str()
        .unwrap_or_else(|| panic!("no {name}: {row:#}"))
}

#[test]
fn planted_changes_are_found_named_and_told_from_the_machines_own() {
    let bench = Bench::new(&[]);
    fill(&bench.store());
    let found = json(&bench, &["history", "AES-256-GCM"], 0);
    let lines = rows(&found, "lines");
    assert_eq!(lines.len(), 3 * 4, "the longest message alone");
    assert!(lines.iter().all(|line| line["runs"] == 40));
    let changes = rows(&found, "changes");
    let of = |library: &str, machine: &str| -> Vec<&Value> {
        let own = |row: &&Value| text(row, "library") == library && text(row, "machine") == machine;
        changes.iter().filter(own).collect()
    };
    for machine in MACHINES {
        let own: Vec<_> = of("openssl", machine)
            .into_iter()
            .filter(|row| text(row, "whose") == "the library")
            .collect();
        assert_eq!(own.len(), 1, "{machine}: {changes:#?}");
        assert!(text(own[0], "what else changed").contains("version 3.5.1 → 3.5.2"));
        let ratio = own[0]["changed"].as_f64().unwrap();
        assert!((ratio - 1.03).abs() < 0.01, "{ratio}");
    }
    for library in ["nettle", "botan", "libgcrypt"] {
        assert_eq!(of(library, "node1").len(), 0);
        let [change] = of(library, "node2")[..] else {
            panic!("{library}: {changes:#?}");
        };
        assert_eq!(text(change, "whose"), "the machine (4 of 4 libraries)");
        assert!(text(change, "what else changed").contains("Kernel 6.1 → 6.12"));
    }
    // The other libraries tell that the machine changed, also if they are not shown.
    let nettle = ["history", "AES-256-GCM", "--library", "nettle"];
    let nettle = json(&bench, &[&nettle[..], &["--machine", "node2"]].concat(), 0);
    let [change] = rows(&nettle, "changes") else {
        panic!("{nettle:#}");
    };
    assert_eq!(text(change, "whose"), "the machine (4 of 4 libraries)");
    let sha = json(&bench, &["history", "sha-256", "--machine", "node1"], 0);
    assert_eq!(rows(&sha, "changes").len(), 0);
}

#[test]
fn an_alert_has_an_exit_code_and_a_table_for_pull_requests() {
    let bench = Bench::new(&[]);
    fill(&bench.store());
    let alert = |args: &[&str], code: i32| {
        let args = [&["history", "--alert", "--format", "md"], args].concat();
        let output = bench.touchstone(&args).output().unwrap();
        assert_eq!(output.status.code(), Some(code), "{args:?}");
        String::from_utf8(output.stdout).unwrap()
    };
    let text = alert(&["AES-256-GCM", "--machine", "node1"], 5);
    let verdict = text.lines().next().unwrap();
    assert!(
        verdict.starts_with("**Slower**: OpenSSL on node1 (an invented CPU, 8 CPUs) by +")
            && verdict.contains("3.5.1 → 3.5.2"),
        "{verdict}"
    );
    assert_eq!(text.matches("<details>").count(), 2);
    assert!(
        text.contains("| 2025-01-26 |") && text.contains("3.5.1 → 3.5.2"),
        "{text}"
    );
    // The machine's own change is none, nor is one before the day.
    let text = alert(&["sha-256", "--machine", "node2"], 0);
    assert!(text.starts_with("**Not slower**"), "{text}");
    alert(
        &["AES-256-GCM", "--since", "2025-02-01", "--machine", "node1"],
        0,
    );
    alert(
        &["AES-256-GCM", "--threshold", "4%", "--machine", "node1"],
        0,
    );
    bench
        .touchstone(&["history", "no-such-thing"])
        .assert()
        .code(4);
    bench
        .touchstone(&["history", "sha-256", "--machine", "none"])
        .assert()
        .code(4);
    bench
        .touchstone(&["history", "sha-256", "--since", "soon"])
        .assert()
        .code(2);
    let page = bench.path("history.html");
    let page = page.to_str().unwrap();
    bench
        .touchstone(&["history", "AES-256-GCM", "-o", page])
        .assert()
        .success();
    let html = std::fs::read_to_string(page).unwrap();
    assert!(
        html.contains("3.5.1 → 3.5.2") && html.contains("<path d=\"M"),
        "{html}"
    );
    assert!(html.contains(" on node1 (an invented CPU, 8 CPUs)</h2>"));
    assert!(!html.contains("<script") && html.contains("content=\"default-src "));
}

/// People read names, and programs find ids. Both are accepted.
#[test]
fn libraries_have_names_for_people_and_ids_for_programs() {
    let bench = Bench::new(&[]);
    fill(&bench.store());
    let shown = |args: &[&str]| -> String {
        let args = [&["history", "AES-256-GCM"], args].concat();
        let output = bench.touchstone(&args).output().unwrap();
        assert_eq!(output.status.code(), Some(0), "{args:?}");
        String::from_utf8(output.stdout).unwrap()
    };
    for format in ["table", "md"] {
        let text = shown(&["--machine", "node1", "--format", format]);
        assert!(
            text.contains("OpenSSL") && !text.contains("openssl"),
            "{text}"
        );
    }
    for format in ["json", "csv"] {
        let text = shown(&["--machine", "node1", "--format", format]);
        assert!(
            text.contains("openssl") && !text.contains("OpenSSL"),
            "{text}"
        );
    }
    let page = bench.path("history.html");
    bench
        .touchstone(&["history", "AES-256-GCM", "-o"])
        .arg(&page)
        .assert()
        .success();
    let html = std::fs::read_to_string(page).unwrap();
    assert!(html.contains("<h2>OpenSSL 3.5.2 on node1 "), "{html}");
    let one = shown(&["--library", "OpenSSL", "--format", "csv"]);
    assert_eq!(shown(&["--library", "openssl", "--format", "csv"]), one);
    assert_eq!(shown(&["--library", "OPENSSL", "--format", "csv"]), one);
    assert!(one.contains("openssl") && !one.contains("nettle"), "{one}");
}

#[test]
fn a_history_fits_eighty_columns() {
    let bench = Bench::new(&[]);
    fill(&bench.store());
    let shown = |args: &[&str], columns: &str| -> String {
        let output = bench.touchstone(args).env("COLUMNS", columns).output();
        String::from_utf8(output.unwrap().stdout).unwrap()
    };
    let all = ["history", "aes-256|sha-256"];
    let one = ["history", "AES-256-GCM", "--machine", "node1", "--points"];
    for args in [&all[..], &one] {
        let text = shown(args, "80");
        println!("{text}");
        let long = text.lines().find(|line| line.chars().count() > 80);
        assert_eq!(long, None, "{text}");
    }
    // No row is broken: a line of the history is one line of text.
    let text = shown(&all[..], "80");
    let rows = text.lines().filter(|line| line.starts_with("node"));
    let fields: Vec<usize> = rows.map(|line| line.split_whitespace().count()).collect();
    assert_eq!(fields, [9; 2 * 3 * 4], "{text}");
    // A change of the machine has one row, whatever the number of libraries.
    assert_eq!(text.matches("Kernel 6.1 → 6.12").count(), 1, "{text}");
    // What all lines share is in the title.
    let text = shown(&one, "80");
    assert!(
        text.contains("on node1 (an invented CPU, 8 CPUs)"),
        "{text}"
    );
    // COLUMNS counts where there is no terminal.
    let wide = shown(&all[..], "200");
    let longest = |text: &str| text.lines().map(|line| line.chars().count()).max();
    assert!(longest(&wide) > longest(&shown(&all[..], "80")), "{wide}");
}

/// A run whose times are not in the store has them computed from its samples.
#[test]
fn a_measured_run_has_a_history_at_once() {
    let bench = Bench::new(&[("good", "none"), ("slow", "slow")]);
    bench.run().assert().success();
    let found = json(&bench, &["history", "rc4", "--points"], 0);
    assert_eq!(rows(&found, "lines").len(), 2);
    assert_eq!(rows(&found, "points").len(), 2);
    let archive = bench.path("archive");
    let archive = archive.to_str().unwrap();
    let before = json(&bench, &["rank"], 0);
    bench
        .touchstone(&["runs", "--archive", archive])
        .assert()
        .success();
    assert_eq!(std::fs::read_dir(archive).unwrap().count(), 1);
    assert_eq!(json(&bench, &["rank"], 0), before, "read from the archive");
    assert_eq!(
        rows(&json(&bench, &["history", "rc4"], 0), "lines").len(),
        2
    );
    // Histories do not need the archive, ranks do, and say so.
    std::fs::remove_dir_all(archive).unwrap();
    assert_eq!(
        rows(&json(&bench, &["history", "rc4"], 0), "lines").len(),
        2
    );
    let output = bench.touchstone(&["rank"]).output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&output.stderr).contains(archive));
}

#[test]
fn a_fleet_tells_who_wins_where_and_which_machine_is_unlike_its_siblings() {
    let bench = Bench::new(&[]);
    fill(&bench.store());
    let found = json(&bench, &["fleet", "AES-256-GCM"], 0);
    let machines = rows(&found, "machines");
    assert_eq!(machines.len(), 3);
    assert!(
        text(&machines[1], "remark").contains("slower than its 2 siblings"),
        "{machines:#?}"
    );
    let winners = rows(&found, "winners");
    assert_eq!(winners.len(), 2, "two lengths");
    for row in winners {
        assert_eq!(text(row, "on most machines"), "OpenSSL");
        assert_eq!(text(row, "but"), "nettle on node3");
        assert_eq!(text(row, "features of most"), "vaes");
    }
    let suits = rows(&found, "suits");
    assert!(suits.iter().any(|row| {
        (text(row, "library"), text(row, "machine")) == ("nettle", "node3")
            && row["times as slow"].as_f64().unwrap() < 0.7
    }));
    // Both lengths have one outcome, and for people one line.
    let turns = rows(&found, "turns");
    assert_eq!(turns.len(), 1);
    assert_eq!(text(&turns[0], "whose features are"), "vaes");
    assert_eq!(turns[0]["cells"], 2);
    let output = bench
        .touchstone(&["fleet", "AES-256-GCM"])
        .output()
        .unwrap();
    let shown = String::from_utf8(output.stdout).unwrap();
    assert!(!shown.contains("on most machines"), "{shown}");
    let page = bench.path("fleet.html");
    let page = page.to_str().unwrap();
    bench.touchstone(&["fleet", "-o", page]).assert().success();
    let html = std::fs::read_to_string(page).unwrap();
    assert_eq!(html.matches("<rect ").count(), 3 * 4);
}

/// Libraries differ by other factors at each algorithm, and so do machines, as real ones do. One of
/// them is 20 % slower on one machine alone.
#[test]
fn a_library_that_is_slower_on_one_machine_alone_is_an_outlier_and_has_a_name() {
    let bench = Bench::new(&[]);
    let store = bench.store();
    let primitives = ["aes-256", "chacha20", "sha-256", "blake2b"];
    let tasks: Vec<Task> = primitives
        .iter()
        .flat_map(|primitive| [64, 1350, 16384].map(|bytes| task(primitive, "hash", bytes)))
        .collect();
    let libraries = ["openssl", "nettle", "botan", "libgcrypt", "wolfssl"];
    for machine in ["node1", "node2", "node3", "node4"] {
        let ns = |library: &str, task: &Task| {
            let place = |all: &[&str], one: &str| all.iter().position(|own| *own == one).unwrap();
            let (library, primitive) = (
                place(&libraries, library),
                place(&primitives, &task.primitive),
            );
            let own = 1.0 + ((7 * library + 5 * primitive) % 9) as f64;
            let machines = 1.0 + ((machine.len() + 3 * primitive) % 4) as f64 / 4.0;
            let planted = library == 2 && machine == "node3";
            task.bytes as f64 * own * machines * if planted { 1.2 } else { 1.0 }
        };
        Night {
            machine: machine.to_owned(),
            night: 0,
            kernel: "6.1",
            features: "aes",
            libraries: libraries.map(|id| (id.to_owned(), "1".to_owned())).to_vec(),
            tasks: &tasks,
            ns: &ns,
        }
        .store(&store);
    }
    let found = json(&bench, &["fleet"], 0);
    let [outlier] = rows(&found, "suits") else {
        panic!("{found:#}");
    };
    assert_eq!(
        (text(outlier, "library"), text(outlier, "machine")),
        ("botan", "node3")
    );
    let ratio = outlier["times as slow"].as_f64().unwrap();
    assert!((ratio - 1.2).abs() < 0.02, "{ratio}");
    let map = rows(&found, "map");
    let botan = map.iter().find(|row| text(row, "library") == "botan");
    let of = |machine: &str| botan.unwrap()[machine].as_f64().unwrap();
    assert!((of("node3") / of("node1") - 1.2).abs() < 0.03, "{botan:#?}");
    let output = bench.touchstone(&["fleet"]).output().unwrap();
    let shown = String::from_utf8(output.stdout).unwrap();
    let mark = format!("* {:.2}", of("node3"));
    assert_eq!(shown.matches("* ").count(), 2, "{shown}");
    assert!(shown.contains(&mark), "{shown}");
    let page = bench.path("fleet.html");
    let page = page.to_str().unwrap();
    bench.touchstone(&["fleet", "-o", page]).assert().success();
    let html = std::fs::read_to_string(page).unwrap();
    assert!(
        html.contains("botan on node3 (an invented CPU, 8 CPUs) takes 20 % more time"),
        "{html}"
    );
    assert!(html.contains(&format!(">{:.2}</text>", of("node3"))));
    assert_eq!(html.matches("stroke-width=\"2\"").count(), 1);
}

/// Three machines with samples: on the last of them, another library is faster.
#[test]
fn one_recommendation_serves_all_machines_but_one() {
    let bench = Bench::new(&[]);
    let store = bench.store();
    let tasks = [
        task("aes-256", "gcm-encrypt", 64),
        task("aes-256", "gcm-encrypt", 16384),
    ];
    for machine in MACHINES {
        let ns = |library: &str, task: &Task| {
            let factor = match (library, machine) {
                ("nettle", "node3") => 0.5,
                ("nettle", _) => 2.0,
                _ => 1.0,
            };
            factor * (100.0 + task.bytes as f64)
        };
        let night = Night {
            machine: machine.to_owned(),
            night: 0,
            kernel: "6.1",
            features: "aes",
            libraries: ["openssl", "nettle"]
                .map(|id| (id.to_owned(), "1".to_owned()))
                .to_vec(),
            tasks: &tasks,
            ns: &ns,
        };
        let run = night.store(&store);
        for task in &tasks {
            let mut cells = night.cells(20);
            cells.retain(|cell| cell.task == *task);
            store.save_task(run, task, &cells, &[]).unwrap();
        }
    }
    let args = [
        "recommend",
        "--fleet",
        "--algorithm",
        "AES-256-GCM",
        "--size",
        "1350",
    ];
    let found = json(&bench, &args, 0);
    let machines = rows(&found, "machines");
    let uses: Vec<&str> = machines.iter().map(|row| text(row, "use")).collect();
    assert_eq!(uses, ["OpenSSL", "OpenSSL", "nettle"]);
    let title = found["tables"][0]["title"].as_str().unwrap();
    assert!(
        title.ends_with(
            "use OpenSSL on all but one of 3 machines: nettle on node3 (an invented CPU, 8 CPUs)"
        ),
        "{title}"
    );
}
