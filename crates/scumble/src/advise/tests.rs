use super::*;
use crate::{Cancellation, Job, Source};

fn ask(csv: &str, change: impl Fn(&mut AdviseRequest)) -> Result<Advice> {
    let context = Context::new();
    let job = Job::new().sensitive(["pay"]).drop_rest();
    let table = Source::reader(std::io::Cursor::new(csv.to_string())).read(&job, &context)?;
    let mut request = AdviseRequest::new("pay");
    change(&mut request);
    advise(&table, &request, &context)
}

const TABLE_1: &str = "pay\n1000\n1010\n1020\n16000\n24000\n31000\n33000\n50000\n";

fn decimal(text: &str) -> Option<Decimal> {
    Decimal::parse(text)
}

#[test]
fn paper1_running_example() {
    let advice = ask(TABLE_1, |r| r.epsilon = decimal("20")).unwrap();
    assert_eq!((advice.rows, advice.missing, advice.maxsize, advice.m_max), (8, 0, Some(3), Some(2)));
    assert!(advice.bounds.is_none() && advice.achievable.is_none() && advice.curve.is_none());

    let advice = ask(TABLE_1, |r| r.m = Some(3)).unwrap();
    let bounds = advice.bounds.clone().unwrap();
    assert_eq!((bounds.epsilon_supremum.as_deref(), bounds.epsilon_largest.as_deref()), (Some("20"), Some("19")));
    assert_eq!(bounds.relative_supremum.as_deref(), Some("0.019607843137"));
    assert_eq!(bounds.relative_supremum_exact.as_deref(), Some("1/51"));
    assert_eq!(bounds.relative_largest.as_deref(), Some("0.0196"));
    assert_eq!(advice.maxsize, None);
}

#[test]
fn what_does_not_go_together_has_a_nearest_each_way() {
    let advice = ask(TABLE_1, |r| (r.epsilon, r.m) = (decimal("20"), Some(3))).unwrap();
    assert_eq!(advice.achievable, Some(false));
    assert_eq!(advice.requirement().as_deref(), Some("proximity-absolute(20, 3)"));
    let nearest = advice.nearest.unwrap();
    assert_eq!((nearest.m, nearest.epsilon.as_deref()), (2, Some("19")));
    assert_eq!(nearest.requirements, ["proximity-absolute(20, 2)", "proximity-absolute(19, 3)"]);

    let advice = ask(TABLE_1, |r| (r.relative, r.m) = (decimal("0.0196"), Some(3))).unwrap();
    assert_eq!((advice.achievable, advice.nearest), (Some(true), None));
    let advice = ask(TABLE_1, |r| (r.relative, r.m) = (decimal("0.5"), Some(9))).unwrap();
    let nearest = advice.nearest.unwrap();
    assert_eq!((nearest.m, nearest.epsilon.as_deref()), (2, None));
    assert_eq!(nearest.requirements, ["proximity-relative(0.5, 2)"]);
}

#[test]
fn an_m_that_goes_with_no_epsilon_names_the_largest() {
    // Three of eight rows are equal, so there must be three groups, and one of them has two rows only.
    let ties = "pay\n5\n5\n5\n7\n8\n9\n10\n11\n";
    for (csv, m, most) in [(TABLE_1, 9, 8), (TABLE_1, u64::MAX, 8), (ties, 3, 2), ("pay\n7\n", 2, 1)] {
        let advice = ask(csv, |r| r.m = Some(m)).unwrap();
        assert_eq!((advice.achievable, advice.m_max, advice.maxsize), (Some(false), Some(most), None));
        let nearest = advice.nearest.clone().unwrap();
        assert_eq!((nearest.m, &nearest.epsilon), (most, &None));
        assert_eq!(nearest.requirements[0], format!("proximity-absolute(0, {most})"));
        assert_eq!(advice.requirement(), None);
        let words = format!("the largest m is {most}");
        assert!(advice.beyond().unwrap().ends_with(&words) && advice.page().contains(&words));
        // What is named can be had, and an m that can be had is no such case.
        for kind in
            [|r: &mut AdviseRequest| r.epsilon = decimal("0"), |r: &mut AdviseRequest| r.relative = decimal("0")]
        {
            let advice = ask(csv, |r| (kind(r), r.m = Some(most)).0).unwrap();
            assert_eq!((advice.achievable, advice.beyond()), (Some(true), None));
        }
        let advice = ask(csv, |r| r.m = Some(most)).unwrap();
        assert_eq!((advice.achievable, advice.m_max, advice.nearest.is_none()), (None, None, true));
    }
    let advice = ask(TABLE_1, |r| (r.epsilon, r.m) = (decimal("20"), Some(9))).unwrap();
    assert_eq!((advice.achievable, advice.m_max, advice.beyond()), (Some(false), Some(2), None));
}

