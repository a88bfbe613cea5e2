//! A first guess at the role of a column, for the publisher to correct. A column in doubt is called quasi-identifying:
//! that protects more, never less, than keeping it.

use super::keys::{KeyOf, is_code};
use super::words::{
    AROUND_HEALTH, HABITS, HEALTH, IDENTIFYING, KEYS, OF_SEX, QUASI, SENSITIVE, SEXUAL, is_numbered, name_parts,
};
use super::{ColumnProfile, Reason};
use crate::job::ColumnRole;
use scumble_table::Kind;

/// Guesses the role of a column of a table that has `rows` rows, and says why.
pub(super) fn propose(column: &ColumnProfile, rows: u64) -> (ColumnRole, Reason) {
    let parts = name_parts(&column.name);
    let mostly_unique = rows >= 20 && column.unique_rows * 10 >= rows * 9;
    match column {
        c if c.distinct <= 1 && c.nulls == 0 => (ColumnRole::Dropped, Reason::Constant),
        c if c.distinct == 0 => (ColumnRole::Dropped, Reason::Empty),
        // The number of somebody's taxes or insurance is theirs alone, and their taxes are not meant.
        c if is_numbered(&parts) && has_many(c, rows) => (ColumnRole::Identifying, Reason::IdentifyingName),
        _ if keeps_to_themselves(&parts) => (ColumnRole::Sensitive, Reason::SecretName),
        _ if IDENTIFYING.are_in(&parts) => (ColumnRole::Identifying, Reason::IdentifyingName),
        _ if QUASI.are_in(&parts) => (ColumnRole::Quasi, Reason::CommonlyKnown),
        c if mostly_unique && (c.kind != Some(Kind::Number) || is_whole(c)) => {
            (ColumnRole::Identifying, Reason::NearlyAllDifferent)
        }
        _ => (ColumnRole::Quasi, Reason::MayBeKnown),
    }
}

/// True for the words of what people keep to themselves: money, beliefs, what they do and how they are.
fn keeps_to_themselves(parts: &[String]) -> bool {
    let sex = parts.iter().any(|part| matches!(part.as_str(), "sex" | "sexo" | "sexe" | "sesso"));
    SEXUAL.are_in(parts)
        || sex && OF_SEX.are_in(parts)
        || SENSITIVE.are_in(parts)
        || HABITS.are_in(parts)
        || HEALTH.are_in(parts) && !AROUND_HEALTH.are_in(parts)
}

/// A column of few values is a class of people, whatever it is called.
fn has_many(column: &ColumnProfile, rows: u64) -> bool {
    column.distinct > 1 && column.distinct * 50 >= rows && column.nulls * 10 <= rows
}

/// Proposes the columns that say whose row each row is, so that requirements count people: a key by its name or, as `found` tells
/// of some columns by position, by what the data says; where there is none and columns that name people repeat, all of these
/// together. Who has the same name may be another person; counting both as one protects more, never less. Columns that are named in
/// `given` are those, and no others.
pub(super) fn propose_person(columns: &mut [ColumnProfile], rows: u64, given: &[String], found: &[(usize, KeyOf)]) {
    let is_key = |column: &ColumnProfile, list: usize| {
        let parts = name_parts(&column.name);
        // Neither the birth date of a patient nor the income of a household is a key.
        let is_other = column.proposal == ColumnRole::Sensitive || column.because == Reason::CommonlyKnown;
        has_many(column, rows) && !is_other && (KEYS[list].are_in(&parts) || list == 0 && is_numbered(&parts))
    };
    for column in columns.iter_mut().filter(|column| given.contains(&column.name)) {
        (column.proposal, column.because) = (ColumnRole::Person, Reason::GivenAsPerson);
    }
    if given.is_empty()
        && let Some((at, because)) = key(columns, found, is_key)
    {
        (columns[at].proposal, columns[at].because) = (ColumnRole::Person, because);
    }
    let has_person = columns.iter().any(|column| column.proposal == ColumnRole::Person);
    for list in 0..KEYS.len() {
        for column in columns.iter_mut().filter(|column| column.proposal == ColumnRole::Quasi && is_key(column, list)) {
            (column.proposal, column.because) = (ColumnRole::Identifying, Reason::IdentifyingName);
        }
    }
    for &(at, _) in found {
        // Beside a key, numbers of few digits may count or measure something that is the same for each person.
        let is_known =
            matches!(columns[at].because, Reason::IdentifyingName | Reason::PersonName | Reason::GivenAsPerson);
        if columns[at].proposal != ColumnRole::Person && !is_known && is_code(&columns[at]) {
            (columns[at].proposal, columns[at].because) = (ColumnRole::Identifying, Reason::KeyByData);
        }
    }
    let repeats =
        |column: &ColumnProfile| column.proposal == ColumnRole::Identifying && column.distinct + column.nulls < rows;
    if !has_person {
        for column in columns.iter_mut().filter(|column| repeats(column)) {
            // Of numbers drawn by chance a few are alike too, and nothing says that people stand behind them.
            (column.proposal, column.because) = match column.because {
                Reason::NearlyAllDifferent => (ColumnRole::Dropped, Reason::NearlyAllDifferent),
                _ => (ColumnRole::Person, Reason::RepeatingName),
            };
        }
    }
}

