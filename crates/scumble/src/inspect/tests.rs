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
