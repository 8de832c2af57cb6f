//! `touchstone rank`: shows which library is faster at what, in a stored run.

mod paper;
#[cfg(test)]
mod tests;

use clap::Args;
use clap_complete::engine::ArgValueCandidates;

use super::{End, Global, Usage};
use crate::catalogue;
use crate::rank::headline::{Group, Length, Quadrant, Row};
use crate::rank::verdict;
use crate::stats::Interval;
use crate::summarise::summarise_ranks;
use crate::summary::Summary;
use crate::table::{Entry, Format, Table};

#[derive(Debug, Args)]
#[command(after_help = "Examples:
  touchstone rank --library openssl             where one library stands
  touchstone rank --pairs")]
pub(super) struct Options {
    /// The run's number [default: the newest over all libraries and algorithms]
    #[arg(add = ArgValueCandidates::new(super::completions::runs))]
    run: Option<i64>,
    /// Show each library's ratio in each family, with its interval
    #[arg(long)]
    families: bool,
    /// Compare each pair of libraries over the algorithms that both have
    #[arg(long)]
    pairs: bool,
    /// Show where this library leads, ties, is behind or is missing (repeatable); `all`
    /// shows each library that has enough algorithms
    #[arg(long = "library", value_name = "NAME")]
    libraries: Vec<String>,
    /// Show RANK as Aulov and Gorbenko (2012) define it
    #[arg(long)]
    paper: bool,
    /// Show RANK of each library in each algorithm
    #[arg(long)]
    algorithms: bool,
}

pub(super) fn run(global: &Global, options: &Options) -> anyhow::Result<End> {
    let store = global.read_store()?;
    let run = global.run_to_show(&store, options.run)?.id;
    let summary = summarise_ranks(&store, run, options.paper || options.algorithms)?;
    let mut tables = Vec::new();
    if options.families {
        tables.extend(families(&summary, global.format));
    }
    if options.pairs {
        tables.extend(pairs(&summary, global.format));
    }
    if !options.libraries.is_empty() {
        tables.push(standings(&summary, &options.libraries)?);
    }
    if options.paper {
        tables.push(paper::overall(&summary));
    }
    if options.algorithms {
        tables.push(paper::algorithms(&summary));
    }
    if tables.is_empty() {
        tables = headline(&summary, global.format);
    }
    let empty = tables.iter().all(|table| table.rows.is_empty());
    global.print(&tables)?;
    Ok(if empty {
        End::NothingToMeasure
    } else {
        End::Good
    })
}

/// Returns the headline: one sentence for each quadrant, a table that compares the libraries, and
/// the fastest library of each family. Other programs get one row for each number instead.
pub(super) fn headline(summary: &Summary, format: Format) -> Vec<Table> {
    if format != Format::Table {
        return vec![numbers(summary), sentences(summary)];
    }
    vec![sentences(summary), side_by_side(summary), firsts(summary)]
}

fn sentences(summary: &Summary) -> Table {
    let mut table = Table::new(
        "verdicts",
        format!("Who is faster, {}", summary.machine.line),
        &["algorithms", "verdict"],
    );
    for verdict in verdict::verdicts(&summary.headline, &|id| summary.name(id)) {
        table.row([verdict.title, verdict.sentence]);
    }
    table
}

/// Formats a ratio for people: in brackets if the library has too few algorithms, with a
/// sign if the library ties with the first of its band.
fn text(group: &Group, row: &Row) -> String {
    let ratio = significant(row.ratio.mid);
    let band = |other: &&Row| other.band == row.band && other.part == row.part;
    let part = if row.part > 1 { "†" } else { "" };
    if row.narrow {
        format!("({ratio}){part}")
    } else if group.rows.iter().filter(band).count() > 1 {
        format!("={ratio}{part}")
    } else {
        format!("{ratio}{part}")
    }
}

/// Formats a ratio with three significant digits, and at most two after the decimal
/// point.
fn significant(ratio: f64) -> String {
    match ratio {
        r if r < 9.995 => format!("{r:.2}"),
        r if r < 99.95 => format!("{r:.1}"),
        r => format!("{r:.0}"),
    }
}

