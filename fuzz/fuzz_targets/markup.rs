//! Whatever the texts of a page are, its elements and the names of their attributes are those of a page with plain words.
#![no_main]
use libfuzzer_sys::fuzz_target;
use scumble_report::{Note, Page, Table, Text};

// The strict reader that the tests of pages use.
#[allow(dead_code, reason = "tests of pages ask for more than names and attributes")]
#[path = "../../crates/scumble-report/tests/report/markup.rs"]
mod markup;

/// A page that shows `words` in every place that takes a text.
fn page(words: &str) -> String {
    let text = || Text::from(words).code(words).strong(words).name(words);
    let mut table = Table::new(words, &[words, words]).named_rows();
    table.row([text(), text()]);
    let mut page = Page::new(words);
    page.kicker(words).lead(text()).section(words).subsection(words).paragraph(text());
    page.list([text()]).definitions([(text(), text())]).key_figures([(text(), text())]);
    page.statement(words, text()).literal(words).note(Note::Warning, words, text()).table(&table).foot(text());
    page.finish()
}

/// The elements with the names of their attributes, but for the places where long words may be broken. Values of attributes
/// are left out, because a table repeats its caption in one.
fn elements(html: &str) -> Vec<(String, Vec<String>)> {
    let tags = markup::read(html).unwrap_or_else(|fault| panic!("{fault}"));
    let names = |tag: markup::Tag| (tag.name, tag.attributes.into_iter().map(|(name, _)| name).collect());
    tags.into_iter().filter(|tag| tag.name != "wbr").map(names).collect()
}

fuzz_target!(|words: &str| {
    // A part of a page that has no text is left out.
    if words.is_empty() {
        return;
    }
    assert_eq!(elements(&page(words)), elements(&page("plain")));
});
