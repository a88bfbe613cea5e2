//! Requirements about the boxes of a release, judged against the population that its people come from.
//!
//! A test of a [`Bag`](scumble_table::Bag) sees the sensitive values of a group. These requirements look at nothing of the kind: they ask how
//! many people of the population the box of a group covers. So they are bound to the quasi-identifiers of a table and to a
//! [`Population`], and searches ask them as well as the tests ([`BoundRequirements::population`](crate::BoundRequirements::population)).

mod axis;
mod count_tree;
mod people;

use crate::exact::{Fraction, Round, rounded};
use crate::{Attained, Requirement};
use axis::Axis;
use count_tree::Span;
use people::PeopleTree;
use scumble_table::{
    Code, Counted, Decimal, Error, Kind, NULL, Population, Ratio, Result, Role, RowClasses, Table, class_members,
};

/// Why shares are not judged against a population in which people have several rows.
pub const SEVERAL_ROWS: &str = "it is a share of people, and some people have several rows in the population";

/// What a principle asks of a box against the population.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum PopulationDemand {
    /// The box covers at least this number of people.
    AtLeast(u64),
    /// The rows of the group are a share of the people that its box covers, from the first to the second. Where the first is above 0, every
    /// person of the population is covered by some box.
    Share(Decimal, Decimal),
}

impl PopulationDemand {
    /// True if a group of `rows` may be published whose box covers `covered` people.
    pub fn is_met(self, rows: u64, covered: u64) -> bool {
        let share = |of: Decimal| Fraction::new(of).times_cmp(covered.into(), rows.into());
        match self {
            PopulationDemand::AtLeast(k) => covered >= k,
            PopulationDemand::Share(least, most) => covered > 0 && share(least).is_le() && share(most).is_ge(),
        }
    }

    /// True if a person may be in the release with a chance between these two fractions. Chances are nothing to [`PopulationDemand::AtLeast`].
    pub fn holds_chance(self, lower: (u128, u128), upper: (u128, u128)) -> bool {
        match self {
            PopulationDemand::AtLeast(_) => true,
            PopulationDemand::Share(least, most) => {
                Fraction::new(least).times_cmp(lower.1, lower.0).is_le()
                    && Fraction::new(most).times_cmp(upper.1, upper.0).is_ge()
            }
        }
    }

    /// True if everybody of the population must be in some box.
    pub fn covers_all(self) -> bool {
        matches!(self, PopulationDemand::Share(least, _) if least > Decimal::ZERO)
    }
}

/// What boxes attain that cover at least this number of people.
pub fn people_attained(people: u64) -> Attained {
    Attained::new(people, vec![("k", people.to_string())])
}

/// What a release attains in which everybody is with a chance from `least` to `most`, both fractions: rounded outward.
pub fn shares_attained(least: (u128, u128), most: (u128, u128)) -> Attained {
    let figures = vec![("lo", rounded(least.0, least.1, Round::Down)), ("hi", rounded(most.0, most.1, Round::Up))];
    let ratio = |(numer, denom): (u128, u128), sign: i128| Ratio::new(sign * numer as i128, denom as i128);
    Attained::from_parts(vec![ratio(least, 1).into(), ratio(most, -1).into()], figures)
}

/// What a group may have in one quasi-identifier, in the codes of its table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Side {
    /// Null alone.
    Null,
    /// Everything, null too.
    All,
    /// All values from the first to the second, both included.
    Codes(Code, Code),
    /// These values, rising.
    Members(Vec<Code>),
    /// The values under a node of the column's hierarchy: its leaves from the first to before the second.
    Leaves(u32, u32),
}

/// Requirements tied to the quasi-identifiers of a table and to a population.
#[derive(Debug)]
pub struct BoundPopulation {
    demands: Vec<PopulationDemand>,
    /// Columns of the table.
    columns: Vec<usize>,
    axes: Vec<Axis>,
    people: PeopleTree,
    counted: Counted,
}

impl BoundPopulation {
    /// Ties requirements to a table and its population; nothing where none of them asks for one.
    ///
    /// # Errors
    /// If there is no population, or it lacks a quasi-identifier, or has values there that are not of its kind.
    pub fn bind(requirements: &[Requirement], table: &Table) -> Result<Option<BoundPopulation>> {
        let asked = requirements.iter().filter_map(|one| Some((one, one.principle().population()?)));
        let (asking, demands): (Vec<&Requirement>, Vec<PopulationDemand>) = asked.unzip();
        let Some(first) = asking.first() else { return Ok(None) };
        let population = table.population().ok_or_else(|| no_population(first))?;
        let shares = demands.iter().any(|demand| matches!(demand, PopulationDemand::Share(..)));
        if shares && table.persons().is_some_and(|persons| persons.repeat()) {
            let reason = "it is a share of people, and some of them have several rows";
            return Err(Error::request("requirement", first.to_string(), reason)
                .hint("publish one row for each person, or ask for `k-map`"));
        }
        if shares && population.persons().is_some() {
            return Err(Error::request("population", first.to_string(), SEVERAL_ROWS)
                .hint("name a file that has one row for each person, or ask for `k-map`"));
        }
        BoundPopulation::place(demands, table, population).map(Some)
    }

