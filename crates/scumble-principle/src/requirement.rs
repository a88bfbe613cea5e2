//! A requirement: a principle with its parameters, for one column or for each sensitive column.

use crate::Test;
use crate::counted_by_look::CountedByLook;
use crate::{
    AlphaKAnonymity, Dissimilarity, DistinctLDiversity, EntropyLDiversity, Entry, FrequencyLDiversity, KAnonymity,
    KeAnonymity, Principle, ProximityAbsolute, ProximityInterval, ProximityRelative, ProximityWindow,
    RecursiveLDiversity, TCloseness, Variance, alpha_k_anonymity, dissimilarity, distinct_l_diversity,
    entropy_l_diversity, frequency_l_diversity, k_anonymity, ke_anonymity, notation, proximity_absolute,
    proximity_interval, proximity_relative, proximity_window, recursive_l_diversity, t_closeness, variance,
};
use scumble_table::{Bag, Domain, Error, Result};
use std::fmt;
use std::str::FromStr;

/// One demand on a release, as written in flags, job files and manifests.
///
/// [`FromStr`] reads the notation, [`Display`](fmt::Display) writes its canonical form, and reading
/// that gives the same requirement again.
///
/// ```
/// use scumble_principle::Requirement;
/// let requirement: Requirement = "salary : t-closeness( .20, equal )".parse()?;
/// assert_eq!(requirement.column.as_deref(), Some("salary"));
/// assert_eq!(requirement.to_string(), "salary: t-closeness(0.2)");
/// # Ok::<(), scumble_table::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Requirement {
    /// The column it is about; `None` means each sensitive column. A name neither starts nor ends
    /// with a blank, for the notation drops such blanks.
    pub column: Option<String>,
    /// The principle with its parameters.
    pub spec: Spec,
}

impl Requirement {
    /// The position of the column that it names, among these names. The notation drops blanks around a name, so a
    /// header may have some where the name has none; a header without them comes first.
    pub fn named_in(&self, names: &[impl AsRef<str>]) -> Option<usize> {
        let name = self.column.as_deref()?;
        let find = |is: &dyn Fn(&str) -> bool| names.iter().position(|known| is(known.as_ref()));
        find(&|known| known == name).or_else(|| find(&|known| known.trim() == name))
    }
}

/// The principles a requirement can name, each with checked parameters. The set is closed, so that
/// the compiler shows every place that must learn a new one.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Spec {
    /// `k-anonymity(k)`
    KAnonymity(KAnonymity),
    /// `distinct-l-diversity(l)`
    DistinctLDiversity(DistinctLDiversity),
    /// `frequency-l-diversity(l)`
    FrequencyLDiversity(FrequencyLDiversity),
    /// `entropy-l-diversity(l)`
    EntropyLDiversity(EntropyLDiversity),
    /// `recursive-l-diversity(c, l)`
    RecursiveLDiversity(RecursiveLDiversity),
    /// `t-closeness(t)`, `t-closeness(t, ordered)`, `t-closeness(t, hierarchical)`
    TCloseness(TCloseness),
    /// `alpha-k-anonymity(alpha, k)`
    AlphaKAnonymity(AlphaKAnonymity),
    /// `proximity-absolute(epsilon, m)`
    ProximityAbsolute(ProximityAbsolute),
    /// `proximity-relative(epsilon, m)`
    ProximityRelative(ProximityRelative),
    /// `proximity-interval(e1, e2, m)`
    ProximityInterval(ProximityInterval),
    /// `proximity-window(e1, e2, m)`
    ProximityWindow(ProximityWindow),
    /// `dissimilarity(epsilon, delta, k)`
    Dissimilarity(Dissimilarity),
    /// `ke-anonymity(k, e)`
    KeAnonymity(KeAnonymity),
    /// `variance(t)`
    Variance(Variance),
}

impl Spec {
    /// The principle, ready to be bound.
    pub fn principle(&self) -> &dyn Principle {
        match self {
            Spec::KAnonymity(p) => p,
            Spec::DistinctLDiversity(p) => p,
            Spec::FrequencyLDiversity(p) => p,
            Spec::EntropyLDiversity(p) => p,
            Spec::RecursiveLDiversity(p) => p,
            Spec::TCloseness(p) => p,
            Spec::AlphaKAnonymity(p) => p,
            Spec::ProximityAbsolute(p) => p,
            Spec::ProximityRelative(p) => p,
            Spec::ProximityInterval(p) => p,
            Spec::ProximityWindow(p) => p,
            Spec::Dissimilarity(p) => p,
            Spec::KeAnonymity(p) => p,
            Spec::Variance(p) => p,
        }
    }

