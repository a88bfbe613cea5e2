//! Against the source: what only a look at the source can show.

use crate::common::case::{Case, cells, failed, set_cell};
use crate::common::{Coins, Maker, cover, edit_manifest, edit_table, reseal, tree, write};
use proptest::prelude::*;
use scumble_release::WriteOptions;
use scumble_release::notation::Cover;
use scumble_table::{Code, Kind, Role};
use serde_json::json;
use std::fs;

#[test]
fn a_box_that_misses_its_row_is_found() {
    let case = Case::new(|_| ());
    // A box moved off its rows, domain and all, is only visible against the source.
    let text = fs::read_to_string(case.dir().join("table.csv")).unwrap();
    let first = cells(text.lines().nth(1).unwrap());
    edit_table(&case.dir(), |lines| {
        for line in lines.iter_mut().skip(1) {
            let mut row = cells(line);
            if row[0] == first[0] {
                row[1] = "500".into();
                *line = row.join(",");
            }
        }
    });
    edit_manifest(&case.dir(), |m| {
        let low = m["columns"][0]["domain"][0].clone();
        m["columns"][0]["domain"] = json!([low, 500]);
    });
    reseal(&case.dir());
    let verdict = case.verdict();
    assert!(failed(&verdict).iter().all(|name| *name == "domains"), "{:?}", failed(&verdict));
    assert!(failed(&case.against_source()).contains(&"source-matching"));
}

#[test]
fn an_invented_value_is_found() {
    let case = Case::new(|_| ());
    let text = fs::read_to_string(case.dir().join("table.csv")).unwrap();
    let row = text.lines().position(|line| cells(line)[4] == "flu").unwrap();
    set_cell(&case.dir(), row, 4, "gout");
    reseal(&case.dir());
    assert_eq!(failed(&case.verdict()), Vec::<&str>::new());
    let verdict = case.against_source();
    assert!(failed(&verdict).contains(&"source-values[illness]"), "{:?}", failed(&verdict));
    assert!(failed(&verdict).contains(&"source-matching"));
    assert!(!format!("{:?}", verdict.checks).contains("gout"));
}

#[test]
fn a_swap_between_groups_is_found() {
    let case = Case::new(|_| ());
    let text = fs::read_to_string(case.dir().join("table.csv")).unwrap();
    let lines: Vec<Vec<String>> = text.lines().map(cells).collect();
    let swap = |a: usize, b: usize| {
        let mut swapped: Vec<String> = text.lines().map(String::from).collect();
        let (mut one, mut two) = (lines[a].clone(), lines[b].clone());
        std::mem::swap(&mut one[4], &mut two[4]);
        (swapped[a], swapped[b]) = (one.join(","), two.join(","));
        fs::write(case.dir().join("table.csv"), swapped.join("\n") + "\n").unwrap();
        reseal(&case.dir());
        case.against_source()
    };
    // Ages decide the groups, so the boxes of the youngest and the oldest do not meet.
    let age = |line: &[String]| line[1].trim_matches(['"', '[']).split(',').next().unwrap().parse::<u32>().unwrap();
    let mut found = 0;
    for a in (1..lines.len()).filter(|&row| age(&lines[row]) < 26) {
        for b in (1..lines.len()).filter(|&row| age(&lines[row]) > 66 && lines[row][4] != lines[a][4]) {
            assert_eq!(failed(&swap(a, b)), ["source-matching"]);
            found += 1;
        }
    }
    assert!(found > 3, "{found}");
}

#[test]
fn identifying_columns_and_foreign_sources_are_named() {
    let case = Case::new(|_| ());
    assert_eq!(failed(&case.against(&["note"])), ["identifying-absent"]);
    fs::write(case.home.path().join("source.csv"), "age,zip,sex\n1,2,F\n").unwrap();
    assert_eq!(failed(&case.against_source()), ["source-columns"]);
}

