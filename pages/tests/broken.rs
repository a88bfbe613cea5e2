//! The check itself: sound pages pass it, and every kind of broken page fails it for the right reason.
//!
//! These need a browser, named by `SCUMBLE_BROWSER`; without one they are skipped and say so.

use scumble_pages::{Browser, look};
use std::path::Path;

const POLICY: &str =
    "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">";

/// A page with a title and something in it.
fn page(head: &str, body: &str) -> String {
    format!(
        "<!DOCTYPE html><html lang=\"en\"><head><meta charset=\"utf-8\">{head}<title>t</title>\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\
         <style>body {{ background: #fff; color: #111; font: 16px sans-serif; }} .scroll {{ overflow-x: auto; }}\
         svg {{ width: 100%; height: auto; }}</style></head><body><h1>A page</h1>{body}</body></html>"
    )
}

fn chart(marks: &str) -> String {
    page("", &format!("<svg viewBox=\"0 0 300 100\"><title>c</title>{marks}</svg>"))
}

/// Pages, each with a part of the complaint that it must give rise to; none for a sound one.
fn pages() -> Vec<(&'static str, String, Option<&'static str>)> {
    let sortable = |script: &str| {
        let rows =
            "<tr><td data-key=\"9\">9</td></tr><tr><td data-key=\"10\">10</td></tr><tr><td data-key=\"2\">2</td></tr>";
        let table = format!("<table><thead><tr><th><button>n</button></th></tr></thead><tbody>{rows}</tbody></table>");
        page("", &format!("{table}<script>{script}</script>"))
    };
    let sorts = |compare: &str| {
        sortable(&format!(
            "const h = document.querySelector('th'), b = document.querySelector('tbody');\
             h.firstChild.onclick = () => {{\
               const up = h.getAttribute('aria-sort') !== 'ascending';\
               h.setAttribute('aria-sort', up ? 'ascending' : 'descending');\
               const rows = [...b.rows].sort((p, q) => {compare});\
               b.append(...(up ? rows : rows.reverse())); }};"
        ))
    };
    vec![
        ("sound", page(POLICY, "<p>Words, and more of them.</p>"), None),
        ("sound chart", chart("<text x=\"10\" y=\"40\">left</text><text x=\"200\" y=\"40\">right</text>"), None),
        (
            "sound table",
            page("", &format!("<div class=\"scroll\"><table><tr><td>{}</table></div>", "a ".repeat(900))),
            None,
        ),
        ("sound sorting", sorts("+p.textContent - +q.textContent"), None),
        (
            "sorting without a button",
            page("", "<table class=\"sortable\"><thead><tr><th>n</th></tr></thead><tbody></tbody></table>"),
            Some("cannot be sorted"),
        ),
        ("script error", page("", "<script>undefined.x</script>"), Some("uncaught: TypeError")),
        ("syntax error", page("", "<script>let = ;</script>"), Some("uncaught: SyntaxError")),
        ("late error", page("", "<script>Promise.reject(new Error('late'))</script>"), Some("uncaught: Error: late")),
        ("console", page("", "<script>console.warn('look here')</script>"), Some("console.warning: look here")),
        ("missing picture", page("", "<img src=\"missing.png\" alt=\"m\">"), Some("missing.png")),
        (
            "network",
            page("", "<img src=\"http://example.invalid/a.png\" alt=\"a\">"),
            Some("asks for http://example.invalid"),
        ),
        ("policy", page(POLICY, "<script>1</script>"), Some("against its policy: script-src")),
        ("wide page", page("", "<pre style=\"width: 1500px\">wide</pre>"), Some("dark: the page is 15")),
        ("wide on a phone", page("", "<div style=\"width: 500px\">wide</div>"), Some("narrow: the page is 5")),
        (
            "overflowing chart",
            chart("<text x=\"290\" y=\"40\">far too long a label</text>"),
            Some("cut: \"far too long"),
        ),
        (
            "mark outside",
            chart("<rect x=\"250\" y=\"10\" width=\"90\" height=\"9\"/>"),
            Some("a rect leaves the frame"),
        ),
        (
            "labels on labels",
            chart("<text x=\"9\" y=\"40\">one label</text><text x=\"20\" y=\"44\">another</text>"),
            Some("lie on each other"),
        ),
        ("small letters", chart("<text x=\"9\" y=\"40\" font-size=\"2\">tiny</text>"), Some("letters of")),
        (
            "chart without a title",
            page("", "<svg viewBox=\"0 0 9 9\"><circle r=\"2\" cx=\"4\" cy=\"4\"/></svg>"),
            Some("has no title"),
        ),
        (
            "lines alike",
            chart(
                "<path class=\"line\" d=\"M9 9H90\" stroke=\"red\"><title>a</title></path>\
             <path class=\"line\" d=\"M9 20H90\" stroke=\"blue\"><title>b</title></path>",
            ),
            Some("\"a\" and \"b\" look alike without colour"),
        ),
        (
            "faint mark",
            chart("<rect class=\"mark\" width=\"9\" height=\"9\" fill=\"#eee\"/>"),
            Some("too little contrast"),
        ),
        ("faint words", page("", "<p style=\"color: #999\">hardly seen</p>"), Some("contrast of only")),
        (
            "faint on a dark screen",
            page(
                "",
                "<style>@media (prefers-color-scheme: dark) { p { background: #000; color: #333; } }</style><p>night</p>",
            ),
            Some("dark: contrast of only"),
        ),
        (
            "faint on paper",
            page("", "<p style=\"background: #000; color: #fff\">white on paper</p>"),
            Some("print: contrast of only"),
        ),
        (
            "words on words",
            page("", "<p>first words</p><p style=\"margin-top: -30px\">second words</p>"),
            Some("lie on each other"),
        ),
        (
            "cut words",
            page("", "<p style=\"width: 90px; overflow: hidden; white-space: nowrap\">words that are cut</p>"),
            Some("print: cut at 90"),
        ),
        (
            "cut on paper",
            page("", &format!("<div class=\"scroll\"><table><tr>{}</tr></table></div>", "<td>longish</td>".repeat(30))),
            Some("print: cut at"),
        ),
        ("no title", "<!DOCTYPE html><body>words".to_owned(), Some("the page has no title")),
        (
            "sorts as words",
            sorts("p.textContent < q.textContent ? -1 : 1"),
            Some("\"n\" does not sort its rows ascending"),
        ),
        ("does not sort", sortable("1"), Some("\"n\" does not say which way it sorts")),
    ]
}

