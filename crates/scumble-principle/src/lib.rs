//! Privacy principles: what a group of rows must satisfy before it may be published.
//!
//! A [`Requirement`] is what a user writes, `salary: frequency-l-diversity(3)`. Its [`Principle`]
//! holds checked parameters and knows no data. *Bound* to a column of a table it becomes a
//! [`Test`]: a pure, exact question put to the [`Bag`](scumble_table::Bag) of a group, asked
//! millions of times by a search and once more by the verifier.
//!
//! ```text
//! text -> Requirement -> Principle --bind(domain, whole)--> Test -> holds? divisible? attained
//!                                                            |
//!         BoundRequirements: all tests of a release, for all its sensitive columns
//! ```
//!
//! [`catalogue`] is the registry of all principles: their names and aliases, how they are read, what they promise in words,
//! how their level is asked and which parameters are worth a try on a column. Other crates add to it with [`register`]. [`levels`] tells which level of each a set of
//! groups attains.
//!
//! [`Dissimilarity`] looks at several columns as one value, [`JointColumns`], and at a [`Distance`]
//! between such values, which becomes the [`Neighbours`] of each: any function of two values will do
//! instead, and [`register_distance`] gives one of a column a name. What can be said of a table before it is grouped is in
//! [`dissimilarity::theory`].
//!
//! Every test is integer arithmetic on counts, and on numbers scaled to whole multiples of their
//! last digit. Null is a value like another wherever values are counted, unless its column says that it is to be ignored.

mod alpha_k_anonymity;
mod attained;
mod beta_likeness;
mod bound;
mod catalogue;
mod certain;
mod column_facts;
mod counted_by_look;
mod delta_disclosure;
mod delta_presence;
pub mod dissimilarity;
mod distance;
mod distinct_l_diversity;
mod entropy_l_diversity;
mod exact;
mod frequency_l_diversity;
mod ignores_missing;
mod k_anonymity;
mod k_map;
mod ke_anonymity;
mod levels;
mod logarithm;
mod notation;
mod parameter;
mod plain_words;
mod population;
mod principle;
pub mod proximity;
mod proximity_absolute;
mod proximity_interval;
mod proximity_relative;
mod proximity_window;
mod recursive_l_diversity;
mod requirement;
mod t_closeness;
mod test;
mod variance;
mod whole_counts;

pub use alpha_k_anonymity::AlphaKAnonymity;
pub use attained::{Attained, Exact, Score, worse};
pub use beta_likeness::{BetaLikeness, Gain};
pub use bound::{BoundRequirements, BoundTest, ByPerson, Group, JointColumns, PersonMemory};
pub use catalogue::{Entry, Parse, Strictest, Usual, catalogue, entry, register};
pub use certain::{CertainValues, Certainty};
pub use column_facts::ColumnFacts;
pub use delta_disclosure::DeltaDisclosure;
pub use delta_presence::DeltaPresence;
pub use dissimilarity::{Dissimilarity, DissimilarityTest, Neighbours};
pub use distance::{
    BoundDistance, ColumnDistance, Combine, Distance, LoadedDistance, Measure, MeasuredColumn, Part, distance_names,
    register_distance,
};
pub use distinct_l_diversity::DistinctLDiversity;
pub use entropy_l_diversity::EntropyLDiversity;
pub use frequency_l_diversity::FrequencyLDiversity;
pub use k_anonymity::KAnonymity;
pub use k_map::KMap;
pub use ke_anonymity::KeAnonymity;
pub use levels::{Level, levels, levels_of_sizes};
pub use notation::Arguments;
pub use parameter::{Parameter, Range};
pub use plain_words::{GroupForm, PlainWords, Subject};
pub use population::{
    BoundPopulation, PopulationDemand, SEVERAL_ROWS, Side, no_population, people_attained, shares_attained,
};
pub use principle::{Principle, Search, Stricter};
pub use proximity::{Near, Neighbourhood};
pub use proximity_absolute::ProximityAbsolute;
pub use proximity_interval::ProximityInterval;
pub use proximity_relative::ProximityRelative;
pub use proximity_window::ProximityWindow;
pub use recursive_l_diversity::RecursiveLDiversity;
pub use requirement::Requirement;
pub use t_closeness::{Ground, TCloseness};
pub use test::Test;
pub use variance::Variance;
