//! Words in column names, in English, German, French, Spanish, Italian and Portuguese.
//!
//! Names are taken apart into words (`FirstName`, `first_name`), and words are compared whole, without accents: `image` is no
//! `age`. What German writes together is found by how a word begins or ends.

/// Words for one meaning.
pub(super) struct Words {
    whole: &'static [&'static str],
    /// How words begin that are written together with what follows.
    starts: &'static [&'static str],
    /// How words end that are written together with what goes before.
    ends: &'static [&'static str],
    /// Whole names, for words that mean something else in another language beside others.
    names: &'static [&'static [&'static str]],
}

impl Words {
    /// True if one of the words of a name is among these.
    pub(super) fn are_in(&self, parts: &[String]) -> bool {
        let is_one = |part: &str| {
            self.whole.contains(&part)
                || self.starts.iter().any(|start| part.starts_with(start))
                || self.ends.iter().any(|end| part.ends_with(end))
        };
        parts.iter().any(|part| is_one(part)) || self.names.iter().any(|name| parts.iter().eq(name.iter()))
    }
}

/// The words of a column name, without accents: `FirstName`, `first_name` and `first name` are two words, and so are `HHSize` and
/// `Race1`.
pub(super) fn name_parts(name: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let chars: Vec<char> = name.chars().filter(|c| !is_mark(*c)).collect();
    for (at, &c) in chars.iter().enumerate() {
        let before = at.checked_sub(1).map(|at| chars[at]);
        if !c.is_alphanumeric() || before.is_some_and(|before| begins_word(before, c, &chars[at + 1..])) {
            words.push(String::new());
        }
        if c.is_alphanumeric()
            && let Some(last) = words.last_mut()
        {
            c.to_lowercase().for_each(|c| push_without_accent(c, last));
        }
    }
    words.retain(|word| !word.is_empty());
    words
}

fn begins_word(before: char, c: char, after: &[char]) -> bool {
    let digits = before.is_numeric() != c.is_numeric();
    // The last capital of several begins the word that follows, unless that is the `s` of a plural.
    let next = after.first().is_some_and(|next| next.is_lowercase())
        && !(after[0] == 's' && after.get(1).is_none_or(|further| !further.is_lowercase()));
    digits || c.is_uppercase() && (before.is_lowercase() || before.is_uppercase() && next)
}

/// An accent that is written after its letter.
fn is_mark(c: char) -> bool {
    ('\u{300}'..='\u{36f}').contains(&c)
}

/// The letters that an accented one is written like.
fn push_without_accent(c: char, word: &mut String) {
    word.push(match c {
        'á' | 'à' | 'â' | 'ä' | 'ã' | 'å' => 'a',
        'é' | 'è' | 'ê' | 'ë' => 'e',
        'í' | 'ì' | 'î' | 'ï' => 'i',
        'ó' | 'ò' | 'ô' | 'ö' | 'õ' | 'ø' => 'o',
        'ú' | 'ù' | 'û' | 'ü' => 'u',
        'ç' => 'c',
        'ñ' => 'n',
        'ÿ' => 'y',
        'ß' => return word.push_str("ss"),
        'œ' => return word.push_str("oe"),
        'æ' => return word.push_str("ae"),
        other if is_mark(other) => return,
        other => other,
    });
}

