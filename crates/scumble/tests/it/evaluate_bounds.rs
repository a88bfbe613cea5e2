//! Widths of bounds of permuted releases, and beside them those of other groups under the same requirement.

use crate::steps::{Heard, Say, job, publish, refusal, source_rows};
use scumble::{
    BoundLine, BoundsFacts, BoundsRequest, Column, ColumnRole, Context, EvaluateRequest, Evaluation, FromFile, Job,
    Method, Monitor, Release, Result, Source, evaluation_page,
};
use scumble_answer::Aggregate;
use scumble_measure::{Bounding, Comparison, Selection};
use std::path::{Path, PathBuf};

const ALL: [&str; 8] =
    ["expected-width", "min-sum", "min-max", "min-max-overlap", "max-groups", "random", "mondrian", "rank-swap"];

/// People with an age, a city, a rank, a loss, no two the same where asked so, and a debt.
struct TestDir {
    folder: tempfile::TempDir,
    file: PathBuf,
}

impl TestDir {
    fn new(n: u64, loss: impl Fn(u64) -> u64) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("data.csv");
        let line = |i: u64| {
            let (city, rank) =
                (["Ghent", "Porto", "Turku"][(i * i % 3) as usize], ["low", "mid", "top"][(i % 3) as usize]);
            format!("{},{city},{rank},{},{}\n", 18 + i * 31 % 60, loss(i), i * 7 % 101)
        };
        let header = "age,city,rank,loss,debt\n".to_string();
        std::fs::write(&file, std::iter::once(header).chain((0..n).map(line)).collect::<String>()).unwrap();
        TestDir { folder, file }
    }

    fn publish(&self, out: &str, requirements: &[&str], change: impl Fn(&mut Job)) -> PathBuf {
        let job = job(&self.file, self.folder.path().join(out)).quasi(["age", "city"]).sensitive(["loss"]).drop_rest();
        let seeded = |job: &mut Job| (job.publish.seed, job.publish.insecure_seed) = (Some(3), true);
        publish(&job.requiring(requirements).but(seeded).but(change)).unwrap().release
    }

    fn request(&self, algorithms: &[&str]) -> EvaluateRequest {
        let algorithms = algorithms.iter().map(ToString::to_string).collect();
        let bounds = BoundsRequest { algorithms, spans: vec![5.0, 30.0], ..BoundsRequest::new() };
        EvaluateRequest { queries: 60, w: vec![2], bounds: Some(bounds), ..EvaluateRequest::new() }
    }

    fn evaluate(&self, release: &Path, request: &EvaluateRequest, context: &Context) -> Result<Evaluation> {
        let release = Release::open(release)?;
        let rows = source_rows(&release, &Source::file(&self.file), None)?;
        scumble::evaluate(&release, &rows, request, context)
    }

    fn bounds(&self, release: &Path, algorithms: &[&str]) -> BoundsFacts {
        self.evaluate(release, &self.request(algorithms), &Context::new()).unwrap().bounds.unwrap()
    }

    fn refusal(&self, release: &Path, algorithms: &[&str]) -> String {
        refusal(self.evaluate(release, &self.request(algorithms), &Context::new()))
    }
}

/// 400 losses, no two the same.
fn different() -> TestDir {
    TestDir::new(400, |i| i * 2_671 % 7_919)
}

fn names(facts: &BoundsFacts) -> Vec<&str> {
    facts.lines.iter().map(|line| line.name.as_str()).collect()
}

fn line<'a>(facts: &'a BoundsFacts, name: &str) -> &'a BoundLine {
    facts.lines.iter().find(|line| line.name == name).unwrap()
}

fn means(line: &BoundLine) -> Vec<f64> {
    line.asked().map(|asked| asked.widths.mean.unwrap()).collect()
}

