//! Measures tasks round by round until their times are precise enough.

use std::time::{Duration, Instant};

use rand::seq::SliceRandom;
use touchstone_wire::{Reply, Request};

use super::failure::trouble;
use super::measurer::{Live, Measurer, Outcome, Watcher};
use super::sampling::{ask, take_samples, unchanged};
use crate::machine;
use crate::profile::{Profile, Task};
use crate::rank::ratio;
use crate::session::Slot;
use crate::stats::{FEWEST, Series, median, quartiles, value_interval};
use crate::store::RawCell;
use crate::summary::join_notes;
use crate::worker::patience;

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

impl Measurer<'_> {
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
