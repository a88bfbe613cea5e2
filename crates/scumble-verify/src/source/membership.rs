//! The group of each source row, as far as it is certain.
//!
//! A release does not say whose its rows are. What it shows leaves every source row some groups: those whose box is around
//! it, or that name its exact values, and that show its sensitive values. A group shows each value a number of times, and exact
//! values as well, and has to get as many rows of each. What follows from that alone is found by forced moves, until
//! nothing moves any more:
//!
//! ```text
//! a cell (a group and what it shows) that no more rows fit than it has room for   takes them all
//! a row that is published for certain and has one group left                      is in it
//! a cell that is full                                                             is closed to all others
//! ```
//!
//! Every move holds in every assignment of rows to groups, so that what is found is certain. What is not found may still be.

use super::groups::{Classes, NONE, column_pairs};
use super::located::RowsInBuckets;
use crate::angel::Synthesis;
use scumble_io::RawTable;
use scumble_release::{Angelized, Boxed, Exact, GroupedValues, SUPPRESSED};
use scumble_table::{GroupedRows, Monitor, Result, RowClasses, rows_by_group};

/// The group of a source row that may be in one of several, or in none.
pub const UNCERTAIN: u32 = SUPPRESSED - 1;

/// More pairs of rows and groups than this are not written down; a pair costs some 30 bytes.
const MOST_PAIRS: usize = 20_000_000;

/// Who is in which group, as far as that is certain.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Membership {
    /// Group of each source row; [`SUPPRESSED`] where it is in none for certain, [`UNCERTAIN`] where that is open.
    pub group_of_row: Vec<u32>,
    /// Rows of each group that are not known for certain.
    pub open: Vec<u32>,
    /// Rows that may be in groups that are open: group and row, by rising group.
    pub possible: Vec<(u32, u32)>,
}

impl Membership {
    /// Whether every member of every group is certain.
    pub fn is_complete(&self) -> bool {
        self.open.iter().all(|&open| open == 0)
    }

    /// Groups all of whose members are certain.
    pub fn n_certain(&self) -> usize {
        self.open.iter().filter(|&&open| open == 0).count()
    }

    /// Certain members of each group.
    pub fn members(&self) -> GroupedRows {
        rows_by_group(&self.group_of_row, self.open.len())
    }

    /// Rows that may be in a group besides its certain members.
    pub fn possible(&self, group: u32) -> &[(u32, u32)] {
        let from = self.possible.partition_point(|pair| pair.0 < group);
        let to = self.possible.partition_point(|pair| pair.0 <= group);
        &self.possible[from..to]
    }
}

/// The members of the groups of a table of boxes; nothing where there are too many possibilities to look at.
///
/// # Errors
/// If the source lacks a column, or the work was cancelled.
pub fn members_of_boxes(boxed: &Boxed, raw: &RawTable, monitor: Monitor<'_>) -> Result<Option<Membership>> {
    let Some(located) = RowsInBuckets::new(boxed, raw, monitor)? else { return Ok(None) };
    members_located(boxed, &located, raw, monitor)
}

/// The same, of rows that were looked up before.
pub(super) fn members_located(
    boxed: &Boxed,
    located: &RowsInBuckets,
    raw: &RawTable,
    monitor: Monitor<'_>,
) -> Result<Option<Membership>> {
    let published = published(&boxed.row_group);
    let what = match boxed.values.is_empty() {
        true => Classes { ours: vec![0; published.len()], theirs: vec![0; raw.n_rows], n: 1 },
        false => Classes::new(&column_pairs(&boxed.values, raw)?, &published, raw.n_rows),
    };
    let groups: Vec<u32> = published.iter().map(|&row| boxed.row_group[row as usize]).collect();
    let problem = MembershipProblem {
        n_groups: boxed.sizes.len(),
        places: &located.point,
        n_places: located.rows.len(),
        groups_of: &|place| located.buckets(place).to_vec(),
        shown: counted(&groups, &what.ours, |_| 1),
        what: &what,
        named: None,
    };
    problem.solve(monitor)
}

