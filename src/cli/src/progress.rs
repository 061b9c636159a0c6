//! A progress bar on a terminal, shown when the work takes longer than a second.

use std::cell::Cell;
use std::io::IsTerminal as _;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

const DELAY: Duration = Duration::from_secs(1);

pub(crate) struct Progress {
    bar: ProgressBar,
    started: Instant,
    shown: Cell<bool>,
    on_terminal: bool,
}

impl Progress {
    pub(crate) fn new(files: usize) -> Self {
        Self {
            bar: ProgressBar::with_draw_target(Some(files as u64), ProgressDrawTarget::hidden()),
            started: Instant::now(),
            shown: Cell::new(false),
            on_terminal: std::io::stderr().is_terminal(),
        }
    }

    pub(crate) fn advance(&self) {
        if self.on_terminal && !self.shown.get() && self.started.elapsed() > DELAY {
            self.shown.set(true);
            if let Ok(style) =
                ProgressStyle::with_template("{bar:32} {pos}/{len} files, {eta} left")
            {
                self.bar.set_style(style);
            }
            self.bar.set_draw_target(ProgressDrawTarget::stderr());
        }
        self.bar.inc(1);
    }

    pub(crate) fn finish(&self) {
        self.bar.finish_and_clear();
    }
}
