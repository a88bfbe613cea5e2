//! Any bytes as a table: an error or a table, never a panic; and what was read has as many codes as rows.
#![no_main]
use libfuzzer_sys::fuzz_target;
use scumble_io::{RawColumn, ReadOptions, read_stream};
use scumble_table::Monitor;
use std::io::Cursor;

fuzz_target!(|data: &[u8]| {
    if let Ok(table) = read_stream(Cursor::new(data.to_vec()), "fuzz", &ReadOptions::default(), Monitor::silent()) {
        for column in &table.columns {
            if let RawColumn::Text { codes, .. } = column {
                assert_eq!(codes.len(), table.n_rows);
            }
        }
    }
});
