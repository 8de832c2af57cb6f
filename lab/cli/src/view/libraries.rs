//! The comparison of Aulov and Gorbenko (2012): facts, coverage, RANK of each function
//! and real speeds, and the order of libraries that results.

use std::collections::BTreeMap;

use serde::Deserialize;

use super::exhibit::{Exhibit, Figure};
use super::lens::{Lens, rate};
use super::published::{Published, Sheet};
use super::{BULK, criteria, weights};
use crate::catalogue;
use crate::rank::paper::{Direction, Measure, PublishedRank, published_rank};
use crate::stats::{self, Interval};
use crate::summary::Cell;

/// A function of the paper's Table 4 with today's algorithms.
struct Function {
    heading: &'static str,
    /// The algorithms and the sizes that are the function's parameters: primitive, operation, and
    /// the position on the operation's axis, which is 0 without an axis.
    parameters: &'static [(&'static str, &'static str, u64)],
}

/// The functions in the order of the table. Points are multiplied over binary fields. By xGCD the
/// paper means the inverse of a number.
const FUNCTIONS: [Function; 12] = [
    Function {
        heading: "MUL",
        parameters: &[
            ("integer", "multiply", 256),
            ("integer", "multiply", 512),
            ("integer", "multiply", 1024),
            ("integer", "multiply", 2048),
            ("integer", "multiply", 4096),
        ],
    },
    Function {
        heading: "POWMOD",
        parameters: &[
            ("integer", "powmod", 512),
            ("integer", "powmod", 1024),
            ("integer", "powmod", 2048),
        ],
    },
    Function {
        heading: "xGCD",
        parameters: &[
            ("integer", "invert", 256),
            ("integer", "invert", 1024),
            ("integer", "invert", 2048),
        ],
    },
    Function {
        heading: "ECMUL",
        parameters: &[
            ("k233", "multiply-point", 0),
            ("b283", "multiply-point", 0),
            ("k409", "multiply-point", 0),
        ],
    },
    Function {
        heading: "AES-192",
        parameters: &[("aes-192", "ecb-encrypt", BULK)],
    },
    Function {
        heading: "TDES",
        parameters: &[("des-ede3", "ecb-encrypt", BULK)],
    },
    Function {
        heading: "RSA sign",
        parameters: &[("rsa-2048-pkcs1-sha-256", "sign", 64)],
    },
    Function {
        heading: "RSA verify",
        parameters: &[("rsa-2048-pkcs1-sha-256", "verify", 64)],
    },
    Function {
        heading: "ECDSA sign",
        parameters: &[("ecdsa-b283-sha-256", "sign", 64)],
    },
    Function {
        heading: "ECDSA verify",
        parameters: &[("ecdsa-b283-sha-256", "verify", 64)],
    },
    Function {
        heading: "HMAC-SHA-1",
        parameters: &[("hmac-sha-1", "mac", 256)],
    },
    Function {
        heading: "SHA-1",
        parameters: &[("sha-1", "hash", 256)],
    },
];

/// How libraries calculate: `data/methods.toml`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Methods {
    library: Vec<Method>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Method {
    id: String,
    of: String,
    multiplication: String,
    exponentiation: String,
    gcd: String,
    scalar: String,
    source: String,
}

