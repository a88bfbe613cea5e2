//! Reads the notation of distances.

use super::{Combine, Distance, ESCAPED, EXAMPLE, Measure, Part, distance_names};
use scumble_table::{Decimal, Error, Result, did_you_mean, quoted_list, suggestion};

/// The words of measures, as offered to users.
pub(super) const MEASURES: [&str; 5] = ["range", "rank", "equal", "tree", "matrix:FILE"];

fn wrong(reason: impl Into<String>) -> Error {
    Error::request("distance", "", reason)
}

/// Reads a distance; errors name the part at fault, and the caller adds the whole text.
pub(super) fn read(text: &str) -> Result<Distance> {
    if text.is_empty() {
        return Err(wrong("there is nothing to read"));
    }
    let marks = marks(text)?;
    // A combination is a word, an opening parenthesis and its closing one at the very end. A word
    // that is not one of the four is a part with a mistake, or a combination with one.
    let open = marks.iter().find(|mark| mark.sign == '(').map(|mark| mark.at);
    let word = open.map_or("", |at| text[..at].trim());
    let combine = Combine::ALL.into_iter().find(|combine| combine.name() == word);
    let close = marks.iter().find(|mark| mark.sign == ')' && mark.depth == 0).map(|mark| mark.at);
    let (Some(combine), Some(open), Some(close)) = (combine, open, close) else {
        if let [first, ..] = &split(text, &marks, 0, text.len(), ',', 0)[..]
            && first.len() < text.len()
        {
            return Err(wrong("several parts need a combination").hint(format!("for example {EXAMPLE}")));
        }
        let closes_at_end = close.is_some_and(|at| at + 1 == text.len());
        if closes_at_end && !word.contains(':') && word != "range" {
            let names = Combine::ALL.map(Combine::name);
            let hint = suggestion(word, names.into_iter().chain(["range"]));
            return Err(wrong(format!("there is no combination `{word}`"))
                .hint(hint.unwrap_or_else(|| format!("one of {}", quoted_list(&names, names.len())))));
        }
        return Ok(Distance { combine: Combine::L1, parts: vec![part(text)?] }.normalized());
    };
    if !text[close + 1..].trim().is_empty() {
        return Err(wrong(format!("there is text after the closing `)`: `{}`", text[close + 1..].trim())));
    }
    if text[open + 1..close].trim().is_empty() {
        return Err(wrong(format!("`{}` needs at least one part", combine.name())));
    }
    let parts: Result<Vec<Part>> = split(text, &marks, open + 1, close, ',', 1).into_iter().map(part).collect();
    Ok(Distance { combine, parts: parts? }.normalized())
}

/// A sign that is not escaped: where it stands and how many parentheses are open around it.
struct SignPosition {
    at: usize,
    sign: char,
    depth: usize,
}

/// The unescaped `( ) , *` of a text, whose parentheses must match.
fn marks(text: &str) -> Result<Vec<SignPosition>> {
    let (mut marks, mut depth, mut skip) = (Vec::new(), 0usize, false);
    for (at, sign) in text.char_indices() {
        if std::mem::take(&mut skip) {
            continue;
        }
        match sign {
            '\\' => skip = text[at + 1..].starts_with(ESCAPED),
            '(' => {
                marks.push(SignPosition { at, sign, depth });
                depth += 1;
            }
            ')' => {
                depth = depth.checked_sub(1).ok_or_else(|| wrong("a `)` closes nothing"))?;
                marks.push(SignPosition { at, sign, depth });
            }
            ',' | '*' => marks.push(SignPosition { at, sign, depth }),
            _ => {}
        }
    }
    if depth == 0 { Ok(marks) } else { Err(wrong("a closing `)` is missing")) }
}

/// The pieces of `text[from..to]` between the given signs at the given depth.
fn split<'a>(text: &'a str, marks: &[SignPosition], from: usize, to: usize, sign: char, depth: usize) -> Vec<&'a str> {
    let mut pieces = Vec::new();
    let mut start = from;
    for mark in marks.iter().filter(|m| m.sign == sign && m.depth == depth && (from..to).contains(&m.at)) {
        pieces.push(&text[start..mark.at]);
        start = mark.at + 1;
    }
    pieces.push(&text[start..to]);
    pieces
}

