//! The level of every principle that a set of groups attains, whatever was asked of it.

use crate::{Attained, Requirement, catalogue};
use scumble_table::{Bag, Domain, Missing, NULL};

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
/// `whole` is the bag of all published rows. Each principle says with which parameters it is asked
/// ([`Entry::strictest`](crate::Entry::strictest)). Of recursive (c, l)-diversity there is a level for
/// every l; the one with as many values as the least diverse group has is given. Of the proximity
/// principles and of dissimilarity there is a level for every epsilon, and no epsilon to prefer: they
/// are left out. For epsilon 0 the former ask what frequency l-diversity asks, which is there, and the
/// latter asks nearly what (alpha, k)-anonymity does, but of all sensitive columns as one.
pub fn levels<'a>(domain: &Domain, whole: &Bag, groups: impl Iterator<Item = &'a Bag> + Clone) -> Vec<Level> {
    let distinct = |group: &Bag| {
        let missing = usize::from(domain.missing() == Missing::Ignore && group.count(NULL) > 0);
        domain.look_alikes().map_or(group.distinct(), |alikes| alikes.merged(group).distinct()) - missing
    };
    let Some(least_distinct) = groups.clone().map(distinct).min() else { return Vec::new() };
    let strictest = catalogue().into_iter().filter_map(|entry| (entry.strictest)(least_distinct as u64).ok()).flatten();
    strictest
        .filter_map(|principle| {
            let asked = Requirement::from(principle);
            let test = asked.bind(domain, whole).ok()?;
            let common = groups.clone().map(|group| test.attained(group)).reduce(Attained::common)?;
            let requirement = asked.principle().nearest(&common).and_then(|notation| notation.parse().ok());
            Some(Level { principle: asked.name(), requirement, figures: common.figures })
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use scumble_table::Decimal;

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
                "beta-likeness(1.25)",
                "none",
                "alpha-k-anonymity(0.5, 2)",
                "ke-anonymity(2, 20)",
                "variance(66.6666)",
            ]
        );
        assert_eq!(found[6].figures, [("t", "0.2223".to_string())]);
        // Near and far are for the asker to say, and boxes need a population.
        let of_epsilon = |name: &str| name.starts_with("proximity-") || name == "dissimilarity";
        let of_boxes = |name: &str| name == "k-map" || name == "delta-presence";
        let levelled = catalogue().into_iter().filter(|entry| !of_epsilon(entry.name) && !of_boxes(entry.name));
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
                "beta-likeness(0)",
                "delta-disclosure(0.0001)",
                "alpha-k-anonymity(1, 2)",
            ]
        );
        assert!(levels(&labels, &group, std::iter::empty()).is_empty());
    }
}
