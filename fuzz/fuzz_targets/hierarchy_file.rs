//! Any text as a hierarchy file: an error or a tree whose rows read back.
#![no_main]
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    if let Ok(tree) = scumble_io::parse_hierarchy("fuzz", data) {
        let mut text = Vec::new();
        scumble_io::write_hierarchy(&mut text, &tree);
        assert_eq!(scumble_io::parse_hierarchy("again", &text).unwrap().rows(), tree.rows());
    }
});
