//! Random tables of a few columns of every kind, with a distance over them in the notation, and what that distance is by
//! its definition, from the texts of the values alone.

use crate::dice::Dice;
use crate::fraction::Fraction;
use scumble_principle::{BoundDistance, Distance, LoadedDistance, MeasuredColumn};
use scumble_table::{Code, Codes, Composite, Decimal, Domain, Hierarchy, Matrix, NULL, Result};
use std::collections::BTreeMap;
use std::sync::Arc;

/// How a column is measured.
#[derive(Debug, Clone)]
pub(crate) enum Way {
    Range(Option<(String, String)>),
    Rank,
    Equal,
    /// The lines of the hierarchy.
    Tree(Vec<Vec<String>>),
    /// Distances of pairs of codes, the greater first.
    Matrix(Vec<Vec<String>>),
}

/// One part of a distance.
#[derive(Debug, Clone)]
pub(crate) struct Part {
    pub(crate) column: usize,
    pub(crate) way: Way,
    pub(crate) weight: String,
}

/// A table and a distance.
#[derive(Debug)]
pub(crate) struct Table {
    pub(crate) domains: Vec<Domain>,
    /// For each row one code per column.
    pub(crate) rows: Vec<Vec<Code>>,
    /// Which rows are published; at least one.
    pub(crate) published: Vec<bool>,
    pub(crate) combine: &'static str,
    pub(crate) parts: Vec<Part>,
}

impl Table {
    pub(crate) fn random(dice: &mut Dice) -> Self {
        let n_columns = dice.between(1, 3);
        let mut domains = Vec::new();
        let mut parts = Vec::new();
        for column in 0..n_columns {
            let (domain, lines) = domain(dice);
            for _ in 0..=usize::from(dice.once_in(8)) {
                let way = way(dice, &domain, &lines);
                parts.push(Part { column, way, weight: weight(dice) });
            }
            domains.push(domain);
        }
        let rows: Vec<Vec<Code>> = (0..dice.between(1, 9))
            .map(|_| domains.iter().map(|d| dice.below(d.n_codes()) as Code).collect())
            .collect();
        let all = dice.once_in(2);
        let mut published: Vec<bool> = rows.iter().map(|_| all || !dice.once_in(3)).collect();
        published[0] = true;
        let combine = *dice.pick(&["l1", "l2", "max", "min"]);
        Table { domains, rows, published, combine, parts }
    }

    /// The distance as a user writes it. A single column goes by no name every other time.
    pub(crate) fn text(&self) -> String {
        let part = |(at, part): (usize, &Part)| {
            let measure = match &part.way {
                Way::Range(None) => "range".to_string(),
                Way::Range(Some((low, high))) => format!("range({low}, {high})"),
                Way::Rank => "rank".into(),
                Way::Equal => "equal".into(),
                Way::Tree(_) => "tree".into(),
                Way::Matrix(_) => format!("matrix:m{at}.csv"),
            };
            let named = self.domains.len() > 1 || self.rows.len().is_multiple_of(2);
            let name = if named { format!("c{}:", part.column) } else { String::new() };
            format!("{name}{measure}*{}", part.weight)
        };
        format!("{}({})", self.combine, self.parts.iter().enumerate().map(part).collect::<Vec<_>>().join(", "))
    }

    pub(crate) fn ruler(&self) -> LoadedDistance {
        let distance: Distance = self.text().parse().unwrap_or_else(|error| panic!("{}: {error}", self.text()));
        LoadedDistance::new(distance, |file| self.matrix(file)).unwrap()
    }

    fn matrix(&self, file: &str) -> Result<Matrix> {
        let part = &self.parts[file[1..].strip_suffix(".csv").unwrap().parse::<usize>().unwrap()];
        let Way::Matrix(distances) = &part.way else { panic!("{file} is no matrix") };
        let domain = &self.domains[part.column];
        let texts: Vec<String> = domain.codes().map(|code| domain.text(code).into_owned()).collect();
        let at = |text: &str| texts.iter().position(|known| known == text).unwrap();
        Matrix::tabulate(&texts.iter().map(String::as_str).collect::<Vec<_>>(), |a, b| {
            Decimal::parse(&distances[at(a).max(at(b))][at(a).min(at(b))]).unwrap()
        })
    }

