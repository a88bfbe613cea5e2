//! `dissimilarity(epsilon, delta, k)`: large groups of values far from each other under any distance.

use super::Meaning;
use super::share::{percentage, whole};
use crate::notation::Request;
use crate::number::grouped;

/// Without a column it takes all sensitive columns as one composite value.
pub(super) fn meaning(request: &Request<'_>) -> Option<Meaning> {
    let &[epsilon, delta, k] = request.args.as_slice() else { return None };
    let (far, k) = (percentage(delta)?, grouped(whole(k)?));
    let subject = request
        .column
        .map_or_else(|| "the sensitive values, taken together".to_owned(), |column| format!("the value of “{column}”"));
    Some(Meaning {
        family: "Dissimilarity",
        plain: format!(
            "every group holds at least {k} people, and each of them differs from at least {far} of the others by a \
             distance of more than {epsilon} in {subject}"
        ),
        hides: format!(
            "Whoever takes the values of another member of a person’s group for the person’s is further off than \
             {epsilon}, in {subject}, for at least {far} of these members."
        ),
        leaves:
            "What is far is what the chosen distance says, which the manifest states. A guess that need not come as \
                 close may be right more often, and several columns taken together may hide that one of them alone is \
                 nearly the same throughout a group."
                .to_owned(),
        guards_values: true,
    })
}
