//! All libraries of a run and their workers. A worker that dies is started
//! again; a library that keeps killing its worker is given up.

use std::path::Path;
use std::process::Command;
use std::time::Duration;

use object::{Object, ObjectSection, SectionKind};
use touchstone_wire::{Contract, Data, Fields, Reply, Request, Step, Work};

use crate::adapters::{Candidate, MASKED, OTHER};
use crate::summary;
use crate::worker::{Fault, Started, Worker};

/// Faults of one library after which it is left alone.
const PATIENCE: u32 = 5;

/// One library of the run.
pub struct Slot {
    /// What was looked for.
    pub candidate: Candidate,
    /// What was found: facts for the report, offers included.
    pub facts: summary::Library,
    /// What it can do: empty for an absent library.
    pub offers: Vec<touchstone_wire::Offer>,
    worker: Option<Worker>,
    /// How many processes there have been.
    processes: u32,
    faults: u32,
    /// Whether the system, short of memory, ended the worker when it last failed.
    killed: bool,
    pinned: Option<Pinned>,
}

/// Where a worker is to run.
struct Pinned {
    /// The CPU that is measured on.
    cpu: usize,
    /// That and all others that it may use.
    all: Vec<usize>,
}

/// Starts every candidate once. Absent and broken libraries stay in the list
/// with the reason.
pub fn discover(candidates: Vec<Candidate>) -> Vec<Slot> {
    // Loading is no timed work: all at once.
    std::thread::scope(|scope| {
        let starting: Vec<_> = candidates
            .into_iter()
            .map(|candidate| scope.spawn(move || Slot::new(candidate)))
            .collect();
        starting
            .into_iter()
            .map(|slot| slot.join().expect("discovery does not panic"))
            .collect()
    })
}

impl Slot {
    fn new(candidate: Candidate) -> Self {
        let mut facts = summary::Library {
            id: candidate.id.clone(),
            name: named(&candidate.manifest.name, &candidate),
            mask: candidate.mask.clone(),
            variant_of: candidate.manifest.variant_of.clone(),
            version: String::new(),
            path: candidate.path.clone(),
            licence: String::new(),
            language: String::new(),
            features: String::new(),
            note: String::new(),
            absent: String::new(),
            offers: 0,
            code_bytes: None,
            table_bytes: None,
            start_ms: None,
            peak_kib: None,
        };
        let mut offers = Vec::new();
        let worker = match Worker::start(&candidate) {
            Ok(Started::Ready(worker))
                if let Some(reason) = strayed(&candidate, &worker.library.path) =>
            {
                facts.absent = reason;
                None
            }
            Ok(Started::Ready(worker)) => {
                let library = worker.library.clone();
                // A manifest that names its own object names the library too.
                if candidate.manifest.library.is_empty() {
                    facts.name = named(&library.name, &candidate);
                }
                facts.version = library.version;
                facts.path = library.path;
                facts.licence = library.licence;
                facts.language = library.language;
                facts.features = library.features;
                facts.note = library.note;
                facts.offers = worker.offers.len();
                facts.start_ms = Some(worker.start.as_secs_f64() * 1e3);
                if let Some((code, tables)) = object_bytes(Path::new(&facts.path)) {
                    facts.code_bytes = Some(code);
                    facts.table_bytes = Some(tables);
                }
                offers.clone_from(&worker.offers);
                Some(*worker)
            }
            Ok(Started::Absent(reason)) => {
                facts.absent = reason;
                None
            }
            Err(fault) => {
                facts.absent = fault.to_string();
                None
            }
        };
        Self {
            candidate,
            facts,
            offers,
            worker,
            processes: 1,
            faults: 0,
            killed: false,
            pinned: None,
        }
    }

    /// The library's id.
    pub fn id(&self) -> &str {
        &self.facts.id
    }

    /// Whether the library was found.
    pub fn present(&self) -> bool {
        self.facts.absent.is_empty()
    }

