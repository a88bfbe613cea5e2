//! Rules that no record can reach, and those that some record can.

use super::random::{any_rules, texts_of};
use super::*;
use proptest::prelude::*;

/// An arbitrary record: what is unreachable does not depend on the data.
fn someone() -> Vec<Record> {
    vec![vec![String::new(); COLUMNS.len()]]
}

fn judged(text: &str) -> Option<String> {
    match apply_rules(&COLUMNS, &someone(), &rules(text)) {
        Ok(_) => None,
        Err(error) if error.to_string().contains("delete all") => None,
        Err(error) => Some(error.to_string()),
    }
}

#[test]
fn contradictions_are_errors() {
    for condition in [
        "n < 3 and n > 3",
        "n < 3 and n >= 3",
        "n = 1 and n = 2",
        "n is missing and n != 2",
        "n is missing and n is not missing",
        "n between 5 and 4",
        "n in (1, 2) and not n in (2, 1, 3)",
        "not (n < 3 or n >= 3 or n is missing)",
        "d > '2001-01-01' and d < '2001-01-02'",
        "d < '0001-01-01'",
        "d > '9999-12-31'",
        "o > 'low' and o < 'mid'",
        "o < 'low'",
        "o > 'top'",
        "o != 'low' and o != 'mid' and o not in ('high', 'top')",
        "h not in ('a', 'b', 'c', 'd')",
        "z < '07' and z > '07'",
        "\"größe l\" = 'x' and \"größe l\" = 'y'",
        "(n = 1 or d is missing) and (n = 2 or d is missing) and d is not missing",
        "n = 1 and (d is missing or o = 'low') and n = 2",
    ] {
        let error = judged(&format!("r = {{ when = '''{condition}''', blank = \"n\" }}"));
        assert_eq!(
            error.as_deref(),
            Some(
                "job.toml, line 2: rule `r`: no record can meet its condition; hint: the condition contradicts itself"
            ),
            "{condition}"
        );
    }
}

#[test]
fn what_somebody_could_meet_is_no_error() {
    for condition in [
        // Between any two numbers lies another.
        "n > 3 and n < 4",
        "n > 0.000000000000000001 and n < 0.000000000000000002",
        "d > '2001-01-01' and d < '2001-01-03'",
        "d <= '0001-01-01'",
        "d >= '9999-12-31'",
        "o > 'low' and o < 'high'",
        "h not in ('a', 'b', 'c')",
        // Another way to write the same number.
        "z > '07' and z < '7'",
        "\"größe l\" not in ('x', 'y')",
        "not n = 1 and not n != 1",
        "n is missing or n is not missing",
    ] {
        assert_eq!(judged(&format!("r = {{ when = '''{condition}''', blank = \"n\" }}")), None, "{condition}");
    }
}

#[test]
fn rules_whose_records_are_deleted_before_are_errors() {
    let by = |text: &str| judged(text).unwrap_or_default();
    assert_eq!(
        by("minors = { when = \"n < 18\", delete = true }\nbabies = { when = \"n < 2\", blank = \"d\" }"),
        "job.toml, line 3: rule `babies`: every record that could meet its condition is deleted before, by rule `minors`; \
         hint: put it first, or leave it out"
    );
    let together = "a = { when = \"n < 5\", delete = true }\nb = { when = \"n >= 5\", delete = true }\n";
    assert!(
        by(&format!("{together}c = {{ when = \"n is not missing\", blank = \"d\" }}"))
            .contains("by the rules above together")
    );
    assert!(
        by(&format!("{together}c = {{ when = \"n is missing\", delete = true }}\nd = {{ blank = \"d\" }}"))
            .contains("line 5: rule `d`")
    );
    assert!(by("a = { delete = true }\nb = { blank = \"n\" }").contains("by rule `a`"));
    // Somebody survives: a missing value, a value that was changed in between, or another condition.
    for text in [
        "a = { when = \"n < 5\", delete = true }\nb = { when = \"not n >= 5\", blank = \"d\" }".to_string(),
        "a = { when = \"n < 5\", delete = true }\nb = { bottom_code = { n = 0 } }\nc = { when = \"n < 2\", blank = \"d\" }".into(),
        "a = { when = \"n < 5\", blank = \"d\" }\nb = { when = \"n < 2\", blank = \"o\" }".into(),
        format!("{together}c = {{ when = \"n is missing\", blank = \"d\" }}"),
        "a = { when = \"n < 5 and o = 'low'\", delete = true }\nb = { when = \"n < 2\", blank = \"o\" }".into(),
    ] {
        assert_eq!(judged(&text), None, "{text}");
    }
    // A change counts from the rule after it.
    let changed = "a = { generalize = { n = 5 } }\nb = { when = \"n < 5\", delete = true }\nc = { when = \"n < 2\", blank = \"d\" }";
    assert!(by(changed).contains("line 4: rule `c`"));
}

