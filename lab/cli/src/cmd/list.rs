//! `touchstone list`: shows which libraries were found, and the algorithms of each.

use std::collections::BTreeMap;

use clap::Args;

use super::{Choice, End, Global, Shape};
use crate::catalogue::{self, FAMILIES};
use crate::session::{Slot, discover};
use crate::table::{self, Table};

#[derive(Debug, Args)]
#[command(after_help = "Examples:
  touchstone list --brief
  touchstone list --algorithm AES-256-GCM       which libraries have it")]
pub(super) struct Options {
    #[command(flatten)]
    choice: Choice,
    /// Show only the libraries, without their algorithms
    #[arg(long)]
    brief: bool,
}

pub(super) fn run(global: &Global, options: &Options) -> anyhow::Result<End> {
    let slots = discover(options.choice.candidates()?);
    let selection = options.choice.selection(&Shape::default(), &slots)?;
    let mut tables = vec![libraries(&slots, global.format)];
    if !options.brief {
        tables.push(matrix(&slots, &|p, o| selection.has(p, o), global.format));
        tables.push(kernels(&slots, &|p, o| selection.has(p, o)));
    }
    tables.retain(|table| !table.rows.is_empty());
    global.print(&tables)?;
    let any = slots.iter().any(Slot::present);
    Ok(if any {
        End::Good
    } else {
        End::NothingToMeasure
    })
}

/// Returns a table of the libraries: one line for each fact on a terminal, one row for each
/// library otherwise.
fn libraries(slots: &[Slot], format: table::Format) -> Table {
    if format != table::Format::Table {
        let mut table = Table::new(
            "libraries",
            "Libraries",
            &[
                "id", "name", "version", "path", "licence", "language", "features", ">offers",
                "note", "handicap", "absent",
            ],
        );
        for slot in slots {
            let f = &slot.facts;
            table.row([
                f.id.clone(),
                f.name.clone(),
                f.version.clone(),
                f.path.clone(),
                f.licence.clone(),
                f.language.clone(),
                f.features.clone(),
                f.offers.to_string(),
                f.note.clone(),
                f.handicap.clone(),
                f.absent.clone(),
            ]);
        }
        return table;
    }
    let mut table = Table::new("libraries", "Libraries", &["", ""]);
    for slot in slots {
        let f = &slot.facts;
        let offers = format!("{} primitive × operation pairs", f.offers);
        let facts = [
            ("absent", f.absent.as_str()),
            ("path", &f.path),
            ("licence", &f.licence),
            ("language", &f.language),
            ("CPU", &f.features),
            ("offers", if f.offers > 0 { &offers } else { "" }),
            ("note", &f.note),
            ("slower", &f.handicap),
        ];
        table.row([f.name.as_str(), &f.version]);
        for (name, value) in facts.into_iter().filter(|(_, value)| !value.is_empty()) {
            table.row([&format!("  {name}"), value]);
        }
    }
    table
}

/// Returns the algorithms of each library. Operations of a primitive that the same libraries
/// offer share one row.
fn matrix(slots: &[Slot], has: &dyn Fn(&str, &str) -> bool, format: table::Format) -> Table {
    let present: Vec<&Slot> = slots.iter().filter(|slot| slot.present()).collect();
    let mut columns = vec!["primitive".to_owned(), "operations".to_owned()];
    let letters = letters(&present);
    // A terminal is too narrow for twenty columns with names, so a letter stands for each
    // library.
    let for_people = format == table::Format::Table;
    let for_programs = matches!(format, table::Format::Json | table::Format::Csv);
    if for_people {
        columns.push("libraries".into());
    } else {
        columns.extend(present.iter().map(|slot| slot.id().to_owned()));
    }
    let mut table = Table {
        name: "algorithms".into(),
        title: "Library × primitive × operation".into(),
        columns,
        ..Table::default()
    };
    let mut primitives: BTreeMap<(usize, &str), BTreeMap<&str, Vec<bool>>> = BTreeMap::new();
    for (index, slot) in present.iter().enumerate() {
        for offer in slot
            .offers
            .iter()
            .filter(|o| has(&o.primitive, &o.operation))
        {
            let family = catalogue::family(&offer.primitive);
            let place = FAMILIES
                .iter()
                .position(|f| *f == family)
                .unwrap_or(FAMILIES.len());
            primitives
                .entry((place, &offer.primitive))
                .or_default()
                .entry(&offer.operation)
                .or_insert_with(|| vec![false; present.len()])[index] = true;
        }
    }
    for ((_, primitive), operations) in primitives {
        let mut groups: Vec<(Vec<bool>, Vec<String>)> = Vec::new();
        for (operation, having) in &operations {
            // If both directions exist, the row has only the mode's name.
            let stem = catalogue::stem(operation);
            let twin = |way: &str| operations.get(format!("{stem}-{way}").as_str());
            let both = twin("encrypt") == twin("decrypt");
            if both && catalogue::is_inverse(operation) {
                continue;
            }
            let alone = twin("decrypt").is_none();
            let label = if both || alone { stem } else { operation }.to_owned();
            match groups.iter_mut().find(|(same, _)| same == having) {
                Some((_, labels)) => labels.push(label),
                None => groups.push((having.clone(), vec![label])),
            }
        }
        for (index, (having, labels)) in groups.into_iter().enumerate() {
            let shows_primitive = index == 0 || for_programs;
            let primitive = if shows_primitive { primitive } else { "" };
            let mut row = vec![primitive.to_owned(), labels.join(" ")];
            if for_people {
                let marks = having
                    .iter()
                    .zip(&letters)
                    .map(|(&h, &c)| if h { c } else { '·' });
                row.push(marks.flat_map(|c| [c, ' ']).collect());
            } else {
                let [yes, no] = if for_programs {
                    ["yes", "no"]
                } else {
                    ["●", "·"]
                };
                row.extend(having.iter().map(|&h| if h { yes } else { no }.to_owned()));
            }
            table.row(row);
        }
    }
    if for_people {
        let legend = letters
            .iter()
            .zip(&present)
            .map(|(c, slot)| format!("{c} {}", slot.id()));
        table.footnote = legend.collect::<Vec<_>>().join(", ");
    }
    table
}

/// Chooses a letter for each library, if possible one from its name.
fn letters(present: &[&Slot]) -> Vec<char> {
    let mut taken = Vec::new();
    for slot in present {
        let own = slot.facts.name.chars().filter(char::is_ascii_alphabetic);
        let letter = own
            .map(|c| c.to_ascii_uppercase())
            .chain('A'..='Z')
            .chain('0'..='9')
            .find(|c| !taken.contains(c));
        taken.push(letter.unwrap_or('*'));
    }
    taken
}

/// Returns the kernels in use, for libraries that report them.
fn kernels(slots: &[Slot], has: &dyn Fn(&str, &str) -> bool) -> Table {
    let mut table = Table::new("kernels", "Kernels in use", &["library", "kernel", "for"]);
    for slot in slots.iter().filter(|slot| slot.present()) {
        let mut by_kernel: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
        for offer in slot
            .offers
            .iter()
            .filter(|o| !o.kernel.is_empty() && has(&o.primitive, &o.operation))
        {
            let list = by_kernel.entry(&offer.kernel).or_default();
            if !list.contains(&offer.primitive.as_str()) {
                list.push(&offer.primitive);
            }
        }
        for (kernel, primitives) in by_kernel {
            table.row([
                slot.facts.name.clone(),
                kernel.to_owned(),
                primitives.join(" "),
            ]);
        }
    }
    table
}
