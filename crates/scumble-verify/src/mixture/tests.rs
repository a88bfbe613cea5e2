//! The figure and the criterion against the definition, on small tables whose every point can be looked at.

use super::*;
use scumble_principle::{Dissimilarity, Neighbours, Requirement, Test};
use scumble_release::notation::{Cover, text};
use scumble_release::{Extent, ManifestColumn, QuasiColumn};
use scumble_table::{Attribute, Bag, Code, Codes, Decimal, Domain, Kind, Partition, Role, Schema, Table};
use std::sync::Arc;

/// Numbers that look random and never change.
struct Draw(u64);

impl Draw {
    /// A number below `bound`, by SplitMix64.
    fn below(&mut self, bound: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (mixed ^ (mixed >> 31)) % bound
    }
}

/// A small table in groups with boxes.
struct Small {
    table: Table,
    partition: Partition,
    /// The cover of each group in each quasi-identifier.
    covers: Vec<Vec<Cover>>,
}

/// Values of quasi-identifiers; code 0 is null.
const N_VALUES: u64 = 4;

impl Small {
    fn draw(draw: &mut Draw) -> Self {
        let n_groups = 2 + draw.below(4) as usize;
        let mut starts = vec![0u32];
        for _ in 0..n_groups {
            starts.push(starts[starts.len() - 1] + 2 + draw.below(4) as u32);
        }
        let n_rows = starts[n_groups] as usize;
        let number = |n: u64| Decimal::from(n as i64 * 10);
        let domains = [
            Domain::numbers((1..=N_VALUES).map(number).collect()).unwrap(),
            Domain::nominal(["a", "b", "c", "d"].map(Into::into).to_vec()),
        ];
        let nulls = draw.below(8) == 0;
        let mut code = || if nulls && draw.below(9) == 0 { 0 } else { 1 + draw.below(N_VALUES) as Code };
        let quasi: Vec<Vec<Code>> = (0..2).map(|_| (0..n_rows).map(|_| code()).collect()).collect();
        let pay = Domain::numbers((0..12).map(|n| Decimal::from(n as i64)).collect()).unwrap();
        let paid: Vec<Code> = (0..n_rows).map(|_| 1 + draw.below(12) as Code).collect();
        let attribute =
            |name: &str, role, domain: &Domain| Attribute { name: name.into(), role, domain: domain.clone() };
        let schema = Schema::new(vec![
            attribute("age", Role::Quasi, &domains[0]),
            attribute("town", Role::Quasi, &domains[1]),
            attribute("pay", Role::Sensitive, &pay),
        ])
        .unwrap();
        let columns = quasi.iter().chain([&paid]).map(|codes| codes.iter().copied().collect::<Codes>()).collect();
        let table = Table::new(schema, columns, n_rows).unwrap();
        let partition = Partition::new((0..n_rows as u32).collect(), starts, n_rows).unwrap();
        let cover = |column: usize, group: usize, draw: &mut Draw| {
            let mut codes: Vec<Code> =
                partition.group(group).iter().map(|&row| table.column(column).get(row as usize)).collect();
            codes.sort_unstable();
            codes.dedup();
            let (low, high) = (codes[0], codes[codes.len() - 1]);
            match (low, high) {
                (0, 0) => Cover::Null,
                (0, _) => Cover::All,
                _ if draw.below(20) == 0 => Cover::All,
                _ if low == high => Cover::One(low),
                _ if column == 0 => Cover::Interval(low, high),
                _ if codes.len() as u64 == N_VALUES => Cover::All,
                _ => Cover::Set(codes),
            }
        };
        let covers = (0..n_groups).map(|group| (0..2).map(|column| cover(column, group, draw)).collect()).collect();
        Small { table, partition, covers }
    }