/// What names people.
#[rustfmt::skip]
pub(super) const IDENTIFYING: Words = Words {
    whole: &[
        "name", "surname", "firstname", "lastname", "forename", "fullname", "ssn", "id", "ids", "uuid", "guid", "email", "mail", "phone",
        "telephone", "mobile", "passport", "iban", "account", "address", "street", "ip", "login", "username", "license",
        "licence", "nino", "mrn",
        // German
        "vorname", "nachname", "familienname", "geburtsname", "anschrift", "adresse", "strasse", "hausnummer", "telefon",
        "handy", "handynummer", "mobilnummer", "konto", "kontonummer", "ausweis", "reisepass", "kennzeichen", "kennung",
        "benutzername", "steuernummer", "steuerid", "aktenzeichen", "fallnummer", "ahv", "svnr",
        // French
        "nom", "noms", "prenom", "prenoms", "courriel", "rue", "passeport", "matricule", "nir", "nss", "identifiant",
        // Spanish
        "apellido", "apellidos", "correo", "telefono", "movil", "direccion", "domicilio", "calle", "pasaporte", "dni", "nif",
        "nie", "curp", "identificador",
        // Italian
        "cognome", "nome", "nominativo", "cellulare", "indirizzo", "passaporto", "matricola", "targa", "identificativo",
        // Portuguese
        "sobrenome", "apelido", "telefone", "celular", "telemovel", "endereco", "morada", "rua", "passaporte", "matricula",
        "cpf", "utente",
    ],
    starts: &[
        "telefonnu", "sozialversicherungsn", "rentenversicherungsn", "krankenversicherungsn", "versichertenn", "patientennu", "personalausweis",
        "codicefiscale", "steuerident",
    ],
    ends: &[],
    names: &[
        // In French `nombre` is a number.
        &["nombre"], &["nombres"], &["nombre", "completo"], &["primer", "nombre"], &["segundo", "nombre"],
        &["nombre", "paciente"], &["nombre", "cliente"], &["nombre", "empleado"], &["nombre", "y", "apellidos"],
        &["codice", "fiscale"],
    ],
};

/// What numbers are given to in the name of a person: `tax_id`, `hospital_number`, `numéro_sécurité_sociale`.
#[rustfmt::skip]
const NUMBERED: Words = Words {
    whole: &[
        "tax", "taxpayer", "insurance", "insured", "social", "security", "hospital", "nhs", "staff", "personnel", "personal", "national", "citizen",
        "medicare", "medicaid", "medical", "record", "health", "patient", "pat", "subject", "case", "chart", "payroll", "employee", "membership",
        "customer", "badge", "birth",
        "steuer", "versicherung", "versicherungs", "rentenversicherung", "sozialversicherung", "rente", "renten", "kunden", "pers", "akte", "fall",
        "mitglieds",
        "securite", "secu", "sociale", "fiscal", "fiscale", "fiscaux", "assurance", "dossier", "assure",
        "seguridad", "seguro", "afiliacion", "expediente", "historia", "contribuyente", "tributario",
        "sanitaria", "sanitario", "tessera", "pratica", "previdenziale", "assicurazione", "cartella",
        "processo", "contribuinte", "seguranca", "beneficiario", "prontuario",
    ],
    starts: &[],
    ends: &[],
    names: &[],
};

/// What calls a number a number, at the end of a name or, in Romance languages, at its beginning.
#[rustfmt::skip]
pub(super) const NUMBER: Words = Words {
    whole: &["number", "no", "nr", "num", "nbr", "id", "nummer", "numero", "codice", "codigo", "ident", "identifier", "kennung"],
    starts: &["identifikation"],
    ends: &[],
    names: &[],
};

/// True for a name that says that it is somebody's number. A number of claims begins with the same words in English, so these count
/// at the end only.
pub(super) fn is_numbered(parts: &[String]) -> bool {
    let is_digits = |part: &&String| part.bytes().all(|byte| byte.is_ascii_digit());
    let words: Vec<&String> = parts.iter().filter(|part| !is_digits(part)).collect();
    let (Some(first), Some(last)) = (words.first(), words.last()) else { return false };
    let at_end = NUMBER.are_in(std::slice::from_ref(last));
    let at_start = matches!(first.as_str(), "numero" | "num" | "codice" | "codigo" | "id" | "n");
    let others = parts.iter().any(|part| NUMBERED.are_in(std::slice::from_ref(part)));
    words.len() >= 2 && others && (at_end || at_start && !is_count(parts))
}

/// `num_visits`, `number of claims`.
fn is_count(parts: &[String]) -> bool {
    matches!(parts[0].as_str(), "num" | "n") && !parts.iter().any(|part| ROMANCE.contains(&part.as_str()))
}

