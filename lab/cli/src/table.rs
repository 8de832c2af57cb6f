//! Writes tables in four formats: aligned text, JSON, CSV, Markdown. `docs/tables.md` explains
//! the formats for programs.

mod markdown;
mod terminal;

pub use markdown::escape;

use serde_json::Value;

use crate::output;
use crate::text::{CELL, make_visible};

/// How a command prints its tables.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, clap::ValueEnum)]
pub enum Format {
    /// Aligned columns for a terminal.
    #[default]
    Table,
    /// One JSON document with all tables, in the same form for every verb (docs/tables.md).
    Json,
    /// Comma-separated values (RFC 4180) of one table: the first, or the one of --table.
    Csv,
    /// A GitHub-flavoured Markdown table.
    Md,
}

/// The version of the form of JSON documents.
const SCHEMA: u32 = 1;

/// One entry of a table: the text for people, and the number for programs if the text has fewer
/// digits than the number, or signs beside it.
#[derive(Debug, Clone, Default)]
pub struct Entry {
    text: String,
    number: Option<f64>,
}

impl Entry {
    /// Makes an entry from a number and its text. For programs, a number that is not finite is
    /// missing.
    pub fn number(number: f64, text: impl Into<String>) -> Self {
        Self {
            text: text.into(),
            number: Some(number),
        }
    }

    /// Makes the entry of a missing number.
    pub fn none() -> Self {
        NONE.into()
    }

    /// Returns the text for people.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Returns the number of an entry in a column of numbers; `None` if it is missing.
    fn value(&self) -> Value {
        if let Some(number) = self.number {
            // A number that is not finite becomes null.
            return Value::from(number);
        }
        value(&self.text)
    }
}

impl<T: Into<String>> From<T> for Entry {
    fn from(text: T) -> Self {
        Self {
            text: text.into(),
            number: None,
        }
    }
}

/// A table: its title, its columns, its rows.
#[derive(Debug, Clone, Default)]
pub struct Table {
    /// The name by which a program finds the table: unique among the tables of a command.
    pub name: String,
    /// The title, with the unit and whether more or less is better.
    pub title: String,
    /// Column headings. `>` before a heading marks a column of numbers, which is aligned
    /// to the right.
    pub columns: Vec<String>,
    /// The rows, each with one entry for each column.
    pub rows: Vec<Vec<Entry>>,
    /// Sentences below the table, one in each line; may be empty.
    pub footnote: String,
    /// Whether columns of numbers that do not fit the terminal are continued below, where
    /// each part repeats the first column.
    pub folds: bool,
    /// Whether the terminal shows the last column below each row: sentences, which a narrow column
    /// would break into many lines.
    pub below: bool,
}

impl Table {
    /// Makes an empty table.
    pub fn new(name: &str, title: impl Into<String>, columns: &[&str]) -> Self {
        Self {
            name: name.to_owned(),
            title: title.into(),
            columns: columns.iter().map(|c| (*c).to_owned()).collect(),
            ..Self::default()
        }
    }

    /// Adds a row. Invisible characters in texts from outside are made visible.
    pub fn row<E: Into<Entry>>(&mut self, cells: impl IntoIterator<Item = E>) {
        let cells = cells.into_iter().map(|cell| {
            let mut cell = cell.into();
            make_visible(&mut cell.text, CELL);
            cell
        });
        self.rows.push(cells.collect());
    }

    /// Adds a remark below the table, on a line of its own; nothing if the remark is empty.
    pub fn remark(&mut self, remark: &str) {
        if !remark.is_empty() {
            if !self.footnote.is_empty() {
                let end = if self.footnote.ends_with('.') {
                    "\n"
                } else {
                    ".\n"
                };
                self.footnote.push_str(end);
            }
            self.footnote.push_str(remark);
        }
    }

    fn heading(&self, column: usize) -> &str {
        self.columns[column].trim_start_matches('>')
    }

    /// Returns the name of a column for programs: its heading on one line. If another column has the
    /// same heading ("latency", "/hot", "in place", "/hot"), the heading before it comes first.
    fn name(&self, column: usize) -> String {
        let own = self.heading(column).replace('\n', " ");
        let all = 0..self.columns.len();
        let same = all.filter(|&c| self.heading(c) == self.heading(column));
        match column.checked_sub(1) {
            Some(before) if same.count() > 1 => {
                format!("{} {own}", self.heading(before).replace('\n', " "))
            }
            _ => own,
        }
    }

    fn is_number(&self, column: usize) -> bool {
        self.columns[column].starts_with('>')
    }

    fn json(&self) -> Value {
        let all = || 0..self.columns.len();
        let columns: Vec<Value> = all()
            .map(|c| {
                let kind = if self.is_number(c) { "number" } else { "text" };
                serde_json::json!({ "name": self.name(c), "type": kind })
            })
            .collect();
        let rows: Vec<Value> = self
            .rows
            .iter()
            .map(|row| {
                let entry = |c: usize| {
                    // Hexadecimal bytes may look like a number, but are text.
                    let value = if self.is_number(c) {
                        row[c].value()
                    } else {
                        Value::from(row[c].text.as_str())
                    };
                    (self.name(c), value)
                };
                Value::Object(all().map(entry).collect())
            })
            .collect();
        serde_json::json!({
            "name": self.name,
            "title": self.title,
            "columns": columns,
            "rows": rows,
            "note": self.footnote,
        })
    }

