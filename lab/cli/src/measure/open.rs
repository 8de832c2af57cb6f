//! Opening the cells of tasks in every library that may be timed.

use std::collections::HashMap;

use touchstone_wire::{Data, Reply, Request, fnv1a};

use super::{Live, Measurer, Opening, Sampling, fault, sample, trouble, trouble_at};
use crate::operations::{self, Check, Statistic};
use crate::profile::Task;
use crate::session::Slot;
use crate::summary::Failure;
use crate::verify::anyone;
use crate::worker::patience;
use crate::{adapters, catalogue};

/// Calls of a sample, at least, where their times have a heavy tail.
const CALLS_OF_A_MEAN: u64 = 32;

/// What opening a cell came to; `None` where the library does not take the
/// parameters.
type Opened = Option<Result<Sampling, Box<Failure>>>;

impl Measurer<'_> {
    /// Opens the cells of some tasks, and finds how many calls make a sample.
    pub(super) fn open<'t>(&mut self, tasks: &'t [Task]) -> Vec<Live<'t>> {
        let mut live: Vec<Live<'t>> = tasks.iter().filter_map(|task| self.prepare(task)).collect();
        let wanted: Vec<Vec<Option<u32>>> = (0..self.slots.len())
            .map(|slot| live.iter().map(|one| self.admit(slot, one.task)).collect())
            .collect();

        // First messages are timed, so one worker after the other. But a run-time
        // that compiles takes long, most of it waiting until its compiler rests, and
        // its first times are as they fall: those go side by side.
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
        // In the order of the libraries, whoever was first.
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
            self.agree(one);
            self.calibrate(one);
        }
        live
    }

    /// A task with its work; `None` where nobody can make a message for it.
    fn prepare<'t>(&mut self, task: &'t Task) -> Option<Live<'t>> {
        // Key set-up alone does no message, but the cell's first call does.
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
            repeats: operation.check == Check::Exact,
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

    /// A number for a library's cell, if the task may be timed there.
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

    /// All libraries must give the same output for the timed input: those
    /// outvoted are not timed.
    fn agree(&mut self, live: &mut Live<'_>) {
        if !live.opening.repeats {
            return;
        }
        let (task, sampling, failures) = (live.task, &mut live.cells, &mut live.failures);
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

    /// Finds for each library how many calls make a sample.
    fn calibrate(&mut self, live: &mut Live<'_>) {
        let wanted = self.profile.sample_us as f64 * 1e3;
        let (slots, task, opening, failures) = (
            &mut *self.slots,
            live.task,
            &live.opening,
            &mut live.failures,
        );
        live.cells.retain_mut(|cell| {
            let slot = &mut slots[cell.slot];
            for _ in 0..24 {
                // The least of three has to be long enough: after one that something
                // interrupted, samples would be of one call, and mostly of the timer.
                let mut ns = f64::INFINITY;
                for _ in 0..3 {
                    match sample(slot, task, opening, cell, cell.calls, 0) {
                        Ok(sample) => ns = ns.min(sample.max(1.0)),
                        Err(failure) => {
                            failures.push(*failure);
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
            // Of a heavy tail each sample holds its part.
            if opening.statistic == Statistic::Mean {
                cell.calls = cell.calls.max(CALLS_OF_A_MEAN);
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
}

/// Opens the cells of one library that have a number.
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
                        samples: Vec::new(),
                        processes: Vec::new(),
                    })
                }),
        ),
        // Not these parameters: the cell is simply not there.
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

/// A contract beyond the four goes by calls of its own. What they give must be
/// what [`Request::Check`] gives for each message, which known answers have
/// verified.
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
