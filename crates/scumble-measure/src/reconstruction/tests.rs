//! Divergences against a sum over the whole universe.

use super::*;
use crate::{Anatomized, AngelTable, AngelTables, Axis, Boxes, Draw, Generalization, GroupValues, Positions, Shape};
use scumble_release::SUPPRESSED;

/// Values of every quasi-identifier from 0, and of the sensitive column.
const SIZE: u8 = 5;
const VALUES: u8 = 4;

/// A value, or null.
type Value = Option<u8>;

/// What a text of a box stands for.
#[derive(Debug, Clone)]
enum Text {
    Null,
    Star,
    Interval(u8, u8),
    Set(Vec<u8>),
}

impl Text {
    fn holds(&self, value: Value) -> bool {
        match (self, value) {
            (Text::Star, _) => true,
            (Text::Null, value) => value.is_none(),
            (_, None) => false,
            (Text::Interval(lo, hi), Some(value)) => (*lo..=*hi).contains(&value),
            (Text::Set(values), Some(value)) => values.contains(&value),
        }
    }

    fn volume(&self) -> f64 {
        match self {
            Text::Null => 1.0,
            Text::Star => SIZE.into(),
            Text::Interval(lo, hi) => f64::from(hi - lo) + 1.0,
            Text::Set(values) => values.len() as f64,
        }
    }

    fn shape(&self, axis: &Axis) -> Shape {
        match self {
            Text::Null => Shape::null(axis),
            Text::Star => Shape::all(axis),
            Text::Interval(lo, hi) => Shape::interval(axis, f64::from(*lo), f64::from(*hi)),
            Text::Set(values) => Shape::set(axis, values.iter().map(|&value| f64::from(value)).collect()),
        }
    }

    /// A text over some values, now and then wider than they need.
    fn over(values: &[Value], draw: &mut Draw) -> Text {
        let mut known: Vec<u8> = values.iter().flatten().copied().collect();
        match (known.iter().min().copied(), known.iter().max().copied()) {
            _ if draw.below(7) == 0 => Text::Star,
            (Some(_), Some(_)) if values.contains(&None) => Text::Star,
            (Some(lo), Some(hi)) if draw.below(2) == 0 => {
                Text::Interval(lo.saturating_sub(draw.below(2) as u8), (hi + draw.below(2) as u8).min(SIZE - 1))
            }
            (Some(_), Some(_)) => {
                known.push(draw.below(SIZE.into()) as u8);
                known.sort_unstable();
                known.dedup();
                Text::Set(known)
            }
            _ => Text::Null,
        }
    }
}

/// A published box, and each of its people by batch.
struct Published {
    texts: Vec<Text>,
    batches: Vec<u32>,
}

/// A small source, with groups that stand for batches too.
struct Case {
    rows: Vec<(Vec<Value>, Value)>,
    batch: Vec<u32>,
    n_batches: usize,
}

impl Case {
    fn draw(draw: &mut Draw, suppress: bool) -> Case {
        let n = 1 + draw.below(24) as usize;
        let mut value = |size: u8| if draw.below(8) == 0 { None } else { Some(draw.below(size.into()) as u8) };
        let mut rows: Vec<(Vec<Value>, Value)> =
            (0..n).map(|_| ((0..3).map(|_| value(SIZE)).collect(), value(VALUES))).collect();
        // Some rows are alike.
        (1..n).step_by(3).for_each(|row| rows[row] = rows[row - 1].clone());
        let n_batches = 1 + draw.below(6) as usize;
        let batch = (0..n).map(|_| match suppress && draw.below(10) == 0 {
            true => SUPPRESSED,
            false => draw.below(n_batches as u64) as u32,
        });
        Case { batch: batch.collect(), rows, n_batches }
    }

    fn column(&self, at: usize) -> Positions {
        let places: Vec<f64> = self.rows.iter().map(|row| row.0[at].map_or(f64::NAN, f64::from)).collect();
        Positions::from_places(axis(at), &places)
    }

