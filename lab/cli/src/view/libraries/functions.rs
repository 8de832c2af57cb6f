//! The functions by which Aulov and Gorbenko rank libraries, and the times of each library.

use std::collections::BTreeMap;

use crate::rank::paper::{Direction, Measure, PublishedRank};
use crate::stats::{self, Interval};
use crate::summary::Cell;
use crate::view::BULK;
use crate::view::exhibit::Figure;
use crate::view::lens::Lens;

/// A function of the paper's Table 4 with today's algorithms.
pub(in crate::view) struct Function {
    pub(in crate::view) heading: &'static str,
    /// The algorithms and the sizes that are the function's parameters: primitive, operation, and
    /// the position on the operation's axis, which is 0 without an axis.
    pub(in crate::view) parameters: &'static [(&'static str, &'static str, u64)],
}

/// The functions in the order of the table. Points are multiplied over binary fields. By xGCD the
/// paper means the inverse of a number.
pub(in crate::view) const FUNCTIONS: [Function; 12] = [
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

/// Returns the times by library, for each parameter of each function.
pub(in crate::view) fn times(lens: &Lens<'_>) -> Vec<Vec<BTreeMap<String, Figure>>> {
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

/// Returns the times as a table of measures: each parameter is a column of its own, named by the
/// function's and the parameter's index.
pub(in crate::view) fn measures(
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
pub(in crate::view) fn ratios(rank: &PublishedRank) -> [Option<f64>; FUNCTIONS.len()] {
    std::array::from_fn(|function| {
        let start = format!("{function} ");
        let of = rank.ratios.iter().filter(|(c, _)| c.starts_with(&start));
        let ratios: Vec<f64> = of.map(|(_, ratio)| *ratio).collect();
        (!ratios.is_empty()).then(|| stats::geometric_mean(&ratios))
    })
}