/// The members of the groups of a release with exact quasi-identifiers, for one grouping.
///
/// # Errors
/// As [`members_of_boxes`].
pub fn members_of_groups(
    exact: &Exact,
    grouping: &GroupedValues,
    raw: &RawTable,
    monitor: Monitor<'_>,
) -> Result<Option<Membership>> {
    let published = published(&grouping.row_group);
    let who = Classes::new(&column_pairs(&exact.people, raw)?, &published, raw.n_rows);
    let groups: Vec<u32> = published.iter().map(|&row| grouping.row_group[row as usize]).collect();
    let by_person = Synthesis::new(who.n, &who.ours, &groups);
    let counted_rows: Vec<u32> = (0..grouping.sensitive.counts.len() as u32).collect();
    let what = Classes::new(&column_pairs(&grouping.sensitive.values, raw)?, &counted_rows, raw.n_rows);
    let problem = MembershipProblem {
        n_groups: grouping.sizes.len(),
        places: &who.theirs,
        n_places: who.n,
        groups_of: &|place| by_person.of_bucket(place as usize).iter().map(|part| part.0).collect(),
        shown: counted(&grouping.sensitive.row_group, &what.ours, |at| grouping.sensitive.counts[at]),
        what: &what,
        named: Some(counted(&groups, &who.ours, |_| 1)),
    };
    problem.solve(monitor)
}

/// The members of the batches of an angel release: people of a bucket are in its batches, and have values that these count.
pub(super) fn members_of_batches(
    tables: &Angelized,
    located: &[RowsInBuckets],
    raw: &RawTable,
    monitor: Monitor<'_>,
) -> Result<Option<Membership>> {
    let (Some(view), Some(first)) = (tables.views.first(), located.first()) else { return Ok(None) };
    let syntheses: Vec<Synthesis> = tables.views.iter().map(Synthesis::from_table).collect();
    let counted_rows: Vec<u32> = (0..tables.batches.counts.len() as u32).collect();
    let what = Classes::new(&column_pairs(&tables.batches.values, raw)?, &counted_rows, raw.n_rows);
    let batches_of = |place: u32| {
        let row = first.rows[place as usize].0 as usize;
        let mut common: Option<Vec<u32>> = None;
        for (synthesis, located) in syntheses.iter().zip(located) {
            let buckets = located.buckets(located.point[row]).iter();
            let mut here: Vec<u32> =
                buckets.flat_map(|&bucket| synthesis.of_bucket(bucket as usize)).map(|part| part.0).collect();
            here.sort_unstable();
            here.dedup();
            common = Some(match common {
                None => here,
                Some(before) => before.into_iter().filter(|batch| here.binary_search(batch).is_ok()).collect(),
            });
        }
        common.unwrap_or_default()
    };
    // Where every row has one bucket, a batch names as many rows of it as the table has.
    let named = first.is_unique().then(|| {
        let published = published(&view.boxed.row_group);
        let batches: Vec<u32> = published.iter().map(|&row| view.row_batch[row as usize]).collect();
        let buckets: Vec<u32> = published.iter().map(|&row| view.boxed.row_group[row as usize]).collect();
        (batches, buckets)
    });
    let bucket_of_place: Vec<u32> = match &named {
        Some(_) => (0..first.rows.len() as u32).map(|place| first.buckets(place)[0]).collect(),
        None => Vec::new(),
    };
    // Rows of a bucket are alike as far as its batches are concerned, unless other tables tell them apart.
    let by_bucket = named.is_some() && tables.views.len() == 1;
    let places: Vec<u32> = match by_bucket {
        true => first.point.iter().map(|&point| bucket_of_place[point as usize]).collect(),
        false => first.point.clone(),
    };
    let problem = MembershipProblem {
        n_groups: tables.sizes.len(),
        places: &places,
        n_places: if by_bucket { view.boxed.sizes.len() } else { first.rows.len() },
        groups_of: &|place| match by_bucket {
            true => syntheses[0].of_bucket(place as usize).iter().map(|part| part.0).collect(),
            false => batches_of(place),
        },
        shown: counted(&tables.batches.row_group, &what.ours, |at| tables.batches.counts[at]),
        what: &what,
        named: named.filter(|_| by_bucket).map(|(batches, buckets)| counted(&batches, &buckets, |_| 1)),
    };
    problem.solve(monitor)
}

