//! Promises of `dissimilarity` judged by the independent checker, by every kind of distance.

use crate::common::apart::{Apart, How, people};
use crate::common::case::Case;
use crate::common::oracle::oracle;
use crate::common::{Coins, Maker, edit_manifest};
use scumble_release::Draft;
use scumble_table::Kind;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::process::Command;

#[test]
fn the_oracle_agrees_on_every_promise() {
    let Some((folder, python)) = oracle() else { return };
    const EPSILONS: [&str; 9] = ["0", "0.05", "0.1", "0.25", "0.3", "0.3333", "0.5", "0.6", "0.75"];
    const DELTAS: [&str; 7] = ["0", "0.3333", "0.5", "0.6666", "0.75", "0.8", "1"];
    let (mut seen, mut kept, mut broken) = (BTreeSet::new(), 0, 0);
    for seed in 0..40 {
        let mut coins = Coins(7000 + seed);
        let mut maker = people(&mut coins);
        let apart = Apart::draw(&mut coins, &mut maker, ["pay", "born", "wood"]);
        // The oracle looks labels up by their place where they are ordered.
        let is = |how: &How, at: usize| matches!(how, How::Matrix) && maker.columns[at].2 == Kind::Ordinal;
        if apart.parts.iter().any(|(at, how, _)| is(how, *at)) {
            continue;
        }
        let make: [fn(&Maker) -> Draft; 3] = [Maker::release, Maker::anatomized, Maker::permuted];
        // It knows permuted releases of one column with a help table.
        let helped = apart.parts.len() == 1 && maker.columns[3].2.is_ordered();
        let permutable = helped && maker.groups.iter().all(Option::is_some);
        let case = Case::write(&make[coins.below(if permutable { 3 } else { 2 }) as usize](&maker), &maker);
        let promises: BTreeSet<String> = (0..12)
            .map(|_| {
                let (epsilon, delta) = (EPSILONS[coins.below(9) as usize], DELTAS[coins.below(7) as usize]);
                format!("dissimilarity({epsilon}, {delta}, {})", 1 + coins.below(4))
            })
            .collect();
        edit_manifest(&case.dir(), |manifest| manifest["requirements"] = json!(promises));
        // Matrices are looked for where the program runs.
        let output = Command::new(&python)
            .arg(folder.join("check_release.py"))
            .args([".", "--json"])
            .current_dir(case.dir())
            .output()
            .unwrap();
        let theirs: Value = serde_json::from_slice(&output.stdout).unwrap();
        let ours = case.verdict();
        for promise in &promises {
            let name = format!("require[{promise}]");
            let found = theirs["checks"].as_array().unwrap().iter().find(|check| check["check"] == json!(name));
            let found = found.unwrap_or_else(|| panic!("{theirs:#}"));
            let check = ours.checks.iter().find(|check| check.name == name).unwrap();
            assert_eq!(found["ok"], json!(check.ok), "seed {seed}, {name}: {found} {check:?}");
            kept += usize::from(check.ok);
            broken += usize::from(!check.ok);
        }
        for (_, how, _) in &apart.parts {
            let how = format!("{how:?}");
            seen.insert((apart.combine, how.split('(').next().unwrap_or(&how).to_string()));
        }
    }
    assert!(kept > 50 && broken > 50, "{kept} {broken}");
    let measures: BTreeSet<&str> = seen.iter().map(|(_, how)| how.as_str()).collect();
    let combined: BTreeSet<&str> = seen.iter().map(|(combine, _)| *combine).collect();
    assert_eq!((measures.len(), combined.len()), (5, 4), "{seen:?}");
}
