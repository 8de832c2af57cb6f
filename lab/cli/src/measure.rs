//! Timing: in each round, all libraries of a task are timed in random order, one at a
//! time, on one CPU; all tasks advance round by round. `lab/METHOD.md` explains the
//! method.

mod open;

use std::time::{Duration, Instant};

use rand::rngs::StdRng;
use rand::seq::SliceRandom;
use rand::{RngExt, SeedableRng};
use touchstone_wire::{Fields, Reply, Request, Vary, Work};

use crate::machine;
use crate::profile::{Profile, Selection, Task};
use crate::rank::ratio;
use crate::session::{Clock, Slot};
use crate::stats::{FEWEST, Series, Statistic, median, quartiles, value_interval};
use crate::store::RawCell;
use crate::summary::{Failure, join_notes};
use crate::text::{SENTENCE, visible};
use crate::verify::{Verified, has_cost};
use crate::worker::{Fault, patience};

/// A cell gets a note if the quartiles of its rounds' clock rates differ by more than
/// this share.
const CLOCK_TOLERANCE: f64 = 0.02;
/// A task's even share is the sampling time divided by the number of tasks. A task may use this
/// many times its even share.
const SHARE: f64 = 3.0;
/// After this share of a batch's time, no further cells are opened.
const OPENING: f64 = 0.6;
/// Number of rounds between two checks of the intervals.
const LOOK_EVERY: u32 = 8;
/// Number of rounds after which workers are restarted. An interval is based on the number
/// of processes that a cell has seen, so the 31 rounds of a quick run are spread over
/// seven processes.
const RENEW_EVERY: u32 = 5;
/// Number of tasks whose cells are opened between two checks of the time.
const CHUNK: usize = 32;
/// Bytes of messages that one worker may hold at a time.
const ROOM: u64 = 256 << 20;
/// The share of the machine's free memory that the messages of all workers together may use.
const MEMORY: f64 = 0.25;

/// The result of a task.
#[derive(Debug, Default)]
pub struct Outcome {
    /// The cells of the task, one for each library.
    pub cells: Vec<RawCell>,
    /// The failures that occurred in the task.
    pub failures: Vec<Failure>,
}

/// Receives reports about the progress of the measurement.
pub trait Watcher {
    /// Reports that the task advanced by this number of its steps ([`Measurer::steps`]).
    fn advance(&mut self, task: &Task, steps: u32);

    /// Reports that the task is complete, with its outcome.
    fn done(&mut self, task: &Task, outcome: Outcome) -> anyhow::Result<()>;
}

/// Measures one run.
pub struct Measurer<'a> {
    /// The libraries and their workers.
    pub slots: &'a mut [Slot],
    /// The worker that measures the clock rate of the measuring CPU.
    pub clock: &'a mut Clock,
    /// The algorithms that passed verification and may be timed.
    pub verified: &'a Verified,
    /// The precision.
    pub profile: &'a Profile,
    /// The time for all tasks.
    pub time: Duration,
    /// The user's selection from the profile.
    pub selection: &'a Selection,
    rng: StdRng,
    next_id: u32,
}

/// A task whose cells are open in the workers.
struct Live<'t> {
    task: &'t Task,
    opening: Opening,
    cells: Vec<Sampling>,
    failures: Vec<Failure>,
    rounds: u32,
    /// The core's clock rate in each round, in MHz.
    clocks: Vec<f64>,
    spent: Duration,
}

/// The parameters for opening a cell, except its number.
struct Opening {
    work: Work,
    vary: Vary,
    second: Fields,
    /// Whether the operation gives the same answer each time for the same work.
    repeats: bool,
    statistic: Statistic,
}

