//! `touchstone recommend --fleet`: one recommendation for all machines of a store.

use std::collections::BTreeMap;

use super::{End, Global};
use crate::machine;
use crate::recommend::fleet::{Answer, Choice, choose};
use crate::recommend::{self, Recommendation};
use crate::store::Store;
use crate::summarise::summarise_some;
use crate::summary::Summary;
use crate::table::{Entry, Table};
use crate::workload::Workload;

pub(super) fn run(
    global: &Global,
    store: &Store,
    workload: &Workload,
    recommend: &dyn Fn(&Summary) -> anyhow::Result<Recommendation>,
) -> anyhow::Result<End> {
    let wanted = workload.algorithms();
    let mut table = Table::new(
        "machines",
        "",
        &[
            "machine",
            "CPU",
            ">run",
            "use",
            "level with it",
            "next",
            ">times\nas slow",
        ],
    );
    let mut answers = Vec::new();
    let mut models = BTreeMap::new();
    for (host, runs) in store.machines()? {
        let mut newest = None;
        for run in runs {
            if recommend::has_data(&store.done(run)?, workload) {
                newest = Some(run);
                break;
            }
        }
        let Some(run) = newest else {
            global.say(&format!("{host}: no run has the data for this workload"));
            continue;
        };
        let summary = summarise_some(store, run, &|p, o| wanted.contains(&(p, o)))?;
        let found = recommend(&summary)?;
        let (best, rest): (Vec<_>, Vec<_>) = found
            .rows
            .iter()
            .enumerate()
            .partition(|(place, row)| *place == 0 || row.level);
        let name = |row: &recommend::Row| summary.name(&row.library);
        let best: Vec<String> = best.iter().map(|(_, row)| name(row)).collect();
        let model = machine::model(&summary.machine);
        let next = rest.first().map(|(_, row)| row);
        table.row([
            host.clone().into(),
            model.clone().into(),
            run.to_string().into(),
            best.first().cloned().unwrap_or_default().into(),
            best.get(1..).unwrap_or_default().join(", ").into(),
            next.map_or_else(String::new, |row| name(row)).into(),
            next.map_or_else(Entry::none, |row| {
                Entry::number(row.ratio.mid, format!("{:.2}", row.ratio.mid))
            }),
        ]);
        models.insert(host.clone(), model);
        answers.push(Answer {
            machine: host,
            run,
            best,
        });
    }
    let choice = choose(&answers);
    table.title = sentence(workload, choice.as_ref(), &models);
    global.print(&[table])?;
    Ok(match choice {
        Some(_) => End::Good,
        None => End::NothingToMeasure,
    })
}

/// The answer in a sentence: "use AWS-LC on all but these 2 of 40 machines: Nettle on node3, node7 (a
/// CPU, 2 CPUs)". `models` has the model of each machine.
fn sentence(
    workload: &Workload,
    choice: Option<&Choice>,
    models: &BTreeMap<String, String>,
) -> String {
    let machines = models.len();
    let subject = &workload.title;
    let Some(choice) = choice else {
        return format!("No library can be recommended for {subject} on any machine");
    };
    let others: Vec<String> = choice
        .others
        .iter()
        .map(|(library, names)| {
            let names = names
                .iter()
                .map(|name| (name.as_str(), models[name].as_str()));
            format!("{library} on {}", machine::titles(names))
        })
        .collect();
    let but: usize = choice
        .others
        .iter()
        .map(|(_, machines)| machines.len())
        .sum();
    let library = &choice.library;
    match but {
        0 => format!("For {subject}, use {library} on all {machines} machines"),
        1 => format!(
            "For {subject}, use {library} on all but one of {machines} machines: {}",
            others.join("; ")
        ),
        but => format!(
            "For {subject}, use {library} on all but these {but} of {machines} machines: {}",
            others.join("; ")
        ),
    }
}
