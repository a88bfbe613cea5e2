//! Which columns of a table play the parts of the paper's.

use crate::Paper;
use scumble::{Error, Result, did_you_mean, quoted_list};

/// A column of a paper's table.
#[derive(Debug, Clone, Copy)]
pub(crate) struct WantedColumn {
    /// What the paper calls it.
    pub(crate) what: &'static str,
    /// Names under which tables are known to have it, or what comes nearest to it.
    pub(crate) names: &'static [&'static str],
    /// Whether its values must be numbers.
    pub(crate) number: bool,
    /// Whether the experiments can do without it.
    pub(crate) optional: bool,
}

impl WantedColumn {
    /// A column of labels or numbers.
    pub(crate) const fn any(what: &'static str, names: &'static [&'static str]) -> Self {
        WantedColumn { what, names, number: false, optional: false }
    }

    /// A column of numbers.
    pub(crate) const fn number(what: &'static str, names: &'static [&'static str]) -> Self {
        WantedColumn { what, names, number: true, optional: false }
    }

    /// The same, for experiments that can do without it. Of the columns of a role these come last.
    pub(crate) const fn optional(self) -> Self {
        WantedColumn { optional: true, ..self }
    }
}

/// The columns that the experiments of a paper take.
#[derive(Debug, Clone, Copy)]
pub(crate) struct WantedColumns {
    pub(crate) quasi: &'static [WantedColumn],
    pub(crate) sensitive: &'static [WantedColumn],
}

/// The columns of a table in the order of the roles.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct FoundColumns {
    pub(crate) quasi: Vec<String>,
    pub(crate) sensitive: Vec<String>,
    /// Those that must be numbers, with what the paper calls them.
    pub(crate) numbers: Vec<(String, &'static str)>,
}

impl FoundColumns {
    /// All of them.
    pub(crate) fn names(&self) -> Vec<String> {
        self.quasi.iter().chain(&self.sensitive).cloned().collect()
    }
}

impl WantedColumns {
    /// Finds the columns in a header: those that were named, else those that are known by name.
    pub(crate) fn find(
        &self,
        header: &[String],
        quasi: &[String],
        sensitive: &[String],
        paper: Paper,
    ) -> Result<FoundColumns> {
        let quasi = self.part("quasi", self.quasi, header, quasi, paper)?;
        let sensitive = self.part("sensitive", self.sensitive, header, sensitive, paper)?;
        let numbers = quasi.iter().chain(&sensitive).filter(|(wanted, _)| wanted.number);
        let numbers = numbers.map(|(wanted, name)| (name.clone(), wanted.what)).collect();
        let names = |part: Vec<(WantedColumn, String)>| part.into_iter().map(|(_, name)| name).collect::<Vec<_>>();
        let (quasi, sensitive) = (names(quasi), names(sensitive));
        if let Some(twice) = sensitive.iter().find(|name| quasi.contains(name)) {
            return Err(Error::request("sensitive", twice, "the column is a quasi-identifier as well"));
        }
        Ok(FoundColumns { quasi, sensitive, numbers })
    }

    fn part(
        &self,
        field: &str,
        wanted: &[WantedColumn],
        header: &[String],
        given: &[String],
        paper: Paper,
    ) -> Result<Vec<(WantedColumn, String)>> {
        if given.is_empty() {
            let known = wanted.iter().map(|one| (one, self.known(field, one, header, paper)));
            let known = known.filter(|(one, found)| found.is_ok() || !one.optional);
            return known.map(|(one, found)| found.map(|name| (*one, name))).collect();
        }
        let least = wanted.iter().filter(|one| !one.optional).count();
        if !(least..=wanted.len()).contains(&given.len()) {
            let many = if least < wanted.len() { format!("{least} to {}", wanted.len()) } else { least.to_string() };
            let reason = format!("{many} of them are wanted, and this names {}", given.len());
            let hint = format!("what {} calls {}, in this order", paper.name(), listed(wanted, ", "));
            return Err(Error::request(field, given.join(","), reason).hint(hint));
        }
        for (at, name) in given.iter().enumerate() {
            if given[..at].contains(name) {
                return Err(Error::request(field, name, "the column is named twice"));
            }
            if !header.contains(name) {
                let hint = did_you_mean(name, header, "the columns are");
                return Err(Error::request(field, name, "there is no such column").hint(hint));
            }
        }
        Ok(wanted.iter().copied().zip(given.iter().cloned()).collect())
    }

    /// The first name that the header has, in whatever case.
    fn known(&self, field: &str, wanted: &WantedColumn, header: &[String], paper: Paper) -> Result<String> {
        let find = |name: &&str| header.iter().find(|one| one.eq_ignore_ascii_case(name));
        let found = wanted.names.iter().find_map(find).cloned();
        found.ok_or_else(|| {
            let reason = format!(
                "{} wants a column for {}, and none is named {}; the columns are {}",
                paper.name(),
                wanted.what,
                quoted_list(wanted.names, 10),
                quoted_list(header, 30)
            );
            let parts = [("quasi", self.quasi), ("sensitive", self.sensitive)];
            let parts = parts.iter().filter(|(_, wanted)| !wanted.is_empty());
            let parts: Vec<String> =
                parts.map(|(field, wanted)| format!("«{field}» (for {})", listed(wanted, ","))).collect();
            Error::request(field, "", reason).hint(format!("name your own with {}", parts.join(" and ")))
        })
    }
}

/// What the paper calls some columns.
fn listed(wanted: &[WantedColumn], between: &str) -> String {
    wanted.iter().map(|one| one.what).collect::<Vec<_>>().join(between)
}

#[cfg(test)]
mod tests {
    use super::*;

    const COLUMNS: WantedColumns = WantedColumns {
        quasi: &[WantedColumn::number("age", &["age", "AGEP"]), WantedColumn::any("state", &["state"])],
        sensitive: &[WantedColumn::number("income", &["income", "PINCP"])],
    };

    fn cast(header: &str, quasi: &str, sensitive: &str) -> Result<FoundColumns> {
        let list = |text: &str| text.split_whitespace().map(String::from).collect::<Vec<_>>();
        COLUMNS.find(&list(header), &list(quasi), &list(sensitive), Paper::Paper1)
    }

    #[test]
    fn columns_are_known_by_name_or_named() {
        assert_eq!(cast("SEX PINCP STATE AGEP", "", "").unwrap().names(), ["AGEP", "STATE", "PINCP"]);
        assert_eq!(cast("a b c income", "b a", "").unwrap().names(), ["b", "a", "income"]);
        assert_eq!(cast("age state pay", "", "pay").unwrap().sensitive, ["pay"]);
    }

    #[test]
    fn optional_columns_may_be_missing() {
        const COLUMNS: WantedColumns = WantedColumns {
            quasi: &[WantedColumn::any("age", &["age"]), WantedColumn::number("sex", &["sex"]).optional()],
            sensitive: &[],
        };
        let cast = |header: &[&str], quasi: &[&str]| {
            let list = |texts: &[&str]| texts.iter().map(|text| text.to_string()).collect::<Vec<_>>();
            COLUMNS.find(&list(header), &list(quasi), &[], Paper::Paper1)
        };
        assert_eq!(cast(&["age"], &[]).unwrap().quasi, ["age"]);
        let both = cast(&["sex", "age"], &[]).unwrap();
        assert_eq!((both.quasi, both.numbers), (vec!["age".into(), "sex".into()], vec![("sex".into(), "sex")]));
        assert_eq!(cast(&["a", "b"], &["b"]).unwrap().quasi, ["b"]);
        assert!(cast(&["a", "b", "c"], &["a", "b", "c"]).unwrap_err().to_string().contains("1 to 2 of them"));
    }

    #[test]
    fn refusals_say_what_is_wanted() {
        let says = |found: Result<FoundColumns>, words: &[&str]| {
            let text = found.unwrap_err().to_string();
            assert!(words.iter().all(|word| text.contains(word)), "{text}");
        };
        says(cast("age income", "", ""), &["quasi", "state", "`age`", "paper1", "`sensitive`"]);
        says(cast("age state", "", ""), &["income", "`PINCP`"]);
        says(cast("age state income", "age", ""), &["2 of them", "age, state"]);
        says(cast("age state income", "age,stat".replace(',', " ").as_str(), ""), &["`stat`", "did you mean `state`?"]);
        says(cast("age state income", "age age", ""), &["twice"]);
        says(cast("age state income", "age income", "income"), &["as well"]);
    }
}