impl Opening {
    fn request(&self, id: u32, task: &Task) -> Request {
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
struct Sampling {
    slot: usize,
    id: u32,
    /// The number of the library's process in which the cell is open.
    process: u32,
    digest: u64,
    first_ns: [u64; 3],
    calls: u64,
    warm: u64,
    /// The samples of a round: 1, except where each call is a sample of its own.
    each: u64,
    samples: Vec<f64>,
    /// The number of the process that took each sample.
    processes: Vec<u32>,
}

impl<'a> Measurer<'a> {
    /// Prepares a measurement. The seed determines the order of libraries within rounds and the
    /// order of tasks.
    pub fn new(
        slots: &'a mut [Slot],
        clock: &'a mut Clock,
        verified: &'a Verified,
        profile: &'a Profile,
        time: Duration,
        selection: &'a Selection,
        seed: u64,
    ) -> Self {
        Self {
            slots,
            clock,
            verified,
            profile,
            time,
            selection,
            rng: StdRng::seed_from_u64(seed),
            next_id: 0,
        }
    }

    /// Steps of one task: one to open it, and one for each of its minimum number of
    /// rounds.
    pub fn steps(profile: &Profile) -> u32 {
        1 + profile.rounds[0]
    }

    /// Measures tasks, as many at a time as memory allows, until all tasks are measured or the
    /// time is over. Returns the tasks that were left then.
    pub fn run(&mut self, tasks: &[Task], watcher: &mut dyn Watcher) -> anyhow::Result<Vec<Task>> {
        let end = Instant::now() + self.time;
        let mut rest = tasks;
        while !rest.is_empty() {
            let begun = Instant::now();
            let left = end.saturating_duration_since(begun);
            if left.is_zero() {
                return Ok(rest.to_vec());
            }
            let batch = self.batch(rest);
            let time = left.mul_f64(batch as f64 / rest.len() as f64);
            let mut live = Vec::new();
            let mut opened = 0;
            for chunk in rest[..batch].chunks(CHUNK) {
                live.extend(self.open(chunk));
                opened += chunk.len();
                for task in chunk {
                    watcher.advance(task, 1);
                }
                if begun.elapsed() > time.mul_f64(OPENING) {
                    break;
                }
            }
            self.sample_all(live, begun + time, watcher)?;
            rest = &rest[opened..];
        }
        Ok(Vec::new())
    }

    /// Returns how many of the tasks can be open at a time.
    fn batch(&self, tasks: &[Task]) -> usize {
        let memory = machine::available_bytes().map_or(u64::MAX, |b| (b as f64 * MEMORY) as u64);
        let (mut one, mut all) = (0, 0);
        let fit = tasks.iter().take_while(|task| {
            let takes = |slot: &&Slot| {
                slot.usable() && slot.takes(&task.primitive, &task.operation, task.contract)
            };
            // The bytes for the input, the output and other data of a message.
            let message = 2 * task.bytes + 1024;
            let bytes = message * u64::from(task.messages) * u64::from(task.threads);
            one += bytes;
            all += bytes * self.slots.iter().filter(takes).count() as u64;
            one <= ROOM && all <= memory
        });
        fit.count().max(1)
    }

    /// Samples all tasks in rounds. A task ends when it is precise enough, has the most rounds
    /// of the profile, or has no time left.
    fn sample_all(
        &mut self,
        mut live: Vec<Live<'_>>,
        end: Instant,
        watcher: &mut dyn Watcher,
    ) -> anyhow::Result<()> {
        let left = end.saturating_duration_since(Instant::now());
        let share = left.mul_f64(SHARE / live.len().max(1) as f64);
        for sweep in 1u32.. {
            if live.is_empty() {
                break;
            }
            // The addresses of a process's stack and heap are random and can affect
            // times, so workers are restarted regularly.
            if sweep % RENEW_EVERY == 0 {
                self.slots.iter_mut().for_each(Slot::renew);
            }
            live.shuffle(&mut self.rng);
            let mut open = Vec::with_capacity(live.len());
            for mut one in live {
                self.round(&mut one);
                let task = one.task;
                let least = self.profile.rounds[0];
                if one.rounds <= least {
                    watcher.advance(task, 1);
                }
                let Some(stop) = self.stop(&one, share, end) else {
                    open.push(one);
                    continue;
                };
                watcher.advance(task, least.saturating_sub(one.rounds));
                let outcome = self.close(one, stop);
                watcher.done(task, outcome)?;
            }
            live = open;
        }
        Ok(())
    }

    /// Takes the samples of a round of each library, in a new random order.
    fn round(&mut self, live: &mut Live<'_>) {
        let begun = Instant::now();
        live.rounds += 1;
        live.clocks.extend(self.clock.mhz());
        live.cells.shuffle(&mut self.rng);
        let wanted = self.shortest_sample_ns(live.task);
        let (slots, task, opening, failures) = (
            &mut *self.slots,
            live.task,
            &live.opening,
            &mut live.failures,
        );
        live.cells.retain_mut(|cell| {
            let slot = &mut slots[cell.slot];
            // The failure that made the library unusable has been recorded already.
            if !slot.usable() {
                return false;
            }
            let taken = take_samples(slot, task, opening, cell, wanted);
            taken.map_err(|failure| failures.push(*failure)).is_ok()
        });
        live.spent += begun.elapsed();
    }

    /// Returns the reason why a task gets no further round; `None` if it gets one.
    fn stop(&self, live: &Live<'_>, share: Duration, end: Instant) -> Option<&'static str> {
        let [least, most] = self.profile.rounds;
        let look = live.rounds >= least && (live.rounds - least).is_multiple_of(LOOK_EVERY);
        if live.cells.is_empty() {
            Some("budget")
        } else if (look || live.rounds >= most) && self.narrow(live) {
            Some("narrow")
        } else if live.rounds >= most
            || live.rounds >= least.min(FEWEST as u32)
                && (live.spent >= share || Instant::now() >= end)
        {
            Some("budget")
        } else {
            None
        }
    }

    /// Returns whether every library's ratio to the best is as precise as the profile asks.
    fn narrow(&self, live: &Live<'_>) -> bool {
        let sampling = &live.cells;
        let per_call: Vec<Vec<f64>> = sampling
            .iter()
            .map(|cell| {
                cell.samples
                    .iter()
                    .map(|ns| ns / cell.calls as f64)
                    .collect()
            })
            .collect();
        let series: Vec<Series<'_>> = sampling
            .iter()
            .zip(&per_call)
            .map(|(cell, samples)| Series {
                samples,
                processes: &cell.processes,
                statistic: live.opening.statistic,
            })
            .collect();
        let ratios_are = ratio::ratios(&series)
            .iter()
            .all(|(ratio, _)| ratio.relative_half_width() * 2.0 <= self.profile.target);
        // The best library's ratio to itself is always 1, so the interval of its time is
        // checked instead.
        ratios_are
            && series.iter().all(|series| {
                let own = value_interval(*series, 1);
                own.relative_half_width() * 2.0 <= self.profile.target
            })
    }

    /// Repeats the work of each cell with the first nonce. If the output has changed since the
    /// cell was opened, the cell is discarded. Returns the other cells, and all failures.
    fn close(&mut self, live: Live<'_>, stop: &'static str) -> Outcome {
        let Live {
            task,
            opening,
            cells,
            mut failures,
            clocks,
            ..
        } = live;
        let (mhz, note) = match clocks[..] {
            [] => (None, String::new()),
            _ => (Some(median(&clocks)), clock_note(&clocks)),
        };
        let mut kept = Vec::new();
        for mut cell in cells {
            let slot = &mut self.slots[cell.slot];
            if !slot.usable() {
                continue;
            }
            let same =
                ask(slot, task, &opening, &mut cell, |id| Request::Run { id }).and_then(|reply| {
                    match reply {
                        Reply::Ran { digest, .. } => unchanged(slot, task, &opening, &cell, digest),
                        other => Err(Box::new(trouble(
                            slot,
                            task,
                            &opening.work,
                            "error",
                            &other.line(),
                        ))),
                    }
                });
            let _ = slot.ask(&Request::Close { id: cell.id }, patience());
            if let Err(failure) = same {
                failures.push(*failure);
                continue;
            }
            let offer = slot
                .offer(&task.primitive, &task.operation)
                .cloned()
                .unwrap_or_default();
            kept.push(RawCell {
                library: slot.id().to_owned(),
                task: task.clone(),
                calls: cell.calls,
                stop,
                first_ns: cell.first_ns,
                mhz,
                flags: Vec::new(),
                api: offer.api,
                kernel: offer.kernel,
                note: join_notes(&offer.note, &note),
                samples: cell.samples,
                processes: cell.processes,
            });
        }
        Outcome {
            cells: kept,
            failures,
        }
    }
}

/// Takes a cell's samples of one round. If the cell's first sample is much shorter than wanted, the
/// number of calls was set while the machine was busy or while a compiler at run time (Java's) had
/// not seen the code yet. Then the number is set again.
fn take_samples(
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
            open::enough_calls(slot, task, opening, cell, wanted)?;
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
fn ask(
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
fn unchanged(
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

/// Returns a note about an unsteady clock rate, which affects nanoseconds; ratios within a
/// round are not affected.
fn clock_note(clocks: &[f64]) -> String {
    let [low, high] = quartiles(clocks);
    if high > low * (1.0 + CLOCK_TOLERANCE) {
        format!("clock {low:.0} to {high:.0} MHz in half of the rounds")
    } else {
        String::new()
    }
}

fn trouble_at(slot: &Slot, task: &Task, kind: &str) -> Failure {
    Failure {
        library: slot.id().to_owned(),
        primitive: task.primitive.clone(),
        operation: task.operation.clone(),
        kind: kind.to_owned(),
        place: format!("timing {task}"),
        input: String::new(),
        expected: String::new(),
        got: String::new(),
    }
}

fn fault(slot: &Slot, task: &Task, work: &Work, fault: &Fault) -> Box<Failure> {
    let kind = match fault.kind() {
        "timeout" if has_cost(work) => "too slow",
        kind => kind,
    };
    Box::new(trouble(slot, task, work, kind, &fault.to_string()))
}

fn trouble(slot: &Slot, task: &Task, work: &Work, kind: &str, got: &str) -> Failure {
    Failure {
        input: work.shown().chars().take(600).collect(),
        got: visible(got, SENTENCE).into_owned(),
        ..trouble_at(slot, task, kind)
    }
}

/// Returns the CPU for the workers and the CPUs for the lab. Workers are pinned to the last CPU
/// that this process may use; the lab uses the other CPUs.
pub fn cpus() -> (usize, Vec<usize>) {
    let allowed: Vec<usize> = rustix::thread::sched_getaffinity(None)
        .map(|set| {
            (0..rustix::thread::CpuSet::MAX_CPU)
                .filter(|&cpu| set.is_set(cpu))
                .collect()
        })
        .unwrap_or_else(|_| vec![0]);
    match allowed.split_last() {
        Some((&last, rest)) if !rest.is_empty() => (last, rest.to_vec()),
        Some((&last, _)) => (last, vec![last]),
        None => (0, vec![0]),
    }
}

/// Keeps this process off the measuring CPU.
pub fn stay_on(cpus: &[usize]) {
    let mut set = rustix::thread::CpuSet::new();
    for &cpu in cpus {
        set.set(cpu);
    }
    let _ = rustix::thread::sched_setaffinity(None, &set);
}

/// Returns a random seed, different for each run. It only determines the order of libraries and
/// tasks.
pub fn seed() -> u64 {
    rand::rng().random()
}
