//! A worker process, as the lab sees it. The lab starts the worker, pins it to a CPU, limits its
//! memory, and sends it requests with a deadline. If the worker does not answer as required, the
//! result is a [`Fault`].

use std::collections::VecDeque;
use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{
    Receiver, RecvTimeoutError, SyncSender, TryRecvError, TrySendError, sync_channel,
};
use std::sync::{Arc, LazyLock, Mutex};
use std::thread::Builder;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Resource, Rlimit, prlimit};
use rustix::thread::{CpuSet, sched_setaffinity};
use touchstone_wire::{Library, MOST_BYTES, MOST_OFFERS, Offer, PROTOCOL, Reply, Request};
use touchstone_worker::child::{self, State};

use crate::adapters::Candidate;
use crate::text::{NAME, SENTENCE, make_visible, visible};

/// The reason why a worker did not answer as the protocol requires.
#[derive(Debug, Clone, thiserror::Error)]
pub enum Fault {
    /// The worker did not start.
    #[error("cannot start {program}: {reason}")]
    Start {
        /// The name of the program.
        program: String,
        /// The error that the system reported.
        reason: String,
    },
    /// The worker ended while it was in use.
    #[error("the worker ended ({status}{}){}", cause(status), stderr_tail(.stderr))]
    Ended {
        /// The exit status of the worker, or the signal that ended it.
        status: String,
        /// The last lines that the worker wrote to stderr.
        stderr: String,
    },
    /// The worker did not answer in time, and was killed.
    #[error("no answer within {} s", .0.as_secs())]
    Timeout(Duration),
    /// The worker sent something that the protocol does not allow, and was killed.
    #[error("not an answer of the protocol: {0}")]
    Garbage(String),
}

impl Fault {
    /// Returns the kind of failure, as reports name it.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Start { .. } => "start",
            // When the lab kills a worker, it reports a timeout or garbage, so a SIGKILL
            // here came from elsewhere.
            Self::Ended { status, .. } if status.contains("SIGKILL") => "killed",
            Self::Ended { .. } => "crash",
            Self::Timeout(_) => "timeout",
            Self::Garbage(_) => "garbage",
        }
    }
}

/// Returns the probable cause of a worker's exit status, for people.
fn cause(status: &str) -> &'static str {
    if status.contains("SIGKILL") {
        ": killed by the system, probably out of memory"
    } else {
        ""
    }
}

fn stderr_tail(stderr: &str) -> String {
    if stderr.is_empty() {
        String::new()
    } else {
        format!("; it said: {stderr}")
    }
}

/// How long a worker may take for one answer, unless `TOUCHSTONE_PATIENCE` gives another
/// number of seconds. It is enough for a slow password hash on a slow core.
pub fn patience() -> Duration {
    static PATIENCE: LazyLock<Duration> = LazyLock::new(|| {
        let asked = std::env::var("TOUCHSTONE_PATIENCE").ok();
        let seconds = asked.and_then(|s| s.parse().ok()).filter(|&s| s > 0);
        Duration::from_secs(seconds.unwrap_or(30))
    });
    *PATIENCE
}

/// The time in which a worker must load its library.
const HELLO: Duration = Duration::from_secs(30);
/// Longest line that a worker may send, in bytes: the hex digits of its longest output,
/// and some fields.
const LONGEST_LINE: u64 = 2 * MOST_BYTES as u64 + 65536;
/// The most bytes that a worker may send before it is ready.
const LONGEST_HELLO: usize = 16 << 20;
/// Most lines of a worker that wait until the lab reads them. At the next line the reading thread
/// waits, so a worker that continues to write has to wait too.
const WAITING_LINES: usize = 2;
/// How often the lab checks that the process exists while it waits for an answer.
const LOOK: Duration = Duration::from_millis(200);
/// Number of lines of stderr that are kept for the report. The next constant has the most bytes of
/// each line.
const STDERR_LINES: usize = 8;
const STDERR_LINE: u64 = 500;

/// A running worker with its library.
pub struct Worker {
    child: Child,
    /// Sends requests to the thread that writes them to the worker. So a worker that does not read
    /// cannot stop the lab.
    requests: Option<SyncSender<String>>,
    lines: Receiver<std::io::Result<String>>,
    stderr: Arc<Mutex<VecDeque<String>>>,
    /// The worker's library.
    pub library: Library,
    /// The algorithms that the library offers.
    pub offers: Vec<Offer>,
    /// Time from the start of the process until the library was loaded and initialised.
    pub start: Duration,
}

/// The result of starting a worker.
pub enum Started {
    /// The library is present.
    Ready(Box<Worker>),
    /// The library is missing; the adapter's text says why.
    Absent(String),
}

