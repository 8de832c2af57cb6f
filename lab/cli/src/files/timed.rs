//! One timed call of a program: wall time, processor time, the most memory.

use std::ffi::OsString;
use std::fs::File;
use std::io::{Read as _, Seek as _};
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use anyhow::{Context as _, bail};
use rustix::process::{Pid, PidfdFlags, Signal, pidfd_open, pidfd_send_signal};
use serde::{Deserialize, Serialize};
use wait4::Wait4 as _;

/// The time between two looks at a process.
const PAUSE: Duration = Duration::from_millis(2);
/// With fewer looks than this, the process may have been seen only before it took its memory.
const LOOKS: u32 = 3;
/// How much of a program's error message is shown, in bytes.
const SHOWN: u64 = 400;

/// What a call has used.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Usage {
    /// From before the start to after the end, in seconds.
    pub seconds: f64,
    /// Processor time of the process with its threads and children, in seconds.
    pub processor: f64,
    /// The most memory that the process had at one time, in bytes, as seen every 2 ms; 0 if it
    /// ended too soon.
    pub memory: u64,
}

/// Why a call was ended from outside.
#[derive(Debug, thiserror::Error)]
#[error("interrupted")]
pub struct Stopped;

/// Runs a program in a folder, without input; its messages go to the folder's file `messages`.
///
/// # Errors
///
/// If the program does not start, ends with another exit code than 0 (the error has the beginning
/// of its messages), or takes longer than the limit; [`Stopped`] after `stop`.
pub fn run(
    program: &Path,
    arguments: &[OsString],
    folder: &Path,
    limit: Duration,
    stop: &AtomicBool,
) -> anyhow::Result<Usage> {
    let messages = folder.join("messages");
    let file = File::create(&messages).with_context(|| format!("{}", messages.display()))?;
    let start = Instant::now();
    let mut child = Command::new(program)
        .args(arguments)
        .current_dir(folder)
        .env("LC_ALL", "C")
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(file)
        .spawn()
        .with_context(|| format!("starting {}", program.display()))?;
    let over = AtomicBool::new(false);
    let pid = child.id();
    let (used, seconds, seen) = std::thread::scope(|scope| {
        let watching = || watch(pid, start, limit, stop, &over);
        let watcher = std::thread::Builder::new().spawn_scoped(scope, watching);
        if watcher.is_err() {
            // Nobody watches the limit. An error means that the program has ended already.
            let _ = child.kill();
        }
        let used = child.wait4();
        let seconds = start.elapsed().as_secs_f64();
        over.store(true, Ordering::Relaxed);
        (used, seconds, watcher.map(|watcher| watcher.join()))
    });
    let seen = seen.context("starting a thread")?;
    let used = used.context("waiting for the program")?;
    let seen = seen.unwrap_or_default();
    if stop.load(Ordering::Relaxed) {
        return Err(Stopped.into());
    }
    if seen.late {
        bail!("it took longer than {} s (--limit)", limit.as_secs());
    }
    if !used.status.success() {
        let mut text = String::new();
        let read = File::open(&messages).map(|file| file.take(SHOWN).read_to_string(&mut text));
        let line = text.lines().find(|line| !line.trim().is_empty());
        let line = line.filter(|_| read.is_ok()).unwrap_or("no message");
        bail!("{}: {}", used.status, line.trim());
    }
    Ok(Usage {
        seconds,
        processor: (used.rusage.utime + used.rusage.stime).as_secs_f64(),
        memory: seen.memory,
    })
}

/// What the watcher has seen.
#[derive(Debug, Default)]
struct Seen {
    memory: u64,
    late: bool,
}

/// Looks at a process until it is over; kills it after the limit, or when the user stops the lab.
/// The kernel's own record of the most memory (ru_maxrss) is of no use here: it begins with what
/// the lab had when it started the program.
fn watch(pid: u32, start: Instant, limit: Duration, stop: &AtomicBool, over: &AtomicBool) -> Seen {
    let mut seen = Seen::default();
    // The handle stays with this process, also if its number is used again.
    let handle = i32::try_from(pid).ok().and_then(Pid::from_raw);
    let handle = handle.and_then(|pid| pidfd_open(pid, PidfdFlags::empty()).ok());
    let mut status = File::open(format!("/proc/{pid}/status")).ok();
    let mut text = String::new();
    let mut looks = 0;
    while !over.load(Ordering::Relaxed) {
        if let Some(file) = &mut status {
            text.clear();
            if file
                .rewind()
                .and_then(|()| file.read_to_string(&mut text))
                .is_ok()
            {
                seen.memory = seen.memory.max(most(&text));
                looks += 1;
            }
        }
        seen.late |= start.elapsed() > limit;
        let unwanted = seen.late || stop.load(Ordering::Relaxed);
        if let Some(handle) = handle.as_ref().filter(|_| unwanted) {
            let _ = pidfd_send_signal(handle, Signal::KILL);
        }
        std::thread::sleep(PAUSE);
    }
    if looks < LOOKS {
        seen.memory = 0;
    }
    seen
}

/// The field `VmHWM` of a process's status, in bytes.
fn most(status: &str) -> u64 {
    let value = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kib = value.and_then(|value| value.trim().strip_suffix("kB"));
    kib.and_then(|kib| kib.trim().parse::<u64>().ok())
        .unwrap_or(0)
        << 10
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shell(script: &str, limit: Duration) -> anyhow::Result<Usage> {
        let folder = tempfile::tempdir().unwrap();
        let arguments = ["-c".into(), script.into()];
        let never = AtomicBool::new(false);
        run(
            Path::new("/bin/sh"),
            &arguments,
            folder.path(),
            limit,
            &never,
        )
    }

    #[test]
    fn a_call_has_its_time_and_its_memory() {
        let most = Duration::from_secs(60);
        // A shell that counts: processor time, and some memory.
        let busy = "i=0; while [ $i -lt 100000 ]; do i=$((i + 1)); done; sleep 0.1";
        let used = shell(busy, most).unwrap();
        assert!(used.seconds >= 0.1 && used.processor > 0.0, "{used:?}");
        assert!(used.processor < used.seconds, "{used:?}");
        assert!((1 << 18..1 << 26).contains(&used.memory), "{used:?}");
        // The shell's child counts, too.
        let idle = shell("sleep 0.1", most).unwrap();
        assert!(idle.processor < 0.09, "{idle:?}");
    }

    #[test]
    fn failures_say_what_the_program_said() {
        let most = Duration::from_secs(60);
        let error = shell("echo no key >&2; exit 7", most).unwrap_err();
        assert!(error.to_string().contains("7: no key"), "{error}");
        let error = shell("sleep 60", Duration::from_millis(50)).unwrap_err();
        assert!(error.to_string().contains("--limit"), "{error}");
        let folder = tempfile::tempdir().unwrap();
        let stopped = AtomicBool::new(true);
        let arguments = ["-c".into(), "sleep 60".into()];
        let error = run(
            Path::new("/bin/sh"),
            &arguments,
            folder.path(),
            most,
            &stopped,
        );
        assert!(error.unwrap_err().is::<Stopped>());
    }
}
