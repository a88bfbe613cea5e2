//! Fields of a job in the words of the command line.

use crate::args::Cli;
use clap::CommandFactory;
use scumble::{Error, Job};
use std::collections::BTreeSet;
use std::sync::OnceLock;

/// The flag of a field, such as `--max-suppressed` for `publish.max_suppressed`; a field that has none is quoted.
pub(crate) fn flag_of(field: &str) -> String {
    let plain = field.split('[').next().unwrap_or(field);
    let last = plain.rsplit('.').next().unwrap_or(plain);
    if matches!(plain, "data" | "input.path") {
        return "DATA".into();
    }
    let option = Job::options().find(|option| {
        option.name == plain || format!("{}.{}", option.section, option.name) == plain || option.name == last
    });
    let name = option.and_then(|option| option.flag).map_or_else(|| last.replace('_', "-"), |flag| flag.name.into());
    if known().contains(&name) { format!("--{name}") } else { format!("`{field}`") }
}

/// The flag of an option of the job, for the reasons that stand in documents and tables; any other field is quoted there.
pub(crate) fn option_flag(field: &str) -> String {
    let flag = Job::options().find(|option| option.name == field).and_then(|option| option.flag);
    flag.map_or_else(|| format!("`{field}`"), |flag| format!("--{}", flag.name))
}

/// An error in the words of the command line.
pub(crate) fn message(error: &Error) -> String {
    // A field that leads a message stands without quotes where it has no flag.
    let plain = match error {
        Error::Request { field, .. } if flag_of(field).starts_with('`') => Some(field.clone()),
        _ => None,
    };
    error.with_fields(|field| match &plain {
        Some(leading) if leading == field => field.to_string(),
        _ => flag_of(field),
    })
}

/// The long names of all flags of all commands.
fn known() -> &'static BTreeSet<String> {
    static KNOWN: OnceLock<BTreeSet<String>> = OnceLock::new();
    KNOWN.get_or_init(|| {
        let command = Cli::command();
        let all = command.get_subcommands().flat_map(clap::Command::get_arguments);
        all.filter_map(|arg| arg.get_long().map(String::from)).collect()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_become_flags() {
        let flags = ["max_suppressed", "publish.angel_k", "require[1]", "columns.age.hierarchy", "output.dir", "null"];
        let expected = ["--max-suppressed", "--angel-k", "--require", "--hierarchy", "--out", "--null"];
        assert_eq!(flags.map(flag_of), expected);
        assert_eq!(flag_of("cells"), "`cells`");
        let error = Error::request("quasi", "", "no column").hint("leave «drop_rest» out, or «nowhere»");
        assert_eq!(message(&error), "--quasi: no column; hint: leave --drop-rest out, or `nowhere`");
    }
}
