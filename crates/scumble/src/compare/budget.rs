//! The memory that a comparison may take.

use crate::context::Context;
use scumble_platform::peak_memory;
use scumble_table::{Cancellation, Error, Result};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

/// A process that has read nothing yet needs most of this.
const LEAST: u64 = 16 << 20;

/// How often a run is looked at: well within the time in which a run could take another gigabyte.
const BETWEEN_LOOKS: Duration = Duration::from_millis(5);

/// Bytes from a text such as `4G`, `512M` or `800000000`.
///
/// # Errors
/// If it is no such text, or less than any run needs.
pub fn parse_bytes(field: &str, text: &str) -> Result<u64> {
    let wrong = |reason: &str| Error::request(field, text, reason).hint("such as 4G or 512M");
    let trimmed = text.trim().trim_end_matches(['b', 'B']).trim_end_matches('i');
    let unit = match trimmed.chars().last().map(|unit| unit.to_ascii_uppercase()) {
        Some('K') => 1 << 10,
        Some('M') => 1 << 20,
        Some('G') => 1 << 30,
        Some('T') => 1 << 40,
        _ => 1_u64,
    };
    let digits = if unit == 1 { trimmed } else { &trimmed[..trimmed.len() - 1] };
    let number: f64 = digits.trim().parse().map_err(|_| wrong("a number of bytes is wanted"))?;
    let bytes = number * unit as f64;
    match bytes.is_finite() && bytes >= LEAST as f64 {
        true => Ok(bytes as u64),
        false => Err(wrong("no run needs less than 16M")),
    }
}

/// Does some work that is broken off where this process comes to hold more memory than the budget. Where the system does
/// not tell how much that is, the work goes on.
///
/// # Errors
/// Those of the work; [`Error::Io`] where it needs more than the budget.
pub(super) fn within<T>(budget: Option<u64>, context: &Context, work: impl FnOnce(&Context) -> Result<T>) -> Result<T> {
    let Some(budget) = budget else { return work(context) };
    let (cancellation, done) = (Cancellation::default(), AtomicBool::new(false));
    let watched = context.clone().with_cancellation(cancellation.clone());
    let is_over = || peak_memory().is_some_and(|bytes| bytes > budget);
    thread::scope(|scope| {
        scope.spawn(|| {
            while !done.load(Ordering::Relaxed) && !cancellation.is_cancelled() {
                if context.cancellation().is_cancelled() || is_over() {
                    cancellation.cancel();
                }
                thread::sleep(BETWEEN_LOOKS);
            }
        });
        let outcome = work(&watched);
        done.store(true, Ordering::Relaxed);
        match outcome {
            Err(Error::Cancelled) if !context.cancellation().is_cancelled() => Err(Error::Io {
                doing: "finish".into(),
                path: "the run".into(),
                reason: format!("it needs more than {budget} bytes of memory, which is all that was allowed"),
            }),
            outcome => outcome,
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_are_read_with_their_units() {
        let read = |text: &str| parse_bytes("memory", text).ok();
        assert_eq!(read("512M"), Some(512 << 20));
        assert_eq!(read("1.5 GiB"), Some(3 << 29));
        assert_eq!(read("17000000"), Some(17_000_000));
        for text in ["", "G", "-1G", "nan", "inf", "1k", "4 apples", "é"] {
            assert_eq!(read(text), None, "{text}");
        }
    }

    #[test]
    fn work_ends_at_its_budget_and_when_it_is_cancelled() {
        let until_cancelled = |context: &Context| loop {
            context.monitor().check()?;
            thread::sleep(BETWEEN_LOOKS);
        };
        let context = Context::new();
        if peak_memory().is_some() {
            let over: Result<()> = within(Some(1), &context, until_cancelled);
            assert!(matches!(&over, Err(Error::Io { reason, .. }) if reason.contains("of memory")), "{over:?}");
        }
        assert_eq!(within(Some(u64::MAX), &context, |_| Ok(7)), Ok(7));
        context.cancellation().cancel();
        assert_eq!(within::<()>(Some(u64::MAX), &context, until_cancelled), Err(Error::Cancelled));
    }
}
