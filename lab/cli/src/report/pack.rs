//! Packs the run for the page's script: as JSON in which a table is a set of named columns,
//! compressed, as text. The columns make the compressed text short.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::io::Write as _;

use base64ct::{Base64, Encoding as _};
use flate2::Compression;
use flate2::write::DeflateEncoder;
use serde_json::{Map, Value, json};
use touchstone_wire::Contract;

use super::timeline;
use crate::adapters::MASKED;
use crate::catalogue::Costs;
use crate::operations::{self, Operation};
use crate::recommend::constraint::{Claims, broken, not_of_system};
use crate::recommend::model::{Variation, variations};
use crate::stats::{Interval, critical};
use crate::summary::{Cell, Library, Summary, Verification};
use crate::view::exhibit::{Exhibit, Shown};
use crate::{catalogue, names, standing};

/// Most characters for all samples together.
const SAMPLES: usize = 1_000_000;

/// Degrees of freedom up to which the page knows Student's t.
const FREEDOM: usize = 64;

/// Digits for packed samples: characters that neither HTML nor JSON escapes.
const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

/// Returns the page's label for a contract. Masked variants are compared only with each other,
/// so the label includes the mask.
fn label(cell: &Cell) -> String {
    let contract = cell.contract_label();
    match cell.library.split_once(MASKED) {
        Some((_, mask)) => format!("{contract}, {mask}"),
        None => contract,
    }
}

/// Returns the page's data: JSON, compressed by DEFLATE (RFC 1951), in Base64.
pub(super) fn pack(
    summary: &Summary,
    others: &[Summary],
    views: &[Shown],
    claims: Option<&Claims>,
) -> anyhow::Result<String> {
    let mut data = data(summary, views, claims);
    data["others"] = others.iter().map(other).collect();
    data["timeline"] = json!(timeline::series()?);
    let json = serde_json::to_vec(&data)?;
    let mut encoder = DeflateEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(&json)?;
    Ok(Base64::encode_string(&encoder.finish()?))
}

fn data(summary: &Summary, views: &[Shown], claims: Option<&Claims>) -> Value {
    let (digits, stride) = fineness(summary.cells.iter().map(|cell| cell.samples.len()));
    let variations = variations(&summary.cells);
    let cells = summary.cells.iter().zip(&variations);
    let mut primitives = BTreeSet::new();
    let mut operations = BTreeSet::new();
    for row in &summary.cells {
        primitives.insert(&row.primitive);
        operations.insert(&row.operation);
    }
    for row in &summary.verification {
        primitives.insert(&row.primitive);
        operations.insert(&row.operation);
    }
    let headings: BTreeMap<&str, &str> = catalogue::NAMED_FAMILIES
        .iter()
        .map(|family| (&*family.id, &*family.heading))
        .collect();
    let views: BTreeMap<&str, Vec<Value>> = views
        .iter()
        .map(|view| (view.name, view.exhibits.iter().map(exhibit).collect()))
        .collect();
    let critical: Vec<f64> = (1..=FREEDOM)
        .map(|one| short(critical(one as f64)))
        .collect();
    json!({
        "run": summary.run,
        "mhz": summary.machine.mhz,
        "machine": summary.machine.line,
        "libraries": summary.libraries.iter().map(library).collect::<Vec<_>>(),
        "headline": summary.headline,
        "variants": summary.variants,
        "bounds": bounds(summary),
        "overall": summary.ranking.overall,
        "families": summary.ranking.families,
        "headings": headings,
        "primitives": named(primitives, |id| primitive(id, &summary.run.costs)),
        "operations": named(operations, operation),
        "cells": table(cells.map(|(cell, variation)| {
            packed_cell(cell, variation.as_ref(), digits, stride)
        })),
        "costs": table(summary.costs.iter().map(|cost| json!({
            "library": cost.library,
            "primitive": cost.primitive,
            "operation": cost.operation,
            "slope": interval(cost.slope),
            "intercept": interval(cost.intercept),
            "misfit": fewer(cost.misfit),
            "setup": cost.setup.map(interval),
            "setupBytes": cost.setup_bytes.map(interval),
        }))),
        "algorithms": table(summary.ranking.algorithms.iter().map(|rank| json!({
            "library": rank.library,
            "algorithm": rank.algorithm,
            "family": rank.family,
            "rank": interval(rank.rank),
            "band": rank.band,
            "coverage": fewer(rank.coverage),
        }))),
        "verification": table(summary.verification.iter().map(|row| answers(row, claims))),
        "failures": table(summary.failures.iter().map(|failure| json!({
            "library": failure.library,
            "primitive": failure.primitive,
            "operation": failure.operation,
            "kind": failure.kind,
        }))),
        "views": views,
        "critical": critical,
        "digits": digits,
        "stride": stride,
    })
}

/// Returns a library's facts, and why it is none of the system's own.
fn library(library: &Library) -> Value {
    let mut facts = json!(library);
    facts["notOfSystem"] = json!(not_of_system(library));
    facts
}

