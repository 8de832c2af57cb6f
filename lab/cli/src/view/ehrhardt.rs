//! The tables of Wolfgang Ehrhardt's page: the time for 512 MB in 64-byte messages by
//! mode, and cycles per block of AES and of Salsa20 with 8, 12 and 20 rounds.

use super::exhibit::{Exhibit, Figure};
use super::grid::Line;
use super::lens::{Lens, rate, scaled};
use super::published::{Published, Sheet};
use crate::names;
use crate::stats::Interval;
use crate::summary::Cell;

/// Headings of the page's mode tables, with their operations.
const MODES: [(&str, &str); 6] = [
    ("CTR", "ctr-encrypt"),
    ("CFB", "cfb-encrypt"),
    ("OFB", "ofb-encrypt"),
    ("ECB", "ecb-encrypt"),
    ("CBC", "cbc-encrypt"),
    ("OMAC", "cmac"),
];

/// Headings of the page's Salsa20 table, with primitive and operation.
const SALSA: [(&str, &str, &str); 6] = [
    ("k8", "salsa20-8", "stream-keystream"),
    ("k12", "salsa20-12", "stream-keystream"),
    ("k20", "salsa20", "stream-keystream"),
    ("e8", "salsa20-8", "stream-encrypt"),
    ("e12", "salsa20-12", "stream-encrypt"),
    ("e20", "salsa20", "stream-encrypt"),
];

/// Length of an AES block in bytes.
const BLOCK: u64 = 16;

/// Length in bytes of a message with many blocks, which one call processes.
const BULK: u64 = super::BULK;

pub(super) fn make(lens: &Lens<'_>) -> anyhow::Result<Vec<Exhibit>> {
    let work = Published::open("ehrhardt")?;
    let below = format!("below: {}, {}", work.source, work.machine);
    let mut exhibits = Vec::new();
    for (sheet, primitive) in [
        ("aes", "aes-128"),
        ("twofish", "twofish-128"),
        ("blowfish", "blowfish"),
    ] {
        let name = names::primitive(primitive);
        let title = format!("{name}: seconds for 512 MB in 64-byte messages, lower is better");
        let columns = MODES.map(|(head, operation)| (head, primitive, operation, 64, 8e6));
        let note = format!(
            "8,000,000 × the time of one message; 128-bit keys, set up before; OMAC is CMAC, \
             finished for each message; {below}"
        );
        exhibits.push(seconds(lens, &title, &columns, &work.sheet(sheet)?).note(note));
    }
    exhibits.push(cycles(lens, &work.sheet("cycles")?).note(format!(
        "nanoseconds × the core's clock around the cell; {BLOCK} B: one block a call, with the \
         call; {} KiB: ECB in bulk, where blocks go side by side. ASM and C++ are Gladman's: {}, {}",
        BULK >> 10,
        work.source,
        work.machine
    )));
    exhibits.push(compilers(lens, &work.sheet("compilers")?).note(format!(
        "one block a call; 1 MB is 10^6 bytes; F full tables, C compressed tables, what today's \
         libraries use is in the report's cells; {below}"
    )));
    let columns = SALSA.map(|(head, primitive, operation)| (head, primitive, operation, 576, 1e6));
    let title = "Salsa20: seconds for 576 MB in 576-byte messages, lower is better";
    exhibits.push(
        seconds(lens, title, &columns, &work.sheet("salsa20")?).note(format!(
            "1,000,000 × the time of one message; k keystream alone, e encryption, with 8, 12, 20 \
         rounds; keys of 256 bits, the page's of 128, which costs the same; {below}"
        )),
    );
    Ok(exhibits)
}

/// A timed operation of the page: heading, primitive, operation, bytes, number of messages.
type Timed<'a> = (&'a str, &'a str, &'a str, u64, f64);

