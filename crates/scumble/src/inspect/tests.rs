//! What is told of small tables, and the job that is proposed.

use super::*;
use crate::job::{ColumnRole, Delimiter, Job};
use crate::{Cancellation, Error, Source};

const PEOPLE: &str = "name,\"home, town\",age,salary,country\n\
    ann,Ghent,31,1000,BE\nbob,Porto,34,1500.5,BE\ncy,Ghent,,1500.5,BE\n\
    di,Ghent,31,1000,BE\ned,Ghent,34,1500.5,BE\nflo,Ghent,31,1000,BE\n";

fn inspected(csv: &'static str) -> Inspection {
    let context = Context::new();
    inspect(&Source::reader(csv.as_bytes()).read_all(&context).unwrap(), &context).unwrap()
}

#[test]
fn columns_are_profiled_and_sets_counted() {
    let found = inspected(PEOPLE);
    let roles: Vec<&str> = found.columns.iter().map(|column| column.proposal.name()).collect();
    assert_eq!(roles, ["identifying", "quasi", "quasi", "sensitive", "drop"]);
    let salary = &found.columns[3];
    assert_eq!((salary.min.as_deref(), salary.max.as_deref()), (Some("1000"), Some("1500.5")));
    assert_eq!((found.columns[2].nulls, found.columns[2].unique_rows), (1, 0));
    let pair = SetProfile {
        columns: vec!["home, town".into(), "age".into()],
        unique_rows: 3,
        unique_people: None,
        classes: 4,
    };
    assert_eq!((found.rows, found.sets, found.sets_examined), (6, vec![pair], 1));
}

#[test]
fn the_job_file_says_what_the_job_says() {
    let found = inspected(PEOPLE);
    let mut job = found.job();
    job.input.path = Some("data \"1\".csv".into());
    job.output.dir = Some("release".into());
    let text = found.job_text(&job);
    assert_eq!(Job::from_toml(&text).unwrap(), Job { file: "job".into(), ..job.clone() });
    for line in [
        "# delimiter = \";\"      # found in the header by default",
        "name         = \"identifying\" # nominal, 6 distinct: its name suggests that it names people",
        "\"home, town\" = \"quasi\"       # nominal, 2 distinct: others commonly know it of a person",
        "age          = \"quasi\"       # number, 2 distinct, 1 missing: others commonly know it of a person",
        "require = [\"k-anonymity(5)\"]",
        "# require = [\"k-anonymity(5)\", \"frequency-l-diversity(3)\", \"t-closeness(0.2, ordered)\"]",
        "method = \"generalize\"",
        "# algorithm = \"mondrian\"      # or mondrian-relaxed, proximity, paper",
        "format = \"csv\"                # or parquet",
    ] {
        assert!(text.lines().any(|known| known == line), "{line}\n{text}");
    }
    // What a caller adds is in the file too, whether it has a place there or not.
    job.input.delimiter = Some(Delimiter(b';'));
    job.input.null = vec!["?".into()];
    job.publish.seed = Some(7);
    job.column_mut("age").level = Some(1);
    job.columns.retain(|(_, column)| column.role != Some(ColumnRole::Sensitive));
    let text = found.job_text(&job);
    assert_eq!(Job::from_toml(&text).unwrap(), Job { file: "job".into(), ..job });
    assert!(text.contains("No sensitive column was recognised") && !text.contains("# delimiter"), "{text}");
}

#[test]
fn cancelled_work_gives_nothing() {
    let (context, cancellation) = (Context::new(), Cancellation::default());
    let table = Source::reader(PEOPLE.as_bytes()).read_all(&context).unwrap();
    cancellation.cancel();
    let found = inspect(&table, &context.with_cancellation(cancellation));
    assert!(matches!(found, Err(Error::Cancelled)));
}

/// Forty people with five visits each: by rows every visit has company, by people hardly anybody has.
fn visits() -> String {
    let mut csv = String::from("household_nr,birth_year,zip,illness,arrival\n");
    for person in 0..40 {
        for visit in 0..5 {
            let (year, zip, illness, arrival) =
                (1940 + person % 20, 100 + person / 20, (person + visit) % 6, 500 + person);
            csv.push_str(&format!("h{person},{year},{zip},{illness},{arrival}\n"));
        }
    }
    csv
}