#[test]
fn broken_pages_are_found_out() {
    let Some(program) = std::env::var_os("SCUMBLE_BROWSER") else {
        #[allow(clippy::print_stderr, reason = "a skipped test says so")]
        {
            eprintln!("skipped: SCUMBLE_BROWSER names no browser");
        }
        return;
    };
    let folder = tempfile::tempdir().expect("a folder");
    let mut browser = Browser::start(Path::new(&program)).expect("a browser");
    let mut wrong = Vec::new();
    for (name, html, expected) in pages() {
        let file = folder.path().join("page with a blank.html");
        std::fs::write(&file, html).expect("a page");
        let looked = look(&mut browser, &file, "shot", folder.path()).expect("a look");
        let as_expected = match expected {
            None => looked.faults.is_empty(),
            Some(part) => looked.faults.iter().any(|fault| fault.contains(part)),
        };
        if !as_expected {
            wrong.push(format!("{name}: {expected:?} is not among {:?}", looked.faults));
        }
        for picture in &looked.pictures {
            let bytes = std::fs::read(picture).expect("a picture");
            assert!(bytes.starts_with(b"\x89PNG") || bytes.starts_with(b"%PDF"), "{}", picture.display());
        }
        assert_eq!(looked.pictures.len(), 5, "{name}");
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn a_browser_that_is_none_is_refused() {
    assert!(Browser::start(Path::new("/bin/true")).is_err());
}