/// Returns a library's name and version, short enough for a row: without the build and further
/// parts of the version.
pub(super) fn label(summary: &Summary, id: &str) -> String {
    let name = summary.name(id);
    let full = summary.versioned(id);
    let version = full[name.len()..].split([',', '+']).next();
    name + version.unwrap_or_default()
}

fn side_by_side(summary: &Summary) -> Table {
    let long = |quadrant: &&Quadrant| matches!(quadrant.length, Length::Short | Length::Bulk);
    let quadrants: Vec<&Quadrant> = summary.headline.quadrants.iter().filter(long).collect();
    let mut table = Table {
        name: "ranks".into(),
        title: "Time over the leading library's, over shared algorithms; 1 is best".into(),
        columns: vec!["library".into()],
        ..Table::default()
    };
    for quadrant in &quadrants {
        let head = format!(">{}\n{}", quadrant.standing(), quadrant.length.name());
        table.columns.extend([head, ">\nn".into()]);
    }
    let mut order: Vec<&str> = Vec::new();
    for row in quadrants.iter().flat_map(|quadrant| &quadrant.overall.rows) {
        if !order.contains(&row.library.as_str()) {
            order.push(&row.library);
        }
    }
    for library in order {
        let mut cells = vec![label(summary, library)];
        for quadrant in &quadrants {
            let group = &quadrant.overall;
            match group.rows.iter().find(|row| row.library == library) {
                Some(row) => cells.extend([text(group, row), row.algorithms.to_string()]),
                None => cells.extend(["–".into(), "–".into()]),
            }
        }
        table.row(cells);
    }
    let sizes: Vec<String> = Length::ALL[..2]
        .iter()
        .map(|length| format!("{}: {}", length.name(), length.words()))
        .collect();
    table.footnote = format!(
        "{}; n: algorithms that it shares with another library; = level with others, over \
         another choice of algorithms; (…) less than a quarter of the algorithms. Rows in \
         the order of the first column; columns are not to be compared with each other.{}",
        sizes.join(", "),
        variants(summary)
    );
    table.remark(&summary.handicaps(ranked(&quadrants)));
    table
}

/// Returns the ids of the libraries that have a row in these quadrants.
fn ranked<'a>(quadrants: &[&'a Quadrant]) -> impl Iterator<Item = &'a str> {
    let rows = quadrants.iter().flat_map(|quadrant| &quadrant.overall.rows);
    rows.map(|row| row.library.as_str())
}

/// Says which versions and builds have no row, and why.
fn variants(summary: &Summary) -> String {
    let stands = |(variant, library): &(String, String)| {
        format!(
            "{} for {}",
            summary.versioned(library),
            summary.versioned(variant)
        )
    };
    let all: Vec<String> = summary.variants.iter().map(stands).collect();
    if all.is_empty() {
        String::new()
    } else {
        format!(" One row a library: {}.", all.join(", "))
    }
}

/// Returns a table of the fastest and the second library of each family.
fn firsts(summary: &Summary) -> Table {
    let mut table = Table::new(
        "families",
        "By family: the first, and what the next takes of its time",
        &["algorithms", "family", ">n", "first", "next"],
    );
    let mut last = String::new();
    for quadrant in &summary.headline.quadrants {
        for group in &quadrant.families {
            let name = |row: &Row| summary.name(&row.library);
            let of = |band| {
                let own = move |row: &&Row| row.part == 1 && row.band == band;
                group.rows.iter().filter(own).collect::<Vec<_>>()
            };
            let first = of(1);
            let mut names: Vec<String> = first.iter().take(2).map(|row| name(row)).collect();
            if first.len() > 2 {
                names.push(format!("{} more", first.len() - 2));
            }
            let sign = if first.len() > 1 { "= " } else { "" };
            let next = of(2);
            let next = next.first().map_or("–".into(), |row| {
                format!("{} {}", name(row), significant(row.ratio.mid))
            });
            let title = format!("{} {}", quadrant.standing(), quadrant.length.name());
            let (first, next) = if group.tells() {
                (format!("{sign}{}", names.join(", ")), next)
            } else {
                ("too few to tell".into(), "–".into())
            };
            table.row([
                if title == last {
                    String::new()
                } else {
                    title.clone()
                },
                group.family.replace("password", "crypt"),
                group.algorithms.to_string(),
                first,
                next,
            ]);
            last = title;
        }
    }
    table.footnote = "= these cannot be told apart; touchstone rank --families has every \
                      library, --library NAME where one stands, --pairs each pair"
        .into();
    table
}

