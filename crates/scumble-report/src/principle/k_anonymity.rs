//! `k-anonymity(k)`: groups of at least k people.

use super::Meaning;
use super::share::whole;
use crate::method::Method;
use crate::notation::Request;
use crate::number::grouped;

/// The sizes of groups mean one thing where the members of a group look alike and another where their
/// quasi-identifiers are published exactly, so this principle alone is told the method.
pub(super) fn meaning(request: &Request<'_>, method: Method) -> Option<Meaning> {
    let &[k] = request.args.as_slice() else { return None };
    let k = whole(k)?;
    if k <= 1 {
        return Some(Meaning {
            family: "k-anonymity",
            plain: "every group holds at least one person, which hides nobody".to_owned(),
            hides: "Nothing: a group of one person is that person.".to_owned(),
            leaves: "Everything. Ask for a larger k.".to_owned(),
            guards_values: false,
        });
    }
    let k = grouped(k);
    let hides = match method {
        Method::Generalize | Method::Other => format!(
            "Each group holds at least {k} people who look alike in the published quasi-identifiers. Whoever picks a row \
             of the group as that of a certain person has no better chance than 1 in {k} to be right."
        ),
        Method::Permute | Method::Anatomy => format!(
            "Each group holds at least {k} people, and the sensitive value of a person is one of the values of the whole \
             group. The quasi-identifiers are published exactly, so a person may be recognised by them: here the \
             requirement hides whose value is whose, not who is who."
        ),
        Method::Angel => format!(
            "Each batch holds at least {k} people, and the sensitive value of a person is one of the values of the whole \
             batch."
        ),
    };
    Some(Meaning {
        family: "k-anonymity",
        plain: format!("every group holds at least {k} people"),
        hides,
        leaves: "k-anonymity says nothing about the sensitive values. Where all members of a group share a value, or \
                 nearly all do, that value is known for each of them, although nobody can tell which row is whose."
            .to_owned(),
        guards_values: false,
    })
}
