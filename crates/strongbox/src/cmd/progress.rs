//! Progress on standard error.

use std::io::{self, IsTerminal, Read, Seek, SeekFrom};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use strongbox::Result;

use super::{Common, signals};

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
        signals::check()
    }
}

/// A file or stream whose bytes are counted when they are read. Formats that are read several times
/// begin the bar anew each time.
pub(super) struct Counted<'a, R> {
    pub(super) inner: R,
    pub(super) progress: &'a Progress,
}

impl<R: Read> Read for Counted<'_, R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let length = self.inner.read(buffer)?;
        let added = self.progress.add(length as u64);
        added.map_err(io::Error::other)?;
        Ok(length)
    }
}

impl<R: Seek> Seek for Counted<'_, R> {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        let place = self.inner.seek(to)?;
        if let Some(bar) = &self.progress.0 {
            bar.set_position(place);
        }
        Ok(place)
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if let Some(bar) = &self.0 {
            bar.finish_and_clear();
        }
    }
}
