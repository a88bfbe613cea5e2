//! The same people published as batches and boxes.

use super::{Coins, Maker, cover, tree};
use scumble_release::notation::{Cover, text};
use scumble_release::{Angel, BucketTable, Draft, Extent, Form, Method, QuasiColumn, SUPPRESSED, ValueColumn};
use scumble_table::{Code, Kind, Role, Stored};

/// A table of boxes: columns of the maker, and the bucket of each row.
pub type Table = (Vec<usize>, Vec<u32>);

impl Maker {
    /// The release with the maker's groups as batches, and tables of boxes: the first must be over all
    /// quasi-identifiers. Rows without a group are suppressed, whatever bucket they have.
    pub fn angelized(&self, k: u64, tables: &[Table]) -> Draft {
        let mut release = Maker { hierarchies: Vec::new(), ..self.clone() }.anatomized();
        release.hierarchies = self.hierarchies.clone();
        let Form::Anatomy(anatomy) = release.form else { panic!() };
        let mut coins = Coins(self.seed);
        let _ = coins.shuffled(self.rows.len());
        let number = coins.shuffled(self.n_groups() as usize);
        let quasi: Vec<usize> = (0..self.columns.len()).filter(|&at| self.columns[at].1 == Role::Quasi).collect();
        let names: Vec<&str> = quasi.iter().map(|&at| self.columns[at].0.as_str()).collect();
        let mut shown: Vec<Vec<Cover>> = vec![Vec::new(); self.columns.len()];
        let mut built = Vec::new();
        for (at, (columns, buckets)) in tables.iter().enumerate() {
            let order = coins.shuffled(self.rows.len());
            let n_buckets = buckets.iter().max().unwrap() + 1;
            let live = |row: &usize| self.groups[*row].is_some();
            let mut quasi_columns = Vec::new();
            for &column in columns {
                let domain = self.domain(column);
                let of_bucket = |bucket: u32| {
                    let rows = (0..self.rows.len()).filter(live).filter(|&row| buckets[row] == bucket);
                    cover(&domain, rows.map(|row| domain.code_of(&self.rows[row][column]).unwrap()).collect())
                };
                let covers: Vec<Cover> = (0..n_buckets).map(of_bucket).collect();
                let texts: Vec<String> = covers.iter().map(|cover| text(cover, &domain)).collect();
                let of_group = (0..n_buckets).collect();
                quasi_columns.push(QuasiColumn { name: self.columns[column].0.clone(), texts, of_group, ends: None });
                shown[column].extend(covers);
            }
            let kept = (0..self.columns.len()).filter(|&column| at == 0 && self.columns[column].1 == Role::Kept);
            let kept = kept.map(|column| {
                let domain = self.domain(column);
                let codes = order.iter().map(|&row| domain.code_of(&self.rows[row][column]).unwrap());
                ValueColumn {
                    name: self.columns[column].0.clone(),
                    role: Role::Kept,
                    texts: (0..domain.n_codes() as Code).map(|code| domain.text(code).into_owned()).collect(),
                    codes: codes.collect(),
                    kind: domain.kind(),
                    stored: Stored::default(),
                }
            });
            let chosen: Vec<usize> =
                columns.iter().map(|c| quasi.iter().position(|known| known == c).unwrap()).collect();
            built.push(BucketTable {
                name: if at == 0 { Angel::GENERALIZED.into() } else { Angel::marginal_name(&names, &chosen) },
                n_buckets,
                row_bucket: order.iter().map(|&row| if live(&row) { buckets[row] } else { SUPPRESSED }).collect(),
                row_batch: order.iter().map(|&row| self.groups[row].map_or(0, |g| number[g as usize] as u32)).collect(),
                quasi: quasi_columns,
                kept: kept.collect(),
            });
        }
        for &column in &quasi {
            let domain = self.domain(column);
            let stated = release.manifest.columns.iter_mut().find(|c| c.name == self.columns[column].0).unwrap();
            stated.domain = Extent::from_covers(&domain, &shown[column]);
        }
        release.manifest.method = Method::Angel;
        release.manifest.angel_k = Some(k);
        let form = Angel { n_batches: anatomy.n_groups, sensitive: anatomy.sensitive, tables: built };
        Draft { form: Form::Angel(form), ..release }
    }

