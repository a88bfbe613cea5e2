//! A page asks the network for nothing and runs nothing.

use scumble_report::{Page, Table, release_page};
use sha2::{Digest, Sha256};

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

/// A page with a table that readers can sort.
fn sortable() -> String {
    let mut table = Table::new("Figures", &["name", "n"]).figures_in(&[1]).sortable();
    table.sorted_row([("b".into(), None), ("2".into(), Some(2.0))]);
    table.sorted_row([("a".into(), None), ("not known".into(), Some(f64::NAN))]);
    let mut page = Page::new("t");
    page.section("s").table(&table).literal("a < b && c > d");
    page.finish()
}

fn base64(bytes: &[u8]) -> String {
    const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut out = String::new();
    for chunk in bytes.chunks(3) {
        let bits = (0..3).fold(0_u32, |bits, i| bits << 8 | u32::from(chunk.get(i).copied().unwrap_or(0)));
        for i in 0..4 {
            let letter = LETTERS[(bits >> (18 - 6 * i)) as usize & 63];
            out.push(if i <= chunk.len() { char::from(letter) } else { '=' });
        }
    }
    out
}

#[test]
fn the_one_script_is_allowed_by_its_checksum_and_no_other_is() {
    let html = sortable();
    let script =
        html.split_once("<script>").and_then(|(_, rest)| rest.split_once("</script>")).map(|(script, _)| script);
    let script = script.unwrap_or_default();
    assert!(!script.is_empty() && html.matches("<script").count() == 1);
    let allowed = format!("; script-src 'sha256-{}'\">", base64(&Sha256::digest(script)));
    assert!(html.contains(&allowed), "the policy should hold {allowed}");
    assert!(html.contains("content=\"default-src 'none';"));
    // It needs no escaping, asks nobody, and makes no markup from text.
    for bad in ["<", ">", "&", "//", "innerHTML", "fetch", "XMLHttp", "import", "eval", "location", "document.write"] {
        assert!(!script.contains(bad), "{bad}");
    }
    for method in METHODS {
        assert!(!release_page(&release(method)).contains("script-src"));
    }
}

#[test]
fn a_sortable_table_reads_the_same_without_the_script() {
    let html = sortable();
    let tags = markup::read(&html).unwrap_or_default();
    assert!(tags.iter().any(|tag| tag.name == "table" && tag.get("class") == Some("sortable")));
    // Headings become buttons only where the script runs, so that no button does nothing.
    assert!(!tags.iter().any(|tag| tag.name == "button"));
    let keys: Vec<Option<&str>> = tags.iter().filter(|tag| tag.name == "td").map(|tag| tag.get("data-key")).collect();
    assert_eq!(keys, [None, Some("2.0"), None, None]);
    assert!(html.contains("<pre><code>a &lt; b &amp;&amp; c &gt; d</code></pre>"));
}
