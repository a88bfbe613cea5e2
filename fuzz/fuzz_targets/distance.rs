//! A distance that parses prints as a text that parses to itself.
#![no_main]
use libfuzzer_sys::fuzz_target;
use scumble_principle::Distance;

fuzz_target!(|text: &str| {
    if let Ok(distance) = text.parse::<Distance>() {
        assert_eq!(distance.to_string().parse::<Distance>().unwrap(), distance);
    }
});
