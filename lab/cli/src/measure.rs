//! Timing: all libraries of a task in shuffled rounds, one at a time, on one
//! CPU. `lab/METHOD.md` is the reader's account of what happens here.

use std::collections::HashMap;
use std::time::{Duration, Instant};

use rand::rngs::StdRng;
use rand::seq::SliceRandom;
use rand::{RngExt, SeedableRng};
use touchstone_wire::{Reply, Request, Work, fnv1a};

use crate::profile::{Profile, Selection, Task};
use crate::rank;
use crate::session::{Clock, Slot};
use crate::stats::relative_change;
use crate::store::RawCell;
use crate::summary::Failure;
use crate::verify::{Verified, genuine};
use crate::worker::patience;
use crate::{adapters, catalogue};

/// A clock change beyond this between the start and the end of a task repeats it.
const CLOCK_TOLERANCE: f64 = 0.005;
/// Times that a task is done again because the clock moved.
const CLOCK_RETRIES: u32 = 2;
/// A task may take this many times its even share of what is left of the budget.
const SHARE: f64 = 3.0;
/// Rounds between two looks at the intervals.
const LOOK_EVERY: u32 = 4;

/// What a task found.
#[derive(Debug, Default)]
pub struct Outcome {
    /// One cell per library.
    pub cells: Vec<RawCell>,
    /// What went wrong.
    pub failures: Vec<Failure>,
}

/// The measuring of one run.
pub struct Measurer<'a> {
    /// The libraries.
    pub slots: &'a mut [Slot],
    /// The clock, on the measuring CPU.
    pub clock: &'a mut Clock,
    /// What may be timed.
    pub verified: &'a Verified,
    /// How precisely, and for how long.
    pub profile: &'a Profile,
    /// What was chosen of the profile.
    pub selection: &'a Selection,
    rng: StdRng,
    next_id: u32,
}

/// One library's cell while it is being sampled.
struct Sampling {
    slot: usize,
    id: u32,
    digest: u64,
    first_ns: [u64; 3],
    calls: u64,
    warm: u64,
    samples: Vec<f64>,
}

impl<'a> Measurer<'a> {
    /// Makes ready. The order of libraries within rounds follows from the seed.
    pub fn new(
        slots: &'a mut [Slot],
        clock: &'a mut Clock,
        verified: &'a Verified,
        profile: &'a Profile,
        selection: &'a Selection,
        seed: u64,
    ) -> Self {
        Self {
            slots,
            clock,
            verified,
            profile,
            selection,
            rng: StdRng::seed_from_u64(seed),
            next_id: 0,
        }
    }

