use super::*;
use crate::{Cancellation, Job, Source};
use scumble_io::{FromFile, read_matrix};
use scumble_principle::LoadedDistance;
use std::io::Cursor;
use std::path::{Path, PathBuf};

mod search;

/// The syndromes of the paper's Table I.
const TABLE_1: &str = "allergy,asthma,myocarditis\n\
    0.8,0.0,0.0\n0.6,0.4,0.4\n0.7,0.1,0.1\n1.0,0.2,0.2\n0.1,0.9,0.9\n\
    0.2,0.5,0.2\n0.8,0.1,0.9\n0.4,0.3,0.5\n0.6,0.9,0.3\n1.0,0.7,0.7\n";

const MIN: &str = "min(allergy:range(0, 1), asthma:range(0, 1), myocarditis:range(0, 1))";

fn decimal(text: &str) -> Decimal {
    Decimal::parse(text).unwrap()
}

fn ask(
    csv: &str,
    distance: &str,
    epsilon: &str,
    k: u64,
    change: impl Fn(&mut DissimilarityRequest),
) -> Result<DissimilarityAdvice> {
    let job = Job::new().sensitive(csv.lines().next().unwrap().split(','));
    ask_of(csv, &job, distance, epsilon, k, change)
}

/// The same of columns that are read as a job says.
fn ask_of(
    csv: &str,
    job: &Job,
    distance: &str,
    epsilon: &str,
    k: u64,
    change: impl Fn(&mut DissimilarityRequest),
) -> Result<DissimilarityAdvice> {
    let context = Context::new();
    let table = Source::reader(Cursor::new(csv.to_string())).read(job, &context)?;
    let ruler = LoadedDistance::new(distance.parse()?, |file| read_matrix(Path::new(file)))?;
    let mut request = DissimilarityRequest::new(ruler, decimal(epsilon), k);
    change(&mut request);
    advise_dissimilarity(&table, &request, &context)
}

fn lines(csv: &str, rows: std::ops::Range<usize>) -> String {
    let mut lines = csv.lines();
    let head = lines.next().unwrap().to_string();
    std::iter::once(head.as_str()).chain(lines.skip(rows.start).take(rows.len())).collect::<Vec<_>>().join("\n")
}

#[test]
fn paper2_table1_first_group() {
    let group = lines(TABLE_1, 0..5);
    let advice = ask(&group, MIN, "0.1", 5, |_| {}).unwrap();
    assert_eq!((advice.rows, advice.values, advice.max_degree, advice.neighbours), (5, 5, 3, "bits"));
    assert_eq!(advice.classes, ClassFacts { count: 1, size: 5, larger: 0 });
    // The third value is near three of four others: the risk is 3/4, and delta 1/4 is the best there is.
    assert_eq!(
        (advice.guaranteed_delta, advice.infeasible_delta, advice.status),
        (0.25, Some(0.2501), Status::Unknown)
    );
    assert_eq!(advice.reach, Reach { from: 0.25, to: 0.25 });
    assert_eq!((advice.clique.rows, advice.clique.values), (2, 2));
    for (delta, status, allowed) in [
        ("0", Status::Guaranteed, 4),
        ("0.25", Status::Guaranteed, 3),
        ("0.2500001", Status::Infeasible, 2),
        ("0.8", Status::Infeasible, 0),
    ] {
        let advice = ask(&group, MIN, "0.1", 5, |r| r.delta = Some(decimal(delta))).unwrap();
        assert_eq!((advice.status, advice.allowed), (status, Some(allowed)), "{delta}");
        assert!(advice.verdict().contains(if status == Status::Infeasible { "cannot" } else { "can be had" }));
    }
    // Example 4: two classes of three and two rows without neighbours exist, and nothing rules them out.
    let advice = ask(&group, MIN, "0.1", 2, |r| r.delta = Some(decimal("1"))).unwrap();
    assert_eq!(advice.classes, ClassFacts { count: 2, size: 2, larger: 1 });
    assert_eq!((advice.status, advice.equitable_ruled_out, advice.allowed), (Status::Unknown, Some(false), Some(0)));
    assert_eq!((advice.clique.equitable_capacity, advice.clique.any_capacity), (Some(2), Some(2)));
}

