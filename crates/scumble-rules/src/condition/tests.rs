use super::parser::DEEPEST;
use super::*;
use proptest::prelude::*;

fn parse(text: &str) -> Condition {
    Condition::parse(text).unwrap_or_else(|fault| panic!("{text}: {fault:?}"))
}

/// The place, the reason and the hint of what is wrong.
fn fault(text: &str) -> (usize, String, String) {
    let fault = Condition::parse(text).expect_err(text);
    (fault.at.map_or(0, |at| at.0), fault.reason, fault.hint.unwrap_or_default())
}

#[test]
fn what_is_read_is_what_is_printed() {
    for (text, printed) in [
        ("age<18", "age < 18"),
        ("age <> 18", "age != 18"),
        ("NOT Age >= -1.50e1 And x.y=.5", "not Age >= -15 and x.y = 0.5"),
        ("a = 1 or b = 2 and c = 3", "a = 1 or b = 2 and c = 3"),
        ("(a = 1 or b = 2) and c = 3", "(a = 1 or b = 2) and c = 3"),
        ("((a = 1))", "a = 1"),
        ("not (a = 1 and b = 2)", "not (a = 1 and b = 2)"),
        ("not not a is missing", "not not a is missing"),
        ("a is not missing", "a is not missing"),
        ("a in (1,2 , 3)", "a in (1, 2, 3)"),
        ("a not in ('x')", "a not in ('x')"),
        ("a between 1 and 2 and b = 3", "a between 1 and 2 and b = 3"),
        ("a not between '2001-01-01' and '2002-01-01'", "a not between '2001-01-01' and '2002-01-01'"),
        ("\"marital status\" = 'it''s'", "\"marital status\" = 'it''s'"),
        ("`a\"b` = '\"'", "\"a\"\"b\" = '\"'"),
        ("\"in\" = 'and' and \"age\" = 1", "\"in\" = 'and' and age = 1"),
        ("größe > 1 and 名前 = '東京'", "größe > 1 and 名前 = '東京'"),
        ("capital-gain<-5", "capital-gain < -5"),
        ("a = 1 and (b = 2 and c = 3)", "a = 1 and (b = 2 and c = 3)"),
        ("a\n=\t'x\ny'", "a = 'x\ny'"),
    ] {
        let condition = parse(text);
        assert_eq!(condition.to_string(), printed);
        assert_eq!(parse(printed), condition, "{text}");
    }
}

#[test]
fn mistakes_name_their_place_and_what_is_wanted() {
    for (text, at, reason, hint) in [
        ("", 0, "the condition is empty", "such as `age < 18`"),
        ("  ", 0, "the condition is empty", "a rule for all records has no `when`"),
        ("age", 4, "what is asked about `age`?", "`is missing`"),
        ("age <", 6, "a value is wanted here, where the condition ends", "'text'"),
        ("age == 3", 5, "`==` means nothing here", "write `=`"),
        ("age < x", 7, "a value is wanted here, and this is a name", "single quotes: 'x'"),
        ("city = \"Ghent\"", 8, "a value is wanted here, and this is a name", "single quotes: 'Ghent'"),
        ("18 > age", 1, "a test begins with the name of a column, and this is a value", "write the column first"),
        ("'age' > 18", 1, "a test begins with the name of a column, and this is a value", "double quotes"),
        ("and = 3", 1, "a test begins with the name of a column, and `and` is a word of the language", "\"and\""),
        ("a = 1 and", 10, "a test begins with the name of a column, and here the condition ends", "age < 18"),
        ("a = 1 b = 2", 7, "the condition could end here, but goes on", "`and` or `or`"),
        ("(a = 1", 1, "the parenthesis that opens here is never closed", ""),
        ("(a = 1 b", 8, "`and`, `or` or a closing parenthesis is wanted here", ""),
        ("a = 1)", 6, "this parenthesis was never opened", ""),
        ("é = 'x", 5, "the quote that opens here is never closed", "'it''s'"),
        ("a in 1", 6, "a list in parentheses is wanted here", "in ('a', 'b')"),
        ("a in ()", 7, "a value is wanted here", "a number"),
        ("a in (1 2)", 9, "a comma or the end of the list is wanted here", ""),
        ("a between 1 or 2", 13, "`and` and the greater end are wanted here", "a between 20 and 40"),
        ("a is null", 6, "`missing` is wanted here", "write `a is missing`"),
        ("a is not null", 10, "`missing` is wanted here", "write `a is not missing`"),
        ("a not 3", 7, "what is asked about `a`?", "`not in (..)`"),
        ("a = 9th", 5, "`9th` is not a number", "'9th'"),
        ("a < 1990-01-01", 5, "`1990-01-01` is not a number", "dates stand in single quotes: '1990-01-01'"),
        ("a = 1 && b = 2", 7, "`&` means nothing here", "write `and`"),
        ("!a = 1", 1, "`!` means nothing here", "write `not`"),
        ("a = \u{2018}x\u{2019}", 5, "`\u{2018}` means nothing here", "straight quotes"),
        ("\"\" = 1", 1, "the name between the quotes is empty", ""),
        ("a = 1 ; b", 7, "`;` means nothing here", "double quotes"),
        (
            "a = 1111111111111111111111111111111111111111111111",
            5,
            "`1111111111111111111111111111111111111111111111` is not a number",
            "37 digits",
        ),
    ] {
        let found = fault(text);
        assert_eq!((found.0, found.1.as_str()), (at, reason), "{text}");
        assert!(found.2.contains(hint), "{text}: {}", found.2);
    }
    let error = "age <".parse::<Condition>().unwrap_err().to_string();
    assert!(error.starts_with("condition `age <`: character 6 of the condition: a value is wanted"), "{error}");
}