/// Returns one end of an interval; a dash if there are too few samples for an interval.
pub(super) fn end(interval: Interval, end: f64) -> Entry {
    if interval.is_known() {
        Entry::number(end, format!("{end:.3}"))
    } else {
        Entry::none()
    }
}

/// Returns a ratio with three digits after the decimal point.
pub(super) fn ratio(ratio: f64) -> Entry {
    Entry::number(ratio, format!("{ratio:.3}"))
}

/// Returns all numbers of the headline, one in each row, for other programs.
fn numbers(summary: &Summary) -> Table {
    let mut table = Table::new(
        "ranks",
        "Time over the leading library's, over shared algorithms; 1 is best",
        &[
            "standing",
            "length",
            "family",
            "library",
            "version",
            ">ratio",
            ">from",
            ">to",
            ">algorithms",
            ">of",
            ">band",
            ">narrow",
            ">part",
        ],
    );
    for quadrant in &summary.headline.quadrants {
        for group in std::iter::once(&quadrant.overall).chain(&quadrant.families) {
            for row in &group.rows {
                let version = summary.libraries.iter().find(|l| l.id == row.library);
                table.row([
                    quadrant.standing().into(),
                    quadrant.length.name().into(),
                    if group.family.is_empty() {
                        "all".into()
                    } else {
                        group.family.clone().into()
                    },
                    summary.name(&row.library).into(),
                    version.map_or("", |library| &library.version).into(),
                    ratio(row.ratio.mid),
                    end(row.ratio, row.ratio.low),
                    end(row.ratio, row.ratio.high),
                    row.algorithms.to_string().into(),
                    group.algorithms.to_string().into(),
                    if row.narrow {
                        Entry::none()
                    } else {
                        row.band.to_string().into()
                    },
                    u8::from(row.narrow).to_string().into(),
                    row.part.to_string().into(),
                ]);
            }
        }
    }
    let quadrants: Vec<&Quadrant> = summary.headline.quadrants.iter().collect();
    table.remark(&summary.handicaps(ranked(&quadrants)));
    table
}

/// Returns a table for each quadrant, with a row for each library of each family.
fn families(summary: &Summary, format: Format) -> Vec<Table> {
    if format != Format::Table {
        return vec![numbers(summary)];
    }
    let quadrant = |quadrant: &Quadrant| {
        let mut table = Table::new(
            "families",
            format!(
                "{}: time over the leading library's; 1 is best",
                verdict::title(quadrant)
            ),
            &["family", "library", ">ratio", ">95 %", ">n"],
        );
        for group in std::iter::once(&quadrant.overall).chain(&quadrant.families) {
            let mut family = match group.family.as_str() {
                "" => "all",
                family => catalogue::column(family),
            };
            for row in &group.rows {
                table.row([
                    std::mem::take(&mut family).into(),
                    label(summary, &row.library),
                    text(group, row),
                    row.ratio.ends().map_or("–".into(), |[low, high]| {
                        format!("{}–{}", significant(low), significant(high))
                    }),
                    row.algorithms.to_string(),
                ]);
            }
        }
        let apart = |group: &Group| group.rows.iter().any(|row| row.part > 1);
        table.footnote = "95 %: interval of the ratio, over another choice of algorithms; n: \
                          algorithms behind the ratio; = level with others; (…) less than a \
                          quarter of the algorithms"
            .into();
        if apart(&quadrant.overall) || quadrant.families.iter().any(apart) {
            table.footnote += "; † shares no algorithm with the leading library";
        }
        table.remark(&summary.handicaps(ranked(&[quadrant])));
        table
    };
    summary.headline.quadrants.iter().map(quadrant).collect()
}

