//! The level of every principle that a set of groups attains, whatever was asked of it.

use crate::{
    AlphaKAnonymity, Attained, DistinctLDiversity, EntropyLDiversity, FrequencyLDiversity, Ground, KAnonymity,
    KeAnonymity, Principle, RecursiveLDiversity, Requirement, Spec, TCloseness, Test, Variance,
};
use scumble_table::{Bag, Decimal, Domain, Result};

/// What a set of groups attains of one principle.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Level {
    /// The name of the principle.
    pub principle: &'static str,
    /// The strictest requirement that every group meets, up to the rounding of its figures; `None`
    /// where they meet none.
    pub requirement: Option<Requirement>,
    /// The figures of the groups together, as in [`Attained`].
    pub figures: Vec<(&'static str, String)>,
}

/// The levels that the groups of one sensitive column attain, for every principle that
/// suits the column. Without groups there is nothing to attain.
///
/// `whole` is the bag of all published rows. Of recursive (c, l)-diversity there is a level for
/// every l; the one with as many values as the least diverse group has is given. Of the proximity
/// principles and of dissimilarity there is a level for every epsilon, and no epsilon to prefer: they
/// are left out. For epsilon 0 the former ask what frequency l-diversity asks, which is there, and the
/// latter asks nearly what (alpha, k)-anonymity does, but of all sensitive columns as one.
pub fn levels<'a>(domain: &Domain, whole: &Bag, groups: impl Iterator<Item = &'a Bag> + Clone) -> Vec<Level> {
    let distinct =
        |group: &Bag| domain.look_alikes().map_or(group.distinct(), |alikes| alikes.merged(group).distinct());
    let Some(least_distinct) = groups.clone().map(distinct).min() else { return Vec::new() };
    asked(least_distinct as u64)
        .into_iter()
        .flatten()
        .filter_map(|spec| {
            let test = bind_for_levels(&spec, domain, whole).ok()?;
            let common = groups.clone().map(|group| test.attained(group)).reduce(Attained::common)?;
            let requirement = spec.principle().nearest(&common).and_then(|notation| notation.parse().ok());
            Some(Level { principle: spec.name(), requirement, figures: common.figures })
        })
        .collect()
}

/// Every principle that has a level, with parameters so strict that nothing meets them, so that the nearest
/// that is met is the level attained.
fn asked(least_distinct: u64) -> Vec<Result<Spec>> {
    let most = Decimal::new(10i128.pow(37), 0);
    let least = Decimal::new(1, 36);
    let closeness = |ground| TCloseness::new(Decimal::ZERO, ground).map(Spec::TCloseness);
    vec![
        KAnonymity::new(u64::MAX).map(Spec::KAnonymity),
        DistinctLDiversity::new(u64::MAX).map(Spec::DistinctLDiversity),
        FrequencyLDiversity::new(most).map(Spec::FrequencyLDiversity),
        EntropyLDiversity::new(most).map(Spec::EntropyLDiversity),
        RecursiveLDiversity::new(least, least_distinct.max(2)).map(Spec::RecursiveLDiversity),
        closeness(Ground::Equal),
        closeness(Ground::Ordered),
        closeness(Ground::Hierarchical),
        AlphaKAnonymity::new(least, u64::MAX).map(Spec::AlphaKAnonymity),
        KeAnonymity::new(u64::MAX, most).map(Spec::KeAnonymity),
        Variance::new(most).map(Spec::Variance),
    ]
}

/// What a group attains does not depend on t, and the search for the least size is short for t = 1.
fn bind_for_levels(spec: &Spec, domain: &Domain, whole: &Bag) -> Result<Box<dyn Test>> {
    match spec {
        Spec::TCloseness(closeness) => TCloseness::new(Decimal::from(1), closeness.ground())?.bind(domain, whole),
        _ => spec.bind(domain, whole),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalogue;

    fn shown(levels: &[Level]) -> Vec<String> {
        levels.iter().map(|level| level.requirement.as_ref().map_or("none".into(), |r| r.to_string())).collect()
    }

    #[test]
    fn every_level_is_a_requirement_that_holds() {
        let domain = Domain::numbers([10, 20, 30, 40].map(Decimal::from).to_vec()).unwrap();
        let groups = [Bag::from_codes([1, 1, 2, 3]), Bag::from_codes([2, 3, 4]), Bag::from_codes([1, 4])];
        let whole = groups.iter().fold(Bag::default(), |all, group| all.union(group));
        let found = levels(&domain, &whole, groups.iter());
        assert_eq!(
            shown(&found),
            [
                "k-anonymity(2)",
                "distinct-l-diversity(2)",
                "frequency-l-diversity(2)",
                "entropy-l-diversity(2)",
                "recursive-l-diversity(1.0001, 2)",
                "t-closeness(0.4445)",
                "t-closeness(0.2223, ordered)",
                "alpha-k-anonymity(0.5, 2)",
                "ke-anonymity(2, 20)",
                "variance(66.6666)",
            ]
        );
        assert_eq!(found[6].figures, [("t", "0.2223".to_string())]);
        // Near and far are for the asker to say.
        let of_epsilon = |name: &str| name.starts_with("proximity-") || name == "dissimilarity";
        let levelled = catalogue().iter().filter(|entry| !of_epsilon(entry.name));
        assert!(levelled.map(|entry| entry.name).all(|name| found.iter().any(|level| level.principle == name)));
    }

    #[test]
    fn what_does_not_suit_is_left_out() {
        let labels = Domain::nominal(vec!["a".into()]);
        let group = Bag::from_codes([1, 1]);
        let found = levels(&labels, &group, std::iter::once(&group));
        assert_eq!(
            shown(&found),
            [
                "k-anonymity(2)",
                "distinct-l-diversity(1)",
                "frequency-l-diversity(1)",
                "entropy-l-diversity(1)",
                "none",
                "t-closeness(0)",
                "alpha-k-anonymity(1, 2)",
            ]
        );
        assert!(levels(&labels, &group, std::iter::empty()).is_empty());
    }
}