/// Returns the cycles per byte below which no core can be, of each algorithm with a cost model.
fn bounds(summary: &Summary) -> BTreeMap<String, f64> {
    let bound = |primitive: &str, operation: &str| {
        let floor = catalogue::floor(primitive, operation)?;
        Some((format!("{primitive} {operation}"), least(floor)))
    };
    let costs = summary.costs.iter();
    costs
        .filter_map(|cost| bound(&cost.primitive, &cost.operation))
        .collect()
}

/// Returns what the page needs of a run with which it compares the first run: the times of whole
/// messages on one thread.
fn other(summary: &Summary) -> Value {
    let compared = |cell: &&Cell| {
        cell.contract == Contract::Hot.name()
            && cell.threads == 1
            && cell.messages == 1
            && cell.flags.is_empty()
            && !cell.library.contains(MASKED)
    };
    let cells = summary.cells.iter().filter(compared).map(|cell| {
        json!({
            "library": cell.library,
            "primitive": cell.primitive,
            "operation": cell.operation,
            "bytes": cell.bytes,
            "ns": factor(cell.ns),
            "mhz": cell.mhz.map(fewer),
        })
    });
    let versions: BTreeMap<&str, &str> = summary
        .libraries
        .iter()
        .map(|library| (&*library.id, &*library.version))
        .collect();
    json!({
        "run": summary.run,
        "machine": summary.machine.line,
        "versions": versions,
        "cells": table(cells),
    })
}

fn packed_cell(cell: &Cell, variation: Option<&Variation>, digits: usize, stride: usize) -> Value {
    json!({
        "library": cell.library,
        "primitive": cell.primitive,
        "operation": cell.operation,
        "family": cell.family,
        "contract": label(cell),
        "bytes": cell.bytes,
        "threads": cell.threads,
        "ns": factor(cell.ns),
        "ratio": factor(cell.ratio),
        "tie": cell.tie,
        "rounds": cell.rounds,
        "calls": cell.calls,
        "stop": cell.stop,
        "first": {
            "object": least(cell.first_ns[0] as f64),
            "key": least(cell.first_ns[1] as f64),
            "message": least(cell.first_ns[2] as f64),
        },
        "mhz": cell.mhz.map(fewer),
        "flags": cell.flags.join("; "),
        "api": cell.api,
        "kernel": cell.kernel,
        "note": cell.note,
        "units": variation.map(|own| own.loadings.len()),
        "error": variation.map(|own| least(own.error)),
        "floor": variation.map(|own| least(own.floor)),
        "loadings": variation.map_or_else(String::new, loadings),
        "samples": samples(&cell.samples, digits, stride),
    })
}

fn answers(row: &Verification, claims: Option<&Claims>) -> Value {
    let (library, primitive) = (&row.library, &row.primitive);
    json!({
        "library": library,
        "primitive": primitive,
        "operation": row.operation,
        "passed": row.passed,
        "failed": row.failed,
        "acceptable": row.acceptable,
        "unsupported": row.unsupported,
        "agreed": row.agreed,
        "disagreed": row.disagreed,
        "sources": row.sources.join("\n"),
        "broken": broken(primitive, &row.operation).map(|entry| &entry.why),
        "constantTime": claims.map(|claims| claims.has(library, primitive, &row.operation)),
    })
}

fn named(ids: BTreeSet<&String>, facts: impl Fn(&str) -> Value) -> BTreeMap<&String, Value> {
    ids.into_iter().map(|id| (id, facts(id))).collect()
}

fn primitive(id: &str, costs: &Costs) -> Value {
    let entry = standing::of_primitive(id);
    json!({
        "name": names::primitive(id),
        "standing": entry.map(|entry| entry.standing),
        "why": entry.map(|entry| format!("{} {}.", entry.why, entry.source)),
        "cost": catalogue::cost(id, costs),
    })
}

fn operation(id: &str) -> Value {
    let known = operations::find(id);
    let place = operations::OPERATIONS.iter().position(|row| row.id == id);
    json!({
        "name": names::operation(id),
        "mode": names::mode(id),
        "verb": names::verb(id),
        "stem": catalogue::stem(id),
        "place": place,
        "beside": known.and_then(Operation::beside),
        "undoes": known.and_then(|known| known.inverse_of.as_deref()),
        "unit": catalogue::unit(id).sign(),
        "perCall": catalogue::is_per_call(id),
        "keyed": catalogue::allows(id, Contract::Setup),
    })
}

/// Transposes rows, which are objects with the same fields, into named columns. A column of
/// texts has each distinct text once, and a column of objects is a table again.
fn table(rows: impl Iterator<Item = Value>) -> Value {
    let mut columns: Map<String, Value> = Map::new();
    let mut count = 0;
    for row in rows {
        let Value::Object(fields) = row else { continue };
        for (name, value) in fields {
            let column = columns.entry(name).or_insert_with(|| json!([]));
            column
                .as_array_mut()
                .expect("a new column is an array")
                .push(value);
        }
        count += 1;
    }
    for column in columns.values_mut() {
        let values = column.as_array().expect("so is every column");
        if values.iter().all(Value::is_string) {
            *column = texts(values);
        } else if values
            .iter()
            .all(|value| value.is_object() || value.is_null())
            && values.iter().any(Value::is_object)
        {
            *column = nested(values);
        }
    }
    json!({ "rows": count, "columns": columns })
}