/// A few rows with every kind of column, nulls and suppressed rows.
fn small(seed: u64, n: usize) -> Maker {
    let mut coins = Coins(seed);
    let column = |name: &str, role, kind| (name.to_string(), role, kind);
    let columns = vec![
        column("n", Role::Quasi, Kind::Number),
        column("d", Role::Quasi, Kind::Date),
        column("o", Role::Quasi, Kind::Ordinal),
        column("l", Role::Quasi, Kind::Nominal),
        column("t", Role::Quasi, Kind::Nominal),
        column("s", Role::Sensitive, Kind::Nominal),
    ];
    let pick = |coins: &mut Coins, texts: &[&str]| texts[coins.below(texts.len() as u64) as usize].to_string();
    let row = |coins: &mut Coins| {
        vec![
            pick(coins, &["-1", "0.5", "2", "30", ""]),
            pick(coins, &["1999-12-31", "2000-01-01", "2000-02-29"]),
            pick(coins, &["low", "mid", "high"]),
            pick(coins, &["a", "b|c", "*", ""]),
            pick(coins, &["x1", "x2", "y1"]),
            pick(coins, &["p", "q"]),
        ]
    };
    let rows: Vec<Vec<String>> = (0..n).map(|_| row(&mut coins)).collect();
    let groups = (0..n).map(|at| if at % 7 == 6 { None } else { Some((at / 3) as u32) }).collect();
    Maker {
        columns,
        orders: vec![("o".into(), ["low", "mid", "high"].map(String::from).to_vec())],
        hierarchies: vec![("t".into(), tree("x1;x;*\nx2;x;*\ny1;y;*\ny2;y;*"))],
        rows,
        groups,
        ruler: None,
        requirements: vec!["k-anonymity(1)".into()],
        seed,
    }
}

/// Whether the rows of `source` can be told apart by the boxes of `maker`, by trying everything.
fn brute(maker: &Maker, source: &Maker) -> bool {
    let domains: Vec<_> = (0..maker.columns.len()).map(|at| maker.domain(at)).collect();
    let codes = |rows: &[Vec<String>], row: usize| -> Vec<Code> {
        domains.iter().zip(&rows[row]).map(|(domain, text)| domain.code_of(text).unwrap()).collect()
    };
    let covers: Vec<Vec<Cover>> = (0..maker.n_groups())
        .map(|group| {
            let members: Vec<usize> = (0..maker.rows.len()).filter(|&row| maker.groups[row] == Some(group)).collect();
            (0..5)
                .map(|at| cover(&domains[at], members.iter().map(|&row| codes(&maker.rows, row)[at]).collect()))
                .collect()
        })
        .collect();
    // A label that only suppressed rows have is no part of the release: no run of labels covers it.
    let published: Vec<usize> = (0..maker.rows.len()).filter(|&row| maker.groups[row].is_some()).collect();
    let known: Vec<Code> = published.iter().map(|&row| codes(&maker.rows, row)[2]).collect();
    let fits = |published: usize, row: usize| {
        let (theirs, ours) = (codes(&source.rows, row), codes(&maker.rows, published));
        let boxes = &covers[maker.groups[published].unwrap() as usize];
        ours[5] == theirs[5]
            && known.contains(&theirs[2])
            && (0..5).all(|at| boxes[at].covers(theirs[at], &domains[at]))
    };
    fn fill(rest: &[usize], used: &mut [bool], fits: &dyn Fn(usize, usize) -> bool) -> bool {
        let Some((&first, rest)) = rest.split_first() else { return true };
        (0..used.len()).any(|row| {
            let free = !used[row] && fits(first, row);
            if !free {
                return false;
            }
            used[row] = true;
            let done = fill(rest, used, fits);
            used[row] = false;
            done
        })
    }
    fill(&published, &mut vec![false; source.rows.len()], &fits)
}

#[test]
fn a_label_of_suppressed_rows_alone_is_in_no_box() {
    // Seven rows, the last suppressed and the only one with the label `mid`: the release knows `low` and
    // `high`, so a source row that says `mid` is none of its rows although `[low,high]` stands around it.
    judged(13227849219364712688, 11236195905719580086, 7, 1).unwrap();
}

/// Publishes, changes some cells of the source, and compares the verdict with [`brute`].
fn judged(seed: u64, other: u64, n: usize, changes: usize) -> Result<(), TestCaseError> {
    let maker = small(seed, n);
    let mut source = small(seed, n);
    let mut coins = Coins(other);
    for _ in 0..changes {
        let (from, to) = (coins.below(n as u64) as usize, coins.below(n as u64) as usize);
        let column = coins.below(6) as usize;
        source.rows[to][column] = source.rows[from][column].clone();
    }
    let home = tempfile::tempdir().unwrap();
    let out = home.path().join("release");
    write(&maker.release(), &out, &WriteOptions::default()).unwrap();
    fs::write(home.path().join("source.csv"), source.source()).unwrap();
    let case = Case { home };
    let verdict = case.against_source();
    let matched = verdict.checks.iter().find(|check| check.name == "source-matching").unwrap();
    prop_assert_eq!(matched.ok, brute(&maker, &source), "{:?}", verdict.checks);
    if source.rows == maker.rows {
        prop_assert!(verdict.ok, "{:?}", verdict.checks);
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(150))]

    #[test]
    fn the_source_is_judged_as_by_trying_everything(seed in any::<u64>(), other in any::<u64>(), n in 1usize..9, changes in 0usize..4) {
        judged(seed, other, n, changes)?;
    }
}
