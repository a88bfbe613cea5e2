//! Small random columns with a hierarchy over them, groups drawn from them, and requirements whose
//! boundaries such groups often meet exactly.

use proptest::prelude::*;
use scumble_principle::{Requirement, Test};
use scumble_table::{Bag, Code, Decimal, Domain, Hierarchy};
use std::sync::Arc;

/// A column of numbers with a hierarchy. `groups` are disjoint; `whole` holds them and other rows.
#[derive(Debug, Clone)]
pub(crate) struct World {
    pub(crate) domain: Domain,
    pub(crate) whole: Bag,
    pub(crate) groups: Vec<Bag>,
}

impl World {
    pub(crate) fn bind(&self, requirement: &Requirement) -> Box<dyn Test> {
        requirement.principle().bind(&self.domain, &self.whole).unwrap()
    }
}

fn hierarchy(texts: &[String], low: &[usize], middle: &[usize]) -> Hierarchy {
    let rows: Vec<Vec<String>> = texts
        .iter()
        .enumerate()
        .map(|(i, text)| {
            let group = low[i % low.len()];
            let above = middle[group % middle.len()];
            vec![text.clone(), format!("low{group}"), format!("middle{above}"), "*".into()]
        })
        .collect();
    Hierarchy::from_rows("tree.csv", &rows, &[]).unwrap()
}

fn domain() -> impl Strategy<Value = Domain> {
    let values = proptest::collection::btree_set(-40i64..40, 1..7);
    let low = proptest::collection::vec(0usize..4, 6);
    let middle = proptest::collection::vec(0usize..2, 4);
    (values, 0u8..3, low, middle).prop_map(|(values, scale, low, middle)| {
        let decimals: Vec<Decimal> = values.into_iter().map(|v| Decimal::new(v.into(), scale)).collect();
        let texts: Vec<String> = decimals.iter().map(Decimal::to_string).collect();
        let tree = Arc::new(hierarchy(&texts, &low, &middle));
        Domain::numbers(decimals).unwrap().with_hierarchy("tree.csv", "x", tree).unwrap()
    })
}

/// A world with `n_groups` groups of up to `most` rows; nulls occur.
pub(crate) fn world(n_groups: usize, most: usize) -> impl Strategy<Value = World> {
    domain().prop_flat_map(move |domain| {
        let codes = 0..domain.n_codes() as Code;
        let bag = move |least| proptest::collection::vec(codes.clone(), least..=most).prop_map(Bag::from_codes);
        (proptest::collection::vec(bag(1), n_groups), bag(0)).prop_map(move |(groups, rest)| {
            let whole = groups.iter().fold(rest, |all, group| all.union(group));
            World { domain: domain.clone(), whole, groups }
        })
    })
}

/// Requirements of one principle, or of one form of it.
pub(crate) struct Kind {
    /// Its name in the catalogue.
    pub(crate) principle: &'static str,
    /// Requirements of it, many of which some groups meet and others do not.
    pub(crate) requirements: BoxedStrategy<Requirement>,
}

