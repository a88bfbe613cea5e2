//! A column as its release describes it: kind, domain and hierarchy, nothing from the source.

use crate::coarse::Coarse;
use crate::intervals::may_show_ends;
use scumble_table::{Decimal, Error, Hierarchy, Kind, Missing, NodeId, Result, Role};
use std::collections::BTreeMap;
use std::sync::Arc;

/// The values a release says it holds in a column: the manifest's `domain`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Extent {
    /// Least and greatest number; nothing where the release shows none.
    Numbers(Option<(Decimal, Decimal)>),
    /// First and last day; nothing where the release shows none.
    Days(Option<(i32, i32)>),
    /// Labels in domain order.
    Labels(Vec<String>),
}

impl Extent {
    /// The extent of a column that shows nothing.
    pub fn empty(kind: Kind) -> Self {
        match kind {
            Kind::Number => Extent::Numbers(None),
            Kind::Date => Extent::Days(None),
            Kind::Ordinal | Kind::Nominal => Extent::Labels(Vec::new()),
        }
    }
}

/// All that a reader of a release knows about one of its columns.
#[derive(Debug, Clone)]
pub struct PublishedColumn {
    name: String,
    role: Role,
    kind: Kind,
    extent: Extent,
    hierarchy: Option<Arc<Hierarchy>>,
    coarse: Option<Coarse>,
    missing: Missing,
    shows_ends: bool,
    positions: BTreeMap<String, u32>,
    nodes: BTreeMap<String, NodeId>,
}

impl PublishedColumn {
    /// Puts a column together; fails if its labels repeat, or if a text could mean two things.
    pub fn new(
        name: impl Into<String>,
        role: Role,
        kind: Kind,
        extent: Extent,
        hierarchy: Option<Arc<Hierarchy>>,
    ) -> Result<Self> {
        let name = name.into();
        let wrong = |reason: String| Error::data("manifest.json", reason).at(None, Some(&name));
        let fits = matches!(
            (kind, &extent),
            (Kind::Number, Extent::Numbers(_))
                | (Kind::Date, Extent::Days(_))
                | (Kind::Ordinal | Kind::Nominal, Extent::Labels(_))
        );
        if !fits {
            return Err(wrong(format!("the domain does not suit the type {kind}")));
        }
        let mut positions = BTreeMap::new();
        if let Extent::Labels(labels) = &extent {
            for (at, label) in labels.iter().enumerate() {
                if label.is_empty() || positions.insert(label.clone(), at as u32).is_some() {
                    return Err(wrong("a label of the domain is empty or stands twice".into()));
                }
            }
        }
        let nodes = match &hierarchy {
            Some(tree) => labels_of(tree, kind).ok_or_else(|| wrong("the hierarchy has an ambiguous label".into()))?,
            None => BTreeMap::new(),
        };
        Ok(PublishedColumn {
            name,
            role,
            kind,
            extent,
            hierarchy,
            coarse: None,
            missing: Missing::Value,
            shows_ends: false,
            positions,
            nodes,
        })
    }

    /// Name in the header.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// What it is to the release.
    pub fn role(&self) -> Role {
        self.role
    }

    /// How its values compare.
    pub fn kind(&self) -> Kind {
        self.kind
    }

    /// The manifest's domain.
    pub fn extent(&self) -> &Extent {
        &self.extent
    }

    /// Its hierarchy, if it has one.
    pub fn hierarchy(&self) -> Option<&Arc<Hierarchy>> {
        self.hierarchy.as_ref()
    }

    /// The same column, whose labels stand for values that the release does not list.
    pub fn with_coarse(self, coarse: Option<Coarse>) -> Self {
        PublishedColumn { coarse, ..self }
    }

    /// The same column, whose missing values are this to requirements.
    pub fn with_missing(self, missing: Missing) -> Self {
        PublishedColumn { missing, ..self }
    }

    /// The same column, whose values may show their ends in two columns of their own.
    pub(crate) fn with_ends(self, shows_ends: bool) -> Result<Self> {
        if shows_ends && !may_show_ends(self.role, self.kind, self.hierarchy.is_some()) {
            let reason =
                "field `published`: only generalized numbers, dates and ordered labels without a hierarchy have ends";
            return Err(Error::data("manifest.json", reason).at(None, Some(&self.name)));
        }
        Ok(PublishedColumn { shows_ends, ..self })
    }

    /// Whether its values show their ends in two columns of their own, named by [`end_names`](crate::end_names).
    pub fn shows_ends(&self) -> bool {
        self.shows_ends
    }

    /// What its missing values are to requirements of diversity and closeness.
    pub fn missing(&self) -> Missing {
        self.missing
    }

    /// How the labels of its hierarchy stand for values that the release does not list; nothing where its leaves are
    /// the values themselves.
    pub fn coarse(&self) -> Option<&Coarse> {
        self.coarse.as_ref()
    }

    /// The leaf of the hierarchy that a value of the source is shown by, as a position among the leaves.
    pub fn leaf_of(&self, value: &str) -> Option<u32> {
        let tree = self.hierarchy.as_ref()?;
        match &self.coarse {
            Some(coarse) => coarse.leaf_of(value, tree),
            None => {
                let number = if self.kind == Kind::Number { Decimal::parse(value) } else { None };
                let node = tree.node(self.node(&number.map_or_else(|| value.into(), |number| number.to_string()))?);
                (node.level == 0).then_some(node.first_leaf)
            }
        }
    }

    /// Whether the labels of an ordinal column are numbers in the order of their value, so that labels which the release
    /// does not list have a place among them.
    pub fn is_numbered(&self) -> bool {
        match &self.extent {
            Extent::Labels(labels) if self.kind == Kind::Ordinal => {
                let places: Option<Vec<(Decimal, &str)>> = labels.iter().map(|label| number_place(label)).collect();
                places.is_some_and(|places| places.is_sorted())
            }
            _ => false,
        }
    }

    /// Position of a label in the manifest's domain, from 0.
    pub fn position(&self, label: &str) -> Option<u32> {
        self.positions.get(label).copied()
    }

    /// The lowest node that a label or a value names.
    pub fn node(&self, label: &str) -> Option<NodeId> {
        self.nodes.get(label).copied()
    }
}

/// Where a label stands in an order by value: equal values, such as `1` and `01`, by their text.
pub fn number_place(label: &str) -> Option<(Decimal, &str)> {
    Some((Decimal::parse(label)?, label))
}

/// A decimal as it is written in a release. One written in two ways would count as two values for a careless reader.
pub(crate) fn plain_decimal(text: &str) -> Option<Decimal> {
    Decimal::parse(text).filter(|number| number.to_string() == text)
}

/// The node behind every text. Numbers are found under their plain decimal even where the file
/// writes `1.0`; should that decimal be another node's label as well, the file is ambiguous.
fn labels_of(tree: &Hierarchy, kind: Kind) -> Option<BTreeMap<String, NodeId>> {
    let mut found: BTreeMap<String, NodeId> = BTreeMap::new();
    for (id, node) in tree.nodes().iter().enumerate() {
        let lowest = found.entry(node.label.to_string()).or_insert(id as NodeId);
        if tree.node(*lowest).level > node.level {
            *lowest = id as NodeId;
        }
    }
    if kind == Kind::Number {
        for &leaf in tree.leaves() {
            let Some(number) = Decimal::parse(&tree.node(leaf).label) else { continue };
            let other = *found.entry(number.to_string()).or_insert(leaf);
            if tree.node(other).first_leaf != tree.node(leaf).first_leaf || tree.node(other).n_leaves() != 1 {
                return None;
            }
        }
    }
    Some(found)
}