#[test]
fn nesting_is_bounded() {
    for (open, close) in [("(", ")"), ("not ", ""), ("not (", ")")] {
        let deep = |n: usize| format!("{}a = 1{}", open.repeat(n), close.repeat(n));
        let most = if open.len() == 5 { DEEPEST / 2 } else { DEEPEST };
        assert!(Condition::parse(&deep(most)).is_ok());
        for n in [most + 1, 100_000] {
            assert_eq!(fault(&deep(n)).1, format!("a condition may nest {DEEPEST} deep at most"));
        }
    }
    let flat = vec!["a = 1"; 10_000].join(" or ");
    assert_eq!(parse(&flat).columns().len(), 10_000);
}

/// Any condition over these tests.
pub(crate) fn conditions(tests: impl Strategy<Value = Test> + 'static) -> impl Strategy<Value = Condition> {
    let leaf = tests.prop_map(Expr::Test);
    let tree = leaf.prop_recursive(4, 12, 3, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 2..4).prop_map(Expr::And),
            prop::collection::vec(inner.clone(), 2..4).prop_map(Expr::Or),
            inner.prop_map(|inner| Expr::Not(Box::new(inner))),
        ]
    });
    tree.prop_map(Condition)
}

/// Any test of a column against some constants; comparisons by order only where they are allowed.
pub(crate) fn tests_of(
    column: impl Into<String>,
    constants: impl Strategy<Value = Constant> + Clone + 'static,
    ordered: bool,
) -> BoxedStrategy<Test> {
    let column = column.into();
    let literal = constants.prop_map(|constant| Literal { at: CharPosition(0), constant });
    let compare = match ordered {
        true => vec![
            Comparison::Equal,
            Comparison::Unequal,
            Comparison::Less,
            Comparison::AtMost,
            Comparison::Greater,
            Comparison::AtLeast,
        ],
        false => vec![Comparison::Equal, Comparison::Unequal],
    };
    let compare = (prop::sample::select(compare), literal.clone()).prop_map(|(how, what)| Check::Compare(how, what));
    let list = (any::<bool>(), prop::collection::vec(literal.clone(), 1..4));
    let list = list.prop_map(|(negated, list)| Check::In { negated, list });
    let missing = any::<bool>().prop_map(|negated| Check::Missing { negated });
    let between = (any::<bool>(), literal.clone(), literal);
    let between = between.prop_map(|(negated, low, high)| Check::Between { negated, low, high });
    let check = match ordered {
        true => prop_oneof![4 => compare, 1 => list, 1 => missing, 2 => between].boxed(),
        false => prop_oneof![2 => compare, 2 => list, 1 => missing].boxed(),
    };
    check.prop_map(move |check| Test { column: column.clone(), at: CharPosition(0), check }).boxed()
}

fn any_test() -> impl Strategy<Value = Test> {
    let constants = prop_oneof![
        (any::<i64>(), 0u8..18)
            .prop_map(|(mantissa, scale)| Constant::Number(Decimal::new(i128::from(mantissa), scale))),
        "\\PC{0,6}".prop_map(Constant::Text),
    ];
    let names = prop_oneof!["[a-z_][a-z0-9_.-]{0,4}", "\\PC{1,6}", Just("Between".to_string())];
    (names, any::<bool>()).prop_flat_map(move |(name, ordered)| tests_of(name, constants.clone(), ordered))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn printed_conditions_read_back(condition in conditions(any_test())) {
        let text = condition.to_string();
        prop_assert_eq!(parse(&text), condition, "{}", text);
    }

    #[test]
    fn never_panics(text in "\\PC*") {
        let _ = Condition::parse(&text);
    }

    #[test]
    fn never_panics_on_what_is_nearly_right(
        words in prop::collection::vec(prop::sample::select(vec![
            "and", "or", "not", "in", "between", "is", "missing", "(", ")", ",", "=", "<", ">=", "!=", "a", "\"b\"", "'c'",
            "'", "\"", "1", "-2.5", "1e", "é", "`", "!", "&", ".",
        ]), 0..14),
        glue in prop::sample::select(vec!["", " "]),
    ) {
        let text = words.join(glue);
        match Condition::parse(&text) {
            Ok(condition) => prop_assert_eq!(parse(&condition.to_string()), condition),
            Err(fault) => prop_assert!(fault.at.is_none_or(|at| (1..=text.chars().count() + 1).contains(&at.0))),
        }
    }
}