impl Worker {
    /// Starts an adapter's worker, which loads its library.
    pub fn start(candidate: &Candidate) -> Result<Started, Fault> {
        let command = candidate.command().map_err(|error| Fault::Start {
            program: candidate.manifest.command[0].clone(),
            reason: format!("{error:#}"),
        })?;
        Self::start_command(command, &candidate.path, candidate.manifest.memory_mib)
    }

    /// Starts any program that speaks the protocol.
    pub fn start_command(
        command: Command,
        library_path: &str,
        memory_mib: u64,
    ) -> Result<Started, Fault> {
        Self::start_speaking(PROTOCOL, command, library_path, memory_mib)
    }

    /// Starts a program and asks it for a version of the protocol.
    pub(crate) fn start_speaking(
        protocol: u32,
        mut command: Command,
        library_path: &str,
        memory_mib: u64,
    ) -> Result<Started, Fault> {
        let begin = Instant::now();
        command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        let program = command.get_program().to_string_lossy().into_owned();
        let mut child = child::spawn(command).map_err(|error| Fault::Start {
            program: program.clone(),
            reason: error.to_string(),
        })?;
        if let Some(pid) = Pid::from_raw(child.id() as i32) {
            let bytes = Some(memory_mib << 20);
            let limit = Rlimit {
                current: bytes,
                maximum: bytes,
            };
            // If the kernel refuses the limit, the worker runs without one.
            let _ = prlimit(Some(pid), Resource::As, limit);
        }
        let pipes = Pipes::of(&mut child).map_err(|error| {
            // An error means that the program has ended already.
            let _ = child::end(&mut child);
            Fault::Start {
                program: program.clone(),
                reason: format!("the system gives no thread: {error}"),
            }
        })?;
        let mut worker = Self {
            child,
            requests: Some(pipes.requests),
            lines: pipes.lines,
            stderr: pipes.stderr,
            library: Library::default(),
            offers: Vec::new(),
            start: Duration::ZERO,
        };
        let deadline = begin + HELLO;
        let hello = Request::Hello {
            protocol,
            path: library_path.to_owned(),
        };
        worker.send(hello.line())?;
        match worker.receive(deadline, HELLO)? {
            Reply::Library(library) => worker.library = shown(library),
            Reply::Absent { mut reason } => {
                make_visible(&mut reason, SENTENCE);
                return Ok(Started::Absent(reason));
            }
            other => return Err(worker.garbage(&other.line())),
        }
        worker.start = begin.elapsed();
        let mut bytes = 0;
        loop {
            match worker.receive(deadline, HELLO)? {
                Reply::Offer(offer) if worker.offers.len() < MOST_OFFERS => {
                    bytes += offer.api.len() + offer.kernel.len() + offer.note.len();
                    if bytes > LONGEST_HELLO {
                        return Err(worker.garbage("offers without end"));
                    }
                    let offer = shown_offer(offer).map_err(|what| worker.garbage(&what))?;
                    worker.offers.push(offer);
                }
                Reply::Offer(_) => {
                    return Err(worker.garbage(&format!("more than {MOST_OFFERS} offers")));
                }
                Reply::Ready => return Ok(Started::Ready(Box::new(worker))),
                other => return Err(worker.garbage(&other.line())),
            }
        }
    }

    /// Sends a request and waits for the answer, at most for `patience`. After a
    /// [`Fault`] the process no longer exists.
    pub fn ask(&mut self, request: &Request, patience: Duration) -> Result<Reply, Fault> {
        self.ask_line(request.line(), request_id(request), patience)
    }

    /// Sends a line, which is a request with the number of this cell, and waits for the answer as
    /// [`Self::ask`] does.
    pub(crate) fn ask_line(
        &mut self,
        line: String,
        id: Option<u32>,
        patience: Duration,
    ) -> Result<Reply, Fault> {
        match self.lines.try_recv() {
            Ok(_) => return Err(self.garbage("an answer that nobody asked for")),
            Err(TryRecvError::Disconnected) => return Err(self.ended()),
            Err(TryRecvError::Empty) => {}
        }
        self.send(line)?;
        let reply = self.receive(Instant::now() + patience, patience)?;
        if reply_id(&reply).is_some_and(|answered| Some(answered) != id) {
            return Err(self.garbage(&format!("the answer to another request: {}", reply.line())));
        }
        Ok(reply)
    }

