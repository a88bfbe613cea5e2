//! `proximity-absolute`, `proximity-relative`, `proximity-interval`: few people near any value of a group;
//! `proximity-window`: few people near any number at all.

use super::Meaning;
use super::share::{chance_of, one_in, percentage};
use crate::notation::Request;

/// `proximity-absolute(epsilon, m)`.
pub(super) fn absolute(request: &Request<'_>) -> Option<Meaning> {
    let &[epsilon, m] = request.args.as_slice() else { return None };
    near(request, "Proximity, absolute", &format!("within {epsilon} of that person’s"), m)
}

/// `proximity-relative(epsilon, m)`.
pub(super) fn relative(request: &Request<'_>) -> Option<Meaning> {
    let &[epsilon, m] = request.args.as_slice() else { return None };
    near(request, "Proximity, relative", &format!("within {} of that person’s", percentage(epsilon)?), m)
}

/// `proximity-interval(e1, e2, m)`.
pub(super) fn interval(request: &Request<'_>) -> Option<Meaning> {
    let &[below, above, m] = request.args.as_slice() else { return None };
    near(request, "Proximity, interval", &format!("from {below} below to {above} above that person’s"), m)
}

/// `proximity-window(e1, e2, m)`.
pub(super) fn window(request: &Request<'_>) -> Option<Meaning> {
    let &[below, above, m] = request.args.as_slice() else { return None };
    let (part, chance) = (one_in(m)?, chance_of(m)?);
    let (subject, length) = (request.subject(), length(below, above));
    Some(Meaning {
        family: "Proximity, window",
        plain: format!(
            "in every group at most {part} of the people have values of {subject} that lie within {length} of one another"
        ),
        hides: format!(
            "Whatever number somebody guesses for a person of a group, also one between the values that the group shows \
             for {subject}: the chance that it lies from {below} below to {above} above that person’s is at most {chance}. \
             People without a value make up at most {part} of a group."
        ),
        leaves:
            "What is near is fixed by the requirement: a guess that need not come so near may be right more often. The \
                 least and the greatest value of each group are visible, and a person’s value lies between them."
                .to_owned(),
        guards_values: true,
    })
}

/// The length of a window: the sum of whole numbers, and others as they were written.
fn length(below: &str, above: &str) -> String {
    let whole = |text: &str| text.parse::<u64>().ok();
    match whole(below).zip(whole(above)).and_then(|(below, above)| below.checked_add(above)) {
        Some(sum) => sum.to_string(),
        None => format!("{below} + {above}"),
    }
}

/// A guess g is near a person with value x if x lies in a window around g. The window falls into two halves, of
/// which each is within the neighbourhood of the outermost value in it, so that each holds at most |G| / m.
const TWICE: &str = "What is near is fixed by the requirement: a guess that need not come so near may be right more often. A \
                     guess placed between the values of the group may come near to up to twice as many people as the \
                     requirement names. The least and the greatest value of each group are visible, and a person’s \
                     value lies between them.";

fn near(request: &Request<'_>, family: &'static str, range: &str, m: &str) -> Option<Meaning> {
    let (part, chance) = (one_in(m)?, chance_of(m)?);
    let subject = request.subject();
    Some(Meaning {
        family,
        plain: format!(
            "in every group and for each person in it, at most {part} of the group, the person included, has a value of \
             {subject} {range}"
        ),
        hides: format!(
            "Take any person of a group: at most {part} of the values that the group shows for {subject} are {range}. \
             Whoever takes the value of some member of the group for the person’s comes so near with a chance of at \
             most {chance}."
        ),
        leaves: TWICE.to_owned(),
        guards_values: true,
    })
}