fn inspected_people(csv: &str, person: &[&str]) -> Result<Inspection> {
    let context = Context::new();
    let person: Vec<String> = person.iter().map(ToString::to_string).collect();
    inspect_people(&Source::reader(std::io::Cursor::new(csv.to_string())).read_all(&context)?, &person, &context)
}

#[test]
fn a_persons_own_other_rows_are_not_taken_for_somebody_else() {
    let csv = visits();
    let mut all = Vec::new();
    for named in [&[][..], &["household_nr"][..]] {
        let found = inspected_people(&csv, named).unwrap();
        assert_eq!((found.rows, found.persons), (200, Some(40)));
        assert_eq!(found.columns[0].proposal, ColumnRole::Person);
        let arrival = &found.columns[4];
        assert_eq!((arrival.unique_rows, arrival.unique_people), (0, Some(40)));
        assert_eq!(found.near_unique, ["arrival"]);
        let best = &found.sets[0];
        assert_eq!((best.unique_rows, best.unique_people), (0, Some(40)));
        all.push(found.sets);
    }
    assert_eq!(all[0], all[1]);
    let Error::Request { field, value, .. } = inspected_people(&csv, &["houshold_nr"]).unwrap_err() else { panic!() };
    assert_eq!((field.as_str(), value.as_str()), ("person", "houshold_nr"));
    // Another key makes other people, and no other column is one beside it.
    let by_year = inspected_people(&csv, &["birth_year", "zip"]).unwrap();
    let roles: Vec<ColumnRole> = by_year.columns.iter().map(|column| column.proposal).collect();
    assert_eq!(roles[..3], [ColumnRole::Identifying, ColumnRole::Person, ColumnRole::Person]);
    assert_eq!(by_year.persons, Some(40));
}

/// A list is no text, and the other columns are inspected all the same.
#[test]
fn columns_of_lists_stopped_an_inspection() {
    use arrow_array::builder::{Int64Builder, ListBuilder};
    use arrow_array::{ArrayRef, Int64Array, RecordBatch};
    use std::sync::Arc;
    let mut visits = ListBuilder::new(Int64Builder::new());
    for row in 0..40 {
        visits.values().append_value(row);
        visits.append(true);
    }
    let ages: Int64Array = (0..40).map(|row| Some(20 + row % 8)).collect();
    let batch = RecordBatch::try_from_iter([
        ("age", Arc::new(ages) as ArrayRef),
        ("visits", Arc::new(visits.finish())),
        ("rooms", Arc::new((0..40).map(|row| Some(row % 3)).collect::<Int64Array>())),
    ])
    .unwrap();
    let context = Context::new();
    let source = || Source::arrow(batch.schema(), [batch.clone()]);
    let found = inspect(&source().read_all(&context).unwrap(), &context).unwrap();
    let told: Vec<_> =
        found.columns.iter().map(|column| (column.name.as_str(), column.type_name(), column.proposal)).collect();
    let (quasi, dropped) = (ColumnRole::Quasi, ColumnRole::Dropped);
    assert_eq!(told, [("age", "number", quasi), ("visits", "other", dropped), ("rooms", "number", quasi)]);
    assert!(found.columns[1].because.to_string().contains("lists"));
    // The proposed job reads what is left.
    assert_eq!(source().read(&found.job(), &context).unwrap().schema().attributes().len(), 2);
}

/// Keeps what stages begin, and how far each has come.
#[derive(Default)]
struct Stages(std::sync::Mutex<Vec<(crate::Stage, Option<u64>, u64)>>);

impl crate::Progress for Stages {
    fn begin(&self, stage: crate::Stage, total: Option<u64>) {
        self.0.lock().unwrap().push((stage, total, 0));
    }

    fn advance(&self, amount: u64) {
        if let Some(last) = self.0.lock().unwrap().last_mut() {
            last.2 += amount;
        }
    }
}

