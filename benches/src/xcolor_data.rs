//! The data sets of the XColor benchmark: four quasi-identifiers, and education, class of worker and income in classes of
//! equal frequency taken as one sensitive value.

use crate::{Outcome, generate, job, unpacked};
use scumble::{Job, Kind, Sample};
use std::fs::File;
use std::io::{BufRead, BufReader, BufWriter, Write};
use std::path::{Path, PathBuf};

const ACS: &str = "acs2024/acs2024_sal_like_500000.csv.gz";

/// Classes of income.
const CLASSES: usize = 50;

/// A data set: its file, quasi-identifiers with their types, the sensitive columns with theirs, and the distance.
pub struct Case {
    /// Its name.
    pub name: &'static str,
    /// Its file.
    pub file: PathBuf,
    /// Quasi-identifiers.
    pub quasi: &'static [(&'static str, Kind)],
    /// Sensitive columns.
    pub sensitive: &'static [(&'static str, Kind)],
    /// How far apart their values are.
    pub distance: &'static str,
}

const ACS_QUASI: &[(&str, Kind)] =
    &[("AGEP", Kind::Number), ("SEX", Kind::Nominal), ("MAR", Kind::Nominal), ("RAC1P", Kind::Nominal)];
const ACS_SENSITIVE: &[(&str, Kind)] = &[("SCHL", Kind::Number), ("COW", Kind::Nominal), ("PINCP", Kind::Number)];
const ACS_DISTANCE: &str = "l1(SCHL:rank*0.3, COW:equal*0.2, PINCP:rank*0.5)";
const CENSUS_QUASI: &[(&str, Kind)] =
    &[("age", Kind::Number), ("gender", Kind::Nominal), ("marital", Kind::Nominal), ("race", Kind::Nominal)];
const CENSUS_SENSITIVE: &[(&str, Kind)] =
    &[("education", Kind::Nominal), ("workclass", Kind::Nominal), ("income", Kind::Number)];
const CENSUS_DISTANCE: &str = "l1(education:equal*0.3, workclass:equal*0.2, income:rank*0.5)";

/// A data set by its name, in a file.
pub fn case(name: &str, file: &Path) -> Case {
    let file = file.to_path_buf();
    match name {
        "census" => {
            Case { name: "census", file, quasi: CENSUS_QUASI, sensitive: CENSUS_SENSITIVE, distance: CENSUS_DISTANCE }
        }
        _ => {
            let name = if name == "acs" { "acs" } else { "acs-50000" };
            Case { name, file, quasi: ACS_QUASI, sensitive: ACS_SENSITIVE, distance: ACS_DISTANCE }
        }
    }
}

impl Case {
    /// What is published of it, and how far apart its values are.
    ///
    /// # Errors
    /// If the requirement is none.
    pub fn job(&self, requirement: &str) -> scumble::Result<Job> {
        let mut job = job(self.quasi, self.sensitive, &[requirement])?;
        job.publish.distance = Some(self.distance.parse()?);
        Ok(job)
    }
}

/// All data sets, as files of a folder.
///
/// # Errors
/// If one cannot be written.
pub fn prepared(folder: &Path) -> Outcome<Vec<Case>> {
    let mut cases = Vec::new();
    let raw = folder.join("raw.csv");
    if unpacked(ACS, &raw)? {
        for (name, rows) in [("acs-50000", 50_000), ("acs", usize::MAX)] {
            let file = folder.join(format!("{name}.csv"));
            classed(&raw, &file, "PINCP", rows)?;
            cases.push(case(name, &file));
        }
    }
    cases.push(case("census", &census(folder, 500_000)?));
    Ok(cases)
}

/// The first rows of the real sample, unpacked already, as a file of a folder.
///
/// # Errors
/// If the file cannot be written.
pub fn prepared_part(raw: &Path, folder: &Path, rows: usize) -> Outcome<Case> {
    let file = folder.join("acs-classed.csv");
    classed(raw, &file, "PINCP", rows)?;
    Ok(case("acs-50000", &file))
}

/// Generated people.
///
/// # Errors
/// If the file cannot be written.
pub fn census(folder: &Path, rows: u64) -> Outcome<PathBuf> {
    let (raw, file) = (folder.join("generated.csv"), folder.join(format!("census-{rows}.csv")));
    generate(Sample::Census, rows, &raw)?;
    classed(&raw, &file, "income", usize::MAX)?;
    Ok(file)
}

/// The first rows of a file with a column of numbers cut into classes of equal frequency, equal numbers in one class.
fn classed(from: &Path, to: &Path, column: &str, most: usize) -> Outcome<()> {
    let mut lines = BufReader::new(File::open(from)?).lines();
    let header = lines.next().ok_or("an empty file")??;
    let at = header.split(',').position(|name| name == column).ok_or("no such column")?;
    let rows: Vec<String> = lines.take(most).collect::<Result<_, _>>()?;
    let number = |row: &String| -> Outcome<i64> { Ok(row.split(',').nth(at).unwrap_or("").parse()?) };
    let numbers: Vec<i64> = rows.iter().map(number).collect::<Result<_, _>>()?;
    let mut sorted = numbers.clone();
    sorted.sort_unstable();
    let mut out = BufWriter::new(File::create(to)?);
    writeln!(out, "{header}")?;
    for (row, number) in rows.iter().zip(numbers) {
        let class = CLASSES * sorted.partition_point(|known| *known < number) / sorted.len();
        let fields = row.split(',').enumerate().map(|(i, text)| if i == at { class.to_string() } else { text.into() });
        writeln!(out, "{}", fields.collect::<Vec<_>>().join(","))?;
    }
    Ok(())
}