/// Returns the matrix of pairs: the time of the row's library divided by the time of the column's
/// library. Other programs get one row for each pair.
fn pairs(summary: &Summary, format: Format) -> Vec<Table> {
    let title = "Time of the row's library over the column's, over what both have";
    if format != Format::Table {
        let columns = ["standing", "length", "row", "column", ">ratio", ">shared"];
        let mut table = Table::new("pairs", title, &columns);
        for quadrant in &summary.headline.quadrants {
            for pair in &quadrant.pairs {
                table.row([
                    quadrant.standing().into(),
                    quadrant.length.name().into(),
                    summary.name(&pair.row).into(),
                    summary.name(&pair.column).into(),
                    ratio(pair.ratio),
                    pair.shared.to_string().into(),
                ]);
            }
        }
        return vec![table];
    }
    let matrix = |quadrant: &Quadrant| {
        let rows = &quadrant.overall.rows;
        let mut table = Table {
            name: "pairs".into(),
            title: format!("{}: {}", verdict::title(quadrant), title.to_lowercase()),
            columns: vec!["library".into()],
            folds: true,
            footnote: "geometric mean, below 1 where the row's is faster; after it the number \
                       of algorithms that both have"
                .into(),
            ..Table::default()
        };
        let names = rows
            .iter()
            .map(|row| format!(">{}", summary.name(&row.library)));
        table.columns.extend(names);
        for row in rows {
            let mut cells = vec![label(summary, &row.library)];
            cells.extend(rows.iter().map(|column| {
                let pair = quadrant
                    .pairs
                    .iter()
                    .find(|pair| (&pair.row, &pair.column) == (&row.library, &column.library));
                pair.map_or("–".into(), |pair| {
                    format!("{} {:>2}", significant(pair.ratio), pair.shared)
                })
            }));
            table.row(cells);
        }
        table
    };
    summary.headline.quadrants.iter().map(matrix).collect()
}

/// Returns the sentences that say where libraries stand in each quadrant and family.
fn standings(summary: &Summary, asked: &[String]) -> anyhow::Result<Table> {
    let rows = || {
        let quadrants = summary.headline.quadrants.iter();
        quadrants.flat_map(|quadrant| &quadrant.overall.rows)
    };
    let mut ranked: Vec<&str> = rows().map(|row| row.library.as_str()).collect();
    ranked.sort_unstable();
    ranked.dedup();
    let broad = |id: &str| rows().any(|row| row.library == id && !row.narrow);
    let mut chosen: Vec<&str> = Vec::new();
    for wish in asked {
        let is_it = |id: &&str| {
            wish == "all" && broad(id)
                || id.eq_ignore_ascii_case(wish)
                || summary.name(id).eq_ignore_ascii_case(wish)
        };
        let found: Vec<&str> = ranked.iter().copied().filter(is_it).collect();
        if found.is_empty() {
            return Err(Usage(format!(
                "the headline has no library {wish:?}; there are {}",
                ranked.join(", ")
            ))
            .into());
        }
        chosen.extend(found);
    }
    let mut table = Table::new(
        "standings",
        "Where they stand",
        &["library", "algorithms", "standing"],
    );
    for id in chosen {
        let sentences = verdict::of_library(&summary.headline, id, &|id| summary.name(id));
        for (index, (title, sentence)) in sentences.into_iter().enumerate() {
            let name = summary.versioned(id);
            table.row([
                if index == 0 { name } else { String::new() },
                title,
                sentence,
            ]);
        }
    }
    Ok(table)
}

/// Returns the name of a library: see [`Summary::name`].
pub(super) fn name(summary: &Summary, id: &str) -> String {
    summary.name(id)
}
