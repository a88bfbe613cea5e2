//! What somebody with a register may believe of its people: every set of residents that fits the published boxes is counted.

use crate::dice::Dice;
use crate::steps::{Heard, Say, job, publish, publish_in};
use scumble::{Decimal, Error, Job, Method, Value};
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

/// A resident: a street and a trade, each a number below 6.
type Resident = (u64, u64);

/// The texts of a street or a trade from the value to everything. Under `short` one value has no label between itself and the root.
fn path(kind: &str, value: u64, short: bool) -> [String; 3] {
    let above =
        if short && value == 5 { "*".into() } else { format!("{kind}-{}", ["low", "mid", "high"][value as usize / 2]) };
    [format!("{kind}{value}"), above, "*".into()]
}

fn write(folder: &Path, residents: &[Resident], here: u32, short: bool) {
    let line = |(street, trade): &Resident| format!("s{street},t{trade}");
    let all: String = residents.iter().map(|one| line(one) + "\n").collect();
    fs::write(folder.join("all.csv"), format!("street,trade\n{all}")).unwrap();
    let present = residents.iter().enumerate().filter(|(at, _)| here >> at & 1 == 1);
    let rows: String = present.map(|(at, one)| format!("{},i{}\n", line(one), at % 2)).collect();
    fs::write(folder.join("data.csv"), format!("street,trade,ill\n{rows}")).unwrap();
    for (file, kind) in [("streets.csv", "s"), ("trades.csv", "t")] {
        let tree: String = (0..6).map(|value| path(kind, value, short).join(";") + "\n").collect();
        fs::write(folder.join(file), tree).unwrap();
    }
}

fn asked(folder: &Path, require: &str) -> Job {
    let job = job(folder.join("data.csv"), folder.join("release")).quasi(["street", "trade"]).sensitive(["ill"]);
    job.requiring(&[require]).but(|job| {
        job.input.population = Some(folder.join("all.csv"));
        job.publish.method = Some(Method::FullDomain);
        for (field, file) in [("columns.street.hierarchy", "streets.csv"), ("columns.trade.hierarchy", "trades.csv")] {
            job.set(field, &Value::text(folder.join(file).display().to_string())).unwrap();
        }
    })
}

/// Rows by what they show of street and trade, and how many are left out.
fn shown(release: &Path) -> (BTreeMap<(String, String), u32>, u32) {
    let mut boxes = BTreeMap::new();
    for line in fs::read_to_string(release.join("table.csv")).unwrap().lines().skip(1) {
        let cells: Vec<&str> = line.split(',').collect();
        *boxes.entry((cells[1].to_string(), cells[2].to_string())).or_default() += 1;
    }
    let manifest = fs::read(release.join("manifest.json")).unwrap();
    let manifest: serde_json::Value = serde_json::from_slice(&manifest).unwrap();
    (boxes, manifest["suppressed"].as_u64().unwrap() as u32)
}

/// Of all sets of residents that would show the same boxes at the same levels, the share that each resident is in. Whoever shows none of
/// these boxes was suppressed, with everybody who shows the same.
fn beliefs(residents: &[Resident], n: u32, boxes: &BTreeMap<(String, String), u32>, suppressed: u32) -> Vec<f64> {
    let label = |kind: &str, value: u64, labels: &mut dyn Iterator<Item = &String>| {
        let path = path(kind, value, false);
        let labels: Vec<&String> = labels.collect();
        path.into_iter().find(|text| labels.contains(&text))
    };
    let own: Vec<Option<(String, String)>> = residents
        .iter()
        .map(|&(street, trade)| {
            let street = label("s", street, &mut boxes.keys().map(|shown| &shown.0))?;
            Some((street, label("t", trade, &mut boxes.keys().map(|shown| &shown.1))?))
        })
        .map(|own| own.filter(|own| boxes.contains_key(own)))
        .collect();
    let (mut fitting, mut with) = (0u32, vec![0u32; residents.len()]);
    for set in (0u32..1 << residents.len()).filter(|set| set.count_ones() == n) {
        let members = (0..residents.len()).filter(|at| set >> at & 1 == 1);
        let (mut counts, mut outside) = (BTreeMap::new(), 0);
        for at in members.clone() {
            match &own[at] {
                Some(own) => *counts.entry(own.clone()).or_default() += 1,
                None => outside += 1,
            }
        }
        if counts == *boxes && outside == suppressed {
            fitting += 1;
            members.for_each(|at| with[at] += 1);
        }
    }
    assert!(fitting > 0, "the truth fits");
    with.into_iter().map(|sets| f64::from(sets) / f64::from(fitting)).collect()
}

