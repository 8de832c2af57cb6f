//! The tables of `touchstone files`.

use super::contender::Found;
use super::rounds::{Cell, Sample, Way};
use crate::stats::{self, Interval, Series};
use crate::table::{Entry, Format, Table};
use crate::view::exhibit::digits;
use crate::view::lens::rate;
use crate::view::published::{Published, Sheet};

/// The contender that bounds all others.
const BOUND: &str = "cp";
/// The seed of the intervals' resamples.
const SEED: u64 = 0x6669_6c65;

const NOTE: &str = "median over rounds in shuffled order, with its 95 % interval; 1 MiB is 2^20 \
                    bytes of content\non disk: the lab calls fsync(2) after the program, so that \
                    programs that do so themselves can be compared with those that do not\nCPU s: \
                    processor time of all threads; MiB: the most memory; × cp: the median of the \
                    rounds' ratios of speeds";

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

fn figures(cell: &Cell, cells: &[Cell], found: &[Found]) -> Option<Figures> {
    if cell.samples.is_empty() {
        return None;
    }
    let mib = cell.bytes as f64 / f64::from(1 << 20);
    let seconds = of(cell, |sample| sample.usage.seconds);
    let disk = of(cell, |sample| sample.disk);
    let interval = |samples: &[f64]| stats::value_interval(Series::of(samples), SEED);
    let bound = cells.iter().find(|other| {
        let same = (other.way, other.bytes) == (cell.way, cell.bytes);
        same && found[other.contender].contender.name == BOUND
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
fn memory(bytes: u64) -> Entry {
    match bytes {
        0 => Entry::none(),
        _ => number(bytes as f64 / f64::from(1 << 20)),
    }
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
pub fn tables(found: &[Found], cells: &[Cell], format: Format) -> anyhow::Result<Vec<Table>> {
    let mut tables = match format {
        Format::Table => people(found, cells),
        _ => vec![programs(found, cells)],
    };
    tables.push(contenders(found));
    tables.push(ehrhardt()?);
    Ok(tables)
}

fn people(found: &[Found], cells: &[Cell]) -> Vec<Table> {
    let mut sizes: Vec<u64> = cells.iter().map(|cell| cell.bytes).collect();
    sizes.dedup();
    let mut tables = Vec::new();
    for bytes in sizes {
        for way in [Way::Seal, Way::Open] {
            let (name, length) = (way.name(), size(bytes));
            let own: Vec<&Cell> = cells
                .iter()
                .filter(|cell| (cell.way, cell.bytes) == (way, bytes))
                .collect();
            let rounds = own.iter().map(|cell| cell.samples.len()).max().unwrap_or(0);
            let mut table = Table::new(
                &format!("{name}-{bytes}"),
                format!("{name}: a file of {length}, {rounds} rounds; more MiB/s is better"),
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
            let mut rows: Vec<(f64, Vec<Entry>)> = Vec::new();
            for cell in own {
                let name = Entry::from(found[cell.contender].contender.name.as_str());
                let Some(figures) = figures(cell, cells, found) else {
                    let none = std::iter::repeat_with(Entry::none).take(6);
                    rows.push((0.0, [name].into_iter().chain(none).collect()));
                    continue;
                };
                let ends = figures.speed.ends();
                let ends = ends.map(|[low, high]| format!("{}–{}", digits(low), digits(high)));
                let row = vec![
                    name,
                    number(figures.speed.mid),
                    ends.map_or_else(Entry::none, Entry::from),
                    number(figures.disk.mid),
                    number(figures.processor),
                    memory(figures.memory),
                    figures.bound.map_or_else(Entry::none, number),
                ];
                rows.push((figures.speed.mid, row));
            }
            rows.sort_by(|a, b| b.0.total_cmp(&a.0));
            rows.into_iter().for_each(|(_, row)| table.row(row));
            tables.push(table);
        }
    }
    if let Some(last) = tables.last_mut() {
        NOTE.clone_into(&mut last.footnote);
    }
    tables
}

fn programs(found: &[Found], cells: &[Cell]) -> Table {
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
    for cell in cells {
        let one = &found[cell.contender];
        let mut row: Vec<Entry> = vec![
            one.contender.name.as_str().into(),
            one.version.as_str().into(),
            yes(one.contender.authenticated).into(),
            cell.way.name().into(),
            cell.bytes.to_string().into(),
            cell.samples.len().to_string().into(),
        ];
        match figures(cell, cells, found) {
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
                    memory(figures.memory),
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
fn contenders(found: &[Found]) -> Table {
    let mut table = Table::new(
        "programs",
        "The programs",
        &["program", "version", "authenticated", "what"],
    );
    for one in found {
        let version = match one.path {
            Some(_) => one.version.clone(),
            None => format!("absent: no {} in PATH", one.contender.program),
        };
        table.row([
            one.contender.name.clone(),
            version,
            yes(one.contender.authenticated).to_owned(),
            one.contender.about.clone(),
        ]);
    }
    table
}

/// The bound of FCA on Ehrhardt's machine: FCA in EAX encrypts by CTR and authenticates by OMAC,
/// one after the other.
fn ehrhardt() -> anyhow::Result<Table> {
    let work = Published::open("ehrhardt")?;
    let mut table = Table::new(
        "ehrhardt",
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
            table.row([
                Entry::from(format!("{cipher}, {}", name.trim_start_matches("WE/"))),
                Entry::number(ctr, format!("{ctr:.1}")),
                Entry::number(omac, format!("{omac:.1}")),
                Entry::number(ctr + omac, format!("{:.1}", ctr + omac)),
                number(512.0 / (ctr + omac)),
            ]);
        }
    }
    table.footnote = format!(
        "{}, {}: the page has no time of FCA itself; its EAX is CTR and OMAC, whose times for 512 \
         MB (10^6 bytes each) in 64-byte messages are printed, without reading and writing the file",
        work.source, work.machine
    );
    Ok(table)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::files::contender;
    use crate::files::timed::Usage;

    fn cell(contender: usize, seconds: [f64; 6]) -> Cell {
        let sample = |seconds| Sample {
            usage: Usage {
                seconds,
                processor: 2.0 * seconds,
                memory: 3 << 20,
            },
            disk: 2.0 * seconds,
        };
        Cell {
            contender,
            way: Way::Seal,
            bytes: 8 << 20,
            samples: seconds.map(sample).to_vec(),
            failure: String::new(),
        }
    }

    #[test]
    fn speeds_and_ratios_are_those_of_the_samples() {
        let all = contender::all().unwrap();
        let absent = |contender| Found {
            contender,
            path: None,
            version: String::new(),
        };
        let found: Vec<Found> = all.into_iter().map(absent).collect();
        let cp = found.iter().position(|one| one.contender.name == BOUND);
        let cells = [
            cell(0, [2.0, 4.0, 2.0, 2.0, 1.0, 2.0]),
            cell(cp.unwrap(), [1.0, 2.0, 1.0, 1.0, 0.5, 1.0]),
        ];
        let figures = figures(&cells[0], &cells, &found).unwrap();
        assert_eq!((figures.speed.mid, figures.disk.mid), (4.0, 2.0));
        assert_eq!((figures.seconds, figures.processor), (2.0, 4.0));
        assert_eq!((figures.memory, figures.bound), (3 << 20, Some(0.5)));
        assert!(figures.speed.low <= 4.0 && 4.0 <= figures.speed.high);
        let shown = tables(&found, &cells, Format::Table).unwrap();
        assert_eq!(shown[0].rows[0][0].text(), BOUND);
        let shown = tables(&found, &cells, Format::Csv).unwrap();
        assert_eq!(shown[0].rows.len(), 2);
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
        let table = ehrhardt().unwrap();
        let row = table.rows.iter().find(|row| row[0].text() == "AES-128, D6");
        assert_eq!(row.unwrap()[4].text(), "28.3");
    }
}
