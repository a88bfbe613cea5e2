use super::*;
use scumble_table::{Attribute, Decimal, Domain, Role, Schema};

fn attribute(name: &str, role: Role, domain: Domain) -> Attribute {
    Attribute { name: name.into(), role, domain }
}

/// Quasi `age`, sensitive `disease` (nominal), kept `note`, sensitive `salary` (numbers 10, 20, 30).
fn schema() -> Schema {
    let labels = || Domain::nominal(vec!["a".into(), "b".into(), "c".into()]);
    let numbers = Domain::numbers([10, 20, 30].map(Decimal::from).to_vec()).unwrap();
    Schema::new(vec![
        attribute("age", Role::Quasi, numbers.clone()),
        attribute("disease", Role::Sensitive, labels()),
        attribute("note", Role::Kept, labels()),
        attribute("salary", Role::Sensitive, numbers),
    ])
    .unwrap()
}

fn requirements(texts: &[&str]) -> Vec<Requirement> {
    texts.iter().map(|text| text.parse().unwrap()).collect()
}

fn bags() -> Vec<Bag> {
    vec![Bag::from_codes([1, 1, 1, 2, 2, 3, 3, 3, 0, 0]), Bag::from_codes([1, 1, 1, 1, 1, 2, 2, 2, 3, 3])]
}

fn bind(texts: &[&str]) -> Result<BoundRequirements> {
    let wholes = bags();
    BoundRequirements::bind(&requirements(texts), &schema(), |column| match column {
        1 => wholes[0].clone(),
        3 => wholes[1].clone(),
        other => panic!("column {other} is not sensitive"),
    })
}

fn feasible(texts: &[&str]) -> Result<()> {
    let bags = bags();
    bind(texts)?.feasible(Group { size: 10, bags: &bags })
}

#[test]
fn requirements_spread_over_the_sensitive_columns() {
    let bound = bind(&["k-anonymity(3)", "distinct-l-diversity(2)", "salary: variance(5)"]).unwrap();
    let at: Vec<_> = bound.tests().iter().map(|test| (test.requirement(), test.column())).collect();
    assert_eq!(at, [(0, None), (1, Some(0)), (1, Some(1)), (2, Some(1))]);
    assert_eq!((bound.least_size(), bound.needs_values(), bound.monotone()), (3, true, true));
    assert_eq!(bound.sensitive_needed(), [0, 1]);
    assert_eq!(bound.requirements().len(), 3);

    let group = |a: &[u32], b: &[u32]| [Bag::from_codes(a.iter().copied()), Bag::from_codes(b.iter().copied())];
    let holds = |bags: &[Bag; 2]| bound.holds(Group { size: bags[0].size(), bags });
    assert!(holds(&group(&[1, 2, 2], &[1, 2, 2])));
    assert!(!holds(&group(&[1, 2], &[1, 2])) && !holds(&group(&[2, 2, 2], &[1, 2, 3])));
    assert!(!holds(&group(&[1, 2, 2], &[2, 2, 2])));
    let six = group(&[1, 2, 2, 3, 3, 3], &[1, 2, 2, 3, 3, 3]);
    assert!(bound.divisible(Group { size: 6, bags: &six }));
    let figures =
        bound.attained(Group { size: 6, bags: &six }).iter().map(|a| a.figures[0].1.clone()).collect::<Vec<_>>();
    assert_eq!(figures, ["6", "3", "3", "55.5555"]);
}

#[test]
fn sizes_need_no_sensitive_column_and_no_bags() {
    let schema = Schema::new(vec![attribute("age", Role::Quasi, Domain::nominal(vec![]))]).unwrap();
    let bind = |texts: &[&str]| BoundRequirements::bind(&requirements(texts), &schema, |_| Bag::default());
    let bound = bind(&["k-anonymity(3)", "k-anonymity(5)"]).unwrap();
    let group = |size| Group { size, bags: &[] };
    assert!(!bound.needs_values() && bound.sensitive_needed().is_empty() && bound.monotone());
    assert_eq!(bound.least_size(), 5);
    assert!(
        !bound.holds(group(4)) && bound.holds(group(5)) && !bound.divisible(group(9)) && bound.divisible(group(10))
    );
    assert_eq!(bound.attained(group(7))[1].figure("k"), Some("7"));
    assert_eq!(bound.attained(group(1 << 40))[0].figure("k"), Some("1099511627776"));
    let error = bind(&["distinct-l-diversity(2)"]).unwrap_err().to_string();
    assert!(error.contains("no column is sensitive; hint: name one with `sensitive`"), "{error}");
    let none = bind(&[]).unwrap();
    assert!(none.holds(group(1)) && !none.holds(group(0)) && none.feasible(group(0)).is_ok());
}

