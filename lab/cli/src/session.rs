//! The libraries of a run and their workers. A worker that dies is restarted; a library
//! whose worker dies too often is no longer used.

use std::path::Path;
use std::process::Command;
use std::time::Duration;

use object::{Object, ObjectSection, SectionKind};
use touchstone_wire::{Contract, Data, Fields, Reply, Request, Step, Work, fnv1a};

use crate::adapters::{Candidate, MASKED, OTHER};
use crate::stats::parallel;
use crate::summary;
use crate::worker::{Fault, Started, Worker};

/// After this many faults, a library is no longer used.
const PATIENCE: u32 = 5;

/// One library of the run.
pub struct Slot {
    /// The library that was looked for.
    pub candidate: Candidate,
    /// The library that was found: facts for the report, and its offers.
    pub facts: summary::Library,
    /// The algorithms that the library offers; empty if the library is missing.
    pub offers: Vec<touchstone_wire::Offer>,
    worker: Option<Worker>,
    /// Number of processes started so far.
    processes: u32,
    faults: u32,
    /// Whether, at the worker's last failure, the system had ended the worker for lack of
    /// memory.
    killed: bool,
    pinned: Option<Pinned>,
}

/// The CPUs on which a worker runs.
struct Pinned {
    /// The CPU on which cells are measured.
    cpu: usize,
    /// The measuring CPU, and all other CPUs that the worker may use.
    all: Vec<usize>,
}