fn part(text: &str) -> Result<Part> {
    let text = text.trim();
    if text.is_empty() {
        return Err(wrong("a part between the commas is empty"));
    }
    let signs = marks(text)?;
    let (body, weight) = match signs.iter().rfind(|mark| mark.sign == '*' && mark.depth == 0) {
        Some(star) => (text[..star.at].trim(), weight(text, text[star.at + 1..].trim())?),
        None => (text, Decimal::from(1)),
    };
    let colon = body.rfind(':');
    let (column, measure) = match colon {
        // A known measure after the last colon, however the column before it looks.
        Some(at) if known(body[at + 1..].trim()) => (Some(&body[..at]), measure(body[at + 1..].trim())?),
        _ => match matrix_file(body) {
            Some((column, file)) => (column, Measure::Matrix(named("file", file)?)),
            None => {
                let word = colon.map_or(body, |at| body[at + 1..].trim());
                (colon.map(|at| &body[..at]), measure(word)?)
            }
        },
    };
    let column = column.map(|name| named("column", name)).transpose()?;
    Ok(Part { column, measure, weight })
}

fn known(word: &str) -> bool {
    let head = word.split('(').next().unwrap_or(word).trim();
    match head {
        "range" => true,
        "rank" | "equal" | "tree" => !word.contains('('),
        _ => distance_names().iter().any(|name| name == word),
    }
}

/// Splits `column:matrix:file` or `matrix:file` at the last `matrix:` that starts a measure.
fn matrix_file(body: &str) -> Option<(Option<&str>, &str)> {
    let mut end = body.len();
    while let Some(at) = body[..end].rfind("matrix") {
        let before = body[..at].trim_end();
        let after = body[at + "matrix".len()..].trim_start();
        if let Some(file) = after.strip_prefix(':')
            && (before.is_empty() || before.ends_with(':'))
        {
            return Some((before.strip_suffix(':'), file));
        }
        end = at;
    }
    None
}

fn measure(word: &str) -> Result<Measure> {
    match word {
        "range" => return Ok(Measure::Range(None)),
        "rank" => return Ok(Measure::Rank),
        "equal" => return Ok(Measure::Equal),
        "tree" => return Ok(Measure::Tree),
        "matrix" => return Err(wrong("`matrix` needs a file").hint("for example `disease:matrix:disease.csv`")),
        _ => {}
    }
    let registered = distance_names();
    if registered.iter().any(|name| name == word) {
        return Ok(Measure::Named(word.into()));
    }
    if let Some(inside) = word.strip_prefix("range").and_then(|rest| rest.trim_start().strip_prefix('('))
        && let Some(inside) = inside.strip_suffix(')')
    {
        return bounds(inside);
    }
    let names: Vec<&str> = MEASURES.into_iter().chain(registered.iter().map(String::as_str)).collect();
    Err(wrong(format!("there is no measure `{word}`")).hint(did_you_mean(word, &names, "one of")))
}

fn bounds(inside: &str) -> Result<Measure> {
    let texts: Vec<&str> = inside.split(',').map(str::trim).collect();
    let hint = "for example `income:range(0, 100000)`";
    let [low, high] = texts[..] else {
        return Err(wrong(format!("`range` takes no bounds or two, not {}", texts.len())).hint(hint));
    };
    let number = |text: &str| {
        Decimal::parse(text).ok_or_else(|| wrong(format!("the bound `{text}` is not an exact decimal")).hint(hint))
    };
    let (low, high) = (number(low)?, number(high)?);
    if low >= high {
        return Err(wrong(format!("the bounds {low} and {high} are not in order")).hint(hint));
    }
    Ok(Measure::Range(Some((low, high))))
}

fn weight(part: &str, text: &str) -> Result<Decimal> {
    let wrong_weight = |reason: &str| {
        wrong(format!("the weight `{text}` of `{}` {reason}", part.trim()))
            .hint("a weight is a number above 0, such as `age:rank*0.5`; to leave a part out, drop it")
    };
    let weight = Decimal::parse(text).ok_or_else(|| wrong_weight("is not an exact decimal"))?;
    if weight > Decimal::ZERO { Ok(weight) } else { Err(wrong_weight("is not above 0")) }
}

/// A name without its escapes and outer blanks.
fn named(what: &str, text: &str) -> Result<String> {
    let mut name = String::with_capacity(text.len());
    let mut signs = text.trim().chars().peekable();
    while let Some(sign) = signs.next() {
        match signs.next_if(|next| sign == '\\' && ESCAPED.contains(next)) {
            Some(escaped) => name.push(escaped),
            None => name.push(sign),
        }
    }
    if name.is_empty() { Err(wrong(format!("the name of the {what} is empty"))) } else { Ok(name) }
}
