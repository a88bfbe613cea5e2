//! A test that takes labels which differ only by look for one value.

use crate::{Attained, Test};
use scumble_table::{Bag, LookAlikes};
use std::sync::Arc;

/// A test put to bags in which labels that look alike are merged. It was bound to such a bag of all rows.
#[derive(Debug)]
pub(crate) struct CountedByLook {
    test: Box<dyn Test>,
    alikes: Arc<LookAlikes>,
}

impl CountedByLook {
    pub(crate) fn new(test: Box<dyn Test>, alikes: Arc<LookAlikes>) -> Self {
        CountedByLook { test, alikes }
    }
}

/// Merging goes with union: the merged bag of two groups together is that of the merged bags. So the union of passing
/// groups passes, and rows can be added, wherever that is so for the test inside.
impl Test for CountedByLook {
    fn holds(&self, group: &Bag) -> bool {
        self.test.holds(&self.alikes.merged(group))
    }

    fn divisible(&self, group: &Bag) -> bool {
        self.test.divisible(&self.alikes.merged(group))
    }

    fn monotone(&self) -> bool {
        self.test.monotone()
    }

    fn superset_closed(&self) -> bool {
        self.test.superset_closed()
    }

    fn attained(&self, group: &Bag) -> Attained {
        self.test.attained(&self.alikes.merged(group))
    }

    fn least_size(&self) -> u64 {
        self.test.least_size()
    }

    fn generalizable(&self, group: &Bag) -> bool {
        self.test.generalizable(&self.alikes.merged(group))
    }

    fn best(&self, whole: &Bag) -> Attained {
        self.test.best(&self.alikes.merged(whole))
    }

    fn needs_values(&self) -> bool {
        self.test.needs_values()
    }
}

#[cfg(test)]
mod tests {
    use crate::Requirement;
    use proptest::prelude::*;
    use scumble_table::{Bag, Domain};

    /// Eight labels of four looks.
    fn domain() -> Domain {
        Domain::nominal(["flu", "Flu", "FLU ", "5", "05", "+5.0", "gout", "angina"].map(Into::into).to_vec())
    }

    fn counting() -> impl Strategy<Value = Requirement> {
        let parts = prop_oneof![
            (1u32..5).prop_map(|l| format!("distinct-l-diversity({l})")),
            (10u32..45).prop_map(|l| format!("frequency-l-diversity({})", f64::from(l) / 10.0)),
            (10u32..45).prop_map(|l| format!("entropy-l-diversity({})", f64::from(l) / 10.0)),
            (1u32..40, 2u32..5).prop_map(|(c, l)| format!("recursive-l-diversity({}, {l})", f64::from(c) / 10.0)),
            (1u32..11, 1u32..6).prop_map(|(a, k)| format!("alpha-k-anonymity({}, {k})", f64::from(a) / 10.0)),
        ];
        parts.prop_map(|text| text.parse().unwrap())
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2000))]

        #[test]
        fn merging_labels_is_never_weaker(requirement in counting(), codes in prop::collection::vec(0u32..9, 1..14)) {
            let (domain, group) = (domain(), Bag::from_codes(codes));
            let plain = requirement.principle().bind(&domain, &group).unwrap();
            let merging = requirement.bind(&domain, &group).unwrap();
            prop_assert!(plain.holds(&group) || !merging.holds(&group));
            prop_assert!(merging.attained(&group).score <= plain.attained(&group).score);
            // What is judged is the bag of looks.
            let merged = domain.look_alikes().unwrap().merged(&group);
            prop_assert_eq!(merging.holds(&group), plain.holds(&merged));
            prop_assert_eq!(merging.holds(&group), merging.holds(&merged));
            // What cannot be divided cannot.
            prop_assert!(!merging.divisible(&group) || plain.divisible(&merged));
        }

        #[test]
        fn closeness_keeps_labels_apart(codes in prop::collection::vec(0u32..9, 1..14), all in prop::collection::vec(0u32..9, 1..30)) {
            // Merging could only bring a group nearer to the whole, so labels are judged as they are published.
            let (domain, group) = (domain(), Bag::from_codes(codes));
            let whole = group.union(&Bag::from_codes(all));
            let alikes = domain.look_alikes().unwrap();
            let requirement: Requirement = "t-closeness(0.3)".parse().unwrap();
            let bound = requirement.bind(&domain, &whole).unwrap();
            let merged = requirement.principle().bind(&domain, &alikes.merged(&whole)).unwrap();
            prop_assert!(!bound.holds(&group) || merged.holds(&alikes.merged(&group)));
        }
    }

    #[test]
    fn three_spellings_are_one_value() {
        let domain = domain();
        let group = Bag::from_codes(["flu", "Flu", "FLU "].map(|text| domain.code_of(text).unwrap()));
        for text in [
            "distinct-l-diversity(2)",
            "frequency-l-diversity(2)",
            "entropy-l-diversity(2)",
            "alpha-k-anonymity(0.5, 2)",
        ] {
            let requirement: Requirement = text.parse().unwrap();
            assert!(requirement.principle().bind(&domain, &group).unwrap().holds(&group), "{text}");
            assert!(!requirement.bind(&domain, &group).unwrap().holds(&group), "{text}");
        }
    }
}
