//! The four forms of l-diversity: how varied the sensitive values of a group are.

use super::Meaning;
use super::share::{at_most_percent, chance_of, one_in, positive, whole};
use crate::notation::Request;
use crate::number::grouped;

/// None of the four looks at what the values mean.
const BLIND_TO_MEANING: &str = "Values that differ count as different however close they are: three illnesses of the \
                                stomach are three values, and so are the salaries 1,000, 1,010 and 1,020.";

/// `distinct-l-diversity(l)`: at least l different values.
pub(super) fn distinct(request: &Request<'_>) -> Option<Meaning> {
    let &[l] = request.args.as_slice() else { return None };
    let l = grouped(whole(l)?);
    let subject = request.subject();
    Some(Meaning {
        family: "Distinct l-diversity",
        plain: format!("every group holds at least {l} different values of {subject}"),
        hides: format!(
            "Each group shows at least {l} different values of {subject}. Where that is more than one, nobody can name a \
             person’s value for certain from the tables alone."
        ),
        leaves: format!(
            "It counts the values and not how often they occur: where 98 of 100 people in a group share a value, \
             guessing it is right 98 times in 100. {BLIND_TO_MEANING}"
        ),
        guards_values: true,
    })
}

/// `frequency-l-diversity(l)`: the most frequent value has share at most 1/l.
pub(super) fn frequency(request: &Request<'_>) -> Option<Meaning> {
    let &[l] = request.args.as_slice() else { return None };
    let part = one_in(l)?;
    let subject = request.subject();
    Some(Meaning {
        family: "Frequency l-diversity",
        plain: format!("in every group the most common value of {subject} belongs to at most {part} of the people"),
        hides: format!(
            "No value of {subject} belongs to more than {part} of a group. Whoever guesses a person’s value from the \
             person’s group is right with a chance of at most {}.",
            chance_of(l)?
        ),
        leaves: format!(
            "Somebody who can rule out some of the values from other knowledge has better odds among the rest. A value \
             that is rare in the whole release may be far more common in one group. {BLIND_TO_MEANING}"
        ),
        guards_values: true,
    })
}

/// `entropy-l-diversity(l)`: the entropy of the values is at least log l.
pub(super) fn entropy(request: &Request<'_>) -> Option<Meaning> {
    let &[l] = request.args.as_slice() else { return None };
    positive(l)?;
    let subject = request.subject();
    Some(Meaning {
        family: "Entropy l-diversity",
        plain: format!(
            "in every group the values of {subject} are mixed at least as well, measured by their entropy, as {l} equally \
             common values are"
        ),
        hides: format!(
            "On the whole, the values of {subject} in a group leave as much doubt as {l} equally common values would, and \
             there are at least {} different ones.",
            // A mixture of fewer values cannot reach that entropy.
            grouped(positive(l)?.ceil() as u64)
        ),
        leaves: format!(
            "Entropy is a measure of the whole mixture: the most common value alone may belong to more than 1 in {l} of \
             the group, if the others are well spread. {BLIND_TO_MEANING}"
        ),
        guards_values: true,
    })
}

/// `recursive-l-diversity(c, l)`: the most frequent value occurs less than c times as often as the l-th, the
/// next and all further ones together.
///
/// Whoever rules out l - 2 of the other values is left, at worst, with the most frequent value, r1 times, and
/// those from the l-th on, s times. As r1 < c s, the share r1 / (r1 + s) is below c / (c + 1).
pub(super) fn recursive(request: &Request<'_>) -> Option<Meaning> {
    let &[c, l] = request.args.as_slice() else { return None };
    let (ratio, n) = (positive(c)?, whole(l)?);
    let subject = request.subject();
    let tail = match n {
        0 | 1 => "all the values".to_owned(),
        2 => "all the others".to_owned(),
        3 => "all the others without the most common of them".to_owned(),
        n => format!("all the others without the {} most common of them", grouped(n - 2)),
    };
    let excluded = match n {
        0..=2 => String::new(),
        3 => ", even for somebody who can rule out one of the other values".to_owned(),
        n => format!(", even for somebody who can rule out any {} of the other values", grouped(n - 2)),
    };
    Some(Meaning {
        family: "Recursive (c, l)-diversity",
        plain: format!(
            "in every group the most common value of {subject} occurs less than {c} times as often as {tail} together"
        ),
        hides: format!(
            "Whoever guesses that a person has the most common value of {subject} in the group is right with a chance \
             below {}{excluded}.",
            at_most_percent(ratio / (ratio + 1.0))
        ),
        leaves: format!(
            "With c above 1 a single value may belong to most of a group. Somebody who can rule out more values than \
             the requirement allows for may be left with one. {BLIND_TO_MEANING}"
        ),
        guards_values: true,
    })
}