#[test]
fn columns_must_be_sensitive() {
    for (text, said) in [
        ("salry: variance(5)", "there is no column `salry`; hint: did you mean `salary`?"),
        (
            "age: variance(5)",
            "the column `age` is quasi, and requirements are about sensitive columns; hint: the sensitive columns are `disease`, `salary`",
        ),
        ("note: k-anonymity(5)", "the column `note` is kept"),
        (
            "variance(5)",
            "requirement `disease: variance(5)`: a variance needs numbers or dates, and the column is nominal; hint: if all its values are numbers, say so with `type` disease=number",
        ),
        ("disease: t-closeness(0.1, hierarchical)", "`hierarchy` disease=FILE"),
        (
            "dissimilarity(0.1, 0.8, 10)",
            "requirement `dissimilarity(0.1, 0.8, 10)`: how far apart are two values?; hint: say so with `distance`",
        ),
        ("disease: ke-anonymity(2, 5)", "(k, e)-anonymity needs numbers, and the column is nominal"),
    ] {
        let error = bind(&[text]).unwrap_err();
        assert!(error.to_string().contains(said), "{error}");
        assert_eq!(error.exit_code(), 2);
    }
    assert_eq!(bind(&["salary: k-anonymity(2)"]).unwrap().tests()[0].column(), None);
}

#[test]
fn blanks_around_a_header_do_not_hide_the_column() {
    let schema = Schema::new(vec![attribute(" pay ", Role::Sensitive, Domain::nominal(vec![]))]).unwrap();
    let bound = BoundRequirements::bind(&requirements(&["pay: distinct-l-diversity(1)"]), &schema, |_| Bag::default());
    assert_eq!(bound.unwrap().sensitive_needed(), [0]);
}

#[test]
fn what_the_whole_cannot_meet_is_infeasible() {
    for (text, said) in [
        ("k-anonymity(11)", "the table has 10 rows; hint: the data allows at most `k-anonymity(10)`"),
        (
            "distinct-l-diversity(5)",
            "`disease` has 4 different values; hint: the data allows at most `distinct-l-diversity(3)`",
        ),
        (
            "disease: frequency-l-diversity(4)",
            "one value of `disease` has a share of 30 %; hint: the data allows at most `disease: frequency-l-diversity(3.3333)`",
        ),
        (
            "frequency-l-diversity(2.5)",
            "one value of `salary` has a share of 50 %; hint: the data allows at most `frequency-l-diversity(2)`",
        ),
        ("salary: entropy-l-diversity(3)", "the values of `salary` are as diverse as 2.8"),
        (
            "salary: recursive-l-diversity(1, 2)",
            "almost 1.0001 times as frequent as the values of rank 2 and beyond together; hint: the data allows `salary: recursive-l-diversity(1.0001, 2)`",
        ),
        (
            "recursive-l-diversity(1, 4)",
            "almost 1.5001 times as frequent as the values of rank 4 and beyond together; hint: the data allows `recursive-l-diversity(2.5001, 3)`",
        ),
        (
            "salary: recursive-l-diversity(1, 4)",
            "`salary` has fewer than 4 different values; hint: the data allows `salary: recursive-l-diversity(2.5001, 3)`",
        ),
        (
            "alpha-k-anonymity(0.2, 3)",
            "one value of `disease` has a share of 30 %; hint: the data allows `alpha-k-anonymity(0.5, 3)`",
        ),
        ("alpha-k-anonymity(0.5, 30)", "the table has 10 rows; hint: the data allows `alpha-k-anonymity(0.5, 10)`"),
        (
            "salary: variance(100)",
            "the variance of `salary` is 61; hint: the data allows at most `salary: variance(61)`",
        ),
        (
            "salary: ke-anonymity(4, 5)",
            "`salary` has 3 different values; hint: the data allows at most `salary: ke-anonymity(3, 5)`",
        ),
        (
            "salary: ke-anonymity(2, 50)",
            "the numbers of `salary` span 20; hint: the data allows at most `salary: ke-anonymity(2, 20)`",
        ),
        (
            "salary: proximity-absolute(10, 2)",
            "80 % of the rows have numbers of `salary` within 10 of one another; hint: the data allows at most `salary: proximity-absolute(10, 1)` or `salary: proximity-absolute(9, 2)`",
        ),
        (
            "salary: proximity-relative(0.5, 2)",
            "within 50 % of one another; hint: the data allows at most `salary: proximity-relative(0.5, 1)` or `salary: proximity-relative(0.4999, 2)`",
        ),
        ("salary: proximity-interval(3, 25, 2)", "or `salary: proximity-interval(3, 9, 2)`"),
        (
            "salary: proximity-absolute(0, 3)",
            "50 % of the rows have numbers of `salary` within 0 of one another, and no epsilon is small enough for m = 3; hint: the data allows at most `salary: proximity-absolute(0, 2)`",
        ),
    ] {
        let error = feasible(&["k-anonymity(2)", text]).unwrap_err();
        assert!(error.to_string().contains(said), "{error}");
        assert_eq!(error.exit_code(), 1);
    }
    assert!(feasible(&["k-anonymity(10)", "t-closeness(0)", "salary: t-closeness(0, ordered)"]).is_ok());
    assert!(feasible(&["k-anonymity(4)", "salary: proximity-absolute(9, 2)"]).is_ok());
}

