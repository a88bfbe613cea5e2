//! A requirement that parses prints as a text that parses to itself.
#![no_main]
use libfuzzer_sys::fuzz_target;
use scumble_principle::Requirement;

fuzz_target!(|text: &str| {
    if let Ok(requirement) = text.parse::<Requirement>() {
        assert_eq!(requirement.to_string().parse::<Requirement>().unwrap(), requirement);
    }
});
