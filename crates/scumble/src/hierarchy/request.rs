//! What is wanted of hierarchies, and what of it can be refused without data.

use scumble_method::automatic_levels::LevelRule;
use scumble_method::correlation::{Algorithm, Measure};
use scumble_table::{Error, HierarchyRule, Result};

/// What is wanted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HierarchyRequest {
    /// The columns that get a hierarchy, one after the other.
    pub focused: Vec<String>,
    /// The columns that contexts may ask about; none for plain hierarchies.
    pub given: Vec<String>,
    /// Rows that an interval must stand for: a tenth of all where it is not given and there are contexts to find.
    pub min_count: Option<u64>,
    /// How correlation is measured.
    pub measure: Measure,
    /// How contexts are found.
    pub algorithm: Algorithm,
    /// Intervals of the finest common level, about; without contexts of the finest level of all.
    pub groups: Option<u64>,
    /// How a plain hierarchy is made; by what suits the column when not given.
    pub rule: Option<LevelRule>,
    /// A hierarchy by hand, the same for all columns; its file holds the rule.
    pub by_hand: Option<HierarchyRule>,
    /// With a hierarchy by hand, a list of values as well, for other tools.
    pub list: bool,
}

impl HierarchyRequest {
    /// Asks for plain hierarchies of some columns.
    pub fn new<S: Into<String>>(focused: impl IntoIterator<Item = S>) -> Self {
        HierarchyRequest {
            focused: focused.into_iter().map(Into::into).collect(),
            given: Vec::new(),
            min_count: None,
            measure: Measure::Nmi,
            algorithm: Algorithm::Mdl,
            groups: None,
            rule: None,
            by_hand: None,
            list: false,
        }
    }

    /// The same with columns that contexts may ask about.
    #[must_use]
    pub fn given<S: Into<String>>(mut self, names: impl IntoIterator<Item = S>) -> Self {
        self.given.extend(names.into_iter().map(Into::into));
        self
    }

    /// The same with a rule that says which values belong together.
    #[must_use]
    pub fn by_hand(self, rule: HierarchyRule) -> Self {
        HierarchyRequest { by_hand: Some(rule), ..self }
    }

    /// Refuses what contradicts itself. [`build_hierarchies`](crate::build_hierarchies) does this too; who reads data for
    /// it may ask before.
    ///
    /// # Errors
    /// Names the field, the value and what would be accepted.
    pub fn check(&self) -> Result<()> {
        if self.focused.is_empty() {
            return Err(Error::request("for", "", "no column is named").hint("name one, such as height"));
        }
        for (field, names) in [("for", &self.focused), ("given", &self.given)] {
            if let Some((_, twice)) = names.iter().enumerate().find(|(at, name)| names[..*at].contains(name)) {
                return Err(Error::request(field, twice, "this column is named twice"));
            }
        }
        if let Some(both) = self.focused.iter().find(|name| self.given.contains(name)) {
            return Err(Error::request("given", both, "its own hierarchy cannot depend on this column")
                .hint("name it in «for» or in «given»; several runs can build one after the other"));
        }
        if self.min_count == Some(0) {
            return Err(Error::request("min_count", "0", "an interval must stand for at least one row"));
        }
        if self.groups == Some(0) {
            return Err(Error::request("groups", "0", "there is at least one interval"));
        }
        if self.list && self.by_hand.is_none() {
            return Err(Error::request("list", "", "hierarchies that are made from the data are lists anyway")
                .hint("leave it out, or say what belongs together with «bands», «cuts» or «prefix»"));
        }
        if let Some(rule) = &self.by_hand {
            let other = [
                ("given", !self.given.is_empty()),
                ("kind", self.rule.is_some()),
                ("min_count", self.min_count.is_some()),
                ("groups", self.groups.is_some()),
            ];
            if let Some((other, _)) = other.iter().find(|(_, is_given)| *is_given) {
                let reason = format!("a hierarchy by hand does not look at rows, and «{other}» is about them");
                return Err(Error::request(rule.kind(), "", reason).hint("leave one of them out"));
            }
        }
        match self.rule {
            Some(rule) if !self.given.is_empty() => {
                let reason = "it is for plain hierarchies, and «given» asks for contexts";
                Err(Error::request("kind", rule.name(), reason).hint("leave one of them out"))
            }
            _ => Ok(()),
        }
    }
}
