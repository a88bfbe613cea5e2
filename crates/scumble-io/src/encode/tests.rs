use super::*;
use crate::test_data::data_file;
use crate::{ReadOptions, parse_hierarchy, parse_order, read, read_hierarchy, read_stream};
use scumble_table::{Cancellation, Decimal, Monitor, Silent};
use std::io::Cursor;

fn raw(text: &str) -> RawTable {
    read_stream(Cursor::new(text.to_string().into_bytes()), "f.csv", &ReadOptions::default(), Monitor::silent())
        .unwrap()
}

fn plan(role: Role, kind: Option<Kind>) -> ColumnPlan {
    ColumnPlan { kind, ..ColumnPlan::new("a", role) }
}

/// Encodes a table of the single column `a`.
fn encoded(cells: &[&str], plan: ColumnPlan) -> Result<Table> {
    let text = format!("a,b\n{}", cells.iter().map(|cell| format!("\"{cell}\",1\n")).collect::<String>());
    encode(raw(&text), &[plan], Monitor::silent())
}

fn values(table: &Table) -> Vec<String> {
    let domain = &table.attribute(0).domain;
    domain.codes().map(|code| domain.text(code).into_owned()).collect()
}

fn rows(table: &Table) -> Vec<String> {
    let domain = &table.attribute(0).domain;
    table.column(0).iter().map(|code| domain.text(code).into_owned()).collect()
}

#[test]
fn columns_become_what_their_texts_denote() {
    for (cells, kind, domain, shown) in [
        (
            &["10", "9", "", "1.0", "1", "1e1"][..],
            Kind::Number,
            &["1", "9", "10"][..],
            &["10", "9", "", "1", "1", "10"][..],
        ),
        (
            &["0.3", "0.30000000000000004"],
            Kind::Number,
            &["0.3", "0.30000000000000004"],
            &["0.3", "0.30000000000000004"],
        ),
        (
            &["2024-03-01", "", "2023-12-31"],
            Kind::Date,
            &["2023-12-31", "2024-03-01"],
            &["2024-03-01", "", "2023-12-31"],
        ),
        (&["10001", "02139", "2139"], Kind::Ordinal, &["02139", "2139", "10001"], &["10001", "02139", "2139"]),
        (&["b", "a", "", "B"], Kind::Nominal, &["B", "a", "b"], &["b", "a", "", "B"]),
        (&["10", "9", "NaN"], Kind::Nominal, &["10", "9", "NaN"], &["10", "9", "NaN"]),
        (&["1", "inf"], Kind::Nominal, &["1", "inf"], &["1", "inf"]),
        (&["", ""], Kind::Nominal, &[], &["", ""]),
        (&["-0", "0", "+5"], Kind::Number, &["0", "5"], &["0", "0", "5"]),
    ] {
        let table = encoded(cells, plan(Role::Quasi, None)).unwrap();
        assert_eq!(table.attribute(0).domain.kind(), kind, "{cells:?}");
        assert_eq!(
            (values(&table), rows(&table)),
            (domain.iter().map(ToString::to_string).collect(), shown.iter().map(ToString::to_string).collect())
        );
    }
}

#[test]
fn types_can_be_forced() {
    let labels = encoded(&["10", "9", "02"], plan(Role::Quasi, Some(Kind::Nominal))).unwrap();
    assert_eq!(values(&labels), ["02", "10", "9"]);
    let numbers = encoded(&["02139", "2139", "7"], plan(Role::Quasi, Some(Kind::Number))).unwrap();
    assert_eq!(
        (values(&numbers), rows(&numbers)),
        (vec!["7".into(), "2139".to_string()], vec!["2139".into(), "2139".into(), "7".to_string()])
    );
    let ordinal = encoded(&["10", "9"], plan(Role::Quasi, Some(Kind::Ordinal))).unwrap();
    assert_eq!(
        (values(&ordinal), ordinal.attribute(0).domain.kind()),
        (vec!["9".into(), "10".to_string()], Kind::Ordinal)
    );
}