/// Rows that are not suppressed.
fn published(row_group: &[u32]) -> Vec<u32> {
    (0..row_group.len() as u32).filter(|&row| row_group[row as usize] != SUPPRESSED).collect()
}

/// A group, what it shows, and how many of its rows show it.
type ShownCount = (u32, u32, u32);

/// How many rows of each group show what, by rising group.
fn counted(groups: &[u32], shown: &[u32], count: impl Fn(usize) -> u32) -> Vec<ShownCount> {
    let mut cells: Vec<ShownCount> =
        groups.iter().zip(shown).enumerate().map(|(at, (&group, &what))| (group, what, count(at))).collect();
    cells.sort_unstable();
    let sum = |alike: &[ShownCount]| (alike[0].0, alike[0].1, alike.iter().map(|cell| cell.2).sum());
    cells.chunk_by(|a, b| (a.0, a.1) == (b.0, b.1)).map(sum).collect()
}

fn cell_at(cells: &[ShownCount], group: u32, what: u32) -> Option<usize> {
    cells.binary_search_by_key(&(group, what), |cell| (cell.0, cell.1)).ok()
}

/// What is known of rows and of groups.
struct MembershipProblem<'a> {
    n_groups: usize,
    /// Place of each source row among the quasi-identifiers, or [`NONE`].
    places: &'a [u32],
    n_places: usize,
    /// Groups that a row of a place may be in.
    groups_of: &'a dyn Fn(u32) -> Vec<u32>,
    /// How many rows of each group show which values.
    shown: Vec<ShownCount>,
    what: &'a Classes,
    /// How many rows of each group are of which place, where a group says so.
    named: Option<Vec<ShownCount>>,
}

/// Rows of the same place and the same values: whatever is true of one is true of all.
struct Network {
    /// Rows of each node.
    rows: GroupedRows,
    /// Whether the rows of a node are published for certain.
    is_published: Vec<bool>,
    /// The pairs of node `n` are `starts[n]..starts[n + 1]`.
    starts: Vec<u32>,
    pairs: Vec<Pair>,
    /// Pairs of each cell, as positions in `pairs`.
    of_cell: GroupedRows,
    /// Rows that each cell still wants: cells of values first, then those of places.
    want: Vec<u32>,
    /// Rows that could still be in it.
    supply: Vec<u64>,
    /// Pairs of each node that are still open.
    degree: Vec<u32>,
    /// Group of each node, once it is certain.
    group: Vec<u32>,
}

struct Pair {
    node: u32,
    group: u32,
    /// The cell of the values, and that of the place or the same again.
    cells: [u32; 2],
    open: bool,
}

