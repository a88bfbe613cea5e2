//! One column of a population on a line of ranks, along which boxes of a table are runs.

use super::Side;
use super::count_tree::Span;
use scumble_table::{Code, Decimal, Domain, Kind, NULL, PopulationColumn, parse_date};

/// Null is rank 0, values follow in their order, and what the column's hierarchy or labels do not know comes last: only a box that covers
/// everything covers it.
#[derive(Debug)]
pub(super) struct Axis {
    /// Rank of each text of the population, by its code.
    pub(super) of_text: Vec<u32>,
    /// One past the greatest rank.
    pub(super) n_ranks: u32,
    /// For each code of the table the first rank that is not below it, and the first that is above it.
    of_code: Vec<(u32, u32)>,
    /// True where ranks are leaves of the domain's hierarchy.
    by_leaf: bool,
}

impl Axis {
    /// Maps a column of the population to the domain of the table's column; a text that is not of its kind is refused, without
    /// showing it.
    pub(super) fn new(domain: &Domain, column: &PopulationColumn) -> Result<Axis, String> {
        match domain.hierarchy() {
            Some(tree) => {
                let leaf = |text: &str| {
                    let number = if domain.kind() == Kind::Number { Decimal::parse(text) } else { None };
                    tree.leaf_of(text).or_else(|| tree.leaf_of(&number?.to_string()))
                };
                let mut axis = labelled(column, tree.leaves().len() as u32, |text| leaf(text).map(|leaf| leaf + 1));
                let rank = |code: Code| domain.leaf(code).map_or((0, 0), |leaf| (leaf + 1, leaf + 2));
                axis.of_code = (0..domain.n_codes() as Code).map(rank).collect();
                axis.by_leaf = true;
                Ok(axis)
            }
            None => match domain.kind() {
                Kind::Number => {
                    let value = |code: Code| Some(Decimal::new(domain.amount(code)?, domain.scale()));
                    by_value(domain, column, Decimal::parse, value)
                }
                Kind::Date => by_value(domain, column, parse_date, |code| {
                    domain.amount(code).and_then(|day| i32::try_from(day).ok())
                }),
                Kind::Ordinal => Ok(ordered(domain, column)),
                Kind::Nominal => {
                    let mut axis = labelled(column, domain.len() as u32, |text| domain.code_of(text));
                    axis.of_code = (0..domain.n_codes() as Code).map(|code| (code, code + 1)).collect();
                    Ok(axis)
                }
            },
        }
    }

    /// What a side of a box covers.
    pub(super) fn span(&self, side: &Side) -> Span {
        let ranks = |code: Code| self.of_code.get(code as usize).copied().unwrap_or((0, 0));
        match side {
            Side::Null => Span::Run(0, 1),
            Side::All => Span::Run(0, self.n_ranks),
            Side::Codes(lo, hi) => Span::Run(ranks(*lo).0, ranks(*hi).1),
            Side::Leaves(first, end) if self.by_leaf => Span::Run(first + 1, end + 1),
            Side::Leaves(..) => Span::Run(0, 0),
            Side::Members(codes) => Span::Members(codes.iter().map(|&code| ranks(code).0).collect()),
        }
    }
}

/// Texts by a rank that a domain or a tree gives them; others share the last rank.
fn labelled(column: &PopulationColumn, n_known: u32, rank: impl Fn(&str) -> Option<u32>) -> Axis {
    let known = column.texts.iter().map(|text| rank(text).filter(|&rank| rank != NULL).unwrap_or(n_known + 1));
    Axis {
        of_text: std::iter::once(0).chain(known).collect(),
        n_ranks: n_known + 2,
        of_code: Vec::new(),
        by_leaf: false,
    }
}

/// Numbers and dates by their value, those of the population that the table lacks too.
fn by_value<T: Ord + Copy>(
    domain: &Domain,
    column: &PopulationColumn,
    read: impl Fn(&str) -> Option<T>,
    value: impl Fn(Code) -> Option<T>,
) -> Result<Axis, String> {
    let read = |text: &str| read(text).ok_or_else(|| format!("the population holds what is no {}", domain.kind()));
    let values = column.texts.iter().map(|text| read(text)).collect::<Result<Vec<T>, String>>()?;
    let mut sorted = values.clone();
    sorted.sort_unstable();
    sorted.dedup();
    let below = |value: &T| sorted.partition_point(|other| other < value) as u32 + 1;
    let up_to = |value: &T| sorted.partition_point(|other| other <= value) as u32 + 1;
    let of_code = |code: Code| value(code).map_or((0, 1), |value| (below(&value), up_to(&value)));
    Ok(Axis {
        of_text: std::iter::once(0).chain(values.iter().map(below)).collect(),
        n_ranks: sorted.len() as u32 + 1,
        of_code: (0..domain.n_codes() as Code).map(of_code).collect(),
        by_leaf: false,
    })
}

/// Ordered labels: by value where all of the table's are numbers, else by the table's own order, in which labels that it lacks have
/// no place.
fn ordered(domain: &Domain, column: &PopulationColumn) -> Axis {
    let number = |text: &str| Some((Decimal::parse(text)?, Box::<str>::from(text)));
    let numbered: Option<Vec<_>> = domain.codes().map(|code| number(&domain.text(code))).collect();
    let Some(numbered) = numbered.filter(|places| places.is_sorted()) else {
        let codes: std::collections::BTreeMap<String, Code> =
            domain.codes().map(|code| (domain.text(code).into_owned(), code)).collect();
        let mut axis = labelled(column, domain.len() as u32, |text| codes.get(text).copied());
        axis.of_code = (0..domain.n_codes() as Code).map(|code| (code, code + 1)).collect();
        return axis;
    };
    let mut places: Vec<_> =
        column.texts.iter().filter_map(|text| number(text)).chain(numbered.iter().cloned()).collect();
    places.sort_unstable();
    places.dedup();
    let rank = |place: &(Decimal, Box<str>)| places.partition_point(|other| other < place) as u32 + 1;
    let mut axis = labelled(column, places.len() as u32, |text| number(text).map(|place| rank(&place)));
    let of_code = |place: &(Decimal, Box<str>)| (rank(place), rank(place) + 1);
    axis.of_code = std::iter::once((0, 1)).chain(numbered.iter().map(of_code)).collect();
    axis
}
