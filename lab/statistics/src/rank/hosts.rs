//! The model by which libraries are compared across machines:
//!
//! ```text
//! log time = cell + library + host + library × host
//! ```
//!
//! A cell is an algorithm at one size. The host's term says how fast the machine is, the library's
//! how fast the library is on all machines, and the last term how much better or worse the library
//! suits this machine than the others. That term is kept only where it matters: where it is larger
//! than [`MATTERS`] and than chance explains.
//!
//! The first three terms are found by moving the median of what is left at each cell, each library
//! and each host into that term, again and again (median polish: J. W. Tukey, *Exploratory Data
//! Analysis*, 1977). With medians, a library that suits one machine badly changes neither the term
//! of the machine nor the terms of the other libraries; and the table may have holes.

use std::collections::BTreeMap;

use crate::{median, student};

/// A change of a library's relative speed on a machine that matters: 2 %.
pub const MATTERS: f64 = 0.02;

/// The probability with which chance alone makes any term of the table seem to matter.
const CHANCE: f64 = 0.05;

/// Rounds of fitting after which the terms are taken as they are.
const ROUNDS: usize = 50;

/// A machine counts as slower or faster than its siblings from this difference on: 2 %.
pub const ASTRAY: f64 = 0.02;

/// A machine's difference must also be this number of times the siblings' usual difference.
const UNUSUAL: f64 = 4.0;

/// The siblings' usual difference is taken to be at least this.
const USUAL: f64 = 0.004;

/// The fewest machines that can tell which of them is unlike the others.
pub const SIBLINGS: usize = 3;

/// One library's time in a cell on a host; the numbers are places in the caller's lists.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Reading {
    /// The host.
    pub host: usize,
    /// The library.
    pub library: usize,
    /// The cell.
    pub cell: usize,
    /// The time.
    pub ns: f64,
}

/// How much better or worse a library suits a host than the other hosts.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Suits {
    /// The library's time divided by what library, host and cell alone predict.
    pub ratio: f64,
    /// Whether the difference matters, and chance does not explain it.
    pub matters: bool,
    /// Number of cells.
    pub cells: usize,
}

/// The fitted model.
#[derive(Debug, Clone)]
pub struct Fit {
    /// Each library's time divided by that of all libraries, over all hosts. `None` without cells.
    pub libraries: Vec<Option<f64>>,
    /// Each host's time divided by that of all hosts. `None` without cells.
    pub hosts: Vec<Option<f64>>,
    /// For each library and each host.
    pub suits: BTreeMap<(usize, usize), Suits>,
    /// The shares of library, host, and library × host in the sum of squares within cells; the rest
    /// is noise, and what is special to single cells of a library on a host.
    pub shares: [f64; 3],
}

/// Fits the model. Times must be above zero.
pub fn fit(readings: &[Reading]) -> Fit {
    let count = |place: &dyn Fn(&Reading) -> usize| {
        readings.iter().map(|one| place(one) + 1).max().unwrap_or(0)
    };
    let mut rest: Vec<f64> = readings.iter().map(|one| one.ns.ln()).collect();
    let mut cells = Factor::new(count(&|one| one.cell));
    let mut libraries = Factor::new(count(&|one| one.library));
    let mut hosts = Factor::new(count(&|one| one.host));
    let places =
        |place: fn(&Reading) -> usize| -> Vec<usize> { readings.iter().map(place).collect() };
    let (of_cell, of_library, of_host) = (
        places(|one| one.cell),
        places(|one| one.library),
        places(|one| one.host),
    );
    for _ in 0..ROUNDS {
        cells.sweep(&of_cell, &mut rest);
        let moved = libraries
            .sweep(&of_library, &mut rest)
            .max(hosts.sweep(&of_host, &mut rest));
        if moved < 1e-6 {
            break;
        }
    }
    libraries.centre();
    hosts.centre();
    let mut groups: BTreeMap<(usize, usize), Vec<f64>> = BTreeMap::new();
    for (reading, rest) in readings.iter().zip(&rest) {
        let group = groups.entry((reading.library, reading.host)).or_default();
        group.push(*rest);
    }
    let chance = CHANCE / groups.len().max(1) as f64;
    let (mut together, mut noise) = (0.0, 0.0);
    let suits = groups
        .into_iter()
        .map(|(key, rests)| {
            let number = rests.len() as f64;
            let mean = rests.iter().sum::<f64>() / number;
            together += number * mean * mean;
            noise += rests.iter().map(|rest| (rest - mean).powi(2)).sum::<f64>();
            let matters = rests.len() > 1 && mean.abs() >= MATTERS.ln_1p() && {
                let within: f64 = rests.iter().map(|rest| (rest - mean).powi(2)).sum();
                let error = (within / (number - 1.0) / number).sqrt();
                mean.abs() > error * student::critical(chance, number - 1.0)
            };
            let suits = Suits {
                ratio: mean.exp(),
                matters,
                cells: rests.len(),
            };
            (key, suits)
        })
        .collect();
    let parts = [
        libraries.explained(&of_library),
        hosts.explained(&of_host),
        together,
    ];
    let all = parts.iter().sum::<f64>() + noise;
    Fit {
        shares: parts.map(|part| if all > 0.0 { part / all } else { 0.0 }),
        libraries: libraries.ratios(),
        hosts: hosts.ratios(),
        suits,
    }
}

