//! Hierarchies built from correlation, and the risk tool that judges them: section 5 of Mimoto, Basu, Kiyomoto,
//! SciTePress 2016.
//!
//! The paper takes 20,708 medical examinations, looks at what height goes with (figures 1, 2 and 4), cuts height by sex
//! and habits (figures 3 and 5), and compares the groups of a 2-anonymous table that was cut this way (figure 7) with
//! those of one that was cut by rule of thumb (figure 6).

mod hierarchy;
mod maps;
mod measured;
mod people;
mod releases;
mod risk;
#[cfg(test)]
mod tests;

use crate::columns::{WantedColumn, WantedColumns};
use crate::data::StudySource;
use crate::runner::Runner;
use crate::{Findings, ReproduceRequest};
use measured::{Numbers, measure};
use people::People;
use scumble::{Result, Sample};

/// The paper's table.
const EXAMINATIONS: &str = "20,708 medical examinations, which are not public";

/// Records of the paper's table.
const RECORDS: u64 = 20_708;

/// A domain of height is to stand for a tenth of all records: 2,000 in the paper.
const SHARE: u64 = 10;

/// The paper lists 15 domains for men and 5 for women, more than its 2,000 records a domain allow, and
/// 19 domains by medical history: its tables come from about as many. So claims are judged by the intervals with the largest
/// number of records a domain that makes about as many, found by counting domains and nothing else.
const DOMAINS: usize = 20;
const ABOUT: std::ops::RangeInclusive<usize> = 18..=22;

const COLUMNS: WantedColumns = WantedColumns {
    quasi: &[
        WantedColumn::number("height", &["height"]),
        WantedColumn::number("birth", &["birth_year", "birth", "age"]),
        WantedColumn::number("weight", &["weight"]),
        WantedColumn::any("sex", &["gender", "sex"]),
        WantedColumn::any("medical history", &["medical_history", "diabetes"]).optional(),
        WantedColumn::any("smoking", &["smoking", "smoke100"]).optional(),
        WantedColumn::any("alcohol consumption", &["alcohol", "alcohol12plusyr"]).optional(),
    ],
    sensitive: &[],
};

const SOURCE: StudySource =
    StudySource { columns: COLUMNS, stand_in: Sample::Health, rows: RECORDS, quick_rows: RECORDS };

/// Does the experiments of section 5.
pub(super) fn run(request: &ReproduceRequest, runner: &Runner) -> Result<Findings> {
    let data = SOURCE.sampled(request, runner)?;
    let people = People::new(&data)?;
    let numbers = measure(&people, request.quick, runner)?;
    let own = people.are_the_papers()?;
    Ok(Findings { data: vec![data.facts(EXAMINATIONS, own)], ..judged(&numbers, own) })
}

/// Figures and claims from numbers.
fn judged(numbers: &Numbers, own: bool) -> Findings {
    let mut findings = Findings::default();
    maps::add(&mut findings, numbers, own);
    hierarchy::add(&mut findings, numbers);
    risk::add(&mut findings, numbers, own);
    findings.left_out.push(
        "Figure 3 draws how domains of sex and of medical history are joined and divided; what comes of that is in figure 5."
            .into(),
    );
    findings
}
