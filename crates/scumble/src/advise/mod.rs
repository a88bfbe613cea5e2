//! Which epsilon goes with which m on a column of sensitive numbers, and which delta with which epsilon and k under any
//! distance.
//!
//! Advice is for the publisher's eyes only: the bounds tell gaps between the numbers of people, so nothing of it belongs
//! into a release.

mod by_person;
mod choices;
mod curve;
mod dissimilarity;
mod page;

pub use choices::{
    Choice, ChoiceRequest, Choices, OF_CHANCES, PrincipleChoice, SampleFacts, THRESHOLDS, TrialFigures, UsedThreshold,
    Widths, WithoutAdvice, advise_choices, choice_heading, choice_rows,
};
pub use curve::{AtEpsilon, Curve};
pub use dissimilarity::{
    AtDistance, AtK, ClassFacts, CliqueFacts, DissimilarityAdvice, DissimilarityRequest, Reach, Status,
    advise_dissimilarity,
};

use crate::context::Context;
use by_person::PeopleNumbers;
use curve::{bounds, curve, largest_m};
use scumble_principle::{Near, Parameter, entry};
use scumble_table::{Bag, Decimal, Domain, Error, Kind, Monitor, NULL, Result, Table};
use serde::Serialize;

/// What is asked of a column. With an epsilon the answer has the largest m, with an m the largest epsilons, with both
/// whether the two go together, with neither the trade-off between them.
#[derive(Debug, Clone)]
pub struct AdviseRequest {
    /// The sensitive column.
    pub sensitive: String,
    /// An epsilon of `proximity-absolute`.
    pub epsilon: Option<Decimal>,
    /// An epsilon of `proximity-relative`; at most one of the two can be asked about.
    pub relative: Option<Decimal>,
    /// An m.
    pub m: Option<u64>,
    /// Tell the trade-off together with the answer to a question.
    pub curve: bool,
}

impl AdviseRequest {
    /// Asks for the trade-off on a column.
    pub fn new(sensitive: impl Into<String>) -> Self {
        AdviseRequest { sensitive: sensitive.into(), epsilon: None, relative: None, m: None, curve: false }
    }

    /// Refuses what can be refused without data. [`advise`] does this too; who reads data for it may ask before.
    ///
    /// # Errors
    /// If something is out of range, or two things do not go together.
    pub fn check(&self) -> Result<()> {
        in_range("epsilon", "proximity-absolute", 0, self.epsilon)?;
        in_range("relative", "proximity-relative", 0, self.relative)?;
        in_range("m", "proximity-absolute", 1, self.m.map(|m| Decimal::new(m.into(), 0)))?;
        match (self.epsilon, self.relative) {
            (Some(_), Some(relative)) => {
                Err(Error::request("relative", relative.to_string(), "it does not go with «epsilon»")
                    .hint("ask about one of them at a time"))
            }
            _ => Ok(()),
        }
    }
}

/// A parameter must be in the range that its principle gives it.
fn in_range(field: &str, principle: &str, at: usize, value: Option<Decimal>) -> Result<()> {
    let parameter: Option<&Parameter> = entry(principle).and_then(|entry| entry.parameters.get(at));
    match (value, parameter) {
        (Some(value), Some(parameter)) if !parameter.range.admits(value) => {
            Err(Error::request(field, value.to_string(), format!("it must be {}", parameter.range)))
        }
        _ => Ok(()),
    }
}

/// What a column allows. Numbers that are, or stand for, values of the column are exact decimal texts.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Advice {
    /// The column.
    pub column: String,
    /// Rows with a number in it: these are judged.
    pub rows: u64,
    /// Rows without one, which publishing refuses.
    pub missing: u64,
    /// Persons who have a number, where it is known whose rows are whose: these are counted then.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub persons: Option<u64>,
    /// With an epsilon, where people have several rows: the largest m that is certain. `m_max` is then a bound that no grouping
    /// goes beyond, and between the two only a search can tell.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub m_guaranteed: Option<u64>,
    /// False where people have several rows, so that epsilons and `m_max` are bounds that no grouping goes beyond; else they are
    /// exact, which is not written.
    #[serde(skip_serializing_if = "bool::clone")]
    pub exact: bool,
    /// The absolute epsilon that was asked about.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub epsilon: Option<String>,
    /// The relative epsilon that was asked about.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub relative: Option<String>,
    /// With an epsilon: the most rows in a run of sorted numbers whose ends are near each other.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub maxsize: Option<u64>,
    /// With an epsilon: the largest m that goes with it. With an m alone that no epsilon goes with: the largest m of all.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub m_max: Option<u64>,
    /// With an m: the epsilons that go with it.
    #[serde(flatten)]
    pub bounds: Option<Bounds>,
    /// With both: whether they go together; nothing where people have several rows and only a search can tell. With an m alone: false where no epsilon goes with it, else nothing.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub achievable: Option<bool>,
    /// Where that is false: what is nearest.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub nearest: Option<Nearest>,
    /// The trade-off over a grid.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub curve: Option<Curve>,
}

