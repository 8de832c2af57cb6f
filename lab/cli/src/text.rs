//! Makes text from outside (from workers, vectors, exported runs and other people's
//! stores) safe to show in a terminal, a table, a file or a page.

use std::borrow::Cow;
use std::fmt::Write as _;

use crate::files::measured::Measured;
use crate::summary::{Cell, Failure, Library, Machine, Verification};

/// The most characters of a name, a version or a kind.
pub const NAME: usize = 200;
/// The most characters of a sentence: a reason or a note.
pub const SENTENCE: usize = 2000;

/// Most characters of a table's cell: an input or an output in hex digits.
pub const CELL: usize = 8192;

/// Replaces invisible characters, and characters that control the terminal, by escapes
/// such as `\u{1b}`: control characters, line and paragraph separators, and the marks
/// that change the direction of text (Unicode Standard Annex 9). A text longer than
/// `most` characters is cut, with a note.
pub fn visible(text: &str, most: usize) -> Cow<'_, str> {
    let long = text.len() > most && text.chars().nth(most).is_some();
    if !long && !text.chars().any(hidden) {
        return Cow::Borrowed(text);
    }
    let mut shown = String::new();
    for c in text.chars().take(most) {
        if hidden(c) {
            let _ = write!(shown, "\\u{{{:x}}}", u32::from(c));
        } else {
            shown.push(c);
        }
    }
    if long {
        let _ = write!(shown, "… ({} bytes)", text.len());
    }
    Cow::Owned(shown)
}

/// [`visible`] for a text of several lines, each of them a sentence.
pub fn visible_lines(text: &str) -> String {
    let lines = text.lines().map(|line| visible(line, SENTENCE));
    lines.collect::<Vec<_>>().join("\n")
}

/// [`visible`], changing the text in place.
pub fn make_visible(text: &mut String, most: usize) {
    if let Cow::Owned(shown) = visible(text, most) {
        *text = shown;
    }
}

/// A value that contains text from outside.
pub trait Foreign {
    /// Makes all texts in the value safe to show.
    fn make_visible(&mut self);
}

impl Foreign for Library {
    fn make_visible(&mut self) {
        for text in [
            &mut self.id,
            &mut self.mask,
            &mut self.name,
            &mut self.version,
            &mut self.licence,
            &mut self.language,
        ] {
            make_visible(text, NAME);
        }
        for text in [
            &mut self.path,
            &mut self.features,
            &mut self.note,
            &mut self.handicap,
            &mut self.absent,
        ] {
            make_visible(text, SENTENCE);
        }
    }
}

impl Foreign for Verification {
    fn make_visible(&mut self) {
        let ids = [
            &mut self.library,
            &mut self.primitive,
            &mut self.operation,
            &mut self.family,
        ];
        let flags = self.flags.iter_mut().map(|flag| &mut flag.flag);
        for text in ids.into_iter().chain(&mut self.sources).chain(flags) {
            make_visible(text, NAME);
        }
    }
}

impl Foreign for Failure {
    fn make_visible(&mut self) {
        for text in [
            &mut self.library,
            &mut self.primitive,
            &mut self.operation,
            &mut self.kind,
        ] {
            make_visible(text, NAME);
        }
        for text in [
            &mut self.place,
            &mut self.input,
            &mut self.expected,
            &mut self.got,
        ] {
            make_visible(text, CELL);
        }
    }
}

impl Foreign for Cell {
    fn make_visible(&mut self) {
        for text in [
            &mut self.library,
            &mut self.primitive,
            &mut self.operation,
            &mut self.family,
            &mut self.contract,
            &mut self.stop,
        ] {
            make_visible(text, NAME);
        }
        let texts = [&mut self.api, &mut self.kernel, &mut self.note];
        for text in texts.into_iter().chain(&mut self.flags) {
            make_visible(text, SENTENCE);
        }
    }
}

impl Foreign for Machine {
    fn make_visible(&mut self) {
        make_visible(&mut self.line, SENTENCE);
        for (name, fact) in &mut self.facts {
            make_visible(name, NAME);
            make_visible(fact, SENTENCE);
        }
    }
}

impl Foreign for Measured {
    fn make_visible(&mut self) {
        for text in [&mut self.started, &mut self.lab_version, &mut self.machine] {
            make_visible(text, NAME);
        }
        make_visible(&mut self.line, SENTENCE);
        for one in &mut self.programs {
            make_visible(&mut one.name, NAME);
            for text in [&mut one.about, &mut one.version, &mut one.absent] {
                make_visible(text, SENTENCE);
            }
        }
        for cell in &mut self.cells {
            make_visible(&mut cell.failure, SENTENCE);
        }
    }
}

impl<T: Foreign> Foreign for Option<T> {
    fn make_visible(&mut self) {
        self.iter_mut().for_each(T::make_visible);
    }
}

impl<T: Foreign> Foreign for Vec<T> {
    fn make_visible(&mut self) {
        self.iter_mut().for_each(T::make_visible);
    }
}

fn hidden(c: char) -> bool {
    c.is_control()
        || matches!(
            c,
            // Directional marks, embeddings, overrides and isolates.
            '\u{061c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}'
            // Line and paragraph separators, and characters without width.
            | '\u{2028}' | '\u{2029}' | '\u{200b}'..='\u{200d}' | '\u{2060}' | '\u{feff}'
            // Tag characters, which spell invisible text.
            | '\u{e0000}'..='\u{e007f}'
        )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_moves_a_terminal_is_written_out() {
        for (text, shown) in [
            ("OpenSSL 3.5 ‖ Škoda", "OpenSSL 3.5 ‖ Škoda"),
            ("\x1b]0;title\x07", "\\u{1b}]0;title\\u{7}"),
            ("a\r\nb\0", "a\\u{d}\\u{a}b\\u{0}"),
            ("\u{9b}2J", "\\u{9b}2J"),
            ("\u{202e}gpj.exe", "\\u{202e}gpj.exe"),
            (
                "a\u{2028}b\u{2066}\u{feff}",
                "a\\u{2028}b\\u{2066}\\u{feff}",
            ),
        ] {
            assert_eq!(visible(text, NAME), shown);
        }
    }

    #[test]
    fn long_text_is_cut_and_says_so() {
        assert_eq!(visible("äöü", 3), "äöü");
        assert_eq!(visible("äöüß", 3), "äöü… (8 bytes)");
        let mut endless = "x".repeat(10 << 20);
        make_visible(&mut endless, NAME);
        assert!(endless.len() < 250);
    }
}
