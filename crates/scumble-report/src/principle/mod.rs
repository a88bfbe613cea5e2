//! Requirements in plain words: what each promises, and what it does not.
//!
//! One file per principle. Each says the same three things of a requirement with its parameters: what it
//! demands, what it keeps from somebody who knows a person's quasi-identifiers, and what it leaves open.
//! The last is never left out: a reader who takes a guarantee for more than it is will be hurt by it.

mod alpha_k;
mod dissimilarity;
mod k_anonymity;
mod k_e;
mod l_diversity;
mod proximity;
mod share;
mod t_closeness;
mod variance;

use crate::method::Method;
use crate::notation::Request;

/// What a requirement means.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Meaning {
    /// The name of the principle.
    pub(crate) family: &'static str,
    /// What is demanded: a clause without a capital and without a stop.
    pub(crate) plain: String,
    /// What stays hidden under these parameters: whole sentences.
    pub(crate) hides: String,
    /// What stays open under this principle, whatever its parameters: whole sentences.
    pub(crate) leaves: String,
    /// Whether it speaks of sensitive values, and not of the sizes of groups alone.
    pub(crate) guards_values: bool,
}

/// What `request` means in a release made by `method`; none for a principle that this crate does not know or
/// parameters it cannot read.
pub(crate) fn meaning(request: &Request<'_>, method: Method) -> Option<Meaning> {
    match request.name {
        "k-anonymity" => k_anonymity::meaning(request, method),
        "distinct-l-diversity" => l_diversity::distinct(request),
        "frequency-l-diversity" => l_diversity::frequency(request),
        "entropy-l-diversity" => l_diversity::entropy(request),
        "recursive-l-diversity" => l_diversity::recursive(request),
        "t-closeness" => t_closeness::meaning(request),
        "alpha-k-anonymity" => alpha_k::meaning(request),
        "proximity-absolute" => proximity::absolute(request),
        "proximity-relative" => proximity::relative(request),
        "proximity-interval" => proximity::interval(request),
        "proximity-window" => proximity::window(request),
        "dissimilarity" => dissimilarity::meaning(request),
        "ke-anonymity" => k_e::meaning(request),
        "variance" => variance::meaning(request),
        _ => None,
    }
}

/// A requirement in plain words, as a clause without a capital and without a stop.
///
/// A requirement that is not known is named as it stands.
///
/// # Example
///
/// ```
/// assert_eq!(
///     scumble_report::plain_words("frequency-l-diversity(3)"),
///     "in every group the most common value of the sensitive column belongs to at most one third of the people"
/// );
/// ```
pub fn plain_words(notation: &str) -> String {
    meaning(&Request::parse(notation), Method::Other)
        .map_or_else(|| format!("every group meets the requirement {}", notation.trim()), |meaning| meaning.plain)
}