/// Words that follow `num` where it is no number of things.
const ROMANCE: &[&str] = &[
    "securite",
    "secu",
    "sociale",
    "fiscal",
    "fiscale",
    "dossier",
    "assure",
    "seguridad",
    "expediente",
    "historia",
    "processo",
    "contribuinte",
    "tessera",
    "pratica",
    "patient",
];

/// What a person is: facts that are the same in all rows of one.
#[rustfmt::skip]
pub(super) const SEX: Words = Words {
    whole: &["sex", "gender", "geschlecht", "sexe", "genre", "sexo", "genero", "sesso", "genere"],
    starts: &[],
    ends: &[],
    names: &[],
};

/// When somebody was born.
#[rustfmt::skip]
pub(super) const BIRTH: Words = Words {
    whole: &[
        "birth", "birthdate", "birthday", "birthyear", "born", "dob", "yob", "geboren", "jahrgang", "gebdat", "gebjahr", "naissance", "nacimiento",
        "nascita", "nascimento",
    ],
    starts: &["geburts"],
    ends: &[],
    names: &[],
};

/// Where people live.
#[rustfmt::skip]
pub(super) const PLACE: Words = Words {
    whole: &[
        "zip", "zipcode", "postcode", "postal", "city", "town", "county", "state", "region", "country", "municipality", "district", "area",
        "plz", "postleitzahl", "ort", "wohnort", "stadt", "gemeinde", "kreis", "landkreis", "bundesland", "kanton", "land",
        "cp", "ville", "commune", "departement", "pays", "ciudad", "municipio", "provincia", "pais",
        "cap", "citta", "comune", "regione", "paese", "cep", "cidade", "concelho", "freguesia", "distrito", "regiao",
    ],
    starts: &[],
    ends: &[],
    names: &[],
};

/// What has numbers for classes, many of them too.
#[rustfmt::skip]
pub(super) const CLASSES: Words = Words {
    whole: &[
        "state", "region", "country", "county", "province", "district", "nationality", "ethnicity", "race", "occupation", "industry", "birthplace",
        "code", "category", "class", "type", "statefip", "fips", "pobp", "bpl",
        "bundesland", "kanton", "land", "kreis", "nationalitat", "beruf", "branche", "schlussel",
        "departement", "pays", "nationalite", "metier", "provincia", "pais", "nacionalidad", "ocupacion",
        "regione", "paese", "nazionalita", "professione", "regiao", "nacionalidade", "distrito", "concelho",
    ],
    starts: &[],
    ends: &[],
    names: &[],
};

/// Words in names of columns that say whose row it is: of persons, of whatever has a number, of households. The first list
/// that has a column wins.
#[rustfmt::skip]
pub(super) const KEYS: [Words; 3] = [
    Words {
        whole: &[
            "patient", "person", "respondent", "subject", "member", "customer", "client", "employee", "ssn", "mrn", "nino", "pid",
            "pat", "patno", "subjid", "usubjid", "subj", "pseudonym", "pseudonyms", "pseudo", "insured", "user", "users", "participant", "resident",
            "beneficiary", "policyholder", "student", "pupil", "nhsno",
            // German
            "patientin", "patienten", "proband", "probandin", "befragte", "befragter", "versicherte", "versicherter", "kunde",
            "kundin", "kunden", "mitglied", "mitarbeiter", "ahv", "svnr", "teilnehmer", "teilnehmerin", "nutzer", "benutzer", "schuler", "patnr",
            "persnr", "kdnr", "steuerid", "idnr",
            // French
            "personne", "individu", "assure", "adherent", "repondant", "nir", "nss", "pseudonyme", "participant", "beneficiaire", "utilisateur",
            // Spanish, Italian and Portuguese
            "paciente", "paziente", "persona", "pessoa", "individuo", "asegurado", "segurado", "assicurato", "encuestado",
            "cliente", "assistito", "utente", "dni", "nif", "cpf", "nie", "curp", "cnp", "niss", "participante", "partecipante", "usuario", "pseudonimo",
        ],
        starts: &[
            "patienten", "patientn", "patn", "probanden", "personenn", "personaln", "persn", "kundenn", "kdn", "versicherten", "mitgliedsn",
            "mitarbeitern", "teilnehmern", "rentenversicherungsn", "sozialversicherungsn", "krankenversicherungsn", "steuerident", "steuernummer",
            "codicefiscale", "pseudonym",
        ],
        ends: &[],
        names: &[&["codice", "fiscale"]],
    },
    Words {
        whole: &["id", "ids", "uuid", "guid", "passport", "account", "license", "licence", "identifiant", "identificador", "identificativo"],
        starts: &[],
        ends: &[],
        names: &[],
    },
    Words {
        whole: &[
            "household", "hh", "family", "haushalts", "familie", "menage", "foyer", "famille", "hogar", "familia", "famiglia", "nucleo",
            "agregado",
        ],
        starts: &["haushalt"],
        ends: &[],
        names: &[],
    },
];

