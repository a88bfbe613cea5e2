//! Names come from data files and may hold anything.

use scumble_report::chart::{Axis, Bar, Series, Shape, bars, line};
use scumble_report::{Guards, Meaning, Page, ReleaseFacts, RequirementFacts, Table, Text, release_page};

use crate::markup;
use crate::sample::{METHODS, column, release};

const NASTY: [&str; 9] = [
    "<script>alert(1)</script>",
    "\"><img src=x onerror=alert(1)>",
    "' onmouseover='x",
    "</style><style>body{display:none}",
    "</title></svg><p>&amp;&#60;",
    "<!-- --> ]]> <![CDATA[",
    "年齢\u{202e}egа\u{0}\u{7}👩‍⚕️",
    "http://example.invalid//x",
    "",
];

/// The report with `name` in every place that takes a text.
fn everywhere(method: &str, name: &str) -> ReleaseFacts {
    let n = || name.to_owned();
    let mut facts = release(method);
    facts.algorithm = n();
    facts.profile = n();
    facts.requirements.push(RequirementFacts {
        notation: format!("{name}: frequency-l-diversity(3)"),
        meaning: Some(Meaning { family: "Frequency l-diversity".into(), demands: n(), hides: n(), leaves: n() }),
        guards: Guards::Column(n()),
        attained: vec![(n(), n())],
        column: Some(n()),
    });
    facts.requirements.push(RequirementFacts {
        notation: format!("frequency-l-diversity({name}, {name})"),
        column: Some(n()),
        ..RequirementFacts::default()
    });
    facts.columns.extend(["quasi", "sensitive", "kept", name].map(|role| column(name, role, Some(0.5))));
    facts.columns.iter_mut().for_each(|column| column.kind = n());
    facts.files.push((n(), 1, n()));
    facts.notes.push(n());
    facts
}

#[test]
fn nasty_names_stay_text() {
    for method in METHODS {
        let plain: Vec<String> = tags(&release_page(&everywhere(method, "plain")));
        for name in NASTY {
            let html = release_page(&everywhere(method, name));
            // The same elements in the same order: no name made or unmade one.
            assert_eq!(tags(&html), plain, "{name:?}");
            for bad in ["<script", "<img", "onerror=alert(1)>", "\u{0}", "\u{202e}"] {
                assert!(!html.contains(bad), "{bad:?} from {name:?}");
            }
        }
    }
}

/// The elements of a page but for places to break, which depend on the length of a name.
fn tags(html: &str) -> Vec<String> {
    match markup::read(html) {
        Ok(tags) => tags.into_iter().map(|tag| tag.name).filter(|name| name != "wbr").collect(),
        Err(fault) => panic!("{fault}"),
    }
}

#[test]
fn a_very_long_name_is_broken_and_cut_in_charts() {
    let name = "x".repeat(20_000);
    let html = release_page(&everywhere("generalize", &name));
    assert!(markup::read(&html).is_ok());
    let start = html.find("<main").unwrap_or(0);
    for text in html[start..].split("</title>").map(|part| part.split("<title").next().unwrap_or("")) {
        for words in text.split(['<', '>']).filter(|words| !words.contains("aria-")) {
            assert!(words.split_whitespace().all(|word| word.chars().count() < 90));
        }
    }
}

#[test]
fn charts_and_tables_escape_too() {
    for name in NASTY {
        let mut page = Page::new(name);
        page.kicker(name).lead(name).foot(name).section(name).subsection(name).statement(name, name);
        let axis = Axis::new(name).unit(name);
        page.chart(&bars(name, &axis, &[Bar { label: name.into(), value: 1.0 }]));
        let series = || Series { name: name.into(), points: vec![(0.0, 1.0), (2.0, 3.0)], shape: Shape::Straight };
        page.chart(&line(name, &axis, &axis, &[series(), series()]));
        let mut table = Table::new(name, &[name]);
        table.row([Text::new().code(name).strong(name).name(name)]);
        page.table(&table).definitions([(name.into(), name.into())]);
        let html = page.finish();
        let read = markup::read(&html);
        assert!(read.is_ok(), "{name:?}: {read:?}");
        assert!(!html.contains("<script") && !html.contains("<img"));
    }
}
