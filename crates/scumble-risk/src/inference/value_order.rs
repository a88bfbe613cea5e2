//! The values of a sensitive column, published or of people alone, in their order; which are near which, and how often each
//! is published.

use crate::attack::SensitiveColumn;
use scumble_io::Dictionary;
use scumble_release::{UNPUBLISHED, value_map};
use scumble_table::{Code, Decimal, Domain, Error, Kind, Monitor, NULL, Result, parse_date};

/// All values of a column by a code of their own; null is 0.
pub(super) struct ValueOrder {
    /// Every code is below this.
    pub(super) n_codes: usize,
    /// Code here of each published code.
    pub(super) published: Vec<Code>,
    /// Code here of each code of the source.
    pub(super) source: Vec<Code>,
    /// For each code the codes within epsilon, as a run; empty where nothing is measured.
    near: Vec<(Code, Code)>,
    pub(super) prior: Prior,
}

/// What everybody believes who reads the release.
pub(super) struct Prior {
    counts: Vec<u64>,
    /// Sums of `counts` before each code.
    before: Vec<u64>,
    /// How often the commonest value is published.
    pub(super) most: u64,
}

impl ValueOrder {
    /// Orders what is published and what people have, `source` with the name of its file.
    ///
    /// # Errors
    /// If a value of the source is not of the column's type, or the work was cancelled.
    pub(super) fn new(
        column: &SensitiveColumn,
        source: Option<(&Dictionary, &str)>,
        epsilon: Option<Decimal>,
        monitor: Monitor<'_>,
    ) -> Result<Self> {
        let domain = &column.domain;
        let measured = matches!(domain.kind(), Kind::Number | Kind::Date);
        let all = match source {
            Some((texts, file)) if measured => Some(union(column, texts, file, monitor)?),
            _ => None,
        };
        let published = (0..domain.n_codes() as Code).map(|code| {
            monitor.check()?;
            Ok(all.as_ref().map_or(code, |all| all.code_of(&domain.text(code)).unwrap_or(NULL)))
        });
        let published: Vec<Code> = published.collect::<Result<_>>()?;
        let order = all.as_ref().unwrap_or(domain);
        // Labels that are published nowhere share one code, which no record has.
        let nowhere = order.n_codes() as Code;
        let source = source.map_or(Vec::new(), |(texts, _)| value_map(order, texts));
        let source = source.into_iter().map(|code| if code == UNPUBLISHED { nowhere } else { code }).collect();
        monitor.check()?;
        let near = match epsilon {
            Some(epsilon) if measured => codes_within(order, epsilon),
            _ => Vec::new(),
        };
        let n_codes = order.n_codes() + 1;
        let mut counts = vec![0u64; n_codes];
        for (code, n) in column.histogram().into_iter().enumerate() {
            counts[published[code] as usize] += n;
        }
        Ok(ValueOrder { n_codes, published, source, near, prior: Prior::new(counts) })
    }

    /// Whether values are compared by their distance.
    pub(super) fn is_measured(&self) -> bool {
        !self.near.is_empty()
    }

    /// The codes within epsilon of a code, from the first to before the second.
    pub(super) fn near(&self, code: Code) -> (Code, Code) {
        self.near.get(code as usize).copied().unwrap_or((code, code + 1))
    }
}

impl Prior {
    fn new(counts: Vec<u64>) -> Self {
        let mut before = vec![0];
        counts.iter().for_each(|n| before.push(before[before.len() - 1] + n));
        let most = counts.iter().copied().max().unwrap_or(0);
        Prior { counts, before, most }
    }

    /// How many values are published.
    pub(super) fn total(&self) -> u64 {
        self.before[self.before.len() - 1]
    }

    /// How often a value is published.
    pub(super) fn count(&self, code: Code) -> u64 {
        self.counts.get(code as usize).copied().unwrap_or(0)
    }

    /// How often values of a run are published.
    pub(super) fn within(&self, (from, to): (Code, Code)) -> u64 {
        self.before[to as usize] - self.before[from as usize]
    }
}

/// The published numbers or dates and those of the source.
fn union(column: &SensitiveColumn, source: &Dictionary, file: &str, monitor: Monitor<'_>) -> Result<Domain> {
    match column.domain.kind() {
        Kind::Date => Ok(Domain::dates(parsed(column, source, file, parse_date, monitor)?)),
        _ => Domain::numbers(parsed(column, source, file, Decimal::parse, monitor)?),
    }
}

/// The values of the source and those that are published.
fn parsed<T>(
    column: &SensitiveColumn,
    source: &Dictionary,
    file: &str,
    parse: fn(&str) -> Option<T>,
    monitor: Monitor<'_>,
) -> Result<Vec<T>> {
    let domain = &column.domain;
    // A value of a person stays out of the message.
    let fault = |code: Code| {
        Error::data(file, format!("this is no {}, as the release says", domain.kind()))
            .at(source.line(code), Some(&column.name))
            .hint("name the data that the release was made from, with the null texts that it was published with")
    };
    // People who are not shown may have moments where the release shows days; these are near nothing.
    let is_moment = |text: &str| text.split_once('T').is_some_and(|(day, _)| parse_date(day).is_some());
    let listed = source.iter().zip(1..).filter(|(text, _)| domain.kind() != Kind::Date || !is_moment(text));
    let theirs = listed.map(|(text, code)| {
        monitor.check()?;
        parse(text).ok_or_else(|| fault(code))
    });
    let own = domain.codes().filter_map(|code| parse(&domain.text(code)));
    theirs.chain(own.map(Ok)).collect()
}

/// For each code the codes whose numbers are within epsilon, exactly. Null is near null alone.
fn codes_within(domain: &Domain, epsilon: Decimal) -> Vec<(Code, Code)> {
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
        let runs = |epsilon: &str| codes_within(&domain, Decimal::parse(epsilon).unwrap());
        assert_eq!(runs("0.3"), [(0, 1), (1, 2), (2, 4), (2, 5), (3, 5), (5, 6)]);
        assert_eq!(runs("0.3099999999999999999999999999999999"), runs("0.3"));
        assert_eq!(runs("0.31")[2], (2, 5));
        assert_eq!(runs("0"), [(0, 1), (1, 2), (2, 3), (3, 4), (4, 5), (5, 6)]);
        assert!(runs("100000000000000000000000000000000000").iter().skip(1).all(|run| *run == (1, 6)));
        assert!(runs("1e-36").iter().skip(1).all(|(a, b)| b - a == 1));
    }
}
