//! Any text as a sweep file: an error or points, never a panic.
#![no_main]
use libfuzzer_sys::fuzz_target;
use scumble::Sweep;

fuzz_target!(|text: &str| {
    let _ = Sweep::parse("sweep.toml", text).and_then(|sweep| sweep.points());
});
