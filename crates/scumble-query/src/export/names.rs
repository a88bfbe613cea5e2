//! Names of what a database gets in addition to the tables of the release.

use scumble_table::{Error, Result};

/// Bytes of a name in PostgreSQL; what is beyond is cut off without a word, so that two names may become one.
const LONGEST: usize = 63;

/// Refuses a name that a database would cut.
pub(crate) fn check(what: &str, name: &str) -> Result<()> {
    if name.len() > LONGEST {
        let reason = format!("names have at most {LONGEST} bytes in a database, and this one has {}", name.len());
        return Err(
            Error::request(what, name, reason).hint("rename the column before publishing, or export to a directory")
        );
    }
    Ok(())
}

/// A new name made of a part before and after a column's name, unlike all that are `taken`. Where it would be too long
/// the column's name is cut, and where it is taken a number follows.
pub(crate) fn derived(before: &str, column: &str, after: &str, taken: &mut Vec<String>) -> String {
    let made = |number: usize| {
        let number = if number == 1 { String::new() } else { format!("_{number}") };
        let room = LONGEST.saturating_sub(before.len() + after.len() + number.len());
        let end = (0..=column.len().min(room)).rev().find(|&at| column.is_char_boundary(at)).unwrap_or(0);
        format!("{before}{}{after}{number}", &column[..end])
    };
    let name = (1..).map(made).find(|name| !taken.contains(name)).unwrap_or_default();
    taken.push(name.clone());
    name
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_short_and_unlike_each_other() {
        let mut taken = vec!["age_lower".to_string()];
        assert_eq!(derived("", "age", "_lower", &mut taken), "age_lower_2");
        assert_eq!(derived("", "age", "_lower", &mut taken), "age_lower_3");
        let long = "é".repeat(60);
        let one = derived("", &long, "_bounds", &mut taken);
        let two = derived("", &long, "_bounds", &mut taken);
        assert!(one.len() <= 63 && two.len() <= 63 && one != two, "{one} {two}");
        assert!(check("column", &long).is_err() && check("column", "age").is_ok());
    }
}
