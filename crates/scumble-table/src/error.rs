//! The one error type of all crates: fields, not sentences.
//!
//! Four things can go wrong and each has its exit code in the program: the data or the request is
//! wrong (2), the answer is no (1), or the fault is ours or the machine's (3).

use std::fmt;
use std::io::ErrorKind;

/// A result whose error is [`Error`].
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// What went wrong, with the facts a user needs to mend it.
///
/// Messages are in lower case without a final stop; literals stand in backticks. A sensitive or
/// identifying value of a person is never put into `value`.
///
/// Fields of the job that a message speaks of are written as `«max_suppressed»` in reasons and hints. They are shown in
/// backticks, and a front end that calls them otherwise puts its own names in their place with [`Error::with_fields`].
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Error {
    /// The data cannot be read as asked.
    Data {
        /// File name as the user gave it, or `standard input`.
        file: String,
        /// Line, counted from 1.
        line: Option<u64>,
        /// Column name.
        column: Option<String>,
        /// The offending text, unless it could be a person's secret.
        value: Option<String>,
        /// What is wrong.
        reason: String,
        /// What would be accepted, or what to try.
        hint: Option<String>,
    },
    /// The request contradicts itself or the data.
    Request {
        /// The field of the job, or the parameter.
        field: String,
        /// What was given.
        value: String,
        /// What is wrong.
        reason: String,
        /// What would be accepted, or what to try.
        hint: Option<String>,
    },
    /// No release can meet the requirement on this data.
    Infeasible {
        /// The requirement in canonical notation.
        requirement: String,
        /// Why not.
        reason: String,
        /// The nearest thing the data does allow.
        allows: String,
        /// The same for scripts: requirements, or values of a field, each of which can be had by itself; empty where none is
        /// known.
        nearest: Vec<String>,
    },
    /// A search found no release that meets the requirements, which does not prove that there is none.
    NotFound {
        /// The requirements in canonical notation.
        requirement: String,
        /// How it was looked for.
        reason: String,
        /// What may help.
        hint: String,
        /// Figures of what was reached, for scripts; empty where there are none.
        report: Vec<(String, String)>,
    },
    /// A release does not keep what it promises.
    Unverified {
        /// Which promise is broken and where.
        reason: String,
    },
    /// The caller asked to stop, and nothing unfinished was left behind.
    Cancelled,
    /// The operating system refused.
    Io {
        /// The attempted action, such as `read` or `create`.
        doing: String,
        /// The file or directory.
        path: String,
        /// The system's own words.
        reason: String,
    },
    /// Our own mistake.
    Bug {
        /// Which belief turned out false.
        what: String,
    },
}

impl Error {
    /// A wrong request without a hint.
    pub fn request(field: impl Into<String>, value: impl Into<String>, reason: impl Into<String>) -> Self {
        Error::Request { field: field.into(), value: value.into(), reason: reason.into(), hint: None }
    }

    /// Bad data somewhere in `file`; add a place with [`Error::at`].
    pub fn data(file: impl Into<String>, reason: impl Into<String>) -> Self {
        Error::Data { file: file.into(), line: None, column: None, value: None, reason: reason.into(), hint: None }
    }

    /// A refusal of the operating system. A file to be read that is missing, or a folder to be written into, is a fault of
    /// the request, not of the system.
    pub fn io(doing: &str, path: impl fmt::Display, source: &std::io::Error) -> Self {
        match source.kind() {
            // The second is a path that goes on behind a file.
            ErrorKind::NotFound | ErrorKind::NotADirectory if doing == "read" => {
                return Error::data(path.to_string(), "there is no such file");
            }
            ErrorKind::NotFound if matches!(doing, "write" | "create") => {
                return Error::data(path.to_string(), "there is no folder for it").hint("make it first");
            }
            ErrorKind::IsADirectory if doing == "read" => {
                return Error::data(path.to_string(), "it is a directory, not a file");
            }
            // Such as a pipe where a plain file is wanted.
            ErrorKind::InvalidInput if doing == "read" => return Error::data(path.to_string(), source.to_string()),
            _ => {}
        }
        Error::Io { doing: doing.into(), path: path.to_string(), reason: source.to_string() }
    }

