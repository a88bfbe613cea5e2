//! Sensitive columns of every kind with a distance between their values, and that distance by its definition, in
//! fractions.

use super::{Coins, Maker, tree};
use scumble_principle::LoadedDistance;
use scumble_table::{Decimal, Kind, Matrix, Role, parse_date};

/// Groups of random sizes, at least two each, some rows suppressed, with a promise that all of them keep.
pub fn people(coins: &mut Coins) -> Maker {
    let n = 8 + coins.below(24) as usize;
    let mut maker = Maker::people(n);
    let (mut group, mut left) = (0, 0);
    for row in 0..n {
        if left == 0 {
            left = if n - row < 4 { n - row } else { 2 + coins.below(4).min(n as u64 - row as u64 - 4) as usize };
            group += 1;
        }
        left -= 1;
        maker.groups[row] = Some(group - 1);
    }
    // All of a group, so that no group of one is left.
    if coins.below(3) == 0 && group > 1 {
        maker.groups.iter_mut().filter(|of| **of == Some(group - 1)).for_each(|of| *of = None);
    }
    maker.requirements = vec!["dissimilarity(0, 0, 1)".into()];
    maker
}

/// A fraction in lowest terms with a positive denominator.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Fraction(pub i128, pub i128);

impl Fraction {
    pub fn new(over: i128, under: i128) -> Fraction {
        let (mut a, mut b) = (over.abs(), under.abs());
        while b != 0 {
            (a, b) = (b, a % b);
        }
        let sign = if under < 0 { -1 } else { 1 };
        Fraction(sign * over / a.max(1), sign * under / a.max(1))
    }

    pub fn of(text: &str) -> Fraction {
        let number = Decimal::parse(text).unwrap();
        Fraction::new(number.mantissa(), 10i128.pow(number.scale().into()))
    }

    pub fn plus(self, other: Fraction) -> Fraction {
        Fraction::new(self.0 * other.1 + other.0 * self.1, self.1 * other.1)
    }

    pub fn times(self, other: Fraction) -> Fraction {
        Fraction::new(self.0 * other.0, self.1 * other.1)
    }

    pub fn over(self, other: Fraction) -> Fraction {
        self.times(Fraction::new(other.1, other.0))
    }

    pub fn at_most(self, other: Fraction) -> bool {
        self.0 * other.1 <= other.0 * self.1
    }
}

/// How values of one column compare.
#[derive(Debug, Clone)]
pub enum How {
    Range(Option<(&'static str, &'static str)>),
    Rank,
    Equal,
    Tree,
    Matrix,
}

