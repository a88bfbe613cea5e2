//! Any text as a matrix file: an error, or distances that read back.
#![no_main]
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    if let Ok(matrix) = scumble_io::parse_matrix("fuzz", data) {
        let labels: Vec<&str> = matrix.labels().collect();
        if let Ok(pairs) = matrix.pairs("fuzz", &labels) {
            let mut text = Vec::new();
            scumble_io::write_matrix(&mut text, &pairs);
            assert_eq!(scumble_io::parse_matrix("again", &text).unwrap().pairs("again", &labels).unwrap(), pairs);
        }
    }
});
