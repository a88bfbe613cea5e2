//! Any text as the file of a conditional hierarchy: an error, or intervals that read back.
#![no_main]
use libfuzzer_sys::fuzz_target;
use scumble_io::{parse_conditional, write_conditional};

fuzz_target!(|text: &str| {
    if let Ok(tree) = parse_conditional("fuzz", text) {
        assert_eq!(parse_conditional("again", &write_conditional(&tree)).unwrap(), tree);
    }
});
