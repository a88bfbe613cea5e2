//! The registry of principles, from which the parser, help, manual and messages are made.

use crate::notation::Arguments;
use crate::{
    ColumnFacts, Parameter, Principle, alpha_k_anonymity, beta_likeness, delta_disclosure, delta_presence,
    dissimilarity, distinct_l_diversity, entropy_l_diversity, frequency_l_diversity, k_anonymity, k_map, ke_anonymity,
    proximity_absolute, proximity_interval, proximity_relative, proximity_window, recursive_l_diversity, t_closeness,
    variance,
};
use scumble_table::{Decimal, Error, Result};
use std::fmt;
use std::sync::{Arc, PoisonError, RwLock};

/// Makes a principle from its parameters.
pub type Parse = fn(&Arguments<'_>) -> Result<Arc<dyn Principle>>;

/// The principle with its strictest parameters, in each of its forms; see [`Entry::strictest`].
pub type Strictest = fn(least_distinct: u64) -> Result<Vec<Arc<dyn Principle>>>;

/// Values that parameters may usefully take, a list for each of them; see [`Entry::usual`].
pub type Usual = fn(&ColumnFacts) -> Option<Vec<Vec<String>>>;

/// Everything about a principle that needs neither parameters nor data. Entries are equal if their names are.
#[derive(Clone, Copy)]
pub struct Entry {
    /// The word in requirements: the canonical name.
    pub name: &'static str,
    /// Other names that are understood, such as those of the papers. They take the same parameters, and the requirement is
    /// printed back with [`Entry::name`].
    pub aliases: &'static [&'static str],
    /// Its parameters in order.
    pub parameters: &'static [Parameter],
    /// One line of help.
    pub help: &'static str,
    /// A requirement to start from; it parses.
    pub example: &'static str,
    /// The paper that defines it.
    pub reference: &'static str,
    /// True if the union of two passing groups passes. Safe if false; where it is true, [`Test::monotone`](crate::Test::monotone)
    /// must be too, or requests are accepted that fail later.
    pub monotone: bool,
    /// True if every parameter asks for more the larger it is: messages then say that the data allows *at most* something.
    pub larger_is_stricter: bool,
    /// Makes the principle from the texts of its parameters.
    pub parse: Parse,
    /// The principle with parameters so strict that no group meets them, in each of its forms, so that the
    /// [nearest](Principle::nearest) that is met is the level attained. It is given the least number of different values in
    /// a group. Empty where there is no level: a proximity principle has one for every epsilon, and no epsilon to prefer.
    pub strictest: Strictest,
    /// The values that each parameter is tried with where advice is asked on a column and no values are given, in the order of the
    /// parameters; an empty text leaves an optional one out. All combinations are tried, and those that make no requirement are passed over; the
    /// lists for a column that the principle does not suit hold what makes one requirement, which then says why. Without lists the example is
    /// tried.
    pub usual: Usual,
}

impl Entry {
    /// An entry that says nothing but how parameters are read, to be completed by struct update. It has no
    /// aliases, no level and no values to try, and is not monotone.
    pub const fn parsed_by(parse: Parse) -> Self {
        Entry {
            name: "",
            aliases: &[],
            parameters: &[],
            help: "",
            example: "",
            reference: "",
            monotone: false,
            larger_is_stricter: false,
            parse,
            strictest: |_| Ok(Vec::new()),
            usual: |_| None,
        }
    }

    /// Checks the decimal parameter at `at`.
    ///
    /// # Errors
    /// If it is out of its range, or there is no such parameter.
    pub fn check(&self, at: usize, value: Decimal) -> Result<Decimal> {
        self.parameter(at)?.check(self.name, value)
    }

    /// Checks the whole parameter at `at`.
    ///
    /// # Errors
    /// If it is out of its range, or there is no such parameter.
    pub fn check_whole(&self, at: usize, value: u64) -> Result<u64> {
        self.check(at, Decimal::new(i128::from(value), 0)).map(|_| value)
    }

    pub(crate) fn parameter(&self, at: usize) -> Result<&'static Parameter> {
        self.parameters.get(at).ok_or_else(|| Error::bug(format!("`{}` has no parameter {}", self.name, at + 1)))
    }

    /// All names, the canonical one first.
    pub fn names(&self) -> impl Iterator<Item = &'static str> + use<> {
        std::iter::once(self.name).chain(self.aliases.iter().copied())
    }
}

impl fmt::Debug for Entry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Entry").field("name", &self.name).finish_non_exhaustive()
    }
}

impl PartialEq for Entry {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}

impl Eq for Entry {}

/// The principles of this crate, in the order they are offered to users.
static BUILT_IN: &[&Entry] = &[
    &k_anonymity::ENTRY,
    &distinct_l_diversity::ENTRY,
    &frequency_l_diversity::ENTRY,
    &entropy_l_diversity::ENTRY,
    &recursive_l_diversity::ENTRY,
    &t_closeness::ENTRY,
    &beta_likeness::ENTRY,
    &delta_disclosure::ENTRY,
    &alpha_k_anonymity::ENTRY,
    &proximity_absolute::ENTRY,
    &proximity_relative::ENTRY,
    &proximity_interval::ENTRY,
    &proximity_window::ENTRY,
    &dissimilarity::ENTRY,
    &ke_anonymity::ENTRY,
    &variance::ENTRY,
    &k_map::ENTRY,
    &delta_presence::ENTRY,
];

/// Those that other crates added, in the order in which they did.
static REGISTERED: RwLock<Vec<&'static Entry>> = RwLock::new(Vec::new());

