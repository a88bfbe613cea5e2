//! What the page of a release says of its publisher's own judgements: columns called harmless, missing values that are not
//! counted, and earlier releases.

use scumble_release::{ACCEPT_OVERLAP, LedgerWord, Manifest, ROWS_ARE_PEOPLE, accept_keep, accepted_column};

/// What the publisher took upon themselves, in the order of the manifest.
pub(crate) fn accepted(manifest: &Manifest) -> Vec<String> {
    let accepted = manifest.accepted.iter().filter_map(|entry| match accepted_column(entry) {
        Some((_, column)) if *entry == accept_keep(column) => Some(format!(
            "{column} is published as it is, although it may tell people of a group apart, or tell what another column hides: its \
             publisher vouches that it is harmless."
        )),
        Some((_, column)) => Some(format!(
            "Sets of {column} may list the exact values of the people of a group: its publisher allows that."
        )),
        None if entry == ROWS_ARE_PEOPLE => Some("Its publisher says that every row is a person of its own.".into()),
        None if entry == ACCEPT_OVERLAP => Some(
            "People of this release may be in earlier releases too: its publisher accepts what all of them tell together."
                .into(),
        ),
        None => None,
    });
    accepted.collect()
}

/// What was known of earlier releases. Nothing where the publisher accepted them, which is said elsewhere.
pub(crate) fn earlier_releases(manifest: &Manifest) -> Option<String> {
    if manifest.accepted.iter().any(|entry| entry == ACCEPT_OVERLAP) {
        return None;
    }
    let asked = "A ledger of earlier releases was asked before this one was published";
    Some(match manifest.ledger {
        Some(LedgerWord::Compared) => {
            format!("{asked}: it recognized none of its {} in other groups than these.", manifest.counted().many())
        }
        Some(LedgerWord::Partly) => format!(
            "{asked}: it recognized nobody in other groups than these, but it could not look for everybody everywhere. Not every \
             row says by a key whose it is, or people of an earlier release are known by another key: the same people may be in \
             both."
        ),
        None => "What this release tells beside earlier ones was not looked at: its publisher named no ledger.".into(),
    })
}

/// What missing values that are not counted give away.
pub(crate) fn missing(manifest: &Manifest) -> Vec<String> {
    let missing = manifest.missing.iter().map(|entry| {
        let (rows, column) = (entry.ignored, &entry.column);
        let rows = if rows == 1 { "1 row has".into() } else { format!("{rows} rows have") };
        format!(
            "{rows} no value of {column}. What is required of the values of {column} counts only those who have one: shares are \
             shares of them. That somebody has none is not hidden; in a group where many have none, whoever finds a person’s group \
             may learn it."
        )
    });
    missing.collect()
}
