//! The columns that a question may name.

use datafusion_sql::sqlparser::ast::Ident;
use scumble_release::{PublishedColumn, ShownColumn};
use scumble_table::{Error, Result, Role, quoted_list, suggestion};

/// The published columns in the manifest's order; a column is known by its place among them.
pub(crate) struct Columns(Vec<PublishedColumn>);

impl Columns {
    pub(crate) fn new(columns: &[PublishedColumn]) -> Self {
        Columns(columns.to_vec())
    }

    pub(crate) fn get(&self, at: usize) -> &PublishedColumn {
        &self.0[at]
    }

    pub(crate) fn name(&self, at: usize) -> &str {
        self.0[at].name()
    }

    pub(crate) fn is_sensitive(&self, at: usize) -> bool {
        self.0[at].role() == Role::Sensitive
    }

    /// The place of a column of that exact name.
    pub(crate) fn position(&self, name: &str) -> Option<usize> {
        self.0.iter().position(|column| column.name() == name)
    }

    /// The column that an identifier names: exactly as it is written or, without quotes, in whatever case.
    pub(crate) fn find(&self, ident: &Ident) -> Result<usize> {
        if let Some(at) = self.position(&ident.value) {
            return Ok(at);
        }
        let unlike_case = |column: &PublishedColumn| column.name().to_lowercase() == ident.value.to_lowercase();
        let alike: Vec<usize> = (0..self.0.len()).filter(|&at| unlike_case(&self.0[at])).collect();
        match (alike.as_slice(), ident.quote_style) {
            ([one], None) => Ok(*one),
            ([_, _, ..], None) => {
                let names: Vec<&str> = alike.iter().map(|&at| self.name(at)).collect();
                Err(Error::request("column", &ident.value, "several columns have this name in other cases")
                    .hint(format!("put it in double quotes: {}", quoted_list(&names, 8))))
            }
            _ => Err(self.unknown(&ident.value)),
        }
    }

    fn unknown(&self, name: &str) -> Error {
        let names: Vec<&str> = self.0.iter().map(PublishedColumn::name).collect();
        let hint = match suggestion(name, names.iter().copied()) {
            Some(near) => format!("{near} Text stands in single quotes"),
            None => format!("its columns are {}; text stands in single quotes", quoted_list(&names, 30)),
        };
        Error::request("column", name, "the release has no such column").hint(hint)
    }

    /// Names of the columns of some roles.
    pub(crate) fn named(&self, wanted: impl Fn(Role) -> bool) -> Vec<&str> {
        self.0.iter().filter(|column| wanted(column.role())).map(PublishedColumn::name).collect()
    }
}

/// The place of the column of a name among those that a table shows.
///
/// # Errors
/// If no table has it, which is our own fault: a question names columns of the release alone.
pub(crate) fn place_of(columns: &[ShownColumn], name: &str) -> Result<usize> {
    let place = columns.iter().position(|column| column.column.name() == name);
    place.ok_or_else(|| Error::bug(format!("column {name} is not where it was looked for")))
}
