use super::*;
use crate::{Answers, Axis, Workload};
use scumble_table::{Decimal, Monitor};

fn requirement(text: &str) -> Requirement {
    text.parse().unwrap()
}

fn numbers(texts: &[&str]) -> (Domain, Bag) {
    let domain = Domain::numbers(texts.iter().map(|text| Decimal::parse(text).unwrap()).collect()).unwrap();
    let bag = Bag::from_codes(texts.iter().map(|text| domain.code_of(text).unwrap()));
    (domain, bag)
}

fn largest(texts: &[&str], requirement: &str) -> f64 {
    let (domain, bag) = numbers(texts);
    largest_retention(&domain, &bag, &self::requirement(requirement)).unwrap()
}

/// Section 3.2 with |I(t)| = 0.2: values uniform on the domain.
#[test]
fn paper1_section_3_2() {
    assert!((retention(0.2, 0.2, 4) - 0.0625).abs() < 1e-15);
    assert_eq!(retention(0.2, 0.2, 5), 0.0);
    let risk = |p: f64| 0.2 * (p + (1.0 - p) * 0.2) / (0.2 * p + (1.0 - p) * 0.2);
    assert!((risk(0.0625) - 0.25).abs() < 1e-12);
}

/// On a fine grid the neighbourhoods in the middle hold a fifth of the rows, and the ends less.
#[test]
fn a_uniform_column_comes_near_the_paper() {
    let texts: Vec<String> = (0..=10_000).map(|i| i.to_string()).collect();
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    let p = largest(&texts, "proximity-absolute(1000, 4)");
    assert!((p - 0.0625).abs() < 0.0005, "{p}");
    assert_eq!(largest(&texts, "proximity-absolute(1000, 5)"), 0.0);
    assert_eq!(largest(&texts, "proximity-interval(1000, 1000, 4)"), p);
    assert_eq!(largest(&texts, "proximity-absolute(1000, 1)"), 1.0);
    // Half the reach leaves more.
    assert!(largest(&texts, "proximity-absolute(500, 4)") > 1.5 * p);
}

#[test]
fn the_worst_row_decides() {
    // 0 and 1 are neighbours of each other, 100 of no value: P = 2/3 for two rows, so m = 2 is out of reach.
    assert_eq!(largest(&["0", "1", "100"], "proximity-absolute(1, 2)"), 0.0);
    // On the boundary exactly, and one unit beyond it: P = 1/3 each, L = 1.98 / 100.
    assert_eq!(largest(&["0", "1.00", "100"], "proximity-absolute(1.0, 2)"), 0.0);
    let p = largest(&["0", "1.00", "100"], "proximity-absolute(0.99, 2)");
    let odds = 0.0198 * (1.0 - 2.0 / 3.0) * 3.0;
    assert!((p - odds / (1.0 + odds)).abs() < 1e-12, "{p}");
    // 115320 - 115320/8 = 100905.
    assert_eq!(largest(&["100905", "115320", "1"], "proximity-relative(0.125, 2)"), 0.0);
    assert!(largest(&["100904", "115320", "1"], "proximity-relative(0.125, 2)") > 0.0);
    // Negative numbers reach as far as positive ones, and 0 has no neighbourhood but itself.
    assert_eq!(largest(&["-100905", "-115320", "-1"], "proximity-relative(0.125, 2)"), 0.0);
    assert_eq!(largest(&["0", "5", "9"], "proximity-relative(0.125, 2)"), 0.0);
    assert_eq!(largest(&["7", "7", "7"], "proximity-absolute(1, 2)"), 0.0);
}

#[test]
fn what_has_no_neighbourhood_is_refused() {
    let (domain, bag) = numbers(&["1", "2"]);
    let error = largest_retention(&domain, &bag, &requirement("k-anonymity(2)")).unwrap_err().to_string();
    assert!(error.contains("proximity"), "{error}");
    let labels = Domain::nominal(vec!["a".into()]);
    let error =
        largest_retention(&labels, &Bag::from_codes([1]), &requirement("proximity-absolute(1, 2)")).unwrap_err();
    assert!(error.to_string().contains("no numbers"), "{error}");
    assert_eq!(largest_retention(&domain, &Bag::default(), &requirement("proximity-absolute(1, 2)")).unwrap(), 1.0);
}

/// Half the rows have a low age and low pay, half a high age and high pay.
fn people(n: usize) -> Microdata {
    let column = |name: &str, value: &dyn Fn(usize) -> usize| {
        let places: Vec<f64> = (0..n).map(|row| value(row) as f64).collect();
        Positions::from_places(Axis::between(name, true, 0.0, 99.0), &places)
    };
    Microdata::new(
        vec![column("age", &|row| row * 7 % 50 + 50 * (row % 2))],
        column("pay", &|row| row * 13 % 50 + 50 * (row % 2)),
    )
}

#[test]
fn kept_values_and_noise() {
    let source = people(1000);
    let places = |table: &Perturbed| (0..1000).map(|row| table.table.sensitive().place(row)).collect::<Vec<_>>();
    let own: Vec<f64> = (0..1000).map(|row| source.sensitive().place(row)).collect();
    assert_eq!(places(&Perturbed::new(&source, 1.0, 1)), own);
    let noisy = places(&Perturbed::new(&source, 0.3, 1));
    assert!(noisy.iter().all(|place| (0.0..=99.0).contains(place) && place.fract() == 0.0));
    // 307 expected: three tenths are kept, and noise hits one value in a hundred.
    let kept = noisy.iter().zip(&own).filter(|(a, b)| a == b).count();
    assert!((240..380).contains(&kept), "{kept}");
    assert_eq!(noisy, places(&Perturbed::new(&source, 0.3, 1)));
    assert_ne!(noisy, places(&Perturbed::new(&source, 0.3, 2)));
    assert_eq!(Perturbed::new(&source, 0.0, 1).estimate(&Query::new(vec![], (0.0, 9.0))), None);
}

/// The mean of the estimates of many perturbed tables is the true answer.
#[test]
fn the_inversion_is_unbiased() {
    let source = people(400);
    let queries = Workload { queries: 5, s: 0.2, ..Workload::new(2) };
    let answers = Answers::new(queries, &source, Monitor::silent()).unwrap();
    const TABLES: u64 = 4000;
    let mut sums = [0.0; 5];
    let mut squares = [0.0; 5];
    for seed in 0..TABLES {
        let table = Perturbed::new(&source, 0.2, seed);
        for (at, query) in answers.queries.iter().enumerate() {
            let estimate = table.estimate(query).unwrap();
            sums[at] += estimate;
            squares[at] += estimate * estimate;
        }
    }
    for at in 0..5 {
        let mean = sums[at] / TABLES as f64;
        let spread = (squares[at] / TABLES as f64 - mean * mean).sqrt() / (TABLES as f64).sqrt();
        // Five standard errors.
        assert!((mean - answers.actual[at] as f64).abs() < 5.0 * spread, "{mean} {:?} {spread}", answers.actual[at]);
    }
}