/// True if columns that say whose row each row is are keys of households, by their names.
pub(crate) fn are_households<'a>(mut names: impl Iterator<Item = &'a str>) -> bool {
    let [people, _, households] = &KEYS;
    let mut any = false;
    let all = names.all(|name| {
        any = true;
        let parts = name_parts(name);
        households.are_in(&parts)
            && !people.are_in(&parts)
            && !parts.iter().any(|part| FAMILY_NAME.contains(&part.as_str()))
    });
    any && all
}

/// Words that make a name of people of the word for their family.
const FAMILY_NAME: [&str; 8] = ["name", "names", "nom", "nome", "nombre", "apellido", "sobrenome", "cognome"];

/// Words that beside `sex` make it what people do, and keep to themselves, and not what they are.
pub(super) const OF_SEX: Words = Words {
    whole: &[
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
        "orientation",
    ],
    starts: &[],
    ends: &[],
    names: &[],
};

/// What is of sex whatever stands beside it.
pub(super) const SEXUAL: Words =
    Words { whole: &["sexually"], starts: &["sexual", "sexuel", "sessual"], ends: &[], names: &[] };

/// Money, beliefs and other matters that people would keep to themselves.
#[rustfmt::skip]
pub(super) const SENSITIVE: Words = Words {
    whole: &[
        "salary", "salaries", "income", "incomes", "wage", "wages", "pay", "earnings", "pincp", "debt", "debts", "balance", "charge",
        "charges", "cost", "costs", "religion", "vote", "party", "orientation", "conviction", "score", "grade", "loss", "gain", "tax",
        "taxes", "wealth", "bonus", "amount", "amounts", "price", "turnover", "expenses", "spending",
        // German
        "gehalt", "lohn", "verdienst", "schulden", "steuer", "steuern", "rente", "konfession", "partei", "gewerkschaft",
        "vorstrafe", "vorstrafen", "kosten", "betrag", "betrage", "betraege", "umsatz", "preis", "ausgaben",
        // French
        "salaire", "salaires", "revenu", "revenus", "paie", "dette", "dettes", "impot", "impots", "patrimoine", "syndicat",
        "condamnation", "cout", "couts", "montant", "montants", "prix",
        // Spanish
        "salario", "salarios", "sueldo", "sueldos", "ingresos", "renta", "nomina", "deuda", "deudas", "impuesto", "impuestos", "patrimonio",
        "sindicato", "condena", "voto", "partido", "coste", "costo", "costes",
        "importe", "importes", "precio",
        // Italian
        "stipendio", "reddito", "redditi", "retribuzione", "debito", "debiti", "imposta", "imposte", "sindacato", "condanna",
        "religione", "partito", "costi", "importo", "importi", "prezzo",
        // Portuguese
        "renda", "rendimento", "rendimentos", "vencimento", "divida", "dividas", "imposto", "impostos", "condenacao",
        "religiao", "custo", "custos", "montante", "preco",
    ],
    starts: &["steuerlast"],
    ends: &["einkommen", "gehalt", "vermogen", "vermoegen", "religion", "betrag"],
    names: &[],
};

