//! Any bytes as an order file: an error, or distinct labels that read back.
#![no_main]
use libfuzzer_sys::fuzz_target;
use scumble_io::{parse_order, write_csv_field};

fuzz_target!(|data: &[u8]| {
    if let Ok(order) = parse_order("fuzz", data) {
        // A byte order mark is skipped at the start, so that the first label may begin with another one.
        let mut text = "\u{feff}".as_bytes().to_vec();
        for label in &order.labels {
            // A blank line is skipped, so that the empty label needs quotes.
            if label.is_empty() {
                text.extend_from_slice(b"\"\"");
            }
            write_csv_field(&mut text, label);
            text.push(b'\n');
        }
        assert_eq!(parse_order("again", &text).unwrap().labels, order.labels);
    }
});