    /// Whether a code of a column is published.
    pub(crate) fn occurs(&self, column: usize) -> Vec<bool> {
        let mut occurs = vec![false; self.domains[column].n_codes()];
        let published = self.rows.iter().zip(&self.published).filter(|pair| *pair.1);
        published.for_each(|(row, _)| occurs[row[column] as usize] = true);
        occurs
    }

    pub(crate) fn metric(&self, ruler: &LoadedDistance) -> Result<BoundDistance> {
        let occurs: Vec<Vec<bool>> = (0..self.domains.len()).map(|column| self.occurs(column)).collect();
        let names: Vec<String> = (0..self.domains.len()).map(|column| format!("c{column}")).collect();
        let columns = self.domains.iter().zip(&occurs).zip(&names);
        let columns: Vec<MeasuredColumn<'_>> =
            columns.map(|((domain, occurs), name)| MeasuredColumn { name, domain, occurs }).collect();
        ruler.bind(&columns)
    }

    pub(crate) fn composite(&self) -> Composite {
        let columns: Vec<Codes> =
            (0..self.domains.len()).map(|column| self.rows.iter().map(|row| row[column]).collect()).collect();
        let n_codes: Vec<usize> = self.domains.iter().map(Domain::n_codes).collect();
        Composite::new(&columns.iter().collect::<Vec<_>>(), &n_codes)
    }

    /// The distance of two rows by its definition; of `l2` its square.
    pub(crate) fn distance(&self, a: usize, b: usize) -> Fraction {
        let weights: Vec<Fraction> = self.parts.iter().map(|part| Fraction::text(&part.weight)).collect();
        let sum = weights.iter().fold(Fraction::new(0, 1), |sum, weight| sum.plus(weight));
        let most = weights.iter().max().unwrap();
        let each = self.parts.iter().zip(&weights).map(|(part, weight)| {
            let apart = self.apart(part, self.rows[a][part.column], self.rows[b][part.column]);
            match self.combine {
                "l1" => apart.times(weight).over(&sum),
                "l2" => apart.times(&apart).times(weight).over(&sum),
                _ => apart.times(weight).over(most),
            }
        });
        match self.combine {
            "max" => each.max().unwrap(),
            "min" => each.min().unwrap(),
            _ => each.fold(Fraction::new(0, 1), |sum, one| sum.plus(&one)),
        }
    }

    fn apart(&self, part: &Part, a: Code, b: Code) -> Fraction {
        let (domain, occurs) = (&self.domains[part.column], self.occurs(part.column));
        if a == NULL || b == NULL {
            return Fraction::new(u8::from(a != b), 1);
        }
        let published: Vec<Code> = domain.codes().filter(|&code| occurs[code as usize]).collect();
        let number = |code: Code| match Decimal::parse(&domain.text(code)) {
            Some(number) => Fraction::decimal(number),
            None => Fraction::new(scumble_table::parse_date(&domain.text(code)).unwrap(), 1),
        };
        match &part.way {
            Way::Equal => Fraction::new(u8::from(a != b), 1),
            Way::Range(bounds) => {
                let length = match bounds {
                    Some((low, high)) => Fraction::text(high).apart(&Fraction::text(low)),
                    None => number(published[0]).apart(&number(published[published.len() - 1])),
                };
                let apart = number(a).apart(&number(b));
                if length == Fraction::new(0, 1) { apart } else { apart.over(&length) }
            }
            Way::Rank => {
                let rank = |code: Code| published.iter().position(|&known| known == code).unwrap();
                Fraction::new(rank(a).abs_diff(rank(b)), (published.len() - 1).max(1))
            }
            Way::Tree(lines) => {
                let line = |code: Code| lines.iter().find(|line| line[0] == *domain.text(code)).unwrap();
                let (x, y) = (line(a), line(b));
                let height = x.len() - 1;
                // Branches that are too short are filled with the root, which is as high up there as anywhere.
                let level = (0..=height).find(|&level| x[level] == y[level]).unwrap();
                let level = if x[level] == x[height] && level > 0 { height } else { level };
                Fraction::new(level, height)
            }
            Way::Matrix(distances) => match (a.max(b) as usize - 1, a.min(b) as usize - 1) {
                (a, b) if a == b => Fraction::new(0, 1),
                (a, b) => Fraction::text(&distances[a][b]),
            },
        }
    }
}