/// Adds a principle of another crate, for this process. To add the same entry again changes nothing.
///
/// # Errors
/// If a name is taken or cannot be written in a requirement, or if the example does not parse to itself.
pub fn register(entry: &'static Entry) -> Result<()> {
    let refused = |name: &str, reason: &str| Err(Error::request("principle", name, reason));
    for name in entry.names() {
        if !is_name(name) {
            return refused(name, "a name is made of lower-case letters, digits and hyphens");
        }
    }
    let refuse_taken = |registered: &[&'static Entry]| {
        let taken = |name: &str| BUILT_IN.iter().chain(registered).any(|known| known.names().any(|one| one == name));
        entry.names().find(|name| taken(name)).map_or(Ok(()), |name| refused(name, "a principle of this name exists"))
    };
    let registered = REGISTERED.read().unwrap_or_else(PoisonError::into_inner).clone();
    if registered.iter().any(|known| std::ptr::eq(*known, entry)) {
        return Ok(());
    }
    refuse_taken(&registered)?;
    match crate::notation::read_among(&[entry], entry.example)? {
        requirement if requirement.to_string() == entry.example && requirement.entry() == entry => {}
        _ => return refused(entry.name, "its example is not printed back as it is written"),
    }
    // The example was read without the lock, for its parser is foreign code; a panic elsewhere leaves the list as it was.
    let mut registered = REGISTERED.write().unwrap_or_else(PoisonError::into_inner);
    refuse_taken(&registered)?;
    registered.push(entry);
    Ok(())
}

/// True of what a requirement or a distance can name without quoting.
pub(crate) fn is_name(name: &str) -> bool {
    name.starts_with(|c: char| c.is_ascii_lowercase())
        && name.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-')
}

/// All principles in the order they are offered to users: those of this crate, and those that were registered.
pub fn catalogue() -> Vec<&'static Entry> {
    let registered = REGISTERED.read().unwrap_or_else(PoisonError::into_inner);
    BUILT_IN.iter().chain(&*registered).copied().collect()
}

/// The entry of a principle, by its name or an alias.
pub fn entry(name: &str) -> Option<&'static Entry> {
    catalogue().into_iter().find(|entry| entry.names().any(|known| known == name))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Requirement, Search};
    use scumble_table::{Bag, Domain};

    #[test]
    fn every_entry_is_complete_and_its_example_parses() {
        for entry in BUILT_IN {
            let requirement: Requirement = entry.example.parse().unwrap();
            assert_eq!(requirement.to_string(), entry.example);
            assert!(std::ptr::eq(requirement.entry(), *entry));
            assert!(!entry.parameters.is_empty() && !entry.reference.is_empty(), "{}", entry.name);
            assert!(entry.help.chars().next().is_some_and(char::is_lowercase) && !entry.help.ends_with('.'));
            assert!(is_name(entry.name) && std::ptr::eq(super::entry(entry.name).unwrap(), *entry));
        }
        assert_eq!(super::entry("k"), None);
    }

    #[test]
    fn no_two_entries_share_a_name() {
        let mut names: Vec<&str> = BUILT_IN.iter().flat_map(|entry| entry.names()).collect();
        let n = names.len();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), n);
    }

    #[test]
    fn every_alias_parses_to_the_canonical_form() {
        for entry in BUILT_IN {
            for alias in entry.aliases {
                let text = format!("pay: {}", entry.example.replacen(entry.name, alias, 1));
                let requirement: Requirement = text.parse().unwrap_or_else(|error| panic!("{text}: {error}"));
                assert_eq!(requirement.to_string(), format!("pay: {}", entry.example), "{text}");
            }
        }
    }

    #[test]
    fn usual_values_make_requirements_on_any_column() {
        let numbers = Domain::numbers((1..=1000i64).map(Decimal::from).collect()).unwrap();
        let labels = Domain::nominal(vec!["a".into(), "b".into()]);
        let facts = [&numbers, &labels].map(|domain| ColumnFacts::new(domain, &Bag::from_codes(domain.codes())));
        let seven = facts.clone().map(|facts| facts.with_most(Some(Decimal::from(7))));
        for (entry, facts) in BUILT_IN.iter().flat_map(|entry| facts.iter().chain(&seven).map(move |one| (entry, one)))
        {
            let Some(lists) = (entry.usual)(facts) else { continue };
            assert_eq!(lists.len(), entry.parameters.len(), "{}", entry.name);
            for (at, (list, parameter)) in lists.iter().zip(entry.parameters).enumerate() {
                assert!(!list.is_empty() && (parameter.optional || !list.contains(&String::new())), "{}", entry.name);
                // Each value beside the first of the others.
                for value in list {
                    let one = |other: usize| if other == at { value } else { &lists[other][0] };
                    let values: Vec<&String> = (0..lists.len()).map(one).filter(|value| !value.is_empty()).collect();
                    let values: Vec<&str> = values.into_iter().map(String::as_str).collect();
                    let text = format!("{}({})", entry.name, values.join(", "));
                    text.parse::<Requirement>().unwrap_or_else(|error| panic!("{text}: {error}"));
                }
            }
        }
    }

    #[test]
    fn every_entry_binds_or_asks_for_a_distance() {
        let domain = Domain::numbers(vec![Decimal::from(1), Decimal::from(2)]).unwrap();
        let whole = Bag::from_codes([1, 2]);
        for entry in BUILT_IN {
            let requirement: Requirement = entry.example.parse().unwrap();
            match requirement.principle().bind(&domain, &whole) {
                Ok(test) => assert_eq!(entry.monotone, test.monotone(), "{}", entry.name),
                Err(error) => {
                    assert_eq!((requirement.principle().search(), error.exit_code()), (Search::Dissimilarity, 2));
                    assert!(error.to_string().contains("distance"), "{error}");
                }
            }
        }
    }
}