/// What tells of people's health.
#[rustfmt::skip]
pub(super) const HEALTH: Words = Words {
    whole: &[
        "diagnosis", "diagnoses", "diagnostic", "diag", "dx", "icd", "disease", "diseases", "illness", "condition", "conditions",
        "disorder", "syndrome", "symptom", "symptoms", "medical", "medication", "medications", "medicine", "drug", "drugs",
        "dose", "prescription", "treatment", "treatments", "therapy", "surgery", "hiv", "aids", "std", "cancer", "tumor", "tumour",
        "diabetes", "diabetic", "asthma", "stroke", "hypertension", "depression", "depressed", "anxiety", "mental", "mentally",
        "psychiatric", "pregnant", "pregnancy", "pregnancies", "abortion", "disability", "disabled", "allergy",
        "allergies", "cholesterol", "chol", "glucose", "insulin", "hemoglobin", "haemoglobin", "hb", "hba", "creatinine", "testosterone", "bp",
        "blood", "systolic", "diastolic", "pulse", "bmi", "alcohol", "marijuana", "marij", "cannabis", "cocaine", "health",
        "comorbidity", "comorbidities", "vaccinated", "vaccination", "infection", "infected", "covid", "hepatitis", "injury",
        "genotype", "urine", "overdose", "suicide", "addiction", "ment", "hlth", "sleep", "insomnia", "viral", "pathogen", "biopsy",
        // German
        "befund", "symptome", "medikament", "medikamente", "medikation", "behandlung", "behinderung", "behindert",
        "allergie", "allergien", "krebs", "blutdruck", "blutzucker", "puls", "psychisch", "impfung", "geimpft", "infektion", "alkohol",
        "pflegegrad", "pflegestufe", "asthma", "blutgruppe", "todesursache", "viruslast", "schlafstorung", "schlafstorungen",
        // French
        "maladie", "maladies", "pathologie", "pathologies", "traitement", "traitements", "medicament",
        "medicaments", "symptomes", "handicap", "grossesse", "enceinte", "diabete", "asthme", "sante", "arterielle",
        "glycemie", "vaccin", "alcool", "drogue", "sida", "vih", "chirurgie", "sanguin", "sanguine", "tension", "virale", "sommeil",
        // Spanish
        "enfermedad", "enfermedades", "diagnostico", "diagnosticos", "tratamiento", "tratamientos", "medicamento", "medicamentos",
        "medicacion", "sintoma", "sintomas", "discapacidad", "embarazo", "embarazada", "alergia", "alergias", "asma",
        "depresion", "salud", "arterial", "glucosa", "vacuna", "vacunado", "droga", "drogas", "colesterol", "patologia", "cirugia",
        "sanguineo", "sanguinea", "presion", "sueno",
        // Italian
        "malattia", "malattie", "diagnosi", "trattamento", "terapia", "farmaco", "farmaci", "sintomo", "sintomi", "disabilita",
        "gravidanza", "incinta", "cancro", "tumore", "depressione", "salute", "arteriosa", "glicemia", "vaccino",
        "vaccinato", "alcol", "colesterolo", "sangue", "pressione", "sanguigno", "sanguigna", "sonno",
        // Portuguese
        "doenca", "doencas", "tratamento", "medicacao", "deficiencia", "gravidez", "gravida", "depressao",
        "saude", "vacina", "cirurgia", "pressao", "tensao", "sono",
    ],
    starts: &["schwanger", "gesundheit", "arzneimittel", "laborw", "laborbef", "laborerg"],
    ends: &["diagnose", "diagnosen", "krankheit", "krankheiten", "erkrankung", "erkrankungen", "therapie"],
    names: &[
        &["little", "interest"], &["lab", "result"], &["lab", "results"], &["lab", "value"], &["lab", "values"], &["lab", "test"],
        &["cause", "of", "death"], &["cause", "death"], &["death", "cause"], &["cause", "de", "deces"], &["cause", "du", "deces"],
        &["cause", "deces"], &["causa", "de", "muerte"], &["causa", "muerte"], &["causa", "di", "morte"], &["causa", "morte"],
        &["causa", "da", "morte"], &["causa", "de", "morte"], &["causa", "de", "obito"], &["causa", "do", "obito"],
        &["carga", "viral"], &["resultat", "labo"], &["resultado", "laboratorio"],
    ],
};

