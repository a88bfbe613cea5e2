//! Any text as a job file: an error or a job, never a panic.
#![no_main]
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let _ = scumble_io::Job::parse("job.toml", text, std::path::Path::new("."));
});
