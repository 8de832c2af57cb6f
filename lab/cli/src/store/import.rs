//! Storing a whole run of another store.

use std::collections::HashSet;

use anyhow::Context;

use crate::profile::Task;
use crate::stored::{Imported, RawCell, Whole};

use super::Store;
use super::database::values;

impl Store {
    /// Adds a run of another store in one step; on an error nothing of it is stored. If the run is
    /// here already, adds the tasks that are not. Returns the run's number here.
    pub fn import(&self, whole: &Whole) -> anyhow::Result<(i64, Imported)> {
        self.write(|| {
            let row = &whole.row;
            let (run, new) = match self.add(row, &row.uid)? {
                Some(run) => (run, true),
                None => (self.locked(&row.uid)?, false),
            };
            let done = match new {
                true => HashSet::new(),
                false => self.done(run)?,
            };
            let is_missing = |(task, _): &&(Task, Vec<RawCell>)| !done.contains(task);
            let missing: Vec<_> = whole.tasks.iter().filter(is_missing).collect();
            let here = match new {
                true => None,
                false => Some(self.run(Some(run), false)?),
            };
            let files = match &whole.files {
                Some(measured) => self.put_files(measured)?,
                None => false,
            };
            let finished = here
                .as_ref()
                .is_none_or(|run| row.complete && !run.complete);
            if !new && missing.is_empty() && !finished {
                let imported = match files {
                    true => Imported::More(0),
                    false => Imported::Nothing,
                };
                return Ok((run, imported));
            }
            for library in &whole.libraries {
                self.put_library(run, library)?;
            }
            self.put_verification(run, &whole.verifications)?;
            if new {
                self.put_failures(run, &whole.failures)?;
            } else {
                // The later copy of a run has all failures of the earlier copy, and more.
                self.database
                    .execute("DELETE FROM failures WHERE run = $1", &values![run])?;
                self.put_failures(run, &whole.failures)?;
            }
            for (task, cells) in &missing {
                self.put_task(run, task, cells)?;
            }
            self.database.execute(
                "UPDATE runs SET seconds = $2, complete = $3, summarised = 0 WHERE id = $1",
                &values![run, row.seconds, row.complete],
            )?;
            let imported = match new {
                true => Imported::New,
                false => Imported::More(missing.len()),
            };
            Ok((run, imported))
        })
    }

    /// Returns the number of the run with this id, which no other process changes until the
    /// transaction ends.
    fn locked(&self, uid: &str) -> anyhow::Result<i64> {
        self.database
            .execute("UPDATE runs SET uid = uid WHERE uid = $1", &values![uid])?;
        self.numbered(uid)?
            .with_context(|| format!("{}: the run {uid} was removed meanwhile", self.name()))
    }

    /// Returns the number of the run with this id, if it is here.
    pub fn numbered(&self, uid: &str) -> anyhow::Result<Option<i64>> {
        let sql = "SELECT id FROM runs WHERE uid = $1";
        Ok(self.all(sql, &values![uid], |row| row.int(0))?.pop())
    }
}
