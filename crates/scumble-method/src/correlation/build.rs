//! From a table to a conditional hierarchy of one of its columns.

use super::bins::{Bins, FOCUSED_BINS};
use super::contexts::{ContextRows, Division, contexts, valued};
use super::crosstab::Crosstab;
use super::measures::{Measure, cramers_v, dependency, nmi, pearson, spearman};
use super::nesting::{LevelCuts, Nested, Sizes, common, nest, under};
use super::{paper, texts};
use rayon::prelude::*;
use scumble_table::{ConditionalHierarchy, Cuts, Error, HierarchyContext, Monitor, NULL, Result, Table};

/// How many intervals the finest common level has where nothing is said: the three parts of the paper's conventional
/// split.
pub const DEFAULT_GROUPS: u64 = 3;

/// How contexts are found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Algorithm {
    /// By minimum description length, with optimal cuts. The default.
    Mdl,
    /// The paper's algorithm 4: by the strongest attribute, adjusted by all others.
    Paper,
}

/// What is wanted.
#[derive(Debug, Clone, Copy)]
pub struct Task<'a> {
    /// The microdata.
    pub table: &'a Table,
    /// Position of the column that gets a hierarchy.
    pub focused: usize,
    /// Positions of the columns that contexts may ask about; the first named wins a tie.
    pub given: &'a [usize],
    /// Rows that an interval must stand for.
    pub least: u64,
    /// How many intervals the finest common level is to have, about.
    pub groups: u64,
    /// How correlation is measured.
    pub measure: Measure,
    /// How contexts are found.
    pub algorithm: Algorithm,
    /// Stops the work.
    pub monitor: Monitor<'a>,
}

/// How a given column goes with the focused one.
#[derive(Debug, Clone, PartialEq)]
pub struct Correlation {
    /// Position of the column.
    pub column: usize,
    /// The measure; `None` where it is not defined for such columns.
    pub value: Option<f64>,
    /// Rows by bin of the focused (down) and the given column (across).
    pub table: Crosstab,
    /// The bins of the focused column, in words.
    pub down: Vec<String>,
    /// The bins of the given column, in words.
    pub across: Vec<String>,
}

/// A level of a ladder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LevelFacts {
    /// Where it is cut.
    pub cuts: Cuts,
    /// Rows of each interval.
    pub rows: Vec<u64>,
}

/// A context with its own levels.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BuiltContext {
    /// The conditions on its rows.
    pub context: HierarchyContext,
    /// Rows with a focused value.
    pub rows: u64,
    /// Its own levels and then the common ones, fine to coarse, with its rows.
    pub levels: Vec<LevelFacts>,
}

/// A hierarchy, and how it came about.
#[derive(Debug, Clone, PartialEq)]
pub struct Built {
    /// The hierarchy; without contexts where nothing divides the rows.
    pub hierarchy: ConditionalHierarchy,
    /// One for each given column, in their order.
    pub correlations: Vec<Correlation>,
    /// How each given column would have divided the table; empty for [`Algorithm::Paper`], which does not ask.
    pub divisions: Vec<Division>,
    /// The contexts, with counts.
    pub contexts: Vec<BuiltContext>,
    /// The levels of people in no context, over all rows.
    pub common: Vec<LevelFacts>,
    /// Rows with a focused value that are in no context.
    pub outside: u64,
}