    /// The word for its kind, for scripts.
    pub fn kind(&self) -> &'static str {
        match self {
            Error::Data { .. } => "data",
            Error::Request { .. } => "request",
            Error::Infeasible { .. } => "infeasible",
            Error::NotFound { .. } => "not-found",
            Error::Unverified { .. } => "unverified",
            Error::Cancelled => "cancelled",
            Error::Io { .. } => "io",
            Error::Bug { .. } => "bug",
        }
    }

    /// Our own mistake.
    pub fn bug(what: impl Into<String>) -> Self {
        Error::Bug { what: what.into() }
    }

    /// The same error with a hint, where its kind has one.
    #[must_use]
    pub fn hint(mut self, text: impl Into<String>) -> Self {
        if let Error::Data { hint, .. } | Error::Request { hint, .. } = &mut self {
            *hint = Some(text.into());
        }
        self
    }

    /// The same data error with its line and column.
    #[must_use]
    pub fn at(mut self, at_line: Option<u64>, at_column: Option<&str>) -> Self {
        if let Error::Data { line, column, .. } = &mut self {
            *line = at_line.or(*line);
            if let Some(name) = at_column {
                *column = Some(name.to_string());
            }
        }
        self
    }

    /// The same data error with the offending text; only for values that are no secret of a person.
    #[must_use]
    pub fn shows(mut self, text: impl Into<String>) -> Self {
        if let Error::Data { value, .. } = &mut self {
            *value = Some(text.into());
        }
        self
    }

    /// The message with the names that a front end has for fields of the job.
    #[must_use]
    pub fn with_fields(&self, name: impl Fn(&str) -> String) -> String {
        let named = match self.clone() {
            Error::Request { field, value, reason, hint } => {
                Error::Request { field: name(&field), value, reason, hint }
            }
            other => other,
        };
        replace_field_names(&named.raw(), name)
    }

    /// The program's exit code for this error.
    pub fn exit_code(&self) -> u8 {
        match self {
            Error::Infeasible { .. } | Error::NotFound { .. } | Error::Unverified { .. } => 1,
            Error::Data { .. } | Error::Request { .. } => 2,
            Error::Io { .. } | Error::Bug { .. } => 3,
            // What shells report of a program that an interrupt ended.
            Error::Cancelled => 130,
        }
    }
}

impl std::error::Error for Error {}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&replace_field_names(&self.raw(), field_in_backticks))
    }
}

impl Error {
    /// The message with fields in guillemets.
    fn raw(&self) -> String {
        let with_hint = |hint: &Option<String>| hint.as_ref().map_or(String::new(), |hint| format!("; hint: {hint}"));
        match self {
            Error::Data { file, line, column, value, reason, hint } => {
                let mut place = file.clone();
                place.extend(line.map(|line| format!(", line {line}")));
                place.extend(column.as_ref().map(|column| format!(", column `{column}`")));
                place.extend(value.as_ref().map(|value| format!(", value `{}`", shortened(value))));
                format!("{place}: {reason}{}", with_hint(hint))
            }
            Error::Request { field, value, reason, hint } => {
                let value = if value.is_empty() { String::new() } else { format!(" `{}`", shortened(value)) };
                format!("{field}{value}: {reason}{}", with_hint(hint))
            }
            Error::Infeasible { requirement, reason, allows, .. } => {
                format!(
                    "no release of this data can meet {}: {reason}; hint: {allows}",
                    quoted_requirement(requirement)
                )
            }
            Error::NotFound { requirement, reason, hint, .. } => {
                format!("no release that meets {} was found: {reason}; hint: {hint}", quoted_requirement(requirement))
            }
            Error::Unverified { reason } => format!("the release does not verify: {reason}"),
            Error::Cancelled => "cancelled: nothing unfinished was left behind".into(),
            Error::Io { doing, path, reason } => format!("cannot {doing} `{path}`: {reason}"),
            Error::Bug { what } => format!("this is a fault of scumble itself: {what}; hint: please report it"),
        }
    }
}

/// A requirement as messages show it. One that is a field of the job has its own marks.
fn quoted_requirement(requirement: &str) -> String {
    if requirement.starts_with('«') { requirement.to_string() } else { format!("`{requirement}`") }
}

/// A field of the job as messages name it where no front end has words of its own.
pub fn field_in_backticks(field: &str) -> String {
    format!("`{field}`")
}

/// Replaces the fields in guillemets in a message or a warning by the names that a front end has for them. Anything else in
/// guillemets, such as a part of a label, stays.
pub fn replace_field_names(text: &str, name: impl Fn(&str) -> String) -> String {
    let is_field = |text: &str| {
        text.starts_with(|c: char| c.is_ascii_lowercase())
            && text.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || matches!(c, '_' | '.' | '[' | ']'))
    };
    let mut parts = text.split('«');
    let mut out = parts.next().unwrap_or_default().to_string();
    for part in parts {
        match part.split_once('»') {
            Some((field, after)) if is_field(field) => out.extend([name(field).as_str(), after]),
            _ => out.extend(["«", part]),
        }
    }
    out
}

/// Keeps a message readable when a cell is very long.
fn shortened(value: &str) -> String {
    const MOST: usize = 120;
    let escaped: String = value
        .chars()
        .flat_map(|c| if c.is_control() { c.escape_default().collect::<Vec<_>>() } else { vec![c] })
        .collect();
    match escaped.char_indices().nth(MOST) {
        Some((end, _)) => format!("{}...", &escaped[..end]),
        None => escaped,
    }
}