    fn boxes(&self) -> Places {
        let (mut quasi, mut columns) = (Vec::new(), Vec::new());
        for column in 0..2 {
            let attribute = self.table.attribute(column);
            let texts: Vec<String> =
                self.covers.iter().map(|covers| text(&covers[column], &attribute.domain)).collect();
            let of_group = (0..texts.len() as u32).collect();
            quasi.push(QuasiColumn { name: attribute.name.clone(), texts, of_group, ends: None });
            let shown: Vec<Cover> = self.covers.iter().map(|covers| covers[column].clone()).collect();
            let domain = Extent::from_covers(&attribute.domain, &shown);
            let kind = if column == 0 { Kind::Number } else { Kind::Nominal };
            columns.push(ManifestColumn {
                name: attribute.name.clone(),
                role: Role::Quasi,
                kind,
                domain,
                published: false,
            });
        }
        Places::from_boxes(&quasi, &columns, &self.table).unwrap()
    }

    fn pay(&self, row: u32) -> Code {
        self.table.column(2).get(row as usize)
    }

    fn values(&self) -> GroupValues {
        GroupValues::read(self.partition.n_groups(), |group, bag| {
            *bag = Bag::from_codes(self.partition.group(group).iter().map(|&row| self.pay(row)));
        })
    }

    /// The groups that somebody with these values may be in, with the weight of their rows times 60.
    fn around(&self, point: [Code; 2], exact: bool) -> Vec<(usize, u64)> {
        let weight = |group: usize| match exact {
            true => {
                let rows = self.partition.group(group);
                let same = |row: &&u32| (0..2).all(|c| self.table.column(c).get(**row as usize) == point[c]);
                rows.iter().filter(same).count() as u64 * 60 / rows.len() as u64
            }
            false => {
                let covers = |c: usize| self.covers[group][c].covers(point[c], &self.table.attribute(c).domain);
                if (0..2).all(covers) { 60 } else { 0 }
            }
        };
        (0..self.partition.n_groups()).map(|group| (group, weight(group))).filter(|pair| pair.1 > 0).collect()
    }

    /// Near and all by the definition, for somebody of this value and this group among these.
    fn belief(&self, around: &[(usize, u64)], value: Code, own: usize, rule: &Rule) -> (u64, u64) {
        let (mut near, mut all) = (0, 0);
        for &(group, weight) in around {
            for &row in self.partition.group(group) {
                all += weight;
                near += if rule.near(value, self.pay(row)) { weight } else { 0 };
            }
        }
        let own = around.iter().find(|pair| pair.0 == own).map_or(0, |pair| pair.1);
        if rule.about_others() { (near - own, all - own) } else { (near, all) }
    }

    /// Whether no belief about anybody exceeds what is allowed, at any point that there is.
    fn holds_everywhere(&self, exact: bool, rule: &Rule) -> bool {
        let all = 0..=N_VALUES as Code;
        all.clone().flat_map(|a| all.clone().map(move |b| [a, b])).all(|point| {
            let around = self.around(point, exact);
            around.iter().all(|&(own, _)| {
                let mut rows = self.partition.group(own).iter();
                rows.all(|&row| !rule.exceeds(self.belief(&around, self.pay(row), own, rule)))
            })
        })
    }

    /// Whether every group meets the principle by itself.
    fn holds_alone(&self, rule: &Rule) -> bool {
        (0..self.partition.n_groups()).all(|group| {
            let mut rows = self.partition.group(group).iter();
            rows.all(|&row| !rule.exceeds(self.belief(&[(group, 60)], self.pay(row), group, rule)))
        })
    }
}

/// A principle by its definition: codes of pay are pay + 1.
enum Rule {
    Interval(i64, i64, u64),
    /// Nearness as a share in percent.
    Relative(i64, u64),
    /// Near where a table says so, which obeys no triangle inequality, and delta in percent.
    Apart(Vec<bool>, u64),
}

