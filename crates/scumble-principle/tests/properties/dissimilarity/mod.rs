//! Dissimilarity against its definition, the paper's examples, lemmas on random graphs, and certificates against every
//! partition there is.

mod bound;
mod certificates;
mod colouring;
mod graph;
mod paper2;

use crate::dice::Dice;
use crate::distance::Table;
use crate::fraction::Fraction;
use scumble_principle::{BoundRequirements, Group, JointColumns, LoadedDistance, Requirement};
use scumble_table::{Attribute, Bag, Codes, Decimal, Role, Schema};

/// A table whose columns are all sensitive, under requirements and a distance.
pub(crate) struct Release {
    pub(crate) bound: BoundRequirements,
    pub(crate) together: JointColumns,
    pub(crate) columns: Vec<Codes>,
}

impl Release {
    /// `published` are the rows that are judged; groups may have no others.
    pub(crate) fn new(
        schema: &Schema,
        columns: Vec<Codes>,
        ruler: &LoadedDistance,
        requirements: &[&str],
        published: &[u32],
    ) -> scumble_table::Result<Release> {
        let requirements: Vec<Requirement> = requirements.iter().map(|text| text.parse().unwrap()).collect();
        let together = JointColumns::new(&requirements, schema, Some(ruler), |at| &columns[at])?;
        let together = together.expect("some requirement is dissimilarity").restricted_to(published);
        let whole = |at: usize| Bag::from_codes(published.iter().map(|&row| columns[at].get(row as usize)));
        let bound = BoundRequirements::bind_joint(&requirements, schema, whole, Some(&together))?;
        Ok(Release { bound, together, columns })
    }

    /// One bag per column and one of all columns together.
    pub(crate) fn bags(&self, rows: &[u32]) -> Vec<Bag> {
        let column = |codes: &Codes| Bag::from_codes(rows.iter().map(|&row| codes.get(row as usize)));
        self.columns.iter().map(column).chain([self.together.bag(rows)]).collect()
    }

    pub(crate) fn holds(&self, rows: &[u32]) -> bool {
        self.bound.holds(Group { size: rows.len() as u64, bags: &self.bags(rows) })
    }
}

pub(crate) fn schema(table: &Table) -> Schema {
    let attribute = |(at, domain): (usize, &scumble_table::Domain)| Attribute {
        name: format!("c{at}"),
        role: Role::Sensitive,
        domain: domain.clone(),
    };
    Schema::new(table.domains.iter().enumerate().map(attribute).collect()).unwrap()
}

fn codes(table: &Table) -> Vec<Codes> {
    (0..table.domains.len()).map(|column| table.rows.iter().map(|row| row[column]).collect()).collect()
}

/// Deltas at, just below and just above a share of others that is far, and both ends.
fn deltas(dice: &mut Dice, near: usize, others: usize) -> Vec<Decimal> {
    let far = Fraction::new(others - near, others.max(1));
    let scale = *dice.pick(&[1, 4, 20]);
    let units = far.units(scale, false);
    let decimals = [units - 1, units, units + 1].map(|units| Decimal::new(units, scale));
    let shares = decimals.into_iter().filter(|delta| (Decimal::ZERO..=Decimal::from(1)).contains(delta));
    shares.chain([Decimal::ZERO, Decimal::from(1)]).collect()
}

#[test]
fn groups_pass_as_the_definition_says() {
    let (mut passed, mut failed) = (0, 0);
    for seed in 0..2500 {
        let mut dice = Dice::new(seed);
        let table = Table::random(&mut dice);
        let (schema, ruler) = (schema(&table), table.ruler());
        let published: Vec<u32> = (0..).zip(&table.published).filter(|pair| *pair.1).map(|pair| pair.0).collect();
        let group: Vec<u32> = published.iter().copied().filter(|_| !dice.once_in(4)).collect();
        if group.is_empty() {
            continue;
        }
        let (a, b) = (*dice.pick(&group) as usize, *dice.pick(&group) as usize);
        let epsilon = Decimal::new(table.distance(a, b).units(6, table.combine == "l2").min(1 << 100), 6);
        let bound = Fraction::decimal(epsilon);
        let bound = if table.combine == "l2" { bound.times(&bound) } else { bound };
        let near = |row: u32| {
            let others = group.iter().filter(|&&other| other != row);
            others.filter(|&&other| table.distance(row as usize, other as usize) <= bound).count()
        };
        let (others, most_near) = (group.len() - 1, group.iter().map(|&row| near(row)).max().unwrap());
        for delta in deltas(&mut dice, most_near, others) {
            let k = dice.between(1, group.len() + 1);
            // A single column may be named.
            let name = if table.domains.len() == 1 && dice.once_in(2) { "c0: " } else { "" };
            let text = format!("{name}dissimilarity({epsilon}, {delta}, {k})");
            let release = Release::new(&schema, codes(&table), &ruler, &[&text], &published).unwrap();
            let far = Fraction::new(others - most_near, 1);
            let wanted = Fraction::decimal(delta).times(&Fraction::new(others, 1));
            let passes = group.len() >= k.max(2) && far >= wanted;
            assert_eq!(release.holds(&group), passes, "seed {seed}: {text} on {group:?} of {table:?}");
            *(if passes { &mut passed } else { &mut failed }) += 1;
            attained_is_met(&release, &group, seed);
        }
    }
    assert!(passed > 2000 && failed > 2000, "{passed} {failed}");
}

/// Written as a requirement the figures of a group hold for it, and one unit more does not.
fn attained_is_met(release: &Release, group: &[u32], seed: u64) {
    let bags = release.bags(group);
    let [test] = release.bound.tests() else { panic!("one requirement, taken once") };
    let attained = &release.bound.attained(Group { size: group.len() as u64, bags: &bags })[0];
    assert_eq!((test.column(), test.is_about_size(), test.test().monotone()), (None, false, false));
    let requirement = &release.bound.requirements()[test.requirement()];
    let near = test.test().dissimilarity().unwrap();
    let holds = |text: &str| {
        let principle = *text.parse::<Requirement>().unwrap().get::<scumble_principle::Dissimilarity>().unwrap();
        scumble_principle::Test::holds(
            &principle.with_neighbours(near.neighbours().clone(), near.weights()),
            &bags[bags.len() - 1],
        )
    };
    let (delta, k) = (attained.figure("delta").unwrap(), attained.figure("k").unwrap());
    assert_eq!(k, group.len().to_string());
    match requirement.principle().nearest(attained) {
        Some(nearest) => assert!(holds(&nearest), "seed {seed}: {nearest}"),
        None => assert_eq!(group.len(), 1, "seed {seed}"),
    }
    if group.len() > 1 {
        let epsilon = near.principle().epsilon();
        assert!(holds(&format!("dissimilarity({epsilon}, {delta}, {k})")), "seed {seed}: {delta}");
        let digits = delta.split_once('.').map_or(4, |(_, part)| part.len().max(4));
        let more = Decimal::new(Decimal::parse(delta).unwrap().at_scale(digits as u8).unwrap() + 1, digits as u8);
        if more <= Decimal::from(1) {
            assert!(!holds(&format!("dissimilarity({epsilon}, {more}, {k})")), "seed {seed}: {more}");
        }
        assert!(!holds(&format!("dissimilarity({epsilon}, 0, {})", group.len() + 1)));
    }
}
