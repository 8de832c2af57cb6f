//! The contents of a view as data. The terminal's tables and the report's tables and
//! charts are both made from the data, so each figure is computed only once.

use serde::Serialize;

use crate::stats::Interval;
use crate::table::{Entry, Table};

/// A view made from a run.
#[derive(Debug, Clone, Serialize)]
pub struct Shown {
    /// The view's name on the command line of `touchstone table`.
    pub name: &'static str,
    /// A description of the view in one line.
    pub about: &'static str,
    /// The tables of the view.
    pub exhibits: Vec<Exhibit>,
    /// What is missing in the run, and how to measure it; empty if nothing is missing.
    pub missing: String,
    /// The libraries that are slower in the run than their own code can be; empty if there is none.
    #[serde(skip)]
    pub handicaps: String,
}

/// The chart of an exhibit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Chart {
    /// The exhibit has no chart.
    #[default]
    None,
    /// The chart has one panel for each row, with the libraries side by side.
    Panels,
    /// One panel with a line for each library over [`Row::x`], on logarithmic axes.
    Lines,
}

/// One table of a view.
#[derive(Debug, Clone, Default, Serialize)]
pub struct Exhibit {
    /// The title, with the unit and whether more or less is better.
    pub title: String,
    /// The unit alone, for a chart's axis.
    pub unit: String,
    /// Whether more is better.
    pub more: bool,
    /// The columns; the first one names the rows.
    pub columns: Vec<Column>,
    /// The rows, each with one figure for each column.
    pub rows: Vec<Row>,
    /// A remark below the table, for the reader.
    pub note: String,
    /// The form of the chart, if the exhibit has one.
    pub chart: Chart,
}

/// One column of an exhibit.
#[derive(Debug, Clone, Default, Serialize)]
pub struct Column {
    /// The column's heading.
    pub heading: String,
    /// Whether the column's figures are numbers.
    pub number: bool,
    /// The library of the column; empty if the column belongs to no library.
    pub library: String,
    /// Whether the column's figures were published, and not measured in this run.
    pub published: bool,
}

/// One row of an exhibit.
#[derive(Debug, Clone, Default, Serialize)]
pub struct Row {
    /// Whether the row's figures were published, and not measured in this run.
    pub published: bool,
    /// The library of the row; empty if the row belongs to no library.
    pub library: String,
    /// The primitive of the row, from which the report shows the security status; may be
    /// empty.
    pub primitive: String,
    /// The position on the axis of [`Chart::Lines`].
    pub x: Option<f64>,
    /// One figure for each column.
    pub figures: Vec<Figure>,
}

/// A number with its text, or only a text.
#[derive(Debug, Clone, Default, Serialize)]
pub struct Figure {
    /// The text that is shown.
    pub text: String,
    /// The number and its interval.
    pub value: Option<Interval>,
    /// The index in the summary of the cell from which the number comes.
    pub cell: Option<usize>,
    /// Whether there is a reason to doubt the number.
    pub flagged: bool,
}

impl Figure {
    /// Makes a figure that is only a text.
    pub fn text(text: impl Into<String>) -> Self {
        Self {
            text: text.into(),
            ..Self::default()
        }
    }

    /// Makes a number without an interval, computed from several cells.
    pub fn computed(value: f64, text: impl Into<String>) -> Self {
        Self {
            value: Some(Interval::exact(value)),
            ..Self::text(text)
        }
    }

    /// Makes a missing figure.
    pub fn none() -> Self {
        Self::text("–")
    }

    /// Makes a published figure, as it was printed.
    pub fn published(text: &str) -> Self {
        if text == "-" {
            return Self::none();
        }
        Self {
            value: text.parse().ok().map(Interval::exact),
            ..Self::text(text)
        }
    }

    /// Makes a measured number and the cell from which it comes.
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

/// Formats a number with three significant digits, but with all digits before the decimal
/// point.
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
    /// Adds a remark below the table.
    #[must_use]
    pub fn note(mut self, note: impl Into<String>) -> Self {
        self.note = note.into();
        self
    }

    /// Sets the chart and its unit.
    #[must_use]
    pub fn drawn(mut self, chart: Chart, unit: &str, more: bool) -> Self {
        (self.chart, self.unit, self.more) = (chart, unit.to_owned(), more);
        self
    }

    /// Makes a table whose rows are the libraries, followed by published rows.
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

    /// Adds a row that belongs to no library.
    pub fn named(&mut self, name: &str, figures: Vec<Figure>) {
        let figures = [vec![Figure::text(name)], figures].concat();
        self.rows.push(Row {
            figures,
            ..Row::default()
        });
    }

    /// Returns the ids of the libraries that have rows or columns.
    pub(super) fn libraries(&self) -> impl Iterator<Item = &str> {
        let rows = self.rows.iter().map(|row| row.library.as_str());
        let columns = self.columns.iter().map(|column| column.library.as_str());
        rows.chain(columns)
    }

    /// Returns the exhibit as a table for a terminal or a file.
    pub(super) fn table(&self, name: String) -> Table {
        let heading = |column: &Column| {
            let mark = if column.number { ">" } else { "" };
            format!("{mark}{}", column.heading)
        };
        let mut table = Table {
            name,
            title: self.title.clone(),
            columns: self.columns.iter().map(heading).collect(),
            footnote: self.note.clone(),
            // Columns that do not fit the terminal's width are continued below.
            folds: true,
            ..Table::default()
        };
        for row in &self.rows {
            let figures = row.figures.iter().zip(&self.columns);
            table.row(figures.map(|(figure, column)| {
                let text = figure.text.as_str();
                let number = figure.value.map(|value| value.mid);
                match number.or_else(|| column.number.then(|| leading(text))?) {
                    Some(number) => Entry::number(number, text),
                    None => text.into(),
                }
            }));
        }
        table
    }
}

/// Returns the number with which a text begins: 3 for "3/45", 1.06 for "1.06 (1)".
fn leading(text: &str) -> Option<f64> {
    let end = text.find(|c: char| !c.is_ascii_digit() && c != '.');
    text[..end.unwrap_or(text.len())].parse().ok()
}

impl Shown {
    /// Returns the view as tables for a terminal or a file.
    pub fn tables(&self) -> Vec<Table> {
        let exhibits = self.exhibits.iter().enumerate();
        let name = |place: usize| match self.exhibits.len() {
            1 => self.name.to_owned(),
            _ => format!("{}-{}", self.name, place + 1),
        };
        let mut tables: Vec<Table> = exhibits
            .map(|(place, exhibit)| exhibit.table(name(place)))
            .collect();
        if let Some(last) = tables.last_mut() {
            last.remark(&self.handicaps);
            last.remark(&self.missing);
        }
        tables
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn programs_get_the_number_of_a_figure_with_remarks() {
        for (text, number) in [
            ("3/45", Some(3.0)),
            ("1.06 (1)", Some(1.06)),
            ("–", None),
            ("", None),
        ] {
            assert_eq!(leading(text), number, "{text}");
        }
    }

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
