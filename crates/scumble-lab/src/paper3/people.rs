//! The people of the experiment, and which of their columns are what in the paper.

use super::RECORDS;
use crate::data::StudyData;
use crate::study_table::{StudyColumn, StudyTable};
use scumble::{Error, Job, Kind, Result, Table};

/// The people whose heights are cut.
pub(super) struct People {
    pub(super) table: StudyTable,
    /// The attribute that gets a hierarchy.
    pub(super) height: String,
    pub(super) birth: String,
    pub(super) weight: String,
    /// Attributes of a few values, which contexts ask about; sex is the first, and a medical history the second where
    /// there is one.
    pub(super) few: Vec<String>,
}

impl People {
    /// The people of a source, with heights, births and weights in whole units as in the paper's table 3.
    pub(super) fn new(data: &StudyData) -> Result<Self> {
        let [height, birth, weight, few @ ..] = &data.columns.quasi[..] else {
            return Err(Error::bug("a study of heights without its columns"));
        };
        let mut table = data.table.clone();
        for name in [height, birth, weight] {
            let whole = table.column(name)?.recoded(whole);
            table = table.with(whole);
        }
        let [height, birth, weight] = [height, birth, weight].map(String::clone);
        Ok(People { table, height, birth, weight, few: few.to_vec() })
    }

    /// The attributes that are cut into intervals, height first.
    pub(super) fn measured(&self) -> [&String; 3] {
        [&self.height, &self.birth, &self.weight]
    }

    /// A job with all columns: those of a few values first, then the three that are cut, which are numbers.
    pub(super) fn job(&self) -> Job {
        let mut job = Job::new().quasi(&self.few).quasi(self.measured());
        job.columns.iter_mut().skip(self.few.len()).for_each(|(_, column)| column.kind = Some(Kind::Number));
        job
    }

    /// The people as the library takes them.
    pub(super) fn encoded(&self) -> Result<Table> {
        Ok(self.table.encoded(&self.job().columns)?.table)
    }

    /// The number of records that a domain is to stand for, where it is one in `share`.
    pub(super) fn least(&self, share: u64) -> u64 {
        (self.table.n_rows() as u64 / share).max(1)
    }

    /// Whether they are the paper's, by all that table 3 says of them.
    pub(super) fn are_the_papers(&self) -> Result<bool> {
        let ranges = [(128.0, 196.0), (1940.0, 1996.0), (30.0, 165.0)];
        let mut same = self.table.n_rows() as u64 == RECORDS;
        for (name, range) in self.measured().into_iter().zip(ranges) {
            same &= self.table.column(name)?.range() == Some(range);
        }
        for (name, values) in self.few.iter().zip([2, 2, 2, 3]) {
            same &= self.table.column(name)?.texts.len() == values;
        }
        Ok(same && self.few.len() == 4)
    }
}

/// A number without what is behind its point, rounded; what is no number stays.
fn whole(text: &str) -> String {
    match text.parse::<f64>() {
        Ok(number) if number.fract() != 0.0 => format!("{number:.0}"),
        _ => text.into(),
    }
}

/// The number of each record.
pub(super) fn numbers(column: &StudyColumn) -> Result<Vec<f64>> {
    let Some(values) = column.numbers() else {
        return Err(Error::bug(format!("the column `{}` was taken for numbers", column.name)));
    };
    Ok(column.codes.iter().map(|&code| values[code as usize]).collect())
}