#[test]
fn every_algorithm_is_measured_on_the_same_rows() {
    let dir = different();
    let release = dir.publish("release", &["ke-anonymity(4, 100)"], |_| {});
    let facts = dir.bounds(&release, &["all"]);
    assert_eq!(names(&facts), [&["release", "generalized"], &ALL[..]].concat());
    assert_eq!(facts.requirement.as_deref(), Some("ke-anonymity(4, 100)"));
    for line in &facts.lines {
        assert_eq!((line.arbitrary.len(), line.ranges.len()), (5, 2));
        for (asked, first) in line.asked().zip(facts.lines[0].asked()) {
            assert_eq!((asked.size, asked.span), (first.size, first.span));
            assert_eq!((asked.widths.questions, asked.widths.without_answer), (first.widths.questions, 0));
            assert_eq!(asked.widths.outside, 0, "{}: the truth is within", line.name);
        }
    }
    // The release has the same groups as the algorithm by which it was published, since no tie was left to its coins.
    assert_eq!(line(&facts, "release").ranges, line(&facts, "expected-width").ranges);
    // Contiguous groups are narrow, others are not. Mondrian may cut at the very ends of ranges, so it is compared by
    // arbitrary questions only.
    let narrow = means(line(&facts, "expected-width"));
    for (name, n) in [("random", 7), ("mondrian", 5)] {
        let wide = means(line(&facts, name));
        assert!(narrow.iter().zip(&wide).take(n).all(|(a, b)| 2.0 * a < *b), "{name}: {narrow:?} {wide:?}");
    }
    // Another order of names changes the order of lines and nothing else, and one seed gives one answer.
    let two = dir.bounds(&release, &["random", "min-sum", "random"]);
    assert_eq!(names(&two), ["release", "generalized", "random", "min-sum"]);
    assert_eq!(two.lines[2..], [line(&facts, "random").clone(), line(&facts, "min-sum").clone()]);
    let mut request = dir.request(&["random"]);
    request.seed = 8;
    let other = dir.evaluate(&release, &request, &Context::new()).unwrap();
    assert_ne!(line(other.bounds.as_ref().unwrap(), "random"), line(&facts, "random"));
    let page = evaluation_page(&other);
    assert!(page.contains("groups of the source in a random order, for comparison"), "{page}");
}

#[test]
fn permuted_bounds_are_inside_those_of_the_same_groups_generalized() {
    let dir = TestDir::new(300, |i| i * i % 83 * 10);
    for (out, requirement) in [("a", "ke-anonymity(4, 100)"), ("b", "ke-anonymity(12, 300)")] {
        let release = dir.publish(out, &[requirement], |job| job.publish.method = Some(Method::Permute));
        let facts = dir.bounds(&release, &[]);
        assert_eq!((names(&facts), &facts.requirement), (vec!["release", "generalized"], &None));
        let opened = Release::open(&release).unwrap();
        let rows = source_rows(&opened, &Source::file(&dir.file), None).unwrap();
        let data = opened.data(&Context::new()).unwrap();
        let comparison = Comparison::read(data, &rows, None, Monitor::silent()).unwrap();
        let range = comparison.range_column(Some("age")).unwrap();
        let (grouped, truth) = comparison.grouped(range, Monitor::silent()).unwrap();
        let inside = |exact: &dyn Bounding, boxed: &dyn Bounding| {
            let mut narrower = 0;
            for aggregate in [Aggregate::Avg, Aggregate::Sum] {
                let mut check = |a: Option<(f64, f64)>, b: Option<(f64, f64)>| {
                    let ((a, b), (c, d)) = (a.unwrap(), b.unwrap());
                    assert!(c <= a + 1e-9 && a <= b && b <= d + 1e-9, "{aggregate:?} {:?}", (a, b, c, d));
                    narrower += usize::from(b - a < d - c - 1e-9);
                };
                for from in 18..70 {
                    for span in [0, 5, 30] {
                        let range = (f64::from(from), f64::from(from + span));
                        check(
                            exact.range_bounds(aggregate, range).unwrap(),
                            boxed.range_bounds(aggregate, range).unwrap(),
                        );
                    }
                }
                for step in 1..40 {
                    let mut people = Selection::none(truth.n_people());
                    (0..truth.n_people()).step_by(step).for_each(|person| people.add(person));
                    check(
                        exact.people_bounds(aggregate, &people).unwrap(),
                        boxed.people_bounds(aggregate, &people).unwrap(),
                    );
                }
            }
            narrower
        };
        assert!(inside(&grouped.exact(), &grouped.boxed()) > 100);
        let (exact, boxed) = (means(line(&facts, "release")), means(line(&facts, "generalized")));
        assert!(exact.iter().zip(&boxed).all(|(a, b)| a < b), "{exact:?} {boxed:?}");
    }
}

