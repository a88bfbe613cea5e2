//! The choices that a publisher names by a word: role, method, algorithm, profile, aim, mixtures, intervals, suppressed rows.

pub use scumble_method::Profile;
pub use scumble_method::epsilon_m::Aim;
use scumble_method::ke_permutation::Rule;
use scumble_method::partitioner;
use scumble_table::{Error, did_you_mean};
use std::fmt;
use std::str::FromStr;

/// A type whose values have names.
pub trait Word: Sized + 'static {
    /// What such a value is.
    const WHAT: &'static str;

    /// Other names that are understood and never written.
    const ALIASES: &'static [(&'static str, Self)] = &[];

    /// All values, in the order in which they are offered.
    fn all() -> Vec<Self>;

    /// The name of a value.
    fn word(&self) -> &'static str;

    /// All names.
    fn names() -> Vec<&'static str> {
        Self::all().iter().map(Self::word).collect()
    }

    /// The value of a name.
    fn from_word(text: &str) -> Option<Self> {
        let also =
            || Self::ALIASES.iter().find(|(alias, _)| *alias == text).and_then(|(_, one)| Self::from_word(one.word()));
        Self::all().into_iter().find(|one| one.word() == text).or_else(also)
    }
}

/// Declares a choice among words.
macro_rules! words {
    (
        $(#[$meta:meta])*
        pub enum $type:ident: $field:literal, $what:literal {
            $( $(#[$doc:meta])* $value:ident = $word:literal, )+
        }
        $( also { $($alias:literal = $meant:ident),+ } )?
    ) => {
        $(#[$meta])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[non_exhaustive]
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
            $( const ALIASES: &'static [(&'static str, $type)] = &[$(($alias, $type::$meant)),+]; )?

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
        Error::request(field, text, reason).hint(did_you_mean(text, &T::names(), "one of"))
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

/// The algorithm that finds the groups.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Algorithm {
    /// Mondrian; equal values stay on one side of a cut.
    Mondrian,
    /// Mondrian; equal values may go to both sides.
    MondrianRelaxed,
    /// Cuts and guarded dealing that keep near values apart, for proximity requirements.
    Proximity,
    /// Classes of a relaxed equitable colouring, for dissimilarity requirements.
    Xcolor,
    /// As the paper first described it: splitting at medians and dealing lanes for proximity requirements, exchanges from
    /// an initial colouring for dissimilarity, Mondrian by the median of the widest attribute for others.
    Paper,
    /// Batches formed freely in the order of a density tree over the quasi-identifiers, and that tree's boxes.
    Angel,
    /// The levels of least loss, by a search of the lattice of all their combinations.
    FullDomain,
    /// Groups along the order of a sensitive number under (k, e)-anonymity, for narrow bounds of sums.
    ExpectedWidth,
    /// The same for the least sum of ranges.
    MinSum,
    /// The same for the least greatest range, of groups that do not overlap.
    MinMax,
    /// The same for the least greatest range of all partitions.
    MinMaxOverlap,
    /// The same for the most groups.
    MaxGroups,
    /// The same from rows in a random order, for comparison.
    Random,
    /// Rank swapping, for comparison: measured, never published.
    RankSwap,
    /// One that another crate has registered by this name, see [`register_partitioner`](crate::register_partitioner).
    Registered(&'static str),
}

impl Algorithm {
    /// All of our own.
    pub const ALL: &'static [Algorithm] = &[
        Algorithm::Mondrian,
        Algorithm::MondrianRelaxed,
        Algorithm::Proximity,
        Algorithm::Xcolor,
        Algorithm::Paper,
        Algorithm::Angel,
        Algorithm::FullDomain,
        Algorithm::ExpectedWidth,
        Algorithm::MinSum,
        Algorithm::MinMax,
        Algorithm::MinMaxOverlap,
        Algorithm::MaxGroups,
        Algorithm::Random,
        Algorithm::RankSwap,
    ];

    /// The word for it in job files, flags and manifests.
    pub fn name(self) -> &'static str {
        match self {
            Algorithm::Mondrian => "mondrian",
            Algorithm::MondrianRelaxed => "mondrian-relaxed",
            Algorithm::Proximity => "proximity",
            Algorithm::Xcolor => "xcolor",
            Algorithm::Paper => "paper",
            Algorithm::Angel => "angel",
            Algorithm::FullDomain => "full-domain",
            Algorithm::ExpectedWidth => "expected-width",
            Algorithm::MinSum => "min-sum",
            Algorithm::MinMax => "min-max",
            Algorithm::MinMaxOverlap => "min-max-overlap",
            Algorithm::MaxGroups => "max-groups",
            Algorithm::Random => "random",
            Algorithm::RankSwap => "rank-swap",
            Algorithm::Registered(name) => name,
        }
    }
}

impl Word for Algorithm {
    const WHAT: &'static str = "algorithm in this version";

    fn all() -> Vec<Self> {
        Algorithm::ALL.to_vec()
    }

    fn word(&self) -> &'static str {
        self.name()
    }

    fn from_word(text: &str) -> Option<Self> {
        let own = Algorithm::ALL.iter().copied().find(|one| one.name() == text);
        // A program registers few partitioners, each once, and keeps them to its end.
        own.or_else(|| partitioner(text).map(|_| Algorithm::Registered(Box::leak(text.to_string().into_boxed_str()))))
    }
}

impl FromStr for Algorithm {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        read_word("algorithm", text)
    }
}

impl fmt::Display for Algorithm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
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
    /// What generalized numbers, dates and ordered labels are in the tables of a release.
    pub enum Intervals: "intervals", "way to show intervals" {
        /// One text, such as `[17,24]`.
        Text = "text",
        /// Two columns of their type, such as `age_lower` and `age_upper`.
        Columns = "columns",
    }
}

words! {
    /// What becomes of suppressed rows in the tables of a release.
    #[derive(Default)]
    pub enum SuppressedRows: "suppressed", "way to publish suppressed rows" {
        /// They are left out; the manifest says how many they are.
        #[default]
        LeftOut = "left-out",
        /// They are rows that show nothing: stars in CSV, nulls in Parquet.
        Stars = "stars",
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
        /// Says whose row it is, where people have several; dropped.
        Person = "person",
        /// Published as it is.
        Kept = "keep",
        /// Of no use here; dropped.
        Dropped = "drop",
    }
    also { "kept" = Kept }
}

impl ColumnRole {
    /// Roles that are given by flags of their own.
    pub const WITH_FLAGS: [ColumnRole; 5] =
        [ColumnRole::Quasi, ColumnRole::Sensitive, ColumnRole::Identifying, ColumnRole::Person, ColumnRole::Kept];

    /// What columns of this role are, in one line.
    pub fn help(self) -> &'static str {
        match self {
            ColumnRole::Quasi => {
                "Columns an attacker may know of a person; generalized, or exact with method permute or anatomy. In all lists of \
                 columns a comma in a name is written `\\,`"
            }
            ColumnRole::Sensitive => "Columns that nobody may learn about a person",
            ColumnRole::Identifying => "Columns that name people; dropped",
            ColumnRole::Person => {
                "Columns that together say whose row it is, where people have several: people are counted then, not rows; dropped"
            }
            ColumnRole::Kept => "Columns published as they are",
            ColumnRole::Dropped => "Columns of no use here; dropped",
        }
    }
}
