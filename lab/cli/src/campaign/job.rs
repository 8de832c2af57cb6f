//! One job, on its machine: runs the lab as a child process, again after every interruption,
//! until the run is complete, and then exports the run.

use std::fs::File;
use std::io::{Read as _, Seek as _, SeekFrom};
use std::os::unix::process::ExitStatusExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use anyhow::{Context as _, bail, ensure};
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM, SIGUSR1};

use super::file::Machine;
use super::folder::{Folder, Lock, get, put, try_lock};
use super::masked::{Masked, with_mask};
use super::plan::{Job, Kind, Plan};
use super::state::{Phase, State, lock_file, progress_file, state_file};
use crate::adapters;
use crate::bundle::Bundle;
use crate::machine;
use crate::output;
use crate::store::{RunRow, Store};

/// How long a run may take to end after a signal.
const GRACE: Duration = Duration::from_secs(20);
/// Time between two looks at the run and at the signals.
const LOOK: Duration = Duration::from_millis(100);
/// The longest time for which those who look at a job have its lock.
const MOMENT: Duration = Duration::from_secs(5);
/// The exported run of a job that is complete.
pub const WHOLE: &str = "run.json";
/// The exported run of a job that is not complete: the run may have more tasks by now.
pub const PART: &str = "unfinished.json";
/// Most bytes of the run's messages that are searched for the reason of a failure.
const TAIL: u64 = 8192;

/// How an attempt at a job ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    /// The run is complete and exported.
    Done,
    /// The job failed; its state has the reason.
    Failed,
    /// A signal with this number stopped the job.
    Stopped(i32),
    /// Another process is at the job.
    Taken,
}

/// A job that this process works at.
struct Work<'a> {
    folder: &'a Folder,
    plan: &'a Plan,
    job: &'a Job,
    machine: &'a Machine,
    /// The job's folder in the campaign's folder.
    place: PathBuf,
    state: State,
    _lock: Lock,
}

/// Makes one attempt at a job. Does nothing if the job is done.
///
/// # Errors
///
/// If the job's state cannot be written. A failure of the run is no error but an outcome.
pub fn attempt(folder: &Folder, plan: &Plan, number: u32) -> anyhow::Result<Outcome> {
    let mut signals = Signals::new()?;
    let job = plan.job(number)?;
    let machine = plan.machine(job)?;
    let place = folder.job(number);
    std::fs::create_dir_all(&place).with_context(|| format!("making {}", place.display()))?;
    let Some(lock) = own_lock(&place)? else {
        return Ok(Outcome::Taken);
    };
    let before: Option<State> = get(&state_file(&place))?;
    if before
        .as_ref()
        .is_some_and(|state| state.phase == Phase::Done)
    {
        return Ok(Outcome::Done);
    }
    let mut state = before.unwrap_or_else(|| State {
        phase: Phase::Running,
        node: node(),
        attempts: 0,
        begun: machine::now(),
        since: 0,
        seconds: 0.0,
        reason: String::new(),
        built: Vec::new(),
        store: PathBuf::new(),
        bundles: Vec::new(),
    });
    // The folder of a campaign on an ssh host is in `work` already.
    let work = match &machine.work {
        Some(work) if machine.kind() != Kind::Ssh => {
            Path::new(work).join(&plan.id).join(format!("{number:04}"))
        }
        _ => place.clone(),
    };
    let store = work.join("runs.sqlite");
    let moved = state.attempts > 0 && state.node != node();
    if moved {
        // The old node's run stays what it is: a run of that node, as far as it went.
        set_aside(&mut state, &place)?;
    }
    state.phase = Phase::Running;
    state.node = node();
    state.attempts += 1;
    state.since = seconds_now();
    state.reason.clear();
    state.store = store;
    let mut this = Work {
        folder,
        plan,
        job,
        machine,
        place,
        state,
        _lock: lock,
    };
    this.save()?;
    let begun = Instant::now();
    let ended = std::fs::create_dir_all(&work)
        .with_context(|| format!("making {}", work.display()))
        .and_then(|()| this.work(&mut signals));
    this.state.seconds += begun.elapsed().as_secs_f64();
    let outcome = match ended {
        Ok(outcome) => outcome,
        Err(error) => {
            this.state.reason = format!("{error:#}");
            Outcome::Failed
        }
    };
    if outcome != Outcome::Done {
        // The reason of the failure is more important than a failure to keep a part of the run.
        let _ = keep_part(&mut this.state, &this.place);
    }
    this.state.phase = match outcome {
        Outcome::Done => Phase::Done,
        Outcome::Stopped(_) => Phase::Stopped,
        Outcome::Failed | Outcome::Taken => Phase::Failed,
    };
    this.save()?;
    Ok(outcome)
}

