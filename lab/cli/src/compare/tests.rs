use rand::rngs::Xoshiro256PlusPlus;
use rand::{Rng, SeedableRng};

use super::*;

/// Processes of a simulated run; each has three rounds.
const PROCESSES: u32 = 8;

/// Simulates runs in which a rule gives each library's time at each size.
struct Maker {
    rng: Xoshiro256PlusPlus,
    libraries: &'static [&'static str],
    sizes: u64,
}

impl Maker {
    fn new(libraries: &'static [&'static str], sizes: u64) -> Self {
        Self {
            rng: Xoshiro256PlusPlus::seed_from_u64(7),
            libraries,
            sizes,
        }
    }

    /// Returns a random number between 0 and 1.
    fn uniform(&mut self) -> f64 {
        (self.rng.next_u64() >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// Returns a normally distributed number, by the method of Box and Muller.
    fn normal(&mut self) -> f64 {
        let (a, b) = (1.0 - self.uniform(), self.uniform());
        (-2.0 * a.ln()).sqrt() * (std::f64::consts::TAU * b).cos()
    }

    /// Returns a run of 24 rounds in eight processes. Processes differ by 0.3 %, and the times
    /// of rounds have a tail of about one per cent upwards.
    fn run(&mut self, mhz: f64, ns: impl Fn(&str, u64) -> f64) -> Summary {
        let mut cells = Vec::new();
        for bytes in 1..=self.sizes {
            for library in self.libraries {
                let base = ns(library, bytes);
                let mut samples = Vec::new();
                for _ in 0..PROCESSES {
                    let process = (0.003 * self.normal()).exp();
                    for _ in 0..3 {
                        let tail = 1.0 - 0.01 * (1.0 - self.uniform()).ln();
                        samples.push(base * process * tail);
                    }
                }
                cells.push(cell(library, bytes, mhz, samples));
            }
        }
        summary(self.libraries, cells)
    }
}

fn cell(library: &str, bytes: u64, mhz: f64, samples: Vec<f64>) -> Cell {
    Cell {
        library: library.into(),
        primitive: "aes-128".into(),
        operation: "ctr-encrypt".into(),
        family: "block".into(),
        contract: "hot".into(),
        bytes,
        threads: 1,
        messages: 1,
        ns: Interval::exact(stats::median(&samples)),
        spread: stats::spread(&samples),
        ratio: Interval::exact(1.0),
        tie: false,
        counts: true,
        rounds: samples.len() as u32,
        calls: 1,
        stop: "narrow".into(),
        first_ns: [0; 3],
        mhz: Some(mhz),
        flags: Vec::new(),
        api: String::new(),
        kernel: String::new(),
        note: String::new(),
        processes: (0..samples.len() as u32).map(|round| round / 3).collect(),
        samples,
    }
}

fn summary(libraries: &[&str], cells: Vec<Cell>) -> Summary {
    let libraries: Vec<serde_json::Value> = libraries
        .iter()
        .map(|id| {
            serde_json::json!({
                "id": id, "name": id, "version": "1", "path": "", "licence": "",
                "language": "", "features": "", "note": "", "absent": "", "offers": 1,
                "code_bytes": null, "table_bytes": null, "start_ms": null, "peak_kib": null
            })
        })
        .collect();
    Summary {
        run: crate::summary::Run {
            id: 1,
            started: String::new(),
            seconds: 0.0,
            profile: "quick".into(),
            command: String::new(),
            complete: true,
            lab_version: String::new(),
            null_ns: 0.0,
            target: 0.05,
            costs: Default::default(),
        },
        machine: crate::summary::Machine {
            line: String::new(),
            facts: Vec::new(),
            mhz: None,
        },
        libraries: serde_json::from_value(libraries.into()).unwrap(),
        verification: Vec::new(),
        failures: Vec::new(),
        cells,
        costs: Vec::new(),
        headline: Default::default(),
        variants: Vec::new(),
        ranking: Default::default(),
        files: None,
    }
}

const ALL: Options = Options {
    threshold: 0.02,
    libraries: Vec::new(),
    algorithms: None,
};

/// The operation of AES-128, as the user would select it.
fn chosen(operation: &str) -> Algorithms {
    Algorithms::from([("aes-128".to_owned(), operation.to_owned())])
}

fn found(comparison: &Comparison) -> Vec<(&str, u64, Verdict)> {
    comparison
        .changes
        .iter()
        .filter(|c| c.verdict != Verdict::Tie)
        .map(|c| (c.library.as_str(), c.key.bytes, c.verdict))
        .collect()
}

const LIBRARIES: &[&str] = &["a", "b", "c", "d"];

#[test]
fn a_change_is_found_and_common_drift_is_not_one() {
    let mut maker = Maker::new(LIBRARIES, 50);
    let before = maker.run(3000.0, |_, bytes| bytes as f64);
    // All libraries are a fifth slower. In addition b at 7 bytes is 7 % slower, c at 9
    // bytes is a tenth faster, and d at 3 bytes changes by too little to matter.
    let now = maker.run(2500.0, |library, bytes| {
        let own = match (library, bytes) {
            ("b", 7) => 1.07,
            ("c", 9) => 0.9,
            ("d", 3) => 1.005,
            _ => 1.0,
        };
        1.2 * own * bytes as f64
    });
    let comparison = compare(&before, &now, &ALL);
    assert_eq!(
        found(&comparison),
        [("b", 7, Verdict::Slower), ("c", 9, Verdict::Faster)]
    );
    let worst = &comparison.changes[0];
    assert!((worst.drift - 1.2).abs() < 0.01, "{worst:?}");
    assert!(worst.ratio.includes(1.07), "{worst:?}");
    assert_eq!(comparison.changes.len(), 200);
}

/// Libraries of one task, enough of them to be controls for each other.
const SIX: &[&str] = &["a", "b", "c", "d", "e", "f"];

#[test]
fn equal_load_raises_no_false_alarm() {
    let mut maker = Maker::new(SIX, 400);
    let before = maker.run(3000.0, |_, bytes| bytes as f64);
    let now = maker.run(3000.0, |_, bytes| bytes as f64);
    assert_eq!(found(&compare(&before, &now, &ALL)), []);
    // A library that became slower by exactly the threshold is not reported either: the
    // hypothesis is that no library changed by more.
    let now = maker.run(3000.0, |library, bytes| {
        let own = if library == "b" { 1.02 } else { 1.0 };
        own * bytes as f64
    });
    let comparison = compare(&before, &now, &ALL);
    let wrong = found(&comparison).len();
    assert!(wrong <= 4, "{wrong} of 400 called slower");
    // A test against "no change at all" would report most of these cells as slower.
    let other = |c: &&Change| c.library == "b" && c.ratio.low > 1.0;
    assert!(comparison.changes.iter().filter(other).count() > 200);
}

#[test]
fn unequal_load_raises_no_false_alarm() {
    let mut maker = Maker::new(SIX, 400);
    let before = maker.run(3000.0, |_, bytes| bytes as f64);
    // Another program ran during a third of the tasks and slowed each library by a random
    // amount of up to a fifth.
    let load: BTreeMap<(String, u64), f64> = SIX
        .iter()
        .flat_map(|library| (1..=400).map(move |bytes| ((*library).to_owned(), bytes)))
        .map(|key| (key, maker.uniform()))
        .collect();
    let now = maker.run(3000.0, |library, bytes| {
        let own = load[&(library.to_owned(), bytes)];
        let hit = if bytes % 3 == 0 { 1.0 + 0.2 * own } else { 1.0 };
        hit * bytes as f64
    });
    let comparison = compare(&before, &now, &ALL);
    let wrong = found(&comparison).len();
    assert!(wrong <= 24, "{wrong} of 2400 called changed");
    // A change that is larger than the effect of the load is still found.
    let now = maker.run(3000.0, |library, bytes| {
        let hit = 1.0 + 0.2 * load[&(library.to_owned(), bytes)];
        let own = if library == "c" { 2.0 } else { 1.0 };
        own * hit * bytes as f64
    });
    let comparison = compare(&before, &now, &ALL);
    let of_c = |c: &&Change| c.library == "c" && c.verdict == Verdict::Slower;
    assert!(comparison.changes.iter().filter(of_c).count() > 350);
}

/// Marks a run as one during which the machine did nothing else.
fn quiet(run: &mut Summary) {
    run.machine.facts = [
        ("Load before the run", "0.08 0.2 0.3 1/90 7"),
        ("CPUs usable", "2"),
    ]
    .map(|(name, value)| (name.to_owned(), value.to_owned()))
    .to_vec();
}

#[test]
fn without_control_or_quiet_there_is_no_verdict() {
    let mut maker = Maker::new(&["a"], 10);
    let mut before = maker.run(3000.0, |_, bytes| bytes as f64);
    let mut now = maker.run(3000.0, |_, bytes| 1.5 * bytes as f64);
    let comparison = compare(&before, &now, &ALL);
    assert_eq!(comparison.count(Verdict::Unjudged), 10);
    let missing = comparison.changes[0].missing;
    assert!(missing.contains("no unchanged libraries"), "{missing}");
    // If the machine was idle in both runs, the clock alone is a sufficient control.
    quiet(&mut before);
    quiet(&mut now);
    assert_eq!(compare(&before, &now, &ALL).count(Verdict::Slower), 10);
    now.machine.facts[0].1 = "1.90 0.2 0.3 2/90 8".into();
    assert_eq!(compare(&before, &now, &ALL).count(Verdict::Unjudged), 10);
}

/// A load that comes and goes slows the rounds of two builds by up to three times. Both builds have
/// the same rounds, so no control is needed: equal builds are ties, and 5 % more time is found.
#[test]
fn two_builds_in_the_same_rounds_need_no_control_under_load() {
    let mut maker = Maker::new(&["old", "same", "slower"], 40);
    let mut run = maker.run(3000.0, |library, bytes| {
        let factor = if library == "slower" { 1.05 } else { 1.0 };
        100.0 * bytes as f64 * factor
    });
    let loads: Vec<f64> = (0..24).map(|_| 1.0 + 2.0 * maker.uniform()).collect();
    for cell in &mut run.cells {
        for (sample, load) in cell.samples.iter_mut().zip(&loads) {
            *sample *= load;
        }
        cell.ns = Interval::exact(stats::median(&cell.samples));
    }
    let same = builds(&run, "old", "same", &ALL);
    assert_eq!((found(&same), same.changes.len()), (Vec::new(), 40));
    let slower = builds(&run, "old", "slower", &ALL);
    assert!(slower.count(Verdict::Slower) >= 36, "{:?}", found(&slower));
    assert_eq!(slower.count(Verdict::Faster), 0);
    let faster = builds(&run, "slower", "old", &ALL);
    assert!(faster.count(Verdict::Faster) >= 36, "{:?}", found(&faster));
}

#[test]
fn noise_between_runs_is_learnt_from_the_runs() {
    let mut maker = Maker::new(LIBRARIES, 200);
    let before = maker.run(3000.0, |_, bytes| bytes as f64);
    // Every cell changes by up to 4 % in either direction, as after a new memory layout.
    let shift: BTreeMap<(String, u64), f64> = LIBRARIES
        .iter()
        .flat_map(|l| (1..=200).map(move |bytes| ((*l).to_owned(), bytes)))
        .map(|key| (key, 0.96 + 0.08 * maker.uniform()))
        .collect();
    let now = maker.run(3000.0, |library, bytes| {
        let own = if (library, bytes) == ("b", 7) {
            1.3
        } else {
            1.0
        };
        own * shift[&(library.to_owned(), bytes)] * bytes as f64
    });
    let comparison = compare(&before, &now, &ALL);
    assert!(comparison.inflation > 2.0, "{}", comparison.inflation);
    assert_eq!(found(&comparison), [("b", 7, Verdict::Slower)]);
}

#[test]
fn of_two_libraries_the_one_that_changed_is_blamed() {
    let mut maker = Maker::new(&["a", "b"], 40);
    let before = maker.run(3000.0, |_, bytes| bytes as f64);
    let now = maker.run(3000.0, |library, bytes| {
        if library == "b" {
            0.8 * bytes as f64
        } else {
            bytes as f64
        }
    });
    let comparison = compare(&before, &now, &ALL);
    assert_eq!(comparison.count(Verdict::Slower), 0);
    assert_eq!(comparison.count(Verdict::Faster), 40);
}

#[test]
fn drift_is_what_most_agree_on() {
    for (votes, clock, expected) in [
        (vec![], None, 0.0),
        (vec![], Some(0.1), 0.1),
        (vec![0.1], None, 0.0),
        (vec![0.1], Some(0.2), 0.1),
        (vec![0.1], Some(-0.2), 0.0),
        (vec![0.3, 0.2], None, 0.2),
        (vec![0.3, 0.2], Some(0.0), 0.2),
        (vec![0.1, 9.0, 0.1], None, 0.1),
    ] {
        assert_eq!(
            common(votes.clone(), clock),
            expected,
            "{votes:?} {clock:?}"
        );
    }
}

#[test]
fn false_discoveries_are_adjusted_for() {
    let mut maker = Maker::new(&["a"], 5);
    let mut run = maker.run(3000.0, |_, bytes| bytes as f64);
    quiet(&mut run);
    let mut changes = compare(&run, &run, &ALL).changes;
    // Computed by hand: p × 4 / place, then the running minimum from the end.
    for (change, p) in changes.iter_mut().zip([0.01, 0.04, 0.03, 0.5, 0.001]) {
        change.q = p;
    }
    changes[4].verdict = Verdict::Unjudged;
    adjust(&mut changes);
    let q: Vec<f64> = changes.iter().map(|c| c.q).collect();
    let third = 0.04 * 4.0 / 3.0;
    assert_eq!(q, [0.04, third, third, 0.5, 0.001]);
}

#[test]
fn what_cannot_be_compared_is_kept_apart() {
    let mut maker = Maker::new(LIBRARIES, 3);
    let mut before = maker.run(3000.0, |_, bytes| bytes as f64);
    let mut now = maker.run(3000.0, |_, bytes| 2.0 * bytes as f64);
    quiet(&mut before);
    quiet(&mut now);
    before.cells.retain(|c| !(c.library == "a" && c.bytes == 1));
    now.cells.retain(|c| c.library != "d");
    now.cells[0].flags.push("impossible".into());
    for cell in now.cells.iter_mut().filter(|c| c.bytes == 2) {
        cell.samples.truncate(5);
        cell.processes.truncate(5);
    }
    let comparison = compare(&before, &now, &ALL);
    assert_eq!(comparison.only.each_ref().map(Vec::len), [3, 1]);
    assert_eq!(comparison.count(Verdict::Unjudged), 3);
    let narrow = Options {
        libraries: vec!["b".into()],
        algorithms: Some(chosen("ctr-encrypt")),
        ..ALL
    };
    assert_eq!(compare(&before, &now, &narrow).changes.len(), 3);
    let none = Options {
        algorithms: Some(chosen("gcm-encrypt")),
        ..ALL
    };
    assert!(compare(&before, &now, &none).changes.is_empty());
}

#[test]
fn an_order_is_the_same_or_reversed_or_no_order() {
    let mut maker = Maker::new(&["a", "b", "c"], 10);
    // b and c tie; a is slower.
    let rule = |library: &str, _| if library == "a" { 2.0 } else { 1.0 };
    let before = maker.run(3000.0, rule);
    let now = maker.run(3000.0, rule);
    let same = order(&before, &now);
    assert_eq!((same.agreed, same.ties, same.tau()), (20, 10, Some(1.0)));
    let other = maker.run(3000.0, |library, bytes| 1.0 / rule(library, bytes));
    let reversed = order(&before, &other);
    assert_eq!((reversed.contradicted, reversed.tau()), (20, Some(-1.0)));
}