    /// Ties the principle to a sensitive column, as [`Principle::bind`] does. Where it counts different values, labels that
    /// differ only by look are one value.
    ///
    /// # Errors
    /// Where the column cannot be judged this way.
    pub fn bind(&self, domain: &Domain, whole: &Bag) -> Result<Box<dyn Test>> {
        match domain.look_alikes().filter(|_| self.counts_values()) {
            Some(alikes) => {
                let test = self.principle().bind(domain, &alikes.merged(whole))?;
                Ok(Box::new(CountedByLook::new(test, alikes.clone())))
            }
            None => self.principle().bind(domain, whole),
        }
    }

    /// True if the principle asks how many values there are, or how often each occurs: it can only become stricter when
    /// values are merged.
    ///
    /// A greatest share rises, and so does the share of the most frequent l - 1 values, while the number of values and
    /// their entropy fall. `t-closeness` is the other way round: it compares two distributions, and merging values in both can
    /// only bring them together (by equal distance; by others it may go either way). It is judged on labels as
    /// they are published. `dissimilarity` has a distance that says what is near.
    pub fn counts_values(&self) -> bool {
        match self {
            Spec::DistinctLDiversity(_)
            | Spec::FrequencyLDiversity(_)
            | Spec::EntropyLDiversity(_)
            | Spec::RecursiveLDiversity(_)
            | Spec::AlphaKAnonymity(_) => true,
            Spec::KAnonymity(_)
            | Spec::TCloseness(_)
            | Spec::ProximityAbsolute(_)
            | Spec::ProximityRelative(_)
            | Spec::ProximityInterval(_)
            | Spec::ProximityWindow(_)
            | Spec::Dissimilarity(_)
            | Spec::KeAnonymity(_)
            | Spec::Variance(_) => false,
        }
    }

    /// What the catalogue says about the principle.
    pub fn entry(&self) -> &'static Entry {
        match self {
            Spec::KAnonymity(_) => &k_anonymity::ENTRY,
            Spec::DistinctLDiversity(_) => &distinct_l_diversity::ENTRY,
            Spec::FrequencyLDiversity(_) => &frequency_l_diversity::ENTRY,
            Spec::EntropyLDiversity(_) => &entropy_l_diversity::ENTRY,
            Spec::RecursiveLDiversity(_) => &recursive_l_diversity::ENTRY,
            Spec::TCloseness(_) => &t_closeness::ENTRY,
            Spec::AlphaKAnonymity(_) => &alpha_k_anonymity::ENTRY,
            Spec::ProximityAbsolute(_) => &proximity_absolute::ENTRY,
            Spec::ProximityRelative(_) => &proximity_relative::ENTRY,
            Spec::ProximityInterval(_) => &proximity_interval::ENTRY,
            Spec::ProximityWindow(_) => &proximity_window::ENTRY,
            Spec::Dissimilarity(_) => &dissimilarity::ENTRY,
            Spec::KeAnonymity(_) => &ke_anonymity::ENTRY,
            Spec::Variance(_) => &variance::ENTRY,
        }
    }

    /// The word in the notation.
    pub fn name(&self) -> &'static str {
        self.entry().name
    }
}

impl fmt::Display for Spec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.principle().notation())
    }
}

impl Requirement {
    /// A requirement on each sensitive column.
    pub fn new(spec: Spec) -> Self {
        Requirement { column: None, spec }
    }

    /// The same requirement on one column.
    #[must_use]
    pub fn on(mut self, column: &str) -> Self {
        self.column = Some(column.trim().to_string());
        self
    }

    /// The principle, ready to be bound.
    pub fn principle(&self) -> &dyn Principle {
        self.spec.principle()
    }
}

impl fmt::Display for Requirement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.column {
            Some(column) => write!(f, "{column}: {}", self.spec),
            None => write!(f, "{}", self.spec),
        }
    }
}

impl FromStr for Requirement {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        notation::read(text)
    }
}