    fn place(demands: Vec<PopulationDemand>, table: &Table, population: &Population) -> Result<BoundPopulation> {
        let columns = table.schema().of_role(Role::Quasi);
        let mut axes = Vec::with_capacity(columns.len());
        let mut classes = RowClasses::new(population.n_rows());
        let mut texts = Vec::with_capacity(columns.len());
        for &at in &columns {
            let attribute = table.attribute(at);
            let column = population.column(&attribute.name)?;
            let axis = Axis::new(&attribute.domain, column).map_err(|reason| {
                let kind = attribute.domain.kind();
                Error::request("population", &attribute.name, reason)
                    .hint(format!("the column is {kind} in the data; mend the population, or say «type» of the column"))
            })?;
            classes.push(axis.n_ranks as usize, |row| axis.of_text[column.codes.get(row) as usize]);
            texts.push(&column.codes);
            axes.push(axis);
        }
        let (class, n) = classes.finish();
        let ranks =
            |row: u32| axes.iter().zip(&texts).map(move |(axis, codes)| axis.of_text[codes.get(row as usize) as usize]);
        let points: Vec<u32> = class_members(&class, n).iter().flat_map(|&(row, _)| ranks(row)).collect();
        let people = PeopleTree::grow(columns.len(), &points, &population.people_of_classes(&class, n));
        Ok(BoundPopulation { demands, columns, axes, people, counted: population.counted() })
    }

    /// Who is counted in the population: people, or rows where it is not known whose they are.
    pub fn counted(&self) -> Counted {
        self.counted
    }

    /// Number of people.
    pub fn n_people(&self) -> u64 {
        self.people.total()
    }

    /// True if everybody of the population must be in some box.
    pub fn covers_all(&self) -> bool {
        self.demands.iter().any(|demand| demand.covers_all())
    }

    /// How many people a box covers, given by its side in every quasi-identifier.
    pub fn covered(&self, sides: &[Side]) -> u64 {
        self.people.count(&self.spans(sides), u64::MAX)
    }

    /// True if a group of `rows` may be published with this box.
    pub fn holds(&self, sides: &[Side], rows: u64) -> bool {
        // Enough people are enough where nothing but their number is asked.
        let enough = self.demands.iter().map(|demand| match demand {
            PopulationDemand::AtLeast(k) => *k,
            PopulationDemand::Share(..) => u64::MAX,
        });
        let enough = enough.max().unwrap_or(0);
        let covered = self.people.count(&self.spans(sides), enough);
        self.demands.iter().all(|demand| demand.is_met(rows, covered))
    }

    /// True if some rows of the table may be published with the least box around them.
    pub fn holds_rows(&self, table: &Table, rows: impl Iterator<Item = u32> + Clone, n: usize) -> bool {
        n > 0 && self.holds(&self.least_box(table, rows), n as u64)
    }

    /// The least box around some rows.
    pub fn least_box(&self, table: &Table, rows: impl Iterator<Item = u32> + Clone) -> Vec<Side> {
        self.columns.iter().map(|&column| least_side(table, column, rows.clone())).collect()
    }

    /// How many rows of the table have quasi-identifiers that nobody of the population has.
    pub fn n_strangers(&self, table: &Table) -> u64 {
        let mut classes = RowClasses::new(table.n_rows());
        for &at in &self.columns {
            classes.push(table.attribute(at).domain.n_codes(), |row| table.column(at).get(row));
        }
        let (class, n) = classes.finish();
        let is_stranger = |row: u32| {
            let side = |&at: &usize| match table.column(at).get(row as usize) {
                NULL => Side::Null,
                code => Side::Codes(code, code),
            };
            let sides: Vec<Side> = self.columns.iter().map(side).collect();
            self.people.count(&self.spans(&sides), 1) == 0
        };
        let strangers = class_members(&class, n).into_iter().filter(|&(row, _)| is_stranger(row));
        strangers.map(|(_, count)| u64::from(count)).sum()
    }

    fn spans(&self, sides: &[Side]) -> Vec<Span> {
        debug_assert_eq!(sides.len(), self.axes.len());
        self.axes.iter().zip(sides).map(|(axis, side)| axis.span(side)).collect()
    }
}

/// The refusal of a requirement that needs a population where there is none.
pub fn no_population(requirement: &Requirement) -> Error {
    let reason = format!("`{}` counts people of a population, and none is named", requirement.name());
    Error::request("requirement", requirement.to_string(), reason)
        .hint("name the file of the people who could be in the data with «population»")
}

/// What the least box around some rows covers in a column, as a release shows it: a set of all labels is everything, and so is a node that
/// is shown as `*`.
fn least_side(table: &Table, column: usize, rows: impl Iterator<Item = u32> + Clone) -> Side {
    let (domain, codes) = (&table.attribute(column).domain, table.column(column));
    let codes = rows.map(|row| codes.get(row as usize));
    let (low, high) = codes.clone().fold((Code::MAX, NULL), |(low, high), code| (low.min(code), high.max(code)));
    match (low, high, domain.hierarchy()) {
        (NULL, NULL, _) => Side::Null,
        (NULL, _, _) => Side::All,
        (_, _, Some(tree)) => {
            let leaves = codes.filter_map(|code| domain.leaf(code));
            match (leaves.clone().min(), leaves.max()) {
                (Some(first), Some(last)) if first == last => Side::Leaves(first, first + 1),
                (Some(first), Some(last)) => {
                    let id = tree.lowest_over(first, last);
                    let node = tree.node(id);
                    match id == tree.root() && &*node.label == "*" {
                        true => Side::All,
                        false => Side::Leaves(node.first_leaf, node.end_leaf),
                    }
                }
                _ => Side::All,
            }
        }
        _ if low == high || domain.kind() != Kind::Nominal => Side::Codes(low, high),
        _ => {
            let mut members: Vec<Code> = codes.collect();
            members.sort_unstable();
            members.dedup();
            if members.len() == domain.len() { Side::All } else { Side::Members(members) }
        }
    }
}

#[cfg(test)]
mod tests;
