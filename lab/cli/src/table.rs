//! Writes a table in four formats: aligned text, JSON, CSV, Markdown.

use std::fmt::Write as _;

use comfy_table::{CellAlignment, ColumnConstraint, ContentArrangement, Table as Text, presets};
use serde_json::{Map, Value};

use crate::output;
use crate::text::{CELL, make_visible};

/// Columns of up to this number of characters are never wrapped.
const WHOLE: u16 = 24;

/// How a command prints its tables.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, clap::ValueEnum)]
pub enum Format {
    /// Aligned columns for a terminal.
    #[default]
    Table,
    /// One JSON document.
    Json,
    /// Comma-separated values, RFC 4180.
    Csv,
    /// A GitHub-flavoured Markdown table.
    Md,
}

/// A table: its title, its columns, its rows.
#[derive(Debug, Clone, Default)]
pub struct Table {
    /// The title, with the unit and whether more or less is better.
    pub title: String,
    /// Column headings. `>` before a heading marks a column of numbers, which is aligned
    /// to the right.
    pub columns: Vec<String>,
    /// The rows, each with one cell for each column.
    pub rows: Vec<Vec<String>>,
    /// Sentences below the table, one in each line; may be empty.
    pub footnote: String,
    /// Whether columns of numbers that do not fit the terminal are continued below, where
    /// each part repeats the first column.
    pub folds: bool,
}

impl Table {
    /// Makes an empty table.
    pub fn new(title: impl Into<String>, columns: &[&str]) -> Self {
        Self {
            title: title.into(),
            columns: columns.iter().map(|c| (*c).to_owned()).collect(),
            ..Self::default()
        }
    }

    /// Adds a row. Invisible characters in texts from outside are made visible.
    pub fn row<S: Into<String>>(&mut self, cells: impl IntoIterator<Item = S>) {
        let cells = cells.into_iter().map(|cell| {
            let mut cell = cell.into();
            make_visible(&mut cell, CELL);
            cell
        });
        self.rows.push(cells.collect());
    }

    fn heading(&self, column: usize) -> &str {
        self.columns[column].trim_start_matches('>')
    }

    /// Returns the columns of each part: one part with all columns, or several parts that fit
    /// the width.
    fn parts(&self, width: u16) -> Vec<Vec<usize>> {
        let all: Vec<usize> = (0..self.columns.len()).collect();
        if !self.folds || !self.columns.iter().skip(1).all(|c| c.starts_with('>')) {
            return vec![all];
        }
        let longest = |c: usize| {
            let cells = self.rows.iter().map(|row| row[c].chars().count());
            cells
                .chain([self.heading(c).chars().count()])
                .max()
                .unwrap_or(0)
                + 2
        };
        let room = usize::from(width) + 2;
        let first = longest(0);
        let mut parts: Vec<Vec<usize>> = Vec::new();
        let mut used = room;
        for column in 1..all.len() {
            let wide = longest(column);
            match parts.last_mut() {
                Some(part) if used + wide <= room => part.push(column),
                _ => {
                    parts.push(vec![0, column]);
                    used = first;
                }
            }
            used += wide;
        }
        if parts.is_empty() { vec![all] } else { parts }
    }

    fn text(&self, width: u16) -> String {
        let bold = anstyle::Style::new().bold();
        let dim = anstyle::Style::new().dimmed();
        let mut out = String::new();
        for line in wrap(&self.title, width.into()) {
            let _ = writeln!(out, "{bold}{line}{bold:#}");
        }
        for (index, part) in self.parts(width).iter().enumerate() {
            if index > 0 {
                out.push('\n');
            }
            self.part(part, width, &mut out);
        }
        for line in self
            .footnote
            .lines()
            .flat_map(|line| wrap(line, width.into()))
        {
            let _ = writeln!(out, "{dim}{line}{dim:#}");
        }
        out
    }

    fn part(&self, columns: &[usize], width: u16, out: &mut String) {
        let mut text = Text::new();
        text.load_style(presets::NOTHING)
            .set_content_arrangement(ContentArrangement::Dynamic)
            .set_width(width);
        text.set_header(columns.iter().map(|&c| self.heading(c)));
        for row in &self.rows {
            text.add_row(columns.iter().map(|&c| &row[c]));
        }
        // Only wide columns are wrapped; ids and numbers stay on one line.
        let content = text.column_max_content_widths();
        let gap = if content.iter().map(|w| w + 2).sum::<u16>() > width {
            1
        } else {
            2
        };
        for (index, column) in text.column_iter_mut().enumerate() {
            column.set_padding((0, gap));
            if content[index] <= WHOLE {
                column.set_constraint(ColumnConstraint::ContentWidth);
            }
            if self.columns[columns[index]].starts_with('>') {
                column.set_cell_alignment(CellAlignment::Right);
            }
        }
        let dim = anstyle::Style::new().dimmed();
        let headed = columns.iter().any(|&c| !self.heading(c).is_empty());
        let head = columns.iter().map(|&c| self.heading(c).split('\n').count());
        let head = head.max().unwrap_or(1);
        for (index, line) in text.lines().enumerate() {
            let line = line.trim_end();
            if index < head && !headed {
                continue;
            }
            let _ = if index < head {
                writeln!(out, "{dim}{line}{dim:#}")
            } else {
                writeln!(out, "{line}")
            };
        }
    }

