//! The texts of generalized values, both ways.
//!
//! ```text
//! [17,24]     every number, date or ordered label from 17 to 24
//! 17          this value alone
//! Europe      every value under this label of the column's hierarchy
//! {a|b}       these labels, in domain order
//! *           everything, null too
//! (empty)     null alone
//! ```
//!
//! A backslash takes the special meaning from the character after it. It is written where a reader
//! would otherwise go wrong: before `\ , [ ]` inside brackets, before `\ | { }` inside braces, and
//! before a plain or hierarchy label that starts with one of the eight. Readers accept it before
//! any of the eight in those places.

mod escape;
mod parse;

pub use parse::{Region, parse};

use crate::form::STAR;
use escape::{in_braces, in_brackets, plain};

pub(crate) use escape::{in_brackets as escape_end, plain as escape_plain};
use scumble_table::{Code, Domain, NodeId};

/// The values a group may have in one column, in the codes of the table it was made from.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Cover {
    /// Null alone.
    Null,
    /// One value.
    One(Code),
    /// All values from the first to the second, both included.
    Interval(Code, Code),
    /// Several values, in domain order.
    Set(Vec<Code>),
    /// All values under a node of the domain's hierarchy.
    Node(NodeId),
    /// Everything, null too.
    All,
}

impl Cover {
    /// True if a value with this code may hide behind the cover.
    pub fn covers(&self, code: Code, domain: &Domain) -> bool {
        match self {
            Cover::Null => code == scumble_table::NULL,
            Cover::One(one) => code == *one,
            Cover::Interval(lo, hi) => code != scumble_table::NULL && (*lo..=*hi).contains(&code),
            Cover::Set(codes) => codes.contains(&code),
            Cover::Node(id) => {
                let leaves = domain.hierarchy().and_then(|tree| tree.nodes().get(*id as usize));
                match (domain.leaf(code), leaves) {
                    (Some(leaf), Some(node)) => (node.first_leaf..node.end_leaf).contains(&leaf),
                    _ => false,
                }
            }
            Cover::All => true,
        }
    }
}

/// The text a release shows for a cover. Intervals and sets of a single value are shown as that
/// value; a node of a domain that has no hierarchy can only be shown as `*`.
pub fn text(cover: &Cover, domain: &Domain) -> String {
    match cover {
        Cover::Null => String::new(),
        Cover::All => STAR.into(),
        Cover::One(code) => plain(&domain.text(*code)),
        Cover::Interval(lo, hi) if lo == hi => plain(&domain.text(*lo)),
        Cover::Interval(lo, hi) => {
            format!("[{},{}]", in_brackets(&domain.text(*lo)), in_brackets(&domain.text(*hi)))
        }
        Cover::Set(codes) => match codes.as_slice() {
            [] => String::new(),
            [one] => plain(&domain.text(*one)),
            several => {
                let labels: Vec<String> = several.iter().map(|&code| in_braces(&domain.text(code))).collect();
                format!("{{{}}}", labels.join("|"))
            }
        },
        Cover::Node(id) => match domain.hierarchy() {
            Some(tree) if *id == tree.root() && &*tree.node(*id).label == STAR => STAR.into(),
            Some(tree) => plain(&tree.node(*id).label),
            None => STAR.into(),
        },
    }
}

#[cfg(test)]
mod tests;
