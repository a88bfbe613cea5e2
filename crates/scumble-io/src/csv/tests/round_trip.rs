//! Whatever is written is read, for any block size and any number of threads.

use super::*;
use crate::write_delimited_field;
use proptest::prelude::*;

/// Writes a table, quoting fields that need it and, at random, some that do not.
fn written(rows: &[Vec<String>], quoted: &[bool], delimiter: u8, crlf: bool, last: bool) -> Vec<u8> {
    let mut out = Vec::new();
    let mut coins = quoted.iter().cycle();
    for (at, row) in rows.iter().enumerate() {
        for (column, text) in row.iter().enumerate() {
            if column > 0 {
                out.push(delimiter);
            }
            if *coins.next().unwrap_or(&true) {
                out.extend(format!("\"{}\"", text.replace('"', "\"\"")).bytes());
            } else {
                write_delimited_field(&mut out, text, delimiter);
            }
        }
        if last || at + 1 < rows.len() {
            out.extend(if crlf { &b"\r\n"[..] } else { b"\n" });
        }
    }
    out
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, ..ProptestConfig::default() })]

    #[test]
    fn what_is_written_is_read(
        rows in (2usize..5).prop_flat_map(|n| proptest::collection::vec(
            proptest::collection::vec("[ab,;\"\n\r \u{e9}\0]{0,4}|[0-9]{1,12}", n), 1..12)),
        quoted in proptest::collection::vec(any::<bool>(), 1..20),
        delimiter in proptest::sample::select(vec![b',', b';', b'\t']),
        crlf in any::<bool>(),
        last in any::<bool>(),
        block_bytes in 1usize..40,
    ) {
        let mut all = vec![(0..rows[0].len()).map(|i| format!("column {i}")).collect::<Vec<_>>()];
        all.extend(rows.iter().cloned());
        let data = written(&all, &quoted, delimiter, crlf, last);
        let options = ReadOptions::default().delimiter(Some(delimiter));
        let mut first: Option<RawTable> = None;
        for threads in [1, 2, 8] {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            let table = pool.install(|| read_with(&data, &options, tiny(block_bytes))).unwrap();
            prop_assert_eq!(&cells(&table), &rows);
            prop_assert!(first.is_none_or(|first| first == table));
            first = Some(table);
        }
    }

    #[test]
    fn any_bytes_give_the_same_for_any_block_size(
        data in proptest::collection::vec(proptest::sample::select(b"a,\"\n\r1\xff\0\xef\xbb\xbf".to_vec()), 0..60),
    ) {
        let whole = read_with(&data, &ReadOptions::default(), Tuning::default());
        for block_bytes in [1, 2, 3, 5, 8, 13] {
            prop_assert_eq!(&read_with(&data, &ReadOptions::default(), tiny(block_bytes)), &whole);
        }
    }
}

#[test]
fn many_distinct_texts_of_all_lengths() {
    let name = |row: usize| "x".repeat(row * 7 % 45) + &(row % 31 * 1000 + row % 7).to_string();
    let rows: Vec<Vec<String>> = (0..70_000)
        .map(|row| {
            vec![row.to_string(), name(row), format!("person number {:08}", row * 17 % 60_000), (row / 900).to_string()]
        })
        .collect();
    let mut data = b"id,name,person,kind\n".to_vec();
    rows.iter().for_each(|row| data.extend((row.join(",") + "\n").bytes()));
    let whole = read_with(&data, &ReadOptions::default(), Tuning::default()).unwrap();
    assert!(cells(&whole) == rows);
    assert_eq!([0, 1, 2, 3].map(|at| dictionary(&whole, at).len()), [70_000, 9765, 60_000, 78]);
    assert_eq!(dictionary(&whole, 2).line(60_000), Some(60_001));
    for block_bytes in [1000, 100_000] {
        let tuning = Tuning { block_bytes, ..Tuning::default() };
        assert!(read_with(&data, &ReadOptions::default(), tuning).unwrap() == whole);
    }
}
