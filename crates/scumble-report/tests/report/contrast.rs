//! Everybody can read the pages: the colours of the style sheet keep the contrast that the Web Content
//! Accessibility Guidelines ask for.

use std::collections::BTreeMap;

use scumble_report::Page;

/// The colours by name, as the light and the dark page have them.
fn palettes() -> [BTreeMap<String, [f64; 3]>; 2] {
    let html = Page::new("").finish();
    let mut found = [BTreeMap::new(), BTreeMap::new()];
    let dark = html.find("prefers-color-scheme: dark").unwrap_or(usize::MAX);
    for (at, _) in html.match_indices("--") {
        let Some((name, rest)) = html[at + 2..].split_once(": #") else { continue };
        if name.chars().all(|c| c.is_ascii_alphanumeric() || c == '-') {
            let part = |i: usize| rest.get(i..i + 2).and_then(|hex| u8::from_str_radix(hex, 16).ok()).unwrap_or(0);
            found[usize::from(at > dark)].insert(name.to_owned(), [0, 2, 4].map(|i| linear(part(i))));
        }
    }
    found
}

/// Brightness of a channel as the eye sees it, by the definition of sRGB.
fn linear(channel: u8) -> f64 {
    let c = f64::from(channel) / 255.0;
    if c <= 0.04045 { c / 12.92 } else { ((c + 0.055) / 1.055).powf(2.4) }
}

fn contrast(a: [f64; 3], b: [f64; 3]) -> f64 {
    let light = |[r, g, b]: [f64; 3]| 0.2126 * r + 0.7152 * g + 0.0722 * b;
    let (a, b) = (light(a), light(b));
    (a.max(b) + 0.05) / (a.min(b) + 0.05)
}

#[test]
fn text_and_marks_stand_out_from_what_is_behind_them() {
    for palette in palettes() {
        assert!(palette.len() > 15, "{palette:?}");
        let check = |front: &str, back: &str, least: f64| {
            let ratio = contrast(palette[front], palette[back]);
            assert!(ratio >= least, "{front} on {back}: {ratio:.2}");
        };
        for back in ["paper", "wash", "remark", "warning", "band0", "band1"] {
            check("ink", back, 7.0);
        }
        check("quiet", "paper", 4.5);
        check("link", "paper", 4.5);
        check("head-ink", "head", 7.0);
        check("head-quiet", "head", 4.5);
        check("mark", "paper", 3.0);
        check("remark-edge", "paper", 3.0);
        check("warning-edge", "paper", 3.0);
        for i in 0..6 {
            check(&format!("series{i}"), "paper", 4.5);
        }
        // Boxes of a tree have labels on the first tints.
        for i in 0..3 {
            check("ink", &format!("heat{i}"), 4.5);
        }
        // The tints of a map rise evenly enough to be told from their neighbours, and print in grey.
        for i in 1..6 {
            check(&format!("heat{i}"), &format!("heat{}", i - 1), 1.25);
        }
    }
}
