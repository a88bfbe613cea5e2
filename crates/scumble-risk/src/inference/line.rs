//! The values of a sensitive column, published or of people alone, in their order; which are near which, and how often each
//! is published.

use super::super::attack::Secret;
use scumble_io::Dictionary;
use scumble_release::{UNPUBLISHED, value_map};
use scumble_table::{Code, Decimal, Domain, Error, Kind, NULL, Result, parse_date};

/// All values of a column by a code of their own; null is 0.
pub(super) struct Line {
    n_codes: usize,
    /// Code here of each published code.
    published: Vec<Code>,
    /// Code here of each code of the source.
    source: Vec<Code>,
    /// For each code the codes within epsilon, as a run; empty where nothing is measured.
    near: Vec<(Code, Code)>,
    prior: Prior,
}

/// What everybody believes who reads the release.
pub(super) struct Prior {
    counts: Vec<u64>,
    /// Sums of `counts` before each code.
    before: Vec<u64>,
    most: u64,
}

impl Line {
    /// Lays out what is published and what people have, `source` with the name of its file.
    ///
    /// # Errors
    /// If a value of the source is not of the column's type.
    pub(super) fn of(secret: &Secret, source: Option<(&Dictionary, &str)>, epsilon: Option<Decimal>) -> Result<Self> {
        let domain = &secret.domain;
        let measured = matches!(domain.kind(), Kind::Number | Kind::Date);
        let all = match source {
            Some((texts, file)) if measured => Some(union(secret, texts, file)?),
            _ => None,
        };
        let line = all.as_ref().unwrap_or(domain);
        let published: Vec<Code> = match &all {
            Some(all) => (0..domain.n_codes() as Code).map(|c| all.code_of(&domain.text(c)).unwrap_or(NULL)).collect(),
            None => (0..domain.n_codes() as Code).collect(),
        };
        // Labels that nobody published share one code, which no record has.
        let nowhere = line.n_codes() as Code;
        let source = source.map_or(Vec::new(), |(texts, _)| value_map(line, texts));
        let source = source.into_iter().map(|code| if code == UNPUBLISHED { nowhere } else { code }).collect();
        let n_codes = line.n_codes() + 1;
        let near = match epsilon {
            Some(epsilon) if measured => near(line, epsilon),
            _ => Vec::new(),
        };
        let mut counts = vec![0u64; n_codes];
        for (code, n) in secret.histogram().into_iter().enumerate() {
            counts[published[code] as usize] += n;
        }
        Ok(Line { n_codes, published, source, near, prior: Prior::new(counts) })
    }

    /// Every code is below this.
    pub(super) fn n_codes(&self) -> usize {
        self.n_codes
    }

    /// The code of a published code.
    pub(super) fn published(&self, code: Code) -> Code {
        self.published[code as usize]
    }

    /// The code of a code of the source.
    pub(super) fn source(&self, code: Code) -> Code {
        self.source[code as usize]
    }

    /// Whether values are compared by their distance.
    pub(super) fn is_measured(&self) -> bool {
        !self.near.is_empty()
    }

    /// The codes within epsilon of a code, from the first to before the second.
    pub(super) fn near(&self, code: Code) -> (Code, Code) {
        self.near.get(code as usize).copied().unwrap_or((code, code + 1))
    }

    pub(super) fn prior(&self) -> &Prior {
        &self.prior
    }
}

impl Prior {
    fn new(counts: Vec<u64>) -> Self {
        let mut before = vec![0];
        counts.iter().for_each(|n| before.push(before[before.len() - 1] + n));
        let most = counts.iter().copied().max().unwrap_or(0);
        Prior { counts, before, most }
    }

    /// All that is published.
    pub(super) fn total(&self) -> u64 {
        self.before[self.before.len() - 1]
    }

    /// Of these, the value that occurs most.
    pub(super) fn most(&self) -> u64 {
        self.most
    }