/// The epsilons that go with an m. A supremum is exclusive: every epsilon below it will do, none from it on; it is `None`
/// where every epsilon will do, and 0 where none will.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Bounds {
    /// The m.
    pub m: u64,
    /// The supremum of absolute epsilons.
    pub epsilon_supremum: Option<String>,
    /// The largest usable absolute epsilon at the resolution of the column; `None` where none or every epsilon will do.
    pub epsilon_largest: Option<String>,
    /// The supremum of relative epsilons, rounded down.
    pub relative_supremum: Option<String>,
    /// The same as a fraction, where rounding changed it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub relative_supremum_exact: Option<String>,
    /// A usable relative epsilon just below it; `None` where none or every epsilon will do.
    pub relative_largest: Option<String>,
}

/// The nearest to what cannot be had: a smaller m, or a smaller epsilon.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Nearest {
    /// The largest m for this epsilon; of all where none was asked about.
    pub m: u64,
    /// The largest usable epsilon for this m, of the kind that was asked about; `None` if none is.
    pub epsilon: Option<String>,
    /// As requirements, ready to be asked for.
    pub requirements: Vec<String>,
}

/// Tells which epsilon goes with which m on a column of a table, whatever the grouping.
///
/// ```
/// use scumble::{AdviseRequest, Context, Decimal, Job, Source, advise};
///
/// let data = "pay\n1000\n1010\n1020\n16000\n24000\n31000\n33000\n50000\n";
/// let context = Context::new();
/// let table = Source::reader(data.as_bytes()).read(&Job::new().sensitive(["pay"]).drop_rest(), &context)?;
/// let request = AdviseRequest { epsilon: Decimal::parse("20"), ..AdviseRequest::new("pay") };
/// assert_eq!(advise(&table, &request, &context)?.m_max, Some(2));
/// # Ok::<(), scumble::Error>(())
/// ```
///
/// # Errors
/// If the request is out of range, there is no such column, it is not of numbers, or the work is cancelled.
pub fn advise(table: &Table, request: &AdviseRequest, context: &Context) -> Result<Advice> {
    request.check()?;
    let at = table.schema().position("sensitive", &request.sensitive)?;
    let monitor = context.monitor();
    context.run(|| {
        monitor.check()?;
        let (domain, whole) = (&table.attribute(at).domain, table.column_bag(at));
        check_numbers(&request.sensitive, domain, &whole)?;
        let people = PeopleNumbers::new(table, at);
        let advice = judge(request, domain, &whole, monitor)?;
        by_people(advice, people, table, at)
    })
}

/// The same for people who have several rows: what rows allow is a bound, and what everybody together meets is certain.
fn by_people(advice: Advice, people: Option<PeopleNumbers>, table: &Table, at: usize) -> Result<Advice> {
    let Some(people) = people else {
        let persons = table.persons().map(|_| advice.rows);
        return Ok(Advice { persons, ..advice });
    };
    let epsilon = match (&advice.epsilon, &advice.relative) {
        (Some(epsilon), _) => Some(("proximity-absolute", epsilon)),
        (None, Some(epsilon)) => Some(("proximity-relative", epsilon)),
        (None, None) => None,
    };
    let guaranteed = match (epsilon, advice.maxsize.and(advice.m_max)) {
        (Some((word, epsilon)), Some(most)) => {
            // No group has more people than there are.
            let most = most.min(people.people());
            Some((most, people.guaranteed(table, at, most, |m| format!("{word}({epsilon}, {m})"))?))
        }
        _ => None,
    };
    let asked = advice.bounds.as_ref().map(|bounds| bounds.m);
    let achievable = match (advice.achievable, guaranteed, asked) {
        (Some(false), ..) => Some(false),
        (_, Some((most, _)), Some(m)) if m > most => Some(false),
        (_, Some((_, met)), Some(m)) if m <= met => Some(true),
        _ => None,
    };
    Ok(Advice {
        persons: Some(people.people()),
        m_max: guaranteed.map(|(most, _)| most).or(advice.m_max),
        m_guaranteed: guaranteed.map(|(_, met)| met),
        exact: guaranteed.is_some_and(|(most, met)| most == met),
        achievable,
        ..advice
    })
}

