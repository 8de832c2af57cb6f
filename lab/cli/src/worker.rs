//! A worker process from the lab's side: started, pinned, limited, asked with
//! a deadline, and reported as whatever it does instead of answering.

use std::collections::VecDeque;
use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::sync::{Arc, LazyLock, Mutex};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Resource, Rlimit, prlimit};
use rustix::thread::{CpuSet, sched_setaffinity};
use touchstone_wire::{Library, Offer, PROTOCOL, Reply, Request};

use crate::adapters::Candidate;

/// Why a worker did not answer as the protocol asks.
#[derive(Debug, Clone, thiserror::Error)]
pub enum Fault {
    /// It did not start.
    #[error("cannot start {program}: {reason}")]
    Start {
        /// The program.
        program: String,
        /// The system's reason.
        reason: String,
    },
    /// It ended in the middle of a conversation.
    #[error("the worker ended ({status}{}){}", cause(status), stderr_tail(.stderr))]
    Ended {
        /// Exit status or signal.
        status: String,
        /// The last of what it wrote to stderr.
        stderr: String,
    },
    /// It did not answer in time, and was killed.
    #[error("no answer within {} s", .0.as_secs())]
    Timeout(Duration),
    /// It answered something that is not of the protocol, and was killed.
    #[error("not an answer of the protocol: {0}")]
    Garbage(String),
}

impl Fault {
    /// The kind of failure, as reports name it.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Start { .. } => "start",
            // The lab's own kills are timeouts and garbage.
            Self::Ended { status, .. } if status.contains("SIGKILL") => "killed",
            Self::Ended { .. } => "crash",
            Self::Timeout(_) => "timeout",
            Self::Garbage(_) => "garbage",
        }
    }
}

/// What a status does not say.
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

/// Time that a worker has for one answer, unless `TOUCHSTONE_PATIENCE` gives
/// another number of seconds: enough for a slow password hash on a slow core.
pub fn patience() -> Duration {
    static PATIENCE: LazyLock<Duration> = LazyLock::new(|| {
        let asked = std::env::var("TOUCHSTONE_PATIENCE").ok();
        let seconds = asked.and_then(|s| s.parse().ok()).filter(|&s| s > 0);
        Duration::from_secs(seconds.unwrap_or(30))
    });
    *PATIENCE
}

/// Time for a worker to load its library.
const HELLO: Duration = Duration::from_secs(30);
/// Longest line that a worker may send: the hex of 16 MiB and some fields.
const LONGEST_LINE: u64 = 34 << 20;
/// Lines of stderr that are kept for the report.
const STDERR_LINES: usize = 8;

/// A running worker with its library.
pub struct Worker {
    child: Child,
    stdin: ChildStdin,
    lines: Receiver<std::io::Result<String>>,
    stderr: Arc<Mutex<VecDeque<String>>>,
    /// What it drives.
    pub library: Library,
    /// What it can do.
    pub offers: Vec<Offer>,
    /// From process start until the library was loaded and initialised.
    pub start: Duration,
}

/// How a worker's start ended.
pub enum Started {
    /// The library is here.
    Ready(Box<Worker>),
    /// The library is not here, in the adapter's words.
    Absent(String),
}

impl Worker {
    /// Starts an adapter's worker and has it load its library.
    pub fn start(candidate: &Candidate) -> Result<Started, Fault> {
        let command = candidate.command().map_err(|error| Fault::Start {
            program: candidate.manifest.command[0].clone(),
            reason: format!("{error:#}"),
        })?;
        Self::start_command(command, &candidate.path, candidate.manifest.memory_mib)
    }

