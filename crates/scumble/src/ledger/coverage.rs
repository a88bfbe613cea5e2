//! How far a ledger can tell whether people were published before.
//!
//! Nobody is found where people are known by another key, nor where rows do not say whose they are. That nobody was found may
//! be said only of what could be looked through, on the console as well as in the release.

use super::overlap::releases;
use scumble_ledger::{Compared, KnownBy, Ledger, Overlap, SameKey};
use scumble_release::LedgerWord;
use scumble_table::{Monitor, quoted_list};
use std::collections::BTreeSet;

/// Which earlier releases could be looked through for the people of a table.
#[derive(Debug, Clone)]
pub(super) struct Coverage {
    /// What people of the table are known by.
    known_by: KnownBy,
    /// Rows of the table that do not say whose they are.
    unnamed: u64,
    /// Releases that were looked through, rows whose person was not named there apart.
    pub(super) compared: Vec<u64>,
    /// Releases of which nothing is known: people are known by something else there, or nobody is named there or here.
    pub(super) not_compared: Vec<u64>,
    /// Those of them whose people are known by something else, and by what.
    by_another: Vec<(u64, KnownBy)>,
    /// Releases in which people were found under a key of another name: others may be there under the key of this name.
    under_other_names: Vec<u64>,
    /// Releases that have keys of people of the table with other leading zeros.
    other_zeros: Vec<u64>,
    /// Releases with rows whose person was not named, and how many they are.
    unnamed_there: Vec<(u64, u64)>,
}

impl Coverage {
    pub(super) fn new(
        ledger: &Ledger,
        compared: &[Compared],
        other_zeros: &[Overlap],
        known_by: &KnownBy,
        unnamed: u64,
    ) -> Coverage {
        let other_zeros: Vec<u64> = other_zeros.iter().map(|overlap| overlap.release).collect();
        let is_known = |one: &Compared| one.people.is_some() && !other_zeros.contains(&one.release);
        let numbers = |of: &dyn Fn(&Compared) -> bool| -> Vec<u64> {
            compared.iter().filter(|one| of(one)).map(|one| one.release).collect()
        };
        let by_another = numbers(&|one| one.people.is_none() && one.same_key != SameKey::Yes).into_iter();
        let is_unnamed = |one: &&Compared| one.unnamed > 0 && (one.people.is_some() || one.same_key == SameKey::Yes);
        Coverage {
            known_by: known_by.clone(),
            unnamed,
            compared: numbers(&is_known),
            not_compared: numbers(&|one| !is_known(one)),
            by_another: by_another.filter_map(|n| Some((n, ledger.entry(n)?.known_by.clone()))).collect(),
            under_other_names: numbers(&|one| one.people.is_some() && one.same_key == SameKey::OtherNames),
            other_zeros: other_zeros.clone(),
            unnamed_there: compared.iter().filter(is_unnamed).map(|one| (one.release, one.unnamed)).collect(),
        }
    }

    /// What a release may say of it: that all was compared only if everybody who is in an earlier release would have been found.
    pub(super) fn word(&self) -> LedgerWord {
        let by_person = matches!(self.known_by, KnownBy::Person(_)) && self.unnamed == 0;
        if by_person && self.doubtful().is_empty() { LedgerWord::Compared } else { LedgerWord::Partly }
    }

    /// Releases that were looked through as far as their rows said whose they were.
    pub(super) fn compared_in_part(&self) -> Vec<u64> {
        let numbers = self.unnamed_there.iter().map(|(release, _)| *release);
        numbers.filter(|release| self.compared.contains(release)).collect()
    }

    /// Releases that may have people of the table who are not found in them.
    pub(super) fn doubtful(&self) -> BTreeSet<u64> {
        let lists = [&self.not_compared, &self.compared_in_part(), &self.under_other_names];
        lists.into_iter().flatten().copied().collect()
    }

    /// Names what could not be looked through, except for releases that were named before.
    pub(super) fn warn(&self, named: &BTreeSet<u64>, monitor: Monitor<'_>) {
        let by_another: Vec<&(u64, KnownBy)> =
            self.by_another.iter().filter(|(release, _)| !named.contains(release)).collect();
        if !by_another.is_empty() {
            let there: BTreeSet<String> = by_another.iter().map(|(_, known_by)| words(known_by)).collect();
            let numbers: Vec<u64> = by_another.iter().map(|(release, _)| *release).collect();
            monitor.warn(&format!(
                "whether people of this table are in {} of the ledger is not known: people are known by {} there, and by {} \
                 here, so that the same people may be in both; name the column that says who they are in «person», always the same",
                releases(&numbers),
                there.into_iter().collect::<Vec<_>>().join(", or by "),
                words(&self.known_by),
            ));
        }
        let zeros: Vec<u64> = self.other_zeros.iter().copied().filter(|release| !named.contains(release)).collect();
        if !zeros.is_empty() {
            monitor.warn(&format!(
                "keys of people of this table are in {} of the ledger with more or fewer leading zeros, as in `7` and `007`: these are                  different keys, and whether they are the same people is not known; write the keys in every file with the same zeros",
                releases(&zeros)
            ));
        }
        for (release, n) in self.unnamed_there.iter().filter(|(release, _)| !named.contains(release)) {
            let rows = match n {
                1 => "1 row that did not say whose it was".into(),
                n => format!("{n} rows that did not say whose they were"),
            };
            monitor.warn(&format!(
                "release {release} of the ledger has {rows}: whether people of this table are there is not known"
            ));
        }
    }
}

/// What people are known by, in words.
fn words(known_by: &KnownBy) -> String {
    match known_by {
        KnownBy::Person(keys) => format!("the key {}", quoted_list(keys, 5)),
        KnownBy::Quasi(names) => format!("exact quasi-identifiers ({})", quoted_list(names, 5)),
    }
}
