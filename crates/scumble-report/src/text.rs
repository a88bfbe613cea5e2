//! Running text with a little emphasis.

use crate::escape::escape;

/// A run of text that is already safe to put into a page.
///
/// It can only be built from plain text, each piece of which is escaped as it enters; there is no way to
/// pass markup through.
///
/// # Example
///
/// ```
/// use scumble_report::Text;
///
/// let text = Text::from("The column ").name("<age>").plain(" is exact.");
/// assert_eq!(text.html(), "The column <bdi>&lt;age&gt;</bdi> is exact.");
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Text {
    html: String,
}

impl Text {
    /// An empty text, to begin with something other than plain words.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds plain words.
    pub fn plain(self, words: &str) -> Self {
        self.wrapped(None, words)
    }

    /// Adds a literal: a notation, a cell, a file name.
    pub fn code(self, literal: &str) -> Self {
        self.wrapped(Some("code"), literal)
    }

    /// Adds words that matter more than those around them.
    pub fn strong(self, words: &str) -> Self {
        self.wrapped(Some("strong"), words)
    }

    /// Adds a name that comes from the data. It is set apart from its surroundings, so that a name written
    /// from right to left does not turn the sentence around it.
    pub fn name(self, name: &str) -> Self {
        self.wrapped(Some("bdi"), name)
    }

    /// Adds another text.
    pub fn then(mut self, other: &Self) -> Self {
        self.html.push_str(&other.html);
        self
    }

    /// The markup of this text.
    pub fn html(&self) -> &str {
        &self.html
    }

    fn wrapped(mut self, element: Option<&str>, words: &str) -> Self {
        match element {
            None => self.html.push_str(&breakable(words)),
            Some(element) => self.html.push_str(&format!("<{element}>{}</{element}>", breakable(words))),
        }
        self
    }
}

/// Words longer than this may be broken, or one name could make a table wider than any screen. It is longer
/// than the names of most columns, which then stand unbroken in the file and can be searched for.
const LONGEST_WORD: usize = 32;

/// Escapes `words`, with a place to break wherever [`LONGEST_WORD`] characters come without one.
fn breakable(words: &str) -> String {
    let mut out = String::new();
    let (mut start, mut run) = (0, 0);
    for (at, c) in words.char_indices() {
        if run == LONGEST_WORD {
            out.push_str(&escape(&words[start..at]));
            out.push_str("<wbr>");
            (start, run) = (at, 0);
        }
        run = if c.is_whitespace() { 0 } else { run + 1 };
    }
    out.push_str(&escape(&words[start..]));
    out
}

impl<S: AsRef<str>> From<S> for Text {
    fn from(words: S) -> Self {
        Self::new().plain(words.as_ref())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_long_words_get_a_place_to_break() {
        let short = "a_name_of_exactly_32_letters_____ and more words that go on";
        assert_eq!(breakable(&short[..32]), short[..32]);
        assert_eq!(breakable(&"é".repeat(70)).matches("<wbr>").count(), 2);
        assert_eq!(breakable(&"<".repeat(33)).matches("&lt;").count(), 33);
        assert_eq!(breakable(""), "");
    }
}
