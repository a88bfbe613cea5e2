//! The same people published as a permutation.

use super::{Coins, Maker};
use scumble_release::{Draft, Extremes, Form, Grouping, Help, Method, Permuted, PermutedTables, Sums, ValueColumn};
use scumble_table::{Code, Domain, Kind, NULL, Role, Stored};
use scumble_verify::attained_per_column;

impl Maker {
    /// Illness becomes a number of several digits; some are missing, some negative.
    pub fn pay(&mut self) {
        let mut coins = Coins(19);
        self.columns[3] = ("pay".into(), Role::Sensitive, Kind::Number);
        for row in &mut self.rows {
            row[3] = match coins.below(12) {
                0 => String::new(),
                n => format!("{}.5", (n as i64 - 3) * 10),
            };
        }
    }

    /// A second sensitive column beside the first.
    pub fn debt(&mut self, kind: Kind) {
        let mut coins = Coins(23);
        self.columns.push(("debt".into(), Role::Sensitive, kind));
        self.rows.iter_mut().for_each(|row| row.push(coins.below(7).to_string()));
    }

    /// The release with sensitive columns permuted in the groups of [`Maker::release`], as one.
    pub fn permuted(&self) -> Draft {
        self.permuted_in(&[&self.groups])
    }

    /// The release with each sensitive column permuted in groups of its own.
    pub fn permuted_apart(&self, groups: &[&[Option<u32>]]) -> Draft {
        self.permuted_in(groups)
    }

    fn permuted_in(&self, groups: &[&[Option<u32>]]) -> Draft {
        // Exact quasi-identifiers and everything about the manifest are as in anatomy.
        let mut release = self.anatomized();
        let Form::Anatomy(anatomy) = release.form else { panic!() };
        release.manifest.method = Method::Permute;
        let order = Coins(self.seed).shuffled(self.rows.len());
        let mut coins = Coins(self.seed + 77);
        let n_groups = |of: &[Option<u32>]| of.iter().flatten().max().unwrap() + 1;
        let groupings: Vec<(Vec<u32>, u32)> = groups
            .iter()
            .map(|of| {
                let number = coins.shuffled(n_groups(of) as usize);
                (order.iter().map(|&row| number[of[row].unwrap() as usize] as u32).collect(), n_groups(of))
            })
            .collect();
        let sensitive: Vec<usize> =
            (0..self.columns.len()).filter(|&at| self.columns[at].1 == Role::Sensitive).collect();
        let described: Vec<(&str, Kind)> =
            sensitive.iter().map(|&at| (self.columns[at].0.as_str(), self.columns[at].2)).collect();
        let plan = PermutedTables::new(&described, groups.len() == 1);
        // Inside each group somebody shows the values of somebody.
        let donors: Vec<Vec<usize>> = groupings
            .iter()
            .map(|(of_row, n)| {
                let mut donors = vec![0; order.len()];
                for group in 0..*n {
                    let members: Vec<usize> = (0..order.len()).filter(|&at| of_row[at] == group).collect();
                    for (at, donor) in coins.shuffled(members.len()).into_iter().enumerate() {
                        donors[members[at]] = order[members[donor]];
                    }
                }
                donors
            })
            .collect();
        let mut values: Vec<ValueColumn> = anatomy.people;
        for (at, &column) in sensitive.iter().enumerate() {
            let (domain, rows) = (self.domain(column), donors.get(at).unwrap_or(&donors[0]));
            values.push(ValueColumn {
                name: self.columns[column].0.clone(),
                role: Role::Sensitive,
                texts: (0..domain.n_codes() as Code).map(|code| domain.text(code).into_owned()).collect(),
                codes: rows.iter().map(|&row| domain.code_of(&self.rows[row][column]).unwrap()).collect(),
                kind: domain.kind(),
                stored: Stored::default(),
            });
        }
        let helps = plan.helps.iter().map(|&(_, at)| {
            let (of_row, n) = groupings.get(at).unwrap_or(&groupings[0]);
            let shown = values.iter().filter(|column| column.role == Role::Sensitive).nth(at).unwrap();
            help(&self.domain(sensitive[at]), at, of_row, *n, shown)
        });
        let helps = helps.collect();
        if groups.len() > 1 {
            let parts: Vec<_> = sensitive.iter().zip(groups).map(|(&at, of)| self.judged(&[at], of)).collect();
            release.manifest.attained = attained_per_column(parts.iter().map(|(b, s, c)| (b, s, c.clone())));
            release.manifest.groups = groups.iter().map(|of| u64::from(n_groups(of))).sum();
        }
        let groupings = groupings.into_iter().map(|(row_group, n_groups)| Grouping { n_groups, row_group }).collect();
        let form = Permuted { n_rows: self.rows.len(), values, groupings, helps };
        Draft { form: Form::Permuted(form), ..release }
    }
}

/// Bounds by trying every choice of members.
fn help(domain: &Domain, column: usize, of_row: &[u32], n_groups: u32, shown: &ValueColumn) -> Help {
    let (mut row_group, mut hits) = (Vec::new(), Vec::new());
    let (mut sums, mut ends) = ([Vec::new(), Vec::new()], [const { Vec::<Code>::new() }; 4]);
    for group in 0..n_groups {
        let members = (0..of_row.len()).filter(|&at| of_row[at] == group);
        let codes: Vec<Code> = members.map(|at| shown.codes.get(at)).collect();
        for h in 1..=codes.len() as u32 {
            row_group.push(group);
            hits.push(h);
            let choices = (0u32..1 << codes.len()).filter(|chosen| chosen.count_ones() == h);
            let (mut totals, mut least, mut greatest) = (Vec::new(), Vec::new(), Vec::new());
            for chosen in choices {
                let chosen = (0..codes.len()).filter(|at| chosen >> at & 1 == 1).map(|at| codes[at]);
                let there: Vec<Code> = chosen.filter(|&code| code != NULL).collect();
                totals.push(there.iter().filter_map(|&code| domain.number(code)).sum::<i128>());
                least.extend(there.iter().min());
                greatest.extend(there.iter().max());
            }
            sums[0].push(*totals.iter().min().unwrap());
            sums[1].push(*totals.iter().max().unwrap());
            let bounds = [least.iter().min(), least.iter().max(), greatest.iter().min(), greatest.iter().max()];
            ends.iter_mut().zip(bounds).for_each(|(end, bound)| end.push(bound.copied().unwrap_or(NULL)));
        }
    }
    let [lower, upper] = sums;
    Help {
        column,
        row_group,
        hits,
        sums: (domain.kind() == Kind::Number).then(|| Sums { scale: domain.scale(), lower, upper }),
        ends: domain.kind().is_ordered().then(|| Extremes {
            texts: shown.texts.clone(),
            kind: domain.kind(),
            stored: Stored::default(),
            codes: ends.map(|codes| codes.into_iter().collect()),
        }),
    }
}
