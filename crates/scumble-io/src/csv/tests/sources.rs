//! Files, pipes and compressed streams.

use super::*;
use crate::test_data::data_file;
use crate::{read, read_stream};
use flate2::write::GzEncoder;
use scumble_table::{Cancellation, Error, Monitor, Progress, Stage};
use std::io::Write;

fn zipped(data: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), flate2::Compression::fast());
    encoder.write_all(data).unwrap();
    encoder.finish().unwrap()
}

#[test]
fn gzip_is_undone() {
    let text = "a,b\n1,\"x\ny\"\n2,z\n";
    let plain = read_text(text).unwrap();
    assert_eq!(read_text(zipped(text.as_bytes())).unwrap(), plain);
    let members: Vec<u8> = text.as_bytes().chunks(5).flat_map(zipped).collect();
    assert_eq!(read_text(&members).unwrap(), plain);
    let error = message(&members[..members.len() - 9]);
    assert!(error.starts_with("f.csv: the gzip stream is damaged or cut short"), "{error}");
    let mut broken = zipped(&text.repeat(99).into_bytes());
    let middle = broken.len() / 2;
    broken[middle] ^= 0x55;
    assert!(read_with(&broken, &ReadOptions::default(), Tuning::default()).is_err());
}

#[test]
fn gzip_may_not_grow_without_end() {
    let mut encoder = GzEncoder::new(Vec::new(), flate2::Compression::best());
    encoder.write_all(b"a,b\n").unwrap();
    let block = "1,2\n".repeat(1 << 18);
    (0..90).for_each(|_| encoder.write_all(block.as_bytes()).unwrap());
    let bomb = encoder.finish().unwrap();
    assert!(bomb.len() < block.len());
    let error =
        read_stream(Cursor::new(bomb), "f.csv", &ReadOptions::default(), Monitor::silent()).unwrap_err().to_string();
    assert!(error.starts_with("f.csv: it unpacks to more than 300 times its size"), "{error}");
    assert!(error.contains("hint: unpack it yourself if you trust it"), "{error}");
}

#[test]
fn files_pipes_and_marks() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("x.csv");
    let text = "PAR1,b\n1,2\n";
    std::fs::write(&path, text).unwrap();
    let table = read(&path, &ReadOptions::default(), Monitor::silent()).unwrap();
    assert_eq!((cells(&table), table.source), (vec![vec!["1".to_string(), "2".into()]], path.display().to_string()));
    let stream =
        |data: Vec<u8>| read_stream(Cursor::new(data), "standard input", &ReadOptions::default(), Monitor::silent());
    assert_eq!(cells(&stream(text.into()).unwrap()), [["1", "2"]]);
    assert_eq!(cells(&stream(zipped(text.as_bytes())).unwrap()), [["1", "2"]]);
    assert_eq!(
        stream(Vec::new()).unwrap_err().to_string(),
        "standard input: the file is empty; hint: the first line must name the columns"
    );
    assert!(
        read(dir.path(), &ReadOptions::default(), Monitor::silent()).unwrap_err().to_string().contains("directory")
    );
    let none = read(&dir.path().join("none"), &ReadOptions::default(), Monitor::silent()).unwrap_err();
    assert_eq!(none.exit_code(), 2);
}

#[test]
fn progress_adds_up() {
    #[derive(Default)]
    struct Sum(std::sync::Mutex<(Option<u64>, u64)>);
    impl Progress for Sum {
        fn begin(&self, stage: Stage, total: Option<u64>) {
            assert_eq!(stage, Stage::Read);
            self.0.lock().unwrap().0 = total;
        }
        fn advance(&self, amount: u64) {
            self.0.lock().unwrap().1 += amount;
        }
    }
    let (sum, rows, cancellation) = (Sum::default(), Sum::default(), Cancellation::default());
    let text = format!("a,b\n{}", "1,2\n".repeat(10_000));
    let total = text.len() as u64;
    let read = |monitor: Monitor<'_>| {
        read_csv(Cursor::new(text.clone()), "f", Some(total), &ReadOptions::default(), monitor, tiny(4096))
    };
    read(Monitor::new(&sum, &cancellation)).unwrap();
    assert_eq!(*sum.0.lock().unwrap(), (Some(total), total));
    read(Monitor::new(&rows, &cancellation).in_rows()).unwrap();
    assert_eq!(*rows.0.lock().unwrap(), (None, 10_000));
}

#[test]
fn a_cancelled_read_stops_though_its_pipe_never_ends() {
    /// Gives a header and a row, then cancels and gives nothing more.
    struct Endless(Cancellation, &'static [u8]);
    impl std::io::Read for Endless {
        fn read(&mut self, room: &mut [u8]) -> std::io::Result<usize> {
            if self.1.is_empty() {
                self.0.cancel();
                std::thread::park();
            }
            self.1.read(room)
        }
    }
    let cancellation = Cancellation::default();
    let pipe = Endless(cancellation.clone(), b"a,b\n1,2\n");
    let monitor = Monitor::new(&scumble_table::Silent, &cancellation);
    assert_eq!(read_stream(pipe, "pipe", &ReadOptions::default(), monitor).unwrap_err(), Error::Cancelled);
}

#[test]
fn adult_and_census_are_the_same_for_any_number_of_threads() {
    for (name, n_rows, n_columns) in [
        ("adult/adult_capital_loss_1427.csv", 1427, 15),
        ("adult/adult_all_48842.csv.gz", 48_842, 15),
        ("nhanes/NHANESraw_20293.csv.gz", 20_293, 79),
        ("acs2024/acs2024_sal_like_500000.csv.gz", 500_000, 9),
    ] {
        let Some(path) = data_file(name) else { continue };
        let tables: Vec<RawTable> = [1, 2, 8]
            .into_iter()
            .map(|threads| {
                let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
                pool.install(|| read(&path, &ReadOptions::default(), Monitor::silent())).unwrap()
            })
            .collect();
        assert_eq!((tables[0].n_rows, tables[0].names.len()), (n_rows, n_columns), "{name}");
        assert!(tables[0] == tables[1] && tables[1] == tables[2], "{name}");
    }
}