#[test]
fn texts_that_do_not_fit_are_named_with_their_line() {
    let number = || plan(Role::Quasi, Some(Kind::Number));
    for (cells, plan, expected) in [
        (
            &["1", "2", "x", "y"][..],
            number(),
            "f.csv, line 4, column `a`, value `x`: this is not a number; hint: use `type` a=nominal to treat the values as labels",
        ),
        (
            &["1", "?"],
            number(),
            "f.csv, line 3, column `a`, value `?`: this is not a number; hint: use `null` '?' if it marks a missing value",
        ),
        (
            &["NaN"],
            number(),
            "f.csv, line 2, column `a`, value `NaN`: this is not a number; hint: use `null` 'NaN' if it marks a missing value",
        ),
        (
            &["1", "1e400"],
            plan(Role::Quasi, None),
            "f.csv, line 3, column `a`, value `1e400`: the number has more digits than exact arithmetic holds (38); hint: use `type` a=nominal to treat the numbers as labels",
        ),
        (
            &["1e30", "1e-30"],
            plan(Role::Quasi, None),
            "f.csv, column `a`: the column mixes numbers too large and too fine for exact arithmetic (more than 38 digits together); hint: use `type` a=nominal to treat the numbers as labels",
        ),
        (
            &["2024-01-01", "01.02.2024"],
            plan(Role::Quasi, Some(Kind::Date)),
            "f.csv, line 3, column `a`, value `01.02.2024`: this is not a date; hint: dates are written YYYY-MM-DD; use `type` a=nominal to treat the values as labels",
        ),
        (
            &["low", "high"],
            plan(Role::Quasi, Some(Kind::Ordinal)),
            "f.csv, column `a`: the labels have no order of their own; hint: give one with `order` a=FILE, one label per line from least to greatest",
        ),
        (
            &["1", "?"],
            plan(Role::Sensitive, Some(Kind::Number)),
            "f.csv, line 3, column `a`: this is not a number; hint: use `type` a=nominal, or name the text with `null` if it marks a missing value",
        ),
    ] {
        assert_eq!(encoded(cells, plan).unwrap_err().to_string(), expected);
    }
}

#[test]
fn secrets_stay_out_of_messages() {
    let secret = "Hodgkin";
    let text = format!("a,b\n1,2\n{secret},3\n");
    let order = Some(parse_order("o.txt", b"1\n").unwrap());
    let tree = Arc::new(parse_hierarchy("h.csv", b"1;*\n").unwrap());
    let hierarchy = Some(("h.csv".to_string(), tree));
    for plan in [
        plan(Role::Quasi, Some(Kind::Number)),
        plan(Role::Quasi, Some(Kind::Date)),
        plan(Role::Quasi, Some(Kind::Ordinal)),
        ColumnPlan { order, ..plan(Role::Quasi, None) },
        ColumnPlan { hierarchy, ..plan(Role::Quasi, None) },
    ] {
        let open = encode(raw(&text), std::slice::from_ref(&plan), Monitor::silent()).unwrap_err().to_string();
        assert!(open.contains(secret) || plan.kind == Some(Kind::Ordinal) || plan.kind == Some(Kind::Date), "{open}");
        for (role, hidden) in [(Role::Sensitive, false), (Role::Quasi, true)] {
            let plan = ColumnPlan { role, secret: hidden, ..plan.clone() };
            let error = encode(raw(&text), &[plan], Monitor::silent()).unwrap_err().to_string();
            assert!(!error.contains(secret), "{error}");
        }
    }
}