/// Takes a job's lock; `None` if another process is at the job. Those who only look at the job
/// have the lock for a moment.
fn own_lock(place: &Path) -> anyhow::Result<Option<Lock>> {
    let begun = Instant::now();
    loop {
        let lock = try_lock(&lock_file(place))?;
        if lock.is_some() || begun.elapsed() > MOMENT {
            return Ok(lock);
        }
        std::thread::sleep(LOOK);
    }
}

/// Exports the finished cells of a job whose process or machine has died, so that they can be
/// collected. Does nothing if the job is alive, or if its store is not on this machine.
///
/// # Errors
///
/// If the job's files cannot be read or written.
pub fn salvage(folder: &Folder, number: u32) -> anyhow::Result<()> {
    let place = folder.job(number);
    let Some(mut state) = get::<State>(&state_file(&place))? else {
        return Ok(());
    };
    let Some(_lock) = try_lock(&lock_file(&place))? else {
        return Ok(());
    };
    if state.phase != Phase::Running {
        return Ok(());
    }
    keep_part(&mut state, &place)?;
    put(&state_file(&place), &state)
}

/// Exports an unfinished run, if it has a finished task.
fn keep_part(state: &mut State, place: &Path) -> anyhow::Result<()> {
    let Some(run) = newest(&state.store)? else {
        return Ok(());
    };
    if Store::open(&state.store)?.done(run.id)?.is_empty() {
        return Ok(());
    }
    export(&state.store, run.id, &place.join(PART))?;
    if !state.bundles.iter().any(|name| name == PART) {
        state.bundles.push(PART.into());
    }
    Ok(())
}

/// Exports what a job measured on another node, and moves its store away.
fn set_aside(state: &mut State, place: &Path) -> anyhow::Result<()> {
    let store = state.store.clone();
    // A store on the other node's own disk cannot be reached from here.
    if !store.is_file() {
        state.built.clear();
        return Ok(());
    }
    if let Some(run) = newest(&store)? {
        let name = format!("part-{}.json", state.attempts);
        export(&store, run.id, &place.join(&name))?;
        state.bundles.push(name);
    }
    let aside = store.with_file_name(format!("runs-of-attempt-{}.sqlite", state.attempts));
    std::fs::rename(&store, &aside).with_context(|| format!("moving {}", store.display()))?;
    for ending in ["-wal", "-shm"] {
        let mut name = store.as_os_str().to_owned();
        name.push(ending);
        // Closing the store has removed these files, if it could.
        let _ = std::fs::remove_file(PathBuf::from(name));
    }
    state.built.clear();
    Ok(())
}

