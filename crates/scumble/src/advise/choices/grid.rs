//! The grid of parameters that a principle is advised on: the values that were asked for, or ones that suit the column.

use super::values::{Given, is_size_of_groups};
use scumble_principle::{Entry, Requirement};
use scumble_table::{Bag, Decimal, Domain, Error, Kind, NULL, Result, Table};

/// No more points are tried of one principle on one column.
const MOST_POINTS: usize = 200;

/// Sizes of groups that people ask for, those of the thresholds in wide use among them.
const SIZES: &[&str] = &["2", "3", "5", "10", "11", "20", "50", "100"];

/// A point of a grid.
#[derive(Debug, Clone)]
pub(super) struct GridPoint {
    /// As a requirement on every column.
    pub(super) requirement: Requirement,
    /// The values of the parameters, in their order; empty for one that is left out.
    pub(super) values: Vec<String>,
    /// The size of groups that it asks for, where 1 by that bounds the chance of finding somebody.
    pub(super) one_of: Option<u64>,
}

/// The grid of a principle on a column; `strictest` is the most that can be asked, where that is known.
///
/// # Errors
/// If values that were asked for make no requirement, or too many points.
pub(super) fn of(
    entry: &'static Entry,
    table: &Table,
    column: Option<usize>,
    strictest: Option<Requirement>,
    given: Option<&Given>,
) -> Result<Vec<GridPoint>> {
    let strictest = strictest.as_ref().and_then(|requirement| parameters_of(requirement).into_iter().next());
    let column = column.map(|at| Column::new(&table.attribute(at).domain, table.column_bag(at)));
    let usual = usual(entry, column.as_ref(), strictest.as_deref());
    let mut lists: Vec<Vec<String>> = usual.unwrap_or_else(|| {
        // A principle of another crate: its example is all that is known of what makes sense.
        let example = entry.example.parse::<Requirement>().map(|example| parameters_of(&example)).unwrap_or_default();
        (0..entry.parameters.len()).map(|at| vec![example.get(at).cloned().unwrap_or_default()]).collect()
    });
    for (list, asked) in lists.iter_mut().zip(given.into_iter().flatten()) {
        if let Some(asked) = asked {
            list.clone_from(asked);
        }
    }
    let n_points: usize = lists.iter().map(Vec::len).product();
    if n_points > MOST_POINTS {
        let reason = format!("{n_points} requirements are too many to try, at most {MOST_POINTS} are");
        return Err(Error::request("values", entry.name, reason).hint("give fewer values"));
    }
    let asked = given.is_some_and(|given| given.iter().any(Option::is_some));
    let mut points = Vec::with_capacity(n_points);
    for values in combinations(&lists) {
        let written: Vec<&str> = values.iter().map(String::as_str).filter(|value| !value.is_empty()).collect();
        match format!("{}({})", entry.name, written.join(", ")).parse::<Requirement>() {
            Ok(requirement) => {
                let size = entry.parameters.iter().position(|parameter| is_size_of_groups(entry, parameter));
                let one_of = size.and_then(|at| values.get(at)?.parse().ok());
                points.push(GridPoint { requirement, values, one_of });
            }
            // Of two bounds one may lie above the other.
            Err(error) if asked && n_points == 1 => return Err(error),
            Err(_) => {}
        }
    }
    if points.is_empty() {
        return Err(Error::request("values", entry.name, "no requirement can be made of these values")
            .hint(format!("such as `{}`", entry.example)));
    }
    Ok(points)
}

/// All combinations, the first list rising slowest.
fn combinations(lists: &[Vec<String>]) -> Vec<Vec<String>> {
    lists.iter().fold(vec![Vec::new()], |begun, list| {
        let with = |begin: &Vec<String>, value: &String| begin.iter().chain([value]).cloned().collect::<Vec<_>>();
        begun.iter().flat_map(|begin| list.iter().map(move |value| with(begin, value))).collect()
    })
}

/// The texts of the parameters of a requirement.
fn parameters_of(requirement: &Requirement) -> Vec<String> {
    let notation = requirement.principle().notation();
    let inside = notation.split_once('(').and_then(|(_, rest)| rest.strip_suffix(')')).unwrap_or_default();
    inside.split(", ").map(String::from).collect()
}

