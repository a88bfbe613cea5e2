//! What the groups of a maker attain.

use super::Maker;
use scumble_principle::{Attained, BoundRequirements, Group, JointColumns, Requirement};
use scumble_table::{Attribute, Bag, Code, Codes, Schema};

impl Maker {
    /// The requirements bound to some sensitive columns, and what groups attain together.
    pub fn judged(&self, columns: &[usize], groups: &[Option<u32>]) -> (BoundRequirements, Schema, Vec<Attained>) {
        let mut sensitive = Vec::new();
        for &at in columns {
            let (name, role, _) = &self.columns[at];
            let domain = self.domain(at);
            let codes: Vec<Code> = self.rows.iter().map(|row| domain.code_of(&row[at]).unwrap()).collect();
            sensitive.push((Attribute { name: name.clone(), role: *role, domain }, codes));
        }
        let requirements = self.requirements.iter().map(|text| text.parse::<Requirement>().unwrap());
        let about = |one: &Requirement| {
            one.column.as_ref().is_none_or(|name| sensitive.iter().any(|(attribute, _)| attribute.name == *name))
        };
        let requirements: Vec<Requirement> = requirements.filter(about).collect();
        let schema = Schema::new(sensitive.iter().map(|(attribute, _)| attribute.clone()).collect()).unwrap();
        let mut members = vec![Vec::new(); groups.iter().flatten().max().map_or(0, |&last| last as usize + 1)];
        let mut live = Vec::new();
        for (row, group) in groups.iter().enumerate() {
            if let Some(group) = group {
                members[*group as usize].push(row);
                live.push(row);
            }
        }
        let bag = |rows: &[usize], codes: &[Code]| Bag::from_codes(rows.iter().map(|&row| codes[row]));
        let whole = |at: usize| bag(&live, &sensitive[at].1);
        let codes: Vec<Codes> = sensitive.iter().map(|(_, codes)| codes.iter().copied().collect()).collect();
        let together = JointColumns::new(&requirements, &schema, self.ruler.as_ref(), |at| &codes[at]).unwrap();
        let together = together.map(|all| all.restricted_to(&live.iter().map(|&row| row as u32).collect::<Vec<_>>()));
        let bound = BoundRequirements::bind_joint(&requirements, &schema, whole, together.as_ref()).unwrap();
        let common = members.iter().map(|rows| {
            let mut bags: Vec<Bag> = sensitive.iter().map(|(_, codes)| bag(rows, codes)).collect();
            let rows: Vec<u32> = rows.iter().map(|&row| row as u32).collect();
            bags.extend(together.as_ref().map(|together| together.bag(&rows)));
            bound.attained(Group { size: rows.len() as u64, bags: &bags })
        });
        let common = common.reduce(|a, b| a.into_iter().zip(b).map(|(a, b)| Attained::common(a, b)).collect());
        let common = common.unwrap_or_default();
        (bound, schema, common)
    }
}