    /// Of these, a value.
    pub(super) fn of(&self, code: Code) -> u64 {
        self.counts.get(code as usize).copied().unwrap_or(0)
    }

    /// Of these, values of a run.
    pub(super) fn within(&self, (from, to): (Code, Code)) -> u64 {
        self.before[to as usize] - self.before[from as usize]
    }
}

/// The published numbers or dates and those of the source.
fn union(secret: &Secret, source: &Dictionary, file: &str) -> Result<Domain> {
    let domain = &secret.domain;
    // A value of a person stays out of the message.
    let fault = |code: usize| {
        Error::data(file, format!("this is no {}, as the release says", domain.kind()))
            .at(source.line(code as Code), Some(&secret.name))
            .hint("name the data that the release was made from, with the null texts that it was published with")
    };
    let own = domain.codes().map(|code| domain.text(code));
    if domain.kind() == Kind::Date {
        let theirs = source.iter().zip(1..).map(|(text, code)| parse_date(text).ok_or_else(|| fault(code)));
        let mut days = theirs.collect::<Result<Vec<i32>>>()?;
        days.extend(own.filter_map(|text| parse_date(&text)));
        return Ok(Domain::dates(days));
    }
    let theirs = source.iter().zip(1..).map(|(text, code)| Decimal::parse(text).ok_or_else(|| fault(code)));
    let mut numbers = theirs.collect::<Result<Vec<Decimal>>>()?;
    numbers.extend(own.filter_map(|text| Decimal::parse(&text)));
    Domain::numbers(numbers)
}

/// For each code the codes whose numbers are within epsilon, exactly. Null is near null alone.
fn near(domain: &Domain, epsilon: Decimal) -> Vec<(Code, Code)> {
    // Differences are whole multiples of the last digit of the column, so what epsilon has beyond it decides nothing.
    let unit = i128::from(domain.scale());
    let beyond = i128::from(epsilon.scale()) - unit;
    let shift = |n: i128| 10i128.checked_pow(n.unsigned_abs() as u32);
    let reach = match (beyond, shift(beyond)) {
        (1.., Some(by)) => Some(epsilon.mantissa() / by),
        (1.., None) => Some(0),
        (_, Some(by)) => epsilon.mantissa().checked_mul(by),
        (_, None) => None,
    };
    let amounts: Vec<i128> = domain.codes().filter_map(|code| domain.amount(code)).collect();
    let run = |amount: &i128| {
        // Beyond 128 bits everything is within reach.
        let lo = reach.and_then(|reach| amount.checked_sub(reach)).unwrap_or(i128::MIN);
        let hi = reach.and_then(|reach| amount.checked_add(reach)).unwrap_or(i128::MAX);
        let from = amounts.partition_point(|other| *other < lo) as Code;
        (from + 1, amounts.partition_point(|other| *other <= hi) as Code + 1)
    };
    std::iter::once((NULL, 1)).chain(amounts.iter().map(run)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn near_is_exact() {
        let numbers = |texts: &[&str]| Domain::numbers(texts.iter().map(|t| Decimal::parse(t).unwrap()).collect());
        let domain = numbers(&["-1", "0.1", "0.4", "0.41", "7"]).unwrap();
        let runs = |epsilon: &str| near(&domain, Decimal::parse(epsilon).unwrap());
        assert_eq!(runs("0.3"), [(0, 1), (1, 2), (2, 4), (2, 5), (3, 5), (5, 6)]);
        assert_eq!(runs("0.3099999999999999999999999999999999"), runs("0.3"));
        assert_eq!(runs("0.31")[2], (2, 5));
        assert_eq!(runs("0"), [(0, 1), (1, 2), (2, 3), (3, 4), (4, 5), (5, 6)]);
        assert!(runs("100000000000000000000000000000000000").iter().skip(1).all(|run| *run == (1, 6)));
        assert!(runs("1e-36").iter().skip(1).all(|(a, b)| b - a == 1));
    }
}
