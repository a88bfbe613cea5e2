//! Facts of a release to make reports of.

use scumble_report::{ColumnFacts, Guards, Meaning, Noun, ReleaseFacts, RequirementFacts};

/// The four methods and one that is not known.
pub(crate) const METHODS: [&str; 5] = ["generalize", "permute", "anatomy", "angel", "something-new"];

/// Requirements with the headings of their principles.
pub(crate) const REQUIREMENTS: [(&str, &str); 4] = [
    ("k-anonymity(10)", "k-anonymity"),
    ("t-closeness(0.2, ordered)", "t-closeness, ordered values"),
    ("alpha-k-anonymity(0.3, 5)", "(alpha, k)-anonymity"),
    ("variance(2500)", "Variance"),
];

/// A requirement whose words are about its notation.
pub(crate) fn requirement((notation, family): (&str, &str)) -> RequirementFacts {
    RequirementFacts {
        notation: notation.into(),
        meaning: Some(Meaning {
            family: family.into(),
            demands: format!("every group is made for {notation}"),
            hides: format!("What {notation} hides."),
            leaves: format!("What {family} leaves open."),
        }),
        guards: if family == "k-anonymity" { Guards::Sizes } else { Guards::Everything },
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
        requirements: REQUIREMENTS.into_iter().map(requirement).collect(),
        columns: vec![
            column("age", "quasi", Some(0.2)),
            column("postcode", "quasi", Some(0.0)),
            column("illness", "sensitive", None),
            column("pay", "sensitive", None),
            column("weight", "kept", None),
        ],
        rows: 1_200,
        suppressed: 7,
        stars: method != "permute",
        ends: true,
        counted: Noun::ROW,
        persons: None,
        unnamed: 0,
        households: false,
        missing_ignored: Vec::new(),
        accepted: Vec::new(),
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
