//! `touchstone rank`: RANK of a stored run.

use clap::Args;

use super::{End, Global};
use crate::catalogue::FAMILIES;
use crate::summarise::summarise;
use crate::summary::Summary;
use crate::table::{self, Table};

#[derive(Debug, Args)]
pub(super) struct Options {
    /// The run's number [default: the newest]
    run: Option<i64>,
    /// One row for each library and algorithm
    #[arg(long)]
    algorithms: bool,
}

pub(super) fn run(global: &Global, options: &Options) -> anyhow::Result<End> {
    let store = global.open_store()?;
    let summary = summarise(&store, store.run(options.run, false)?.id)?;
    let table = if options.algorithms {
        algorithms(&summary)
    } else {
        overall(&summary)
    };
    let empty = table.rows.is_empty();
    table::print(&[table], global.format);
    Ok(if empty {
        End::NothingToMeasure
    } else {
        End::Good
    })
}

/// The overall table: a column a family.
pub(super) fn overall(summary: &Summary) -> Table {
    let ranking = &summary.ranking;
    let shown: Vec<&str> = FAMILIES
        .iter()
        .copied()
        .filter(|family| {
            ranking
                .families
                .iter()
                .any(|(name, rows)| name == family && !rows.is_empty())
        })
        .collect();
    let mut columns = vec!["library".to_owned(), ">RANK".to_owned()];
    // The widest heading would push the table over 80 columns.
    let heading = |family: &&str| format!(">{}", family.replace("password", "crypt"));
    columns.extend(shown.iter().map(heading));
    columns.push(">common".into());
    columns.push(">has".into());
    let mut table = Table {
        title: "RANK: time over the best library's, geometric mean; 1 is best".into(),
        columns,
        ..Table::default()
    };
    let band_size = |band: u32| ranking.overall.iter().filter(|r| r.band == band).count();
    for row in &ranking.overall {
        let mut cells = vec![
            name(summary, &row.library),
            if row.narrow {
                format!("({:.2})", row.present.mid)
            } else if band_size(row.band) > 1 {
                format!("= {:.2}", row.present.mid)
            } else {
                format!("{:.2}", row.present.mid)
            },
        ];
        for family in &shown {
            let rank = ranking
                .families
                .iter()
                .find(|(name, _)| name == family)
                .and_then(|(_, rows)| rows.iter().find(|r| r.library == row.library));
            cells.push(rank.map_or("–".into(), |r| format!("{:.2}", r.present.mid)));
        }
        cells.push(row.common.map_or("–".into(), |c| format!("{:.2}", c.mid)));
        cells.push(format!("{}/{}", row.algorithms, row.of));
        table.row(cells);
    }
    table.footnote =
        "= tie with a neighbour; (…) has less than a quarter of the algorithms; common: over the algorithms that the compared libraries share; \
         has: algorithms that it has of those that at least one other has too"
            .into();
    table
}

fn algorithms(summary: &Summary) -> Table {
    let mut table = Table::new(
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
            row.algorithm.clone(),
            name(summary, &row.library),
            format!("{:.3}", row.rank.mid),
            format!("{:.3}", row.rank.low),
            format!("{:.3}", row.rank.high),
            row.band.to_string(),
            format!("{:.2}", row.coverage),
        ]);
    }
    table
}

/// As [`Summary::name`].
pub(super) fn name(summary: &Summary, id: &str) -> String {
    summary.name(id)
}