/// The paper's name of an algorithm, with prefixes of ids.
type Algorithm = (&'static str, &'static [&'static str]);

/// The columns of the paper's Table 3. Each lists the algorithms with prefixes of the ids
/// (`primitive operation`) that they have here.
const COVERAGE: [(&str, &[Algorithm]); 7] = [
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
    (
        "signatures",
        &[
            ("DSA", &["dsa-"]),
            ("DSS", &["dsa-"]),
            ("ECDSA", &["ecdsa-"]),
            ("ECGDSA", &["ecgdsa-"]),
            ("ECKCDSA", &["eckcdsa-"]),
            ("ECNR", &["ecnr-"]),
            ("GOST 34.10-2001", &["gost-34.10-2001"]),
            ("Nyberg-Rueppel", &["nyberg-rueppel-"]),
            ("RSA", SIGNING_BY_RSA),
        ],
    ),
    (
        "encryption",
        &[
            ("ElGamal", &["elgamal-"]),
            ("Nyberg-Rueppel", &["nyberg-rueppel-"]),
            ("RSA", &["rsa-2048-oaep-", "rsa-2048-pkcs1 "]),
        ],
    ),
    (
        "agreement",
        &[("DH", &["dh-"]), ("DH2", &["dh2-"]), ("ECDH", &["ecdh-"])],
    ),
];

const SIGNING_BY_RSA: &[&str] = &["rsa-2048-pkcs1-sha-256 ", "rsa-2048-pss-"];

pub(super) fn make(lens: &Lens<'_>) -> anyhow::Result<Vec<Exhibit>> {
    let work = Published::open("libraries")?;
    let sheets = ["1", "2", "3", "4", "5"].map(|name| work.sheet(name));
    let [
        facts_then,
        methods_then,
        coverage_then,
        ranks_then,
        speeds_then,
    ] = sheets;
    let ranks_then = ranks_then?;
    let speeds_then = speeds_then?;
    let below = format!("below: {}", work.source);
    let said = "what the libraries' projects say, by the sources in the last column";
    let [platforms, uses] = criteria::facts(lens)?;
    Ok(vec![
        facts(lens, &facts_then?).note(&below),
        methods(lens, &methods_then?)?.note(format!(
            "facts from the sources in the last column, not from this run; {below}"
        )),
        coverage(lens, &coverage_then?).note(format!(
            "of the paper's algorithms those that answered rightly in this run, and how many; {below}"
        )),
        ranks(lens).note(
            "least time of a round over the best library's, for several parameters their geometric mean; RANK is the \
             geometric mean over what is there. MUL: 256 … 4096 bits; POWMOD: 512 … 2048 bits, \
             exponents as long; xGCD: modular inverses of 256 … 2048 bits, as the paper describes it; \
             ECMUL: any point of sect233k1, sect283r1 and sect409k1; AES and TDES in ECB, 16 KiB; \
             RSA of 2048 bits with PKCS #1 v1.5 and SHA-256; ECDSA on sect283r1 with SHA-256; \
             HMAC-SHA-1 and SHA-1 256 bytes",
        ),
        speeds(lens).note("AES, TDES, HMAC and SHA-1 in MB/s, signatures in operations a second"),
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
        weights(lens),
        criteria::resources(lens).note(
            "code and tables: bytes of the loaded object; a library that is linked into its worker has \
             none of its own. Memory: the worker's peak beyond that of an empty worker. RSA sign: \
             thousands of cycles of one signature, PKCS #1 v1.5 of 2048 bits",
        ),
        platforms.note(said),
        uses.note(said),
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
    let heads: Vec<&str> = ["library", ">has"]
        .into_iter()
        .chain(COVERAGE.iter().map(|(column, _)| *column))
        .collect();
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

fn methods(lens: &Lens<'_>, sheet: &Sheet) -> anyhow::Result<Exhibit> {
    let known: Methods = toml::from_str(include_str!("../../data/methods.toml"))?;
    let heads = [
        "library",
        "multiplication",
        "exponentiation",
        "GCD",
        "scalar multiplication",
        "source",
    ];
    let mut exhibit = Exhibit::list("Methods of calculation", &heads);
    for id in lens.libraries() {
        let Some(method) = known.library.iter().find(|method| method.id == *id) else {
            continue;
        };
        let text = |text: &String| match text.as_str() {
            "-" => Figure::none(),
            text => Figure::text(text),
        };
        let cells = [
            &method.multiplication,
            &method.exponentiation,
            &method.gcd,
            &method.scalar,
        ];
        let mut figures = cells.map(text).to_vec();
        figures.push(Figure::text(format!("{}: {}", method.of, method.source)));
        exhibit.library(lens, id, figures);
    }
    for (name, values) in &sheet.rows {
        exhibit.published(name, values.iter().cloned().chain(["the paper".to_owned()]));
    }
    Ok(exhibit)
}

/// Returns the times by library, for each parameter of each function.
fn times(lens: &Lens<'_>) -> Vec<Vec<BTreeMap<String, Figure>>> {
    let of = |function: &Function| {
        let parameters = function.parameters.iter();
        parameters
            .map(|&(primitive, operation, position)| {
                // As in the paper, the least time counts.
                let least = |cell: &Cell| Interval::exact(cell.spread[0]);
                lens.hot(primitive, operation, position, least)
            })
            .collect()
    };
    FUNCTIONS.iter().map(of).collect()
}

fn ranks(lens: &Lens<'_>) -> Exhibit {
    let times = times(lens);
    let table = measures(lens, &times);
    let headings = FUNCTIONS.map(|function| format!(">{}", function.heading));
    let heads: Vec<&str> = ["library"]
        .into_iter()
        .chain(headings.iter().map(String::as_str))
        .chain([">RANK", ">of"])
        .collect();
    let title = "Table 4 today: RANK of each function, lower is better";
    let mut exhibit = Exhibit::list(title, &heads);
    let mut rows: Vec<(f64, String, Vec<Figure>)> = Vec::new();
    for rank in published_rank(&table) {
        let mut all = Vec::new();
        let mut figures: Vec<Figure> = ratios(&rank)
            .into_iter()
            .enumerate()
            .map(|(function, ratio)| {
                let Some(ratio) = ratio else {
                    return Figure::none();
                };
                all.push(ratio);
                // A figure of one parameter leads to its cell.
                let cell = match &times[function][..] {
                    [one] => one.get(&rank.library).and_then(|figure| figure.cell),
                    _ => None,
                };
                Figure {
                    cell,
                    ..Figure::computed(ratio, format!("{ratio:.2}"))
                }
            })
            .collect();
        let overall = stats::geometric_mean(&all);
        figures.push(Figure::computed(overall, format!("{overall:.2}")));
        figures.push(Figure::text(format!("{}/{}", all.len(), FUNCTIONS.len())));
        rows.push((overall, rank.library, figures));
    }
    rows.sort_by(|a, b| a.0.total_cmp(&b.0));
    for (_, library, figures) in rows {
        exhibit.library(lens, &library, figures);
    }
    exhibit
}

/// Returns the times as a table of measures: each parameter is a column of its own, named by the
/// function's and the parameter's index.
fn measures(
    lens: &Lens<'_>,
    times: &[Vec<BTreeMap<String, Figure>>],
) -> Vec<(String, Vec<Measure>)> {
    lens.libraries()
        .iter()
        .map(|id| {
            let mut measures = Vec::new();
            for (function, parameters) in times.iter().enumerate() {
                for (parameter, figures) in parameters.iter().enumerate() {
                    let figure = figures.get(*id).filter(|figure| !figure.flagged);
                    measures.extend(figure.and_then(|figure| figure.value).map(|value| Measure {
                        column: format!("{function} {parameter}"),
                        value: value.mid,
                        direction: Direction::Less,
                    }));
                }
            }
            ((*id).to_owned(), measures)
        })
        .collect()
}

/// Returns the ratio of each function in a rank; `None` where the library has none.
fn ratios(rank: &PublishedRank) -> [Option<f64>; FUNCTIONS.len()] {
    std::array::from_fn(|function| {
        let start = format!("{function} ");
        let of = rank.ratios.iter().filter(|(c, _)| c.starts_with(&start));
        let ratios: Vec<f64> = of.map(|(_, ratio)| *ratio).collect();
        (!ratios.is_empty()).then(|| stats::geometric_mean(&ratios))
    })
}

/// Returns how far the functions' weights may move, among the libraries that have every function.
fn weights(lens: &Lens<'_>) -> Exhibit {
    let all = published_rank(&measures(lens, &times(lens)));
    let logs = all.iter().filter_map(|rank| {
        let logs = ratios(rank).into_iter().map(|ratio| ratio.map(f64::ln));
        Some((rank.library.clone(), logs.collect::<Option<Vec<f64>>>()?))
    });
    let logs: Vec<weights::Logs> = logs.collect();
    let functions = FUNCTIONS.map(|function| function.heading);
    weights::sweep(lens, &functions, &logs)
}

/// The functions for which the paper gives a speed: those after the integers and points.
const SPEEDS: std::ops::Range<usize> = 4..12;

fn speeds(lens: &Lens<'_>) -> Exhibit {
    let functions = &FUNCTIONS[SPEEDS];
    let found: Vec<_> = functions
        .iter()
        .map(|function| {
            let (primitive, operation, position) = function.parameters[0];
            lens.hot(primitive, operation, position, |cell| {
                let is_signature = catalogue::family(primitive) == "signature";
                let much = if is_signature {
                    1e9
                } else {
                    cell.bytes as f64 * 1e3
                };
                rate(cell.ns, much)
            })
        })
        .collect();
    let headings: Vec<String> = functions
        .iter()
        .map(|f| format!(">{}", f.heading))
        .collect();
    let heads: Vec<&str> = ["library"]
        .into_iter()
        .chain(headings.iter().map(String::as_str))
        .collect();
    let mut exhibit = Exhibit::list("Table 5 today: speeds, higher is better", &heads);
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
        assert_eq!(seen, 118);
    }
}
