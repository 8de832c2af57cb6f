//! The headline: which library is faster at what. It treats modern and legacy algorithms
//! separately; for each of them short and long messages; and for each of these all families
//! together and each family alone.
//!
//! Libraries are compared only over algorithms that they share ([`super::effects`]). All
//! algorithms have the same weight. Each ratio comes with the number of algorithms and an
//! interval. The interval shows how much the ratio would change if other algorithms had been
//! chosen and the measurement had been repeated.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};
use touchstone_wire::fnv1a;

use super::effects::{Algorithm, Effects, Entry};
use super::ratio::EQUIVALENT;
use super::{BROAD, Timed};
use crate::{self as stats, Interval, parallel};

/// Fewest and most bytes of a short message. The next constant has the fewest bytes of a long
/// message.
const SHORT: [u64; 2] = [16, 256];
const BULK: u64 = 4096;

/// The length of the messages, or another reason why algorithms are compared apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Length {
    /// Messages of 16 to 256 bytes.
    Short,
    /// Messages of 4 KiB and more.
    Bulk,
    /// Calls of key derivation and password hashing, whose time does not depend on the
    /// length.
    Call,
    /// Operations of public-key cryptography, whose time depends on the key.
    #[serde(rename = "public-key")]
    PublicKey,
}

impl Length {
    /// All lengths, in the order in which they are shown.
    pub const ALL: [Self; 4] = [Self::Short, Self::Bulk, Self::Call, Self::PublicKey];

    /// Returns the length as one word.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Short => "short",
            Self::Bulk => "bulk",
            Self::Call => "call",
            Self::PublicKey => "public-key",
        }
    }

    /// Returns the length in a few words.
    pub const fn words(self) -> &'static str {
        match self {
            Self::Short => "16 to 256 bytes",
            Self::Bulk => "4 KiB and more",
            Self::Call => "whole calls",
            Self::PublicKey => "public keys and integers",
        }
    }

    /// Returns the length of a cell's messages; `None` for lengths between short and long.
    fn of(cell: &Timed<'_>) -> Option<Self> {
        match cell.bytes {
            _ if cell.public_key => Some(Self::PublicKey),
            _ if cell.sizeless => Some(Self::Call),
            bytes if (SHORT[0]..=SHORT[1]).contains(&bytes) => Some(Self::Short),
            bytes if bytes >= BULK => Some(Self::Bulk),
            _ => None,
        }
    }
}

/// The contents of the headline.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Default)]
pub struct Headline {
    /// Modern before legacy, and short before bulk before whole calls before public keys. Only
    /// quadrants in which two libraries share an algorithm are listed.
    pub quadrants: Vec<Quadrant>,
}

/// Modern or legacy algorithms with one length of messages.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Quadrant {
    /// Whether its algorithms are modern; otherwise they are legacy.
    pub modern: bool,
    /// The length of the messages.
    pub length: Length,
    /// The comparison of libraries over all families.
    pub overall: Group,
    /// The comparison of libraries over each family.
    pub families: Vec<Group>,
    /// Each pair of libraries that share an algorithm.
    pub pairs: Vec<Pair>,
}

impl Quadrant {
    /// Returns the standing of the quadrant's algorithms: `modern` or `legacy`.
    pub const fn standing(&self) -> &'static str {
        if self.modern { "modern" } else { "legacy" }
    }
}

/// A comparison of libraries over a set of algorithms.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Group {
    /// The family of the algorithms; empty for all families together.
    pub family: String,
    /// Number of algorithms that at least two libraries have.
    pub algorithms: u32,
    /// The libraries: first the libraries with enough algorithms, sorted by ratio; then the others.
    pub rows: Vec<Row>,
}

impl Group {
    /// Returns whether the group has enough algorithms to tell libraries apart.
    pub fn tells(&self) -> bool {
        let compared = self.rows.iter().filter(|row| row.part == 1 && !row.narrow);
        compared.skip(1).any(|row| row.ratio.is_known())
    }
}

/// One library in a group.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Row {
    /// The library's id.
    pub library: String,
    /// The library's time divided by the leading library's time, by the model. Only a library with
    /// too few algorithms (`narrow`) can have a ratio below 1.
    pub ratio: Interval,
    /// The number of algorithms that the library shares with another library.
    pub algorithms: u32,
    /// Whether the library has less than [`BROAD`] of the algorithms, too few to be
    /// ranked with the others.
    pub narrow: bool,
    /// The band. All libraries of a band tie with the first library of the band. Band 1
    /// is the leader's; narrow libraries have band 0.
    pub band: u32,
    /// The part. Libraries of different parts share no algorithm, not even indirectly, so
    /// their ratios cannot be compared. The largest part is 1.
    pub part: u32,
}

/// A comparison of two libraries over the algorithms that both have.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Pair {
    /// The library whose time is the numerator.
    pub row: String,
    /// The library whose time is the denominator.
    pub column: String,
    /// Geometric mean of the ratios of all shared algorithms.
    pub ratio: f64,
    /// Number of algorithms that both libraries have.
    pub shared: u32,
}

