//! Tables as aligned text for a terminal.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use comfy_table::{
    CellAlignment, ColumnConstraint, ContentArrangement, Row, Table as Text, Width, presets,
};

use super::{Entry, Table};

/// Columns of up to this number of characters are never wrapped.
const WHOLE: u16 = 24;

/// Characters before a text below its row.
const INDENT: usize = 4;

impl Table {
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
    /// [`WHOLE`], else the length of its longest word. If that is too much for the width, first narrower
    /// columns of texts are wrapped between words, then the longest words may be divided, and at last
    /// numbers too. `None` if nothing of this fits. `content` has the whole width of each column.
    fn least(&self, columns: &[usize], content: &[u16], width: u16) -> Option<Vec<u16>> {
        let words: Vec<BTreeSet<u16>> = columns
            .iter()
            .map(|&c| {
                let texts = self.rows.iter().map(|row| row[c].text.as_str());
                texts
                    .chain([self.heading(c)])
                    .flat_map(str::split_whitespace)
                    .map(|word| word.chars().count() as u16)
                    .collect()
            })
            .collect();
        // Columns of numbers and columns up to `kept` stay whole, and words up to `most`.
        let least = |kept: u16, most: u16| -> Vec<u16> {
            let of = |(index, &whole): (usize, &u16)| {
                if whole <= kept || (whole <= WHOLE && self.is_number(columns[index])) {
                    whole
                } else {
                    words[index].range(..=most).last().copied().unwrap_or(0)
                }
            };
            content.iter().enumerate().map(of).collect()
        };
        let divided = |most: u16| content.iter().map(|&whole| whole.min(most)).collect();
        let sizes = (8..=WHOLE).rev();
        let between_words = (0..=WHOLE).rev().map(|kept| least(kept, WHOLE));
        between_words
            .chain(sizes.clone().map(|most| least(0, most)))
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

#[cfg(test)]
mod tests {
    use super::*;

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
    fn columns_are_wrapped_before_a_word_is_divided() {
        let heads = ["library", "families", "licence", "version", "written in"];
        let mut table = Table::new("", "", &heads);
        table.row([
            "RustCrypto (public keys)",
            "signature, agreement, encapsulation, integer",
            "Apache-2.0 OR LGPL-2.1-or-later",
            "1.12.4",
            "Rust, assembly",
        ]);
        let text = anstream::adapter::strip_str(&table.text(80)).to_string();
        for word in ["encapsulation,", "LGPL-2.1-or-later"] {
            assert!(text.contains(word), "{text}");
        }
        assert!(
            text.lines().all(|line| line.chars().count() <= 80),
            "{text}"
        );
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
        let text = crate::table::tests::sample().text(40);
        assert!(
            text.lines()
                .all(|line| anstream::adapter::strip_str(line).to_string().len() <= 40)
        );
    }
}
