//! The published figures of earlier years for the report's timeline, each as throughput or calls
//! per second.

use anyhow::{Context as _, bail};
use serde::{Deserialize, Serialize};

use crate::view::published::Published;

const TIMELINE: &str = include_str!("../../data/timeline.toml");

/// `data/timeline.toml`, which explains its fields.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Timeline {
    series: Vec<Sources>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Sources {
    primitive: String,
    operation: String,
    point: Vec<Source>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Source {
    year: u16,
    work: String,
    sheet: String,
    row: Option<String>,
    columns: Vec<String>,
    seconds: Option<f64>,
    bytes: Option<f64>,
    rate: Option<f64>,
}

/// The published figures of one algorithm.
#[derive(Debug, Serialize)]
pub(super) struct Series {
    primitive: String,
    operation: String,
    points: Vec<Point>,
}

#[derive(Debug, Serialize)]
struct Point {
    year: u16,
    /// Bytes per second, or calls per second if the operation's time is given for a call.
    value: f64,
    /// What was measured, in the words of the publication.
    what: String,
    source: String,
    machine: String,
}

/// Returns the published figures.
///
/// # Errors
///
/// If the data file is not well-formed, or names a figure that was not published.
pub(super) fn series() -> anyhow::Result<Vec<Series>> {
    let known: Timeline = toml::from_str(TIMELINE).context("the timeline")?;
    let of = |sources: Sources| {
        let points = sources.point.iter().map(Source::points);
        let points = points.collect::<anyhow::Result<Vec<_>>>()?;
        Ok(Series {
            primitive: sources.primitive,
            operation: sources.operation,
            points: points.into_iter().flatten().collect(),
        })
    };
    known.series.into_iter().map(of).collect()
}

impl Source {
    fn points(&self) -> anyhow::Result<Vec<Point>> {
        let work = Published::open(&self.work)?;
        let sheet = work.sheet(&self.sheet)?;
        let rows = sheet.rows.iter().map(|(row, _)| row);
        let rows = rows.filter(|row| self.row.as_ref().is_none_or(|own| own == *row));
        let mut points = Vec::new();
        for row in rows {
            for column in &self.columns {
                let text = sheet.text(row, column);
                if text == "–" {
                    continue;
                }
                let figure: f64 = text.parse().with_context(|| format!("{row}: {text}"))?;
                points.push(Point {
                    year: self.year,
                    value: self.value(figure)?,
                    what: format!("{row}, {column}"),
                    source: work.source.clone(),
                    machine: work.machine.clone(),
                });
            }
        }
        if points.is_empty() {
            bail!("{}, {}: no figure of {:?}", self.work, self.sheet, self.row);
        }
        Ok(points)
    }

    fn value(&self, figure: f64) -> anyhow::Result<f64> {
        Ok(match (self.seconds, self.bytes, self.rate) {
            (Some(seconds), Some(bytes), None) => bytes / (figure * seconds),
            (None, None, Some(rate)) => figure * rate,
            (None, None, None) => figure,
            _ => bail!("{}: either a time with its bytes, or a rate", self.sheet),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_become_rates() {
        let all = series().unwrap();
        let of = |primitive: &str, what: &str| {
            let own = all.iter().filter(|one| one.primitive == primitive);
            let mut points = own.flat_map(|one| &one.points);
            points.find(|point| point.what == what).unwrap().value
        };
        // 8 bytes in 2.658 µs; 32549.55 thousands of bytes a second; 368 calls a second.
        assert!((of("des", "DES, C") / 3.009_78e6 - 1.0).abs() < 1e-5);
        assert!((of("md5", "md5, 8192") / 32.549_55e6 - 1.0).abs() < 1e-9);
        assert!((of("crypt-des", "crypt, constant key, FreeSec 1.0") - 368.0).abs() < 1e-9);
        // 512 MB in 9.9 s.
        assert!((of("aes-128", "WE/FPC 2.2 -O3, CTR") / 51.717e6 - 1.0).abs() < 1e-4);
    }

    #[test]
    fn every_algorithm_is_in_the_catalogue() {
        for one in series().unwrap() {
            let known = crate::catalogue::algorithms();
            let mut known = known.filter(|(primitive, operation)| {
                *primitive == one.primitive && *operation == one.operation
            });
            assert!(
                known.next().is_some(),
                "{} {}",
                one.primitive,
                one.operation
            );
        }
    }
}
