//! A first guess at the role of a column, for the publisher to correct. A column in doubt is called quasi-identifying:
//! that protects more, never less, than keeping it.

use super::ColumnProfile;
use crate::job::ColumnRole;

/// Words in column names that name people.
const IDENTIFYING: &[&str] = &[
    "name",
    "surname",
    "firstname",
    "lastname",
    "forename",
    "ssn",
    "id",
    "uuid",
    "guid",
    "email",
    "mail",
    "phone",
    "telephone",
    "mobile",
    "passport",
    "iban",
    "account",
    "address",
    "street",
    "ip",
    "login",
    "username",
    "license",
    "nino",
    "mrn",
];

/// Words in names of columns that say whose row it is: of persons, of whatever has a number, of households. The first list
/// that has a column wins.
const KEYS: [&[&str]; 3] = [
    &[
        "patient",
        "person",
        "respondent",
        "subject",
        "member",
        "customer",
        "client",
        "employee",
        "ssn",
        "mrn",
        "nino",
        "pid",
        // German
        "patientin",
        "patienten",
        "proband",
        "probandin",
        "befragte",
        "befragter",
        "versicherte",
        "versicherter",
        "kunde",
        "kundin",
        "mitglied",
        "ahv",
        "svnr",
        // French
        "personne",
        "individu",
        "assure",
        "adherent",
        "repondant",
        "nir",
        // Spanish, Italian and Portuguese
        "paciente",
        "paziente",
        "persona",
        "pessoa",
        "individuo",
        "asegurado",
        "segurado",
        "assicurato",
        "encuestado",
        "cliente",
        "assistito",
        "utente",
        "dni",
        "nif",
        "cpf",
    ],
    &["id", "uuid", "guid", "passport", "account", "license"],
    &[
        "household",
        "hh",
        "family",
        "haushalt",
        "haushalts",
        "familie",
        "menage",
        "foyer",
        "famille",
        "hogar",
        "familia",
        "famiglia",
        "nucleo",
        "agregado",
    ],
];

/// Beginnings of words that are written together with what follows them, such as `patientennummer`, with the list of
/// [`KEYS`] that they belong to.
const KEY_STARTS: [(&str, usize); 6] = [
    ("patienten", 0),
    ("probanden", 0),
    ("personennummer", 0),
    ("kundennummer", 0),
    ("versicherten", 0),
    ("haushalt", 2),
];

/// Words that beside `sex` make it what people do, and keep to themselves, and not what they are.
const OF_SEX: &[&str] = &[
    "same",
    "num",
    "number",
    "part",
    "partn",
    "partner",
    "partners",
    "life",
    "lifetime",
    "ever",
    "age",
    "first",
    "had",
    "last",
    "active",
    "activity",
    "work",
    "worker",
    "oral",
    "safe",
    "unprotected",
    "frequency",
    "abuse",
    "assault",
    "offence",
    "offense",
    "offender",
];

/// Words in column names that tell what people would keep to themselves.
const SENSITIVE: &[&str] = &[
    "salary",
    "income",
    "wage",
    "wages",
    "pay",
    "earnings",
    "pincp",
    "disease",
    "diagnosis",
    "illness",
    "condition",
    "syndrome",
    "hiv",
    "medication",
    "treatment",
    "debt",
    "balance",
    "charge",
    "charges",
    "cost",
    "religion",
    "vote",
    "party",
    "orientation",
    "conviction",
    "score",
    "grade",
    "loss",
    "gain",
    "tax",
    "wealth",
    "medical",
    "symptom",
];

/// Words in column names that others commonly know of a person. They settle columns that look unique in a small file.
const QUASI: &[&str] = &[
    "age",
    "agep",
    "birth",
    "birthdate",
    "birthday",
    "birthplace",
    "born",
    "dob",
    "year",
    "date",
    "sex",
    "gender",
    "zip",
    "zipcode",
    "postcode",
    "postal",
    "city",
    "town",
    "county",
    "state",
    "region",
    "country",
    "nationality",
    "race",
    "ethnicity",
    "marital",
    "education",
    "occupation",
    "profession",
    "job",
    "department",
    "employer",
    "height",
    "weight",
    "language",
    "admission",
    "discharge",
    "hire",
];

