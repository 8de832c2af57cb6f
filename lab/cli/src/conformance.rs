//! Checks that a worker, in any language, follows the protocol, by sending it requests:
//! `touchstone check-worker`. `docs/wire-protocol.md` has the rules in words.

mod answers;
mod cell;
mod timing;

use std::collections::{BTreeMap, HashSet};
use std::path::PathBuf;
use std::process::Command;

use touchstone_wire::{Offer, PROTOCOL};

use crate::adapters::{Candidate, Manifest, Packages};
use crate::catalogue;
use crate::operations;
use crate::session::discover;
use crate::verify::{Known, verify};
use crate::wanted::Algorithms;
use crate::worker::{Started, Worker};

/// The result of one check.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Outcome {
    /// The worker followed the rule in this many cases.
    Passed(usize),
    /// The worker broke the rule. The string says how.
    Failed(String),
    /// The conformance rule could not be checked with this worker. The string is the reason.
    Skipped(String),
}

/// One rule and the result of its check.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// The rule that a worker must follow.
    pub rule: &'static str,
    /// Whether this worker follows it.
    pub outcome: Outcome,
}

/// The command that starts the worker to check.
#[derive(Debug, Clone)]
pub struct Suspect {
    /// The program of the worker, and its arguments.
    pub command: Vec<String>,
    /// Address space that the worker may use, in MiB.
    pub memory_mib: u64,
}

type Told = Result<usize, String>;

/// Runs all checks, with the algorithms that `choose` takes from the worker's offers; with all
/// of them if it returns `None`.
///
/// # Errors
///
/// If the worker does not start, or has no library to check it with; the errors of `choose`.
pub fn check(
    suspect: &Suspect,
    known: &Known,
    choose: &dyn Fn(&[Offer]) -> anyhow::Result<Option<Algorithms>>,
) -> anyhow::Result<Vec<Finding>> {
    let worker = suspect.start(PROTOCOL)?;
    let all = worker.offers.clone();
    let chosen = choose(&all)?;
    let is_chosen = |primitive: &str, operation: &str| {
        let id = (primitive.to_owned(), operation.to_owned());
        chosen.as_ref().is_none_or(|chosen| chosen.contains(&id))
    };
    let offers: Vec<Offer> = all
        .iter()
        .filter(|offer| is_chosen(&offer.primitive, &offer.operation))
        .cloned()
        .collect();
    let mut findings = vec![Finding {
        rule: "says hello, its offers and ready",
        outcome: Outcome::Passed(all.len()),
    }];
    drop(worker);
    let mut add = |rule, told: Told| {
        let outcome = match told {
            Ok(0) => Outcome::Skipped("nothing offered to check it with".into()),
            Ok(count) => Outcome::Passed(count),
            Err(what) => Outcome::Failed(what),
        };
        findings.push(Finding { rule, outcome });
    };
    add(
        "refuses another protocol with `absent`",
        suspect.other_protocol(),
    );
    add(
        "offers each algorithm once, under a known id, and names its call",
        well_formed(&all),
    );
    add(
        "answers known answers",
        suspect.known_answers(known, &is_chosen),
    );
    add(
        "refuses what it does not offer, and goes on",
        suspect.refusals(),
    );
    add(
        "refuses keys of impossible lengths, and goes on",
        suspect.impossible_keys(&offers),
    );
    add("refuses forgeries", suspect.forgeries(&offers));
    add(
        "ignores fields that it does not know",
        suspect.unknown_fields(&offers),
    );
    add(
        "times every contract, and gives the answer of `check` before and after",
        suspect.timing(&offers),
    );
    add(
        "takes the calls that it is asked for",
        suspect.more_calls(&offers),
    );
    add(
        "takes the nonces of the ring, whole and in turn",
        suspect.nonces(&offers),
    );
    add("keeps several cells apart", suspect.several_cells(&offers));
    add(
        "does the messages of `many` by the rules",
        suspect.many(&offers),
    );
    add(
        "makes messages of the outputs before them: `latency`, `in-place`",
        suspect.chains(&offers),
    );
    add(
        "times calls on several threads, or refuses threads as `unsupported`",
        suspect.threads(&offers),
    );
    add("refuses counts beyond the bounds", suspect.bounds(&offers));
    add(
        "ends at `bye` with exit code 0, and when its input ends",
        suspect.farewell(),
    );
    Ok(findings)
}

fn well_formed(offers: &[Offer]) -> Told {
    let mut seen = HashSet::new();
    for offer in offers {
        let Offer {
            primitive,
            operation,
            ..
        } = offer;
        if !seen.insert((primitive, operation)) {
            return Err(format!("{primitive} {operation} is offered twice"));
        }
        if offer.api.is_empty() {
            return Err(format!("{primitive} {operation} names no call (api)"));
        }
        let Some(known) = operations::find(operation) else {
            return Err(format!(
                "no operation is called {operation} (operations.toml)"
            ));
        };
        if catalogue::family(primitive) != known.family {
            return Err(format!(
                "{operation} belongs to the family {}, {primitive} to {} (catalogue.toml)",
                known.family,
                catalogue::family(primitive)
            ));
        }
    }
    Ok(offers.len())
}

impl Suspect {
    fn start(&self, protocol: u32) -> anyhow::Result<Worker> {
        let mut command = Command::new(&self.command[0]);
        command.args(&self.command[1..]);
        match Worker::start_speaking(protocol, command, "", self.memory_mib)? {
            Started::Ready(worker) => Ok(*worker),
            Started::Absent(reason) => anyhow::bail!("the worker has no library: {reason}"),
        }
    }

    fn begin(&self) -> Result<Worker, String> {
        self.start(PROTOCOL).map_err(|e| e.to_string())
    }

    /// A single wrong answer may be the library's fault. A worker that gives no right
    /// answer for an algorithm, or crashes, breaks the rule.
    fn known_answers(
        &self,
        known: &Known,
        is_chosen: &(dyn Fn(&str, &str) -> bool + Sync),
    ) -> Told {
        let candidate = Candidate {
            id: "worker".into(),
            adapter: "worker".into(),
            path: String::new(),
            manifest: Manifest {
                name: "worker".into(),
                command: self.command.clone(),
                library: String::new(),
                packages: Packages::default(),
                variant_of: String::new(),
                root: BTreeMap::new(),
                memory_mib: self.memory_mib,
                masks: BTreeMap::new(),
                defects: Vec::new(),
                constant_time: Vec::new(),
            },
            folder: PathBuf::new(),
            mask: String::new(),
            everywhere: true,
            root: None,
        };
        let mut slots = discover(vec![candidate]);
        let (rows, failures) = verify(
            &mut slots,
            known,
            &|_, primitive, operation| is_chosen(primitive, operation),
            &|_| {},
        );
        let broken = failures
            .iter()
            .find(|f| matches!(f.kind.as_str(), "crash" | "timeout" | "garbage" | "start"));
        if let Some(f) = broken {
            return Err(format!(
                "{} {}: {} {}",
                f.primitive, f.operation, f.kind, f.got
            ));
        }
        let never = rows.iter().find(|row| row.passed == 0 && row.failed > 0);
        if let Some(row) = never {
            return Err(format!(
                "{} {}: no right answer",
                row.primitive, row.operation
            ));
        }
        Ok(rows.iter().map(|row| row.passed as usize).sum())
    }
}
