//! A page asks the network for nothing and runs nothing.

use scumble_report::release_page;

use crate::markup;
use crate::sample::{METHODS, release};

#[test]
fn there_is_nothing_to_fetch_and_nothing_to_run() {
    for method in METHODS {
        let mut facts = release(method);
        facts.notes.push("see https://example.invalid/ and //example.invalid".into());
        let html = release_page(&facts).to_lowercase();
        for bad in [
            "//",
            "src=",
            "srcset",
            "@import",
            "@font-face",
            "url(",
            "<script",
            "<link",
            "<img",
            "<iframe",
            "<object",
            "<embed",
            "<form",
            "<base",
            "<use",
            "<image",
            "<foreignobject",
            "javascript:",
            "data:",
            "ping=",
            "refresh",
        ] {
            assert!(!html.contains(bad), "{bad:?} in the report of {method}");
        }
    }
}

#[test]
fn links_stay_in_the_page_and_no_attribute_is_a_handler() {
    for method in METHODS {
        let html = release_page(&release(method));
        let tags = markup::read(&html).unwrap_or_default();
        assert!(!tags.is_empty());
        let ids: Vec<&str> = tags.iter().filter_map(|tag| tag.get("id")).collect();
        for tag in &tags {
            for (name, value) in &tag.attributes {
                assert!(!name.starts_with("on") && name != "style", "{name}={value}");
                if name == "href" {
                    assert!(value.strip_prefix('#').is_some_and(|id| ids.contains(&id)), "{value}");
                }
            }
        }
    }
}

#[test]
fn the_browser_is_told_to_refuse_everything() {
    let html = release_page(&release("generalize"));
    let policy = html.find("default-src 'none'");
    // The policy must come before anything that it could apply to.
    assert!(policy.is_some() && policy < html.find("<style>"));
}
