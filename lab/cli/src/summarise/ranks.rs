//! Ranks the libraries of a run, and finds the versions and builds that another one represents.

use std::collections::BTreeMap;

use touchstone_wire::Contract;

use crate::rank::headline::{Headline, headline};
use crate::rank::paper::Ranking;
use crate::rank::{self, Timed};
use crate::summary::{Cell, Library};
use crate::{adapters, catalogue, standing};

/// Computes the ranks over the cells that count: the paper's rank and the headline. Also returns
/// the libraries that have no row in the headline (the function `variants`).
pub fn rankings(
    libraries: &[Library],
    cells: &[Cell],
) -> (Ranking, Headline, Vec<(String, String)>) {
    ranks_of(libraries, cells, true)
}

/// Like [`rankings`]; without the paper's rank if `paper` is false.
pub(super) fn ranks_of(
    libraries: &[Library],
    cells: &[Cell],
    paper: bool,
) -> (Ranking, Headline, Vec<(String, String)>) {
    let algorithms: Vec<String> = cells
        .iter()
        .map(|cell| format!("{} {}", cell.primitive, cell.operation))
        .collect();
    let timed: Vec<Timed<'_>> = cells
        .iter()
        .zip(&algorithms)
        .filter(|(cell, _)| counts(cell))
        .map(|(cell, algorithm)| Timed {
            library: &cell.library,
            family: &cell.family,
            algorithm,
            modern: standing::is_modern(&cell.primitive, &cell.operation),
            bytes: cell.bytes,
            sizeless: catalogue::is_per_call(&cell.operation),
            public_key: catalogue::is_public_key(&cell.family),
            series: cell.series(),
        })
        .collect();
    let variants = variants(libraries);
    let stands_for_itself =
        |cell: &&Timed<'_>| !variants.iter().any(|(variant, _)| variant == cell.library);
    let rivals: Vec<Timed<'_>> = timed.iter().filter(stands_for_itself).copied().collect();
    let ranking = if paper {
        rank::paper::rank(&timed)
    } else {
        Ranking::default()
    };
    (ranking, headline(&rivals, &catalogue::FAMILIES), variants)
}

/// Returns whether a cell counts for ranks.
fn counts(cell: &Cell) -> bool {
    cell.counts
        && cell.contract == Contract::Hot.name()
        && !adapters::is_variant(&cell.library)
        && cell.threads == 1
        && cell.flags.is_empty()
        && !cell.samples.is_empty()
        && cell.samples.iter().all(|&s| s.is_finite() && s > 0.0)
}

/// Finds versions and builds of one library, which are not ranked against each other. The newest
/// version of the library itself represents all of them. If the run has only other builds of the
/// library, the newest build represents them. Returns pairs: the id of a library that has no row of
/// its own, and the id of the library that represents it.
pub(crate) fn variants(libraries: &[Library]) -> Vec<(String, String)> {
    let mut projects: BTreeMap<&str, Vec<&Library>> = BTreeMap::new();
    let unmasked = |library: &&Library| library.mask.is_empty() && library.absent.is_empty();
    for library in libraries.iter().filter(unmasked) {
        projects.entry(library.project()).or_default().push(library);
    }
    let mut variants = Vec::new();
    for (_, mut versions) in projects {
        versions.sort_by_key(|library| {
            let newest_first = std::cmp::Reverse(numbers(&library.version));
            (!library.variant_of.is_empty(), newest_first, &library.id)
        });
        if let [first, rest @ ..] = &versions[..] {
            variants.extend(rest.iter().map(|one| (one.id.clone(), first.id.clone())));
        }
    }
    variants
}

/// Returns the numbers in a version, by which versions are sorted.
fn numbers(version: &str) -> Vec<u64> {
    version
        .split(|c: char| !c.is_ascii_digit())
        .filter_map(|number| number.parse().ok())
        .collect()
}
