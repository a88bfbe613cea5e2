use super::*;
use crate::{Attribute, Code, Decimal, Domain, Role, Schema};

fn cuts(texts: &[&str]) -> Cuts {
    texts.iter().map(|&text| text.into()).collect()
}

fn context(column: &str, is: Is, levels: &[&[&str]]) -> HierarchyContext {
    let when = vec![ContextCondition { column: column.into(), is }];
    HierarchyContext { when, levels: levels.iter().map(|level| cuts(level)).collect() }
}

fn one(value: &str) -> Is {
    Is::OneOf(vec![value.into()])
}

/// Heights 150 to 180 in steps of 2.5, a sex and a date.
fn schema() -> Schema {
    let heights: Vec<Decimal> = (0..=12).map(|step| Decimal::new(1500 + 25 * step, 1)).collect();
    let column = |name: &str, domain| Attribute { name: name.into(), role: Role::Quasi, domain };
    Schema::new(vec![
        column("sex", Domain::nominal(vec!["F".into(), "M".into()])),
        column("height", Domain::numbers(heights).unwrap()),
        column("size", Domain::ordinal(vec!["S".into(), "M".into(), "L".into()])),
        column("born", Domain::dates(vec![0, 100, 10_000])),
    ])
    .unwrap()
}

fn height() -> ConditionalHierarchy {
    ConditionalHierarchy {
        column: "height".into(),
        common: vec![cuts(&["160", "170"]), cuts(&["170"])],
        contexts: vec![
            context("sex", one("F"), &[&["155", "160", "170"]]),
            context("sex", one("M"), &[&["160", "167.5", "170", "175.0"]]),
        ],
    }
}

#[test]
fn values_find_the_interval_of_their_context() {
    let bound = height().bind("h", &schema()).unwrap();
    assert_eq!((bound.column(), bound.given(), bound.n_context_levels(), bound.n_levels()), (1, &[0][..], 1, 3));
    let (none, female, male) = (bound.context(&[0]), bound.context(&[1]), bound.context(&[2]));
    assert_eq!((none, female, male), (0, 1, 2));
    // 150, 152.5, 155 | 157.5, 160 | 162.5 .. 170 | above
    let all = |context: usize, level: usize| {
        (1..=13).map(|code: Code| bound.interval(context, level, code)).collect::<Vec<_>>()
    };
    assert_eq!(all(1, 0), [0, 0, 0, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3]);
    assert_eq!(all(2, 0), [0, 0, 0, 0, 0, 1, 1, 1, 2, 3, 3, 4, 4]);
    assert_eq!(all(0, 0), [0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2], "in no context the common interval is shown");
    for context in 0..3 {
        assert_eq!(all(context, 1), all(0, 0));
        assert_eq!(all(context, 2), [0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1]);
    }
    assert!(!bound.in_same_contexts(0, 1, 2) && !bound.in_same_contexts(0, 0, 1) && bound.in_same_contexts(0, 2, 2));
}

#[test]
fn conditions_on_every_kind() {
    let by = |column: &str, is: Is| {
        let tree = ConditionalHierarchy {
            column: "height".into(),
            common: vec![Vec::new()],
            contexts: vec![context(column, is, &[&["160"]])],
        };
        let bound = tree.bind("h", &schema()).map_err(|error| error.to_string())?;
        Ok::<_, String>((0..4).map(|code| bound.context(&[code])).collect::<Vec<_>>())
    };
    assert_eq!(by("size", Is::Between(Some("M".into()), None)).unwrap(), [0, 0, 1, 1]);
    assert_eq!(by("born", Is::Between(None, Some("1971-01-01".into()))).unwrap(), [0, 1, 1, 0]);
    assert_eq!(by("born", Is::OneOf(vec!["".into(), "1970-01-01".into()])).unwrap(), [1, 1, 0, 0]);
    assert!(by("sex", Is::Between(None, None)).unwrap_err().contains("nominal"));
    assert!(by("born", one("soon")).unwrap_err().contains("`soon` is no date"));
    assert!(by("size", Is::Between(Some("XL".into()), None)).unwrap_err().contains("`XL` is no label of `size`"));
    assert!(
        by("born", Is::Between(Some("1980-01-01".into()), Some("1970-01-01".into())))
            .unwrap_err()
            .contains("backwards")
    );
    assert!(by("height", one("160")).unwrap_err().contains("asks about that column itself"));
    assert!(by("hight", one("160")).unwrap_err().contains("did you mean `height`?"));
}

#[test]
fn what_is_not_nested_or_not_apart_is_refused() {
    let refused = |change: &dyn Fn(&mut ConditionalHierarchy), part: &str| {
        let mut tree = height();
        change(&mut tree);
        let error = tree.bind("h.toml", &schema()).unwrap_err().to_string();
        assert!(error.starts_with("h.toml") && error.contains(part), "{error}");
    };
    refused(&|tree| tree.contexts[1].levels[0] = cuts(&["160"]), "cut after `170` and the finer one is not");
    refused(&|tree| tree.common[1] = cuts(&["165"]), "not nested");
    refused(&|tree| tree.common[0] = cuts(&["170", "160"]), "must rise");
    refused(&|tree| tree.common[0] = cuts(&["tall"]), "`tall` is no number");
    refused(&|tree| tree.contexts[0].when[0].is = Is::OneOf(vec!["F".into(), "M".into()]), "in two contexts");
    refused(&|tree| tree.contexts[0].levels.push(cuts(&["160", "170"])), "levels and the first context");
    refused(&|tree| tree.common.clear(), "no common level");
    refused(&|tree| tree.column = "sex".into(), "intervals need an order");
    refused(
        &|tree| {
            let again = tree.contexts[0].when[0].clone();
            tree.contexts[0].when.push(again);
        },
        "asks about `sex` twice",
    );
    refused(&|tree| *tree = ConditionalHierarchy::plain("height", Vec::new()), "has no level");
}