impl MembershipProblem<'_> {
    fn solve(&self, monitor: Monitor<'_>) -> Result<Option<Membership>> {
        monitor.check()?;
        let Some(mut network) = self.network(monitor)? else { return Ok(None) };
        network.force(monitor)?;
        Ok(Some(network.membership(&self.shown, self.n_groups, self.places.len())))
    }

    fn network(&self, monitor: Monitor<'_>) -> Result<Option<Network>> {
        let n_rows = self.places.len();
        let may_be = |row: usize| self.places[row] != NONE && self.what.theirs[row] != NONE;
        let mut classes = RowClasses::new(n_rows);
        classes.push(self.n_places + 1, |row| if may_be(row) { self.places[row] + 1 } else { 0 });
        classes.push(self.what.n + 1, |row| if may_be(row) { self.what.theirs[row] + 1 } else { 0 });
        let (node_of_row, n_nodes) = classes.finish();
        let rows = rows_by_group(&node_of_row, n_nodes);
        let n_shown = self.shown.len();
        let named: &[ShownCount] = self.named.as_deref().unwrap_or_default();
        let want: Vec<u32> = self.shown.iter().chain(named).map(|cell| cell.2).collect();
        let mut known: Vec<Option<Vec<u32>>> = vec![None; self.n_places];
        let (mut starts, mut pairs) = (vec![0u32], Vec::new());
        for node in 0..n_nodes {
            let row = rows.group(node)[0] as usize;
            if may_be(row) {
                let (place, value) = (self.places[row], self.what.theirs[row]);
                let groups = known[place as usize].get_or_insert_with(|| (self.groups_of)(place));
                for &group in groups.iter() {
                    let Some(cell) = cell_at(&self.shown, group, value) else { continue };
                    let other = match &self.named {
                        None => Some(cell),
                        Some(named) => cell_at(named, group, place).map(|at| n_shown + at),
                    };
                    let Some(other) = other else { continue };
                    pairs.push(Pair { node: node as u32, group, cells: [cell as u32, other as u32], open: true });
                }
            }
            if pairs.len() > MOST_PAIRS {
                return Ok(None);
            }
            monitor.check()?;
            starts.push(pairs.len() as u32);
        }
        let size = |node: u32| rows.group(node as usize).len() as u64;
        let mut supply = vec![0u64; want.len()];
        let mut ends: Vec<(u32, u32)> = Vec::with_capacity(pairs.len());
        for (at, pair) in (0..).zip(&pairs) {
            for cell in pair.own_cells() {
                supply[cell as usize] += size(pair.node);
                ends.push((cell, at));
            }
        }
        let by_cell = rows_by_group(&ends.iter().map(|end| end.0).collect::<Vec<_>>(), want.len());
        let of_cell = GroupedRows {
            rows: by_cell.rows.iter().map(|&end| ends[end as usize].1).collect(),
            starts: by_cell.starts,
        };
        let degree: Vec<u32> = starts.windows(2).map(|pair| pair[1] - pair[0]).collect();
        let used = self.all_used(&rows, &degree);
        let is_published = (0..n_nodes).map(|node| {
            let row = rows.group(node)[0] as usize;
            may_be(row) && (used.0[self.what.theirs[row] as usize] || used.1[self.places[row] as usize])
        });
        let is_published = is_published.collect();
        let group = vec![UNCERTAIN; n_nodes];
        Ok(Some(Network { is_published, rows, starts, pairs, of_cell, want, supply, degree, group }))
    }

    /// Values all of whose source rows are published, and places: as many rows have some group left as are wanted.
    fn all_used(&self, rows: &GroupedRows, degree: &[u32]) -> (Vec<bool>, Vec<bool>) {
        let (mut values, mut places) = (vec![0i64; self.what.n], vec![0i64; self.n_places]);
        for (rows, _) in rows.groups().zip(degree).filter(|(_, degree)| **degree > 0) {
            let row = rows[0] as usize;
            values[self.what.theirs[row] as usize] += rows.len() as i64;
            places[self.places[row] as usize] += rows.len() as i64;
        }
        self.shown.iter().for_each(|cell| values[cell.1 as usize] -= i64::from(cell.2));
        let named = self.named.iter().flatten();
        named.for_each(|cell| places[cell.1 as usize] -= i64::from(cell.2));
        let places = places.into_iter().map(|left| self.named.is_some() && left == 0).collect();
        (values.into_iter().map(|left| left == 0).collect(), places)
    }
}

impl Pair {
    fn own_cells(&self) -> impl Iterator<Item = u32> + use<> {
        let [values, place] = self.cells;
        std::iter::once(values).chain((place != values).then_some(place))
    }
}

