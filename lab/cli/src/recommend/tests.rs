use super::constraint::Wrong;
use super::model::tests::cell;
use super::*;
use crate::rank::headline::Headline;
use crate::rank::paper::Ranking;
use crate::summary::{Cell, Machine, Run};

fn library(id: &str) -> Library {
    Library {
        id: id.into(),
        mask: id.split_once('~').map_or("", |(_, mask)| mask).into(),
        variant_of: String::new(),
        name: id.to_uppercase(),
        version: "1".into(),
        path: String::new(),
        fingerprint: String::new(),
        licence: "MIT OR Apache-2.0".into(),
        language: "C, assembly".into(),
        features: String::new(),
        note: String::new(),
        handicap: String::new(),
        absent: String::new(),
        offers: 1,
        code_bytes: None,
        table_bytes: None,
        start_ms: None,
        peak_kib: None,
    }
}

/// A run with these cells: library, primitive, operation, contract, bytes, nanoseconds.
fn run(cells: &[(&str, &str, &str, &str, u64, f64)]) -> Summary {
    let mut libraries: Vec<&str> = cells.iter().map(|one| one.0).collect();
    libraries.sort_unstable();
    libraries.dedup();
    let cells = cells
        .iter()
        .map(|(id, primitive, operation, contract, bytes, ns)| Cell {
            primitive: (*primitive).into(),
            operation: (*operation).into(),
            ..cell(id, contract, *bytes, *ns)
        });
    Summary {
        run: Run {
            id: 1,
            started: String::new(),
            seconds: 1.0,
            profile: "quick".into(),
            command: String::new(),
            complete: true,
            lab_version: String::new(),
            null_ns: 1.0,
            target: 0.05,
            costs: Default::default(),
        },
        machine: Machine {
            line: "m".into(),
            facts: Vec::new(),
            mhz: None,
        },
        libraries: libraries.into_iter().map(library).collect(),
        verification: Vec::new(),
        failures: Vec::new(),
        cells: cells.collect(),
        costs: Vec::new(),
        headline: Headline::default(),
        variants: Vec::new(),
        ranking: Ranking::default(),
        files: None,
    }
}

const HEAD: &str = "title = \"t\"\nsource = \"assumed\"\n";

fn workload(parts: &str) -> Workload {
    Workload::parse("x", &format!("{HEAD}{parts}")).unwrap()
}

fn gcm(more: &str) -> Workload {
    workload(&format!(
        "[[part]]\nwhat = \"w\"\nalgorithms = [\"aes-128 gcm\"]\n{more}"
    ))
}

fn ask(summary: &Summary, workload: &Workload) -> Recommendation {
    recommend(summary, workload, &Constraints::default())
}

fn close(a: f64, b: f64) {
    assert!((a / b - 1.0).abs() < 1e-9, "{a} is not {b}");
}

const GCM: [&str; 3] = ["aes-128", "gcm-encrypt", "hot"];

#[test]
fn a_cost_is_the_sum_over_lengths_parts_and_keys() {
    let [p, o, hot] = GCM;
    let summary = run(&[
        ("a", p, o, hot, 16, 100.0),
        ("a", p, o, hot, 1040, 1124.0),
        ("a", p, o, "setup", 0, 500.0),
        ("a", "sha-256", "hash", hot, 64, 70.0),
    ]);
    let asked = workload(
        "[[part]]\nwhat = \"w\"\nalgorithms = [\"aes-128 gcm\"]\nsizes = { 16 = 3, 528 = 1 }\n\
         messages = 2\nmessages-per-key = 10\n\
         [[part]]\nwhat = \"h\"\nalgorithms = [\"sha-256 hash\"]\nsizes = { 64 = 1 }\n\
         messages-per-key = 10\n",
    );
    let found = ask(&summary, &asked);
    // A hash has no key.
    close(
        found.rows[0].ns.mid,
        2.0 * ((3.0 * 100.0 + 612.0) / 4.0 + 50.0) + 70.0,
    );
    assert!(!found.rows[0].beyond && !found.rows[0].level);
    assert!(found.rows[0].ns.is_known());
}

#[test]
fn the_cheapest_is_first_and_ties_are_level() {
    let [p, o, hot] = GCM;
    let summary = run(&[
        ("slow", p, o, hot, 64, 200.0),
        ("one", p, o, hot, 64, 100.0),
        ("two", p, o, hot, 64, 100.5),
    ]);
    let found = ask(&summary, &gcm("sizes = { 64 = 1 }\n"));
    let rows: Vec<_> = found
        .rows
        .iter()
        .map(|r| (r.library.as_str(), r.level))
        .collect();
    assert_eq!(rows, [("one", true), ("two", true), ("slow", false)]);
    close(found.rows[2].ratio.mid, 2.0);
}

