//! A small reader of HTML, strict where browsers are lenient.

/// An opening tag.
#[derive(Debug)]
pub(crate) struct Tag {
    pub(crate) name: String,
    pub(crate) attributes: Vec<(String, String)>,
    /// The names of the elements around it, from the outermost.
    pub(crate) inside: Vec<String>,
}

impl Tag {
    pub(crate) fn get(&self, name: &str) -> Option<&str> {
        self.attributes.iter().find(|(n, _)| n == name).map(|(_, value)| value.as_str())
    }
}

const VOID: [&str; 3] = ["meta", "wbr", "br"];

/// Reads `html` and gives its tags in order; says what is wrong where tags do not balance, attributes are not
/// quoted, or a bare `<`, `>` or `&` stands in the text.
pub(crate) fn read(html: &str) -> Result<Vec<Tag>, String> {
    let mut tags = Vec::new();
    let mut open: Vec<String> = Vec::new();
    let mut rest = html.strip_prefix("<!DOCTYPE html>").unwrap_or(html);
    while let Some(at) = rest.find('<') {
        check_text(&rest[..at], open.last())?;
        rest = &rest[at + 1..];
        let end = rest.find('>').ok_or("a tag without an end")?;
        let (inside, after) = (&rest[..end], &rest[end + 1..]);
        rest = after;
        if let Some(name) = inside.strip_prefix('/') {
            match open.pop() {
                Some(last) if last == name => {}
                last => return Err(format!("</{name}> closes {last:?}")),
            }
            continue;
        }
        let (inside, closed) = inside.strip_suffix('/').map_or((inside, false), |inside| (inside, true));
        let (name, attributes) = inside.split_once(char::is_whitespace).unwrap_or((inside, ""));
        if name.is_empty() || !name.chars().all(|c| c.is_ascii_alphanumeric()) {
            return Err(format!("<{name}> is no tag"));
        }
        tags.push(Tag { name: name.to_owned(), attributes: read_attributes(attributes)?, inside: open.clone() });
        if !closed && !VOID.contains(&name) {
            open.push(name.to_owned());
        }
    }
    check_text(rest, None)?;
    if open.is_empty() { Ok(tags) } else { Err(format!("left open: {open:?}")) }
}

fn read_attributes(mut text: &str) -> Result<Vec<(String, String)>, String> {
    let mut all: Vec<(String, String)> = Vec::new();
    loop {
        text = text.trim_start();
        if text.is_empty() {
            return Ok(all);
        }
        let (name, rest) = text.split_once("=\"").ok_or_else(|| format!("unquoted attribute in {text:?}"))?;
        let (value, rest) = rest.split_once('"').ok_or_else(|| format!("open quote in {text:?}"))?;
        if name.chars().any(|c| !c.is_ascii_alphanumeric() && c != '-') || all.iter().any(|(n, _)| n == name) {
            return Err(format!("attribute {name:?}"));
        }
        all.push((name.to_owned(), value.to_owned()));
        text = rest;
    }
}

fn check_text(text: &str, parent: Option<&String>) -> Result<(), String> {
    if parent.is_some_and(|name| name == "style") {
        return Ok(());
    }
    if text.contains('>') {
        return Err(format!("bare > in {text:?}"));
    }
    for after in text.split('&').skip(1) {
        let known = ["amp;", "lt;", "gt;", "quot;", "#39;", "#47;"];
        if !known.iter().any(|entity| after.starts_with(entity)) {
            return Err(format!("bare & in {text:?}"));
        }
    }
    Ok(())
}

#[test]
fn the_reader_itself_finds_faults() {
    assert_eq!(read("<!DOCTYPE html><p class=\"a\">x &amp; y<wbr></p>").map(|tags| tags.len()), Ok(2));
    for wrong in
        ["<p>", "</p>", "<p></b>", "<p a=b></p>", "<p>a > b</p>", "<p>a & b</p>", "<p a=\"1\" a=\"2\"></p>", "<p"]
    {
        assert!(read(wrong).is_err(), "{wrong}");
    }
}
