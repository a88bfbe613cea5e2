use super::*;
use proptest::prelude::*;
use scumble_table::Domain;

fn read(text: &str) -> Distance {
    text.parse().unwrap_or_else(|error| panic!("{text}: {error}"))
}

fn refusal(text: &str) -> String {
    text.parse::<Distance>().unwrap_err().to_string()
}

#[test]
fn canonical_forms() {
    for (text, canonical) in [
        ("range", "range"),
        (" salary : range ", "salary:range"),
        ("salary:range*2", "salary:range"),
        ("l2(salary:range)", "salary:range"),
        ("max(rank*0.5)", "rank"),
        ("range(0,1e3)", "range(0, 1000)"),
        ("date: range ( -5 , .5 )", "date:range(-5, 0.5)"),
        ("matrix:d.csv", "matrix:d.csv"),
        ("disease:matrix: dir/d.csv *2", "disease:matrix:dir/d.csv"),
        ("d:matrix:C:\\data\\m.csv", "d:matrix:C:\\\\data\\\\m.csv"),
        (
            "l1(education:rank*0.3, workclass:tree*0.2,income:range*0.50)",
            "l1(education:rank*0.3, workclass:tree*0.2, income:range*0.5)",
        ),
        ("min (allergy:range,asthma:range , m:range)", "min(allergy:range, asthma:range, m:range)"),
        ("l2(a:range(0, 1)*3, b:equal*1.0)", "l2(a:range(0, 1)*3, b:equal)"),
        ("max(rank, range)", "max(rank, range)"),
        ("a b:c:rank", "a b:c:rank"),
        ("income (usd):range", "income \\(usd\\):range"),
        ("f(x):range(0,1)", "f\\(x\\):range(0, 1)"),
        ("a\\,b\\*c:tree", "a\\,b\\*c:tree"),
        ("matrix:range", "matrix:range"),
        ("größe:rank", "größe:rank"),
    ] {
        let distance = read(text);
        assert_eq!(distance.to_string(), canonical, "{text}");
        assert_eq!(read(canonical), distance, "{text}");
    }
}

#[test]
fn parts_are_what_they_seem() {
    let distance = read("max(a:b:matrix:m.csv*0.5, matrix:range, rank)");
    let part = |column: Option<&str>, measure, weight: &str| Part {
        column: column.map(String::from),
        measure,
        weight: Decimal::parse(weight).unwrap(),
    };
    assert_eq!(distance.combine(), Combine::Max);
    assert_eq!(
        distance.parts(),
        [
            part(Some("a:b"), Measure::Matrix("m.csv".into()), "0.5"),
            part(Some("matrix"), Measure::Range(None), "1"),
            part(None, Measure::Rank, "1"),
        ]
    );
    assert_eq!(read("a\\\\b\\x:rank").parts()[0].column.as_deref(), Some("a\\b\\x"));
}

#[test]
fn refusals_say_what_to_write() {
    for (text, said) in [
        ("", "there is nothing to read; hint: for example `l1("),
        ("rnge", "there is no measure `rnge`; hint: did you mean `range`?"),
        ("age:rnk", "there is no measure `rnk`; hint: did you mean `rank`?"),
        ("age:zzzzzz", "hint: one of `range`, `rank`, `equal`, `tree`, `matrix:FILE`"),
        ("age:matrix", "`matrix` needs a file"),
        ("age:matrix: ", "the name of the file is empty"),
        (":rank", "the name of the column is empty"),
        ("l3(age:rank)", "there is no combination `l3`; hint: one of `l1`, `l2`, `max`, `min`"),
        ("average(age:rank, zip:tree)", "there is no combination `average`; hint: one of `l1`, `l2`, `max`, `min`"),
        ("rang(0, 5)", "there is no combination `rang`; hint: did you mean `range`?"),
        ("age:rank, zip:tree", "several parts need a combination"),
        ("l1(age:rank", "a closing `)` is missing"),
        ("l1(age:rank))", "a `)` closes nothing"),
        ("l1(age:rank) x", "there is text after the closing `)`: `x`"),
        ("l1()", "`l1` needs at least one part"),
        ("l1(age:rank,)", "a part between the commas is empty"),
        ("l1(age:rank*x)", "the weight `x` of `age:rank*x` is not an exact decimal"),
        ("l1(age:rank*0)", "is not above 0; hint: a weight is a number above 0"),
        ("age:rank*-1", "is not above 0"),
        ("age:rank*NaN", "is not an exact decimal"),
        ("age:range(5)", "`range` takes no bounds or two, not 1"),
        ("age:range(5, 5)", "the bounds 5 and 5 are not in order"),
        ("age:range(1e400, inf)", "the bound `1e400` is not an exact decimal"),
        ("l1(age:range(0, 5, zip:tree)", "a closing `)` is missing"),
    ] {
        let error = refusal(text);
        assert!(error.starts_with("distance") && error.contains(said), "{text}: {error}");
    }
}

