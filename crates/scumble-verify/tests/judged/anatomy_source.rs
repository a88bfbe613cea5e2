//! Anatomy against its source: the people must be the source's, and the values could be theirs.

use crate::common::case::{Case, detail, failed, set_cell_of};
use crate::common::{Coins, Maker, edit_file, edit_manifest, reseal, tree};
use proptest::prelude::*;
use scumble_table::{Kind, Role};
use serde_json::json;
use std::collections::BTreeMap;

#[test]
fn people_and_values_must_be_the_sources() {
    // Two people swap their ages: every value is still the source's, but these people are not.
    let case = Case::anatomy(|_| ());
    let rows = case.lines("qit.csv");
    let other = (2..rows.len()).find(|&row| rows[row][1] != rows[1][1]).unwrap();
    set_cell_of(&case.dir(), "qit.csv", 1, 1, &rows[other][1]);
    set_cell_of(&case.dir(), "qit.csv", other, 1, &rows[1][1]);
    reseal(&case.dir());
    assert_eq!(failed(&case.verdict()), Vec::<&str>::new());
    assert!(failed(&case.against_source()).contains(&"source-people"));

    // Two groups swap a value.
    let case = Case::anatomy(|_| ());
    let rows = case.lines("st.csv");
    let group = |number: &'static str| rows.iter().filter(move |row| row[0] == number).map(|row| &row[1..]);
    assert!(!group("1").eq(group("2")));
    edit_file(&case.dir().join("st.csv"), |lines| {
        for line in lines.iter_mut() {
            let number = match line.split_once(',') {
                Some(("1", rest)) => format!("2,{rest}"),
                Some(("2", rest)) => format!("1,{rest}"),
                _ => continue,
            };
            *line = number;
        }
        lines[1..].sort_by_key(|line| line.split(',').next().unwrap().parse::<u32>().unwrap());
    });
    reseal(&case.dir());
    assert_eq!(failed(&case.verdict()), Vec::<&str>::new());
    let verdict = case.against_source();
    assert_eq!(failed(&verdict), ["source-groups"]);
    assert!(!["flu", "gout", "mumps", "angina"].iter().any(|value| detail(&verdict, "source-groups").contains(value)));

    // A value that nobody has.
    let case = Case::anatomy(|_| ());
    let row = case.lines("st.csv").iter().position(|row| row[1] == "flu").unwrap();
    set_cell_of(&case.dir(), "st.csv", row, 1, "flux");
    edit_manifest(&case.dir(), |m| {
        let labels = m["columns"][3]["domain"].as_array_mut().unwrap();
        labels.insert(labels.iter().position(|label| label == "gout").unwrap(), json!("flux"));
    });
    reseal(&case.dir());
    let verdict = case.against_source();
    assert!(failed(&verdict).contains(&"source-values[illness]"), "{verdict:?}");
    assert!(failed(&verdict).contains(&"source-groups") && !format!("{verdict:?}").contains("flux"));
}

/// A few rows with every kind of column, two sensitive ones, nulls and suppressed rows; many people alike.
fn small(seed: u64, n: usize) -> Maker {
    let mut coins = Coins(seed);
    let column = |name: &str, role, kind| (name.to_string(), role, kind);
    let pick = |coins: &mut Coins, texts: &[&str]| texts[coins.below(texts.len() as u64) as usize].to_string();
    let row = |coins: &mut Coins| {
        vec![
            pick(coins, &["-1", "0.5", ""]),
            pick(coins, &["low", "mid"]),
            pick(coins, &["x1", "x2"]),
            pick(coins, &["p", "q", "*", ""]),
            pick(coins, &["1", "2"]),
        ]
    };
    let rows: Vec<Vec<String>> = (0..n).map(|_| row(&mut coins)).collect();
    let groups = (0..n).map(|at| if at % 7 == 6 { None } else { Some((at / 3) as u32) }).collect();
    Maker {
        columns: vec![
            column("n", Role::Quasi, Kind::Number),
            column("o", Role::Quasi, Kind::Ordinal),
            column("t", Role::Quasi, Kind::Nominal),
            column("s", Role::Sensitive, Kind::Nominal),
            column("v", Role::Sensitive, Kind::Number),
        ],
        orders: vec![("o".into(), ["low", "mid"].map(String::from).to_vec())],
        hierarchies: vec![
            ("t".into(), tree("x1;x;*\nx2;x;*")),
            ("s".into(), tree("p;a;everything\nq;a;everything\n*;b;everything")),
        ],
        rows,
        groups,
        ruler: None,
        requirements: vec!["k-anonymity(1)".into()],
        seed,
    }
}

/// Whether the rows of `source` can be dealt out to the groups of `maker`, by trying everything.
fn brute(maker: &Maker, source: &Maker) -> bool {
    type Left = (BTreeMap<(u32, Vec<String>), u32>, BTreeMap<(u32, Vec<String>), u32>);
    let mut left: Left = Default::default();
    for (row, group) in maker.rows.iter().zip(&maker.groups) {
        if let Some(group) = group {
            *left.0.entry((*group, row[..3].to_vec())).or_default() += 1;
            *left.1.entry((*group, row[3..].to_vec())).or_default() += 1;
        }
    }
    let mut free = maker.groups.iter().filter(|group| group.is_none()).count();
    fn deal(rows: &[Vec<String>], n_groups: u32, left: &mut Left, free: &mut usize) -> bool {
        let Some((row, rest)) = rows.split_first() else { return true };
        for group in 0..n_groups {
            let (who, what) = ((group, row[..3].to_vec()), (group, row[3..].to_vec()));
            if left.0.get(&who).is_some_and(|n| *n > 0) && left.1.get(&what).is_some_and(|n| *n > 0) {
                *left.0.get_mut(&who).unwrap() -= 1;
                *left.1.get_mut(&what).unwrap() -= 1;
                let done = deal(rest, n_groups, left, free);
                *left.0.get_mut(&who).unwrap() += 1;
                *left.1.get_mut(&what).unwrap() += 1;
                if done {
                    return true;
                }
            }
        }
        if *free == 0 {
            return false;
        }
        *free -= 1;
        let done = deal(rest, n_groups, left, free);
        *free += 1;
        done
    }
    deal(&source.rows, maker.n_groups(), &mut left, &mut free)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn no_honest_source_is_refused(seed in any::<u64>(), other in any::<u64>(), n in 1usize..9, changes in 0usize..3) {
        let maker = small(seed, n);
        let mut source = small(seed, n);
        let mut coins = Coins(other);
        for _ in 0..changes {
            let (from, to) = (coins.below(n as u64) as usize, coins.below(n as u64) as usize);
            let column = coins.below(5) as usize;
            source.rows[to][column] = source.rows[from][column].clone();
        }
        let case = Case::write(&maker.anatomized(), &source);
        prop_assert!(case.verdict().ok);
        let verdict = case.against_source();
        let truth = brute(&maker, &source);
        // Never refused where the source can be dealt out; where all people who are alike are in one group, never let pass.
        let exact = !detail(&verdict, "source-groups").contains("also elsewhere");
        prop_assert!(if truth { verdict.ok } else { !exact || !verdict.ok }, "{truth} {:?}", verdict.checks);
    }
}