/// Compares the libraries. The order of the cells does not matter; `families` gives the
/// order in which families are shown.
pub fn headline(cells: &[Timed<'_>], families: &[&str]) -> Headline {
    let mut quadrants = Vec::new();
    for modern in [true, false] {
        for length in Length::ALL {
            let own: Vec<&Timed<'_>> = cells
                .iter()
                .filter(|cell| cell.modern == modern && Length::of(cell) == Some(length))
                .collect();
            quadrants.extend(quadrant(&own, modern, length, families));
        }
    }
    Headline { quadrants }
}

/// The libraries and the algorithms of a quadrant, each algorithm with its family.
struct Study<'a> {
    libraries: Vec<&'a str>,
    algorithms: Vec<(&'a str, Algorithm)>,
}

impl<'a> Study<'a> {
    fn new(cells: &[&Timed<'a>]) -> Self {
        let libraries: BTreeSet<&str> = cells.iter().map(|cell| cell.library).collect();
        let libraries: Vec<&str> = libraries.into_iter().collect();
        let mut sizes: BTreeMap<(&str, &str), BTreeMap<u64, Vec<Entry<'_>>>> = BTreeMap::new();
        for cell in cells {
            let library = libraries
                .binary_search(&cell.library)
                .expect("every library is listed");
            sizes
                .entry((cell.family, cell.algorithm))
                .or_default()
                .entry(cell.bytes)
                .or_default()
                .push(Entry {
                    library,
                    series: cell.series,
                });
        }
        let sizes: Vec<_> = sizes
            .into_iter()
            .map(|(name, sizes)| {
                let mut sizes: Vec<Vec<Entry<'_>>> = sizes.into_values().collect();
                for size in &mut sizes {
                    size.sort_by_key(|entry| entry.library);
                }
                (name, sizes)
            })
            .collect();
        let algorithms = parallel::map(&sizes, |((family, algorithm), sizes)| {
            let algorithm = Algorithm::new(sizes, fnv1a(algorithm.as_bytes()))?;
            Some((*family, algorithm))
        });
        Self {
            libraries,
            algorithms: algorithms.into_iter().flatten().collect(),
        }
    }

    /// Compares the libraries over one family, or over all families if `family` is empty.
    fn group(&self, family: &str) -> Group {
        let own: Vec<&(&str, Algorithm)> = self
            .algorithms
            .iter()
            .filter(|(of, _)| family.is_empty() || *of == family)
            .collect();
        let algorithms: Vec<&Algorithm> = own.iter().map(|(_, algorithm)| algorithm).collect();
        let seed = stats::stream(fnv1a(family.as_bytes()), own.len() as u64);
        let effects = Effects::fit(&algorithms, self.libraries.len(), seed);
        let count = |library: &usize| {
            let has = |one: &&(&str, Algorithm)| one.1.libraries().contains(library);
            own.iter().copied().filter(has).count()
        };
        let mut parts: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        for library in 0..self.libraries.len() {
            if let Some(part) = effects.part(library) {
                parts.entry(part).or_default().push(library);
            }
        }
        let mut parts: Vec<Vec<usize>> = parts.into_values().collect();
        parts.sort_by_key(|part| std::cmp::Reverse(part.len()));
        let mut rows = Vec::new();
        for (index, mut part) in parts.into_iter().enumerate() {
            part.sort_by(|&a, &b| effects.term(a).total_cmp(&effects.term(b)));
            let enough = BROAD * own.len() as f64;
            let (broad, narrow): (Vec<usize>, Vec<usize>) = part
                .iter()
                .partition(|library| count(library) as f64 >= enough);
            let Some(&leader) = broad.first().or(narrow.first()) else {
                continue;
            };
            let mut row = |library: usize, narrow: bool, band: u32| {
                let ratio = effects.ratio(library, leader);
                rows.push(Row {
                    library: self.libraries[library].to_owned(),
                    ratio: ratio.expect("libraries of one part are comparable"),
                    algorithms: count(&library) as u32,
                    narrow,
                    band,
                    part: index as u32 + 1,
                });
            };
            let mut band = 0;
            let mut first = leader;
            for library in broad {
                let over_first = effects.ratio(library, first);
                if band == 0 || over_first.is_none_or(|ratio| !level(&ratio)) {
                    band += 1;
                    first = library;
                }
                row(library, false, band);
            }
            for library in narrow {
                row(library, true, 0);
            }
        }
        Group {
            family: family.to_owned(),
            algorithms: own.len() as u32,
            rows,
        }
    }

    fn pairs(&self) -> Vec<Pair> {
        let mut pairs = Vec::new();
        for (row, name) in self.libraries.iter().enumerate() {
            for (column, other) in self.libraries.iter().enumerate() {
                let logs: Vec<f64> = self
                    .algorithms
                    .iter()
                    .filter(|_| row != column)
                    .filter_map(|(_, algorithm)| algorithm.log_ratio(row, column))
                    .collect();
                if !logs.is_empty() {
                    pairs.push(Pair {
                        row: (*name).to_owned(),
                        column: (*other).to_owned(),
                        ratio: (logs.iter().sum::<f64>() / logs.len() as f64).exp(),
                        shared: logs.len() as u32,
                    });
                }
            }
        }
        pairs
    }
}

/// Returns whether two libraries tie. The interval covers another choice of algorithms. There are
/// few such pairs, so the interval is not made wider for multiple comparisons.
fn level(ratio: &Interval) -> bool {
    ratio.includes(1.0) || (ratio.mid - 1.0).abs() < EQUIVALENT
}

/// Makes a quadrant; `None` if no two libraries share an algorithm.
fn quadrant(
    cells: &[&Timed<'_>],
    modern: bool,
    length: Length,
    families: &[&str],
) -> Option<Quadrant> {
    let study = Study::new(cells);
    if study.algorithms.is_empty() {
        return None;
    }
    let mut present: Vec<&str> = study.algorithms.iter().map(|(family, _)| *family).collect();
    present.dedup();
    let place = |family: &&str| families.iter().position(|known| known == family);
    present.sort_by_key(|family| place(family).unwrap_or(usize::MAX));
    // The group of all families takes longest, so it is the first.
    present.insert(0, "");
    let mut groups = parallel::map(&present, |family| study.group(family)).into_iter();
    Some(Quadrant {
        modern,
        length,
        overall: groups.next()?,
        families: groups.collect(),
        pairs: study.pairs(),
    })
}
