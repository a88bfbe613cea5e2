//! Progress on standard error, only when it is a terminal and the work is long.

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use scumble::{Observer, Stage};
use std::io::IsTerminal;
use std::sync::Mutex;
use std::time::Duration;

/// Shows stages as bars with a rate, and warnings as lines.
pub(crate) struct Terminal {
    bar: Mutex<Option<ProgressBar>>,
    shown: bool,
    quiet: bool,
}

impl Terminal {
    pub(crate) fn new(quiet: bool) -> Self {
        Terminal { bar: Mutex::new(None), shown: !quiet && std::io::stderr().is_terminal(), quiet }
    }

    /// Takes the bar away before something is printed.
    pub(crate) fn finish(&self) {
        if let Ok(mut bar) = self.bar.lock()
            && let Some(bar) = bar.take()
        {
            bar.finish_and_clear();
        }
    }
}

impl Observer for Terminal {
    fn begin(&self, stage: Stage, total: Option<u64>) {
        self.finish();
        if !self.shown {
            return;
        }
        let bytes = stage == Stage::Read;
        let (amount, rate) = match stage {
            Stage::Read => ("{bytes}/{total_bytes}", "{bytes_per_sec}"),
            Stage::Study => ("{human_pos}/{human_len}", "{wide_msg}"),
            _ => ("{human_pos}/{human_len} rows", "{per_sec}"),
        };
        let template = match total {
            Some(_) => format!("{{prefix:>12}} [{{bar:30}}] {amount} {rate} {{eta}}"),
            None => format!("{{prefix:>12}} {{spinner}} {} {rate}", if bytes { "{bytes}" } else { "{human_pos} rows" }),
        };
        let bar = ProgressBar::with_draw_target(total, ProgressDrawTarget::stderr_with_hz(8)).with_prefix(stage.name());
        if let Ok(style) = ProgressStyle::with_template(&template) {
            bar.set_style(style.progress_chars("=> "));
        }
        bar.enable_steady_tick(Duration::from_millis(250));
        if let Ok(mut place) = self.bar.lock() {
            *place = Some(bar);
        }
    }

    fn advance(&self, amount: u64) {
        if self.shown
            && let Ok(bar) = self.bar.lock()
            && let Some(bar) = &*bar
        {
            bar.inc(amount);
        }
    }

    fn note(&self, text: &str) {
        if self.shown
            && let Ok(bar) = self.bar.lock()
            && let Some(bar) = &*bar
        {
            bar.set_message(text.to_string());
        }
    }

    #[allow(clippy::print_stderr, reason = "warnings go to standard error")]
    fn warn(&self, text: &str) {
        if self.quiet {
            return;
        }
        self.finish();
        eprintln!("warning: {text}");
    }
}
