//! Takes the samples of one library's cell.

use touchstone_wire::{Fields, Reply, Request, Vary, Work};

use super::failure::{fault, trouble, trouble_at};
use crate::profile::Task;
use crate::session::Slot;
use crate::stats::Statistic;
use crate::summary::Failure;
use crate::worker::patience;

/// Least number of calls in a round, if slow calls are a normal part of the operation.
const CALLS_OF_A_MEAN: u64 = 32;

/// A call of this length, in nanoseconds, is timed without a call before it. A first call with cold
/// caches and cold predictions of branches takes up to 0.1 ms longer than the next call (OpenSSL's
/// verification by P-256, whose table has 150 KiB), which is 2 % of such a call.
const LONG_CALL_NS: f64 = 5e6;

/// The parameters for opening a cell, except its number.
pub(super) struct Opening {
    pub(super) work: Work,
    pub(super) vary: Vary,
    pub(super) second: Fields,
    /// Whether the operation gives the same answer each time for the same work.
    pub(super) repeats: bool,
    pub(super) statistic: Statistic,
}

impl Opening {
    pub(super) fn request(&self, id: u32, task: &Task) -> Request {
        Request::Open {
            id,
            contract: task.contract,
            messages: task.messages,
            vary: self.vary.clone(),
            second: self.second.clone(),
            work: self.work.clone(),
        }
    }
}

/// One library's cell during sampling.
pub(super) struct Sampling {
    pub(super) slot: usize,
    pub(super) id: u32,
    /// The number of the library's process in which the cell is open.
    pub(super) process: u32,
    pub(super) digest: u64,
    pub(super) first_ns: [u64; 3],
    pub(super) calls: u64,
    pub(super) warm: u64,
    /// The samples of a round: 1, except where each call is a sample of its own.
    pub(super) each: u64,
    pub(super) samples: Vec<f64>,
    /// The number of the process that took each sample.
    pub(super) processes: Vec<u32>,
}

/// Takes a cell's samples of one round. If the cell's first sample is much shorter than wanted, the
/// number of calls was set while the machine was busy or while a compiler at run time (Java's) had
/// not seen the code yet. Then the number is set again.
pub(super) fn take_samples(
    slot: &mut Slot,
    task: &Task,
    opening: &Opening,
    cell: &mut Sampling,
    wanted: f64,
) -> Result<(), Box<Failure>> {
    let mut first = None;
    if cell.samples.is_empty() {
        let ns = sample(slot, task, opening, cell, cell.calls, cell.warm)?;
        if ns >= wanted / 2.0 {
            first = Some(ns);
        } else {
            enough_calls(slot, task, opening, cell, wanted)?;
        }
    }
    for _ in 0..cell.each {
        let ns = match first.take() {
            Some(ns) => ns,
            None => sample(slot, task, opening, cell, cell.calls, cell.warm)?,
        };
        cell.samples.push(ns);
        cell.processes.push(cell.process);
    }
    Ok(())
}

/// Takes one sample and returns its time in nanoseconds.
fn sample(
    slot: &mut Slot,
    task: &Task,
    opening: &Opening,
    cell: &mut Sampling,
    calls: u64,
    warm: u64,
) -> Result<f64, Box<Failure>> {
    let cpus = if task.threads > 1 {
        slot.cpus()
    } else {
        Vec::new()
    };
    let time = |id| Request::Time {
        id,
        calls,
        warm,
        threads: task.threads,
        cpus: cpus.clone(),
        digest: false,
    };
    match ask(slot, task, opening, cell, time)? {
        Reply::Timed { ns, .. } => Ok(ns as f64),
        other => Err(Box::new(Failure {
            got: other.line(),
            ..trouble_at(slot, task, "error")
        })),
    }
}

/// Sends a request about a cell. If the library's process was restarted since the last request,
/// first opens the cell in the new process.
pub(super) fn ask(
    slot: &mut Slot,
    task: &Task,
    opening: &Opening,
    cell: &mut Sampling,
    request: impl Fn(u32) -> Request,
) -> Result<Reply, Box<Failure>> {
    let work = &opening.work;
    let process = slot.process().map_err(|f| fault(slot, task, work, &f))?;
    if process != cell.process {
        match slot.ask_at_ease(&opening.request(cell.id, task), patience()) {
            Ok(Reply::Opened { digest, .. }) => unchanged(slot, task, opening, cell, digest)?,
            Ok(other) => return Err(Box::new(trouble(slot, task, work, "error", &other.line()))),
            Err(f) => return Err(fault(slot, task, work, &f)),
        }
        cell.process = process;
    }
    slot.ask(&request(cell.id), patience())
        .map_err(|f| fault(slot, task, work, &f))
}

/// Checks that the answer is the same as before timing.
pub(super) fn unchanged(
    slot: &Slot,
    task: &Task,
    opening: &Opening,
    cell: &Sampling,
    digest: u64,
) -> Result<(), Box<Failure>> {
    if digest == cell.digest || !opening.repeats {
        return Ok(());
    }
    Err(Box::new(Failure {
        expected: format!("fingerprint {:016x}, as before timing", cell.digest),
        ..trouble(
            slot,
            task,
            &opening.work,
            "changed answer",
            &format!("{digest:016x}"),
        )
    }))
}

/// Raises the number of calls of a cell's sample until the sample takes the wanted time in
/// nanoseconds, and sets how many calls without timing come before.
pub(super) fn enough_calls(
    slot: &mut Slot,
    task: &Task,
    opening: &Opening,
    cell: &mut Sampling,
    wanted: f64,
) -> Result<(), Box<Failure>> {
    let mut shortest = 0.0;
    for _ in 0..24 {
        // The shortest of three attempts must be long enough. If one interrupted
        // attempt counted, samples could consist of a single call and measure
        // mostly the timer.
        shortest = f64::INFINITY;
        for _ in 0..3 {
            let ns = sample(slot, task, opening, cell, cell.calls, 0)?;
            shortest = shortest.min(ns.max(1.0));
            if shortest < wanted {
                break;
            }
        }
        if shortest >= wanted {
            break;
        }
        // At most ten times as many calls in one step, because the first calls
        // run with cold caches.
        let factor = (1.1 * wanted / shortest).clamp(1.1, 10.0);
        cell.calls = (cell.calls as f64 * factor).ceil() as u64;
    }
    // If slow calls are a normal part of the operation, each round must contain some slow
    // calls. A call that is long enough for a sample is one, so that the samples show how the
    // calls differ.
    if opening.statistic == Statistic::Mean {
        (cell.calls, cell.each) = if cell.calls == 1 {
            (1, CALLS_OF_A_MEAN)
        } else {
            (cell.calls.max(CALLS_OF_A_MEAN), 1)
        };
    }
    // Other workers have used the caches in the meantime, so calls without timing
    // come first.
    cell.warm = if cell.calls == 1 && shortest >= LONG_CALL_NS {
        0
    } else {
        cell.calls.div_ceil(10)
    };
    Ok(())
}
