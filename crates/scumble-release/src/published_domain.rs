//! Domains as a release itself shows them: for the publisher to state, and for the verifier to check.
//!
//! A manifest that named a value which no cell shows would give away a suppressed row, or the source. So the domain holds
//! the ends of intervals, not what lies between them; the labels of sets; and nothing for `*`, behind which there may be
//! anything. Under a hierarchy a label shows every leaf below it, whether it occurs or not: the file lists them all, and
//! to leave the absent ones out would tell which they are.

use crate::form::STAR;
use crate::notation::{Cover, Region};
use crate::published_column::{Extent, PublishedColumn, number_place};
use scumble_table::{Code, Decimal, Domain, Hierarchy, Kind, NULL, parse_date};
use std::collections::{BTreeMap, BTreeSet};

impl Extent {
    /// The domain that a column of boxes shows.
    pub fn from_covers<'a>(domain: &Domain, covers: impl IntoIterator<Item = &'a Cover>) -> Extent {
        let mut shown = vec![false; domain.n_codes()];
        let mut leaves = domain.hierarchy().map(|tree| vec![false; tree.leaves().len()]);
        for cover in covers {
            match (cover, domain.hierarchy(), &mut leaves) {
                (Cover::Node(id), Some(tree), Some(leaves)) => {
                    let node = tree.node(*id);
                    // A root of another name is a label as any other.
                    if &*node.label != STAR {
                        leaves[node.first_leaf as usize..node.end_leaf as usize].fill(true);
                    }
                }
                (Cover::One(code), _, Some(leaves)) => {
                    if let Some(leaf) = domain.leaf(*code) {
                        leaves[leaf as usize] = true;
                    }
                }
                (Cover::Interval(lo, hi), ..) => [*lo, *hi].iter().for_each(|&code| shown[code as usize] = true),
                (Cover::One(code), ..) => shown[*code as usize] = true,
                (Cover::Set(codes), ..) => codes.iter().for_each(|&code| shown[code as usize] = true),
                (Cover::All | Cover::Node(_) | Cover::Null, ..) => {}
            }
        }
        match (domain.hierarchy(), leaves) {
            (Some(tree), Some(leaves)) if domain.kind() == Kind::Ordinal => ordered_leaf_extent(domain, tree, &leaves),
            (Some(tree), Some(leaves)) => leaf_extent(domain.kind(), tree, &leaves),
            _ => Extent::from_codes(domain, domain.codes().filter(|&code| shown[code as usize])),
        }
    }

    /// What two extents of a column show together. Labels are in the order of the first, with those that only the second
    /// has where the domain has them.
    #[must_use]
    pub fn union(&self, other: Extent, domain: &Domain) -> Extent {
        match (self, other) {
            (Extent::Numbers(a), Extent::Numbers(b)) => Extent::Numbers(hull(a.iter().copied().chain(b))),
            (Extent::Days(a), Extent::Days(b)) => Extent::Days(hull(a.iter().copied().chain(b))),
            (Extent::Labels(a), Extent::Labels(b)) => {
                let known: BTreeSet<&String> = a.iter().collect();
                let mut new: Vec<String> = b.into_iter().filter(|label| !known.contains(label)).collect();
                let mut labels = a.clone();
                if domain.kind() == Kind::Nominal {
                    labels.append(&mut new);
                    labels.sort_unstable();
                    return Extent::Labels(labels);
                }
                let places: BTreeMap<_, Code> = domain.codes().map(|code| (domain.text(code), code)).collect();
                let place = |label: &str| places.get(label).copied();
                for label in new {
                    let after = |known: &String| place(known).zip(place(&label)).is_some_and(|(a, b)| a > b);
                    labels.insert(labels.iter().position(after).unwrap_or(labels.len()), label);
                }
                Extent::Labels(labels)
            }
            (other, _) => other.clone(),
        }
    }

    /// All leaves of a hierarchy over a column.
    pub fn from_tree(domain: &Domain, tree: &Hierarchy) -> Extent {
        let all = vec![true; tree.leaves().len()];
        match domain.kind() {
            Kind::Ordinal => ordered_leaf_extent(domain, tree, &all),
            kind => leaf_extent(kind, tree, &all),
        }
    }

    /// The domain of a column that shows its values one by one; `codes` rise.
    pub fn from_codes(domain: &Domain, codes: impl IntoIterator<Item = Code>) -> Extent {
        let mut codes = codes.into_iter().filter(|&code| code != NULL);
        match domain.kind() {
            Kind::Ordinal | Kind::Nominal => Extent::Labels(codes.map(|code| domain.text(code).into_owned()).collect()),
            kind => {
                let first = codes.next();
                around(kind, first.into_iter().chain(codes.last()).map(|code| domain.text(code)))
            }
        }
    }
}

