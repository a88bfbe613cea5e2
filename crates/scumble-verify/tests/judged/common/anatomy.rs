//! The same people published as anatomy.

use super::{Coins, Maker};
use scumble_release::{Anatomy, Draft, Extent, Form, Method, SUPPRESSED, SensitiveCounts, ValueColumn};
use scumble_table::{Code, Role, Stored};
use std::collections::BTreeMap;

impl Maker {
    /// The release as anatomy, with the rows and groups of [`Maker::release`].
    pub fn anatomized(&self) -> Draft {
        let mut release = self.release();
        let Form::Generalized(boxes) = release.form else { panic!() };
        let order = Coins(self.seed).shuffled(self.rows.len());
        release.manifest.method = Method::Anatomy;
        release.hierarchies.retain(|(name, _)| self.role(name) != Role::Quasi);
        let mut people = Vec::new();
        for (at, (name, role, _)) in self.columns.iter().enumerate().filter(|(_, column)| column.1 == Role::Quasi) {
            let domain = self.domain(at);
            let codes: Vec<Code> = order.iter().map(|&row| domain.code_of(&self.rows[row][at]).unwrap()).collect();
            let shown = |code: &Code| codes.iter().zip(&boxes.row_group).any(|(c, &g)| c == code && g != SUPPRESSED);
            let stated = release.manifest.columns.iter_mut().find(|column| column.name == *name).unwrap();
            stated.domain = Extent::from_codes(&domain, domain.codes().filter(shown));
            let texts = (0..domain.n_codes() as Code).map(|code| domain.text(code).into_owned()).collect();
            people.push(ValueColumn {
                name: name.clone(),
                role: *role,
                texts,
                codes: codes.into_iter().collect(),
                kind: domain.kind(),
                stored: Stored::default(),
            });
        }
        let (sensitive, kept): (Vec<_>, Vec<_>) = boxes.values.into_iter().partition(|v| v.role == Role::Sensitive);
        people.extend(kept);
        let mut counted = BTreeMap::<(u32, Vec<Code>), u32>::new();
        for (row, &group) in boxes.row_group.iter().enumerate().filter(|(_, group)| **group != SUPPRESSED) {
            *counted.entry((group, sensitive.iter().map(|column| column.codes.get(row)).collect())).or_default() += 1;
        }
        let column = |(at, column): (usize, &ValueColumn)| ValueColumn {
            codes: counted.keys().map(|(_, codes)| codes[at]).collect(),
            ..column.clone()
        };
        let values = sensitive.iter().enumerate().map(column).collect();
        let sensitive = SensitiveCounts {
            row_group: counted.keys().map(|(group, _)| *group).collect(),
            values,
            counts: counted.values().copied().collect(),
        };
        let form = Anatomy { n_groups: boxes.n_groups, row_group: boxes.row_group, people, sensitive };
        Draft { form: Form::Anatomy(form), ..release }
    }

    fn role(&self, name: &str) -> Role {
        self.columns.iter().find(|column| column.0 == name).unwrap().1
    }
}