#[test]
fn orders_are_followed_and_must_be_complete() {
    let order = |text: &str| Some(parse_order("o.txt", text.as_bytes()).unwrap());
    let table = encoded(
        &["high", "low", "", "mid"],
        ColumnPlan { order: order("low\nmid\nhigh\nhighest"), ..plan(Role::Quasi, None) },
    )
    .unwrap();
    assert_eq!(
        (values(&table), table.attribute(0).domain.kind()),
        (vec!["low".into(), "mid".into(), "high".to_string()], Kind::Ordinal)
    );
    let error =
        encoded(&["low", "tall", "wide"], ColumnPlan { order: order("low"), ..plan(Role::Quasi, None) }).unwrap_err();
    assert_eq!(
        error.to_string(),
        "f.csv, line 3, column `a`: the order in o.txt lacks 2 of the column's 3 labels: `tall`, `wide`; hint: add a line for each of them"
    );
    let twice = Some(Order { file: "o.txt".into(), labels: vec!["x".into(), "x".into()] });
    assert!(
        encoded(&["x"], ColumnPlan { order: twice, ..plan(Role::Quasi, None) })
            .unwrap_err()
            .to_string()
            .contains("listed twice")
    );
    let error = encoded(&["1"], ColumnPlan { order: order("1"), ..plan(Role::Quasi, Some(Kind::Number)) }).unwrap_err();
    assert_eq!(
        error.to_string(),
        "order `a=o.txt`: a number column takes no order; hint: leave it out, or use `type` a=ordinal"
    );
}

#[test]
fn hierarchies_go_onto_domains() {
    let tree = Arc::new(parse_hierarchy("h.csv", b"1;odd;*\n2;even;*\n3;odd;*\n").unwrap());
    let with = |cells: &[&str]| {
        encoded(cells, ColumnPlan { hierarchy: Some(("h.csv".into(), tree.clone())), ..plan(Role::Quasi, None) })
    };
    let table = with(&["2", "1.0", ""]).unwrap();
    let domain = &table.attribute(0).domain;
    assert_eq!((domain.kind(), domain.leaf(1), domain.leaf(2)), (Kind::Number, Some(0), Some(2)));
    let error = with(&["2", "4"]).unwrap_err().to_string();
    assert!(error.starts_with("h.csv, column `a`: the hierarchy lacks 1 of the column's 2 values: `4`"), "{error}");
}

#[test]
fn plans_name_columns() {
    let table = raw("age,zipcode\n1,2\n");
    let plans = [ColumnPlan::new("zipcode", Role::Kept), ColumnPlan::new("age", Role::Quasi)];
    let encoded = encode(table.clone(), &plans, Monitor::silent()).unwrap();
    assert_eq!((encoded.attribute(0).name.as_str(), encoded.attribute(1).role), ("zipcode", Role::Quasi));
    let error = encode(table.clone(), &[ColumnPlan::new("zip", Role::Quasi)], Monitor::silent()).unwrap_err();
    assert_eq!(error.to_string(), "column `zip`: there is no such column; hint: did you mean `zipcode`?");
    let twice = [ColumnPlan::new("age", Role::Kept), ColumnPlan::new("age", Role::Quasi)];
    assert_eq!(encode(table, &twice, Monitor::silent()).unwrap_err().exit_code(), 3);
}

#[test]
fn widths_shrink_when_texts_join() {
    let cells: Vec<String> = (0..300).map(|i| format!("{}.{}", i % 150, "0".repeat(1 + i / 150))).collect();
    let table = encoded(&cells.iter().map(String::as_str).collect::<Vec<_>>(), plan(Role::Quasi, None)).unwrap();
    assert!(matches!(table.column(0), Codes::U8(_)));
    assert_eq!((table.attribute(0).domain.len(), table.column(0).get(151)), (150, 2));
}