/// The least extent around numbers or dates.
fn around(kind: Kind, texts: impl Iterator<Item = impl AsRef<str>>) -> Extent {
    match kind {
        Kind::Date => Extent::Days(hull(texts.filter_map(|text| parse_date(text.as_ref())).map(|day| (day, day)))),
        _ => {
            let numbers = texts.filter_map(|text| Decimal::parse(text.as_ref()));
            Extent::Numbers(hull(numbers.map(|number| (number, number))))
        }
    }
}

/// The extent of some leaves of a hierarchy over ordinals. Leaves that are no values of the column have no place in its
/// order, unless labels are numbers; they come last.
fn ordered_leaf_extent(domain: &Domain, tree: &Hierarchy, shown: &[bool]) -> Extent {
    let mut labels: Vec<&str> = leaf_values(tree, shown).collect();
    if labels.iter().all(|label| number_place(label).is_some()) {
        labels.sort_unstable_by_key(|label| number_place(label));
    } else {
        let places: BTreeMap<_, Code> = domain.codes().map(|code| (domain.text(code), code)).collect();
        labels.sort_unstable_by_key(|label| (places.get(*label).copied().unwrap_or(Code::MAX), *label));
    }
    Extent::Labels(labels.into_iter().map(String::from).collect())
}

/// The values of the leaves that are shown.
fn leaf_values<'a>(tree: &'a Hierarchy, shown: &'a [bool]) -> impl Iterator<Item = &'a str> {
    (0..shown.len() as u32).filter(|&leaf| shown[leaf as usize]).map(|leaf| tree.value(leaf))
}

/// The extent of some leaves of a hierarchy.
fn leaf_extent(kind: Kind, tree: &Hierarchy, shown: &[bool]) -> Extent {
    let texts = leaf_values(tree, shown);
    match kind {
        Kind::Number | Kind::Date => around(kind, texts),
        Kind::Ordinal | Kind::Nominal => {
            let mut labels: Vec<String> = texts.map(String::from).collect();
            labels.sort_unstable();
            Extent::Labels(labels)
        }
    }
}

/// Whether the manifest's domain is what these regions show; the error says how it differs.
pub(crate) fn check<'a>(column: &PublishedColumn, regions: impl IntoIterator<Item = &'a Region>) -> Result<(), String> {
    if let Some(tree) = column.hierarchy() {
        let mut leaves = vec![false; tree.leaves().len()];
        for region in regions {
            match region {
                Region::Node(id) => {
                    let node = tree.node(*id);
                    leaves[node.first_leaf as usize..node.end_leaf as usize].fill(true);
                }
                // A value that is written as a star looks like everything, and is shown by it.
                Region::All => (0..leaves.len())
                    .filter(|&leaf| tree.value(leaf as u32) == "*")
                    .for_each(|leaf| leaves[leaf] = true),
                _ => {}
            }
        }
        if column.coarse().is_some() && leaves.contains(&false) {
            return Err("its hierarchy begins with labels that the table does not show".into());
        }
        return same(column, &leaf_extent(column.kind(), tree, &leaves));
    }
    // Where intervals show their ends, so does `*`.
    let regions: Vec<&Region> = regions.into_iter().collect();
    if column.shows_ends() && regions.contains(&&Region::All) {
        return same(column, column.extent());
    }
    let shown = match column.extent() {
        Extent::Numbers(_) => {
            let ends = |region: &Region| if let Region::Numbers(lo, hi) = region { Some((*lo, *hi)) } else { None };
            Extent::Numbers(hull(regions.into_iter().filter_map(ends)))
        }
        Extent::Days(_) => {
            let ends = |region: &Region| if let Region::Days(lo, hi) = region { Some((*lo, *hi)) } else { None };
            Extent::Days(hull(regions.into_iter().filter_map(ends)))
        }
        Extent::Labels(labels) => {
            let mut shown = vec![false; labels.len()];
            for region in regions {
                match region {
                    Region::Labels(places) => places.iter().for_each(|&place| shown[place as usize] = true),
                    Region::Positions(lo, hi) => shown[*lo as usize..=*hi as usize].fill(true),
                    _ => {}
                }
            }
            Extent::Labels(labels.iter().zip(shown).filter(|(_, shown)| *shown).map(|(l, _)| l.clone()).collect())
        }
    };
    same(column, &shown)
}