/// Every principle that looks at one column, the forms of t-closeness, beta-likeness and proximity apart.
pub(crate) fn kinds() -> Vec<Kind> {
    let quarter = |i: u32| f64::from(i) / 4.0;
    let share =
        || prop_oneof![(0u32..=20).prop_map(|i| f64::from(i) / 20.0), (0u32..=24).prop_map(|i| f64::from(i) / 24.0)];
    let small = |most: u32| prop_oneof![(0..most).prop_map(quarter), (0..most).prop_map(|i| f64::from(i) / 400.0)];
    let closeness = |ground: &'static str| share().prop_map(move |t| format!("t-closeness({t}, {ground})"));
    let likeness = |gain: &'static str| {
        prop_oneof![(0u32..16).prop_map(quarter), share()]
            .prop_map(move |beta| format!("beta-likeness({beta}, {gain})"))
    };
    vec![
        kind("k-anonymity", (1u64..9).prop_map(|k| format!("k-anonymity({k})"))),
        kind("distinct-l-diversity", (1u64..5).prop_map(|l| format!("distinct-l-diversity({l})"))),
        kind("frequency-l-diversity", (4u32..20).prop_map(move |l| format!("frequency-l-diversity({})", quarter(l)))),
        kind("entropy-l-diversity", (4u32..20).prop_map(move |l| format!("entropy-l-diversity({})", quarter(l)))),
        kind(
            "recursive-l-diversity",
            (1u32..12, 2u64..5).prop_map(move |(c, l)| format!("recursive-l-diversity({}, {l})", quarter(c))),
        ),
        kind("t-closeness", closeness("equal")),
        kind("t-closeness", closeness("ordered")),
        kind("t-closeness", closeness("hierarchical")),
        kind("beta-likeness", likeness("basic")),
        kind("beta-likeness", likeness("enhanced")),
        kind("beta-likeness", likeness("two-sided")),
        kind("beta-likeness", likeness("enhanced-two-sided")),
        kind(
            "delta-disclosure",
            prop_oneof![(1u32..30).prop_map(|i| f64::from(i) / 10.0), (1u32..400).prop_map(|i| f64::from(i) / 400.0)]
                .prop_map(|delta| format!("delta-disclosure({delta})")),
        ),
        kind(
            "alpha-k-anonymity",
            (1u32..=20, 1u64..6).prop_map(|(alpha, k)| format!("alpha-k-anonymity({}, {k})", f64::from(alpha) / 20.0)),
        ),
        kind("proximity-absolute", absolute()),
        kind("proximity-interval", interval()),
        kind("proximity-relative", relative()),
        kind("proximity-window", window()),
        kind("variance", small(400).prop_map(|t| format!("variance({t})"))),
        kind("ke-anonymity", (1u64..5, small(160)).prop_map(|(k, e)| format!("ke-anonymity({k}, {e})"))),
    ]
}

fn kind(principle: &'static str, texts: impl Strategy<Value = String> + 'static) -> Kind {
    Kind { principle, requirements: texts.prop_map(|text| text.parse().unwrap()).boxed() }
}

/// Requirements of every principle that looks at one column.
pub(crate) fn requirement() -> impl Strategy<Value = Requirement> {
    proptest::strategy::Union::new(kinds().into_iter().map(|kind| kind.requirements))
}

/// Proximity requirements in their three forms that are not monotone.
pub(crate) fn proximity() -> impl Strategy<Value = String> {
    prop_oneof![absolute(), interval(), relative()]
}

/// Distances that small columns have occur often.
fn length() -> impl Strategy<Value = f64> {
    prop_oneof![(0u32..40).prop_map(f64::from), (0u32..400).prop_map(|i| f64::from(i) / 20.0)]
}

fn absolute() -> impl Strategy<Value = String> {
    (length(), 1u64..5).prop_map(|(e, m)| format!("proximity-absolute({e}, {m})"))
}

fn interval() -> impl Strategy<Value = String> {
    (length(), length(), 1u64..5).prop_map(|(a, b, m)| format!("proximity-interval({a}, {b}, {m})"))
}

fn relative() -> impl Strategy<Value = String> {
    let epsilon = prop_oneof![(0u32..24).prop_map(|e| f64::from(e) / 24.0), (0u32..8).prop_map(|e| f64::from(e) / 8.0)];
    (epsilon, 1u64..5).prop_map(|(e, m)| format!("proximity-relative({e}, {m})"))
}

/// Windows are long, as both sides count, so short sides are drawn more often.
pub(crate) fn window() -> impl Strategy<Value = String> {
    let side = || prop_oneof![1 => length(), 4 => (0u32..40).prop_map(|i| f64::from(i) / 100.0)];
    (side(), side(), 2u64..5).prop_map(|(a, b, m)| format!("proximity-window({a}, {b}, {m})"))
}