    /// Starts any program that speaks the protocol.
    pub fn start_command(
        mut command: Command,
        library_path: &str,
        memory_mib: u64,
    ) -> Result<Started, Fault> {
        let begin = Instant::now();
        let mut child = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .map_err(|error| Fault::Start {
                program: command.get_program().to_string_lossy().into_owned(),
                reason: error.to_string(),
            })?;
        if let Some(pid) = Pid::from_raw(child.id() as i32) {
            let bytes = Some(memory_mib << 20);
            let limit = Rlimit {
                current: bytes,
                maximum: bytes,
            };
            // A kernel that refuses the limit leaves the worker unlimited.
            let _ = prlimit(Some(pid), Resource::As, limit);
        }
        let stdin = child.stdin.take().expect("stdin is piped");
        let stdout = child.stdout.take().expect("stdout is piped");
        let stderr_pipe = child.stderr.take().expect("stderr is piped");

        let (sender, lines) = channel();
        std::thread::spawn(move || {
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
        });
        let stderr = Arc::new(Mutex::new(VecDeque::new()));
        let kept = Arc::clone(&stderr);
        std::thread::spawn(move || {
            let mut reader = BufReader::new(stderr_pipe);
            let mut line = Vec::new();
            while let Ok(1..) = (&mut reader).take(4096).read_until(b'\n', &mut line) {
                let text = String::from_utf8_lossy(&line).trim_end().to_owned();
                line.clear();
                let mut kept = kept
                    .lock()
                    .unwrap_or_else(std::sync::PoisonError::into_inner);
                if kept.len() == STDERR_LINES {
                    kept.pop_front();
                }
                kept.push_back(text);
            }
        });

        let mut worker = Self {
            child,
            stdin,
            lines,
            stderr,
            library: Library::default(),
            offers: Vec::new(),
            start: Duration::ZERO,
        };
        worker.send(&Request::Hello {
            protocol: PROTOCOL,
            path: library_path.to_owned(),
        })?;
        match worker.receive(HELLO)? {
            Reply::Library(library) => worker.library = library,
            Reply::Absent { reason } => return Ok(Started::Absent(reason)),
            other => return Err(worker.garbage(&other.line())),
        }
        worker.start = begin.elapsed();
        loop {
            match worker.receive(HELLO)? {
                Reply::Offer(offer) => worker.offers.push(offer),
                Reply::Ready => return Ok(Started::Ready(Box::new(worker))),
                other => return Err(worker.garbage(&other.line())),
            }
        }
    }

    /// Asks, and waits for the answer no longer than `patience`. After a
    /// [`Fault`] the process is gone.
    pub fn ask(&mut self, request: &Request, patience: Duration) -> Result<Reply, Fault> {
        self.send(request)?;
        self.receive(patience)
    }

    /// The offer for an algorithm, if there is one.
    pub fn offer(&self, primitive: &str, operation: &str) -> Option<&Offer> {
        self.offers
            .iter()
            .find(|o| o.primitive == primitive && o.operation == operation)
    }

    /// Keeps the process on these CPUs: every thread that it has, and with them
    /// those that they will make. Run-times have threads before the first line
    /// of a program, and not always call it on the first.
    pub fn pin(&self, cpus: &[usize]) {
        let mut set = CpuSet::new();
        for &cpu in cpus {
            set.set(cpu);
        }
        for thread in self.threads().into_iter().filter_map(Pid::from_raw) {
            // Without the right to pin, drift is what the rounds are for.
            let _ = sched_setaffinity(Some(thread), &set);
        }
    }

    /// The worker's threads, the first of them at least.
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

    /// Peak resident memory so far, KiB.
    pub fn peak_kib(&self) -> Option<u64> {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.child.id())).ok()?;
        let line = status.lines().find(|l| l.starts_with("VmHWM:"))?;
        line.split_whitespace().nth(1)?.parse().ok()
    }

    fn send(&mut self, request: &Request) -> Result<(), Fault> {
        let line = request.line() + "\n";
        self.stdin
            .write_all(line.as_bytes())
            .and_then(|()| self.stdin.flush())
            .map_err(|_| self.ended())
    }

    fn receive(&mut self, patience: Duration) -> Result<Reply, Fault> {
        match self.lines.recv_timeout(patience) {
            Ok(Ok(line)) if line.ends_with('\n') => {
                Reply::parse(&line).map_err(|error| self.garbage(&error.to_string()))
            }
            Ok(Ok(line)) if line.len() as u64 == LONGEST_LINE => {
                Err(self.garbage("a line without end"))
            }
            // The last words of a process that died while writing them.
            Ok(Ok(_)) | Err(RecvTimeoutError::Disconnected) => Err(self.ended()),
            Ok(Err(error)) => Err(self.garbage(&error.to_string())),
            Err(RecvTimeoutError::Timeout) => {
                let _ = self.child.kill();
                Err(Fault::Timeout(patience))
            }
        }
    }

    fn garbage(&mut self, what: &str) -> Fault {
        let _ = self.child.kill();
        Fault::Garbage(what.chars().take(200).collect())
    }

    /// The process has closed its pipe: wait a moment for its status.
    fn ended(&mut self) -> Fault {
        let deadline = Instant::now() + Duration::from_secs(1);
        let status = loop {
            match self.child.try_wait() {
                Ok(Some(status)) => break status.to_string(),
                Ok(None) if Instant::now() < deadline => {
                    std::thread::sleep(Duration::from_millis(2));
                }
                _ => {
                    let _ = self.child.kill();
                    break "it closed its output".to_owned();
                }
            }
        };
        // Its reader thread may still be at the last line.
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

impl Drop for Worker {
    fn drop(&mut self) {
        let _ = self.send(&Request::Bye);
        let deadline = Instant::now() + Duration::from_millis(500);
        while Instant::now() < deadline {
            if let Ok(Some(_)) = self.child.try_wait() {
                return;
            }
            std::thread::sleep(Duration::from_millis(1));
        }
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