/// Guesses the role of a column of a table that has `rows` rows, and says why.
pub(super) fn propose(column: &ColumnProfile, rows: u64) -> (ColumnRole, &'static str) {
    let words: Vec<String> = name_parts(&column.name);
    let named = |list: &[&str]| words.iter().any(|word| list.contains(&word.as_str()));
    let of_sex = named(&["sexual", "sexually"]) || named(&["sex"]) && named(OF_SEX);
    let mostly_unique = rows >= 20 && column.unique_rows * 10 >= rows * 9;
    match column {
        c if c.distinct <= 1 && c.nulls == 0 => (ColumnRole::Dropped, "it has the same value in every row"),
        c if c.distinct == 0 => (ColumnRole::Dropped, "it is empty"),
        _ if of_sex || named(SENSITIVE) => (ColumnRole::Sensitive, "its name suggests what people keep to themselves"),
        _ if named(IDENTIFYING) => (ColumnRole::Identifying, "its name suggests that it names people"),
        _ if named(QUASI) => (ColumnRole::Quasi, "others commonly know it of a person"),
        c if mostly_unique && (c.kind != "number" || is_whole(c)) => {
            (ColumnRole::Identifying, "nearly every row has a value of its own")
        }
        _ => (ColumnRole::Quasi, "others may know it of a person"),
    }
}

/// Proposes the columns that say whose row each row is, so that requirements count people: a key by its name, or, where there
/// is none and columns that name people repeat, all of these together. Who has the same name may be another person; counting
/// both as one protects more, never less. Columns that are named in `given` are those, and no others.
pub(super) fn propose_person(columns: &mut [ColumnProfile], rows: u64, given: &[String]) {
    let is_key = |column: &ColumnProfile, list: usize| {
        // A column of few values is a class of people, whatever it is called.
        let many = column.distinct > 1 && column.distinct * 50 >= rows && column.nulls * 10 <= rows;
        let is_named = |part: &String| {
            let starts = |(start, of): &(&str, usize)| *of == list && part.starts_with(start);
            KEYS[list].contains(&part.as_str()) || KEY_STARTS.iter().any(starts)
        };
        many && name_parts(&column.name).iter().any(is_named)
    };
    for column in columns.iter_mut().filter(|column| given.contains(&column.name)) {
        (column.proposal, column.because) = (ColumnRole::Person, "it was named as saying whose row it is".into());
    }
    for words in (0..KEYS.len()).filter(|_| given.is_empty()) {
        if let Some(key) = columns.iter_mut().find(|column| is_key(column, words)) {
            (key.proposal, key.because) = (ColumnRole::Person, "its name suggests that it says whose row it is".into());
            break;
        }
    }
    let has_person = columns.iter().any(|column| column.proposal == ColumnRole::Person);
    for words in 0..KEYS.len() {
        for column in columns.iter_mut().filter(|column| column.proposal == ColumnRole::Quasi && is_key(column, words))
        {
            (column.proposal, column.because) =
                (ColumnRole::Identifying, "its name suggests that it names people".into());
        }
    }
    let repeats =
        |column: &ColumnProfile| column.proposal == ColumnRole::Identifying && column.distinct + column.nulls < rows;
    if !has_person {
        for column in columns.iter_mut().filter(|column| repeats(column)) {
            column.proposal = ColumnRole::Person;
            column.because = "it names people and repeats, and rows of one name count as one person".into();
        }
    }
}

fn is_whole(column: &ColumnProfile) -> bool {
    [&column.min, &column.max].into_iter().flatten().all(|text| !text.contains('.'))
}

