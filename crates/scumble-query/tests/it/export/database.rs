//! A real PostgreSQL, and releases to be carried there.

use crate::release::{job, publish_text, session};
use scumble::{ColumnRole, Job, Kind, Method};
use scumble_query::{Bound, Destination, Dialect, ExportOptions, ExportSummary, Session, export};
use scumble_release::ReleaseReader;
use scumble_table::Monitor;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};
use tokio_postgres::{NoTls, SimpleQueryMessage};

/// Cells of a row with their headings.
pub(crate) type Row = Vec<(String, Option<String>)>;

static COUNTER: AtomicU32 = AtomicU32::new(0);

/// The database of the tests with a schema of one's own, which goes when the test does.
pub(crate) struct Database {
    pub(crate) url: String,
    pub(crate) schema: String,
}

impl Database {
    /// Nothing where there is no database: says that a test is skipped.
    pub(crate) fn new() -> Option<Database> {
        let Ok(url) = std::env::var("SCUMBLE_POSTGRES") else {
            eprintln!("SCUMBLE_POSTGRES is not set: skipped");
            return None;
        };
        let number = COUNTER.fetch_add(1, Ordering::Relaxed);
        Some(Database { url, schema: format!("test \"{}\" %{number}", std::process::id()) })
    }

    pub(crate) fn quoted(&self) -> String {
        format!("\"{}\"", self.schema.replace('"', "\"\""))
    }

    pub(crate) fn options(&self, replace: bool) -> ExportOptions {
        ExportOptions { schema: self.schema.clone(), replace }
    }

    pub(crate) fn export(&self, release: &Path, replace: bool) -> scumble::Result<ExportSummary> {
        self.export_to(release, &Destination::parse(&self.url)?, &self.options(replace))
    }

    /// The same by another address or with other options.
    pub(crate) fn export_to(
        &self,
        release: &Path,
        to: &Destination,
        options: &ExportOptions,
    ) -> scumble::Result<ExportSummary> {
        export(&ReleaseReader::peek(release)?, to, options, Monitor::silent())
    }

    /// Runs statements in the schema; the rows of the last, by heading.
    pub(crate) fn run(&self, sql: &str) -> Result<Vec<Row>, String> {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(async {
            let (client, connection) = tokio_postgres::connect(&self.url, NoTls).await.unwrap();
            tokio::spawn(connection);
            client.batch_execute(&format!("SET search_path = {}", self.quoted())).await.unwrap();
            let messages = client.simple_query(sql).await.map_err(|error| match error.as_db_error() {
                Some(refusal) => format!("{refusal}\n{sql}"),
                None => error.to_string(),
            })?;
            let rows = messages.into_iter().filter_map(|message| match message {
                SimpleQueryMessage::Row(row) => {
                    let cells = row.columns().iter().enumerate();
                    Some(cells.map(|(at, column)| (column.name().to_string(), row.get(at).map(String::from))).collect())
                }
                _ => None,
            });
            Ok(rows.collect())
        })
    }

    /// The single value of a statement.
    pub(crate) fn value(&self, sql: &str) -> Option<String> {
        self.run(sql).unwrap().swap_remove(0).swap_remove(0).1
    }

    /// How many indexes of the schema have a definition like this. Indexes of other schemas are not looked at: other
    /// tests drop theirs meanwhile, and a definition that is gone is an error.
    pub(crate) fn indexes_like(&self, pattern: &str) -> Option<String> {
        self.value(&format!(
            "WITH own AS MATERIALIZED (SELECT oid FROM pg_class WHERE relkind = 'i' AND relnamespace = \
             quote_ident(current_schema)::regnamespace) SELECT count(*) FROM own WHERE pg_get_indexdef(oid) LIKE '{pattern}'"
        ))
    }

    /// Whether the schema is there.
    pub(crate) fn exists(&self) -> bool {
        let name = self.schema.replace('\'', "''");
        self.value(&format!("SELECT count(*) FROM pg_namespace WHERE nspname = '{name}'")).as_deref() == Some("1")
    }

