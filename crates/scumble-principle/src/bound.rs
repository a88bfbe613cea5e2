//! All requirements on a release, tied to its table.

mod bind;
mod by_person;
mod infeasible;
mod joint;

pub use by_person::{ByPerson, PersonMemory};
pub use joint::JointColumns;

use crate::{Attained, BoundPopulation, DissimilarityTest, Distance, Requirement, Test};
use scumble_table::{Bag, Counted, Domain, NULL, Result, Role, Table};
use std::sync::Arc;

/// A group as the tests see it.
#[derive(Debug, Clone, Copy)]
pub struct Group<'a> {
    /// Number of rows.
    pub size: u64,
    /// One bag per sensitive column, in the order of the schema. Bags of columns that
    /// [`BoundRequirements::sensitive_needed`] does not list are not looked at and may be empty. Where
    /// [`BoundRequirements::joint`] is something, one more bag follows: that of the columns taken together.
    pub bags: &'a [Bag],
}

/// One test of one requirement.
#[derive(Debug)]
pub struct BoundTest {
    requirement: usize,
    /// Which bag it looks at; `None` where only the size of a group matters.
    bag: Option<usize>,
    /// Whether that bag is one of columns taken together.
    is_joint: bool,
    name: String,
    test: Box<dyn Test>,
}

impl BoundTest {
    /// Which requirement it belongs to, as a position in the list that was bound.
    pub fn requirement(&self) -> usize {
        self.requirement
    }

    /// Which sensitive column it looks at, as a position among the sensitive columns; `None` where
    /// only the size of a group matters, or several columns are taken together.
    pub fn column(&self) -> Option<usize> {
        self.bag.filter(|_| !self.is_joint)
    }

    /// True if only the size of a group matters.
    pub fn is_about_size(&self) -> bool {
        self.bag.is_none()
    }

    /// The test itself.
    pub fn test(&self) -> &dyn Test {
        &*self.test
    }

    /// False only if no part of the group can pass.
    fn may_hold_in_parts(&self, group: Group<'_>) -> bool {
        group.size >= self.test.least_size()
            && (!self.test.superset_closed() || self.ask(group, |test, bag| test.holds(bag)))
    }

    /// Puts a question about the group to the test. Where only the size matters, any values will do.
    fn ask<R>(&self, group: Group<'_>, question: impl FnOnce(&dyn Test, &Bag) -> R) -> R {
        match self.bag.map(|at| bag_at(group, at)) {
            None => question(&*self.test, &bag_of_size(group.size)),
            Some(Some(bag)) => question(&*self.test, bag),
            Some(None) => question(&*self.test, &Bag::default()),
        }
    }
}

/// A missing bag is our own mistake; outside of tests the group is judged as an empty one, which fails: that is safe.
fn bag_at(group: Group<'_>, at: usize) -> Option<&Bag> {
    debug_assert!(at < group.bags.len(), "a group has one bag per sensitive column");
    debug_assert!(group.bags.get(at).is_none_or(|bag| bag.size() == group.size), "a bag holds the whole group");
    group.bags.get(at)
}

/// A bag of `size` rows, for tests that look at nothing else.
pub(crate) fn bag_of_size(size: u64) -> Bag {
    let mut bag = Bag::default();
    let full = (size / u64::from(u32::MAX)) as u32;
    let rest = (NULL + full, (size % u64::from(u32::MAX)) as u32);
    bag.refill_sorted((NULL..NULL + full).map(|code| (code, u32::MAX)).chain([rest]));
    bag
}

/// Every requirement of a release bound to its table: what a search asks of each group, and the
/// verifier once more.
#[derive(Debug)]
pub struct BoundRequirements {
    requirements: Vec<Requirement>,
    tests: Vec<BoundTest>,
    least_size: u64,
    /// Who the members of a group are.
    counted: Counted,
    joint: Option<JointColumns>,
    distance: Option<Distance>,
    /// The same requirements tied to people, where some have several rows: groups must pass by both.
    by_person: Option<Box<ByPerson>>,
    /// What is asked of boxes against the population, where something is.
    population: Option<Arc<BoundPopulation>>,
}