#[test]
fn names_the_notation_cannot_carry_are_refused() {
    let part = |column: &str, measure| Part { column: Some(column.into()), measure, weight: Decimal::from(1) };
    for bad in [
        vec![],
        vec![part("", Measure::Rank)],
        vec![part(" a", Measure::Rank)],
        vec![part("a", Measure::Matrix("f:rank".into()))],
        vec![part("a", Measure::Matrix(String::new()))],
        vec![Part { weight: Decimal::ZERO, ..part("a", Measure::Rank) }],
        vec![part("a", Measure::Range(Some((Decimal::from(2), Decimal::from(1)))))],
    ] {
        assert!(Distance::new(Combine::L1, bad.clone()).is_err(), "{bad:?}");
    }
    assert!(Distance::new(Combine::Min, vec![part("a,(", Measure::Tree), part("*\\", Measure::Tree)]).is_ok());
}

fn any_part() -> impl Strategy<Value = Part> {
    let decimal = || (-9999i64..9999, 0u8..4).prop_map(|(m, s)| Decimal::new(m.into(), s));
    let measure = prop_oneof![
        Just(Measure::Range(None)),
        Just(Measure::Rank),
        Just(Measure::Equal),
        Just(Measure::Tree),
        "[a-z./\\\\,()*]{1,8}".prop_map(Measure::Matrix),
        (decimal(), decimal()).prop_filter("in order", |(a, b)| a < b).prop_map(|bounds| Measure::Range(Some(bounds))),
    ];
    let column = proptest::option::of("[^\\s]([^\\n]{0,8}[^\\s])?");
    (column, measure, 1i64..9999, 0u8..4).prop_map(|(column, measure, m, s)| Part {
        column,
        measure,
        weight: Decimal::new(m.into(), s),
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn printing_and_reading_gives_the_same(at in 0usize..4, parts in proptest::collection::vec(any_part(), 1..4)) {
        let combine = Combine::ALL[at];
        // What `new` lets pass comes back from its text; almost everything passes.
        if let Ok(distance) = Distance::new(combine, parts) {
            prop_assert_eq!(distance.to_string().parse::<Distance>(), Ok(distance));
        }
    }

    #[test]
    fn what_is_read_prints_to_something_that_reads_the_same(text in "(l1|max)?[(]?[a-c:, ()*\\\\.0-9]{0,6}(:rank|range|matrix:)[a-c:,()*\\\\0-9]{0,6}[)]?") {
        if let Ok(distance) = text.parse::<Distance>() {
            prop_assert_eq!(distance.to_string().parse::<Distance>(), Ok(distance));
        }
    }

    #[test]
    fn never_panics(text in "\\PC*") {
        let _ = text.parse::<Distance>();
    }
}

/// A column under a distance, all of its values published.
fn bound(text: &str, domain: &Domain) -> Result<BoundDistance> {
    let occurs = vec![true; domain.n_codes()];
    let ruler = LoadedDistance::new(read(text), |_| Err(Error::bug("no files"))).unwrap();
    ruler.bind(&[MeasuredColumn { name: "x", domain, occurs: &occurs }])
}

/// The difference of these has more bits than either.
#[test]
fn a_range_as_wide_as_numbers_go() {
    let numbers = [i128::MIN + 1, -5, i128::MAX].map(|number| Decimal::new(number, 0));
    let domain = Domain::numbers(numbers.to_vec()).unwrap();
    let metric = bound("range", &domain).unwrap();
    assert_eq!((metric.apart(&[1], &[3]), metric.apart(&[2], &[2]), metric.apart(&[0], &[2])), (1.0, 0.0, 1.0));
    assert!((metric.apart(&[1], &[2]) - 0.5).abs() < 1e-12);
    let error = bound("range(0, 0.1)", &domain).unwrap_err().to_string();
    assert!(error.contains("its bounds have too many digits beside the values of `x`; hint: round them"), "{error}");
    let wide = Domain::numbers(vec![Decimal::from(0), Decimal::from(10)]).unwrap();
    let metric = bound("range(-0.000000000000000000000000000000000001, 1)", &wide).unwrap();
    assert!(metric.apart(&[1], &[2]) <= 10.0 && metric.apart(&[1], &[2]) > 9.99);
}

#[test]
fn bounds_are_written_out() {
    let numbers = Domain::numbers(["-1.50", "2", "7.25"].map(|text| Decimal::parse(text).unwrap()).to_vec()).unwrap();
    let dates = Domain::dates(vec![-10, 20_000]);
    let one = Domain::numbers(vec![Decimal::from(7)]).unwrap();
    for (domain, text, shown) in [
        (&numbers, "range", "range(-1.5, 7.25)"),
        (&numbers, "x:range", "x:range(-1.5, 7.25)"),
        (&numbers, "range(0, 5)", "range(0, 5)"),
        (&numbers, "rank", "rank"),
        // Days since 1970-01-01.
        (&dates, "range", "range(-10, 20000)"),
        // One value has no range, and no two values to be measured.
        (&one, "range", "range"),
    ] {
        assert_eq!(bound(text, domain).unwrap().distance().to_string(), shown);
    }
    let metric = bound("range", &one).unwrap();
    assert_eq!((metric.apart(&[1], &[1]), metric.apart(&[0], &[1]), metric.columns()), (0.0, 1.0, [0].as_slice()));
}
