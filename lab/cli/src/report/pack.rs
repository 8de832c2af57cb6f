//! Packs the run for the page's script as JSON: each string once in a table, rows as
//! arrays where there are thousands, and samples as text.

use std::collections::{BTreeMap, HashMap};

use serde_json::{Value, json};

use crate::adapters::MASKED;
use crate::operations::{self, Operation};
use crate::stats::Interval;
use crate::summary::{Cell, Summary};
use crate::view::exhibit::{Chart, Exhibit, Shown};
use crate::{catalogue, names, standing};

/// Most characters for all samples together.
const SAMPLES: usize = 1_500_000;

/// Digits for packed samples: characters that neither HTML nor JSON escapes.
const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

/// A table that has each distinct string once.
#[derive(Default)]
struct Strings<'a> {
    list: Vec<&'a str>,
    places: HashMap<&'a str, usize>,
}

impl<'a> Strings<'a> {
    fn place(&mut self, text: &'a str) -> usize {
        *self.places.entry(text).or_insert_with(|| {
            self.list.push(text);
            self.list.len() - 1
        })
    }
}

/// Returns the page's label for a contract. Masked variants are compared only with each other,
/// so the label includes the mask.
fn label(cell: &Cell) -> String {
    let contract = cell.contract_label();
    match cell.library.split_once(MASKED) {
        Some((_, mask)) => format!("{contract}, {mask}"),
        None => contract,
    }
}

/// Returns the page's data as JSON that is safe inside a script element.
pub(super) fn pack(summary: &Summary, views: &[Shown]) -> anyhow::Result<String> {
    let labels: Vec<String> = summary.cells.iter().map(label).collect();
    let mut strings = Strings::default();
    let (digits, stride) = fineness(summary.cells.iter().map(|cell| cell.samples.len()));
    let cells: Vec<Value> = summary
        .cells
        .iter()
        .zip(&labels)
        .map(|(cell, label)| {
            let flags: Vec<usize> = cell.flags.iter().map(|flag| strings.place(flag)).collect();
            json!([
                strings.place(&cell.library),
                strings.place(&cell.primitive),
                strings.place(&cell.operation),
                strings.place(&cell.family),
                strings.place(label),
                cell.bytes,
                cell.threads,
                interval(cell.ns),
                [
                    short(cell.spread[0]),
                    short(cell.spread[1]),
                    short(cell.spread[2])
                ],
                interval(cell.ratio),
                u8::from(cell.tie),
                cell.rounds,
                cell.calls,
                strings.place(&cell.stop),
                cell.first_ns,
                cell.mhz.map(short),
                flags,
                strings.place(&cell.api),
                strings.place(&cell.kernel),
                strings.place(&cell.note),
                samples(&cell.samples, digits, stride),
            ])
        })
        .collect();
    let verification: Vec<Value> = summary
        .verification
        .iter()
        .map(|row| {
            let sources: Vec<usize> = row.sources.iter().map(|s| strings.place(s)).collect();
            json!([
                strings.place(&row.library),
                strings.place(&row.primitive),
                strings.place(&row.operation),
                strings.place(&row.family),
                row.passed,
                row.failed,
                row.acceptable,
                row.unsupported,
                row.agreed,
                row.disagreed,
                sources,
            ])
        })
        .collect();
    let costs: Vec<Value> = summary
        .costs
        .iter()
        .map(|cost| {
            json!([
                strings.place(&cost.library),
                strings.place(&cost.primitive),
                strings.place(&cost.operation),
                strings.place(&cost.family),
                interval(cost.slope),
                interval(cost.intercept),
                short(cost.misfit),
                cost.setup.map(interval),
                cost.setup_bytes.map(interval),
            ])
        })
        .collect();
    let algorithms: Vec<Value> = summary
        .ranking
        .algorithms
        .iter()
        .map(|rank| {
            json!([
                strings.place(&rank.library),
                strings.place(&rank.algorithm),
                strings.place(&rank.family),
                interval(rank.rank),
                rank.band,
                short(rank.coverage),
            ])
        })
        .collect();
    let failures: Vec<Value> = summary
        .failures
        .iter()
        .map(|failure| {
            json!([
                strings.place(&failure.library),
                strings.place(&failure.primitive),
                strings.place(&failure.operation),
                strings.place(&failure.kind),
            ])
        })
        .collect();

    let mut primitives = BTreeMap::new();
    let mut operations = BTreeMap::new();
    let pairs = summary
        .cells
        .iter()
        .map(|row| (&row.primitive, &row.operation))
        .chain(
            summary
                .verification
                .iter()
                .map(|row| (&row.primitive, &row.operation)),
        );
    for (primitive, operation) in pairs {
        primitives.entry(primitive).or_insert_with(|| {
            let entry = standing::of_primitive(primitive);
            json!({
                "name": names::primitive(primitive),
                "standing": entry.map(|entry| entry.standing),
                "why": entry.map(|entry| format!("{} {}.", entry.why, entry.source)),
            })
        });
        operations.entry(operation).or_insert_with(|| {
            let known = operations::find(operation);
            let place = operations::OPERATIONS
                .iter()
                .position(|row| row.id == *operation);
            json!({
                "name": names::operation(operation),
                "mode": names::mode(operation),
                "verb": names::verb(operation),
                "place": place,
                "beside": known.and_then(Operation::beside),
                "undoes": known.and_then(|known| known.inverse_of.as_deref()),
                "perCall": catalogue::is_per_call(operation),
            })
        });
    }

    let views: BTreeMap<&str, Vec<Value>> = views
        .iter()
        .map(|view| (view.name, view.exhibits.iter().map(exhibit).collect()))
        .collect();

    let headings: BTreeMap<&str, &str> = catalogue::NAMED_FAMILIES
        .iter()
        .map(|family| (&*family.id, &*family.heading))
        .collect();

    let data = json!({
        "views": views,
        "run": summary.run,
        "mhz": summary.machine.mhz,
        "libraries": summary.libraries,
        "headline": summary.headline,
        "variants": summary.variants,
        "overall": summary.ranking.overall,
        "families": summary.ranking.families,
        "headings": headings,
        "primitives": primitives,
        "operations": operations,
        "algorithms": algorithms,
        "cells": cells,
        "costs": costs,
        "verification": verification,
        "failures": failures,
        "digits": digits,
        "stride": stride,
        "strings": strings.list,
    });
    Ok(escape(&serde_json::to_string(&data)?))
}

