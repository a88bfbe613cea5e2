//! Names of real columns in six languages, and what they must not be taken for.

use super::roles::propose;
use super::words::name_parts;
use super::{ColumnProfile, Reason};
use crate::job::ColumnRole;
use scumble_table::Kind;

fn proposed(name: &str) -> ColumnRole {
    let column = ColumnProfile {
        name: name.into(),
        kind: Some(Kind::Nominal),
        distinct: 40,
        nulls: 0,
        unique_rows: 3,
        unique_people: None,
        top_share: 0.1,
        min: None,
        max: None,
        maybe_missing: Vec::new(),
        maybe_labels: false,
        proposal: ColumnRole::Quasi,
        because: Reason::MayBeKnown,
    };
    propose(&column, 1000).0
}

/// What others know is told by more than that nothing speaks against it.
fn is_commonly_known(name: &str) -> bool {
    super::words::QUASI.are_in(&name_parts(name)) && proposed(name) == ColumnRole::Quasi
}

#[test]
fn words_split_at_case_and_marks() {
    for (name, parts) in [
        ("FirstName", &["first", "name"][..]),
        ("zip_code-2", &["zip", "code", "2"]),
        ("SSN", &["ssn"]),
        ("HHIncomeMid", &["hh", "income", "mid"]),
        ("BPSysAve", &["bp", "sys", "ave"]),
        ("Race1", &["race", "1"]),
        ("nPregnancies", &["n", "pregnancies"]),
        ("PatientIDs", &["patient", "ids"]),
        ("customerID", &["customer", "id"]),
        ("Körpergröße", &["korpergrosse"]),
        ("Stra\u{df}e", &["strasse"]),
        ("STRASSE", &["strasse"]),
        ("pre\u{301}nom", &["prenom"]),
        ("œuvre", &["oeuvre"]),
        ("endereço", &["endereco"]),
        ("Año de nacimiento", &["ano", "de", "nacimiento"]),
        ("l'âge", &["l", "age"]),
        ("", &[]),
        ("_", &[]),
    ] {
        assert_eq!(name_parts(name), parts, "{name}");
    }
}

#[test]
fn what_names_people() {
    for name in [
        "name",
        "FirstName",
        "last_name",
        "e-mail",
        "email_address",
        "PhoneNumber",
        "home address",
        "patient_id",
        "ID",
        "userIDs",
        "Vorname",
        "NACHNAME",
        "Straße",
        "E-Mail-Adresse",
        "Telefonnummer",
        "Versichertennummer",
        "Steuernummer",
        "Kontonummer",
        "nom",
        "Prénom",
        "nom_de_famille",
        "adresse",
        "courriel",
        "Matricule",
        "numéro de passeport",
        "nombre",
        "Nombre completo",
        "apellidos",
        "Correo electrónico",
        "teléfono",
        "dirección",
        "DNI",
        "pasaporte",
        "nome",
        "Cognome",
        "indirizzo",
        "codice_fiscale",
        "CodiceFiscale",
        "cellulare",
        "matricola",
        "sobrenome",
        "Endereço",
        "telefone",
        "CPF",
        "telemóvel",
        "número de utente",
    ] {
        assert_eq!(proposed(name), ColumnRole::Identifying, "{name}");
    }
}

#[test]
fn what_people_keep_to_themselves() {
    for name in [
        "annual salary",
        "HHIncome",
        "household_income",
        "religion",
        "tax_2023",
        "totalCosts",
        "Gehalt",
        "Haushaltseinkommen",
        "netto_einkommen",
        "Bruttolohn lohn",
        "Vermögen",
        "vermoegen",
        "Konfession",
        "Schulden",
        "salaire",
        "Revenu_net",
        "impôts",
        "dette",
        "sueldo",
        "ingresos",
        "Salario",
        "deuda",
        "renta_anual",
        "reddito",
        "stipendio_lordo",
        "Retribuzione",
        "debiti",
        "salário",
        "rendimento",
        "renda_familiar",
        "dívida",
        "religião",
        "sexual_orientation",
        "SexOrientation",
        "orientación sexual",
        "orientamento_sessuale",
    ] {
        assert_eq!(proposed(name), ColumnRole::Sensitive, "{name}");
    }
}