/// The domain must hold all that is shown and nothing else.
fn same(column: &PublishedColumn, shown: &Extent) -> Result<(), String> {
    let stated = column.extent();
    if !contains(stated, shown) {
        return Err("the domain lacks what the table shows".into());
    }
    if !contains(shown, stated) {
        return Err("the domain says more than the table shows".into());
    }
    match stated {
        Extent::Labels(labels) if column.kind() == Kind::Nominal && !labels.is_sorted() => {
            Err("the labels of the domain are not in order".into())
        }
        _ => Ok(()),
    }
}

fn contains(outer: &Extent, inner: &Extent) -> bool {
    fn holds<T: Ord>(outer: &Option<(T, T)>, inner: &Option<(T, T)>) -> bool {
        match (outer, inner) {
            (_, None) => true,
            (Some(outer), Some(inner)) => outer.0 <= inner.0 && inner.1 <= outer.1,
            (None, Some(_)) => false,
        }
    }
    match (outer, inner) {
        (Extent::Numbers(outer), Extent::Numbers(inner)) => holds(outer, inner),
        (Extent::Days(outer), Extent::Days(inner)) => holds(outer, inner),
        (Extent::Labels(outer), Extent::Labels(inner)) => {
            let outer: BTreeSet<&String> = outer.iter().collect();
            inner.iter().all(|label| outer.contains(label))
        }
        _ => false,
    }
}

