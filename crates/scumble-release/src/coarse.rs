//! Hierarchies that begin above the values of their column.
//!
//! A hierarchy that was made from the data has the values that occur as its leaves. A release that shows none of them
//! must not list them either, so it carries the hierarchy from the labels that it shows upwards, and says how these
//! labels are to be understood. With the source it can then still be told which label stands for which value.

use scumble_table::{Hierarchy, OTHERS};

/// How the leaves of a hierarchy stand for values that are not listed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Coarse {
    /// Each leaf is a value, or the beginning of values: filled up with `*` to the length of all masks, or followed by one `*`, which
    /// [`OTHERS`] follows where leaves beside it begin alike.
    Masks,
    /// Leaves are values, but for this one: it stands for all values that are no leaves.
    Rest(String),
}

impl Coarse {
    /// The position of the leaf that stands for a value.
    pub fn leaf_of(&self, value: &str, tree: &Hierarchy) -> Option<u32> {
        match self {
            Coarse::Masks => {
                let letters: Vec<char> = value.chars().collect();
                let masked = |kept: usize, length: usize| -> String {
                    letters[..kept].iter().copied().chain(std::iter::repeat_n('*', length - kept)).collect()
                };
                // All masks of a column have the length of its longest value.
                let length = tree.value(0).chars().count();
                let beginning = |kept: usize| {
                    let start: String = letters[..kept].iter().copied().chain(['*']).collect();
                    tree.leaf_of(&start).or_else(|| tree.leaf_of(&format!("{start}{OTHERS}")))
                };
                let begins_like = |kept: usize| {
                    // A mask hides something: a leaf without a star is a value, and stands for no longer one.
                    let full = if kept < length { tree.leaf_of(&masked(kept, length)) } else { None };
                    full.or_else(|| beginning(kept))
                };
                tree.leaf_of(value).or_else(|| (0..=letters.len()).rev().find_map(begins_like))
            }
            Coarse::Rest(rest) => tree.leaf_of(value).filter(|_| value != rest).or_else(|| tree.leaf_of(rest)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tree(lines: &[&str]) -> Hierarchy {
        let rows: Vec<Vec<String>> = lines.iter().map(|line| line.split(';').map(String::from).collect()).collect();
        Hierarchy::from_rows("h", &rows, &[]).unwrap()
    }

    #[test]
    fn masks_stand_for_what_begins_like_them() {
        let masks = tree(&["SW9**;S****;*", "SE1**;S****;*", "N****;N****;*"]);
        let leaf = |value: &str| Coarse::Masks.leaf_of(value, &masks).map(|leaf| masks.value(leaf).to_string());
        assert_eq!(leaf("SW912").as_deref(), Some("SW9**"));
        assert_eq!(leaf("SW9").as_deref(), Some("SW9**"));
        assert_eq!(leaf("N1234").as_deref(), Some("N****"));
        assert_eq!(leaf("E1234"), None);
        assert_eq!(leaf(""), None);
    }

    #[test]
    fn beginnings_of_any_length_stand_for_what_has_no_leaf_of_its_own() {
        let codes = tree(&[
            "J45.1;J45*;J*;*",
            "J45* (others);J45*;J*;*",
            "J* (others);J* (others);J*;*",
            "E*;E*;E*;*",
            "K2;K2;K2;*",
        ]);
        let leaf = |value: &str| Coarse::Masks.leaf_of(value, &codes).map(|leaf| codes.value(leaf).to_string());
        for (value, shown) in [
            ("J45.1", "J45.1"),
            ("J45.12", "J45* (others)"),
            ("J45", "J45* (others)"),
            ("J4", "J* (others)"),
            ("J", "J* (others)"),
            ("E11.900000", "E*"),
            ("K2", "K2"),
        ] {
            assert_eq!(leaf(value).as_deref(), Some(shown), "{value}");
        }
        assert_eq!((leaf("K"), leaf("A00"), leaf("")), (None, None, None));
    }

    #[test]
    fn the_rest_is_what_is_not_named() {
        let towns = tree(&["Paris;Paris;*", "Rome;others 2;*", "others 1;others 2;*"]);
        let rest = Coarse::Rest("others 1".into());
        let leaf = |value: &str| rest.leaf_of(value, &towns).map(|leaf| towns.value(leaf).to_string());
        assert_eq!(leaf("Paris").as_deref(), Some("Paris"));
        assert_eq!(leaf("Oslo").as_deref(), Some("others 1"));
        assert_eq!(leaf("others 1").as_deref(), Some("others 1"));
    }
}