fn check_numbers(name: &str, domain: &Domain, whole: &Bag) -> Result<()> {
    if whole.size() == u64::from(whole.count(NULL)) {
        return Err(Error::data("the data", "there is no number in this column").at(None, Some(name)));
    }
    if domain.kind() != Kind::Number {
        let reason = format!("advice is about numbers, and the column is {}", domain.kind());
        return Err(Error::request("sensitive", name, reason)
            .hint("if a text among its numbers marks a missing one, name it in «null»"));
    }
    Ok(())
}

fn judge(request: &AdviseRequest, domain: &Domain, whole: &Bag, monitor: Monitor<'_>) -> Result<Advice> {
    let missing = u64::from(whole.count(NULL));
    let near = request.epsilon.map(Near::absolute).or(request.relative.map(Near::Relative));
    let at = near.map(|near| largest_m(domain, whole, near));
    let bounds = request.m.map(|m| bounds(domain, whole, m));
    // Where the epsilon is open, it may be 0: then only equal numbers are near.
    let (_, most) = largest_m(domain, whole, Near::absolute(Decimal::ZERO));
    let beyond = at.is_none() && request.m.is_some_and(|m| m > most);
    let m_max = at.map(|(_, m_max)| m_max).or(beyond.then_some(most));
    let achievable = match (at, request.m) {
        (Some((_, m_max)), Some(m)) => Some(m <= m_max),
        _ => beyond.then_some(false),
    };
    let nearest = match (m_max, &bounds, achievable) {
        (Some(m_max), Some(_), Some(false)) if beyond => Some(largest(m_max)),
        (Some(m_max), Some(bounds), Some(false)) => Some(nearest(request, m_max, bounds)),
        _ => None,
    };
    let neither = near.is_none() && request.m.is_none();
    let curve = (neither || request.curve).then(|| curve(domain, whole, monitor)).transpose()?;
    monitor.check()?;
    Ok(Advice {
        column: request.sensitive.clone(),
        rows: whole.size() - missing,
        missing,
        persons: None,
        m_guaranteed: None,
        exact: true,
        epsilon: request.epsilon.map(|epsilon| epsilon.to_string()),
        relative: request.relative.map(|epsilon| epsilon.to_string()),
        maxsize: at.map(|(maxsize, _)| maxsize),
        m_max,
        bounds,
        achievable,
        nearest,
        curve,
    })
}

/// The nearest to an m that goes with no epsilon.
fn largest(m: u64) -> Nearest {
    let requirements = ["absolute", "relative"].map(|kind| format!("proximity-{kind}(0, {m})"));
    Nearest { m, epsilon: None, requirements: requirements.to_vec() }
}

fn nearest(request: &AdviseRequest, m_max: u64, bounds: &Bounds) -> Nearest {
    let (epsilon, word) = match request.relative {
        Some(_) => (&bounds.relative_largest, "proximity-relative"),
        None => (&bounds.epsilon_largest, "proximity-absolute"),
    };
    let asked = request.relative.or(request.epsilon).unwrap_or(Decimal::ZERO).to_string();
    let write = |epsilon: &str, m: u64| format!("{word}({epsilon}, {m})");
    let requirements =
        std::iter::once(write(&asked, m_max)).chain(epsilon.iter().map(|epsilon| write(epsilon, bounds.m)));
    Nearest { m: m_max, epsilon: epsilon.clone(), requirements: requirements.collect() }
}

impl Advice {
    /// The requirement that was asked about, where both an epsilon and an m were.
    pub fn requirement(&self) -> Option<String> {
        let m = self.bounds.as_ref()?.m;
        let word = if self.relative.is_some() { "proximity-relative" } else { "proximity-absolute" };
        let epsilon = self.relative.as_ref().or(self.epsilon.as_ref())?;
        Some(format!("{word}({epsilon}, {m})"))
    }

    /// What is to be said, in words, of an m that goes with no epsilon.
    pub fn beyond(&self) -> Option<String> {
        let (bounds, m_max) = (self.bounds.as_ref()?, self.m_max?);
        let beyond = self.achievable == Some(false) && self.requirement().is_none();
        beyond
            .then(|| format!("m = {} goes with no epsilon, whatever the grouping: the largest m is {m_max}", bounds.m))
    }

    /// The answer as names and values, for people; empty where only the trade-off was asked for.
    pub fn facts(&self) -> Vec<(&'static str, String)> {
        page::facts(self)
    }

    /// A page with the answer and the trade-off, for the publisher's eyes.
    pub fn page(&self) -> String {
        page::page(self)
    }
}

#[cfg(test)]
mod tests;