/// The sensitive columns of a maker, each with how its values compare and its weight.
pub struct Apart {
    pub combine: &'static str,
    pub parts: Vec<(usize, How, &'static str)>,
    /// The trees of all columns that have one.
    levels: Vec<[&'static str; 3]>,
    matrix: Vec<[String; 3]>,
}

const LABELS: [&str; 5] = ["ash", "birch, white", "cedar", "\"elm\"", "fir"];
const LEVELS: [[&str; 3]; 5] = [
    ["ash", "leaf", "*"],
    ["birch, white", "leaf", "*"],
    ["cedar", "needle", "*"],
    ["\"elm\"", "elm", "*"],
    ["fir", "needle", "*"],
];

impl Apart {
    /// Gives a maker one to three sensitive columns of some names, and the distance between their values.
    pub fn draw(coins: &mut Coins, maker: &mut Maker, names: [&str; 3]) -> Apart {
        let mut pick = |n: u64| coins.below(n) as usize;
        maker.columns.truncate(3);
        maker.rows.iter_mut().for_each(|row| row.truncate(3));
        let (combine, n_parts) = (["l1", "l2", "max", "min"][pick(4)], 1 + pick(3));
        let mut apart = Apart { combine, parts: Vec::new(), levels: LEVELS.to_vec(), matrix: Vec::new() };
        for (i, a) in LABELS.iter().enumerate() {
            for b in &LABELS[..i] {
                let distance = Decimal::new(5 * pick(25) as i128, 2).to_string();
                apart.matrix.push([a.to_string(), b.to_string(), distance]);
            }
        }
        for (at, name) in names.into_iter().enumerate().take(n_parts) {
            let kind = [Kind::Number, Kind::Date, Kind::Ordinal, Kind::Nominal][pick(4)];
            let bounds = [None, None, Some(("-3", "12.75")), Some(("0.125", "0.5"))][pick(4)];
            let how = match kind {
                Kind::Number => [How::Range(bounds), How::Rank, How::Equal][pick(3)].clone(),
                Kind::Date => [How::Range(None), How::Rank, How::Equal][pick(3)].clone(),
                Kind::Ordinal => [How::Rank, How::Equal, How::Tree, How::Matrix][pick(4)].clone(),
                Kind::Nominal => [How::Equal, How::Tree, How::Matrix][pick(3)].clone(),
            };
            let (distinct, missing) = (1 + pick(5), pick(3) == 0);
            for row in &mut maker.rows {
                let value = pick(distinct as u64);
                row.push(match kind {
                    _ if missing && pick(6) == 0 => String::new(),
                    Kind::Number => ["0", "1.5", "-2", "3.25", "10"][value].into(),
                    Kind::Date => ["2001-01-01", "2001-01-05", "1999-12-31", "2001-02-01", "2000-02-29"][value].into(),
                    Kind::Ordinal | Kind::Nominal => LABELS[value].into(),
                });
            }
            if kind == Kind::Ordinal {
                let order = ["cedar", "ash", "fir", "\"elm\"", "birch, white"].map(String::from).to_vec();
                maker.orders.push((name.into(), order));
            }
            if matches!(how, How::Tree) {
                let lines: Vec<String> = LEVELS.iter().map(|row| row.join(";")).collect();
                maker.hierarchies.push((name.into(), tree(&lines.join("\n"))));
            }
            maker.columns.push((name.into(), Role::Sensitive, kind));
            apart.parts.push((3 + at, how, ["1", "0.3", "2", "0.125"][pick(4)]));
        }
        maker.ruler = Some(apart.ruler(maker));
        apart
    }

    /// The distance in its notation, with its matrix.
    pub fn ruler(&self, maker: &Maker) -> LoadedDistance {
        let part = |(at, how, weight): &(usize, How, &str)| {
            let name = maker.columns[*at].0.replace(',', "\\,");
            let measure = match how {
                How::Range(None) => "range".into(),
                How::Range(Some((low, high))) => format!("range({low}, {high})"),
                How::Rank => "rank".into(),
                How::Equal => "equal".into(),
                How::Tree => "tree".into(),
                How::Matrix => "matrix:my woods.csv".to_string(),
            };
            format!("{name}:{measure}*{weight}")
        };
        let parts: Vec<String> = self.parts.iter().map(part).collect();
        let entries: Vec<scumble_table::MatrixEntry> = self
            .matrix
            .iter()
            .map(|[row, column, distance]| scumble_table::MatrixEntry {
                line: 1,
                row: row.clone(),
                column: column.clone(),
                distance: distance.clone(),
            })
            .collect();
        let text = format!("{}({})", self.combine, parts.join(", "));
        LoadedDistance::new(text.parse().unwrap(), |file| Matrix::from_entries(file, &entries)).unwrap()
    }

    /// Whether two rows are within epsilon, by the definitions of the contract.
    pub fn near(&self, maker: &Maker, a: usize, b: usize, epsilon: Fraction) -> bool {
        let zero = Fraction(0, 1);
        let weights: Vec<Fraction> = self.parts.iter().map(|part| Fraction::of(part.2)).collect();
        let total = weights.iter().fold(zero, |sum, &w| sum.plus(w));
        let most = weights.iter().fold(zero, |most, &w| if w.at_most(most) { most } else { w });
        let parts = self.parts.iter().zip(&weights).map(|(part, &w)| (self.within(maker, part, a, b), w));
        match self.combine {
            "l1" => parts.map(|(d, w)| d.times(w).over(total)).fold(zero, Fraction::plus).at_most(epsilon),
            "l2" => {
                let sum = parts.map(|(d, w)| d.times(d).times(w).over(total)).fold(zero, Fraction::plus);
                sum.at_most(epsilon.times(epsilon))
            }
            // A single part stands for itself, whatever its weight: the largest weight is scaled to 1.
            "max" => parts.into_iter().all(|(d, w)| d.times(w).over(most).at_most(epsilon)),
            _ => parts.into_iter().any(|(d, w)| d.times(w).over(most).at_most(epsilon)),
        }
    }

    /// Groups that fail, by the definition, of all groups.
    pub fn failing(&self, maker: &Maker, epsilon: &str, delta: &str, k: usize) -> (usize, usize) {
        let (epsilon, delta) = (Fraction::of(epsilon), Fraction::of(delta));
        let fails = |group: &u32| {
            let members: Vec<usize> = (0..maker.rows.len()).filter(|&row| maker.groups[row] == Some(*group)).collect();
            let others = members.len() as i128 - 1;
            let near =
                |a: usize| members.iter().filter(|&&b| b != a && self.near(maker, a, b, epsilon)).count() as i128;
            let allowed = Fraction(delta.1 - delta.0, delta.1).times(Fraction(others, 1));
            members.len() < k.max(2) || members.iter().any(|&a| !Fraction(near(a), 1).at_most(allowed))
        };
        ((0..maker.n_groups()).filter(fails).count(), maker.n_groups() as usize)
    }

    fn within(&self, maker: &Maker, (at, how, _): &(usize, How, &str), a: usize, b: usize) -> Fraction {
        let text = |row: usize| maker.rows[row][*at].as_str();
        let (a, b) = (text(a), text(b));
        if a == b {
            return Fraction(0, 1);
        }
        if a.is_empty() || b.is_empty() {
            return Fraction(1, 1);
        }
        let number = |text: &str| match maker.columns[*at].2 {
            Kind::Date => Fraction(parse_date(text).unwrap().into(), 1),
            _ => Fraction::of(text),
        };
        let published: Vec<&str> = (0..maker.rows.len())
            .filter(|&row| maker.groups[row].is_some())
            .map(text)
            .filter(|t| !t.is_empty())
            .collect();
        let apart = |x: Fraction, y: Fraction| {
            let difference = x.plus(Fraction(-y.0, y.1));
            Fraction(difference.0.abs(), difference.1)
        };
        match how {
            How::Equal => Fraction(1, 1),
            How::Range(bounds) => {
                let mut all: Vec<Fraction> = published.iter().map(|t| number(t)).collect();
                all.sort_by(|x, y| {
                    if x == y {
                        std::cmp::Ordering::Equal
                    } else if x.at_most(*y) {
                        std::cmp::Ordering::Less
                    } else {
                        std::cmp::Ordering::Greater
                    }
                });
                let (low, high) = match bounds {
                    Some((low, high)) => (Fraction::of(low), Fraction::of(high)),
                    None => (all[0], all[all.len() - 1]),
                };
                apart(number(a), number(b)).over(apart(high, low))
            }
            How::Rank => {
                let mut all = published.clone();
                all.sort_by_key(|text| match maker.columns[*at].2 {
                    Kind::Ordinal => maker
                        .orders
                        .iter()
                        .find(|known| known.0 == maker.columns[*at].0)
                        .unwrap()
                        .1
                        .iter()
                        .position(|known| known == text)
                        .unwrap() as i128,
                    _ => number(text).times(Fraction(1000, 1)).0,
                });
                all.dedup();
                let rank = |text: &str| all.iter().position(|known| *known == text).unwrap() as i128;
                Fraction::new((rank(a) - rank(b)).abs(), all.len() as i128 - 1)
            }
            How::Tree => {
                let of = |text: &str| self.levels.iter().find(|row| row[0] == text).unwrap();
                let level = (0..3).find(|&level| of(a)[level] == of(b)[level]).unwrap();
                Fraction::new(level as i128, 2)
            }
            How::Matrix => {
                let is = |row: &&[String; 3]| (row[0] == a && row[1] == b) || (row[0] == b && row[1] == a);
                Fraction::of(&self.matrix.iter().find(is).unwrap()[2])
            }
        }
    }
}
