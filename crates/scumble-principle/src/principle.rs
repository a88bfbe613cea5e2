//! What must hold: a principle with its parameters, without data.

use crate::{Attained, Entry, Near, PlainWords, PopulationDemand, Subject, Test};
use scumble_table::{Bag, Domain, Error, Result};
use std::any::Any;
use std::fmt::Debug;
use std::sync::Arc;

/// What must hold: parameters only, no data.
///
/// A principle from another crate implements this trait, describes itself in a static [`Entry`] and calls
/// [`register`](crate::register) once; from then on requirements can name it. Only the first three methods must be written: the
/// others have defaults that are safe for any principle.
///
/// ```
/// use scumble_principle::{Attained, Entry, Parameter, Principle, Range, Requirement, Test, register};
/// use scumble_table::{Bag, Domain, Result};
/// use std::sync::Arc;
///
/// /// No value occurs more than `c` times in a group.
/// #[derive(Debug, Clone, Copy)]
/// struct AtMost {
///     c: u64,
/// }
///
/// static ENTRY: Entry = Entry {
///     name: "at-most",
///     parameters: &[Parameter::new("c", Range::Whole(1))],
///     help: "no sensitive value occurs more than c times in a group",
///     example: "at-most(3)",
///     reference: "an example",
///     ..Entry::parsed_by(|arguments| Ok(Arc::new(AtMost { c: arguments.whole(0)? })))
/// };
///
/// impl Principle for AtMost {
///     fn entry(&self) -> &'static Entry {
///         &ENTRY
///     }
///     fn notation(&self) -> String {
///         format!("at-most({})", self.c)
///     }
///     fn bind(&self, _domain: &Domain, _whole: &Bag) -> Result<Box<dyn Test>> {
///         Ok(Box::new(*self))
///     }
/// }
///
/// impl Test for AtMost {
///     fn holds(&self, group: &Bag) -> bool {
///         group.size() > 0 && u64::from(group.top()) <= self.c
///     }
///     fn attained(&self, group: &Bag) -> Attained {
///         // Fewer is safer.
///         Attained::new(u64::MAX - u64::from(group.top()), vec![("c", group.top().to_string())])
///     }
/// }
///
/// register(&ENTRY)?;
/// let requirement: Requirement = "illness: at-most( 2 )".parse()?;
/// assert_eq!(requirement.to_string(), "illness: at-most(2)");
/// assert_eq!(requirement.get::<AtMost>().map(|principle| principle.c), Some(2));
/// # Ok::<(), scumble_table::Error>(())
/// ```
pub trait Principle: Any + Debug + Send + Sync {
    /// What the catalogue says about it.
    fn entry(&self) -> &'static Entry;

    /// The canonical notation, such as `t-closeness(0.2, ordered)`. Requirements with the same notation are equal, and reading
    /// it gives the same principle again.
    fn notation(&self) -> String;

    /// Ties the principle to a sensitive column: the values behind its codes and how often each
    /// occurs in the whole release. Fails where the column cannot be judged this way.
    fn bind(&self, domain: &Domain, whole: &Bag) -> Result<Box<dyn Test>>;

    /// The notation with the parameters nearest to these that `attained` vouches for; `None` where
    /// no parameter will do. What it returns holds for every group that attains this much.
    fn nearest(&self, attained: &Attained) -> Option<String> {
        let _ = attained;
        None
    }

    /// The requirements nearest to this one that the rows do allow, in notation, each a way out by
    /// itself. `best` is what the best division of the rows attains, see [`Test::best`]; `columns` holds the bag of all rows of
    /// each column that the requirement is about.
    fn alternatives(&self, best: &Attained, columns: &[&Bag]) -> Vec<String> {
        let _ = columns;
        self.nearest(best).into_iter().collect()
    }

