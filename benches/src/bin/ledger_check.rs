//! How long it takes to look for people in a ledger.
//!
//!     cargo run --release -p scumble-bench --bin ledger_check [-- PEOPLE [RELEASES [OVERLAP]]]
//!
//! A ledger of `RELEASES` (24) releases of `PEOPLE` (10,000,000) people each is made in a temporary folder: 8 bytes for each
//! of them. Of the people that are looked for, one in `OVERLAP` (100) is in the last release and all others are in none.
//! Then a check as `publish` makes it is timed, step by step: opening (the slow hash of the passphrase, and the seals),
//! digests and fingerprints of the people, and the comparison with every release, which reads and decrypts the whole file and compares it
//! with its checksums. Two checks are made; the file is in the memory of the system for both, since it was written just before.
#![allow(clippy::print_stdout, reason = "a benchmark prints its results")]

use scumble_bench::Outcome;
use scumble_ledger::{EntryFields, KnownBy, Ledger, NewEntry, NewPeople, Passphrase, Secrets, person_digest};
use scumble_table::Monitor;
use std::path::Path;
use std::time::Instant;

/// Keys of people as registers have them.
fn digests(from: u64, n: u64) -> Vec<u128> {
    use rayon::prelude::*;
    (from..from + n).into_par_iter().map(|at| person_digest([format!("P{at:010}")])).collect()
}

fn fields(folder: &Path, number: u64, rows: u64) -> EntryFields {
    let place = folder.join(number.to_string()).display().to_string();
    EntryFields {
        staged: format!("{place}.staged"),
        place,
        manifest: format!("{number:064}"),
        batches: None,
        method: "generalize".into(),
        columns: Vec::new(),
        requirements: Vec::new(),
        rows,
        known_by: KnownBy::Person(vec!["patient".into()]),
        unnamed: 0,
        accept_overlap: false,
    }
}

fn main() -> Outcome<()> {
    let mut arguments = std::env::args().skip(1);
    let people: u64 = arguments.next().map_or(Ok(10_000_000), |text| text.parse())?;
    let releases: u64 = arguments.next().map_or(Ok(24), |text| text.parse())?;
    let share: u64 = arguments.next().map_or(Ok(100), |text| text.parse::<u64>())?.max(1);
    let folder = tempfile::tempdir()?;
    let path = folder.path().join("people.ledger");
    let passphrase = Secrets::passphrase(Passphrase::new("a passphrase for measuring")?);
    let monitor = Monitor::silent();
    let started = Instant::now();
    let mut ledger = Ledger::open_or_new(&path, &passphrase, monitor)?;
    for number in 0..releases {
        let prints = ledger.fingerprints(&digests(number * people, people), monitor)?;
        ledger
            .enter(NewEntry { fields: fields(folder.path(), number + 1, people), people: NewPeople::Own(&prints) })?;
    }
    drop(ledger);
    let bytes = std::fs::metadata(&path)?.len();
    println!("{releases} releases of {people} people, {bytes} bytes, made in {:.1} s", started.elapsed().as_secs_f64());
    println!("{} threads\n", rayon::current_num_threads());
    println!(
        "| check | open, s | digests, s | fingerprints, s | compare, s | whole, s | in both |\n|---|---|---|---|---|---|---|"
    );
    let shared = people / share;
    let from = releases * people - shared;
    for at in 1..=2 {
        let whole = Instant::now();
        let ledger = Ledger::open(&path, &passphrase, monitor)?;
        let opened = whole.elapsed().as_secs_f64();
        let keys = digests(from, people);
        let digested = whole.elapsed().as_secs_f64();
        let prints = ledger.fingerprints(&keys, monitor)?;
        let printed = whole.elapsed().as_secs_f64();
        let found = ledger.overlaps(&prints, &KnownBy::Person(vec!["patient".into()]), monitor)?;
        let all = whole.elapsed().as_secs_f64();
        let in_both: u64 = found.iter().map(|overlap| overlap.people).sum();
        assert!(in_both >= shared && found.len() <= releases as usize, "somebody was not found");
        println!(
            "| {at} | {opened:.2} | {:.2} | {:.2} | {:.2} | {all:.2} | {in_both} |",
            digested - opened,
            printed - digested,
            all - printed
        );
    }
    Ok(())
}
