//! `verify` where values must be apart: `--require` and `--against` with `--distance`.

use crate::support::{TestDir, patients};

/// Table I of paper 2 as it was published: two groups of five people, with how badly they suffer from three illnesses.
fn table_1() -> String {
    let mut text = String::from("age,zipcode,allergy,asthma,myocarditis\n");
    for (at, symptoms) in [
        "0.8,0.0,0.0",
        "0.6,0.4,0.4",
        "0.7,0.1,0.1",
        "1.0,0.2,0.2",
        "0.1,0.9,0.9",
        "0.2,0.5,0.2",
        "0.8,0.1,0.9",
        "0.4,0.3,0.5",
        "0.6,0.9,0.3",
        "1.0,0.7,0.7",
    ]
    .iter()
    .enumerate()
    {
        let group = if at < 5 { "[15-30],[12k-18k]" } else { "[30-40],[20k-30k]" };
        text.push_str(&format!("{group},{symptoms}\n"));
    }
    text
}

const MIN: &str = "min(allergy:range(0, 1), asthma:range(0, 1), myocarditis:range(0, 1))";
const TABLE: &str = "verify table.csv --quasi age,zipcode --sensitive allergy,asthma,myocarditis";

#[test]
fn paper2_table1_lets_a_guess_of_three_quarters_through() {
    let dir = TestDir::new();
    dir.file("table.csv", table_1());
    // Five different values in each group of five, for every illness and for all of them.
    dir.run("verify table.csv --quasi age,zipcode --sensitive allergy --require distinct-l-diversity(5)").done();
    let said = dir.run(&format!("{TABLE} --require \"dissimilarity(0.1, 0.25, 5)\" --distance \"{MIN}\"")).done();
    assert!(said.stdout.contains("2 groups attain delta 0.25, k 5"), "{}", said.stdout);
    let said = dir.run(&format!("{TABLE} --require \"dissimilarity(0.1, 0.2501, 5)\" --distance \"{MIN}\""));
    assert_eq!(said.code, 1);
    assert!(said.stdout.contains("1 of 2 groups fails; the group of row 1 has delta 0.25, k 5"), "{}", said.stdout);
    let said = dir
        .run(&format!("{TABLE} --against \"dissimilarity(0.1, 0.5, 6)\" --against k-anonymity(6) --distance \"{MIN}\""))
        .done();
    for line in [
        "dissimilarity(0.1, 0.5, 6): 1 of 2 groups (50.0 %) contains a proximity breach; 2 have too few rows\n",
        "k-anonymity(6): 2 of 2 groups (100.0 %) fail it\n",
    ] {
        assert!(said.stdout.contains(line), "{}", said.stdout);
    }
    insta::assert_snapshot!("verify_against", format!("{}{}", said.stdout, said.stderr));
}

