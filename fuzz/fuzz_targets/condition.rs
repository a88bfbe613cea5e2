//! A condition of a rule that parses prints as a text that parses to itself.
#![no_main]
use libfuzzer_sys::fuzz_target;
use scumble::Condition;

fuzz_target!(|text: &str| {
    if let Ok(condition) = text.parse::<Condition>() {
        assert_eq!(condition.to_string().parse::<Condition>().unwrap(), condition);
    }
});