#[test]
fn nobody_is_surer_than_levels_allow() {
    let (mut published, mut with_suppressed, mut refused) = (0, 0, 0);
    for seed in 0..160u64 {
        let mut dice = Dice(seed);
        let residents: Vec<Resident> = (0..8 + dice.below(5)).map(|_| (dice.below(6), dice.below(6))).collect();
        let n = 2 + dice.below(residents.len() as u64 / 2) as u32;
        let mut here = 0u32;
        while here.count_ones() < n {
            here |= 1 << dice.below(residents.len() as u64);
        }
        let folder = tempfile::tempdir().unwrap();
        write(folder.path(), &residents, here, false);
        let (lo, hi) = ([0.0, 0.1][dice.below(2) as usize], [0.5, 0.6, 0.75][dice.below(3) as usize]);
        let map = dice.below(3) == 0;
        let require = if map { "k-map(3)".to_string() } else { format!("delta-presence({lo}, {hi})") };
        let job = asked(folder.path(), &require)
            .but(|job| job.publish.max_suppressed = (seed % 2 == 0).then(|| Decimal::parse("0.4").unwrap()));
        match publish(&job) {
            Ok(_) => {
                let (boxes, suppressed) = shown(job.out());
                let beliefs = beliefs(&residents, n, &boxes, suppressed);
                let most = beliefs.iter().copied().fold(0.0, f64::max);
                let page = fs::read_to_string(job.out().join("report.html")).unwrap();
                if map {
                    // Any of the rows of a box is as likely as another to be somebody's.
                    assert!(page.contains("is right with a chance of at most 1 in 3"), "{seed}");
                    let members = |shown: &(String, String)| {
                        let lies = |kind: &str, value, text: &String| path(kind, value, false).contains(text);
                        residents.iter().filter(|one| lies("s", one.0, &shown.0) && lies("t", one.1, &shown.1)).count()
                    };
                    assert!(boxes.keys().all(|shown| members(shown) >= 3), "{seed}: {boxes:?}");
                } else {
                    assert!(page.contains(&format!("can be at most {}% sure", hi * 100.0)), "{seed}");
                    assert!(most <= hi + 1e-9, "{seed}: {most} {require} {boxes:?} {suppressed}");
                    let least = beliefs.iter().copied().fold(1.0, f64::min);
                    assert!(least >= lo - 1e-9, "{seed}: {least} {require} {boxes:?}");
                }
                (published, with_suppressed) = (published + 1, with_suppressed + u32::from(suppressed > 0));
            }
            Err(Error::Infeasible { .. } | Error::NotFound { .. }) => refused += 1,
            Err(error) => panic!("{seed}: {error}"),
        }
    }
    assert!(published > 40 && with_suppressed > 0 && refused > 0, "{published} {with_suppressed} {refused}");
}

/// Residents of twelve ages, one of each, and a box that begins with one of them.
#[test]
fn ends_of_boxes_make_people_certain_and_nothing_else_is_said() {
    let folder = tempfile::tempdir().unwrap();
    let ages: Vec<u32> = (20..32).collect();
    let all: String = ages.iter().map(|age| format!("{age}\n")).collect();
    fs::write(folder.path().join("all.csv"), format!("age\n{all}")).unwrap();
    let here = [20, 23, 26, 29, 31];
    let rows: String = here.iter().map(|age| format!("{age},i{}\n", age % 2)).collect();
    fs::write(folder.path().join("data.csv"), format!("age,ill\n{rows}")).unwrap();
    for (require, claim) in [("delta-presence(0, 0.5)", "at most 50% sure"), ("k-map(4)", "a chance of at most 1 in 4")]
    {
        for method in [Method::Generalize, Method::FullDomain] {
            let job =
                job(folder.path().join("data.csv"), folder.path().join("release")).quasi(["age"]).sensitive(["ill"]);
            let job = job.requiring(&[require]).but(|job| {
                job.input.population = Some(folder.path().join("all.csv"));
                job.publish.method = Some(method);
                job.output.replace = true;
            });
            let (heard, context) = Heard::listen();
            publish_in(&job, &context).unwrap();
            let page = fs::read_to_string(job.out().join("report.html")).unwrap();
            assert!(!page.contains(claim) && page.contains("knows that this person is in the data"), "{require}");
            let warning =
                format!("`{require}` counts the people in each box, and boxes depend on the people in the data");
            assert!(heard.warnings().iter().any(|text| text.starts_with(&warning)), "{:?}", heard.warnings());
            if method == Method::Generalize {
                // Least boxes: somebody has the least age of each, and in this town one resident alone has it.
                let text = fs::read_to_string(job.out().join("table.csv")).unwrap();
                let ends = text.lines().skip(1).filter_map(|line| line.split('[').nth(1)?.split(',').next());
                let certain: Vec<u32> = ends.map(|end| end.parse().unwrap()).collect();
                assert!(!certain.is_empty() && certain.iter().all(|age| here.contains(age)), "{text}");
            }
        }
    }
}

/// Whoever shows the root's label below the root is known by the hierarchy, and not one of everybody.
#[test]
fn branches_that_are_cut_short_make_no_claim() {
    for short in [false, true] {
        let folder = tempfile::tempdir().unwrap();
        let residents: Vec<Resident> = (0..12).map(|at| (at % 6, at / 2)).collect();
        write(folder.path(), &residents, 0b0100_1001_0010, short);
        let (heard, context) = Heard::listen();
        let job = asked(folder.path(), "k-map(2)");
        publish_in(&job, &context).unwrap();
        let page = fs::read_to_string(job.out().join("report.html")).unwrap();
        assert_eq!(page.contains("a chance of at most 1 in 2"), !short);
        assert_eq!(heard.warnings().iter().any(|text| text.contains("boxes depend on the people in the data")), short);
    }
}
