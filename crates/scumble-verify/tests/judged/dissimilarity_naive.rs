//! What the verifier says of random releases is what the definition says, counted pair by pair in fractions.

use crate::common::apart::{Apart, people};
use crate::common::case::{Case, detail};
use crate::common::{Coins, Maker, edit_manifest};
use scumble_release::Draft;
use scumble_verify::{Verdict, VerifyOptions, verify_dir};
use serde_json::json;

fn compare(verdict: &Verdict, requirement: &str, expected: (usize, usize)) {
    let found = detail(verdict, &format!("require[{requirement}]"));
    let says = match expected {
        (0, 1) => "1 group attains delta".into(),
        (0, n) => format!("{n} groups attain delta"),
        (1, 1) => "the only group fails".into(),
        (1, n) => format!("1 of {n} groups fails"),
        (failing, n) => format!("{failing} of {n} groups fail"),
    };
    assert!(found.starts_with(&says), "{requirement}: {found}, expected {says}");
    let check = verdict.checks.iter().find(|check| check.name == format!("require[{requirement}]")).unwrap();
    assert_eq!(check.ok, expected.0 == 0);
}

#[test]
fn verdicts_are_those_of_the_definition() {
    const EPSILONS: [&str; 12] =
        ["0", "0.05", "0.1", "0.25", "0.3", "0.3333", "0.5", "0.5001", "0.6", "0.75", "1", "2"];
    const DELTAS: [&str; 8] = ["0", "0.25", "0.3333", "0.5", "0.6666", "0.75", "0.8", "1"];
    let (mut asked, mut failed) = (0, 0);
    for seed in 0..260 {
        let mut coins = Coins(1000 + seed);
        let mut maker = people(&mut coins);
        let apart = Apart::draw(&mut coins, &mut maker, ["pay, net", "born:on", "wood"]);
        let make: [fn(&Maker) -> Draft; 3] = [Maker::release, Maker::anatomized, Maker::permuted];
        let suppressed = maker.groups.iter().any(Option::is_none);
        let form = coins.below(if suppressed { 2 } else { 3 }) as usize;
        let case = Case::write(&make[form](&maker), &maker);
        let requirements: Vec<(String, (usize, usize))> = (0..12)
            .map(|_| {
                let (epsilon, delta) = (EPSILONS[coins.below(12) as usize], DELTAS[coins.below(8) as usize]);
                let k = 1 + coins.below(4) as usize;
                let expected = apart.failing(&maker, epsilon, delta, k);
                (format!("dissimilarity({epsilon}, {delta}, {k})"), expected)
            })
            .collect();
        // Once by the distance that the manifest states, once by the publisher's own.
        for ruler in [None, maker.ruler.clone()] {
            let options = VerifyOptions {
                requirements: requirements.iter().map(|(text, _)| text.parse().unwrap()).collect(),
                distance: ruler,
                ..VerifyOptions::default()
            };
            let verdict = verify_dir(&case.dir(), &options).unwrap();
            for (requirement, expected) in &requirements {
                compare(&verdict, requirement, *expected);
                asked += 1;
                failed += usize::from(expected.0 > 0);
            }
        }
        // As a promise of the manifest.
        let (promised, expected) = &requirements[0];
        edit_manifest(&case.dir(), |manifest| manifest["requirements"] = json!([promised]));
        let verdict = case.verdict();
        compare(&verdict, promised, *expected);
        assert!(verdict.checks.iter().any(|check| check.name == "distance" && check.ok));
    }
    assert!(asked > 5000 && failed > asked / 4 && failed < asked * 9 / 10, "{failed} of {asked}");
}