    /// What to install to have an absent library; empty where that is unknown, and for
    /// another system's tree.
    pub fn remedy(&self) -> String {
        if self.present() || self.candidate.root.is_some() {
            String::new()
        } else {
            self.candidate.manifest.packages.remedy()
        }
    }

    /// Whether the library can still be asked.
    pub fn usable(&self) -> bool {
        self.present() && self.faults < PATIENCE
    }

    /// Whether what it did not answer tells of this machine, not of the library.
    pub fn killed(&self) -> bool {
        self.killed
    }

    /// Whether it offers an algorithm.
    pub fn offers(&self, primitive: &str, operation: &str) -> bool {
        self.offer(primitive, operation).is_some()
    }

    /// The offer for an algorithm.
    pub fn offer(&self, primitive: &str, operation: &str) -> Option<&touchstone_wire::Offer> {
        self.offers
            .iter()
            .find(|o| o.primitive == primitive && o.operation == operation)
    }

    /// Whether cells of a contract can be opened for an algorithm.
    pub fn takes(&self, primitive: &str, operation: &str, contract: Contract) -> bool {
        self.offer(primitive, operation)
            .is_some_and(|offer| offer.takes(contract))
    }

    /// Pins the worker, and every later one of this library, to a CPU; `others`
    /// are those that it may use while nothing is timed.
    pub fn pin(&mut self, cpu: usize, others: &[usize]) {
        if let Some(worker) = &self.worker {
            worker.pin(&[cpu]);
        }
        let all = [&[cpu], others].concat();
        self.pinned = Some(Pinned { cpu, all });
    }

    /// Asks for what is not timed. A virtual machine compiles meanwhile, in threads
    /// of its own, so a worker that has several gets all CPUs for it.
    pub fn ask_at_ease(&mut self, request: &Request, patience: Duration) -> Result<Reply, Fault> {
        self.move_threads(|pinned| &pinned.all);
        let reply = self.ask(request, patience);
        self.move_threads(|pinned| std::slice::from_ref(&pinned.cpu));
        reply
    }

    fn move_threads(&self, to: impl Fn(&Pinned) -> &[usize]) {
        if let (Some(worker), Some(pinned)) = (&self.worker, &self.pinned)
            && worker.threads().len() > 1
        {
            worker.pin(to(pinned));
        }
    }

    /// Asks the worker, starting another one where there is none.
    pub fn ask(&mut self, request: &Request, patience: Duration) -> Result<Reply, Fault> {
        let reply = self.running()?.ask(request, patience);
        if let Err(fault) = &reply {
            self.worker = None;
            self.faults += 1;
            self.killed = fault.kind() == "killed";
        }
        reply
    }

    /// The number of the process that will answer, which is started where there is
    /// none. What was opened in one process is unknown to the next.
    pub fn process(&mut self) -> Result<u32, Fault> {
        self.running()?;
        Ok(self.processes)
    }

    /// Whether the worker has threads of its own: a run-time's, for its compiler or
    /// its garbage.
    pub fn has_threads(&self) -> bool {
        self.worker.as_ref().is_some_and(|w| w.threads().len() > 1)
    }

    /// Ends the process, so that the next question starts another. One with threads of
    /// its own stays: what it has compiled would be lost.
    pub fn renew(&mut self) {
        if !self.has_threads() {
            self.worker = None;
        }
    }

    fn running(&mut self) -> Result<&mut Worker, Fault> {
        // Not `if let`: the borrow would last to the end of the function.
        if self.worker.is_none() {
            let started = Worker::start(&self.candidate).inspect_err(|_| self.faults += 1)?;
            let worker = match started {
                Started::Ready(worker) => *worker,
                Started::Absent(reason) => {
                    self.faults = PATIENCE;
                    return Err(Fault::Ended {
                        status: "it no longer finds its library".into(),
                        stderr: reason,
                    });
                }
            };
            if let Some(pinned) = &self.pinned {
                worker.pin(&[pinned.cpu]);
            }
            self.processes += 1;
            self.worker = Some(worker);
        }
        Ok(self.worker.as_mut().expect("a worker was just started"))
    }