    pub(crate) fn csv(&self) -> String {
        let quote = |cell: &str| {
            if cell.contains([',', '"', '\n', '\r']) {
                format!("\"{}\"", cell.replace('"', "\"\""))
            } else {
                cell.to_owned()
            }
        };
        let head: Vec<_> = (0..self.columns.len())
            .map(|c| quote(&self.name(c)))
            .collect();
        let mut out = head.join(",") + "\r\n";
        for row in &self.rows {
            let cell = |(column, entry): (usize, &Entry)| match entry.value() {
                _ if !self.is_number(column) => quote(&entry.text),
                Value::Null => String::new(),
                Value::String(text) => quote(&text),
                number => number.to_string(),
            };
            let cells: Vec<_> = row.iter().enumerate().map(cell).collect();
            out += &(cells.join(",") + "\r\n");
        }
        out
    }
}

/// The text in place of a missing number.
const NONE: &str = "–";

/// Returns the JSON value of a text in a column of numbers: a number if the text is one, null if the number is
/// missing, otherwise a string.
fn value(cell: &str) -> Value {
    if cell == NONE || cell.is_empty() {
        return Value::Null;
    }
    let whole = cell.parse::<i64>().ok().map(Value::from);
    let number = || {
        Some(Value::from(serde_json::Number::from_f64(
            cell.parse().ok()?,
        )?))
    };
    whole
        .or_else(number)
        .unwrap_or_else(|| Value::String(cell.to_owned()))
}

/// Prints tables to stdout in one format.
///
/// # Errors
///
/// As for [`output::write()`].
pub fn print(tables: &[Table], format: Format) -> anyhow::Result<()> {
    let mut out = String::new();
    match format {
        Format::Table => {
            let width = width();
            for (index, table) in tables.iter().enumerate() {
                if index > 0 {
                    out.push('\n');
                }
                out += &table.text(width);
            }
        }
        Format::Json => {
            let all: Vec<Value> = tables.iter().map(Table::json).collect();
            let document = serde_json::json!({
                "format": "touchstone tables",
                "schema": SCHEMA,
                "tables": all,
            });
            out = format!("{document:#}\n");
        }
        Format::Csv => {
            // A file of CSV has one table. A program that wants another one names it.
            if let Some(first) = tables.first() {
                out = first.csv();
            }
        }
        Format::Md => {
            out = tables.iter().map(Table::md).collect::<Vec<_>>().join("\n");
        }
    }
    output::text(&out)
}

/// Prints tables as a comment for a pull request, which begins with the verdict.
///
/// # Errors
///
/// As for [`output::write()`].
pub fn comment(verdict: &str, tables: &[Table]) -> anyhow::Result<()> {
    output::text(&markdown::comment(verdict, tables))
}

/// Width of the output in characters: COLUMNS, if the user has set it, the terminal's, or 80, but at
/// least 40.
pub fn width() -> u16 {
    let asked = std::env::var("COLUMNS").ok();
    let asked = asked.and_then(|columns| columns.trim().parse().ok());
    let terminal = || {
        let size = rustix::termios::tcgetwinsize(std::io::stdout());
        size.map(|size| size.ws_col).ok()
    };
    let columns = asked.or_else(terminal);
    columns.filter(|&columns| columns >= 40).unwrap_or(80)
}

#[cfg(test)]
mod tests {
    use super::*;

    pub(super) fn sample() -> Table {
        let mut table = Table::new(
            "speed",
            "Speed, ns per byte, lower is better",
            &["library", ">ns/B"],
        );
        table.row(["a, \"b\" | c", "0.16"]);
        table
    }

    #[test]
    fn csv_quotes_what_needs_it() {
        assert_eq!(
            sample().csv(),
            "library,ns/B\r\n\"a, \"\"b\"\" | c\",0.16\r\n"
        );
    }

    #[test]
    fn json_keeps_numbers_numbers() {
        assert_eq!(sample().json()["rows"][0]["ns/B"], 0.16);
        let mut table = Table::new("", "", &["expected"]);
        table.row(["0000"]);
        assert_eq!(table.json()["rows"][0]["expected"], "0000");
        let mut table = Table::new("", "", &[">ratio"]);
        table.row([
            Entry::number(1.0 / 3.0, "= 0.33"),
            Entry::number(f64::INFINITY, "–"),
            Entry::none(),
        ]);
        table.columns.extend([">to", ">ns"].map(str::to_owned));
        let row = &table.json()["rows"][0];
        assert_eq!(row["ratio"], 1.0 / 3.0);
        assert!(row["to"].is_null() && row["ns"].is_null(), "{row}");
        assert_eq!(table.csv(), "ratio,to,ns\r\n0.3333333333333333,,\r\n");
    }

    #[test]
    fn columns_have_different_names_for_programs() {
        let mut table = Table::new("", "", &["latency", ">/hot", "in\nplace", ">/hot"]);
        table.row(["1", "2", "3", "4"]);
        let csv = table.csv();
        let names = "latency,latency /hot,in place,in place /hot";
        assert_eq!(csv.lines().next(), Some(names));
    }
}
