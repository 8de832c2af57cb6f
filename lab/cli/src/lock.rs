//! Makes sure that only one measurement of a user runs at a time, because two measurements on the
//! same CPU would disturb each other. The lock file is in a folder that no other user can write to.
//! So no other user can take the lock, or replace the file by a link.

use std::fs::{DirBuilder, File, TryLockError};
use std::io::{Read, Write};
use std::os::unix::fs::{DirBuilderExt, MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::bail;

use crate::{machine, output};

/// Time between two attempts to take a lock that another process holds.
const AGAIN: Duration = Duration::from_millis(200);
/// Most bytes of the text in which the lock's holder describes itself.
const LONGEST: u64 = 300;

/// The lock, which is released when the value is dropped. `None` if there is no folder
/// for it.
#[derive(Debug)]
pub struct Lock(#[allow(dead_code)] Option<File>);

/// Takes the lock. While another measurement holds the lock, prints which one and waits,
/// but not longer than `wait`.
///
/// # Errors
///
/// If the lock is still held after `wait`.
pub fn take(what: &str, wait: Option<Duration>) -> anyhow::Result<Lock> {
    match folder() {
        Some(folder) => take_in(&folder, what, wait),
        None => {
            output::say(
                "no folder of this user's own to keep a lock in: other runs are not kept off",
            );
            Ok(Lock(None))
        }
    }
}

fn take_in(folder: &Path, what: &str, wait: Option<Duration>) -> anyhow::Result<Lock> {
    let path = folder.join("touchstone-measuring.lock");
    let flags = rustix::fs::OFlags::NOFOLLOW | rustix::fs::OFlags::NONBLOCK;
    let opened = File::options()
        .create(true)
        .truncate(false)
        .read(true)
        .write(true)
        .mode(0o600)
        .custom_flags(flags.bits() as i32)
        .open(&path);
    let mut file = match opened {
        Ok(file) if file.metadata().is_ok_and(|there| there.is_file()) => file,
        _ => {
            output::say(&format!(
                "no lock at {}: other runs are not kept off",
                path.display()
            ));
            return Ok(Lock(None));
        }
    };
    let begun = Instant::now();
    let mut told = false;
    while let Err(TryLockError::WouldBlock) = file.try_lock() {
        let waited = begun.elapsed();
        if wait.is_some_and(|wait| waited >= wait) {
            bail!(
                "another run is still measuring on this machine after {} s: {}",
                waited.as_secs(),
                holder(&path)
            );
        }
        if !told {
            let limit = match wait {
                Some(wait) => format!("for at most {} s", wait.as_secs()),
                None => "for its end, however long (--wait SECONDS limits that)".to_owned(),
            };
            output::say(&format!(
                "another run is measuring on this machine: {}; waiting {limit}",
                holder(&path)
            ));
            told = true;
        }
        std::thread::sleep(AGAIN);
    }
    if told {
        output::say(&format!("waited {} s", begun.elapsed().as_secs()));
    }
    let text = format!(
        "process {}, {what}, since {}\n",
        std::process::id(),
        machine::now()
    );
    // A waiting process reads this text; an error here does no harm.
    let _ = file
        .set_len(0)
        .and_then(|()| file.write_all(text.as_bytes()));
    Ok(Lock(Some(file)))
}

/// Returns the text in which the lock's holder describes itself.
fn holder(path: &Path) -> String {
    let mut text = Vec::new();
    let read = File::open(path).and_then(|file| file.take(LONGEST).read_to_end(&mut text));
    let text: String = String::from_utf8_lossy(&text)
        .trim()
        .chars()
        .map(|c| if c.is_control() { '?' } else { c })
        .collect();
    if read.is_err() || text.is_empty() {
        "it does not say which".to_owned()
    } else {
        text
    }
}

/// Returns a folder that only this user can write to: the run-time folder, or a folder of our
/// own in the temporary folder.
fn folder() -> Option<PathBuf> {
    let given = std::env::var_os("XDG_RUNTIME_DIR").map(PathBuf::from);
    if let Some(folder) = given.filter(|folder| folder.is_absolute() && private(folder)) {
        return Some(folder);
    }
    own(&std::env::temp_dir())
}

/// This user's folder in a folder that all users share.
fn own(shared: &Path) -> Option<PathBuf> {
    let user = rustix::process::getuid().as_raw();
    let folder = shared.join(format!("touchstone-{user}"));
    // The path may exist already. `private` checks that it is a folder of this user.
    let _ = DirBuilder::new().mode(0o700).create(&folder);
    private(&folder).then_some(folder)
}

/// Returns whether a path is a folder (and not a link to a folder) to which no other user can
/// write.
fn private(folder: &Path) -> bool {
    let user = rustix::process::getuid().as_raw();
    std::fs::symlink_metadata(folder)
        .is_ok_and(|there| there.is_dir() && there.uid() == user && there.mode() & 0o022 == 0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::{PermissionsExt, symlink};

    #[test]
    fn a_held_lock_names_its_holder_and_the_wait_ends() {
        let folder = tempfile::tempdir().unwrap();
        let first = take_in(folder.path(), "run 7", None).unwrap();
        let zero = Some(Duration::ZERO);
        let error = take_in(folder.path(), "run 8", zero)
            .unwrap_err()
            .to_string();
        assert!(error.contains("run 7, since 20"), "{error}");
        assert!(error.contains(&std::process::id().to_string()), "{error}");
        drop(first);
        assert!(take_in(folder.path(), "run 8", zero).unwrap().0.is_some());
    }

    #[test]
    fn no_link_is_followed_and_no_other_kind_of_file_opened() {
        let folder = tempfile::tempdir().unwrap();
        let (path, target) = (
            folder.path().join("touchstone-measuring.lock"),
            folder.path().join("target"),
        );
        symlink(&target, &path).unwrap();
        assert!(take_in(folder.path(), "", None).unwrap().0.is_none());
        assert!(!target.exists(), "the link's target was made");
        std::fs::remove_file(&path).unwrap();
        std::fs::create_dir(&path).unwrap();
        assert!(take_in(folder.path(), "", None).unwrap().0.is_none());
    }

    #[test]
    fn a_folder_that_others_can_write_to_keeps_no_lock() {
        let shared = tempfile::tempdir().unwrap();
        let folder = own(shared.path()).unwrap();
        assert_eq!(std::fs::metadata(&folder).unwrap().mode() & 0o777, 0o700);
        assert_eq!(
            own(shared.path()),
            Some(folder.clone()),
            "it is there already"
        );
        std::fs::set_permissions(&folder, PermissionsExt::from_mode(0o777)).unwrap();
        assert_eq!(own(shared.path()), None);
        std::fs::remove_dir(&folder).unwrap();
        let elsewhere = shared.path().join("elsewhere");
        std::fs::create_dir(&elsewhere).unwrap();
        symlink(&elsewhere, &folder).unwrap();
        assert_eq!(own(shared.path()), None, "a link");
    }
}
