use super::*;
use proptest::prelude::*;
use scumble_table::Decimal;
use serde_json::{Value, json};

fn sample() -> Manifest {
    let number = |text: &str| Decimal::parse(text).unwrap();
    let mut manifest = Manifest::new(Method::Generalize, "mondrian");
    manifest.requirements = vec!["k-anonymity(2)".into(), "pay: variance(10)".into()];
    manifest.columns = vec![
        ManifestColumn {
            name: "age".into(),
            role: Role::Quasi,
            kind: Kind::Number,
            domain: Extent::Numbers(Some((number("17"), number("123456789012345678901234567890.25")))),
            published: true,
        },
        ManifestColumn {
            name: "born".into(),
            role: Role::Quasi,
            kind: Kind::Date,
            domain: Extent::Days(Some((0, 31))),
            published: false,
        },
        ManifestColumn {
            name: "a\\b".into(),
            role: Role::Kept,
            kind: Kind::Nominal,
            domain: Extent::Labels(vec!["/etc/x".into(), "é".into()]),
            published: false,
        },
        ManifestColumn {
            name: "pay".into(),
            role: Role::Sensitive,
            kind: Kind::Number,
            domain: Extent::Numbers(None),
            published: false,
        },
    ];
    manifest.hierarchies = vec![("born".into(), "hierarchy-born.csv".into())];
    manifest.tables =
        vec![TableEntry { name: "table".into(), file: "table.csv".into(), rows: 3, sha256: "00".repeat(32) }];
    manifest.attained = vec![AttainedEntry {
        requirement: "k-anonymity(2)".into(),
        column: None,
        figures: vec![
            ("k".into(), "2".into()),
            ("c".into(), "0.30000000000000000001".into()),
            ("l".into(), "none".into()),
        ],
    }];
    manifest
}

#[test]
fn fields_stand_in_the_contract_order_and_come_back() {
    let manifest = sample();
    let text = manifest.to_json().unwrap();
    assert!(text.contains("123456789012345678901234567890.25"), "{text}");
    assert!(
        text.contains("\"k\": 2,") && text.contains("0.30000000000000000001") && text.contains("\"none\""),
        "{text}"
    );
    assert_eq!(Manifest::parse(&text).unwrap(), manifest);
    let value: Value = serde_json::from_str(&text).unwrap();
    let names: Vec<&String> = value.as_object().unwrap().keys().collect();
    assert_eq!(
        names,
        [
            "scumble",
            "method",
            "algorithm",
            "requirements",
            "columns",
            "hierarchies",
            "rows",
            "suppressed",
            "groups",
            "tables",
            "attained",
            "profile",
            "coins"
        ]
    );
    assert_eq!(
        value["columns"][1],
        json!({"name": "born", "role": "quasi", "type": "date", "domain": ["1970-01-01", "1970-02-01"]})
    );
}

#[test]
fn errors_name_the_field() {
    let good: Value = serde_json::from_str(&sample().to_json().unwrap()).unwrap();
    let spoilt = |change: &dyn Fn(&mut Value)| {
        let mut value = good.clone();
        change(&mut value);
        Manifest::parse(&value.to_string()).unwrap_err().to_string()
    };
    let without = |field: &'static str| spoilt(&|m| drop(m.as_object_mut().unwrap().remove(field)));
    for field in ["scumble", "method", "columns", "rows", "tables", "attained", "profile", "coins"] {
        assert_eq!(without(field), format!("manifest.json: field `{field}`: this field is missing"));
    }
    for (error, part) in [
        (spoilt(&|m| m["rows"] = json!("3")), "field `rows`: wrong type: string \"3\", expected u64"),
        (spoilt(&|m| m["rows"] = json!(-3)), "field `rows`: wrong type"),
        (spoilt(&|m| m["method"] = json!("permut")), "did you mean `permute`?"),
        (spoilt(&|m| m["columns"][1]["role"] = json!("quazi")), "field `columns[1].role`"),
        (spoilt(&|m| m["columns"][0]["domain"] = json!([3, 1])), "field `columns[0].domain`: this is not the least"),
        (spoilt(&|m| m["columns"][0]["domain"] = json!({})), "field `columns[0].domain`: wrong type"),
        (spoilt(&|m| m["columns"][2]["domain"] = json!([1])), "field `columns[2].domain`: wrong type"),
        (spoilt(&|m| m["columns"][2]["extra"] = json!(1)), "field `columns[2].extra`: a manifest has no such field"),
        (spoilt(&|m| m["columns"] = json!([[]])), "field `columns[0]`: this is not an object"),
        (spoilt(&|m| m["host"] = json!("here")), "field `host`: a manifest has no such field"),
        (spoilt(&|m| m["columns"][1]["name"] = json!("age")), "two columns have this name"),
        (spoilt(&|m| m["coins"] = json!(null)), "field `coins`: wrong type"),
    ] {
        assert!(error.starts_with("manifest.json") && error.contains(part), "{error}");
    }
    // A release of another version is no broken one.
    for version in ["9.0.0", "x"] {
        let error = spoilt(&|m| m["scumble"] = json!(version));
        assert!(error.starts_with("release") && error.contains(&format!("scumble {version}")), "{error}");
    }
    assert!(Manifest::parse("{").unwrap_err().to_string().contains("not JSON"));
    assert!(Manifest::parse("{\"a\":1,\"a\":2}").unwrap_err().to_string().contains("twice"));
}

proptest! {
    #[test]
    fn no_text_panics(text in "\\PC*", json in "[\\[\\]{}\":,a0-9.e-]{0,40}") {
        let _ = Manifest::parse(&text);
        let _ = Manifest::parse(&json);
    }
}

#[test]
fn only_known_words_and_columns_of_the_right_role_are_accepted() {
    let with = |entries: &[&str]| {
        let mut manifest = sample();
        manifest.accepted = entries.iter().map(ToString::to_string).collect();
        Manifest::parse(&manifest.to_json().unwrap())
    };
    let fine = with(&["rows-are-people", "accept-keep a\\b", "allow-sets age", "allow-sets born"]).unwrap();
    assert_eq!(unexpected_words(&fine), Vec::<String>::new());
    for wrong in
        ["rows are people", "accept-keep age", "allow-sets a\\b", "allow-sets pay", "allow-sets", "hello age", ""]
    {
        let error = with(&[wrong]).unwrap_err().to_string();
        assert!(error.starts_with("manifest.json") && error.contains("field `accepted`"), "{wrong}: {error}");
    }
    let twice = with(&["allow-sets age", "allow-sets age"]).unwrap();
    assert_eq!(unexpected_words(&twice), ["`accepted[1]` says again what was said before"]);
}