    /// Sends "bye" or closes the worker's input, and waits for the worker to end by
    /// itself. `None` if it does not end in time.
    pub(crate) fn leave(mut self, bye: bool, patience: Duration) -> Option<ExitStatus> {
        let requests = self.requests.take()?;
        let held = if bye {
            let _ = requests.try_send(Request::Bye.line() + "\n");
            Some(requests)
        } else {
            // The writing thread ends when its sender is dropped. Then the worker's input is
            // closed.
            drop(requests);
            None
        };
        let deadline = Instant::now() + patience;
        while child::state(&self.child) == State::Running && Instant::now() < deadline {
            std::thread::sleep(Duration::from_millis(2));
        }
        drop(held);
        (child::state(&self.child) == State::Ended)
            .then(|| child::end(&mut self.child).ok())
            .flatten()
    }

    /// Returns the worker's offer for an algorithm, if there is one.
    pub fn offer(&self, primitive: &str, operation: &str) -> Option<&Offer> {
        self.offers
            .iter()
            .find(|o| o.primitive == primitive && o.operation == operation)
    }

    /// Restricts the process to these CPUs: all threads that it has, and the threads that
    /// they will start. Some run-times have several threads before the program's first
    /// line, and may run it on any of them.
    pub fn pin(&self, cpus: &[usize]) {
        let mut set = CpuSet::new();
        for &cpu in cpus {
            set.set(cpu);
        }
        for thread in self.threads().into_iter().filter_map(Pid::from_raw) {
            // If the lab has no permission to pin, the worker may move between CPUs; repeated
            // rounds reduce the effect.
            let _ = sched_setaffinity(Some(thread), &set);
        }
    }

    /// Returns the worker's threads; at least its main thread.
    pub fn threads(&self) -> Vec<i32> {
        let pid = self.child.id() as i32;
        let tasks = std::fs::read_dir(format!("/proc/{pid}/task"));
        let mut threads: Vec<i32> = tasks
            .into_iter()
            .flatten()
            .flatten()
            .filter_map(|thread| thread.file_name().to_str()?.parse().ok())
            .collect();
        if threads.is_empty() {
            threads.push(pid);
        }
        threads
    }

    /// Returns the peak resident memory so far, in KiB.
    pub fn peak_kib(&self) -> Option<u64> {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.child.id())).ok()?;
        let line = status.lines().find(|l| l.starts_with("VmHWM:"))?;
        line.split_whitespace().nth(1)?.parse().ok()
    }

    /// Passes a request to the thread that writes. Writing must be finished before the
    /// deadline of the answer.
    fn send(&mut self, request: String) -> Result<(), Fault> {
        let Some(requests) = &self.requests else {
            return Err(self.ended());
        };
        match requests.try_send(request + "\n") {
            Ok(()) => Ok(()),
            // All earlier requests were answered, so the worker must have read them. If the queue
            // is full, the worker answered a request that it had not read.
            Err(TrySendError::Full(_)) => Err(self.garbage("answers to what it has not read")),
            Err(TrySendError::Disconnected(_)) => Err(self.ended()),
        }
    }

    fn receive(&mut self, deadline: Instant, patience: Duration) -> Result<Reply, Fault> {
        loop {
            let left = deadline.saturating_duration_since(Instant::now());
            // A process can end while its child processes keep its output open.
            let ended = child::state(&self.child) != State::Running;
            match self.lines.recv_timeout(left.min(LOOK)) {
                Ok(Ok(line)) if line.ends_with('\n') => {
                    return Reply::parse(&line).map_err(|error| self.garbage(&error.to_string()));
                }
                Ok(Ok(line)) if line.len() as u64 == LONGEST_LINE => {
                    return Err(self.garbage("a line without end"));
                }
                // The line is incomplete, because the process ended while writing it.
                Ok(Ok(_)) | Err(RecvTimeoutError::Disconnected) => return Err(self.ended()),
                Ok(Err(error)) => return Err(self.garbage(&error.to_string())),
                Err(RecvTimeoutError::Timeout) if ended => return Err(self.ended()),
                Err(RecvTimeoutError::Timeout) if Instant::now() >= deadline => {
                    let _ = child::end(&mut self.child);
                    return Err(Fault::Timeout(patience));
                }
                Err(RecvTimeoutError::Timeout) => {}
            }
        }
    }

    fn garbage(&mut self, what: &str) -> Fault {
        let _ = child::end(&mut self.child);
        Fault::Garbage(visible(what, NAME).into_owned())
    }

    /// The process has closed its pipe: waits a moment for its exit status.
    fn ended(&mut self) -> Fault {
        let deadline = Instant::now() + Duration::from_secs(1);
        while child::state(&self.child) == State::Running && Instant::now() < deadline {
            std::thread::sleep(Duration::from_millis(2));
        }
        let closed = child::state(&self.child) == State::Running;
        let status = match child::end(&mut self.child) {
            Ok(status) if !closed => status.to_string(),
            _ => "it closed its output".to_owned(),
        };
        // The thread that reads stderr may still be reading the last line.
        std::thread::sleep(Duration::from_millis(5));
        let stderr = self
            .stderr
            .lock()
            .unwrap_or_else(std::sync::PoisonError::into_inner);
        let stderr = stderr
            .iter()
            .map(String::as_str)
            .collect::<Vec<_>>()
            .join(" | ");
        Fault::Ended { status, stderr }
    }
}

