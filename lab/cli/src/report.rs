//! The HTML report: one file that contains all its parts and uses no network.
//!
//! Rust makes the text (sentences, names, status) and packs the data.
//! `assets/report.html` lays out the text, and `assets/report.js`, which is built from
//! `report-page/`, draws a chart when it comes into view. The page's content security policy
//! allows the script and the style by their hashes, and nothing else: no other script runs,
//! nothing is loaded or evaluated.

mod failures;
mod pack;
mod timeline;

use anyhow::Context as _;
use minijinja::Environment;
use minijinja::syntax::SyntaxConfig;
use minijinja::value::{Serde, Value};
use serde::Serialize;

use crate::adapters::Candidate;
use crate::attacks::{self, Trial};
use crate::flags;
use crate::rank::verdict::{self, Verdict};
use crate::recommend::constraint::Claims;
use crate::summary::{Flag, Library, Machine, Run, Summary};
use crate::view::VIEWS;
use crate::view::exhibit::Shown;

const PAGE: &str = include_str!("../assets/report.html");
const STYLE: &str = include_str!("../assets/report.css");
const SCRIPT: &str = include_str!("../assets/report.js");
/// The licences of the libraries in the script.
const NOTICES: &str = include_str!("../assets/report-notices.txt");

/// Renders the first run as one HTML page that needs no other file, and compares its times with
/// those of the other runs. From the adapters' manifests, if
/// there are any, come the libraries' claims of constant time and their known defects.
///
/// # Errors
///
/// If there is no run. If the template or the data cannot be rendered; tests would find that.
pub fn render(runs: &[Summary], manifests: &[Candidate]) -> anyhow::Result<String> {
    let (summary, others) = runs.split_first().context("no run to report")?;
    let views = VIEWS
        .iter()
        .map(|view| view.show(summary))
        .collect::<anyhow::Result<Vec<_>>>()?;
    let claims = match manifests {
        [] => None,
        known => Some(Claims::of_run(known, summary)?),
    };
    let data = pack::pack(summary, others, &views, claims.as_ref())?;
    let mut environment = Environment::new();
    environment.set_syntax(
        SyntaxConfig::builder()
            .trim_blocks(true)
            .lstrip_blocks(true)
            .build()
            .context("the template's syntax")?,
    );
    environment.add_filter("thousands", thousands);
    environment.add_filter("duration", duration);
    environment
        .add_template("report.html", PAGE)
        .context("the report's template")?;
    let found: Vec<_> = summary
        .libraries
        .iter()
        .filter(|library| library.mask.is_empty() && library.absent.is_empty())
        .collect();
    let absent: Vec<_> = summary
        .libraries
        .iter()
        .filter(|library| library.mask.is_empty() && !library.absent.is_empty())
        .collect();
    let present: Vec<&str> = found.iter().map(|library| library.id.as_str()).collect();
    let tallies = tallies(summary);
    environment
        .get_template("report.html")?
        .render(Value::from(Serde(Page {
            run: &summary.run,
            machine: &summary.machine,
            found,
            absent,
            failures: summary.failures.len(),
            groups: failures::groups(summary, manifests),
            attacks: attacks::trials(&present, &summary.verification),
            verdicts: verdict::verdicts(&summary.headline, &|id| summary.name(id)),
            variants: summary
                .variants
                .iter()
                .map(|(variant, library)| [variant, library].map(|id| summary.versioned(id)))
                .collect(),
            checked: tallies.iter().map(|tally| tally.checked).sum(),
            offered: tallies.iter().map(|tally| tally.offers).sum(),
            tallies,
            flags: flags(summary),
            views: &views,
            cells: summary.cells.len(),
            flagged: summary
                .cells
                .iter()
                .filter(|cell| !cell.flags.is_empty())
                .count(),
            style: STYLE,
            policy: env!("REPORT_POLICY"),
            script: SCRIPT,
            notices: NOTICES,
            data,
        })))
        .context("rendering the report")
}

/// The values for the template.
#[derive(Debug, Serialize)]
struct Page<'a> {
    run: &'a Run,
    machine: &'a Machine,
    found: Vec<&'a Library>,
    absent: Vec<&'a Library>,
    failures: usize,
    groups: Vec<failures::Group>,
    attacks: Vec<Trial>,
    verdicts: Vec<Verdict>,
    variants: Vec<[String; 2]>,
    checked: usize,
    offered: usize,
    tallies: Vec<Tally>,
    flags: Vec<FlagRow>,
    views: &'a [Shown],
    cells: usize,
    flagged: usize,
    style: &'a str,
    policy: &'static str,
    script: &'static str,
    notices: &'static str,
    data: String,
}

