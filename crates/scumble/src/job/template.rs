//! Texts with places for parameters: `k-anonymity({k})`.

/// The names in the braces of a text, in order, each as often as it occurs.
///
/// # Errors
/// Says what is wrong with the braces.
pub(super) fn names(text: &str) -> Result<Vec<&str>, String> {
    let mut names = Vec::new();
    pieces(text, |piece| {
        if let Piece::Name(name) = piece {
            names.push(name);
        }
    })?;
    Ok(names)
}

/// The text with every name replaced by its value; `{{` and `}}` become plain braces.
///
/// # Errors
/// If the braces are wrong, or a name has no value.
pub(super) fn filled<'v>(text: &str, value: impl Fn(&str) -> Option<&'v str>) -> Result<String, String> {
    let (mut out, mut missing) = (String::new(), None);
    pieces(text, |piece| match piece {
        Piece::Plain(plain) => out.push_str(plain),
        Piece::Name(name) => match value(name) {
            Some(value) => out.push_str(value),
            None => missing = missing.take().or(Some(name.to_string())),
        },
    })?;
    missing.map_or(Ok(out), |name| Err(format!("`{{{name}}}` stands for nothing")))
}

/// True for what may stand in braces.
pub(super) fn is_name(name: &str) -> bool {
    name.starts_with(|c: char| c.is_ascii_alphabetic())
        && name.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '-'))
}

enum Piece<'t> {
    Plain(&'t str),
    Name(&'t str),
}

fn pieces<'t>(text: &'t str, mut found: impl FnMut(Piece<'t>)) -> Result<(), String> {
    let mut rest = text;
    while let Some(at) = rest.find(['{', '}']) {
        let (plain, from) = rest.split_at(at);
        found(Piece::Plain(plain));
        if from.starts_with("{{") || from.starts_with("}}") {
            found(Piece::Plain(&from[..1]));
            rest = &from[2..];
            continue;
        }
        let inside = from.strip_prefix('{').and_then(|inside| inside.split_once('}'));
        match inside {
            Some((name, after)) if is_name(name) => {
                found(Piece::Name(name));
                rest = after;
            }
            Some((name, _)) => {
                return Err(format!("`{{{name}}}` names no parameter: a letter, then letters and digits"));
            }
            None => return Err("a brace has no partner".into()),
        }
    }
    found(Piece::Plain(rest));
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_found_and_filled() {
        let text = "pay: proximity-absolute({e}, {m}) {{x}}";
        assert_eq!(names(text), Ok(vec!["e", "m"]));
        let value = |name: &str| (name == "e").then_some("4.50").or((name == "m").then_some("5"));
        assert_eq!(filled(text, value), Ok("pay: proximity-absolute(4.50, 5) {x}".into()));
        assert_eq!(filled("{q}", value), Err("`{q}` stands for nothing".into()));
        assert_eq!(filled("", value), Ok(String::new()));
    }

    #[test]
    fn wrong_braces_are_told() {
        for text in ["{", "}", "{k", "k}", "{}", "{2}", "{a b}", "{é}", "{{{"] {
            assert!(names(text).is_err(), "{text}");
        }
    }
}
