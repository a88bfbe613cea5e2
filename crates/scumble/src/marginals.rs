//! Sets of quasi-identifiers that get a table of their own in an angel release.

use scumble_release::Angel;
use scumble_table::{Error, Result, did_you_mean};

/// Marginals are over quasi-identifiers, each set once, and none over all of them: that table is there anyway.
/// `taken` are sets that have a table already.
pub(crate) fn check(
    marginals: &[Vec<String>],
    quasi: &[&str],
    sensitive: &[&str],
    taken: impl IntoIterator<Item = Vec<String>>,
) -> Result<()> {
    let sorted = |mut names: Vec<String>| {
        names.sort_unstable();
        names
    };
    let mut files: Vec<Vec<String>> = taken.into_iter().collect();
    let mut taken: Vec<Vec<String>> = files.iter().cloned().map(sorted).collect();
    for marginal in marginals {
        let refused = |reason: String| Error::request("marginal", marginal.join(","), reason);
        if let Some(name) = marginal.iter().find(|name| !quasi.contains(&name.as_str())) {
            let hint = match name.as_str() {
                sensitive_name if sensitive.contains(&sensitive_name) => {
                    "sensitive columns are in the table of batches, which all marginals share".into()
                }
                "" => "such as «marginal» age,zipcode".into(),
                _ => did_you_mean(name, quasi, "the quasi-identifiers are"),
            };
            return Err(refused(format!("`{name}` is no quasi-identifier")).hint(hint));
        }
        let names = sorted(marginal.clone());
        if names.windows(2).any(|pair| pair[0] == pair[1]) {
            return Err(refused("a column is named twice".into()));
        }
        if names.len() == quasi.len() {
            return Err(refused("these are all quasi-identifiers, and their table is published anyway".into())
                .hint("name fewer of them"));
        }
        if taken.contains(&names) {
            return Err(refused("these columns have a table already".into()));
        }
        let chosen = |names: &[String]| {
            let at = |name: &String| quasi.iter().position(|known| known == name);
            Angel::marginal_name(quasi, &names.iter().filter_map(at).collect::<Vec<_>>())
        };
        // Names joined by dashes may be those of other columns: `a-b` and `c` as `a` and `b-c`.
        if let Some(other) = files.iter().find(|other| chosen(other).eq_ignore_ascii_case(&chosen(marginal))) {
            let reason = format!("its table would be named `{}`, as that of `{}`", chosen(marginal), other.join(","));
            return Err(refused(reason).hint("rename a column, or name the columns in another order"));
        }
        files.push(marginal.clone());
        taken.push(names);
    }
    Ok(())
}
