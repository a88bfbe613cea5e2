//! A page that shows what it has and does nothing else: no script, no request, no link away from it, no comment.
//!
//! What browsers obey is a long list that grows, so a page is held against what the pages of releases are made of: these
//! elements, these attributes with values of these kinds, and tags written in this one way. All else is refused, and so
//! no second reading of the same bytes can find something in them that was not looked at here.

/// The elements of a page.
const ELEMENTS: &str = "a bdi body caption circle code dd desc details div dl dt figcaption figure footer h1 h2 h3 head header html \
    li line main meta nav ol p path pre rect section span strong style summary svg table tbody td text th thead \
    title tr ul wbr";

/// Attributes whose values are names, numbers and lengths, which no browser takes for an address or a script.
const PLAIN: &str = "aria-labelledby class cx cy d data-key height id lang r role scope tabindex text-anchor viewBox width x x1 \
    x2 y y1 y2";

/// What `meta` elements say. The policy only takes rights away from a page; others would send readers elsewhere.
const METAS: [&str; 5] = [
    r#" charset="utf-8""#,
    r#" http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'""#,
    r#" name="viewport" content="width=device-width, initial-scale=1""#,
    r#" name="color-scheme" content="light dark""#,
    r#" name="referrer" content="no-referrer""#,
];

/// The functions and selectors of the style sheet that take something in parentheses. None of them takes an address.
const STYLE_FUNCTIONS: [&str; 7] = ["", "calc", "has", "is", "min", "nth-child", "var"];

/// The rules of the style sheet that begin with an at sign.
const STYLE_RULES: [&str; 2] = ["media", "page"];

/// The only escapes of the style sheet, which are arrows. Others could spell a word that is looked for.
const STYLE_ESCAPES: [&str; 2] = ["25b2\"", "25bc\""];

/// Whether a page has only what pages of releases are made of.
pub(super) fn check(page: &[u8]) -> Result<String, String> {
    let Ok(page) = std::str::from_utf8(page) else { return Err("the page is not UTF-8".into()) };
    if !page.contains('<') {
        return Err("this is not a page".into());
    }
    if page.contains(|c: char| c.is_control() && c != '\n' && c != '\t') {
        return Err("the page has control characters".into());
    }
    const DOCTYPE: &str = "<!doctype html>";
    let begins = page.get(..DOCTYPE.len()).is_some_and(|begin| begin.eq_ignore_ascii_case(DOCTYPE));
    let mut at = if begins { DOCTYPE.len() } else { 0 };
    while let Some(next) = page[at..].find('<') {
        let start = at + next;
        let tag = &page[start + 1..];
        let Some(end) = tag.find('>') else { return Err(strange(start, "a tag without an end")) };
        let name = element(&tag[..end]).map_err(|what| strange(start, &what))?;
        at = start + end + 2;
        if name == "style" {
            let Some(end) = page[at..].find("</style>") else { return Err(strange(start, "a style without an end")) };
            style(&page[at..at + end]).map_err(|what| strange(start, &what))?;
            at += end + "</style>".len();
        }
    }
    Ok("self-contained".into())
}

fn strange(at: usize, what: &str) -> String {
    format!("the page has what no page of a release has: {what}, at byte {}", at + 1)
}

/// The name of an element that starts; empty where one ends. Given is what stands between the brackets.
fn element(tag: &str) -> Result<&str, String> {
    let known = |name: &str| ELEMENTS.split(' ').any(|element| element == name && !name.is_empty());
    let unknown = |tag: &str| match tag.split(|c: char| !c.is_ascii_alphanumeric()).next() {
        Some(name) if !name.is_empty() && name.len() <= 16 => format!("an element `{name}`"),
        _ => "a comment or a strange tag".into(),
    };
    if let Some(name) = tag.strip_prefix('/') {
        return if known(name) { Ok("") } else { Err(unknown(name)) };
    }
    let (name, mut rest) = tag.split_at(tag.find([' ', '/']).unwrap_or(tag.len()));
    if !known(name) {
        return Err(unknown(tag));
    }
    if name == "meta" {
        return if METAS.contains(&rest) { Ok(name) } else { Err("a `meta` that is none of ours".into()) };
    }
    while !matches!(rest, "" | "/") {
        let written = rest.strip_prefix(' ').and_then(|rest| rest.split_once("=\""));
        let Some((attribute, (value, behind))) = written.and_then(|(name, rest)| Some((name, rest.split_once('"')?)))
        else {
            return Err(format!("a strange attribute of `{name}`"));
        };
        let fits = match attribute {
            // Read aloud, and never obeyed.
            "aria-label" => !value.contains('<'),
            "href" => value.strip_prefix('#').is_some_and(is_plain),
            _ => PLAIN.split(' ').any(|plain| plain == attribute) && is_plain(value),
        };
        if !fits {
            return Err(format!("a strange attribute of `{name}`"));
        }
        rest = behind;
    }
    Ok(name)
}

