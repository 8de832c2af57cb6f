//! A page with the charts of histories: HTML and SVG without a script, so that the page opens
//! everywhere and prints as it is.

use anyhow::Context as _;
use minijinja::Environment;
use minijinja::value::{Serde, Value};
use serde::Serialize;

use super::{Line, Turning};
use crate::catalogue;
use crate::names;

const PAGE: &str = include_str!("../../assets/history.html");
const STYLE: &str = include_str!("../../assets/report.css");

/// Width and height of a chart, and the room for its labels, in pixels.
const WIDTH: f64 = 720.0;
const HEIGHT: f64 = 120.0;
const LEFT: f64 = 64.0;

/// Renders a page with one chart for each line.
pub fn render(lines: &[Line], title: &str, since: &str) -> anyhow::Result<String> {
    let mut environment = Environment::new();
    environment
        .add_template("history.html", PAGE)
        .context("the template of histories")?;
    let slower = super::regressions(lines, since).count();
    environment
        .get_template("history.html")?
        .render(Value::from(Serde(Page {
            title,
            style: STYLE,
            policy: env!("REPORT_POLICY"),
            width: WIDTH,
            height: HEIGHT,
            left: LEFT,
            charts: lines.iter().map(chart).collect(),
            slower,
        })))
        .context("rendering the history")
}

#[derive(Debug, Serialize)]
struct Page<'a> {
    title: &'a str,
    style: &'static str,
    policy: &'static str,
    width: f64,
    height: f64,
    left: f64,
    charts: Vec<Chart>,
    slower: usize,
}

#[derive(Debug, Serialize)]
struct Chart {
    name: String,
    machine: String,
    library: String,
    version: String,
    first: String,
    last: String,
    runs: usize,
    /// The axis: the place and the label of its ends.
    axis: Vec<(String, String)>,
    /// The points as the path of an SVG.
    path: String,
    /// The band of the intervals.
    band: String,
    changes: Vec<Mark>,
}

#[derive(Debug, Serialize)]
struct Mark {
    x: String,
    day: String,
    slower: bool,
    text: String,
    machine: bool,
}

fn chart(line: &Line) -> Chart {
    let times = line.moments.iter().map(|moment| moment.ns.mid);
    let (low, high) = times.fold((f64::INFINITY, 0.0_f64), |(low, high), ns| {
        (low.min(ns), high.max(ns))
    });
    // At least five per cent of height, so that noise does not look like a change.
    let room = ((high - low) * 0.1).max(low * 0.025);
    let (bottom, top) = (low - room, high + room);
    let last = line.moments.len().saturating_sub(1).max(1) as f64;
    let x = |index: usize| LEFT + (WIDTH - LEFT - 8.0) * index as f64 / last;
    let y = |ns: f64| {
        let share = (ns.clamp(bottom, top) - bottom) / (top - bottom);
        HEIGHT - 8.0 - (HEIGHT - 16.0) * share
    };
    let point = |index: usize, ns: f64| format!("{:.1} {:.1}", x(index), y(ns));
    let moments = || line.moments.iter().enumerate();
    let path: Vec<String> = moments()
        .map(|(i, moment)| point(i, moment.ns.mid))
        .collect();
    let known = || moments().filter(|(_, moment)| moment.ns.is_known());
    let above = known().map(|(i, moment)| point(i, moment.ns.high));
    let below = known().map(|(i, moment)| point(i, moment.ns.low));
    let band: Vec<String> = above
        .chain(below.collect::<Vec<_>>().into_iter().rev())
        .collect();
    let unit = catalogue::unit(&line.operation).sign();
    Chart {
        name: match line.bytes {
            0 => name(line),
            bytes => format!("{}, {bytes} {unit}", name(line)),
        },
        machine: line.title(),
        library: line.name.clone(),
        version: line
            .moments
            .last()
            .map_or_else(String::new, |moment| moment.version.clone()),
        first: day(line.moments.first().map_or("", |moment| &moment.started)),
        last: day(line.moments.last().map_or("", |moment| &moment.started)),
        runs: line.moments.len(),
        axis: vec![
            (format!("{:.1}", y(high)), time(high)),
            (format!("{:.1}", y(low)), time(low)),
        ],
        path: format!("M{}", path.join("L")),
        band: match band.is_empty() {
            true => String::new(),
            false => format!("M{}Z", band.join("L")),
        },
        changes: line
            .turnings
            .iter()
            .map(|turning| mark(line, turning, &x))
            .collect(),
    }
}

fn mark(line: &Line, turning: &Turning, x: &dyn Fn(usize) -> f64) -> Mark {
    let moment = line.turned(turning);
    let causes = match turning.causes.is_empty() {
        true => "nothing that the lab records changed".to_owned(),
        false => turning.causes.join("; "),
    };
    Mark {
        x: format!("{:.1}", x(turning.at)),
        day: day(&moment.started),
        slower: turning.ratio() > 1.0,
        machine: turning.is_of_the_machine(),
        text: format!(
            "run {}: {} → {} ({:+.1} %); {causes}",
            moment.run,
            time(turning.before),
            time(turning.after),
            (turning.ratio() - 1.0) * 100.0
        ),
    }
}

fn name(line: &Line) -> String {
    format!(
        "{} {}",
        names::primitive(&line.primitive),
        names::operation(&line.operation)
    )
}

fn day(started: &str) -> String {
    started.get(..10).unwrap_or(started).to_owned()
}

/// A time with its unit, in three digits.
fn time(ns: f64) -> String {
    let (value, unit) = match ns {
        ns if ns >= 1e9 => (ns / 1e9, "s"),
        ns if ns >= 1e6 => (ns / 1e6, "ms"),
        ns if ns >= 1e3 => (ns / 1e3, "µs"),
        ns => (ns, "ns"),
    };
    let digits = match value {
        value if value >= 100.0 => 0,
        value if value >= 10.0 => 1,
        _ => 2,
    };
    format!("{value:.digits$} {unit}")
}
