//! What is known of a sensitive column when parameters are chosen for it.

use scumble_table::{Bag, Decimal, Domain, Kind, NULL};

/// What is known of the sensitive column that parameters are chosen for; without a column, nothing. From it a principle tells
/// which values its parameters may usefully take, see [`Entry::usual`](crate::Entry::usual).
///
/// ```
/// use scumble_principle::ColumnFacts;
/// use scumble_table::{Bag, Decimal, Domain};
///
/// let pay = Domain::numbers((0..=7000i64).map(Decimal::from).collect())?;
/// let facts = ColumnFacts::new(&pay, &Bag::from_codes(pay.codes()));
/// assert_eq!(facts.shares_of_span(&[100, 10]), ["50", "500"]);
/// assert_eq!(facts.with_most(Some(Decimal::from(4))).up_to(&["2", "3", "5", "10"]), ["2", "3", "5"]);
/// # Ok::<(), scumble_table::Error>(())
/// ```
#[derive(Debug, Clone, Default)]
pub struct ColumnFacts {
    kind: Option<Kind>,
    has_tree: bool,
    /// The greatest number less the least as a multiple of the last digit, and how many digits follow the point.
    span: Option<(i128, u8)>,
    variance: Option<f64>,
    most: Option<Decimal>,
}

impl ColumnFacts {
    /// The facts of a column and the bag of all its rows.
    pub fn new(domain: &Domain, whole: &Bag) -> ColumnFacts {
        let numbers: Vec<(f64, i128, u64)> = whole
            .counts()
            .iter()
            .filter(|pair| pair.0 != NULL)
            .filter_map(|pair| domain.number(pair.0).map(|number| (number as f64, number, u64::from(pair.1))))
            .collect();
        let least = numbers.iter().map(|number| number.1).min();
        let most = numbers.iter().map(|number| number.1).max();
        let n: u64 = numbers.iter().map(|number| number.2).sum();
        let mean = numbers.iter().map(|(x, _, count)| x * *count as f64).sum::<f64>() / n as f64;
        let square = numbers.iter().map(|(x, _, count)| (x - mean).powi(2) * *count as f64).sum::<f64>() / n as f64;
        let unit = 10f64.powi(-i32::from(domain.scale()));
        ColumnFacts {
            kind: Some(domain.kind()),
            has_tree: domain.hierarchy().is_some(),
            span: least.zip(most).and_then(|(least, most)| Some((most.checked_sub(least)?, domain.scale()))),
            variance: (n > 0).then_some(square * unit * unit).filter(|square| square.is_finite() && *square > 0.0),
            most: None,
        }
    }

    /// The same with the most that the first parameter can ask, where that is known.
    #[must_use]
    pub fn with_most(self, most: Option<Decimal>) -> ColumnFacts {
        ColumnFacts { most, ..self }
    }

    /// What the values are.
    pub fn kind(&self) -> Option<Kind> {
        self.kind
    }

    /// True if the values lie under a hierarchy.
    pub fn has_tree(&self) -> bool {
        self.has_tree
    }

    /// The variance of the numbers, in the column's unit; nothing where it is 0.
    pub fn variance(&self) -> Option<f64> {
        self.variance
    }

    /// The range of the numbers divided by each of these, rounded down to 1, 2 or 5 times a power of ten; 1 where the column has no
    /// range to divide.
    pub fn shares_of_span(&self, parts: &[i128]) -> Vec<String> {
        let (span, scale) = self.span.unwrap_or((0, 0));
        let shares = parts.iter().filter_map(|part| span.checked_div(*part));
        let mut values: Vec<i128> = shares.map(round_below).filter(|value| *value > 0).collect();
        values.dedup();
        match values.is_empty() {
            true => texts(&["1"]),
            false => values.into_iter().map(|units| Decimal::new(units, scale).to_string()).collect(),
        }
    }

    /// The values up to the most that can be asked and the first beyond it, so that what cannot be had is seen.
    pub fn up_to(&self, values: &[&str]) -> Vec<String> {
        let within =
            |value: &&&str| self.most.is_none_or(|most| Decimal::parse(value).is_some_and(|value| value <= most));
        let n = values.iter().filter(within).count();
        texts(&values[..values.len().min(n + 1)])
    }

    /// The same with the most that can be asked among them.
    pub fn up_to_with_most(&self, values: &[&str]) -> Vec<String> {
        let mut values = self.up_to(values);
        let Some(most) = self.most else { return values };
        let at = values.iter().position(|value| Decimal::parse(value).is_some_and(|value| value >= most));
        let (at, text) = (at.unwrap_or(values.len()), most.to_string());
        if values.get(at) != Some(&text) {
            values.insert(at, text);
        }
        values
    }
}

/// Values of a parameter as they are written.
pub(crate) fn texts(values: &[&str]) -> Vec<String> {
    values.iter().map(ToString::to_string).collect()
}

/// The greatest of 1, 2 and 5 times a power of ten that is not above a number; 0 for 0.
fn round_below(number: i128) -> i128 {
    let mut unit = 1i128;
    while unit <= number / 10 {
        unit *= 10;
    }
    [5i128, 2, 1].into_iter().filter_map(|step| step.checked_mul(unit)).find(|value| *value <= number).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_suit_the_numbers() {
        assert_eq!([0, 1, 4, 5, 9, 10, 49, 99, 1999].map(round_below), [0, 1, 2, 5, 5, 10, 20, 50, 1000]);
        assert_eq!(round_below(i128::MAX), 10i128.pow(38));
        let numbers = ["0.5", "1.5", "100.5"].map(|text| Decimal::parse(text).unwrap()).to_vec();
        let domain = Domain::numbers(numbers).unwrap();
        let facts = ColumnFacts::new(&domain, &Bag::from_codes(domain.codes()));
        assert_eq!(facts.shares_of_span(&[100, 10, 1]), ["1", "10", "100"]);
        // Nothing is divided by zero.
        assert_eq!(facts.shares_of_span(&[0, 10]), ["10"]);
    }

    #[test]
    fn without_a_range_it_is_one() {
        let labels = Domain::nominal(vec!["a".into()]);
        let one = Domain::numbers(vec![Decimal::from(3)]).unwrap();
        let of = |domain: &Domain| ColumnFacts::new(domain, &Bag::from_codes([1, 1])).shares_of_span(&[10]);
        assert_eq!([of(&labels), of(&one), ColumnFacts::default().shares_of_span(&[10])].concat(), ["1", "1", "1"]);
    }

    #[test]
    fn the_most_is_among_the_values_and_one_beyond_it() {
        let facts = |most: Option<&str>| ColumnFacts::default().with_most(most.and_then(Decimal::parse));
        let shown = |most| facts(most).up_to_with_most(&["2", "3", "5"]).join(" ");
        assert_eq!(shown(Some("3.5")), "2 3 3.5 5");
        assert_eq!(shown(Some("3")), "2 3 5");
        assert_eq!(shown(Some("1")), "1 2");
        assert_eq!(shown(Some("70")), "2 3 5 70");
        assert_eq!(shown(None), "2 3 5");
        assert_eq!(facts(Some("1")).up_to(&["2", "3", "5"]), ["2"]);
    }
}