/// What has to be looked at again.
enum Recheck {
    Node(u32),
    ShownCount(u32),
}

impl Network {
    /// Moves whatever is forced, until nothing is.
    fn force(&mut self, monitor: Monitor<'_>) -> Result<()> {
        let nodes = (0..self.degree.len() as u32).map(Recheck::Node);
        let mut moves: Vec<Recheck> = (0..self.want.len() as u32).map(Recheck::ShownCount).chain(nodes).collect();
        while let Some(next) = moves.pop() {
            monitor.check()?;
            match next {
                Recheck::Node(node) if self.is_published[node as usize] && self.degree[node as usize] == 1 => {
                    let pairs = self.starts[node as usize]..self.starts[node as usize + 1];
                    if let Some(pair) = pairs.into_iter().find(|&pair| self.pairs[pair as usize].open) {
                        self.take(pair, &mut moves);
                    }
                }
                Recheck::Node(_) => {}
                Recheck::ShownCount(cell) if self.want[cell as usize] == 0 => {
                    for pair in self.of_cell.group(cell as usize).to_vec() {
                        self.close(pair, &mut moves);
                    }
                }
                Recheck::ShownCount(cell) if self.supply[cell as usize] == u64::from(self.want[cell as usize]) => {
                    for pair in self.of_cell.group(cell as usize).to_vec() {
                        self.take(pair, &mut moves);
                    }
                }
                Recheck::ShownCount(_) => {}
            }
        }
        Ok(())
    }

    /// Puts all rows of a node into the group of an open pair. A source that is not that of the release may not fit, and is
    /// left open.
    fn take(&mut self, at: u32, moves: &mut Vec<Recheck>) {
        let pair = &self.pairs[at as usize];
        if !pair.open {
            return;
        }
        let (node, group) = (pair.node as usize, pair.group);
        let size = self.rows.group(node).len() as u32;
        let cells: Vec<u32> = pair.own_cells().collect();
        if cells.iter().any(|&cell| self.want[cell as usize] < size) {
            return;
        }
        self.group[node] = group;
        for pair in self.starts[node]..self.starts[node + 1] {
            self.close(pair, moves);
        }
        for cell in cells {
            self.want[cell as usize] -= size;
            moves.push(Recheck::ShownCount(cell));
        }
    }

    /// Rules a pair out.
    fn close(&mut self, at: u32, moves: &mut Vec<Recheck>) {
        let pair = &mut self.pairs[at as usize];
        if !std::mem::take(&mut pair.open) {
            return;
        }
        let node = pair.node;
        let size = self.rows.group(node as usize).len() as u64;
        for cell in self.pairs[at as usize].own_cells() {
            self.supply[cell as usize] -= size;
            moves.push(Recheck::ShownCount(cell));
        }
        self.degree[node as usize] -= 1;
        moves.push(Recheck::Node(node));
    }

    fn membership(&self, shown: &[ShownCount], n_groups: usize, n_rows: usize) -> Membership {
        let mut group_of_row = vec![SUPPRESSED; n_rows];
        for (node, rows) in self.rows.groups().enumerate() {
            let group = match self.group[node] {
                UNCERTAIN if self.degree[node] == 0 => SUPPRESSED,
                group => group,
            };
            rows.iter().for_each(|&row| group_of_row[row as usize] = group);
        }
        let mut possible: Vec<(u32, u32)> = Vec::new();
        for pair in self.pairs.iter().filter(|pair| pair.open) {
            possible.extend(self.rows.group(pair.node as usize).iter().map(|&row| (pair.group, row)));
        }
        possible.sort_unstable();
        // A group is open by as many rows as its values still want.
        let mut open = vec![0u32; n_groups];
        for (cell, &want) in shown.iter().zip(&self.want) {
            open[cell.0 as usize] += want;
        }
        Membership { group_of_row, open, possible }
    }
}
