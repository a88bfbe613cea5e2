use super::*;
use scumble_table::Decimal;

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
    assert!(error.contains("no column is sensitive; hint: name one with `--sensitive`"), "{error}");
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
            "requirement `disease: variance(5)`: a variance needs numbers or dates, and the column is nominal; hint: if all its values are numbers, say so with `--type disease=number`",
        ),
        ("disease: t-closeness(0.1, hierarchical)", "`--hierarchy disease=FILE`"),
        (
            "dissimilarity(0.1, 0.8, 10)",
            "requirement `dissimilarity(0.1, 0.8, 10)`: this version can read `dissimilarity` but not",
        ),
        ("salary: ke-anonymity(2, 5)", "can read `ke-anonymity` but not yet enforce it"),
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
    ] {
        let error = feasible(&["k-anonymity(2)", text]).unwrap_err();
        assert!(error.to_string().contains(said), "{error}");
        assert_eq!(error.exit_code(), 1);
    }
    assert!(feasible(&["k-anonymity(10)", "t-closeness(0)", "salary: t-closeness(0, ordered)"]).is_ok());
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
    for text in ["k-anonymity(1)", "distinct-l-diversity(1)", "t-closeness(1)", "entropy-l-diversity(1)"] {
        let error = check(text, Bag::default());
        assert!(error.contains("the table has no rows; hint: there is nothing to publish"), "{error}");
    }
}
