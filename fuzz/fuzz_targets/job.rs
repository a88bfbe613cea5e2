//! A job file that parses is written as a text that parses to the same job.
#![no_main]
use libfuzzer_sys::fuzz_target;
use scumble::Job;

fuzz_target!(|text: &str| {
    if let Ok(job) = Job::from_toml(text) {
        assert_eq!(Job::from_toml(&job.to_toml()).unwrap(), job);
    }
});