#[test]
fn a_tiny_relative_supremum_is_not_nothing() {
    for (csv, shown, exact, usable) in [
        ("pay\n100000000000000\n100000000000001\n", "0.000000000000009999", true, "0.000000000000009999"),
        ("pay\n1000000000000000000000000000000\n1000000000000000000000000000001\n", "0.", true, ""),
        ("pay\n99999999999999999999999999999999999\n100000000000000000000000000000000000\n", "0.", false, ""),
    ] {
        let bounds = ask(csv, |r| r.m = Some(2)).unwrap().bounds.unwrap();
        let supremum = bounds.relative_supremum.clone().unwrap();
        assert!(supremum.starts_with(shown) && supremum != "0" && supremum.parse::<f64>().unwrap() > 0.0, "{supremum}");
        assert_eq!(bounds.relative_supremum_exact.is_some(), exact, "{supremum}");
        let largest = bounds.relative_largest.clone().unwrap();
        assert!(largest.starts_with(usable), "{largest}");
        let advice = ask(csv, |r| (r.relative, r.m) = (decimal(&largest), Some(2))).unwrap();
        assert_eq!(advice.achievable, Some(true), "{largest} is usable");
        let facts = ask(csv, |r| r.m = Some(2)).unwrap().facts();
        assert!(facts.iter().all(|(_, value)| !value.contains("none")), "{facts:?}");
        assert!(facts.iter().all(|(_, value)| value != "below 0"), "{facts:?}");
    }
}

#[test]
fn every_point_of_the_trade_off_is_the_answer_to_its_question() {
    let csv = format!("{TABLE_1}\n-5.25\n0\n0\n");
    let curve = ask(&csv, |_| {}).unwrap().curve.unwrap();
    for point in &curve.absolute {
        let one = ask(&csv, |r| r.epsilon = decimal(&point.epsilon)).unwrap();
        assert_eq!((one.maxsize, one.m_max), (Some(point.maxsize), Some(point.m_max)));
    }
    for point in &curve.relative {
        let one = ask(&csv, |r| r.relative = decimal(&point.epsilon)).unwrap();
        assert_eq!((one.maxsize, one.m_max), (Some(point.maxsize), Some(point.m_max)));
    }
    for bounds in &curve.by_m {
        assert_eq!(ask(&csv, |r| r.m = Some(bounds.m)).unwrap().bounds.as_ref(), Some(bounds));
    }
    assert_eq!(curve.by_m.iter().map(|b| b.m).collect::<Vec<_>>(), [2, 3, 4, 5]);
    assert_eq!(curve.absolute.last().unwrap().m_max, 1);
}

#[test]
fn edges() {
    // One row: m = 1 with any epsilon, nothing else.
    let advice = ask("pay\n7\n", |r| (r.epsilon, r.m) = (decimal("100"), Some(1))).unwrap();
    assert_eq!((advice.achievable, advice.bounds.unwrap().epsilon_supremum), (Some(true), None));
    let advice = ask("pay\n7\n", |r| r.m = Some(2)).unwrap().bounds.unwrap();
    assert_eq!((advice.epsilon_supremum.as_deref(), advice.epsilon_largest), (Some("0"), None));
    assert_eq!(ask("pay\n7\n7\n", |_| {}).unwrap().curve.unwrap().by_m, []);
    // Missing numbers are counted apart.
    let advice = ask("pay\n1\n\n5\n\n", |r| r.m = Some(2)).unwrap();
    assert_eq!((advice.rows, advice.missing, advice.bounds.unwrap().epsilon_largest.as_deref()), (2, 2, Some("3")));
    for (csv, said) in [
        ("pay\n\n\n", "there is no number in this column"),
        ("pay\n", "there are no rows below the header"),
        ("pay\na\n", "advice is about numbers, and the column is nominal"),
        ("pay\n2020-01-01\n", "and the column is date"),
        ("wage\n5\n", "there is no such column"),
    ] {
        let error = ask(csv, |_| {}).unwrap_err();
        assert!(error.to_string().contains(said), "{error}");
        assert_eq!(error.exit_code(), 2);
    }
    let asked = AdviseRequest::new("pay");
    for (request, said) in [
        (AdviseRequest { epsilon: decimal("-1"), ..asked.clone() }, "epsilon `-1`: it must be a number, 0 or more"),
        (
            AdviseRequest { relative: decimal("1"), ..asked.clone() },
            "relative `1`: it must be a number from 0 to below 1",
        ),
        (AdviseRequest { m: Some(0), ..asked.clone() }, "m `0`: it must be a whole number, 1 or more"),
        (
            AdviseRequest { epsilon: decimal("1"), relative: decimal("0.1"), ..asked.clone() },
            "it does not go with `epsilon`",
        ),
    ] {
        let error = request.check().unwrap_err();
        assert!(error.to_string().contains(said), "{error}");
        assert!(ask(TABLE_1, |r| *r = request.clone()).is_err());
    }
    let error = ask(TABLE_1, |r| r.sensitive = "pya".into()).unwrap_err().to_string();
    assert!(error.contains("did you mean `pay`?"), "{error}");
}

#[test]
fn cancelled_work_gives_nothing() {
    let (context, cancellation) = (Context::new(), Cancellation::default());
    let job = Job::new().sensitive(["pay"]);
    let table = Source::reader(TABLE_1.as_bytes()).read(&job, &context).unwrap();
    cancellation.cancel();
    let context = context.with_cancellation(cancellation);
    assert_eq!(advise(&table, &AdviseRequest::new("pay"), &context), Err(Error::Cancelled));
}

#[test]
fn the_page_says_whose_it_is() {
    let advice = ask(TABLE_1, |r| (r.epsilon, r.m, r.curve) = (decimal("20"), Some(3), true)).unwrap();
    let html = advice.page();
    for words in ["not for publication", "No grouping can meet it", "proximity-absolute(19, 3)", "<svg", "1&#47;51"] {
        assert!(html.contains(words), "{words}");
    }
    assert!(!html.contains("<script") && !html.contains("http://") && html.matches("<figure>").count() == 4);
}
