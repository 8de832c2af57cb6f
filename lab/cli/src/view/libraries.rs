//! The comparison of Aulov and Gorbenko (2012): facts, coverage, RANK of each function
//! and real speeds, and the order of libraries that results.

use std::collections::BTreeMap;

use super::BULK;
use super::exhibit::{Exhibit, Figure};
use super::lens::{Lens, rate};
use super::published::{Published, Sheet};
use crate::catalogue;
use crate::rank::paper::{Direction, Measure, PublishedRank, published_rank};
use crate::stats::Interval;

/// The paper's symmetric functions with today's algorithms: heading, primitive,
/// operation, bytes.
const FUNCTIONS: [(&str, &str, &str, u64); 4] = [
    ("AES-192", "aes-192", "ecb-encrypt", BULK),
    ("TDES", "des-ede3", "ecb-encrypt", BULK),
    ("HMAC-SHA-1", "hmac-sha-1", "mac", 256),
    ("SHA-1", "sha-1", "hash", 256),
];

/// The paper's name of an algorithm, with prefixes of ids.
type Algorithm = (&'static str, &'static [&'static str]);

/// The columns of the paper's Table 3. Each lists the algorithms with prefixes of the ids
/// (`primitive operation`) that they have here.
const COVERAGE: [(&str, &[Algorithm]); 4] = [
    (
        "ciphers",
        &[
            ("AES", &["aes-"]),
            ("GOST 28147", &["gost28147"]),
            ("Serpent", &["serpent-"]),
            ("TDES", &["des-ede3"]),
            ("Twofish", &["twofish-"]),
        ],
    ),
    (
        "streams",
        &[
            ("Panama", &["panama"]),
            ("RC4", &["rc4"]),
            ("Salsa20", &["salsa20 "]),
            ("Sosemanuk", &["sosemanuk"]),
            ("Turing", &["turing"]),
            ("XSalsa20", &["xsalsa20 "]),
        ],
    ),
    (
        "MACs",
        &[
            ("ANSI X9.19", &["des retail-mac"]),
            ("CBC-MAC", &["aes-128 cbc-mac", "aes-256 cbc-mac"]),
            ("CMAC", &["aes-128 cmac", "aes-256 cmac"]),
            ("DES-MAC", &["des cbc-mac"]),
            ("DMAC", &["dmac"]),
            ("GMAC", &["aes-128 gmac", "aes-256 gmac"]),
            ("GOST 28147 MAC", &["gost28147 mac"]),
            ("HMAC", &["hmac-"]),
            ("UMAC", &["umac-"]),
            ("VMAC", &["vmac-"]),
        ],
    ),
    (
        "hashes",
        &[
            ("GOST 34.11", &["gost94", "streebog-"]),
            ("Keccak", &["keccak-", "sha3-"]),
            ("RIPEMD-256", &["ripemd-256"]),
            ("RIPEMD-320", &["ripemd-320"]),
            ("SHA-1", &["sha-1 "]),
            ("SHA-2", &["sha-256 "]),
            ("Skein-512", &["skein-512 "]),
            ("Tiger", &["tiger"]),
            ("Whirlpool", &["whirlpool"]),
        ],
    ),
];

pub(super) fn make(lens: &Lens<'_>) -> anyhow::Result<Vec<Exhibit>> {
    let work = Published::open("libraries")?;
    let sheets = ["1", "3", "4", "5"].map(|name| work.sheet(name));
    let [facts_then, coverage_then, ranks_then, speeds_then] = sheets;
    let ranks_then = ranks_then?;
    let speeds_then = speeds_then?;
    let below = format!("below: {}", work.source);
    Ok(vec![
        facts(lens, &facts_then?).note(&below),
        coverage(lens, &coverage_then?).note(format!(
            "of the paper's algorithms those that answered rightly in this run, and how many; {below}"
        )),
        ranks(lens).note(
            "time over the best library's; RANK is their geometric mean over what is there. AES and \
             TDES in ECB, 16 KiB; HMAC-SHA-1 and SHA-1 256 bytes. Public-key and integer functions \
             (Table 2, and MUL to ECDSA of Tables 4 and 5) are out of this lab's scope",
        ),
        speeds(lens),
        printed("Table 4 of 2012: RANK of each function, lower is better", &ranks_then)
            .note(format!("{}; {}", work.source, work.machine)),
        printed("Table 5 of 2012: speeds, higher is better by its headings", &speeds_then)
            .note("AES and TDES headed KB/s, signatures op/s, HMAC and SHA-1 without a unit"),
        order(&ranks_then, &speeds_then).note(
            "printed: the RANK column; cells: the geometric mean of the row, which is what the \
             formula asks for, and not what is printed for MIRACL; least and most: the same from \
             Table 5, the least value of a column taken as best, as the paper does, and the most, as \
             KB/s and op/s ask for. In brackets the place",
        ),
    ])
}

fn facts(lens: &Lens<'_>, sheet: &Sheet) -> Exhibit {
    let heads = ["library", "type", "licence", "version", "language"];
    let mut exhibit = Exhibit::list("Libraries: what they are", &heads);
    for id in lens.libraries() {
        let Some(library) = lens.summary.libraries.iter().find(|l| l.id == *id) else {
            continue;
        };
        let offers = lens
            .summary
            .verification
            .iter()
            .filter(|row| row.library == *id);
        let has: Vec<&str> = offers.map(|row| row.family.as_str()).collect();
        let families: Vec<&str> = catalogue::FAMILIES
            .iter()
            .copied()
            .filter(|family| has.contains(family))
            .collect();
        let of = |text: &str| {
            if text.is_empty() {
                Figure::none()
            } else {
                Figure::text(text)
            }
        };
        let figures = [
            &families.join(", "),
            &library.licence,
            &library.version,
            &library.language,
        ];
        exhibit.library(lens, id, figures.map(|text| of(text)).to_vec());
    }
    for (name, values) in &sheet.rows {
        exhibit.published(name, values.iter().cloned().chain(["C or C++".to_owned()]));
    }
    exhibit
}

fn coverage(lens: &Lens<'_>, sheet: &Sheet) -> Exhibit {
    let heads = ["library", ">has", "ciphers", "streams", "MACs", "hashes"];
    let mut exhibit = Exhibit::list("Coverage of the paper's algorithms", &heads);
    let of: usize = COVERAGE
        .iter()
        .map(|(_, algorithms)| algorithms.len())
        .sum();
    for id in lens.libraries() {
        let right: Vec<String> = lens
            .summary
            .verification
            .iter()
            .filter(|row| row.library == *id && row.passed + row.agreed > 0)
            .map(|row| format!("{} {}", row.primitive, row.operation))
            .collect();
        let mut count = 0;
        let mut figures: Vec<Figure> = COVERAGE
            .iter()
            .map(|(_, algorithms)| {
                let has: Vec<&str> = algorithms
                    .iter()
                    .filter(|(_, ids)| ids.iter().any(|id| right.iter().any(|r| r.starts_with(id))))
                    .map(|(name, _)| *name)
                    .collect();
                count += has.len();
                if has.is_empty() {
                    Figure::none()
                } else {
                    Figure::text(has.join(", "))
                }
            })
            .collect();
        figures.insert(0, Figure::text(format!("{count}/{of}")));
        exhibit.library(lens, id, figures);
    }
    for (name, values) in &sheet.rows {
        let count: usize = values
            .iter()
            .filter(|v| *v != "-")
            .map(|v| v.split(", ").count())
            .sum();
        let count = format!("{count}/{of}");
        exhibit.published(name, [count].into_iter().chain(values.iter().cloned()));
    }
    exhibit
}

/// Returns the times of the paper's functions by library.
fn times(lens: &Lens<'_>) -> BTreeMap<&'static str, BTreeMap<String, Figure>> {
    FUNCTIONS
        .into_iter()
        .map(|(head, primitive, operation, bytes)| {
            (head, lens.hot(primitive, operation, bytes, |cell| cell.ns))
        })
        .collect()
}

fn ranks(lens: &Lens<'_>) -> Exhibit {
    let times = times(lens);
    let table: Vec<(String, Vec<Measure>)> = lens
        .libraries()
        .iter()
        .map(|id| {
            let measures = FUNCTIONS.iter().filter_map(|(head, ..)| {
                let figure = times[head].get(*id).filter(|figure| !figure.flagged)?;
                Some(Measure {
                    column: (*head).to_owned(),
                    value: figure.value?.mid,
                    direction: Direction::Less,
                })
            });
            ((*id).to_owned(), measures.collect())
        })
        .collect();
    let heads = [
        "library",
        ">AES-192",
        ">TDES",
        ">HMAC-SHA-1",
        ">SHA-1",
        ">RANK",
        ">of",
    ];
    let mut exhibit = Exhibit::list(
        "Table 4 today: RANK of each function, lower is better",
        &heads,
    );
    for rank in published_rank(&table) {
        let mut figures: Vec<Figure> = FUNCTIONS
            .iter()
            .map(|(head, ..)| {
                let ratio = rank.ratios.iter().find(|(column, _)| column == head);
                let cell = times[head]
                    .get(&rank.library)
                    .and_then(|figure| figure.cell);
                ratio.map_or_else(Figure::none, |(_, ratio)| Figure {
                    value: Some(Interval::exact(*ratio)),
                    cell,
                    ..Figure::text(format!("{ratio:.2}"))
                })
            })
            .collect();
        figures.push(Figure::text(format!("{:.2}", rank.rank)));
        figures.push(Figure::text(format!("{}/{}", rank.ratios.len(), rank.of)));
        exhibit.library(lens, &rank.library, figures);
    }
    exhibit
}

fn speeds(lens: &Lens<'_>) -> Exhibit {
    let found: Vec<_> = FUNCTIONS
        .iter()
        .map(|&(_, primitive, operation, bytes)| {
            lens.hot(primitive, operation, bytes, |cell| {
                rate(cell.ns, cell.bytes as f64 * 1e3)
            })
        })
        .collect();
    let heads = ["library", ">AES-192", ">TDES", ">HMAC-SHA-1", ">SHA-1"];
    let mut exhibit = Exhibit::list("Table 5 today: MB/s, higher is better", &heads);
    for id in lens.libraries() {
        if found.iter().any(|column| column.contains_key(*id)) {
            let figures = found
                .iter()
                .map(|c| c.get(*id).cloned().unwrap_or_else(Figure::none));
            exhibit.library(lens, id, figures.collect());
        }
    }
    exhibit
}

fn printed(title: &str, sheet: &Sheet) -> Exhibit {
    let heads: Vec<String> = sheet
        .columns
        .iter()
        .map(|column| format!(">{column}"))
        .collect();
    let heads: Vec<&str> = ["library"]
        .into_iter()
        .chain(heads.iter().map(String::as_str))
        .collect();
    let mut exhibit = Exhibit::list(title, &heads);
    for (name, values) in &sheet.rows {
        exhibit.published(name, values.iter().cloned());
    }
    exhibit
}

fn order(ranks: &Sheet, speeds: &Sheet) -> Exhibit {
    let by = |sheet: &Sheet, direction| published_rank(&sheet.measures(direction, &["RANK"]));
    let mut printed: Vec<PublishedRank> = ranks
        .rows
        .iter()
        .filter_map(|(library, _)| {
            Some(PublishedRank {
                library: library.clone(),
                rank: ranks.number(library, "RANK")?,
                ratios: Vec::new(),
                of: 0,
            })
        })
        .collect();
    printed.sort_by(|a, b| a.rank.total_cmp(&b.rank));
    let columns = [
        printed,
        by(ranks, Direction::Less),
        by(speeds, Direction::Less),
        by(speeds, Direction::More),
    ];
    let heads = [
        "library",
        ">printed",
        ">cells",
        ">Table 5, least",
        ">Table 5, most",
    ];
    let mut exhibit = Exhibit::list(
        "The paper's order, and the one that its headings ask for",
        &heads,
    );
    for (library, _) in &ranks.rows {
        let texts = columns.iter().map(|ranks| {
            let place = ranks.iter().position(|rank| rank.library == *library);
            place.map_or("-".into(), |place| {
                format!("{:.2} ({})", ranks[place].rank, place + 1)
            })
        });
        exhibit.published(library, texts);
    }
    exhibit
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn coverage_knows_every_algorithm_of_the_paper() {
        let sheet = Published::open("libraries").unwrap().sheet("3").unwrap();
        let mut seen = 0;
        for (column, algorithms) in COVERAGE {
            for (library, _) in &sheet.rows {
                let cell = sheet.text(library, column);
                for name in cell.split(", ").filter(|name| *name != "–") {
                    assert!(algorithms.iter().any(|(known, _)| *known == name), "{name}");
                    seen += 1;
                }
            }
        }
        assert_eq!(seen, 70);
    }
}
