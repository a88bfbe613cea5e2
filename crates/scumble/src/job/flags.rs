//! A job as a command that people can copy.

use super::{ColumnRole, Job, JobOption, Section, ValueForm};
use scumble_io::{Data, Value};

impl Job {
    /// The flags that turn another job into this one on the command line. Rules, roles that have no flag and options that were
    /// taken back cannot be given so.
    pub fn flags_beyond(&self, base: &Job) -> Vec<String> {
        let mut flags = Vec::new();
        let mut add = |option: &JobOption, value: &Value, before: &str| {
            let Some(flag) = option.flag else { return };
            let name = format!("--{}", flag.name);
            let text = |value: &Value| match &value.data {
                Data::List(names) => names.iter().filter_map(Value::written).collect::<Vec<_>>().join(","),
                _ => value.written().unwrap_or_default().to_string(),
            };
            match (&value.data, option.form) {
                (Data::Bool(_), _) => flags.push(name),
                (Data::List(items), ValueForm::Texts | ValueForm::Lists) => {
                    items.iter().for_each(|item| flags.extend([name.clone(), format!("{before}{}", text(item))]));
                }
                _ => flags.extend([name, format!("{before}{}", text(value))]),
            }
        };
        let differing = |own: Vec<(&'static str, Value)>, other: Vec<(&'static str, Value)>| {
            own.into_iter().filter(|entry| !other.contains(entry)).collect::<Vec<_>>()
        };
        let option =
            |section: &str, name: &str| Job::options().find(|option| option.section == section && option.name == name);
        for (section, entries) in [
            ("input", differing(self.input.entries(), base.input.entries())),
            ("publish", differing(self.publish.entries(), base.publish.entries())),
            ("output", differing(self.output.entries(), base.output.entries())),
        ] {
            for (name, value) in entries {
                option(section, name).into_iter().for_each(|option| add(option, &value, ""));
            }
        }
        let column_of = |name: &str| base.columns.iter().find(|(known, _)| known == name).map(|(_, column)| column);
        for (name, column) in &self.columns {
            let known = column_of(name).map_or_else(Vec::new, Section::entries);
            for (setting, value) in differing(column.entries(), known) {
                option("columns", setting).into_iter().for_each(|option| add(option, &value, &format!("{name}=")));
            }
        }
        let mut roles = Vec::new();
        for role in ColumnRole::WITH_FLAGS {
            let new = |name: &&str| column_of(name).and_then(|column| column.role) != Some(role);
            let names: Vec<&str> = self.named(role).filter(new).collect();
            if !names.is_empty() {
                roles.extend([format!("--{role}"), names.join(",")]);
            }
        }
        roles.extend(flags);
        roles
    }
}
