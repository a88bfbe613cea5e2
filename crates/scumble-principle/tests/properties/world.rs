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

/// Requirements of every enforced principle.
pub(crate) fn requirement() -> impl Strategy<Value = Requirement> {
    let share =
        || prop_oneof![(0u32..=20).prop_map(|i| f64::from(i) / 20.0), (0u32..=24).prop_map(|i| f64::from(i) / 24.0)];
    let text = prop_oneof![
        (1u64..7).prop_map(|k| format!("k-anonymity({k})")),
        (1u64..5).prop_map(|l| format!("distinct-l-diversity({l})")),
        (4u32..20).prop_map(|l| format!("frequency-l-diversity({})", f64::from(l) / 4.0)),
        (4u32..20).prop_map(|l| format!("entropy-l-diversity({})", f64::from(l) / 4.0)),
        (1u32..12, 2u64..5).prop_map(|(c, l)| format!("recursive-l-diversity({}, {l})", f64::from(c) / 4.0)),
        (share(), prop_oneof![Just("equal"), Just("ordered"), Just("hierarchical")])
            .prop_map(|(t, ground)| format!("t-closeness({t}, {ground})")),
        (1u32..=20, 1u64..6).prop_map(|(alpha, k)| format!("alpha-k-anonymity({}, {k})", f64::from(alpha) / 20.0)),
        (0u32..400).prop_map(|t| format!("variance({})", f64::from(t) / 4.0)),
        (0u32..400).prop_map(|t| format!("variance({})", f64::from(t) / 4000.0)),
        (1u64..5, 0u32..160).prop_map(|(k, e)| format!("ke-anonymity({k}, {})", f64::from(e) / 4.0)),
        (1u64..5, 0u32..160).prop_map(|(k, e)| format!("ke-anonymity({k}, {})", f64::from(e) / 400.0)),
        proximity(),
    ];
    text.prop_map(|text| text.parse().unwrap())
}

/// Proximity requirements in their three forms; distances that small columns have occur often.
pub(crate) fn proximity() -> impl Strategy<Value = String> {
    let length = || prop_oneof![(0u32..40).prop_map(f64::from), (0u32..400).prop_map(|i| f64::from(i) / 20.0)];
    prop_oneof![
        (length(), 1u64..5).prop_map(|(e, m)| format!("proximity-absolute({e}, {m})")),
        (length(), length(), 1u64..5).prop_map(|(a, b, m)| format!("proximity-interval({a}, {b}, {m})")),
        (0u32..24, 1u64..5).prop_map(|(e, m)| format!("proximity-relative({}, {m})", f64::from(e) / 24.0)),
        (0u32..8, 1u64..5).prop_map(|(e, m)| format!("proximity-relative({}, {m})", f64::from(e) / 8.0)),
    ]
}