/// A domain of some kind and the lines of a hierarchy over it.
fn domain(dice: &mut Dice) -> (Domain, Vec<Vec<String>>) {
    // Columns of more than 512 values are not kept as tables of pairs.
    let many = dice.once_in(50);
    let n = if many { dice.between(512, 600) } else { dice.between(1, 6) };
    let labels = |n: usize| (0..n).map(|i| format!("v{i}").into_boxed_str()).collect::<Vec<_>>();
    let domain = match dice.below(6) {
        0 => Domain::ordinal(labels(n)),
        1 => Domain::nominal(labels(n)),
        2 => Domain::dates((0..n).map(|_| dice.below(4000) as i32 - 2000).collect()),
        kind => {
            // Small ones, decimals, and giants.
            let most = if many { [4, 6, 30] } else { [2, 4, 25] }[kind - 3];
            let scale = if kind == 3 { 0 } else { dice.below(4) as u8 };
            let number = |dice: &mut Dice| dice.digits(most).parse::<i128>().unwrap();
            let signed = |dice: &mut Dice| if dice.once_in(3) { -number(dice) } else { number(dice) };
            Domain::numbers((0..n).map(|_| Decimal::new(signed(dice), scale)).collect()).unwrap()
        }
    };
    let height = dice.between(1, 4);
    let mut above: BTreeMap<(usize, String), String> = BTreeMap::new();
    let lines: Vec<Vec<String>> = domain
        .codes()
        .map(|code| {
            let mut line = vec![domain.text(code).into_owned()];
            for level in 1..height {
                let below = line[level - 1].clone();
                let parent = above.entry((level, below.clone())).or_insert_with(|| match dice.below(8) {
                    // A branch that ends early, one that goes straight up, or one that joins others.
                    _ if below == "*" => below,
                    0 => "*".into(),
                    1 => below,
                    _ => format!("g{level}-{}", dice.below(3)),
                });
                line.push(parent.clone());
            }
            line.push("*".into());
            line
        })
        .collect();
    let tree = Hierarchy::from_rows("tree.csv", &lines, &[]).unwrap();
    (domain.with_hierarchy("tree.csv", "x", Arc::new(tree)).unwrap(), lines)
}

fn way(dice: &mut Dice, domain: &Domain, lines: &[Vec<String>]) -> Way {
    let ordered = domain.kind().is_ordered();
    let numeric = domain.amount(1).is_some();
    loop {
        return match dice.below(6) {
            0 if numeric => Way::Range(None),
            1 if numeric => {
                let low = format!("-{}.{}", dice.digits(3), dice.digits(5));
                let high =
                    if dice.once_in(2) { dice.digits(8) } else { format!("{}.{}", dice.digits(2), dice.digits(7)) };
                Way::Range(Some((low, high)))
            }
            2 if ordered => Way::Rank,
            3 => Way::Equal,
            4 => Way::Tree(lines.to_vec()),
            5 if domain.len() < 100 => {
                let distance = |dice: &mut Dice| match dice.below(5) {
                    0 => "0".to_string(),
                    1 => dice.digits(1),
                    2 => format!("0.{}", dice.digits(9)),
                    _ => format!("0.{}", dice.digits(1)),
                };
                Way::Matrix((0..domain.len()).map(|a| (0..a).map(|_| distance(dice)).collect()).collect())
            }
            _ => continue,
        };
    }
}

fn weight(dice: &mut Dice) -> String {
    match dice.below(4) {
        0 => "1".into(),
        1 => format!("0.{}", dice.digits(1)),
        2 => dice.digits(2),
        _ => format!("{}.{}", dice.digits(1), dice.digits(12)),
    }
}