fn hull<T: Ord + Copy>(ends: impl Iterator<Item = (T, T)>) -> Option<(T, T)> {
    ends.reduce(|a, b| (a.0.min(b.0), a.1.max(b.1)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use scumble_table::Role;
    use std::sync::Arc;

    fn column(kind: Kind, extent: Extent, tree: Option<Arc<Hierarchy>>) -> PublishedColumn {
        PublishedColumn::new("c", Role::Quasi, kind, extent, tree).unwrap()
    }

    fn labels(texts: &[&str]) -> Extent {
        Extent::Labels(texts.iter().map(|&t| t.into()).collect())
    }

    #[test]
    fn boxes_show_what_they_cover() {
        let number = |n: i64| Decimal::from(n);
        let domain = Domain::numbers((1..=9).map(number).collect()).unwrap();
        let covers = [Cover::Interval(2, 4), Cover::One(7), Cover::Null];
        let extent = Extent::from_covers(&domain, &covers);
        assert_eq!(extent, Extent::Numbers(Some((number(2), number(7)))));
        let regions = [Region::Numbers(number(2), number(4)), Region::Numbers(number(7), number(7)), Region::Null];
        check(&column(Kind::Number, extent, None), &regions).unwrap();
        let wide = column(Kind::Number, Extent::Numbers(Some((number(1), number(7)))), None);
        assert!(check(&wide, &regions).unwrap_err().contains("says more"));
        assert!(check(&wide, &[Region::All, regions[0].clone()]).unwrap_err().contains("says more"));
        let narrow = column(Kind::Number, Extent::Numbers(Some((number(2), number(6)))), None);
        assert!(check(&narrow, &regions).unwrap_err().contains("lacks"));
        assert_eq!(Extent::from_covers(&domain, &[Cover::All]), Extent::Numbers(None));
        assert_eq!(Extent::from_covers(&domain, &[Cover::Null]), Extent::Numbers(None));
        check(&column(Kind::Number, Extent::Numbers(None), None), &[Region::All]).unwrap();
    }

    #[test]
    fn labels_must_be_shown_and_in_order() {
        let regions = [Region::Labels(vec![0, 1])];
        check(&column(Kind::Nominal, labels(&["a", "b"]), None), &regions).unwrap();
        assert!(check(&column(Kind::Nominal, labels(&["b", "a"]), None), &regions).unwrap_err().contains("order"));
        assert!(check(&column(Kind::Nominal, labels(&["a", "b", "c"]), None), &regions).unwrap_err().contains("more"));
        check(&column(Kind::Ordinal, labels(&["low", "mid", "high"]), None), &[Region::Positions(0, 2)]).unwrap();
        assert!(check(&column(Kind::Ordinal, labels(&["low", "mid"]), None), &[Region::Positions(0, 0)]).is_err());
        let domain = Domain::ordinal(vec!["low".into(), "mid".into(), "high".into()]);
        assert_eq!(Extent::from_covers(&domain, &[Cover::Interval(1, 3)]), labels(&["low", "high"]));
        check(&column(Kind::Ordinal, labels(&["low", "high"]), None), &[Region::Positions(0, 1)]).unwrap();
    }

    #[test]
    fn a_label_shows_its_leaves() {
        let rows: Vec<Vec<String>> = ["b;x;*", "a;x;*", "c;y;*", "d;y;*"]
            .iter()
            .map(|line| line.split(';').map(String::from).collect())
            .collect();
        let tree = Arc::new(Hierarchy::from_rows("h", &rows, &[1, 2, 3, 4]).unwrap());
        let domain = Domain::nominal(vec!["a".into(), "c".into()]).with_hierarchy("h", "c", tree.clone()).unwrap();
        let node = tree.find("x").unwrap();
        let extent = Extent::from_covers(&domain, &[Cover::Node(node), Cover::One(2)]);
        assert_eq!(extent, labels(&["a", "b", "c"]));
        let regions = [Region::Node(node), Region::Node(tree.find("c").unwrap())];
        check(&column(Kind::Nominal, extent, Some(tree.clone())), &regions).unwrap();
        assert!(check(&column(Kind::Nominal, labels(&["a", "c"]), Some(tree.clone())), &regions).is_err());
        let all = Extent::from_covers(&domain, &[Cover::All]);
        assert_eq!(all, labels(&[]));
        check(&column(Kind::Nominal, all, Some(tree.clone())), &[Region::All]).unwrap();
        assert!(check(&column(Kind::Nominal, labels(&["a"]), Some(tree)), &[Region::All]).is_err());
    }

    #[test]
    fn a_hierarchy_that_begins_above_the_values_begins_with_what_is_shown() {
        let rows: Vec<Vec<String>> =
            ["12*;1**;*", "13*;1**;*"].iter().map(|line| line.split(';').map(String::from).collect()).collect();
        let tree = Arc::new(Hierarchy::from_rows("h", &rows, &[]).unwrap());
        let shown = |labels_shown: &[&str]| -> Vec<Region> {
            labels_shown.iter().map(|label| Region::Node(tree.find(label).unwrap())).collect()
        };
        let column = |stated: &[&str], coarse: bool| {
            let plain = column(Kind::Nominal, labels(stated), Some(tree.clone()));
            plain.with_coarse(coarse.then_some(crate::Coarse::Masks))
        };
        check(&column(&["12*", "13*"], true), &shown(&["12*", "13*"])).unwrap();
        check(&column(&["12*"], false), &shown(&["12*"])).unwrap();
        assert!(check(&column(&["12*"], true), &shown(&["12*"])).unwrap_err().contains("does not show"));
    }
}
