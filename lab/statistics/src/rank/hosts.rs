//! The model by which libraries are compared across machines:
//!
//! ```text
//! log time = cell + library + host + library × cell + host × cell + library × host
//! ```
//!
//! A cell is an algorithm at one size. The host's term says how fast the machine is, the library's
//! how fast the library is on all machines. Libraries differ by other factors at other algorithms,
//! and so do machines: the two terms with the cell take these differences. The last term says how
//! much better or worse the library suits this machine than the others, at all cells. It is kept only
//! where it matters: where it is larger than [`MATTERS`] and than chance explains.
//!
//! Terms are found by moving the median of what is left at each cell, each library and each host into
//! that term, again and again (median polish: J. W. Tukey, *Exploratory Data Analysis*, 1977). With
//! medians, a library that suits one machine badly changes neither the term of the machine nor the
//! terms of the other libraries; and the table may have holes. The last term is the mean of what a
//! median polish of each cell by libraries and hosts leaves.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use crate::{mean, median, student};

/// A change of a library's relative speed on a machine that matters: 2 %.
pub const MATTERS: f64 = 0.02;

/// The probability with which chance alone makes any term of the table seem to matter.
const CHANCE: f64 = 0.05;

/// The variance of few cells says little. So the usual variance counts beside that of a library on a
/// host, as much as this number of further cells (a moderated t-test: G. K. Smyth, *Linear Models and
/// Empirical Bayes Methods for Assessing Differential Expression*, 2004).
const PRIOR: f64 = 4.0;

/// The same where the table has one cell alone, and the differences of that cell have to tell noise
/// from what matters.
const PRIOR_OF_ONE: f64 = 3.0;

/// Rounds of fitting after which the terms are taken as they are.
const ROUNDS: usize = 50;

/// A machine counts as slower or faster than its siblings from this difference on: 2 %.
pub const ASTRAY: f64 = 0.02;

/// A machine's difference must also be this number of times the siblings' usual difference.
const UNUSUAL: f64 = 4.0;

/// Usual differences between machines are taken to be at least this.
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
    /// The library's time divided by what the other terms predict: the mean over the cells.
    pub ratio: f64,
    /// Whether the difference matters, and chance does not explain it.
    pub matters: bool,
    /// Number of cells that were compared.
    pub cells: usize,
}

impl Suits {
    /// Of a library that no other host has, or that is alone on a host.
    const UNKNOWN: Self = Self {
        ratio: 1.0,
        matters: false,
        cells: 0,
    };
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
    /// The shares of library, host (each at all cells and at single cells), and library × host in the
    /// sum of squares within cells; the rest is noise, and what is special to single cells of a
    /// library on a host.
    pub shares: [f64; 3],
}

impl Fit {
    /// Returns the libraries that suit a host better or worse than the others, each with the host; the
    /// largest difference comes first.
    pub fn outliers(&self) -> Vec<(usize, usize, Suits)> {
        let mut found: Vec<_> = self
            .suits
            .iter()
            .filter(|(_, suits)| suits.matters)
            .map(|((library, host), suits)| (*library, *host, *suits))
            .collect();
        found.sort_by(|a, b| b.2.ratio.ln().abs().total_cmp(&a.2.ratio.ln().abs()));
        found
    }

    /// Returns a library's time on a host, divided by that of all libraries there. `None` without
    /// cells.
    pub fn relative(&self, library: usize, host: usize) -> Option<(f64, Suits)> {
        let suits = self.suits.get(&(library, host))?;
        Some((self.libraries[library]? * suits.ratio, *suits))
    }

    /// Returns the libraries, the fastest first.
    pub fn by_speed(&self) -> Vec<usize> {
        let known = self.libraries.iter().enumerate();
        let mut order: Vec<(usize, f64)> = known
            .filter_map(|(library, ratio)| Some((library, (*ratio)?)))
            .collect();
        order.sort_by(|a, b| a.1.total_cmp(&b.1));
        order.into_iter().map(|(library, _)| library).collect()
    }
}

