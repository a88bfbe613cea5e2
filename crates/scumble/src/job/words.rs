//! The choices that a publisher names by a word: role, method, algorithm, profile, aim, mixtures.

pub use scumble_method::Profile;
pub use scumble_method::epsilon_m::Aim;
use scumble_method::ke_permutation::Rule;
use scumble_table::{Error, did_you_mean};

/// A type whose values have names.
pub trait Word: Sized + 'static {
    /// What such a value is.
    const WHAT: &'static str;

    /// All values, in the order in which they are offered.
    fn all() -> Vec<Self>;

    /// The name of a value.
    fn word(&self) -> &'static str;

    /// All names.
    fn words() -> Vec<&'static str> {
        Self::all().iter().map(Self::word).collect()
    }

    /// The value of a name.
    fn from_word(text: &str) -> Option<Self> {
        Self::all().into_iter().find(|one| one.word() == text)
    }
}

/// Declares a choice among words.
macro_rules! words {
    (
        $(#[$meta:meta])*
        pub enum $type:ident: $field:literal, $what:literal {
            $( $(#[$doc:meta])* $value:ident = $word:literal, )+
        }
    ) => {
        $(#[$meta])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum $type { $( $(#[$doc])* $value, )+ }

        impl $type {
            /// All of them.
            pub const ALL: &'static [$type] = &[$($type::$value),+];

            /// The word for it in job files, flags and manifests.
            pub fn name(self) -> &'static str {
                match self { $($type::$value => $word),+ }
            }
        }

        impl $crate::job::Word for $type {
            const WHAT: &'static str = $what;

            fn all() -> Vec<Self> {
                $type::ALL.to_vec()
            }

            fn word(&self) -> &'static str {
                self.name()
            }
        }

        impl std::str::FromStr for $type {
            type Err = scumble_table::Error;

            fn from_str(text: &str) -> Result<Self, scumble_table::Error> {
                $crate::job::read_word($field, text)
            }
        }

        impl std::fmt::Display for $type {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(self.name())
            }
        }
    };
}
pub(crate) use words;

/// The value of a name that somebody gave for a field.
pub(crate) fn read_word<T: Word>(field: &str, text: &str) -> Result<T, Error> {
    T::from_word(text).ok_or_else(|| {
        let reason = format!("there is no such {}", T::WHAT);
        Error::request(field, text, reason).hint(did_you_mean(text, &T::words(), "one of"))
    })
}

words! {
    /// The form of a release. A full-domain release is one of the form `generalize`, and its manifest says so.
    pub enum Method: "method", "method in this version" {
        /// Quasi-identifiers made coarser until a group looks alike; exact sensitive values.
        Generalize = "generalize",
        /// Exact quasi-identifiers next to sensitive values that were shuffled inside groups.
        Permute = "permute",
        /// Exact quasi-identifiers in one table, sensitive values counted per group in another.
        Anatomy = "anatomy",
        /// Sensitive values counted per batch in one table, quasi-identifiers made coarser next to batch numbers in others.
        Angel = "angel",
        /// As generalize, with one level of its hierarchy for each quasi-identifier, the same in all rows.
        FullDomain = "full-domain",
    }
}

impl Method {
    /// True if quasi-identifiers are published as they are, and sensitive values tied to groups only.
    pub fn is_exact(self) -> bool {
        matches!(self, Method::Permute | Method::Anatomy)
    }

    /// True if a person's sensitive values are tied to a group or batch only.
    pub fn is_unlinked(self) -> bool {
        !matches!(self, Method::Generalize | Method::FullDomain)
    }
}

words! {
    /// The algorithm that finds the groups.
    pub enum Algorithm: "algorithm", "algorithm in this version" {
        /// Mondrian; equal values stay on one side of a cut.
        Mondrian = "mondrian",
        /// Mondrian; equal values may go to both sides.
        MondrianRelaxed = "mondrian-relaxed",
        /// Cuts and guarded dealing that keep near values apart, for proximity requirements.
        Proximity = "proximity",
        /// Classes of a relaxed equitable colouring, for dissimilarity requirements.
        Xcolor = "xcolor",
        /// As the paper first described it: splitting at medians and dealing lanes for proximity requirements, exchanges from
        /// an initial colouring for dissimilarity, Mondrian by the median of the widest attribute for others.
        Paper = "paper",
        /// Batches formed freely in the order of a density tree over the quasi-identifiers, and that tree's boxes.
        Angel = "angel",
        /// The levels of least loss, by a search of the lattice of all their combinations.
        FullDomain = "full-domain",
        /// Groups along the order of a sensitive number under (k, e)-anonymity, for narrow bounds of sums.
        ExpectedWidth = "expected-width",
        /// The same for the least sum of ranges.
        MinSum = "min-sum",
        /// The same for the least greatest range, of groups that do not overlap.
        MinMax = "min-max",
        /// The same for the least greatest range of all partitions.
        MinMaxOverlap = "min-max-overlap",
        /// The same for the most groups.
        MaxGroups = "max-groups",
        /// The same from rows in a random order, for comparison.
        Random = "random",
        /// Rank swapping, for comparison: measured, never published.
        RankSwap = "rank-swap",
    }
}

impl Algorithm {
    /// The rule for groups along the order of a sensitive number, where the algorithm is one.
    pub fn ke_rule(self) -> Option<Rule> {
        match self {
            Algorithm::ExpectedWidth => Some(Rule::ExpectedWidth),
            Algorithm::MinSum => Some(Rule::MinSum),
            Algorithm::MinMax => Some(Rule::MinMax),
            Algorithm::MinMaxOverlap => Some(Rule::MinMaxOverlap),
            Algorithm::MaxGroups => Some(Rule::MaxGroups),
            Algorithm::Random => Some(Rule::Random),
            _ => None,
        }
    }
}

words! {
    /// What is done about people whose quasi-identifiers are known, but not their group, under requirements that groups may
    /// fail together.
    #[derive(Default)]
    pub enum Mixtures: "mixtures", "choice about mixtures" {
        /// The publisher is told what is believed of them.
        #[default]
        Report = "report",
        /// No more is believed of them than is allowed in a group, or nothing is published.
        Hold = "hold",
    }
}

words! {
    /// What a column is to the publisher.
    pub enum ColumnRole: "role", "role" {
        /// Could point at a person together with others; generalized.
        Quasi = "quasi",
        /// Must not be learned about a person.
        Sensitive = "sensitive",
        /// Points at a person by itself; dropped.
        Identifying = "identifying",
        /// Published as it is.
        Kept = "keep",
        /// Of no use here; dropped.
        Dropped = "drop",
    }
}

impl ColumnRole {
    /// What columns of this role are, in one line.
    pub fn help(self) -> &'static str {
        match self {
            ColumnRole::Quasi => {
                "Columns an attacker may know of a person; generalized, or exact with method permute or anatomy"
            }
            ColumnRole::Sensitive => "Columns that nobody may learn about a person",
            ColumnRole::Identifying => "Columns that name people; dropped",
            ColumnRole::Kept => "Columns published as they are",
            ColumnRole::Dropped => "Columns of no use here; dropped",
        }
    }
}
