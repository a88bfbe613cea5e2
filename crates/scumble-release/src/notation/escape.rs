//! Backslashes of the notation.

/// The characters that a backslash may precede.
const SPECIAL: [char; 8] = ['\\', ',', '{', '}', '|', '[', ']', '*'];

/// A label that stands alone.
pub(crate) fn plain(label: &str) -> String {
    if label.starts_with(SPECIAL) { format!("\\{label}") } else { label.into() }
}

/// An end of an interval.
pub(crate) fn in_brackets(label: &str) -> String {
    escaped(label, &['\\', ',', '[', ']'])
}

/// A member of a set. Commas stay bare: labels with commas are common and only `|` divides a set.
pub(super) fn in_braces(label: &str) -> String {
    escaped(label, &['\\', '|', '{', '}'])
}

fn escaped(label: &str, which: &[char]) -> String {
    let mut out = String::with_capacity(label.len());
    for c in label.chars() {
        if which.contains(&c) {
            out.push('\\');
        }
        out.push(c);
    }
    out
}

/// The label that a plain text stands for; `None` where a special character lacks its backslash.
pub(super) fn read_plain(text: &str) -> Option<&str> {
    match text.strip_prefix('\\') {
        Some(rest) if rest.starts_with(SPECIAL) => Some(rest),
        Some(_) => None,
        None if text.starts_with(SPECIAL) => None,
        None => Some(text),
    }
}

/// The labels between `open` and `close`, divided by `by`; `None` if the text is not of that form.
pub(super) fn read_list(text: &str, open: char, by: char, close: char) -> Option<Vec<String>> {
    let inner = text.strip_prefix(open)?.strip_suffix(close)?;
    let mut labels = vec![String::new()];
    let mut chars = inner.chars();
    while let Some(c) = chars.next() {
        let literal = match c {
            '\\' => chars.next().filter(|next| SPECIAL.contains(next))?,
            c if c == by => {
                labels.push(String::new());
                continue;
            }
            c if c == open || c == close => return None,
            c => c,
        };
        if let Some(last) = labels.last_mut() {
            last.push(literal);
        }
    }
    Some(labels)
}
