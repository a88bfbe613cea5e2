//! The refining attack: which generalized cells are known exactly, and who is certainly absent (Cohen, USENIX Security 2022).
//!
//! The attacker has the release and knows the program. A cell counts as known if the attacker can name values that people of the
//! group have for certain, as many as people must have them. Of a least interval both ends are known, of a least set
//! every label. Behind a rounded interval or set stand several least ones that have no value in common, so that nothing of
//! it is known, which the tests of the rounding rules enumerate; what is known all the same is a column's only two labels, and
//! null beside values.

use scumble_release::notation::Region;
use scumble_release::{BoxColumn, BoxKind, Boxed, Extent, PublishedColumn};
use scumble_table::{Decimal, Kind, parse_date};

/// Cells that are not exact, and how many of them are known.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Refined {
    /// Cells that show more than one value.
    pub generalized: u64,
    /// Of these, cells whose value is known.
    pub known: u64,
}

impl Refined {
    /// The share that is known.
    pub fn share(&self) -> f64 {
        self.known as f64 / self.generalized.max(1) as f64
    }
}

/// Refines all cells of a table of boxes.
pub fn refine(boxed: &Boxed, kind: BoxKind) -> Refined {
    let mut found = Refined::default();
    for column in &boxed.quasi {
        for (group, &size) in boxed.sizes.iter().enumerate() {
            let Some(region) = region(column, group) else { continue };
            let n = u64::from(size);
            if is_exact(region, &column.column) {
                continue;
            }
            found.generalized += n;
            found.known += certain(region, &column.column, kind).min(n);
        }
    }
    found
}

/// The share of strangers whom no box covers. A stranger has one text per quasi-identifier, in their order.
pub fn absent(boxed: &Boxed, strangers: &[Vec<String>]) -> f64 {
    let n = strangers.len().max(1) as f64;
    let covered = |stranger: &&Vec<String>| {
        // One pass per column over distinct texts, then over groups.
        let by_column: Vec<Vec<bool>> = boxed
            .quasi
            .iter()
            .zip(stranger.iter())
            .map(|(column, text)| {
                column
                    .regions
                    .iter()
                    .map(|region| region.as_ref().is_some_and(|r| holds(r, &column.column, text)))
                    .collect()
            })
            .collect();
        (0..boxed.sizes.len()).any(|group| {
            boxed.quasi.iter().zip(&by_column).all(|(column, holds)| holds[column.of_group[group] as usize])
        })
    };
    strangers.iter().filter(|stranger| !covered(stranger)).count() as f64 / n
}

fn region(column: &BoxColumn, group: usize) -> Option<&Region> {
    column.regions[column.of_group[group] as usize].as_ref()
}

fn is_exact(region: &Region, column: &PublishedColumn) -> bool {
    match region {
        Region::Null => true,
        Region::All => false,
        Region::Numbers(lo, hi) => lo == hi,
        Region::Days(lo, hi) => lo == hi,
        Region::Labels(places) => places.len() == 1,
        Region::Positions(lo, hi) => lo == hi,
        Region::Node(id) => column.hierarchy().is_some_and(|tree| tree.node(*id).n_leaves() == 1),
    }
}

/// How many people of a group are known to have a value that can be named.
fn certain(region: &Region, column: &PublishedColumn, kind: BoxKind) -> u64 {
    let labels = match column.extent() {
        Extent::Labels(labels) => labels.len() as u64,
        _ => 0,
    };
    match (region, kind) {
        (_, BoxKind::Cells) => 0,
        // All labels of a column, or values with null among them, which is one that is known.
        (Region::All, BoxKind::Minimal) if column.kind() == Kind::Nominal && column.hierarchy().is_none() => labels,
        (Region::All, BoxKind::Rounded) if column.kind() == Kind::Nominal && labels > 2 => 0,
        (Region::All, _) if column.kind() == Kind::Nominal && labels == 2 => 2,
        (Region::All, _) => 1,
        (Region::Numbers(..) | Region::Days(..), BoxKind::Minimal) => 2,
        (Region::Positions(..), BoxKind::Minimal) => 2,
        (Region::Positions(..), BoxKind::Rounded) if labels == 2 => 2,
        (Region::Labels(places), BoxKind::Minimal) => places.len() as u64,
        (Region::Node(id), BoxKind::Minimal) => {
            column.hierarchy().map_or(0, |tree| match tree.node(*id).children[..] {
                [a, b] => [a, b].iter().filter(|&&child| tree.node(child).n_leaves() == 1).count() as u64,
                _ => 0,
            })
        }
        (Region::Null, _) | (_, BoxKind::Rounded) => 0,
    }
}

fn holds(region: &Region, column: &PublishedColumn, text: &str) -> bool {
    match region {
        Region::All => true,
        Region::Null => text.is_empty(),
        Region::Numbers(lo, hi) => Decimal::parse(text).is_some_and(|number| *lo <= number && number <= *hi),
        Region::Days(lo, hi) => parse_date(text).is_some_and(|day| (*lo..=*hi).contains(&day)),
        Region::Labels(places) => column.position(text).is_some_and(|place| places.contains(&place)),
        Region::Positions(lo, hi) => column.position(text).is_some_and(|place| (*lo..=*hi).contains(&place)),
        Region::Node(id) => column.hierarchy().is_some_and(|tree| {
            let node = tree.node(*id);
            tree.leaf_of(text).is_some_and(|leaf| (node.first_leaf..node.end_leaf).contains(&leaf))
        }),
    }
}