/// The words of a column name: `FirstName`, `first_name` and `first name` are two words.
pub(super) fn name_parts(name: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut lower_before = false;
    for c in name.chars() {
        if !c.is_alphanumeric() || c.is_uppercase() && lower_before {
            words.push(String::new());
        }
        if c.is_alphanumeric()
            && let Some(last) = words.last_mut()
        {
            last.extend(c.to_lowercase().map(without_accent));
        }
        lower_before = c.is_lowercase();
    }
    words.retain(|word| !word.is_empty());
    words
}

/// The letter that an accented one is written like.
fn without_accent(c: char) -> char {
    match c {
        'á' | 'à' | 'â' | 'ä' | 'ã' => 'a',
        'é' | 'è' | 'ê' | 'ë' => 'e',
        'í' | 'ì' | 'î' | 'ï' => 'i',
        'ó' | 'ò' | 'ô' | 'ö' | 'õ' => 'o',
        'ú' | 'ù' | 'û' | 'ü' => 'u',
        'ç' => 'c',
        'ñ' => 'n',
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn column(name: &str, kind: &'static str, distinct: u64, unique_rows: u64) -> ColumnProfile {
        ColumnProfile {
            name: name.into(),
            kind,
            distinct,
            nulls: 0,
            unique_rows,
            unique_people: None,
            top_share: 0.1,
            min: None,
            max: None,
            maybe_missing: Vec::new(),
            proposal: ColumnRole::Quasi,
            because: "".into(),
        }
    }

    #[test]
    fn names_and_uniqueness_decide() {
        for (c, wanted) in [
            (column("FirstName", "nominal", 90, 85), ColumnRole::Identifying),
            (column("patient_id", "number", 100, 100), ColumnRole::Identifying),
            (column("annual salary", "number", 100, 100), ColumnRole::Sensitive),
            (column("record", "number", 100, 100), ColumnRole::Identifying),
            (column("age", "number", 50, 10), ColumnRole::Quasi),
            (column("birth_date", "date", 100, 100), ColumnRole::Quasi),
            (column("country", "nominal", 1, 0), ColumnRole::Dropped),
            // Not every word that contains `id` names people.
            (column("width", "number", 30, 2), ColumnRole::Quasi),
        ] {
            assert_eq!(propose(&c, 100).0, wanted, "{}", c.name);
        }
        let mut measured = column("height", "number", 100, 100);
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
            let mut columns = vec![column(name, "nominal", 40, 10), column("age", "number", 30, 5)];
            propose_person(&mut columns, 100, &[]);
            assert_eq!(columns[0].proposal, ColumnRole::Person, "{name}");
            assert_eq!(columns[1].proposal, ColumnRole::Quasi);
        }
        // A person is chosen before the household.
        let mut columns = vec![column("haushalt", "nominal", 40, 10), column("person", "nominal", 60, 10)];
        propose_person(&mut columns, 100, &[]);
        assert_eq!((columns[0].proposal, columns[1].proposal), (ColumnRole::Identifying, ColumnRole::Person));
    }

    #[test]
    fn what_people_do_is_not_what_they_are() {
        for name in ["SameSex", "SexNumPartnLife", "SexNumPartYear", "SexAge", "SexEver", "sexual_orientation"] {
            assert_eq!(propose(&column(name, "nominal", 5, 0), 100).0, ColumnRole::Sensitive, "{name}");
        }
        for name in ["Sex", "sex", "patient_sex", "SEX", "sex_at_birth", "Sussex", "sextant"] {
            assert_eq!(propose(&column(name, "nominal", 5, 0), 100).0, ColumnRole::Quasi, "{name}");
        }
    }

    #[test]
    fn words_split_at_case_and_marks() {
        assert_eq!(name_parts("FirstName"), ["first", "name"]);
        assert_eq!(name_parts("zip_code-2"), ["zip", "code", "2"]);
        assert_eq!(name_parts("SSN"), ["ssn"]);
    }
}