    fn sensitive(&self) -> Positions {
        let places: Vec<f64> = self.rows.iter().map(|row| row.1.map_or(f64::NAN, f64::from)).collect();
        Positions::from_places(Axis::nominal("x", VALUES.into()), &places)
    }

    fn source(&self) -> Microdata {
        Microdata::new((0..3).map(|at| self.column(at)).collect(), self.sensitive())
    }

    fn groups(&self) -> GroupValues {
        GroupValues::new(&self.batch, self.n_batches, &self.sensitive())
    }

    /// Boxes around rows of the same bucket, and the same as the measure knows them.
    fn boxes(&self, columns: &[usize], row_bucket: &[u32], n: usize, draw: &mut Draw) -> (Vec<Published>, Vec<Boxes>) {
        let mut published = Vec::new();
        for bucket in 0..n as u32 {
            let rows: Vec<usize> = (0..row_bucket.len()).filter(|&row| row_bucket[row] == bucket).collect();
            let values = |at: usize| rows.iter().map(|&row| self.rows[row].0[at]).collect::<Vec<Value>>();
            let texts = columns.iter().map(|&at| Text::over(&values(at), draw)).collect();
            published.push(Published { texts, batches: rows.iter().map(|&row| self.batch[row]).collect() });
        }
        let boxes = columns.iter().enumerate().map(|(place, &at)| {
            let axis = axis(at);
            let shapes = published.iter().map(|one| one.texts[place].shape(&axis)).collect();
            Boxes::new(axis, shapes, (0..n as u32).collect())
        });
        let boxes = boxes.collect();
        (published, boxes)
    }

    /// A bucket for each row that is not suppressed.
    fn buckets(&self, draw: &mut Draw) -> (Vec<u32>, usize) {
        let n = 1 + draw.below(6) as usize;
        let of = |&batch: &u32| if batch == SUPPRESSED { SUPPRESSED } else { draw.below(n as u64) as u32 };
        (self.batch.iter().map(of).collect(), n)
    }

    /// KL(D || D*) by going through every point of the universe; `columns` are those of the published boxes.
    fn enumerated(&self, published: &[Published], columns: &[usize], attributes: &[usize]) -> Option<f64> {
        let n = self.rows.len() as f64;
        let values = |size: u8| std::iter::once(None).chain((0..size).map(Some));
        let mut universe: Vec<Vec<Value>> = vec![Vec::new()];
        for _ in attributes {
            let longer =
                |q: &Vec<Value>| values(SIZE).map(|value| [q.as_slice(), &[value]].concat()).collect::<Vec<_>>();
            universe = universe.iter().flat_map(longer).collect();
        }
        let (mut kl, mut mass, mut stars) = (0.0, 0.0, false);
        for q in &universe {
            for x in values(VALUES) {
                let here =
                    |row: &&(Vec<Value>, Value)| attributes.iter().zip(q).all(|(&at, q)| row.0[at] == *q) && row.1 == x;
                let d = self.rows.iter().filter(here).count() as f64 / n;
                let mut star = 0.0;
                for one in published {
                    let texts: Vec<&Text> = attributes
                        .iter()
                        .map(|at| &one.texts[columns.iter().position(|known| known == at).unwrap()])
                        .collect();
                    stars |= texts.iter().any(|text| matches!(text, Text::Star));
                    if !texts.iter().zip(q).all(|(text, q)| text.holds(*q)) {
                        continue;
                    }
                    let volume: f64 = texts.iter().map(|text| text.volume()).product();
                    star += one.batches.iter().map(|&batch| self.share(batch, x)).sum::<f64>() / (n * volume);
                }
                mass += star;
                if d > 0.0 {
                    kl += d * (d / star).ln();
                }
            }
        }
        // What is published is spread out whole; a star counts as the domain has values, and null as one more.
        let live = self.batch.iter().filter(|&&batch| batch != SUPPRESSED).count() as f64 / n;
        assert!(if stars { mass >= live - 1e-9 } else { (mass - live).abs() < 1e-9 }, "{mass} {live}");
        kl.is_finite().then_some(kl)
    }