#[test]
fn the_work_after_reading_had_no_stage_of_its_own() {
    let heard = std::sync::Arc::new(Stages::default());
    let context = Context::new().with_progress(heard.clone());
    let table = Source::reader(PEOPLE.as_bytes()).read_all(&context).unwrap();
    heard.0.lock().unwrap().clear();
    inspect(&table, &context).unwrap();
    let stages = heard.0.lock().unwrap();
    let names: Vec<&str> = stages.iter().map(|(stage, ..)| stage.name()).collect();
    assert_eq!(names, ["inspecting", "inspecting", "comparing"]);
    // Each of five columns, and each pair of the three that would be published.
    assert_eq!(
        stages[..2].iter().map(|(_, total, done)| (*total, *done)).collect::<Vec<_>>(),
        [(Some(30), 30), (Some(18), 18)]
    );
}

/// Visits of three hundred patients, and the name of their key.
fn visits_of(key: &str) -> String {
    let mut csv = format!("{key},birth_year,sex,zipcode,visited,code,cost,cost_cents\n");
    for visit in 0u32..1000 {
        let patient = visit.wrapping_mul(2_654_435_761) % 300;
        let hash = patient.wrapping_mul(40_503) >> 3;
        let (year, sex, zip) = (1930 + hash % 80, ["F", "M"][(hash / 7 % 2) as usize], 10_000 + hash % 83);
        let (code, cost) =
            (["I48.0", "A09", "N39", "J45.1", "E11", "M54"][(visit * 7 % 6) as usize], 20 + visit * 37 % 613);
        csv.push_str(&format!(
            "Q{patient:06},{year},{sex},{zip},2025-{:02}-{:02},{code},{cost},{}\n",
            1 + visit % 12,
            1 + visit % 28,
            cost * 100
        ));
    }
    csv
}

fn proposals(found: &Inspection) -> Vec<(&str, &str)> {
    found.columns.iter().map(|column| (column.name.as_str(), column.proposal.name())).collect()
}

#[test]
fn keys_of_people_under_unknown_names_were_published_in_sets() {
    for key in [
        "pat_no",
        "patnr",
        "patientnr",
        "kundennr",
        "persnr",
        "Personalnummer",
        "staff_no",
        "nhs_number",
        "hospital_number",
        "subjid",
        "usubjid",
        "pseudonym",
        "insured",
        "user",
        "code1",
        "tax_id",
        "tax",
        "xyzzy",
    ] {
        let found = inspected_people(&visits_of(key), &[]).unwrap();
        assert_eq!(found.columns[0].proposal, ColumnRole::Person, "{key}: {}", found.columns[0].because);
        assert!(found.persons.is_some_and(|persons| persons <= 300), "{key}");
    }
    // By its shape the code is of a diagnosis; of two amounts that say the same one is proposed.
    let found = inspected_people(&visits_of("code1"), &[]).unwrap();
    assert_eq!(
        proposals(&found)[1..],
        [
            ("birth_year", "quasi"),
            ("sex", "quasi"),
            ("zipcode", "quasi"),
            ("visited", "quasi"),
            ("code", "sensitive"),
            ("cost", "sensitive"),
            ("cost_cents", "drop")
        ]
    );
    assert_eq!(found.columns[5].because, Reason::DiagnosisCodes);
    assert!(found.copies.iter().any(|copy| copy.column == "cost_cents" && copy.of == "cost" && copy.one_to_one));
}

#[test]
fn the_key_of_a_household_hid_that_of_a_patient_without_a_known_name() {
    let mut csv = String::from("nucleo,qq,birth_year,sex,zipcode,day\n");
    for visit in 0u32..1200 {
        let patient = visit.wrapping_mul(2_654_435_761) % 300;
        let (home, hash) = (patient / 2, patient.wrapping_mul(40_503) >> 3);
        let place = home.wrapping_mul(7919) % 40;
        csv.push_str(&format!(
            "h{home},q{patient},{},{},{},{}\n",
            1930 + hash % 80,
            hash / 7 % 2,
            1000 + place,
            visit % 97
        ));
    }
    let found = inspected_people(&csv, &[]).unwrap();
    assert_eq!(proposals(&found)[..2], [("nucleo", "identifying"), ("qq", "person")]);
    // Alone, and without a name that tells, that of the household is the key.
    let alone: String = csv
        .lines()
        .map(|line| {
            line.split(',').enumerate().filter(|(at, _)| *at != 1).map(|(_, cell)| cell).collect::<Vec<_>>().join(",")
        })
        .map(|line| line.replace("nucleo", "xx") + "\n")
        .collect();
    let found = inspected_people(&alone, &[]).unwrap();
    assert_eq!(proposals(&found)[0], ("xx", "person"), "{}", found.columns[0].because);
}

