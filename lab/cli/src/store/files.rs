//! Measurements of programs that encrypt whole files.

use crate::files::measured::Measured;

use super::Store;
use super::database::values;
use super::rows::{json, parsed};
use super::schema::FILES;

impl Store {
    /// Stores a measurement, unless it is there.
    pub fn save_files(&self, measured: &Measured) -> anyhow::Result<()> {
        self.write(|| self.put_files(measured).map(drop))
    }

    /// Stores a measurement in a transaction, and returns whether it is new.
    pub(super) fn put_files(&self, measured: &Measured) -> anyhow::Result<bool> {
        let added = self.database.execute(
            "INSERT INTO files (uid, started, machine, facts) VALUES ($1, $2, $3, $4)
             ON CONFLICT (uid) DO NOTHING",
            &values![
                measured.uid.as_str(),
                measured.started.as_str(),
                measured.machine.as_str(),
                json(measured),
            ],
        )?;
        Ok(added > 0)
    }

    /// Returns the newest measurement on the machine with this name, or on any machine.
    pub fn newest_files(&self, machine: Option<&str>) -> anyhow::Result<Option<Measured>> {
        let newest = "ORDER BY started DESC, id DESC LIMIT 1";
        let found = match machine {
            Some(name) => {
                let sql = format!("{FILES} WHERE machine = $1 {newest}");
                self.all(&sql, &values![name], |row| parsed(row, 0))?
            }
            None => self.all(&format!("{FILES} {newest}"), &[], |row| parsed(row, 0))?,
        };
        Ok(found.into_iter().next())
    }
}
