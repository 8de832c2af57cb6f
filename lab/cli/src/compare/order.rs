//! Compares the order in which two runs put the libraries of each task.

use super::by_task;
use crate::adapters;
use crate::rank::ratio;
use crate::summary::{Cell, Summary};

/// How well the orders of two runs agree, over all pairs of libraries of all tasks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Order {
    /// Number of pairs that are a tie in both runs.
    pub ties: usize,
    /// Number of pairs that are no tie in at least one run, and have the same order in both.
    pub agreed: usize,
    /// Number of pairs that are no tie in at least one run, and have opposite orders.
    pub reversed: usize,
    /// Number of reversed pairs that are a tie in neither run.
    pub contradicted: usize,
}

impl Order {
    /// Kendall's tau over the pairs that are not ties: 1 if the order is the same
    /// everywhere. `None` if every pair is a tie.
    pub fn tau(&self) -> Option<f64> {
        let pairs = self.agreed + self.reversed;
        (pairs > 0).then(|| (self.agreed as f64 - self.reversed as f64) / pairs as f64)
    }
}

/// Compares the orders in the tasks that both runs have.
pub fn order(before: &Summary, now: &Summary) -> Order {
    let tasks = [by_task(before), by_task(now)];
    let mut found = Order::default();
    for (key, old) in &tasks[0] {
        let Some(new) = tasks[1].get(key) else {
            continue;
        };
        let both: Vec<[&Cell; 2]> = old
            .iter()
            .filter(|(library, _)| !adapters::is_variant(library))
            .filter_map(|(library, cell)| Some([*cell, *new.get(library)?]))
            .filter(|pair| pair.iter().all(|cell| cell.flags.is_empty()))
            .collect();
        for (index, a) in both.iter().enumerate() {
            for b in &both[..index] {
                let ratios = [0, 1].map(|run| ratio::ratio(a[run].series(), b[run].series()));
                let ties = ratios.map(|ratio| ratio::ties(&ratio));
                let same = (ratios[0].mid > 1.0) == (ratios[1].mid > 1.0);
                match (ties, same) {
                    ([true, true], _) => found.ties += 1,
                    (_, true) => found.agreed += 1,
                    ([false, false], false) => {
                        found.reversed += 1;
                        found.contradicted += 1;
                    }
                    (_, false) => found.reversed += 1,
                }
            }
        }
    }
    found
}