#[test]
fn a_release_is_judged_by_anybodys_distance() {
    let dir = TestDir::new();
    dir.file("patients.csv", patients(120));
    dir.run("publish patients.csv --identifying name --quasi age,city --sensitive disease,cost --require k-anonymity(5) --seed 3 --out r").done();
    dir.file(
        "near.csv",
        "flu;cold;0.1\nflu;asthma;0.5\ncold;asthma;0.5\nulcer;gout;1\nmigraine;flu;0.9\nmigraine;cold;0.9\nmigraine;asthma;0.9\n\
         migraine;ulcer;1\nmigraine;gout;1\nulcer;flu;1\nulcer;cold;1\nulcer;asthma;1\ngout;flu;1\ngout;cold;1\ngout;asthma;1\n",
    );
    let line = "verify r --against \"dissimilarity(0.2, 0.8, 5)\" --distance \"l2(disease:matrix:near.csv*2, cost:range)\" --json";
    let found = dir.run(line).done().json();
    let against = &found["against"][0];
    assert_eq!((found["ok"].as_bool(), against["judged"].as_str()), (Some(true), Some("groups")));
    assert_eq!(against["groups"], found["groups"]);
    let (failing, groups) = (against["failing"].as_u64().unwrap(), against["groups"].as_u64().unwrap());
    assert!(failing > 0 && against["breached"] == against["failing"] && against["small"] == 0, "{against}");
    assert_eq!(against["share"].as_f64().unwrap(), failing as f64 / groups as f64);
    assert!(against["distance"].as_str().unwrap().contains("cost:range(100, 1075.75)"), "{against}");
    assert!(against["worst"]["delta"].as_f64().unwrap() < 0.8 && against["worst"]["k"].as_u64().unwrap() >= 5);
    // As a requirement it changes the verdict.
    let said = dir.run(&line.replace("--against", "--require"));
    assert_eq!((said.code, said.json()["ok"].as_bool()), (1, Some(false)));
    // One column by name.
    let found = dir.run("verify r --against \"cost: dissimilarity(0, 1, 2)\" --distance rank --json").done().json();
    assert_eq!(found["against"][0]["distance"], "rank");
    // Nobody says how far values are apart, or says it in vain.
    dir.run("verify r --require \"dissimilarity(0.2, 0.8, 5)\"").refused(2, &["how far apart", "--distance"]);
    dir.run("verify r --against k-anonymity(2) --distance rank")
        .refused(2, &["nothing that is asked needs a distance"]);
    dir.run("verify r --against \"dissimilarity(0.2, 0.8, 5)\" --distance disease:equal")
        .refused(2, &["it says nothing of the sensitive column `cost`"]);
    dir.run("verify r --against \"dissimilarity(0.2, 0.8, 5)\" --distance \"l1(disease:rank, cost:rank)\"")
        .refused(2, &["`rank` needs an order"]);
    dir.run("verify r --against \"dissimilarity(0.2, 0.8, 5)\" --distance \"l1(disease:matrix:no.csv, cost:rank)\"")
        .refused(2, &["no.csv"]);
    dir.file("bad.csv", "flu,cold,0.1\ncold,flu,0.2\n");
    dir.run("verify r --against \"dissimilarity(0.2, 0.8, 5)\" --distance \"l1(disease:matrix:bad.csv, cost:rank)\"")
        .refused(2, &["bad.csv, line 2: row `cold`, column `flu`"]);
    dir.file("few.csv", "flu,cold,0.1\n");
    dir.run("verify r --against \"dissimilarity(0.2, 0.8, 5)\" --distance \"l1(disease:matrix:few.csv, cost:rank)\"")
        .refused(2, &["few.csv: ", "there is no distance for this pair"]);
    dir.run("verify r --against \"dissimilarity(0.2)\"").refused(2, &["dissimilarity takes 3 parameters"]);
    dir.run("verify r --against \"dissimilarity(0.2, 0.8, 5)\" --distance \"l5(a:rank)\"").refused(2, &["l5"]);
}

#[test]
fn a_release_that_carries_matrices_could_not_be_replaced() {
    let dir = TestDir::new();
    dir.file("patients.csv", patients(120));
    let names = ["flu", "cold", "asthma", "ulcer", "gout", "migraine"];
    let pairs = names.iter().enumerate().flat_map(|(at, a)| names[at + 1..].iter().map(move |b| (a, b)));
    dir.file("near.csv", pairs.map(|(a, b)| format!("{a};{b};1\n")).collect::<String>());
    let line = "publish patients.csv --quasi age,city --sensitive disease --drop-rest --distance disease:matrix:near.csv \
                --require \"dissimilarity(0.1, 0.5, 3)\" --out r";
    dir.run(line).done();
    assert!(dir.path().join("r/distance-disease.csv").exists());
    dir.run(&format!("{line} --replace")).done();
    dir.run("verify r --source patients.csv").done();
    // What is no part of it still stands in the way.
    dir.file("r/distance-cost.csv", "");
    dir.run(&format!("{line} --replace")).refused(2, &["`distance-cost.csv`"]);
}

