//! Brings the runs of all jobs into one store. A run that is there already is not added again, so
//! collecting can be repeated at any time, also while jobs run.

use std::path::Path;

use anyhow::Context as _;

use super::folder::Folder;
use super::hosts::places;
use super::job::{WHOLE, salvage};
use super::plan::{Kind, Plan};
use super::state::Seen;
use super::status::{All, Status};
use crate::bundle::Bundle;
use crate::points;
use crate::store::{Imported, Store};
use crate::summarise::summarise;

/// A run of a job in the store.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Collected {
    /// The number of the job.
    pub job: u32,
    /// The number of the run in the store.
    pub run: i64,
    /// Whether the store did not have the run, or had fewer of its tasks.
    pub new: bool,
    /// Whether the run is the job's own and complete: not one that another node began.
    pub complete: bool,
}

/// What was collected, and what could not be.
#[derive(Debug, Default)]
pub struct Collection {
    /// The runs, in the order of jobs.
    pub runs: Vec<Collected>,
    /// Sentences about hosts that do not answer and runs that are damaged.
    pub troubles: Vec<String>,
}

/// Brings all exported runs into a store.
///
/// # Errors
///
/// If the store cannot be written. A host that does not answer and a damaged run are no errors.
pub fn collect(
    folder: &Folder,
    plan: &Plan,
    all: &All,
    store: &Store,
) -> anyhow::Result<Collection> {
    let mut collection = Collection::default();
    for place in places(folder, plan)? {
        let own = |seen: &&Seen| plan.job(seen.number).is_ok_and(|job| place.has(job));
        let seen: Vec<Seen> = all
            .rows
            .iter()
            .map(|row| &row.seen)
            .filter(own)
            .cloned()
            .collect();
        if let Err(error) = place.fetch(&seen) {
            collection.troubles.push(format!("{error:#}"));
        }
    }
    for row in &all.rows {
        let job = &row.job;
        let kind = plan.machine(job)?.kind();
        if kind == Kind::Slurm && row.status == Status::Lost {
            // Nobody else exports what the job had finished.
            if let Err(error) = salvage(folder, job.number) {
                let error = error.context(format!("job {}", job.number));
                collection.troubles.push(format!("{error:#}"));
            }
        }
        let state = match kind {
            Kind::Ssh => row.seen.state.clone(),
            Kind::Slurm | Kind::Local => Seen::look(folder, job.number)?.state,
        };
        let Some(state) = state else { continue };
        for name in &state.bundles {
            let path = folder.job(job.number).join(name);
            if !path.is_file() && kind == Kind::Ssh {
                // The host did not answer; the sentence about it is there already.
                continue;
            }
            let from = format!("{}/{name}", plan.id);
            let imported = import(&path, &from, store);
            let (run, new) = match imported.with_context(|| format!("job {}", job.number)) {
                Ok(imported) => imported,
                Err(error) => {
                    collection.troubles.push(format!("{error:#}"));
                    continue;
                }
            };
            collection.runs.push(Collected {
                job: job.number,
                run,
                new,
                complete: row.status == Status::Completed && name == WHOLE,
            });
        }
    }
    Ok(collection)
}

/// Brings an exported run into a store, with its medians and intervals. Returns the run's number
/// there, and whether anything of the run was new.
fn import(path: &Path, from: &str, store: &Store) -> anyhow::Result<(i64, bool)> {
    let (run, imported) = Bundle::read(path)?.import(store, from)?;
    // Not only if the run is new: an earlier import may have ended before this step.
    if !store.is_summarised(run)? {
        points::save(store, &summarise(store, run)?)?;
    }
    Ok((run, imported != Imported::Nothing))
}
