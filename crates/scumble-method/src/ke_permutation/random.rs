//! The paper's line for comparison (section 7): rows are taken in a random order, and a group is closed
//! as soon as it passes. What is left over joins the last group.

use super::groups::PlaceGroups;
use super::people::People;
use super::sorted::Sorted;
use crate::coins::{Coins, Purpose};
use crate::shuffle::shuffled;
use scumble_table::{Code, NULL};

/// The groups, in the order they were closed; `number` gives the number behind a code.
pub(super) fn groups(
    sorted: &Sorted,
    k: u64,
    e: u128,
    people: Option<&People>,
    number: impl Fn(Code) -> i128,
    coins: &Coins,
) -> PlaceGroups {
    // Code and place travel together, so that nothing is looked up out of order.
    let items = (0..sorted.len() as u32).map(|place| u64::from(sorted.code(place)) << 32 | u64::from(place));
    let greatest = sorted.len().checked_sub(1).map_or(NULL, |last| sorted.code(last as u32));
    let order = shuffled(items.collect(), coins, Purpose::Groups);
    let mut items = Vec::with_capacity(order.len());
    let mut starts = vec![0u32];
    let mut seen = vec![0u32; greatest as usize + 1];
    let (mut distinct, mut ends) = (0u64, None::<(Code, Code)>);
    let (mut met, mut persons) = (vec![0u32; people.map_or(0, |people| people.n)], 0u64);
    for item in order {
        let (code, place) = ((item >> 32) as Code, item as u32);
        items.push(place);
        let group = starts.len() as u32;
        if seen[code as usize] != group {
            seen[code as usize] = group;
            distinct += 1;
        }
        if code != NULL {
            ends = Some(ends.map_or((code, code), |(low, high)| (low.min(code), high.max(code))));
        }
        if let Some(people) = people {
            let last = &mut met[people.of[place as usize] as usize];
            persons += u64::from(std::mem::replace(last, group) != group);
        }
        let span = ends.map_or(0, |(low, high)| number(high).abs_diff(number(low)));
        if distinct >= k && span >= e && people.is_none_or(|people| persons >= people.least) {
            starts.push(items.len() as u32);
            (distinct, persons, ends) = (0, 0, None);
        }
    }
    if starts.len() > 1 && starts.last() != Some(&(items.len() as u32)) {
        starts.pop();
    }
    if starts.last() != Some(&(items.len() as u32)) {
        starts.push(items.len() as u32);
    }
    PlaceGroups::new(items, starts)
}
