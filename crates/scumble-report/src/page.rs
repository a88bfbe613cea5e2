//! One page: a title, sections and what stands in them.

use crate::chart::Chart;
use crate::escape::escape;
use crate::table::Table;
use crate::text::Text;

/// The one style sheet. It is part of the page, for a page asks the network for nothing.
pub(crate) const STYLE: &str = include_str!("style.css");

/// The browser is told to refuse every request and every script, so that a mistake of ours could not make
/// one either.
const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'";

/// The one script there is: it makes the headings of sortable tables into buttons. A page without such a table has no
/// script, and one with it reads the same where scripts are off. It uses none of the characters that mean something in
/// markup, so that nothing in it needs to be escaped.
const SORT: &str = include_str!("sort.js");

/// The SHA-256 of that script as policies state it: a page with sortable tables allows this script and no other. A test
/// works it out anew.
const SORT_HASH: &str = "sha256-yE8Z6FNWh31uoYEiXMo2ERSbQ+/QysDTyuo5GM5DugI=";

/// From this number of sections on, the page begins with a list of them.
const SECTIONS_FOR_CONTENTS: usize = 4;

/// How loud a note is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Note {
    /// Good to know.
    Remark,
    /// Something the reader must not miss; the word "Warning" stands before it, for colour alone does not
    /// reach everybody.
    Warning,
}

/// A page under construction.
///
/// Headings come in order whatever the order of the calls: a subsection before the first section becomes a
/// section.
///
/// # Example
///
/// ```
/// use scumble_report::Page;
///
/// let mut page = Page::new("Ages < 30");
/// page.section("Results").paragraph("Two groups were compared.");
/// let html = page.finish();
/// assert!(html.contains("<h1>Ages &lt; 30</h1>"));
/// ```
#[derive(Clone, Debug, Default)]
pub struct Page {
    title: String,
    kicker: String,
    lead: Option<Text>,
    sections: Vec<String>,
    body: String,
    open: bool,
    n_charts: usize,
    sortable: bool,
    foot: Option<Text>,
}

impl Page {
    /// A page with nothing but a title.
    pub fn new(title: &str) -> Self {
        Self { title: title.to_owned(), ..Self::default() }
    }

    /// A few words above the title that say what kind of page this is.
    pub fn kicker(&mut self, words: &str) -> &mut Self {
        self.kicker = words.to_owned();
        self
    }

    /// The paragraph under the title.
    pub fn lead(&mut self, text: impl Into<Text>) -> &mut Self {
        self.lead = Some(text.into());
        self
    }

    /// The line at the foot of the page.
    pub fn foot(&mut self, text: impl Into<Text>) -> &mut Self {
        self.foot = Some(text.into());
        self
    }

    /// Begins a section.
    pub fn section(&mut self, title: &str) -> &mut Self {
        self.close();
        self.sections.push(title.to_owned());
        let n = self.sections.len();
        self.body.push_str(&format!("<section aria-labelledby=\"s{n}\">\n<h2 id=\"s{n}\">{}</h2>\n", escape(title)));
        self.open = true;
        self
    }

    /// Begins a part of a section.
    pub fn subsection(&mut self, title: &str) -> &mut Self {
        if !self.open {
            return self.section(title);
        }
        self.body.push_str(&format!("<h3>{}</h3>\n", escape(title)));
        self
    }

    /// Adds a paragraph.
    pub fn paragraph(&mut self, text: impl Into<Text>) -> &mut Self {
        self.body.push_str(&format!("<p>{}</p>\n", text.into().html()));
        self
    }

    /// Adds a list. An empty list adds nothing.
    pub fn list(&mut self, items: impl IntoIterator<Item = Text>) -> &mut Self {
        let items: String = items.into_iter().map(|item| format!("<li>{}</li>\n", item.html())).collect();
        if !items.is_empty() {
            self.body.push_str(&format!("<ul>\n{items}</ul>\n"));
        }
        self
    }

    /// Adds names with what is to be said of each, one below the other.
    pub fn definitions(&mut self, pairs: impl IntoIterator<Item = (Text, Text)>) -> &mut Self {
        self.pairs("facts", pairs)
    }

    /// Adds a row of large figures, each with its label.
    pub fn key_figures(&mut self, pairs: impl IntoIterator<Item = (Text, Text)>) -> &mut Self {
        self.pairs("key", pairs)
    }

    /// Adds a statement that deserves to stand by itself, under a literal that names it.
    pub fn statement(&mut self, literal: &str, text: impl Into<Text>) -> &mut Self {
        self.body.push_str(&format!(
            "<div class=\"statement\">\n<p>{}</p>\n<p>{}</p>\n</div>\n",
            Text::new().code(literal).html(),
            text.into().html()
        ));
        self
    }