impl Rule {
    fn draw(draw: &mut Draw) -> (Rule, Box<dyn Test>) {
        let whole = Bag::from_codes(1..=12);
        let pay = Domain::numbers((0..12).map(|n| Decimal::from(n as i64)).collect()).unwrap();
        let bind = |text: String| text.parse::<Requirement>().unwrap().principle().bind(&pay, &whole).unwrap();
        let m = 2 + draw.below(2);
        match draw.below(4) {
            0 => {
                let e = draw.below(3);
                (Rule::Interval(e as i64, e as i64, m), bind(format!("proximity-absolute({e}, {m})")))
            }
            1 => {
                let (e1, e2) = (draw.below(3), draw.below(4));
                (Rule::Interval(e1 as i64, e2 as i64, m), bind(format!("proximity-interval({e1}, {e2}, {m})")))
            }
            2 => {
                let share = 5 * draw.below(8);
                (Rule::Relative(share as i64, m), bind(format!("proximity-relative(0.{share:02}, {m})")))
            }
            _ => {
                let mut near = vec![false; 13 * 13];
                for a in 0..13 {
                    for b in a..13 {
                        let is = a == b || draw.below(4) == 0;
                        (near[a * 13 + b], near[b * 13 + a]) = (is, is);
                    }
                }
                let delta = 40 + 5 * draw.below(6);
                let table = near.clone();
                let neighbours = Neighbours::from_fn(13, move |a, b| table[a as usize * 13 + b as usize]);
                let principle = Dissimilarity::new(Decimal::ZERO, Decimal::new(delta as i128, 2), 2).unwrap();
                (Rule::Apart(near, delta), Box::new(principle.with_neighbours(Arc::new(neighbours), &[9; 13])))
            }
        }
    }

    fn near(&self, value: Code, other: Code) -> bool {
        let (x, y) = (i64::from(value) - 1, i64::from(other) - 1);
        match self {
            Rule::Interval(below, above, _) => (x - below..=x + above).contains(&y),
            Rule::Relative(share, _) => 100 * (x - y).abs() <= share * x,
            Rule::Apart(near, _) => near[value as usize * 13 + other as usize],
        }
    }

    fn about_others(&self) -> bool {
        matches!(self, Rule::Apart(..))
    }

    fn exceeds(&self, (near, all): (u64, u64)) -> bool {
        match self {
            Rule::Interval(_, _, m) | Rule::Relative(_, m) => near * m > all,
            Rule::Apart(_, delta) => near * 100 > all * (100 - delta),
        }
    }
}

#[test]
fn the_figure_is_that_of_the_definition() {
    let mut draw = Draw(11);
    let mut exceeded = 0;
    for _ in 0..4000 {
        let (small, (rule, test)) = (Small::draw(&mut draw), Rule::draw(&mut draw));
        let nearness = Nearness::from_test(&*test).unwrap();
        for exact in [false, true] {
            let places = if exact { Places::from_exact(&small.table, &small.partition) } else { small.boxes() };
            let grouped = GroupedPeople { partition: &small.partition, value: &|row| small.pay(row), tick: &|_| () };
            let found = figure(&places, &small.values(), nearness, &grouped).unwrap();
            let (mut above, mut greatest) = (0, 0.0f64);
            for (own, rows) in small.partition.groups().enumerate() {
                for &row in rows {
                    let point = [0, 1].map(|column| small.table.column(column).get(row as usize));
                    let belief = small.belief(&small.around(point, exact), small.pay(row), own, &rule);
                    above += u64::from(rule.exceeds(belief));
                    greatest = greatest.max(belief.0 as f64 / belief.1 as f64);
                }
            }
            assert_eq!((found.people, found.above), (small.table.n_rows() as u64, above));
            assert!((found.greatest - greatest).abs() < 1e-9, "{} {greatest}", found.greatest);
            exceeded += u64::from(above > 0);
        }
    }
    assert!(exceeded > 1000, "{exceeded}");
}