impl Work<'_> {
    fn save(&self) -> anyhow::Result<()> {
        put(&state_file(&self.place), &self.state)
    }

    /// Runs the lab until the run is complete.
    fn work(&mut self, signals: &mut Signals) -> anyhow::Result<Outcome> {
        let mut before = None;
        loop {
            let run = newest(&self.state.store)?;
            if let Some(run) = run.as_ref().filter(|run| run.complete) {
                export(&self.state.store, run.id, &self.place.join(WHOLE))?;
                self.state.bundles.retain(|name| name != PART);
                self.state.bundles.push(WHOLE.into());
                return Ok(Outcome::Done);
            }
            let done = match &run {
                Some(run) => Store::open(&self.state.store)?.done(run.id)?.len(),
                None => 0,
            };
            // The profile's time was over before its tasks were; each pass has that time again.
            ensure!(
                before.is_none_or(|before| done > before),
                "the profile's time is too short for a single task: no task ended in it"
            );
            before = Some(done);
            let mut command = self.command(run.as_ref())?;
            let log = self.place.join("log");
            let said = File::options().create(true).append(true).open(&log);
            let said = said.with_context(|| format!("opening {}", log.display()))?;
            let from = said.metadata()?.len();
            command
                .stdin(Stdio::null())
                .stdout(Stdio::null())
                .stderr(said);
            let child = command
                .spawn()
                .with_context(|| format!("starting {}", command.get_program().display()))?;
            let status = match signals.wait(child)? {
                Ended::Child(status) => status,
                Ended::Signal(signal) => {
                    self.state.reason = match signal {
                        SIGUSR1 => "the time limit came near".to_owned(),
                        _ => format!("stopped by signal {signal}"),
                    };
                    return Ok(Outcome::Stopped(signal));
                }
            };
            // 3: some library gave wrong answers, which is a result.
            match status.code() {
                Some(0) => {}
                Some(3) => self.state.reason = "a library gave wrong answers".into(),
                _ => bail!("{}", reason(status, &log, from)),
            }
        }
    }

    /// Returns the command that begins the run or goes on with it.
    fn command(&mut self, run: Option<&RunRow>) -> anyhow::Result<Command> {
        let libraries = self.plan.libraries(self.job)?;
        let mut chosen = libraries.chosen.clone();
        let mut masked = Masked::default();
        if run.is_none() {
            self.build()?;
        }
        chosen.extend(self.state.built.iter().cloned());
        if let Some(mask) = &self.machine.mask {
            let manifests = adapters::manifests(&adapters::folder()?)?;
            masked = with_mask(mask, &manifests, &chosen)?;
            chosen.clone_from(&masked.libraries);
        }
        let mut command = Command::new(std::env::current_exe()?);
        command
            .envs(&masked.environment)
            .envs(&self.machine.environment)
            .env("TOUCHSTONE_HOST", &self.state.node)
            .arg("--quiet")
            .arg("--store")
            .arg(&self.state.store)
            .arg("measure")
            .arg("--progress")
            .arg(progress_file(&self.place));
        if let Some(run) = run {
            command.arg("--resume").arg(run.id.to_string());
            return Ok(command);
        }
        command
            .arg("--profile")
            .arg(self.folder.profile(&self.job.profile));
        for library in &chosen {
            command.arg("--library").arg(library);
        }
        for root in &libraries.roots {
            command.arg("--root").arg(root);
        }
        if let Some(algorithm) = &self.plan.campaign.algorithm {
            command.arg("--algorithm").arg(algorithm);
        }
        let facts = [
            ("Campaign", self.plan.id.as_str()),
            ("Machine in the campaign", &self.job.machine),
            (
                "Instructions left out",
                self.machine.mask.as_deref().unwrap_or(""),
            ),
        ];
        for (name, value) in facts.iter().filter(|(_, value)| !value.is_empty()) {
            command.arg("--fact").arg(format!("{name}={value}"));
        }
        Ok(command)
    }

    /// Builds the objects of the set of libraries, once.
    fn build(&mut self) -> anyhow::Result<()> {
        let builds = &self.plan.libraries(self.job)?.builds;
        if self.state.built.len() == builds.len() {
            return Ok(());
        }
        self.state.built.clear();
        for (index, build) in builds.iter().enumerate() {
            let work = self
                .state
                .store
                .with_file_name(format!("build-{}", index + 1));
            std::fs::create_dir_all(&work).with_context(|| format!("making {}", work.display()))?;
            let log = self.place.join(format!("build-{}.log", index + 1));
            let said = File::create(&log).with_context(|| format!("opening {}", log.display()))?;
            let output = Command::new("/bin/sh")
                .args(["-c", &build.command])
                .current_dir(&work)
                .envs(&self.machine.environment)
                .stdin(Stdio::null())
                .stderr(said)
                .output()
                .context("starting /bin/sh")?;
            let failed = || format!("the build of {} (see {})", build.library, log.display());
            ensure!(
                output.status.success(),
                "{} ended with {}",
                failed(),
                output.status
            );
            let printed = String::from_utf8(output.stdout).with_context(failed)?;
            let last = printed
                .lines()
                .map(str::trim)
                .rfind(|line| !line.is_empty());
            let object = last.with_context(|| format!("{} printed no path", failed()))?;
            let object = std::fs::canonicalize(work.join(object))
                .with_context(|| format!("{} printed {object:?}", failed()))?;
            let object = object.display();
            self.state.built.push(format!("{}={object}", build.library));
        }
        self.save()
    }
}