impl Task<'_> {
    /// Builds the hierarchy.
    ///
    /// # Errors
    /// If the focused column has no order or too few rows, or the measure is defined for none of the given ones.
    pub fn build(&self) -> Result<Built> {
        self.monitor.check()?;
        self.monitor.conclude(self.built())
    }

    fn built(&self) -> Result<Built> {
        let attribute = self.table.attribute(self.focused);
        if !attribute.domain.kind().is_ordered() {
            let reason = "its values are nominal, and intervals need an order";
            return Err(Error::request("for", &attribute.name, reason).hint(format!(
                "give their order with «order» {0}=FILE, or build a plain hierarchy without «given»",
                attribute.name
            )));
        }
        let mut whole = self.table.column(self.focused).histogram(attribute.domain.n_codes());
        whole[NULL as usize] = 0;
        self.check_rows(whole.iter().sum())?;
        let correlations = self.correlations()?;
        let sizes = Sizes { least: self.least, groups: self.groups.max(1) };
        let (leaves, histograms, nested, divisions) = match self.algorithm {
            Algorithm::Mdl => {
                let found = contexts(self.table, self.focused, self.given, self.least, self.monitor);
                let histograms: Vec<Vec<u64>> = found.leaves.par_iter().map(|leaf| self.histogram(leaf)).collect();
                let nested = nest(&whole, &histograms, sizes, self.monitor);
                (found.leaves, histograms, nested, found.divisions)
            }
            Algorithm::Paper => {
                let common = common(&whole, sizes, self.monitor);
                let shared: LevelCuts = common.first().cloned().unwrap_or_default();
                let order = self.strongest_first(&correlations)?;
                let found = paper::contexts(self.table, self.focused, &order, &shared, self.least, self.monitor);
                if found.is_empty() {
                    return Err(self.too_few(order[0]));
                }
                let finest = found.iter().map(|context| context.cuts.clone()).collect();
                let histograms: Vec<Vec<u64>> = found.iter().map(|context| context.histogram.clone()).collect();
                let nested = under(common, &histograms, finest, self.least, self.monitor);
                (found.into_iter().map(|context| context.context).collect(), histograms, nested, Vec::new())
            }
        };
        Ok(self.put_together(&whole, &leaves, &histograms, nested, correlations, divisions))
    }

    /// Two contexts need twice the least count each; in the paper's way once.
    fn check_rows(&self, rows: u64) -> Result<()> {
        let (name, times) =
            (&self.table.attribute(self.focused).name, if self.algorithm == Algorithm::Mdl { 4 } else { 2 });
        if self.least == 0 {
            return Err(Error::request("min_count", "0", "an interval must stand for at least one row"));
        }
        if rows == 0 {
            return Err(Error::request("for", name, "the column has no value at all"));
        }
        if rows < self.least.saturating_mul(times) {
            let reason = format!("the {rows} rows with a value of `{name}` are too few for two contexts");
            let hint = match rows / times {
                0 => format!("{times} rows at least are needed"),
                most => format!("at most {most} can be asked for"),
            };
            return Err(Error::request("min_count", self.least.to_string(), reason).hint(hint));
        }
        Ok(())
    }

    fn too_few(&self, column: usize) -> Error {
        let reason = format!(
            "no value of `{}`, which goes most strongly with `{}`, has so many rows, so there is no context",
            self.table.attribute(column).name,
            self.table.attribute(self.focused).name
        );
        Error::request("min_count", self.least.to_string(), reason).hint("ask for fewer rows")
    }

    fn histogram(&self, leaf: &ContextRows) -> Vec<u64> {
        let n_codes = self.table.attribute(self.focused).domain.n_codes();
        valued(self.table.column(self.focused), &leaf.rows, n_codes)
    }

    fn correlations(&self) -> Result<Vec<Correlation>> {
        let (f, f_domain) = (self.table.column(self.focused), &self.table.attribute(self.focused).domain);
        let f_bins = Bins::equal_frequency(&f.histogram(f_domain.n_codes()), FOCUSED_BINS);
        let correlation = |&column: &usize| {
            self.monitor.check()?;
            let (q, domain) = (self.table.column(column), &self.table.attribute(column).domain);
            let bins = Bins::given(domain, &q.histogram(domain.n_codes()));
            let table = Crosstab::count((f, &f_bins), (q, &bins), None);
            let value = match self.measure {
                Measure::Nmi => Some(nmi(&table)),
                Measure::CramersV => Some(cramers_v(&table)),
                Measure::Dependency => Some(dependency(&table)),
                Measure::Pearson => pearson((f, f_domain), (q, domain)),
                Measure::Spearman => spearman((f, f_domain), (q, domain)),
            };
            let named = |bins: &Bins, domain| bins.parts().iter().map(|part| texts::part(part, domain)).collect();
            Ok(Correlation { column, value, table, down: named(&f_bins, f_domain), across: named(&bins, domain) })
        };
        self.given.par_iter().map(correlation).collect()
    }

    /// The given columns by falling strength, whatever its sign; those without one come last.
    fn strongest_first(&self, correlations: &[Correlation]) -> Result<Vec<usize>> {
        if correlations.iter().all(|correlation| correlation.value.is_none()) {
            let reason = "it is defined for none of the given columns, so none is the strongest";
            return Err(Error::request("correlation", self.measure.name(), reason)
                .hint("it needs columns with an order; take nmi, cramers-v or dependency"));
        }
        let mut order: Vec<&Correlation> = correlations.iter().collect();
        let strength = |correlation: &Correlation| correlation.value.map_or(-1.0, f64::abs);
        order.sort_by(|a, b| strength(b).total_cmp(&strength(a)));
        Ok(order.into_iter().map(|correlation| correlation.column).collect())
    }

    fn put_together(
        &self,
        whole: &[u64],
        leaves: &[ContextRows],
        histograms: &[Vec<u64>],
        mut nested: Nested,
        correlations: Vec<Correlation>,
        divisions: Vec<Division>,
    ) -> Built {
        let attribute = self.table.attribute(self.focused);
        let domain = &attribute.domain;
        let n_context_levels = nested.contexts.first().map_or(0, Vec::len);
        let divided = leaves.len() > 1 || leaves.first().is_some_and(|leaf| !leaf.when.is_empty());
        // One context of everybody is no context: its levels are those of all.
        if !divided && let Some(own) = nested.contexts.pop() {
            nested.common.splice(0..0, own);
        }
        if nested.common.is_empty() {
            nested.common.push(LevelCuts::new());
        }
        let facts = |cuts: &LevelCuts, histogram: &[u64]| LevelFacts {
            cuts: texts::cut_texts(cuts, domain),
            rows: interval_rows(cuts, histogram),
        };
        let common: Vec<LevelFacts> = nested.common.iter().map(|cuts| facts(cuts, whole)).collect();
        let mut contexts = Vec::new();
        // Contexts whose levels are all common would ask without need.
        if divided && n_context_levels > 0 {
            for ((leaf, histogram), own) in leaves.iter().zip(histograms).zip(&nested.contexts) {
                let levels = own.iter().map(|cuts| texts::cut_texts(cuts, domain)).collect();
                contexts.push(BuiltContext {
                    context: HierarchyContext { when: texts::conditions(&leaf.when, self.table), levels },
                    rows: histogram.iter().sum(),
                    levels: own.iter().chain(&nested.common).map(|cuts| facts(cuts, histogram)).collect(),
                });
            }
        }
        let inside: u64 = contexts.iter().map(|context| context.rows).sum();
        let hierarchy = ConditionalHierarchy {
            column: attribute.name.clone(),
            common: common.iter().map(|level| level.cuts.clone()).collect(),
            contexts: contexts.iter().map(|context| context.context.clone()).collect(),
        };
        let outside = if contexts.is_empty() { 0 } else { whole.iter().sum::<u64>() - inside };
        Built { hierarchy, correlations, divisions, contexts, common, outside }
    }
}

/// Rows of every interval.
pub(crate) fn interval_rows(cuts: &[u32], histogram: &[u64]) -> Vec<u64> {
    let mut first = 1;
    let last = histogram.len() - 1;
    let ends = cuts.iter().map(|&cut| cut as usize).chain([last]);
    ends.map(|end| {
        let rows = histogram[first..=end].iter().sum();
        first = end + 1;
        rows
    })
    .collect()
}
