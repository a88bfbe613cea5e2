//! The table with an occupation: the generated stand-in, or a file with columns like it.

use crate::ReproduceRequest;
use crate::columns::{WantedColumn, WantedColumns};
use crate::data::{DataFacts, StudySource};
use crate::runner::Runner;
use crate::study_table::{Encoded, StudyColumn, StudyTable};
use scumble::{Job, Kind, Result, Sample};

/// The columns in the order in which the paper's marginals take them in.
const COLUMNS: WantedColumns = WantedColumns {
    quasi: &[
        WantedColumn::any("marital status", &["marital", "marital_status", "marital-status", "MAR"]),
        WantedColumn::any("work class", &["workclass", "work_class", "COW"]),
        WantedColumn::any("education", &["education", "SCHL"]),
        WantedColumn::any("gender", &["gender", "sex"]),
        WantedColumn::number("age", &["age", "AGEP"]),
    ],
    sensitive: &[WantedColumn::any("occupation", &["occupation", "OCCP"])],
};

const SOURCE: StudySource =
    StudySource { columns: COLUMNS, stand_in: Sample::Occupation, rows: 300_000, quick_rows: 60_000 };

/// Sizes of the domains of OCC, in the order of the roles (section 6).
const DOMAINS: [usize; 6] = [6, 10, 17, 2, 78, 50];

/// Codes of occupations, whole numbers below 10,000, become groups of this many: about as many as OCC has occupations.
const CODES_TO_A_GROUP: f64 = 200.0;

/// More different values than this are codes and not yet groups of them.
const MOST_OCCUPATIONS: usize = 100;

/// The table as the library reads it.
pub(super) struct Occupations {
    pub(super) encoded: Encoded,
    /// A job with the columns.
    pub(super) job: Job,
    /// Quasi-identifiers in the order of the paper's marginals.
    pub(super) quasi: Vec<String>,
    pub(super) facts: DataFacts,
    /// What was done to occupations that came as codes.
    pub(super) remark: Option<String>,
}

/// Reads or generates it. Labels become whole numbers, for the paper gives every bucket an interval of each column.
pub(super) fn occupations(request: &ReproduceRequest, runner: &Runner) -> Result<Occupations> {
    let mut data = SOURCE.first(request, runner)?;
    let (quasi, sensitive) = (data.columns.quasi.clone(), data.columns.sensitive[0].clone());
    let own = request.data.is_some() && is_occ(&data.table, &data.columns.names())?;
    data.table = data.table.numbered(&quasi)?;
    let codes = data.table.column(&sensitive)?;
    let mut remark = None;
    if let Some(column) = grouped(codes) {
        let (codes, groups) = (codes.texts.len(), column.texts.len());
        remark = Some(format!(
            "The {codes} codes of {sensitive} were divided by 200, which leaves {groups} groups of them."
        ));
        data.table = data.table.with(column);
    }
    let mut job = Job::new().quasi(&quasi).sensitive([&sensitive]);
    for (name, column) in &mut job.columns {
        column.kind = Some(if *name == sensitive { Kind::Nominal } else { Kind::Number });
    }
    let facts = data.facts("OCC, 300,000 Americans with an occupation", own);
    Ok(Occupations { encoded: data.table.encoded(&job.columns)?, job, quasi, facts, remark })
}

/// Codes of occupations in groups; nothing where they are few enough.
fn grouped(codes: &StudyColumn) -> Option<StudyColumn> {
    if codes.texts.len() <= MOST_OCCUPATIONS || !codes.whole_within(0.0, 9999.0) {
        return None;
    }
    let group =
        |text: &str| text.parse::<f64>().map_or(text.into(), |code| (code / CODES_TO_A_GROUP).floor().to_string());
    Some(codes.recoded(group))
}

/// Whether it is the paper's table: as many people, and columns of whole numbers with as many values.
fn is_occ(table: &StudyTable, names: &[String]) -> Result<bool> {
    let mut alike = table.n_rows() == 300_000;
    for (name, size) in names.iter().zip(DOMAINS) {
        let column = table.column(name)?;
        alike &= column.texts.len() == size && column.whole_within(0.0, 9999.0);
    }
    Ok(alike)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn column(name: &str, texts: Vec<String>) -> StudyColumn {
        let codes = (0..texts.len() as u32).collect();
        StudyColumn { name: name.into(), texts, codes }
    }

    #[test]
    fn codes_of_occupations_are_grouped_and_groups_stay() {
        let codes = column("OCCP", (0..500).map(|n| (n * 19 + 10).to_string()).collect());
        let found = grouped(&codes).unwrap();
        assert!((45..=50).contains(&found.texts.len()), "{}", found.texts.len());
        assert_eq!(found.texts[found.codes[20] as usize], ((20 * 19 + 10) / 200).to_string());
        assert!(grouped(&column("o", (0..50).map(|n| n.to_string()).collect())).is_none());
        assert!(grouped(&column("o", (0..500).map(|n| format!("job {n}")).collect())).is_none());
    }

    #[test]
    fn the_papers_table_is_told_by_its_shape() {
        let rows = 300_000usize;
        let of = |size: usize| StudyColumn {
            name: format!("c{size}"),
            texts: (0..size).map(|n| n.to_string()).collect(),
            codes: (0..rows).map(|row| (row % size) as u32).collect(),
        };
        let columns: Vec<StudyColumn> = DOMAINS.iter().map(|&size| of(size)).collect();
        let names: Vec<String> = columns.iter().map(|column| column.name.clone()).collect();
        let table = StudyTable::new(columns);
        assert!(is_occ(&table, &names).unwrap());
        let fewer = table.rows(&(0..299_999).collect::<Vec<_>>());
        assert!(!is_occ(&fewer, &names).unwrap());
        let labelled = table.clone().with(of(10).recoded(|text| format!("class {text}")));
        assert!(!is_occ(&labelled, &names).unwrap());
    }
}