/// What people smoke, drink and take, at whatever age and on however many days.
#[rustfmt::skip]
pub(super) const HABITS: Words = Words {
    whole: &[
        "smoke", "smoked", "smoker", "smokers", "smokes", "smoking", "tobacco", "cigarette", "cigarettes", "cigs", "vaping", "alcohol",
        "marij", "marijuana", "drinking", "drinker",
        "alkohol", "tabak", "zigaretten",
        "tabagisme", "tabac", "fumeur", "fumeuse", "fumeurs", "alcool", "alcoolisme",
        "fumador", "fumadora", "fuma", "tabaco", "tabaquismo", "alcoholismo", "cigarrillos",
        "fumatore", "fumatrice", "fumo", "tabagismo", "tabacco", "alcol", "sigarette",
        "fumante", "alcoolismo", "cigarros",
    ],
    starts: &["raucher", "rauchen", "alkoholk"],
    ends: &["raucher", "raucherin"],
    names: &[],
};

/// Words beside which a word of health says where or when somebody was, or who paid: others know that.
#[rustfmt::skip]
pub(super) const AROUND_HEALTH: Words = Words {
    whole: &[
        "date", "day", "year", "region", "district", "area", "city", "zip", "center", "centre", "hospital", "clinic", "facility",
        "insurance", "plan", "provider", "doctor", "physician", "department", "ward", "authority",
        "datum", "tag", "jahr", "ort", "kasse", "versicherung", "arzt",
        "annee", "ville", "centre", "hopital", "assurance", "medecin",
        "fecha", "ano", "ciudad", "centro", "seguro", "medico", "anno", "citta", "ospedale", "assicurazione", "data", "cidade",
    ],
    starts: &[],
    ends: &["datum", "versicherung"],
    names: &[],
};

/// What others commonly know of a person. These words settle columns that look unique in a small file.
#[rustfmt::skip]
pub(super) const QUASI: Words = Words {
    whole: &[
        "age", "agep", "birth", "birthdate", "birthday", "birthplace", "born", "dob", "year", "date", "sex", "gender", "zip",
        "zipcode", "postcode", "postal", "city", "town", "county", "state", "region", "country", "nationality", "race",
        "ethnicity", "marital", "education", "occupation", "profession", "job", "department", "employer", "height", "weight", "language",
        "admission", "discharge", "hire", "children",
        // German
        "alter", "altersgruppe", "geboren", "jahrgang", "geschlecht", "plz", "postleitzahl", "ort", "wohnort", "stadt", "gemeinde", "kreis",
        "landkreis", "bundesland", "kanton", "land", "nationalitat", "nationalitaet", "herkunft", "familienstand", "zivilstand", "bildung",
        "schulabschluss", "abschluss", "ausbildung", "beruf", "tatigkeit", "taetigkeit", "arbeitgeber", "abteilung", "grosse",
        "groesse", "korpergrosse", "koerpergroesse", "gewicht", "sprache", "muttersprache", "entlassung", "datum", "jahr", "kinder",
        // French
        "naissance", "sexe", "genre", "cp", "ville", "commune", "departement", "pays", "nationalite", "civil", "matrimonial",
        "matrimoniale", "diplome", "etudes", "metier", "emploi", "employeur", "taille", "poids", "langue", "annee",
        "enfants",
        // Spanish
        "edad", "nacimiento", "sexo", "genero", "ciudad", "municipio", "provincia", "pais", "nacionalidad", "estudios", "educacion",
        "profesion", "ocupacion", "trabajo", "empleo", "empleador", "departamento", "altura", "estatura", "talla", "peso",
        "idioma", "ano", "fecha", "ingreso", "hijos",
        // Italian
        "eta", "nascita", "sesso", "genere", "cap", "citta", "comune", "regione", "paese", "nazionalita", "cittadinanza", "civile",
        "istruzione", "professione", "lavoro", "occupazione", "impiego", "altezza", "statura", "lingua", "anno", "ricovero",
        "dimissione", "figli",
        // Portuguese
        "idade", "nascimento", "cep", "cidade", "concelho", "freguesia", "distrito", "regiao", "nacionalidade", "escolaridade",
        "educacao", "profissao", "ocupacao", "emprego", "trabalho", "admissao", "filhos",
    ],
    starts: &["geburts", "staatsangeh", "staatsburger"],
    ends: &["datum"],
    names: &[],
};

