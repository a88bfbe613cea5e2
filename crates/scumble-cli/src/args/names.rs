//! Lists of columns in one word of the command line.

use scumble::split_names;
use std::convert::Infallible;
use std::str::FromStr;

/// The names of columns that one flag gave, with commas between them.
#[derive(Debug, Clone)]
pub(crate) struct Names(Vec<String>);

impl FromStr for Names {
    type Err = Infallible;

    fn from_str(text: &str) -> Result<Self, Infallible> {
        Ok(Names(split_names(text)))
    }
}

/// All names, where a flag was given several times.
pub(crate) fn all_names(lists: &[Names]) -> Vec<String> {
    lists.iter().flat_map(|Names(names)| names.iter().cloned()).collect()
}