    fn json(&self) -> Value {
        let rows = self
            .rows
            .iter()
            .map(|row| {
                let object: Map<String, Value> = (0..self.columns.len())
                    .map(|c| {
                        // Hexadecimal bytes may look like a number, but are text.
                        let value = if self.columns[c].starts_with('>') {
                            value(&row[c])
                        } else {
                            Value::from(row[c].as_str())
                        };
                        (self.heading(c).to_owned(), value)
                    })
                    .collect();
                Value::Object(object)
            })
            .collect();
        let mut table = serde_json::json!({ "title": self.title, "rows": Value::Array(rows) });
        if !self.footnote.is_empty() {
            table["note"] = Value::from(self.footnote.as_str());
        }
        table
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
            .map(|c| quote(self.heading(c)))
            .collect();
        let mut out = head.join(",") + "\r\n";
        for row in &self.rows {
            let cells: Vec<_> = row
                .iter()
                .zip(&self.columns)
                .map(|(cell, column)| match cell.as_str() {
                    NONE if column.starts_with('>') => String::new(),
                    cell => quote(cell),
                })
                .collect();
            out += &(cells.join(",") + "\r\n");
        }
        out
    }

    fn md(&self) -> String {
        let escape = |cell: &str| cell.replace('|', "\\|").replace('\n', " ");
        let mut out = format!("**{}**\n\n|", self.title);
        for c in 0..self.columns.len() {
            let _ = write!(out, " {} |", escape(self.heading(c)));
        }
        out.push_str("\n|");
        for column in &self.columns {
            out.push_str(if column.starts_with('>') {
                "---:|"
            } else {
                "---|"
            });
        }
        out.push('\n');
        for row in &self.rows {
            out.push('|');
            for cell in row {
                let _ = write!(out, " {} |", escape(cell));
            }
            out.push('\n');
        }
        if !self.footnote.is_empty() {
            let _ = write!(out, "\n{}\n", self.footnote);
        }
        out
    }
}

/// Wraps a text at spaces into lines of at most `width` characters.
fn wrap(text: &str, width: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        match lines.last_mut() {
            Some(line) if line.chars().count() + 1 + word.chars().count() <= width => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines
}

/// The text in place of a missing number.
const NONE: &str = "–";

/// Returns the JSON value of a cell: a number if the cell is one, null if the number is
/// missing, otherwise a string.
fn value(cell: &str) -> Value {
    if cell == NONE {
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
            let document = if let [one] = &all[..] {
                one.clone()
            } else {
                Value::Array(all)
            };
            out = format!("{document:#}\n");
        }
        Format::Csv => {
            // Several tables are separated by an empty line, as spreadsheets expect.
            out = tables
                .iter()
                .map(Table::csv)
                .collect::<Vec<_>>()
                .join("\r\n");
        }
        Format::Md => {
            out = tables.iter().map(Table::md).collect::<Vec<_>>().join("\n");
        }
    }
    output::text(&out)
}

/// Width of the output in characters: the terminal's, or 80, but at least 40.
pub fn width() -> u16 {
    rustix::termios::tcgetwinsize(std::io::stdout())
        .map(|size| size.ws_col)
        .ok()
        .filter(|&columns| columns >= 40)
        .unwrap_or(80)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample() -> Table {
        let mut table = Table::new("Speed, ns per byte, lower is better", &["library", ">ns/B"]);
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
        let mut table = Table::new("", &["expected"]);
        table.row(["0000"]);
        assert_eq!(table.json()["rows"][0]["expected"], "0000");
    }

    #[test]
    fn markdown_escapes_bars() {
        assert!(sample().md().contains("| a, \"b\" \\| c | 0.16 |"));
    }

    #[test]
    fn text_fits_its_width() {
        let text = sample().text(40);
        assert!(
            text.lines()
                .all(|line| anstream::adapter::strip_str(line).to_string().len() <= 40)
        );
    }
}