#[test]
fn what_tells_of_health() {
    for name in [
        "diagnosis",
        "icd10",
        "ICD_code",
        "HbA1c",
        "BPSysAve",
        "BMI",
        "TotChol",
        "blood_pressure",
        "smoker_alcohol",
        "PregnantNow",
        "DaysMentHlthBad mental",
        "HealthGen",
        "medical_history",
        "Diabetes",
        "hiv_status",
        "cancerStage cancer",
        "covid19",
        "Diagnose",
        "Hauptdiagnose",
        "Vorerkrankung",
        "Krankheit",
        "Blutdruck",
        "Medikament",
        "Schwangerschaft",
        "Gesundheitszustand",
        "Pflegegrad",
        "Behinderung",
        "Impfung",
        "maladie",
        "diagnostic_principal",
        "Médicament",
        "état de santé",
        "grossesse",
        "handicap",
        "tension artérielle",
        "enfermedad",
        "diagnóstico",
        "Medicación",
        "embarazo",
        "discapacidad",
        "salud",
        "presión arterial",
        "malattia",
        "diagnosi",
        "farmaco",
        "gravidanza",
        "disabilità",
        "stato_di_salute",
        "pressione arteriosa",
        "doença",
        "Diagnóstico",
        "medicação",
        "gravidez",
        "deficiência",
        "saúde",
    ] {
        assert_eq!(proposed(name), ColumnRole::Sensitive, "{name}");
    }
    // Where or when somebody was, and who paid, is known to others.
    for name in [
        "diagnosis_date",
        "health_region",
        "HealthInsurance",
        "Behandlungsdatum",
        "treatment center",
        "fecha_diagnóstico",
    ] {
        assert_eq!(proposed(name), ColumnRole::Quasi, "{name}");
    }
}

#[test]
fn what_others_know() {
    for name in [
        "age",
        "AGEP",
        "patientAge",
        "birth_date",
        "DOB",
        "ZipCode",
        "marital status",
        "Alter",
        "Geburtsdatum",
        "geburtsjahr",
        "PLZ",
        "Postleitzahl",
        "Staatsangehörigkeit",
        "Familienstand",
        "Größe",
        "groesse",
        "Tätigkeit",
        "Beruf",
        "Aufnahmedatum",
        "âge",
        "date_naissance",
        "Sexe",
        "code_postal",
        "état_civil",
        "Diplôme",
        "métier",
        "nationalité",
        "edad",
        "FechaNacimiento",
        "género",
        "código postal",
        "estado_civil",
        "profesión",
        "municipio",
        "año",
        "età",
        "data_nascita",
        "sesso",
        "Città",
        "stato civile",
        "Altezza",
        "cittadinanza",
        "idade",
        "data_nascimento",
        "gênero",
        "CEP",
        "Freguesia",
        "escolaridade",
        "profissão",
    ] {
        assert!(is_commonly_known(name), "{name}: {:?} {}", name_parts(name), proposed(name).name());
    }
}

#[test]
fn words_inside_of_others_mean_nothing() {
    for name in [
        "image",
        "plage",
        "mileage",
        "page",
        "étage",
        "usage",
        "voltage",
        "percentage",
        "Montage",
        "gage",
        "width",
        "solid",
        "video",
        "rapid",
        "grid",
        "sextant",
        "Sussex",
        "essex",
        "renombre",
        "nombre_appels",
        "nombre_de_pièces",
        "unnamed",
        "landing",
        "capital",
        "altitude",
        "estate",
        "metadata",
        "betaine",
        "meta",
        "display",
        "payload",
        "gainsborough",
        "syntax",
        "partying",
        "shipping",
        "recipe",
        "chip",
        "healthy",
        "stroked",
        "drugstore",
        "abdominal",
    ] {
        let parts = name_parts(name);
        let known = super::words::QUASI.are_in(&parts);
        assert!(!known, "{name}");
        assert_eq!(proposed(name), ColumnRole::Quasi, "{name}");
    }
}

#[test]
fn health_in_six_languages_was_missed() {
    for name in [
        "DaysMentHlthBad",
        "DaysPhysHlthBad",
        "LittleInterest",
        "SleepTrouble",
        "SmokeNow",
        "Smoke100",
        "SmokeAge",
        "AlcoholDay",
        "AlcoholYear",
        "Raucherstatus",
        "Laborwert",
        "tabagisme",
        "groupe_sanguin",
        "fumador",
        "grupo_sanguíneo",
        "tensión",
        "fumatore",
        "pressione",
        "gruppo_sanguigno",
        "smoker",
        "lab_result",
        "cause_of_death",
        "viral_load",
        "Betrag",
        "montant",
    ] {
        assert_eq!(proposed(name), ColumnRole::Sensitive, "{name}");
    }
}

#[test]
fn numbers_of_taxes_and_insurance_were_called_sensitive_or_quasi() {
    for name in [
        "tax_id",
        "Steuer-ID",
        "TaxNumber",
        "insurance_number",
        "Rentenversicherungsnummer",
        "numéro_sécurité_sociale",
        "número_processo",
        "codice_fiscale",
        "NIF",
        "nhs_number",
        "hospital_number",
        "num_dossier",
        "Steueridentifikationsnummer",
    ] {
        assert_eq!(proposed(name), ColumnRole::Identifying, "{name}");
    }
    // Numbers of things are counted, and names of classes have numbers too.
    for name in
        ["number_of_claims", "num_hospital_stays", "zip_no", "HealthInsurance", "insurance_type", "social_class"]
    {
        assert_ne!(proposed(name), ColumnRole::Identifying, "{name}");
    }
}