    /// The share of a batch that has a value.
    fn share(&self, batch: u32, x: Value) -> f64 {
        let mates = || (0..self.rows.len()).filter(|&row| self.batch[row] == batch);
        mates().filter(|&row| self.rows[row].1 == x).count() as f64 / mates().count() as f64
    }

    fn check(&self, form: &Estimator, published: &[Published], columns: &[usize], attributes: &[usize]) -> Divergence {
        let found = divergence(form, &self.source(), attributes, Monitor::silent()).unwrap();
        match (found.kl, self.enumerated(published, columns, attributes)) {
            (Some(ours), Some(naive)) => assert!((ours - naive).abs() < 1e-9, "{ours} {naive}"),
            (None, None) => assert!(found.unreached > 0),
            (ours, naive) => panic!("{ours:?} {naive:?}"),
        }
        found
    }
}

fn axis(at: usize) -> Axis {
    match at {
        1 => Axis::nominal("b", SIZE.into()),
        _ => Axis::between("q", true, 0.0, f64::from(SIZE - 1)),
    }
}

/// The subsets of three attributes, in some orders.
pub(super) const SUBSETS: [&[usize]; 9] = [&[0, 1, 2], &[2, 0, 1], &[0, 1], &[2, 1], &[0, 2], &[0], &[1], &[2], &[]];

fn cases(check: impl Fn(&Case, &'static [usize], &mut Draw) -> Divergence) {
    let (mut finite, mut infinite) = (0, 0);
    for number in 0..3000 {
        let draw = &mut Draw::new(5, b"reconstruction", number);
        let case = Case::draw(draw, number % 3 == 0);
        match check(&case, SUBSETS[number as usize % SUBSETS.len()], draw).kl {
            Some(_) => finite += 1,
            None => infinite += 1,
        }
    }
    assert!(finite > 2000 && infinite > 30, "{finite} {infinite}");
}

#[test]
fn generalized_tables_against_the_whole_universe() {
    cases(|case, attributes, draw| {
        let (published, boxes) = case.boxes(&[0, 1, 2], &case.batch, case.n_batches, draw);
        let form = Estimator::Generalized(Generalization::new(boxes, case.groups()));
        case.check(&form, &published, &[0, 1, 2], attributes)
    });
}

#[test]
fn angel_tables_against_the_whole_universe() {
    cases(|case, attributes, draw| {
        let mut made = |name: &str, columns: &[usize]| {
            let (row_bucket, n) = case.buckets(draw);
            let (published, boxes) = case.boxes(columns, &row_bucket, n, draw);
            (published, AngelTable::new(name, columns.to_vec(), boxes, n, &row_bucket, &case.batch))
        };
        let ((all, full), (some, marginal)) = (made("generalized", &[0, 1, 2]), made("marginal-q-b", &[0, 1]));
        let form = Estimator::Angel(AngelTables::new(vec![full, marginal], case.groups()));
        match attributes.contains(&2) {
            true => case.check(&form, &all, &[0, 1, 2], attributes),
            false => case.check(&form, &some, &[0, 1], attributes),
        }
    });
}

#[test]
fn exact_tables_against_the_whole_universe() {
    cases(|case, attributes, _| {
        let live: Vec<usize> = (0..case.rows.len()).filter(|&row| case.batch[row] != SUPPRESSED).collect();
        let text = |value: &Value| value.map_or(Text::Null, |value| Text::Interval(value, value));
        let one = |&row: &usize| Published {
            texts: case.rows[row].0.iter().map(text).collect(),
            batches: vec![case.batch[row]],
        };
        let published: Vec<Published> = live.iter().map(one).collect();
        let columns: Vec<Positions> = (0..3).map(|at| case.column(at)).collect();
        let form = Estimator::Anatomy(Anatomized::new(&columns, &case.batch, case.groups()));
        case.check(&form, &published, &[0, 1, 2], attributes)
    });
}