/// Returns a table with one row for each library, then the published rows, and one column for
/// each cell.
fn seconds(lens: &Lens<'_>, title: &str, columns: &[Timed<'_>], sheet: &Sheet) -> Exhibit {
    let mut heads = vec!["library".to_owned()];
    heads.extend(columns.iter().map(|(head, ..)| format!(">{head}")));
    let heads: Vec<&str> = heads.iter().map(String::as_str).collect();
    let mut exhibit = Exhibit::list(title, &heads);
    let found: Vec<_> = columns
        .iter()
        .map(|&(_, primitive, operation, bytes, messages)| {
            lens.hot(primitive, operation, bytes, |cell| {
                scaled(cell.ns, messages * 1e-9)
            })
        })
        .collect();
    for library in lens.libraries() {
        if found.iter().any(|column| column.contains_key(*library)) {
            let figures = found
                .iter()
                .map(|c| c.get(*library).cloned().unwrap_or_else(Figure::none));
            exhibit.library(lens, library, figures.collect());
        }
    }
    for (name, values) in &sheet.rows {
        exhibit.published(name, values.iter().cloned());
    }
    exhibit
}

/// Cycles for one block of a cell; unknown if the clock rate is unknown.
fn per_block(cell: &Cell) -> Interval {
    let blocks = (cell.bytes / BLOCK) as f64;
    scaled(cell.ns, cell.mhz.unwrap_or(f64::NAN) / 1e3 / blocks)
}

fn cycles(lens: &Lens<'_>, sheet: &Sheet) -> Exhibit {
    let mut lines = Vec::new();
    for bits in ["128", "192", "256"] {
        for (printed, operation) in [("Enc", "ecb-encrypt"), ("Dec", "ecb-decrypt")] {
            for bytes in [BLOCK, BULK] {
                let primitive = format!("aes-{bits}");
                let size = if bytes == BLOCK {
                    "16 B".to_owned()
                } else {
                    format!("{} KiB", bytes >> 10)
                };
                let today = lens.hot(&primitive, operation, bytes, per_block);
                let row = format!("{printed}/{bits}");
                let line = Line::new(format!("{row}, {size}"), &primitive, today);
                // The page's routines process one block in a call.
                let then = sheet
                    .row(&row)
                    .filter(|_| bytes == BLOCK)
                    .unwrap_or_default();
                lines.push(line.beside(then.iter().cloned()));
            }
        }
    }
    let heads: Vec<&str> = ["AES"]
        .into_iter()
        .chain(sheet.columns.iter().map(String::as_str))
        .collect();
    Exhibit::grid(
        "AES: cycles per block, lower is better",
        lens,
        &heads,
        lines,
    )
}

fn compilers(lens: &Lens<'_>, sheet: &Sheet) -> Exhibit {
    let title = "AES-128 encryption: cycles per block (lower is better), MB/s (higher)";
    let heads = ["library", ">Cyc/Bl-F", ">MB/s-F", ">Cyc/Bl-C", ">MB/s-C"];
    let mut exhibit = Exhibit::list(title, &heads);
    let mut cells = lens.cells("aes-128", "ecb-encrypt", "hot", BLOCK);
    cells.sort_by(|a, b| a.1.ns.mid.total_cmp(&b.1.ns.mid));
    for (index, cell) in cells {
        let flagged = !cell.flags.is_empty();
        let figures = vec![
            Figure::measured(per_block(cell), index, flagged),
            Figure::measured(rate(cell.ns, cell.bytes as f64 * 1e3), index, flagged),
            Figure::none(),
            Figure::none(),
        ];
        exhibit.library(lens, &cell.library, figures);
    }
    for (name, values) in &sheet.rows {
        exhibit.published(name, values.iter().cloned());
    }
    exhibit
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn speeds_of_the_compilers_follow_from_their_cycles() {
        let work = Published::open("ehrhardt").unwrap();
        let sheet = work.sheet("compilers").unwrap();
        let mut compared = 0;
        for (name, _) in &sheet.rows {
            for kind in ["F", "C"] {
                let cycles = sheet.number(name, &format!("Cyc/Bl-{kind}")).unwrap();
                let printed = sheet.number(name, &format!("MB/s-{kind}")).unwrap();
                let computed = 1800.0 / cycles * BLOCK as f64;
                assert!(
                    (computed / printed - 1.0).abs() < 0.015,
                    "{name}: {computed} is not {printed}"
                );
                compared += 1;
            }
        }
        assert_eq!(compared, 30);
    }
}