#[test]
fn numbers_drawn_by_chance_were_taken_for_people() {
    let mut csv = String::from("draw,age,sex\n");
    for row in 0u32..600 {
        let draw = if row == 7 || row == 300 { 11 } else { row.wrapping_mul(40_503) % 65_536 };
        csv.push_str(&format!("{draw},{},{}\n", 20 + row * 7 % 50, row % 2));
    }
    let found = inspected_people(&csv, &[]).unwrap();
    assert_eq!((found.columns[0].proposal, found.persons), (ColumnRole::Dropped, None));
}

#[test]
fn what_is_derived_from_another_column_is_no_key() {
    // Months tell years, and a code of a town tells its state and country.
    let mut csv = String::from("months,age,town_code,chapter,group\n");
    for row in 0u32..2000 {
        let (months, town) = (row.wrapping_mul(2_654_435_761) % 900, row.wrapping_mul(40_503) % 700);
        csv.push_str(&format!("{months},{},t{town},c{},g{}\n", months / 12, town / 20, town / 100));
    }
    let found = inspected_people(&csv, &[]).unwrap();
    assert!(found.columns.iter().all(|column| column.proposal != ColumnRole::Person), "{:?}", proposals(&found));
    assert_eq!(proposals(&found)[0], ("months", "quasi"));
}

#[test]
fn texts_that_hardly_anybody_shares_were_called_sensitive() {
    let lines: String = (0..100u32)
        .map(|row| format!("{},C{row:05},\"{},{:02}\"\n", 20 + row % 30, row * 31 % 997, row % 97))
        .collect();
    let found = inspected_people(&format!("age,cost_code,Betrag\n{lines}"), &[]).unwrap();
    assert_eq!(proposals(&found)[1..], [("cost_code", "identifying"), ("Betrag", "drop")]);
    assert_eq!(found.columns[2].because, Reason::DecimalComma { secret: true });
}

#[test]
fn times_of_day_were_called_quasi() {
    let lines: String =
        (0..200u32).map(|row| format!("{},{:02}:{:02}:00\n", 20 + row % 30, row % 8, row % 4 * 15)).collect();
    let found = inspected_people(&format!("age,time\n{lines}"), &[]).unwrap();
    assert_eq!((found.columns[1].proposal, &found.columns[1].because), (ColumnRole::Dropped, &Reason::ClockTimes));
}

#[test]
fn numbers_that_stand_for_missing_values_were_not_hinted() {
    let lines: String = (0..300u32)
        .map(|row| match row % 50 {
            0 => "-999,999,9999,999\n".into(),
            _ => format!("{},{},{},{}\n", row % 80, row % 70, 9000 + row, 500 + row),
        })
        .collect();
    let found = inspected_people(&format!("a,b,c,d\n{lines}"), &[]).unwrap();
    let told: Vec<&[String]> = found.columns.iter().map(|column| column.maybe_missing.as_slice()).collect();
    assert_eq!(told, [&["-999".to_string()][..], &["999".to_string()], &[], &[]]);
}

#[test]
fn states_were_no_possible_labels() {
    let lines: String = (0..2000u32).map(|row| format!("{},{}\n", 1 + row % 56, row % 90)).collect();
    let found = inspected_people(&format!("STATE,rank\n{lines}"), &[]).unwrap();
    assert_eq!(found.columns.iter().map(|column| column.maybe_labels).collect::<Vec<_>>(), [true, false]);
}
