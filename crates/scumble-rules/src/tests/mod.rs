//! Rules on tables, against a slow reading of the definition.

mod actions;
mod edges;
mod naive;
mod random;
mod reach;
mod refusals;

use super::*;
use scumble_io::{ColumnPlan, Order, ReadOptions, Value, encode, read_stream};
use scumble_table::{Codes, Hierarchy, Kind, Monitor, NULL, Role, Table};
use std::io::Cursor;
use std::sync::Arc;

/// A record: a text for each column, empty where the value is missing.
pub(super) type Record = Vec<String>;

/// A column of the tests.
#[derive(Debug, Clone)]
pub(super) struct TestColumn {
    pub(super) name: &'static str,
    pub(super) kind: Kind,
    /// Labels from least to greatest.
    pub(super) order: Option<&'static [&'static str]>,
    /// Leaves of a hierarchy with a root above them.
    pub(super) leaves: Option<&'static [&'static str]>,
    pub(super) unpublished: bool,
}

impl TestColumn {
    pub(super) const fn new(name: &'static str, kind: Kind) -> Self {
        TestColumn { name, kind, order: None, leaves: None, unpublished: false }
    }

    fn plan(&self) -> ColumnPlan {
        let labels = |labels: &[&str]| labels.iter().map(ToString::to_string).collect::<Vec<_>>();
        let order = self.order.map(|order| Order { file: "order.txt".into(), labels: labels(order) });
        let hierarchy = self.leaves.map(|leaves| {
            let rows: Vec<Vec<String>> = leaves.iter().map(|leaf| vec![leaf.to_string(), "*".into()]).collect();
            let lines: Vec<u64> = (1..=rows.len() as u64).collect();
            ("tree.csv".to_string(), Arc::new(Hierarchy::from_rows("tree.csv", &rows, &lines).unwrap()))
        });
        ColumnPlan { kind: Some(self.kind), order, hierarchy, ..ColumnPlan::new(self.name, Role::Quasi) }
    }
}

/// One column of each kind that rules tell apart.
pub(super) const COLUMNS: [TestColumn; 6] = [
    TestColumn::new("n", Kind::Number),
    TestColumn::new("d", Kind::Date),
    TestColumn { order: Some(&["low", "mid", "high", "top"]), ..TestColumn::new("o", Kind::Ordinal) },
    TestColumn::new("z", Kind::Ordinal),
    TestColumn::new("größe l", Kind::Nominal),
    TestColumn { leaves: Some(&["a", "b", "c", "d"]), ..TestColumn::new("h", Kind::Nominal) },
];

/// Encodes records as if they had been read from a file.
pub(super) fn table(columns: &[TestColumn], records: &[Record]) -> Table {
    let quoted = |text: &str| format!("\"{}\"", text.replace('"', "\"\""));
    let line = |cells: &mut dyn Iterator<Item = &str>| cells.map(quoted).collect::<Vec<_>>().join(",") + "\n";
    let mut text = line(&mut columns.iter().map(|column| column.name));
    records.iter().for_each(|record| text.push_str(&line(&mut record.iter().map(String::as_str))));
    let raw =
        read_stream(Cursor::new(text.into_bytes()), "data.csv", &ReadOptions::default(), Monitor::silent()).unwrap();
    let plans: Vec<ColumnPlan> = columns.iter().map(TestColumn::plan).collect();
    encode(raw, &plans, Monitor::silent()).unwrap()
}

/// Applies rules to records; what comes out is compared with a table that never had anything else.
pub(super) fn apply_rules(
    columns: &[TestColumn],
    records: &[Record],
    rules: &Rules,
) -> Result<(Vec<Record>, Vec<RuleCount>)> {
    let plans: Vec<ColumnPlan> = columns.iter().map(TestColumn::plan).collect();
    let nulls = ["?".to_string()];
    let known = plans.iter().zip(columns).map(|(plan, column)| RuleColumn {
        order: plan.order.as_ref(),
        nulls: &nulls,
        unpublished: column.unpublished,
    });
    let (left, counts) = apply(rules, table(columns, records), &known.collect::<Vec<_>>(), Monitor::silent())?;
    let texts: Vec<Record> = (0..left.n_rows()).map(|row| texts(&left, row)).collect();
    let stays: Vec<TestColumn> = columns.iter().filter(|column| !column.unpublished).cloned().collect();
    let anew = table(&stays, &texts);
    for (at, column) in stays.iter().enumerate() {
        let codes = |table: &Table| table.column(at).iter().collect::<Vec<_>>();
        assert_eq!(left.attribute(at), anew.attribute(at), "{column:?}");
        assert_eq!(codes(&left), codes(&anew));
    }
    Ok((texts, counts))
}

fn texts(table: &Table, row: usize) -> Record {
    let column = |at: usize| table.attribute(at).domain.text(table.column(at).get(row)).into_owned();
    (0..table.schema().attributes().len()).map(column).collect()
}

/// The rules of a job file that has these lines under `[rules]`.
pub(super) fn rules(text: &str) -> Rules {
    let read = read_rules(text).unwrap();
    let written = read.to_value().unwrap();
    assert_eq!(Rules::from_value("again", &written).unwrap(), read, "{text}");
    read
}

fn read_rules(text: &str) -> Result<Rules> {
    let file = "job.toml";
    let document = Value::from_toml(&format!("[rules]\n{text}")).map_err(|fault| fault.in_file(file))?;
    let (_, section) = &document.entries("a table").unwrap()[0];
    Rules::from_value(file, section)
}

/// What is wrong with such rules, on records of these columns.
pub(super) fn refused(columns: &[TestColumn], records: &[Record], text: &str) -> String {
    let found = read_rules(text).and_then(|rules| apply_rules(columns, records, &rules));
    found.map(|(left, _)| format!("{left:?}")).expect_err(text).to_string()
}

/// Records from lines of texts with blanks between them; `.` is a missing value.
pub(super) fn records(lines: &[&str]) -> Vec<Record> {
    let cell = |text: &str| if text == "." { String::new() } else { text.to_string() };
    lines.iter().map(|line| line.split(' ').map(cell).collect()).collect()
}
