//! Progress on standard error, and signals.

use std::io::IsTerminal;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use strongbox::{Error, Result};

use super::Common;

static STOP: OnceLock<Arc<AtomicBool>> = OnceLock::new();

/// Makes signals end the work at the next batch, so that no half file is left. A second signal
/// ends the process at once.
pub(super) fn catch_signals() {
    let stop = STOP.get_or_init(Arc::default);
    for signal in [
        signal_hook::consts::SIGINT,
        signal_hook::consts::SIGTERM,
        signal_hook::consts::SIGHUP,
    ] {
        // Without a handler, the signal ends the process, as it does by default.
        let _ = signal_hook::flag::register_conditional_default(signal, Arc::clone(stop));
        let _ = signal_hook::flag::register(signal, Arc::clone(stop));
    }
}

/// Says whether a signal came.
pub(super) fn check() -> Result<()> {
    match STOP.get() {
        Some(stop) if stop.load(Ordering::Relaxed) => Err(Error::Interrupted),
        _ => Ok(()),
    }
}

/// A bar with rate and remaining time, if standard error is a terminal.
pub(super) struct Progress(Option<ProgressBar>);

impl Progress {
    /// Begins a bar for so many bytes, or for an unknown number.
    pub(super) fn new(total: Option<u64>, common: &Common) -> Self {
        if common.quiet || !std::io::stderr().is_terminal() {
            return Self(None);
        }
        let form = if total.is_some() {
            "{bar:24} {percent:>3} % {binary_bytes} of {binary_total_bytes}, \
             {binary_bytes_per_sec}, {eta} left"
        } else {
            "{binary_bytes}, {binary_bytes_per_sec}, {elapsed}"
        };
        let target = ProgressDrawTarget::stderr_with_hz(8);
        let bar = ProgressBar::with_draw_target(total, target);
        bar.set_style(ProgressStyle::with_template(form).unwrap_or(ProgressStyle::default_bar()));
        Self(Some(bar))
    }

    /// Adds bytes, and stops the work after a signal.
    pub(super) fn add(&self, bytes: u64) -> Result<()> {
        if let Some(bar) = &self.0 {
            bar.inc(bytes);
        }
        check()
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if let Some(bar) = &self.0 {
            bar.finish_and_clear();
        }
    }
}