/// The known name nearest to a mistyped one, if any is near enough to be meant.
pub fn nearest<'a>(typed: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let wanted = typed.to_lowercase();
    known
        .into_iter()
        .map(|name| (strsim::damerau_levenshtein(&wanted, &name.to_lowercase()), name))
        .filter(|(distance, name)| {
            let longest = typed.chars().count().max(name.chars().count());
            *distance * 5 <= longest * 2 || name.to_lowercase().starts_with(&wanted) && !wanted.is_empty()
        })
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, name)| name)
}

/// The hint for a name that is not known: the nearest one, or, after `otherwise`, all of them. Where all of them would
/// not help, [`suggestion`] leaves the rest to the caller.
///
/// ```
/// use scumble_table::did_you_mean;
/// assert_eq!(did_you_mean("zip", &["age", "zipcode"], "the columns are"), "did you mean `zipcode`?");
/// assert_eq!(did_you_mean("pay", &["age", "zipcode"], "the columns are"), "the columns are `age`, `zipcode`");
/// ```
pub fn did_you_mean<S: AsRef<str>>(typed: &str, known: &[S], otherwise: &str) -> String {
    const MOST: usize = 30;
    suggestion(typed, known.iter().map(AsRef::as_ref))
        .unwrap_or_else(|| format!("{otherwise} {}", quoted_list(known, MOST)))
}

/// The hint to the known name that was most likely meant, if any is near enough.
pub fn suggestion<'a>(typed: &str, known: impl IntoIterator<Item = &'a str>) -> Option<String> {
    nearest(typed, known).map(|near| match near.contains(',') {
        // In a list on the command line a comma is the end of a name.
        true => format!("did you mean `{near}`? In a list of names it is written `{}`", near.replace(',', "\\,")),
        false => format!("did you mean `{near}`?"),
    })
}

/// `a`, `b` and 3 more: a list short enough for a message.
pub fn quoted_list<S: AsRef<str>>(items: &[S], most: usize) -> String {
    let shown: Vec<String> = items.iter().take(most).map(|s| format!("`{}`", shortened(s.as_ref()))).collect();
    let rest = items.len().saturating_sub(most);
    if rest == 0 { shown.join(", ") } else { format!("{} and {rest} more", shown.join(", ")) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_name_place_value_and_hint() {
        let error = Error::data("adult.csv", "not a number")
            .at(Some(7), Some("age"))
            .shows("x\ty")
            .hint("use --type age=nominal");
        assert_eq!(
            error.to_string(),
            "adult.csv, line 7, column `age`, value `x\\ty`: not a number; hint: use --type age=nominal"
        );
        assert_eq!(error.exit_code(), 2);
    }

    #[test]
    fn fields_are_named_by_the_front_end() {
        let error = Error::request("max_suppressed", "2", "too much").hint("leave «max_suppressed» out of «A» and «b");
        assert_eq!(error.to_string(), "max_suppressed `2`: too much; hint: leave `max_suppressed` out of «A» and «b");
        let flags = error.with_fields(|field| format!("--{}", field.replace('_', "-")));
        assert_eq!(flags, "--max-suppressed `2`: too much; hint: leave --max-suppressed out of «A» and «b");
    }

    #[test]
    fn missing_files_are_a_wrong_request_also_behind_a_file() {
        for kind in [ErrorKind::NotFound, ErrorKind::NotADirectory] {
            let error = Error::io("read", "a.csv/b.csv", &kind.into());
            assert_eq!((error.to_string().as_str(), error.exit_code()), ("a.csv/b.csv: there is no such file", 2));
        }
        assert_eq!(Error::io("read", "a.csv", &ErrorKind::PermissionDenied.into()).exit_code(), 3);
    }

    #[test]
    fn a_field_that_cannot_be_met_is_named_as_a_field() {
        let error = Error::Infeasible {
            requirement: "«join_k» 9".into(),
            reason: "there are 5 rows".into(),
            allows: "«join_k» can be 5 at most".into(),
            nearest: vec!["5".into()],
        };
        let flags = error.with_fields(|field| format!("--{}", field.replace('_', "-")));
        let message = "no release of this data can meet --join-k 9: there are 5 rows; hint: --join-k can be 5 at most";
        assert_eq!((flags.as_str(), error.exit_code()), (message, 1));
    }

    #[test]
    fn nearest_name_is_found_only_when_near() {
        let names = ["age", "zipcode", "sex"];
        assert_eq!(nearest("zip", names), Some("zipcode"));
        assert_eq!(nearest("zipcod", names), Some("zipcode"));
        assert_eq!(nearest("salary", names), None);
        assert_eq!(nearest("", names), None);
    }

    #[test]
    fn long_values_are_cut() {
        let text = Error::request("--require", "x".repeat(500), "too long").to_string();
        assert!(text.len() < 200, "{text}");
    }
}
