//! Reading generalized values from a release alone: its manifest's domain and its hierarchy files.

use super::escape::{read_list, read_plain};
use crate::form::STAR;
use crate::published_column::{Extent, PublishedColumn, plain_decimal};
use scumble_table::{Decimal, Error, NodeId, Result, parse_date};

/// What a published text covers, in the terms of the release.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Region {
    /// Null alone.
    Null,
    /// Everything, null too.
    All,
    /// Numbers from the first to the second.
    Numbers(Decimal, Decimal),
    /// Days from the first to the second.
    Days(i32, i32),
    /// Labels of the manifest's domain, as rising positions from 0.
    Labels(Vec<u32>),
    /// Labels of the manifest's domain from the first position to the second.
    Positions(u32, u32),
    /// All values under a node of the column's hierarchy.
    Node(NodeId),
}

/// Reads a published text. Only the form that [`super::text`] writes is accepted (up to needless
/// backslashes inside brackets and braces), and only values of the manifest's domain.
pub fn parse(text: &str, column: &PublishedColumn) -> Result<Region> {
    read(text, column).map_err(|reason| Error::data("release", reason).at(None, Some(column.name())).shows(text))
}

fn read(text: &str, column: &PublishedColumn) -> Result<Region, &'static str> {
    if text.is_empty() {
        return Ok(Region::Null);
    }
    if text == STAR {
        return Ok(Region::All);
    }
    if column.hierarchy().is_some() {
        // Intervals and sets do not occur under a hierarchy, so a bare `[20, 40[` can only be a label.
        return column
            .node(text)
            .or_else(|| read_plain(text).and_then(|label| column.node(label)))
            .map(Region::Node)
            .ok_or("this is no label of the column's hierarchy");
    }
    match column.extent() {
        Extent::Numbers(bounds) => {
            let number =
                |part: &str| plain_decimal(part).ok_or("this is neither a plain decimal nor an interval of two");
            let (lo, hi) = ends(text, number)?;
            within(*bounds, lo, hi)?;
            Ok(Region::Numbers(lo, hi))
        }
        Extent::Days(bounds) => {
            let (lo, hi) =
                ends(text, |part| parse_date(part).ok_or("this is neither an ISO date nor an interval of two"))?;
            within(*bounds, lo, hi)?;
            Ok(Region::Days(lo, hi))
        }
        Extent::Labels(_) => {
            let place = |label: &str| column.position(label).ok_or("this names a label that the domain lacks");
            if column.kind().is_ordered() {
                let (lo, hi) = ends(text, place)?;
                return Ok(Region::Positions(lo, hi));
            }
            if text.starts_with('{') {
                let labels = read_list(text, '{', '|', '}').ok_or("this is no set of labels")?;
                let places: Vec<u32> = labels.iter().map(|label| place(label)).collect::<Result<_, _>>()?;
                if places.len() < 2 {
                    return Err("a set of one label is written as the label");
                }
                if !places.windows(2).all(|pair| pair[0] < pair[1]) {
                    return Err("the labels of a set stand once each, in domain order");
                }
                return Ok(Region::Labels(places));
            }
            let label = read_plain(text).ok_or("a label that starts like this needs a backslash")?;
            Ok(Region::Labels(vec![place(label)?]))
        }
    }
}

/// The two ends of `[lo,hi]`, or one plain value as both.
fn ends<T: Copy + Ord>(text: &str, value: impl Fn(&str) -> Result<T, &'static str>) -> Result<(T, T), &'static str> {
    if !text.starts_with('[') {
        let one = value(read_plain(text).ok_or("a value that starts like this needs a backslash")?)?;
        return Ok((one, one));
    }
    let parts = read_list(text, '[', ',', ']').ok_or("this is no interval")?;
    let [lo, hi] = parts.as_slice() else {
        return Err("an interval has two ends");
    };
    let (lo, hi) = (value(lo)?, value(hi)?);
    if lo == hi {
        return Err("an interval of one value is written as the value");
    }
    if lo > hi {
        return Err("this interval runs backwards");
    }
    Ok((lo, hi))
}

fn within<T: Ord>(bounds: Option<(T, T)>, lo: T, hi: T) -> Result<(), &'static str> {
    match bounds {
        Some((least, greatest)) if least <= lo && hi <= greatest => Ok(()),
        _ => Err("this leaves the manifest's domain"),
    }
}
