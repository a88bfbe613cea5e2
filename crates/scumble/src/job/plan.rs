//! A job with every default decided.

use super::{
    Aim, Algorithm, Column, ColumnRole, Columns, Intervals, Job, Method, Mixtures, Profile, Publish, SuppressedRows,
};
use crate::mixtures::MixtureStrategy;
use scumble_io::{AnyHierarchy, FromFile};
use scumble_principle::{Dissimilarity, LoadedDistance, Requirement, Search};
use scumble_release::{BoxKind, LedgerWord, TableFormat};
use scumble_rules::Rules;
use scumble_table::{Decimal, Error, Result};
use std::time::Duration;

/// How long groups are sought under `dissimilarity` where nothing is said. Half a million rows take seconds; what is
/// not found in a quarter of an hour has little hope.
pub(crate) const TIME_LIMIT: Duration = Duration::from_secs(15 * 60);

/// What is to be made, with nothing left to decide. It has been checked as far as that goes without data.
#[derive(Debug, Clone)]
pub struct Plan {
    /// What stands for the data in messages.
    pub data: String,
    /// Columns with a role, in the order they are published.
    pub columns: Columns,
    /// What is done to records before anything else.
    pub rules: Rules,
    /// The file of the population, where one is named, for messages.
    pub population: Option<String>,
    /// Whether the publisher says that every row is a person of its own.
    pub rows_are_people: bool,
    /// Nominal quasi-identifiers whose labels may be listed in sets, however few people have each.
    pub allow_sets: Vec<String>,
    /// Kept columns that the publisher judges harmless.
    pub accept_keep: Vec<String>,
    /// Whether the publisher accepts that people are in earlier releases.
    pub accept_overlap: bool,
    /// What the release says of a ledger that is asked for people who are in earlier releases, where one is: no more than that part
    /// of them was compared, until the ledger says more.
    pub ledger: Option<LedgerWord>,
    /// What every group must satisfy.
    pub requirements: Vec<Requirement>,
    /// The form of the release.
    pub method: Method,
    /// How groups are found.
    pub algorithm: Algorithm,
    /// The algorithm that was named, where one was.
    pub named_algorithm: Option<Algorithm>,
    /// What groups are to be good for under a proximity requirement.
    pub aim: Aim,
    /// The aim that was named, where one was.
    pub named_aim: Option<Aim>,
    /// What boxes tell about their ends.
    pub boxes: BoxKind,
    /// The kind of boxes that was named, where one was.
    pub named_boxes: Option<BoxKind>,
    /// Whether several sensitive columns are permuted as one, in the same groups, instead of each in groups of its own.
    pub together: bool,
    /// How many people share every box of an angel release, and of no other; what the requirements ask where nothing was said.
    pub angel_k: Option<u64>,
    /// The number that was named, where one was.
    pub named_angel_k: Option<u64>,
    /// Sets of quasi-identifiers that get a table of their own in an angel release.
    pub marginals: Vec<Vec<String>>,
    /// How many people the tables of an angel release must leave everybody among, joined by batch.
    pub join_k: Option<u64>,
    /// What is done about people whose quasi-identifiers are known, but not their group.
    pub mixtures: Mixtures,
    /// The only way that is tried to hold mixtures; all of them when not given.
    pub mixture_way: Option<MixtureStrategy>,
    /// How far apart sensitive values are, for `dissimilarity`.
    pub distance: Option<LoadedDistance>,
    /// How long groups may be sought under `dissimilarity`.
    pub time_limit: Duration,
    /// The greatest share of rows that may be suppressed.
    pub max_suppressed: Decimal,
    /// How much chance protects the choices.
    pub profile: Profile,
    /// Coins that can be tossed again; secret ones when not given.
    pub seed: Option<u64>,
    /// What generalized numbers, dates and ordered labels are in the tables.
    pub intervals: Intervals,
    /// The way to show them that was named, where one was.
    pub named_intervals: Option<Intervals>,
    /// What becomes of suppressed rows.
    pub suppressed: SuppressedRows,
    /// Take the seed even where coins are all that hides whose values are whose.
    pub insecure_seed: bool,
}

impl Plan {
    /// Decides what a job leaves open, takes the matrices that its distance names, and refuses what contradicts itself.
    ///
    /// # Errors
    /// Names the field, the value and what would be accepted.
    pub fn new(job: &Job) -> Result<Plan> {
        let plan = Plan::unchecked(job)?;
        plan.check()?;
        if let (Some(seconds), false) = (job.publish.time_limit, plan.about_dissimilarity()) {
            let reason = "only a search under `dissimilarity` takes it";
            return Err(Error::request("time_limit", seconds.to_string(), reason).hint("leave «time_limit» out"));
        }
        Ok(plan)
    }