#[test]
fn the_criterion_never_accepts_what_the_definition_rejects() {
    let mut draw = Draw(12);
    // Cases by what the definition and the criterion say, without and with exact quasi-identifiers.
    let mut cases = [[[0u32; 2]; 2]; 2];
    for _ in 0..40_000 {
        let (small, (rule, test)) = (Small::draw(&mut draw), Rule::draw(&mut draw));
        let alone = small.holds_alone(&rule);
        let nearness = Nearness::from_test(&*test).unwrap();
        for exact in [false, true] {
            let places = if exact { Places::from_exact(&small.table, &small.partition) } else { small.boxes() };
            let values = small.values();
            let found = overlap(&places, &values, nearness);
            let all = breaching(&places, &values, nearness);
            assert_eq!(found.map(|overlap| overlap.group), all.first().copied());
            if !alone {
                assert!(found.is_some());
                continue;
            }
            let holds = small.holds_everywhere(exact, &rule);
            cases[usize::from(exact)][usize::from(holds)][usize::from(found.is_none())] += 1;
            assert!(holds || found.is_some(), "accepted, though a belief exceeds what is allowed");
        }
    }
    for [[rejected, _], [too_strict, accepted]] in cases {
        assert!(rejected > 200 && accepted > 200 && too_strict < accepted, "{cases:?}");
    }
}

#[test]
fn a_pair_meets_where_boxes_have_a_point_in_common() {
    let mut draw = Draw(13);
    for _ in 0..2000 {
        let small = Small::draw(&mut draw);
        let places = small.boxes();
        let super::places::Kind::Boxes { index, .. } = &places.kind else { unreachable!("these are boxes") };
        for group in 0..small.partition.n_groups() {
            let mut met = Vec::new();
            index.meeting(group as u32, |other| {
                met.push(other as usize);
                true
            });
            met.sort_unstable();
            let all = 0..=N_VALUES as Code;
            let in_common = |other: &usize| {
                let mut points = all.clone().flat_map(|a| all.clone().map(move |b| [a, b]));
                points.any(|point| {
                    let around = small.around(point, false);
                    [group, *other].iter().all(|one| around.iter().any(|pair| pair.0 == *one))
                })
            };
            let expected: Vec<usize> = (0..small.partition.n_groups()).filter(in_common).collect();
            assert_eq!(met, expected);
        }
    }
}

#[test]
fn a_large_index_finds_what_a_walk_finds() {
    let mut draw = Draw(14);
    let spans: Vec<crate::Span> = (0..400)
        .map(|_| {
            let lo = draw.below(90) as u32;
            match draw.below(5) {
                0 => crate::Span::from_ranks(vec![lo, lo + 2, lo + 5]),
                _ => crate::Span::run(lo, lo + 1 + draw.below(10) as u32),
            }
        })
        .collect();
    let texts: Vec<u32> = (0..3 * 500).map(|_| draw.below(400) as u32).collect();
    let index = super::index::BoxIndex::new(vec![spans.clone(), spans.clone(), spans.clone()], texts.clone());
    let span = |a_box: usize, column: usize| &spans[texts[a_box * 3 + column] as usize];
    for a_box in 0..500usize {
        let (mut met, mut around) = (Vec::new(), Vec::new());
        index.meeting(a_box as u32, |other| {
            met.push(other as usize);
            true
        });
        met.sort_unstable();
        let expected: Vec<usize> =
            (0..500).filter(|&other| (0..3).all(|c| span(a_box, c).shares(span(other, c)))).collect();
        assert_eq!(met, expected);
        let point = [0, 1, 2].map(|c| span(a_box, c).lo);
        index.around(&point, |other| around.push(other as usize));
        around.sort_unstable();
        let expected: Vec<usize> = (0..500).filter(|&other| (0..3).all(|c| span(other, c).holds(point[c]))).collect();
        assert_eq!(around, expected);
    }
}