    /// Notes the worker's peak memory over an empty worker's.
    pub fn note_peak(&mut self, empty_kib: u64) {
        if let Some(peak) = self.worker.as_ref().and_then(Worker::peak_kib) {
            let over = peak.saturating_sub(empty_kib);
            self.facts.peak_kib = Some(self.facts.peak_kib.map_or(over, |old| old.max(over)));
        }
    }
}

/// The name of a library, with its tree and its mask.
fn named(name: &str, candidate: &Candidate) -> String {
    let mut name = name.to_owned();
    if let Some(root) = &candidate.root {
        name = format!("{name}{OTHER}{}", root.name);
    }
    if !candidate.mask.is_empty() {
        name = format!("{name}{MASKED}{}", candidate.mask);
    }
    name
}

/// Where a tree lacks a library, its loader takes this system's instead.
fn strayed(candidate: &Candidate, path: &str) -> Option<String> {
    let root = candidate.root.as_ref()?;
    let inside = root.holds(Path::new(path));
    (!inside).then(|| format!("{} has none (what loads there is {path})", root.name))
}

/// The lab's own worker: no library, an empty operation, and the clock.
pub struct Clock(Worker);

impl Clock {
    /// Starts this very program as a worker.
    pub fn start() -> anyhow::Result<Self> {
        let mut command = Command::new(std::env::current_exe()?);
        command.arg("null-worker");
        match Worker::start_command(command, "", 1024)? {
            Started::Ready(worker) => Ok(Self(*worker)),
            Started::Absent(reason) => anyhow::bail!("the empty worker: {reason}"),
        }
    }

    /// Pins it where the libraries' workers are.
    pub fn pin(&self, cpu: usize) {
        self.0.pin(&[cpu]);
    }

    /// The core's clock now, MHz; `None` where it cannot be told.
    pub fn mhz(&mut self) -> Option<f64> {
        let work = Work::new("clock", "mhz");
        match self.0.ask(&Request::Check { work }, Duration::from_secs(5)) {
            Ok(Reply::Output { outputs }) => {
                let khz = outputs.get("output")?.to_vec().try_into().ok()?;
                let khz = u64::from_be_bytes(khz);
                (khz > 0).then(|| khz as f64 / 1e3)
            }
            _ => None,
        }
    }

    /// Nanoseconds of one turn of an empty timing loop: the least of several.
    pub fn null_ns(&mut self) -> f64 {
        const CALLS: u64 = 100_000;
        let work = Work::new("null", "hash")
            .with("input", Data::Painted(16))
            .with("nonce", Data::Painted(12));
        let open = Request::Open {
            id: 0,
            contract: Contract::Hot,
            messages: 1,
            vary: [("nonce".to_owned(), Step::Increment)].into(),
            second: Fields::new(),
            work,
        };
        let time = Request::Time {
            id: 0,
            calls: CALLS,
            warm: 1000,
            threads: 1,
            digest: false,
        };
        let patience = Duration::from_secs(5);
        if self.0.ask(&open, patience).is_err() {
            return 0.0;
        }
        (0..5)
            .filter_map(|_| match self.0.ask(&time, patience) {
                Ok(Reply::Timed { ns, .. }) => Some(ns as f64 / CALLS as f64),
                _ => None,
            })
            .reduce(f64::min)
            .unwrap_or(0.0)
    }

    /// Peak memory of an empty worker, KiB.
    pub fn peak_kib(&self) -> u64 {
        self.0.peak_kib().unwrap_or(0)
    }
}

/// Bytes of code and of read-only data in an ELF object.
fn object_bytes(path: &Path) -> Option<(u64, u64)> {
    let bytes = std::fs::read(path).ok()?;
    let file = object::File::parse(&*bytes).ok()?;
    let (mut code, mut tables) = (0, 0);
    for section in file.sections() {
        match section.kind() {
            SectionKind::Text => code += section.size(),
            SectionKind::ReadOnlyData | SectionKind::ReadOnlyString => tables += section.size(),
            _ => {}
        }
    }
    Some((code, tables))
}
