//! Signals end the work at the next batch, so that no half file is left. A process that waits for
//! its input comes to no next batch: then a thread removes temporary names, gives the terminal its
//! echo back, and ends the process.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use rustix::termios::{OptionalActions, Termios, tcgetattr, tcsetattr};
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use signal_hook::iterator::Signals;
use strongbox::{Error, Result};

/// How long the work may take to come to its next batch.
const GRACE: Duration = Duration::from_millis(500);

static STOP: AtomicBool = AtomicBool::new(false);
static TEMPORARY: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

/// Starts the thread that waits for signals.
pub(super) fn catch() {
    let terminal = File::options().read(true).write(true).open("/dev/tty").ok();
    let terminal: Option<(File, Termios)> =
        terminal.and_then(|tty| tcgetattr(&tty).ok().map(|modes| (tty, modes)));
    // Without the thread, a signal ends the process, as it does by default. So the thread itself asks
    // for the signals.
    let _ = std::thread::Builder::new().spawn(move || {
        let Ok(mut signals) = Signals::new([SIGINT, SIGTERM, SIGHUP]) else {
            return;
        };
        if signals.forever().next().is_none() {
            return;
        }
        STOP.store(true, Ordering::Relaxed);
        std::thread::sleep(GRACE);
        if let Some((tty, modes)) = terminal {
            let _ = tcsetattr(&tty, OptionalActions::Now, &modes);
        }
        let paths = TEMPORARY
            .lock()
            .unwrap_or_else(std::sync::PoisonError::into_inner);
        for path in paths.iter() {
            let _ = std::fs::remove_file(path);
            let _ = std::fs::remove_dir_all(path);
        }
        std::process::exit(130);
    });
}

/// Says whether a signal came.
pub(super) fn check() -> Result<()> {
    if STOP.load(Ordering::Relaxed) {
        return Err(Error::Interrupted);
    }
    Ok(())
}

/// Names a file or folder that is removed when a signal ends the process.
pub(super) fn temporary(path: &Path) {
    change(|paths| paths.push(path.to_owned()));
}

/// The file or folder has its own name now.
pub(super) fn kept(path: &Path) {
    change(|paths| paths.retain(|other| other != path));
}

fn change(change: impl FnOnce(&mut Vec<PathBuf>)) {
    change(
        &mut TEMPORARY
            .lock()
            .unwrap_or_else(std::sync::PoisonError::into_inner),
    );
}
