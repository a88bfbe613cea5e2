//! The level of every principle that a set of groups attains, whatever was asked of it.

use crate::bound::bag_of_size;
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
    strictest(least_distinct as u64)
        .into_iter()
        .filter_map(|asked| {
            let test = asked.bind(domain, whole).ok()?;
            attained(asked, groups.clone().map(|group| test.attained(group)))
        })
        .collect()
}

/// The levels that groups of these sizes attain, for every principle that looks at the size of a group alone; it needs no column.
/// Without groups there is nothing to attain.
pub fn levels_of_sizes(sizes: impl Iterator<Item = u64> + Clone) -> Vec<Level> {
    strictest(1)
        .into_iter()
        .filter(Requirement::is_about_size)
        .filter_map(|asked| {
            let test = asked.bind(&Domain::nominal(Vec::new()), &Bag::default()).ok()?;
            attained(asked, sizes.clone().map(|size| test.attained(&bag_of_size(size))))
        })
        .collect()
}

/// Every principle of the catalogue in its strictest forms.
fn strictest(least_distinct: u64) -> Vec<Requirement> {
    let forms = catalogue().into_iter().filter_map(|entry| (entry.strictest)(least_distinct).ok()).flatten();
    forms.map(Requirement::from).collect()
}

/// What groups attain together of a requirement that they do not meet.
fn attained(asked: Requirement, groups: impl Iterator<Item = Attained>) -> Option<Level> {
    let common = groups.reduce(Attained::common)?;
    let requirement = asked.principle().nearest(&common).and_then(|notation| notation.parse().ok());
    Some(Level { principle: asked.name(), requirement, figures: common.figures })
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
        let levelled =
            catalogue().into_iter().filter(|entry| (entry.strictest)(2).is_ok_and(|forms| !forms.is_empty()));
        assert!(levelled.map(|entry| entry.name).all(|name| found.iter().any(|level| level.principle == name)));
    }

    #[test]
    fn sizes_need_no_column() {
        let found = levels_of_sizes([7, 3, 12].into_iter());
        assert_eq!(shown(&found), ["k-anonymity(3)"]);
        assert_eq!((found[0].principle, &found[0].figures[..]), ("k-anonymity", &[("k", "3".to_string())][..]));
        assert!(levels_of_sizes(std::iter::empty()).is_empty());
        let domain = Domain::nominal(vec!["a".into(), "b".into()]);
        let groups = [Bag::from_codes([1, 1, 2]), Bag::from_codes([2; 7])];
        let of_column = levels(&domain, &Bag::from_codes([1, 2]), groups.iter());
        assert!(found.iter().all(|level| of_column.contains(level)));
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