/// `12345` as `12 345` with a narrow no-break space.
fn thousands(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (place, digit) in digits.char_indices() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            text.push('\u{202f}');
        }
        text.push(digit);
    }
    text
}

/// Returns a duration in words.
fn duration(seconds: f64) -> String {
    let whole = seconds.max(0.0).round() as u64;
    match whole {
        0..=119 => format!("{whole} s"),
        120..=7199 => format!("{} min {:02} s", whole / 60, whole % 60),
        _ => format!("{} h {:02} min", whole / 3600, whole % 3600 / 60),
    }
}

/// A library's results for known answers, summed over all algorithms that it offers.
#[derive(Debug, Serialize)]
struct Tally {
    library: String,
    name: String,
    offers: usize,
    /// Number of operations that the run checked.
    checked: usize,
    passed: u64,
    failed: u64,
    acceptable: u64,
    unsupported: u64,
    agreed: u64,
    disagreed: u64,
    /// Number of primitive × operation pairs without any known answer.
    unsourced: u64,
}

fn tallies(summary: &Summary) -> Vec<Tally> {
    summary
        .libraries
        .iter()
        .filter(|library| library.mask.is_empty() && library.absent.is_empty())
        .map(|library| {
            let mut tally = Tally {
                library: library.id.clone(),
                name: library.name.clone(),
                offers: library.offers,
                checked: 0,
                passed: 0,
                failed: 0,
                acceptable: 0,
                unsupported: 0,
                agreed: 0,
                disagreed: 0,
                unsourced: 0,
            };
            for row in summary
                .verification
                .iter()
                .filter(|row| row.library == library.id)
            {
                tally.checked += 1;
                tally.passed += u64::from(row.passed);
                tally.failed += u64::from(row.failed);
                tally.acceptable += u64::from(row.acceptable);
                tally.unsupported += u64::from(row.unsupported);
                tally.agreed += u64::from(row.agreed);
                tally.disagreed += u64::from(row.disagreed);
                tally.unsourced += u64::from(row.passed + row.failed + row.acceptable == 0);
            }
            tally
        })
        .collect()
}

/// The results of all libraries for one flag of the known answers.
#[derive(Debug, Serialize)]
struct FlagRow {
    flag: String,
    /// Whether any library gave a wrong answer.
    bad: bool,
    /// The results of each library that is present, in the order of the tallies.
    counts: Vec<Option<Flag>>,
}

/// Returns the flags; first come the flags with wrong answers.
fn flags(summary: &Summary) -> Vec<FlagRow> {
    let sums = flags::by_library(&summary.verification);
    let mut names: Vec<&str> = sums.keys().map(|(_, flag)| *flag).collect();
    names.sort_unstable();
    names.dedup();
    let present = || summary.libraries.iter().filter(|l| l.absent.is_empty());
    let mut rows: Vec<FlagRow> = names
        .into_iter()
        .map(|flag| {
            let counts: Vec<Option<Flag>> = present()
                .map(|library| sums.get(&(library.id.as_str(), flag)).cloned())
                .collect();
            FlagRow {
                flag: flag.to_owned(),
                bad: counts.iter().flatten().any(|count| count.failed > 0),
                counts,
            }
        })
        .collect();
    rows.sort_by_key(|row| !row.bad);
    rows
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_and_times_read_well() {
        assert_eq!(thousands(0), "0");
        assert_eq!(thousands(999), "999");
        assert_eq!(thousands(1_234_567), "1\u{202f}234\u{202f}567");
        assert_eq!(duration(59.6), "60 s");
        assert_eq!(duration(185.0), "3 min 05 s");
        assert_eq!(duration(7260.0), "2 h 01 min");
    }

    #[test]
    fn inlined_files_cannot_end_their_element() {
        let script = SCRIPT.to_lowercase();
        assert!(!script.contains("</script") && !script.contains("<script"));
        assert!(!script.contains("<!--"));
        assert!(!STYLE.to_lowercase().contains("</style"));
        assert!(!SCRIPT.contains("sourceMappingURL"));
    }
}