/// What counts or measures, so that few numbers of it are numbers all the same.
#[rustfmt::skip]
pub(super) const MEASURES: Words = Words {
    whole: &[
        "age", "ages", "agep", "year", "years", "yrs", "yr", "month", "months", "week", "weeks", "day", "days", "hour", "hours", "hrs", "minute",
        "minutes", "count", "counts", "number", "num", "n", "nb", "children", "kids", "height", "weight", "rooms", "size", "amount", "total",
        "times", "visits", "pregnancies", "babies", "sum", "score", "points", "distance", "length", "percent", "rate", "income",
        "salary", "cost", "dose", "decade",
        "alter", "jahr", "jahre", "anzahl", "zahl", "monate", "wochen", "tage", "stunden", "kinder", "zimmer", "grosse", "groesse", "gewicht",
        "punkte", "dauer", "einkommen",
        "annee", "annees", "nombre", "mois", "jours", "heures", "enfants", "pieces", "taille", "poids", "duree", "revenu",
        "edad", "ano", "anos", "numero", "meses", "dias", "horas", "hijos", "cantidad", "peso", "altura",
        "eta", "anno", "anni", "mesi", "giorni", "ore", "figli", "quantita", "altezza", "reddito",
        "idade", "quantidade", "filhos", "renda",
    ],
    starts: &["anzahl", "geburtsjahr"],
    ends: &["anzahl", "jahre", "zahl", "dauer", "einkommen"],
    names: &[],
};

/// How many people a row stands for.
#[rustfmt::skip]
pub(super) const SURVEY_WEIGHT: Words = Words {
    whole: &["wt", "weight", "weights", "gewicht", "poids", "peso"],
    starts: &[
        "wgt", "pwgt", "fnlwgt", "wtint", "wtmec", "perwt", "hhwt", "weighting", "gewichtung", "hochrechnung", "ponderation", "ponderacion",
        "ponderazione", "ponderacao",
    ],
    ends: &[],
    names: &[],
};

/// Weights that may be those of a body.
pub(super) const BODY_WEIGHT: Words =
    Words { whole: &["weight", "gewicht", "poids", "peso"], starts: &[], ends: &[], names: &[] };

/// What shows beside a weight that it is that of a body.
#[rustfmt::skip]
pub(super) const BODY_SIZE: Words = Words {
    whole: &["height", "bmi", "grosse", "groesse", "korpergrosse", "koerpergroesse", "taille", "altura", "estatura", "talla", "altezza", "statura"],
    starts: &[],
    ends: &[],
    names: &[],
};

/// What goes with the weight of a body in its name.
#[rustfmt::skip]
pub(super) const BODY: Words = Words {
    whole: &["height", "bmi", "kg", "lb", "lbs", "body", "birth", "waist", "naissance", "nacimiento", "nascita", "nascimento"],
    starts: &["geburts", "korper", "koerper"],
    ends: &[],
    names: &[],
};