#[test]
fn long_conditions_and_many_rules_take_no_time() {
    let start = std::time::Instant::now();
    let list: Vec<String> = (0..20_000).map(|i| i.to_string()).collect();
    let list = list.join(", ");
    let error = judged(&format!("r = {{ when = \"n in ({list}) and n = -1\", blank = \"d\" }}"));
    assert!(error.unwrap().contains("no record can meet"));
    // Too long to be looked through as a whole; a part that contradicts itself is still found.
    let row: Vec<String> = (0..4_000).map(|i| format!("n = {i}")).collect();
    let row = row.join(" or ");
    assert_eq!(judged(&format!("r = {{ when = \"({row}) and d is missing\", blank = \"d\" }}")), None);
    let error = judged(&format!("r = {{ when = \"({row}) and (o = 'low' and o = 'mid')\", blank = \"d\" }}"));
    assert!(error.unwrap().contains("no record can meet"));
    let many: Vec<String> =
        (0..400).map(|i| format!("r{i} = {{ when = \"n = {i} and z > '{i}'\", delete = true }}")).collect();
    assert_eq!(judged(&many.join("\n")), None);
    // Twelve columns that no order of choices makes easy.
    let names: Vec<String> = (0..24).map(|i| format!("c{i}")).collect();
    let columns: Vec<TestColumn> =
        names.iter().map(|name| TestColumn::new(Box::leak(name.clone().into_boxed_str()), Kind::Number)).collect();
    let pair = |i: usize, j: usize| format!("(c{i} = 1 and c{j} = 1 or not (c{i} = 1 or c{j} = 1))");
    let even: Vec<String> =
        (0..24).map(|i| pair(i, (i * 7 + 5) % 24)).chain(["c0 = 1".into(), "not c5 = 1".into()]).collect();
    let text = format!("r = {{ when = \"{}\", blank = \"c0\" }}", even.join(" and "));
    let _ = apply_rules(&columns, &[vec![String::new(); 24]], &rules(&text));
    assert!(start.elapsed().as_secs() < 20, "{:?}", start.elapsed());
}

/// Every record over a few values of each column that some rule asks about or changes.
fn everybody(rules: &[Rule]) -> Option<Vec<Record>> {
    let used = |name: &str| {
        let asked = |rule: &Rule| rule.when.as_ref().is_some_and(|when| when.columns().iter().any(|(n, _)| *n == name));
        rules.iter().any(asked)
    };
    let mut all: Vec<Record> = vec![Vec::new()];
    for column in &COLUMNS {
        let mut texts = vec![""];
        if used(column.name) {
            texts.extend(texts_of(column));
            texts.extend(match column.name {
                // A value in each gap between the constants.
                "n" => &[
                    "-4", "-3", "-2.7", "-2", "-0.5", "0.2", "0.6", "0.75", "0.8", "1.2", "1.5", "1.7", "2.1", "3",
                    "10.5", "50", "100", "101",
                ][..],
                "d" => &[
                    "0001-01-01",
                    "1000-01-01",
                    "1990-01-01",
                    "2000-05-05",
                    "2000-06-15",
                    "2001-01-01",
                    "2001-12-01",
                    "3000-01-01",
                    "9999-12-31",
                ],
                "z" => &[
                    "-1", "0", "00", "1", "6", "007.0", "07.0", "7", "07.5", "9", "09", "50", "99", "0099", "99.5",
                    "1000",
                ],
                "größe l" => &["nobody", "else"],
                _ => &[],
            });
        }
        if all.len() * texts.len() > 1_000 {
            return None;
        }
        let longer = |record: &Record| {
            let record = record.clone();
            texts
                .iter()
                .map(move |text| record.iter().cloned().chain([text.to_string()]).collect::<Record>())
                .collect::<Vec<_>>()
        };
        all = all.iter().flat_map(longer).collect();
    }
    Some(all)
}

/// The first rule that is said to be unreachable.
fn blamed(rules: &[Rule]) -> Option<usize> {
    let error = apply_rules(&COLUMNS, &someone(), &Rules::new(rules.to_vec())).err()?.to_string();
    let unreachable = error.contains("no record can meet") || error.contains("is deleted before");
    assert!(unreachable || error.contains("delete all"), "{error}");
    unreachable.then(|| rules.iter().position(|rule| error.contains(&format!("rule `{}`:", rule.name))).unwrap())
}

fn shown(rules: &[Rule]) -> String {
    let when = |rule: &Rule| rule.when.as_ref().map_or("all".into(), ToString::to_string);
    rules.iter().map(|rule| format!("{}: {} {:?}\n", rule.name, when(rule), rule.actions)).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 5000, max_global_rejects: 1_000_000, ..ProptestConfig::default() })]

    #[test]
    fn a_rule_that_somebody_reaches_is_never_called_unreachable(rules in any_rules(3, 4)) {
        let all = everybody(&rules);
        prop_assume!(all.is_some());
        let (_, counts) = naive::applied(&COLUMNS, &all.unwrap_or_default(), &rules);
        if let Some(at) = blamed(&rules) {
            prop_assert_eq!(counts[at].matched, 0, "{}", shown(&rules));
        }
        // And where nothing changes in between, the first rule that no record reaches is found.
        let deletes = |rule: &Rule| rule.actions == [RuleAction::Delete];
        let first = counts.iter().position(|count| count.matched == 0).unwrap_or(counts.len());
        if first < rules.len() && rules[..first].iter().all(deletes) {
            prop_assert_eq!(blamed(&rules), Some(first), "{}", shown(&rules));
        }
    }
}
