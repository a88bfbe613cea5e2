//! Any text as a sweep file: an error or points, never a panic.
#![no_main]
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let sweep = scumble_io::Sweep::parse("sweep.toml", text, std::path::Path::new("."));
    let _ = sweep.and_then(|sweep| sweep.points());
});