#[test]
fn paper2_table1_second_group_and_the_whole() {
    let advice = ask(&lines(TABLE_1, 5..10), MIN, "0.1", 5, |_| {}).unwrap();
    assert_eq!((advice.max_degree, advice.guaranteed_delta, advice.infeasible_delta), (1, 0.75, Some(0.7501)));
    let advice = ask(TABLE_1, MIN, "0.1", 5, |r| r.delta = Some(decimal("0.8"))).unwrap();
    assert_eq!((advice.rows, advice.max_degree, advice.classes.count, advice.allowed), (10, 6, 2, Some(0)));
    // Four rows are near one another, and two classes hold one each.
    assert_eq!((advice.clique.rows, advice.clique.equitable_capacity), (4, Some(2)));
    assert_eq!((advice.status, advice.infeasible_delta), (Status::Infeasible, Some(0.7501)));
    assert_eq!(advice.requirement().as_deref(), Some("dissimilarity(0.1, 0.8, 5)"));
    assert!(advice.verdict().contains("4 rows have values that are near one another"), "{}", advice.verdict());
}

/// A column of `n` rows in which each label has its given number of rows.
fn labels(counts: &[usize]) -> String {
    let label = |(at, &count): (usize, &usize)| format!("l{at}\n").repeat(count);
    format!("x\n{}", counts.iter().enumerate().map(label).collect::<String>())
}

#[test]
fn equal_classes_may_be_ruled_out_where_others_are_not() {
    // 15 of 110 rows are equal. Ten or eleven classes of ten allow no neighbour; ten groups of eleven allow one each.
    let mut counts = vec![15];
    counts.extend([1; 95]);
    let advice = ask(&labels(&counts), "equal", "0", 10, |r| r.delta = Some(decimal("0.9"))).unwrap();
    assert_eq!((advice.max_degree, advice.allowed, advice.classes.count), (14, Some(0), 11));
    assert_eq!((advice.clique.rows, advice.clique.values), (15, 1));
    assert_eq!((advice.clique.equitable_capacity, advice.clique.any_capacity), (Some(11), Some(20)));
    assert_eq!(
        (advice.status, advice.equitable_ruled_out, advice.better_size),
        (Status::Unknown, Some(true), Some(11))
    );
    let words = advice.verdict();
    assert!(
        words.contains("Classes of equal sizes are ruled out") && words.contains("those of 11 rows hold the most"),
        "{words}"
    );
    // One more than groups of eleven can hold.
    counts[0] = 21;
    counts.truncate(90);
    let advice = ask(&labels(&counts), "equal", "0", 10, |r| r.delta = Some(decimal("0.9"))).unwrap();
    assert_eq!((advice.rows, advice.status, advice.equitable_ruled_out), (110, Status::Infeasible, Some(false)));
    assert_eq!(advice.better_size, None);
}

#[test]
fn edges() {
    let one_value = labels(&[12]);
    // All equal: nothing above 0, at any epsilon; with one group and with several.
    for k in [1, 2, 4, 7, 12] {
        let advice = ask(&one_value, "equal", "0", k, |_| {}).unwrap();
        assert_eq!((advice.values, advice.max_degree, advice.guaranteed_delta), (1, 11, 0.0), "{k}");
        assert_eq!(advice.infeasible_delta, Some(0.0001), "{k}");
        assert_eq!(advice.status, Status::Unknown);
        let advice = ask(&one_value, "equal", "0", k, |r| r.delta = Some(decimal("0"))).unwrap();
        assert_eq!((advice.status, advice.guaranteed_degree), (Status::Guaranteed, Some(11)));
        let advice = ask(&one_value, "equal", "0", k, |r| r.delta = Some(decimal("1"))).unwrap();
        assert_eq!(advice.status, Status::Infeasible);
    }
    // All different: everything, unless epsilon reaches from one to the other.
    let distinct = labels(&[1; 12]);
    let advice = ask(&distinct, "equal", "0.99", 3, |_| {}).unwrap();
    assert_eq!((advice.max_degree, advice.guaranteed_delta, advice.status), (0, 1.0, Status::Guaranteed));
    assert_eq!((advice.infeasible_delta, advice.reach), (None, Reach { from: 1.0, to: 1.0 }));
    let advice = ask(&distinct, "equal", "1", 3, |_| {}).unwrap();
    assert_eq!((advice.max_degree, advice.infeasible_delta), (11, Some(0.0001)));
    // A group of one never passes, so k = 1 is k = 2.
    let advice = ask(&distinct, "equal", "0", 1, |_| {}).unwrap();
    assert_eq!((advice.k, advice.classes), (1, ClassFacts { count: 6, size: 2, larger: 0 }));
    // 11 rows and k = 6: one class of all of them.
    let advice = ask(&labels(&[1; 11]), "equal", "0", 6, |_| {}).unwrap();
    assert_eq!(advice.classes, ClassFacts { count: 1, size: 11, larger: 0 });
    let advice = ask(&labels(&[1; 11]), "equal", "0", 3, |_| {}).unwrap();
    assert_eq!(advice.classes, ClassFacts { count: 3, size: 3, larger: 2 });
}