#[test]
fn what_is_not_measured_is_a_reason_to_leave_a_library_out() {
    let [p, o, hot] = GCM;
    let mut summary = run(&[
        ("able", p, o, hot, 64, 100.0),
        ("able", p, o, hot, 256, 200.0),
        ("able", p, o, "setup", 0, 10.0),
        ("keyless", p, o, hot, 64, 100.0),
        ("keyless", p, o, hot, 256, 100.0),
        ("short", p, o, hot, 64, 100.0),
        ("other", "sha-256", "hash", hot, 64, 100.0),
        ("wrong", "sha-256", "hash", hot, 64, 100.0),
        ("gone", "sha-256", "hash", hot, 64, 100.0),
    ]);
    summary.verification.push(Verification {
        library: "wrong".into(),
        primitive: p.into(),
        operation: o.into(),
        failed: 3,
        ..Verification::default()
    });
    let gone = summary.libraries.iter_mut().find(|one| one.id == "gone");
    gone.unwrap().absent = "not found".into();
    let found = ask(
        &summary,
        &gcm("sizes = { 100 = 1 }\nmessages-per-key = 1\n"),
    );
    assert_eq!(found.rows.len(), 1);
    let why: BTreeMap<_, _> = found.left_out.into_iter().collect();
    for (library, reason) in [
        ("keyless", "key set-up not measured"),
        ("short", "no two lengths"),
        ("other", "has no aes-128 gcm"),
        ("wrong", "wrong answers: 3"),
        ("gone", "absent: not found"),
    ] {
        assert!(why[library].contains(reason), "{why:?}");
    }
}

#[test]
fn constraints_are_answered_with_a_word() {
    let [p, o, hot] = GCM;
    let mut summary = run(&[
        ("free", p, o, hot, 64, 100.0),
        ("gpl", p, o, hot, 64, 50.0),
        ("rusty", p, o, hot, 64, 60.0),
        ("silent", p, o, hot, 64, 70.0),
    ]);
    for (library, licence, language) in [(1, "GPL-2.0-or-later", "C"), (3, "", "")] {
        summary.libraries[library].licence = licence.into();
        summary.libraries[library].language = language.into();
    }
    summary.libraries[2].language = "Rust, assembly".into();
    summary.verification.push(Verification {
        library: "rusty".into(),
        primitive: p.into(),
        operation: "gcm-decrypt".into(),
        failed: 1,
        ..Verification::default()
    });
    let asked = gcm("sizes = { 64 = 1 }\n");
    let left = |constraints: Constraints| -> Vec<(String, String)> {
        recommend(&summary, &asked, &constraints).left_out
    };
    let named = |all: &[&str]| all.iter().map(|one| (*one).to_owned()).collect::<Vec<_>>();
    let pair = |id: &str, why: &str| (id.to_owned(), why.to_owned());
    let licences = named(&["MIT"]);
    let found = left(Constraints {
        licences,
        ..Constraints::default()
    });
    let expected = [
        pair("gpl", "licence: GPL-2.0-or-later"),
        pair("silent", "licence: not stated"),
    ];
    assert_eq!(found, expected);
    let languages = named(&["rust", "c"]);
    let found = left(Constraints {
        languages,
        ..Constraints::default()
    });
    assert_eq!(found, [pair("silent", "language: not stated")]);
    for (scope, why) in [
        (Wrong::Operation, "wrong answers in aes-128 gcm: 1"),
        (Wrong::Any, "wrong answers in the run: 1"),
    ] {
        let no_wrong = Some(scope);
        let found = left(Constraints {
            no_wrong,
            ..Constraints::default()
        });
        assert_eq!(found, [pair("rusty", why)], "also in the other direction");
    }
    let installed = left(Constraints {
        installed: true,
        ..Constraints::default()
    });
    assert_eq!(installed.len(), 4);
    assert!(installed[0].1.starts_with("not installed"), "{installed:?}");
    let claims = Some(constraint::Claims::of(&[], "aes").unwrap());
    let found = left(Constraints {
        claims,
        ..Constraints::default()
    });
    assert_eq!(
        found[0].1,
        "constant time: not stated for aes-128 gcm-encrypt"
    );
}

