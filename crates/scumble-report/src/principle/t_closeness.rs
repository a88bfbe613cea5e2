//! `t-closeness(t)`, `t-closeness(t, ordered)`, `t-closeness(t, hierarchical)`: groups that resemble the whole.

use super::Meaning;
use super::share::percentage;
use crate::notation::Request;

/// One bound and three ways to measure how far two distributions are from each other.
pub(super) fn meaning(request: &Request<'_>) -> Option<Meaning> {
    let (t, ground) = match request.args.as_slice() {
        &[t] | &[t, "equal"] => (t, Ground::Equal),
        &[t, "ordered"] => (t, Ground::Ordered),
        &[t, "hierarchical"] => (t, Ground::Hierarchical),
        _ => return None,
    };
    let points = percentage(t)?;
    let points = points.trim_end_matches('%');
    let subject = request.subject();
    let plain = format!(
        "in every group the values of {subject} are distributed nearly as in the whole release: the distance is at most \
         {t} on a scale from 0 (the same) to 1 (nothing in common), {}",
        match ground {
            Ground::Equal => "all values being equally far apart",
            Ground::Ordered => "values being the further apart the further they are in their order",
            Ground::Hierarchical => "values being the further apart the higher they meet in their hierarchy",
        }
    );
    let (family, hides, leaves) = match ground {
        // With all values equally far apart the distance is the greatest difference of the two distributions
        // over all sets of values.
        Ground::Equal => (
            "t-closeness",
            format!(
                "Knowing a person’s group changes the chance that the person has a certain value of {subject}, or one \
                 of any set of values, by at most {points} percentage points from what the release as a whole says."
            ),
            format!(
                "The change is counted in points, not in proportion: a value that one person in a hundred has may reach \
                 a share of {points} points more in some group. All values are equally far apart, so that a group of \
                 values close in meaning is not seen as such."
            ),
        ),
        Ground::Ordered => (
            "t-closeness, ordered values",
            format!(
                "To turn the values of {subject} in a group into those of the whole release, people would have to be \
                 moved, on average, by at most {points}% of the whole range of values in their order. So no group, on average, \
                 lies further than that above or below the release as a whole."
            ),
            "Moves between neighbouring values cost little, so that one exact value may be much more common in a group \
             than in the whole. A small part of a group may lie far from where it would be expected."
                .to_owned(),
        ),
        Ground::Hierarchical => (
            "t-closeness, values in a hierarchy",
            format!(
                "To turn the values of {subject} in a group into those of the whole release, people would have to be \
                 moved, on average, by at most {points}% of the height of the hierarchy. The less \
                 that is, the less a group gathers under one branch."
            ),
            "Moves within a branch cost little, so that one exact value may be much more common in a group than among \
             its neighbours in the hierarchy. What counts as close is what the hierarchy puts together."
                .to_owned(),
        ),
    };
    Some(Meaning {
        family,
        plain,
        hides,
        leaves: format!(
            "What the release says as a whole is not hidden: a value that is common everywhere is common in each group. \
             The sizes of groups are not bounded. {leaves}"
        ),
        guards_values: true,
    })
}

enum Ground {
    Equal,
    Ordered,
    Hierarchical,
}
