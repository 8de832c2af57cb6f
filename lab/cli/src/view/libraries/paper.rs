//! The paper's tables as they were printed, and the orders that follow from them.

use crate::rank::paper::{Direction, PublishedRank, published_rank};
use crate::view::exhibit::Exhibit;
use crate::view::published::Sheet;

pub(in crate::view) fn printed(title: &str, sheet: &Sheet) -> Exhibit {
    let heads: Vec<String> = sheet
        .columns
        .iter()
        .map(|column| format!(">{column}"))
        .collect();
    let heads: Vec<&str> = ["library"]
        .into_iter()
        .chain(heads.iter().map(String::as_str))
        .collect();
    let mut exhibit = Exhibit::list(title, &heads);
    for (name, values) in &sheet.rows {
        exhibit.published(name, values.iter().cloned());
    }
    exhibit
}

pub(in crate::view) fn order(ranks: &Sheet, speeds: &Sheet) -> Exhibit {
    let by = |sheet: &Sheet, direction| published_rank(&sheet.measures(direction, &["RANK"]));
    let mut printed: Vec<PublishedRank> = ranks
        .rows
        .iter()
        .filter_map(|(library, _)| {
            Some(PublishedRank {
                library: library.clone(),
                rank: ranks.number(library, "RANK")?,
                ratios: Vec::new(),
                of: 0,
            })
        })
        .collect();
    printed.sort_by(|a, b| a.rank.total_cmp(&b.rank));
    let columns = [
        printed,
        by(ranks, Direction::Less),
        by(speeds, Direction::Less),
        by(speeds, Direction::More),
    ];
    let heads = [
        "library",
        ">printed",
        ">cells",
        ">Table 5, least",
        ">Table 5, most",
    ];
    let mut exhibit = Exhibit::list(
        "The paper's order, and the one that its headings ask for",
        &heads,
    );
    for (library, _) in &ranks.rows {
        let texts = columns.iter().map(|ranks| {
            let place = ranks.iter().position(|rank| rank.library == *library);
            place.map_or("-".into(), |place| {
                format!("{:.2} ({})", ranks[place].rank, place + 1)
            })
        });
        exhibit.published(library, texts);
    }
    exhibit
}
