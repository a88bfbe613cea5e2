//! What was built, for people and scripts.

use super::words::{interval_labels, least_rows, says};
use scumble_io::AnyHierarchy;
use scumble_method::correlation::{self, Built};
use scumble_table::{
    Attribute, ConditionalHierarchy, ContextCondition, Domain, Hierarchy, HierarchyRule, Is, Monitor, Result, Table,
};
use serde::Serialize;
use std::sync::Arc;

/// Values that are looked up between two looks at a cancellation.
const BLOCK: usize = 1 << 16;

/// All hierarchies of a run.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct BuiltHierarchies {
    /// Rows of the data.
    pub rows: u64,
    /// Rows that an interval must stand for; `None` where nothing was asked for and no context was to be found.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub min_count: Option<u64>,
    /// Whether that was asked for, or is a tenth of the rows.
    #[serde(skip)]
    pub min_count_given: bool,
    /// How correlation was measured, where there were given columns.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub correlation: Option<&'static str>,
    /// How contexts were found, where there were given columns.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub algorithm: Option<&'static str>,
    /// One for each column that was named.
    pub hierarchies: Vec<HierarchyFacts>,
}

impl BuiltHierarchies {
    /// False if the files hold rules alone, which were made without a look at the data.
    pub fn tells_of_data(&self) -> bool {
        self.hierarchies.iter().any(|hierarchy| hierarchy.by_hand.is_none() || hierarchy.listed)
    }

    /// A page with charts, for the publisher's eyes.
    pub fn page(&self) -> String {
        super::page::page(self)
    }
}

/// The hierarchy of one column.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct HierarchyFacts {
    /// The column.
    pub column: String,
    /// How its values compare.
    #[serde(rename = "type")]
    pub value_type: &'static str,
    /// `conditional`, or the rule of a plain hierarchy.
    pub kind: &'static str,
    /// Rows with a value.
    pub rows: u64,
    /// Rows without one.
    pub missing: u64,
    /// Different values.
    pub values: u64,
    /// The names of its files in a directory.
    pub files: Vec<String>,
    /// How each given column goes with this one, in their order.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub correlations: Vec<CorrelationFacts>,
    /// The contexts; none where nothing divides the rows, and for a plain hierarchy.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub contexts: Vec<ContextFacts>,
    /// Rows with a value that are in no context, where there are contexts: they show the common levels.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub outside: Option<u64>,
    /// Levels that do not depend on contexts, fine to coarse, between the values and `*`.
    pub levels: Vec<LevelFacts>,
    /// What a publisher should know.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
    /// The hierarchy in the common form; its levels are those that do not depend on contexts.
    #[serde(skip)]
    pub tree: Arc<Hierarchy>,
    /// The hierarchy with its contexts, where there were given columns.
    #[serde(skip)]
    pub conditional: Option<Arc<ConditionalHierarchy>>,
    /// The rule, where it was made by hand.
    #[serde(skip)]
    pub by_hand: Option<Arc<HierarchyRule>>,
    /// Whether the tree is written to a file: it lists values.
    #[serde(skip)]
    pub(super) listed: bool,
}

/// How a given column goes with the focused one.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct CorrelationFacts {
    /// The given column.
    pub column: String,
    /// The measure; null where it is not defined for such columns.
    pub value: Option<f64>,
    /// What dividing the whole table by it would be worth, where contexts are found by that.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub division: Option<DivisionFacts>,
    /// Counts for the map of the page.
    #[serde(skip)]
    pub(super) map: correlation::Correlation,
}

/// A division of the whole table by one column.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct DivisionFacts {
    /// Description length that it saves, in nats; not above 0 means that it says nothing that chance would not.
    pub gain: f64,
    /// Into how many parts.
    pub parts: usize,
    /// Rows with a focused value in the smallest part.
    pub least_rows: u64,
    /// Whether it was made.
    pub made: bool,
}

/// A context.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ContextFacts {
    /// Its conditions, in words.
    pub says: String,
    /// Its conditions.
    pub when: Vec<ConditionFacts>,
    /// Rows with a focused value.
    pub rows: u64,
    /// Its levels, fine to coarse; the common ones come last.
    pub levels: Vec<LevelFacts>,
}

/// What a context asks of one column.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ConditionFacts {
    /// The column.
    pub column: String,
    /// Values of which it must have one; the empty text is a missing value.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub one_of: Option<Vec<String>>,
    /// The least value.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub from: Option<String>,
    /// The greatest value.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub to: Option<String>,
}