    /// Does every task, giving each one's outcome to `store` as it is done.
    /// Returns the tasks for which the time ran out.
    pub fn run(
        &mut self,
        tasks: &[Task],
        store: &mut dyn FnMut(usize, &Task, Outcome) -> anyhow::Result<()>,
    ) -> anyhow::Result<Vec<Task>> {
        let end = Instant::now() + Duration::from_secs(self.profile.seconds);
        for (index, task) in tasks.iter().enumerate() {
            let left = end.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return Ok(tasks[index..].to_vec());
            }
            let share = left.mul_f64(SHARE / (tasks.len() - index) as f64).min(left);
            let outcome = self.task(task, share);
            store(index, task, outcome)?;
        }
        Ok(Vec::new())
    }

    /// One task: opened once, sampled again where the clock moved meanwhile.
    fn task(&mut self, task: &Task, budget: Duration) -> Outcome {
        let mut outcome = Outcome::default();
        let begun = Instant::now();
        // Key set-up alone does no message, but the cell's first call does: one
        // that every block size divides, or the one block that there is.
        let bytes = match task.bytes {
            0 if task.operation.starts_with("des-cipher-") => 8,
            0 => 128,
            bytes => bytes as usize,
        };
        let Some(work) = catalogue::work(&task.primitive, &task.operation, bytes)
            .and_then(|work| genuine(self.slots, work, bytes))
        else {
            return outcome;
        };
        let mut sampling = self.open(task, &work, &mut outcome);
        self.agree(task, &mut sampling, &mut outcome);
        self.calibrate(task, &mut sampling, &mut outcome);
        // What getting ready took is the task's too, but there is always some time
        // for sampling.
        let budget = budget.saturating_sub(begun.elapsed()).max(budget / 4);

        for attempt in 0.. {
            let before = self.clock.mhz();
            let stop = self.rounds(task, &mut sampling, budget, &mut outcome);
            let after = self.clock.mhz();
            let moved = match (before, after) {
                (Some(a), Some(b)) => relative_change(a, b).abs(),
                _ => 0.0,
            };
            if moved > CLOCK_TOLERANCE && attempt < CLOCK_RETRIES && !sampling.is_empty() {
                continue;
            }
            self.close(task, &work, sampling, stop, &mut outcome);
            let mhz = before.zip(after).map(|(a, b)| (a + b) / 2.0);
            for cell in &mut outcome.cells {
                cell.mhz = mhz;
                if moved > CLOCK_TOLERANCE {
                    // Ratios within rounds survive a moving clock; a reader of the
                    // nanoseconds must know all the same.
                    cell.note = join(&cell.note, &format!("clock moved {:.1} %", moved * 100.0));
                }
            }
            return outcome;
        }
        unreachable!("the last attempt returns")
    }

    /// Rounds from the first on until the ratios are known well enough or the
    /// budget is used up; says which.
    fn rounds(
        &mut self,
        task: &Task,
        sampling: &mut Vec<Sampling>,
        budget: Duration,
        outcome: &mut Outcome,
    ) -> &'static str {
        let end = Instant::now() + budget;
        let [least, most] = self.profile.rounds;
        for cell in &mut *sampling {
            cell.samples.clear();
        }
        for round in 1..=most {
            sampling.shuffle(&mut self.rng);
            let mut lost = Vec::new();
            for (index, cell) in sampling.iter_mut().enumerate() {
                match self.sample(task, cell, cell.calls, cell.warm) {
                    Ok(ns) => cell.samples.push(ns),
                    Err(failure) => {
                        outcome.failures.push(*failure);
                        lost.push(index);
                    }
                }
            }
            for index in lost.into_iter().rev() {
                sampling.remove(index);
            }
            if sampling.is_empty() {
                break;
            }
            if round >= least && (round - least).is_multiple_of(LOOK_EVERY) {
                if self.narrow(sampling) {
                    return "narrow";
                }
                if Instant::now() >= end {
                    break;
                }
            } else if round >= 3 && Instant::now() >= end + budget {
                // Far over its share: a call so slow that the least number of
                // rounds would starve the others.
                break;
            }
        }
        "budget"
    }

    /// Opens the task's cell in every library that may be timed.
    fn open(&mut self, task: &Task, work: &Work, outcome: &mut Outcome) -> Vec<Sampling> {
        let mut sampling = Vec::new();
        let masks = self.profile.masks_of(task, self.selection);
        let fresh = catalogue::takes_fresh_nonce(&task.primitive, &task.operation);
        for (index, slot) in self.slots.iter_mut().enumerate() {
            let candidate = &slot.candidate;
            let allowed = slot.usable()
                && (candidate.everywhere || masks.contains(candidate.mask.as_str()))
                && slot.takes(&task.primitive, &task.operation, task.contract)
                && self
                    .verified
                    .has(slot.id(), &task.primitive, &task.operation);
            if !allowed {
                continue;
            }
            self.next_id += 1;
            let id = self.next_id;
            let request = Request::Open {
                id,
                contract: task.contract,
                fresh,
                messages: task.messages,
                work: work.clone(),
            };
            match slot.ask_at_ease(&request, patience()) {
                Ok(Reply::Opened {
                    open_ns,
                    key_ns,
                    first_ns,
                    digest,
                    ..
                }) => {
                    if let Err(failure) = same_as_checked(slot, task, work, fresh, digest) {
                        let _ = slot.ask(&Request::Close { id }, patience());
                        outcome.failures.push(*failure);
                        continue;
                    }
                    sampling.push(Sampling {
                        slot: index,
                        id,
                        digest,
                        first_ns: [open_ns, key_ns, first_ns],
                        calls: 1,
                        warm: 0,
                        samples: Vec::new(),
                    });
                }
                // Not these parameters: the cell is simply not there.
                Ok(Reply::Unsupported { .. }) => {}
                Ok(other) => {
                    outcome
                        .failures
                        .push(trouble(slot, task, work, "error", &other.line()))
                }
                Err(fault) => outcome.failures.push(trouble(
                    slot,
                    task,
                    work,
                    fault.kind(),
                    &fault.to_string(),
                )),
            }
        }
        sampling
    }

    /// All libraries must give the same output for the timed input: those
    /// outvoted are not timed.
    fn agree(&mut self, task: &Task, sampling: &mut Vec<Sampling>, outcome: &mut Outcome) {
        // A masked variant has no vote of its own, unless there is no other.
        let variant = |slots: &[Slot], cell: &Sampling| adapters::is_variant(slots[cell.slot].id());
        let all = sampling.iter().all(|cell| variant(self.slots, cell));
        let mut votes: HashMap<u64, usize> = HashMap::new();
        for cell in sampling.iter() {
            let voice = usize::from(all || !variant(self.slots, cell));
            *votes.entry(cell.digest).or_default() += voice;
        }
        if votes.len() <= 1 {
            return;
        }
        let most = votes.values().copied().max().unwrap_or(0);
        let winners: Vec<u64> = votes
            .iter()
            .filter(|(_, n)| **n == most)
            .map(|(d, _)| *d)
            .collect();
        sampling.retain(|cell| {
            let right = winners == [cell.digest];
            if !right {
                let slot = &mut self.slots[cell.slot];
                let _ = slot.ask(&Request::Close { id: cell.id }, patience());
                outcome.failures.push(Failure {
                    expected: match winners[..] {
                        [digest] => format!("fingerprint {digest:016x}, as {most} libraries"),
                        _ => "one answer from all libraries".to_owned(),
                    },
                    got: format!("fingerprint {:016x}", cell.digest),
                    ..trouble_at(slot, task, "disagrees")
                });
            }
            right
        });
    }

    /// Finds for each library how many calls make a sample.
    fn calibrate(&mut self, task: &Task, sampling: &mut Vec<Sampling>, outcome: &mut Outcome) {
        let wanted = self.profile.sample_us as f64 * 1e3;
        sampling.retain_mut(|cell| {
            for _ in 0..24 {
                // The least of three has to be long enough: after one that something
                // interrupted, samples would be of one call, and mostly of the timer.
                let mut ns = f64::INFINITY;
                for _ in 0..3 {
                    match self.sample(task, cell, cell.calls, 0) {
                        Ok(sample) => ns = ns.min(sample.max(1.0)),
                        Err(failure) => {
                            outcome.failures.push(*failure);
                            return false;
                        }
                    }
                    if ns < wanted {
                        break;
                    }
                }
                if ns >= wanted {
                    break;
                }
                // At most tenfold at a time: the first calls are cold.
                let factor = (1.1 * wanted / ns).clamp(1.1, 10.0);
                cell.calls = (cell.calls as f64 * factor).ceil() as u64;
            }
            // Others have had the caches meanwhile; a call longer than a sample
            // warms itself.
            cell.warm = if cell.calls == 1 {
                0
            } else {
                cell.calls.div_ceil(10)
            };
            true
        });
    }

    fn sample(
        &mut self,
        task: &Task,
        cell: &Sampling,
        calls: u64,
        warm: u64,
    ) -> Result<f64, Box<Failure>> {
        let request = Request::Time {
            id: cell.id,
            calls,
            warm,
            threads: task.threads,
        };
        let slot = &mut self.slots[cell.slot];
        match slot.ask(&request, patience()) {
            Ok(Reply::Timed { ns, .. }) => Ok(ns as f64),
            Ok(other) => Err(Box::new(Failure {
                got: other.line(),
                ..trouble_at(slot, task, "error")
            })),
            Err(fault) => Err(Box::new(Failure {
                got: fault.to_string(),
                ..trouble_at(slot, task, fault.kind())
            })),
        }
    }

    /// Whether every library's ratio to the best is known as well as the
    /// profile asks.
    fn narrow(&self, sampling: &[Sampling]) -> bool {
        let per_call: Vec<Vec<f64>> = sampling
            .iter()
            .map(|cell| {
                cell.samples
                    .iter()
                    .map(|ns| ns / cell.calls as f64)
                    .collect()
            })
            .collect();
        let views: Vec<&[f64]> = per_call.iter().map(Vec::as_slice).collect();
        let ratios_are = rank::ratios(&views)
            .iter()
            .all(|(ratio, _)| ratio.relative_half_width() * 2.0 <= self.profile.target);
        // The best library's own ratio is always 1: its time counts instead.
        ratios_are
            && views.iter().all(|samples| {
                let own = crate::stats::median_interval(samples, 1);
                own.relative_half_width() * 2.0 <= self.profile.target
            })
    }

    /// Does the work once more with the first nonce: a changed answer voids the
    /// cell. What remains becomes the outcome's cells.
    fn close(
        &mut self,
        task: &Task,
        work: &Work,
        sampling: Vec<Sampling>,
        stop: &'static str,
        outcome: &mut Outcome,
    ) {
        for cell in sampling {
            let slot = &mut self.slots[cell.slot];
            match slot.ask(&Request::Run { id: cell.id }, patience()) {
                Ok(Reply::Ran { digest, .. }) if digest == cell.digest => {}
                Ok(Reply::Ran { digest, .. }) => {
                    outcome.failures.push(Failure {
                        expected: format!("fingerprint {:016x}, as before timing", cell.digest),
                        ..trouble(
                            slot,
                            task,
                            work,
                            "changed answer",
                            &format!("{digest:016x}"),
                        )
                    });
                    let _ = slot.ask(&Request::Close { id: cell.id }, patience());
                    continue;
                }
                Ok(other) => {
                    outcome
                        .failures
                        .push(trouble(slot, task, work, "error", &other.line()));
                    continue;
                }
                Err(fault) => {
                    outcome.failures.push(trouble(
                        slot,
                        task,
                        work,
                        fault.kind(),
                        &fault.to_string(),
                    ));
                    continue;
                }
            }
            let _ = slot.ask(&Request::Close { id: cell.id }, patience());
            let offer = slot
                .offer(&task.primitive, &task.operation)
                .cloned()
                .unwrap_or_default();
            outcome.cells.push(RawCell {
                library: slot.id().to_owned(),
                task: task.clone(),
                calls: cell.calls,
                stop,
                first_ns: cell.first_ns,
                mhz: None,
                flags: Vec::new(),
                api: offer.api,
                kernel: offer.kernel,
                note: offer.note,
                samples: cell.samples,
            });
        }
    }
}