    /// The same without the check.
    fn unchecked(job: &Job) -> Result<Plan> {
        let asked = &job.publish;
        let data = job.input.path.as_ref().map_or_else(|| "the data".into(), |path| path.display().to_string());
        let mut plan = Plan {
            data,
            columns: job.columns.clone(),
            rules: job.rules.clone(),
            population: job.input.population.as_ref().map(|path| path.display().to_string()),
            rows_are_people: asked.rows_are_people,
            allow_sets: asked.allow_sets.clone(),
            accept_keep: asked.accept_keep.clone(),
            accept_overlap: asked.accept_overlap,
            ledger: job.output.ledger.as_ref().map(|_| LedgerWord::Partly),
            requirements: asked.require.clone(),
            method: asked.method.unwrap_or(Method::Generalize),
            algorithm: Algorithm::Mondrian,
            named_algorithm: asked.algorithm,
            aim: asked.aim.unwrap_or_default(),
            named_aim: asked.aim,
            boxes: BoxKind::Minimal,
            named_boxes: asked.boxes,
            together: asked.together,
            angel_k: None,
            named_angel_k: asked.angel_k,
            marginals: asked.marginal.clone(),
            join_k: asked.join_k,
            mixtures: asked.mixtures.unwrap_or_default(),
            mixture_way: asked.mixture_way,
            distance: asked.distance.as_ref().map(|distance| job.matrices.of_distance(distance)).transpose()?,
            time_limit: asked.time_limit.map_or(TIME_LIMIT, Duration::from_secs),
            max_suppressed: asked.max_suppressed.unwrap_or(Decimal::ZERO),
            profile: asked.profile.unwrap_or_default(),
            seed: asked.seed,
            intervals: Intervals::Text,
            named_intervals: job.output.intervals,
            suppressed: job.output.suppressed.unwrap_or_default(),
            insecure_seed: asked.insecure_seed,
        };
        plan.method = plan.default_method(asked.method);
        plan.decide();
        let typed = job.output.format == Some(TableFormat::Parquet) && plan.takes_interval_columns();
        plan.intervals = plan.named_intervals.unwrap_or(if typed { Intervals::Columns } else { Intervals::Text });
        Ok(plan)
    }

    /// True if intervals may be shown by their ends: where the whole domain and `*` look alike, more people may be behind a
    /// box, which some requirements are about.
    pub(crate) fn takes_interval_columns(&self) -> bool {
        let about_boxes = self.requirements.iter().any(|one| one.principle().population().is_some());
        !self.method.is_exact() && !self.holds_mixtures() && !about_boxes
    }

    /// The same with other requirements, and another algorithm where one is named; both are decided anew.
    #[must_use]
    pub(crate) fn with_requirements(&self, requirements: Vec<Requirement>, algorithm: Option<Algorithm>) -> Plan {
        let mut plan = Plan { requirements, named_algorithm: algorithm, ..self.clone() };
        plan.decide();
        plan
    }

    /// The same where no aim was named.
    #[must_use]
    pub(crate) fn without_aim(self) -> Plan {
        Plan { aim: Aim::default(), named_aim: None, ..self }
    }

    /// The same without one requirement, and with boxes that as many people share as before.
    #[must_use]
    pub(crate) fn without_requirement(&self, at: usize) -> Plan {
        let mut requirements = self.requirements.clone();
        requirements.remove(at);
        let mut plan = Plan { requirements, named_angel_k: self.angel_k, ..self.clone() };
        plan.decide();
        if !plan.about_dissimilarity() {
            plan.distance = None;
        }
        plan
    }

    /// The options of a job with what was decided in the place of what was asked.
    pub(crate) fn decided(&self, asked: Publish) -> Publish {
        Publish {
            method: Some(self.method),
            algorithm: Some(self.algorithm),
            profile: Some(self.profile),
            angel_k: self.angel_k,
            max_suppressed: Some(self.max_suppressed),
            ..asked
        }
    }

    /// Decides what follows from method and requirements.
    fn decide(&mut self) {
        self.angel_k = match self.method {
            Method::Angel => self.named_angel_k.or(self.required_k()),
            _ => None,
        };
        self.algorithm = self.named_algorithm.unwrap_or_else(|| self.default_algorithm());
        let boxed = matches!(self.method, Method::Generalize | Method::Angel);
        self.boxes = match (self.named_boxes, self.profile) {
            _ if !boxed => BoxKind::Minimal,
            (Some(named), _) => named,
            (None, Profile::Hardened) => BoxKind::Rounded,
            (None, Profile::Standard | Profile::MaxUtility) => BoxKind::Minimal,
        };
    }