/// The terms of one factor.
struct Factor {
    terms: Vec<f64>,
    counts: Vec<usize>,
}

impl Factor {
    fn new(count: usize) -> Self {
        Self {
            terms: vec![0.0; count],
            counts: vec![0; count],
        }
    }

    /// Moves the median of what is left at each place into the place's term. Returns the largest
    /// move.
    fn sweep(&mut self, places: &[usize], rest: &mut [f64]) -> f64 {
        let mut groups: Vec<Vec<f64>> = vec![Vec::new(); self.terms.len()];
        for (&place, rest) in places.iter().zip(rest.iter()) {
            groups[place].push(*rest);
        }
        let mut moved: f64 = 0.0;
        let mut middles = vec![0.0; groups.len()];
        for (place, group) in groups.iter().enumerate() {
            self.counts[place] = group.len();
            if !group.is_empty() {
                middles[place] = median(group);
                self.terms[place] += middles[place];
                moved = moved.max(middles[place].abs());
            }
        }
        for (&place, rest) in places.iter().zip(rest.iter_mut()) {
            *rest -= middles[place];
        }
        moved
    }

    /// Returns the sum of squares of the terms over all times.
    fn explained(&self, places: &[usize]) -> f64 {
        places.iter().map(|&place| self.terms[place].powi(2)).sum()
    }

    /// Makes the mean of the terms zero.
    fn centre(&mut self) {
        let known = self
            .counts
            .iter()
            .filter(|&&count| count > 0)
            .count()
            .max(1);
        let mean = self.terms.iter().sum::<f64>() / known as f64;
        for (term, count) in self.terms.iter_mut().zip(&self.counts) {
            if *count > 0 {
                *term -= mean;
            }
        }
    }

    fn ratios(&self) -> Vec<Option<f64>> {
        let known = self.terms.iter().zip(&self.counts);
        known
            .map(|(term, count)| (*count > 0).then(|| term.exp()))
            .collect()
    }
}

/// A host's time divided by that of its siblings.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Sibling {
    /// The host.
    pub host: usize,
    /// The median over the cells and libraries of the time divided by the siblings' median.
    pub ratio: f64,
    /// Whether the host is unlike its siblings.
    pub astray: bool,
    /// Number of cells and libraries that were compared.
    pub cells: usize,
}

/// Compares hosts that should be alike. `None` if there are fewer than [`SIBLINGS`].
pub fn siblings(readings: &[Reading]) -> Option<Vec<Sibling>> {
    let mut groups: BTreeMap<(usize, usize), Vec<&Reading>> = BTreeMap::new();
    for reading in readings {
        let group = groups.entry((reading.cell, reading.library)).or_default();
        group.push(reading);
    }
    let mut logs: BTreeMap<usize, Vec<f64>> = BTreeMap::new();
    for group in groups.values().filter(|group| group.len() >= SIBLINGS) {
        let times: Vec<f64> = group.iter().map(|one| one.ns.ln()).collect();
        let middle = median(&times);
        for (reading, log) in group.iter().zip(times) {
            logs.entry(reading.host).or_default().push(log - middle);
        }
    }
    if logs.len() < SIBLINGS {
        return None;
    }
    let middles: Vec<(usize, f64, usize)> = logs
        .iter()
        .map(|(host, logs)| (*host, median(logs), logs.len()))
        .collect();
    let sizes: Vec<f64> = middles.iter().map(|(_, log, _)| log.abs()).collect();
    let usual = (1.4826 * median(&sizes)).max(USUAL);
    Some(
        middles
            .into_iter()
            .map(|(host, log, cells)| Sibling {
                host,
                ratio: log.exp(),
                astray: log.abs() >= ASTRAY.ln_1p() && log.abs() > UNUSUAL * usual,
                cells,
            })
            .collect(),
    )
}

/// A property of hosts that tells two groups of them apart.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Turn {
    /// The property, such as an instruction set.
    pub property: String,
    /// Whether the first group has it; otherwise the second group has it.
    pub first_has: bool,
    /// Number of hosts that it puts into the wrong group.
    pub wrong: usize,
}

/// Finds the properties that tell two groups of hosts apart best: those that put the fewest hosts
/// into the wrong group. A property that is no better than putting all hosts into the larger group
/// tells nothing, and is left out.
pub fn turns(first: &[Vec<&str>], second: &[Vec<&str>]) -> Vec<Turn> {
    let properties: std::collections::BTreeSet<&str> =
        first.iter().chain(second).flatten().copied().collect();
    let has = |group: &[Vec<&str>], property: &str| {
        group.iter().filter(|host| host.contains(&property)).count()
    };
    let worst = first.len().min(second.len());
    let mut found: Vec<Turn> = Vec::new();
    for property in properties {
        let (in_first, in_second) = (has(first, property), has(second, property));
        for (first_has, wrong) in [
            (true, first.len() - in_first + in_second),
            (false, in_first + second.len() - in_second),
        ] {
            if wrong < worst {
                found.push(Turn {
                    property: property.to_owned(),
                    first_has,
                    wrong,
                });
            }
        }
    }
    let best = found.iter().map(|turn| turn.wrong).min();
    found.retain(|turn| Some(turn.wrong) == best);
    found
}

#[cfg(test)]
mod tests;