#[test]
fn every_measure_is_taken_and_missing_values_are_far() {
    let advice = ask("x\n1\n2\n\n\n9\n", "range", "0.2", 5, |_| {}).unwrap();
    assert_eq!((advice.max_degree, advice.distance.as_str()), (1, "range(1, 9)"));
    let advice = ask("x\n1\n2\n500\n501\n", "rank", "0.34", 4, |_| {}).unwrap();
    assert_eq!(advice.max_degree, 2);
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str, text: &str| -> PathBuf {
        std::fs::write(folder.path().join(name), text).unwrap();
        folder.path().join(name)
    };
    let colours = "x\nred\npink\nblue\nnavy\n";
    let mut job = Job::new().sensitive(["x"]);
    let tree = file("tree.csv", "red;warm;*\npink;warm;*\nblue;cold;*\nnavy;cold;*\n");
    job.column_mut("x").hierarchy = Some(FromFile::file(tree));
    assert_eq!(ask_of(colours, &job, "tree", "0.5", 4, |_| {}).unwrap().max_degree, 1);
    let mut job = Job::new().sensitive(["x"]);
    job.column_mut("x").order = Some(FromFile::file(file("order.csv", "navy\nblue\npink\nred\n")));
    assert_eq!(ask_of(colours, &job, "rank", "0.67", 4, |_| {}).unwrap().max_degree, 3);
    let pairs = "red,pink,0.1\nred,blue,0.9\nred,navy,1\npink,blue,0.7\npink,navy,0.8\nblue,navy,0.05\n";
    let matrix = format!("x:matrix:{}", file("matrix.csv", pairs).display());
    assert_eq!(ask(colours, &matrix, "0.7", 4, |_| {}).unwrap().max_degree, 2);
    let lacks = format!("matrix:{}", file("lacks.csv", "red,pink,0.1\n").display());
    let error = ask(colours, &lacks, "0.7", 4, |_| {}).unwrap_err().to_string();
    assert!(error.contains("there is no distance for this pair"), "{error}");
}

#[test]
fn every_cell_of_the_trade_off_is_the_answer_to_its_question() {
    let csv = "pay,work\n1,a\n1,b\n2,a\n3,c\n3,a\n5,b\n8,c\n9,a\n12,b\n13,c\n20,a\n40,a\n41,b\n";
    let distance = "l2(pay:range*0.7, work:equal*0.3)";
    let trade_off = ask(csv, distance, "0.07", 3, |_| {}).unwrap().trade_off.unwrap();
    let epsilons: Vec<&str> = trade_off.iter().map(|at| at.epsilon.as_str()).collect();
    assert_eq!(epsilons, ["0", "0.02", "0.05", "0.07", "0.08", "0.1", "0.12", "0.15", "0.2", "0.25", "0.3"]);
    for at in &trade_off {
        assert_eq!(at.by_k.iter().map(|at| at.k).collect::<Vec<_>>(), [3, 5, 10], "15 and 20 are more than 13 rows");
        for cell in &at.by_k {
            let one = ask(csv, distance, &at.epsilon, cell.k, |_| {}).unwrap();
            assert_eq!((one.max_degree, one.clique.rows), (at.max_degree, at.clique_rows));
            assert_eq!((one.guaranteed_delta, one.infeasible_delta), (cell.guaranteed_delta, cell.infeasible_delta));
            assert_eq!(one.guaranteed_delta_exact, cell.guaranteed_delta_exact);
        }
    }
    let asked = |r: &mut DissimilarityRequest| r.delta = Some(decimal("0.5"));
    assert_eq!(ask(csv, distance, "0.07", 3, asked).unwrap().trade_off, None);
    let both = |r: &mut DissimilarityRequest| (r.delta, r.trade_off) = (Some(decimal("0.5")), true);
    assert_eq!(ask(csv, distance, "0.07", 3, both).unwrap().trade_off, Some(trade_off));
}

