//! Access to the cells of a run for views; it records which cells are missing.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet, HashMap};

use super::exhibit::Figure;
use crate::catalogue;
use crate::stats::{self, Interval};
use crate::summary::{Cell, Summary};

/// The most algorithms that a sentence about missing cells names.
const NAMED: usize = 6;

/// The key of a cell: primitive, operation, contract, bytes.
type Key<'a> = (&'a str, &'a str, &'a str, u64);

/// The cells of one task by library, each with its index in the summary.
pub type Cells<'a> = BTreeMap<&'a str, (usize, &'a Cell)>;

/// The cells of a run that have one thread and one message in a call, without masked variants.
#[derive(Debug)]
pub struct Lens<'a> {
    /// The run whose cells the views show.
    pub summary: &'a Summary,
    cells: HashMap<Key<'a>, Vec<usize>>,
    libraries: Vec<&'a str>,
    absent: RefCell<BTreeSet<(String, u64)>>,
    other: RefCell<String>,
}

impl<'a> Lens<'a> {
    /// Makes a lens on a run.
    pub fn new(summary: &'a Summary) -> Self {
        let mut cells: HashMap<Key<'a>, Vec<usize>> = HashMap::new();
        let masked: BTreeSet<&str> = summary
            .libraries
            .iter()
            .filter(|library| !library.mask.is_empty())
            .map(|library| library.id.as_str())
            .collect();
        for (index, cell) in summary.cells.iter().enumerate() {
            let masked = masked.contains(cell.library.as_str());
            if cell.threads == 1 && cell.messages == 1 && !masked {
                cells.entry(key(cell)).or_default().push(index);
            }
        }
        let mut libraries: Vec<&str> = summary
            .ranking
            .overall
            .iter()
            .map(|rank| rank.library.as_str())
            .collect();
        for library in &summary.libraries {
            let here = library.absent.is_empty() && library.mask.is_empty();
            if here && !libraries.contains(&library.id.as_str()) {
                libraries.push(&library.id);
            }
        }
        Self {
            summary,
            cells,
            libraries,
            absent: RefCell::default(),
            other: RefCell::default(),
        }
    }

    /// Returns the ids of the libraries that are present, sorted by rank.
    pub fn libraries(&self) -> &[&'a str] {
        &self.libraries
    }

    /// Returns a library's name, or its id if two libraries have the same name.
    pub fn name(&self, id: &str) -> String {
        self.summary.name(id)
    }

    /// Returns the cells of all libraries; if there is none, the missing cell is recorded.
    pub fn cells(
        &self,
        primitive: &str,
        operation: &str,
        contract: &str,
        bytes: u64,
    ) -> Vec<(usize, &'a Cell)> {
        let found = self.cells.get(&(primitive, operation, contract, bytes));
        if found.is_none() {
            self.lacks(primitive, operation, bytes);
        }
        found
            .into_iter()
            .flatten()
            .map(|&index| (index, &self.summary.cells[index]))
            .collect()
    }