/// What is known of a sensitive column.
struct Column {
    kind: Kind,
    has_tree: bool,
    /// The least and the greatest number as multiples of the last digit, and how many digits follow the point.
    span: Option<(i128, u8)>,
    /// The square of the standard deviation, in the column's unit.
    variance: Option<f64>,
}

impl Column {
    fn new(domain: &Domain, whole: Bag) -> Column {
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
        Column {
            kind: domain.kind(),
            has_tree: domain.hierarchy().is_some(),
            span: least.zip(most).and_then(|(least, most)| Some((most.checked_sub(least)?, domain.scale()))),
            variance: (n > 0).then_some(square * unit * unit).filter(|square| square.is_finite() && *square > 0.0),
        }
    }

    /// Shares of the range of the numbers, each rounded down to 1, 2 or 5 times a power of ten.
    fn shares_of_span(&self, parts: &[i128]) -> Vec<String> {
        let Some((span, scale)) = self.span else { return Vec::new() };
        let mut values: Vec<i128> =
            parts.iter().map(|part| round_below(span / part)).filter(|value| *value > 0).collect();
        values.dedup();
        values.into_iter().map(|units| Decimal::new(units, scale).to_string()).collect()
    }
}

/// The greatest of 1, 2 and 5 times a power of ten that is not above a number; 0 for 0.
fn round_below(number: i128) -> i128 {
    let mut unit = 1i128;
    while unit <= number / 10 {
        unit *= 10;
    }
    [5, 2, 1].into_iter().map(|step| step * unit).find(|value| *value <= number).unwrap_or(0)
}

/// Values that suit a column, for every principle of the catalogue; nothing for one of another crate. The lists of a principle that
/// the column is not fit for hold what makes one requirement, which then says why.
fn usual(entry: &Entry, column: Option<&Column>, strictest: Option<&str>) -> Option<Vec<Vec<String>>> {
    let list = |values: &[&str]| -> Vec<String> { values.iter().map(ToString::to_string).collect() };
    let or = |values: Vec<String>, otherwise: &str| if values.is_empty() { list(&[otherwise]) } else { values };
    let span = |parts: &[i128]| or(column.map_or(Vec::new(), |column| column.shares_of_span(parts)), "1");
    let m = || list(&["2", "3", "5"]);
    Some(match entry.name {
        "k-anonymity" | "k-map" => vec![up_to(SIZES, strictest)],
        "distinct-l-diversity" => vec![with_strictest(&["2", "3", "4", "5", "6", "8", "10", "15", "20"], strictest)],
        "frequency-l-diversity" | "entropy-l-diversity" => {
            vec![with_strictest(&["1.5", "2", "2.5", "3", "4", "5", "6", "8", "10", "15", "20"], strictest)]
        }
        "recursive-l-diversity" => vec![list(&["1", "2", "4"]), list(&["2", "3", "4"])],
        "t-closeness" => {
            let ground = match column {
                Some(column) if column.kind.is_ordered() => "ordered",
                Some(column) if column.has_tree => "hierarchical",
                _ => "",
            };
            vec![list(&["0.05", "0.1", "0.15", "0.2", "0.3", "0.4", "0.5"]), list(&[ground])]
        }
        "beta-likeness" => vec![list(&["0.5", "1", "2", "3", "4", "5"]), list(&[""])],
        "delta-disclosure" => vec![list(&["0.5", "1", "1.5", "2", "3"])],
        "alpha-k-anonymity" => vec![list(&["0.2", "0.3", "0.5", "0.7"]), list(&["3", "5", "11"])],
        "proximity-absolute" => vec![span(&[100, 30, 10]), m()],
        "proximity-relative" => vec![list(&["0.02", "0.05", "0.1", "0.2"]), m()],
        "proximity-interval" | "proximity-window" => vec![span(&[100, 20]), span(&[100, 20]), list(&["2", "3", "5"])],
        "dissimilarity" => vec![list(&["0.05", "0.1", "0.2"]), list(&["0.5", "0.8"]), list(&["5", "10"])],
        "ke-anonymity" => vec![list(&["2", "3", "5", "10"]), span(&[100, 40, 10, 4])],
        "variance" => {
            let whole = column.and_then(|column| column.variance).unwrap_or(4.0);
            let share = |part: f64| two_digits(whole * part);
            vec![[0.05, 0.1, 0.25, 0.5, 0.75].into_iter().map(share).collect()]
        }
        "delta-presence" => vec![list(&["0", "0.05", "0.1"]), list(&["0.2", "0.33", "0.5", "0.75"])],
        _ => return None,
    })
}

