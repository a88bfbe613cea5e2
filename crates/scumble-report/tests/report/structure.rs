//! Pages are well-formed and accessible.

use std::collections::BTreeSet;

use scumble_report::{Page, ReleaseFacts, release_page};

use crate::markup::{self, Tag};
use crate::sample::{METHODS, release};

fn pages() -> Vec<String> {
    let mut pages: Vec<String> = METHODS.iter().map(|method| release_page(&release(method))).collect();
    pages.push(release_page(&ReleaseFacts::default()));
    pages.push(Page::new("").finish());
    pages
}

fn tags(html: &str) -> Vec<Tag> {
    match markup::read(html) {
        Ok(tags) => tags,
        Err(fault) => panic!("{fault}"),
    }
}

#[test]
fn tags_balance_and_ids_are_unique() {
    for html in pages() {
        let tags = tags(&html);
        let ids: Vec<&str> = tags.iter().filter_map(|tag| tag.get("id")).collect();
        assert_eq!(ids.iter().collect::<BTreeSet<_>>().len(), ids.len());
        for tag in &tags {
            for of in ["aria-labelledby", "aria-describedby"] {
                assert!(tag.get(of).unwrap_or("").split_whitespace().all(|id| ids.contains(&id)));
            }
        }
    }
}

#[test]
fn paragraphs_hold_only_words() {
    for html in pages() {
        for tag in tags(&html) {
            let words = ["code", "strong", "bdi", "wbr", "a"].contains(&tag.name.as_str());
            assert!(words || !tag.inside.iter().any(|name| name == "p"), "{tag:?}");
        }
    }
}

#[test]
fn the_language_is_stated_and_headings_come_in_order() {
    for html in pages() {
        let tags = tags(&html);
        assert_eq!(tags.first().and_then(|tag| tag.get("lang")), Some("en"));
        let levels: Vec<u32> =
            tags.iter().filter_map(|tag| tag.name.strip_prefix('h').and_then(|n| n.parse().ok())).collect();
        assert_eq!(levels.iter().filter(|&&level| level == 1).count(), 1);
        assert_eq!(levels.first(), Some(&1));
        assert!(levels.windows(2).all(|pair| pair[1] <= pair[0] + 1), "{levels:?}");
    }
}

#[test]
fn tables_have_captions_and_charts_have_words() {
    for html in pages() {
        let tags = tags(&html);
        for (i, tag) in tags.iter().enumerate() {
            let next = |n: usize| tags.get(i + n).map(|tag| tag.name.as_str());
            match tag.name.as_str() {
                "table" => assert_eq!(next(1), Some("caption")),
                "th" => assert!(matches!(tag.get("scope"), Some("col" | "row"))),
                "svg" => {
                    assert_eq!((next(1), next(2)), (Some("title"), Some("desc")));
                    assert_eq!(tag.get("role"), Some("img"));
                }
                _ => {}
            }
        }
    }
}

#[test]
fn the_same_facts_give_the_same_bytes() {
    assert_eq!(pages(), pages());
}
