//! The few shapes that charts are made of.

use crate::escape::escape;

/// Room that a letter takes at the larger size that narrow screens get, in the widest of usual fonts.
pub(super) const LETTER: f64 = 12.0;

/// A coordinate with one decimal, which is finer than a screen shows. What is not a finite number becomes 0,
/// so that no chart can hold a coordinate that breaks it.
pub(super) fn px(value: f64) -> String {
    if !value.is_finite() {
        return "0".to_owned();
    }
    // Adding zero takes the sign from a negative zero.
    let rounded = (value * 10.0).round() / 10.0 + 0.0;
    if rounded.fract() == 0.0 { format!("{rounded:.0}") } else { format!("{rounded:.1}") }
}

/// A text. `anchor` is `start`, `middle` or `end`; `class` one of the style sheet's.
pub(super) fn text(x: f64, y: f64, anchor: &str, class: &str, words: &str) -> String {
    format!(
        "<text x=\"{}\" y=\"{}\" text-anchor=\"{anchor}\" class=\"{class}\">{}</text>\n",
        px(x),
        px(y),
        escape(words)
    )
}

/// A straight line.
pub(super) fn rule(class: &str, (x1, y1): (f64, f64), (x2, y2): (f64, f64)) -> String {
    format!("<line class=\"{class}\" x1=\"{}\" y1=\"{}\" x2=\"{}\" y2=\"{}\"/>\n", px(x1), px(y1), px(x2), px(y2))
}

/// A rectangle that tells its meaning when it is pointed at. Something that is not nothing is never thinner
/// than a visible line; see the callers.
pub(super) fn bar(class: &str, (x, y): (f64, f64), (width, height): (f64, f64), says: &str) -> String {
    format!(
        "<rect class=\"{class}\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"><title>{}</title></rect>\n",
        px(x),
        px(y),
        px(width.max(0.0)),
        px(height.max(0.0)),
        escape(says)
    )
}

/// Adds what must be said of the picture itself to the picture, and to the words that stand for it.
pub(super) fn remark(marks: &mut String, description: &mut String, (x, y): (f64, f64), words: &str) {
    marks.push_str(&text(x, y, "middle", "quiet", words));
    description.push_str(&format!(" {words}"));
}

/// Letters of the longest of some texts.
pub(super) fn longest(texts: impl Iterator<Item = String>) -> usize {
    texts.map(|text| text.chars().count()).max().unwrap_or(0)
}

/// Room that a letter takes at the usual size.
const ROOMY_LETTER: f64 = 8.6;

/// Bold letters are a tenth wider than others.
const BOLD: f64 = 1.1;

/// A bold text, or as much of it as fits into a room in any font. Narrow screens have larger letters; where fewer of these
/// fit than of the usual ones, the style sheet shows one of two texts.
pub(super) fn name(x: f64, y: f64, anchor: &str, class: &str, words: &str, room: f64) -> String {
    let letters = |width: f64| (room / width / BOLD).max(3.0) as usize;
    let (roomy, tight) = (shortened(words, letters(ROOMY_LETTER)), shortened(words, letters(LETTER)));
    if roomy == tight {
        return text(x, y, anchor, class, &roomy);
    }
    let both = [("roomy", roomy), ("tight", tight)];
    both.map(|(kind, words)| text(x, y, anchor, &format!("{class} {kind}"), &words)).concat()
}

/// `words`, cut with an ellipsis where they are wider than `columns` letters. Letters of the scripts that
/// are written in squares count twice.
pub(super) fn shortened(words: &str, columns: usize) -> String {
    let width = |c: char| if c >= '\u{1100}' && !('\u{2010}'..='\u{2027}').contains(&c) { 2 } else { 1 };
    let mut used = 0;
    let mut out = String::new();
    let mut last_fit = 0;
    for c in words.chars() {
        used += width(c);
        if used > columns {
            out.truncate(last_fit);
            out.push('…');
            return out;
        }
        out.push(c);
        if used < columns {
            last_fit = out.len();
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn coordinates_are_short_and_finite() {
        assert_eq!(px(1.0), "1");
        assert_eq!(px(1.26), "1.3");
        assert_eq!(px(-0.01), "0");
        assert_eq!(px(f64::NAN), "0");
        assert_eq!(px(f64::INFINITY), "0");
    }

    #[test]
    fn a_long_name_is_there_twice_and_a_short_one_once() {
        assert_eq!(name(1.0, 2.0, "start", "label", "age", 99.0).matches("<text").count(), 1);
        let long = name(1.0, 2.0, "start", "label", "a name of thirty letters or so", 264.0);
        assert!(
            long.contains("\"label roomy\">a name of thirty letters o…<") && long.contains("\"label tight\">"),
            "{long}"
        );
    }

    #[test]
    fn long_names_are_cut_between_letters() {
        assert_eq!(shortened("abc", 3), "abc");
        assert_eq!(shortened("abcd", 3), "ab…");
        assert_eq!(shortened("年齢年齢", 5), "年齢…");
        assert_eq!(shortened("", 3), "");
    }
}
