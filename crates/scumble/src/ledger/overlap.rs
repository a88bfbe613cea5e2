//! People who were published before, in words and figures.

use super::people::{OverlappingRows, PublishedPeople};
use scumble_ledger::{Entry, KnownBy, Overlap, SameKey, State};
use scumble_risk::Intersection;
use scumble_table::{Error, quoted_list};
use serde::Serialize;
use std::path::Path;

/// People of a release who are in an earlier one.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct OverlapFacts {
    /// Number of the earlier release in the ledger.
    pub release: u64,
    /// Where it went.
    pub place: String,
    /// When it was entered.
    pub when: String,
    /// Whether it was put in its place.
    pub state: State,
    /// What was counted: people, or rows whose quasi-identifiers are those of a row of the earlier release.
    pub counted: &'static str,
    /// How many are in both.
    pub in_both: u64,
    /// Of how many.
    pub of: u64,
    /// The key of the people there, where its columns have other names than here.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub other_key: Vec<String>,
    /// Later releases with the same people in the same groups, which tell nothing more together with this one.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub again_in: Vec<u64>,
    /// What both releases tell together, for each sensitive column that both have.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub together: Vec<Intersection>,
    /// Why that was not computed, where it was not.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub not_computed: Option<String>,
}

impl OverlapFacts {
    pub(super) fn new(entry: &Entry, state: State, overlap: &Overlap, of: u64, known_by: &KnownBy) -> OverlapFacts {
        OverlapFacts {
            release: entry.number,
            place: entry.place.clone(),
            when: entry.when.clone(),
            state,
            counted: match known_by {
                KnownBy::Person(_) => "people",
                KnownBy::Quasi(_) => "combinations of quasi-identifiers",
            },
            in_both: overlap.people,
            of,
            other_key: match &entry.known_by {
                KnownBy::Person(keys) if known_by.same_key(&entry.known_by) == SameKey::OtherNames => keys.clone(),
                _ => Vec::new(),
            },
            again_in: Vec::new(),
            together: Vec::new(),
            not_computed: None,
        }
    }

    /// Counts rows where people are known by quasi-identifiers alone.
    pub(super) fn count(&mut self, people: &PublishedPeople<'_>, rows: &OverlappingRows) {
        if let KnownBy::Quasi(_) = people.known_by {
            (self.counted, self.in_both, self.of) = ("rows", rows.n(), people.n());
        }
    }

    /// Whether all that is told of another release is the same.
    pub(super) fn tells_the_same(&self, other: &OverlapFacts) -> bool {
        (self.in_both, &self.other_key, &self.together, &self.not_computed)
            == (other.in_both, &other.other_key, &other.together, &other.not_computed)
    }

    /// How many they are, which release it is, and what both tell together.
    pub fn words(&self) -> String {
        let OverlapFacts { release, place, counted, in_both, of, .. } = self;
        let doubt = if self.state == State::InDoubt { ", which may never have been put there" } else { "" };
        let again = match &self.again_in[..] {
            [] => String::new(),
            again => format!(", and in the same groups {}", releases(again)),
        };
        let place = format!("release {release} (`{place}`{doubt}{again})");
        let known = match *counted {
            "people" if self.other_key.is_empty() => format!("{in_both} of {of} people are in {place} already"),
            "people" => format!(
                "{in_both} of {of} people have keys that people of {place} had already, where the key is {}, and may be the same",
                quoted_list(&self.other_key, 5)
            ),
            "rows" => format!(
                "{in_both} of {of} rows have quasi-identifiers that rows of {place} had already, and may be of the same people"
            ),
            _ => format!("{in_both} of {of} {counted} are in {place} already, and may be those of the same people"),
        };
        let told: Vec<String> =
            self.together.iter().map(|told| tell(told, *counted == "people" && self.other_key.is_empty())).collect();
        match &self.not_computed {
            Some(reason) => format!("{known}; what both tell together was not computed: {reason}"),
            None => format!("{known}; laid over each other, {}", told.join("; ")),
        }
    }
}

/// What is left of the candidate values of a column. Rows of which it is not known whose they are may be of other people in the
/// other release: then nothing says that a value has changed.
fn tell(told: &Intersection, are_the_same: bool) -> String {
    let Intersection { column, people, unplaced, none, one, one_alone, narrowed, least_alone, below, least } = told;
    let mut parts = Vec::new();
    if *one > 0 {
        let alone = match one_alone {
            0 => String::new(),
            n => format!(", for {n} of these already by one release alone"),
        };
        parts.push(format!("one value of `{column}` is left for {one} of them{alone}"));
    }
    if *below > 0 && *least_alone > 2 {
        parts.push(format!(
            "fewer than {least_alone} values of `{column}` for {below}, where neither release alone leaves fewer"
        ));
    }
    if *narrowed > *one {
        parts.push(format!("fewer values of `{column}` than in either for {narrowed}"));
    }
    if parts.is_empty() {
        let most = people - unplaced - none;
        parts.push(format!(
            "{} of {most} is left with fewer values of `{column}` than in one of them, at least {least}",
            if are_the_same { "nobody" } else { "none" }
        ));
    }
    if *none > 0 {
        parts.push(match are_the_same {
            true => format!("{none} have no value in common, so that theirs has changed"),
            false => {
                format!("{none} have no value in common, so that they are of other people or their value has changed")
            }
        });
    }
    if *unplaced > 0 {
        parts.push(format!("{unplaced} are not found by these quasi-identifiers"));
    }
    parts.join(", ")
}

/// Releases by their numbers.
pub(super) fn releases(numbers: &[u64]) -> String {
    let listed: Vec<String> = numbers.iter().map(u64::to_string).collect();
    format!("{} {}", if numbers.len() == 1 { "release" } else { "releases" }, listed.join(", "))
}

/// Why a release is not published.
pub(super) fn refusal(ledger: &Path, facts: &[OverlapFacts]) -> Error {
    let reasons: Vec<String> = facts.iter().map(OverlapFacts::words).collect();
    Error::request("ledger", ledger.display().to_string(), reasons.join("; ")).hint(
        "publish people who are in no earlier release; add tables to an angel release with «extend», which uses its groups \
         again; or take it upon yourself with «accept_overlap», which the manifest then says",
    )
}