#[test]
fn batches_are_judged_where_there_are_no_groups() {
    let dir = TestDir::new();
    dir.file("patients.csv", patients(120));
    dir.run("publish patients.csv --identifying name --quasi age,city --sensitive disease --keep cost --accept-keep cost --method angel --angel-k 4 --require frequency-l-diversity(3) --seed 3 --insecure-seed --out a").done();
    let said = dir.run("verify a --against \"dissimilarity(0, 0.9, 2)\" --distance equal").done();
    let line = said.stdout.lines().find(|line| line.starts_with("dissimilarity")).unwrap();
    assert!(line.contains(" batches (") && line.ends_with("contain a proximity breach"), "{line}");
}

#[test]
fn a_map_of_vulnerability() {
    let dir = TestDir::new();
    dir.file("patients.csv", patients(240));
    dir.run("publish patients.csv --identifying name --quasi age,city --sensitive disease,cost --require k-anonymity(5) --require \"disease: distinct-l-diversity(3)\" --seed 3 --out r").done();
    let line = "evaluate r --source patients.csv --queries 0 --vulnerability --distance \"l1(disease:equal, cost:range)\" --distance cost:rank";
    let found = dir.run(&format!("{line} --json --report map.html")).done().json();
    let maps = found["vulnerability"].as_array().unwrap();
    assert_eq!((maps.len(), maps[0]["distance"].as_str()), (2, Some("l1(disease:equal, cost:range(100, 1075.75))")));
    assert_eq!(maps[1]["distance"], "cost:rank");
    for map in maps {
        let shares: Vec<Vec<f64>> = serde_json::from_value(map["shares"].clone()).unwrap();
        assert_eq!((shares.len(), shares[0].len(), map["groups"] == found["groups"]), (15, 10, true));
        assert_eq!((map["epsilons"][4].as_f64(), map["deltas"][9].as_f64()), (Some(0.1), Some(0.95)));
        // Nearness and what is asked for grow along both axes, and with them what is breached.
        for (at, row) in shares.iter().enumerate() {
            assert!(row.windows(2).all(|pair| pair[0] <= pair[1]), "{row:?}");
            assert!(at == 0 || shares[at - 1].iter().zip(row).all(|(a, b)| a <= b), "{shares:?}");
        }
        assert!(shares[0][0] < shares[14][9]);
        // One point of the map is what `verify --against` tells.
        let name = if map["distance"] == "cost:rank" { "cost: " } else { "" };
        let against = format!(
            "verify r --against \"{name}dissimilarity(0.2, 0.8, 1)\" --distance \"{}\" --json",
            map["distance"].as_str().unwrap()
        );
        assert_eq!(dir.run(&against).done().json()["against"][0]["share"].as_f64(), Some(shares[9][6]));
    }
    let page = std::fs::read_to_string(dir.path().join("map.html")).unwrap();
    assert_eq!(page.matches("Groups that let near values through").count() / 2, 2 * 2, "{page}");
    assert!(
        page.contains("heat heat0") && page.contains("class=\"contour\"") && page.contains("<code>cost:rank</code>")
    );
    let said = dir.run(&format!("{line} --epsilons 0,0.1 --deltas 0.8")).done();
    let table = said.stdout.split("\nShare of ").nth(2).unwrap();
    assert!(table.contains("groups in % that contain a proximity breach, by cost:rank:"), "{table}");
    assert_eq!(table.lines().filter(|line| line.trim_start().starts_with("0")).count(), 2, "{table}");
    for (rest, words) in [
        ("--vulnerability", "the release does not say"),
        ("--vulnerability --distance cost:range --epsilons x", "this is not an exact decimal"),
        ("--vulnerability --distance cost:range --epsilons -1", "epsilon must be"),
        ("--vulnerability --distance cost:range --deltas 1.5", "delta must be"),
        ("--vulnerability --distance age:range", "age"),
        ("--vulnerability --distance range", "does not say which sensitive column"),
        ("--distance cost:range", "--vulnerability"),
    ] {
        dir.run(&format!("evaluate r --source patients.csv --queries 0 {rest}")).refused(2, &[words]);
    }
}
