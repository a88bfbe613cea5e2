//! Whatever the rules, what is published verifies against what they left.

use super::*;
use proptest::prelude::*;

fn any_rules() -> impl Strategy<Value = String> {
    let lines = vec![
        "when = \"age between 20 and 25 or place = 'Porto' and not seen > '2009-06-01'\", delete = true",
        "when = \"age is missing\", delete = true",
        "when = \"name in ('name-1', 'name-2', 'name-30')\", blank = [\"ill\", \"place\"]",
        "when = \"seen < '2005-01-01'\", bottom_code = { seen = 2005-01-01 }",
        "generalize = { age = 7.5, seen = \"quarter\" }",
        "when = \"place != 'Ghent'\", generalize = { place = \"elsewhere, \\\"far\\\"\" }",
        "when = \"ill = 'flu' or age > 65\", top_code = { age = 44 }, blank = \"seen\"",
        "generalize = { seen = 100 }, blank = [\"place\"]",
    ];
    prop::sample::subsequence(lines, 1..5).prop_shuffle().prop_map(|lines| {
        let named = lines.iter().enumerate().map(|(at, line)| format!("r{at} = {{ {line} }}\n"));
        std::iter::once("[rules]\n".to_string()).chain(named).collect()
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(150))]

    #[test]
    fn releases_with_rules_verify_against_their_source(
        n in 20usize..120,
        text in any_rules(),
        method in prop::sample::select(METHODS.to_vec()),
    ) {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("raw.csv");
        fs::write(&file, csv(&people(n))).unwrap();
        let job = asked(&file, &folder.path().join("release"), method, rules(&text)).requiring(&["k-anonymity(2)"]);
        let published = publish(&job);
        prop_assume!(!matches!(published, Err(scumble::Error::Infeasible { .. })));
        let published = published.map_err(|error| TestCaseError::fail(format!("{error}\n{text}")))?;
        let deleted: u64 = published.facts.rules.iter().map(|rule| rule.deleted).sum();
        prop_assert_eq!(published.facts.rows + published.facts.suppressed + deleted, n as u64);
        // The release knows its columns, so that the rules alone will do.
        let found = verdict(&job, Some(&Job { rules: job.rules.clone(), ..Job::new() }));
        prop_assert!(found.ok, "{:?}\n{}", steps::failures(&found), text);
    }
}
