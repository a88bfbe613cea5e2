//! Interrupts from the terminal, and requests to end.

use std::sync::atomic::{AtomicBool, Ordering};

/// Calls `ask` at the first interrupt, so that the work can stop and leave nothing behind; the second ends the process with
/// `exit_code`. A program calls this once.
///
/// Where the system takes no handler, an interrupt ends the process at once, and the next run clears up after it.
pub fn on_interrupt(exit_code: u8, ask: impl Fn() + Send + 'static) {
    let asked = AtomicBool::new(false);
    let _ = ctrlc::set_handler(move || {
        if asked.swap(true, Ordering::Relaxed) {
            std::process::exit(i32::from(exit_code));
        }
        ask();
    });
}
