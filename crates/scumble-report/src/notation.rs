//! Reading the notation of a requirement, as far as a report needs it.
//!
//! The grammar proper, with its checks and hints, belongs to the crate of principles. Here any text is
//! accepted: a report about a requirement that this crate does not know shows it as it stands.

/// A requirement taken apart: `salary: proximity-absolute(4500, 5)`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Request<'a> {
    /// The column that it speaks of; all sensitive columns if none is named.
    pub(crate) column: Option<&'a str>,
    /// The name of the principle.
    pub(crate) name: &'a str,
    /// Its parameters as they are written.
    pub(crate) args: Vec<&'a str>,
    /// What is said where no column is named.
    pub(crate) unnamed: &'static str,
}

impl<'a> Request<'a> {
    /// Takes `notation` apart. The name of a column may itself hold colons and brackets, so that both are
    /// looked for from the end.
    pub(crate) fn parse(notation: &'a str) -> Self {
        let notation = notation.trim();
        let (head, inside) = match notation.strip_suffix(')').and_then(|rest| rest.rfind('(').map(|at| (rest, at))) {
            Some((rest, at)) => (&rest[..at], &rest[at + 1..]),
            None => (notation, ""),
        };
        let (column, name) = match head.rfind(':') {
            Some(at) => (Some(head[..at].trim()).filter(|column| !column.is_empty()), &head[at + 1..]),
            None => (None, head),
        };
        let args = if inside.trim().is_empty() { Vec::new() } else { inside.split(',').map(str::trim).collect() };
        Self { column, name: name.trim(), args, unnamed: "the sensitive column" }
    }

    /// How the column is called in a sentence.
    pub(crate) fn subject(&self) -> String {
        self.column.map_or_else(|| self.unnamed.to_owned(), |column| format!("“{column}”"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_forms_of_the_notation() {
        let request = Request::parse("k-anonymity(10)");
        assert_eq!((request.column, request.name, request.args), (None, "k-anonymity", vec!["10"]));
        let request = Request::parse(" salary: t-closeness( 0.2 , ordered ) ");
        assert_eq!(
            (request.column, request.name, request.args),
            (Some("salary"), "t-closeness", vec!["0.2", "ordered"])
        );
        let request = Request::parse("a:b (net): variance(9)");
        assert_eq!((request.column, request.name, request.args), (Some("a:b (net)"), "variance", vec!["9"]));
    }

    #[test]
    fn any_text_is_taken() {
        for text in ["", ":", "(", ")", "()", "x(", ")(", "é:ü(ß)", ": k-anonymity()"] {
            let _ = Request::parse(text);
        }
        let request = Request::parse(": x()");
        assert_eq!((request.column, request.name, request.args.len()), (None, "x", 0));
    }
}
