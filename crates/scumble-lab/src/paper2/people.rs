//! The table of paper 2: four quasi-identifiers, and three columns that are one sensitive value.

use crate::data::StudyData;
use crate::study_table::{Encoded, StudyColumn, StudyTable};
use crate::{Figure, FigureBody};
use scumble::{Column, ColumnRole, Distance, Job, Kind, Result};

/// Classes of income, as table III has.
const CLASSES: usize = 50;

/// The columns by the paper's names, in words that the notation of distances takes.
const QUASI: [&str; 4] = ["age", "sex", "marital", "race"];
const SENSITIVE: [&str; 3] = ["education", "work", "income"];

/// How much each sensitive column counts.
const WEIGHTS: [&str; 3] = ["0.3", "0.2", "0.5"];

/// The column that holds the whole sensitive value of a row, for principles about equal values.
const WHOLE: &str = "whole";

/// The people of a study.
#[derive(Clone)]
pub(super) struct People {
    pub(super) table: StudyTable,
    /// What the source calls the columns.
    names: Vec<String>,
    /// Whether each sensitive column is measured by rank, or else by equality.
    ranked: [bool; 3],
    pub(super) seed: u64,
}

impl People {
    /// Incomes in classes, and each whole sensitive value as a column of its own.
    pub(super) fn new(data: &StudyData, seed: u64) -> Result<Self> {
        let table = data.table.clone().renamed(&[&QUASI[..], &SENSITIVE[..]].concat());
        let [education, work, income] = SENSITIVE;
        let income = classed(table.column(income)?);
        let ranked = [table.column(education)?.numbers().is_some(), false, true];
        let whole = together([table.column(education)?, table.column(work)?, &income]);
        let table = table.with(income).and(whole);
        Ok(People { table, names: data.columns.names(), ranked, seed })
    }

    /// A sample of them.
    pub(super) fn some(&self, n: usize) -> People {
        People { table: self.table.sample(n, self.seed), ..self.clone() }
    }

    /// The job of a release that keeps unlike values together. Age is a number, the other quasi-identifiers are names
    /// though they may be written as numbers.
    pub(super) fn job(&self) -> Job {
        let mut job = Job::new().quasi(QUASI).sensitive(SENSITIVE);
        let ranked = [true, false, false, false].into_iter().chain(self.ranked);
        for ((_, column), ranked) in job.columns.iter_mut().zip(ranked) {
            column.kind = Some(if ranked { Kind::Number } else { Kind::Nominal });
        }
        job.publish.seed = Some(self.seed);
        job
    }

    /// The job of a release that must show many whole values, and the name of the column that has them.
    pub(super) fn job_with_whole(&self) -> (Job, &'static str) {
        let mut job = self.job();
        let column = Column { kind: Some(Kind::Nominal), ..Column::new(ColumnRole::Sensitive) };
        job.columns.push((WHOLE.into(), column));
        (job, WHOLE)
    }

    /// The table of such jobs.
    pub(super) fn encoded(&self, job: &Job) -> Result<Encoded> {
        self.table.encoded(&job.columns)
    }

    /// The distance of two sensitive values by a norm, `l1` or `l2`.
    pub(super) fn distance(&self, norm: &str) -> Result<Distance> {
        let part = |((name, ranked), weight): ((&str, bool), &str)| {
            format!("{name}:{}*{weight}", if ranked { "rank" } else { "equal" })
        };
        let parts: Vec<String> = SENSITIVE.into_iter().zip(self.ranked).zip(WEIGHTS).map(part).collect();
        format!("{norm}({})", parts.join(", ")).parse()
    }

    /// Table III: the columns and their domains.
    pub(super) fn described(&self) -> Figure {
        let lengths = ["85", "2", "6", "9", "17", "10", "50"];
        let row = |((shown, name), paper): ((&String, &&str), &str)| {
            let length = self.table.column(name).map_or(0, |column| column.texts.len());
            let role = if QUASI.contains(name) { "quasi-identifier" } else { "sensitive" };
            vec![shown.clone(), role.into(), length.to_string(), paper.into()]
        };
        let rows = self.names.iter().zip(QUASI.iter().chain(&SENSITIVE)).zip(lengths).map(row).collect();
        let heading = ["column", "role", "values here", "values in the paper"].map(String::from).to_vec();
        let setting = format!("Incomes in at most {CLASSES} classes of equal frequency.");
        let body = FigureBody::Cells { heading, rows };
        Figure::new("Table III", "The columns and how many values they have", setting, body)
    }
}

/// Numbers in classes of equal frequency, equal ones in one class; few numbers stay.
fn classed(column: &StudyColumn) -> StudyColumn {
    let Some(numbers) = column.numbers().filter(|numbers| numbers.len() > CLASSES) else { return column.clone() };
    let mut sorted: Vec<f64> = column.codes.iter().map(|&code| numbers[code as usize]).collect();
    sorted.sort_by(f64::total_cmp);
    column.recoded(|text| {
        let number = text.parse().unwrap_or(f64::INFINITY);
        (CLASSES * sorted.partition_point(|known| *known < number) / sorted.len().max(1)).to_string()
    })
}

/// The combinations of some columns as one.
fn together(columns: [&StudyColumn; 3]) -> StudyColumn {
    let rows = columns[0].codes.len();
    let widths = columns.map(|column| column.texts.len() as u64);
    let key = |row: usize| {
        columns.iter().zip(widths).fold(0u64, |key, (column, width)| key * width + u64::from(column.codes[row]))
    };
    let mut known: Vec<u64> = (0..rows).map(key).collect();
    known.sort_unstable();
    known.dedup();
    let codes = (0..rows).map(|row| known.partition_point(|one| *one < key(row)) as u32).collect();
    StudyColumn { name: WHOLE.into(), texts: (0..known.len()).map(|n| n.to_string()).collect(), codes }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn column(texts: &[&str], codes: &[u32]) -> StudyColumn {
        StudyColumn {
            name: "x".into(),
            texts: texts.iter().map(|text| text.to_string()).collect(),
            codes: codes.to_vec(),
        }
    }

    #[test]
    fn many_numbers_become_classes_of_equal_frequency() {
        let texts: Vec<String> = (0..1000).map(|n| (n * n).to_string()).collect();
        let many = StudyColumn { name: "x".into(), texts, codes: (0..1000).collect() };
        let classes = classed(&many);
        assert_eq!(classes.texts.len(), 50);
        assert_eq!((classes.codes[0], classes.codes[19], classes.codes[20]), (0, 0, 1));
        assert_eq!(classed(&column(&["5", "7"], &[0, 1])), column(&["5", "7"], &[0, 1]));
    }

    #[test]
    fn whole_values_are_equal_where_all_parts_are() {
        let a = column(&["a", "b"], &[0, 0, 1, 0]);
        let b = column(&["c", "d", "e"], &[2, 1, 2, 2]);
        let c = column(&["f"], &[0, 0, 0, 0]);
        assert_eq!(together([&a, &b, &c]).codes, [1, 0, 2, 1]);
    }
}