impl BoundRequirements {
    /// The same requirements judged by people, where some of them have several rows.
    pub fn by_person(&self) -> Option<&ByPerson> {
        self.by_person.as_deref()
    }

    /// What is asked of boxes against the population, where something is. Every group must pass that too.
    pub fn population(&self) -> Option<&Arc<BoundPopulation>> {
        self.population.as_ref()
    }

    /// True if some rows of a table pass as one group: as rows, as people where some have several rows, and by the least box around
    /// them where boxes are judged against a population.
    pub fn rows_hold(&self, table: &Table, rows: &[u32]) -> bool {
        self.rows_hold_beside_boxes(table, rows)
            && self.population().is_none_or(|boxes| boxes.holds_rows(table, rows.iter().copied(), rows.len()))
    }

    /// The same without what is asked of boxes.
    pub fn rows_hold_beside_boxes(&self, table: &Table, rows: &[u32]) -> bool {
        self.holds(Group { size: rows.len() as u64, bags: &self.bags(table, rows) })
            && self.by_person().is_none_or(|people| people.holds(rows.iter().copied(), &mut PersonMemory::default()))
    }

    /// The columns that are taken together, where some requirement is `dissimilarity`.
    pub fn joint(&self) -> Option<&JointColumns> {
        self.joint.as_ref()
    }

    /// The distance of `dissimilarity` with its bounds written out, as a manifest states it.
    pub fn distance(&self) -> Option<&Distance> {
        self.distance.as_ref()
    }

    /// The bags of some rows of a table, as [`Group`] wants them.
    pub fn bags(&self, table: &Table, rows: &[u32]) -> Vec<Bag> {
        let of = |column: usize| Bag::from_codes(rows.iter().map(|&row| table.column(column).get(row as usize)));
        let mut bags: Vec<Bag> = table.schema().of_role(Role::Sensitive).into_iter().map(of).collect();
        bags.extend(self.joint.as_ref().map(|joint| joint.bag(rows)));
        bags
    }