/// Returns the data from which the script draws an exhibit. An exhibit that is only a table
/// needs none, because the page already contains the table.
fn exhibit(exhibit: &Exhibit) -> Value {
    if exhibit.chart == Chart::None {
        return Value::Null;
    }
    let mut drawn = exhibit.clone();
    for figure in drawn.rows.iter_mut().flat_map(|row| &mut row.figures) {
        if let Some(value) = &mut figure.value {
            let [low, mid, high] = interval(*value);
            *value = if value.is_known() {
                Interval { low, mid, high }
            } else {
                Interval::exact(mid)
            };
        }
    }
    json!(drawn)
}

/// Escapes JSON so that no HTML parser can mistake it for markup. The escaped characters
/// occur only inside JSON strings, where the escape has the same meaning.
fn escape(json: &str) -> String {
    let mut text = String::with_capacity(json.len());
    for character in json.chars() {
        match character {
            '<' | '>' | '&' | '\u{2028}' | '\u{2029}' => {
                text.push_str(&format!("\\u{:04x}", character as u32));
            }
            _ => text.push(character),
        }
    }
    text
}

/// Rounds to five significant digits, which is more than the precision of any interval.
fn short(number: f64) -> f64 {
    if !number.is_finite() {
        return number;
    }
    format!("{number:.4e}").parse().unwrap_or(number)
}

/// Rounds to seven significant digits, for the ends of a range that samples divide.
fn finer(number: f64) -> f64 {
    format!("{number:.6e}").parse().unwrap_or(number)
}

fn interval(interval: Interval) -> [f64; 3] {
    [
        short(interval.low),
        short(interval.mid),
        short(interval.high),
    ]
}

/// Chooses the number of characters for a sample, and the distance between the samples that are
/// packed, so that the text of all samples is short enough.
fn fineness(lengths: impl Iterator<Item = usize>) -> (usize, usize) {
    let total: usize = lengths.sum();
    if total * 3 <= SAMPLES {
        (3, 1)
    } else {
        (2, (total * 2).div_ceil(SAMPLES).max(1))
    }
}

/// Packs samples as `lowest highest digits`. Each sample is its position between the
/// lowest and the highest, in 64^`digits` steps.
fn samples(samples: &[f64], digits: usize, stride: usize) -> String {
    let finite = || samples.iter().copied().filter(|sample| sample.is_finite());
    let (low, high) = finite().fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), sample| {
        (low.min(sample), high.max(sample))
    });
    if low > high {
        return String::new();
    }
    let steps = (64_u32.pow(digits as u32) - 1) as f64;
    let scale = if high > low {
        steps / (high - low)
    } else {
        0.0
    };
    let mut text = format!("{} {} ", finer(low), finer(high));
    for sample in finite().step_by(stride) {
        let place = ((sample - low) * scale).round() as u32;
        for digit in (0..digits).rev() {
            let value = place / 64_u32.pow(digit as u32) % 64;
            text.push(DIGITS[value as usize] as char);
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markup_in_the_data_stays_data() {
        let text = escape(&json!({ "a": "</script><!-- & \u{2028}" }).to_string());
        assert!(!text.contains(['<', '>', '&', '\u{2028}']));
        let back: Value = serde_json::from_str(&text).unwrap();
        assert_eq!(back["a"], "</script><!-- & \u{2028}");
    }

    #[test]
    fn numbers_keep_five_digits() {
        assert_eq!(short(1234.5678), 1234.6);
        assert_eq!(short(0.000123456), 0.00012346);
        assert!(short(f64::NAN).is_nan());
    }

    #[test]
    fn samples_pack_to_fixed_width() {
        assert_eq!(samples(&[], 3, 1), "");
        assert_eq!(samples(&[2.0, 2.0], 2, 1), "2 2 AAAA");
        assert_eq!(samples(&[1.0, 3.0, 2.0, 3.0], 2, 1), "1 3 AA__gA__");
        assert_eq!(samples(&[1.0, 3.0, 2.0, 3.0], 2, 2), "1 3 AAgA");
    }

    #[test]
    fn many_samples_are_thinned_to_fit() {
        assert_eq!(fineness([100].into_iter()), (3, 1));
        assert_eq!(fineness([SAMPLES / 2].into_iter()), (2, 1));
        assert_eq!(fineness([SAMPLES * 2].into_iter()), (2, 4));
    }
}