/// The ends of the threads that write to a worker and read from it.
struct Pipes {
    requests: SyncSender<String>,
    lines: Receiver<std::io::Result<String>>,
    stderr: Arc<Mutex<VecDeque<String>>>,
}

impl Pipes {
    /// Starts the threads of a worker. An error means that the system gives no thread.
    fn of(child: &mut Child) -> std::io::Result<Self> {
        let mut stdin = child.stdin.take().expect("stdin is piped");
        let stdout = child.stdout.take().expect("stdout is piped");
        let stderr_pipe = child.stderr.take().expect("stderr is piped");

        let (requests, outbox) = sync_channel::<String>(1);
        Builder::new().spawn(move || {
            for line in outbox {
                // If the worker has ended, the missing answer shows it.
                if stdin.write_all(line.as_bytes()).is_err() {
                    break;
                }
            }
        })?;
        let (sender, lines) = sync_channel(WAITING_LINES);
        Builder::new().spawn(move || {
            let mut reader = BufReader::with_capacity(1 << 16, stdout);
            loop {
                let mut line = Vec::new();
                let read = (&mut reader)
                    .take(LONGEST_LINE)
                    .read_until(b'\n', &mut line);
                let line = match read {
                    Ok(0) => break,
                    Ok(_) => String::from_utf8(line).map_err(std::io::Error::other),
                    Err(error) => Err(error),
                };
                if sender.send(line).is_err() {
                    break;
                }
            }
        })?;
        let stderr = Arc::new(Mutex::new(VecDeque::new()));
        let kept = Arc::clone(&stderr);
        Builder::new().spawn(move || {
            let mut reader = BufReader::new(stderr_pipe);
            let mut line = Vec::new();
            while let Ok(1..) = (&mut reader).take(STDERR_LINE).read_until(b'\n', &mut line) {
                let text = String::from_utf8_lossy(&line).trim_end().to_owned();
                let text = visible(&text, NAME * 3).into_owned();
                line.clear();
                let mut kept = kept
                    .lock()
                    .unwrap_or_else(std::sync::PoisonError::into_inner);
                if kept.len() == STDERR_LINES {
                    kept.pop_front();
                }
                kept.push_back(text);
            }
        })?;
        Ok(Self {
            requests,
            lines,
            stderr,
        })
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        if child::state(&self.child) != State::Reaped {
            if let Some(requests) = self.requests.take() {
                let _ = requests.try_send(Request::Bye.line() + "\n");
            }
            let deadline = Instant::now() + Duration::from_millis(500);
            while child::state(&self.child) == State::Running && Instant::now() < deadline {
                std::thread::sleep(Duration::from_millis(1));
            }
        }
        let _ = child::end(&mut self.child);
    }
}

fn reply_id(reply: &Reply) -> Option<u32> {
    match reply {
        Reply::Opened { id, .. }
        | Reply::Timed { id, .. }
        | Reply::Ran { id, .. }
        | Reply::Closed { id } => Some(*id),
        _ => None,
    }
}

fn request_id(request: &Request) -> Option<u32> {
    match request {
        Request::Open { id, .. }
        | Request::Time { id, .. }
        | Request::Run { id }
        | Request::Close { id } => Some(*id),
        _ => None,
    }
}

/// Returns a library's facts, made safe to show. The path stays unchanged, because the lab opens
/// it.
fn shown(mut library: Library) -> Library {
    for text in [
        &mut library.name,
        &mut library.version,
        &mut library.licence,
        &mut library.language,
    ] {
        make_visible(text, NAME);
    }
    for text in [
        &mut library.path,
        &mut library.features,
        &mut library.note,
        &mut library.handicap,
    ] {
        make_visible(text, SENTENCE);
    }
    library
}

/// Returns an offer, made safe to show; an error if its ids are not valid ids.
fn shown_offer(mut offer: Offer) -> Result<Offer, String> {
    for id in [&offer.primitive, &offer.operation] {
        let sound = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
        if id.len() > NAME || !id.chars().all(sound) {
            return Err(format!("an offer of {id:?}, which is no id"));
        }
    }
    for text in [&mut offer.api, &mut offer.kernel, &mut offer.note] {
        make_visible(text, SENTENCE);
    }
    Ok(offer)
}
