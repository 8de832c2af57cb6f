//! Tables as GitHub-flavoured Markdown, and a comment for a pull request that is made of them.

use std::fmt::Write as _;

use super::Table;

/// The most bytes of a comment. GitHub refuses more than 65,536 characters; the rest is room for what
/// a workflow adds.
const MOST: usize = 64_000;

impl Table {
    /// Returns the table with its title and footnote.
    pub(super) fn md(&self) -> String {
        let mut out = format!("**{}**\n\n{}", escape(&self.title), self.md_head());
        for row in 0..self.rows.len() {
            out += &self.md_row(row);
        }
        out + &self.md_foot()
    }

    fn md_head(&self) -> String {
        let mut out = String::from("|");
        for c in 0..self.columns.len() {
            let _ = write!(out, " {} |", escape(self.heading(c)));
        }
        out.push_str("\n|");
        for c in 0..self.columns.len() {
            out.push_str(if self.is_number(c) { "---:|" } else { "---|" });
        }
        out.push('\n');
        out
    }

    fn md_row(&self, row: usize) -> String {
        let mut out = String::from("|");
        for cell in &self.rows[row] {
            let _ = write!(out, " {} |", escape(&cell.text));
        }
        out.push('\n');
        out
    }

    fn md_foot(&self) -> String {
        match self.footnote.is_empty() {
            true => String::new(),
            false => format!("\n{}\n", escape_lines(&self.footnote)),
        }
    }

    /// Returns the table behind its title, which unfolds it. It has as many of the first rows as `room`
    /// bytes can hold, and says how many are left out.
    fn folded(&self, room: usize) -> String {
        let rows = match self.rows.len() {
            1 => "1 row".to_owned(),
            rows => format!("{rows} rows"),
        };
        let mut out = format!(
            "<details>\n<summary>{} ({rows})</summary>\n\n{}",
            escape(&self.title),
            self.md_head()
        );
        let left_out = |rows: usize| match rows {
            0 => String::new(),
            rows => format!("\n{rows} more rows have no room in a comment.\n"),
        };
        let end = self.md_foot() + "\n</details>\n";
        let reserved = end.len() + left_out(self.rows.len()).len();
        let mut shown = 0;
        for row in 0..self.rows.len() {
            let row = self.md_row(row);
            if out.len() + row.len() + reserved > room {
                break;
            }
            out += &row;
            shown += 1;
        }
        out + &left_out(self.rows.len() - shown) + &end
    }
}

/// Returns a comment for a pull request: the verdict in one line, and each table folded. The comment is
/// never longer than GitHub accepts.
pub(super) fn comment(verdict: &str, tables: &[Table]) -> String {
    let mut out = format!("{}\n", verdict.replace('\n', " "));
    for (index, table) in tables.iter().enumerate() {
        // Each table has the same share of what is left, and what short ones do not need.
        let left = MOST.saturating_sub(out.len());
        let share = left / (tables.len() - index);
        let need = |later: &Table| (later.folded(MOST).len() + 1).min(share);
        let later: usize = tables[index + 1..].iter().map(need).sum();
        out.push('\n');
        out += &table.folded((left - later).saturating_sub(1));
    }
    out
}

/// Writes a text so that it is neither a cell's end nor HTML.
pub fn escape(text: &str) -> String {
    escape_lines(text).replace('|', "\\|").replace('\n', " ")
}

fn escape_lines(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table(rows: usize) -> Table {
        let mut table = Table::new("changes", "Changes", &["cell", ">ratio"]);
        for row in 0..rows {
            table.row([
                format!("cell {row} of a library with a long name"),
                "1.03".into(),
            ]);
        }
        table.footnote = "a note".into();
        table
    }

    #[test]
    fn bars_and_tags_are_text() {
        let mut table = table(0);
        table.row(["a, \"b\" | c</details>", "0.16"]);
        let md = table.md();
        assert!(
            md.contains("| a, \"b\" \\| c&lt;/details> | 0.16 |"),
            "{md}"
        );
    }

    #[test]
    fn a_comment_begins_with_the_verdict_and_folds_the_rest() {
        let text = comment("**Slower**: one cell", &[table(2), table(1)]);
        assert!(text.starts_with("**Slower**: one cell\n\n<details>\n<summary>Changes (2 rows)</summary>\n\n| cell | ratio |\n"), "{text}");
        assert_eq!(text.matches("</details>").count(), 2);
        assert!(
            text.contains("(1 row)") && !text.contains("no room"),
            "{text}"
        );
    }

    #[test]
    fn a_comment_has_room_for_what_github_accepts_and_says_what_is_left_out() {
        let text = comment(
            "**Slower**: many cells",
            &[table(5000), table(3), table(9000)],
        );
        assert!(
            text.len() <= MOST && text.len() > MOST - 2000,
            "{}",
            text.len()
        );
        let shown = text.matches("\n| cell ").count() - 3;
        let mut left_out = 0;
        for line in text
            .lines()
            .filter(|line| line.ends_with("no room in a comment."))
        {
            left_out += line.split(' ').next().unwrap().parse::<usize>().unwrap();
        }
        assert_eq!(shown + left_out, 5000 + 3 + 9000);
        // The room that short tables do not need is the long one's.
        let text = comment("**Slower**: many cells", &[table(5000), table(3), table(3)]);
        assert!(text.len() > MOST - 2000, "{}", text.len());
        assert_eq!(text.matches("</details>").count(), 3);
    }
}