/// A level of intervals, or of labels.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct LevelFacts {
    /// How many groups there are.
    pub groups: usize,
    /// Rows of the smallest group that has any.
    pub least_rows: u64,
    /// The last value of every interval but the highest, in a conditional hierarchy.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cuts: Option<Vec<String>>,
    /// What the groups are called.
    #[serde(skip)]
    pub labels: Vec<String>,
    /// Rows of every group.
    #[serde(skip)]
    pub rows: Vec<u64>,
}

impl HierarchyFacts {
    pub(super) fn new(attribute: &Attribute, kind: &'static str, rows: u64, missing: u64, tree: Hierarchy) -> Self {
        HierarchyFacts {
            column: attribute.name.clone(),
            value_type: attribute.domain.kind().name(),
            kind,
            rows: rows - missing,
            missing,
            values: attribute.domain.len() as u64,
            files: Vec::new(),
            correlations: Vec::new(),
            contexts: Vec::new(),
            outside: None,
            levels: Vec::new(),
            notes: Vec::new(),
            tree: Arc::new(tree),
            conditional: None,
            by_hand: None,
            listed: true,
        }
    }

    /// The hierarchy as a job takes it: the rule where it was made by hand, with its contexts where there were given columns,
    /// otherwise the tree.
    pub fn hierarchy(&self) -> AnyHierarchy {
        match (&self.by_hand, &self.conditional) {
            (Some(rule), _) => AnyHierarchy::Rule(rule.clone()),
            (None, Some(conditional)) => AnyHierarchy::Conditional(conditional.clone()),
            (None, None) => AnyHierarchy::Tree(self.tree.clone()),
        }
    }

    /// What correlation found.
    pub(super) fn correlated(&mut self, built: &Built, table: &Table, domain: &Domain) {
        let level = |level: &correlation::LevelFacts| LevelFacts {
            groups: level.rows.len(),
            least_rows: least_rows(&level.rows),
            cuts: Some(level.cuts.iter().map(|cut| cut.to_string()).collect()),
            labels: interval_labels(&level.cuts, domain),
            rows: level.rows.clone(),
        };
        self.levels = built.common.iter().map(level).collect();
        let context = |context: &correlation::BuiltContext| ContextFacts {
            says: says(&context.context.when),
            when: context.context.when.iter().map(condition).collect(),
            rows: context.rows,
            levels: context.levels.iter().map(level).collect(),
        };
        self.contexts = built.contexts.iter().map(context).collect();
        self.outside = (!built.contexts.is_empty()).then_some(built.outside);
        let correlation = |found: &correlation::Correlation| {
            let division = built.divisions.iter().find(|division| division.column == found.column);
            CorrelationFacts {
                column: table.attribute(found.column).name.clone(),
                value: found.value,
                division: division.map(|division| DivisionFacts {
                    gain: division.gain,
                    parts: division.parts,
                    least_rows: division.least_rows,
                    made: division.made,
                }),
                map: found.clone(),
            }
        };
        self.correlations = built.correlations.iter().map(correlation).collect();
    }

    /// The levels of the tree, with the rows of the data.
    pub(super) fn levels_of_tree(&mut self, domain: &Domain, histogram: &[u64], monitor: Monitor<'_>) -> Result<()> {
        let tree = &self.tree;
        // The rows before every leaf, so that those of a node are a difference.
        let mut before = Vec::with_capacity(tree.leaves().len() + 1);
        before.push(0u64);
        for leaf in 0..tree.leaves().len() {
            if leaf.is_multiple_of(BLOCK) {
                monitor.check()?;
            }
            let rows = domain.code_of(tree.value(leaf as u32)).map_or(0, |code| histogram[code as usize]);
            before.push(before[leaf] + rows);
        }
        for level in 1..tree.height() {
            monitor.check()?;
            let nodes = tree.nodes().iter().filter(|node| node.level == level);
            let counted = nodes.map(|node| (node, before[node.end_leaf as usize] - before[node.first_leaf as usize]));
            // A stretch of the calendar without a row is in the tree and is no group of the data.
            let (labels, rows): (Vec<String>, Vec<u64>) =
                counted.filter(|(_, rows)| *rows > 0).map(|(node, rows)| (node.label.to_string(), rows)).unzip();
            let (groups, least_rows) = (rows.len(), least_rows(&rows));
            self.levels.push(LevelFacts { groups, least_rows, cuts: None, labels, rows });
        }
        Ok(())
    }
}

fn condition(condition: &ContextCondition) -> ConditionFacts {
    let text = |text: &Option<Box<str>>| text.as_ref().map(|text| text.to_string());
    let (one_of, from, to) = match &condition.is {
        Is::OneOf(values) => (Some(values.iter().map(|value| value.to_string()).collect()), None, None),
        Is::Between(from, to) => (None, text(from), text(to)),
    };
    ConditionFacts { column: condition.column.clone(), one_of, from, to }
}
