//! Columns whose intervals depend on other columns: is everything that an interval tells about its context published?
//!
//! An interval that only men show tells that somebody is a man. That is harmless where the context is published too,
//! since groups are then told apart by it anyway and k counts whole published rows. So every group must show by its
//! other columns which one context it belongs to. Within a context no two intervals may overlap: the choice between them
//! would tell something that the manifest does not declare.

use super::verdict::Verdict;
use scumble_release::notation::Region;
use scumble_release::{BoxColumn, Boxed, ConditionalColumn, ContextShown, Manifest, PublishedTables, problems};
use scumble_table::Role;
use std::collections::{BTreeMap, BTreeSet};

/// Notes whether contexts are published; a release without such columns has nothing to note.
pub(super) fn check(manifest: &Manifest, tables: &PublishedTables, verdict: &mut Verdict) {
    if manifest.conditional.is_empty() {
        return;
    }
    let PublishedTables::Generalized(boxed) = tables else {
        verdict.note("contexts", Err("only a table of boxes can have intervals that depend on a context".into()));
        return;
    };
    let list = manifest
        .conditional
        .iter()
        .filter_map(|entry| judge(entry, manifest, boxed).err().map(|reason| format!("`{}`: {reason}", entry.column)));
    let n = manifest.conditional.len();
    verdict.note("contexts", problems(list.collect(), || format!("every context is published, of {n} of the columns")));
}

fn judge(entry: &ConditionalColumn, manifest: &Manifest, boxed: &Boxed) -> Result<(), String> {
    let quasi: Vec<&str> = manifest.of_role(Role::Quasi).map(|column| column.name.as_str()).collect();
    let boxes = |name: &str| {
        let at = quasi.iter().position(|known| *known == name);
        at.map(|at| &boxed.quasi[at]).ok_or_else(|| format!("`{name}` is no quasi-identifier of the release"))
    };
    let own = boxes(&entry.column)?;
    // What each group shows, context by context.
    let mut of_group: Vec<Option<usize>> = vec![None; boxed.sizes.len()];
    let mut fallback = None;
    for (at, context) in entry.contexts.iter().enumerate() {
        if context.when.is_empty() {
            if fallback.replace(at).is_some() {
                return Err("two contexts are told by nothing".into());
            }
            continue;
        }
        let mut asked: Vec<(&BoxColumn, BTreeSet<&str>)> = Vec::new();
        for (name, texts) in &context.when {
            if *name == entry.column {
                return Err("a context of the column is told by the column itself".into());
            }
            asked.push((boxes(name)?, texts.iter().map(String::as_str).collect()));
        }
        for (group, found) in of_group.iter_mut().enumerate() {
            let shows = |(boxes, texts): &(&BoxColumn, BTreeSet<&str>)| texts.contains(text(boxes, group));
            if !asked.iter().all(shows) {
                continue;
            }
            if found.replace(at).is_some() {
                return Err(format!("what group {} shows does not tell its context", group + 1));
            }
        }
    }
    let mut shown: BTreeMap<usize, BTreeSet<&str>> = BTreeMap::new();
    for (group, found) in of_group.iter().enumerate() {
        let Some(at) = found.or(fallback) else {
            return Err(format!("group {} is in no context", group + 1));
        };
        shown.entry(at).or_default().insert(text(own, group));
    }
    for (at, context) in entry.contexts.iter().enumerate() {
        let declared: BTreeSet<&str> = context.shows.iter().map(String::as_str).collect();
        if shown.get(&at).cloned().unwrap_or_default() != declared {
            return Err(format!("context {} does not show the intervals that the manifest states", at + 1));
        }
        apart(context, own).map_err(|reason| format!("context {}: {reason}", at + 1))?;
    }
    Ok(())
}

fn text(boxes: &BoxColumn, group: usize) -> &str {
    boxes.texts.text(boxes.of_group[group])
}

/// Whether no two intervals of a context overlap.
fn apart(context: &ContextShown, own: &BoxColumn) -> Result<(), String> {
    let shows: BTreeSet<&str> = context.shows.iter().map(String::as_str).collect();
    let regions =
        own.regions.iter().enumerate().filter_map(|(code, region)| {
            shows.contains(own.texts.text(code as u32)).then_some(region.as_ref()).flatten()
        });
    let (mut numbers, mut days, mut places) = (Vec::new(), Vec::new(), Vec::new());
    for region in regions {
        match region {
            Region::Null => {}
            Region::Numbers(low, high) => numbers.push((*low, *high)),
            Region::Days(low, high) => days.push((*low, *high)),
            Region::Positions(low, high) => places.push((*low, *high)),
            Region::All | Region::Labels(_) | Region::Node(_) => {
                return Err("it shows something else than intervals".into());
            }
        }
    }
    fn overlap<T: Ord + Copy>(mut spans: Vec<(T, T)>) -> bool {
        spans.sort_unstable();
        spans.windows(2).any(|pair| pair[1].0 <= pair[0].1)
    }
    if overlap(numbers) || overlap(days) || overlap(places) {
        Err("two of its intervals overlap".into())
    } else {
        Ok(())
    }
}
