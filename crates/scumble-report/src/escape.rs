//! Turning any text into text that HTML shows and never obeys.

/// Escapes `text` for HTML content and for attribute values in double or single quotes.
///
/// Besides the five characters that HTML gives a meaning, the slash is escaped: then no name can put `//`
/// into a page, and the promise that a report holds no address can be checked by a plain search of its
/// bytes. Control characters, which HTML forbids, and the characters that override the direction of
/// writing, by which a name could rearrange the words around it, become the replacement character.
///
/// # Example
///
/// ```
/// assert_eq!(scumble_report::escape("<b> & 'c/d'"), "&lt;b&gt; &amp; &#39;c&#47;d&#39;");
/// ```
pub fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + text.len() / 8);
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            '/' => out.push_str("&#47;"),
            '\n' | '\t' => out.push(c),
            '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => out.push('\u{fffd}'),
            // Noncharacters are parse errors in HTML, as controls are.
            '\u{fdd0}'..='\u{fdef}' => out.push('\u{fffd}'),
            c if c.is_control() || (c as u32) & 0xfffe == 0xfffe => out.push('\u{fffd}'),
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markup_becomes_text() {
        assert_eq!(escape("<script>alert(\"x\")</script>"), "&lt;script&gt;alert(&quot;x&quot;)&lt;&#47;script&gt;");
        assert_eq!(escape("&amp;"), "&amp;amp;");
        assert_eq!(escape(""), "");
    }

    #[test]
    fn letters_of_every_script_stay() {
        let names = "Größe, возраст, 年齢, العمر, 👩‍⚕️, e\u{301}";
        assert_eq!(escape(names), names);
    }

    #[test]
    fn controls_and_overrides_are_replaced() {
        assert_eq!(escape("a\u{0}b\u{1b}c\u{202e}d\u{2067}e\u{85}f\u{ffff}"), "a�b�c�d�e�f�");
        assert_eq!(escape("a\tb\nc"), "a\tb\nc");
    }
}
