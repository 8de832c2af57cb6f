//! Checks that a worker, in any language, follows the protocol, by sending it requests:
//! `touchstone check-worker`. `docs/wire-protocol.md` has the rules in words.

use std::collections::{BTreeMap, HashSet};
use std::path::PathBuf;
use std::process::Command;
use std::time::Duration;

use touchstone_wire::{
    Contract, Data, Fields, MOST_MESSAGES, MOST_THREADS, Offer, PROTOCOL, RING, Reply, Request,
    Vary, Work, fnv1a,
};

use crate::adapters::{Candidate, Manifest, Packages};
use crate::catalogue;
use crate::operations::{self, Check, Operation};
use crate::session::discover;
use crate::verify::{Known, verify};
use crate::wanted::Algorithms;
use crate::worker::{Fault, Started, Worker, patience};

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

/// Message lengths in bytes for timed calls.
const BYTES: [u64; 2] = [64, 1024];
/// Number of algorithms of each operation whose timing is checked.
const EACH: usize = 2;
/// How long a worker may take to end after its input has ended.
const FAREWELL: Duration = Duration::from_secs(5);

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

    fn other_protocol(&self) -> Told {
        let mut command = Command::new(&self.command[0]);
        command.args(&self.command[1..]);
        match Worker::start_speaking(PROTOCOL + 97, command, "", self.memory_mib) {
            Ok(Started::Absent(reason)) if !reason.is_empty() => Ok(1),
            Ok(Started::Absent(_)) => Err("absent without a reason".into()),
            Ok(Started::Ready(_)) => Err(format!("it claims to speak protocol {}", PROTOCOL + 97)),
            Err(fault) => Err(fault.to_string()),
        }
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

    fn refusals(&self) -> Told {
        let mut worker = self.begin()?;
        let open = |id| Request::Open {
            id,
            contract: Contract::Hot,
            messages: 1,
            vary: Vary::new(),
            second: Fields::new(),
            work: Work::new("no-such-primitive", "hash"),
        };
        let time = Request::Time {
            id: 4242,
            calls: 1,
            warm: 0,
            threads: 1,
            cpus: Vec::new(),
            digest: false,
        };
        let requests = [
            check_of(Work::new("no-such-primitive", "hash")),
            check_of(Work::new("sha-256", "no-such-operation")),
            open(1),
            time,
            Request::Run { id: 4242 },
        ];
        for request in &requests {
            match worker.ask(request, patience()) {
                Ok(Reply::Unsupported { .. } | Reply::Failed { .. }) => {}
                other => return Err(unexpected(request, &other)),
            }
        }
        Ok(requests.len())
    }

    fn impossible_keys(&self, offers: &[Offer]) -> Told {
        let mut worker = self.begin()?;
        let mut count = 0;
        for (offer, operation) in samples(offers) {
            let fixed = catalogue::columns(&offer.primitive)
                .and_then(|column| column("block"))
                .is_some_and(|block| block > 0);
            if !fixed || !operation.inputs.contains_key("key") {
                continue;
            }
            let Some(work) = made(&mut worker, offer, operation, BYTES[0]) else {
                continue;
            };
            let request = check_of(work.with("key", vec![7; 7777]));
            match worker.ask(&request, patience()) {
                Ok(Reply::Unsupported { .. } | Reply::Failed { .. }) => count += 1,
                other => return Err(unexpected(&request, &other)),
            }
        }
        Ok(count)
    }

    fn forgeries(&self, offers: &[Offer]) -> Told {
        let mut worker = self.begin()?;
        let mut count = 0;
        for (offer, operation) in samples(offers).filter(|(_, o)| o.refuses) {
            let Some(work) = made(&mut worker, offer, operation, BYTES[0]) else {
                continue;
            };
            let request = check_of(work.clone());
            match worker.ask(&request, patience()) {
                Ok(Reply::Output { .. }) => {}
                other => return Err(unexpected(&request, &other)),
            }
            for name in work.inputs.keys() {
                let mut bytes = work.bytes(name);
                // A changed key may be an equivalent key: DES ignores parity bits.
                if bytes.is_empty() || name == "key" {
                    continue;
                }
                let middle = bytes.len() / 2;
                bytes[middle] ^= 0x10;
                let request = check_of(work.clone().with(name, bytes));
                match worker.ask(&request, patience()) {
                    Ok(Reply::Rejected | Reply::Failed { .. }) => count += 1,
                    other => return Err(unexpected(&request, &other)),
                }
            }
        }
        Ok(count)
    }

    fn timing(&self, offers: &[Offer]) -> Told {
        let mut worker = self.begin()?;
        let mut count = 0;
        for (offer, operation) in samples(offers) {
            for contract in [
                Contract::Hot,
                Contract::Keyed,
                Contract::Rekeyed,
                Contract::Setup,
                Contract::Latency,
            ] {
                if !operation.allows(contract) {
                    continue;
                }
                let Some(mut cell) = Cell::made(&mut worker, offer, operation, contract, BYTES[0])
                else {
                    continue;
                };
                let Some(digest) = cell.open(&mut worker, 1)? else {
                    continue;
                };
                let shown = format!(
                    "{} {} {}",
                    offer.primitive,
                    offer.operation,
                    contract.name()
                );
                if catalogue::check(&offer.primitive, operation) == Check::Exact
                    && digest != cell.expected(&mut worker)?
                {
                    return Err(format!("{shown}: `open` has another answer than `check`"));
                }
                // With an odd number of calls, a worker that alternates two keys ends on
                // the second key.
                for calls in [1, 7] {
                    cell.time(&mut worker, calls)?;
                }
                match worker.ask(&Request::Run { id: cell.id }, patience()) {
                    Ok(Reply::Ran { digest: again, .. })
                        if again == digest
                            || catalogue::check(&offer.primitive, operation) != Check::Exact => {}
                    Ok(Reply::Ran { .. }) => {
                        return Err(format!("{shown}: `run` has another answer after timing"));
                    }
                    other => return Err(unexpected(&Request::Run { id: cell.id }, &other)),
                }
                match worker.ask(&Request::Close { id: cell.id }, patience()) {
                    Ok(Reply::Closed { .. }) => {}
                    other => return Err(unexpected(&Request::Close { id: cell.id }, &other)),
                }
                match worker.ask(&Request::Run { id: cell.id }, patience()) {
                    Ok(Reply::Failed { .. }) => count += 1,
                    other => return Err(format!("a closed cell: {}", said(&other))),
                }
            }
        }
        Ok(count)
    }

    /// Checks that many more calls take more time, which finds a worker that ignores the
    /// number of calls.
    fn more_calls(&self, offers: &[Offer]) -> Told {
        let mut worker = self.begin()?;
        let Some((offer, operation)) = samples(offers).find(|(_, o)| !o.is_per_call()) else {
            return Ok(0);
        };
        let Some(mut cell) = Cell::made(&mut worker, offer, operation, Contract::Hot, BYTES[1])
        else {
            return Ok(0);
        };
        if cell.open(&mut worker, 1)?.is_none() {
            return Ok(0);
        }
        let mut least = |calls| -> Result<u64, String> {
            let mut times = Vec::new();
            for _ in 0..5 {
                times.push(cell.time(&mut worker, calls)?);
            }
            Ok(times.into_iter().min().unwrap_or(0))
        };
        let mut calls = 1;
        while least(calls)? < 200_000 && calls < 1 << 30 {
            calls *= 4;
        }
        let (few, many) = (least(calls)?, least(calls * 8)?);
        if many < 3 * few {
            let calls8 = calls * 8;
            return Err(format!(
                "{calls} calls took {few} ns, {calls8} took {many} ns"
            ));
        }
        Ok(2)
    }

    /// Checks that the output of the last call is the output that `check` gives for the same
    /// message and nonce, after any number of calls.
    fn nonces(&self, offers: &[Offer]) -> Told {
        let mut worker = self.begin()?;
        let mut count = 0;
        for (offer, operation) in samples(offers).filter(is_exact) {
            for contract in [Contract::Hot, Contract::Keyed] {
                let made = Cell::made(&mut worker, offer, operation, contract, BYTES[0]);
                let Some(mut cell) = made.filter(|_| operation.allows(contract)) else {
                    continue;
                };
                // If an operation may have a nonce, but its work has none, the operation is a
                // stream cipher that continues its keystream.
                let nonce = !cell.work.bytes("nonce").is_empty();
                if operation.inputs.contains_key("nonce") && !nonce {
                    continue;
                }
                if cell.open(&mut worker, 1)?.is_none() {
                    continue;
                }
                let fresh = cell.vary.get("nonce").is_some_and(|step| step.goes_on());
                let mut before = 0;
                // If every call has the same nonce, a call may take long (PBKDF2), and more calls
                // would show nothing. With fresh nonces, the calls go past the end of the array of
                // nonces, where the nonces repeat.
                let most = if fresh { 511 } else { 4 };
                let steps = [(0, 1), (1, 2), (0, 250), (3, 4), (0, 511)];
                for (warm, calls) in steps.into_iter().filter(|(_, calls)| *calls <= most) {
                    before += warm + calls;
                    let message = if fresh { 1 + (before - 1) % RING } else { 0 };
                    let expected = cell.expected_of(&mut worker, message as u32)?;
                    if cell.last(&mut worker, warm, calls)? != expected {
                        return Err(format!(
                            "{} {} {}: call {before} has another answer than `check` of \
                             message {message}",
                            offer.primitive,
                            offer.operation,
                            contract.name()
                        ));
                    }
                }
                count += 1;
            }
        }
        Ok(count)
    }

    fn several_cells(&self, offers: &[Offer]) -> Told {
        let mut worker = self.begin()?;
        let mut cells = Vec::new();
        for (index, (offer, operation)) in samples(offers).filter(is_exact).enumerate() {
            let made = Cell::made(
                &mut worker,
                offer,
                operation,
                Contract::Hot,
                BYTES[index % 2],
            );
            let Some(mut cell) = made else {
                continue;
            };
            cell.id = 1000 + index as u32;
            if let Some(digest) = cell.open(&mut worker, 1)? {
                cells.push((cell.id, digest));
            }
        }
        for (id, digest) in cells.iter().rev() {
            match worker.ask(&Request::Run { id: *id }, patience()) {
                Ok(Reply::Ran { digest: again, .. }) if again == *digest => {}
                other => return Err(format!("cell {id}, beside others: {}", said(&other))),
            }
        }
        Ok(cells.len())
    }

    fn many(&self, offers: &[Offer]) -> Told {
        const MESSAGES: u32 = 5;
        let mut worker = self.begin()?;
        let mut count = 0;
        let extra = [Contract::Implicit, Contract::Many, Contract::ManyKeyed];
        for contract in extra {
            let with = offers
                .iter()
                .filter(|offer| offer.contracts.contains(&contract));
            let with: Vec<Offer> = with.cloned().collect();
            for (offer, operation) in samples(&with).filter(is_exact) {
                let Some(mut cell) = Cell::made(&mut worker, offer, operation, contract, BYTES[0])
                else {
                    continue;
                };
                let messages = if contract.is_many() { MESSAGES } else { 1 };
                let Some(digest) = cell.open(&mut worker, messages)? else {
                    continue;
                };
                let mut all = Vec::new();
                for index in 0..messages {
                    let request = check_of(cell.work.nth(index, &cell.vary));
                    match worker.ask(&request, patience()) {
                        Ok(Reply::Output { outputs }) => {
                            all.extend(outputs.values().flat_map(Data::to_vec));
                        }
                        other => return Err(unexpected(&request, &other)),
                    }
                }
                if fnv1a(&all) != digest {
                    return Err(format!(
                        "{} {} {}: another answer than of the messages one by one",
                        offer.primitive,
                        offer.operation,
                        contract.name()
                    ));
                }
                cell.time(&mut worker, 3)?;
                count += 1;
            }
        }
        Ok(count)
    }

    /// Checks that each call gives what `check` gives if its message is the output of the call
    /// before. A worker whose calls use the first message again gives another output.
    fn chains(&self, offers: &[Offer]) -> Told {
        let mut worker = self.begin()?;
        let mut count = 0;
        for contract in [Contract::Latency, Contract::InPlace] {
            let taken: Vec<Offer> = offers
                .iter()
                .filter(|o| o.takes(contract))
                .cloned()
                .collect();
            for (offer, operation) in samples(&taken).filter(is_exact) {
                if !operation.allows(contract) {
                    continue;
                }
                let made = Cell::made(&mut worker, offer, operation, contract, BYTES[0]);
                let Some(mut cell) = made else { continue };
                let nonce = !cell.work.bytes("nonce").is_empty();
                if operation.inputs.contains_key("nonce") && !nonce {
                    continue;
                }
                let Some(digest) = cell.open(&mut worker, 1)? else {
                    continue;
                };
                let mut output = cell.output(&mut worker, cell.work.clone())?;
                let mut given = vec![digest];
                let mut expected = vec![fnv1a(&output)];
                let mut done = 0;
                for (warm, calls) in [(0, 1), (1, 1), (0, 2)] {
                    for _ in 0..warm + calls {
                        done += 1;
                        let work = cell.work.after(&output, done, &cell.vary);
                        output = cell.output(&mut worker, work)?;
                    }
                    given.push(cell.last(&mut worker, warm, calls)?);
                    expected.push(fnv1a(&output));
                }
                if given != expected {
                    return Err(format!(
                        "{} {} {}: other answers than `check` of each output in turn",
                        offer.primitive,
                        offer.operation,
                        contract.name()
                    ));
                }
                count += 1;
            }
        }
        Ok(count)
    }

    /// Checks that a request beyond the limits is refused or ends the worker, immediately
    /// and without allocating memory for it.
    fn bounds(&self, offers: &[Offer]) -> Told {
        let Some((offer, operation)) = samples(offers).find(|(_, o)| {
            let takes = o.axis.as_ref().map(|axis| &o.inputs[&axis.input].kind);
            takes.is_some_and(|kind| *kind != operations::Kind::Integer)
        }) else {
            return Ok(0);
        };
        let axis = operation.axis.as_ref().map_or("input", |axis| &axis.input);
        let mut worker = self.begin()?;
        let Some(work) = made(&mut worker, offer, operation, BYTES[0]) else {
            return Ok(0);
        };
        let open = |messages, work: &Work| Request::Open {
            id: 1,
            contract: if messages > 1 {
                Contract::Many
            } else {
                Contract::Hot
            },
            messages,
            vary: Vary::new(),
            second: Fields::new(),
            work: work.clone(),
        };
        let painted = |bytes| work.clone().with(axis, Data::Painted(bytes));
        let time = Request::Time {
            id: 1,
            calls: 1,
            warm: 0,
            threads: MOST_THREADS + 1,
            cpus: Vec::new(),
            digest: false,
        };
        let hostile = [
            check_of(painted(usize::MAX)),
            check_of(painted(99_999_999_999)),
            check_of(work.clone().with("length", u64::MAX)),
            check_of(work.clone().with("tag", u64::MAX)),
            open(MOST_MESSAGES + 1, &work),
            open(u32::MAX, &work),
            open(1, &painted(1 << 40)),
            time,
        ];
        for request in &hostile {
            let mut worker = self.begin()?;
            if matches!(request, Request::Time { .. }) {
                let _ = worker.ask(&open(1, &work), patience());
            }
            let before = worker.peak_kib().unwrap_or(0);
            let reply = worker.ask(request, patience());
            let grown = worker.peak_kib().unwrap_or(0).saturating_sub(before);
            match reply {
                Ok(Reply::Unsupported { .. } | Reply::Failed { .. }) => {}
                // A worker may ignore an input that the operation does not have.
                Ok(Reply::Output { .. }) if matches!(request, Request::Check { work: asked } if asked.inputs.get(axis) == work.inputs.get(axis)) =>
                    {}
                Err(Fault::Ended { .. }) => {}
                other => return Err(unexpected(request, &other)),
            }
            // The heap of a run-time grows a little by itself.
            if grown > 256 << 10 {
                return Err(format!("took {grown} KiB for {}", cut(&request.line())));
            }
        }
        Ok(hostile.len())
    }

    fn farewell(&self) -> Told {
        match self.begin()?.leave(true, FAREWELL) {
            Some(status) if status.success() => {}
            Some(status) => return Err(format!("after `bye`: {status}")),
            None => return Err("it is still there after `bye`".into()),
        }
        match self.begin()?.leave(false, FAREWELL) {
            Some(_) => Ok(2),
            None => Err("it is still there when its input has ended".into()),
        }
    }
}