#[test]
fn adult_with_its_hierarchies() {
    let Some(path) = data_file("adult/adult_all_48842.csv.gz") else { return };
    let raw = read(&path, &ReadOptions::default().nulls(vec!["?".into()]), Monitor::silent()).unwrap();
    let mut plans = vec![ColumnPlan::new("capital_loss", Role::Sensitive)];
    for column in ["age", "education", "marital-status", "native-country", "occupation", "race", "sex", "workclass"] {
        let Some(file) = data_file(&format!("adult/hierarchies/adult_hierarchy_{column}.csv")) else { return };
        let hierarchy = Some((column.to_string(), Arc::new(read_hierarchy(&file).unwrap())));
        plans.push(ColumnPlan { hierarchy, ..ColumnPlan::new(column.replace('-', "_"), Role::Quasi) });
    }
    let table = encode(raw, &plans, Monitor::silent()).unwrap();
    assert_eq!((table.n_rows(), table.attribute(0).domain.kind()), (48_842, Kind::Number));
    let workclass = &table.attribute(8).domain;
    assert_eq!((workclass.kind(), workclass.len(), table.column_bag(8).count(NULL)), (Kind::Nominal, 8, 2799));
    assert_eq!(table.attribute(1).domain.number(1).map(|n| Decimal::new(n, 0)), Decimal::parse("17"));
}

#[test]
fn census_is_all_numbers() {
    let Some(path) = data_file("acs2024/acs2024_sal_like_500000.csv.gz") else { return };
    let raw = read(&path, &ReadOptions::default(), Monitor::silent()).unwrap();
    let plans: Vec<ColumnPlan> = raw.names.iter().map(|name| ColumnPlan::new(name, Role::Quasi)).collect();
    let table = encode(raw, &plans, Monitor::silent()).unwrap();
    let sizes: Vec<usize> = table.schema().attributes().iter().map(|a| a.domain.len()).collect();
    assert_eq!(sizes[1..8], [2, 24, 5, 9, 8, 49, 529]);
    assert!(table.schema().attributes().iter().all(|a| a.domain.kind() == Kind::Number));
}

#[test]
fn labels_are_sorted_by_their_whole_text() {
    let cells =
        ["user-b", "user-", "user-a\0", "user-a", "user-12345678b", "user-12345678a", "user-é", "user-12345678"];
    let table = encoded(&cells, plan(Role::Quasi, None)).unwrap();
    let mut expected: Vec<&str> = cells.to_vec();
    expected.sort_unstable();
    assert_eq!(values(&table), expected);
    assert_eq!(rows(&table), cells);
}

#[test]
fn a_coded_table_can_be_read_as_if_it_came_from_a_file() {
    let texts = "n,l\n10.50,b\n,a\n2,\n10.5,\"x, \"\"y\"\"\"\n";
    let plans = [ColumnPlan::new("l", Role::Kept), ColumnPlan::new("n", Role::Quasi)];
    let table = encode(raw(texts), &plans, Monitor::silent()).unwrap();
    let back = RawTable::from_table(table.clone(), "the source").unwrap();
    assert_eq!((back.names.join(","), back.n_rows, back.source.as_str()), ("l,n".into(), 4, "the source"));
    let RawColumn::Text { dictionary, codes } = &back.columns[1] else { panic!("a text column") };
    assert_eq!(dictionary.iter().collect::<Vec<_>>(), ["2", "10.5"]);
    assert_eq!((codes.iter().collect::<Vec<_>>(), dictionary.line(1)), (vec![2, 0, 1, 2], None));
    let again = encode(back, &plans, Monitor::silent()).unwrap();
    assert_eq!(again.schema(), table.schema());
    assert!((0..2).all(|at| again.column(at) == table.column(at)));
}

#[test]
fn a_cancelled_encoding_leaves_no_table() {
    let cancellation = Cancellation::default();
    let plans = [ColumnPlan::new("a", Role::Quasi)];
    let rows = |table: Result<Table>| table.map(|table| table.n_rows());
    let run = || rows(encode(raw("a\n1\n2\n"), &plans, Monitor::new(&Silent, &cancellation)));
    assert_eq!(run(), Ok(2));
    cancellation.cancel();
    assert_eq!(run(), Err(Error::Cancelled));
}