/// Starts the worker of every candidate once. Missing and broken libraries stay in the
/// list, with the reason.
pub fn discover(candidates: Vec<Candidate>) -> Vec<Slot> {
    // Loading is not timed, so all workers start at the same time.
    parallel::each(candidates, Slot::new)
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
            fingerprint: String::new(),
            licence: String::new(),
            language: String::new(),
            features: String::new(),
            note: String::new(),
            handicap: String::new(),
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
                // If the manifest names the object to load, it also names the library.
                if candidate.manifest.library.is_empty() {
                    facts.name = named(&library.name, &candidate);
                }
                facts.version = library.version;
                facts.path = library.path;
                facts.licence = library.licence;
                facts.language = library.language;
                facts.features = library.features;
                facts.note = library.note;
                facts.handicap = library.handicap;
                facts.offers = worker.offers.len();
                facts.start_ms = Some(worker.start.as_secs_f64() * 1e3);
                if let Ok(object) = std::fs::read(&facts.path) {
                    facts.fingerprint = format!("{:016x}", fnv1a(&object));
                }
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

    /// Returns the library's id.
    pub fn id(&self) -> &str {
        &self.facts.id
    }

    /// Returns whether the library was found.
    pub fn present(&self) -> bool {
        self.facts.absent.is_empty()
    }

    /// Returns the command to install a missing library; empty if no command is known, or if the
    /// library is in the tree of another system.
    pub fn remedy(&self) -> String {
        if self.present() || self.candidate.root.is_some() {
            String::new()
        } else {
            self.candidate.manifest.packages.remedy()
        }
    }

    /// Returns whether the library can still be used.
    pub fn usable(&self) -> bool {
        self.present() && self.faults < PATIENCE
    }

    /// Returns whether an answer is missing because of this machine and not because of the library.
    pub fn killed(&self) -> bool {
        self.killed
    }

    /// Returns whether the library offers an algorithm.
    pub fn offers(&self, primitive: &str, operation: &str) -> bool {
        self.offer(primitive, operation).is_some()
    }

    /// Returns the offer for an algorithm.
    pub fn offer(&self, primitive: &str, operation: &str) -> Option<&touchstone_wire::Offer> {
        self.offers
            .iter()
            .find(|o| o.primitive == primitive && o.operation == operation)
    }

    /// Returns whether cells of a contract can be opened for an algorithm.
    pub fn takes(&self, primitive: &str, operation: &str, contract: Contract) -> bool {
        self.offer(primitive, operation)
            .is_some_and(|offer| offer.takes(contract))
    }

    /// Pins the library's present worker and all later workers to a CPU. `others` are further CPUs
    /// that a worker may use while nothing is timed.
    pub fn pin(&mut self, cpu: usize, others: &[usize]) {
        if let Some(worker) = &self.worker {
            worker.pin(&[cpu]);
        }
        let mut all = [&[cpu], others].concat();
        all.sort_unstable();
        all.dedup();
        self.pinned = Some(Pinned { cpu, all });
    }

    /// Sends a request that is not timed. During the request, a virtual machine may compile
    /// code in threads of its own, so a worker with several threads may use all CPUs.
    pub fn ask_at_ease(&mut self, request: &Request, patience: Duration) -> Result<Reply, Fault> {
        self.move_threads(|pinned| &pinned.all);
        let reply = self.ask(request, patience);
        self.move_threads(|pinned| std::slice::from_ref(&pinned.cpu));
        reply
    }

    /// Returns the CPUs on which threads of the worker may run.
    pub fn cpus(&self) -> Vec<usize> {
        self.pinned
            .as_ref()
            .map_or(Vec::new(), |pinned| pinned.all.clone())
    }

    fn move_threads(&self, to: impl Fn(&Pinned) -> &[usize]) {
        if let (Some(worker), Some(pinned)) = (&self.worker, &self.pinned)
            && worker.threads().len() > 1
        {
            worker.pin(to(pinned));
        }
    }

    /// Sends a request to the worker; starts a worker if none is running.
    pub fn ask(&mut self, request: &Request, patience: Duration) -> Result<Reply, Fault> {
        let reply = self.running()?.ask(request, patience);
        if let Err(fault) = &reply {
            self.worker = None;
            self.faults += 1;
            self.killed = fault.kind() == "killed";
        }
        reply
    }

    /// Forgets the last fault, so that the library stays in use. Fuzzing looks for faults,
    /// and counts them itself.
    pub fn forgive(&mut self) {
        self.faults = self.faults.saturating_sub(1);
    }

    /// Returns the number of the process that will get the next request; starts a process if none
    /// is running. Cells that were opened in one process do not exist in the next process.
    pub fn process(&mut self) -> Result<u32, Fault> {
        self.running()?;
        Ok(self.processes)
    }

    /// Returns whether the worker has several threads, for example threads of a run-time's compiler
    /// or garbage collector.
    pub fn has_threads(&self) -> bool {
        self.worker.as_ref().is_some_and(|w| w.threads().len() > 1)
    }

    /// Ends the process, so that the next request starts a new one. A process with
    /// several threads is kept, because its compiled code would be lost.
    pub fn renew(&mut self) {
        if !self.has_threads() {
            self.worker = None;
        }
    }

    fn running(&mut self) -> Result<&mut Worker, Fault> {
        // An `if let` would borrow the worker until the end of the function.
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

    /// Records the worker's peak memory beyond that of an empty worker.
    pub fn note_peak(&mut self, empty_kib: u64) {
        if let Some(peak) = self.worker.as_ref().and_then(Worker::peak_kib) {
            let over = peak.saturating_sub(empty_kib);
            self.facts.peak_kib = Some(self.facts.peak_kib.map_or(over, |old| old.max(over)));
        }
    }
}

/// Returns the name of a library, followed by the name of its tree and of its mask.
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

/// Returns an error message if the worker of a tree loaded the library from this system. The loader
/// does so if the tree lacks the library.
fn strayed(candidate: &Candidate, path: &str) -> Option<String> {
    let root = candidate.root.as_ref()?;
    let inside = root.holds(Path::new(path));
    (!inside).then(|| format!("{} has none (what loads there is {path})", root.name))
}

/// The lab's own worker without a library: an empty operation, and the clock rate.
pub struct Clock(Worker);

impl Clock {
    /// Starts this program as a worker.
    pub fn start() -> anyhow::Result<Self> {
        let mut command = Command::new(std::env::current_exe()?);
        command.arg("null-worker");
        match Worker::start_command(command, "", 1024)? {
            Started::Ready(worker) => Ok(Self(*worker)),
            Started::Absent(reason) => anyhow::bail!("the empty worker: {reason}"),
        }
    }

    /// Pins the worker to the CPU of the libraries' workers.
    pub fn pin(&self, cpu: usize) {
        self.0.pin(&[cpu]);
    }

    /// Returns the core's present clock rate in MHz; `None` if it cannot be measured.
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

    /// Returns the nanoseconds for one pass of an empty timing loop: the smallest of several
    /// measurements.
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
            cpus: Vec::new(),
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

    /// Returns the peak memory of an empty worker, KiB.
    pub fn peak_kib(&self) -> u64 {
        self.0.peak_kib().unwrap_or(0)
    }
}

/// Returns the bytes of code, and bytes of read-only data, in an ELF object.
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
