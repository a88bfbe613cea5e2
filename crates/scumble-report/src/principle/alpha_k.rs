//! `alpha-k-anonymity(alpha, k)`: large groups without a dominant value.

use super::Meaning;
use super::share::{percentage, whole};
use crate::notation::Request;
use crate::number::grouped;

/// Both halves in one: the size of a group and the share of its most common value.
pub(super) fn meaning(request: &Request<'_>) -> Option<Meaning> {
    let &[alpha, k] = request.args.as_slice() else { return None };
    let (share, k) = (percentage(alpha)?, grouped(whole(k)?));
    let subject = request.subject();
    Some(Meaning {
        family: "(alpha, k)-anonymity",
        plain: format!(
            "every group holds at least {k} people, and no value of {subject} belongs to more than {share} of a group"
        ),
        hides: format!(
            "Each group holds at least {k} people, and whoever guesses a person’s value of {subject} from the person’s \
             group is right with a chance of at most {share}."
        ),
        leaves:
            "Somebody who can rule out some of the values from other knowledge has better odds among the rest. Values \
                 that differ count as different however close they are in meaning or in size."
                .to_owned(),
        guards_values: true,
    })
}
