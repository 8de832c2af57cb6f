//! How far a run is, in a file that other processes read while the run measures.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};

use super::folder::put;

/// Least time between two versions of the file.
const EVERY: Duration = Duration::from_secs(1);

/// How far a run is.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Progress {
    /// The run's number in its store.
    pub run: i64,
    /// Cells that are stored.
    pub cells: u64,
    /// Cells of the whole run. There are fewer if a library fails its known answers or does not
    /// take a parameter.
    pub planned: u64,
    /// The share of the rounds that are done, from 0 to 1.
    pub share: f64,
}

/// Writes the progress of a run to a file.
#[derive(Debug)]
pub struct ProgressFile {
    path: PathBuf,
    progress: Progress,
    steps: u64,
    of: u64,
    written: Option<Instant>,
}

impl ProgressFile {
    /// Names the file. `steps` of all `of` steps were done before.
    pub fn new(path: &Path, progress: Progress, steps: u64, of: u64) -> Self {
        Self {
            path: path.to_owned(),
            progress,
            steps,
            of,
            written: None,
        }
    }

    /// Counts steps that are done.
    pub fn steps(&mut self, steps: u64) {
        self.steps = (self.steps + steps).min(self.of);
    }

    /// Counts cells that are stored.
    pub fn cells(&mut self, cells: u64) {
        self.progress.cells += cells;
    }

    /// Writes the file, if the last version is old enough or `at_once` is true.
    ///
    /// # Errors
    ///
    /// The system's error with the path.
    pub fn write(&mut self, at_once: bool) -> anyhow::Result<()> {
        if !at_once
            && self
                .written
                .is_some_and(|written| written.elapsed() < EVERY)
        {
            return Ok(());
        }
        self.written = Some(Instant::now());
        self.progress.share = self.steps as f64 / self.of.max(1) as f64;
        put(&self.path, &self.progress)
    }
}

#[cfg(test)]
mod tests {
    use super::super::folder::get;
    use super::*;

    #[test]
    fn the_file_shows_how_far_the_run_is() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("progress.json");
        let progress = Progress {
            planned: 8,
            ..Progress::default()
        };
        let mut file = ProgressFile::new(&path, progress, 1, 4);
        file.steps(1);
        file.cells(3);
        file.write(false).unwrap();
        file.steps(9);
        // Too soon after the last version.
        file.write(false).unwrap();
        let read: Progress = get(&path).unwrap().unwrap();
        assert_eq!((read.cells, read.planned, read.share), (3, 8, 0.5));
        file.write(true).unwrap();
        let read: Progress = get(&path).unwrap().unwrap();
        assert_eq!(read.share, 1.0);
    }
}