/// Fits the model. Times must be above zero.
pub fn fit(readings: &[Reading]) -> Fit {
    let mut rest: Vec<f64> = readings.iter().map(|one| one.ns.ln()).collect();
    let of_cell = Places::of(readings, |one| one.cell);
    let of_library = Places::of(readings, |one| one.library);
    let of_host = Places::of(readings, |one| one.host);
    let (mut libraries, mut hosts) = (Factor::new(&of_library), Factor::new(&of_host));
    let mut cells = Factor::new(&of_cell);
    polish(&mut [&mut cells, &mut libraries, &mut hosts], &mut rest);
    // The same for each cell by itself.
    let compared = compared(readings);
    let mut rest: Vec<f64> = compared.iter().map(|one| one.ns.ln()).collect();
    let of_cell = Places::of(&compared, |one| one.cell);
    let by_library = Places::of(&compared, |one| one.cell * of_library.count + one.library);
    let by_host = Places::of(&compared, |one| one.cell * of_host.count + one.host);
    let (mut in_libraries, mut in_hosts) = (Factor::new(&by_library), Factor::new(&by_host));
    polish(&mut [&mut in_libraries, &mut in_hosts], &mut rest);
    let (mut suits, [together, noise]) = suits(&compared, &rest);
    for one in readings {
        suits
            .entry((one.library, one.host))
            .or_insert(Suits::UNKNOWN);
    }
    let parts = [
        of_cell.squares(&in_libraries.values()),
        of_cell.squares(&in_hosts.values()),
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

/// Returns the readings that say which library suits which host: in a cell, a library is compared if
/// several hosts have it, and a host if it has several libraries.
fn compared(readings: &[Reading]) -> Vec<Reading> {
    let mut left = readings.to_vec();
    loop {
        let mut counts: HashMap<(usize, usize, bool), usize> = HashMap::new();
        for one in &left {
            *counts.entry((one.cell, one.library, true)).or_default() += 1;
            *counts.entry((one.cell, one.host, false)).or_default() += 1;
        }
        let before = left.len();
        left.retain(|one| {
            let keys = [(one.cell, one.library, true), (one.cell, one.host, false)];
            keys.iter().all(|key| counts[key] > 1)
        });
        if left.len() == before {
            return left;
        }
    }
}

/// Finds which library suits which host from what the other terms leave; and the sum of squares of
/// these terms, and of what they leave.
fn suits(readings: &[Reading], rest: &[f64]) -> (BTreeMap<(usize, usize), Suits>, [f64; 2]) {
    let mut groups: BTreeMap<(usize, usize), Vec<f64>> = BTreeMap::new();
    for (reading, rest) in readings.iter().zip(rest) {
        let group = groups.entry((reading.library, reading.host)).or_default();
        group.push(*rest);
    }
    let noise: f64 = groups.values().map(|rests| squares(rests)).sum();
    let shrunk = shrinking(readings);
    let (usual, prior) = usual(&groups);
    let usual = usual * shrunk;
    let chance = CHANCE / groups.len().max(1) as f64;
    let mut together = 0.0;
    let found = groups
        .into_iter()
        .map(|(key, rests)| {
            let number = rests.len() as f64;
            let mean = mean(&rests);
            together += number * mean * mean;
            let own = number - 1.0;
            let variance = (squares(&rests) * shrunk + prior * usual) / (own + prior);
            let error = (variance / number).sqrt();
            let is_certain = mean.abs() > error * student::critical(chance, own + prior);
            let suits = Suits {
                ratio: mean.exp(),
                matters: mean.abs() >= MATTERS.ln_1p() && is_certain,
                cells: rests.len(),
            };
            (key, suits)
        })
        .collect();
    (found, [together, noise])
}

/// The usual variance of what is left at a library on a host: the median over them, so that those
/// which differ by cell do not count. With it comes the number of cells for which it counts.
fn usual(groups: &BTreeMap<(usize, usize), Vec<f64>>) -> (f64, f64) {
    let several = groups.values().filter(|rests| rests.len() > 1);
    let variances: Vec<f64> = several
        .map(|rests| {
            let freedom = rests.len() as f64 - 1.0;
            // The median of a variance is below its mean (Wilson and Hilferty 1931).
            squares(rests) / freedom / (1.0 - 2.0 / (9.0 * freedom)).powi(3)
        })
        .collect();
    if !variances.is_empty() {
        return (median(&variances).max(USUAL.powi(2)), PRIOR);
    }
    let sizes = groups.values().flatten().map(|rest| rest.abs());
    let sizes: Vec<f64> = sizes.filter(|size| *size > 0.0).collect();
    let size = match sizes.is_empty() {
        true => USUAL,
        false => (1.4826 * median(&sizes)).max(USUAL),
    };
    (size.powi(2), PRIOR_OF_ONE)
}

/// By how much the terms of each cell's libraries and hosts have made variances smaller.
fn shrinking(readings: &[Reading]) -> f64 {
    let mut cells: BTreeMap<usize, [BTreeSet<usize>; 2]> = BTreeMap::new();
    for reading in readings {
        let [libraries, hosts] = cells.entry(reading.cell).or_default();
        libraries.insert(reading.library);
        hosts.insert(reading.host);
    }
    let terms: usize = cells
        .values()
        .map(|[libraries, hosts]| libraries.len() + hosts.len() - 1)
        .sum();
    let all = readings.len();
    all as f64 / all.saturating_sub(terms).max(1) as f64
}

/// Fits terms by median polish, and leaves the rest.
fn polish(factors: &mut [&mut Factor<'_>], rest: &mut [f64]) {
    for _ in 0..ROUNDS {
        let moves = factors.iter_mut().map(|factor| factor.sweep(rest));
        if moves.fold(0.0, f64::max) < 1e-6 {
            break;
        }
    }
}

/// The level of a factor at which each reading stands.
struct Places {
    count: usize,
    of: Vec<usize>,
}

impl Places {
    fn of(readings: &[Reading], place: impl Fn(&Reading) -> usize) -> Self {
        let of: Vec<usize> = readings.iter().map(place).collect();
        Self {
            count: of.iter().max().map_or(0, |last| last + 1),
            of,
        }
    }

    fn groups(&self, values: &[f64]) -> Vec<Vec<f64>> {
        let mut groups = vec![Vec::new(); self.count];
        for (&place, value) in self.of.iter().zip(values) {
            groups[place].push(*value);
        }
        groups
    }

    /// Returns the sum of squared differences from the mean of each level.
    fn squares(&self, values: &[f64]) -> f64 {
        let groups = self.groups(values);
        let groups = groups.iter().filter(|group| !group.is_empty());
        groups.map(|group| squares(group)).sum()
    }
}

/// The sum of squared differences from the mean.
fn squares(values: &[f64]) -> f64 {
    let mean = mean(values);
    values.iter().map(|value| (value - mean).powi(2)).sum()
}

/// The terms of one factor.
struct Factor<'a> {
    places: &'a Places,
    terms: Vec<f64>,
}

impl<'a> Factor<'a> {
    fn new(places: &'a Places) -> Self {
        Self {
            places,
            terms: vec![0.0; places.count],
        }
    }

    /// Moves the median of what is left at each place into the place's term. Returns the largest
    /// move.
    fn sweep(&mut self, rest: &mut [f64]) -> f64 {
        let middle = |group: &Vec<f64>| match group.is_empty() {
            true => 0.0,
            false => median(group),
        };
        let middles: Vec<f64> = self.places.groups(rest).iter().map(middle).collect();
        for (term, middle) in self.terms.iter_mut().zip(&middles) {
            *term += middle;
        }
        for (&place, rest) in self.places.of.iter().zip(rest.iter_mut()) {
            *rest -= middles[place];
        }
        middles
            .iter()
            .fold(0.0, |most, middle| most.max(middle.abs()))
    }

    /// Returns the term of each reading.
    fn values(&self) -> Vec<f64> {
        let places = self.places.of.iter();
        places.map(|&place| self.terms[place]).collect()
    }

    /// Returns the terms as factors of time, with a mean of one; `None` where there are no readings.
    fn ratios(&self) -> Vec<Option<f64>> {
        let is_known: BTreeSet<usize> = self.places.of.iter().copied().collect();
        let known: Vec<f64> = is_known.iter().map(|&place| self.terms[place]).collect();
        let middle = if known.is_empty() { 0.0 } else { mean(&known) };
        let terms = self.terms.iter().enumerate();
        terms
            .map(|(place, term)| is_known.contains(&place).then(|| (term - middle).exp()))
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
