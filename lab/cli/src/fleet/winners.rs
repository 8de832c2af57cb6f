//! Which library wins where, and which CPU features turn the order.

use super::Fleet;
use crate::machine::grouped;
use crate::stats::rank::hosts::{Turn, turns};

/// A library that is this much slower than the fastest still ties with it: the machines were not
/// measured in the same rounds.
const TIE: f64 = 1.02;

/// The libraries that win in one cell.
#[derive(Debug, Clone, PartialEq)]
pub struct Winners {
    /// The cell's place in [`Fleet::cells`].
    pub cell: usize,
    /// The library that wins on most machines, and the machines.
    pub most: (String, Vec<String>),
    /// The others, each with the machines on which it wins.
    pub others: Vec<(String, Vec<String>)>,
    /// CPU features that tell the machines of the first group from the rest.
    pub turns: Vec<Turn>,
}

/// Finds the winners of each cell that has times of at least two machines and two libraries.
pub fn winners(fleet: &Fleet) -> Vec<Winners> {
    let mut found = Vec::new();
    for cell in 0..fleet.cells.len() {
        let mut by_host: Vec<Vec<(usize, f64)>> = vec![Vec::new(); fleet.hosts.len()];
        for reading in fleet.readings.iter().filter(|reading| reading.cell == cell) {
            by_host[reading.host].push((reading.library, reading.ns));
        }
        let firsts: Vec<(usize, Vec<usize>)> = by_host
            .iter()
            .enumerate()
            .filter(|(_, times)| times.len() > 1)
            .map(|(host, times)| (host, fastest(times)))
            .collect();
        if firsts.len() < 2 {
            continue;
        }
        found.push(of_cell(fleet, cell, &firsts));
    }
    found
}

/// Returns the fastest library, and those that tie with it.
fn fastest(times: &[(usize, f64)]) -> Vec<usize> {
    let mut times = times.to_vec();
    times.sort_by(|a, b| a.1.total_cmp(&b.1));
    let least = times[0].1;
    times.retain(|(_, ns)| *ns <= least * TIE);
    times.into_iter().map(|(library, _)| library).collect()
}

fn of_cell(fleet: &Fleet, cell: usize, firsts: &[(usize, Vec<usize>)]) -> Winners {
    // The library that is first, or ties with the first, on most machines.
    let count = |library: usize| {
        firsts
            .iter()
            .filter(|(_, best)| best.contains(&library))
            .count()
    };
    let most = (0..fleet.libraries.len())
        .max_by_key(|&library| (count(library), std::cmp::Reverse(library)))
        .unwrap_or(0);
    let wins = |best: &[usize]| best.contains(&most);
    let name = |host: usize| fleet.hosts[host].name.as_str();
    let (own, rest): (Vec<_>, Vec<_>) = firsts.iter().partition(|(_, best)| wins(best));
    let pairs = rest
        .iter()
        .map(|(host, best)| (name(*host), fleet.libraries[best[0]].as_str()));
    let features = |group: &[&(usize, Vec<usize>)]| -> Vec<Vec<&str>> {
        let of = |host: usize| {
            fleet.hosts[host]
                .features
                .iter()
                .map(String::as_str)
                .collect()
        };
        group.iter().map(|(host, _)| of(*host)).collect()
    };
    Winners {
        cell,
        most: (
            fleet.libraries[most].clone(),
            own.iter().map(|(host, _)| name(*host).to_owned()).collect(),
        ),
        others: grouped(pairs)
            .into_iter()
            .map(|(library, hosts)| {
                let hosts = hosts.into_iter().map(str::to_owned);
                (library.to_owned(), hosts.collect())
            })
            .collect(),
        turns: turns(&features(&own), &features(&rest)),
    }
}

/// An order of libraries that CPU features turn: one outcome, and the cells that have it.
#[derive(Debug, Clone, PartialEq)]
pub struct Order {
    /// The library that wins on most machines.
    pub most: String,
    /// Number of these machines. Cells may differ in it, if not all machines have all cells.
    pub on: usize,
    /// The libraries that win on the others, each with the machines.
    pub others: Vec<(String, Vec<String>)>,
    /// The features that tell the machines apart.
    pub turns: Vec<Turn>,
    /// The places of the cells.
    pub cells: Vec<usize>,
}

impl Order {
    /// The cells in few words: "aes-256 gcm-encrypt hot 64 B and 3 more".
    pub fn such_as(&self, fleet: &Fleet) -> String {
        let first = fleet.cells[self.cells[0]].to_string();
        match self.cells.len() - 1 {
            0 => first,
            more => format!("{first} and {more} more"),
        }
    }