/// Returns the newest run of a store; `None` if there is no store or no run.
fn newest(store: &Path) -> anyhow::Result<Option<RunRow>> {
    if !store.is_file() {
        return Ok(None);
    }
    Ok(Store::open(store)?.runs()?.pop())
}

/// Writes a run as one document.
fn export(store: &Path, run: i64, path: &Path) -> anyhow::Result<()> {
    let mut bytes = Vec::new();
    Bundle::from_store(&Store::open(store)?, run)?.write(&mut bytes)?;
    bytes.push(b'\n');
    super::folder::write(path, &bytes)
}

/// Returns why the lab ended: the last message that it wrote, or its status.
fn reason(status: ExitStatus, log: &Path, from: u64) -> String {
    let tail = || {
        let mut file = File::open(log)?;
        let length = file.metadata()?.len();
        file.seek(SeekFrom::Start(from.max(length.saturating_sub(TAIL))))?;
        let mut bytes = Vec::new();
        file.take(TAIL).read_to_end(&mut bytes)?;
        std::io::Result::Ok(String::from_utf8_lossy(&bytes).into_owned())
    };
    let text = tail().unwrap_or_default();
    let said = match text.rfind("touchstone: ") {
        Some(place) => text[place + "touchstone: ".len()..].lines().next(),
        None => text.lines().rfind(|line| !line.trim().is_empty()),
    };
    match (said, status.signal(), status.code()) {
        (_, Some(9), _) => "signal 9 ended the lab (was there memory left?)".into(),
        (_, Some(signal), _) => format!("signal {signal} ended the lab"),
        (Some(said), ..) => said.trim().to_owned(),
        (None, _, code) => format!("the lab ended with exit code {}", code.unwrap_or(-1)),
    }
}

/// Returns the name of this machine: of the Slurm node if Slurm started the job, else the host's.
pub fn node() -> String {
    std::env::var("SLURMD_NODENAME").unwrap_or_else(|_| {
        let name = std::fs::read_to_string("/proc/sys/kernel/hostname");
        name.map_or_else(|_| "localhost".into(), |name| name.trim().to_owned())
    })
}

/// Returns the seconds since 1970.
pub fn seconds_now() -> u64 {
    SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .map_or(0, |since| since.as_secs())
}

/// The signals that ask a job to stop.
struct Signals(signal_hook::iterator::SignalsInfo);

enum Ended {
    Child(ExitStatus),
    Signal(i32),
}

impl Signals {
    fn new() -> anyhow::Result<Self> {
        let all = [SIGHUP, SIGINT, SIGTERM, SIGUSR1];
        let signals = signal_hook::iterator::Signals::new(all);
        Ok(Self(signals.context("catching signals")?))
    }

    /// Waits for the child. If a signal comes, asks the child to end, so that it closes its store.
    fn wait(&mut self, mut child: Child) -> anyhow::Result<Ended> {
        loop {
            if let Some(status) = child.try_wait()? {
                return Ok(Ended::Child(status));
            }
            if let Some(signal) = self.pending() {
                output::say(&format!(
                    "signal {signal}: the run stops after its present task"
                ));
                end(&mut child)?;
                return Ok(Ended::Signal(signal));
            }
            std::thread::sleep(LOOK);
        }
    }

    fn pending(&mut self) -> Option<i32> {
        self.0.pending().next()
    }
}

/// Ends a child: first by a request, then by force.
fn end(child: &mut Child) -> anyhow::Result<()> {
    if let Some(pid) = rustix::process::Pid::from_raw(child.id().cast_signed()) {
        let _ = rustix::process::kill_process(pid, rustix::process::Signal::TERM);
    }
    let begun = Instant::now();
    while begun.elapsed() < GRACE {
        if child.try_wait()?.is_some() {
            return Ok(());
        }
        std::thread::sleep(LOOK);
    }
    child.kill()?;
    child.wait()?;
    Ok(())
}
