//! Count queries about several sensitive columns at once.

use crate::common::case::Case;
use crate::common::{Maker, read_source};
use scumble_measure::{Answers, Axis, Comparison, Estimator, Predicate, Query, Workload};
use scumble_release::{Draft, ReleaseData, ReleaseReader};
use scumble_table::{Kind, Monitor, Role};

/// A number, another one with nulls, and a label, all sensitive.
fn maker(n: usize, size: usize) -> Maker {
    let mut maker = Maker::people(n);
    maker.pay();
    maker.debt(Kind::Number);
    maker.columns.push(("mood".into(), Role::Sensitive, Kind::Nominal));
    for (at, row) in maker.rows.iter_mut().enumerate() {
        row.push(["good", "bad", "so so"][at * at % 3].into());
    }
    maker.requirements = vec!["k-anonymity(1)".into()];
    maker.groups = (0..n).map(|row| Some((row / size) as u32)).collect();
    maker
}

fn compared(release: &Draft, maker: &Maker) -> scumble_table::Result<Comparison> {
    let case = Case::write(release, maker);
    let data = ReleaseData::read(ReleaseReader::open(&case.dir()).unwrap(), Monitor::silent()).unwrap();
    Comparison::read_all(&data, &read_source(&case.home.path().join("source.csv")), Monitor::silent())
}

fn asked(comparison: &Comparison, w: usize) -> Answers {
    let workload = Workload { qs: 2, s: 0.4, queries: 300, ..Workload::new(w) };
    Answers::new(workload, &comparison.source.as_ref().unwrap().microdata, Monitor::silent()).unwrap()
}

#[test]
fn whoever_stands_alone_is_counted_exactly() {
    let maker = maker(48, 1);
    let all: Vec<usize> = (0..3).collect();
    let alone: Vec<u32> = (0..48).collect();
    for release in [maker.release(), maker.anatomized(), maker.permuted(), maker.angelized(1, &[(all, alone)])] {
        let comparison = compared(&release, &maker).unwrap();
        for w in 3..=5 {
            let answers = asked(&comparison, w);
            assert!(answers.without_answer() < 250 && answers.mean_answer().is_some());
            let found = match &comparison.estimator {
                Estimator::Generalized(table) => {
                    <[_; 2]>::from(answers.generalization_errors(table, Monitor::silent()).unwrap()).to_vec()
                }
                Estimator::Anatomy(table) => vec![answers.anatomy_errors(table, Monitor::silent()).unwrap()],
                Estimator::Angel(tables) => {
                    <[_; 2]>::from(answers.angel_errors(tables, Monitor::silent()).unwrap()).to_vec()
                }
            };
            assert!(found.iter().all(|errors| errors.is_some_and(|errors| errors.mean < 1e-12)), "{found:?}");
        }
    }
}

/// The rows of the maker that suit what a query wants of some columns.
fn suits(maker: &Maker, row: usize, axes: &[&Axis], wanted: &[(usize, Predicate)]) -> bool {
    wanted.iter().all(|(at, predicate)| {
        let column = maker.columns.iter().position(|known| known.0 == axes[*at].name).unwrap();
        let text = &maker.rows[row][column];
        let place = match maker.columns[column].2 {
            Kind::Number => text.parse().unwrap_or(f64::NAN),
            // Labels lie on their axis in the order of the alphabet.
            _ => {
                let mut labels: Vec<&String> = maker.rows.iter().map(|row| &row[column]).collect();
                labels.sort();
                labels.dedup();
                labels.iter().position(|label| *label == text).unwrap() as f64
            }
        };
        predicate.holds(place)
    })
}

#[test]
fn groups_answer_by_the_share_of_their_combinations() {
    let maker = maker(48, 4);
    for release in [maker.anatomized(), maker.permuted()] {
        let comparison = compared(&release, &maker).unwrap();
        let Estimator::Anatomy(table) = &comparison.estimator else { panic!("exact quasi-identifiers") };
        let source = &comparison.source.as_ref().unwrap().microdata;
        let quasi: Vec<&Axis> = source.quasi().iter().map(|column| column.axis()).collect();
        let sensitive: Vec<&Axis> = source.sensitive_columns().iter().map(|column| column.axis()).collect();
        assert_eq!(sensitive.iter().map(|axis| axis.name.as_str()).collect::<Vec<_>>(), ["pay", "debt", "mood"]);
        let answers = asked(&comparison, 4);
        let rows = |query: &Query, group: usize| {
            let members = group * 4..group * 4 + 4;
            let hits = members.clone().filter(|&row| suits(&maker, row, &quasi, &query.quasi)).count();
            (hits, members.filter(|&row| suits(&maker, row, &sensitive, &query.sensitive)).count())
        };
        let mut marks = Vec::new();
        for (query, &actual) in answers.queries.iter().zip(&answers.actual) {
            let naive: f64 =
                (0..12).map(|group| rows(query, group)).map(|(hits, wanted)| (hits * wanted) as f64 / 4.0).sum();
            assert!((table.estimate(query, &mut marks) - naive).abs() < 1e-9, "{query:?}");
            let whole = |row: &usize| {
                suits(&maker, *row, &quasi, &query.quasi) && suits(&maker, *row, &sensitive, &query.sensitive)
            };
            assert_eq!(actual, (0..48).filter(whole).count() as u64);
        }
        assert!(answers.queries.iter().any(|query| query.sensitive.iter().all(|wanted| wanted.0 > 0)));
    }
}

#[test]
fn columns_that_move_apart_have_no_combinations() {
    let maker = maker(48, 4);
    let pairs: Vec<Option<u32>> = (0..48).map(|row| Some(row / 6)).collect();
    let apart = maker.permuted_apart(&[&maker.groups, &pairs, &maker.groups]);
    let error = compared(&apart, &maker).err().unwrap();
    assert!(error.to_string().contains("qs") && error.to_string().contains("groups of its own"), "{error}");
    assert_eq!(error.exit_code(), 2);
}
