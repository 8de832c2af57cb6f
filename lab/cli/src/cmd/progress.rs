//! The progress bar of commands that take a long time.

use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use super::Global;

/// Returns a progress bar with the remaining time on standard error; nothing if standard error
/// is not a terminal.
pub(super) fn bar(global: &Global, what: &str, length: u64) -> ProgressBar {
    let target = if global.quiet {
        ProgressDrawTarget::hidden()
    } else {
        ProgressDrawTarget::stderr()
    };
    let bar = ProgressBar::with_draw_target(Some(length), target);
    if let Ok(style) =
        ProgressStyle::with_template("{prefix:8} {bar:24} {percent:>3}% ETA {eta:4} {wide_msg}")
    {
        bar.set_style(style.progress_chars("━╸─"));
    }
    bar.set_prefix(what.to_owned());
    bar.enable_steady_tick(Duration::from_millis(200));
    bar
}
