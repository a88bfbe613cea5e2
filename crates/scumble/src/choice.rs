//! The choices that a publisher names by a word: method, algorithm, profile, aim, mixtures.

pub use scumble_method::Profile;
pub use scumble_method::epsilon_m::Aim;
use scumble_method::ke_permutation::Rule;
use scumble_table::{Error, Result, nearest, quoted_list};
use std::fmt;
use std::str::FromStr;

/// The form of a release.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Method {
    /// Quasi-identifiers made coarser until a group looks alike; exact sensitive values.
    Generalize,
    /// Exact quasi-identifiers beside sensitive values that were shuffled inside groups.
    Permute,
    /// Exact quasi-identifiers in one table, sensitive values counted per group in another.
    Anatomy,
    /// Sensitive values counted per batch in one table, quasi-identifiers made coarser beside batch numbers in others.
    Angel,
    /// As generalize, with one level of its hierarchy for each quasi-identifier, the same in all rows.
    FullDomain,
}

impl Method {
    /// The methods of this version.
    pub const ALL: [Method; 5] =
        [Method::Generalize, Method::Permute, Method::Anatomy, Method::Angel, Method::FullDomain];

    /// The word for it in flags. A full-domain release is one of the form `generalize`, and its manifest says so.
    pub fn name(self) -> &'static str {
        match self {
            Method::Generalize => "generalize",
            Method::Permute => "permute",
            Method::Anatomy => "anatomy",
            Method::Angel => "angel",
            Method::FullDomain => "full-domain",
        }
    }

    /// True if quasi-identifiers are published as they are, and sensitive values tied to groups only.
    pub fn is_exact(self) -> bool {
        match self {
            Method::Generalize | Method::Angel | Method::FullDomain => false,
            Method::Permute | Method::Anatomy => true,
        }
    }

    /// True if a person's sensitive values are tied to a group or batch only.
    pub fn is_unlinked(self) -> bool {
        !matches!(self, Method::Generalize | Method::FullDomain)
    }
}

/// The algorithm that finds the groups.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Algorithm {
    /// Mondrian; equal values stay on one side of a cut.
    Mondrian,
    /// Mondrian; equal values may go to both sides.
    MondrianRelaxed,
    /// Cuts and guarded dealing that keep near values apart, for proximity requirements.
    Proximity,
    /// Classes of a relaxed equitable colouring, for dissimilarity requirements.
    Xcolor,
    /// As the paper first described it: splitting at medians and dealing lanes for proximity
    /// requirements, exchanges from an initial colouring for dissimilarity, Mondrian by the median of the widest attribute for others.
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
}

impl Algorithm {
    /// All algorithms.
    pub const ALL: [Algorithm; 14] = [
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

    /// The word for it in flags and manifests.
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
        }
    }

    /// The rule for groups along the order of a sensitive number, where the algorithm is one.
    pub fn ke_rule(self) -> Option<Rule> {
        match self {
            Algorithm::ExpectedWidth => Some(Rule::ExpectedWidth),
            Algorithm::MinSum => Some(Rule::MinSum),
            Algorithm::MinMax => Some(Rule::MinMax),
            Algorithm::MinMaxOverlap => Some(Rule::MinMaxOverlap),
            Algorithm::MaxGroups => Some(Rule::MaxGroups),
            Algorithm::Random => Some(Rule::Random),
            Algorithm::Mondrian
            | Algorithm::MondrianRelaxed
            | Algorithm::Proximity
            | Algorithm::Xcolor
            | Algorithm::Paper
            | Algorithm::Angel
            | Algorithm::FullDomain
            | Algorithm::RankSwap => None,
        }
    }
}

/// What is done about people whose quasi-identifiers are known, but not their group, under requirements that groups may
/// fail together.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Mixtures {
    /// The publisher is told what is believed of them.
    #[default]
    Report,
    /// No more is believed of them than is allowed in a group, or nothing is published.
    Hold,
}

impl Mixtures {
    /// Both.
    pub const ALL: [Mixtures; 2] = [Mixtures::Report, Mixtures::Hold];

    /// The word for it in flags.
    pub fn name(self) -> &'static str {
        match self {
            Mixtures::Report => "report",
            Mixtures::Hold => "hold",
        }
    }
}

macro_rules! words {
    ($type:ty, $field:literal, $what:literal) => {
        impl FromStr for $type {
            type Err = Error;

            fn from_str(text: &str) -> Result<Self> {
                let names: Vec<&str> = <$type>::ALL.iter().map(|one| one.name()).collect();
                <$type>::ALL.into_iter().find(|one| one.name() == text).ok_or_else(|| {
                    let hint = match nearest(text, names.iter().copied()) {
                        Some(name) => format!("did you mean `{name}`?"),
                        None => format!("one of {}", quoted_list(&names, 14)),
                    };
                    Error::request($field, text, concat!("there is no such ", $what)).hint(hint)
                })
            }
        }

        impl fmt::Display for $type {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(self.name())
            }
        }
    };
}
words!(Method, "--method", "method in this version");
words!(Algorithm, "--algorithm", "algorithm in this version");
words!(Mixtures, "--mixtures", "choice about mixtures");