    /// Statements of a question, run in the database, give the bounds of its answer here.
    pub(crate) fn compare(&self, session: &Session, sql: &str) {
        let answered = session.ask(sql, None).unwrap_or_else(|error| panic!("{sql}: {error}"));
        let mut rows = Vec::new();
        for statement in session.rewrite(sql, Dialect::Postgres).unwrap_or_else(|error| panic!("{sql}: {error}")) {
            rows.extend(self.run(&statement).unwrap());
        }
        for row in &answered.rows {
            let keys: Vec<(&String, String)> =
                answered.keys.iter().zip(row.keys.iter().map(ToString::to_string)).collect();
            for figure in &row.answers {
                for (end, bound) in [("lower", &figure.lower), ("upper", &figure.upper)] {
                    let heading: String = format!("{} {end}", figure.aggregate);
                    let of_key = |cells: &&Row| {
                        keys.iter().all(|(name, value)| {
                            cell(cells, name).is_some_and(|found| {
                                same(found.as_deref(), Some(value).filter(|v| !v.is_empty()).map(|v| v.as_str()))
                            })
                        }) && cell(cells, &heading).is_some()
                    };
                    // A key for which nothing can match has no row in a statement that joins values.
                    let got = rows.iter().find(of_key).and_then(|cells| cell(cells, &heading).unwrap().clone());
                    let wanted = text(bound);
                    assert!(
                        same(got.as_deref(), wanted.as_deref()),
                        "{sql}\n{heading} at {keys:?}: {got:?}, {wanted:?} wanted"
                    );
                }
                // Statements over angel releases give the estimates of counts and sums.
                let heading = format!("{} estimate", figure.aggregate);
                if let Some(got) = rows.iter().find_map(|cells| cell(cells, &heading)) {
                    let wanted = figure.estimate.map(|estimate| estimate.to_string());
                    assert!(same(got.as_deref(), wanted.as_deref()), "{sql}\n{heading}: {got:?}, {wanted:?} wanted");
                }
            }
        }
    }
}

impl Drop for Database {
    fn drop(&mut self) {
        let _ = self.run(&format!("DROP SCHEMA IF EXISTS {} CASCADE", self.quoted()));
    }
}

fn cell<'a>(cells: &'a [(String, Option<String>)], heading: &str) -> Option<&'a Option<String>> {
    // Names are cut to 63 bytes there.
    let end = (0..=heading.len().min(63)).rev().find(|&at| heading.is_char_boundary(at)).unwrap();
    cells.iter().find(|(name, _)| *name == heading[..end]).map(|(_, value)| value)
}

/// A bound as a database would write it.
pub(crate) fn text(bound: &Option<Bound>) -> Option<String> {
    bound.as_ref().map(|bound| match bound {
        Bound::Exact(value) => value.to_string(),
        Bound::Rounded(float) => float.to_string(),
    })
}

/// Whether two texts mean the same, up to the digits of a float.
pub(crate) fn same(got: Option<&str>, wanted: Option<&str>) -> bool {
    let (Some(got), Some(wanted)) = (got, wanted) else { return got.is_none() && wanted.is_none() };
    match (got.parse::<f64>(), wanted.parse::<f64>()) {
        (Ok(got), Ok(wanted)) => (got - wanted).abs() <= 1e-6 * wanted.abs().max(1.0),
        _ => got == wanted,
    }
}

/// Columns with names that SQL dislikes: a keyword, quotes, blanks, letters beyond ASCII, a per cent sign.
pub(crate) const COLUMNS: [(&str, ColumnRole, Kind); 7] = [
    ("select", ColumnRole::Quasi, Kind::Number),
    ("the \"city\"", ColumnRole::Quasi, Kind::Nominal),
    ("né le", ColumnRole::Quasi, Kind::Date),
    ("height", ColumnRole::Quasi, Kind::Number),
    ("pay %", ColumnRole::Sensitive, Kind::Number),
    ("debt", ColumnRole::Sensitive, Kind::Number),
    ("note", ColumnRole::Kept, Kind::Nominal),
];

/// People with nulls, decimals, dates, negative numbers and awkward labels. `missing` tells whether debts may be.
pub(crate) fn people(rows: usize, missing: bool) -> String {
    let mut text = String::from("select,\"the \"\"city\"\"\",né le,height,pay %,debt,note\n");
    let cities = ["Ghent", "Ærø", "\"a|b\\\"", "'s-Gravenhage", "", "*"];
    for i in 0..rows {
        let age = if i % 11 == 3 { String::new() } else { (20 + i * 7 % 50).to_string() };
        let born = format!("19{:02}-{:02}-{:02}", 40 + i * 3 % 60, 1 + i % 12, 1 + i * 5 % 28);
        let city = cities[i * i % 6].replace('"', "\"\"");
        let debt = if missing && i % 9 == 4 { String::new() } else { (i as i64 * 37 % 101 - 50).to_string() };
        let pay = format!("{}.{:02}", 1000 + i * 131 % 977, i * 13 % 100);
        text.push_str(&format!("{age},\"{city}\",{born},1.{},{pay},{debt},n{}\n", 50 + i % 45, i % 4));
    }
    text
}

/// Publishes people. Only the named sensitive columns are.
pub(crate) fn publish(
    dir: &Path,
    csv: &str,
    method: Method,
    sensitive: &[&str],
    more: impl Fn(&mut Job),
) -> (PathBuf, Session) {
    let kept = COLUMNS.iter().filter(|(name, role, _)| *role != ColumnRole::Sensitive || sensitive.contains(name));
    let columns: Vec<_> = kept.map(|(name, role, kind)| (*name, *role, Some(*kind))).collect();
    let mut job = job(dir, &columns, method, "k-anonymity(3)", 5).drop_rest();
    more(&mut job);
    publish_text(csv.to_string(), &job).unwrap();
    let out = dir.join("release");
    let session = session(&out);
    (out, session)
}
