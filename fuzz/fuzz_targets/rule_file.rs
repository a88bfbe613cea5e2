//! Any text as the file of a hierarchy by rule: an error, or a rule that reads back and makes a tree of what it suits.
#![no_main]
use libfuzzer_sys::fuzz_target;
use scumble_io::{parse_rule, write_rule};
use scumble_table::{Decimal, Domain};

fuzz_target!(|text: &str| {
    if let Ok(rule) = parse_rule("fuzz", text) {
        assert_eq!(parse_rule("again", &write_rule(&rule)).unwrap(), rule);
        let numbers = Domain::numbers(["-7.5", "0", "23"].into_iter().filter_map(Decimal::parse).collect()).unwrap();
        let codes = Domain::nominal(["J45", "J45.1", "J4"].map(Into::into).to_vec());
        for domain in [numbers, Domain::dates(vec![-719_162, 0, 19_782, 2_932_896]), codes] {
            if let Ok(bound) = rule.bind("fuzz", "c", domain) {
                assert!(bound.hierarchy().is_some());
            }
        }
    }
});
