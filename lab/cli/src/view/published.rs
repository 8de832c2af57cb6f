//! Figures that earlier work published, copied as printed to `data/published/*.toml`. A
//! file names its source and contains sheets. A sheet is text whose first line has the
//! headings and whose columns are separated by two or more spaces, so that it is easy to
//! compare with the source.

use std::collections::BTreeMap;

use anyhow::{Context as _, ensure};
use serde::Deserialize;

use crate::rank::paper::{Direction, Measure};

/// One published work.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Published {
    /// The authors, the title and the date of the work.
    pub source: String,
    /// The machine on which the figures were measured.
    pub machine: String,
    sheets: BTreeMap<String, String>,
}

/// One published table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sheet {
    /// The headings of the columns after the first column.
    pub columns: Vec<String>,
    /// The name and the values of each row as printed; `-` if there is no value.
    pub rows: Vec<(String, Vec<String>)>,
}

/// The published works, by the names of the views that show them.
const WORKS: [(&str, &str); 5] = [
    (
        "ehrhardt",
        include_str!("../../data/published/ehrhardt.toml"),
    ),
    ("freesec", include_str!("../../data/published/freesec.toml")),
    (
        "key-setup",
        include_str!("../../data/published/key-setup.toml"),
    ),
    (
        "libgcrypt-1.6",
        include_str!("../../data/published/libgcrypt-1.6.toml"),
    ),
    (
        "libraries",
        include_str!("../../data/published/aulov-gorbenko-2012.toml"),
    ),
];

impl Published {
    /// Reads the figures of one published work.
    ///
    /// # Errors
    ///
    /// If there is no work of this name, or its file is not well-formed.
    pub fn open(name: &str) -> anyhow::Result<Self> {
        let (_, text) = WORKS
            .iter()
            .find(|(known, _)| *known == name)
            .with_context(|| format!("nothing published is called {name:?}"))?;
        toml::from_str(text).with_context(|| format!("the published figures of {name}"))
    }

    /// Returns one table of this published work.
    ///
    /// # Errors
    ///
    /// If there is no table of this name, or the number of values in a row differs from
    /// the number of headings.
    pub fn sheet(&self, name: &str) -> anyhow::Result<Sheet> {
        let text = self
            .sheets
            .get(name)
            .with_context(|| format!("{} has no sheet {name:?}", self.source))?;
        let mut lines = text
            .lines()
            .filter(|line| !line.trim().is_empty())
            .map(|line| {
                line.split("  ")
                    .map(str::trim)
                    .filter(|cell| !cell.is_empty())
                    .map(str::to_owned)
                    .collect::<Vec<_>>()
            });
        let columns: Vec<String> = lines.next().context("a line of headings")?;
        let mut rows = Vec::new();
        for mut row in lines {
            ensure!(
                row.len() == columns.len(),
                "{name}, {}: {} cells under {} headings",
                row[0],
                row.len(),
                columns.len()
            );
            rows.push((row.remove(0), row));
        }
        Ok(Sheet {
            columns: columns[1..].to_vec(),
            rows,
        })
    }
}

impl Sheet {
    /// Returns the values of the row of this name.
    pub fn row(&self, name: &str) -> Option<&[String]> {
        let (_, values) = self.rows.iter().find(|(row, _)| row == name)?;
        Some(values)
    }

    /// Returns a value as printed; `–` if there is none.
    pub fn text(&self, row: &str, column: &str) -> String {
        let place = self.columns.iter().position(|known| known == column);
        self.row(row)
            .zip(place)
            .map(|(values, place)| values[place].as_str())
            .filter(|value| *value != "-")
            .unwrap_or("–")
            .to_owned()
    }

    /// Returns the numbers of every column except those in `but`, for ranking; `direction`
    /// applies to all of them.
    pub fn measures(&self, direction: Direction, but: &[&str]) -> Vec<(String, Vec<Measure>)> {
        let of = |(library, values): &(String, Vec<String>)| {
            let measures = self
                .columns
                .iter()
                .zip(values)
                .filter_map(|(column, value)| {
                    let measure = Measure {
                        column: column.clone(),
                        value: value.parse().ok()?,
                        direction,
                    };
                    (!but.contains(&column.as_str())).then_some(measure)
                });
            (library.clone(), measures.collect())
        };
        self.rows.iter().map(of).collect()
    }

    /// Returns a value as a number, if it is one.
    pub fn number(&self, row: &str, column: &str) -> Option<f64> {
        self.text(row, column).parse().ok()
    }
}
