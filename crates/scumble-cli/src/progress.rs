//! Progress on standard error, only when it is a terminal and the work is long.

use crate::flag_names::flag_of;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle};
use scumble::{Progress, Stage, replace_field_names};
use std::fmt::Write;
use std::io::IsTerminal;
use std::sync::Mutex;
use std::time::Duration;

/// Shows stages as bars with a rate, and warnings as lines.
pub(crate) struct Terminal {
    bar: Mutex<Option<ProgressBar>>,
    shown: bool,
    quiet: bool,
    /// All that was warned of so far, also where it was not shown.
    warnings: Mutex<Vec<String>>,
}

impl Terminal {
    pub(crate) fn new(quiet: bool) -> Self {
        let shown = !quiet && std::io::stderr().is_terminal();
        Terminal { bar: Mutex::new(None), shown, quiet, warnings: Mutex::default() }
    }

    /// What was warned of so far, in the words of the command line.
    pub(crate) fn warnings(&self) -> Vec<String> {
        self.warnings.lock().map_or_else(|_| Vec::new(), |warnings| warnings.clone())
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

/// Counts things that are done one after the other or side by side, and says what is being done.
pub(crate) struct Counter {
    bar: Option<ProgressBar>,
}

impl Terminal {
    /// A counter of things, shown on a terminal only.
    pub(crate) fn counter(&self, doing: &'static str, things: &str) -> Counter {
        let bar = self.shown.then(|| {
            let bar = ProgressBar::with_draw_target(Some(0), ProgressDrawTarget::hidden()).with_prefix(doing);
            let template =
                format!("{{prefix:>12}} [{{bar:30}}] {{human_pos}}/{{human_len}} {things}, {{elapsed}} {{wide_msg}}");
            match ProgressStyle::with_template(&template) {
                Ok(style) => bar.with_style(style.progress_chars("=> ")),
                Err(_) => bar,
            }
        });
        Counter { bar }
    }
}

impl Counter {
    /// Sets the number of things.
    pub(crate) fn start(&self, total: u64) {
        if let Some(bar) = &self.bar {
            bar.set_length(total);
            bar.set_draw_target(ProgressDrawTarget::stderr_with_hz(8));
            bar.enable_steady_tick(Duration::from_millis(250));
        }
    }

    /// More of them are done.
    pub(crate) fn advance(&self, things: u64) {
        if let Some(bar) = &self.bar {
            bar.inc(things);
        }
    }

    /// What is being done.
    pub(crate) fn say(&self, words: &str) {
        if let Some(bar) = &self.bar {
            bar.set_message(words.to_string());
        }
    }

    /// Takes the bar away.
    pub(crate) fn finish(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}

impl Progress for Terminal {
    fn begin(&self, stage: Stage, total: Option<u64>) {
        self.finish();
        if !self.shown {
            return;
        }
        let bytes = stage == Stage::Read;
        let (amount, rate) = match stage {
            Stage::Read => ("{bytes}/{total_bytes}", "{bytes_per_sec}"),
            Stage::Study => ("{human_pos}/{human_len}", "{wide_msg}"),
            Stage::Inspect => ("{done}/{all} cells", "{rate}"),
            Stage::Compare => ("{done}/{all} comparisons", "{rate}"),
            _ => ("{human_pos}/{human_len} rows", "{rate}"),
        };
        let template = match total {
            Some(_) => format!("{{prefix:>12}} [{{bar:30}}] {amount} {rate} {{eta}}"),
            None => format!("{{prefix:>12}} {{spinner}} {} {rate}", if bytes { "{bytes}" } else { "{human_pos} rows" }),
        };
        let bar = ProgressBar::with_draw_target(total, ProgressDrawTarget::stderr_with_hz(8)).with_prefix(stage.name());
        if let Ok(style) = ProgressStyle::with_template(&template) {
            let style = style
                .with_key("done", |state: &ProgressState, out: &mut dyn Write| {
                    write_rounded(state.pos() as f64, "", out)
                })
                .with_key("all", |state: &ProgressState, out: &mut dyn Write| {
                    write_rounded(state.len().unwrap_or(0) as f64, "", out);
                })
                .with_key("rate", |state: &ProgressState, out: &mut dyn Write| {
                    write_rounded(state.per_sec(), "/s", out)
                });
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

    fn warn(&self, text: &str) {
        self.tell(text, !self.quiet);
    }

    fn insist(&self, text: &str) {
        self.tell(text, true);
    }
}

impl Terminal {
    #[allow(clippy::print_stderr, reason = "warnings go to standard error")]
    fn tell(&self, text: &str, is_shown: bool) {
        let text = replace_field_names(text, flag_of);
        if is_shown {
            self.finish();
            eprintln!("warning: {text}");
        }
        if let Ok(mut warnings) = self.warnings.lock() {
            warnings.push(text);
        }
    }
}

/// Writes a figure for the eye. A bar that cannot be drawn is no reason to stop.
fn write_rounded(number: f64, unit: &str, out: &mut dyn Write) {
    let _ = write!(out, "{}{unit}", rounded(number));
}

/// A figure in whole thousands, or in millions with one digit after the point.
fn rounded(number: f64) -> String {
    match number {
        n if n >= 999_950.0 => format!("{:.1} million", n / 1e6),
        n if n >= 9_999.5 => format!("{:.0} thousand", n / 1e3),
        n => format!("{n:.0}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rates_were_shown_with_eleven_digits() {
        for (number, wanted) in [
            (0.0, "0"),
            (9_999.4, "9999"),
            (62_884.0, "63 thousand"),
            (999_960.0, "1.0 million"),
            (242_057_890.679_8, "242.1 million"),
        ] {
            assert_eq!(rounded(number), wanted);
        }
    }
}
