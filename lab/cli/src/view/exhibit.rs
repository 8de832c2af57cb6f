//! What a view shows, as data: the terminal's tables and the report's tables
//! and charts are both made from it, so no figure is computed twice.

use serde::Serialize;

use crate::stats::Interval;
use crate::table::Table;

/// A view of a run.
#[derive(Debug, Clone, Serialize)]
pub struct Shown {
    /// What `touchstone table` calls it.
    pub name: &'static str,
    /// One line.
    pub about: &'static str,
    /// Its tables.
    pub exhibits: Vec<Exhibit>,
    /// What the run lacks and how to measure it; empty where it lacks nothing.
    pub missing: String,
}

/// How an exhibit is drawn where charts can be.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Chart {
    /// Not at all.
    #[default]
    None,
    /// A panel per row, the libraries side by side in it.
    Panels,
    /// One panel, a line per library against [`Row::x`], both axes logarithmic.
    Lines,
}

/// One table.
#[derive(Debug, Clone, Default, Serialize)]
pub struct Exhibit {
    /// What the reader sees, with unit and direction.
    pub title: String,
    /// The unit alone, for a chart's axis.
    pub unit: String,
    /// Whether more is better.
    pub more: bool,
    /// Columns; the first names the rows.
    pub columns: Vec<Column>,
    /// Rows, each as long as the columns.
    pub rows: Vec<Row>,
    /// What a reader must know.
    pub note: String,
    /// How it is drawn.
    pub chart: Chart,
}

/// One column.
#[derive(Debug, Clone, Default, Serialize)]
pub struct Column {
    /// Heading.
    pub heading: String,
    /// Whether its figures are numbers.
    pub number: bool,
    /// The library that it is of; empty where it is of none.
    pub library: String,
    /// Whether its figures were published and not measured here.
    pub published: bool,
}

/// One row.
#[derive(Debug, Clone, Default, Serialize)]
pub struct Row {
    /// Whether its figures were published and not measured here.
    pub published: bool,
    /// The library that it is of; empty where it is of none.
    pub library: String,
    /// The primitive that it is of, for its security status; may be empty.
    pub primitive: String,
    /// Where it stands on the axis of [`Chart::Lines`].
    pub x: Option<f64>,
    /// One figure a column.
    pub figures: Vec<Figure>,
}

/// One figure, or a text.
#[derive(Debug, Clone, Default, Serialize)]
pub struct Figure {
    /// As it is read.
    pub text: String,
    /// The number and its interval.
    pub value: Option<Interval>,
    /// The cell behind it: its place in the summary.
    pub cell: Option<usize>,
    /// Whether something makes the number suspect.
    pub flagged: bool,
}

impl Figure {
    /// A text.
    pub fn text(text: impl Into<String>) -> Self {
        Self {
            text: text.into(),
            ..Self::default()
        }
    }

    /// What is not there.
    pub fn none() -> Self {
        Self::text("–")
    }

    /// A published figure as printed.
    pub fn published(text: &str) -> Self {
        if text == "-" {
            return Self::none();
        }
        Self {
            value: text.parse().ok().map(Interval::exact),
            ..Self::text(text)
        }
    }

    /// A measured number with the cell behind it.
    pub fn measured(value: Interval, cell: usize, flagged: bool) -> Self {
        let mark = if flagged { "⚑" } else { "" };
        Self {
            text: format!("{mark}{}", digits(value.mid)),
            value: Some(value),
            cell: Some(cell),
            flagged,
        }
    }
}

/// Three significant digits, and never fewer than all before the point.
pub fn digits(value: f64) -> String {
    if !value.is_finite() {
        return "–".into();
    }
    let places = match value.abs() {
        v if v >= 99.95 => 0,
        v if v >= 9.995 => 1,
        v if v >= 0.9995 => 2,
        v if v >= 0.09995 => 3,
        _ => 4,
    };
    format!("{value:.places$}")
}

impl Exhibit {
    /// With a remark below it.
    #[must_use]
    pub fn note(mut self, note: impl Into<String>) -> Self {
        self.note = note.into();
        self
    }

    /// Drawn so, in this unit.
    #[must_use]
    pub fn drawn(mut self, chart: Chart, unit: &str, more: bool) -> Self {
        (self.chart, self.unit, self.more) = (chart, unit.to_owned(), more);
        self
    }

    /// A table whose rows are libraries, and then what was published.
    pub fn list(title: &str, heads: &[&str]) -> Self {
        Self {
            title: title.to_owned(),
            columns: heads
                .iter()
                .map(|head| Column {
                    heading: head.trim_start_matches('>').to_owned(),
                    number: head.starts_with('>'),
                    ..Column::default()
                })
                .collect(),
            ..Self::default()
        }
    }

    /// Adds a published row.
    pub fn published(&mut self, name: &str, values: impl IntoIterator<Item = String>) {
        let mut figures = vec![Figure::text(name)];
        figures.extend(values.into_iter().map(|text| Figure::published(&text)));
        self.rows.push(Row {
            published: true,
            figures,
            ..Row::default()
        });
    }

    fn table(&self) -> Table {
        let heading = |column: &Column| {
            let mark = if column.number { ">" } else { "" };
            format!("{mark}{}", column.heading)
        };
        let mut table = Table {
            title: self.title.clone(),
            columns: self.columns.iter().map(heading).collect(),
            footnote: self.note.clone(),
            // Libraries may be many: columns that do not fit go on below.
            folds: true,
            ..Table::default()
        };
        for row in &self.rows {
            table.row(row.figures.iter().map(|figure| figure.text.clone()));
        }
        table
    }
}

impl Shown {
    /// The view as tables for a terminal or a file.
    pub fn tables(&self) -> Vec<Table> {
        let mut tables: Vec<Table> = self.exhibits.iter().map(Exhibit::table).collect();
        if let (Some(last), false) = (tables.last_mut(), self.missing.is_empty()) {
            if !last.footnote.is_empty() {
                last.footnote.push_str(".\n");
            }
            last.footnote.push_str(&self.missing);
        }
        tables
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_keep_three_digits() {
        for (value, text) in [
            (1234.5, "1234"),
            (99.96, "100"),
            (12.345, "12.3"),
            (9.999, "10.0"),
            (1.0, "1.00"),
            (0.12345, "0.123"),
            (0.012345, "0.0123"),
            (f64::NAN, "–"),
        ] {
            assert_eq!(digits(value), text);
        }
    }
}