#[test]
fn other_forms_and_columns_are_compared_too() {
    let dir = different();
    // Each sensitive column has groups of its own; the one that is asked about counts.
    let release = dir.publish("apart", &["loss: ke-anonymity(4, 100)", "debt: ke-anonymity(9, 2.5)"], |job| {
        job.columns.push(("debt".into(), Column::new(ColumnRole::Sensitive)));
    });
    let mut request = dir.request(&["all"]);
    request.sensitive = Some("debt".into());
    let facts = dir.evaluate(&release, &request, &Context::new()).unwrap().bounds.unwrap();
    assert_eq!(facts.requirement.as_deref(), Some("debt: ke-anonymity(9, 2.5)"));
    assert_eq!(facts.lines.len(), 10);
    // A generalized release whose columns have an order and a hierarchy, which Mondrian uses.
    let file = |name: &str, text: &str| {
        let path = dir.folder.path().join(name);
        std::fs::write(&path, text).unwrap();
        path
    };
    let tree = file("cities.csv", "Ghent;west;*\nPorto;west;*\nTurku;north;*\n");
    let order = file("ranks.txt", "low\nmid\ntop\n");
    let release = dir.publish("boxes", &["ke-anonymity(20, 100)"], |job| {
        job.publish.method = Some(Method::Generalize);
        job.column_mut("city").hierarchy = Some(FromFile::file(&tree));
        let order = Some(FromFile::file(&order));
        job.columns.push(("rank".into(), Column { order, ..Column::new(ColumnRole::Quasi) }));
    });
    let facts = dir.bounds(&release, &["mondrian", "min-sum"]);
    assert_eq!(names(&facts), ["release", "mondrian", "min-sum"]);
    // Boxes of Mondrian answer less than the people of such groups would.
    let (boxes, exact) = (&line(&facts, "release").ranges, &line(&facts, "mondrian").ranges);
    assert!(boxes.iter().zip(exact).all(|(a, b)| a.widths.mean > b.widths.mean), "{boxes:?} {exact:?}");
}

#[test]
fn what_cannot_be_compared_is_refused() {
    let dir = different();
    let release = dir.publish("k", &["k-anonymity(5)"], |job| job.publish.method = Some(Method::Permute));
    assert_eq!(
        dir.refusal(&release, &["min-sum"]),
        "algorithms: the release states no (k, e)-anonymity on `loss`, which all of them are compared by; hint: leave \
         `algorithms` out for other releases"
    );
    let release = dir.publish("ke", &["ke-anonymity(4, 100)"], |_| {});
    assert!(dir.refusal(&release, &["min-som"]).contains("did you mean `min-sum`?"));
}

#[test]
fn an_algorithm_that_the_data_is_too_large_for_is_left_out_of_all() {
    // One group only may hold all of 9,000 numbers: 40 million pairs of them.
    let dir = TestDir::new(9_000, |i| i);
    let release = dir.publish("release", &["ke-anonymity(2, 5400)"], |_| {});
    let (heard, context) = Heard::listen();
    let mut request = dir.request(&["all"]);
    (request.queries, request.w) = (5, vec![2]);
    let facts = dir.evaluate(&release, &request, &context).unwrap().bounds.unwrap();
    assert_eq!(facts.lines.len(), 9);
    assert!(!names(&facts).contains(&"min-max-overlap"));
    let heard = heard.warnings();
    let words = "one of all algorithms is left out: `algorithms` `min-max-overlap`";
    assert!(heard.len() == 1 && heard[0].starts_with(words), "{heard:?}");
    let error = dir.refusal(&release, &["all", "min-max-overlap"]);
    assert!(error.starts_with("algorithms `min-max-overlap`: it would look at 4") && error.contains("takes at most"));
}