/// The values up to the strictest one and the first beyond it, so that what cannot be had is seen.
fn up_to(values: &[&str], strictest: Option<&str>) -> Vec<String> {
    let most = strictest.and_then(Decimal::parse);
    let within = |value: &&&str| most.is_none_or(|most| Decimal::parse(value).is_some_and(|value| value <= most));
    let n = values.iter().filter(within).count();
    values.iter().take(n + 1).map(ToString::to_string).collect()
}

/// The same with the strictest one among them.
fn with_strictest(values: &[&str], strictest: Option<&str>) -> Vec<String> {
    let mut values = up_to(values, strictest);
    let Some(most) = strictest.and_then(Decimal::parse) else { return values };
    let at = values.iter().position(|value| Decimal::parse(value).is_some_and(|value| value >= most));
    let (at, text) = (at.unwrap_or(values.len()), most.to_string());
    if values.get(at) != Some(&text) {
        values.insert(at, text);
    }
    values
}

/// A positive number with two digits that count, as a decimal.
fn two_digits(value: f64) -> String {
    let power = value.log10().floor() as i32 - 1;
    let digits = (value / 10f64.powi(power)).round();
    match power >= 0 {
        true => format!("{:.0}", digits * 10f64.powi(power)),
        false => Decimal::parse(&format!("{:.*}", power.unsigned_abs() as usize, digits * 10f64.powi(power)))
            .map_or_else(|| "1".into(), |value| value.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use scumble_principle::catalogue;

    #[test]
    fn every_principle_of_the_catalogue_has_a_grid_of_its_own() {
        let domain = Domain::numbers((1..=1000i64).map(Decimal::from).collect()).unwrap();
        let bag = Bag::from_codes(domain.codes());
        let column = Column::new(&domain, bag);
        for entry in catalogue() {
            let lists = usual(entry, Some(&column), Some("7")).unwrap_or_else(|| panic!("{} is forgotten", entry.name));
            assert_eq!(lists.len(), entry.parameters.len(), "{}", entry.name);
            let points = combinations(&lists);
            assert!((2..=MOST_POINTS).contains(&points.len()), "{}", entry.name);
            for (list, parameter) in lists.iter().zip(entry.parameters) {
                assert!(parameter.optional || list.iter().all(|value| !value.is_empty()), "{}", entry.name);
            }
            for values in points {
                let written: Vec<&str> = values.iter().map(String::as_str).filter(|value| !value.is_empty()).collect();
                let text = format!("{}({})", entry.name, written.join(", "));
                text.parse::<Requirement>().unwrap_or_else(|error| panic!("{text}: {error}"));
            }
        }
    }

    #[test]
    fn grids_suit_the_numbers() {
        assert_eq!([0, 1, 4, 5, 9, 10, 49, 99, 1999].map(round_below), [0, 1, 2, 5, 5, 10, 20, 50, 1000]);
        assert_eq!([0.0123, 1.26, 12.4, 123456.0].map(two_digits), ["0.012", "1.3", "12", "120000"]);
        let domain =
            Domain::numbers(["0.5", "1.5", "100.5"].map(|text| Decimal::parse(text).unwrap()).to_vec()).unwrap();
        let column = Column::new(&domain, Bag::from_codes(domain.codes()));
        assert_eq!(column.shares_of_span(&[100, 10, 1]), ["1", "10", "100"]);
        let labels = Domain::nominal(vec!["a".into()]);
        assert!(Column::new(&labels, Bag::from_codes([1])).shares_of_span(&[10]).is_empty());
        let one = Domain::numbers(vec![Decimal::from(3)]).unwrap();
        assert!(Column::new(&one, Bag::from_codes([1, 1])).shares_of_span(&[10]).is_empty());
    }

    #[test]
    fn the_strictest_is_among_the_points_and_one_beyond_it() {
        let shown = |strictest| with_strictest(&["2", "3", "5"], strictest).join(" ");
        assert_eq!(shown(Some("3.5")), "2 3 3.5 5");
        assert_eq!(shown(Some("3")), "2 3 5");
        assert_eq!(shown(Some("1")), "1 2");
        assert_eq!(shown(Some("70")), "2 3 5 70");
        assert_eq!(shown(None), "2 3 5");
        assert_eq!(up_to(&["2", "3", "5"], Some("1")), ["2"]);
    }
}