    /// Table 1a of paper 4: batches of two, so that each has both diseases.
    pub fn table_1a() -> Maker {
        let rows = [
            ("21", "M", "pneumonia"),
            ("23", "M", "pneumonia"),
            ("38", "F", "bronchitis"),
            ("40", "F", "bronchitis"),
            ("41", "M", "pneumonia"),
            ("43", "M", "pneumonia"),
            ("58", "F", "bronchitis"),
            ("60", "F", "bronchitis"),
        ];
        let rows = rows.iter().map(|(age, sex, disease)| [*age, *sex, *disease].map(String::from).to_vec());
        Maker::of_paper(&["age", "sex"], rows.collect(), &[0, 1, 0, 1, 2, 3, 2, 3])
    }

    /// Table 2a of paper 4, in the batches of example 3.
    pub fn table_2a() -> Maker {
        let rows = [
            ("21", "M", "10", "pneumonia"),
            ("23", "M", "58", "flu"),
            ("58", "F", "12", "bronchitis"),
            ("60", "F", "60", "pneumonia"),
            ("70", "M", "78", "flu"),
            ("72", "M", "80", "bronchitis"),
        ];
        let rows = rows.iter().map(|(age, sex, zip, disease)| [*age, *sex, *zip, *disease].map(String::from).to_vec());
        Maker::of_paper(&["age", "sex", "zip"], rows.collect(), &[0, 0, 1, 1, 2, 2])
    }

    fn of_paper(quasi: &[&str], rows: Vec<Vec<String>>, batches: &[u32]) -> Maker {
        let kind = |name: &str| if name == "sex" { Kind::Nominal } else { Kind::Number };
        let mut columns: Vec<_> = quasi.iter().map(|name| (name.to_string(), Role::Quasi, kind(name))).collect();
        columns.push(("disease".into(), Role::Sensitive, Kind::Nominal));
        Maker {
            columns,
            ruler: None,
            orders: Vec::new(),
            hierarchies: Vec::new(),
            rows,
            groups: batches.iter().map(|&batch| Some(batch)).collect(),
            requirements: vec!["frequency-l-diversity(2)".into()],
            seed: 5,
        }
    }
}

/// Rows of every kind of column with nulls and suppressed rows, arbitrary batches and buckets.
pub fn small(seed: u64, n: usize) -> (Maker, Vec<Table>) {
    let mut coins = Coins(seed);
    let column = |name: &str, role, kind| (name.to_string(), role, kind);
    let columns = vec![
        column("n", Role::Quasi, Kind::Number),
        column("l", Role::Quasi, Kind::Nominal),
        column("t", Role::Quasi, Kind::Nominal),
        column("s", Role::Sensitive, Kind::Nominal),
        column("r", Role::Sensitive, Kind::Number),
        column("k", Role::Kept, Kind::Nominal),
    ];
    let pick = |coins: &mut Coins, texts: &[&str]| texts[coins.below(texts.len() as u64) as usize].to_string();
    let rows = (0..n).map(|_| {
        vec![
            pick(&mut coins, &["-1", "0.5", "2", ""]),
            pick(&mut coins, &["a", "b|c", "*", ""]),
            pick(&mut coins, &["x1", "x2", "y1"]),
            pick(&mut coins, &["p", "q", ""]),
            pick(&mut coins, &["1", "2.5"]),
            pick(&mut coins, &["u", "v"]),
        ]
    });
    let rows: Vec<Vec<String>> = rows.collect();
    let deal = |coins: &mut Coins, parts: u64| {
        // Every number up to the greatest is in use.
        let drawn: Vec<u64> = (0..n).map(|_| coins.below(parts)).collect();
        let mut known = drawn.clone();
        known.sort_unstable();
        known.dedup();
        drawn.iter().map(|part| known.binary_search(part).unwrap() as u32).collect::<Vec<u32>>()
    };
    let batches = deal(&mut coins, 3);
    let groups: Vec<Option<u32>> = batches.iter().enumerate().map(|(row, &b)| (row % 9 != 8).then_some(b)).collect();
    // A batch whose people are all suppressed would leave a gap in the numbers.
    let mut known: Vec<u32> = groups.iter().flatten().copied().collect();
    known.sort_unstable();
    known.dedup();
    let groups = groups.iter().map(|g| g.map(|g| known.binary_search(&g).unwrap() as u32)).collect();
    let tables =
        vec![(vec![0, 1, 2], deal(&mut coins, 3)), (vec![2, 0], deal(&mut coins, 2)), (vec![1], deal(&mut coins, 2))];
    let maker = Maker {
        columns,
        ruler: None,
        orders: Vec::new(),
        hierarchies: vec![("t".into(), tree("x1;x;*\nx2;x;*\ny1;y;*"))],
        rows,
        groups,
        requirements: vec!["k-anonymity(1)".into(), "s: distinct-l-diversity(1)".into()],
        seed,
    };
    (maker, tables)
}
