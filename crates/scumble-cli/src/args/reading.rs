//! Flags that several commands share: how data is read.

use clap::Args;

/// How the data is read.
#[derive(Debug, Args)]
pub(crate) struct Reading {
    /// Delimiter of a CSV file: one character, or `tab`; found in the header by default
    #[arg(long, value_name = "CHAR", help_heading = "Input")]
    pub(crate) delimiter: Option<String>,

    /// A text that means a missing value, beside the empty cell (repeatable)
    #[arg(long = "null", value_name = "TEXT", help_heading = "Input")]
    pub(crate) nulls: Vec<String>,
}

/// What the values of columns mean.
#[derive(Debug, Args)]
pub(crate) struct Typing {
    /// Type of a column; told by its values by default (repeatable)
    #[arg(long = "type", value_name = "COLUMN=number|date|ordinal|nominal", help_heading = "Input")]
    pub(crate) types: Vec<String>,

    /// File with the labels of an ordinal column in order, one a line (repeatable)
    #[arg(long = "order", value_name = "COLUMN=FILE", help_heading = "Input")]
    pub(crate) orders: Vec<String>,

    /// Generalization hierarchy of a column, `value;level1;...;*` a line, or a conditional one in TOML (repeatable)
    #[arg(long = "hierarchy", value_name = "COLUMN=FILE", help_heading = "Input")]
    pub(crate) hierarchies: Vec<String>,
}
