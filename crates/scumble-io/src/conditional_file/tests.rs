use super::*;
use proptest::prelude::*;

const HEIGHT: &str = r#"
column = "height"
common = [[155, 170]]

[[context]]
when = { sex = "F" }
levels = [[152, 155, 158.5, 170], [155, 170]]

[[context]]
when = { sex = ["M", ""], age = { from = 20, to = "29" }, born = { to = 1990-12-31 } }
levels = [[155, 160, 170], [155, 170]]
"#;

#[test]
fn a_file_reads_as_it_is_meant() {
    let tree = parse_conditional("h.toml", HEIGHT).unwrap();
    assert_eq!((tree.column.as_str(), tree.n_context_levels(), tree.n_levels()), ("height", 2, 3));
    assert_eq!(tree.given(), ["sex", "age", "born"]);
    assert_eq!(tree.contexts[0].levels[0].iter().map(|cut| &**cut).collect::<Vec<_>>(), ["152", "155", "158.5", "170"]);
    let second = &tree.contexts[1].when;
    assert_eq!(second[0].is, Is::OneOf(vec!["M".into(), "".into()]));
    assert_eq!(second[1].is, Is::Between(Some("20".into()), Some("29".into())));
    assert_eq!(second[2].is, Is::Between(None, Some("1990-12-31".into())));
    assert_eq!(parse_conditional("again", &write_conditional(&tree)).unwrap(), tree);
}

#[test]
fn faults_name_their_line() {
    for (text, message) in [
        ("", "h, `column` is missing"),
        ("column = 3", "h, line 1: `column` must be the name of a column"),
        ("column = \"a\"\ncomon = []", "h, line 2: there is no field `comon` here; hint: did you mean `common`?"),
        ("column = \"a\"\ncommon = [3]", "h, line 2: `common` must be a list of levels"),
        ("column = \"a\"\ncommon = [[true]]", "h, line 2: `common` holds something that is no value"),
        ("column = \"a\"\n[[context]]\nlevels = [[]]", "h, line 2: a context needs a condition"),
        ("column = \"a\"\n[[context]]\nwhen = { b = {} }\nlevels = [[]]", "h, line 3: `b` needs `from` or `to`"),
        ("column = \"a\"\n[[context]]\nwhen = { b = 1 }", "h, line 2: a context needs `levels`"),
        ("column = \"a\"\n[[context]]\nwhen = { b = 1 }\nlevels = []", "h, line 2: a context needs a level"),
        ("column = ", "h, line 1: "),
    ] {
        let error = parse_conditional("h", text).unwrap_err().to_string();
        assert!(error.replacen("h: ", "h, ", 1).starts_with(message), "{text:?}: {error}");
    }
    assert!(is_toml(Path::new("a/b.toml")) && !is_toml(Path::new("b.csv")));
}

proptest! {
    #[test]
    fn written_and_read_again(
        column in "[a-z\"\\\\ \u{e9}]{1,6}",
        cuts in proptest::collection::vec(proptest::collection::vec("[-0-9a-z\"' .\u{e9}]{0,6}", 0..4), 1..4),
        values in proptest::collection::vec("[a-z\"\n]{0,3}", 1..4),
    ) {
        let levels: Vec<Cuts> = cuts.iter().map(|cuts| cuts.iter().map(|cut| cut.as_str().into()).collect()).collect();
        let is = Is::OneOf(values.iter().map(|value| value.as_str().into()).collect());
        let between = Is::Between(None, Some("-05".into()));
        let when = vec![
            ContextCondition { column: column.clone(), is },
            ContextCondition { column: format!("{column}2"), is: between },
        ];
        let contexts = vec![HierarchyContext { when, levels: levels.clone() }];
        let tree = ConditionalHierarchy { column, common: levels, contexts };
        prop_assert_eq!(parse_conditional("again", &write_conditional(&tree)).unwrap(), tree);
    }

    #[test]
    fn never_panics(text in ".{0,200}") {
        let _ = parse_conditional("h", &text);
    }
}
