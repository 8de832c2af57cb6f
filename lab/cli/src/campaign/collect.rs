//! Brings the runs of all jobs into one store. A run that is there already is not added again, so
//! collecting can be repeated at any time, also while jobs run.

use std::collections::BTreeMap;
use std::path::PathBuf;

use anyhow::Context as _;

use super::folder::{Folder, get, put};
use super::hosts::places;
use super::job::{PART, WHOLE};
use super::plan::{Kind, Plan};
use super::state::Seen;
use super::status::{All, Status};
use crate::bundle::Bundle;
use crate::store::Store;

/// A run of a job in the store.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Collected {
    /// The number of the job.
    pub job: u32,
    /// The number of the run in the store.
    pub run: i64,
    /// Whether the run was not in the store before.
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
    let known = folder.path().join("collected.json");
    let mut collected: BTreeMap<PathBuf, i64> = get(&known)?.unwrap_or_default();
    for row in &all.rows {
        let job = &row.job;
        let kind = plan.machine(job)?.kind();
        let state = row.seen.state.as_ref();
        let Some(state) = state else { continue };
        for name in state.bundles.iter().filter(|name| *name != PART) {
            let path = folder.job(job.number).join(name);
            if !path.is_file() && kind == Kind::Ssh {
                // The host did not answer; the sentence about it is there already.
                continue;
            }
            let (run, new) = match collected.get(&path) {
                Some(run) => (*run, false),
                None => {
                    let from = format!("{}/{name}", plan.id);
                    let imported = Bundle::read(&path).and_then(|one| one.import(store, &from));
                    match imported.with_context(|| format!("job {}", job.number)) {
                        Ok(run) => {
                            collected.insert(path, run);
                            put(&known, &collected)?;
                            (run, true)
                        }
                        Err(error) => {
                            collection.troubles.push(format!("{error:#}"));
                            continue;
                        }
                    }
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