    /// Returns the figures by library for the cells that [`Lens::cells`] returns.
    pub fn by_library(
        &self,
        primitive: &str,
        operation: &str,
        contract: &str,
        bytes: u64,
    ) -> Cells<'a> {
        self.cells(primitive, operation, contract, bytes)
            .into_iter()
            .map(|(index, cell)| (cell.library.as_str(), (index, cell)))
            .collect()
    }

    /// Records that the run lacks an algorithm.
    pub fn lacks(&self, primitive: &str, operation: &str, bytes: u64) {
        self.absent
            .borrow_mut()
            .insert((format!("{primitive} {operation}"), bytes));
    }

    /// Returns the hot cells of one size. `turn` converts the nanoseconds of a cell to the interval
    /// that is shown.
    pub fn hot(
        &self,
        primitive: &str,
        operation: &str,
        bytes: u64,
        turn: impl Fn(&Cell) -> Interval,
    ) -> BTreeMap<String, Figure> {
        self.cells(primitive, operation, "hot", bytes)
            .into_iter()
            .map(|(index, cell)| {
                let figure = Figure::measured(turn(cell), index, !cell.flags.is_empty());
                (cell.library.clone(), figure)
            })
            .collect()
    }

    /// Primitives and operations that any library of the run offers.
    pub fn offered(&self, wanted: impl Fn(&str, &str) -> bool) -> BTreeSet<(&'a str, &'a str)> {
        let verified = self.summary.verification.iter();
        let measured = self.summary.cells.iter();
        verified
            .map(|row| (row.primitive.as_str(), row.operation.as_str()))
            .chain(measured.map(|cell| (cell.primitive.as_str(), cell.operation.as_str())))
            .filter(|(primitive, operation)| wanted(primitive, operation))
            .collect()
    }

    /// Records that something else than cells is missing, and how to measure it.
    pub fn lacks_other(&self, text: &str) {
        text.clone_into(&mut self.other.borrow_mut());
    }

    /// Returns a text about the missing cells, and how to measure them. Empty if nothing is
    /// missing.
    pub fn missing(&self) -> String {
        let absent = self.absent.borrow();
        if absent.is_empty() {
            return self.other.borrow().clone();
        }
        let mut sizes: BTreeMap<&str, Vec<String>> = BTreeMap::new();
        for (algorithm, bytes) in absent.iter() {
            let list = sizes.entry(algorithm).or_default();
            if *bytes > 0 {
                list.push(bytes.to_string());
            }
        }
        let mut named: Vec<String> = sizes
            .iter()
            .take(NAMED)
            .map(|(algorithm, sizes)| match &sizes[..] {
                [] => format!("{algorithm} set-up"),
                [one] => format!("{algorithm} {one} {}", unit(algorithm)),
                [first, .., last] => format!("{algorithm} {first} … {last} {}", unit(algorithm)),
            })
            .collect();
        if sizes.len() > NAMED {
            named.push(format!("{} more", sizes.len() - NAMED));
        }
        let words = |place: fn(&str) -> Option<&str>| -> BTreeSet<&str> {
            sizes
                .keys()
                .filter_map(|algorithm| place(algorithm))
                .collect()
        };
        let primitives = words(|algorithm| Some(algorithm.split_once(' ')?.0));
        let operations = words(|algorithm| Some(algorithm.split_once(' ')?.1));
        let mut command = "touchstone run --profile standard".to_owned();
        if primitives.len() <= NAMED && operations.len() <= NAMED {
            let (first, then) = (any(&primitives), any(&operations));
            command += &format!(" --algorithm '^{first} {then}$'");
        }
        format!(
            "Not in run {}: {}.\nWhat a library here has of it is measured by: {command}",
            self.summary.run.id,
            named.join(", "),
        )
    }
}

/// Returns the sign of the unit of an algorithm's axis.
fn unit(algorithm: &str) -> &'static str {
    let (_, operation) = algorithm.split_once(' ').unwrap_or_default();
    catalogue::unit(operation).sign()
}

/// Returns a regular expression that matches any of the words.
fn any(words: &BTreeSet<&str>) -> String {
    let words: Vec<&str> = words.iter().copied().collect();
    match words[..] {
        [one] => one.to_owned(),
        _ => format!("({})", words.join("|")),
    }
}

fn key(cell: &Cell) -> Key<'_> {
    (&cell.primitive, &cell.operation, &cell.contract, cell.bytes)
}

/// Returns an interval multiplied by a number above zero.
pub fn scaled(interval: Interval, by: f64) -> Interval {
    Interval {
        low: interval.low * by,
        mid: interval.mid * by,
        high: interval.high * by,
    }
}

/// Returns the throughput of a cell in MiB per second.
pub fn mib_per_second(cell: &Cell) -> Interval {
    rate(cell.ns, cell.bytes as f64 * 1e9 / f64::from(1 << 20))
}

/// Returns the quotient of `much` and a time.
pub fn rate(time: Interval, much: f64) -> Interval {
    Interval {
        low: much / time.high,
        mid: much / time.mid,
        high: much / time.low,
    }
}

/// Returns the sum of two times; its interval combines the worst ends of both.
pub fn sum(a: Interval, b: Interval) -> Interval {
    Interval {
        low: a.low + b.low,
        mid: a.mid + b.mid,
        high: a.high + b.high,
    }
}

/// Returns the quotient of two times; its interval combines the worst ends of both.
pub fn over(a: Interval, b: Interval) -> Interval {
    stats::quotient(a, b).unwrap_or(Interval::exact(f64::NAN))
}
