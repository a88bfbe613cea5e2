//! A table of a release in which `csv_extra` finds nothing but cells: written again from its cells, it has the same bytes.
#![no_main]
use libfuzzer_sys::fuzz_target;
use scumble_io::{Format, RawColumn, ReadOptions, csv_extra, read_stream, write_csv_field};
use scumble_table::Monitor;
use std::io::{Cursor, Seek, SeekFrom, Write};
use std::sync::{Mutex, OnceLock};
use tempfile::NamedTempFile;

static FILE: OnceLock<Mutex<NamedTempFile>> = OnceLock::new();

fuzz_target!(|data: &[u8]| {
    let file = FILE.get_or_init(|| Mutex::new(NamedTempFile::new().expect("a file")));
    let mut file = file.lock().unwrap();
    file.as_file().set_len(0).unwrap();
    file.seek(SeekFrom::Start(0)).unwrap();
    file.write_all(data).unwrap();
    let extra = csv_extra(file.path()).unwrap();
    let options = ReadOptions::default().format(Format::Csv).delimiter(Some(b','));
    let Ok(table) = read_stream(Cursor::new(data.to_vec()), "fuzz", &options, Monitor::silent()) else { return };
    if extra.is_some() {
        return;
    }
    let mut again = Vec::new();
    let mut record = |fields: &mut dyn Iterator<Item = &str>| {
        for (at, field) in fields.enumerate() {
            if at > 0 {
                again.push(b',');
            }
            write_csv_field(&mut again, field);
        }
        again.push(b'\n');
    };
    record(&mut table.names.iter().map(String::as_str));
    for row in 0..table.n_rows {
        record(&mut table.columns.iter().map(|column| match column {
            RawColumn::Text { dictionary, codes } => dictionary.text(codes.get(row)),
            RawColumn::Integer(_) | RawColumn::Skipped => unreachable!("all columns are read as texts"),
        }));
    }
    assert_eq!(again, data);
});
