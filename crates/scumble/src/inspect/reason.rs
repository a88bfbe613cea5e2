//! Why a role is proposed for a column.

use serde::{Serialize, Serializer};
use std::fmt;

/// Why a role is proposed; displayed and serialized as words.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Reason {
    /// One value.
    Constant,
    /// No value.
    Empty,
    /// Values that have no text.
    NoText,
    /// Its name is of what people keep to themselves: money, beliefs, health.
    SecretName,
    /// Its name is of what names people.
    IdentifyingName,
    /// Its name is of what others commonly know of a person.
    CommonlyKnown,
    /// Nothing speaks for or against others knowing it.
    MayBeKnown,
    /// Nearly every row has a value of its own.
    NearlyAllDifferent,
    /// The caller named it as saying whose row it is.
    GivenAsPerson,
    /// Its name is of what says whose row it is.
    PersonName,
    /// Other columns are the same in all rows of each of its values, as facts of a person are.
    KeyByData,
    /// Its texts look like codes of diagnoses.
    DiagnosisCodes,
    /// It names people, and repeats.
    RepeatingName,
    /// Its name and numbers are those of a survey weight.
    SurveyWeight,
    /// Long texts, seldom written twice.
    FreeText,
    /// Times of day.
    TimesOfDay,
    /// Times of day without a day.
    ClockTimes,
    /// Numbers in another notation.
    DecimalComma {
        /// Whether its name is of what people keep to themselves.
        secret: bool,
    },
    /// Dates in another notation.
    OtherDates,
    /// Most rows have a label that hardly anybody has.
    RareLabels {
        /// Fewer people than these are hardly anybody.
        k: u64,
    },
    /// Others tell what it tells.
    Copy {
        /// The column that tells it too.
        of: String,
        /// Whether each tells all that the other tells.
        one_to_one: bool,
    },
    /// There are more quasi-identifiers than a search takes.
    TooMany {
        /// The number that a search takes.
        most: usize,
    },
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Reason::Constant => "it has the same value in every row",
            Reason::Empty => "it is empty",
            Reason::NoText => {
                "passed over: its values are lists or the like, or bytes, which cannot be published"
            }
            Reason::SecretName => "its name suggests what people keep to themselves",
            Reason::IdentifyingName => "its name suggests that it names people",
            Reason::CommonlyKnown => "others commonly know it of a person",
            Reason::MayBeKnown => "others may know it of a person",
            Reason::NearlyAllDifferent => "nearly every row has a value of its own",
            Reason::GivenAsPerson => "it was named as saying whose row it is",
            Reason::PersonName => "its name suggests that it says whose row it is",
            Reason::KeyByData => "what other columns say of people is the same in all rows of each value, as of a key",
            Reason::DiagnosisCodes => "its texts look like codes of diagnoses (ICD), which people keep to themselves",
            Reason::RepeatingName => "it names people and repeats, and rows of one name count as one person",
            Reason::SurveyWeight => "it looks like a survey weight: of no use to readers of groups, and telling who is who",
            Reason::FreeText => "it looks like free text, which can name anybody",
            Reason::TimesOfDay => "it has times of day, which point at rows; write the days alone, and they could be quasi",
            Reason::ClockTimes => "it has times of day, which point at rows; coarser ones, such as morning, could be quasi",
            Reason::DecimalComma { secret: false } => {
                "it looks like numbers with a decimal comma; written as 1234.5 they could be quasi"
            }
            Reason::DecimalComma { secret: true } => {
                "it looks like numbers with a decimal comma; written as 1234.5 they could be sensitive"
            }
            Reason::OtherDates => "it looks like dates in another notation; written as 1999-12-31 they could be quasi",
            Reason::RareLabels { k } => {
                return write!(f, "most rows have a label that fewer than {k} have; with a hierarchy it could be quasi");
            }
            Reason::Copy { of, one_to_one: true } => return write!(f, "it says the same as `{of}`"),
            Reason::Copy { of, one_to_one: false } => return write!(f, "it says less than `{of}`"),
            Reason::TooMany { most } => {
                return write!(
                    f,
                    "it could be quasi, but a search takes {most} such columns at most; drop another, and call this one quasi"
                );
            }
        })
    }
}

impl Serialize for Reason {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}
