//! Angel releases beside their source: divergences, estimates and figures, and as an independent program finds them.

use crate::angel_tables::{QUASI, TestDir};
use crate::steps::{Say, job, publish, refusal};
use scumble::{Decimal, Monitor, evaluation_page};
use scumble_measure::{Answers, Estimator, Predicate, Predicates, Scratch, Workload};
use serde_json::{Value, json};

fn near(ours: f64, theirs: f64) -> bool {
    (ours - theirs).abs() < 1e-9 * theirs.abs().max(1.0)
}

#[test]
fn every_figure_of_an_angel_release() {
    let dir = TestDir::new(90, 4);
    dir.angel(&[0, 1, 2], 5);
    let found = dir.evaluate("angel", |request| {
        request.queries = 200;
        request.w = vec![2, 3];
        request.volumes = vec![0.05, 0.1];
        request.reconstruct = [&["age"][..], &["city", "age"], &["job"], &["job", "age"]]
            .map(|names| names.iter().map(ToString::to_string).collect())
            .to_vec();
    });
    let found = found.unwrap();
    let tables: Vec<(&str, String)> =
        found.buckets.iter().map(|one| (one.table.as_str(), one.columns.join(","))).collect();
    assert_eq!(
        tables,
        [
            ("generalized", "age,city,job".into()),
            ("marginal-age-city", "age,city".into()),
            ("marginal-job", "job".into())
        ]
    );
    for one in &found.buckets {
        let people: u64 = one.sizes.histogram.iter().map(|(size, n)| size * n).sum();
        assert_eq!((people, one.buckets), (90, one.sizes.histogram.iter().map(|(_, n)| n).sum()));
    }
    let squares: u64 = found.buckets[0].sizes.histogram.iter().map(|(size, n)| size * size * n).sum();
    assert_eq!((found.discernibility, found.group_sizes.min), (squares, 3));
    assert!(found.loss > 0.0 && found.ncp < 3.0 && found.ncp_by_attribute.len() == 3);
    let workloads: Vec<(usize, f64, &str)> =
        found.workloads.iter().map(|facts| (facts.w, facts.s, facts.predicates)).collect();
    assert_eq!(workloads, [(2, 0.1, "intervals"), (3, 0.1, "intervals"), (4, 0.05, "sets"), (4, 0.1, "sets")]);
    for facts in &found.workloads {
        assert_eq!(facts.estimators.iter().map(|(name, _)| *name).collect::<Vec<_>>(), ["uniform", "ends"]);
        assert!(facts.estimators.iter().all(|(_, errors)| errors.is_some_and(|errors| errors.mean > 0.0)));
    }
    let document = serde_json::to_value(&found).unwrap();
    let shown: Vec<(String, &Value)> = document["reconstruction"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| (one["attributes"].as_array().unwrap().len().to_string(), &one["table"]))
        .collect();
    let tables = ["generalized", "marginal-age-city", "marginal-age-city", "marginal-job", "generalized"];
    assert_eq!(shown.iter().map(|(_, table)| table.as_str().unwrap()).collect::<Vec<_>>(), tables);
    assert_eq!(document["reconstruction"][2]["attributes"], json!(["age", "city"]));
    assert!(found.reconstruction.iter().all(|one| one.kl.is_some_and(|kl| kl > 0.0)), "{:?}", found.reconstruction);
    // Fewer columns lose less.
    assert!(found.reconstruction[1].kl < found.reconstruction[0].kl);
    let page = evaluation_page(&found);
    for words in ["Batches and buckets", "KL (nats)", "marginal-age-city", "Counts over every column", "</html>"] {
        assert!(page.contains(words), "{words}");
    }
}

#[test]
fn what_cannot_be_reconstructed() {
    let dir = TestDir::new(40, 6);
    dir.angel(&[0, 1], 7);
    let refused = |names: &[&str], volume: f64| {
        refusal(dir.evaluate("angel", |request| {
            request.reconstruct = vec![names.iter().map(ToString::to_string).collect()];
            request.volumes = vec![volume];
        }))
    };
    assert!(refused(&["aeg"], 0.1).contains("did you mean `age`"));
    assert!(refused(&["illness"], 0.1).contains("no quasi-identifier"));
    assert!(refused(&["age", "city", "age"], 0.1).contains("`age` twice"));
    for volume in [0.0, -1.0, 1.5, f64::NAN] {
        assert!(refused(&["age"], volume).starts_with("volume"));
    }
}

