//! Whole files by the programs' commands (`touchstone files`), and W. Ehrhardt's FCA of 2008.

use std::collections::BTreeSet;

use super::exhibit::{Exhibit, Figure, Shown, digits};
use super::lens::{Lens, rate};
use super::published::{Published, Sheet};
use crate::files::measured::{Cell, Measured, Sample, Way};
use crate::stats::{self, Interval, Series};
use crate::table::{Entry, Format, Table};

/// The view's name.
pub const NAME: &str = "files";
/// One line about the view.
pub const ABOUT: &str = "whole files by programs that encrypt, beside Ehrhardt's FCA of 2008";

/// The contender that bounds all others.
const BOUND: &str = "cp";
/// The seed of the intervals' resamples.
const SEED: u64 = 0x6669_6c65;

const NOTE: &str = "median over rounds in shuffled order, with its 95 % interval; 1 MiB is 2^20 \
                    bytes of content\non disk: the lab calls fsync(2) after the program, so that \
                    programs that do so themselves can be compared with those that do not\nCPU s: \
                    processor time of all threads; MiB: the most memory; × cp: the median of the \
                    rounds' ratios of speeds";

const MISSING: &str =
    "No programs were measured on this machine yet: `touchstone files` does that.";

pub(super) fn make(lens: &Lens<'_>) -> anyhow::Result<Vec<Exhibit>> {
    let measured = lens.summary.files.as_ref();
    if measured.is_none() {
        lens.lacks_other(MISSING);
    }
    exhibits(measured)
}

/// Makes the view from a measurement.
///
/// # Errors
///
/// If the published figures cannot be read; tests would find that.
pub fn show(measured: Option<&Measured>) -> anyhow::Result<Shown> {
    Ok(Shown {
        name: NAME,
        about: ABOUT,
        exhibits: exhibits(measured)?,
        missing: match measured {
            Some(_) => String::new(),
            None => MISSING.to_owned(),
        },
        handicaps: String::new(),
    })
}

fn exhibits(measured: Option<&Measured>) -> anyhow::Result<Vec<Exhibit>> {
    let mut exhibits: Vec<Exhibit> = match measured {
        Some(measured) => people(measured).into_iter().map(|(_, one)| one).collect(),
        None => Vec::new(),
    };
    if let (Some(last), Some(measured)) = (exhibits.last_mut(), measured) {
        let (started, line) = (&measured.started, &measured.line);
        last.note = format!("{NOTE}\nmeasured {started} on {line}");
    }
    exhibits.push(ehrhardt()?);
    Ok(exhibits)
}

/// The figures of a cell.
struct Figures {
    speed: Interval,
    disk: Interval,
    seconds: f64,
    processor: f64,
    memory: u64,
    /// Speed divided by the bound's.
    bound: Option<f64>,
}

fn of(cell: &Cell, value: impl Fn(&Sample) -> f64) -> Vec<f64> {
    cell.samples.iter().map(value).collect()
}

fn figures(cell: &Cell, measured: &Measured) -> Option<Figures> {
    if cell.samples.is_empty() {
        return None;
    }
    let mib = cell.bytes as f64 / f64::from(1 << 20);
    let seconds = of(cell, |sample| sample.usage.seconds);
    let disk = of(cell, |sample| sample.disk);
    let interval = |samples: &[f64]| stats::value_interval(Series::of(samples), SEED);
    let bound = measured.cells.iter().find(|other| {
        let same = (other.way, other.bytes) == (cell.way, cell.bytes);
        same && measured.programs[other.program].name == BOUND
    });
    let bound = bound.filter(|bound| bound.samples.len() == seconds.len());
    let bound = bound.map(|bound| {
        let ratios = stats::quotients(&of(bound, |sample| sample.usage.seconds), &seconds);
        stats::median(&ratios)
    });
    Some(Figures {
        speed: rate(interval(&seconds), mib),
        disk: rate(interval(&disk), mib),
        seconds: stats::median(&seconds),
        processor: stats::median(&of(cell, |sample| sample.usage.processor)),
        memory: cell.samples.iter().map(|one| one.usage.memory).max()?,
        bound,
    })
}

fn number(value: f64) -> Entry {
    Entry::number(value, digits(value))
}

/// Memory in MiB; none if the process was over before the lab saw it.
fn mib(bytes: u64) -> Option<f64> {
    (bytes > 0).then(|| bytes as f64 / f64::from(1 << 20))
}

/// Writes a length: "16 MiB".
pub fn size(bytes: u64) -> String {
    let units = [(30, "GiB"), (20, "MiB"), (10, "KiB")];
    let unit = units
        .iter()
        .find(|(shift, _)| bytes.trailing_zeros() >= *shift && bytes > 0);
    match unit {
        Some((shift, name)) => format!("{} {name}", bytes >> shift),
        None => format!("{bytes} B"),
    }
}