    /// The order in a sentence: "With vaes AWS-LC is first, and without OpenSSL".
    pub fn sentence(&self, fleet: &Fleet) -> String {
        let others: Vec<String> = self
            .others
            .iter()
            .map(|(library, hosts)| format!("{library} on {}", hosts.join(", ")))
            .collect();
        let machines = if self.on == 1 { "machine" } else { "machines" };
        let features = match features(&self.turns) {
            text if text.is_empty() => "no CPU feature tells them apart".to_owned(),
            text => format!("these have {text}"),
        };
        format!(
            "{} is first on {} {machines}, {features}; but {}: {}",
            self.most,
            self.on,
            others.join("; "),
            self.such_as(fleet)
        )
    }
}

/// Groups cells that have the same winners on the same machines, the most frequent outcome first.
pub fn orders(won: &[Winners]) -> Vec<Order> {
    let mut found: Vec<Order> = Vec::new();
    for winners in won.iter().filter(|winners| !winners.others.is_empty()) {
        let same = found.iter_mut().find(|order| {
            (&order.most, &order.others) == (&winners.most.0, &winners.others)
                && order.turns == winners.turns
        });
        match same {
            Some(order) => {
                order.on = order.on.max(winners.most.1.len());
                order.cells.push(winners.cell);
            }
            None => found.push(Order {
                most: winners.most.0.clone(),
                on: winners.most.1.len(),
                others: winners.others.clone(),
                turns: winners.turns.clone(),
                cells: vec![winners.cell],
            }),
        }
    }
    found.sort_by_key(|order| std::cmp::Reverse(order.cells.len()));
    found
}

/// Returns the words about features: "vaes", "not avx512f". Machines that are exceptions are counted.
pub fn features(turns: &[Turn]) -> String {
    let word = |turn: &Turn| match turn.first_has {
        true => turn.property.clone(),
        false => format!("not {}", turn.property),
    };
    let words: Vec<String> = turns.iter().take(4).map(word).collect();
    if words.is_empty() {
        return String::new();
    }
    let mut text = words.join(", ");
    let more = turns.len() - words.len();
    if more > 0 {
        text += &format!(" and {more} more");
    }
    match turns[0].wrong {
        0 => text,
        1 => text + ", with 1 exception",
        wrong => format!("{text}, with {wrong} exceptions"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fleet::Host;
    use crate::profile::Task;
    use crate::stats::rank::hosts::Reading;
    use touchstone_wire::Contract;

    /// A fleet of six machines, of which the last two lack an instruction set, and of two
    /// libraries: the second is faster with the instructions, and the first without.
    fn fleet() -> Fleet {
        let host = |place: usize| Host {
            name: format!("node{place}"),
            run: place as i64,
            model: "one".into(),
            features: match place {
                4.. => vec!["aes".into()],
                _ => vec!["aes".into(), "vaes".into()],
            },
        };
        let reading = |host: usize, library: usize, ns: f64| Reading {
            host,
            library,
            cell: 0,
            ns,
        };
        let mut readings = Vec::new();
        for place in 0..6 {
            readings.push(reading(place, 0, 100.0));
            readings.push(reading(place, 1, if place < 4 { 60.0 } else { 150.0 }));
        }
        // On one machine both tie.
        readings[2].ns = 60.5;
        Fleet {
            hosts: (0..6).map(host).collect(),
            libraries: vec!["openssl".into(), "aws-lc".into()],
            cells: vec![Task {
                primitive: "aes-256".into(),
                operation: "gcm-encrypt".into(),
                contract: Contract::Hot,
                bytes: 16384,
                threads: 1,
                messages: 1,
            }],
            readings,
        }
    }

    #[test]
    fn the_feature_that_turns_the_order_is_named() {
        let found = winners(&fleet());
        assert_eq!(found.len(), 1);
        let winners = &found[0];
        assert_eq!(winners.most.0, "aws-lc");
        assert_eq!(winners.most.1, ["node0", "node1", "node2", "node3"]);
        let others = [(
            "openssl".to_owned(),
            vec!["node4".to_owned(), "node5".to_owned()],
        )];
        assert_eq!(winners.others, others);
        assert_eq!(features(&winners.turns), "vaes");
    }

    #[test]
    fn one_machine_has_no_winners() {
        let mut fleet = fleet();
        fleet.readings.retain(|reading| reading.host == 0);
        assert!(winners(&fleet).is_empty());
    }
}
