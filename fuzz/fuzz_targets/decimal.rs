//! A decimal that parses prints as a text that parses to itself.
#![no_main]
use libfuzzer_sys::fuzz_target;
use scumble_table::Decimal;

fuzz_target!(|text: &str| {
    if let Some(number) = Decimal::parse(text) {
        assert_eq!(Decimal::parse(&number.to_string()), Some(number));
    }
});