/// Makes the tables of a measurement: for people one for each length and way, for programs one
/// with all cells.
///
/// # Errors
///
/// If the published figures cannot be read; tests would find that.
pub fn tables(measured: &Measured, format: Format) -> anyhow::Result<Vec<Table>> {
    let mut tables = match format {
        Format::Table => {
            let mut shown = people(measured);
            if let Some((_, last)) = shown.last_mut() {
                NOTE.clone_into(&mut last.note);
            }
            shown
                .into_iter()
                .map(|(name, exhibit)| exhibit.table(name))
                .collect()
        }
        _ => vec![programs(measured)],
    };
    tables.push(contenders(measured));
    tables.push(ehrhardt()?.table("ehrhardt".into()));
    Ok(tables)
}

/// Makes an exhibit for each length and way, with its name.
fn people(measured: &Measured) -> Vec<(String, Exhibit)> {
    let sizes: BTreeSet<u64> = measured.cells.iter().map(|cell| cell.bytes).collect();
    let each = |bytes: u64| Way::BOTH.map(|way| (bytes, way));
    let exhibits = sizes.into_iter().flat_map(each);
    exhibits
        .map(|(bytes, way)| {
            let name = format!("{}-{bytes}", way.name());
            (name, exhibit(measured, bytes, way))
        })
        .collect()
}

fn exhibit(measured: &Measured, bytes: u64, way: Way) -> Exhibit {
    let cells = measured.cells.iter();
    let own: Vec<&Cell> = cells
        .filter(|cell| (cell.way, cell.bytes) == (way, bytes))
        .collect();
    let rounds = own.iter().map(|cell| cell.samples.len()).max().unwrap_or(0);
    let (name, length) = (way.name(), size(bytes));
    let mut exhibit = Exhibit::list(
        &format!("{name}: a file of {length}, {rounds} rounds; more MiB/s is better"),
        &[
            "program",
            ">MiB/s",
            ">from–to",
            ">on disk",
            ">CPU s",
            ">MiB",
            ">× cp",
        ],
    );
    let mut rows: Vec<(f64, &str, Vec<Figure>)> = Vec::new();
    for cell in own {
        let name = measured.programs[cell.program].name.as_str();
        let Some(figures) = figures(cell, measured) else {
            rows.push((0.0, name, vec![Figure::none(); 6]));
            continue;
        };
        let ends = figures.speed.ends();
        let ends = ends.map(|[low, high]| format!("{}–{}", digits(low), digits(high)));
        let computed = |value: f64| Figure::computed(value, digits(value));
        let row = vec![
            Figure {
                value: Some(figures.speed),
                ..Figure::text(digits(figures.speed.mid))
            },
            ends.map_or_else(Figure::none, Figure::text),
            computed(figures.disk.mid),
            computed(figures.processor),
            mib(figures.memory).map_or_else(Figure::none, computed),
            figures.bound.map_or_else(Figure::none, computed),
        ];
        rows.push((figures.speed.mid, name, row));
    }
    rows.sort_by(|a, b| b.0.total_cmp(&a.0));
    for (_, name, figures) in rows {
        exhibit.named(name, figures);
    }
    exhibit
}

fn programs(measured: &Measured) -> Table {
    let mut table = Table::new(
        "files",
        "Whole files by the programs' commands",
        &[
            "program",
            "version",
            "authenticated",
            "way",
            ">bytes",
            ">rounds",
            ">MiB/s",
            ">from",
            ">to",
            ">MiB/s on disk",
            ">seconds",
            ">CPU seconds",
            ">memory MiB",
            ">× cp",
            "failure",
        ],
    );
    for cell in &measured.cells {
        let one = &measured.programs[cell.program];
        let mut row: Vec<Entry> = vec![
            one.name.as_str().into(),
            one.version.as_str().into(),
            yes(one.authenticated).into(),
            cell.way.name().into(),
            cell.bytes.to_string().into(),
            cell.samples.len().to_string().into(),
        ];
        match figures(cell, measured) {
            Some(figures) => {
                let ends = figures.speed.ends().map(|ends| ends.map(number));
                let [low, high] = ends.unwrap_or_else(|| [Entry::none(), Entry::none()]);
                row.extend([
                    number(figures.speed.mid),
                    low,
                    high,
                    number(figures.disk.mid),
                    number(figures.seconds),
                    number(figures.processor),
                    mib(figures.memory).map_or_else(Entry::none, number),
                    figures.bound.map_or_else(Entry::none, number),
                ]);
            }
            None => row.extend(std::iter::repeat_with(Entry::none).take(8)),
        }
        row.push(cell.failure.as_str().into());
        table.row(row);
    }
    NOTE.clone_into(&mut table.footnote);
    table
}

fn yes(value: bool) -> &'static str {
    if value { "yes" } else { "no" }
}

/// The programs, and those that are absent.
fn contenders(measured: &Measured) -> Table {
    let mut table = Table::new(
        "programs",
        "The programs",
        &["program", "version", "authenticated", "what"],
    );
    for one in &measured.programs {
        let version = match one.absent.as_str() {
            "" => one.version.clone(),
            reason => format!("absent: {reason}"),
        };
        table.row([
            one.name.clone(),
            version,
            yes(one.authenticated).to_owned(),
            one.about.clone(),
        ]);
    }
    table
}

