//! How to read a cell, and what became of missing values.

use crate::method::Method;
use crate::page::Page;
use crate::table::Table;
use crate::text::Text;

pub(super) fn write(page: &mut Page, method: Method) {
    page.section("Reading the tables");
    let mut forms = Table::new("What a cell can be", &["Cell", "Meaning"]);
    if !method.exact() {
        forms
            .row([Text::new().code("[17,24]"), "from 17 to 24, both included".into()])
            .row([Text::new().code("{north|west}"), "one of these".into()])
            .row([
                Text::from("a broader term"),
                "any value below it in the hierarchy published with the tables".into(),
            ]);
    }
    forms.row([Text::from("a plain value"), "exactly this value".into()]);
    if !method.exact() {
        forms.row([
            Text::new().code("*"),
            "any value; also where missing and other values meet, and throughout a suppressed row".into(),
        ]);
    } else {
        forms.row([Text::new().code("*"), "suppressed, in a row without a group".into()]);
    }
    forms.row([Text::from("an empty cell"), "a missing value".into()]);
    if !method.exact() {
        forms
            .row([Text::new().code("\\"), "the next character stands for itself and has no meaning of its own".into()]);
    }
    page.table(&forms);

    page.subsection("Missing values").paragraph(
        "A missing value counts as a value of its own. No row is left out for missing one. It matches another missing \
         value and nothing else, and in a sensitive column it counts like any other value when a group is judged.",
    );
    if !method.exact() {
        page.paragraph(
            Text::from("In a generalized column an empty cell says that everybody in the group misses this value; where some miss it and others do not, the cell is ")
                .code("*")
                .plain("."),
        );
    }
}