/// Returns a few offers for each operation.
fn samples(offers: &[Offer]) -> impl Iterator<Item = (&Offer, &'static Operation)> {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    offers.iter().filter_map(move |offer| {
        let operation = operations::find(&offer.operation)?;
        let _ = catalogue::columns(&offer.primitive)?;
        let count = counts.entry(&offer.operation).or_default();
        *count += 1;
        (*count <= EACH).then_some((offer, operation))
    })
}

/// Returns whether an offer's answers are the same from call to call.
fn is_exact((offer, operation): &(&Offer, &'static Operation)) -> bool {
    catalogue::check(&offer.primitive, operation) == Check::Exact
}

/// Returns the work of a cell. The checked worker itself makes the inputs that another operation
/// must make. `None` if the worker does not accept the inputs.
fn made(worker: &mut Worker, offer: &Offer, operation: &Operation, bytes: u64) -> Option<Work> {
    let bytes = if catalogue::takes(&offer.primitive, &offer.operation, bytes as usize) {
        bytes
    } else {
        catalogue::usual_bytes(&offer.primitive, &offer.operation)
    };
    operation.timed(&offer.primitive, bytes, &mut asking(worker))
}

fn asking(worker: &mut Worker) -> impl FnMut(&Work) -> Option<BTreeMap<String, Data>> {
    |work| match worker.ask(&check_of(work.clone()), patience()) {
        Ok(Reply::Output { outputs }) => Some(outputs),
        _ => None,
    }
}

/// A cell of the worker that is being checked.
struct Cell {
    id: u32,
    contract: Contract,
    vary: Vary,
    second: Fields,
    work: Work,
}

impl Cell {
    fn made(
        worker: &mut Worker,
        offer: &Offer,
        operation: &Operation,
        contract: Contract,
        bytes: u64,
    ) -> Option<Self> {
        let work = made(worker, offer, operation, bytes)?;
        let second = operation.second(&work, bytes, contract, &mut asking(worker))?;
        Some(Self {
            id: 7,
            contract,
            vary: operation.vary(contract),
            second,
            work,
        })
    }

    /// Opens the cell and returns its fingerprint; `None` if the worker does not support
    /// the parameters.
    fn open(&mut self, worker: &mut Worker, messages: u32) -> Result<Option<u64>, String> {
        let request = Request::Open {
            id: self.id,
            contract: self.contract,
            messages,
            vary: self.vary.clone(),
            second: self.second.clone(),
            work: self.work.clone(),
        };
        match worker.ask(&request, patience()) {
            Ok(Reply::Opened { digest, .. }) => Ok(Some(digest)),
            Ok(Reply::Unsupported { .. }) => Ok(None),
            other => Err(unexpected(&request, &other)),
        }
    }

    /// Returns the fingerprint of the worker's answer to `check` for the same work.
    fn expected(&self, worker: &mut Worker) -> Result<u64, String> {
        self.expected_of(worker, 0)
    }

    /// Returns the fingerprint of the answer of `check` for message i.
    fn expected_of(&self, worker: &mut Worker, message: u32) -> Result<u64, String> {
        let output = self.output(worker, self.work.nth(message, &self.vary))?;
        Ok(fnv1a(&output))
    }

    /// Returns the output that the worker gives for a `check` request.
    fn output(&self, worker: &mut Worker, work: Work) -> Result<Vec<u8>, String> {
        let request = check_of(work);
        match worker.ask(&request, patience()) {
            Ok(Reply::Output { outputs }) => Ok(outputs.values().flat_map(Data::to_vec).collect()),
            other => Err(unexpected(&request, &other)),
        }
    }

    fn time(&self, worker: &mut Worker, calls: u64) -> Result<u64, String> {
        let request = Request::Time {
            id: self.id,
            calls,
            warm: 1,
            threads: 1,
            cpus: Vec::new(),
            digest: false,
        };
        match worker.ask(&request, patience()) {
            Ok(Reply::Timed { ns, .. }) => Ok(ns),
            other => Err(unexpected(&request, &other)),
        }
    }

    /// Returns the fingerprint of the output of a sample's last call.
    fn last(&self, worker: &mut Worker, warm: u64, calls: u64) -> Result<u64, String> {
        let request = Request::Time {
            id: self.id,
            calls,
            warm,
            threads: 1,
            cpus: Vec::new(),
            digest: true,
        };
        match worker.ask(&request, patience()) {
            Ok(Reply::Timed {
                digest: Some(digest),
                ..
            }) => Ok(digest),
            other => Err(unexpected(&request, &other)),
        }
    }
}

fn check_of(work: Work) -> Request {
    Request::Check { work }
}

fn said(reply: &Result<Reply, Fault>) -> String {
    match reply {
        Ok(reply) => cut(&reply.line()),
        Err(fault) => fault.to_string(),
    }
}

fn unexpected(request: &Request, reply: &Result<Reply, Fault>) -> String {
    format!("asked {}: {}", cut(&request.line()), said(reply))
}

fn cut(line: &str) -> String {
    crate::text::visible(line, 240).into_owned()
}