/// The bound of FCA on Ehrhardt's machine: FCA in EAX encrypts by CTR and authenticates by OMAC,
/// one after the other.
fn ehrhardt() -> anyhow::Result<Exhibit> {
    let work = Published::open("ehrhardt")?;
    let mut exhibit = Exhibit::list(
        "FCA in 2008: seconds for 512 MB (lower is better), MB/s (higher)",
        &[
            "cipher, compiler",
            ">CTR s",
            ">OMAC s",
            ">CTR + OMAC s",
            ">MB/s",
        ],
    );
    for (cipher, sheet) in [("AES-128", "aes"), ("Twofish", "twofish")] {
        let sheet: Sheet = work.sheet(sheet)?;
        for (name, _) in sheet
            .rows
            .iter()
            .filter(|(name, _)| name.starts_with("WE/"))
        {
            let (Some(ctr), Some(omac)) = (sheet.number(name, "CTR"), sheet.number(name, "OMAC"))
            else {
                continue;
            };
            let both = ctr + omac;
            exhibit.published(
                &format!("{cipher}, {}", name.trim_start_matches("WE/")),
                [ctr, omac, both]
                    .map(|seconds| format!("{seconds:.1}"))
                    .into_iter()
                    .chain([digits(512.0 / both)]),
            );
        }
    }
    Ok(exhibit.note(format!(
        "{}, {}: the page has no time of FCA itself; its EAX is CTR and OMAC, whose times for 512 \
         MB (10^6 bytes each) in 64-byte messages are printed, without reading and writing the file",
        work.source, work.machine
    )))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::files::measured::Program;
    use crate::files::timed::Usage;

    fn cell(program: usize, seconds: [f64; 6]) -> Cell {
        let sample = |seconds| Sample {
            usage: Usage {
                seconds,
                processor: 2.0 * seconds,
                memory: 3 << 20,
            },
            disk: 2.0 * seconds,
        };
        Cell {
            program,
            way: Way::Seal,
            bytes: 8 << 20,
            samples: seconds.map(sample).to_vec(),
            failure: String::new(),
        }
    }

    fn measured() -> Measured {
        let program = |name: &str| Program {
            name: name.into(),
            about: String::new(),
            authenticated: true,
            version: "1".into(),
            absent: String::new(),
        };
        Measured {
            uid: String::new(),
            started: "2026-01-02T03:04:05Z".into(),
            lab_version: "0".into(),
            machine: "node1".into(),
            line: "a machine".into(),
            programs: ["planted", BOUND].map(program).into(),
            cells: vec![
                cell(0, [2.0, 4.0, 2.0, 2.0, 1.0, 2.0]),
                cell(1, [1.0, 2.0, 1.0, 1.0, 0.5, 1.0]),
            ],
        }
    }

    #[test]
    fn speeds_and_ratios_are_those_of_the_samples() {
        let measured = measured();
        let figures = figures(&measured.cells[0], &measured).unwrap();
        assert_eq!((figures.speed.mid, figures.disk.mid), (4.0, 2.0));
        assert_eq!((figures.seconds, figures.processor), (2.0, 4.0));
        assert_eq!((figures.memory, figures.bound), (3 << 20, Some(0.5)));
        assert!(figures.speed.low <= 4.0 && 4.0 <= figures.speed.high);
        let shown = tables(&measured, Format::Table).unwrap();
        assert_eq!(shown[0].rows[0][0].text(), BOUND);
        let shown = tables(&measured, Format::Csv).unwrap();
        assert_eq!(shown[0].rows.len(), 2);
    }

    /// The view has the measurement, where and when it was made, and the published figures.
    #[test]
    fn the_view_shows_the_newest_measurement() {
        let shown = show(Some(&measured())).unwrap();
        let [seal, open, published] = &shown.exhibits[..] else {
            panic!("{} exhibits", shown.exhibits.len());
        };
        assert_eq!(seal.rows[1].figures[0].text, "planted");
        assert_eq!(seal.rows[1].figures[1].value.unwrap().mid, 4.0);
        assert!(open.rows.is_empty());
        assert!(open.note.contains("2026-01-02T03:04:05Z on a machine"));
        assert!(published.rows.iter().all(|row| row.published));
        for exhibit in &shown.exhibits {
            for row in &exhibit.rows {
                assert_eq!(row.figures.len(), exhibit.columns.len());
            }
        }
        let none = show(None).unwrap();
        assert!(none.missing.contains("touchstone files"));
    }

    #[test]
    fn lengths_are_written_in_their_largest_unit() {
        assert_eq!(size(1 << 30), "1 GiB");
        assert_eq!(size(16 << 20), "16 MiB");
        assert_eq!(size(1536), "1536 B");
        assert_eq!(size(1 << 10), "1 KiB");
    }

    /// 512 MB in 9.0 s + 9.1 s, WE/D6's AES.
    #[test]
    fn the_bound_of_2008_follows_from_the_page() {
        let shown = ehrhardt().unwrap();
        let name = "AES-128, D6";
        let row = shown.rows.iter().find(|row| row.figures[0].text == name);
        assert_eq!(row.unwrap().figures[4].text, "28.3");
    }
}