fn is_plain(value: &str) -> bool {
    value.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, ' ' | '-' | '_' | '.' | ','))
}

/// A style sheet neither loads anything nor can be read in another way where it stands in a drawing.
fn style(text: &str) -> Result<(), String> {
    if text.contains(['<', '&']) {
        return Err("markup in a style".into());
    }
    let in_word = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_');
    for (at, c) in text.char_indices() {
        let (before, after) = (&text[..at], &text[at + c.len_utf8()..]);
        let ok = match c {
            '(' => STYLE_FUNCTIONS.contains(&&before[before.trim_end_matches(in_word).len()..]),
            '@' => STYLE_RULES.contains(&after.split(|c| !in_word(c)).next().unwrap_or_default()),
            '\\' => STYLE_ESCAPES.iter().any(|escape| after.starts_with(escape)),
            _ => true,
        };
        if !ok {
            return Err(format!("a strange `{c}` in a style"));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_pages_of_releases_have_is_accepted() {
        for page in [
            "<p>hello</p>",
            "<!DOCTYPE html>\n<p>a</p>",
            "<!doctype html><title>report</title>",
            "<a href=\"#s1\">a link</a>",
            "<p>prefetch('x'), javascript: and onload=1 are words here</p>",
            "<div class=\"scroll\" role=\"region\" tabindex=\"0\" aria-label=\"https:&#47;&#47;a &quot;b&quot;\"></div>",
            "<line class=\"a b\" x1=\"-1.5\" y1=\"0\" x2=\"3\" y2=\"4\"/>",
            "<meta charset=\"utf-8\">",
            "<style>p { color: var(--ink); } @media print { p { width: calc(1px); } } q { content: \" \\25b2\"; }</style>",
        ] {
            assert_eq!(check(page.as_bytes()), Ok("self-contained".into()), "{page}");
        }
    }

    #[test]
    fn all_else_is_refused() {
        for page in [
            "",
            "plain text",
            "<img src=\"https://example.org/x.png\">",
            "<img src=\"data:image/png;base64,//8=\">",
            "<link href = '//cdn.example.org/x.css'>",
            "<script>1</script>",
            "<SCRIPT>1</SCRIPT>",
            "<p>a</p><!-- the salary of Bob -->",
            "<p>a</p><!DOCTYPE html>",
            "<p>a</p><?x?>",
            "<p>a</p></ the salary of Bob>",
            "<![CDATA[x]]>",
            "<iframe></iframe>",
            "<object data=x></object>",
            "<embed>",
            "<form action=x></form>",
            "<base href=\"x\">",
            "<meta http-equiv=refresh content='0;url=x'>",
            "<meta http-equiv=\"refresh\" content=\"0;url=x\">",
            "<meta charset=\"utf-16\">",
            "<svg/onload=alert(1)>",
            "<svg onload=\"alert(1)\">",
            "<svg class=\"a\"onload=\"alert(1)\">",
            "<svg\nonload=alert(1)>",
            "<svg class=\"a\" oNlOaD=alert(1)>",
            "<p/onclick=\"x\"/>",
            "<p class='x'>",
            "<p class=x>",
            "<p hidden>",
            "<p style=\"background:url(x)\">",
            "<a href=\"https://example.org\">a link</a>",
            "<a href=\"javascript:alert(1)\">",
            "<a href=\"jav&#x61;script:alert(1)\">",
            "<a href=\" java\tscript:alert(1)\">",
            "<a href=\"\u{1}javascript:alert(1)\">",
            "<a href=\"data:text/html,x\">",
            "<a href=\"#a&#x61;\">",
            "<p aria-label=\"<svg onload=x\">",
            "<p aria-label=\"a>b\" onload=x>",
            "<p",
            "<style>p {}",
            "<style>@import 'x'</style>",
            "<style>p{background:url( \"http://x\")}</style>",
            "<style>p{background:u\\72l(x)}</style>",
            "<style>p{background:image-set(\"x\")}</style>",
            "<style>p{}<svg></style>",
            "<style>@&#105;mport 'x'</style>",
            "<p>\u{1b}$B</p>",
        ] {
            assert!(check(page.as_bytes()).is_err(), "{page}");
        }
        assert!(check(b"<p>\xff</p>").is_err());
        assert!(check(&"\u{feff}<p>a</p>".encode_utf16().flat_map(u16::to_le_bytes).collect::<Vec<u8>>()).is_err());
    }
}
