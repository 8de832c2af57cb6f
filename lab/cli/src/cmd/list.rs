//! `touchstone list`: the libraries found, and what each can do.

use std::collections::BTreeMap;

use clap::Args;

use super::{Choice, End, Global};
use crate::catalogue::{self, FAMILIES};
use crate::session::{Slot, discover};
use crate::table::{self, Table};

#[derive(Debug, Args)]
pub(super) struct Options {
    #[command(flatten)]
    choice: Choice,
    /// Only the libraries, without what each can do
    #[arg(long)]
    brief: bool,
}

pub(super) fn run(global: &Global, options: &Options) -> anyhow::Result<End> {
    let selection = options.choice.selection(&[], &[])?;
    let slots = discover(options.choice.candidates()?);
    let mut tables = vec![libraries(&slots, global.format)];
    if !options.brief {
        tables.push(matrix(&slots, &|p, o| selection.has(p, o)));
        tables.push(kernels(&slots, &|p, o| selection.has(p, o)));
    }
    tables.retain(|table| !table.rows.is_empty());
    table::print(&tables, global.format);
    let any = slots.iter().any(Slot::present);
    Ok(if any {
        End::Good
    } else {
        End::NothingToMeasure
    })
}

/// Libraries as facts, one line a fact in a terminal, one row a library elsewhere.
fn libraries(slots: &[Slot], format: table::Format) -> Table {
    if format != table::Format::Table {
        let mut table = Table::new(
            "Libraries",
            &[
                "id", "name", "version", "path", "licence", "language", "features", ">offers",
                "note", "absent",
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
                f.absent.clone(),
            ]);
        }
        return table;
    }
    let mut table = Table::new("Libraries", &["library", "", ""]);
    for slot in slots {
        let f = &slot.facts;
        let offers = format!("{} primitive × operation pairs", f.offers);
        let mut first = format!("{} {}", f.name, f.version);
        let facts = [
            ("absent", f.absent.as_str()),
            ("path", &f.path),
            ("licence", &f.licence),
            ("language", &f.language),
            ("CPU", &f.features),
            ("offers", if f.offers > 0 { &offers } else { "" }),
            ("note", &f.note),
        ];
        for (name, value) in facts.into_iter().filter(|(_, value)| !value.is_empty()) {
            table.row([
                std::mem::take(&mut first),
                name.to_owned(),
                value.to_owned(),
            ]);
        }
    }
    table
}

/// What each library can do: a primitive's operations that the same libraries
/// have share a row.
fn matrix(slots: &[Slot], has: &dyn Fn(&str, &str) -> bool) -> Table {
    let present: Vec<&Slot> = slots.iter().filter(|slot| slot.present()).collect();
    let mut columns = vec!["primitive".to_owned(), "operations".to_owned()];
    columns.extend(present.iter().map(|slot| slot.id().to_owned()));
    let mut table = Table {
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
            // Both directions together are named by the mode alone.
            let stem = catalogue::stem(operation);
            let twin = |way: &str| operations.get(format!("{stem}-{way}").as_str());
            let both = twin("encrypt") == twin("decrypt");
            if both && operation.ends_with("-decrypt") {
                continue;
            }
            let label = if both { stem } else { operation }.to_owned();
            match groups.iter_mut().find(|(same, _)| same == having) {
                Some((_, labels)) => labels.push(label),
                None => groups.push((having.clone(), vec![label])),
            }
        }
        let mut first = primitive.to_owned();
        for (having, labels) in groups {
            let mut row = vec![std::mem::take(&mut first), labels.join(" ")];
            row.extend(having.iter().map(|&h| if h { "●" } else { "·" }.to_owned()));
            table.row(row);
        }
    }
    table
}

/// Kernels in use, where a library tells.
fn kernels(slots: &[Slot], has: &dyn Fn(&str, &str) -> bool) -> Table {
    let mut table = Table::new("Kernels in use", &["library", "kernel", "for"]);
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