    /// Adds lines that stand as they are, such as commands to copy.
    pub fn literal(&mut self, lines: &str) -> &mut Self {
        self.body.push_str(&format!("<pre><code>{}</code></pre>\n", escape(lines)));
        self
    }

    /// Adds a note in a box.
    pub fn note(&mut self, kind: Note, heading: &str, text: impl Into<Text>) -> &mut Self {
        let (class, word) = match kind {
            Note::Remark => ("remark", ""),
            Note::Warning => ("warning", "Warning: "),
        };
        self.body.push_str(&format!(
            "<div class=\"note {class}\" role=\"note\">\n<p><strong>{word}{}</strong></p>\n<p>{}</p>\n</div>\n",
            escape(heading),
            text.into().html()
        ));
        self
    }

    /// Adds a table.
    pub fn table(&mut self, table: &Table) -> &mut Self {
        self.sortable |= table.sortable;
        self.body.push_str(&table.html());
        self
    }

    /// Adds a chart, numbered, with its figures as a table that can be unfolded.
    pub fn chart(&mut self, chart: &Chart) -> &mut Self {
        let number = format!("Figure {}", self.n_charts + 1);
        self.chart_called(&number, chart)
    }

    /// Adds a chart that has a number of its own, such as that of a figure in a paper.
    pub fn chart_called(&mut self, number: &str, chart: &Chart) -> &mut Self {
        self.n_charts += 1;
        self.body.push_str(&format!(
            "<figure>\n<figcaption><strong>{}.</strong> {}</figcaption>\n{}",
            escape(number),
            escape(chart.title()),
            chart.svg(&format!("chart{}", self.n_charts))
        ));
        if !chart.figures().is_empty() {
            self.body.push_str(&format!(
                "<details>\n<summary>The figures of this chart</summary>\n{}</details>\n",
                chart.figures().html()
            ));
        }
        self.body.push_str("</figure>\n");
        self
    }

    /// The whole page.
    pub fn finish(mut self) -> String {
        self.close();
        let title = escape(&self.title);
        let script = if self.sortable { format!("; script-src '{SORT_HASH}'") } else { String::new() };
        let mut out = format!(
            "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
             <meta http-equiv=\"Content-Security-Policy\" content=\"{POLICY}{script}\">\n\
             <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
             <meta name=\"color-scheme\" content=\"light dark\">\n\
             <meta name=\"referrer\" content=\"no-referrer\">\n\
             <title>{title}</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n<header>\n<div class=\"column\">\n"
        );
        if !self.kicker.is_empty() {
            out.push_str(&format!("<p class=\"kicker\">{}</p>\n", escape(&self.kicker)));
        }
        out.push_str(&format!("<h1>{title}</h1>\n"));
        if let Some(lead) = &self.lead {
            out.push_str(&format!("<p class=\"lead\">{}</p>\n", lead.html()));
        }
        out.push_str("</div>\n</header>\n<main class=\"column\">\n");
        if self.sections.len() >= SECTIONS_FOR_CONTENTS {
            out.push_str("<nav aria-label=\"Contents\">\n<ol>\n");
            for (i, section) in self.sections.iter().enumerate() {
                out.push_str(&format!("<li><a href=\"#s{}\">{}</a></li>\n", i + 1, escape(section)));
            }
            out.push_str("</ol>\n</nav>\n");
        }
        out.push_str(&self.body);
        out.push_str("</main>\n");
        if let Some(foot) = &self.foot {
            out.push_str(&format!("<footer class=\"column\">\n<p>{}</p>\n</footer>\n", foot.html()));
        }
        if self.sortable {
            out.push_str(&format!("<script>{SORT}</script>\n"));
        }
        out.push_str("</body>\n</html>\n");
        out
    }

    fn close(&mut self) {
        if self.open {
            self.body.push_str("</section>\n");
            self.open = false;
        }
    }

    fn pairs(&mut self, class: &str, pairs: impl IntoIterator<Item = (Text, Text)>) -> &mut Self {
        let pairs: String = pairs
            .into_iter()
            .map(|(name, value)| format!("<div><dt>{}</dt><dd>{}</dd></div>\n", name.html(), value.html()))
            .collect();
        if !pairs.is_empty() {
            self.body.push_str(&format!("<dl class=\"{class}\">\n{pairs}</dl>\n"));
        }
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headings_come_in_order() {
        let mut page = Page::new("t");
        page.subsection("first").subsection("second").section("third");
        let html = page.finish();
        assert!(html.contains(">first</h2>") && html.contains("<h3>second</h3>") && html.contains(">third</h2>"));
        assert_eq!(html.matches("<section").count(), html.matches("</section>").count());
    }

    #[test]
    fn nothing_empty_is_written() {
        let mut page = Page::new("");
        page.list([]).definitions([]).key_figures([]);
        let html = page.finish();
        assert!(!html.contains("<ul>") && !html.contains("<dl") && !html.contains("<nav"));
    }
}