/// Divergences and estimates of angel releases are the oracle's: nulls, sets, hierarchies, dates, decimals.
#[test]
fn angel_releases_as_the_oracle_finds_them() {
    for (seed, columns) in [(1, &[0, 1, 2][..]), (2, &[0, 1, 2, 3]), (3, &[1, 2]), (4, &[0, 1, 4]), (5, &[3, 0, 1])] {
        let dir = TestDir::new(120, seed);
        let mut columns = columns.to_vec();
        columns.sort_unstable();
        dir.angel(&columns, seed + 10);
        let comparison = dir.compare("angel");
        let source = &comparison.source.as_ref().unwrap().microdata;
        let Estimator::Angel(tables) = &comparison.estimator else { panic!("another form") };
        let names: Vec<&str> = source.quasi().iter().map(|column| column.axis().name.as_str()).collect();
        let answers =
            Answers::new(Workload { s: 0.3, queries: 100, ..Workload::new(2) }, source, Monitor::silent()).unwrap();
        let more =
            Answers::new(Workload { s: 0.3, queries: 100, ..Workload::new(3) }, source, Monitor::silent()).unwrap();
        let queries: Vec<_> = answers.queries.iter().chain(&more.queries).collect();
        let ends = |wanted: &Predicate, zero: f64| match wanted {
            Predicate::Between(a, b) => json!([zero + a, zero + b]),
            Predicate::OneOf(_) => panic!("{wanted:?}"),
        };
        // The oracle counts days from the year 1.
        let origin = |name: &str| if name == "born" { 719_163.0 } else { 0.0 };
        let asked = queries.iter().map(|query| {
            let cuts = query.quasi.iter().map(|(at, wanted)| json!([names[*at], ends(wanted, origin(names[*at]))]));
            let table = tables.best(query.quasi.iter().map(|(at, _)| *at)).name();
            json!([table, cuts.collect::<Vec<Value>>(), ends(&query.sensitive[0].1, 0.0)])
        });
        let Some(theirs) = dir.oracle("angel", &asked.collect()) else { return };
        for (query, theirs) in queries.iter().zip(theirs["answers"].as_array().unwrap()) {
            let ours = tables.estimate(query, &mut Scratch::default()).uniform;
            assert!(near(ours, theirs.as_f64().unwrap()), "{query:?} {ours} {theirs}");
        }
        let ours = comparison.reconstruct(&[], Monitor::silent()).unwrap();
        assert_eq!(ours.table, "generalized");
        assert!(near(ours.kl.unwrap(), theirs["kl"].as_f64().unwrap()), "{ours:?} {}", theirs["kl"]);
    }
}

/// Generalized releases too, with suppressed rows that lie in boxes of others or nowhere.
#[test]
fn generalized_releases_as_the_oracle_finds_them() {
    let (mut finite, mut infinite) = (0, 0);
    for seed in 0..8 {
        let dir = TestDir::new(200, 20 + seed);
        let job = job(dir.path("data.csv"), dir.path("table")).quasi(QUASI[..3].iter().copied());
        let job = job.sensitive(["illness"]).drop_rest().requiring(&["k-anonymity(3)"]).but(|job| {
            job.publish.max_suppressed = Decimal::parse(if seed % 2 == 0 { "0" } else { "0.1" });
            (job.publish.seed, job.publish.insecure_seed) = (Some(seed), true);
        });
        publish(&job).unwrap();
        let ours = dir.compare("table").reconstruct(&[], Monitor::silent()).unwrap();
        assert_eq!((ours.table.as_str(), ours.attributes.len()), ("table", 3));
        let Some(theirs) = dir.oracle("table", &json!([])) else { return };
        match ours.kl {
            Some(kl) => {
                finite += 1;
                assert!(near(kl, theirs["kl"].as_f64().unwrap()), "{kl} {}", theirs["kl"]);
            }
            None => {
                infinite += 1;
                assert_eq!((&theirs["kl"], ours.unreached > 0), (&Value::Null, true));
            }
        }
    }
    assert!(finite >= 4, "{finite} {infinite}");
}

/// The same questions for every form: sets where a column has no order.
#[test]
fn queries_on_every_column() {
    let dir = TestDir::new(60, 9);
    dir.angel(&[0, 1], 3);
    let comparison = dir.compare("angel");
    let source = &comparison.source.as_ref().unwrap().microdata;
    let workload = Workload { s: 0.05, predicates: Predicates::Sets, queries: 50, ..Workload::new(3) };
    let answers = Answers::new(workload, source, Monitor::silent()).unwrap();
    for query in &answers.queries {
        let mut columns: Vec<usize> = query.quasi.iter().map(|(at, _)| *at).collect();
        columns.sort_unstable();
        assert_eq!(columns, [0, 1]);
        for (at, wanted) in &query.quasi {
            // 0.05^(1/3) is 0.368: 5 of 12 ages, 2 of 5 cities, 2 of 4 illnesses.
            match (at, wanted) {
                (0, Predicate::Between(a, b)) => assert_eq!(b - a + 1.0, 5.0),
                (1, Predicate::OneOf(places)) => assert_eq!(places.len(), 2),
                _ => panic!("{query:?}"),
            }
        }
        assert!(matches!(&query.sensitive[0].1, Predicate::OneOf(places) if places.len() == 2), "{query:?}");
    }
    let counted = answers.actual.iter().sum::<u64>();
    assert!(counted > 0 && answers.without_answer() < 50);
}
