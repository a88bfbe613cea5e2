//! What the verifier says of random releases is what the definition says, counted pair by pair in fractions.

mod common;

use common::apart::{Apart, Fraction, people};
use common::case::{Case, detail};
use common::{Coins, Maker, edit_manifest};
use scumble_io::NoProgress;
use scumble_release::{Grid, Release, ReleaseDir, Verdict, VerifyOptions, verify, vulnerability};
use scumble_table::Decimal;
use serde_json::json;

/// Groups that fail, by the definition.
fn failing(maker: &Maker, apart: &Apart, epsilon: &str, delta: &str, k: usize) -> (usize, usize) {
    let (epsilon, delta) = (Fraction::of(epsilon), Fraction::of(delta));
    let fails = |group: &u32| {
        let members: Vec<usize> = (0..maker.rows.len()).filter(|&row| maker.groups[row] == Some(*group)).collect();
        let others = members.len() as i128 - 1;
        let near = |a: usize| members.iter().filter(|&&b| b != a && apart.near(maker, a, b, epsilon)).count() as i128;
        let allowed = Fraction(delta.1 - delta.0, delta.1).times(Fraction(others, 1));
        members.len() < k.max(2) || members.iter().any(|&a| !Fraction(near(a), 1).at_most(allowed))
    };
    ((0..maker.n_groups()).filter(fails).count(), maker.n_groups() as usize)
}

fn compare(verdict: &Verdict, requirement: &str, expected: (usize, usize)) {
    let found = detail(verdict, &format!("require[{requirement}]"));
    let says = match expected {
        (0, n) => format!("{n} groups attain delta"),
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
        let make: [fn(&Maker) -> Release; 3] = [Maker::release, Maker::anatomized, Maker::permuted];
        let suppressed = maker.groups.iter().any(Option::is_none);
        let form = coins.below(if suppressed { 2 } else { 3 }) as usize;
        let case = Case::write(&make[form](&maker), &maker);
        let requirements: Vec<(String, (usize, usize))> = (0..12)
            .map(|_| {
                let (epsilon, delta) = (EPSILONS[coins.below(12) as usize], DELTAS[coins.below(8) as usize]);
                let k = 1 + coins.below(4) as usize;
                let expected = failing(&maker, &apart, epsilon, delta, k);
                (format!("dissimilarity({epsilon}, {delta}, {k})"), expected)
            })
            .collect();
        // Once by the distance that the manifest states, once by the publisher's own.
        for ruler in [None, maker.ruler.clone()] {
            let options = VerifyOptions {
                requirements: requirements.iter().map(|(text, _)| text.parse().unwrap()).collect(),
                ruler,
                ..VerifyOptions::default()
            };
            let verdict = verify(&case.dir(), &options).unwrap();
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

#[test]
fn maps_of_vulnerability_are_those_of_the_definition() {
    const EPSILONS: [&str; 6] = ["0", "0.1", "0.25", "0.3333", "0.5", "1"];
    const DELTAS: [&str; 5] = ["0", "0.5", "0.6666", "0.75", "1"];
    let decimals = |texts: &[&str]| texts.iter().map(|text| Decimal::parse(text).unwrap()).collect();
    let grid = Grid { epsilons: decimals(&EPSILONS), deltas: decimals(&DELTAS) };
    let mut between = 0;
    for seed in 0..60 {
        let mut coins = Coins(5000 + seed);
        let mut maker = people(&mut coins);
        let apart = Apart::draw(&mut coins, &mut maker, ["pay, net", "born:on", "wood"]);
        let case = Case::write(&if seed % 2 == 0 { maker.release() } else { maker.anatomized() }, &maker);
        let release = ReleaseDir::open(&case.dir()).unwrap();
        // By the publisher's distance, and by what the release says itself.
        let rulers = [maker.ruler.clone().unwrap(), release.ruler().unwrap().unwrap()];
        let found = vulnerability(&release, &rulers, &grid, &NoProgress).unwrap();
        assert_eq!(found[0].shares, found[1].shares);
        assert_eq!((found.len(), found[0].judged, found[0].groups), (2, "groups", u64::from(maker.n_groups())));
        for (i, epsilon) in EPSILONS.iter().enumerate() {
            for (j, delta) in DELTAS.iter().enumerate() {
                let (failing, groups) = failing(&maker, &apart, epsilon, delta, 1);
                assert_eq!(found[0].shares[i][j], failing as f64 / groups as f64, "{seed} {epsilon} {delta}");
                between += usize::from(failing > 0 && failing < groups);
            }
        }
    }
    assert!(between > 200, "{between}");
}
