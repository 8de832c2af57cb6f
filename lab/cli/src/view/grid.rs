//! Makes exhibits in which the libraries of a run are the columns, or the rows.

use std::collections::BTreeMap;

use super::exhibit::{Column, Exhibit, Figure, Row};
use super::lens::Lens;

/// A row of a grid before its columns are known: figures by library.
#[derive(Debug, Clone, Default)]
pub struct Line {
    /// The name of the row.
    pub label: String,
    /// The primitive: see [`Row::primitive`].
    pub primitive: String,
    /// The position on the axis: see [`Row::x`].
    pub x: Option<f64>,
    /// Published figures, one for each published column of the exhibit.
    pub published: Vec<String>,
    /// The figures of this run by library id.
    pub today: BTreeMap<String, Figure>,
}

impl Line {
    /// Makes a row with this name.
    pub fn new(label: impl Into<String>, primitive: &str, today: BTreeMap<String, Figure>) -> Self {
        Self {
            label: label.into(),
            primitive: primitive.to_owned(),
            today,
            ..Self::default()
        }
    }

    /// Adds published figures to the row.
    #[must_use]
    pub fn beside(mut self, published: impl IntoIterator<Item = String>) -> Self {
        self.published = published.into_iter().collect();
        self
    }

    /// Returns the largest number of this run.
    pub fn most(&self) -> f64 {
        let numbers = self.today.values().filter_map(|figure| figure.value);
        numbers.map(|value| value.mid).fold(0.0, f64::max)
    }
}

impl Exhibit {
    /// Makes an exhibit with the rows `lines`. The published columns come first, then the
    /// libraries that have any figure, sorted by rank.
    pub fn grid(title: &str, lens: &Lens<'_>, heads: &[&str], lines: Vec<Line>) -> Self {
        let libraries: Vec<&str> = lens
            .libraries()
            .iter()
            .copied()
            .filter(|id| lines.iter().any(|line| line.today.contains_key(*id)))
            .collect();
        let number = |heading: String| Column {
            heading,
            number: true,
            ..Column::default()
        };
        let mut columns = vec![Column {
            heading: heads[0].to_owned(),
            ..Column::default()
        }];
        columns.extend(heads[1..].iter().map(|head| Column {
            published: true,
            ..number((*head).to_owned())
        }));
        columns.extend(libraries.iter().map(|id| Column {
            library: (*id).to_owned(),
            ..number(lens.name(id))
        }));
        let rows = lines
            .into_iter()
            .map(|mut line| {
                let mut figures = vec![Figure::text(line.label)];
                line.published.resize(heads.len() - 1, "-".into());
                figures.extend(line.published.iter().map(|text| Figure::published(text)));
                figures.extend(
                    libraries
                        .iter()
                        .map(|id| line.today.remove(*id).unwrap_or_else(Figure::none)),
                );
                Row {
                    primitive: line.primitive,
                    x: line.x,
                    figures,
                    ..Row::default()
                }
            })
            .collect();
        Self {
            title: title.to_owned(),
            columns,
            rows,
            ..Self::default()
        }
    }

    /// Adds the row of a library of this run.
    pub fn library(&mut self, lens: &Lens<'_>, id: &str, figures: Vec<Figure>) {
        let mut all = vec![Figure::text(lens.name(id))];
        all.extend(figures);
        self.rows.push(Row {
            library: id.to_owned(),
            figures: all,
            ..Row::default()
        });
    }
}
