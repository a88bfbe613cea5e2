//! What a publisher may take upon themselves must be about a column that there is something to take upon oneself of.

use super::{ColumnRole, Plan};
use scumble_principle::Requirement;
use scumble_table::{Error, Missing, Result, did_you_mean};

impl Plan {
    /// Columns whose refusal is set aside have the role that could be refused, and are named once.
    pub(super) fn check_accepted(&self) -> Result<()> {
        self.check_columns_of("allow_sets", &self.allow_sets, ColumnRole::Quasi)?;
        self.check_columns_of("accept_keep", &self.accept_keep, ColumnRole::Kept)?;
        self.check_persons()?;
        self.check_missing()
    }

    /// Rows are told to be people where nothing says whose they are.
    fn check_persons(&self) -> Result<()> {
        let persons: Vec<&str> = self.named(ColumnRole::Person).collect();
        if !self.rows_are_people || persons.is_empty() {
            return Ok(());
        }
        let reason = "«person» says whose row each row is, and «rows_are_people» that every row is a person of its own";
        Err(Error::request("person", persons.join(","), reason).hint(
            "leave «rows_are_people» out, and people are counted; or leave «person» out and name the column in «identifying»",
        ))
    }

    /// Only requirements about the values of a sensitive column can ignore its missing ones, and there must be one that does.
    fn check_missing(&self) -> Result<()> {
        let sensitive: Vec<&str> = self.named(ColumnRole::Sensitive).collect();
        for (name, column) in &self.columns {
            if column.missing != Some(Missing::Ignore) {
                continue;
            }
            let field = format!("columns.{name}.missing");
            let refused = |reason: &str, hint: &str| Err(Error::request(&field, "ignore", reason).hint(hint));
            if column.role != Some(ColumnRole::Sensitive) {
                return refused("only missing values of a sensitive column can be ignored", "leave «missing» out");
            }
            let at = sensitive.iter().position(|known| known == name);
            let ignores = |one: &Requirement| {
                (one.column.is_none() || one.named_in(&sensitive) == at) && one.principle().can_ignore_missing()
            };
            if !self.requirements.is_empty() && !self.requirements.iter().any(ignores) {
                return refused(
                    "no requirement on this column ignores missing values",
                    "leave «missing» out, or require l-diversity or t-closeness, such as \"distinct-l-diversity(3)\"",
                );
            }
        }
        Ok(())
    }

    fn check_columns_of(&self, field: &str, names: &[String], role: ColumnRole) -> Result<()> {
        let known: Vec<&str> = self.named(role).collect();
        for (at, name) in names.iter().enumerate() {
            if names[..at].contains(name) {
                return Err(Error::request(field, name, "the column is named twice"));
            }
            if !known.contains(&name.as_str()) {
                let hint = match known.is_empty() {
                    true => format!("leave «{field}» out"),
                    false => did_you_mean(name, &known, &format!("the columns of «{role}» are")),
                };
                return Err(Error::request(field, name, format!("no column of «{role}» has this name")).hint(hint));
            }
        }
        Ok(())
    }
}
