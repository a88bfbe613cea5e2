//! `ke-anonymity(k, e)`: several numbers over a wide range.

use super::Meaning;
use super::share::whole;
use crate::notation::Request;
use crate::number::grouped;

/// At least k different values, of which the least and the greatest are at least e apart.
pub(super) fn meaning(request: &Request<'_>) -> Option<Meaning> {
    let &[k, e] = request.args.as_slice() else { return None };
    let k = grouped(whole(k)?);
    let subject = request.subject();
    Some(Meaning {
        family: "(k, e)-anonymity",
        plain: format!(
            "every group holds at least {k} different values of {subject}, the least and the greatest of them at least {e} \
             apart"
        ),
        hides: format!(
            "From the tables alone a person’s value of {subject} cannot be narrowed down for certain to fewer than {k} \
             values, nor to a range shorter than {e}."
        ),
        leaves:
            "It does not bound how often a value occurs: most of a group may share one value, or lie close together \
                 with a single value far away, and then a guess is right for most of the group."
                .to_owned(),
        guards_values: true,
    })
}
