//! A ledger whose form is right is written again as the same bytes; any other is refused.
#![no_main]
use libfuzzer_sys::fuzz_target;
use scumble_ledger::Layout;
use std::io::Cursor;

fuzz_target!(|data: &[u8]| {
    let Ok(layout) = Layout::read(Cursor::new(data)) else { return };
    let people = |from: u64, n: u64| data[from as usize..(from + n) as usize].to_vec();
    assert_eq!(layout.bytes(people), data);
});
