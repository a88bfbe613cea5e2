//! Errors about what a job file says, in the words of the file: its name, the line and the key, and no flags.

use scumble::{ColumnRole, Error, Job, Value, replace_field_names};
use std::path::Path;

/// An error that is about a field which a job file states or leaves out. `is_flag` tells of a field and the value that is at
/// fault whether a flag said it; such an error stays as it is.
pub(crate) fn in_job_file(error: Error, file: &Path, is_flag: impl Fn(&str, &str) -> bool) -> Error {
    let Error::Request { field, value, reason, hint } = error else { return error };
    if is_flag(&field, &value) {
        return Error::Request { field, value, reason, hint };
    }
    let key = Key::new(&field, &value);
    let line = std::fs::read_to_string(file).ok().and_then(|text| key.line(&Value::from_toml(&text).ok()?));
    let error = Error::data(file.display().to_string(), format!("`{}`: {}", key.name, in_fields(&reason)));
    let error = error.at(line, None);
    let error = if value.is_empty() || value == key.name { error } else { error.shows(value) };
    match hint {
        Some(hint) => error.hint(in_fields(&hint)),
        None => error,
    }
}

/// A place in a job file.
struct Key {
    section: &'static str,
    /// The column, where it is about one.
    column: Option<String>,
    name: String,
}

impl Key {
    /// The place of a field; of a role, that of the column that has it.
    fn new(field: &str, value: &str) -> Key {
        if ColumnRole::ALL.iter().any(|role| role.name() == field) {
            let name = if value.is_empty() { "columns" } else { value };
            return Key { section: "columns", column: Some(value.into()), name: name.into() };
        }
        let path: Vec<&str> = field.split('.').collect();
        let (name, section) = stated(path[path.len() - 1]);
        let column = match path[..] {
            ["columns", column, _] => Some(column),
            _ if section == "columns" => Some(value.split_once('=').map_or(value, |(column, _)| column)),
            _ => None,
        };
        Key { section, column: column.map(String::from), name: name.into() }
    }

    fn line(&self, document: &Value) -> Option<u64> {
        let section = child(document, self.section)?;
        let holder = match &self.column {
            Some(column) => child(section, column)?,
            None => section,
        };
        // A column may be a role alone.
        let value = child(holder, &self.name).or(self.column.as_ref().map(|_| holder))?;
        (value.line > 0).then_some(value.line)
    }
}

/// The name of a field in job files, and its section. Errors name some fields as flags do.
fn stated(field: &str) -> (&str, &'static str) {
    let found = |is: &dyn Fn(&scumble::JobOption) -> bool| Job::options().find(|option| is(option));
    let option = match field {
        "data" => found(&|option| (option.section, option.name) == ("input", "path")),
        "requirement" => found(&|option| option.name == "require"),
        _ => found(&|option| option.name == field)
            .or_else(|| found(&|option| option.flag.is_some_and(|flag| flag.name == field))),
    };
    option.map_or((field, ""), |option| (option.name, option.section))
}

/// The value under a key, which may be written with dashes.
fn child<'v>(table: &'v Value, key: &str) -> Option<&'v Value> {
    let entries = table.entries("a table").ok()?;
    entries.iter().find(|(name, _)| name == key || name.replace('-', "_") == key).map(|(_, value)| value)
}

/// A text with the names of fields as job files have them.
fn in_fields(text: &str) -> String {
    replace_field_names(text, |field| format!("`{}`", stated(field).0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_name_file_line_and_key_unless_a_flag_said_it() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("job.toml");
        let text =
            "[columns]\nage = \"quasi\"\nzip = { role = \"quasi\", level = 2 }\n\n[publish]\nmax-suppressed = 2\n";
        std::fs::write(&file, text).unwrap();
        let told = |field: &str, value: &str, flag: &str| {
            let error = Error::request(field, value, "it is wrong").hint("leave «out» or «max_suppressed» out");
            in_job_file(error, &file, |field, _| field == flag).to_string().replace(&file.display().to_string(), "job")
        };
        let hint = "hint: leave `dir` or `max_suppressed` out";
        for (field, value, message) in [
            ("max_suppressed", "2", "job, line 6, value `2`: `max_suppressed`: it is wrong; "),
            ("quasi", "age", "job, line 2: `age`: it is wrong; "),
            ("columns.zip.level", "2", "job, line 3, value `2`: `level`: it is wrong; "),
            ("type", "zip=x", "job, line 3, value `zip=x`: `type`: it is wrong; "),
            ("out", "", "job: `dir`: it is wrong; "),
            ("data", "", "job: `path`: it is wrong; "),
        ] {
            assert_eq!(told(field, value, ""), format!("{message}{hint}"), "{field}");
        }
        assert!(told("max_suppressed", "2", "max_suppressed").starts_with("max_suppressed `2`: it is wrong"));
    }
}
