//! `variance(v)`: numbers that spread.

use super::Meaning;
use super::share::positive;
use crate::notation::Request;
use crate::number::measure;

/// A lower bound on the variance of each group.
pub(super) fn meaning(request: &Request<'_>) -> Option<Meaning> {
    let &[v] = request.args.as_slice() else { return None };
    let deviation = measure(positive(v)?.sqrt());
    let subject = request.subject();
    Some(Meaning {
        family: "Variance",
        plain: format!(
            "in every group the values of {subject} spread with a variance of at least {v}, which is a standard deviation \
             of at least {deviation}"
        ),
        hides: format!(
            "The values of {subject} in each group spread around their mean with a standard deviation of at least \
             {deviation}. The further they spread, the less the mean of a group says about one of its people."
        ),
        leaves: "A single far value can make the variance large while all other members of the group share one value, \
                 which is then known for nearly all of them. Variance bounds no chance of a right guess."
            .to_owned(),
        guards_values: true,
    })
}
