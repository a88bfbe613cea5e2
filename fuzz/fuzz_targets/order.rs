//! Any bytes as an order file: an error, or distinct labels that read back.
#![no_main]
use libfuzzer_sys::fuzz_target;
use scumble_io::{parse_order, write_csv_field};

fuzz_target!(|data: &[u8]| {
    if let Ok(order) = parse_order("fuzz", data) {
        let mut text = Vec::new();
        for label in &order.labels {
            write_csv_field(&mut text, label);
            text.push(b'\n');
        }
        assert_eq!(parse_order("again", &text).unwrap().labels, order.labels);
    }
});
