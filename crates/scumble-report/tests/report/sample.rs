//! Facts of a release to make reports of.

use scumble_report::{ColumnFacts, ReleaseFacts, RequirementFacts};

/// The four methods and one that is not known.
pub(crate) const METHODS: [&str; 5] = ["generalize", "permute", "anatomy", "angel", "something-new"];

/// Every form of requirement in the notation.
pub(crate) const REQUIREMENTS: [&str; 15] = [
    "k-anonymity(10)",
    "distinct-l-diversity(3)",
    "frequency-l-diversity(3)",
    "entropy-l-diversity(3)",
    "recursive-l-diversity(2.0, 3)",
    "t-closeness(0.2)",
    "t-closeness(0.2, ordered)",
    "t-closeness(0.2, hierarchical)",
    "alpha-k-anonymity(0.3, 5)",
    "proximity-absolute(4500, 5)",
    "proximity-relative(0.125, 5)",
    "proximity-interval(20, 10000, 2)",
    "proximity-window(20, 10000, 2)",
    "dissimilarity(0.1, 0.8, 10)",
    "ke-anonymity(4, 100)",
];

pub(crate) fn requirement(notation: &str) -> RequirementFacts {
    RequirementFacts {
        notation: notation.into(),
        plain_words: String::new(),
        attained: vec![("worst group".into(), "0.25".into())],
        column: None,
    }
}

pub(crate) fn column(name: &str, role: &str, generalized: Option<f64>) -> ColumnFacts {
    ColumnFacts { name: name.into(), role: role.into(), kind: "nominal".into(), generalized, loss: generalized }
}

pub(crate) fn release(method: &str) -> ReleaseFacts {
    ReleaseFacts {
        method: method.into(),
        algorithm: "mondrian".into(),
        profile: "standard".into(),
        coins_secret: true,
        requirements: REQUIREMENTS.iter().chain(&["variance(2500)"]).map(|r| requirement(r)).collect(),
        columns: vec![
            column("age", "quasi", Some(0.2)),
            column("postcode", "quasi", Some(0.0)),
            column("illness", "sensitive", None),
            column("pay", "sensitive", None),
            column("weight", "kept", None),
        ],
        rows: 1_200,
        suppressed: 7,
        groups: 90,
        group_sizes: vec![(10, 40), (11, 30), (500, 20)],
        loss: Some(0.31),
        ncp: Some(0.2),
        files: vec![
            ("table.csv".into(), 1_207, "everything".into()),
            ("generalized.csv".into(), 1_207, "one".into()),
            ("marginal-age-postcode.csv".into(), 1_207, "another".into()),
        ],
        notes: vec!["A remark.".into()],
    }
}
