//! RANK as Aulov and Gorbenko (2012) define it, over the libraries and in each algorithm.

use super::{end, name, ratio};
use crate::catalogue::{self, FAMILIES};
use crate::summary::Summary;
use crate::table::{Entry, Table};

/// Returns a table of the paper's RANK, with a column for each family.
pub(super) fn overall(summary: &Summary) -> Table {
    let ranking = &summary.ranking;
    let of_family = |family: &str| {
        let found = ranking.families.iter().find(|(name, _)| name == family);
        found.map(|(_, rows)| rows).filter(|rows| !rows.is_empty())
    };
    let shown: Vec<&str> = FAMILIES
        .iter()
        .copied()
        .filter(|family| of_family(family).is_some())
        .collect();
    let mut columns = ["library", ">RANK", ">has", ">of"]
        .map(str::to_owned)
        .to_vec();
    columns.extend(
        shown
            .iter()
            .map(|family| format!(">{}", catalogue::column(family))),
    );
    let mut table = Table {
        name: "paper".into(),
        title: "RANK of Aulov and Gorbenko (2012): time over the best library's, geometric mean \
                over whatever each library has; 1 is best"
            .into(),
        columns,
        folds: true,
        ..Table::default()
    };
    let band_size = |band: u32| ranking.overall.iter().filter(|r| r.band == band).count();
    for row in &ranking.overall {
        let mean = format!("{:.2}", row.present.mid);
        let text = if row.narrow {
            format!("({mean})")
        } else if band_size(row.band) > 1 {
            format!("={mean}")
        } else {
            mean
        };
        let mut cells = vec![
            summary.name(&row.library).into(),
            Entry::number(row.present.mid, text),
        ];
        cells.extend([row.algorithms, row.of].map(|count| count.to_string().into()));
        for family in &shown {
            let own = of_family(family)
                .and_then(|rows| rows.iter().find(|own| own.library == row.library));
            cells.push(own.map_or_else(Entry::none, |own| {
                let mean = format!("{:.2}", own.present.mid);
                let text = if own.narrow {
                    format!("({mean})")
                } else {
                    mean
                };
                Entry::number(own.present.mid, text)
            }));
        }
        table.row(cells);
    }
    table.footnote = "the paper's view: means over different algorithms stand in one order here, \
                      and need not be comparable; = tie with a neighbour; (…) has less than a \
                      quarter of the algorithms"
        .into();
    let ids = ranking.overall.iter().map(|row| row.library.as_str());
    table.remark(&summary.handicaps(ids));
    table
}

/// Returns a table of the paper's RANK in each algorithm.
pub(super) fn algorithms(summary: &Summary) -> Table {
    let mut table = Table::new(
        "paper-algorithms",
        "RANK per algorithm: time over the best library's, geometric mean over sizes; 1 is best",
        &[
            "algorithm",
            "library",
            ">RANK",
            ">from",
            ">to",
            ">band",
            ">coverage",
        ],
    );
    for row in &summary.ranking.algorithms {
        table.row([
            row.algorithm.clone().into(),
            name(summary, &row.library).into(),
            ratio(row.rank.mid),
            end(row.rank, row.rank.low),
            end(row.rank, row.rank.high),
            row.band.to_string().into(),
            Entry::number(row.coverage, format!("{:.2}", row.coverage)),
        ]);
    }
    table
}
