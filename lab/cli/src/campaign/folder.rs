//! The folder of a campaign: plain files, each written to a new file that then takes the place
//! of the old one, so that a crash leaves the old or the new contents and nothing between.

use std::fs::{File, TryLockError};
use std::io::{ErrorKind, Write as _};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::{Context as _, bail};
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::plan::Plan;
use crate::output;

/// The folder of a campaign that was submitted.
#[derive(Debug, Clone)]
pub struct Folder {
    path: PathBuf,
}

/// A lock on a folder or a job. The system releases it when the process ends, however it ends.
#[derive(Debug)]
pub struct Lock(#[allow(dead_code)] File);

impl Folder {
    /// Names a folder, whether it exists or not. The path becomes absolute.
    ///
    /// # Errors
    ///
    /// If the present folder is unknown.
    pub fn new(path: &Path) -> anyhow::Result<Self> {
        Ok(Self {
            path: std::path::absolute(path)?,
        })
    }

    /// The folder's path.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Returns the plan; `None` if nothing was submitted from this folder.
    ///
    /// # Errors
    ///
    /// If the plan cannot be read.
    pub fn plan(&self) -> anyhow::Result<Option<Plan>> {
        let path = self.path.join("plan.json");
        let plan: Option<Plan> = get(&path)?;
        if let Some(plan) = &plan {
            plan.check().with_context(|| path.display().to_string())?;
        }
        Ok(plan)
    }

    /// Stores the plan, the campaign file and the profiles. The plan comes last: a folder with a
    /// plan has all of them.
    ///
    /// # Errors
    ///
    /// The system's error with the path.
    pub fn fill(&self, plan: &Plan, text: &str) -> anyhow::Result<()> {
        let profiles = self.path.join("profiles");
        std::fs::create_dir_all(&profiles)
            .with_context(|| format!("making {}", profiles.display()))?;
        for (name, text) in &plan.profiles {
            write(&self.profile(name), text.as_bytes())?;
        }
        write(&self.path.join("campaign.toml"), text.as_bytes())?;
        put(&self.path.join("plan.json"), plan)
    }

    /// Returns the path of a profile.
    pub fn profile(&self, name: &str) -> PathBuf {
        self.path.join("profiles").join(format!("{name}.toml"))
    }

    /// Returns the folder of a job.
    pub fn job(&self, number: u32) -> PathBuf {
        self.path.join("jobs").join(format!("{number:04}"))
    }

    /// Takes the lock for those who change the campaign: one at a time.
    ///
    /// # Errors
    ///
    /// If the folder cannot be written to, or another process still has the lock after `wait`.
    pub fn lock(&self, wait: Duration) -> anyhow::Result<Lock> {
        std::fs::create_dir_all(&self.path)
            .with_context(|| format!("making {}", self.path.display()))?;
        let path = self.path.join("lock");
        let begun = Instant::now();
        let mut told = false;
        loop {
            if let Some(lock) = try_lock(&path)? {
                return Ok(lock);
            }
            if begun.elapsed() >= wait {
                bail!(
                    "another touchstone is changing the campaign in {} (it has the file {})",
                    self.path.display(),
                    path.display()
                );
            }
            if !told {
                output::say("another touchstone is changing the campaign; waiting for its end");
                told = true;
            }
            std::thread::sleep(Duration::from_millis(100));
        }
    }
}

/// Takes a lock; `None` if another process has it.
///
/// # Errors
///
/// If the file cannot be opened, or its file system has no locks.
pub fn try_lock(path: &Path) -> anyhow::Result<Option<Lock>> {
    let file = File::options()
        .create(true)
        .truncate(false)
        .write(true)
        .open(path)
        .with_context(|| format!("opening {}", path.display()))?;
    match file.try_lock() {
        Ok(()) => Ok(Some(Lock(file))),
        Err(TryLockError::WouldBlock) => Ok(None),
        Err(TryLockError::Error(error)) => {
            Err(error).with_context(|| format!("locking {}", path.display()))
        }
    }
}

/// Returns whether a process has a lock. A look at the lock does not disturb other looks.
///
/// # Errors
///
/// As [`try_lock`].
pub fn is_locked(path: &Path) -> anyhow::Result<bool> {
    let file = match File::open(path) {
        Ok(file) => file,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(false),
        Err(error) => return Err(error).with_context(|| format!("opening {}", path.display())),
    };
    match file.try_lock_shared() {
        Ok(()) => Ok(false),
        Err(TryLockError::WouldBlock) => Ok(true),
        Err(TryLockError::Error(error)) => {
            Err(error).with_context(|| format!("locking {}", path.display()))
        }
    }
}

/// Writes a value as JSON in place of a file.
///
/// # Errors
///
/// The system's error with the path.
pub fn put(path: &Path, value: &impl Serialize) -> anyhow::Result<()> {
    let mut bytes = serde_json::to_vec_pretty(value)?;
    bytes.push(b'\n');
    write(path, &bytes)
}

/// Writes bytes in place of a file, which has either the old or the new contents at any time.
///
/// # Errors
///
/// The system's error with the path.
pub fn write(path: &Path, bytes: &[u8]) -> anyhow::Result<()> {
    let attempt = || {
        let beside = path.parent().unwrap_or(Path::new("."));
        let mut part = tempfile::Builder::new()
            .prefix(".part-")
            .permissions(std::os::unix::fs::PermissionsExt::from_mode(0o644))
            .tempfile_in(beside)?;
        part.write_all(bytes)?;
        // Without this, a crash of the machine could leave an empty file under the new name.
        part.as_file().sync_all()?;
        part.persist(path)?;
        anyhow::Ok(())
    };
    attempt().with_context(|| format!("writing {}", path.display()))
}

/// Reads a value from JSON; `None` if the file does not exist.
///
/// # Errors
///
/// If the file cannot be read or is not such a value.
pub fn get<T: DeserializeOwned>(path: &Path) -> anyhow::Result<Option<T>> {
    let bytes = match std::fs::read(path) {
        Ok(bytes) => bytes,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(error).with_context(|| format!("reading {}", path.display())),
    };
    let value =
        serde_json::from_slice(&bytes).with_context(|| format!("{} is damaged", path.display()))?;
    Ok(Some(value))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_replaced_whole_and_a_missing_one_is_none() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("state.json");
        assert_eq!(get::<u32>(&path).unwrap(), None);
        put(&path, &1).unwrap();
        put(&path, &22).unwrap();
        assert_eq!(get::<u32>(&path).unwrap(), Some(22));
        let names = std::fs::read_dir(folder.path()).unwrap().count();
        assert_eq!(names, 1, "no part is left");
        std::fs::write(&path, "2").unwrap();
        assert!(get::<String>(&path).is_err());
    }

    #[test]
    fn one_writer_at_a_time() {
        let place = tempfile::tempdir().unwrap();
        let folder = Folder::new(place.path()).unwrap();
        let first = folder.lock(Duration::ZERO).unwrap();
        let error = folder.lock(Duration::ZERO).unwrap_err().to_string();
        assert!(error.contains("another touchstone"), "{error}");
        assert!(is_locked(&place.path().join("lock")).unwrap());
        drop(first);
        assert!(!is_locked(&place.path().join("lock")).unwrap());
        assert!(!is_locked(&place.path().join("none")).unwrap());
        folder.lock(Duration::ZERO).unwrap();
    }
}