    /// Why a table that only attains this much falls short, in plain words. It may speak of shares
    /// and counts but never of a sensitive value itself.
    fn reason(&self, attained: &Attained, column: &str) -> String {
        let figures: Vec<String> = attained.figures.iter().map(|(name, text)| format!("{name} {text}")).collect();
        format!("all rows together attain only {} in `{column}`", figures.join(", "))
    }

    /// What the requirement promises and what it does not, for the readers of a release. Without words the report names the
    /// requirement as it stands.
    fn plain_words(&self, subject: &Subject<'_>) -> Option<PlainWords> {
        let _ = subject;
        None
    }

    /// False where only the size of a group matters. Such a principle is bound once, to no column at all, and its test says the
    /// same of [`Test::needs_values`].
    fn needs_values(&self) -> bool {
        true
    }

    /// True if the principle asks how many values there are, or how often each occurs, so that it can only become stricter when
    /// values are merged. Labels that differ only by look are then one value.
    ///
    /// A greatest share rises, and so does the share of the most frequent l - 1 values, while the number of values and
    /// their entropy fall. `t-closeness` is the other way round: it compares two distributions, and merging values in both can
    /// only bring them together (by equal distance; by others it may go either way). It is judged on labels as
    /// they are published. `dissimilarity` has a distance that says what is near.
    fn counts_values(&self) -> bool {
        false
    }

    /// True if the principle can be put to a group without its missing values, where the publisher asks for that: those of
    /// diversity and closeness, which ask how values are spread, and nothing about who is there.
    fn can_ignore_missing(&self) -> bool {
        false
    }

    /// The least number of people of a group, where the principle states one. Tables that show quasi-identifiers apart from
    /// groups keep it too.
    fn least_people(&self) -> Option<u64> {
        None
    }

    /// Which numbers the principle calls near a number, and m, where at most 1/m of a group may be near. Its test then has a
    /// [`Test::neighbourhood`].
    fn proximity(&self) -> Option<(Near, u64)> {
        None
    }

    /// What it asks of the box of every group against the population, where it asks nothing of the values in a group. Its test is then one of size
    /// alone that every group passes.
    fn population(&self) -> Option<PopulationDemand> {
        None
    }

    /// Which kind of search meets it.
    fn search(&self) -> Search {
        match self.proximity() {
            Some(_) => Search::Proximity,
            None => Search::General,
        }
    }

    /// A stricter principle such that mixtures of groups need no care where every group meets it; `None` where there is none.
    /// Only asked of principles that are not monotone.
    fn stricter(&self, form: Stricter) -> Option<Arc<dyn Principle>> {
        let _ = form;
        None
    }
}

/// The kind of search that finds groups for a principle.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Search {
    /// Any search that tests each group. One that joins or cuts groups needs a monotone principle.
    General,
    /// One that keeps near numbers apart: the test has a [`Test::neighbourhood`].
    Proximity,
    /// One that colours a graph of near values: the test is a [`Test::dissimilarity`].
    Dissimilarity,
    /// One along the order of numbers, for (k, e)-anonymity.
    KeAnonymity,
}

/// How to ask so much of every group that mixtures of groups meet a principle that is not monotone.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Stricter {
    /// Half the share of near values.
    HalfShare,
    /// A neighbourhood so wide that the original one holds no two members.
    Wider,
    /// A monotone principle that implies this one.
    Monotone,
}

/// The refusal of a column whose kind a principle cannot judge; `instead` says what to ask of such a column.
pub(crate) fn wrong_kind(notation: String, needs: &str, domain: &Domain, instead: &str) -> Error {
    Error::request("requirement", notation, format!("{needs}, and the column is {}", domain.kind()))
        .hint(format!("if all its values are numbers, say so with «type» COLUMN=number; {instead}"))
}

/// A principle with checked parameters, as requirements hold it.
pub(crate) fn shared(principle: Result<impl Principle>) -> Result<Arc<dyn Principle>> {
    Ok(Arc::new(principle?))
}
