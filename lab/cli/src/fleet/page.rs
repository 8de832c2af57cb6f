//! A page about a fleet: the heat map of libraries by machines, machines that are unlike their
//! siblings, and which library wins where. HTML and SVG without a script.

use anyhow::Context as _;
use minijinja::Environment;
use minijinja::value::{Serde, Value};
use serde::Serialize;

use super::winners::{features, winners};
use super::{Fleet, Kin};

const PAGE: &str = include_str!("../../assets/fleet.html");
const STYLE: &str = include_str!("../../assets/report.css");

/// The size of a square of the map, in pixels.
const SQUARE: usize = 22;
/// The relative time at which a square has its full colour.
const FULL: f64 = 2.0;

/// Renders the page.
pub fn render(fleet: &Fleet, title: &str) -> anyhow::Result<String> {
    let mut environment = Environment::new();
    environment
        .add_template("fleet.html", PAGE)
        .context("the template of fleets")?;
    let won = winners(fleet);
    let turned = won.iter().filter(|winners| !winners.others.is_empty());
    environment
        .get_template("fleet.html")?
        .render(Value::from(Serde(Page {
            title,
            style: STYLE,
            policy: env!("REPORT_POLICY"),
            square: SQUARE,
            width: 180 + SQUARE * fleet.hosts.len(),
            height: 140 + SQUARE * fleet.libraries.len(),
            hosts: fleet.hosts.iter().map(|host| host.name.as_str()).collect(),
            libraries: rows(fleet),
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
        })))
        .context("rendering the fleet")
}

#[derive(Debug, Serialize)]
struct Page<'a> {
    title: &'a str,
    style: &'static str,
    policy: &'static str,
    square: usize,
    width: usize,
    height: usize,
    hosts: Vec<&'a str>,
    libraries: Vec<Row<'a>>,
    astray: Vec<String>,
    alike: usize,
    turned: Vec<Turned>,
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
fn rows(fleet: &Fleet) -> Vec<Row<'_>> {
    let fit = fleet.fit();
    let mut order: Vec<(usize, f64)> = fit
        .libraries
        .iter()
        .enumerate()
        .filter_map(|(place, ratio)| Some((place, (*ratio)?)))
        .collect();
    order.sort_by(|a, b| a.1.total_cmp(&b.1));
    order
        .into_iter()
        .map(|(place, ratio)| Row {
            library: &fleet.libraries[place],
            squares: (0..fleet.hosts.len())
                .filter_map(|host| {
                    let suits = fit.suits.get(&(place, host))?;
                    let relative = ratio * suits.ratio;
                    let depth = (relative.ln().abs() / FULL.ln()).min(1.0);
                    Some(Square {
                        host,
                        colour: if relative > 1.0 { "#c62828" } else { "#1565c0" },
                        depth: format!("{depth:.2}"),
                        text: format!("{relative:.2} times the usual time, {} cells", suits.cells),
                        matters: suits.matters,
                    })
                })
                .collect(),
        })
        .collect()
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