/// A contract beyond the four goes by calls of its own. What they give must be
/// what [`Request::Check`] gives for each message, which known answers have
/// verified.
fn same_as_checked(
    slot: &mut Slot,
    task: &Task,
    work: &Work,
    fresh: bool,
    digest: u64,
) -> Result<(), Box<Failure>> {
    if !task.contract.is_extra() {
        return Ok(());
    }
    let mut outputs = Vec::new();
    for index in 0..task.messages {
        let request = Request::Check(work.nth(index, task.contract, fresh));
        match slot.ask(&request, patience()) {
            Ok(Reply::Output { output }) => outputs.extend(output),
            Ok(other) => {
                let got = format!("message {index}: {}", other.line());
                return Err(Box::new(trouble(slot, task, work, "error", &got)));
            }
            Err(fault) => {
                let kind = fault.kind();
                return Err(Box::new(trouble(
                    slot,
                    task,
                    work,
                    kind,
                    &fault.to_string(),
                )));
            }
        }
    }
    let expected = fnv1a(&outputs);
    if expected == digest {
        return Ok(());
    }
    Err(Box::new(Failure {
        expected: format!("fingerprint {expected:016x}, as the messages one by one"),
        ..trouble(slot, task, work, "disagrees", &format!("{digest:016x}"))
    }))
}

/// A note and one more.
pub(crate) fn join(note: &str, more: &str) -> String {
    if note.is_empty() {
        more.to_owned()
    } else {
        format!("{note}; {more}")
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

fn trouble(slot: &Slot, task: &Task, work: &Work, kind: &str, got: &str) -> Failure {
    let input = Request::Check(work.clone()).line();
    Failure {
        input: input.chars().take(600).collect(),
        got: got.to_owned(),
        ..trouble_at(slot, task, kind)
    }
}

/// The CPU that workers are pinned to and those left to the lab: the last one
/// that this process may use, and the others.
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

/// A seed that differs from run to run; it orders libraries within rounds and
/// decides nothing else.
pub fn seed() -> u64 {
    rand::rng().random()
}