    /// (k, e)-anonymity alone is about numbers that are permuted, and a conditional hierarchy about levels that are the same
    /// for all.
    fn default_method(&self, named: Option<Method>) -> Method {
        let levels = self.named_algorithm == Some(Algorithm::FullDomain) || self.conditional().next().is_some();
        if levels && matches!(named, None | Some(Method::Generalize)) {
            return Method::FullDomain;
        }
        let ke = |requirement: &Requirement| requirement.principle().search() == Search::KeAnonymity;
        let only_ke = !self.requirements.is_empty() && self.requirements.iter().all(ke);
        named.unwrap_or(if only_ke { Method::Permute } else { Method::Generalize })
    }

    fn default_algorithm(&self) -> Algorithm {
        // Boxes of groups along the sensitive numbers would be as wide as the table.
        let exact = self.method.is_exact() && self.max_suppressed == Decimal::ZERO;
        match self.method {
            Method::FullDomain => Algorithm::FullDomain,
            Method::Angel => Algorithm::Angel,
            _ if self.about_dissimilarity() => Algorithm::Xcolor,
            _ if self.about_proximity() => Algorithm::Proximity,
            _ if exact && self.is_searched_by(Search::KeAnonymity) => Algorithm::ExpectedWidth,
            Method::Anatomy if exact => Algorithm::Angel,
            _ => Algorithm::Mondrian,
        }
    }

    /// The number of people that the requirements ask of every group.
    pub(crate) fn required_k(&self) -> Option<u64> {
        let required = self.requirements.iter().filter_map(|requirement| requirement.principle().least_people());
        required.max()
    }

    /// The number of people that a group, or a box, is asked to have.
    pub(crate) fn asked_k(&self) -> Option<u64> {
        self.required_k().max(self.angel_k)
    }

    /// True if every row shows its exact quasi-identifiers: by the method, or in boxes of one.
    pub(crate) fn shows_exact_rows(&self) -> bool {
        self.method.is_exact() || self.angel_k == Some(1)
    }

    /// True if a requirement is about proximity that groups may fail together, which takes a search of its own. A
    /// `proximity-window` is none of them.
    pub fn about_proximity(&self) -> bool {
        self.is_searched_by(Search::Proximity)
    }

    /// True if a requirement is `dissimilarity`, which takes a distance and a search of its own.
    pub fn about_dissimilarity(&self) -> bool {
        self.is_searched_by(Search::Dissimilarity)
    }

    /// True if a requirement takes this kind of search.
    fn is_searched_by(&self, search: Search) -> bool {
        self.requirements.iter().any(|requirement| requirement.principle().search() == search)
    }

    /// True if mixtures of groups are to hold what some requirement allows in a group.
    pub(crate) fn holds_mixtures(&self) -> bool {
        self.mixtures == Mixtures::Hold && (self.about_proximity() || self.about_dissimilarity())
    }

    /// True if each sensitive column is to have groups of its own.
    pub fn groups_per_column(&self) -> bool {
        // A requirement that takes the sensitive columns as one value has them move as one.
        let composite = |one: &Requirement| one.column.is_none() && one.is::<Dissimilarity>();
        self.method == Method::Permute
            && !self.together
            && !self.requirements.iter().any(composite)
            && self.named(ColumnRole::Sensitive).count() > 1
    }

    /// Columns whose hierarchy is a conditional one.
    pub(crate) fn conditional(&self) -> impl Iterator<Item = (&str, &Column, &FromFile<AnyHierarchy>)> + '_ {
        let files = self.columns.iter().filter_map(|(name, column)| {
            let file = column.hierarchy.as_ref()?;
            Some((name.as_str(), column, file))
        });
        files.filter(|(_, _, file)| file.is_conditional())
    }

    /// A column by name.
    pub(crate) fn column(&self, name: &str) -> Option<&Column> {
        self.columns.iter().find(|(known, _)| known == name).map(|(_, column)| column)
    }

    /// Names of the columns with a role, in their order.
    pub fn named(&self, role: ColumnRole) -> impl Iterator<Item = &str> + '_ {
        self.columns.iter().filter(move |(_, column)| column.role == Some(role)).map(|(name, _)| name.as_str())
    }
}
