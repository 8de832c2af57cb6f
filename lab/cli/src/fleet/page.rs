//! A page about a fleet: the heat map of libraries by machines, what is unlike the rest, and which
//! library wins where. HTML and SVG without a script.

use anyhow::Context as _;
use minijinja::Environment;
use minijinja::value::{Serde, Value};
use serde::Serialize;

use super::winners::{features, orders, winners};
use super::{Fleet, Kin};
use crate::stats::rank::hosts::{Fit, Suits};

const PAGE: &str = include_str!("../../assets/fleet.html");
const STYLE: &str = include_str!("../../assets/report.css");

/// Width and height of a square of the map, in pixels.
const WIDE: usize = 40;
const HIGH: usize = 22;
/// The relative time at which a square has its full colour.
const FULL: f64 = 2.0;
/// The full colour's opacity. The number in the square stays readable.
const DEEPEST: f64 = 0.6;

/// Renders the page.
pub fn render(fleet: &Fleet, title: &str) -> anyhow::Result<String> {
    let mut environment = Environment::new();
    environment
        .add_template("fleet.html", PAGE)
        .context("the template of fleets")?;
    let fit = fleet.fit();
    let won = winners(fleet);
    let turned = won.iter().filter(|winners| !winners.others.is_empty());
    environment
        .get_template("fleet.html")?
        .render(Value::from(Serde(Page {
            title,
            style: STYLE,
            policy: env!("REPORT_POLICY"),
            wide: WIDE,
            high: HIGH,
            width: 240 + WIDE * fleet.hosts.len(),
            height: 140 + HIGH * fleet.libraries.len(),
            hosts: fleet.hosts.iter().map(Named::of).collect(),
            libraries: rows(fleet, &fit),
            outliers: fit
                .outliers()
                .into_iter()
                .map(|(library, host, suits)| outlier(fleet, library, host, &suits))
                .collect(),
            astray: fleet
                .kin()
                .into_iter()
                .flatten()
                .filter_map(|kin| astray(fleet, &kin))
                .collect(),
            alike: won.len() - turned.clone().count(),
            turned: turned
                .map(|winners| Turned {
                    cell: fleet.cells[winners.cell].to_string(),
                    most: winners.most.0.clone(),
                    on: winners.most.1.len(),
                    others: winners
                        .others
                        .iter()
                        .map(|(library, hosts)| format!("{library} on {}", hosts.join(", ")))
                        .collect(),
                    features: features(&winners.turns),
                })
                .collect(),
            orders: orders(&won)
                .into_iter()
                .map(|order| order.sentence(fleet))
                .collect(),
        })))
        .context("rendering the fleet")
}

#[derive(Debug, Serialize)]
struct Page<'a> {
    title: &'a str,
    style: &'static str,
    policy: &'static str,
    wide: usize,
    high: usize,
    width: usize,
    height: usize,
    hosts: Vec<Named<'a>>,
    libraries: Vec<Row<'a>>,
    outliers: Vec<String>,
    astray: Vec<String>,
    alike: usize,
    turned: Vec<Turned>,
    orders: Vec<String>,
}

#[derive(Debug, Serialize)]
struct Named<'a> {
    name: &'a str,
    title: String,
}

impl<'a> Named<'a> {
    fn of(host: &'a super::Host) -> Self {
        Self {
            name: &host.name,
            title: host.title(),
        }
    }
}

#[derive(Debug, Serialize)]
struct Row<'a> {
    library: &'a str,
    squares: Vec<Square>,
}

#[derive(Debug, Serialize)]
struct Square {
    host: usize,
    colour: &'static str,
    depth: String,
    number: String,
    text: String,
    matters: bool,
}

#[derive(Debug, Serialize)]
struct Turned {
    cell: String,
    most: String,
    on: usize,
    others: Vec<String>,
    features: String,
}

/// A row for each library, the fastest first.
fn rows<'a>(fleet: &'a Fleet, fit: &Fit) -> Vec<Row<'a>> {
    let square = |library: usize, host: usize| {
        let (relative, suits) = fit.relative(library, host)?;
        let depth = (relative.ln().abs() / FULL.ln()).min(1.0) * DEEPEST;
        Some(Square {
            host,
            colour: if relative > 1.0 { "#c62828" } else { "#1565c0" },
            depth: format!("{depth:.2}"),
            number: number(relative),
            text: format!("{relative:.2} times the usual time, {} cells", suits.cells),
            matters: suits.matters,
        })
    };
    let hosts = || 0..fleet.hosts.len();
    fit.by_speed()
        .into_iter()
        .map(|library| Row {
            library: &fleet.libraries[library],
            squares: hosts().filter_map(|host| square(library, host)).collect(),
        })
        .collect()
}

/// A relative time in at most four characters.
pub fn number(relative: f64) -> String {
    match relative {
        relative if relative >= 99.5 => format!("{relative:.0}"),
        relative if relative >= 9.95 => format!("{relative:.1}"),
        relative => format!("{relative:.2}"),
    }
}

/// The sentence about a library that suits a machine better or worse than the others.
pub fn outlier(fleet: &Fleet, library: usize, host: usize, suits: &Suits) -> String {
    format!(
        "{} on {} takes {} than elsewhere, relative to the other libraries ({} cell{})",
        fleet.libraries[library],
        fleet.hosts[host].title(),
        share(suits.ratio),
        suits.cells,
        if suits.cells == 1 { "" } else { "s" }
    )
}

/// A ratio of times in words: "20 % more time", "10 % less time".
fn share(ratio: f64) -> String {
    match ratio > 1.0 {
        true => format!("{:.0} % more time", (ratio - 1.0) * 100.0),
        false => format!("{:.0} % less time", (1.0 - ratio) * 100.0),
    }
}

/// The sentence about a machine that is unlike its siblings.
pub fn astray(fleet: &Fleet, kin: &Kin) -> Option<String> {
    let one = kin.compared;
    one.astray.then(|| {
        let (size, word) = match one.ratio > 1.0 {
            true => (one.ratio - 1.0, "slower"),
            false => (1.0 - one.ratio, "faster"),
        };
        format!(
            "{}: {:.1} % {word} than its {} siblings ({})",
            fleet.hosts[one.host].name,
            size * 100.0,
            kin.count - 1,
            fleet.hosts[one.host].model
        )
    })
}
