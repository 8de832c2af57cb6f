//! The headline as sentences: which library leads, ties with another library, is behind,
//! or has no algorithm of a family. The sentences follow from the numbers alone, for any
//! library.

use serde::Serialize;

use super::headline::{Group, Headline, Quadrant, Row};
use crate::catalogue;

/// The sentence about one quadrant.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Verdict {
    /// The title, such as "Modern, 16 to 256 bytes".
    pub title: String,
    /// The sentence, such as "Nettle leads over 61 algorithms; …".
    pub sentence: String,
    /// Ids of the libraries in the first band.
    pub first: Vec<String>,
    /// Number of algorithms that were compared.
    pub algorithms: u32,
}

/// Returns one sentence for each quadrant about the library that leads it. `name` returns a
/// library's display name.
pub fn verdicts(headline: &Headline, name: &dyn Fn(&str) -> String) -> Vec<Verdict> {
    let verdict = |quadrant: &Quadrant| {
        let group = &quadrant.overall;
        let leader = group.rows.iter().find(|row| row.part == 1)?;
        let first: Vec<&Row> = band(group, 1).collect();
        let next = group.rows.iter().find(|row| row.part == 1 && row.band == 2);
        if !group.tells() {
            return Some(Verdict {
                title: title(quadrant),
                sentence: format!(
                    "{} are too few to tell libraries apart.",
                    share(group, leader)
                ),
                first: Vec::new(),
                algorithms: group.algorithms,
            });
        }
        let mut sentence = match &first[..] {
            [] | [_] => format!("{} leads", name(&leader.library)),
            [_, rest @ ..] => format!(
                "{} is first, level with {}",
                name(&leader.library),
                list(&few(&names(rest, name)))
            ),
        };
        sentence += &format!(" over {}", share(group, leader));
        if let Some(next) = next {
            sentence += &format!("; next {} at {}", name(&next.library), times(next));
        }
        let by_family = by_family(quadrant, &leader.library, name);
        if !by_family.is_empty() {
            sentence += &format!(". {}: {by_family}", name(&leader.library));
        }
        Some(Verdict {
            title: title(quadrant),
            sentence: sentence + ".",
            first: if first.is_empty() {
                vec![leader.library.clone()]
            } else {
                first.iter().map(|row| row.library.clone()).collect()
            },
            algorithms: group.algorithms,
        })
    };
    headline.quadrants.iter().filter_map(verdict).collect()
}

/// Returns one sentence for each quadrant about one library: where it leads, ties, is behind,
/// or has no algorithms.
pub fn of_library(
    headline: &Headline,
    library: &str,
    name: &dyn Fn(&str) -> String,
) -> Vec<(String, String)> {
    headline
        .quadrants
        .iter()
        .map(|quadrant| {
            let own = quadrant
                .overall
                .rows
                .iter()
                .find(|row| row.library == library);
            let sentence = match own {
                None => "none of these algorithms is shared with another library".to_owned(),
                Some(row) => {
                    let group = &quadrant.overall;
                    format!(
                        "{}: {}. By family: {}",
                        share(group, row),
                        standing(group, row, name),
                        by_family(quadrant, library, name)
                    )
                }
            };
            (title(quadrant), sentence + ".")
        })
        .collect()
}

/// Returns the title of a quadrant, such as "Modern, 16 to 256 bytes".
pub fn title(quadrant: &Quadrant) -> String {
    let standing = if quadrant.modern { "Modern" } else { "Legacy" };
    format!("{standing}, {}", quadrant.length.words())
}

/// Returns the standing in each family as a sentence part, such as "leads in hashes; level with
/// Nettle in MACs; behind AWS-LC in AEADs; none of the stream ciphers". Families with the same
/// standing are joined.
fn by_family(quadrant: &Quadrant, library: &str, name: &dyn Fn(&str) -> String) -> String {
    let mut said: Vec<(String, Vec<String>)> = Vec::new();
    for group in &quadrant.families {
        let row = group.rows.iter().find(|row| row.library == library);
        let what = match row {
            None => "has none of".to_owned(),
            Some(row) => standing(group, row, name) + " in",
        };
        let count = match row {
            Some(row) if row.algorithms < group.algorithms => {
                format!("{} of {}", row.algorithms, group.algorithms)
            }
            _ => group.algorithms.to_string(),
        };
        let family = format!("{} ({count})", catalogue::plural(&group.family));
        match said.iter_mut().find(|(known, _)| *known == what) {
            Some((_, families)) => families.push(family),
            None => said.push((what, vec![family])),
        }
    }
    let parts: Vec<String> = said
        .iter()
        .map(|(what, families)| format!("{what} {}", list(families)))
        .collect();
    parts.join("; ")
}

/// Returns the standing in a group, such as "leads", "level with Nettle", "behind AWS-LC (1.31
/// ×)".
fn standing(group: &Group, row: &Row, name: &dyn Fn(&str) -> String) -> String {
    if row.part != 1 {
        return "not comparable with most".to_owned();
    }
    if row.narrow {
        return "has too few".to_owned();
    }
    if !group.tells() {
        return "cannot be told from others".to_owned();
    }
    let first: Vec<&Row> = band(group, 1).collect();
    if row.band == 1 {
        let others: Vec<&Row> = first
            .into_iter()
            .filter(|other| other.library != row.library)
            .collect();
        return match &others[..] {
            [] => "leads".to_owned(),
            others => format!("level with {}", list(&few(&names(others, name)))),
        };
    }
    let leader = group.rows.iter().find(|row| row.part == 1);
    let leader = leader.map_or(String::new(), |leader| name(&leader.library));
    format!("behind {leader} ({:.2} ×)", row.ratio.mid)
}

fn band(group: &Group, band: u32) -> impl Iterator<Item = &Row> {
    let own = move |row: &&Row| row.part == 1 && row.band == band;
    group.rows.iter().filter(own)
}

fn names(rows: &[&Row], name: &dyn Fn(&str) -> String) -> Vec<String> {
    rows.iter().map(|row| name(&row.library)).collect()
}

/// Returns the first three names, and the number of names that are left out.
pub(crate) fn few(names: &[String]) -> Vec<String> {
    if names.len() <= 4 {
        return names.to_vec();
    }
    let mut few = names[..3].to_vec();
    few.push(format!("{} more", names.len() - 3));
    few
}

/// Returns the ratio, such as "1.31 times its time", with the interval if there is one.
fn times(row: &Row) -> String {
    let ratio = row.ratio;
    if ratio.is_known() {
        format!(
            "{:.2} times its time ({:.2} to {:.2})",
            ratio.mid, ratio.low, ratio.high
        )
    } else {
        format!("{:.2} times its time", ratio.mid)
    }
}

/// Returns the coverage, such as "63 of 85 algorithms" or "all 12 algorithms".
fn share(group: &Group, row: &Row) -> String {
    match (row.algorithms, group.algorithms) {
        (1, 1) => "1 algorithm".to_owned(),
        (own, all) if own == all => format!("all {all} algorithms"),
        (own, all) => format!("{own} of {all} algorithms"),
    }
}

/// Returns a list as "A", "A and B", or "A, B and C".
pub(crate) fn list(names: &[String]) -> String {
    match names {
        [] => String::new(),
        [one] => one.clone(),
        [rest @ .., last] => format!("{} and {last}", rest.join(", ")),
    }
}

#[cfg(test)]
mod tests;