fn texts(values: &[Value]) -> Value {
    let mut places = HashMap::new();
    let mut distinct: Vec<&str> = Vec::new();
    let texts = values.iter().filter_map(Value::as_str);
    let at: Vec<usize> = texts
        .map(|text| {
            *places.entry(text).or_insert_with(|| {
                distinct.push(text);
                distinct.len() - 1
            })
        })
        .collect();
    if distinct.len() * 2 > values.len() {
        return json!(values);
    }
    json!({ "of": distinct, "at": at })
}

/// A column of objects, of which some may be absent.
fn nested(values: &[Value]) -> Value {
    let absent = values
        .iter()
        .enumerate()
        .filter(|(_, value)| value.is_null());
    let absent: Vec<usize> = absent.map(|(row, _)| row).collect();
    let present = values.iter().filter(|value| value.is_object()).cloned();
    json!({ "inner": table(present), "absent": absent })
}

/// Returns an exhibit with shorter numbers.
fn exhibit(exhibit: &Exhibit) -> Value {
    let mut shorter = exhibit.clone();
    for figure in shorter.rows.iter_mut().flat_map(|row| &mut row.figures) {
        if let Some(value) = &mut figure.value {
            *value = match value.ends() {
                Some([low, high]) => Interval {
                    low: least(low),
                    mid: short(value.mid),
                    high: least(high),
                },
                None => Interval::exact(short(value.mid)),
            };
        }
    }
    let mut packed = json!(shorter);
    for row in packed["rows"].as_array_mut().into_iter().flatten() {
        let figures = row["figures"].take();
        row["figures"] = table(figures.as_array().into_iter().flatten().cloned());
    }
    packed
}

/// Rounds to five significant digits, which is more than the precision of any interval.
fn short(number: f64) -> f64 {
    if !number.is_finite() {
        return number;
    }
    format!("{number:.4e}").parse().unwrap_or(number)
}

/// Rounds to four significant digits.
fn fewer(number: f64) -> f64 {
    if !number.is_finite() {
        return number;
    }
    format!("{number:.3e}").parse().unwrap_or(number)
}

/// Rounds to three significant digits, for the ends of intervals and single observations.
fn least(number: f64) -> f64 {
    format!("{number:.2e}").parse().unwrap_or(number)
}

fn interval(interval: Interval) -> Value {
    json!({
        "low": least(interval.low),
        "mid": short(interval.mid),
        "high": interval.is_known().then(|| least(interval.high)),
    })
}

/// Packs an interval whose ends are the middle divided and multiplied by one factor, as those
/// of times and ratios are, with what the factor has above 1.
fn factor(interval: Interval) -> Value {
    let over = interval.ends().map(|[low, high]| (high / low).sqrt() - 1.0);
    json!({ "mid": short(interval.mid), "over": over.map(least) })
}

/// Packs the loadings of a variation as shares of its error, one digit each. No share is
/// beyond 1, because a unit's part is not larger than the whole.
fn loadings(variation: &Variation) -> String {
    let mut text = String::new();
    for loading in &variation.loadings {
        let share = if variation.error > 0.0 {
            loading / variation.error
        } else {
            0.0
        };
        let place = ((share.clamp(-1.0, 1.0) + 1.0) / 2.0 * 63.0).round() as usize;
        text.push(DIGITS[place] as char);
    }
    text
}

/// Chooses the number of characters for a sample, and the distance between the samples that are
/// packed, so that the text of all samples is short enough.
fn fineness(lengths: impl Iterator<Item = usize>) -> (usize, usize) {
    let total: usize = lengths.sum();
    let digits = (1..=3).rev().find(|digits| total * digits <= SAMPLES);
    let digits = digits.unwrap_or(1);
    (digits, (total * digits).div_ceil(SAMPLES).max(1))
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
    let mut text = format!("{} {} ", short(low), short(high));
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
    fn a_table_is_its_columns() {
        let rows = [
            json!({ "a": "x", "b": 1, "c": { "low": 1 } }),
            json!({ "a": "x", "b": 2, "c": null }),
        ];
        let columns = json!({
            "a": { "of": ["x"], "at": [0, 0] },
            "b": [1, 2],
            "c": { "inner": { "rows": 1, "columns": { "low": [1] } }, "absent": [1] },
        });
        assert_eq!(
            table(rows.into_iter()),
            json!({ "rows": 2, "columns": columns })
        );
    }

    #[test]
    fn loadings_are_shares_of_the_error() {
        let variation = |loadings: &[f64]| Variation {
            error: 0.01,
            floor: 0.0,
            loadings: loadings.to_vec(),
        };
        assert_eq!(loadings(&variation(&[])), "");
        assert_eq!(loadings(&variation(&[-0.01, 0.01])), "A_");
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
        assert_eq!(fineness([SAMPLES].into_iter()), (1, 1));
        assert_eq!(fineness([SAMPLES * 2].into_iter()), (1, 2));
    }
}
