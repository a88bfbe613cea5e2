//! A partitioner that another crate brings along: found by its name, and not trusted.

use crate::golden::{bind, people};
use scumble_method::{Coins, Partitioner, Task, check_partition, partition_checked, partitioner, register_partitioner};
use scumble_table::{Cancellation, Error, Monitor, Partition, Result, Silent};
use std::sync::Arc;

/// Groups of rows as they stand in the table, the first `skipped` left out.
#[derive(Debug)]
struct Blocks {
    name: &'static str,
    size: usize,
    skipped: usize,
    /// What it takes the table for.
    n_rows: Option<usize>,
}

impl Blocks {
    const fn new(name: &'static str, size: usize) -> Blocks {
        Blocks { name, size, skipped: 0, n_rows: None }
    }
}

impl Partitioner for Blocks {
    fn name(&self) -> &str {
        self.name
    }

    fn partition(&self, task: &Task<'_>) -> Result<Partition> {
        let n_rows = self.n_rows.unwrap_or(task.table.n_rows());
        let rows: Vec<u32> = (self.skipped as u32..n_rows as u32).collect();
        let mut starts: Vec<u32> = (0..rows.len() / self.size).map(|group| (group * self.size) as u32).collect();
        starts.push(rows.len() as u32);
        if rows.is_empty() {
            starts = vec![0];
        }
        Partition::new(rows, starts, n_rows)
    }
}

/// What comes of a partitioner under a requirement, where some rows may be suppressed.
fn checked(blocks: &Blocks, text: &str, most_suppressed: usize, monitor: Monitor<'_>) -> Result<Partition> {
    let table = people(200);
    let texts = [text];
    let bound = bind(&table, &texts, None).unwrap();
    let rebind = |rows: &[u32]| bind(&table, &texts, Some(rows));
    let coins = Coins::from_seed(1);
    partition_checked(
        blocks,
        &Task { table: &table, bound: &bound, rebind: &rebind, most_suppressed, coins: &coins, monitor },
    )
}

#[test]
fn another_crate_adds_a_partitioner() {
    assert!(partitioner("blocks-of-ten").is_none());
    register_partitioner(Arc::new(Blocks::new("blocks-of-ten", 10))).unwrap();
    let found = partitioner("blocks-of-ten").unwrap();
    let table = people(200);
    let bound = bind(&table, &["k-anonymity(5)"], None).unwrap();
    let task = Task {
        table: &table,
        bound: &bound,
        rebind: &|rows| bind(&table, &["k-anonymity(5)"], Some(rows)),
        most_suppressed: 0,
        coins: &Coins::from_seed(1),
        monitor: Monitor::silent(),
    };
    assert_eq!(partition_checked(&*found, &task).unwrap().n_groups(), 20);
    // A name is given once, and those of this library are taken.
    for taken in ["blocks-of-ten", "mondrian", "xcolor", "paper", "full-domain", "min-max", "angel"] {
        let error = register_partitioner(Arc::new(Blocks::new(taken, 3))).unwrap_err().to_string();
        assert!(error.contains("there is a partitioner of this name"), "{error}");
    }
    for no_word in ["", "Blocks", "2blocks", "blocks of ten", "-x"] {
        let error = register_partitioner(Arc::new(Blocks::new(no_word, 3))).unwrap_err().to_string();
        assert!(error.contains("lower-case letters"), "{error}");
    }
}

#[test]
fn one_of_many_threads_gets_a_name() {
    let won: usize = std::thread::scope(|scope| {
        let threads: Vec<_> = (1..9)
            .map(|size| scope.spawn(move || register_partitioner(Arc::new(Blocks::new("contested", size)))))
            .collect();
        threads.into_iter().map(|thread| usize::from(thread.join().unwrap().is_ok())).sum()
    });
    assert_eq!(won, 1);
    assert_eq!(partitioner("contested").unwrap().name(), "contested");
}

#[test]
fn those_of_this_library_are_known_by_name() {
    for name in ["mondrian", "mondrian-relaxed", "proximity", "xcolor", "angel", "expected-width", "min-sum", "random"]
    {
        assert_eq!(partitioner(name).unwrap().name(), name);
    }
    assert!(partitioner("nothing").is_none());
}

#[test]
fn every_group_is_put_to_the_requirements() {
    let silent = Monitor::silent();
    let said = |blocks: &Blocks, text: &str, most| checked(blocks, text, most, silent).unwrap_err().to_string();
    let small = Blocks::new("small", 4);
    assert!(checked(&small, "k-anonymity(4)", 0, silent).is_ok());
    let error = said(&small, "k-anonymity(5)", 0);
    assert!(error.contains("`small`") && error.contains("50 of its 50 groups fail `k-anonymity(5)`"), "{error}");
    let error = said(&Blocks::new("alike", 2), "ill: distinct-l-diversity(2)", 0);
    assert!(error.contains("groups fail"), "{error}");
    let error = said(&Blocks { skipped: 8, ..small }, "k-anonymity(4)", 7);
    assert!(error.contains("left out 8 rows, and 7 may be suppressed"), "{error}");
    assert!(checked(&Blocks { skipped: 8, ..Blocks::new("small", 4) }, "k-anonymity(4)", 8, silent).is_ok());
    let error = said(&Blocks { n_rows: Some(100), ..Blocks::new("other", 4) }, "k-anonymity(4)", 0);
    assert!(error.contains("it divided 100 rows, and the table has 200"), "{error}");
    let error = said(&Blocks { skipped: 200, ..Blocks::new("none", 4) }, "k-anonymity(4)", 200);
    assert!(error.contains("it made no group"), "{error}");
}

#[test]
fn a_cancelled_check_is_no_pass() {
    let cancellation = Cancellation::default();
    cancellation.cancel();
    let monitor = Monitor::new(&Silent, &cancellation);
    assert_eq!(checked(&Blocks::new("small", 4), "k-anonymity(4)", 0, monitor), Err(Error::Cancelled));
    let table = people(200);
    let bound = bind(&table, &["k-anonymity(9)"], None).unwrap();
    let rebind = |rows: &[u32]| bind(&table, &["k-anonymity(9)"], Some(rows));
    let coins = Coins::from_seed(1);
    let task = Task { table: &table, bound: &bound, rebind: &rebind, most_suppressed: 0, coins: &coins, monitor };
    let groups = Partition::new((0..200).collect(), (0..=200).step_by(4).collect(), 200).unwrap();
    assert_eq!(check_partition("x", &task, &groups), Err(Error::Cancelled));
}
