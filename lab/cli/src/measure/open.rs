//! Opens the cells of tasks in every library that may be timed.

use std::collections::HashMap;

use touchstone_wire::{Data, Reply, Request, fnv1a};

use super::{Live, Measurer, Opening, Sampling, fault, sample, trouble, trouble_at};
use crate::catalogue;
use crate::operations::{self, Check};
use crate::profile::Task;
use crate::session::Slot;
use crate::stats::Statistic;
use crate::summary::Failure;
use crate::verify::anyone;
use crate::worker::patience;

/// Least number of calls in a round, if slow calls are a normal part of the operation.
const CALLS_OF_A_MEAN: u64 = 32;

/// The result of opening a cell; `None` if the library does not support the parameters.
type Opened = Option<Result<Sampling, Box<Failure>>>;

impl Measurer<'_> {
    /// Opens the cells of some tasks, and determines how many calls make up a sample.
    pub(super) fn open<'t>(&mut self, tasks: &'t [Task]) -> Vec<Live<'t>> {
        let mut live: Vec<Live<'t>> = tasks.iter().filter_map(|task| self.prepare(task)).collect();
        let wanted: Vec<Vec<Option<u32>>> = (0..self.slots.len())
            .map(|slot| live.iter().map(|one| self.admit(slot, one.task)).collect())
            .collect();

        // The first message is timed, so most workers open their cells one worker after the other.
        // Virtual machines that compile code are slow, because opening a cell waits until the
        // compiler is idle. The times of their first calls are not exact in any case, so these
        // workers open cells in parallel.
        let (slow, quick): (Vec<_>, Vec<_>) = self
            .slots
            .iter_mut()
            .enumerate()
            .partition(|(_, slot)| slot.has_threads());
        let mut opened: Vec<(usize, Vec<Opened>)> = std::thread::scope(|scope| {
            let opening: Vec<_> = slow
                .into_iter()
                .map(|(index, slot)| {
                    let (live, wanted) = (&live, &wanted[index]);
                    scope.spawn(move || (index, open_each(index, slot, live, wanted)))
                })
                .collect();
            opening
                .into_iter()
                .map(|thread| thread.join().expect("opening does not panic"))
                .collect()
        });
        for (index, slot) in quick {
            opened.push((index, open_each(index, slot, &live, &wanted[index])));
        }
        // Sorts by library, because the order in which libraries became ready is random.
        opened.sort_by_key(|(index, _)| *index);
        for (_, cells) in opened {
            for (one, cell) in live.iter_mut().zip(cells) {
                match cell {
                    Some(Ok(cell)) => one.cells.push(cell),
                    Some(Err(failure)) => one.failures.push(*failure),
                    None => {}
                }
            }
        }
        for one in &mut live {
            // If every library refuses the lab's input, the fault is the lab's.
            if one.cells.is_empty() && one.failures.iter().all(|f| f.kind == "error") {
                for failure in &mut one.failures {
                    "not accepted".clone_into(&mut failure.kind);
                }
            }
            self.agree(one);
            self.calibrate(one);
        }
        live
    }

    /// Makes the input of a task; `None` if no library can make it.
    fn prepare<'t>(&mut self, task: &'t Task) -> Option<Live<'t>> {
        // A cell that measures only key set-up has no message, but its first call needs
        // one.
        let bytes = match task.bytes {
            0 => catalogue::usual_bytes(&task.primitive, &task.operation),
            bytes => bytes,
        };
        let operation = operations::find(&task.operation)?;
        let ask = &mut anyone(self.slots);
        let work = operation.timed(&task.primitive, bytes, ask)?;
        let opening = Opening {
            vary: operation.vary(task.contract),
            second: operation.second(&work, bytes, task.contract, ask)?,
            repeats: catalogue::check(&task.primitive, operation) == Check::Exact,
            statistic: operation.statistic,
            work,
        };
        Some(Live {
            task,
            opening,
            cells: Vec::new(),
            failures: Vec::new(),
            rounds: 0,
            clocks: Vec::new(),
            spent: std::time::Duration::ZERO,
        })
    }

    /// Returns a number for a library's cell, if the library may be timed in the task.
    fn admit(&mut self, slot: usize, task: &Task) -> Option<u32> {
        let slot = &self.slots[slot];
        let mask = slot.candidate.mask.as_str();
        let allowed = slot.usable()
            && slot.takes(&task.primitive, &task.operation, task.contract)
            && (slot.candidate.everywhere
                || self.profile.masks_of(task, self.selection).contains(mask))
            && self
                .verified
                .has(slot.id(), &task.primitive, &task.operation);
        allowed.then(|| {
            self.next_id += 1;
            self.next_id
        })
    }

    /// Compares the outputs of all libraries for the timed input. Only the libraries with the most
    /// frequent output are timed. If two or more outputs share the first place, no library is
    /// timed.
    fn agree(&mut self, live: &mut Live<'_>) {
        if !live.opening.repeats {
            return;
        }
        let (task, sampling, failures) = (live.task, &mut live.cells, &mut live.failures);
        // Masked variants and other builds have no vote. If the task has no other libraries, all
        // of them have a vote.
        let variant = |slots: &[Slot], cell: &Sampling| slots[cell.slot].facts.is_build();
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
                failures.push(Failure {
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

    /// Determines for each library how many calls make up a sample.
    fn calibrate(&mut self, live: &mut Live<'_>) {
        let wanted = self.shortest_sample_ns(live.task);
        let (slots, failures) = (&mut *self.slots, &mut live.failures);
        let (task, opening) = (live.task, &live.opening);
        live.cells.retain_mut(|cell| {
            let made = enough_calls(&mut slots[cell.slot], task, opening, cell, wanted);
            made.map_err(|failure| failures.push(*failure)).is_ok()
        });
    }

    /// The shortest sample that a task may have, in nanoseconds.
    pub(super) fn shortest_sample_ns(&self, task: &Task) -> f64 {
        let wanted = self.profile.sample_us as f64 * 1e3;
        if task.threads > 1 {
            wanted.max(SAMPLE_OF_THREADS_NS)
        } else {
            wanted
        }
    }
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

/// A call of this length, in nanoseconds, is timed without a call before it. A first call with cold
/// caches and cold predictions of branches takes up to 0.1 ms longer than the next call (OpenSSL's
/// verification by P-256, whose table has 150 KiB), which is 2 % of such a call.
const LONG_CALL_NS: f64 = 5e6;

/// The shortest sample of several threads, in nanoseconds. Threads begin some ten microseconds
/// apart, and after a thread has ended, the other threads have the machine to themselves. Both
/// effects must be a small part of the sample.
const SAMPLE_OF_THREADS_NS: f64 = 2e6;

/// Opens the numbered cells of one library.
fn open_each(
    index: usize,
    slot: &mut Slot,
    live: &[Live<'_>],
    wanted: &[Option<u32>],
) -> Vec<Opened> {
    live.iter()
        .zip(wanted)
        .map(|(one, id)| open_one(index, slot, one.task, &one.opening, (*id)?))
        .collect()
}

fn open_one(index: usize, slot: &mut Slot, task: &Task, opening: &Opening, id: u32) -> Opened {
    let work = &opening.work;
    if !slot.usable() {
        return None;
    }
    match slot.ask_at_ease(&opening.request(id, task), patience()) {
        Ok(Reply::Opened {
            open_ns,
            key_ns,
            first_ns,
            digest,
            ..
        }) => Some(
            same_as_checked(slot, task, opening, digest)
                .inspect_err(|_| {
                    let _ = slot.ask(&Request::Close { id }, patience());
                })
                .and_then(|()| {
                    Ok(Sampling {
                        slot: index,
                        id,
                        process: slot.process().map_err(|f| fault(slot, task, work, &f))?,
                        digest,
                        first_ns: [open_ns, key_ns, first_ns],
                        calls: 1,
                        warm: 0,
                        each: 1,
                        samples: Vec::new(),
                        processes: Vec::new(),
                    })
                }),
        ),
        // The library does not support these parameters, so there is no cell.
        Ok(Reply::Unsupported { .. }) => None,
        Ok(other) => Some(Err(Box::new(trouble(
            slot,
            task,
            work,
            "error",
            &other.line(),
        )))),
        Err(f) => Some(Err(fault(slot, task, work, &f))),
    }
}

/// Cells of `many` and similar contracts use other library calls than [`Request::Check`].
/// Checks that these calls and `Check` give the same output for each message, because `Check`
/// was verified by known answers.
fn same_as_checked(
    slot: &mut Slot,
    task: &Task,
    opening: &Opening,
    digest: u64,
) -> Result<(), Box<Failure>> {
    if !task.contract.is_extra() || !opening.repeats {
        return Ok(());
    }
    let work = &opening.work;
    let mut all = Vec::new();
    for index in 0..task.messages {
        let check = Request::Check {
            work: work.nth(index, &opening.vary),
        };
        match slot.ask(&check, patience()) {
            Ok(Reply::Output { outputs }) => all.extend(outputs.values().flat_map(Data::to_vec)),
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
    let expected = fnv1a(&all);
    if expected == digest {
        return Ok(());
    }
    Err(Box::new(Failure {
        expected: format!("fingerprint {expected:016x}, as the messages one by one"),
        ..trouble(slot, task, work, "disagrees", &format!("{digest:016x}"))
    }))
}