/// The column that says whose row each row is, and how that is known: keys of persons before those of households, and what the data
/// says before what a name does.
fn key(
    columns: &[ColumnProfile],
    found: &[(usize, KeyOf)],
    is_key: impl Fn(&ColumnProfile, usize) -> bool,
) -> Option<(usize, Reason)> {
    let named = |list: usize| {
        let all = || (0..columns.len()).filter(|&at| is_key(&columns[at], list));
        let is_found = |at: &usize| found.iter().any(|(known, _)| known == at);
        all().find(is_found).or_else(|| all().next()).map(|at| (at, Reason::PersonName))
    };
    let by_data = |wanted: KeyOf| {
        let all = found.iter().filter(|(_, of)| *of == wanted).map(|(at, _)| *at);
        // The finest of several; the first of those that are equally fine.
        all.min_by_key(|&at| (std::cmp::Reverse(columns[at].distinct), at)).map(|at| (at, Reason::KeyByData))
    };
    let person = by_data(KeyOf::Person);
    let is_by_data = |at: usize| found.contains(&(at, KeyOf::Person));
    named(0)
        .filter(|(at, _)| is_by_data(*at) || person.is_none())
        .or(person)
        .or_else(|| named(1))
        .or_else(|| named(2))
        .or_else(|| by_data(KeyOf::Household))
}

/// True if a column of this name may say whose row each row is.
pub(crate) fn is_named_as_key(name: &str) -> bool {
    let parts = name_parts(name);
    !QUASI.are_in(&parts) && !keeps_to_themselves(&parts) && KEYS.iter().any(|list| list.are_in(&parts))
}

pub(super) fn is_whole(column: &ColumnProfile) -> bool {
    [&column.min, &column.max].into_iter().flatten().all(|text| !text.contains('.'))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn column(name: &str, kind: Kind, distinct: u64, unique_rows: u64) -> ColumnProfile {
        ColumnProfile {
            name: name.into(),
            kind: Some(kind),
            distinct,
            nulls: 0,
            unique_rows,
            unique_people: None,
            top_share: 0.1,
            min: None,
            max: None,
            maybe_missing: Vec::new(),
            proposal: ColumnRole::Quasi,
            maybe_labels: false,
            because: Reason::MayBeKnown,
        }
    }

    #[test]
    fn names_and_uniqueness_decide() {
        for (c, wanted) in [
            (column("FirstName", Kind::Nominal, 90, 85), ColumnRole::Identifying),
            (column("patient_id", Kind::Number, 100, 100), ColumnRole::Identifying),
            (column("annual salary", Kind::Number, 100, 100), ColumnRole::Sensitive),
            (column("record", Kind::Number, 100, 100), ColumnRole::Identifying),
            (column("age", Kind::Number, 50, 10), ColumnRole::Quasi),
            (column("birth_date", Kind::Date, 100, 100), ColumnRole::Quasi),
            (column("country", Kind::Nominal, 1, 0), ColumnRole::Dropped),
            // Not every word that contains `id` names people.
            (column("width", Kind::Number, 30, 2), ColumnRole::Quasi),
        ] {
            assert_eq!(propose(&c, 100).0, wanted, "{}", c.name);
        }
        let mut measured = column("height", Kind::Number, 100, 100);
        measured.max = Some("181.5".into());
        assert_eq!(propose(&measured, 100).0, ColumnRole::Quasi);
    }

    #[test]
    fn keys_of_people_and_households_are_known_in_several_languages() {
        for name in [
            "patient_nr",
            "PatientenNr",
            "patientennummer",
            "Haushalt",
            "haushalts_nr",
            "HaushaltsID",
            "id_ménage",
            "num_menage",
            "id_hogar",
            "cod_famiglia",
            "agregado_familiar",
            "paciente",
            "pessoa_id",
            "kunden_id",
            "household_nr",
        ] {
            let mut columns = vec![column(name, Kind::Nominal, 40, 10), column("age", Kind::Number, 30, 5)];
            propose_person(&mut columns, 100, &[], &[]);
            assert_eq!(columns[0].proposal, ColumnRole::Person, "{name}");
            assert_eq!(columns[1].proposal, ColumnRole::Quasi);
        }
        // A person is chosen before the household.
        let mut columns = vec![column("haushalt", Kind::Nominal, 40, 10), column("person", Kind::Nominal, 60, 10)];
        propose_person(&mut columns, 100, &[], &[]);
        assert_eq!((columns[0].proposal, columns[1].proposal), (ColumnRole::Identifying, ColumnRole::Person));
    }

    #[test]
    fn what_people_do_is_not_what_they_are() {
        for name in ["SameSex", "SexNumPartnLife", "SexNumPartYear", "SexAge", "SexEver", "sexual_orientation"] {
            assert_eq!(propose(&column(name, Kind::Nominal, 5, 0), 100).0, ColumnRole::Sensitive, "{name}");
        }
        for name in ["Sex", "sex", "patient_sex", "SEX", "sex_at_birth", "Sussex", "sextant"] {
            assert_eq!(propose(&column(name, Kind::Nominal, 5, 0), 100).0, ColumnRole::Quasi, "{name}");
        }
    }
}
