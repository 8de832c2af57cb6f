//! RANK against the paper it comes from: what follows from its own tables.

use std::collections::BTreeMap;

use touchstone_lab::rank::{Direction, Measure, PublishedRank, published_rank};

const DATA: &str = include_str!("data/aulov-gorbenko-2012.tsv");

/// A library's cells by column, and its printed overall RANK.
type Row = (String, Vec<Measure>, Option<f64>);

fn table(number: &str, direction: Direction) -> Vec<Row> {
    let heads = DATA
        .lines()
        .find_map(|line| line.strip_prefix("# table\t"))
        .expect("a line with the heads");
    let heads: Vec<&str> = heads.split('\t').skip(1).collect();
    let mut rows = Vec::new();
    for line in DATA.lines().filter(|line| !line.starts_with('#')) {
        let mut fields = line.split('\t');
        if fields.next() != Some(number) {
            continue;
        }
        let library = fields.next().expect("a library").to_owned();
        let mut values: Vec<Option<f64>> = fields.map(|f| f.parse().ok()).collect();
        assert_eq!(values.len(), heads.len(), "{library}");
        let printed = values.pop().flatten();
        let measures = heads
            .iter()
            .zip(values)
            .filter_map(|(head, value)| {
                Some(Measure {
                    column: (*head).to_owned(),
                    value: value?,
                    direction,
                })
            })
            .collect();
        rows.push((library, measures, printed));
    }
    rows
}

fn ranked(rows: &[Row]) -> BTreeMap<String, PublishedRank> {
    let table: Vec<(String, Vec<Measure>)> = rows
        .iter()
        .map(|(library, measures, _)| (library.clone(), measures.clone()))
        .collect();
    published_rank(&table)
        .into_iter()
        .map(|rank| (rank.library.clone(), rank))
        .collect()
}

fn two_decimals(value: f64) -> String {
    format!("{value:.2}")
}

#[test]
fn the_printed_ranks_follow_from_table_4() {
    let rows = table("4", Direction::Less);
    let ranks = ranked(&rows);
    assert_eq!(rows.len(), 8);
    for (library, _, printed) in &rows {
        let computed = two_decimals(ranks[library].rank);
        let printed = two_decimals(printed.expect("a printed RANK"));
        if library == "MIRACL" {
            // Its cells do not give the value printed beside them.
            assert_eq!((&*computed, &*printed), ("1.93", "1.40"));
        } else {
            assert_eq!(computed, printed, "{library}");
        }
    }
    assert_eq!((ranks["NTL"].ratios.len(), ranks["NTL"].of), (3, 12));
}

#[test]
fn table_4_divides_table_5_by_its_smallest() {
    let printed = table("4", Direction::Less);
    // Dividing by the smallest is right for times, but the table is headed as speeds.
    let ranks = ranked(&table("5", Direction::Less));
    let mut compared = 0;
    for (library, measures, _) in &printed {
        for measure in measures {
            let Some(rank) = ranks.get(library) else {
                continue;
            };
            let Some((_, ratio)) = rank.ratios.iter().find(|(c, _)| *c == measure.column) else {
                continue;
            };
            assert!(
                (ratio - measure.value).abs() < 0.00501,
                "{library} {}: {ratio} is not {}",
                measure.column,
                measure.value
            );
            compared += 1;
        }
    }
    assert_eq!(compared, 53);
}

#[test]
fn the_heads_of_table_5_ask_for_another_order() {
    let order = |direction| -> Vec<String> {
        let table: Vec<(String, Vec<Measure>)> = table("5", direction)
            .into_iter()
            .map(|(library, measures, _)| (library, measures))
            .collect();
        let ranks = published_rank(&table);
        ranks.into_iter().map(|rank| rank.library).collect()
    };
    let less = order(Direction::Less);
    let more = order(Direction::More);
    assert_eq!(less.len(), 7);
    assert_ne!(less, more);
    // What the smallest-is-best reading ranks last has the highest speeds.
    assert_eq!(less[6], "OpenSSL");
    assert_eq!(more[0], "OpenSSL");
}