#[test]
fn a_feasible_whole_need_not_pass_itself() {
    let numbers = Domain::numbers([40, 50, 60, 80].map(Decimal::from).to_vec()).unwrap();
    let schema = Schema::new(vec![attribute("pay", Role::Sensitive, numbers)]).unwrap();
    let whole = Bag::from_codes([1, 2, 3, 4]);
    let asked = requirements(&["k-anonymity(2)", "proximity-absolute(15, 2)"]);
    let bound = BoundRequirements::bind(&asked, &schema, |_| whole.clone()).unwrap();
    let group = Group { size: 4, bags: &[whole] };
    assert!(!bound.holds(group) && bound.generalizable(group) && bound.divisible(group) && !bound.monotone());
    assert_eq!(bound.feasible(group), Ok(()));
    let near = [Bag::from_codes([1, 2, 4])];
    assert!(!bound.generalizable(Group { size: 3, bags: &near }));
    let (neighbourhood, m) = bound.tests()[1].test().neighbourhood().unwrap();
    assert_eq!((neighbourhood.reach(1), neighbourhood.reach(3), m), (2, 3, 2));
    assert!(bound.tests()[0].test().neighbourhood().is_none());
}

#[test]
fn missing_numbers_are_refused_where_nearness_counts() {
    let numbers = Domain::numbers([10, 20, 30].map(Decimal::from).to_vec()).unwrap();
    let schema = Schema::new(vec![attribute("pay", Role::Sensitive, numbers)]).unwrap();
    let check = |text: &str, codes: &[u32]| {
        let bag = Bag::from_codes(codes.iter().copied());
        let bound = BoundRequirements::bind(&requirements(&[text]), &schema, |_| bag.clone()).unwrap();
        // Judging a group is another matter: null is near only to null.
        assert!(bound.holds(Group { size: bag.size(), bags: std::slice::from_ref(&bag) }), "{text}");
        bound.feasible(Group { size: bag.size(), bags: &[bag] })
    };
    for text in ["proximity-absolute(1, 2)", "pay: proximity-relative(0.1, 2)", "proximity-interval(0, 1, 2)"] {
        let error = check(text, &[0, 1, 2]).unwrap_err();
        assert!(error.to_string().contains("`pay` has no number in 1 row, and a missing number is"), "{error}");
        assert!(error.to_string().contains("hint: remove these rows, or fill in the numbers"), "{error}");
        assert_eq!(error.exit_code(), 2);
        let error = check(text, &[0, 0, 1, 2]).unwrap_err();
        assert!(error.to_string().contains("in 2 rows"), "{error}");
        assert_eq!(check(text, &[1, 2]), Ok(()));
    }
    assert_eq!(check("variance(1)", &[0, 1, 2]), Ok(()));
}

#[test]
fn one_value_and_no_rows() {
    let schema = Schema::new(vec![attribute("x", Role::Sensitive, Domain::nominal(vec!["a".into()]))]).unwrap();
    let check = |text: &str, bag: Bag| {
        let bound = BoundRequirements::bind(&requirements(&[text]), &schema, |_| bag.clone()).unwrap();
        bound.feasible(Group { size: bag.size(), bags: &[bag] }).unwrap_err().to_string()
    };
    let one = || Bag::from_codes([1, 1]);
    assert!(check("recursive-l-diversity(9, 3)", one()).contains("the data allows no `recursive-l-diversity`"));
    assert!(check("distinct-l-diversity(2)", one()).contains("all rows have the same value of `x`"));
    let numbers = Domain::numbers(vec![Decimal::from(7)]).unwrap();
    let schema = Schema::new(vec![attribute("x", Role::Sensitive, numbers)]).unwrap();
    let bound = BoundRequirements::bind(&requirements(&["proximity-absolute(0, 1)"]), &schema, |_| Bag::default());
    let error = bound.unwrap().feasible(Group { size: 0, bags: &[Bag::default()] }).unwrap_err().to_string();
    assert!(error.contains("the table has no rows"), "{error}");
    for text in ["k-anonymity(1)", "distinct-l-diversity(1)", "t-closeness(1)", "entropy-l-diversity(1)"] {
        let error = check(text, Bag::default());
        assert!(error.contains("the table has no rows; hint: there is nothing to publish"), "{error}");
    }
}