#[test]
fn parts_with_one_list_use_one_algorithm() {
    let hot = "hot";
    let aead = "chacha20-poly1305";
    let summary = run(&[
        ("a", "aes-128", "gcm-encrypt", hot, 64, 100.0),
        ("a", "aes-128", "gcm-decrypt", hot, 64, 300.0),
        ("a", aead, "aead-encrypt", hot, 64, 150.0),
        ("a", aead, "aead-decrypt", hot, 64, 150.0),
        ("a~portable", aead, "aead-encrypt", hot, 64, 400.0),
        ("a~portable", aead, "aead-decrypt", hot, 64, 600.0),
    ]);
    let list = "algorithms = [\"aes-128 gcm\", \"chacha20-poly1305 aead\"]\nsizes = { 64 = 1 }\n";
    let asked = workload(&format!(
        "[[part]]\nwhat = \"out\"\n{list}[[part]]\nwhat = \"in\"\ndirection = \"decrypt\"\n{list}"
    ));
    let found = ask(&summary, &asked);
    assert_eq!(found.rows.len(), 1, "a masked variant is no library to use");
    assert_eq!(
        found.rows[0].algorithms[0].to_string(),
        "chacha20-poly1305 aead"
    );
    close(found.rows[0].ns.mid, 300.0);
    let [first, second] = &found.choices[0][..] else {
        panic!("{:?}", found.choices);
    };
    close(first.best.as_ref().unwrap().1.mid, 150.0);
    let (id, ns) = first.portable.as_ref().unwrap();
    assert_eq!(id, "a~portable");
    close(ns.mid, 500.0);
    assert!(second.portable.is_none() && !second.level);
    close(second.ratio.unwrap().mid, 400.0 / 300.0);
}

#[test]
fn the_answer_turns_with_the_length_and_with_the_key() {
    let [p, o, hot] = GCM;
    // By length: 100 + x / 8 and 40 + x / 4 cross at 480.
    // By key, for 64 bytes: 108 + 10 / n and 56 + 200 / n cross at n = 190 / 52.
    let summary = run(&[
        ("a", p, o, hot, 64, 108.0),
        ("a", p, o, hot, 1024, 228.0),
        ("a", p, o, "setup", 0, 10.0),
        ("b", p, o, hot, 64, 56.0),
        ("b", p, o, hot, 1024, 296.0),
        ("b", p, o, "setup", 0, 200.0),
    ]);
    let found = ask(&summary, &gcm("sizes = { 64 = 1 }\n"));
    let [course] = &found.courses[..] else {
        panic!("{:?}", found.courses);
    };
    assert_eq!(course.ends, [64.0, 1024.0]);
    assert_eq!(course.first[0], (64.0, "b".to_owned()));
    assert_eq!(course.first[1].1, "a");
    close(course.first[1].0, 480.0);

    let found = ask(
        &summary,
        &gcm("sizes = { 64 = 1 }\nmessages-per-key = 100\n"),
    );
    let course = found
        .courses
        .iter()
        .find(|one| one.along == Along::MessagesPerKey);
    let course = course.unwrap();
    assert_eq!(course.first[0], (1.0, "a".to_owned()));
    assert_eq!(course.first[1].1, "b");
    close(course.first[1].0, 190.0 / 52.0);
}

#[test]
fn the_newest_version_stands_for_a_library() {
    let [p, o, hot] = GCM;
    let mut summary = run(&[("a", p, o, hot, 64, 100.0), ("a@next", p, o, hot, 64, 90.0)]);
    summary.libraries[1].version = "2".into();
    let asked = gcm("sizes = { 64 = 1 }\n");
    let found = ask(&summary, &asked);
    assert_eq!(found.rows.len(), 1);
    assert_eq!(found.rows[0].library, "a@next");
    let represented = [("a".to_owned(), "a@next".to_owned())];
    assert_eq!(found.represented, represented);
}

#[test]
fn a_run_has_the_data_if_each_part_can_be_predicted() {
    let task = |bytes, threads| Task {
        primitive: "aes-128".into(),
        operation: "gcm-encrypt".into(),
        contract: Contract::Hot,
        bytes,
        threads,
        messages: 1,
    };
    let has = |tasks: &[Task], more: &str| has_data(&tasks.iter().cloned().collect(), &gcm(more));
    assert!(has(&[task(64, 1)], "sizes = { 64 = 1 }\n"));
    assert!(!has(&[task(64, 1)], "sizes = { 100 = 1 }\n"));
    assert!(has(&[task(64, 1), task(256, 1)], "sizes = { 100 = 1 }\n"));
    assert!(!has(
        &[task(64, 1), task(256, 1)],
        "sizes = { 64 = 1 }\nthreads = 2\n"
    ));
    assert!(has(&[task(64, 2)], "sizes = { 64 = 1 }\nthreads = 2\n"));
}
