//! RANK of each function, real speeds, and how far the functions' weights may move: the paper's Tables
//! 4 and 5, from the cells of a run.

use super::functions::{FUNCTIONS, measures, ratios, times};
use crate::catalogue;
use crate::rank::paper::published_rank;
use crate::stats;
use crate::view::exhibit::{Exhibit, Figure};
use crate::view::lens::{Lens, rate};
use crate::view::weights as sweep;

pub(in crate::view) fn ranks(lens: &Lens<'_>) -> Exhibit {
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

/// Returns how far the functions' weights may move, among the libraries that have every function.
pub(in crate::view) fn weights(lens: &Lens<'_>) -> Exhibit {
    let all = published_rank(&measures(lens, &times(lens)));
    let logs = all.iter().filter_map(|rank| {
        let logs = ratios(rank).into_iter().map(|ratio| ratio.map(f64::ln));
        Some((rank.library.clone(), logs.collect::<Option<Vec<f64>>>()?))
    });
    let logs: Vec<sweep::Logs> = logs.collect();
    let functions = FUNCTIONS.map(|function| function.heading);
    sweep::sweep(lens, &functions, &logs)
}

/// The functions for which the paper gives a speed: those after the integers and points.
const SPEEDS: std::ops::Range<usize> = 4..12;

pub(in crate::view) fn speeds(lens: &Lens<'_>) -> Exhibit {
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