    /// The tests that are `dissimilarity`.
    pub fn dissimilarities(&self) -> impl Iterator<Item = &DissimilarityTest> + '_ {
        self.tests.iter().filter_map(|bound| bound.test.dissimilarity())
    }

    /// The requirements that were bound.
    pub fn requirements(&self) -> &[Requirement] {
        &self.requirements
    }

    /// All tests, requirement by requirement and column by column.
    pub fn tests(&self) -> &[BoundTest] {
        &self.tests
    }

    /// The tests that look at values. What the others ask is in `least_size`.
    fn value_tests(&self) -> impl Iterator<Item = &BoundTest> {
        self.tests.iter().filter(|bound| bound.bag.is_some())
    }

    /// True if the group may be published: every test holds. An empty group may not.
    pub fn holds(&self, group: Group<'_>) -> bool {
        group.size >= self.least_size && self.value_tests().all(|bound| bound.ask(group, |test, bag| test.holds(bag)))
    }

    /// False only if no division of `group` into two or more passing groups can exist.
    pub fn divisible(&self, group: Group<'_>) -> bool {
        group.size / 2 >= self.least_size
            && self.value_tests().all(|bound| bound.ask(group, |test, bag| test.divisible(bag)))
    }

    /// True if the union of two passing groups passes. A search that prunes must ask.
    pub fn monotone(&self) -> bool {
        self.tests.iter().all(|bound| bound.test.monotone())
    }

    /// The same where groups are the classes of levels that are the same for all rows, and everybody of the population is covered where that is asked: nothing
    /// that is asked of boxes can then fail for classes together that pass apart.
    pub fn monotone_by_levels(&self) -> bool {
        let asks_boxes = |bound: &BoundTest| self.requirements[bound.requirement].principle().population().is_some();
        self.tests.iter().all(|bound| bound.test.monotone() || asks_boxes(bound))
    }

    /// True if a group that passes still does with any rows added, and in any other table.
    pub fn superset_closed(&self) -> bool {
        self.tests.iter().all(|bound| bound.test.superset_closed())
    }

    /// No group of fewer rows can pass.
    pub fn least_size(&self) -> u64 {
        self.least_size
    }

    /// By how many rows the group passes, where every test that looks at values can tell ([`Test::slack`]): the least of
    /// their numbers, which changes by at most one when the values of one row do. Sizes are not looked at.
    pub fn slack(&self, group: Group<'_>) -> Option<i64> {
        let slack = |bound: &BoundTest| bound.ask(group, |test, bag| test.slack(bag));
        self.value_tests().map(slack).try_fold(i64::MAX, |least, slack| Some(least.min(slack?)))
    }

    /// False where only sizes matter: a search can then skip all values.
    pub fn needs_values(&self) -> bool {
        self.value_tests().next().is_some()
    }

    /// The positions, among the sensitive columns, of those that some test looks at; rising.
    pub fn sensitive_needed(&self) -> Vec<usize> {
        let mut needed: Vec<usize> = self.tests.iter().filter_map(BoundTest::column).collect();
        needed.sort_unstable();
        needed.dedup();
        needed
    }

    /// How safe the group is, test by test in the order of [`BoundRequirements::tests`].
    pub fn attained(&self, group: Group<'_>) -> Vec<Attained> {
        self.tests.iter().map(|bound| bound.ask(group, |test, bag| test.attained(bag))).collect()
    }

    /// True if the group passes, or if for each test by itself it can be divided into groups that
    /// pass. Where all tests are monotone that is the same as passing. Several tests of which some
    /// are not may each have divisions of their own and none in common, so this may say true where
    /// no division passes them all; it never says false where one does.
    pub fn generalizable(&self, group: Group<'_>) -> bool {
        group.size >= self.least_size
            && self.value_tests().all(|bound| bound.ask(group, |test, bag| test.generalizable(bag)))
    }

    /// Refuses what no search can reach. `whole` is the group of all rows.
    ///
    /// Each test is asked whether any division of all rows passes it ([`Test::generalizable`]).
    /// Where a test is monotone, the union of passing groups passes, so if the whole does not pass
    /// no division can; and if it does, the whole as one group is a division that passes. For the
    /// proximity principles Theorem 1 of their paper decides. Requirements that are feasible each
    /// by itself may still be infeasible together when one of them is not monotone: only a search
    /// can tell. Rows may be suppressed, so this is about publishing all of them.
    ///
    /// Proximity asks how far numbers are apart, and a missing one is nowhere: a release of it would
    /// show who has none. It is refused with what to do about it.
    pub fn feasible(&self, whole: Group<'_>) -> Result<()> {
        for bound in &self.tests {
            if bound.test.neighbourhood().is_some() {
                infeasible::no_missing(&self.requirements[bound.requirement], bound, whole)?;
            }
        }
        let generalizable = |bound: &&BoundTest| bound.ask(whole, |test, bag| test.generalizable(bag));
        match self.tests.iter().find(|bound| !generalizable(bound)) {
            Some(failed) => Err(infeasible::error(self, failed, whole)),
            None => Ok(()),
        }
    }

    /// False only if no division of the group can pass even where the union of passing groups may fail: it is too small, or
    /// fails what more rows never harm.
    fn may_hold_in_parts(&self, group: Group<'_>) -> bool {
        group.size >= self.least_size && self.value_tests().all(|bound| bound.may_hold_in_parts(group))
    }

    /// [`BoundRequirements::feasible`] where the union of passing groups may fail. `domains` are those of the sensitive columns.
    fn feasible_in_parts(&self, whole: Group<'_>, domains: &[Domain]) -> Result<()> {
        match self.tests.iter().find(|bound| !bound.may_hold_in_parts(whole)) {
            Some(failed) => Err(infeasible::by_people(self, domains, failed, whole)),
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests;
