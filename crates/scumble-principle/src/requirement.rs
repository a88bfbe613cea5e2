//! A requirement: a principle with its parameters, for one column or for each sensitive column.

use crate::counted_by_look::CountedByLook;
use crate::ignores_missing::IgnoresMissing;
use crate::{Entry, Principle, Test, notation};
use scumble_table::{Bag, Domain, Error, Missing, Result};
use std::any::Any;
use std::cmp::Ordering;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::str::FromStr;
use std::sync::Arc;

/// One demand on a release, as written in flags, job files and manifests.
///
/// [`FromStr`] reads the notation, [`Display`](fmt::Display) writes its canonical form, and reading
/// that gives the same requirement again. Requirements are equal, and ordered, by column and canonical notation.
///
/// ```
/// use scumble_principle::{Requirement, TCloseness};
/// let requirement: Requirement = "salary : t-closeness( .20, equal )".parse()?;
/// assert_eq!(requirement.column.as_deref(), Some("salary"));
/// assert_eq!(requirement.to_string(), "salary: t-closeness(0.2)");
/// assert_eq!(requirement.get::<TCloseness>().unwrap().t().to_string(), "0.2");
/// # Ok::<(), scumble_table::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct Requirement {
    /// The column it is about; `None` means each sensitive column. A name neither starts nor ends
    /// with a blank, for the notation drops such blanks.
    pub column: Option<String>,
    principle: Arc<dyn Principle>,
}

impl Requirement {
    /// A requirement on each sensitive column.
    pub fn new(principle: impl Principle) -> Self {
        Requirement { column: None, principle: Arc::new(principle) }
    }

    /// The same requirement on one column.
    #[must_use]
    pub fn on(mut self, column: &str) -> Self {
        self.column = Some(column.trim().to_string());
        self
    }

    /// The same requirement on this column, or on each sensitive one.
    #[must_use]
    pub fn with_column(self, column: Option<String>) -> Self {
        Requirement { column, ..self }
    }

    /// Another principle on the same column.
    #[must_use]
    pub fn with_principle(&self, principle: Arc<dyn Principle>) -> Self {
        Requirement { column: self.column.clone(), principle }
    }

    /// The principle, ready to be bound.
    pub fn principle(&self) -> &dyn Principle {
        &*self.principle
    }

    /// The principle as its own type, where it is that one.
    pub fn get<P: Principle>(&self) -> Option<&P> {
        (&*self.principle as &dyn Any).downcast_ref()
    }

    /// True if the principle is of this type.
    pub fn is<P: Principle>(&self) -> bool {
        self.get::<P>().is_some()
    }

    /// What the catalogue says about the principle.
    pub fn entry(&self) -> &'static Entry {
        self.principle.entry()
    }

    /// The canonical name of the principle.
    pub fn name(&self) -> &'static str {
        self.entry().name
    }

    /// True if it looks at the number of members of a group and at nothing else.
    pub fn is_about_size(&self) -> bool {
        !self.principle.needs_values() && self.principle.population().is_none()
    }

    /// The position of the column that it names, among these names.
    pub fn named_in(&self, names: &[impl AsRef<str>]) -> Option<usize> {
        position_of_name(self.column.as_deref()?, names)
    }

    /// Ties the principle to a sensitive column, as [`Principle::bind`] does. Where it counts different values, labels that
    /// differ only by look are one value; where the column's missing values are to be ignored, and the principle can, they are
    /// left out.
    ///
    /// # Errors
    /// Where the column cannot be judged this way.
    pub fn bind(&self, domain: &Domain, whole: &Bag) -> Result<Box<dyn Test>> {
        if domain.missing() == Missing::Ignore && self.principle.can_ignore_missing() {
            let test = self.bind_values(domain, &whole.without_missing())?;
            return Ok(Box::new(IgnoresMissing::new(test)));
        }
        self.bind_values(domain, whole)
    }

    fn bind_values(&self, domain: &Domain, whole: &Bag) -> Result<Box<dyn Test>> {
        match domain.look_alikes().filter(|_| self.principle.counts_values()) {
            Some(alikes) => {
                let test = self.principle.bind(domain, &alikes.merged(whole))?;
                Ok(Box::new(CountedByLook::new(test, alikes.clone())))
            }
            None => self.principle.bind(domain, whole),
        }
    }

    /// What decides equality and order.
    fn key(&self) -> (Option<&str>, String) {
        (self.column.as_deref(), self.principle.notation())
    }
}

/// The position of a column in a list of headers. The notation drops blanks around a name, so a header may have some where
/// the name has none; a header without them comes first.
pub(crate) fn position_of_name(name: &str, headers: &[impl AsRef<str>]) -> Option<usize> {
    let exact = headers.iter().position(|header| header.as_ref() == name);
    exact.or_else(|| headers.iter().position(|header| header.as_ref().trim() == name))
}

impl From<Arc<dyn Principle>> for Requirement {
    fn from(principle: Arc<dyn Principle>) -> Self {
        Requirement { column: None, principle }
    }
}

impl PartialEq for Requirement {
    fn eq(&self, other: &Self) -> bool {
        self.key() == other.key()
    }
}

impl Eq for Requirement {}

impl PartialOrd for Requirement {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Requirement {
    fn cmp(&self, other: &Self) -> Ordering {
        self.key().cmp(&other.key())
    }
}

impl Hash for Requirement {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.key().hash(state);
    }
}

impl fmt::Display for Requirement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(column) = &self.column {
            write!(f, "{column}: ")?;
        }
        f.write_str(&self.principle.notation())
    }
}

impl FromStr for Requirement {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        notation::read(text)
    }
}
