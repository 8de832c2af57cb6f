//! Writes tables in four formats: aligned text, JSON, CSV, Markdown. `docs/tables.md` explains
//! the formats for programs.

mod markdown;

pub use markdown::escape;

use std::fmt::Write as _;

use comfy_table::{
    CellAlignment, ColumnConstraint, ContentArrangement, Row, Table as Text, Width, presets,
};
use serde_json::Value;

use crate::output;
use crate::text::{CELL, make_visible};

/// Columns of up to this number of characters are never wrapped.
const WHOLE: u16 = 24;

/// Characters before a text below its row.
const INDENT: usize = 4;

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

    /// Returns the columns of each part: one part with all columns, or several parts that fit
    /// the width.
    fn parts(&self, width: u16) -> Vec<Vec<usize>> {
        let shown = self.columns.len() - usize::from(self.below);
        let all: Vec<usize> = (0..shown).collect();
        if !self.folds || !self.columns.iter().skip(1).all(|c| c.starts_with('>')) {
            return vec![all];
        }
        let longest = |c: usize| {
            let cells = self.rows.iter().map(|row| row[c].text.chars().count());
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

    pub(crate) fn text(&self, width: u16) -> String {
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

    /// Returns the width that each column needs so that lines end between words: its whole width up to
    /// [`WHOLE`], else the length of its longest word. If that is too much for the width, the longest
    /// words may be divided, and at last whole columns. `None` if nothing of this fits. `content` has the
    /// whole width of each column.
    fn least(&self, columns: &[usize], content: &[u16], width: u16) -> Option<Vec<u16>> {
        let words = |c: usize| {
            let texts = self.rows.iter().map(move |row| &row[c].text);
            texts.flat_map(|text| {
                text.split_whitespace()
                    .map(|word| word.chars().count() as u16)
            })
        };
        let least = |most: u16| -> Vec<u16> {
            let of = |(&c, &whole): (&usize, &u16)| match whole <= WHOLE {
                true => whole,
                false => words(c).filter(|&long| long <= most).max().unwrap_or(0),
            };
            columns.iter().zip(content).map(of).collect()
        };
        let divided = |most: u16| content.iter().map(|&whole| whole.min(most)).collect();
        let sizes = (8..=WHOLE).rev();
        sizes
            .clone()
            .map(least)
            .chain(sizes.map(divided))
            .find(|least| least.iter().sum::<u16>() <= width)
    }

    fn part(&self, columns: &[usize], width: u16, out: &mut String) {
        let mut text = Text::new();
        text.load_style(presets::NOTHING)
            .set_content_arrangement(ContentArrangement::Dynamic)
            .set_width(width);
        text.set_header(columns.iter().map(|&c| self.heading(c)));
        for row in &self.rows {
            let mut cells = Row::from(columns.iter().map(|&c| &row[c].text));
            if self.below {
                cells.max_height(1);
            }
            text.add_row(cells);
        }
        // Only wide columns are wrapped, between words; ids and numbers stay on one line.
        let content = text.column_max_content_widths();
        let gap = if content.iter().map(|w| w + 2).sum::<u16>() > width {
            1
        } else {
            2
        };
        let least = self.least(
            columns,
            &content,
            width.saturating_sub(gap * columns.len() as u16),
        );
        for (index, column) in text.column_iter_mut().enumerate() {
            column.set_padding((0, gap));
            match &least {
                Some(least) if least[index] < content[index] => {
                    let width = Width::Fixed(least[index] + gap);
                    column.set_constraint(ColumnConstraint::LowerBoundary(width));
                }
                None if content[index] > WHOLE => {}
                _ => {
                    column.set_constraint(ColumnConstraint::ContentWidth);
                }
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
            if index < head {
                let _ = writeln!(out, "{dim}{line}{dim:#}");
                continue;
            }
            let _ = writeln!(out, "{line}");
            if let Some(row) = self.rows.get(index - head).filter(|_| self.below) {
                let below = row.last().map_or("", Entry::text);
                for line in wrap(below, usize::from(width) - INDENT) {
                    let _ = writeln!(out, "{:INDENT$}{line}", "");
                }
            }
        }
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

/// Wraps a text at spaces into lines of at most `width` characters. Longer words are divided.
fn wrap(text: &str, width: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    let words = text.split_whitespace().flat_map(|word| {
        let letters: Vec<char> = word.chars().collect();
        let parts = letters.chunks(width).map(|part| part.iter().collect());
        parts.collect::<Vec<String>>()
    });
    for word in words {
        match lines.last_mut() {
            Some(line) if line.chars().count() + 1 + word.chars().count() <= width => {
                line.push(' ');
                line.push_str(&word);
            }
            _ => lines.push(word),
        }
    }
    lines
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

    fn sample() -> Table {
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

    #[test]
    fn words_are_not_divided() {
        let licence = "LGPL-2.1-or-later";
        let mut table = Table::new("", "", &["library", "families", "licence", "source"]);
        table.row([
            "Libgcrypt",
            "block, aead, stream, hash, mac, kdf, curve, integer",
            &format!("{licence} OR MIT"),
            "a sentence that takes the room which the other columns leave",
        ]);
        assert!(table.text(80).contains(licence), "{}", table.text(80));
    }

    #[test]
    fn sentences_stand_below_their_rows() {
        let mut table = Table::new("", "", &["library", ">ns", "why"]);
        table.below = true;
        let path = "x".repeat(60);
        table.row(["openssl", "12", &format!("version 1 → 2; object {path}")]);
        table.row(["nettle", "7", ""]);
        let text = anstream::adapter::strip_str(&table.text(40)).to_string();
        let lines: Vec<&str> = text.lines().collect();
        assert!(
            lines.iter().all(|line| line.chars().count() <= 40),
            "{text}"
        );
        assert_eq!(lines[0], "library  ns");
        assert_eq!(lines[1], "openssl  12");
        assert_eq!(lines[2], "    version 1 → 2; object");
        assert_eq!(*lines.last().unwrap(), "nettle    7");
        assert!(table.md().contains("version 1 → 2"));
    }

    #[test]
    fn many_columns_of_names_fit_a_narrow_terminal() {
        let name = "a-host-with-a-name-of-24";
        let mut table = Table::new("", "", &["one", "two", "three", "four"]);
        table.row([name; 4]);
        let text = anstream::adapter::strip_str(&table.text(80)).to_string();
        assert!(
            text.lines().all(|line| line.chars().count() <= 80),
            "{text}"
        );
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
