//! Operations in which slow calls are normal, such as the search for primes: their mean is not enough,
//! so the table has quantiles of single calls, and how many calls they come from.

use crate::operations;
use crate::stats::Statistic;
use crate::view::exhibit::{Exhibit, Figure};
use crate::view::lens::Lens;

/// The quantiles that the table shows, in its order.
const QUANTILES: [f64; 5] = [0.05, 0.25, 0.5, 0.75, 0.95];

/// Returns the table; `None` if the run has no such cell.
pub(in crate::view) fn searches(lens: &Lens<'_>) -> Option<Exhibit> {
    let heads = [
        "algorithm",
        "operation",
        "library",
        ">mean",
        ">5 %",
        ">25 %",
        ">50 %",
        ">75 %",
        ">95 %",
        ">calls",
        ">a sample",
    ];
    let title = "Keys and primes: milliseconds a call, lower is better";
    let mut exhibit = Exhibit::list(title, &heads);
    let ms = |ns: f64| Figure::computed(ns / 1e6, crate::view::exhibit::digits(ns / 1e6));
    for cell in &lens.summary.cells {
        let is_search = operations::statistic(&cell.operation) == Statistic::Mean
            && cell.contract == "hot"
            && lens.libraries().contains(&cell.library.as_str());
        if !is_search {
            continue;
        }
        let algorithm = match cell.bytes {
            0 => cell.primitive.clone(),
            position => format!("{} {position}", cell.primitive),
        };
        let library = lens.summary.libraries.iter().find(|l| l.id == cell.library);
        let name = library.map_or(cell.library.as_str(), |library| library.name.as_str());
        let calls = u64::from(cell.rounds) * cell.calls;
        let mut figures = vec![
            Figure::text(&cell.operation),
            Figure::text(name),
            ms(cell.ns.mid),
        ];
        match cell.quantiles(QUANTILES) {
            Some(quantiles) => figures.extend(quantiles.map(ms)),
            None => figures.extend(QUANTILES.map(|_| Figure::none())),
        }
        for count in [calls, cell.calls] {
            figures.push(Figure::computed(count as f64, count.to_string()));
        }
        exhibit.named(&algorithm, figures);
    }
    (!exhibit.rows.is_empty()).then_some(exhibit)
}