#[test]
fn wrong_requests_are_refused() {
    let csv = "pay,work\n1,a\n2,b\n3,c\n";
    let both = "l1(pay:range, work:equal)";
    type Change = fn(&mut DissimilarityRequest);
    let cases: [(&str, &str, u64, Change, &str); 12] = [
        (both, "0.1", 0, |_| {}, "k `0`: it must be a whole number, 1 or more"),
        (both, "-0.1", 2, |_| {}, "epsilon `-0.1`: it must be a number, 0 or more"),
        (both, "0.1", 2, |r| r.delta = Decimal::parse("1.01"), "delta `1.01`: it must be a number from 0 to 1"),
        (both, "0.1", 2, |r| r.delta = Decimal::parse("-1"), "delta `-1`: it must be a number from 0 to 1"),
        ("pay:range", "0.1", 2, |_| {}, "it says nothing of the sensitive column `work`; hint: add a part for it"),
        (
            "range",
            "0.1",
            2,
            |_| {},
            "`range` does not say which sensitive column it is about; hint: such as `pay:range`",
        ),
        (
            "l1(pay:range, wrk:equal)",
            "0.1",
            2,
            |_| {},
            "`wrk` is none of the sensitive columns; hint: did you mean `work`?",
        ),
        ("l1(pay:range, work:rank)", "0.1", 2, |_| {}, "`rank` needs an order, and the labels of `work` have none"),
        ("l1(pay:range, work:range)", "0.1", 2, |_| {}, "`range` measures numbers and dates, and `work` is nominal"),
        ("l1(pay:tree, work:equal)", "0.1", 2, |_| {}, "`tree` needs a hierarchy of `pay`"),
        ("l1(pay:rank, work:matrix:/no/such)", "0.1", 2, |_| {}, "/no/such: there is no such file"),
        (both, "0.1", 4, |_| {}, "`dissimilarity(0.1, 0, 4)`: there are 3 rows; hint: k can be 3 at most"),
    ];
    for (distance, epsilon, k, change, said) in cases {
        let error = ask(csv, distance, epsilon, k, change).unwrap_err();
        assert!(error.to_string().contains(said), "{error}");
        let code = match &error {
            Error::Infeasible { .. } => 1,
            Error::Io { .. } => 3,
            _ => 2,
        };
        assert_eq!(error.exit_code(), code, "{error}");
    }
    let request = DissimilarityRequest::new(
        LoadedDistance::new("pay:range".parse().unwrap(), |_| unreachable!()).unwrap(),
        decimal("0"),
        2,
    );
    for (names, said) in
        [(&[][..], "no sensitive column is named"), (&["pay", "pay"], "sensitive `pay`: the column is named twice")]
    {
        let error = request.check(names).unwrap_err().to_string();
        assert!(error.contains(said), "{error}");
    }
    let error = ask_of(csv, &Job::new().quasi(["pay", "work"]), both, "0.1", 2, |_| {}).unwrap_err().to_string();
    assert!(error.contains("no sensitive column is named"), "{error}");
    let error = ask("x\n5\n", "range", "0.1", 1, |_| {}).unwrap_err();
    assert!(error.to_string().contains("there is one row") && error.exit_code() == 1, "{error}");
    let error = ask("x\n", "equal", "0.1", 1, |_| {}).unwrap_err();
    assert!(error.to_string().contains("there are no rows below the header"), "{error}");
}

#[test]
fn cancelled_work_gives_nothing() {
    let (context, cancellation) = (Context::new(), Cancellation::default());
    let job = Job::new().sensitive(["allergy", "asthma", "myocarditis"]);
    let table = Source::reader(TABLE_1.as_bytes()).read(&job, &context).unwrap();
    let ruler = LoadedDistance::new(MIN.parse().unwrap(), |_| unreachable!()).unwrap();
    cancellation.cancel();
    let context = context.with_cancellation(cancellation);
    let advice = advise_dissimilarity(&table, &DissimilarityRequest::new(ruler, decimal("0.1"), 5), &context);
    assert_eq!(advice, Err(Error::Cancelled));
}

#[test]
fn the_page_says_whose_it_is() {
    let change = |r: &mut DissimilarityRequest| (r.delta, r.trade_off) = (Some(decimal("0.8")), true);
    let html = ask(TABLE_1, MIN, "0.1", 5, change).unwrap().page();
    for words in ["not for publication", "cannot be had", "<svg", "dissimilarity(0.1, 0.8, 5)", "k = 10", "0.7501"] {
        assert!(html.contains(words), "{words}");
    }
    assert!(!html.contains("<script") && !html.contains("http://") && html.matches("<figure>").count() == 2);
}
