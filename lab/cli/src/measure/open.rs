//! Opens the cells of tasks in every library that may be timed.

use std::collections::HashMap;

use touchstone_wire::{Data, Reply, Request, fnv1a};

use super::failure::{fault, trouble, trouble_at};
use super::measurer::{Live, Measurer};
use super::sampling::{Opening, Sampling, enough_calls};
use crate::catalogue;
use crate::operations::{self, Check};
use crate::profile::Task;
use crate::session::Slot;
use crate::stats::parallel;
use crate::summary::Failure;
use crate::verify::anyone;
use crate::worker::patience;

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
        let open = |(index, slot)| (index, open_each(index, slot, &live, &wanted[index]));
        let mut opened: Vec<(usize, Vec<Opened>)> = parallel::each(slow, open);
        opened.extend(quick.into_iter().map(open));
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
}

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
